//! What a sight line may start or end in: a convex region, a disc around each of its points, a range of heights.
//!
//! Owns supports and bounds of such a volume. Promises: supports are exact (to f64), discs included.
//! Must not know what stands there.

use crate::geom::{Point2, Point3, Vector2, ZRange};

/// A point counts as within a disc only by this much, metres: rounding can't put a witness outside.
const INSIDE_M: f64 = 1e-9;

/// All points within `radius` of a convex plan region, at the heights `z`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Volume<'a> {
    /// Vertices of the convex region, counter-clockwise; at least one.
    pub(crate) region: &'a [Point2],
    /// Radius of the disc, metres.
    pub(crate) radius: f64,
    /// Heights, finite.
    pub(crate) z: ZRange,
}

impl Volume<'_> {
    /// Least and greatest of `direction · p` over the region, discs left out.
    #[inline]
    pub(crate) fn extent(&self, direction: Vector2) -> (f64, f64) {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for p in self.region {
            let value = direction.dot(&p.coords);
            // One instruction each, as there is no NaN.
            low = if value < low { value } else { low };
            high = if value > high { value } else { high };
        }
        (low, high)
    }

    /// The mean of the region's vertices.
    pub(crate) fn center(&self) -> Point2 {
        let sum = self.region.iter().fold(Vector2::zeros(), |s, p| s + p.coords);
        Point2::from(sum / self.region.len() as f64)
    }

    /// Whether a point is surely in the volume.
    pub(crate) fn holds(&self, p: Point3) -> bool {
        if !self.z.contains(p.z) {
            return false;
        }
        let p = p.xy();
        let n = self.region.len();
        let edges = (0..n).map(|i| (self.region[i], self.region[if i + 1 == n { 0 } else { i + 1 }]));
        let within = (self.radius - INSIDE_M).max(0.0).powi(2);
        let mut is_inside = n > 2;
        let mut is_near = false;
        for (a, b) in edges {
            let (edge, to) = (b - a, p - a);
            is_inside &= edge.x * to.y - edge.y * to.x >= 0.0;
            let along = (edge.dot(&to) / edge.norm_squared()).clamp(0.0, 1.0);
            let nearest = if along.is_nan() { to } else { to - edge * along };
            is_near |= nearest.norm_squared() <= within;
        }
        is_inside || is_near
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_in_a_volume_within_the_disc_and_the_heights() {
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Point2::new(x, y));
        let thin = [Point2::new(0.0, 0.0), Point2::new(1.0, 0.0)];
        let z = ZRange::new(2.0, 3.0);
        let [wide, bare] = [0.5, 0.0].map(|radius| Volume { region: &square, radius, z });
        let segment = Volume { region: &thin, radius: 0.5, z };
        let at = |x: f64, y: f64| Point3::new(x, y, 2.5);
        assert!(wide.holds(at(1.4, 1.2)) && !wide.holds(at(1.4, 1.4)) && wide.holds(at(0.5, 0.5)));
        assert!(bare.holds(at(0.5, 0.5)) && !bare.holds(at(1.0 + 1e-9, 0.5)));
        assert!(segment.holds(at(1.4, 0.2)) && !segment.holds(at(1.4, 0.4)) && !segment.holds(at(3.0, 0.0)));
        assert!(!wide.holds(Point3::new(0.5, 0.5, 1.9)) && !wide.holds(Point3::new(0.5, 0.5, 3.1)));
    }
}
