//! A strip of rows as a stream of bits: what is expected of each from cells nearby, and how it is spelt.
//!
//! Owns the order of bits and their contexts; one description writes and reads. Promises: a strip needs no other
//! strip, and no context holds a bit that is read later. Must not know tiles or the file.

use super::range::{Chance, Coder};
use std::ops::Range;

/// Whether a row's cell may see a later cell.
pub(super) const AHEAD: usize = 0;
/// Whether the later cell may see the row's cell.
pub(super) const BACK: usize = 1;
/// Which of [`AHEAD`] is unresolved.
pub(super) const OPEN_AHEAD: usize = 2;
/// Which of [`BACK`] is unresolved.
pub(super) const OPEN_BACK: usize = 3;
const PLANES: usize = 4;

/// Four planes of bits: rows are some cells, columns these and all later ones.
pub(super) struct Strip {
    /// The cells of the rows; the first is a multiple of 64.
    pub(super) rows: Range<usize>,
    size: usize,
    width: usize,
    planes: [Vec<u64>; PLANES],
}

impl Strip {
    /// A strip of a matrix of `size` rows, all bits 0.
    pub(super) fn new(rows: Range<usize>, size: usize) -> Self {
        let width = size.div_ceil(64) - rows.start / 64;
        let planes = std::array::from_fn(|_| vec![0; rows.len() * width]);
        Self { rows, size, width, planes }
    }

    /// A plane's row, from the word of the strip's first row on.
    pub(super) fn row(&self, plane: usize, row: usize) -> &[u64] {
        &self.planes[plane][(row - self.rows.start) * self.width..][..self.width]
    }

    /// As [`Strip::row`]; only bits of later cells may be set, and of the open planes only what is revealed.
    pub(super) fn row_mut(&mut self, plane: usize, row: usize) -> &mut [u64] {
        &mut self.planes[plane][(row - self.rows.start) * self.width..][..self.width]
    }

    /// The bits of a row's word that stand for later cells.
    pub(super) fn later(&self, row: usize, word: usize) -> u64 {
        let first = self.rows.start + word * 64;
        let from = (row + 1).saturating_sub(first);
        let to = self.size.saturating_sub(first).min(64);
        if from < to { (u64::MAX >> (64 - (to - from))) << from } else { 0 }
    }

    /// Writes all bits to the coder, or sets them to what it reads; `near` are two earlier cells beside each cell.
    pub(super) fn code(&mut self, near: &[[u32; 2]], coder: &mut impl Coder) {
        let (start, width) = (self.rows.start, self.width);
        // A column before the strip's first wraps to one past any row's end, where no bit is.
        let near: Vec<[u32; 2]> =
            near[start..].iter().map(|beside| beside.map(|cell| cell.wrapping_sub(start as u32))).collect();
        let mut models = [(); PLANES].map(|()| Model::new());
        for row in 0..self.rows.len() {
            let mut own: [Vec<u64>; PLANES] =
                std::array::from_fn(|plane| self.planes[plane][row * width..][..width].to_vec());
            // A cell sees itself; that is not written, but cells beside it are told.
            own[AHEAD][row / 64] |= 1 << (row % 64);
            own[BACK][row / 64] |= 1 << (row % 64);
            // The row before stands in for cells before the strip; the first row has none above it.
            let beside = near[row].map(|cell| (cell as usize).min(row.saturating_sub(1)));
            let above = std::array::from_fn(|plane| {
                beside
                    .map(|cell| if row == 0 { &[][..] } else { &self.planes[plane][cell * width..][..width] })
            });
            models.iter_mut().for_each(|model| model.differed = false);
            let mut walk = Walk { near: &near, above, own: &mut own };
            for word in row / 64..width {
                let later = self.later(start + row, word);
                for (plane, model) in models.iter_mut().enumerate() {
                    walk.code_word(plane, model, coder, word, later);
                }
            }
            for (plane, own) in self.planes.iter_mut().zip(&own) {
                plane[row * width..][..width].copy_from_slice(own);
            }
        }
    }
}

/// What is known of a word before it is read.
#[derive(Clone, Copy)]
struct Guess {
    /// Bits that can be set at all.
    inside: u64,
    /// The likely bits.
    expected: u64,
    /// Where what is nearby disagrees.
    doubt: u64,
    /// Bits of the row that this one follows.
    shape: u64,
}

