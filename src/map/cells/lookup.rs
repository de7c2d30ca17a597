//! From a point to cells.
//!
//! Owns the table of columns and the rules of membership.
//! Promises: no allocation, O(1) in the number of cells; a point off the cells, not finite or far away gives
//! nothing, never cell 0.
//! Must not know how cells are made.

use super::Cell;
use super::floors::morton;
use super::layers::MAX_OVERHANG_M;
use crate::geom::{Point2, Point3, ZRange};
use crate::map::{CellId, Player};

/// How far outside a cell's region or heights a point still belongs to it, metres.
///
/// Takes up rounding of positions held in f32. Beside other cells it errs to more of them, which show more; a point that
/// is off all cells by less than this is answered for as if it were on them.
const TOLERANCE_M: f64 = 1e-4;

/// How far under a floor feet still count as standing on it, metres.
///
/// Floors taken from navigation meshes float 5 to 14 cm over the ground that recorded bodies stand on. It
/// risks a pop-in where nothing but that lowest part of a body can be seen; [`Columns::for_each_around`],
/// which judges points and not bodies, allows nothing of the kind.
const FLOATING_FLOOR_M: f64 = 0.15;

/// An open-addressed table from a column to its first cell.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    slots: Vec<u32>,
    low: (i32, i32),
    high: (i32, i32),
    size: f64,
}

/// A slot without a column; ids stay below it because the number of cells does.
const EMPTY: u32 = u32::MAX;

impl Columns {
    /// The table of sorted `cells`.
    pub(super) fn build(cells: &[Cell], size: f64) -> Self {
        let mut table = Self {
            slots: vec![EMPTY; (cells.len() * 2 + 1).next_power_of_two()],
            low: (i32::MAX, i32::MAX),
            high: (i32::MIN, i32::MIN),
            size,
        };
        for (id, cell) in cells.iter().enumerate() {
            let column = cell.column;
            table.low = (table.low.0.min(column.0), table.low.1.min(column.1));
            table.high = (table.high.0.max(column.0), table.high.1.max(column.1));
            if id == 0 || cells[id - 1].column != column {
                let mut slot = table.home(column);
                while table.slots[slot] != EMPTY {
                    slot = (slot + 1) & (table.slots.len() - 1);
                }
                table.slots[slot] = id as u32;
            }
        }
        table
    }

    fn home(&self, column: (i32, i32)) -> usize {
        (morton(column).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.slots.len() - 1)
    }

    fn first(&self, cells: &[Cell], column: (i32, i32)) -> Option<usize> {
        let mut slot = self.home(column);
        loop {
            let id = self.slots[slot];
            if id == EMPTY {
                return None;
            }
            if cells[id as usize].column == column {
                return Some(id as usize);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Every cell whose column comes within `reach` of `p`, and perhaps some more.
    fn for_each_near(&self, cells: &[Cell], p: Point2, reach: f64, mut f: impl FnMut(usize)) {
        let range = |at: f64, low: i32, high: i32| {
            // The casts saturate, and NaN becomes 0, which the distance test then rejects.
            let from = ((at - reach) / self.size).floor() as i32;
            let to = ((at + reach) / self.size).floor() as i32;
            (from.max(low), to.min(high))
        };
        let (x0, x1) = range(p.x, self.low.0, self.high.0);
        let (y0, y1) = range(p.y, self.low.1, self.high.1);
        if x0 > x1 || y0 > y1 {
            return;
        }
        let window = (i64::from(x1) - i64::from(x0) + 1).saturating_mul(i64::from(y1) - i64::from(y0) + 1);
        if window > cells.len() as i64 {
            (0..cells.len()).for_each(f);
            return;
        }
        for y in y0..=y1 {
            for x in x0..=x1 {
                let Some(first) = self.first(cells, (x, y)) else { continue };
                let mut id = first;
                while id < cells.len() && cells[id].column == (x, y) {
                    f(id);
                    id += 1;
                }
            }
        }
    }

    /// Cells whose region is within `distance` of the point and whose `heights` hold its z.
    pub(super) fn for_each_around(
        &self,
        cells: &[Cell],
        point: Point3,
        distance: f64,
        heights: impl Fn(&Cell) -> ZRange,
        mut f: impl FnMut(CellId),
    ) {
        let near = distance + TOLERANCE_M;
        self.for_each_near(cells, point.xy(), near + MAX_OVERHANG_M, |id| {
            let cell = &cells[id];
            let z = point.z;
            let ZRange { low, high } = heights(cell);
            let holds = low - TOLERANCE_M <= z && z <= high + TOLERANCE_M;
            if holds && cell.region.distance(point.xy()) <= near {
                f(CellId(id as u32));
            }
        });
    }

    /// Cells whose box touches the box and whose feet, jumping and floating included, can be at these heights.
    pub(super) fn for_each_touching(
        &self,
        cells: &[Cell],
        player: &Player,
        (low, high): (Point2, Point2),
        feet: ZRange,
        mut f: impl FnMut(CellId, &Cell),
    ) {
        let half = 0.5 * (high - low).amax() + TOLERANCE_M;
        self.for_each_near(cells, nalgebra::center(&low, &high), half + MAX_OVERHANG_M, |id| {
            let cell = &cells[id];
            let (min, max) = cell.region.bounds();
            let touches = min.x <= high.x + TOLERANCE_M
                && low.x <= max.x + TOLERANCE_M
                && min.y <= high.y + TOLERANCE_M
                && low.y <= max.y + TOLERANCE_M;
            let holds = feet.high >= cell.feet.low - FLOATING_FLOOR_M - TOLERANCE_M
                && feet.low <= cell.feet.high + player.jump + TOLERANCE_M;
            if touches && holds {
                f(CellId(id as u32), cell);
            }
        });
    }

    /// The cell that feet at this point are on.
    ///
    /// Of several, the one whose standing heights are nearest to the feet, then the highest floor, then
    /// the nearest region, then the first.
    pub(super) fn cell_at(&self, cells: &[Cell], player: &Player, feet: Point3) -> Option<CellId> {
        let mut best: Option<((f64, f64, f64), CellId)> = None;
        let heights = |cell: &Cell| {
            let ZRange { low, high } = cell.feet;
            ZRange::new(low - FLOATING_FLOOR_M, (high + player.jump).min(cell.ceiling.max(high)))
        };
        self.for_each_around(cells, feet, 0.0, heights, |id| {
            let cell = &cells[id.0 as usize];
            let above = (feet.z - cell.feet.high).max(cell.feet.low - feet.z).max(0.0);
            let rank = (above, -cell.feet.low, cell.region.distance(feet.xy()));
            if best.is_none_or(|(held, _)| rank < held) {
                best = Some((rank, id));
            }
        });
        best.map(|(_, id)| id)
    }
}
