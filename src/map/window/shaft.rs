//! Which pieces can matter between two volumes: those that touch their hull.
//!
//! Owns the filter. Promises: a piece it drops is farther than the sight clearance from every line between the
//! volumes, and what it keeps for a part of a volume it keeps for the whole.
//! Must not know cells. Method: separating axes (boxes, and the direction across the view).

use super::{Occluders, Volume};
use crate::geom::{Point2, Vector2};

/// Added around the hull, metres: more than the sight clearance and any rounding (errs towards more work).
const SLACK_M: f64 = 1e-5;

/// The hull of two volumes as seen by three axes.
pub(crate) struct Shaft {
    low: Point2,
    high: Point2,
    z: [f64; 2],
    across: Vector2,
    range: [f64; 2],
}

impl Shaft {
    /// The shaft between two volumes.
    pub(crate) fn between(a: &Volume<'_>, b: &Volume<'_>) -> Self {
        let x = join(a, b, Vector2::x());
        let y = join(a, b, Vector2::y());
        let d = b.center() - a.center();
        let across = if d.norm() > 1e-9 { Vector2::new(-d.y, d.x) / d.norm() } else { Vector2::x() };
        Self {
            low: Point2::new(x[0], y[0]),
            high: Point2::new(x[1], y[1]),
            z: [a.z.low.min(b.z.low), a.z.high.max(b.z.high)],
            across,
            range: join(a, b, across),
        }
    }

    /// The shaft's bounding box in the plan.
    pub(crate) fn bounds(&self) -> (Point2, Point2) {
        (self.low, self.high)
    }

    /// Whether a piece can block a line of the shaft.
    #[inline]
    pub(crate) fn touches(&self, occluders: &Occluders, index: u32) -> bool {
        let z = occluders.z(index);
        if z.low >= self.z[1] || z.high <= self.z[0] {
            return false;
        }
        self.touches_plan(occluders, index)
    }

    /// Whether a piece's outline touches the shaft in the plan.
    #[inline]
    pub(crate) fn touches_plan(&self, occluders: &Occluders, index: u32) -> bool {
        let (low, high) = occluders.bounds(index);
        if low.x > self.high.x || high.x < self.low.x || low.y > self.high.y || high.y < self.low.y {
            return false;
        }
        let (mut left, mut right) = (true, true);
        for p in occluders.outline(index) {
            let value = self.across.dot(&p.coords);
            left &= value > self.range[1];
            right &= value < self.range[0];
        }
        !(left || right)
    }
}

fn join(a: &Volume<'_>, b: &Volume<'_>, axis: Vector2) -> [f64; 2] {
    let (a_low, a_high) = a.extent(axis);
    let (b_low, b_high) = b.extent(axis);
    let low = (a_low - a.radius).min(b_low - b.radius) - SLACK_M;
    let high = (a_high + a.radius).max(b_high + b.radius) + SLACK_M;
    [low, high]
}
