//! Where on a line, or on all lines of a polygon, eyes and bodies can stand.
//!
//! Owns the chords of lines within the discs. Promises: a chord lies within the discs; the stands of a polygon hold
//! the chords of all its lines. Must not know pieces or heights.

use super::frame::{Frame, Side};
use super::heights::Stands;
use super::lines::Lines;

/// Chords are pulled in by this, so that rounding can't put a witness outside its volume.
const CHORD_M: f64 = 1e-7;

impl Frame {
    /// Where eyes and bodies on these lines can stand.
    ///
    /// The lines sweep a band. The outermost point of a side's discs within it is either the outermost of
    /// all, or lies on the band's edge, which is made of the polygon's corners: their chords bound it.
    pub(crate) fn stands(&self, lines: &Lines) -> Stands {
        let stretch = |side: &Side| {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for &line in lines.vertices() {
                if let Some(chord) = self.chord(line, side) {
                    (low, high) = (low.min(chord[0]), high.max(chord[1]));
                }
            }
            for (u, from, to) in side.tips() {
                let (bottom, top) = lines.range(|l| self.offset(l, u));
                if from <= top && to >= bottom {
                    (low, high) = (low.min(u), high.max(u));
                }
            }
            [self.at(low - CHORD_M * 2.0), self.at(high + CHORD_M * 2.0)]
        };
        Stands { eye: stretch(&self.eye), body: stretch(&self.body) }
    }

    /// The stretch of u that a line has within the discs of a side; nothing where it misses them.
    ///
    /// The ends are pulled inside by a little, so that rounding can't put a witness outside the volume.
    pub(crate) fn chord(&self, line: [f64; 2], side: &Side) -> Option<[f64; 2]> {
        let slope = self.slope(line);
        let base = self.offset(line, 0.0);
        let length_squared = 1.0 + slope * slope;
        let per_length = 1.0 / length_squared.sqrt();
        let per_square = 1.0 / length_squared;
        let radius = side.radius;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut take = |u: f64| (low, high) = (low.min(u), high.max(u));
        let n = side.region.len();
        for (i, &v) in side.region.iter().enumerate() {
            // The line's point nearest to the corner, and how far it may go from there within the disc.
            let distance = (v[1] - base - slope * v[0]) * per_length;
            if distance.abs() <= radius {
                let foot = (v[0] + slope * (v[1] - base)) * per_square;
                let half = (radius * radius - distance * distance).sqrt() * per_length;
                take(foot - half);
                take(foot + half);
            }
            let next = side.region[if i + 1 == n { 0 } else { i + 1 }];
            let edge = [next[0] - v[0], next[1] - v[1]];
            let size = side.lengths[i];
            let across = edge[1] - edge[0] * slope;
            if size < 1e-12 || across.abs() < 1e-12 * size {
                continue;
            }
            let u = (radius * size + edge[1] * v[0] - edge[0] * (v[1] - base)) / across;
            let along = (u - v[0]) * edge[0] + (base + slope * u - v[1]) * edge[1];
            if (0.0..=size * size).contains(&along) {
                take(u);
            }
        }
        (high - low > 2.0 * CHORD_M).then_some([low + CHORD_M, high - CHORD_M])
    }
}
