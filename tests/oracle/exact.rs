//! The exact judge of small plans: is there any free line between two convex regions?
//!
//! Whether a segment between near ends is free changes only where its line passes a vertex (of a region, a
//! blocker, or of where their borders cross). So the lines of each cell of line space are alike; each cell has a
//! corner, a line through two vertices; and one line a hair beside it, per sector, stands for the cell.

use super::exact_line::{
    ExactLine, Q2, R, exact, exact_sum, inner, meeting, minus, outer, plus, rational, rounded, times,
};
use super::plane::{P2, bounds, cross, dot, edges, length, sub};
use num_traits::{Signed, ToPrimitive, Zero};

/// Offsets on a circle that are rational: its inscribed polygon of twelve corners.
pub(crate) fn inscribed_ring(radius: f64) -> Vec<Q2> {
    let (radius, fifth) = (rational(radius), R::new(1.into(), 5.into()));
    let corners = [
        (5, 0),
        (4, 3),
        (3, 4),
        (0, 5),
        (-3, 4),
        (-4, 3),
        (-5, 0),
        (-4, -3),
        (-3, -4),
        (0, -5),
        (3, -4),
        (4, -3),
    ];
    corners.map(|(x, y): (i64, i64)| [x, y].map(|v| R::from_integer(v.into()) * &fifth * &radius)).to_vec()
}

/// Offsets of a square that holds the circle of that radius.
pub(crate) fn square_ring(radius: &R) -> Vec<Q2> {
    [(1, 1), (1, -1), (-1, 1), (-1, -1)]
        .map(|(x, y): (i64, i64)| [x, y].map(|v| R::from_integer(v.into()) * radius))
        .to_vec()
}

/// Two regions apart from each other, and the closed blockers between them; all convex.
pub(crate) struct Plan {
    pub(crate) a: Vec<Q2>,
    pub(crate) b: Vec<Q2>,
    pub(crate) blockers: Vec<Vec<Q2>>,
}

/// The plan rounded to f64, for filters that decide only what is clear by far more than rounding.
struct Rough {
    a: Vec<P2>,
    b: Vec<P2>,
    blockers: Vec<Vec<P2>>,
    points: Vec<P2>,
}

/// Sides of a line that f64 is sure of: this times the lengths in play, far above its rounding at 1 km.
const SURE_SIDE: f64 = 1e-12;
/// Positions on a line differ for sure by this, where no edge is nearly along the line (see `span`).
const SURE_PLACE: f64 = 1e-3;

impl Plan {
    /// Regions grown by the inscribed rings of their discs, blockers by a square round the clearance's disc.
    pub(crate) fn new(
        (a, reach_a): (&[P2], f64),
        (b, reach_b): (&[P2], f64),
        blockers: &[Vec<P2>],
        clearance: &R,
    ) -> Self {
        let grow = |outline: &[P2], ring: &[Q2]| {
            exact_sum(&outline.iter().map(|&v| exact(v)).collect::<Vec<_>>(), ring)
        };
        let square = square_ring(clearance);
        Self {
            a: grow(a, &inscribed_ring(reach_a)),
            b: grow(b, &inscribed_ring(reach_b)),
            blockers: blockers.iter().map(|outline| grow(outline, &square)).collect(),
        }
    }

    /// A free segment from the one region to the other, or `None` where it is proven that there is none.
    ///
    /// Regions that are not apart along an edge are not asked: they give their first vertices.
    pub(crate) fn free_segment(&self) -> Option<(P2, P2)> {
        if !self.regions_apart() {
            return Some((rounded(&self.a[0]), rounded(&self.b[0])));
        }
        let points = self.points();
        let round = |outline: &Vec<Q2>| outline.iter().map(rounded).collect::<Vec<_>>();
        let rough = Rough {
            a: round(&self.a),
            b: round(&self.b),
            blockers: self.blockers.iter().map(round).collect(),
            points: round(&points),
        };
        for i in 0..points.len() {
            for j in i + 1..points.len() {
                if rough.surely_useless(i, j) {
                    continue;
                }
                if let Some(found) = self.beside(&points, &rough, i, j) {
                    return Some(found);
                }
            }
        }
        None
    }

