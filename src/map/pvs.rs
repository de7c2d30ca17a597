//! The potentially visible set: for each directed pair of cells what the bake certified.
//!
//! Owns the classes of pairs and their look-up. Promises: O(1) and allocation-free look-up, a cell sees
//! itself, and a pair that nobody classified is unresolved, thus revealed (a forgotten pair can't pop in).
//! Must not know geometry, nor how the bake found out.

pub(in crate::map) mod bits;

pub use bits::Row;

use bits::{BitMatrix, Layout};
use std::ops::Range;

/// A visibility cell of a map: its place in the map's order of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

/// The most cells a map may have: 512 MiB of raw rows.
pub const MAX_CELLS: usize = 65_536;

/// Up to this many cells (32 MiB of rows) the revealed rows are raw; beyond, equal pages of 1,024 bits are
/// kept once, so that open and closed stretches of a row cost 4 bytes each.
const RAW_CELLS: usize = 16_384;

/// What the bake certified of a directed pair of cells: from eyes in the one to bodies in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairClass {
    /// No segment from an eye in the first to a body point of the second is free.
    Hidden,
    /// Some such segment is free; there is a witness.
    Visible,
    /// Neither was shown in the work allowed; counts as visible (errs towards a leak, is reported).
    Unresolved,
}

/// The class of every directed pair of cells of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pvs {
    cells: usize,
    revealed: BitMatrix,
    unresolved: BitMatrix,
    counts: PairCounts,
}

/// Numbers of directed pairs of different cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// Pairs certified hidden.
    pub hidden: u64,
    /// Pairs certified visible.
    pub visible: u64,
    /// Pairs of neither kind.
    pub unresolved: u64,
}

impl PairCounts {
    /// All directed pairs of different cells.
    pub fn pairs(&self) -> u64 {
        self.hidden + self.visible + self.unresolved
    }

    /// Visible and unresolved pairs.
    pub fn revealed(&self) -> u64 {
        self.visible + self.unresolved
    }

    /// Unresolved pairs as a part of the revealed ones, 0 to 1.
    pub fn unresolved_of_revealed(&self) -> f64 {
        self.unresolved as f64 / self.revealed().max(1) as f64
    }
}

impl Pvs {
    /// How the revealed rows of so many cells lie in memory; the unresolved ones are always paged.
    pub(in crate::map) fn layout(cells: usize) -> Layout {
        if cells <= RAW_CELLS { Layout::Raw } else { Layout::Paged }
    }

    /// The set of these bits, `shown` of them revealed.
    ///
    /// Unresolved pairs must be revealed ones, a cell must see itself for certain, and both must be sealed.
    pub(in crate::map) fn from_bits(revealed: BitMatrix, unresolved: BitMatrix, shown: u64) -> Self {
        debug_assert!(revealed.contains(&unresolved) && shown == revealed.count());
        debug_assert!(
            (0..revealed.size()).all(|cell| revealed.get(cell, cell) && !unresolved.get(cell, cell))
        );
        Self::new(revealed, unresolved, shown)
    }

    /// The bits of the revealed pairs and, among them, of the unresolved ones.
    pub(in crate::map) fn bits(&self) -> (&BitMatrix, &BitMatrix) {
        (&self.revealed, &self.unresolved)
    }

    fn new(revealed: BitMatrix, unresolved: BitMatrix, shown: u64) -> Self {
        let (cells, open) = (revealed.size() as u64, unresolved.count());
        let counts =
            PairCounts { hidden: cells * cells - shown, visible: shown - open - cells, unresolved: open };
        Self { cells: revealed.size(), revealed, unresolved, counts }
    }

    /// How many cells it is about.
    pub fn len(&self) -> usize {
        self.cells
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.cells == 0
    }

    /// Whether an eye in `a` may see a body in `b`: visible or unresolved; panics for a cell of another map.
    pub fn may_see(&self, a: CellId, b: CellId) -> bool {
        self.revealed.get(a.0 as usize, b.0 as usize)
    }

