//! Cells: where bodies can be, cut into small convex regions with a range of heights.
//!
//! Owns their making from floors and walls, their order and the look-ups.
//! Promises: every centre that a body on a floor can have lies in a cell; a cell depends on nothing farther
//! than the next column and a body's radius; the order of floors in the file changes nothing.
//! Must not know visibility.

mod ceiling;
mod drops;
mod edges;
mod floors;
mod layers;
mod lookup;
mod polygon;
mod round;
mod trim;

use crate::geom::{ConvexPolygon, Point2, Point3, Vector2, ZRange, clip_to_box};
use crate::map::{CellId, MAX_CELLS, Map, Player, Solids};
use floors::{Buckets, Patch};
use layers::Fragment;
pub(super) use layers::MAX_OVERHANG_M;
use lookup::Columns;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use thiserror::Error;
use trim::{Wall, Walls};

/// Floor parts looked at per allowed cell, before trimming and joining.
const FRAGMENTS_PER_CELL: usize = 64;

/// Cells that may lie over each other in one column: far more than a building has storeys. A look-up goes through
/// all of a column's.
pub(in crate::map) const MAX_COLUMN_CELLS: usize = 1_024;

/// Where a column stands in the order of cells; no two stand in one place.
pub(in crate::map) fn column_place(column: (i32, i32)) -> u64 {
    floors::morton(column)
}

/// A map with more cells than allowed, or too far out to have any.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum TooManyCells {
    /// More cells than the limit.
    #[error("the map has more than {limit} cells: enlarge cell_size, or draw smaller floors")]
    Cells {
        /// The greatest number allowed.
        limit: usize,
    },
    /// So many parts of floors in so many columns that the cells are not even counted.
    #[error("the floors fall into more than {limit} parts: enlarge cell_size, or draw fewer floors")]
    Fragments {
        /// The greatest number of parts allowed.
        limit: usize,
    },
    /// More cells in one column than the limit.
    #[error(
        "more than {limit} cells lie over each other at ({x_m}, {y_m}): join floors there that overlap, or delete those \
         that nobody can stand on"
    )]
    Column {
        /// The greatest number allowed.
        limit: usize,
        /// A point of the column, metres.
        x_m: f64,
        /// A point of the column, metres.
        y_m: f64,
    },
    /// A floor more than 2^30 columns from the origin.
    #[error("a floor at {at_m} m lies too many cells from the origin: enlarge cell_size or move the map")]
    TooFar {
        /// The coordinate, metres.
        at_m: f64,
    },
}

/// A region of the plan where bodies' centres can be, with the heights that their feet have there.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Centres that bodies can have, convex; it errs to a larger region, which shows more.
    pub region: ConvexPolygon,
    /// Feet on the floor or falling over an edge onto it; jumps are not included.
    pub feet: ZRange,
    /// Height that no part of a body here is above, jumps included; infinite where nothing is known to hang
    /// over the whole region. It errs to higher, which shows more.
    pub ceiling: f64,
    /// Column of the grid: the region's coordinates divided by the cell size, rounded down.
    pub column: (i32, i32),
}

impl Cell {
    /// Heights that the eye of a body here can have: crouched, standing, falling or jumping.
    pub fn eye_heights(&self, player: &Player) -> ZRange {
        self.capped(player.eye_range())
    }

    /// Heights that visible points of a body here can have, from its feet to its head in a jump.
    pub fn body_heights(&self, player: &Player) -> ZRange {
        self.capped(player.body_range())
    }

    fn capped(&self, over: ZRange) -> ZRange {
        let low = self.feet.low + over.low;
        ZRange::new(low, (self.feet.high + over.high).min(self.ceiling).max(low))
    }
}

/// All cells of a map, in Morton order of their column, then by height.
#[derive(Clone, Debug)]
pub struct Cells {
    cells: Vec<Cell>,
    columns: Columns,
    player: Player,
}

impl Cells {
    /// Makes the cells of `map`, at most [`MAX_CELLS`].
    ///
    /// # Errors
    /// [`TooManyCells`], before memory is spent on them.
    pub fn build(map: &Map, solids: &Solids) -> Result<Self, TooManyCells> {
        Self::build_at_most(map, solids, MAX_CELLS)
    }

