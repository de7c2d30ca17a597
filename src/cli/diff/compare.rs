//! Two bakes side by side: cells matched by place, rows compared bit by bit.
//!
//! Owns the matching and the comparison. Promises: a cell has at most one match, and only pairs of matched
//! cells are compared. Must not know how it is shown.

use fogwall::{Baked, Cell, CellId, Row};
use rayon::prelude::*;
use std::cmp::Ordering::Equal;
use std::collections::HashMap;

/// What differs; all ids but `only_in_b`'s are the earlier bake's.
pub(super) struct Comparison {
    pub(super) matched: usize,
    pub(super) changes: Vec<Change>,
    pub(super) only_in_a: Vec<CellId>,
    pub(super) only_in_b: Vec<CellId>,
}

/// Cells that the eyes in `cell` came to see or see no longer, ascending.
pub(super) struct Change {
    pub(super) cell: CellId,
    pub(super) gained: Vec<CellId>,
    pub(super) lost: Vec<CellId>,
}

impl Comparison {
    /// Whether anything differs.
    pub(super) fn differ(&self) -> bool {
        !(self.changes.is_empty() && self.only_in_a.is_empty() && self.only_in_b.is_empty())
    }
}

/// Compares what may be seen in `a` and in `b`.
pub(super) fn compare(a: &Baked, b: &Baked) -> Comparison {
    let match_of = matches(a.cells.as_slice(), b.cells.as_slice());
    let mut back = vec![None; b.cells.len()];
    for (id, matched) in match_of.iter().enumerate() {
        if let Some(other) = matched {
            back[other.0 as usize] = Some(CellId(id as u32));
        }
    }
    let pairs: Vec<(CellId, CellId)> =
        match_of.iter().enumerate().filter_map(|(id, other)| Some((CellId(id as u32), (*other)?))).collect();
    let changed = pairs.par_iter().filter_map(|&(cell, other)| {
        let before: Vec<CellId> =
            a.pvs.row(cell).iter().filter(|id| match_of[id.0 as usize].is_some()).collect();
        let after = renamed(b.pvs.row(other), &back);
        let change = Change { cell, gained: without(&after, &before), lost: without(&before, &after) };
        (!change.gained.is_empty() || !change.lost.is_empty()).then_some(change)
    });
    let lonely = |matches: &[Option<CellId>]| -> Vec<CellId> {
        let ids = matches.iter().enumerate().filter(|(_, other)| other.is_none());
        ids.map(|(id, _)| CellId(id as u32)).collect()
    };
    Comparison {
        matched: pairs.len(),
        changes: changed.collect(),
        only_in_a: lonely(&match_of),
        only_in_b: lonely(&back),
    }
}

/// For each cell of `a` the one of `b` in the same column that it shares most with, if that one is free.
fn matches(a: &[Cell], b: &[Cell]) -> Vec<Option<CellId>> {
    let mut columns: HashMap<(i32, i32), Vec<u32>> = HashMap::new();
    for (id, cell) in b.iter().enumerate() {
        columns.entry(cell.column).or_default().push(id as u32);
    }
    let mut taken = vec![false; b.len()];
    let mut best = |cell: &Cell| {
        let candidates = columns.get(&cell.column)?.iter().filter(|&&id| !taken[id as usize]);
        let sharing = candidates.filter_map(|&id| Some((id, shared(cell, &b[id as usize])?)));
        let (id, _) = sharing.max_by(|(i, x), (j, y)| x.partial_cmp(y).unwrap_or(Equal).then(j.cmp(i)))?;
        taken[id as usize] = true;
        Some(CellId(id))
    };
    a.iter().map(&mut best).collect()
}

/// How much two cells share, in plan (their boxes' area), then in height; `None` where they are apart.
fn shared(a: &Cell, b: &Cell) -> Option<(f64, f64)> {
    let ((low_a, high_a), (low_b, high_b)) = (a.region.bounds(), b.region.bounds());
    let x = high_a.x.min(high_b.x) - low_a.x.max(low_b.x);
    let y = high_a.y.min(high_b.y) - low_a.y.max(low_b.y);
    let z = a.feet.high.min(b.feet.high) - a.feet.low.max(b.feet.low);
    (x >= 0.0 && y >= 0.0 && z >= 0.0).then_some((x * y, z))
}

fn renamed(row: Row, name: &[Option<CellId>]) -> Vec<CellId> {
    let mut cells: Vec<CellId> = row.iter().filter_map(|id| name[id.0 as usize]).collect();
    if !cells.is_sorted() {
        cells.sort_unstable();
    }
    cells
}

/// The cells of ascending `all` that ascending `others` lacks.
fn without(all: &[CellId], others: &[CellId]) -> Vec<CellId> {
    let mut others = others.iter().peekable();
    let mut lacks = |cell: &CellId| {
        while others.next_if(|other| *other < cell).is_some() {}
        others.peek() != Some(&cell)
    };
    all.iter().filter(|cell| lacks(cell)).copied().collect()
}
