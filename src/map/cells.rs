//! Cells: where bodies can be, cut into small convex regions with a range of heights.
//!
//! Owns their making from floors and walls, their order and the look-ups.
//! Promises: every centre that a body on a floor can have lies in a cell; a cell depends on nothing farther
//! than the next column and a body's radius; the order of floors in the file changes nothing.
//! Must not know visibility.

mod drops;
mod floors;
mod layers;
mod lookup;
mod polygon;
mod trim;

use crate::geom::{ConvexPolygon, Point2, Point3, ZRange};
use crate::map::{CellId, MAX_CELLS, Map, Player, Solids};
use floors::{Buckets, Patch};
use layers::Fragment;
use lookup::Columns;
use thiserror::Error;

/// Floor parts looked at per allowed cell, before trimming and joining.
const FRAGMENTS_PER_CELL: usize = 64;

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
    /// Column of the grid: the region's coordinates divided by the cell size, rounded down.
    pub column: (i32, i32),
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
        let patches = floors::patches(&map.floors);
        let fragments = limit.saturating_mul(FRAGMENTS_PER_CELL);
        let buckets = Buckets::build(&patches, map.cell_size, fragments)?;
        let mut cells = Vec::new();
        let mut near = Vec::new();
        let reach = ((map.player.radius / map.cell_size).ceil()).clamp(1.0, 64.0) as i32;
        for (column, entries) in buckets.columns() {
            buckets.around(column, reach, &mut near);
            let near: Vec<&Patch> = near.iter().map(|i| &patches[*i as usize]).collect();
            let own: Vec<&Patch> = entries.iter().map(|(_, i)| &patches[*i as usize]).collect();
            build_column(map, solids, column, (&own, &near), &mut cells);
            if cells.len() > limit {
                return Err(TooManyCells::Cells { limit });
            }
        }
        cells.sort_by(layers::cell_order);
        Ok(Self::from_parts(layers::absorb_slivers(cells, map.player.step), map.player, map.cell_size))
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

    /// Calls `f` with every cell from which an eye can be at this point, leaning, crouching or jumping.
    pub fn for_each_eye_cell(&self, eye: Point3, f: impl FnMut(CellId)) {
        self.columns.for_each_around(&self.cells, eye, self.player.lean, self.player.eye_range(), f);
    }

    /// Calls `f` with every cell of which a body can have a visible point here, jumping included.
    pub fn for_each_body_cell(&self, point: Point3, f: impl FnMut(CellId)) {
        self.columns.for_each_around(
            &self.cells,
            point,
            self.player.sight_radius,
            self.player.body_range(),
            f,
        );
    }
}

/// Appends the cells of one column, given its own patches and those near it.
fn build_column(
    map: &Map,
    solids: &Solids,
    column: (i32, i32),
    (own, near): (&[&Patch], &[&Patch]),
    out: &mut Vec<Cell>,
) {
    let size = map.cell_size;
    let corner =
        |dx: i32, dy: i32| Point2::new(f64::from(column.0 + dx) * size, f64::from(column.1 + dy) * size);
    let (low, high) = (corner(0, 0), corner(1, 1));
    let walls = trim::walls_near(solids, &map.player, low, high);
    let fragments = own
        .iter()
        .filter_map(|patch| {
            let part = polygon::clip_to_box(&patch.outline, low, high)?;
            let (region, feet) = reachable(part, patch, near, &walls, &map.player)?;
            Some(Fragment { region, patch, feet })
        })
        .collect();
    layers::join(fragments, column, map.player.step, out);
}

/// The part of a floor part that centres reach, and the heights of feet over it.
fn reachable(
    part: ConvexPolygon,
    patch: &Patch,
    near: &[&Patch],
    walls: &[trim::Wall],
    player: &Player,
) -> Option<(ConvexPolygon, ZRange)> {
    /// Rounds of trimming, each with the heights of what the last one left; fewer only trim less.
    const ROUNDS: usize = 4;
    let mut region = part;
    for _ in 0..ROUNDS {
        let own = patch.heights(&region);
        let feet = ZRange::new(own.low, drops::highest_feet(&region, own, near, walls, player));
        let trimmed = trim::trim(&region, feet, walls, player)?;
        if trimmed == region {
            return Some((region, feet));
        }
        region = trimmed;
    }
    let own = patch.heights(&region);
    let high = drops::highest_feet(&region, own, near, walls, player);
    Some((region, ZRange::new(own.low, high)))
}