    /// The class of the pair; a cell sees itself; panics for a cell of another map.
    pub fn class(&self, a: CellId, b: CellId) -> PairClass {
        let (row, column) = (a.0 as usize, b.0 as usize);
        match (self.revealed.get(row, column), self.unresolved.get(row, column)) {
            (false, _) => PairClass::Hidden,
            (true, false) => PairClass::Visible,
            (true, true) => PairClass::Unresolved,
        }
    }

    /// The cells whose bodies an eye in `a` may see; panics for a cell of another map.
    pub fn row(&self, a: CellId) -> Row<'_> {
        self.revealed.row(a.0 as usize)
    }

    /// The part of [`Pvs::row`] that is unresolved; panics for a cell of another map.
    pub fn unresolved_row(&self, a: CellId) -> Row<'_> {
        self.unresolved.row(a.0 as usize)
    }

    /// Numbers of pairs by class, without those of a cell with itself.
    pub fn counts(&self) -> PairCounts {
        self.counts
    }

    /// Bytes of memory that the rows take.
    pub fn memory_bytes(&self) -> usize {
        self.revealed.memory_bytes() + self.unresolved.memory_bytes()
    }
}

/// Collects classes of pairs; what is never set is unresolved.
#[derive(Clone, Debug)]
pub struct PvsBuilder {
    cells: usize,
    revealed: BitMatrix,
    unresolved: BitMatrix,
}

impl PvsBuilder {
    /// A set of `cells` cells with every pair unresolved; panics above [`MAX_CELLS`].
    pub fn new(cells: usize) -> Self {
        assert!(cells <= MAX_CELLS, "more cells than a map may have");
        Self {
            cells,
            revealed: BitMatrix::new(cells, Pvs::layout(cells), true),
            unresolved: BitMatrix::new(cells, Layout::Paged, true),
        }
    }

    /// Sets the class of one pair; panics for a cell of another map.
    pub fn set(&mut self, a: CellId, b: CellId, class: PairClass) {
        self.fill_block(a.0..a.0 + 1, b.0..b.0 + 1, class);
    }

    /// Sets the class of all pairs from `rows` to `columns`; panics for cells of another map.
    pub fn fill_block(&mut self, rows: Range<u32>, columns: Range<u32>, class: PairClass) {
        let rows = rows.start as usize..rows.end as usize;
        let columns = columns.start as usize..columns.end as usize;
        self.revealed.fill(rows.clone(), columns.clone(), class != PairClass::Hidden);
        self.unresolved.fill(rows, columns, class == PairClass::Unresolved);
    }

    /// Sets a whole row from its revealed and its unresolved bits.
    ///
    /// Panics for a row of another width, an unresolved bit that is not revealed, or a bit past the last cell.
    pub fn set_row(&mut self, a: CellId, revealed: &[u64], unresolved: &[u64]) {
        let stray = unresolved.iter().zip(revealed).any(|(u, r)| u & !r != 0);
        let spare_bits = (revealed.len() * 64).saturating_sub(self.cells) as u32;
        let past = spare_bits > 0 && revealed.last().is_some_and(|word| word.leading_zeros() < spare_bits);
        assert!(!stray && !past, "row with stray bits");
        self.revealed.set_row(a.0 as usize, revealed);
        self.unresolved.set_row(a.0 as usize, unresolved);
    }

    /// The finished set; a cell sees itself whatever was set.
    pub fn finish(mut self) -> Pvs {
        for cell in 0..self.cells as u32 {
            self.set(CellId(cell), CellId(cell), PairClass::Visible);
        }
        self.revealed.seal();
        self.unresolved.seal();
        let shown = self.revealed.count();
        Pvs::new(self.revealed, self.unresolved, shown)
    }
}

#[cfg(test)]
mod tests;
