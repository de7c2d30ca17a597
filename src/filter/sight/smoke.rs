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
pub(super) const SHARES: [(f64, f64); 5] =
    [(0.988, 0.1543), (0.891, 0.4539), (0.71, 0.704), (0.4539, 0.891), (0.1543, 0.988)];

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

    /// Whether every segment between the two is stopped: by cylinders around both, which err towards visible.
    ///
    /// A segment's point at a share of its way is in the cylinder at that share of the way between the two; where such
    /// a cylinder lies in the ball at two shares, all segments are inside of it from the one to the other.
    pub(super) fn hides(&self, eye: &Spread, body: &Spread) -> bool {
        let ends = [Cylinder::around(eye), Cylinder::around(body)];
        let least_m = (ends[1].middle - ends[0].middle).norm() - ends[0].radius() - ends[1].radius();
        if least_m <= self.depth {
            return false;
        }
        let near = self.radius - MARGIN_M;
        let way = ends[1].middle - ends[0].middle;
        let nearest = ((self.center - ends[0].middle).dot(&way) / way.norm_squared()).clamp(0.0, 1.0);
        // Where not even the middles' segment comes near, most pairs end.
        if (ends[0].middle + way * nearest - self.center).norm_squared() >= near * near {
            return false;
        }
        let out = |share: f64| self.farthest_squared(&Cylinder::between(&ends, share)) - near * near;
        // How far out the cylinder is is convex in the share: the least is near where the middles' is.
        let inner = least_of(&out, nearest);
        if out(inner) >= 0.0 {
            return false;
        }
        let (first, last) = (border(&out, inner, 0.0), border(&out, inner, 1.0));
        (last - first) * least_m > self.depth
    }

    /// The square of the greatest distance of a cylinder's points from the middle.
    fn farthest_squared(&self, cylinder: &Cylinder) -> f64 {
        let off = cylinder.middle - self.center;
        (off.xy().norm() + cylinder.across).powi(2) + (off.z.abs() + cylinder.up).powi(2)
    }
}

/// An upright cylinder around a spread.
struct Cylinder {
    middle: Point3,
    /// Its radius in the plan, and half its height.
    across: f64,
    up: f64,
}

impl Cylinder {
    fn around(spread: &Spread) -> Self {
        let (low, high) = spread.bounds();
        let middle =
            Point3::new(0.5 * (low.x + high.x), 0.5 * (low.y + high.y), 0.5 * (spread.z.low + spread.z.high));
        let far = spread.region().iter().map(|corner| (corner - middle.xy()).norm());
        let across = far.fold(0.0, f64::max);
        Self { middle, across: across + spread.radius_m, up: 0.5 * (spread.z.high - spread.z.low) }
    }

    fn between([a, b]: &[Self; 2], share: f64) -> Self {
        let mix = |a: f64, b: f64| a + (b - a) * share;
        Self {
            middle: a.middle + (b.middle - a.middle) * share,
            across: mix(a.across, b.across),
            up: mix(a.up, b.up),
        }
    }

    /// Of the ball around it.
    fn radius(&self) -> f64 {
        self.across.hypot(self.up)
    }
}

/// Steps of a search; what they leave open errs towards visible.
const STEPS: u32 = 12;

/// Where a convex function of a share is about least, from a guess.
fn least_of(out: &impl Fn(f64) -> f64, guess: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let mut best = guess;
    for _ in 0..STEPS {
        if out(best) < 0.0 {
            break;
        }
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if out(a) < out(b) {
            high = b
        } else {
            low = a
        }
        best = 0.5 * (low + high);
    }
    best
}

/// The last share from `inner` towards `end` at which a convex function is surely below 0.
fn border(out: &impl Fn(f64) -> f64, inner: f64, end: f64) -> f64 {
    if out(end) < 0.0 {
        return end;
    }
    let (mut inside, mut outside) = (inner, end);
    for _ in 0..STEPS {
        let middle = 0.5 * (inside + outside);
        if out(middle) < 0.0 { inside = middle } else { outside = middle }
    }
    inside
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
