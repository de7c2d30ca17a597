//! How high feet can be over a floor because a body walks off a higher one beside it.
//!
//! Owns the rule: a higher floor within the body's radius counts where the part of the lower floor near it
//! lies under no floor or slab between the two, and no wall as high as a jump from the upper floor keeps
//! bodies away from that part. Then feet are found at every height from the upper floor down.
//! Promises: errs to more height, which shows more, but for overhangs under 2 cm.
//! Must not know cells.

use super::floors::Patch;
use super::trim::Wall;
use crate::geom::{ConvexPolygon, ZRange, clip_near, is_covered};
use crate::map::Player;

/// Rises smaller than this are seams of one floor, not edges.
const LEAST_DROP_M: f64 = 0.001;

/// Openings narrower than this between floors are seams; nobody falls through.
const SEAM_M: f64 = 0.02;

/// The greatest height that feet have over `part`, whose floor has the heights `own`.
pub(super) fn highest_feet(
    part: &ConvexPolygon,
    own: ZRange,
    near: &[&Patch],
    walls: &[&Wall],
    player: &Player,
) -> f64 {
    let corners = part.bounds();
    let mut upper: Vec<(f64, ConvexPolygon)> = near
        .iter()
        .filter(|patch| patch.bounds.high > own.high + LEAST_DROP_M)
        .filter_map(|patch| {
            let beside = patch.near(part, corners, player.radius)?;
            let z = patch.heights(&beside).high;
            (z > own.high + LEAST_DROP_M).then_some((z, beside))
        })
        .collect();
    upper.sort_by(|a, b| b.0.total_cmp(&a.0));
    if upper.is_empty() {
        return own.high;
    }
    // Heights over the whole part: a sloped floor catches less than it does over what is open, never more.
    let catching: Vec<(ZRange, &ConvexPolygon)> = near
        .iter()
        .filter(|patch| patch.bounds.high > own.high)
        .filter_map(|patch| Some((patch.heights(&patch.near(part, corners, 0.0)?), &patch.outline)))
        .filter(|(heights, _)| heights.low > own.high)
        .collect();
    let falls = |(z, beside): &&(f64, ConvexPolygon)| {
        clip_near(part, beside, player.radius)
            .is_some_and(|under| is_open(under, ZRange::new(own.high, *z), &catching, walls, player))
    };
    upper.iter().find(falls).map_or(own.high, |u| u.0)
}

/// Whether a body at the height `fall.high` can come down on some part of `under`.
fn is_open(
    under: ConvexPolygon,
    fall: ZRange,
    catching: &[(ZRange, &ConvexPolygon)],
    walls: &[&Wall],
    player: &Player,
) -> bool {
    let floors =
        catching.iter().filter(|(z, _)| z.high <= fall.high + player.step).map(|(_, outline)| *outline);
    let slabs = walls.iter().filter(|w| w.z.low < fall.high && w.z.high > fall.low + LEAST_DROP_M);
    let barriers = walls.iter().filter(|w| w.stops_always(ZRange::new(fall.high, fall.high), player));
    let covers = floors.chain(slabs.map(|w| &w.outline)).chain(barriers.map(|w| &w.kept_off));
    !is_covered(under, covers, SEAM_M)
}
