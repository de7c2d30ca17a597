//! Parts merged to fewer, larger convex ones: in plan across shared edges, in height across shared outlines.
//!
//! Owns the greedy order (longest shared edge first, after Hertel and Mehlhorn) and the test of convexity.
//! Promises: the union of the parts stays what it was; the result depends on the set of parts, not on its order.
//! Must not know maps.

use super::parts::Part;
use crate::geom::{Point2, canonical_ring, compare, compare_points, compare_rings};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How far a vertex may lie from the chord of its neighbours to count as on it, metres.
///
/// Both errors stay a thousandth of the sight clearance: a merged outline covers at most this much outside
/// (pop-in), a dropped vertex uncovers at most this much (leak).
const STRAIGHT_M: f64 = 1e-9;

/// Merges until nothing more can be merged.
pub(super) fn simplify(parts: &mut Vec<Part>) {
    loop {
        stack(parts);
        let before = parts.len();
        while join_round(parts) {}
        if parts.len() == before {
            return;
        }
    }
}

/// Merges parts of equal outline whose heights touch or overlap; leaves the parts in order of shape.
fn stack(parts: &mut Vec<Part>) {
    let order = |a: &Part, b: &Part| {
        let kind = |p: &Part| [p.blocks.sight, p.blocks.movement, p.blocks.sound];
        compare_rings(&a.ring, &b.ring).then(kind(a).cmp(&kind(b)))
    };
    parts.sort_by(|a, b| order(a, b).then(compare(a.z.low, b.z.low)));
    parts.dedup_by(|next, kept| {
        let welds = order(next, kept) == Ordering::Equal && next.z.low <= kept.z.high;
        if welds {
            kept.z = kept.z.hull(next.z);
            kept.solid = kept.solid.min(next.solid);
        }
        welds
    });
    parts.sort_by(Part::compare_shape);
}

/// An edge with a sortable form: the layer and both ends.
type EdgeKey = (usize, [u64; 4]);

/// One pass over all shared edges; true if anything was merged. Expects the order of shape and leaves it.
fn join_round(parts: &mut Vec<Part>) -> bool {
    let mut shared = shared_edges(parts);
    shared.sort_by(|a, b| b.length.total_cmp(&a.length).then_with(|| a.key.cmp(&b.key)));
    let mut moved_to: Vec<usize> = (0..parts.len()).collect();
    let mut merged_any = false;
    for edge in &shared {
        let (i, j) = (root(&mut moved_to, edge.left), root(&mut moved_to, edge.right));
        if i == j {
            continue;
        }
        if let Some(ring) = joined(&parts[i].ring, &parts[j].ring, edge.from, edge.to) {
            parts[i].ring = ring;
            parts[i].solid = parts[i].solid.min(parts[j].solid);
            parts[j].ring.clear();
            moved_to[j] = i;
            merged_any = true;
        }
    }
    parts.retain(|part| !part.ring.is_empty());
    parts.sort_by(Part::compare_shape);
    merged_any
}

struct SharedEdge {
    length: f64,
    key: EdgeKey,
    from: Point2,
    to: Point2,
    left: usize,
    right: usize,
}

fn shared_edges(parts: &[Part]) -> Vec<SharedEdge> {
    let mut owners: BTreeMap<EdgeKey, usize> = BTreeMap::new();
    let mut layer = 0;
    let mut layers = Vec::with_capacity(parts.len());
    for (i, part) in parts.iter().enumerate() {
        if i > 0 && parts[i - 1].compare_layer(part) != Ordering::Equal {
            layer += 1;
        }
        layers.push(layer);
        for (from, to) in edges(&part.ring) {
            owners.entry((layer, bits(from, to))).or_insert(i);
        }
    }
    let mut shared = Vec::new();
    for (left, part) in parts.iter().enumerate() {
        for (from, to) in edges(&part.ring).filter(|(a, b)| compare_points(a, b) == Ordering::Less) {
            if let Some(&right) = owners.get(&(layers[left], bits(to, from))) {
                let key = (layers[left], bits(from, to));
                shared.push(SharedEdge { length: (to - from).norm(), key, from, to, left, right });
            }
        }
    }
    shared
}

fn edges(ring: &[Point2]) -> impl Iterator<Item = (Point2, Point2)> + '_ {
    (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]))
}

fn bits(from: Point2, to: Point2) -> [u64; 4] {
    [from.x, from.y, to.x, to.y].map(|x| (x + 0.0).to_bits())
}

/// The part that `index` was merged into.
fn root(moved_to: &mut [usize], mut index: usize) -> usize {
    while moved_to[index] != index {
        moved_to[index] = moved_to[moved_to[index]];
        index = moved_to[index];
    }
    index
}

/// The union of two convex rings that share the edge `from`–`to` (so directed in `a`), if it is convex.
fn joined(a: &[Point2], b: &[Point2], from: Point2, to: Point2) -> Option<Vec<Point2>> {
    let end_in_a = edges(a).position(|edge| edge == (from, to))? + 1;
    let end_in_b = edges(b).position(|edge| edge == (to, from))? + 1;
    let ring_a = (0..a.len()).map(|k| a[(end_in_a + k) % a.len()]);
    let ring_b = (0..b.len()).map(|k| b[(end_in_b + k) % b.len()]);
    // From `to` around `a` to `from`, then on around `b`, without naming the two ends again.
    let mut ring: Vec<Point2> = ring_a.chain(ring_b.skip(1).take(b.len() - 2)).collect();
    let from_at = a.len() - 1;
    for at in [from_at, 0] {
        let n = ring.len();
        let (before, here, after) = (ring[(at + n - 1) % n], ring[at], ring[(at + 1) % n]);
        if above_chord(before, here, after)? < -STRAIGHT_M {
            return None;
        }
    }
    for at in [from_at, 0] {
        let n = ring.len();
        if n > 3 && above_chord(ring[(at + n - 1) % n], ring[at], ring[(at + 1) % n])? <= STRAIGHT_M {
            ring.remove(at);
        }
    }
    Some(canonical_ring(&ring))
}

/// Distance of `here` outside of the chord of its neighbours; `None` for neighbours that coincide.
fn above_chord(before: Point2, here: Point2, after: Point2) -> Option<f64> {
    let chord = after - before;
    let length = chord.norm();
    (length > 0.0).then(|| (here - before).perp(&(after - here)) / length)
}
