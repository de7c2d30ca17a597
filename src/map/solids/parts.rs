//! Solids cut into convex parts, before they are merged to pieces.
//!
//! Owns the working form of a piece and its order.
//! Promises: each part lies in its solid; equal outlines give equal parts.
//! Must not know neighbours.

use super::Piece;
use crate::geom::{ConvexPolygon, Point2, ZRange, canonical_ring, compare, compare_rings, convex_parts};
use crate::map::{Blocks, Footprint, Solid};
use std::cmp::Ordering;

/// A convex prism that may still be merged with others.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Counter-clockwise, beginning at the least vertex.
    pub(super) ring: Vec<Point2>,
    pub(super) z: ZRange,
    pub(super) blocks: Blocks,
    pub(super) solid: u32,
}

impl Part {
    /// A total order by heights, what is stopped and outline; equal shapes are equal.
    pub(super) fn compare_shape(&self, other: &Self) -> Ordering {
        self.compare_layer(other).then_with(|| compare_rings(&self.ring, &other.ring))
    }

    /// The order by heights and what is stopped alone.
    pub(super) fn compare_layer(&self, other: &Self) -> Ordering {
        let heights = compare(self.z.low, other.z.low).then(compare(self.z.high, other.z.high));
        heights.then(stopped(self.blocks).cmp(&stopped(other.blocks)))
    }

    pub(super) fn into_piece(self) -> Piece {
        let Self { ring, z, blocks, solid } = self;
        Piece { outline: ConvexPolygon::from_ccw(ring), z, solid, blocks }
    }
}

pub(super) fn stopped(blocks: Blocks) -> [bool; 3] {
    [blocks.sight, blocks.movement, blocks.sound]
}

/// Whether what stops `other` is stopped by `one` too.
pub(super) fn stops_all_of(one: Blocks, other: Blocks) -> bool {
    stopped(one).into_iter().zip(stopped(other)).all(|(one, other)| one || !other)
}

/// The corners (least, greatest) of a ring's bounding box.
pub(super) fn bounds(ring: &[Point2]) -> (Point2, Point2) {
    ring.iter().fold((ring[0], ring[0]), |(low, high), p| {
        (Point2::new(low.x.min(p.x), low.y.min(p.y)), Point2::new(high.x.max(p.x), high.y.max(p.y)))
    })
}

/// The convex parts of all solids.
pub(super) fn of_solids(solids: &[Solid]) -> Vec<Part> {
    solids.iter().enumerate().flat_map(|(index, solid)| of_solid(solid, index as u32)).collect()
}

/// The convex parts of one solid.
///
/// A circle becomes the polygon inside it, for bodies too: it errs towards visible and walkable.
pub(super) fn of_solid(solid: &Solid, index: u32) -> Vec<Part> {
    // Negative zeros would tell equal heights apart.
    let z = ZRange::new(solid.z.low + 0.0, solid.z.high + 0.0);
    if z.low >= z.high {
        return Vec::new();
    }
    let rings = match &solid.footprint {
        Footprint::Polygon { outline, holes } => convex_parts(outline, holes),
        Footprint::Circle { center, radius } => {
            vec![canonical_ring(ConvexPolygon::inside_circle(*center, *radius).vertices())]
        }
    };
    rings
        .into_iter()
        .map(|ring| Part { ring: canonical_ring(&ring), z, blocks: solid.blocks, solid: index })
        .collect()
}
