//! Parts that add nothing, because they are wholly inside another.
//!
//! Owns the test of containment and the bound on its work.
//! Promises: the union of the parts stays what it was, for each of what they stop; the result depends on the set
//! of parts, not on the order of the map.
//! Must not know maps.

use super::parts::{Part, bounds, stops_all_of};
use crate::geom::{PlanBvh, Point2};

/// Parts near one that are looked at. More could only find more to drop: nothing is hidden or seen by it.
const LOOKED_AT: usize = 1024;

/// Drops each part that lies in another in plan and height and stops nothing that the other does not.
pub(super) fn drop_covered(parts: &mut Vec<Part>) {
    let boxes: Vec<(Point2, Point2)> = parts.iter().map(|part| bounds(&part.ring)).collect();
    let tree = PlanBvh::new(boxes.iter().copied());
    let holds_box = |outer: usize, inner: usize| {
        let ((a, b), (c, d)) = (boxes[outer], boxes[inner]);
        a.x <= c.x && a.y <= c.y && d.x <= b.x && d.y <= b.y
    };
    let is_covered = |inner: usize| {
        let mut near = tree.touching(boxes[inner].0, boxes[inner].1).take(LOOKED_AT);
        // Of two that hold each other the first stays.
        near.any(|outer| {
            outer != inner
                && holds_box(outer, inner)
                && covers(&parts[outer], &parts[inner])
                && (outer < inner || !covers(&parts[inner], &parts[outer]))
        })
    };
    let covered: Vec<bool> = (0..parts.len()).map(is_covered).collect();
    let mut covered = covered.into_iter();
    parts.retain(|_| covered.next() != Some(true));
}

fn covers(outer: &Part, inner: &Part) -> bool {
    outer.z.contains_range(inner.z)
        && stops_all_of(outer.blocks, inner.blocks)
        && inner.ring.iter().all(|&p| holds(&outer.ring, p))
}

/// Whether the point is in the convex ring or on it. Leak: rounding, 10⁻¹⁴ m at 100 m, uncovers no more than that.
fn holds(ring: &[Point2], p: Point2) -> bool {
    (0..ring.len()).all(|i| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        (b - a).perp(&(p - a)) >= 0.0
    })
}
