//! Where a cell is, in words for reports.
//!
//! Owns the naming of places. Promises: a cell outside every area is named by its coordinates alone.
//! Must not know what is reported.

use fogwall::{Cell, Map, Point2};
use serde::Serialize;

/// A cell's place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Place {
    /// Index of the cell.
    pub(crate) cell: u32,
    /// Middle of its region and its lowest feet, metres.
    pub(crate) at: [f64; 3],
    /// The area that holds it, the first of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) area: Option<String>,
}

impl Place {
    /// The place of `cell`, which has the index `id`.
    pub(crate) fn of(map: &Map, id: u32, cell: &Cell) -> Self {
        let middle = cell.region.center();
        let area = map.areas.iter().find(|area| holds(&area.outline, middle));
        let round = |value: f64| (value * 1e3).round() / 1e3;
        let at = [round(middle.x), round(middle.y), round(cell.feet.low)];
        Self { cell: id, at, area: area.map(|area| area.name.clone()) }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [x, y, z] = self.at;
        write!(f, "({x:.2}, {y:.2}, {z:.2})")?;
        self.area.as_ref().map_or(Ok(()), |area| write!(f, " {area}"))
    }
}

/// Whether an odd number of edges lies right of the point.
fn holds(outline: &[Point2], p: Point2) -> bool {
    let edges = outline.iter().zip(outline.iter().cycle().skip(1));
    let crossed = edges
        .filter(|(a, b)| (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y));
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_in_the_hollow_of_an_l_or_not() {
        let l = [(0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (1.0, 4.0), (0.0, 4.0)]
            .map(|(x, y)| Point2::new(x, y));
        assert!(holds(&l, Point2::new(0.5, 3.0)) && holds(&l, Point2::new(3.0, 0.5)));
        assert!(!holds(&l, Point2::new(3.0, 3.0)) && !holds(&l, Point2::new(-1.0, 0.5)));
    }
}
