//! The pieces that block sight, laid out for the solver: outlines, pushed-out edges, heights, boxes.
//!
//! Owns the flat arrays and the segment kernel over them.
//! Promises: a segment it calls free keeps the sight clearance from every piece it is asked about.
//! Must not know cells.

use crate::geom::{Point2, Point3, SIGHT_CLEARANCE_M, ZRange};
use crate::map::solids::Piece;

/// One edge: inside where `normal · p <= offset`, pushed out by the clearance.
#[derive(Clone, Copy, Debug)]
struct Edge {
    normal: [f64; 2],
    offset: f64,
}

/// One piece.
#[derive(Clone, Copy, Debug)]
struct Occluder {
    first: u32,
    count: u32,
    z: ZRange,
    low: Point2,
    high: Point2,
}

/// All pieces that block sight.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occluders {
    corners: Vec<Point2>,
    edges: Vec<Edge>,
    list: Vec<Occluder>,
}

impl Occluders {
    /// Lays out pieces; a piece's index is its place among them.
    pub(crate) fn new<'a>(pieces: impl IntoIterator<Item = &'a Piece>) -> Self {
        let mut occluders = Self::default();
        for piece in pieces {
            occluders.push(piece.outline.vertices(), piece.z);
        }
        occluders
    }

    pub(super) fn push(&mut self, outline: &[Point2], z: ZRange) {
        let first = self.corners.len() as u32;
        let (mut low, mut high) = (outline[0], outline[0]);
        for (i, &a) in outline.iter().enumerate() {
            let b = outline[(i + 1) % outline.len()];
            let normal = [b.y - a.y, a.x - b.x];
            let length = normal[0].hypot(normal[1]);
            let normal = [normal[0] / length, normal[1] / length];
            self.corners.push(a);
            self.edges.push(Edge { normal, offset: normal[0] * a.x + normal[1] * a.y + SIGHT_CLEARANCE_M });
            low = Point2::new(low.x.min(a.x), low.y.min(a.y));
            high = Point2::new(high.x.max(a.x), high.y.max(a.y));
        }
        self.list.push(Occluder { first, count: outline.len() as u32, z, low, high });
    }

    /// Takes away all pieces from this one on.
    pub(super) fn truncate(&mut self, pieces: usize) {
        if let Some(first) = self.list.get(pieces).map(|occluder| occluder.first as usize) {
            self.corners.truncate(first);
            self.edges.truncate(first);
            self.list.truncate(pieces);
        }
    }

    /// Number of pieces.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Number of the corners of all pieces.
    pub(super) fn corners(&self) -> usize {
        self.corners.len()
    }

    /// The outline of a piece.
    #[inline]
    pub(crate) fn outline(&self, index: u32) -> &[Point2] {
        let o = &self.list[index as usize];
        &self.corners[o.first as usize..(o.first + o.count) as usize]
    }

    /// The edges of a piece: inside where `normal · p <= offset`, pushed out by the clearance.
    pub(crate) fn edges(&self, index: u32) -> impl Iterator<Item = ([f64; 2], f64)> + '_ {
        let o = &self.list[index as usize];
        self.edges[o.first as usize..(o.first + o.count) as usize].iter().map(|e| (e.normal, e.offset))
    }

    /// The heights of a piece.
    #[inline]
    pub(crate) fn z(&self, index: u32) -> ZRange {
        self.list[index as usize].z
    }

    /// The bounding box of a piece in the plan.
    #[inline]
    pub(crate) fn bounds(&self, index: u32) -> (Point2, Point2) {
        let o = &self.list[index as usize];
        (o.low, o.high)
    }

    /// Whether a piece blocks the segment. Touching its top or bottom is free; coming closer than the
    /// clearance in the plan is blocked.
    #[inline]
    pub(crate) fn blocks(&self, index: u32, from: Point3, to: Point3) -> bool {
        let o = &self.list[index as usize];
        if from.z.min(to.z) >= o.z.high || from.z.max(to.z) <= o.z.low {
            return false;
        }
        let d = to - from;
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for e in &self.edges[o.first as usize..(o.first + o.count) as usize] {
            let distance = e.normal[0] * from.x + e.normal[1] * from.y - e.offset;
            let speed = e.normal[0] * d.x + e.normal[1] * d.y;
            if speed < 0.0 {
                enter = enter.max(-distance / speed);
            } else if speed > 0.0 {
                leave = leave.min(-distance / speed);
            } else if distance > 0.0 {
                return false;
            }
            if enter > leave {
                return false;
            }
        }
        let (a, b) = (from.z + enter * d.z, from.z + leave * d.z);
        a.min(b) < o.z.high && a.max(b) > o.z.low
    }

    /// The first of the listed pieces that blocks the segment.
    #[inline]
    pub(crate) fn first_blocker(&self, pieces: &[u32], from: Point3, to: Point3) -> Option<u32> {
        pieces.iter().copied().find(|&i| self.blocks(i, from, to))
    }
}
