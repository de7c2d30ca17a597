//! Slits between solids that were meant to touch.
//!
//! Owns the search for facing faces under 2 mm apart and the quadrilaterals that fill them.
//! Promises: a filling covers nothing but the slit between two faces that look at each other.
//! Must not know maps.

use super::parts::{Part, bounds};
use crate::geom::{PlanBvh, Point2, Vector2, ZRange, canonical_ring, signed_area};
use crate::map::Blocks;

/// Slits narrower than this are filled, metres: they are mistakes of drawing (leak). Wider ones are real.
const SLIT_M: f64 = 2e-3;
/// Slits narrower than this are closed by the sight clearance already, metres.
const CLOSED_M: f64 = 1e-6;
/// Faces look at each other if the cosine between them is below this (within 8° of opposite).
const FACING_COSINE: f64 = -0.99;

/// Parts near one that are looked at.
const LOOKED_AT: usize = 4096;
/// Other faces that are compared with a face, in the mean over those of a part.
const COMPARED_PER_FACE: usize = 1024;
/// Fillings made, per part of the map.
const FILLINGS_PER_PART: usize = 8;

/// The fillings of all slits between parts.
///
/// Leak: where more solids crowd than the bounds allow, slits between them stay open, as drawn.
pub(super) fn slits(parts: &[Part]) -> Vec<Part> {
    let boxes: Vec<(Point2, Point2)> = parts.iter().map(|part| bounds(&part.ring)).collect();
    let tree = PlanBvh::new(boxes.iter().copied());
    let around = Vector2::new(SLIT_M, SLIT_M);
    let mut fillings = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let touching = tree.touching(boxes[i].0 - around, boxes[i].1 + around).take(LOOKED_AT);
        let mut near: Vec<usize> = touching.filter(|&j| j > i && part.z.overlaps(parts[j].z)).collect();
        near.sort_unstable();
        let mut compared = 0;
        for j in near {
            compared += parts[j].ring.len();
            if compared > COMPARED_PER_FACE || fillings.len() > FILLINGS_PER_PART * parts.len() {
                break;
            }
            fill_between(part, &parts[j], &mut fillings);
        }
    }
    fillings
}

fn fill_between(a: &Part, b: &Part, fillings: &mut Vec<Part>) {
    let blocks = Blocks {
        sight: a.blocks.sight && b.blocks.sight,
        movement: a.blocks.movement && b.blocks.movement,
        sound: a.blocks.sound && b.blocks.sound,
    };
    if !(blocks.sight || blocks.movement || blocks.sound) {
        return;
    }
    let z = ZRange::new(a.z.low.max(b.z.low), a.z.high.min(b.z.high));
    for face in edges(&a.ring) {
        for other in edges(&b.ring) {
            if let Some(ring) = slit(face, other) {
                fillings.push(Part { ring: canonical_ring(&ring), z, blocks, solid: a.solid.min(b.solid) });
            }
        }
    }
}

fn edges(ring: &[Point2]) -> impl Iterator<Item = (Point2, Point2)> + '_ {
    (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]))
}

/// The slit in front of `face` up to `other`, as far as it is narrow; `None` where they don't face each other,
/// touch, or are further apart.
fn slit(face: (Point2, Point2), other: (Point2, Point2)) -> Option<Vec<Point2>> {
    let length = (face.1 - face.0).norm();
    let along = (face.1 - face.0) / length;
    let opposite = (other.1 - other.0).normalize();
    if along.dot(&opposite) > FACING_COSINE {
        return None;
    }
    let outward = Vector2::new(along.y, -along.x);
    // The other face in this one's frame, from its low end (its second vertex) to its high end.
    let place = |p: Point2| ((p - face.0).dot(&along), (p - face.0).dot(&outward));
    let (low, high) = (place(other.1), place(other.0));
    let gap = |s: f64| low.1 + (high.1 - low.1) * ((s - low.0) / (high.0 - low.0));
    let (mut start, mut end) = (low.0.max(0.0), high.0.min(length));
    if start >= end {
        return None;
    }
    let (gap_start, gap_end) = (gap(start), gap(end));
    // Where they touch or overlap there is no way through.
    if gap_start.min(gap_end) <= CLOSED_M || gap_start.min(gap_end) >= SLIT_M {
        return None;
    }
    if gap_start.max(gap_end) > SLIT_M {
        let narrow = start + (end - start) * ((SLIT_M - gap_start) / (gap_end - gap_start));
        if gap_start > gap_end { start = narrow } else { end = narrow }
    }
    // Ends that are vertices stay so bit for bit, which lets the filling merge with its neighbours.
    let on_face = |s: f64| {
        if s <= 0.0 {
            face.0
        } else if s >= length {
            face.1
        } else {
            face.0 + along * s
        }
    };
    let on_other = |s: f64| {
        if s <= low.0 {
            other.1
        } else if s >= high.0 {
            other.0
        } else {
            face.0 + along * s + outward * gap(s)
        }
    };
    let ring = vec![on_face(end), on_face(start), on_other(start), on_other(end)];
    (signed_area(&ring) > CLOSED_M * (end - start) * 0.5).then_some(ring)
}
