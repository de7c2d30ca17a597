//! The cells as a section of a baked file.
//!
//! Owns how a cell is spelt by its column and the cells beside it. Promises: the cells come back equal; reading is
//! total and canonical. Must not know rows.

use super::geometry::{code_z, length};
use super::range::{Coder, Odds};
use super::rings::{Points, Shape};
use super::wire::{Guess, Kind, Reader, Role, Values, Writer, Wrong};
use crate::geom::{ConvexPolygon, Point2, ZRange};
use crate::map::Cell;
use crate::map::cells::{MAX_COLUMN_CELLS, column_place};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// The cells' section.
pub(super) fn write_cells(cells: &[Cell], edge: f64) -> Vec<u8> {
    let mut values = Writer::new();
    let written = code_cells(&mut values, cells, edge);
    debug_assert!(written.is_ok(), "{:?}", written.err());
    values.finish()
}

/// Reads [`write_cells`]'s bytes: at most `most` cells, and their edge.
pub(super) fn read_cells(bytes: &[u8], most: usize) -> Result<(Vec<Cell>, f64), Wrong> {
    let mut values = Reader::new(bytes)?;
    let (cells, edge) = code_cells(&mut values, &[], 0.0)?;
    values.end()?;
    if cells.len() <= most { Ok((cells, edge)) } else { Err("as many cells as the header says") }
}

/// The cells before one.
struct Ground {
    points: Points,
    edge: f64,
    last: (i32, i32),
    /// Cells of the last column so far.
    in_column: usize,
    /// The feet and the ceiling of the last cell of each column.
    heights: HashMap<(i32, i32), (ZRange, f64), RandomState>,
    whole: [Odds; 4],
    /// Whether the last two cells filled their columns.
    history: usize,
}

fn code_cells<C: Coder>(
    values: &mut Values<C>,
    cells: &[Cell],
    edge: f64,
) -> Result<(Vec<Cell>, f64), Wrong> {
    let edge = length(values, edge)?;
    let mut ground = Ground {
        points: Points::new(),
        edge,
        last: (0, 0),
        in_column: 0,
        heights: HashMap::default(),
        whole: [Odds::EVEN; 4],
        history: 0,
    };
    let cells = values.many(Kind::Elements, cells, |values, cell| ground.cell(values, cell))?;
    Ok((cells, edge))
}

impl Ground {
    fn cell<C: Coder>(&mut self, values: &mut Values<C>, cell: Option<&Cell>) -> Result<Cell, Wrong> {
        let column = cell.map_or((0, 0), |cell| cell.column);
        let x = code_column(values, self.last.0, column.0)?;
        let y = code_column(values, self.last.1, column.1)?;
        let column = (x, y);
        if !C::WRITES {
            self.check_place(column)?;
        }
        let (feet, ceiling) = self.heights(values, column, cell)?;
        let corners = cell.map_or(&[][..], |cell| cell.region.vertices());
        let region = self.region(values, column, corners)?;
        self.last = column;
        self.heights.insert(column, (feet, ceiling));
        Ok(Cell { region: ConvexPolygon::from_ccw(region), feet, ceiling, column })
    }

    /// Columns come in their order, and a column's cells together.
    fn check_place(&mut self, column: (i32, i32)) -> Result<(), Wrong> {
        let is_next = self.in_column == 0 || column_place(self.last) < column_place(column);
        self.in_column = if is_next { 1 } else { self.in_column + 1 };
        match (is_next || self.last == column, self.in_column <= MAX_COLUMN_CELLS) {
            (false, _) => Err("columns in their order"),
            (true, false) => Err("fewer cells in a column"),
            (true, true) => Ok(()),
        }
    }

    fn heights<C: Coder>(
        &self,
        values: &mut Values<C>,
        (x, y): (i32, i32),
        cell: Option<&Cell>,
    ) -> Result<(ZRange, f64), Wrong> {
        let at = |dx: i32, dy: i32| self.heights.get(&(x.wrapping_sub(dx), y.wrapping_sub(dy)));
        let (west, south, corner) = (at(1, 0), at(0, 1), at(1, 1));
        let none = (ZRange::new(f64::NAN, f64::NAN), f64::NAN);
        let (like, over) = west.or(south).or(at(0, 0)).copied().unwrap_or(none);
        // A plane through three neighbours, in whole millimetres.
        let near = match (west, south, corner) {
            (Some((west, _)), Some((south, _)), Some((corner, _))) => {
                ((west.low + south.low - corner.low) * 1000.0).round() / 1000.0
            }
            _ => like.low,
        };
        let feet = code_z(values, like, near, cell.map(|cell| cell.feet))?;
        if !(feet.low.is_finite() && feet.high.is_finite()) {
            return Err("finite feet");
        }
        let guess = Guess { near: feet.high, ..Guess::of([over, f64::INFINITY]) };
        let ceiling = values.number(Role::Other, guess, cell.map_or(0.0, |cell| cell.ceiling))?;
        if ceiling >= feet.high { Ok((feet, ceiling)) } else { Err("a ceiling over the feet") }
    }