    /// Makes the cells of `map`, at most `limit`.
    ///
    /// # Errors
    /// [`TooManyCells`], before memory is spent on them.
    pub fn build_at_most(map: &Map, solids: &Solids, limit: usize) -> Result<Self, TooManyCells> {
        let walls = Walls::build(solids, &map.player);
        let ground = Ground::build(map, &walls, limit.saturating_mul(FRAGMENTS_PER_CELL))?;
        let count = AtomicUsize::new(0);
        let built: Option<Vec<Vec<Cell>>> = ground
            .buckets
            .columns()
            .into_par_iter()
            .map(|column| {
                let cells = ground.column(column);
                let so_far = count.fetch_add(cells.len(), Ordering::Relaxed) + cells.len();
                // Slivers are counted here too: each full cell has at most three of them for itself.
                (so_far / 4 <= limit).then_some(cells)
            })
            .collect();
        let mut cells = built.ok_or(TooManyCells::Cells { limit })?.concat();
        cells.sort_by(layers::cell_order);
        let mut cells = layers::absorb_slivers(cells, map.player.step);
        if cells.len() > limit {
            return Err(TooManyCells::Cells { limit });
        }
        check_columns(&cells, map.cell_size)?;
        for cell in &mut cells {
            cell.feet = round::heights(cell.feet);
            cell.region = round::region(&cell.region);
        }
        ground.cover(&mut cells);
        Ok(Self::from_parts(cells, map.player, map.cell_size))
    }

    /// Cells that were built before, with the measures that they were built for.
    pub(crate) fn from_parts(cells: Vec<Cell>, player: Player, cell_size: f64) -> Self {
        let columns = Columns::build(&cells, cell_size);
        Self { cells, columns, player }
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cell with this id.
    ///
    /// # Panics
    /// Where the id is not of these cells.
    pub fn get(&self, id: CellId) -> &Cell {
        &self.cells[id.0 as usize]
    }

    /// All cells; a [`CellId`] is an index here.
    pub fn as_slice(&self) -> &[Cell] {
        &self.cells
    }

    /// The cell that a body with these feet is in, jumping or falling included; `None` off the cells.
    ///
    /// Of several the one whose standing heights are nearest to the feet, then the highest. Feet up to 15 cm
    /// under a floor count as on it, because floors from navigation meshes float: sight of such a body is
    /// answered as if it were raised onto the floor.
    pub fn cell_at(&self, feet: Point3) -> Option<CellId> {
        self.columns.cell_at(&self.cells, &self.player, feet)
    }

    /// Calls `f` with every cell whose region may touch the box and where feet can be at one of these heights,
    /// jumping or falling included; it may name more.
    pub(crate) fn for_each_touching(
        &self,
        (low, high): (Point2, Point2),
        feet: ZRange,
        f: impl FnMut(CellId, &Cell),
    ) {
        self.columns.for_each_touching(&self.cells, &self.player, (low, high), feet, f);
    }

    /// Calls `f` with every cell from which an eye can be at this point, leaning, crouching or jumping.
    pub fn for_each_eye_cell(&self, eye: Point3, f: impl FnMut(CellId)) {
        let heights = |cell: &Cell| cell.eye_heights(&self.player);
        self.columns.for_each_around(&self.cells, eye, self.player.lean, heights, f);
    }

    /// Calls `f` with every cell of which a body can have a visible point here, jumping included.
    pub fn for_each_body_cell(&self, point: Point3, f: impl FnMut(CellId)) {
        let heights = |cell: &Cell| cell.body_heights(&self.player);
        self.columns.for_each_around(&self.cells, point, self.player.sight_radius, heights, f);
    }
}

/// Refuses a column with too many cells.
fn check_columns(cells: &[Cell], size: f64) -> Result<(), TooManyCells> {
    let limit = MAX_COLUMN_CELLS;
    match cells.chunk_by(|a, b| a.column == b.column).find(|column| column.len() > limit) {
        Some(column) => {
            let (x, y) = column[0].column;
            let middle = |at: i32| (f64::from(at) + 0.5) * size;
            Err(TooManyCells::Column { limit, x_m: middle(x), y_m: middle(y) })
        }
        None => Ok(()),
    }
}

/// What cells are made of.
struct Ground<'a> {
    patches: Vec<Patch>,
    buckets: Buckets,
    walls: &'a Walls<'a>,
    player: &'a Player,
    size: f64,
}

