//! What an earlier bake of another state of the map still knows.
//!
//! Owns the comparison of the two states. Promises: a block is taken over only where the same cells, the same
//! tree below them and the same pieces between them would be asked the same questions.
//! Must not know how a pair is decided.

use super::bits::{Bits, Moves};
use super::job::SMALL_CELLS;
use super::pieces::sight_pieces;
use super::tree::{Parent, Tree};
use crate::map::cells::{Cell, Cells};
use crate::map::pvs::{CellId, Pvs};
use crate::map::solids::{Piece, Solids};
use crate::map::window::Occluders;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::HashMap;

/// An earlier bake, of the same player, cell size and quality.
#[derive(Clone, Copy)]
pub struct Earlier<'a> {
    /// The pieces it was made of.
    pub solids: &'a Solids,
    /// Its cells.
    pub cells: &'a Cells,
    /// Its classes.
    pub pvs: &'a Pvs,
}

/// Marks a cell that the earlier bake did not have.
const NEW: u32 = u32::MAX;

/// An earlier bake seen from the state at hand.
pub(super) struct Known<'a> {
    /// The pieces that only one of the two states has.
    pub(super) changed: Occluders,
    /// The earlier index of each cell.
    earlier: Vec<u32>,
    /// How many cells the earlier bake had.
    earlier_cells: usize,
    clean: Vec<bool>,
    parents: Vec<Parent>,
    pvs: &'a Pvs,
}

impl<'a> Known<'a> {
    /// Compares the two states.
    pub(super) fn new(before: Earlier<'a>, cells: &[Cell], now: &Solids, tree: &Tree) -> Self {
        let mut by_column: HashMap<(i32, i32), Vec<u32>> = HashMap::new();
        for (i, cell) in before.cells.as_slice().iter().enumerate() {
            by_column.entry(cell.column).or_default().push(i as u32);
        }
        let mut gone = vec![true; before.cells.len()];
        let earlier: Vec<u32> = cells
            .iter()
            .map(|cell| {
                let same = by_column.get(&cell.column).into_iter().flatten().copied();
                let found = same.into_iter().find(|&i| before.cells.as_slice()[i as usize] == *cell);
                found.inspect(|&i| gone[i as usize] = false).unwrap_or(NEW)
            })
            .collect();
        let gone = before.cells.as_slice().iter().zip(&gone).filter_map(|(cell, &gone)| gone.then_some(cell));
        let kept = |i: u32| earlier[i as usize] != NEW;
        let clean = tree.clean(cells, kept, gone.clone());
        let parents = tree.parents_before(cells, kept, gone);
        let changed = Occluders::new(difference(before.solids, now));
        Self { changed, earlier, earlier_cells: before.cells.len(), clean, parents, pvs: before.pvs }
    }

    /// Whether the earlier bake had exactly the cells of a node in its cube.
    pub(super) fn clean(&self, node: u32) -> bool {
        self.clean[node as usize]
    }

    /// Whether a pair of nodes that are [`clean`](Self::clean) was part of a block then: one that is not now, or is part of
    /// another one, would share other segments. `cells` are the nodes' own; where the block is not known, it counts as one.
    pub(super) fn was_in_block(&self, nodes: [u32; 2], cells: [usize; 2]) -> bool {
        let parents = nodes.map(|node| self.parents[node as usize]);
        // Of two nodes the one with the coarser children was split, or both.
        let (a, b) = match parents[0].split.cmp(&parents[1].split) {
            Ordering::Equal => (parents[0].cells, parents[1].cells),
            Ordering::Less => (parents[0].cells, cells[1]),
            Ordering::Greater => (cells[0], parents[1].cells),
        };
        a <= SMALL_CELLS && b <= SMALL_CELLS
    }

    /// Sets the rows of the cells that the earlier bake had, by their places in the tree's order.
    pub(super) fn put(&self, tree: &Tree, seen: &Bits, open: &Bits) {
        let then = |&cell: &u32| Some(self.earlier[cell as usize]).filter(|&then| then != NEW);
        let moves = Moves::new(tree.order.iter().map(then), self.earlier_cells);
        let count = tree.order.len().div_ceil(64);
        tree.order.par_iter().enumerate().for_each(|(place, cell)| {
            let Some(then) = then(cell).map(CellId) else { return };
            let [revealed, unresolved] = [self.pvs.row(then), self.pvs.unresolved_row(then)]
                .map(|row| moves.moved(row.words(), count));
            let visible: Vec<u64> = revealed.iter().zip(&unresolved).map(|(r, u)| r & !u).collect();
            seen.set_row(place, &visible);
            open.set_row(place, &unresolved);
        });
    }
}

/// The sight pieces that only one of two states has.
fn difference<'a>(before: &'a Solids, now: &'a Solids) -> Vec<&'a Piece> {
    let same = |p: &Piece, q: &Piece| p.outline == q.outline && p.z == q.z;
    let bits = |x: f64| (x + 0.0).to_bits();
    let key = |p: &Piece| (bits(p.outline.vertices()[0].x), bits(p.outline.vertices()[0].y));
    let (before, now) = (sight_pieces(before), sight_pieces(now));
    let only = |these: &[&'a Piece], those: &[&'a Piece]| -> Vec<&'a Piece> {
        let mut at: HashMap<(u64, u64), Vec<&Piece>> = HashMap::new();
        those.iter().for_each(|p| at.entry(key(p)).or_default().push(p));
        let missing = |p: &&&'a Piece| !at.get(&key(p)).into_iter().flatten().any(|q| same(p, q));
        these.iter().filter(missing).copied().collect()
    };
    let mut all = only(&before, &now);
    all.extend(only(&now, &before));
    all
}
