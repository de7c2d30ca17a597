//! A square matrix of bits that threads set at the same time.
//!
//! Owns the words. Promises: what was set is there once all threads are done, in whatever order they came.
//! Must not know what a bit means.

use std::sync::atomic::{AtomicU64, Ordering};

/// A square matrix of bits that threads set at the same time.
pub(super) struct Bits {
    words_per_row: usize,
    words: Vec<AtomicU64>,
}

impl Bits {
    /// No bit set.
    pub(super) fn new(cells: usize) -> Self {
        let words_per_row = cells.div_ceil(64);
        let words = (0..words_per_row * cells).map(|_| AtomicU64::new(0)).collect();
        Self { words_per_row, words }
    }

    /// Sets one.
    pub(super) fn set(&self, row: u32, column: u32) {
        let word = row as usize * self.words_per_row + column as usize / 64;
        self.words[word].fetch_or(1 << (column % 64), Ordering::Relaxed);
    }

    /// The words of a row.
    pub(super) fn row(&self, row: usize) -> Vec<u64> {
        let start = row * self.words_per_row;
        self.words[start..start + self.words_per_row].iter().map(|w| w.load(Ordering::Relaxed)).collect()
    }
}
