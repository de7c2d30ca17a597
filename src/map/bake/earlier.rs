//! What an earlier bake of another state of the map still knows.
//!
//! Owns the comparison of the two states. Promises: a block is taken over only where the same cells, the same
//! tree below them and the same pieces between them would be asked the same questions.
//! Must not know how a pair is decided.

use super::bits::{Bits, Moves};
use super::pieces::sight_pieces;
use super::tree::Tree;
use crate::map::cells::{Cell, Cells};
use crate::map::pvs::{CellId, Pvs};
use crate::map::solids::{Piece, Solids};
use crate::map::window::Occluders;
use rayon::prelude::*;
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
        let clean = tree.clean(cells, |i| earlier[i as usize] != NEW, gone);
        let changed = Occluders::new(difference(before.solids, now));
        Self { changed, earlier, earlier_cells: before.cells.len(), clean, pvs: before.pvs }
    }

    /// Whether the earlier bake had exactly the cells of a node in its cube.
    pub(super) fn clean(&self, node: u32) -> bool {
        self.clean[node as usize]
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
    let key = |p: &Piece| (p.outline.vertices()[0].x.to_bits(), p.outline.vertices()[0].y.to_bits());
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
