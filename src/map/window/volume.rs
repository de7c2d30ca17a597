//! What a sight line may start or end in: a convex region, a disc around each of its points, a range of heights.
//!
//! Owns supports and bounds of such a volume. Promises: supports are exact (to f64), discs included.
//! Must not know what stands there.

use crate::geom::{Point2, Vector2, ZRange};

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
            low = low.min(value);
            high = high.max(value);
        }
        (low, high)
    }

    /// The mean of the region's vertices.
    pub(crate) fn center(&self) -> Point2 {
        let sum = self.region.iter().fold(Vector2::zeros(), |s, p| s + p.coords);
        Point2::from(sum / self.region.len() as f64)
    }
}
