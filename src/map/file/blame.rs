//! Which solids leave pairs of cells unresolved, so that a designer knows what to mend.
//!
//! Owns the attribution. Promises: the same counts for the same bake, whatever the threads.
//! Must not know the file.

use crate::geom::Point3;
use crate::map::{Cell, CellId, Cells, Map, Mask, Pvs, Solids};
use rayon::prelude::*;

/// Unresolved pairs by solid of `map`: each counts for the solid that stops the line between the middles of the
/// two cells, from a standing eye to half a body's height; for none where that line is free.
pub(super) fn unresolved_by_solid(map: &Map, solids: &Solids, cells: &Cells, pvs: &Pvs) -> Vec<u64> {
    let point = |cell: &Cell, over: f64| {
        let middle = cell.region.center();
        Point3::new(middle.x, middle.y, (cell.feet.low + cell.feet.high) * 0.5 + over)
    };
    let count_row = |mut counts: Vec<u64>, id: u32| {
        let eye = point(cells.get(CellId(id)), map.player.eye_standing);
        let mut last = None;
        for other in pvs.unresolved_row(CellId(id)).iter() {
            let body = point(cells.get(other), map.player.height * 0.5);
            // The cache names one of several blockers by what came before it in this row alone.
            last = solids.blocker(eye, body, Mask::Sight, last);
            if let Some(piece) = last {
                counts[solids.pieces()[piece.0 as usize].solid as usize] += 1;
            }
        }
        counts
    };
    let none = || vec![0; map.solids.len()];
    let sum = |mut a: Vec<u64>, b: Vec<u64>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    (0..cells.len() as u32).into_par_iter().fold(none, count_row).reduce(none, sum)
}
