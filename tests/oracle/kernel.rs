//! The judges' segment kernel and its broad phase, a uniform grid of buckets.
//!
//! Owns the answer to "does this segment keep its distance from every blocker".
//! Promises: a segment is cut to the heights of a blocker, then measured in the plan: no epsilons but the caller's.

use super::plane::{P2, along, bounds, cross, edges, length, segment_distance, sub};
use super::scene::{Blocker, Scene};

/// What a segment that only touches the top or bottom of a blocker does.
///
/// `Passes` lets a touch reach a nanometre deep: the rounding of a height, a thousandth of the clearance.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Touch {
    Blocks,
    Passes,
}

/// Shares of the way from `from` to `to` at which the height is within the blocker's.
fn share_in_heights(blocker: &Blocker, from: f64, to: f64, touch: Touch) -> Option<(f64, f64)> {
    let rise = to - from;
    let depth = if touch == Touch::Blocks { 0.0 } else { 1e-9 };
    let (low, high) = (blocker.low + depth, blocker.high - depth);
    let inside = from >= low && from <= high;
    if rise == 0.0 {
        return inside.then_some((0.0, 1.0));
    }
    let (enter, leave) = ((low - from) / rise, (high - from) / rise);
    let (start, end) = (enter.min(leave).max(0.0), enter.max(leave).min(1.0));
    (start <= end).then_some((start, end))
}

/// Whether the segment comes within `clearance` of the blocker while inside its heights.
pub(crate) fn blocks(blocker: &Blocker, from: [f64; 3], to: [f64; 3], clearance: f64, touch: Touch) -> bool {
    let Some((start, end)) = share_in_heights(blocker, from[2], to[2], touch) else { return false };
    let (p, q) = ([from[0], from[1]], [to[0], to[1]]);
    let (p, q) = (along(p, q, start), along(p, q, end));
    // All of the segment beyond one edge by more than the clearance: the common case, and exact.
    let beyond = edges(&blocker.outline).any(|(a, b)| {
        let d = sub(b, a);
        let limit = -clearance * length(d);
        cross(d, sub(p, a)) < limit && cross(d, sub(q, a)) < limit
    });
    !beyond && segment_distance(&blocker.outline, p, q) <= clearance
}

/// Blockers by bucket of a uniform grid in the plan.
pub(crate) struct Grid {
    low: P2,
    size: f64,
    columns: usize,
    rows: usize,
    buckets: Vec<Vec<u32>>,
}

/// Marks of blockers already tested in one query; one per thread of work.
#[derive(Default)]
pub(crate) struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    fn begin(&mut self, count: usize) {
        if self.stamps.len() < count || self.now == u32::MAX {
            self.stamps = vec![0; count];
            self.now = 0;
        }
        self.now += 1;
    }

    fn is_new(&mut self, id: u32) -> bool {
        let stamp = &mut self.stamps[id as usize];
        let fresh = *stamp != self.now;
        *stamp = self.now;
        fresh
    }
}

impl Grid {
    /// Files the scene's blockers; boxes are grown by 10 µm so that any clearance in use stays covered.
    pub(crate) fn new(scene: &Scene) -> Self {
        let all: Vec<P2> = scene.blockers.iter().flat_map(|b| b.outline.iter().copied()).collect();
        let (low, high) = if all.is_empty() { ([0.0; 2], [1.0; 2]) } else { bounds(&all) };
        let size = ((high[0] - low[0]).max(high[1] - low[1]) / 200.0).max(2.0);
        let count = |axis: usize| ((high[axis] - low[axis]) / size) as usize + 1;
        let (columns, rows) = (count(0), count(1));
        let mut grid = Self { low, size, columns, rows, buckets: vec![Vec::new(); columns * rows] };
        for (id, blocker) in scene.blockers.iter().enumerate() {
            let (a, b) = bounds(&blocker.outline);
            for column in grid.span(0, a[0] - 1e-5, b[0] + 1e-5) {
                for row in grid.span(1, a[1] - 1e-5, b[1] + 1e-5) {
                    grid.buckets[row * columns + column].push(id as u32);
                }
            }
        }
        grid
    }

    /// Bucket numbers along an axis; beyond the grid there is nothing, so clamping only adds tests.
    fn span(&self, axis: usize, from: f64, to: f64) -> std::ops::RangeInclusive<usize> {
        let last = (if axis == 0 { self.columns } else { self.rows }) - 1;
        let at = |v: f64| (((v - self.low[axis]) / self.size).max(0.0) as usize).min(last);
        at(from)..=at(to)
    }

    /// Blockers whose buckets touch the box, each once.
    pub(crate) fn in_box(&self, low: P2, high: P2, marks: &mut Marks, count: usize) -> Vec<u32> {
        marks.begin(count);
        let mut found = Vec::new();
        for column in self.span(0, low[0], high[0]) {
            for row in self.span(1, low[1], high[1]) {
                let bucket = &self.buckets[row * self.columns + column];
                found.extend(bucket.iter().copied().filter(|&id| marks.is_new(id)));
            }
        }
        found
    }

    /// The first blocker found (in no order) that the segment comes within `clearance` of.
    pub(crate) fn stopper(
        &self,
        scene: &Scene,
        (from, to): ([f64; 3], [f64; 3]),
        clearance: f64,
        touch: Touch,
        marks: &mut Marks,
    ) -> Option<u32> {
        marks.begin(scene.blockers.len());
        let (p, q) = ([from[0], from[1]], [to[0], to[1]]);
        let (low, high) = bounds(&[p, q]);
        for column in self.span(0, low[0], high[0]) {
            // Heights of y over this column, a bucket's rounding wider than the segment needs.
            let edge = |c: f64| self.low[0] + self.size * c;
            let (mut y0, mut y1) = (low[1], high[1]);
            if q[0] != p[0] {
                let at = |x: f64| p[1] + (q[1] - p[1]) * ((x - p[0]) / (q[0] - p[0])).clamp(0.0, 1.0);
                let first = if column == 0 { low[0] } else { edge(column as f64) - 1e-5 };
                let last =
                    if column + 1 == self.columns { high[0] } else { edge(column as f64 + 1.0) + 1e-5 };
                let ends = (at(first), at(last));
                (y0, y1) = (ends.0.min(ends.1), ends.0.max(ends.1));
            }
            for row in self.span(1, y0 - 1e-5, y1 + 1e-5) {
                for &id in &self.buckets[row * self.columns + column] {
                    let fresh = marks.is_new(id);
                    if fresh && blocks(&scene.blockers[id as usize], from, to, clearance, touch) {
                        return Some(id);
                    }
                }
            }
        }
        None
    }

    /// Whether the segment is free beyond doubt: blockers grown by 2 µm in the plan and closed in height.
    pub(crate) fn surely_free(
        &self,
        scene: &Scene,
        segment: ([f64; 3], [f64; 3]),
        marks: &mut Marks,
    ) -> bool {
        self.stopper(scene, segment, 2e-6, Touch::Blocks, marks).is_none()
    }
}
