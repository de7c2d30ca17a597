//! Moves between cells, each with the least length it can have.
//!
//! Owns which cells bodies pass between, and what a piece of walk of a fixed length can reach.
//! Promises: any move that bodies can make is there; errs to more of them and to shorter ones, which lets
//! more be heard.
//! Must not know clusters or radii.

use super::{hops, units};
use crate::geom::ConvexPolygon;
use crate::map::cells::MAX_OVERHANG_M;
use crate::map::{Cell, CellId, Cells, Player, Solids};
use rayon::prelude::*;

/// Regions closer than this touch, metres.
const SEAM_M: f64 = 0.02;

/// Cells by column, row by row from the south and from the west.
pub(super) struct Grid {
    /// Row, column in it, cell.
    list: Vec<(i32, i32, u32)>,
}

impl Grid {
    /// Of the cells that are `wanted`.
    fn new(cells: &Cells, wanted: impl Fn(usize) -> bool) -> Self {
        let place = |(id, cell): (usize, &Cell)| (cell.column.1, cell.column.0, id as u32);
        let wanted = cells.as_slice().iter().enumerate().filter(|(id, _)| wanted(*id));
        let mut list: Vec<_> = wanted.map(place).collect();
        list.sort_unstable();
        Self { list }
    }

    /// Columns in a row, first and last, with the cells in each.
    pub(super) fn row(&self, y: i32, x: (i32, i32)) -> impl Iterator<Item = (i32, u32)> + '_ {
        let start = self.list.partition_point(|&(row, column, _)| (row, column) < (y, x.0));
        let here = self.list[start..].iter().take_while(move |&&(row, column, _)| row == y && column <= x.1);
        here.map(|&(_, column, cell)| (column, cell))
    }
}

/// The moves of a map.
pub(super) struct Links {
    /// Per cell, the cells that it touches where a body passes.
    pub(super) beside: Vec<Vec<u32>>,
    /// Per cell, moves and the least length of each, in the search's units. A walk is cut into pieces of
    /// [`Links::piece_m`]: one move each, but for the last piece, which costs nothing.
    pub(super) moves: Vec<Vec<(u32, u32)>>,
    /// Length of a piece: a body that walks it enters no column but those around the one it starts in.
    pub(super) piece_m: f64,
}

/// All moves of a map.
pub(super) fn links(cells: &Cells, solids: &Solids, player: &Player, size: f64) -> Links {
    let grid = Grid::new(cells, |_| true);
    let (beside, rim): (Vec<Vec<u32>>, Vec<bool>) = (0..cells.len() as u32)
        .into_par_iter()
        .map(|a| {
            let from = cells.get(CellId(a));
            let (mut touched, mut open_sides) = (Vec::new(), 15_u8);
            for (b, side) in around(cells, &grid, a, 1) {
                let to = cells.get(CellId(b));
                if climbs(from, to, player) && touch(&from.region, &to.region, SEAM_M) {
                    open_sides &= !side;
                    touched.push(b);
                }
            }
            (touched, open_sides != 0)
        })
        .unzip();
    // Two columns apart, regions that have grown towards each other are this far from each other; cells so
    // small that it vanishes bound nothing, and everything joined is heard.
    let piece_m = (size - 2.0 * MAX_OVERHANG_M - SEAM_M).max(0.0);
    let piece = units(piece_m) as u32;
    let mut moves: Vec<Vec<(u32, u32)>> = (0..cells.len() as u32)
        .into_par_iter()
        .map(|a| window(cells, &beside, a).map(|b| (b, piece)).collect())
        .collect();
    let lowest_m = cells.as_slice().iter().map(|c| c.feet.low).fold(f64::INFINITY, f64::min);
    let rims = Grid::new(cells, |cell| rim[cell]);
    for (a, b, gap_m) in
        (hops::Hops { cells, solids, player, size, lowest_m, grid, beside: &beside, rim, rims }).all()
    {
        // A flight cuts the walk in two, whose first part ends with a piece that costs nothing.
        let least = units((gap_m - piece_m).max(0.0)) as u32;
        moves[a as usize].push((b, least));
        moves[b as usize].push((a, least));
    }
    Links { beside, moves, piece_m }
}

/// The cells that are walked to from `a` inside the nine columns around it.
fn window<'a>(cells: &'a Cells, beside: &'a [Vec<u32>], a: u32) -> impl Iterator<Item = u32> + 'a {
    let column = |cell: u32| cells.get(CellId(cell)).column;
    let (x, y) = column(a);
    let mut reached = vec![a];
    let mut next = 0;
    while next < reached.len() {
        for b in &beside[reached[next] as usize] {
            let (bx, by) = column(*b);
            if (bx - x).abs() <= 1 && (by - y).abs() <= 1 && !reached.contains(b) {
                reached.push(*b);
            }
        }
        next += 1;
    }
    reached.into_iter().skip(1)
}

/// The cells in the columns within `reach` of that of `a`, each with the side of `a` it lies on.
pub(super) fn around(cells: &Cells, grid: &Grid, a: u32, reach: i32) -> Vec<(u32, u8)> {
    let column = cells.get(CellId(a)).column;
    let mut found = Vec::new();
    for dy in -reach..=reach {
        for (x, b) in grid.row(column.1 + dy, (column.0 - reach, column.0 + reach)) {
            let side = match (x - column.0, dy) {
                (1, 0) => 1,
                (-1, 0) => 2,
                (0, 1) => 4,
                (0, -1) => 8,
                _ => 0,
            };
            if b != a {
                found.push((b, side));
            }
        }
    }
    found
}

/// Whether a body gets from one cell's heights to the other's, up or down.
///
/// The fall over an edge is part of a cell's heights, so a jump and a step must make up what is left.
fn climbs(a: &Cell, b: &Cell, player: &Player) -> bool {
    let rise = (a.feet.low - b.feet.high).max(b.feet.low - a.feet.high);
    rise <= player.jump + player.step + SEAM_M
}

/// Whether the gap between two polygons is at most `margin` metres.
pub(super) fn touch(a: &ConvexPolygon, b: &ConvexPolygon, margin: f64) -> bool {
    let ((la, ha), (lb, hb)) = (a.bounds(), b.bounds());
    let apart = la.x > hb.x + margin || lb.x > ha.x + margin || la.y > hb.y + margin || lb.y > ha.y + margin;
    let near = (a.vertices()[0] - b.vertices()[0]).norm_squared() <= margin * margin;
    !apart && (near || gap(a, b) <= margin)
}

/// Distance in metres between two polygons; 0 where they meet.
pub(super) fn gap(a: &ConvexPolygon, b: &ConvexPolygon) -> f64 {
    let outside = |p: &ConvexPolygon, q: &ConvexPolygon| {
        p.edges().any(|(from, to)| q.vertices().iter().all(|v| (to - from).perp(&(v - from)) < 0.0))
    };
    let solid = a.vertices().len() > 2 && b.vertices().len() > 2;
    if solid && !outside(a, b) && !outside(b, a) {
        return 0.0;
    }
    let nearest = |p: &ConvexPolygon, q: &ConvexPolygon| {
        q.vertices().iter().map(|v| p.distance(*v)).fold(f64::INFINITY, f64::min)
    };
    nearest(a, b).min(nearest(b, a))
}
