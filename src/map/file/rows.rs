//! The classes of all pairs as a section of a baked file.
//!
//! Owns the division into strips, which are read on all cores, and the cells that lie beside each other.
//! Promises: reading is total, canonical, and bounded by the number of cells. Must not know how a strip is spelt.

use super::range::{Decoder, Encoder};
use super::strip::{AHEAD, BACK, OPEN_AHEAD, OPEN_BACK, Strip};
use super::wire::Wrong;
use crate::map::Cell;
use crate::map::pvs::bits::{BitMatrix, Layout, Tile};
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::Range;

/// Strips that a matrix is divided into, but for large ones: enough for some threads.
const STRIPS: usize = 8;
/// Words of a strip's plane, at most, unless a single row of tiles has more: 2 MiB.
const STRIP_WORDS: usize = 1 << 18;
/// Strips of a large matrix in memory at once.
const AT_ONCE: usize = 8;

/// The section's bytes: strip by strip its length and its stream.
pub(super) fn write(revealed: &BitMatrix, unresolved: &BitMatrix, cells: &[Cell]) -> Vec<u8> {
    let near = near(cells);
    let streams: Vec<Vec<u8>> = strips(revealed.size())
        .into_par_iter()
        .map(|rows| {
            let mut encoder = Encoder::new();
            strip_of(rows, revealed, unresolved).code(&near, &mut encoder);
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

/// Reads [`write`]'s bytes: the revealed and the unresolved pairs.
pub(super) fn read(
    mut bytes: &[u8],
    cells: &[Cell],
    layout: Layout,
) -> Result<(BitMatrix, BitMatrix), Wrong> {
    let size = cells.len();
    let strips = strips(size);
    let mut streams = Vec::with_capacity(strips.len());
    for rows in strips {
        let (length, rest) = bytes.split_first_chunk::<4>().ok_or("a strip's length")?;
        let length = u32::from_le_bytes(*length) as usize;
        let (stream, rest) = rest.split_at_checked(length).ok_or("a strip's bytes")?;
        streams.push((rows, stream));
        bytes = rest;
    }
    if !bytes.is_empty() {
        return Err("the end of the rows");
    }
    let near = near(cells);
    let mut revealed = BitMatrix::new(size, layout, false);
    let mut unresolved = BitMatrix::new(size, Layout::Paged, false);
    for group in streams.chunks(AT_ONCE) {
        let read = group.par_iter().map(|(rows, stream)| {
            let mut strip = Strip::new(rows.clone(), size);
            let mut decoder = Decoder::new(stream);
            strip.code(&near, &mut decoder);
            decoder.is_finished().then_some(strip)
        });
        for strip in read.collect::<Option<Vec<Strip>>>().ok_or("a strip's own bytes")? {
            put(&strip, [AHEAD, BACK], &mut revealed);
            put(&strip, [OPEN_AHEAD, OPEN_BACK], &mut unresolved);
        }
    }
    Ok((revealed, unresolved))
}

/// The rows of each strip: of about equal numbers of pairs, and bounded, each from a multiple of 64.
fn strips(size: usize) -> Vec<Range<usize>> {
    let tiles = size.div_ceil(64);
    let share = (tiles * (tiles + 1) / 2).div_ceil(STRIPS).min(STRIP_WORDS / 64);
    let mut strips = Vec::new();
    let (mut start, mut held) = (0, 0);
    for tile in 0..tiles {
        held += tiles - tile;
        let next = tiles - tile - 1;
        if next == 0 || held + next / 2 > share || (tile + 2 - start) * (tiles - start) * 64 > STRIP_WORDS {
            strips.push(start * 64..((tile + 1) * 64).min(size));
            (start, held) = (tile + 1, 0);
        }
    }
    strips
}

/// Two earlier cells beside each: west and south of it at the nearest height, or else the ones before it.
fn near(cells: &[Cell]) -> Vec<[u32; 2]> {
    let mut columns: HashMap<(i32, i32), Vec<u32>> = HashMap::with_capacity(cells.len());
    let mut near = Vec::with_capacity(cells.len());
    for (index, cell) in (0..).zip(cells) {
        let middle = |cell: &Cell| cell.feet.low + cell.feet.high;
        let beside = |dx: i32, dy: i32| {
            let column = (cell.column.0.wrapping_sub(dx), cell.column.1.wrapping_sub(dy));
            let apart = |&other: &u32| (middle(&cells[other as usize]) - middle(cell)).abs();
            columns.get(&column)?.iter().copied().min_by(|a, b| apart(a).total_cmp(&apart(b)))
        };
        let before = |count: u32| u32::saturating_sub(index, count);
        let west = beside(1, 0);
        let south = beside(0, 1).unwrap_or(if west == Some(before(1)) { before(2) } else { before(1) });
        near.push([west.unwrap_or(before(1)), south]);
        columns.entry(cell.column).or_default().push(index);
    }
    near
}

fn strip_of(rows: Range<usize>, revealed: &BitMatrix, unresolved: &BitMatrix) -> Strip {
    let size = revealed.size();
    let mut strip = Strip::new(rows.clone(), size);
    let first = rows.start / 64;
    for (planes, matrix) in [([AHEAD, BACK], revealed), ([OPEN_AHEAD, OPEN_BACK], unresolved)] {
        for i in first..rows.end.div_ceil(64) {
            for j in i..size.div_ceil(64) {
                let tiles = [matrix.tile(i, j), transposed(&matrix.tile(j, i))];
                for (plane, tile) in planes.into_iter().zip(tiles) {
                    for (row, word) in (i * 64..rows.end).zip(tile) {
                        strip.row_mut(plane, row)[j - first] = word & strip.later(row, j - first);
                    }
                }
            }
        }
    }
    strip
}

/// Puts two planes of a strip on both sides of the diagonal.
fn put(strip: &Strip, [ahead, back]: [usize; 2], matrix: &mut BitMatrix) {
    let first = strip.rows.start / 64;
    for i in first..strip.rows.end.div_ceil(64) {
        for j in i..matrix.size().div_ceil(64) {
            let tile = |plane: usize| {
                let mut tile: Tile = [0; 64];
                for (row, word) in (i * 64..strip.rows.end).zip(&mut tile) {
                    *word = strip.row(plane, row)[j - first];
                }
                tile
            };
            let (mut right, below) = (tile(ahead), tile(back));
            if below != [0; 64] {
                let left = transposed(&below);
                if i == j {
                    right.iter_mut().zip(&left).for_each(|(word, left)| *word |= left);
                } else {
                    matrix.set_tile(j, i, &left);
                }
            }
            if right != [0; 64] {
                matrix.set_tile(i, j, &right);
            }
        }
    }
}

/// The tile mirrored at its diagonal: quarters are swapped, then their quarters, down to single bits.
fn transposed(tile: &Tile) -> Tile {
    let mut out = *tile;
    let mut half = 32;
    let mut low_halves = u64::MAX >> 32;
    while half > 0 {
        for row in (0..64).filter(|row| row & half == 0) {
            let swap = (out[row] >> half ^ out[row + half]) & low_halves;
            out[row] ^= swap << half;
            out[row + half] ^= swap;
        }
        half /= 2;
        low_halves ^= low_halves << half;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::{ConvexPolygon, Point2, ZRange};
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
            for rows in strips(size) {
                assert!(rows.start == next && rows.start % 64 == 0 && rows.end > rows.start);
                let words = rows.len() * (size.div_ceil(64) - rows.start / 64);
                assert!(words <= STRIP_WORDS || rows.len() <= 64, "{size}: {rows:?}");
                next = rows.end;
            }
            assert_eq!(next, size);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn any_classes_come_back(size in 1_usize..700, seed in any::<u64>(), paged in any::<bool>()) {
            let layout = if paged { Layout::Paged } else { Layout::Raw };
            let (revealed, unresolved) = matrices(size, seed, layout);
            let bytes = write(&revealed, &unresolved, &cells(size));
            let (mut a, mut b) = read(&bytes, &cells(size), layout).unwrap();
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
            if let Ok((revealed, unresolved)) = read(&bytes, &cells(size), Layout::Raw) {
                prop_assert!(write(&revealed, &unresolved, &cells(size)) == bytes);
            }
        }
    }
}
