//! Where a point of a moving body can be: a small convex region of the plan, a disc around each of its points, heights.
//!
//! Owns the outline from supports along eight fixed directions, its clips and what of it the tests ask.
//! Promises: fixed size, no allocation; each rounding and each clip left out makes it larger, which shows more.
//! Must not know what moves, or why.

use super::Volume;
use crate::geom::{Point2, Point3, Vector2, ZRange};

/// Directions along which an outline is bounded.
pub(crate) const DIRECTIONS: usize = 8;
/// Most corners of a region; a clip beyond it is left out (errs towards visible).
pub(super) const MOST_CORNERS: usize = 12;
/// Added to every support, metres: more than rounding at a kilometre (errs towards visible).
const SLACK_M: f64 = 1e-9;

/// Spreads nearer than this see each other, metres (errs towards visible).
const LEAST_GAP_M: f64 = 0.01;

const A: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// Unit vectors a quarter of a half turn apart, counter-clockwise from +x: first their x, then their y. Apart, so that
/// loops over them are done several at a time.
const XS: [f64; DIRECTIONS] = [1.0, A, 0.0, -A, -1.0, -A, 0.0, A];
const YS: [f64; DIRECTIONS] = [0.0, A, 1.0, A, 0.0, -A, -1.0, -A];
/// The sine between neighbours is this one's inverse.
const PER_SINE: f64 = 1.0 / A;

/// How far something reaches along each of the directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Supports([f64; DIRECTIONS]);

impl Supports {
    /// Those of a disc.
    pub(crate) fn disc(center: Point2, radius_m: f64) -> Self {
        let far = radius_m + SLACK_M;
        Self(std::array::from_fn(|i| XS[i] * center.x + YS[i] * center.y + far))
    }

    /// Those of the hull of both.
    #[must_use]
    pub(crate) fn hull(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| greater(self.0[i], other.0[i])))
    }

    /// Those of all discs of a radius around the points.
    #[must_use]
    pub(crate) fn grown(self, radius_m: f64) -> Self {
        Self(self.0.map(|support| support + radius_m))
    }

    /// Those of the same moved by `way`.
    #[must_use]
    pub(crate) fn shifted(self, way: Vector2) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + (XS[i] * way.x + YS[i] * way.y)))
    }

    /// Whether the other reaches no farther along any direction.
    pub(crate) fn contain(&self, other: Self) -> bool {
        self.0.iter().zip(other.0).fold(true, |all, (own, other)| all & (other <= *own))
    }

    /// The box around them.
    pub(crate) fn bounds(&self) -> (Point2, Point2) {
        let Self(by) = self;
        let low = Point2::new(-by[DIRECTIONS / 2], -by[DIRECTIONS * 3 / 4]);
        (low, Point2::new(by[0], by[DIRECTIONS / 4]))
    }

    fn corners(&self) -> [Point2; DIRECTIONS] {
        std::array::from_fn(|i| {
            let next = (i + 1) % DIRECTIONS;
            let (a, b) = (self.0[i] * PER_SINE, self.0[next] * PER_SINE);
            Point2::new(a * YS[next] - b * YS[i], b * XS[i] - a * XS[next])
        })
    }
}

/// The greater of two numbers, in one instruction.
#[inline]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Where a point can be: within a radius of a convex region of the plan, at a range of heights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    corners: [Point2; MOST_CORNERS],
    count: usize,
    /// An outline around the region and its discs.
    outer: [Point2; DIRECTIONS],
    low: Point2,
    high: Point2,
    /// Radius of the disc around each point of the region, metres.
    pub(crate) radius_m: f64,
    /// Heights, finite.
    pub(crate) z: ZRange,
}

impl Spread {
    /// Around one point.
    pub(crate) fn around(at: Point2, radius_m: f64, z: ZRange) -> Self {
        let supports = Supports::disc(at, 0.0);
        let mut spread = Self::blank(radius_m, z);
        (spread.corners[0], spread.count) = (at, 1);
        spread.enclose(supports);
        spread
    }

    /// Around all points within the supports.
    pub(crate) fn within(supports: Supports, radius_m: f64, z: ZRange) -> Self {
        let mut spread = Self::region_of(supports);
        spread.grow_whole(supports, radius_m, z);
        spread
    }

    /// All points within the supports as a region to be clipped; it has neither bounds nor outline until it is grown.
    pub(crate) fn region_of(supports: Supports) -> Self {
        let mut spread = Self::blank(0.0, ZRange::new(0.0, 0.0));
        spread.corners[..DIRECTIONS].copy_from_slice(&supports.corners());
        spread.count = DIRECTIONS;
        spread
    }

    fn blank(radius_m: f64, z: ZRange) -> Self {
        let (corners, outer) = ([Point2::origin(); MOST_CORNERS], [Point2::origin(); DIRECTIONS]);
        Self { corners, count: 0, outer, low: outer[0], high: outer[0], radius_m, z }
    }