    pub(crate) fn regions_apart(&self) -> bool {
        let separates = |outline: &[Q2], other: &[Q2]| {
            (0..outline.len()).any(|i| {
                let (p, q) = (&outline[i], &outline[(i + 1) % outline.len()]);
                let d = minus(q, p);
                other.iter().all(|v| outer(&d, &minus(v, p)).is_negative())
            })
        };
        separates(&self.a, &self.b) || separates(&self.b, &self.a)
    }

    /// The vertices at which the answer can change.
    fn points(&self) -> Vec<Q2> {
        let mut points: Vec<Q2> = self.a.iter().chain(&self.b).cloned().collect();
        points.extend(self.blockers.iter().flatten().cloned());
        let rough = |outline: &[Q2]| outline.iter().map(rounded).collect::<Vec<P2>>();
        for region in [&self.a, &self.b] {
            let rough_region = rough(region);
            for blocker in &self.blockers {
                let rough_blocker = rough(blocker);
                for (i, e) in edges(&rough_blocker).enumerate() {
                    for (j, f) in edges(&rough_region).enumerate() {
                        if boxes_meet(e, f) {
                            let e = (&blocker[i], &blocker[(i + 1) % blocker.len()]);
                            let f = (&region[j], &region[(j + 1) % region.len()]);
                            points.extend(meeting(e, f));
                        }
                    }
                }
            }
        }
        points.sort();
        points.dedup();
        points
    }

    /// Tries one line of each sector round the line through points `i` and `j`.
    fn beside(&self, points: &[Q2], rough: &Rough, i: usize, j: usize) -> Option<(P2, P2)> {
        let (p, d) = (&points[i], minus(&points[j], &points[i]));
        let mut on: Vec<R> = Vec::new();
        for (k, v) in points.iter().enumerate() {
            if rough.clear_side(i, j, rough.points[k]) == 0 && outer(&d, &minus(v, p)).is_zero() {
                if k < j && k != i {
                    // The same line came up before, with a smaller pair of points.
                    return None;
                }
                on.push(inner(&d, &minus(v, p)));
            }
        }
        on.sort();
        let squared = inner(&d, &d);
        let normal = [-d[1].clone(), d[0].clone()];
        let mut lines = Vec::new();
        let hair = hair(points, p, &d, None);
        for sign in [1, -1] {
            let step = &hair * R::from_integer(sign.into());
            lines.push(ExactLine { through: plus(p, &times(&normal, &step)), along: d.clone() });
        }
        for pair in on.windows(2) {
            let middle = (&pair[0] + &pair[1]) / R::from_integer(2.into()) / &squared;
            let pivot = plus(p, &times(&d, &middle));
            let hair = self::hair(points, p, &d, Some(&pivot));
            for sign in [1, -1] {
                let tilt = times(&normal, &(&hair * R::from_integer(sign.into())));
                lines.push(ExactLine { through: pivot.clone(), along: plus(&d, &tilt) });
            }
        }
        lines.iter().find_map(|line| self.free_on(line))
    }

    /// The segment between the near ends of the regions on the line, if no blocker meets it.
    fn free_on(&self, line: &ExactLine) -> Option<(P2, P2)> {
        let (a, b) = (line.crossing(&self.a)?, line.crossing(&self.b)?);
        let (start, end) = if a.1 < b.0 { (&a.1, &b.0) } else { (&a.0, &b.1) };
        let (low, high) = (start.min(end), start.max(end));
        let stopped = self.blockers.iter().any(|blocker| {
            line.crossing(blocker).is_some_and(|crossed| crossed.0 <= *high && crossed.1 >= *low)
        });
        (!stopped).then(|| (rounded(&line.at(start)), rounded(&line.at(end))))
    }
}

