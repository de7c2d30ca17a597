//! Regions with corners of few digits, which files keep in a few bytes.
//!
//! Owns the rounding of cells. Promises: a rounded region or range holds all of the one before, which shows more.
//! Must not know files.

use crate::geom::{ConvexPolygon, Point2, Vector2, ZRange};

/// Corners are in units of this part of a metre.
const CORNERS_PER_METRE: f64 = 1e5;
/// How far a corner may move, in units; beyond, it stays as it is.
const MOST_UNITS: i32 = 6;
/// Heights are in units of this part of a metre.
const HEIGHTS_PER_METRE: f64 = 1e3;

/// The range widened to whole millimetres; zeros have no sign.
pub(super) fn heights(feet: ZRange) -> ZRange {
    // The quotient can lie inside by its rounding, far below any tolerance here, and must not.
    let low = ((feet.low * HEIGHTS_PER_METRE).floor() / HEIGHTS_PER_METRE).min(feet.low);
    let high = ((feet.high * HEIGHTS_PER_METRE).ceil() / HEIGHTS_PER_METRE).max(feet.high);
    ZRange::new(low + 0.0, high + 0.0)
}

/// The height raised to a whole millimetre; infinite stays so.
pub(super) fn ceiling(height: f64) -> f64 {
    ((height * HEIGHTS_PER_METRE).ceil() / HEIGHTS_PER_METRE).max(height)
}

/// The region with each corner moved outward to the nearest point of the grid that lies beyond both its edges.
///
/// Where all corners move so, what is farthest in any direction only moves farther: nothing is lost.
pub(super) fn region(region: &ConvexPolygon) -> ConvexPolygon {
    let corners = region.vertices();
    let count = corners.len();
    if count < 3 {
        return region.clone();
    }
    let moved: Vec<Point2> = (0..count)
        .map(|index| {
            let at = |step: usize| corners[(index + step) % count];
            outward(at(count - 1), at(0), at(1))
        })
        .collect();
    ConvexPolygon::hull(&moved).unwrap_or_else(|| region.clone())
}

fn outward(before: Point2, corner: Point2, after: Point2) -> Point2 {
    let on_grid = |v: f64, step: i32| ((v * CORNERS_PER_METRE).round() + f64::from(step)) / CORNERS_PER_METRE;
    if on_grid(corner.x, 0) == corner.x && on_grid(corner.y, 0) == corner.y {
        return corner;
    }
    let (into, out) = (corner - before, after - corner);
    let beyond = |d: &Vector2| into.perp(d) <= 0.0 && out.perp(d) <= 0.0;
    let steps = || -MOST_UNITS..=MOST_UNITS;
    let moves = steps().flat_map(|i| steps().map(move |j| (i, j)));
    let moves = moves.map(|(i, j)| Point2::new(on_grid(corner.x, i), on_grid(corner.y, j)) - corner);
    let least = moves.filter(beyond).min_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()));
    let Some(least) = least else { return corner };
    // Added to the corner again the digits would not come out even.
    Point2::new(on_grid(corner.x + least.x, 0), on_grid(corner.y + least.y, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_rounded_region_holds_the_region_and_little_more(
            points in proptest::collection::vec((-60.0..60.0_f64, -1.0..1.0_f64), 3..9), tilt in 0.0..3.0_f64,
        ) {
            let points: Vec<Point2> =
                points.iter().map(|&(x, y)| Point2::new(x * tilt.cos() - y * tilt.sin(), x * tilt.sin() + y * tilt.cos())).collect();
            let Some(before) = ConvexPolygon::hull(&points) else { return Ok(()) };
            let after = region(&before);
            for corner in before.vertices() {
                prop_assert!(after.distance(*corner) < 1e-12);
            }
            for corner in after.vertices() {
                prop_assert!(before.distance(*corner) < 1e-4);
            }
        }

        #[test]
        fn rounded_heights_hold_the_heights(low in -100.0..100.0_f64, more in 0.0..5.0_f64) {
            let before = ZRange::new(low, low + more);
            let after = heights(before);
            prop_assert!(after.low <= before.low && before.high <= after.high);
            prop_assert!(after.high - after.low <= more + 0.0021);
        }
    }
}
