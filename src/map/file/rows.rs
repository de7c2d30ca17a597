//! Square bit matrices as sections of a baked file.
//!
//! Owns how rows are rearranged before they are deflated: 64 × 64 tiles, empty and full ones as a mark, and
//! below the diagonal only where the matrix differs from its own mirror image, since sight is nearly mutual.
//! Promises: reading is total, canonical, and bounded by the number of cells. Must not know what a bit means.

use super::wire::Wrong;
use crate::map::pvs::bits::{BitMatrix, Layout, Tile};
use std::io::Read;

const EMPTY: u8 = 0;
const FULL: u8 = 1;
const MIXED: u8 = 2;

/// A matrix taken apart: a mark per tile, then the words of the mixed tiles in the same order.
pub(super) struct Parts {
    pub(super) marks: Vec<u8>,
    pub(super) words: Vec<u8>,
}

/// Takes `matrix` apart.
pub(super) fn split(matrix: &BitMatrix) -> Parts {
    let mut parts = Parts { marks: Vec::new(), words: Vec::new() };
    for place in places(matrix.size()) {
        let mut tile = matrix.tile(place.row, place.column);
        fold(matrix, place, &mut tile);
        let mark = mark_of(&tile, &full_tile(matrix.size(), place));
        parts.marks.push(mark);
        if mark == MIXED {
            parts.words.extend(tile.iter().flat_map(|word| word.to_le_bytes()));
        }
    }
    parts
}

/// How many marks a matrix of `size` rows has.
pub(super) fn mark_count(size: usize) -> usize {
    size.div_ceil(64).pow(2)
}

/// Puts a matrix of `size` rows together from its marks and the stream of its words, which must end with it.
pub(super) fn join(
    size: usize,
    layout: Layout,
    marks: &[u8],
    mut words: impl Read,
) -> Result<BitMatrix, Wrong> {
    if marks.len() != mark_count(size) {
        return Err("a mark per tile");
    }
    let mut matrix = BitMatrix::new(size, layout, false);
    for (place, &mark) in places(size).zip(marks) {
        let full = full_tile(size, place);
        let mut tile = match mark {
            EMPTY => [0; 64],
            FULL => full,
            MIXED => {
                let tile = read_tile(&mut words)?;
                let inside = tile.iter().zip(&full).all(|(word, full)| word & !full == 0);
                if !inside || mark_of(&tile, &full) != MIXED {
                    return Err("a tile's shortest spelling");
                }
                tile
            }
            _ => return Err("a tile's mark"),
        };
        fold(&matrix, place, &mut tile);
        matrix.set_tile(place.row, place.column, &tile);
    }
    match words.read(&mut [0]) {
        Ok(0) => Ok(matrix),
        _ => Err("the end of the rows"),
    }
}

/// Where a tile is, in tiles.
#[derive(Clone, Copy)]
struct Place {
    row: usize,
    column: usize,
}

/// The tiles in the file's order: the diagonal and what is right of it, row by row, then what is left of it.
fn places(size: usize) -> impl Iterator<Item = Place> {
    let tiles = size.div_ceil(64);
    let upper = (0..tiles).flat_map(move |row| (row..tiles).map(move |column| Place { row, column }));
    let lower = (0..tiles).flat_map(|row| (0..row).map(move |column| Place { row, column }));
    upper.chain(lower)
}

/// Turns bits below the diagonal into differences from their mirror images, and back: it is its own inverse.
///
/// `matrix` needs to hold only what lies on the other side of the diagonal from the tile.
fn fold(matrix: &BitMatrix, place: Place, tile: &mut Tile) {
    if place.column < place.row {
        let mirror = transposed(&matrix.tile(place.column, place.row));
        tile.iter_mut().zip(&mirror).for_each(|(word, mirror)| *word ^= mirror);
    } else if place.column == place.row {
        // Bits on and above the diagonal are the same before and after, so the mirror needs no other source.
        let mirror = transposed(tile);
        for (row, (word, mirror)) in tile.iter_mut().zip(&mirror).enumerate() {
            *word ^= mirror & ((1 << row) - 1);
        }
    }
}

/// The tile with every bit inside the matrix set.
fn full_tile(size: usize, place: Place) -> Tile {
    let inside = |start: usize| (size - start * 64).min(64);
    let (rows, columns) = (inside(place.row), inside(place.column));
    std::array::from_fn(|row| if row < rows { u64::MAX >> (64 - columns) } else { 0 })
}

fn mark_of(tile: &Tile, full: &Tile) -> u8 {
    if tile == &[0; 64] {
        EMPTY
    } else if tile == full {
        FULL
    } else {
        MIXED
    }
}

fn read_tile(words: &mut impl Read) -> Result<Tile, Wrong> {
    let mut bytes = [0; 512];
    words.read_exact(&mut bytes).map_err(|_| "the words of a tile")?;
    let mut tile = [0; 64];
    for (word, bytes) in tile.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    Ok(tile)
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
    use proptest::prelude::*;

    fn matrix(size: usize, seed: u64, layout: Layout) -> BitMatrix {
        let mut matrix = BitMatrix::new(size, layout, false);
        let mut state = seed | 1;
        for _ in 0..12 {
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize
            };
            let (a, b, c, d) = (next() % size, next() % size, next() % size, next() % size);
            matrix.fill(a.min(b)..a.max(b) + 1, c.min(d)..c.max(d) + 1, next() % 3 > 0);
        }
        matrix.seal();
        matrix
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
    fn a_mutual_matrix_has_nothing_below_the_diagonal() {
        let mut matrix = BitMatrix::new(300, Layout::Raw, false);
        for (a, b) in [(0, 299), (7, 7), (63, 64), (130, 131), (12, 40)] {
            matrix.fill(a..a + 1, b..b + 1, true);
            matrix.fill(b..b + 1, a..a + 1, true);
        }
        let marks = split(&matrix).marks;
        assert!(marks[5 * 6 / 2..].iter().all(|&mark| mark == EMPTY), "{marks:?}");
    }

    proptest! {
        #[test]
        fn any_matrix_comes_back(size in 1_usize..400, seed in any::<u64>(), paged in any::<bool>()) {
            let layout = if paged { Layout::Paged } else { Layout::Raw };
            let matrix = matrix(size, seed, layout);
            let parts = split(&matrix);
            let mut back = join(size, layout, &parts.marks, &parts.words[..]).unwrap();
            back.seal();
            prop_assert_eq!(back, matrix);
        }

        #[test]
        fn other_bytes_give_an_error_or_the_matrix_that_they_spell(
            size in 1_usize..200, seed in any::<u64>(), at in any::<prop::sample::Index>(), value in 0_u8..5,
        ) {
            let mut parts = split(&matrix(size, seed, Layout::Raw));
            let index = at.index(parts.marks.len() + parts.words.len());
            match index.checked_sub(parts.marks.len()) {
                None => parts.marks[index] = value,
                Some(index) => parts.words[index] ^= 1 << value,
            }
            if let Ok(read) = join(size, Layout::Raw, &parts.marks, &parts.words[..]) {
                let again = split(&read);
                prop_assert_eq!(again.marks, parts.marks);
                prop_assert_eq!(again.words, parts.words);
            }
        }
    }
}
