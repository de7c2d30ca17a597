//! Lines in the plan: tangents to two round features, and where they cross volumes and blockers.

use super::plane::{P2, dot, edges, length, sub};

/// An oriented line: `normal · p == offset` on it, `dot(along, p)` the position along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) normal: P2,
    pub(crate) offset: f64,
}

impl Line {
    /// The line at signed distance `d1` from `c1` and `d2` from `c2`, or `None` where there is none.
    pub(crate) fn beside(c1: P2, d1: f64, c2: P2, d2: f64) -> Option<Self> {
        let between = sub(c2, c1);
        let far = length(between);
        let (w, sine) = ([between[0] / far, between[1] / far], (d1 - d2) / far);
        // Features closer than a millimetre give directions that mean nothing.
        if far < 1e-3 || sine.abs() >= 1.0 {
            return None;
        }
        let cosine = (1.0 - sine * sine).sqrt();
        // normal · (c2 - c1) must be (distance of c2) - (distance of c1).
        let normal = [-sine * w[0] - cosine * w[1], -sine * w[1] + cosine * w[0]];
        Some(Self { normal, offset: dot(normal, c1) - d1 })
    }

    /// Signed distance of a point: positive on the left of the line's direction.
    pub(crate) fn side(&self, p: P2) -> f64 {
        dot(self.normal, p) - self.offset
    }

    /// Position along the line of a point's projection.
    pub(crate) fn place(&self, p: P2) -> f64 {
        self.normal[1] * p[0] - self.normal[0] * p[1]
    }

    /// The point at a position along the line.
    pub(crate) fn at(&self, t: f64) -> P2 {
        [self.normal[0] * self.offset + self.normal[1] * t, self.normal[1] * self.offset - self.normal[0] * t]
    }

    /// Positions between which the line is within `reach` of the convex outline.
    pub(crate) fn within(&self, outline: &[P2], reach: f64) -> Option<(f64, f64)> {
        let mut span = (f64::INFINITY, f64::NEG_INFINITY);
        let mut take = |t: f64| span = (span.0.min(t), span.1.max(t));
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for &v in outline {
            let side = self.side(v);
            (least, most) = (least.min(side), most.max(side));
        }
        if least > reach || most < -reach {
            return None;
        }
        for (a, b) in edges(outline) {
            let (sa, half) = (self.side(a), reach * reach - self.side(a) * self.side(a));
            if half >= 0.0 {
                let (t, half) = (self.place(a), half.sqrt());
                take(t - half);
                take(t + half);
            }
            let d = sub(b, a);
            let long = length(d);
            if long > 0.0 {
                // The edge moved outwards by the reach.
                let out = [d[1] / long * reach, -d[0] / long * reach];
                let (p, q) = ([a[0] + out[0], a[1] + out[1]], [b[0] + out[0], b[1] + out[1]]);
                let (sp, sq) = (sa + dot(self.normal, out), self.side(q));
                if (sp <= 0.0) != (sq <= 0.0) {
                    let t = sp / (sp - sq);
                    take(self.place(p) + (self.place(q) - self.place(p)) * t);
                }
            }
        }
        (span.0 <= span.1).then_some(span)
    }

    /// Positions between which the line is within `clearance` (micrometres) of the outline, a little widened.
    pub(crate) fn crossing(&self, outline: &[P2], clearance: f64) -> Option<(f64, f64)> {
        let (mut above, mut below) = (true, true);
        for &v in outline {
            let side = self.side(v);
            above &= side > clearance;
            below &= side < -clearance;
        }
        if above || below {
            return None;
        }
        let mut span = (f64::INFINITY, f64::NEG_INFINITY);
        let mut take = |t: f64| span = (span.0.min(t), span.1.max(t));
        for (a, b) in edges(outline) {
            let (sa, sb) = (self.side(a), self.side(b));
            let (ta, tb) = (self.place(a), self.place(b));
            if sa.abs() <= clearance {
                take(ta);
            }
            for level in [-clearance, clearance] {
                if (sa < level) != (sb < level) {
                    take(ta + (tb - ta) * ((sa - level) / (sa - sb)));
                }
            }
        }
        (span.0 <= span.1).then_some((span.0 - clearance, span.1 + clearance))
    }
}
