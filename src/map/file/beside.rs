//! Which cells lie beside each other.
//!
//! Owns the four neighbours of a cell by which its sight is foretold. Promises: one answer for one list of cells,
//! in any order. Must not know bits.

use crate::map::Cell;

/// Marks an empty slot, and the end of a chain of cells.
const NONE: u32 = u32::MAX;

/// Cells by column, as far as they were added.
pub(super) struct Columns {
    /// The last cell of a column, at the column's hash or behind it.
    slots: Vec<u32>,
    /// By cell: the one before it in its column.
    before: Vec<u32>,
    columns: Vec<(i32, i32)>,
}

impl Columns {
    /// No cells yet, of `most` that may be added.
    pub(super) fn new(most: usize) -> Self {
        let slots = (most * 2 + 1).next_power_of_two();
        Self { slots: vec![NONE; slots], before: Vec::with_capacity(most), columns: Vec::with_capacity(most) }
    }

    /// Adds the next cell.
    pub(super) fn push(&mut self, column: (i32, i32)) {
        let (slot, id) = (self.slot(column), self.columns.len() as u32);
        self.before.push(self.slots[slot]);
        self.columns.push(column);
        self.slots[slot] = id;
    }

    /// The slot of a column, or the empty one where it would be.
    fn slot(&self, column: (i32, i32)) -> usize {
        let key = u64::from(column.0 as u32) << 32 | u64::from(column.1 as u32);
        let key = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let last = self.slots.len() - 1;
        let mut slot = (key ^ key >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) as usize >> 20 & last;
        while self.slots[slot] != NONE && self.columns[self.slots[slot] as usize] != column {
            slot = (slot + 1) & last;
        }
        slot
    }

    /// The last cell of a column.
    pub(super) fn last(&self, column: (i32, i32)) -> Option<usize> {
        let id = self.slots[self.slot(column)];
        (id != NONE).then_some(id as usize)
    }

    /// The cells of a column, the last first.
    fn cells(&self, column: (i32, i32)) -> impl Iterator<Item = usize> {
        std::iter::successors(self.last(column), |&id| {
            (self.before[id] != NONE).then_some(self.before[id] as usize)
        })
    }
}

/// The sides of a cell.
pub(super) const WEST: usize = 0;
pub(super) const SOUTH: usize = 1;
pub(super) const EAST: usize = 2;
pub(super) const NORTH: usize = 3;

/// By side and cell: the cell beside it. West and south are earlier cells but of cell 0; east and north are later
/// ones or the cell itself.
pub(super) fn beside(cells: &[Cell]) -> [Vec<u32>; 4] {
    let mut columns = Columns::new(cells.len());
    cells.iter().for_each(|cell| columns.push(cell.column));
    let mut sides: [Vec<u32>; 4] = std::array::from_fn(|_| Vec::with_capacity(cells.len()));
    for (id, cell) in cells.iter().enumerate() {
        let next = |dx: i32, dy: i32| -> Option<usize> {
            let (x, y) = (cell.column.0.checked_add(dx)?, cell.column.1.checked_add(dy)?);
            let there = columns.cells((x, y)).filter(|&other| (other < id) == (dx + dy < 0));
            // The first of the nearest: chains run backwards.
            there.min_by(|&a, &b| {
                let apart = |other: usize| (middle(&cells[other]) - middle(cell)).abs();
                apart(a).total_cmp(&apart(b)).then(a.cmp(&b))
            })
        };
        let west = next(-1, 0);
        let before = |count: usize| id.saturating_sub(count);
        let south = if west == Some(before(1)) { before(2) } else { before(1) };
        sides[WEST].push(west.unwrap_or(before(1)) as u32);
        sides[SOUTH].push(next(0, -1).unwrap_or(south) as u32);
        sides[EAST].push(next(1, 0).unwrap_or(id) as u32);
        sides[NORTH].push(next(0, 1).unwrap_or(id) as u32);
    }
    sides
}

/// Twice the middle of a cell's feet.
fn middle(cell: &Cell) -> f64 {
    cell.feet.low + cell.feet.high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::{ConvexPolygon, Point2, ZRange};

    fn cell(column: (i32, i32), height: f64) -> Cell {
        let region = ConvexPolygon::from_ccw(vec![Point2::new(0.0, 0.0)]);
        Cell { region, feet: ZRange::new(height, height + 0.1), ceiling: f64::INFINITY, column }
    }

    #[test]
    fn the_nearest_storey_is_beside() {
        let storeys = [0.0, 3.0];
        let cells: Vec<Cell> = [(0, 0), (1, 0), (0, 1), (1, 1)]
            .into_iter()
            .flat_map(|column| storeys.map(|height| cell(column, height)))
            .collect();
        let sides = beside(&cells);
        assert_eq!(sides[WEST], [0, 0, 0, 1, 3, 4, 4, 5]);
        assert_eq!(sides[SOUTH], [0, 0, 1, 2, 0, 1, 2, 3]);
        assert_eq!(sides[EAST], [2, 3, 2, 3, 6, 7, 6, 7]);
        assert_eq!(sides[NORTH], [4, 5, 6, 7, 4, 5, 6, 7]);
    }

    #[test]
    fn columns_at_the_ends_of_the_grid_have_nothing_beyond() {
        let cells = [cell((i32::MIN, i32::MIN), 0.0), cell((i32::MAX, i32::MAX), 0.0)];
        assert_eq!(beside(&cells), [vec![0, 0], vec![0, 0], vec![0, 1], vec![0, 1]]);
    }
}