    fn region<C: Coder>(
        &mut self,
        values: &mut Values<C>,
        column: (i32, i32),
        corners: &[Point2],
    ) -> Result<Vec<Point2>, Wrong> {
        let along = |column: i32| [0, 1].map(|step| (f64::from(column) + f64::from(step)) * self.edge);
        let ([x0, x1], [y0, y1]) = (along(column.0), along(column.1));
        let square = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| Point2::new(x, y));
        let whole = values.coder.odd(&mut self.whole[self.history], same(corners, &square));
        self.history = (self.history << 1 | usize::from(whole)) & 3;
        if whole {
            return Ok(square.to_vec());
        }
        let guesses = [[x0, x1], [y0, y1]].map(|marks| Guess { near: marks[0], ..Guess::of(marks) });
        let region = self.points.ring(values, Shape::Cell, guesses, None, corners, |_, _, _| Ok(()))?;
        if region.is_empty() {
            return Err("a vertex");
        }
        if same(&region, &square) { Err("a whole cell's spelling") } else { Ok(region) }
    }
}

/// Whether all bits are the same: 0 has two spellings.
fn same(a: &[Point2], b: &[Point2]) -> bool {
    let bits = |point: &Point2| [point.x.to_bits(), point.y.to_bits()];
    a.iter().map(bits).eq(b.iter().map(bits))
}

fn code_column<C: Coder>(values: &mut Values<C>, last: i32, column: i32) -> Result<i32, Wrong> {
    let step = values.int(Kind::Column, i64::from(column) - i64::from(last))?;
    let column = i64::from(last).checked_add(step);
    column.and_then(|column| i32::try_from(column).ok()).ok_or("a column")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_at_minus_zero_and_a_ceiling_come_back_with_their_bits() {
        let square = |zero: f64| {
            let corners = [(zero, 0.0), (1.0, 0.0), (1.0, 1.0), (zero, 1.0)];
            ConvexPolygon::from_ccw(corners.map(|(x, y)| Point2::new(x, y)).to_vec())
        };
        let cell = |zero: f64, ceiling: f64| Cell {
            region: square(zero),
            feet: ZRange::new(0.0, 0.25),
            ceiling,
            column: (0, 0),
        };
        let cells = [cell(-0.0, 2.5), cell(0.0, f64::INFINITY), cell(0.0, 2.5)];
        let (read, edge) = read_cells(&write_cells(&cells, 1.0), 3).expect("its own bytes");
        assert_eq!((&read[..], edge), (&cells[..], 1.0));
        let signs = read.iter().map(|cell| cell.region.vertices()[0].x.is_sign_negative());
        assert_eq!(signs.collect::<Vec<_>>(), [true, false, false]);
        assert!(read_cells(&write_cells(&cells, 1.0), 2).is_err());
    }

    #[test]
    fn cells_out_of_the_order_of_their_columns_or_too_many_in_one_are_refused() {
        let read = |columns: &[(i32, i32)]| {
            let region = ConvexPolygon::rectangle(Point2::new(0.0, 0.0), Point2::new(1.0, 1.0));
            let feet = ZRange::new(0.0, 0.0);
            let cell = |&column: &(i32, i32)| Cell { region: region.clone(), feet, ceiling: 2.0, column };
            let cells: Vec<Cell> = columns.iter().map(cell).collect();
            read_cells(&write_cells(&cells, 1.0), cells.len()).map(|(read, _)| assert!(read == cells))
        };
        assert_eq!(read(&[(-1, -1), (0, 0), (0, 0), (1, 0), (0, 1), (1, 1)]), Ok(()));
        for columns in [[(0, 0), (1, 0), (0, 0)], [(0, 0), (0, 1), (1, 0)], [(0, 0), (0, 0), (-1, 0)]] {
            assert_eq!(read(&columns), Err("columns in their order"), "{columns:?}");
        }
        assert_eq!(read(&vec![(3, 4); MAX_COLUMN_CELLS]), Ok(()));
        assert_eq!(read(&vec![(3, 4); MAX_COLUMN_CELLS + 1]), Err("fewer cells in a column"));
    }
}
