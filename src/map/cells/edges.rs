//! Floors widened at their open edges.
//!
//! Owns the rule: where neither another floor within a step nor a wall continues a floor, bodies stand a
//! little beyond its edge, because they rest on the edge, and because floors from navigation meshes end
//! short of where bodies stand (5 to 10 cm in recorded matches).
//! Promises: never takes anything from a floor; errs to larger cells, which show more.
//! Must not know cells.

use super::Ground;
use super::floors::Patch;
use super::layers::rise;
use super::polygon::pushed_out;
use crate::geom::{ConvexPolygon, Point2, is_covered, outward};
use rayon::prelude::*;

/// How far bodies stand beyond an open edge, metres, at most their radius.
pub(super) const EDGE_M: f64 = 0.10;

/// Openings narrower than this beside an edge are seams.
const SEAM_M: f64 = 0.02;

/// The patches, each with its open edges pushed out.
pub(super) fn widened(ground: &Ground) -> Vec<Patch> {
    let distance = EDGE_M.min(ground.player.radius);
    let widen = |patch: &Patch| {
        let distances: Vec<f64> = patch
            .outline
            .edges()
            .map(|(a, b)| if is_open(ground, patch, a, b, distance) { distance } else { 0.0 })
            .collect();
        if distances.iter().all(|d| *d == 0.0) {
            return patch.clone();
        }
        patch.with_outline(pushed_out(&patch.outline, &distances))
    };
    ground.patches.par_iter().map(widen).collect()
}

/// Whether something of the strip beside the edge from `a` to `b` is neither floor within a step nor wall.
fn is_open(ground: &Ground, patch: &Patch, a: Point2, b: Point2, distance: f64) -> bool {
    let Some(normal) = outward(a, b) else { return false };
    let Some(strip) = ConvexPolygon::hull(&[a, b, b + normal * distance, a + normal * distance]) else {
        return false;
    };
    let corners = strip.bounds();
    let own = patch.heights(&strip);
    let near = ground.patches_in(corners.0, corners.1);
    let floors = near.iter().filter_map(|other| {
        let part = other.near(&strip, corners, 0.0)?;
        (rise(own, other.heights(&part)) <= ground.player.step).then_some(&other.outline)
    });
    let walls = ground.walls.touching(corners.0, corners.1);
    let solid = walls.iter().filter(|w| w.stands_in_the_way(own, ground.player)).map(|w| &w.outline);
    !is_covered(strip.clone(), floors.chain(solid), SEAM_M)
}
