//! Pieces as a frame sees them: clipped to what surely lies between every eye and every body.
//!
//! Owns the clipping and the split into full blockers (they hold every height there) and partial ones.
//! Promises: a line of the frame that crosses a blocker's plan crosses it after the eye and before the body.
//! Must not know cells. A part that is not surely between is dropped: errs towards visible.

use super::Fault;
use super::frame::{Frame, Wedge};
use super::lines::Above;
use crate::geom::ZRange;

/// Heights that only touch a piece are free; f64 noise in a height stays under this (errs towards visible).
pub(crate) const TOUCH_M: f64 = 1e-9;

/// Blockers with less extent along u than this are dropped (errs towards visible).
const MIN_WIDTH_M: f64 = 1e-7;

/// Most vertices of a clipped blocker; one with more is dropped (errs towards visible).
const MAX_CORNERS: usize = 48;

/// How much of the heights a blocker holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Every ray that crosses it in the plan is blocked.
    Full,
    /// Rays above or below pass.
    Partial,
}

/// One blocker; its corners lie in [`Blockers::corners`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocker {
    first: u32,
    count: u32,
    /// How much of the heights it holds.
    pub(crate) hold: Hold,
    /// Its heights.
    pub(crate) z: ZRange,
}

/// All blockers of one question; reused between questions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blockers {
    corners: Vec<Above>,
    list: Vec<Blocker>,
}

/// Which blockers a question wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Only those that hold every height.
    Full,
    /// Partial ones too.
    All,
}

/// A small convex polygon (u, w) on the stack.
#[derive(Clone, Copy)]
struct Corners {
    count: usize,
    at: [[f64; 2]; MAX_CORNERS],
}

impl Corners {
    fn range_u(&self) -> [f64; 2] {
        self.at[..self.count]
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |r, v| [r[0].min(v[0]), r[1].max(v[0])])
    }

    /// The part where `normal · (u, w) >= offset`; nothing where it is empty or has too many corners.
    fn clip(&self, normal: [f64; 2], offset: f64) -> Option<Self> {
        let side = |v: [f64; 2]| normal[0] * v[0] + normal[1] * v[1] - offset;
        let mut out = Self { count: 0, at: [[0.0; 2]; MAX_CORNERS] };
        let mut previous = self.at[self.count - 1];
        let mut before = side(previous);
        for &v in &self.at[..self.count] {
            let here = side(v);
            if out.count + 2 > MAX_CORNERS {
                return None;
            }
            if (before < 0.0 && here > 0.0) || (before > 0.0 && here < 0.0) {
                let t = before / (before - here);
                out.at[out.count] =
                    [previous[0] + t * (v[0] - previous[0]), previous[1] + t * (v[1] - previous[1])];
                out.count += 1;
            }
            if here >= 0.0 {
                out.at[out.count] = v;
                out.count += 1;
            }
            (previous, before) = (v, here);
        }
        (out.count >= 3).then_some(out)
    }
}

impl Blockers {
    /// Forgets all blockers.
    pub(crate) fn clear(&mut self) {
        self.corners.clear();
        self.list.clear();
    }

    /// The blockers.
    #[inline]
    pub(crate) fn list(&self) -> &[Blocker] {
        &self.list
    }

    /// The corners of a blocker as functions of a line.
    #[inline]
    pub(crate) fn corners(&self, blocker: &Blocker) -> &[Above] {
        &self.corners[blocker.first as usize..(blocker.first + blocker.count) as usize]
    }

    /// Adds what a piece blocks of lines with the given slopes.
    pub(crate) fn add(
        &mut self,
        frame: &Frame,
        wedge: &Wedge,
        slopes: [f64; 2],
        piece: (impl Iterator<Item = [f64; 2]>, ZRange),
        wanted: Wanted,
        fault: Option<Fault>,
    ) {
        let (outline, z) = piece;
        let mut whole = Corners { count: 0, at: [[0.0; 2]; MAX_CORNERS] };
        for v in outline {
            if whole.count == MAX_CORNERS {
                return;
            }
            whole.at[whole.count] = v;
            whole.count += 1;
        }
        let range = whole.range_u();
        if range[1] < frame.outer[0]
            || range[0] > frame.outer[1]
            || !wedge.meets(touched(z), range[0], range[1])
        {
            return;
        }
        let Some(held) = self.wants(wedge, z, wanted) else { return };
        if fault == Some(Fault::SlabClip) {
            self.push(frame, wedge, &whole, z, held, wanted);
            return;
        }
        let behind = frame.eye.offsets(slopes[0]).1;
        let before = frame.eye.offsets(slopes[1]).0;
        let cuts = [([1.0, 0.0], frame.u0), ([-slopes[0], 1.0], behind), ([slopes[1], -1.0], -before)];
        for_each_part(&whole, cuts, |part| {
            let high = frame.body.offsets(slopes[1]).1;
            let low = frame.body.offsets(slopes[0]).0;
            let cuts = [([-1.0, 0.0], -frame.u1), ([-slopes[1], 1.0], high), ([slopes[0], -1.0], -low)];
            for_each_part(part, cuts, |part| self.push(frame, wedge, part, z, held, wanted));
        });
    }

    /// The stretch on which `z` holds every ray; nothing where the question has no use for the piece.
    fn wants(&self, wedge: &Wedge, z: ZRange, wanted: Wanted) -> Option<[f64; 2]> {
        let held = wedge.held_by(touched(z));
        (wanted == Wanted::All || held[1] - held[0] > MIN_WIDTH_M).then_some(held)
    }

    fn push(
        &mut self,
        frame: &Frame,
        wedge: &Wedge,
        part: &Corners,
        z: ZRange,
        held: [f64; 2],
        wanted: Wanted,
    ) {
        let range = part.range_u();
        if range[1] - range[0] < MIN_WIDTH_M && part.count < 3 || !wedge.meets(touched(z), range[0], range[1])
        {
            return;
        }
        if held[0] <= range[0] && range[1] <= held[1] {
            self.store(frame, part, z, Hold::Full);
            return;
        }
        if wanted == Wanted::All {
            self.store(frame, part, z, Hold::Partial);
        }
        let (from, to) = (held[0].max(range[0]), held[1].min(range[1]));
        if to - from > MIN_WIDTH_M {
            let clipped = part.clip([1.0, 0.0], from).and_then(|c| c.clip([-1.0, 0.0], -to));
            if let Some(clipped) = clipped {
                self.store(frame, &clipped, z, Hold::Full);
            }
        }
    }

    fn store(&mut self, frame: &Frame, part: &Corners, z: ZRange, hold: Hold) {
        let first = self.corners.len() as u32;
        self.corners.extend(part.at[..part.count].iter().map(|v| Above { at: frame.at(v[0]), value: v[1] }));
        self.list.push(Blocker { first, count: part.count as u32, hold, z });
    }
}

/// The heights whose passing counts as blocked: touching is free.
fn touched(z: ZRange) -> ZRange {
    ZRange::new(z.low + TOUCH_M, z.high - TOUCH_M)
}

/// Calls `f` with the polygon where one cut keeps it whole, else with what each cut leaves.
fn for_each_part(whole: &Corners, cuts: [([f64; 2], f64); 3], mut f: impl FnMut(&Corners)) {
    let inside = |(normal, offset): ([f64; 2], f64)| {
        whole.at[..whole.count].iter().all(|v| normal[0] * v[0] + normal[1] * v[1] >= offset)
    };
    if cuts.into_iter().any(inside) {
        f(whole);
        return;
    }
    for (normal, offset) in cuts {
        if let Some(part) = whole.clip(normal, offset) {
            f(&part);
        }
    }
}
