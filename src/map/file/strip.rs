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
/// Words that are looked at together first.
const GROUP: usize = 4;

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
        let mut model = Model::new();
        let none = vec![0; width];
        for row in 0..self.rows.len() {
            let mut own: [Vec<u64>; PLANES] =
                std::array::from_fn(|plane| self.planes[plane][row * width..][..width].to_vec());
            // A cell sees itself; that is not written, but cells beside it are told.
            own[AHEAD][row / 64] |= 1 << (row % 64);
            own[BACK][row / 64] |= 1 << (row % 64);
            // The row before stands in for cells before the strip; the first row has none above it.
            let beside = near[row].map(|cell| (cell as usize).min(row.saturating_sub(1)));
            let above = std::array::from_fn(|plane| {
                beside.map(
                    |cell| if row == 0 { &none[..] } else { &self.planes[plane][cell * width..][..width] },
                )
            });
            model.differed = [0; PLANES + 2];
            let mut walk = Walk { near: &near, above, own: &mut own };
            for group in row / 64 / GROUP..width.div_ceil(GROUP) {
                let words = (group * GROUP).max(row / 64)..((group + 1) * GROUP).min(width);
                let inner = group * GROUP > row / 64 && (group + 1) * GROUP < width;
                let later = if inner {
                    [u64::MAX; GROUP]
                } else {
                    std::array::from_fn(|index| self.later(start + row, group * GROUP + index))
                };
                walk.code_group(&mut model, coder, words, &later);
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
    /// Where they are less likely.
    doubt: u64,
}

/// One row on its way, and the rows of the two cells beside its cell.
struct Walk<'a> {
    near: &'a [[u32; 2]],
    above: [[&'a [u64]; 2]; PLANES],
    own: &'a mut [Vec<u64>; PLANES],
}

impl Walk<'_> {
    /// Some words of all planes; `later` from a multiple of [`GROUP`] on.
    fn code_group(
        &mut self,
        model: &mut Model,
        coder: &mut impl Coder,
        words: Range<usize>,
        later: &[u64; GROUP],
    ) {
        let (mut differs, mut doubt) = (false, 0);
        for word in words.clone() {
            let later = later[word % GROUP];
            let ahead = self.guess(AHEAD, word, later);
            let [p, q] = self.above[BACK];
            doubt |= ahead.doubt | (p[word] ^ q[word]) & later;
            differs |= (self.own[AHEAD][word] ^ ahead.expected | self.own[BACK][word] ^ p[word]) & later != 0;
        }
        let context = &mut model.groups[model.differed[PLANES] << 3 | few(doubt.count_ones())];
        let differs = coder.bit(context, differs);
        model.note(PLANES, differs);
        for word in words.clone() {
            let later = later[word % GROUP];
            for plane in [AHEAD, BACK] {
                if differs {
                    self.code_word(plane, model, coder, word, later);
                } else {
                    self.own[plane][word] |= self.above[plane][0][word] & later;
                }
            }
        }
        self.code_open(model, coder, words, later);
    }

    fn code_open(
        &mut self,
        model: &mut Model,
        coder: &mut impl Coder,
        words: Range<usize>,
        later: &[u64; GROUP],
    ) {
        let (mut revealed, mut near, mut open) = (0, 0, 0);
        for word in words.clone() {
            for (shown, plane) in [(AHEAD, OPEN_AHEAD), (BACK, OPEN_BACK)] {
                let inside = self.own[shown][word] & later[word % GROUP];
                // An open bit where nothing is revealed can't be written, so no context may see it either.
                self.own[plane][word] &= inside;
                revealed |= inside;
                near |= (self.above[plane][0][word] | self.above[plane][1][word]) & inside;
                open |= self.own[plane][word];
            }
        }
        if revealed == 0 {
            return;
        }
        let context = &mut model.open_groups[model.differed[PLANES + 1] << 3 | few(near.count_ones())];
        let open = coder.bit(context, open != 0);
        model.note(PLANES + 1, open);
        if open {
            for word in words {
                for plane in [OPEN_AHEAD, OPEN_BACK] {
                    self.code_word(plane, model, coder, word, later[word % GROUP]);
                }
            }
        }
    }

    fn guess(&self, plane: usize, word: usize, later: u64) -> Guess {
        let [p, q] = self.above[plane].map(|row| row[word]);
        match plane {
            AHEAD => Guess { inside: later, expected: p & later, doubt: (p ^ q | edges(p)) & later },
            BACK => {
                let (twin, [above, _]) = (self.own[AHEAD][word], self.above[AHEAD]);
                let changed = twin ^ above[word];
                let expected = (p & !changed | twin & changed) & later;
                Guess { inside: later, expected, doubt: (p ^ q | spread(changed) | p ^ twin) & later }
            }
            _ => {
                let inside = self.own[plane - OPEN_AHEAD][word] & later;
                let twin = if plane == OPEN_BACK { self.own[OPEN_AHEAD][word] } else { 0 };
                Guess { inside, expected: 0, doubt: (p | q | twin) & inside }
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
        let Guess { inside, expected, doubt } = self.guess(plane, word, later);
        if inside == 0 {
            return;
        }
        let target = self.own[plane][word] & inside;
        let chances = &mut model.planes[plane];
        let doubts = few(doubt.count_ones());
        let kind = kind(expected, inside);
        let word_chance = &mut chances.words[(kind * 4 + model.differed[plane]) << 3 | doubts];
        let differs = coder.bit(word_chance, target != expected);
        model.note(plane, differs);
        let chances = &mut model.planes[plane];
        self.own[plane][word] &= !inside;
        if !differs {
            self.own[plane][word] |= expected;
            return;
        }
        let mut open = doubt;
        let sure = inside & !doubt;
        if sure != 0 && coder.bit(&mut chances.sure[kind << 3 | doubts], (target ^ expected) & sure != 0) {
            let mut differed = 0;
            for shift in (0..64).step_by(8).filter(|shift| sure >> shift & 0xFF != 0) {
                let byte = sure & 0xFF << shift;
                let context = differed << 3 | few((doubt >> shift & 0xFF).count_ones());
                let differs = coder.bit(&mut chances.bytes[context], (target ^ expected) & byte != 0);
                differed = usize::from(differs);
                open |= if differs { byte } else { 0 };
            }
        }
        self.own[plane][word] |= expected & !open;
        self.code_bits(plane, &mut chances.bits, coder, word, open, target);
    }

    fn code_bits(
        &mut self,
        plane: usize,
        chances: &mut [Chance],
        coder: &mut impl Coder,
        word: usize,
        mut open: u64,
        target: u64,
    ) {
        let [p, q] = self.above[plane].map(|row| row[word]);
        let shape = if plane == AHEAD { p } else { self.own[plane & 2][word] };
        let side = if plane == BACK { self.above[AHEAD].map(|row| row[word]) } else { [q, q] };
        while open != 0 {
            let at = open.trailing_zeros();
            let context = self.context(plane, word as u32 * 64 + at)
                | one(p, at) << 4
                | one(q, at) << 5
                | one(shape.rotate_right(1), at) << 8
                | one(shape.rotate_right(2), at) << 9
                | if plane == AHEAD { one(q.rotate_right(1), at) } else { one(side[1], at) } << 10;
            let bit = coder.bit(&mut chances[context], target >> at & 1 == 1);
            self.own[plane][word] |= u64::from(bit) << at;
            open &= open - 1;
        }
    }

    /// Bits that are known and lie beside this one.
    #[inline]
    fn context(&self, plane: usize, column: u32) -> usize {
        // Cells beside a column come before it, so that the row's own bits there are known already.
        let [a, b] = self.near[column as usize];
        let own = &self.own[plane];
        let rest = match plane {
            AHEAD => {
                let [p, q] = self.above[plane];
                bit(p, a) | bit(q, b) << 1 | bit(p, b) << 2 | bit(q, a) << 3
            }
            BACK => {
                let ([p, _], own) = (self.above[AHEAD], &self.own[AHEAD]);
                bit(own, column) | bit(p, column) << 1 | bit(own, a) << 2 | bit(own, b) << 3
            }
            OPEN_BACK => bit(&self.own[OPEN_AHEAD], column) | bit(&self.own[OPEN_AHEAD], a) << 1,
            _ => 0,
        };
        bit(own, a) << 6 | bit(own, b) << 7 | rest
    }
}

/// Bits that differ from one of the two before or behind.
fn edges(bits: u64) -> u64 {
    (bits ^ bits.rotate_left(1))
        | (bits ^ bits.rotate_right(1))
        | (bits ^ bits.rotate_left(2))
        | (bits ^ bits.rotate_right(2))
}

/// Bits and the two before and behind them.
fn spread(bits: u64) -> u64 {
    bits | bits.rotate_left(1) | bits.rotate_right(1) | bits.rotate_left(2) | bits.rotate_right(2)
}

fn one(bits: u64, at: u32) -> usize {
    (bits >> at) as usize & 1
}

/// The bit of a column; 0 past the row's end.
#[inline]
fn bit(row: &[u64], column: u32) -> usize {
    row.get(column as usize / 64).map_or(0, |word| (word >> (column % 64)) as usize & 1)
}

/// The chances of a strip.
struct Model {
    planes: Vec<Plane>,
    groups: [Chance; 32],
    open_groups: [Chance; 32],
    /// Whether the last two words were not as expected, by plane, then of groups and of open groups.
    differed: [usize; PLANES + 2],
}

/// The chances of one plane.
struct Plane {
    /// By what is expected, what the last words were, and doubts.
    words: [Chance; 96],
    /// By what is expected and doubts.
    sure: [Chance; 24],
    bytes: [Chance; 16],
    bits: Vec<Chance>,
}

impl Model {
    fn new() -> Self {
        let plane = || Plane {
            words: [Chance::EVEN; 96],
            sure: [Chance::EVEN; 24],
            bytes: [Chance::EVEN; 16],
            bits: vec![Chance::EVEN; 2_048],
        };
        Self {
            planes: (0..PLANES).map(|_| plane()).collect(),
            groups: [Chance::EVEN; 32],
            open_groups: [Chance::EVEN; 32],
            differed: [0; PLANES + 2],
        }
    }

    fn note(&mut self, which: usize, differed: bool) {
        self.differed[which] = (self.differed[which] << 1 | usize::from(differed)) & 3;
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
