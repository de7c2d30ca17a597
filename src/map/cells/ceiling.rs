//! How high a body of a cell can reach: what hangs over the whole cell stops its jump.
//!
//! Owns the height of the ceiling over a region. Promises: no part of a body that stands, falls or jumps there
//! is above it; where nothing is certain it is infinite, which shows more.
//! Must not know sight.

use super::trim::Wall;
use crate::geom::{ConvexPolygon, ZRange, is_covered};
use crate::map::Player;

/// Cracks between the places that two solids keep a body's centre off, metres: they are kept a millimetre
/// smaller than the truth, so a body fits through none this wide.
const CRACK_M: f64 = 1e-6;

/// Most solids that together make a ceiling; more are looked at no further, which shows more.
const MOST: usize = 16;

/// The least height that nothing of a body in `region`, whose `feet` jump from there, can pass.
///
/// A solid stops the head of every centre that it keeps the body off, but only one that hangs over all the
/// standing heights is known to be above the body and not below it.
pub(super) fn over(region: &ConvexPolygon, feet: ZRange, walls: &[&Wall], player: &Player) -> f64 {
    let top = feet.high + player.body_range().high.max(player.eye_range().high);
    let above = |wall: &&&Wall| wall.z.low >= feet.high + player.eye_range().low && wall.z.low < top;
    let mut hanging: Vec<&Wall> = walls.iter().filter(above).copied().collect();
    hanging.sort_by(|a, b| a.z.low.total_cmp(&b.z.low));
    hanging.truncate(MOST);
    // The first that closes the cover hangs as low as any that could.
    let closes =
        |n: &usize| is_covered(region.clone(), hanging[..*n].iter().map(|wall| &wall.kept_off), CRACK_M);
    (1..=hanging.len()).find(closes).map_or(f64::INFINITY, |n| hanging[n - 1].z.low)
}
