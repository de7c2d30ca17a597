//! Is there a height for the eye and one for the body point whose line passes all blockers crossed?
//!
//! Owns the exact question in the rectangle (eye height, body height): each blocker leaves what is above it at
//! both ends of its crossing, or below at both. Promises: what it returns passes by 0.1 µm in height.

use super::plane::P2;

/// A blocker crossed between the shares `near` and `far` of the way, solid from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Band {
    pub(crate) near: f64,
    pub(crate) far: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

const CORNERS: usize = 40;
/// Height by which a line must pass: far above rounding, far below anything a map means.
const MARGIN: f64 = 1e-7;

#[derive(Clone, Copy)]
struct Patch {
    corners: [P2; CORNERS],
    count: usize,
}

impl Patch {
    /// The part where `(1 - share)·eye + share·body` is at least `level` (at most, with `sign` −1).
    fn cut(&self, share: f64, level: f64, sign: f64) -> Option<Self> {
        let side = |p: P2| sign * ((1.0 - share) * p[0] + share * p[1] - level) - MARGIN;
        let mut out = Self { corners: [[0.0; 2]; CORNERS], count: 0 };
        let mut push = |p: P2| {
            if out.count < CORNERS {
                out.corners[out.count] = p;
                out.count += 1;
            }
        };
        for i in 0..self.count {
            let (p, q) = (self.corners[i], self.corners[(i + 1) % self.count]);
            let (sp, sq) = (side(p), side(q));
            if sp >= 0.0 {
                push(p);
            }
            if (sp < 0.0) != (sq < 0.0) {
                let t = sp / (sp - sq);
                push([p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t]);
            }
        }
        (out.count >= 3).then_some(out)
    }

    fn center(&self) -> P2 {
        let n = self.count as f64;
        let sum = self.corners[..self.count].iter().fold([0.0; 2], |s, p| [s[0] + p[0], s[1] + p[1]]);
        [sum[0] / n, sum[1] / n]
    }
}

/// Heights (eye, body) that pass every band, or `None`.
///
/// The search is capped; a cap hit finds nothing, which can only miss a violation, never invent one.
pub(crate) fn gap(eye: (f64, f64), body: (f64, f64), bands: &[Band]) -> Option<(f64, f64)> {
    let mut whole = Patch { corners: [[0.0; 2]; CORNERS], count: 4 };
    whole.corners[..4].copy_from_slice(&[[eye.0, body.0], [eye.1, body.0], [eye.1, body.1], [eye.0, body.1]]);
    let mut budget = 400;
    search(&whole, bands, &mut budget).map(|p| (p[0], p[1]))
}

fn search(patch: &Patch, bands: &[Band], budget: &mut u32) -> Option<P2> {
    let Some((band, rest)) = bands.split_first() else { return Some(patch.center()) };
    if *budget == 0 {
        return None;
    }
    *budget -= 1;
    let above = || patch.cut(band.near, band.high, 1.0)?.cut(band.far, band.high, 1.0);
    let below = || patch.cut(band.near, band.low, -1.0)?.cut(band.far, band.low, -1.0);
    let over = if band.high < f64::INFINITY { above() } else { None };
    over.and_then(|part| search(&part, rest, budget)).or_else(|| {
        let under = if band.low > f64::NEG_INFINITY { below() } else { None };
        under.and_then(|part| search(&part, rest, budget))
    })
}