/// Whether the boxes of two segments are within a micrometre, far above the rounding of their ends.
fn boxes_meet(e: (P2, P2), f: (P2, P2)) -> bool {
    let (e, f) = (bounds(&[e.0, e.1]), bounds(&[f.0, f.1]));
    (0..2).all(|axis| e.0[axis] <= f.1[axis] + 1e-6 && f.0[axis] <= e.1[axis] + 1e-6)
}

/// A power of two so small that the line, moved or turned about `pivot` by it, passes no point off it.
fn hair(points: &[Q2], p: &Q2, d: &Q2, pivot: Option<&Q2>) -> R {
    let mut least = 1.0_f64;
    for v in points {
        let side = outer(d, &minus(v, p));
        let swing = pivot.map_or_else(|| inner(d, d), |m| inner(d, &minus(v, m)));
        if !side.is_zero() && !swing.is_zero() {
            let limit = (side / swing).abs().to_f64().unwrap_or(0.0);
            least = least.min(limit);
        }
    }
    // A quarter of the limit, rounded down to a power of two: exact, and short to compute with.
    rational(2.0_f64.powi((least / 4.0).log2().floor() as i32))
}

impl Rough {
    /// Side of `v` on the line through points `i` and `j`: 1, −1, or 0 where f64 cannot say.
    fn clear_side(&self, i: usize, j: usize, v: P2) -> i32 {
        let (p, d) = (self.points[i], sub(self.points[j], self.points[i]));
        let (side, reach) = (cross(d, sub(v, p)), length(d) + length(sub(v, p)));
        if side.abs() <= SURE_SIDE * reach { 0 } else { side.signum() as i32 }
    }

    /// Whether all lines a hair beside this one miss a region, or are stopped by one blocker.
    fn surely_useless(&self, i: usize, j: usize) -> bool {
        let missed = |outline: &[P2]| {
            let sides: Vec<i32> = outline.iter().map(|&v| self.clear_side(i, j, v)).collect();
            sides.iter().all(|&s| s == 1) || sides.iter().all(|&s| s == -1)
        };
        if missed(&self.a) || missed(&self.b) {
            return true;
        }
        let (Some(a), Some(b)) = (self.span(i, j, &self.a), self.span(i, j, &self.b)) else { return false };
        let (low, high) = if a.0 < b.0 { (a.1, b.0) } else { (b.1, a.0) };
        self.blockers.iter().any(|blocker| {
            let sides = blocker.iter().map(|&v| self.clear_side(i, j, v));
            let both = sides.clone().any(|s| s == 1) && sides.clone().any(|s| s == -1);
            both && self.span(i, j, blocker).is_some_and(|c| c.0.max(low) + SURE_PLACE < c.1.min(high))
        })
    }

    /// Positions in metres between which the line through `i` and `j` is in the outline; `None` if unsure.
    fn span(&self, i: usize, j: usize, outline: &[P2]) -> Option<(f64, f64)> {
        let (p, d) = (self.points[i], sub(self.points[j], self.points[i]));
        let long = length(d);
        if long < 0.1 {
            return None;
        }
        let place = |v: P2| dot(d, sub(v, p)) / long;
        let side = |v: P2| cross(d, sub(v, p)) / long;
        let mut span = (f64::INFINITY, f64::NEG_INFINITY);
        for k in 0..outline.len() {
            let (v, w) = (outline[k], outline[(k + 1) % outline.len()]);
            let (sv, sw) = (side(v), side(w));
            let mut take = |t: f64| span = (span.0.min(t), span.1.max(t));
            if self.clear_side(i, j, v) == 0 {
                take(place(v));
            }
            if (sv < 0.0) != (sw < 0.0) {
                // An edge nearly along the line: where they cross is not known well enough.
                if (sv - sw).abs() < 1e-6 {
                    return None;
                }
                take(place(v) + (place(w) - place(v)) * (sv / (sv - sw)));
            }
        }
        (span.0 <= span.1).then_some(span)
    }
}