    fn enclose(&mut self, supports: Supports) {
        let around = supports.grown(self.radius_m);
        self.outer = around.corners();
        (self.low, self.high) = around.bounds();
    }

    /// The region of the centres, counter-clockwise.
    pub(crate) fn region(&self) -> &[Point2] {
        &self.corners[..self.count]
    }

    /// The box in the plan around the region, discs left out.
    pub(crate) fn region_bounds(&self) -> (Point2, Point2) {
        let around = Vector2::new(self.radius_m, self.radius_m);
        (self.low + around, self.high - around)
    }

    /// The box in the plan around all points.
    pub(crate) fn bounds(&self) -> (Point2, Point2) {
        (self.low, self.high)
    }

    /// An outline around all points.
    pub(super) fn outer(&self) -> &[Point2; DIRECTIONS] {
        &self.outer
    }

    /// Cuts centres off where `normal · p > offset`; left out, and false, where too many corners would be.
    ///
    /// Bounds and outline stay as they were until it is grown.
    pub(crate) fn clip(&mut self, normal: Vector2, offset: f64) -> bool {
        let over = |p: &Point2| normal.dot(&p.coords) - offset;
        let (mut kept, mut count) = ([Point2::origin(); MOST_CORNERS + 2], 0);
        for i in 0..self.count {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % self.count]);
            let (here, next) = (over(&a), over(&b));
            if here <= 0.0 {
                kept[count] = a;
                count += 1;
            }
            if (here < 0.0 && next > 0.0) || (here > 0.0 && next < 0.0) {
                kept[count] = a + (b - a) * (here / (here - next));
                count += 1;
            }
        }
        if count == 0 || count > MOST_CORNERS || self.count < 3 {
            return false;
        }
        self.corners.copy_from_slice(&kept[..MOST_CORNERS]);
        self.count = count;
        true
    }

    /// Least and greatest of `direction · p` over the region, discs left out.
    pub(crate) fn extent(&self, direction: Vector2) -> (f64, f64) {
        self.volume().extent(direction)
    }

    /// Gives each centre a disc, and all of it these heights.
    pub(crate) fn grow(&mut self, radius_m: f64, z: ZRange) {
        (self.radius_m, self.z) = (radius_m, z);
        let mut supports = [f64::NEG_INFINITY; DIRECTIONS];
        for p in &self.corners[..self.count] {
            for i in 0..DIRECTIONS {
                supports[i] = greater(XS[i] * p.x + YS[i] * p.y, supports[i]);
            }
        }
        self.enclose(Supports(supports).grown(SLACK_M));
    }

    /// The same for a region that is all that lies within these supports.
    pub(crate) fn grow_whole(&mut self, supports: Supports, radius_m: f64, z: ZRange) {
        (self.radius_m, self.z) = (radius_m, z);
        self.enclose(supports);
    }

    /// Least and greatest of `direction · p` over the part of the region with `normal · p <= limit`; discs left out.
    pub(crate) fn extent_below(&self, direction: Vector2, normal: Vector2, limit: f64) -> (f64, f64) {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut take = |p: Point2| {
            let along = direction.dot(&p.coords);
            (least, most) = (least.min(along), most.max(along));
        };
        for i in 0..self.count {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % self.count]);
            let (here, next) = (normal.dot(&a.coords) - limit, normal.dot(&b.coords) - limit);
            if here <= 0.0 {
                take(a);
            }
            if (here < 0.0 && next > 0.0) || (here > 0.0 && next < 0.0) {
                take(a + (b - a) * (here / (here - next)));
            }
        }
        (least, most)
    }

    /// Whether the point lies in the region, discs left out; it errs to no by rounding.
    pub(crate) fn holds_centre(&self, p: Point2) -> bool {
        let region = self.region();
        let last = region.last().copied().unwrap_or(p);
        let sides = region.iter().scan(last, |from, &to| Some((std::mem::replace(from, to), to)));
        region.len() > 2 && sides.fold(true, |all, (a, b)| all & ((b - a).perp(&(p - a)) >= 0.0))
    }

    /// Whether the point can be in it; it errs to no by rounding, and at corners by up to what an outline of
    /// eight sides leaves of a disc.
    pub(crate) fn holds(&self, p: Point2, z: f64) -> bool {
        self.z.contains(z) && self.distance_within(p, self.radius_m)
    }

    /// The point that can be in it nearest to another, to rounding; that one, where it can be.
    pub(crate) fn nearest(&self, p: Point3) -> Point3 {
        let z = p.z.max(self.z.low).min(self.z.high);
        let at = p.xy();
        if self.distance_within(at, self.radius_m) {
            return Point3::new(at.x, at.y, z);
        }
        let region = self.region();
        let (mut best, mut least) = (at, f64::INFINITY);
        for (i, &a) in region.iter().enumerate() {
            let (way, to) = (region[(i + 1) % region.len()] - a, at - a);
            let length = way.norm_squared();
            let along = if length > 0.0 { (to.dot(&way) / length).clamp(0.0, 1.0) } else { 0.0 };
            let off = (to - way * along).norm_squared();
            if off < least {
                (best, least) = (a + way * along, off);
            }
        }
        // Not in the disc of that point, so that there is a way to it.
        let on_edge = best + (at - best) * (self.radius_m / least.sqrt());
        Point3::new(on_edge.x, on_edge.y, z)
    }

    fn distance_within(&self, p: Point2, radius_m: f64) -> bool {
        let region = self.region();
        self.holds_centre(p)
            || (0..region.len()).any(|i| {
                let (a, b) = (region[i], region[(i + 1) % region.len()]);
                let (way, to) = (b - a, p - a);
                let length = way.norm_squared();
                let along = if length > 0.0 { (to.dot(&way) / length).clamp(0.0, 1.0) } else { 0.0 };
                (to - way * along).norm_squared() <= radius_m * radius_m
            })
    }

    /// Whether a strip of a centimetre parts the two in the plan, across one of the eight directions.
    pub(super) fn is_apart_from(&self, other: &Self) -> bool {
        XS.iter().zip(&YS).any(|(x, y)| {
            let along = |p: &Point2| x * p.x + y * p.y;
            let most = self.outer.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
            let least = other.outer.iter().map(along).fold(f64::INFINITY, f64::min);
            least - most > LEAST_GAP_M
        })
    }

    /// The same as the solver takes it.
    pub(super) fn volume(&self) -> Volume<'_> {
        Volume { region: self.region(), radius: self.radius_m, z: self.z }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::direction;

    #[test]
    fn an_outline_holds_what_it_was_made_of_and_little_more() {
        let at = Point2::new(3.0, -2.0);
        let supports = Supports::disc(at, 0.0).hull(Supports::disc(Point2::new(4.0, -2.0), 0.5));
        let spread = Spread::within(supports, 0.25, ZRange::new(0.0, 1.0));
        for degrees in 0..360 {
            let way = direction(f64::from(degrees));
            assert!(spread.holds(Point2::new(4.0, -2.0) + way * 0.7499, 0.5));
            assert!(spread.holds(at + way * 0.2499, 0.5));
            assert!(!spread.holds(Point2::new(4.0, -2.0) + way * 2.1, 0.5));
        }
        let (low, high) = spread.bounds();
        assert!(low.x <= 2.75 && low.x > 2.74 && high.x >= 4.75 && high.x < 4.76 && high.y < -1.24);
        assert!(!spread.holds(at, 1.5));
    }

    #[test]
    fn the_nearest_point_is_in_it_and_no_other_is_nearer() {
        let supports = Supports::disc(Point2::origin(), 0.5).hull(Supports::disc(Point2::new(2.0, 1.0), 0.3));
        let mut region = Spread::region_of(supports);
        region.clip(Vector2::new(0.0, 1.0), 0.8);
        region.grow(0.25, ZRange::new(0.0, 1.0));
        for step in 0..720 {
            let far = direction(f64::from(step) * 7.3) * (f64::from(step) * 0.01);
            let p = Point3::new(1.0 + far.x, 0.4 + far.y, f64::from(step % 3) - 0.5);
            let near = region.nearest(p);
            assert!(region.z.contains(near.z) && region.distance_within(near.xy(), 0.25 + 1e-9));
            assert!(!region.holds(p.xy(), p.z) || near == p);
            let distance = (near.xy() - p.xy()).norm();
            for other in 0..360 {
                let between = near.xy() + direction(f64::from(other)) * 0.01;
                let is_in = region.distance_within(between, 0.25);
                assert!(!is_in || (between - p.xy()).norm() >= distance - 1e-6 || distance < 1e-9);
            }
        }
    }

    #[test]
    fn a_clip_cuts_the_outline_too() {
        let supports = Supports::disc(Point2::origin(), 1.0);
        let mut spread = Spread::within(supports, 0.1, ZRange::new(0.0, 1.0));
        spread.clip(Vector2::new(1.0, 0.0), 0.25);
        spread.grow(0.1, spread.z);
        assert!(spread.holds(Point2::new(0.349, 0.0), 0.5) && !spread.holds(Point2::new(0.36, 0.0), 0.5));
        assert!((spread.bounds().1.x - 0.35).abs() < 1e-6);
        spread.clip(Vector2::new(1.0, 0.0), -9.0);
        assert!(spread.holds(Point2::origin(), 0.5), "a clip that leaves nothing is left out");
    }
}
