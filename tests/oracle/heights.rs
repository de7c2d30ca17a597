//! Is there a pair of heights whose line passes all blockers that a plan line crosses?
//!
//! Owns the exact question over the lines (height at the near end of the eye's stretch, height at that of the
//! body's): each blocker leaves what is above it at both ends of its crossing, or below at both.
//! Promises: what it returns passes by 0.1 µm in height.

use super::plane::P2;

/// A blocker crossed between the shares `near` and `far` of the way, solid from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Band {
    pub(crate) near: f64,
    pub(crate) far: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A stretch of the line where a segment may end: from its near end (share 0 for the eye, 1 for the body) away
/// to the share `far`, at heights `low` to `high`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub(crate) far: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Where the segment leaves the rectangle of a stretch: by its near face, its top or its bottom.
#[derive(Clone, Copy, PartialEq)]
enum Exit {
    Face,
    Top,
    Bottom,
}

const CORNERS: usize = 40;
/// Height by which a line must pass: far above rounding, far below anything a map means.
const MARGIN: f64 = 1e-7;
/// Greatest height, over the stretch's own, that a line leaving it by top or bottom may reach.
const BEYOND: f64 = 200.0;

#[derive(Clone, Copy)]
struct Patch {
    corners: [P2; CORNERS],
    count: usize,
}

impl Patch {
    fn rectangle(x: (f64, f64), y: (f64, f64)) -> Self {
        let mut whole = Self { corners: [[0.0; 2]; CORNERS], count: 4 };
        whole.corners[..4].copy_from_slice(&[[x.0, y.0], [x.1, y.0], [x.1, y.1], [x.0, y.1]]);
        whole
    }

    /// The part where the height at a share of the way is at least `level` (at most, with `sign` −1).
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

/// One end of a segment: the share of the way and the height.
pub(crate) type End = (f64, f64);

/// The ends of a segment from the eye's stretch to the body's that passes every band, or `None`.
///
/// The search is capped; a cap hit finds nothing, which can only miss a violation, never invent one.
pub(crate) fn gap(eye: Stretch, body: Stretch, bands: &[Band]) -> Option<(End, End)> {
    let exits = |stretch: Stretch, near: f64| {
        let all = [Exit::Face, Exit::Top, Exit::Bottom];
        if stretch.far == near { &[Exit::Face][..] } else { &all[..] }.to_owned()
    };
    for &leave in &exits(eye, 0.0) {
        for &arrive in &exits(body, 1.0) {
            let span = |stretch: Stretch, exit: Exit| match exit {
                Exit::Face => (stretch.low, stretch.high),
                Exit::Top => (stretch.high, stretch.high + BEYOND),
                Exit::Bottom => (stretch.low - BEYOND, stretch.low),
            };
            let whole = Patch::rectangle(span(eye, leave), span(body, arrive));
            let passing = through(&whole, eye, leave).and_then(|part| through(&part, body, arrive));
            let mut budget = 300;
            if let Some(p) = passing.and_then(|part| search(&part, bands, &mut budget)) {
                return Some((end(p, 0.0, eye, leave), end(p, 1.0, body, arrive)));
            }
        }
    }
    None
}

/// Lines beyond the near face's heights that still come out of the stretch's rectangle.
fn through(patch: &Patch, stretch: Stretch, exit: Exit) -> Option<Patch> {
    match exit {
        Exit::Face => Some(*patch),
        Exit::Top => patch.cut(stretch.far, stretch.high, -1.0),
        Exit::Bottom => patch.cut(stretch.far, stretch.low, 1.0),
    }
}

/// Where the line with these heights at shares 0 and 1 comes out of the stretch.
fn end(heights: P2, near: f64, stretch: Stretch, exit: Exit) -> End {
    let rise = heights[1] - heights[0];
    let level = match exit {
        Exit::Face => return (near, heights[0] + rise * near),
        Exit::Top => stretch.high,
        Exit::Bottom => stretch.low,
    };
    ((level - heights[0]) / rise, level)
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