/// One row on its way, and the rows of the two cells beside its cell.
struct Walk<'a> {
    near: &'a [[u32; 2]],
    above: [[&'a [u64]; 2]; PLANES],
    own: &'a mut [Vec<u64>; PLANES],
}

impl Walk<'_> {
    fn guess(&self, plane: usize, word: usize, later: u64) -> Guess {
        let above = |plane: usize| self.above[plane].map(|row| row.get(word).copied().unwrap_or(0));
        let [p, q] = above(plane);
        match plane {
            AHEAD => {
                let expected = p & later;
                Guess { inside: later, expected, doubt: (p ^ q) & later, shape: expected }
            }
            BACK => {
                let twin = self.own[AHEAD][word] & later;
                let [ahead_p, ahead_q] = above(AHEAD);
                let doubt = ((p ^ ahead_p) | (q ^ ahead_q)) & later;
                Guess { inside: later, expected: twin, doubt, shape: twin }
            }
            _ => {
                let inside = self.own[plane - OPEN_AHEAD][word] & later;
                let twin = if plane == OPEN_BACK { self.own[OPEN_AHEAD][word] } else { 0 };
                Guess { inside, expected: 0, doubt: (p | q | twin) & inside, shape: twin & inside }
            }
        }
    }

    fn code_word(
        &mut self,
        plane: usize,
        model: &mut Model,
        coder: &mut impl Coder,
        word: usize,
        later: u64,
    ) {
        let guess = self.guess(plane, word, later);
        if plane >= OPEN_AHEAD {
            // An open bit where nothing is revealed can't be written, so no context may see it either.
            self.own[plane][word] &= guess.inside;
        }
        if guess.inside == 0 {
            return;
        }
        let target = self.own[plane][word] & guess.inside;
        let context = (kind(guess.shape, guess.inside) * 2 + usize::from(model.differed)) * 8
            + few(guess.doubt.count_ones());
        model.differed = coder.bit(&mut model.words[context], target != guess.expected);
        if !model.differed {
            self.own[plane][word] |= guess.expected;
            return;
        }
        let mut differed = false;
        for shift in (0..64).step_by(8) {
            let byte = 0xFF << shift;
            let (inside, expected) = (guess.inside & byte, guess.expected & byte);
            if inside == 0 {
                continue;
            }
            let doubt = (guess.doubt & byte).count_ones();
            if doubt == 0 || plane >= OPEN_AHEAD {
                let context = (kind(guess.shape & byte, inside) * 2 + usize::from(differed)) * 8 + few(doubt);
                differed = coder.bit(&mut model.bytes[context], target & byte != expected);
                if !differed {
                    self.own[plane][word] |= expected;
                    continue;
                }
            }
            self.code_bits(plane, model, coder, word, inside);
        }
    }

    fn code_bits(
        &mut self,
        plane: usize,
        model: &mut Model,
        coder: &mut impl Coder,
        word: usize,
        mut inside: u64,
    ) {
        let target = self.own[plane][word];
        while inside != 0 {
            let at = inside.trailing_zeros();
            let column = word as u32 * 64 + at;
            let context = self.context(plane, column);
            let bit = coder.bit(&mut model.bits[context], target >> at & 1 == 1);
            self.own[plane][word] |= u64::from(bit) << at;
            inside &= inside - 1;
        }
    }

    /// Eight bits that are known and lie beside this one.
    #[inline]
    fn context(&self, plane: usize, column: u32) -> usize {
        // Cells beside a column come before it, so that the row's own bits there are known already.
        let [a, b] = self.near[column as usize];
        let [p, q] = self.above[plane];
        let own = &self.own[plane];
        let rest = match plane {
            AHEAD => bit(p, a) | bit(q, b) << 1 | bit(p, b) << 2 | bit(q, a) << 3,
            BACK => {
                let ([p, q], own) = (self.above[AHEAD], &self.own[AHEAD]);
                bit(own, column) | bit(p, column) << 1 | bit(own, a) << 2 | bit(q, column) << 3
            }
            OPEN_BACK => bit(&self.own[OPEN_AHEAD], column) | bit(&self.own[OPEN_AHEAD], a) << 1,
            _ => 0,
        };
        bit(p, column) << 4 | bit(q, column) << 5 | bit(own, a) << 6 | bit(own, b) << 7 | rest
    }
}

/// The bit of a column; 0 past the row's end.
#[inline]
fn bit(row: &[u64], column: u32) -> usize {
    row.get(column as usize / 64).map_or(0, |word| (word >> (column % 64)) as usize & 1)
}

/// The chances of one plane.
struct Model {
    /// By kind of shape, whether the word before differed, and doubts.
    words: [Chance; 48],
    /// Likewise of bytes.
    bytes: [Chance; 48],
    bits: [Chance; 256],
    /// Whether the word before was not as expected.
    differed: bool,
}

impl Model {
    fn new() -> Self {
        Self {
            words: [Chance::EVEN; 48],
            bytes: [Chance::EVEN; 48],
            bits: [Chance::EVEN; 256],
            differed: false,
        }
    }
}

/// No bit, every bit, or a mixture.
fn kind(bits: u64, inside: u64) -> usize {
    if bits == 0 {
        0
    } else if bits == inside {
        1
    } else {
        2
    }
}

/// Eight steps of a count up to 64.
fn few(count: u32) -> usize {
    match count {
        0..=3 => count as usize,
        4..=6 => 4,
        7..=12 => 5,
        13..=24 => 6,
        _ => 7,
    }
}
