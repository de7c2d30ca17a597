//! Which rays get through in height: a ray is its heights at the two ends of the frame's stretch.
//!
//! Owns the search over "above or below" for the pieces that a ray crosses.
//! Promises: a ray that gets through is never ruled out; every search has a cap that ends in "gets through".
//! Must not know the plan.

use super::blockers::TOUCH_M;
use super::lines::{Above, Lines};
use crate::geom::ZRange;

/// Most steps of one search; beyond it the answer is "gets through" (errs towards visible).
const MAX_STEPS: u32 = 128;

/// What a ray must pass: the heights of a piece between entry and exit, as places on the stretch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bar {
    /// Where rays enter: for many lines the latest of them.
    pub(crate) entry: f64,
    /// Where they leave: for many lines the earliest of them.
    pub(crate) exit: f64,
    /// The piece's heights.
    pub(crate) z: ZRange,
}

/// Whether rays rise or fall along the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trend {
    /// Level or rising.
    Rising,
    /// Level or falling.
    Falling,
}

/// The stretches that eyes and bodies can stand on, as places: eyes first to last, bodies first to last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stands {
    /// Where eyes can be.
    pub(crate) eye: [f64; 2],
    /// Where bodies can be.
    pub(crate) body: [f64; 2],
}

/// All rays of one trend from some eye to some body, whichever place of its stretch each stands at.
pub(crate) fn all_rays(stands: &Stands, eye: ZRange, body: ZRange, trend: Trend) -> Option<Lines> {
    let (low, high) = (eye.low.min(body.low) - TOUCH_M, eye.high.max(body.high) + TOUCH_M);
    // A ray within the heights at both stands has been extended to 0 and 1: as steep as the stands are near.
    let [first, last] = [stands.eye[1].min(0.0), stands.body[0].max(1.0)];
    let reach = (high - low) * (1.0 + (1.0 - first).max(last) / (stands.body[0] - stands.eye[1]));
    let mut rays = Lines::rectangle([low - reach, high + reach], [low - reach, high + reach]);
    let at = |at: f64, value: f64| Above { at, value };
    let ([e0, e1], [b0, b1]) = (stands.eye, stands.body);
    let bounds = match trend {
        Trend::Rising => [at(e1, eye.low), at(e0, eye.high), at(b1, body.low), at(b0, body.high)],
        Trend::Falling => [at(e0, eye.low), at(e1, eye.high), at(b0, body.low), at(b1, body.high)],
    };
    let sign = if trend == Trend::Rising { 1.0 } else { -1.0 };
    (rays.keep(|r| sign * (r[1] - r[0]))
        && rays.keep(|r| bounds[0].of(r) + TOUCH_M)
        && rays.keep(|r| TOUCH_M - bounds[1].of(r))
        && rays.keep(|r| bounds[2].of(r) + TOUCH_M)
        && rays.keep(|r| TOUCH_M - bounds[3].of(r)))
    .then_some(rays)
}

/// Rays of one trend that pass every bar above or below, if there are any.
pub(crate) fn pass(rays: &Lines, bars: &[Bar], trend: Trend) -> Option<Lines> {
    let mut steps = 0;
    descend(rays, bars, trend, &mut steps)
}

fn descend(rays: &Lines, bars: &[Bar], trend: Trend, steps: &mut u32) -> Option<Lines> {
    let Some((bar, rest)) = bars.split_first() else { return Some(*rays) };
    *steps += 1;
    if *steps > MAX_STEPS {
        return Some(*rays);
    }
    // Rising rays are lowest over the bar at its entry, highest at its exit; falling ones the other way.
    let (over, under) = match trend {
        Trend::Rising => (bar.entry, bar.exit),
        Trend::Falling => (bar.exit, bar.entry),
    };
    for above in [true, false] {
        let mut kept = *rays;
        let some = if above {
            let f = Above { at: over, value: bar.z.high };
            bar.z.high.is_finite() && kept.keep(|r| f.of(r) + TOUCH_M)
        } else {
            let f = Above { at: under, value: bar.z.low };
            bar.z.low.is_finite() && kept.keep(|r| TOUCH_M - f.of(r))
        };
        if some && let Some(found) = descend(&kept, rest, trend, steps) {
            return Some(found);
        }
    }
    None
}
