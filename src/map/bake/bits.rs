//! A square matrix of bits that threads set and clear at the same time, and bits moved from order to order.
//!
//! Owns the words. Promises: what is told about different places never disturbs each other, in whatever order it comes.
//! Must not know what a bit means.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A square matrix of bits.
pub(super) struct Bits {
    words_per_row: usize,
    words: Vec<AtomicU64>,
}

impl Bits {
    /// No bit set.
    pub(super) fn new(size: usize) -> Self {
        let words_per_row = size.div_ceil(64);
        let words = (0..words_per_row * size).map(|_| AtomicU64::new(0)).collect();
        Self { words_per_row, words }
    }

    /// Gives one bit its value.
    pub(super) fn put(&self, row: u32, column: u32, value: bool) {
        self.put_all(row..row + 1, column..column + 1, value);
    }

    /// Gives all bits of a block one value.
    pub(super) fn put_all(&self, rows: Range<u32>, columns: Range<u32>, value: bool) {
        for (word, mask) in self.block(rows, columns) {
            if value {
                word.fetch_or(mask, Ordering::Relaxed);
            } else if word.load(Ordering::Relaxed) & mask != 0 {
                word.fetch_and(!mask, Ordering::Relaxed);
            }
        }
    }

    /// Whether some bit of a block is set.
    pub(super) fn any(&self, rows: Range<u32>, columns: Range<u32>) -> bool {
        self.block(rows, columns).any(|(word, mask)| word.load(Ordering::Relaxed) & mask != 0)
    }

    /// The words of a row.
    pub(super) fn row(&self, row: usize) -> Vec<u64> {
        let start = row * self.words_per_row;
        self.words[start..start + self.words_per_row].iter().map(|w| w.load(Ordering::Relaxed)).collect()
    }

    /// Sets a row.
    pub(super) fn set_row(&self, row: usize, words: &[u64]) {
        let start = row * self.words_per_row;
        for (word, &value) in self.words[start..start + self.words_per_row].iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// The words that hold a block, each with the bits of the block in it.
    fn block(&self, rows: Range<u32>, columns: Range<u32>) -> impl Iterator<Item = (&AtomicU64, u64)> {
        let (from, to) = (columns.start as usize, columns.end as usize);
        rows.flat_map(move |row| {
            let start = row as usize * self.words_per_row;
            (from / 64..to.div_ceil(64)).map(move |index| {
                let low = from.saturating_sub(index * 64);
                let high = (to - index * 64).min(64);
                (&self.words[start + index], (u64::MAX >> (64 - (high - low))) << low)
            })
        })
    }
}

/// Bits of one word that lie together in one word of another order too.
#[derive(Clone, Copy, Debug)]
struct Part {
    mask: u64,
    /// The word they move to, and by how much they turn to the left on the way.
    to: u32,
    turn: u32,
}

/// How bits move from one order to another.
pub(super) struct Moves {
    parts: Vec<Part>,
    /// By word of the first order: where its parts begin; and where the last one's end.
    starts: Vec<u32>,
}

impl Moves {
    /// Place `to` has the bit that was at `from(to)`, or none; of places in the first order there are `places`.
    pub(super) fn new(from: impl Iterator<Item = Option<u32>>, places: usize) -> Self {
        let mut all = vec![None; places];
        for (to, from) in from.enumerate().filter_map(|(to, from)| Some((to, from? as usize))) {
            all[from] = Some(to as u32);
        }
        let (mut parts, mut starts) = (Vec::new(), vec![0]);
        for word in all.chunks(64) {
            let first = parts.len();
            for (bit, to) in word.iter().enumerate().filter_map(|(bit, to)| Some((bit as u32, (*to)?))) {
                let (to, turn, mask) = (to / 64, (to % 64 + 64 - bit) % 64, 1 << bit);
                match parts[first..].last_mut() {
                    Some(Part { mask: held, to: word, turn: by }) if (*word, *by) == (to, turn) => {
                        *held |= mask
                    }
                    _ => parts.push(Part { mask, to, turn }),
                }
            }
            starts.push(parts.len() as u32);
        }
        Self { parts, starts }
    }

    /// The bits of `words` in the second order, as `count` words.
    pub(super) fn moved(&self, words: impl IntoIterator<Item = u64>, count: usize) -> Vec<u64> {
        let mut out = vec![0; count];
        for (word, ends) in words.into_iter().zip(self.starts.windows(2)) {
            if word != 0 {
                for part in &self.parts[ends[0] as usize..ends[1] as usize] {
                    out[part.to as usize] |= (word & part.mask).rotate_left(part.turn);
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_over_the_edges_of_words_is_put_and_found_as_one() {
        let bits = Bits::new(200);
        bits.put_all(3..5, 60..140, true);
        bits.put(4, 100, false);
        let is_set = |row: u32, column: u32| bits.any(row..row + 1, column..column + 1);
        for (row, column) in (0..200).flat_map(|row| (0..200).map(move |column| (row, column))) {
            let expected = (3..5).contains(&row) && (60..140).contains(&column) && (row, column) != (4, 100);
            assert_eq!(is_set(row, column), expected, "{row} {column}");
        }
        assert!(!bits.any(0..3, 0..200) && !bits.any(3..5, 0..60) && bits.any(0..200, 139..200));
        bits.put_all(0..200, 0..200, false);
        assert!(!bits.any(0..200, 0..200));
    }

    #[test]
    fn bits_move_with_their_places() {
        let order: Vec<Option<u32>> =
            (0..150).map(|i| (i % 40 != 7).then_some(if i < 70 { 149 - i } else { i - 70 })).collect();
        let moves = Moves::new(order.iter().copied(), 192);
        let bit = |words: &[u64], at: usize| words[at / 64] >> (at % 64) & 1;
        // Few bits and many; no two places have the bit of the same one.
        for words in [[1 << 40, 0, 1 << 5], [0x9e37_79b9_7f4a_7c15_u64, !0, 0x94d0_49bb_1331_11eb]] {
            let moved = moves.moved(words, 3);
            for (to, from) in order.iter().enumerate() {
                assert_eq!(bit(&moved, to), from.map_or(0, |from| bit(&words, from as usize)), "{to}");
            }
        }
    }
}
