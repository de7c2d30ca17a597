//! The bits of a strip of rows, tile by tile.
//!
//! Owns how tiles lie in memory: those that are all 0 or all 1 take none. Promises: looking up a word takes no
//! search. Must not know what the bits mean.

use crate::map::pvs::bits::Tile;
use std::ops::Range;

/// Some rows of tiles, each from the diagonal on.
#[derive(Clone)]
pub(super) struct Span {
    /// The rows of tiles.
    pub(super) tiles: Range<usize>,
    /// Cells of the whole map.
    pub(super) size: usize,
}

impl Span {
    /// Tiles of a row of the whole map.
    pub(super) fn across(&self) -> usize {
        self.size.div_ceil(64)
    }

    /// The place of a tile of the strip, at or behind the diagonal.
    #[inline]
    fn place(&self, row: usize, column: usize) -> usize {
        let down = row - self.tiles.start;
        down * (2 * (self.across() - self.tiles.start) + 1 - down) / 2 + column - row
    }

    /// The rows of a row of tiles.
    pub(super) fn rows(&self, tile: usize) -> Range<usize> {
        tile * 64..((tile + 1) * 64).min(self.size)
    }

    /// The bits of a row's word that stand for later cells.
    pub(super) fn later(&self, row: usize, tile: usize) -> u64 {
        let first = tile * 64;
        let from = (row + 1).saturating_sub(first);
        let to = self.size.saturating_sub(first).min(64);
        if from < to { (u64::MAX >> (64 - (to - from))) << from } else { 0 }
    }
}

/// What a tile is without looking at its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Evenness {
    /// No bit is set.
    None,
    /// Every bit that can be is set.
    All,
    /// Some.
    Mixed,
}

/// One bit per pair of cells of a strip.
pub(super) struct Plane {
    span: Span,
    /// By place: 0 for no bit, 1 for all bits, or which of `tiles`.
    index: Vec<u32>,
    tiles: Vec<Tile>,
}

impl Plane {
    /// No bit is set.
    pub(super) fn new(span: &Span) -> Self {
        let tiles = span.tiles.clone().map(|row| span.across() - row).sum();
        Self { span: span.clone(), index: vec![0; tiles], tiles: vec![[0; 64], [u64::MAX; 64]] }
    }

    /// The words of a tile.
    #[inline]
    pub(super) fn tile(&self, row: usize, column: usize) -> &Tile {
        &self.tiles[self.index[self.span.place(row, column)] as usize]
    }

    /// Where the words of a tile are kept, if it has a bit.
    #[inline]
    pub(super) fn number(&self, row: usize, column: usize) -> Option<u32> {
        Some(self.index[self.span.place(row, column)]).filter(|&number| number != 0)
    }

    /// The words kept under a number.
    #[inline]
    pub(super) fn numbered(&self, number: u32) -> &Tile {
        &self.tiles[number as usize]
    }

    /// A row's word.
    #[inline]
    pub(super) fn word(&self, row: usize, column: usize) -> u64 {
        self.tile(row / 64, column)[row % 64]
    }

    /// What a tile was set to.
    pub(super) fn evenness(&self, row: usize, column: usize) -> Evenness {
        match self.index[self.span.place(row, column)] {
            0 => Evenness::None,
            1 => Evenness::All,
            _ => Evenness::Mixed,
        }
    }

    /// Sets a tile to all bits, also those past the last cell and before the diagonal.
    pub(super) fn fill(&mut self, row: usize, column: usize) {
        self.index[self.span.place(row, column)] = 1;
    }

    /// Sets a tile's words, once.
    pub(super) fn set(&mut self, row: usize, column: usize, tile: &Tile) {
        self.index[self.span.place(row, column)] = self.tiles.len() as u32;
        self.tiles.push(*tile);
    }
}
