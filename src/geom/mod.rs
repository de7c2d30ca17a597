//! Plane geometry in f64, and the one door to `parry2d` and `nalgebra`.
//!
//! Owns the words every other module speaks: points, height ranges, convex polygons, the sight clearance.
//! Promises: nothing here allocates in a query, and each tolerance names the side it errs to.
//! Must not know maps, entities or rules.

mod angle;
mod bvh;
mod circle;
mod cover;
mod decompose;
mod grid;
mod polygon;
mod segment;

pub(crate) use angle::direction;
pub(crate) use bvh::PlanBvh;
pub(crate) use circle::CIRCLE_CORNERS;
pub(crate) use cover::{clip_near, clip_to_box, is_covered, outward, width};
pub(crate) use decompose::{
    canonical_ring, compare, compare_points, compare_rings, convex_parts, signed_area,
};
pub(crate) use grid::PlanGrid;
pub use polygon::ConvexPolygon;
pub(crate) use segment::{Prisms, Segment};

/// A point in the plan: x east, y north, metres.
pub type Point2 = nalgebra::Point2<f64>;
/// A point in space: x east, y north, z up, metres.
pub type Point3 = nalgebra::Point3<f64>;
/// A vector in the plan, metres.
pub type Vector2 = nalgebra::Vector2<f64>;
/// A vector in space, metres (or metres per second, for a velocity).
pub type Vector3 = nalgebra::Vector3<f64>;

/// Plan clearance, in metres, that a sight line must keep from every piece to count as free (1 µm).
///
/// A line closer than this to a piece is blocked, so that abutting pieces leave no slit. It errs towards
/// hidden by at most this width; f64 error at 100 m is about 10⁻¹² m.
pub const SIGHT_CLEARANCE_M: f64 = 1e-6;

/// A range of heights in metres; either end may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZRange {
    /// Lower end.
    pub low: f64,
    /// Upper end; never below `low`.
    pub high: f64,
}

impl ZRange {
    /// The range from `low` to `high`.
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// Whether the open ranges share a height; ranges that only touch do not.
    pub fn overlaps(self, other: Self) -> bool {
        self.low < other.high && other.low < self.high
    }

    /// Whether all of `other` lies in this range, ends included.
    pub fn contains_range(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Whether `z` lies in this range, ends included.
    pub fn contains(self, z: f64) -> bool {
        self.low <= z && z <= self.high
    }

    /// The smallest range that holds both.
    pub fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}
