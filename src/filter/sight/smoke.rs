//! When a ball of smoke hides all of one reach from all of another.
//!
//! Promises: only where every segment between the two is inside of it for more than its depth: bounds by boxes and
//! balls, which err towards visible. Must not know doors.

use crate::geom::{ConvexPolygon, Point3, ZRange};
use crate::map::Spread;

/// By how much prisms are smaller than what they stand for, metres: more than a clearance and a rounding (errs towards
/// visible).
const MARGIN_M: f64 = 1e-4;

/// Prisms that a cloud is taken for: their radius and half their height, as shares; corners of all are on the ball.
pub(super) const SHARES: [(f64, f64); 3] = [(0.95, 0.3122), (0.8, 0.6), (0.55, 0.8351)];

/// Smoke that stands through the lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cloud {
    pub(super) center: Point3,
    pub(super) radius: f64,
    /// What is inside for longer is stopped, metres.
    pub(super) depth: f64,
    /// It hides nothing from eyes this near to its edge, metres.
    pub(super) rim: f64,
}

impl Cloud {
    /// Whether it stops a segment.
    pub(super) fn stops(&self, from: Point3, to: Point3) -> bool {
        let way = to - from;
        let length = way.norm();
        if length == 0.0 {
            return false;
        }
        let along = (self.center - from).dot(&way) / length;
        let beside_squared = (self.center - from - way * (along / length)).norm_squared();
        let half_squared = self.radius * self.radius - beside_squared;
        if half_squared <= 0.0 {
            return false;
        }
        let half = half_squared.sqrt();
        (along + half).min(length) - (along - half).max(0.0) > self.depth
    }

    /// Prisms within it, for lines between places outside of it: each line through one is inside of the ball for longer
    /// than the depth. None where it is too small for that.
    pub(super) fn prisms(&self) -> impl Iterator<Item = (ConvexPolygon, ZRange)> + '_ {
        let near = (self.radius * self.radius - 0.25 * self.depth * self.depth).max(0.0).sqrt() - MARGIN_M;
        SHARES.into_iter().filter(move |_| near > MARGIN_M).map(move |(across, up)| {
            let z = ZRange::new(self.center.z - near * up, self.center.z + near * up);
            (ConvexPolygon::inside_circle(self.center.xy(), near * across), z)
        })
    }

    /// Whether both places are outside of it, and the eye not in its rim: then its prisms stop what goes through them.
    pub(super) fn is_apart(&self, eye: &Spread, body: &Spread) -> bool {
        let least = |spread| self.distances(spread).0;
        least(eye) > self.radius + self.rim && least(body) > self.radius
    }

    /// Least and greatest distance of a spread's box from the middle.
    fn distances(&self, spread: &Spread) -> (f64, f64) {
        let (low, high) = spread.bounds();
        let sides = [
            (low.x - self.center.x, high.x - self.center.x),
            (low.y - self.center.y, high.y - self.center.y),
            (spread.z.low - self.center.z, spread.z.high - self.center.z),
        ];
        let squares = sides.map(|(a, b)| {
            let least = a.max(-b).max(0.0);
            (least * least, (a * a).max(b * b))
        });
        let sum = |pick: fn(&(f64, f64)) -> f64| squares.iter().map(pick).sum::<f64>().sqrt();
        (sum(|s| s.0), sum(|s| s.1))
    }

    /// Whether some eye of the reach may stand in the rim.
    pub(super) fn has_in_rim(&self, eye: &Spread) -> bool {
        let (least, most) = self.distances(eye);
        least <= self.radius + self.rim && most >= self.radius - self.rim
    }

    /// Whether every segment between the two is stopped.
    pub(super) fn hides(&self, eye: &Spread, body: &Spread) -> bool {
        let places = [eye, body].map(|spread| self.distances(spread));
        let is_out = places.map(|(least, _)| least > self.radius);
        let is_in = places.map(|(_, most)| most < self.radius);
        // From a place that deep inside, the way out alone is long enough.
        let is_deep = places.map(|(_, most)| self.radius - most > self.depth);
        match (is_out, is_in) {
            ([true, true], _) => self.is_between(eye, body),
            ([true, _], [_, true]) => is_deep[1],
            ([_, true], [true, _]) => is_deep[0],
            (_, [true, true]) => gap(eye, body) > self.depth,
            _ => false,
        }
    }

    /// Whether all segments between two places outside pass near enough to the middle.
    fn is_between(&self, eye: &Spread, body: &Spread) -> bool {
        let ((a, first), (b, last)) = (ball(eye), ball(body));
        let way = b - a;
        let length_squared = way.norm_squared();
        let near_squared = self.radius * self.radius - 0.25 * self.depth * self.depth;
        if near_squared <= 0.0 || length_squared <= 0.0 {
            return false;
        }
        let at = ((self.center - a).dot(&way) / length_squared).clamp(0.0, 1.0);
        let beside = (self.center - (a + way * at)).norm();
        // A segment between the balls is off by no more than this where the middles' is nearest.
        let off = (1.0 - at) * first + at * last;
        beside + off < near_squared.sqrt()
    }
}

