//! One piece that alone stops every line between two spreads: the cheap way to "hidden".
//!
//! Promises: yes only where every segment crosses a chord of the piece, strictly within its heights.
//! Must not know what is asked of it. Method: two corners of the piece, with the one spread before the chord between
//! them and the other behind it, and no line passing beside either corner.

use super::Spread;
use crate::geom::{Point2, SIGHT_CLEARANCE_M, Vector2, ZRange};

/// Spreads stay this far from the chord, metres: then no segment begins or ends on the piece (errs towards visible).
const APART_M: f64 = 4.0 * SIGHT_CLEARANCE_M;

/// Lines keep from the chord's ends by this area, in square metres, far over rounding (errs towards visible).
const BESIDE_M2: f64 = 1e-6;

/// Heights are this far inside the piece's, metres (errs towards visible).
const INSIDE_M: f64 = 1e-6;

/// Whether a convex piece stops every segment from a point of `eye` to a point of `body`.
pub(super) fn stops_all(outline: &[Point2], z: ZRange, eye: &Spread, body: &Spread) -> bool {
    let (before, behind) = (eye.outer(), body.outer());
    let way = behind[0] - before[0];
    let (left, right) = ends_across(outline, way);
    let chord = right - left;
    // Behind the chord, as seen along the way, is on its left.
    let reach = |points: &[Point2]| {
        points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), p| {
            let at = chord.perp(&(p - left));
            (if at < least { at } else { least }, if at > most { at } else { most })
        })
    };
    let (far, near) = reach(before);
    let (first, last) = reach(behind);
    let apart = APART_M * chord.norm();
    if near > -apart || first < apart {
        return false;
    }
    let place = |a: f64, b: f64| a / (a + b);
    let places = [place(-near, last), place(-far, first)];
    let height = |from: f64, to: f64| places.map(|at| from + at * (to - from));
    let [a, b] = height(eye.z.low, body.z.low);
    let [c, d] = height(eye.z.high, body.z.high);
    z.low + INSIDE_M < a.min(b)
        && c.max(d) + INSIDE_M < z.high
        && is_beside_all(left, before, behind, 1.0)
        && is_beside_all(right, before, behind, -1.0)
}

/// The outermost corners left and right of a way.
fn ends_across(outline: &[Point2], way: Vector2) -> (Point2, Point2) {
    let mut ends = [(f64::NEG_INFINITY, outline[0]), (f64::NEG_INFINITY, outline[0])];
    for &p in outline {
        let across = way.perp(&p.coords);
        for (end, value) in ends.iter_mut().zip([across, -across]) {
            if value > end.0 {
                *end = (value, p);
            }
        }
    }
    (ends[0].1, ends[1].1)
}

/// Whether every line from `before` to `behind` has the corner on its left (`side` 1) or right (-1).
///
/// Each list lies on one side of a line through the corner, so its points have an order around it.
fn is_beside_all(corner: Point2, before: &[Point2], behind: &[Point2], side: f64) -> bool {
    let outermost = |points: &[Point2], sign: f64| {
        points.iter().map(|p| p - corner).reduce(|best, p| if sign * best.perp(&p) > 0.0 { p } else { best })
    };
    let (Some(from), Some(to)) = (outermost(before, -side), outermost(behind, side)) else { return false };
    side * from.perp(&to) > BESIDE_M2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wall(low: (f64, f64), high: (f64, f64)) -> Vec<Point2> {
        [(low.0, low.1), (high.0, low.1), (high.0, high.1), (low.0, high.1)]
            .map(|(x, y)| Point2::new(x, y))
            .to_vec()
    }

    fn spread(x: f64, y: f64, radius_m: f64) -> Spread {
        Spread::around(Point2::new(x, y), radius_m, ZRange::new(1.0, 2.0))
    }

    #[test]
    fn a_wide_wall_stops_all_and_one_that_a_line_passes_beside_or_over_does_not() {
        let (eye, body) = (spread(0.0, 0.0, 0.5), spread(10.0, 0.0, 0.5));
        let z = ZRange::new(0.0, 4.0);
        assert!(stops_all(&wall((4.0, -1.0), (5.0, 1.0)), z, &eye, &body));
        assert!(stops_all(&wall((4.0, -1.0), (5.0, 1.0)), z, &body, &eye));
        assert!(!stops_all(&wall((4.0, -1.0), (5.0, 0.4)), z, &eye, &body), "beside");
        assert!(!stops_all(&wall((4.0, -1.0), (5.0, 1.0)), ZRange::new(0.0, 2.0), &eye, &body), "over");
        assert!(!stops_all(&wall((0.3, -1.0), (0.6, 1.0)), z, &eye, &body), "the eye may be in it");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn no_segment_gets_past_a_piece_that_stops_all(
            at in (-3.0..3.0_f64, 2.0..9.0_f64, -3.0..3.0_f64),
            radii in (0.05..1.0_f64, 0.05..1.0_f64),
            piece in (2.0..6.0_f64, -4.0..-0.1_f64, 0.3..4.0_f64, 0.2..6.0_f64),
            turns in (0.0..6.3_f64, 0.0..6.3_f64, 0.0..1.0_f64, 0.0..1.0_f64),
        ) {
            let (eye, body) = (spread(0.0, at.0, radii.0), spread(at.1, at.2, radii.1));
            let outline = wall((piece.0, piece.1), (piece.0 + piece.2, piece.1 + piece.3));
            if stops_all(&outline, ZRange::new(0.0, 4.0), &eye, &body) {
                let edge = |turn: f64, share: f64| Vector2::new(turn.cos(), turn.sin()) * share;
                let from = Point2::new(0.0, at.0) + edge(turns.0, radii.0 * turns.2.sqrt());
                let to = Point2::new(at.1, at.2) + edge(turns.1, radii.1 * turns.3.sqrt());
                let inside = (0..=1000).any(|step| {
                    let p = from + (to - from) * (f64::from(step) / 1000.0);
                    let (low, high) = (outline[0], outline[2]);
                    p.x >= low.x - 0.02 && p.x <= high.x + 0.02 && p.y >= low.y - 0.02 && p.y <= high.y + 0.02
                });
                prop_assert!(inside, "{from:?} sees {to:?}");
            }
        }
    }
}
