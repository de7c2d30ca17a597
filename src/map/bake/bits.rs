//! A square matrix of bits that threads set and clear at the same time, and runs of bits moved from order to order.
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

/// Bits that lie together in two orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    from: usize,
    to: usize,
    length: usize,
}

/// How bits move from one order to another.
pub(super) struct Moves {
    runs: Vec<Run>,
    /// By place in the first order: the place in the second, or none.
    to: Vec<Option<u32>>,
}

impl Moves {
    /// Place `to` has the bit that was at `from(to)`, or none; of places in the first order there are `places`.
    pub(super) fn new(from: impl Iterator<Item = Option<u32>>, places: usize) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        let mut all = vec![None; places];
        for (to, from) in from.enumerate().filter_map(|(to, from)| Some((to, from? as usize))) {
            all[from] = Some(to as u32);
            match runs.last_mut() {
                Some(run) if run.to + run.length == to && run.from + run.length == from => run.length += 1,
                _ => runs.push(Run { from, to, length: 1 }),
            }
        }
        Self { runs, to: all }
    }

    /// The bits of `words` in the second order, as `count` words.
    pub(super) fn moved(&self, words: &[u64], count: usize) -> Vec<u64> {
        let mut out = vec![0; count];
        let set: u32 = words.iter().map(|word| word.count_ones()).sum();
        if (set as usize) < self.runs.len() {
            self.move_each(words, &mut out);
        } else {
            self.move_runs(words, &mut out);
        }
        out
    }

    /// Bit by bit, for few.
    fn move_each(&self, words: &[u64], out: &mut [u64]) {
        for (index, &word) in words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                if let Some(to) = self.to[index * 64 + rest.trailing_zeros() as usize] {
                    out[to as usize / 64] |= 1 << (to % 64);
                }
                rest &= rest - 1;
            }
        }
    }

    /// Run by run, for many.
    fn move_runs(&self, words: &[u64], out: &mut [u64]) {
        for run in &self.runs {
            let mut done = 0;
            while done < run.length {
                let (from, to) = (run.from + done, run.to + done);
                let take = (run.length - done).min(64 - from % 64).min(64 - to % 64);
                let bits = words[from / 64] >> (from % 64) & (u64::MAX >> (64 - take));
                out[to / 64] |= bits << (to % 64);
                done += take;
            }
        }
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
            (0..150).map(|i| (i % 40 != 7).then_some(if i < 70 { 130 - i } else { i - 69 })).collect();
        let moves = Moves::new(order.iter().copied(), 192);
        let bit = |words: &[u64], at: usize| words[at / 64] >> (at % 64) & 1;
        // Few bits and many.
        for words in [[1 << 40, 0, 1 << 5], [0x9e37_79b9_7f4a_7c15_u64, !0, 0x94d0_49bb_1331_11eb]] {
            let moved = moves.moved(&words, 3);
            for (to, from) in order.iter().enumerate() {
                assert_eq!(bit(&moved, to), from.map_or(0, |from| bit(&words, from as usize)), "{to}");
            }
        }
    }
}