impl<'a> Ground<'a> {
    fn build(map: &'a Map, walls: &'a Walls<'a>, limit: usize) -> Result<Self, TooManyCells> {
        let (patches, size) = (floors::patches(&map.floors), map.cell_size);
        let buckets = Buckets::build(&patches, size, limit)?;
        let mut ground = Self { patches, buckets, walls, player: &map.player, size };
        ground.patches = edges::widened(&ground);
        ground.buckets = Buckets::build(&ground.patches, size, limit)?;
        Ok(ground)
    }

    /// The patches near a box: all that touch it are among them.
    fn patches_in(&self, low: Point2, high: Point2) -> Vec<&Patch> {
        let mut found = Vec::new();
        self.buckets.touching(low, high, self.size, &mut found);
        found.iter().map(|i| &self.patches[*i as usize]).collect()
    }

    /// Gives each cell its ceiling.
    fn cover(&self, cells: &mut [Cell]) {
        cells.par_iter_mut().for_each(|cell| {
            let (low, high) = cell.region.bounds();
            let reach = Vector2::new(self.player.radius, self.player.radius);
            let walls = self.walls.touching(low - reach, high + reach);
            cell.ceiling = round::ceiling(ceiling::over(&cell.region, cell.feet, &walls, self.player));
        });
    }

    /// The cells of one column, given its entries in the buckets.
    fn column(&self, (column, entries): floors::Column) -> Vec<Cell> {
        let corner = |dx: i32, dy: i32| {
            Point2::new(f64::from(column.0 + dx) * self.size, f64::from(column.1 + dy) * self.size)
        };
        let (low, high) = (corner(0, 0), corner(1, 1));
        let reach = Vector2::new(self.player.radius, self.player.radius);
        let walls = self.walls.touching(low - reach, high + reach);
        let near = self.patches_in(low - reach, high + reach);
        let fragments = entries
            .iter()
            .filter_map(|(_, index)| {
                let patch = &self.patches[*index as usize];
                let part = clip_to_box(&patch.outline, low, high)?;
                let (region, feet) = self.reachable(part, patch, &near, &walls)?;
                Some(Fragment { region, patch, feet })
            })
            .collect();
        layers::join(fragments, column, self.player.step)
    }

    /// The part of a floor part that centres reach, and the heights of feet over it.
    fn reachable(
        &self,
        part: ConvexPolygon,
        patch: &Patch,
        near: &[&Patch],
        walls: &[&Wall],
    ) -> Option<(ConvexPolygon, ZRange)> {
        /// Rounds of trimming, each with the heights of what the last one left; fewer only trim less.
        const ROUNDS: usize = 4;
        let feet = |region: &ConvexPolygon| {
            let own = patch.heights(region);
            ZRange::new(own.low, drops::highest_feet(region, own, near, walls, self.player))
        };
        let mut region = part;
        let mut heights = feet(&region);
        for _ in 0..ROUNDS {
            let trimmed = trim::trim(&region, heights, walls, self.player)?;
            if trimmed == region {
                break;
            }
            region = trimmed;
            heights = feet(&region);
        }
        Some((region, heights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_storeys_than_a_column_may_have_are_an_error_with_their_place() {
        let region = ConvexPolygon::rectangle(Point2::new(1.0, 1.5), Point2::new(1.5, 2.0));
        let cell = |storey: usize| {
            let feet = ZRange::new(storey as f64 * 3.0, storey as f64 * 3.0);
            Cell { region: region.clone(), feet, ceiling: f64::INFINITY, column: (2, 3) }
        };
        let mut cells: Vec<Cell> = (0..MAX_COLUMN_CELLS).map(cell).collect();
        cells.push(Cell { column: (3, 3), ..cell(0) });
        assert_eq!(check_columns(&cells, 0.5), Ok(()));
        cells.insert(0, cell(0));
        let error = check_columns(&cells, 0.5).unwrap_err();
        assert_eq!(error, TooManyCells::Column { limit: 1_024, x_m: 1.25, y_m: 1.75 });
        let text = error.to_string();
        assert!(
            text.starts_with("more than 1024 cells lie over each other at (1.25, 1.75): join floors"),
            "{text}"
        );
    }
}