/// The ball around a spread's box: its middle and radius.
fn ball(spread: &Spread) -> (Point3, f64) {
    let (low, high) = spread.bounds();
    let (low, high) = (low.coords.push(spread.z.low), high.coords.push(spread.z.high));
    (Point3::from((low + high) * 0.5), 0.5 * (high - low).norm())
}

/// Least distance between the balls of two spreads.
fn gap(a: &Spread, b: &Spread) -> f64 {
    let ((from, first), (to, last)) = (ball(a), ball(b));
    (to - from).norm() - first - last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Point2;
    use proptest::prelude::*;

    fn spread(at: [f64; 3], radius: f64) -> Spread {
        Spread::around(Point2::new(at[0], at[1]), radius, ZRange::new(at[2], at[2] + radius))
    }

    #[test]
    fn a_cloud_between_hides_and_one_beside_does_not() {
        let cloud = Cloud { center: Point3::new(5.0, 0.0, 1.0), radius: 3.0, depth: 1.0, rim: 0.5 };
        let (eye, body) = (spread([0.0, 0.0, 1.0], 0.5), spread([12.0, 0.0, 1.0], 0.5));
        assert!(cloud.hides(&eye, &body) && !cloud.has_in_rim(&eye));
        assert!(cloud.hides(&eye, &spread([5.0, 0.0, 1.0], 0.5)), "deep inside");
        assert!(!cloud.hides(&eye, &spread([0.0, 5.0, 1.0], 0.5)));
        assert!(!cloud.hides(&eye, &spread([1.9, 0.0, 1.0], 0.5)), "in front of it");
        assert!(cloud.has_in_rim(&spread([2.0, 0.0, 1.0], 0.5)));
    }

    #[test]
    fn prisms_of_a_cloud_lie_in_what_hides() {
        for (radius, depth) in [(3.66, 1.0), (1.0, 1.9), (6.0, 0.1)] {
            let cloud = Cloud { center: Point3::new(2.0, -1.0, 0.5), radius, depth, rim: 0.5 };
            let near_squared = radius * radius - 0.25 * depth * depth;
            let mut count = 0;
            for (outline, z) in cloud.prisms() {
                count += 1;
                for (corner, up) in outline.vertices().iter().flat_map(|c| [(c, z.low), (c, z.high)]) {
                    let off = Point3::new(corner.x, corner.y, up) - cloud.center;
                    assert!(off.norm_squared() < near_squared, "{off:?} of {cloud:?}");
                }
            }
            assert_eq!(count, SHARES.len());
        }
        let thin = Cloud { center: Point3::origin(), radius: 0.4, depth: 1.0, rim: 0.0 };
        assert_eq!(thin.prisms().count(), 0, "nothing is inside of it for so long");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn a_cloud_that_hides_two_reaches_stops_every_segment_between_them(
            eye in ([-6.0..6.0_f64, -6.0..6.0, -2.0..2.0], 0.1..1.0_f64),
            body in ([-6.0..6.0_f64, -6.0..6.0, -2.0..2.0], 0.1..1.0_f64),
            ball in (1.0..5.0_f64, 0.1..2.0_f64),
            shares in [0.0..1.0_f64, 0.0..1.0, 0.0..1.0, 0.0..1.0, 0.0..1.0, 0.0..1.0],
        ) {
            let cloud = Cloud { center: Point3::origin(), radius: ball.0, depth: ball.1, rim: 0.0 };
            let reaches = [spread(eye.0, eye.1), spread(body.0, body.1)];
            if cloud.hides(&reaches[0], &reaches[1]) {
                let inside = |(at, radius): ([f64; 3], f64), s: &[f64]| {
                    let turn = crate::geom::direction(s[0] * 360.0) * (radius * s[1].sqrt());
                    Point3::new(at[0] + turn.x, at[1] + turn.y, at[2] + radius * s[2])
                };
                prop_assert!(cloud.stops(inside(eye, &shares[..3]), inside(body, &shares[3..])));
            }
        }
    }
}
