//! From the elements of a source, sound each for itself, to a map that makes sense as a whole.
//!
//! Owns what needs more than one element: the floor of a map without floors, the estimate of cells, warnings.
//! Promises: near-linear time with a cap, and no warning that keeps a map from loading.
//! Must not know how a source is decoded.

mod footprint;
mod neighbours;
pub(super) mod outline;
mod reach;
pub(super) mod ring;
pub(super) mod sweep;

use super::finding::MapError;
use super::source::{Limits, Report};
use super::warning::MapWarning;
use super::{Floor, Map};
use crate::geom::Point3;
use crate::text::{Element, Span};
use sweep::{Box2, Budget};

/// How far the floor of a map without floors reaches beyond all outlines, in metres.
const FLOOR_MARGIN_M: f64 = 1.0;

/// Steps that the search for warnings may take: about a second.
const WARNING_STEPS: u64 = 300_000_000;

/// Where the elements of a map are in its source.
#[derive(Default)]
pub(super) struct Origins {
    pub(super) cell_size: Span,
    pub(super) solids: Vec<Element>,
    pub(super) floors: Vec<Element>,
    pub(super) spawns: Vec<Element>,
}

/// Completes a map whose elements are sound and reports what is wrong with it as a whole.
pub(super) fn check(map: &mut Map, origins: &Origins, limits: &Limits, report: &mut Report) {
    if map.floors.is_empty() {
        match ground(map) {
            Some(floor) => map.floors.push(floor),
            None => return report.error(&Element::default(), Span::default(), MapError::Empty),
        }
    }
    estimate_cells(map, origins, limits, report);
    let budget = &mut Budget::new(WARNING_STEPS);
    let searched = neighbours::check(&map.solids, &origins.solids, budget, report)
        .and_then(|()| reach::check(map, origins, budget, report));
    if searched.is_err() {
        report.warn(&Element::default(), Span::default(), MapWarning::SearchStopped);
    }
}

/// One floor at z 0 under all outlines.
fn ground(map: &Map) -> Option<Floor> {
    let solids = map.solids.iter().chain(&map.doors).map(|s| footprint::bounds(&s.footprint));
    let areas = map.areas.iter().map(|a| Box2::of(a.outline.iter().copied()));
    let corners = solids.chain(areas).flat_map(|b| [b.low, b.high]);
    let all = Box2::of(corners).grown(FLOOR_MARGIN_M);
    let (low, high) = (all.low, all.high);
    let corners = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)];
    let outline = corners.map(|(x, y)| Point3::new(x, y, 0.0)).to_vec();
    low.x.is_finite().then_some(Floor { outline, holes: Vec::new() })
}

/// Refuses floors that surely make more cells than the limit, and warns of those that may.
///
/// The bake counts exactly, and stops at its own limit: this only spares the wait. What stands on the floors
/// takes cells away, so solids count against them.
fn estimate_cells(map: &Map, origins: &Origins, limits: &Limits, report: &mut Report) {
    let plan = |points: &[Point3]| points.iter().map(|p| p.xy()).collect::<Vec<_>>();
    let floor =
        |f: &Floor| ring::area(&plan(&f.outline)) + f.holes.iter().map(|h| ring::area(&plan(h))).sum::<f64>();
    let walked: f64 = map.floors.iter().map(floor).sum();
    let taken: f64 =
        map.solids.iter().filter(|s| s.blocks.movement).map(|s| footprint::area(&s.footprint)).sum();
    let cell = map.cell_size * map.cell_size;
    let limit = limits.cells;
    let (most, least) = ((walked / cell) as u64, ((walked - taken).max(0.0) / cell) as u64);
    let (element, cell_size) = (Element::default(), map.cell_size);
    if least > limit as u64 {
        report.error(
            &element,
            origins.cell_size,
            MapError::TooManyCells { estimate: least, cell_size, limit },
        );
    } else if most > limit as u64 {
        report.warn(&element, origins.cell_size, MapWarning::ManyCells { estimate: most, cell_size, limit });
    }
}
