//! What the baked visibility says of two reaches.
//!
//! Owns the cells that a reach covers and the joined rows of its eyes. Promises: hidden only where every cell of the
//! eyes hides every cell of the body. Feet off the cells, a reach over too many of them, or one that may come to
//! stand where the cells need not know it: the bake says nothing (errs towards visible). Must not know segments.

use crate::geom::{Point3, ZRange};
use crate::map::{Baked, Cell, CellId, Spread};
use std::ops::Range;

/// Most cells of one reach; beyond it the bake is not asked, to bound the work (errs towards visible).
const MOST_CELLS: usize = 64;

/// The cells that a body or an eye covers, if the bake can speak of it.
pub(super) type Cover = Option<Range<u32>>;

/// The joined rows of an eye, if the bake can speak of it.
pub(super) type Rows = Option<u32>;

/// Covered cells and joined rows of one tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Culler {
    cells: Vec<CellId>,
    rows: Vec<u64>,
}

impl Culler {
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.rows.clear();
    }

    /// The cells of a player's reach, whose feet are at `at` now.
    pub(super) fn cover_player(&mut self, baked: &Baked, at: Point3, spread: &Spread, feet: ZRange) -> Cover {
        let start = self.cells.len();
        let (low, high) = spread.region_bounds();
        let cells = &mut self.cells;
        let mut is_on = false;
        baked.cells.for_each_touching((low, high), feet, |id, cell| {
            if meets(cell, spread) && cells.len() - start <= MOST_CELLS {
                is_on = is_on || holds(cell, at, baked.map.player.jump);
                cells.push(id);
            }
        });
        self.end(start, is_on)
    }

    /// A cell whose bodies have visible points wherever this spread is: one is enough, as it hides all of it.
    pub(super) fn cover_thing(&mut self, baked: &Baked, spread: &Spread) -> Cover {
        let (start, player) = (self.cells.len(), &baked.map.player);
        let (low, high) = spread.bounds();
        let middle = nalgebra::center(&low, &high);
        let reach = 0.5 * (high - low).norm();
        let cells = &mut self.cells;
        baked.cells.for_each_body_cell(Point3::new(middle.x, middle.y, spread.z.low), |id| {
            let cell = baked.cells.get(id);
            if cells.len() == start
                && cell.region.distance(middle) + reach <= player.sight_radius
                && cell.body_heights(player).contains_range(spread.z)
            {
                cells.push(id);
            }
        });
        self.end(start, true)
    }

    fn end(&mut self, start: usize, is_on: bool) -> Cover {
        let count = self.cells.len() - start;
        if !is_on || count == 0 || count > MOST_CELLS {
            self.cells.truncate(start);
            return None;
        }
        Some(start as u32..self.cells.len() as u32)
    }

    /// Joins the rows of an eye's cells.
    pub(super) fn join(&mut self, baked: &Baked, cover: &Cover) -> Rows {
        let range = cover.clone()?;
        let words = baked.pvs.len().div_ceil(64);
        let start = self.rows.len();
        self.rows.resize(start + words, 0);
        let joined = &mut self.rows[start..];
        for &cell in &self.cells[range.start as usize..range.end as usize] {
            let mut rest = &mut joined[..];
            for chunk in baked.pvs.row(cell).chunks() {
                let (here, behind) = rest.split_at_mut(chunk.len());
                here.iter_mut().zip(chunk).for_each(|(word, more)| *word |= more);
                rest = behind;
            }
        }
        Some(start as u32)
    }

    /// Whether the bake does not rule out that the eye of these rows sees the body of these cells.
    pub(super) fn may_see(&self, rows: Rows, cover: &Cover) -> bool {
        let (Some(rows), Some(range)) = (rows, cover) else { return true };
        let rows = &self.rows[rows as usize..];
        let is_seen = |cell: &CellId| rows[cell.0 as usize / 64] >> (cell.0 % 64) & 1 == 1;
        self.cells[range.start as usize..range.end as usize].iter().any(is_seen)
    }
}

/// Whether feet are on the cell, jumping or floating a little included.
fn holds(cell: &Cell, at: Point3, jump: f64) -> bool {
    cell.feet.low - 0.15 <= at.z && at.z <= cell.feet.high + jump && cell.region.distance(at.xy()) <= 1e-4
}

/// Whether no edge of the cell parts it from the region.
fn meets(cell: &Cell, spread: &Spread) -> bool {
    cell.region.edges().all(|(a, b)| {
        let way = b - a;
        spread.region().iter().any(|p| way.perp(&(p - a)) >= -1e-6)
    })
}
