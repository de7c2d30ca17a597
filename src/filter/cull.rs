//! What the baked visibility says of two reaches.
//!
//! Owns the cells that a reach covers and the joined rows of its eyes. Promises: hidden only where every cell of the
//! eyes hides every cell of the body. Feet off the cells, a reach over too many of them, or one that may come to
//! stand where the cells need not know it: the bake says nothing (errs towards visible). Must not know segments.

use crate::geom::{Point3, ZRange};
use crate::map::{Baked, Cell, CellId, Spread};

/// Most cells of one reach; beyond it the bake is not asked, to bound the work (errs towards visible).
const MOST_CELLS: usize = 64;

/// Feet this far beside a cell are on it still, metres: players press against walls.
const BESIDE_M: f64 = 1e-4;

/// Most cells that a cover is made room for.
const ROOM: usize = MOST_CELLS + 1;

/// The cells that a body or an eye covers; none where the bake can't speak of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover {
    cells: Vec<CellId>,
    /// Where the feet were found on a cell last; it changes the work alone.
    last: usize,
}

/// The joined rows of an eye; none where the bake can't speak of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows(Vec<u64>);

impl Cover {
    /// Forgets all: the bake says nothing.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
        self.cells.reserve(ROOM);
    }

    /// Takes the cells of a player's reach.
    pub(super) fn take_player(&mut self, baked: &Baked, spread: &Spread, feet: ZRange) {
        let (low, high) = spread.region_bounds();
        self.cells.clear();
        self.cells.reserve(ROOM);
        let cells = &mut self.cells;
        baked.cells.for_each_touching((low, high), feet, |id, cell| {
            if cells.len() <= MOST_CELLS && meets(cell, spread) {
                cells.push(id);
            }
        });
        if self.cells.len() > MOST_CELLS {
            self.cells.clear();
        }
    }

    /// Whether the feet are on one of the cells.
    pub(super) fn is_under(&mut self, baked: &Baked, at: Point3) -> bool {
        let is_on = |&id: &CellId| holds(baked.cells.get(id), at, baked.map.player.jump);
        if self.cells.get(self.last).is_some_and(is_on) {
            return true;
        }
        let found = self.cells.iter().position(is_on);
        self.last = found.unwrap_or(self.last);
        found.is_some()
    }

    /// Whether the bake does not rule out that eyes of these cells see bodies of the others.
    pub(super) fn may_see(&self, baked: &Baked, other: &Self) -> bool {
        let sees = |&eye: &CellId| other.cells.iter().any(|&body| baked.pvs.may_see(eye, body));
        self.cells.is_empty() || other.cells.is_empty() || self.cells.iter().any(sees)
    }

    /// Takes the cell of a thing.
    pub(super) fn take_thing(&mut self, baked: &Baked, spread: &Spread) {
        self.cells.clear();
        self.cells.extend(cell_of_thing(baked, spread));
    }
}

/// A cell whose bodies have visible points wherever this spread is: one is enough, as what hides it hides all of it.
pub(super) fn cell_of_thing(baked: &Baked, spread: &Spread) -> Option<CellId> {
    let player = &baked.map.player;
    let (low, high) = spread.bounds();
    let middle = nalgebra::center(&low, &high);
    let reach = 0.5 * (high - low).norm();
    let mut found = None;
    baked.cells.for_each_body_cell(Point3::new(middle.x, middle.y, spread.z.low), |id| {
        let cell = baked.cells.get(id);
        if found.is_none()
            && cell.region.distance(middle) + reach <= player.sight_radius
            && cell.body_heights(player).contains_range(spread.z)
        {
            found = Some(id);
        }
    });
    found
}

impl Rows {
    /// Joins the rows of an eye's cells.
    pub(super) fn join(&mut self, baked: &Baked, cover: &Cover) {
        self.0.clear();
        self.0.reserve(baked.pvs.len().div_ceil(64));
        if cover.cells.is_empty() {
            return;
        }
        self.0.resize(baked.pvs.len().div_ceil(64), 0);
        for &cell in &cover.cells {
            let mut rest = &mut self.0[..];
            for chunk in baked.pvs.row(cell).chunks() {
                let (here, behind) = rest.split_at_mut(chunk.len());
                here.iter_mut().zip(chunk).for_each(|(word, more)| *word |= more);
                rest = behind;
            }
        }
    }

    /// Whether the bake does not rule out that the eye of these rows sees the body of these cells.
    pub(super) fn may_see(&self, cover: &Cover) -> bool {
        cover.cells.is_empty() || cover.cells.iter().any(|&cell| self.may_see_cell(cell))
    }

    /// The same of the body of one cell.
    pub(super) fn may_see_cell(&self, cell: CellId) -> bool {
        let rows = &self.0;
        rows.is_empty() || rows[cell.0 as usize / 64] >> (cell.0 % 64) & 1 == 1
    }
}

/// Whether feet are on the cell, jumping or floating a little included.
fn holds(cell: &Cell, at: Point3, jump: f64) -> bool {
    let is_in_plan = || {
        let mut is_inside = true;
        for (a, b) in cell.region.edges() {
            let (way, side) = (b - a, (b - a).perp(&(at.xy() - a)));
            // Farther beyond an edge's line is farther from the cell: most cells are told apart by one edge.
            if side < 0.0 && side * side > BESIDE_M * BESIDE_M * way.norm_squared() {
                return false;
            }
            is_inside &= side >= 0.0;
        }
        is_inside || cell.region.distance(at.xy()) <= BESIDE_M
    };
    cell.feet.low - 0.15 <= at.z && at.z <= cell.feet.high + jump && is_in_plan()
}

/// Whether no edge of the cell parts it from the region.
fn meets(cell: &Cell, spread: &Spread) -> bool {
    cell.region.edges().all(|(a, b)| {
        let way = b - a;
        spread.region().iter().any(|p| way.perp(&(p - a)) >= -1e-6)
    })
}
