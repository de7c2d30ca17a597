//! The classes of all pairs as a section of a baked file.
//!
//! Owns the division into strips, which are read on all cores, and the way from there to rows in memory.
//! Promises: reading is total, canonical, and bounded by the number of cells. Must not know how a strip is spelt.

use super::beside::beside;
use super::moves::Moves;
use super::planes::{Evenness, Span};
use super::range::{Decoder, Encoder};
use super::strip::{Given, Strip};
use super::wire::Wrong;
use crate::map::Cell;
use crate::map::pvs::bits::{BitMatrix, Layout, Tile};
use rayon::prelude::*;
use std::ops::Range;

/// Strips that a matrix is divided into, but for large ones: enough for some threads, each costs a hundredth.
const STRIPS: usize = 4;
/// Tiles of a strip, at most, unless a single row of tiles has more.
const STRIP_TILES: usize = 1 << 11;

/// The section's bytes: strip by strip its length and its stream.
pub(super) fn write(revealed: &BitMatrix, unresolved: &BitMatrix, cells: &[Cell]) -> Vec<u8> {
    let moves = Moves::new(beside(cells));
    let size = revealed.size();
    let streams: Vec<Vec<u8>> = strips(size)
        .into_par_iter()
        .map(|tiles| {
            let span = Span { tiles, size };
            let mut encoder = Encoder::new();
            let given = |row, column| given(&span, revealed, unresolved, row, column);
            Strip::code(span.clone(), &moves, &mut encoder, given);
            encoder.finish()
        })
        .collect();
    let mut bytes = Vec::new();
    for stream in streams {
        bytes.extend_from_slice(&(stream.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&stream);
    }
    bytes
}

/// Reads [`write`]'s bytes: the revealed and the unresolved pairs, sealed, and how many the first are.
pub(super) fn read(
    mut bytes: &[u8],
    cells: &[Cell],
    layout: Layout,
) -> Result<(BitMatrix, BitMatrix, u64), Wrong> {
    let size = cells.len();
    let spans = strips(size);
    let mut streams = Vec::with_capacity(spans.len());
    for tiles in &spans {
        let (length, rest) = bytes.split_first_chunk::<4>().ok_or("a strip's length")?;
        let length = u32::from_le_bytes(*length) as usize;
        let (stream, rest) = rest.split_at_checked(length).ok_or("a strip's bytes")?;
        streams.push((tiles.clone(), stream));
        bytes = rest;
    }
    if !bytes.is_empty() {
        return Err("the end of the rows");
    }
    let moves = Moves::new(beside(cells));
    // Each for itself: who is done with one takes the next.
    let read = streams.into_par_iter().with_max_len(1).map(|(tiles, stream)| {
        let mut decoder = Decoder::new(stream);
        let strip = Strip::read(Span { tiles, size }, &moves, &mut decoder);
        decoder.is_finished().then_some(strip)
    });
    let strips = read.collect::<Option<Vec<Strip>>>().ok_or("a strip's own bytes")?;
    let of: Vec<&Strip> =
        spans.iter().zip(&strips).flat_map(|(tiles, strip)| tiles.clone().map(move |_| strip)).collect();
    let revealed = || {
        let (mut bits, shown) =
            BitMatrix::of_bands(size, layout, |band, rows| put_band(&of, band, size, rows));
        bits.seal();
        (bits, shown)
    };
    let ((revealed, shown), unresolved) = rayon::join(revealed, || unresolved(&of, size));
    Ok((revealed, unresolved, shown))
}

/// The unresolved pairs, sealed.
fn unresolved(of: &[&Strip], size: usize) -> BitMatrix {
    let mut bits = BitMatrix::new(size, Layout::Paged, false);
    for (row, strip) in of.iter().enumerate() {
        (row..of.len()).for_each(|column| put_open(strip, row, column, &mut bits));
    }
    bits.seal();
    bits
}

/// The rows of tiles of each strip: of about equal numbers of pairs, and bounded.
fn strips(size: usize) -> Vec<Range<usize>> {
    let tiles = size.div_ceil(64);
    let share = (tiles * (tiles + 1) / 2).div_ceil(STRIPS).min(STRIP_TILES);
    let mut strips = Vec::new();
    let (mut start, mut held) = (0, 0);
    for tile in 0..tiles {
        held += tiles - tile;
        let next = tiles - tile - 1;
        if next == 0 || held + next / 2 > share {
            strips.push(start..tile + 1);
            (start, held) = (tile + 1, 0);
        }
    }
    strips
}

/// A tile's pairs, there and back.
fn given(span: &Span, revealed: &BitMatrix, unresolved: &BitMatrix, row: usize, column: usize) -> Given {
    let ahead = revealed.tile(row, column);
    let back = transposed(&revealed.tile(column, row));
    let one_way = std::array::from_fn(|index| ahead[index] ^ back[index]);
    // What is unresolved without being revealed can't be written.
    let within = |open: Tile, shown: &Tile| -> Tile {
        std::array::from_fn(|index| open[index] & shown[index] & span.later(row * 64 + index, column))
    };
    let open = [unresolved.tile(row, column), transposed(&unresolved.tile(column, row))];
    let [open_ahead, open_back] = open;
    Given { seen: [ahead, one_way], open: [within(open_ahead, &ahead), within(open_back, &back)] }
}

/// Sets the rows of a band; gives how many bits.
fn put_band(of: &[&Strip], band: usize, size: usize, rows: &mut [u64]) -> u64 {
    let across = of.len();
    let high = rows.len() / across;
    let mut shown = 0;
    for column in 0..across {
        let wide = (size - column * 64).min(64);
        let inside = u64::MAX >> (64 - wide);
        let words = rows[column..].iter_mut().step_by(across);
        let (row, later) = (band.min(column), band.max(column));
        let [ahead, one_way] = &of[row].seen;
        match ahead.evenness(row, later) {
            Evenness::None => {}
            Evenness::All => {
                words.for_each(|word| *word = inside);
                shown += (high * wide) as u64;
            }
            Evenness::Mixed => {
                let ahead = ahead.tile(row, later);
                let tile = if band <= column { *ahead } else { back(ahead, one_way.tile(row, later)) };
                for (word, from) in words.zip(tile) {
                    *word = from & inside;
                    shown += u64::from((from & inside).count_ones());
                }
            }
        }
    }
    shown
}

/// The pairs of a tile the other way round.
fn back(ahead: &Tile, one_way: &Tile) -> Tile {
    transposed(&std::array::from_fn(|index| ahead[index] ^ one_way[index]))
}

/// Puts a tile's unresolved pairs on both sides of the diagonal.
fn put_open(strip: &Strip, row: usize, column: usize, matrix: &mut BitMatrix) {
    let some = |way: usize| strip.open[way].evenness(row, column) != Evenness::None;
    if !some(0) && !some(1) {
        return;
    }
    let (mut right, left) = (*strip.open[0].tile(row, column), transposed(strip.open[1].tile(row, column)));
    if row == column {
        right.iter_mut().zip(&left).for_each(|(word, left)| *word |= left);
    } else if some(1) {
        matrix.set_tile(column, row, &left);
    }
    if some(0) || row == column {
        matrix.set_tile(row, column, &right);
    }
}

/// The tile mirrored at its diagonal: quarters are swapped, then their quarters, down to single bits.
fn transposed(tile: &Tile) -> Tile {
    let mut out = *tile;
    let mut step = |half: usize, low_halves: u64| {
        for pair in out.chunks_exact_mut(2 * half) {
            let (above, below) = pair.split_at_mut(half);
            for (above, below) in above.iter_mut().zip(below) {
                let swap = (*above >> half ^ *below) & low_halves;
                *above ^= swap << half;
                *below ^= swap;
            }
        }
    };
    step(32, 0x0000_0000_FFFF_FFFF);
    step(16, 0x0000_FFFF_0000_FFFF);
    step(8, 0x00FF_00FF_00FF_00FF);
    step(4, 0x0F0F_0F0F_0F0F_0F0F);
    step(2, 0x3333_3333_3333_3333);
    step(1, 0x5555_5555_5555_5555);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::{ConvexPolygon, Point2, ZRange};
    use crate::map::file::range::{Chance, Coder};
    use proptest::prelude::*;

    /// Cells of two storeys in a square, in the order of columns, not Morton's: any order is taken.
    fn cells(size: usize) -> Vec<Cell> {
        let region = ConvexPolygon::from_ccw(vec![Point2::new(0.0, 0.0)]);
        let cell = |index: usize| {
            let (column, storey) = (index as i32 / 2, (index % 2) as f64 * 3.0);
            let feet = ZRange::new(storey, storey + 0.1);
            Cell { region: region.clone(), feet, ceiling: f64::INFINITY, column: (column % 9, column / 9) }
        };
        (0..size).map(cell).collect()
    }

    fn matrices(size: usize, seed: u64, layout: Layout) -> (BitMatrix, BitMatrix) {
        let mut state = seed | 1;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        let mut revealed = BitMatrix::new(size, layout, false);
        let mut unresolved = BitMatrix::new(size, Layout::Paged, false);
        for turn in 0..24 {
            let (a, b, c, d) = (next() % size, next() % size, next() % size, next() % size);
            let (rows, columns) = (a.min(b)..a.max(b) + 1, c.min(d)..c.max(d) + 1);
            let value = next() % 3 > 0;
            if turn % 3 == 0 {
                revealed.fill(columns.clone(), rows.clone(), value);
            }
            revealed.fill(rows.clone(), columns.clone(), value);
            unresolved.fill(rows, columns, value && turn % 4 == 0);
        }
        for cell in 0..size {
            revealed.fill(cell..cell + 1, cell..cell + 1, true);
            unresolved.fill(cell..cell + 1, cell..cell + 1, false);
        }
        revealed.seal();
        unresolved.seal();
        (revealed, unresolved)
    }

    #[test]
    fn a_tile_is_mirrored_bit_by_bit() {
        let tile: Tile = std::array::from_fn(|row| (row as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mirror = transposed(&tile);
        for (row, word) in tile.iter().enumerate() {
            for (column, mirrored) in mirror.iter().enumerate() {
                assert_eq!(word >> column & 1, mirrored >> row & 1);
            }
        }
    }

    #[test]
    fn strips_cover_every_row_once_and_are_bounded() {
        for size in [0, 1, 64, 65, 1_000, 7_485, 16_000, crate::map::MAX_CELLS] {
            let mut next = 0;
            let across = size.div_ceil(64);
            for rows in strips(size) {
                assert!(rows.start == next && rows.end > rows.start);
                let tiles: usize = rows.clone().map(|row| across - row).sum();
                assert!(tiles < STRIP_TILES * 3 / 2, "{size}: {rows:?}");
                next = rows.end;
            }
            assert_eq!(next, across);
        }
    }

    #[test]
    fn a_group_of_rows_without_later_cells_is_spelt_in_one_way() {
        // One cell: whether its group of rows is mixed, whether it is all, whether any pair is unresolved.
        let spelt = |bits: [bool; 3]| {
            let mut encoder = Encoder::new();
            for bit in bits {
                encoder.bit(&mut Chance::EVEN.clone(), bit);
            }
            let stream = encoder.finish();
            [&(stream.len() as u32).to_le_bytes()[..], &stream].concat()
        };
        let (revealed, unresolved) = matrices(1, 0, Layout::Raw);
        assert_eq!(write(&revealed, &unresolved, &cells(1)), spelt([false; 3]));
        assert!(read(&spelt([false; 3]), &cells(1), Layout::Raw).is_ok());
        assert!(read(&spelt([false, true, false]), &cells(1), Layout::Raw).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn any_classes_come_back(size in 1_usize..700, seed in any::<u64>(), paged in any::<bool>()) {
            let layout = if paged { Layout::Paged } else { Layout::Raw };
            let (revealed, unresolved) = matrices(size, seed, layout);
            let bytes = write(&revealed, &unresolved, &cells(size));
            let (mut a, mut b, shown) = read(&bytes, &cells(size), layout).unwrap();
            prop_assert_eq!(shown, a.count());
            a.seal();
            b.seal();
            // What is unresolved is revealed: anything else can't be written.
            let within = revealed.contains(&unresolved);
            prop_assert_eq!(a, revealed);
            prop_assert!(!within || b == unresolved);
        }

        #[test]
        fn other_bytes_give_an_error_or_the_classes_that_they_spell(
            size in 1_usize..300, seed in any::<u64>(), at in any::<prop::sample::Index>(), value in 0_u8..8,
        ) {
            let (revealed, unresolved) = matrices(size, seed, Layout::Raw);
            let mut bytes = write(&revealed, &unresolved, &cells(size));
            let index = at.index(bytes.len());
            bytes[index] ^= 1 << value;
            if let Ok((revealed, unresolved, _)) = read(&bytes, &cells(size), Layout::Raw) {
                prop_assert!(write(&revealed, &unresolved, &cells(size)) == bytes);
            }
        }
    }
}
