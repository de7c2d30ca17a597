//! From floor parts in a column to cells: layers, and slivers given to a neighbour.
//!
//! Owns which parts are one cell, and where cells too thin to stand on go.
//! Promises: the same cells whatever the order of floors; no reachable centre is lost.
//! Must not know walls or look-ups.

use super::Cell;
use super::edges::EDGE_M;
use super::floors::{Patch, morton};
use super::polygon::{order, overhang};
use crate::geom::{ConvexPolygon, Point2, ZRange, clip_near, compare, width};
use std::cmp::Ordering;

/// Parts closer than this touch: floors are often drawn with seams. Errs to larger cells, which show more.
const TOUCH_M: f64 = 0.01;

/// Cells thinner than this are given to a neighbour: what trimming leaves, and floors widened into the next
/// column.
const SLIVER_M: f64 = EDGE_M + 0.02;

/// How far a cell may grow out of its column by taking in slivers.
pub(in crate::map) const MAX_OVERHANG_M: f64 = 1.5 * SLIVER_M;

/// A floor part that bodies reach.
pub(super) struct Fragment<'a> {
    pub(super) region: ConvexPolygon,
    pub(super) patch: &'a Patch,
    pub(super) feet: ZRange,
}

/// The cells of one column: parts that a step joins are one.
pub(super) fn join(mut fragments: Vec<Fragment>, column: (i32, i32), step: f64) -> Vec<Cell> {
    let mut out = Vec::new();
    fragments.sort_by(|a, b| by_height(&a.feet, &b.feet).then_with(|| order(&a.region, &b.region)));
    let mut group: Vec<usize> = (0..fragments.len()).collect();
    for i in 0..fragments.len() {
        for j in 0..i {
            if group[i] != group[j] && joined(&fragments[i], &fragments[j], step) {
                let (keep, drop) = (group[i].min(group[j]), group[i].max(group[j]));
                group.iter_mut().filter(|g| **g == drop).for_each(|g| *g = keep);
            }
        }
    }
    for leader in 0..fragments.len() {
        let members = || (0..fragments.len()).filter(|i| group[*i] == leader).map(|i| &fragments[i]);
        let points: Vec<Point2> = members().flat_map(|f| f.region.vertices().iter().copied()).collect();
        let Some(region) = ConvexPolygon::hull(&points) else { continue };
        let feet = members().map(|f| f.feet).reduce(ZRange::hull);
        out.extend(feet.map(|feet| Cell { region, feet, ceiling: f64::INFINITY, column }));
    }
    out
}

/// Whether the floors of two parts come within a step of each other where they touch.
fn joined(a: &Fragment, b: &Fragment, step: f64) -> bool {
    let Some(near_a) = clip_near(&a.region, &b.region, TOUCH_M) else { return false };
    let Some(near_b) = clip_near(&b.region, &a.region, TOUCH_M) else { return false };
    rise(a.patch.heights(&near_a), b.patch.heights(&near_b)) <= step
}

/// The least difference between heights of two ranges.
pub(super) fn rise(a: ZRange, b: ZRange) -> f64 {
    (a.low - b.high).max(b.low - a.high).max(0.0)
}

fn by_height(a: &ZRange, b: &ZRange) -> Ordering {
    compare(a.low, b.low).then(compare(a.high, b.high))
}

/// The final order: column, then height, then place.
pub(super) fn cell_order(a: &Cell, b: &Cell) -> Ordering {
    morton(a.column)
        .cmp(&morton(b.column))
        .then_with(|| by_height(&a.feet, &b.feet))
        .then_with(|| order(&a.region, &b.region))
}

/// Gives each sliver to the cell beside it that has to grow least; one with no such neighbour stays a cell.
///
/// Slivers are taken in by full cells only, as they were before any was, so that the outcome depends on
/// neither order nor on anything farther than the next column.
pub(super) fn absorb_slivers(cells: Vec<Cell>, step: f64) -> Vec<Cell> {
    let thin: Vec<bool> = cells.iter().map(|c| width(&c.region) < SLIVER_M).collect();
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for sliver in (0..cells.len()).filter(|i| thin[*i]) {
        let best = neighbours(&cells, cells[sliver].column)
            .filter(|i| !thin[*i] && rise(cells[*i].feet, cells[sliver].feet) <= step)
            .map(|i| (overhang(&cells[sliver].region, &cells[i].region), i))
            .filter(|(reach, _)| *reach <= MAX_OVERHANG_M)
            // In whole micrometres, then by column: ties fall alike wherever the map lies.
            .min_by_key(|(reach, i)| ((reach * 1e6).round() as u64, cells[*i].column, *i));
        taken.extend(best.map(|(_, host)| (host, sliver)));
    }
    let mut grown = cells.clone();
    for (host, sliver) in &taken {
        let both = [&grown[*host].region, &cells[*sliver].region];
        let points: Vec<Point2> = both.iter().flat_map(|r| r.vertices().iter().copied()).collect();
        if let Some(region) = ConvexPolygon::hull(&points) {
            grown[*host].region = region;
        }
        grown[*host].feet = grown[*host].feet.hull(cells[*sliver].feet);
    }
    let mut gone = vec![false; cells.len()];
    taken.iter().for_each(|(_, sliver)| gone[*sliver] = true);
    let mut kept: Vec<Cell> = grown.into_iter().zip(gone).filter(|(_, gone)| !gone).map(|(c, _)| c).collect();
    kept.sort_by(cell_order);
    kept
}

/// Cells of the nine columns around `column`; `cells` are sorted.
fn neighbours(cells: &[Cell], column: (i32, i32)) -> impl Iterator<Item = usize> + '_ {
    let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
    around.flat_map(move |(dx, dy)| {
        let code = morton((column.0 + dx, column.1 + dy));
        let start = cells.partition_point(|c| morton(c.column) < code);
        (start..cells.len()).take_while(move |i| morton(cells[*i].column) == code)
    })
}
