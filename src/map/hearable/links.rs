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
    table: Option<Table>,
}

/// Where columns begin in a list of cells.
struct Table {
    /// The first row and the first column.
    corner: (i32, i32),
    /// Columns of each row.
    across: usize,
    /// By row and column: the place of the first cell from there on; and where the last one's end.
    starts: Vec<u32>,
}

/// Columns of a table for each cell of its list; where cells are strewn wider they are searched for.
const COLUMNS_PER_CELL: usize = 16;

impl Table {
    fn of(list: &[(i32, i32, u32)]) -> Option<Self> {
        let ends = |of: fn(&(i32, i32, u32)) -> i32| {
            let all = list.iter().map(of);
            Some((all.clone().min()?, all.max()?))
        };
        let (rows, columns) = (ends(|cell| cell.0)?, ends(|cell| cell.1)?);
        let count = |(first, last): (i32, i32)| (i64::from(last) - i64::from(first) + 1) as usize;
        let (high, across) = (count(rows), count(columns));
        let places = high.checked_mul(across).filter(|&all| all <= COLUMNS_PER_CELL * list.len())?;
        let corner = (rows.0, columns.0);
        let mut starts = vec![0; places + 1];
        let place =
            |cell: &(i32, i32, u32)| (cell.0 - corner.0) as usize * across + (cell.1 - corner.1) as usize;
        list.iter().for_each(|cell| starts[place(cell) + 1] += 1);
        (0..places).for_each(|place| starts[place + 1] += starts[place]);
        Some(Self { corner, across, starts })
    }

    /// The places in the list of the columns of a row, first and last.
    fn row(&self, y: i32, x: (i32, i32)) -> std::ops::Range<usize> {
        let rows = (self.starts.len() - 1) / self.across;
        let Some(row) =
            usize::try_from(i64::from(y) - i64::from(self.corner.0)).ok().filter(|&row| row < rows)
        else {
            return 0..0;
        };
        let column = |x: i64| (x - i64::from(self.corner.1)).clamp(0, self.across as i64) as usize;
        let place = |x: i64| self.starts[row * self.across + column(x)] as usize;
        place(i64::from(x.0))..place(i64::from(x.1) + 1)
    }
}

impl Grid {
    /// Of the cells that are `wanted`.
    fn new(cells: &Cells, wanted: impl Fn(usize) -> bool) -> Self {
        let place = |(id, cell): (usize, &Cell)| (cell.column.1, cell.column.0, id as u32);
        let wanted = cells.as_slice().iter().enumerate().filter(|(id, _)| wanted(*id));
        Self::of(wanted.map(place).collect())
    }

    fn of(mut list: Vec<(i32, i32, u32)>) -> Self {
        list.sort_unstable();
        Self { table: Table::of(&list), list }
    }

    /// Columns in a row, first and last, with the cells in each.
    pub(super) fn row(&self, y: i32, x: (i32, i32)) -> impl Iterator<Item = (i32, u32)> + '_ {
        let places = match &self.table {
            Some(table) => table.row(y, x),
            None => {
                let from =
                    |x: i64| self.list.partition_point(|&(row, column, _)| (row, i64::from(column)) < (y, x));
                from(i64::from(x.0))..from(i64::from(x.1) + 1)
            }
        };
        self.list[places].iter().map(|&(_, column, cell)| (column, cell))
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
    let plates = cells.as_slice().iter().map(hops::Plate::of).collect();
    let hops = hops::Hops { cells, solids, player, size, lowest_m, grid, beside: &beside, rim, rims, plates };
    for (a, b, gap_m) in hops.all() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_columns_finds_what_a_search_finds() {
        let list: Vec<(i32, i32, u32)> =
            (0..60).map(|i: i32| ((i * 7) % 11 - 3, (i * i) % 13 - 6, i as u32)).collect();
        let with = Grid::of(list.clone());
        let without = Grid { table: None, list: with.list.clone() };
        assert!(with.table.is_some());
        for (y, from, to) in
            (-6..12).flat_map(|y| (-9..9).flat_map(move |x| (0..9).map(move |w| (y, x, x + w))))
        {
            assert!(with.row(y, (from, to)).eq(without.row(y, (from, to))), "{y} {from} {to}");
        }
        let strewn = Grid::of(list.iter().map(|&(y, x, cell)| (y << 26, x << 26, cell)).collect());
        assert!(strewn.table.is_none() && strewn.row(-3 << 26, (-6 << 26, 6 << 26)).count() > 0);
        assert_eq!(Grid::of(Vec::new()).row(0, (-5, 5)).count(), 0);
    }
}
