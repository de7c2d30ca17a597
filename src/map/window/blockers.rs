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
    /// Middle and half extents of the corners: a line far from these misses.
    middle: Above,
    half: Above,
    /// How much of the heights it holds.
    pub(crate) hold: Hold,
    /// Its heights.
    pub(crate) z: ZRange,
    /// Whether it may reach over or under the eyes, and the bodies.
    pub(crate) spans: [bool; 2],
    /// The share of the rays' heights that it holds halfway along it, 0 to 1.
    pub(crate) share: f64,
}

/// All blockers of one question; reused between questions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blockers {
    corners: Vec<Above>,
    list: Vec<Blocker>,
    parts: Parts,
}

/// Which blockers a question wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Only those that hold every height.
    Full,
    /// Only those that rays may pass above or below.
    Partial,
    /// Both.
    All,
}

/// Blockers that room is made for, for each piece: it is clipped in up to nine ways, of which few leave an area.
const PARTS_OF_A_PIECE: usize = 6;

/// A convex polygon (u, w) and those that clips leave of it; reused.
#[derive(Clone, Debug, Default)]
struct Corners(Vec<[f64; 2]>);

/// What is asked of a piece.
#[derive(Clone, Copy)]
struct Use {
    /// Its heights.
    z: ZRange,
    /// The stretch on which they hold every ray.
    held: [f64; 2],
    wanted: Wanted,
    /// Whether it may reach over or under the eyes, and the bodies.
    spans: [bool; 2],
}

/// A half-plane `normal · (u, w) >= offset`.
type Half = ([f64; 2], f64);

fn over(half: Half, v: [f64; 2]) -> f64 {
    half.0[0] * v[0] + half.0[1] * v[1] - half.1
}

impl Corners {
    fn range_u(&self) -> [f64; 2] {
        self.0.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |r, v| [r[0].min(v[0]), r[1].max(v[0])])
    }

    fn inside(&self, half: Half) -> bool {
        self.0.iter().all(|&v| over(half, v) >= 0.0)
    }

    /// Writes the part in a half-plane to `out`; false where there is no area.
    fn clip(&self, half: Half, out: &mut Self) -> bool {
        out.0.clear();
        let Some(&last) = self.0.last() else { return false };
        let (mut previous, mut before) = (last, over(half, last));
        for &v in &self.0 {
            let here = over(half, v);
            if (before < 0.0 && here > 0.0) || (before > 0.0 && here < 0.0) {
                let t = before / (before - here);
                out.0.push([previous[0] + t * (v[0] - previous[0]), previous[1] + t * (v[1] - previous[1])]);
            }
            if here >= 0.0 {
                out.0.push(v);
            }
            (previous, before) = (v, here);
        }
        out.0.len() >= 3
    }
}

/// Polygons that the clips of one piece go through.
#[derive(Clone, Debug, Default)]
struct Parts {
    whole: Corners,
    before: Corners,
    between: Corners,
    held: Corners,
}

impl Blocker {
    /// Whether a line passes the box around the corners; then it misses the blocker.
    #[inline]
    pub(crate) fn is_far_from(&self, line: [f64; 2]) -> bool {
        self.middle.of(line).abs() > self.half.value + self.half.at * (line[1] - line[0]).abs()
    }
}

impl Blockers {
    /// Forgets all blockers.
    pub(crate) fn clear(&mut self) {
        self.corners.clear();
        self.list.clear();
    }

    /// Makes room for as many pieces with this many corners together, once forgotten.
    pub(crate) fn make_room(&mut self, pieces: usize, corners: usize) {
        self.list.reserve(pieces * PARTS_OF_A_PIECE);
        self.corners.reserve((corners + pieces) * PARTS_OF_A_PIECE);
        let Parts { whole, before, between, held } = &mut self.parts;
        for polygon in [whole, before, between, held] {
            polygon.0.clear();
            // Each clip adds a corner at most.
            polygon.0.reserve(corners + 8);
        }
    }

    /// How many there is room for.
    pub(super) fn room(&self) -> usize {
        self.list.capacity()
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

    /// Adds what a piece blocks of lines with the given slopes and of rays in any of the wedges.
    ///
    /// A piece that lies above or below all of `ends`' eyes or bodies is kept whole on their side: rays start
    /// or end on a known side of it.
    pub(crate) fn add(
        &mut self,
        frame: &Frame,
        wedges: &[Wedge],
        slopes: [f64; 2],
        piece: (impl Iterator<Item = [f64; 2]>, ZRange),
        (wanted, ends): (Wanted, [ZRange; 2]),
        fault: Option<Fault>,
    ) {
        let (outline, z) = piece;
        let Some(held) = wants(wedges, z, wanted) else { return };
        let mut parts = std::mem::take(&mut self.parts);
        parts.whole.0.clear();
        parts.whole.0.extend(outline);
        let range = parts.whole.range_u();
        let apart = range[1] < frame.outer[0] || range[0] > frame.outer[1];
        let useless = wanted == Wanted::Full && held[1].min(range[1]) - held[0].max(range[0]) <= MIN_WIDTH_M;
        if !apart && !useless && meets(wedges, z, range) {
            let spans = ends.map(|end| wanted == Wanted::All && (z.low >= end.high || z.high <= end.low));
            let whole = Use { z, held, wanted, spans };
            // What holds every ray must lie between the ends all the same.
            let apart = [
                Use { wanted: Wanted::Full, spans: [false; 2], ..whole },
                Use { wanted: Wanted::Partial, ..whole },
            ];
            let uses = if spans == [false; 2] { &[whole][..] } else { &apart };
            for &of in uses {
                self.clip_between(frame, wedges, slopes, &mut parts, of, fault);
            }
        }
        self.parts = parts;
    }

    /// Clips a piece behind the eyes, then before the bodies, each in up to three ways.
    fn clip_between(
        &mut self,
        frame: &Frame,
        wedges: &[Wedge],
        slopes: [f64; 2],
        parts: &mut Parts,
        of: Use,
        fault: Option<Fault>,
    ) {
        let Parts { whole, before, between, held } = parts;
        if fault == Some(Fault::SlabClip) {
            self.push(frame, wedges, whole, held, of);
            return;
        }
        let beyond_eye = |cut: usize| -> Half {
            match cut {
                0 => ([1.0, 0.0], frame.u0),
                1 => ([-slopes[0], 1.0], frame.eye.offsets(slopes[0]).1),
                _ => ([slopes[1], -1.0], -frame.eye.offsets(slopes[1]).0),
            }
        };
        let before_body = |cut: usize| -> Half {
            match cut {
                0 => ([-1.0, 0.0], -frame.u1),
                1 => ([-slopes[1], 1.0], frame.body.offsets(slopes[1]).1),
                _ => ([slopes[0], -1.0], -frame.body.offsets(slopes[0]).0),
            }
        };
        for_each_part(whole, before, of.spans[0], beyond_eye, |part, place| {
            for_each_part(part, between, of.spans[1], before_body, |part, other| {
                // Beside a volume only what holds every ray is worth the work of another blocker.
                let beside = place == Place::Beside || other == Place::Beside;
                match (beside, of.wanted) {
                    (true, Wanted::Partial) => {}
                    (true, _) => self.push(frame, wedges, part, held, Use { wanted: Wanted::Full, ..of }),
                    (false, _) => self.push(frame, wedges, part, held, of),
                }
            });
        });
    }

    fn push(
        &mut self,
        frame: &Frame,
        wedges: &[Wedge],
        part: &Corners,
        clipped: &mut Corners,
        Use { z, held, wanted, spans }: Use,
    ) {
        let range = part.range_u();
        if part.0.len() < 3 || !meets(wedges, z, range) {
            return;
        }
        let full = wanted != Wanted::Partial;
        if full && held[0] <= range[0] && range[1] <= held[1] {
            self.store(frame, part, z, (Hold::Full, 1.0), spans);
            return;
        }
        if wanted != Wanted::Full {
            let share = |wedge: &Wedge| wedge.share(z, 0.5 * (range[0] + range[1]));
            let share = wedges.iter().map(share).fold(1.0, f64::min);
            self.store(frame, part, z, (Hold::Partial, share), spans);
        }
        let (from, to) = (held[0].max(range[0]), held[1].min(range[1]));
        if !full || to - from <= MIN_WIDTH_M {
            return;
        }
        // What holds every ray does so from one end of the piece: one of the two cuts changes nothing.
        let (low, high): (Half, Half) = (([1.0, 0.0], from), ([-1.0, 0.0], -to));
        let mut once = Corners::default();
        let cut = if part.inside(low) {
            part.clip(high, clipped)
        } else if part.inside(high) {
            part.clip(low, clipped)
        } else {
            part.clip(low, &mut once) && once.clip(high, clipped)
        };
        if cut {
            self.store(frame, clipped, z, (Hold::Full, 1.0), spans);
        }
    }

    fn store(
        &mut self,
        frame: &Frame,
        part: &Corners,
        z: ZRange,
        (hold, share): (Hold, f64),
        spans: [bool; 2],
    ) {
        let first = self.corners.len() as u32;
        self.corners.extend(part.0.iter().map(|v| Above { at: frame.at(v[0]), value: v[1] }));
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for corner in &self.corners[first as usize..] {
            low = [low[0].min(corner.at), low[1].min(corner.value)];
            high = [high[0].max(corner.at), high[1].max(corner.value)];
        }
        let middle = Above { at: 0.5 * (low[0] + high[0]), value: 0.5 * (low[1] + high[1]) };
        let half = Above { at: 0.5 * (high[0] - low[0]), value: 0.5 * (high[1] - low[1]) };
        self.list.push(Blocker { first, count: part.0.len() as u32, middle, half, hold, z, spans, share });
    }
}

/// The heights whose passing counts as blocked: touching is free.
fn touched(z: ZRange) -> ZRange {
    ZRange::new(z.low + TOUCH_M, z.high - TOUCH_M)
}

/// The stretch on which `z` holds every ray of all wedges; nothing where the question has no use for it.
fn wants(wedges: &[Wedge], z: ZRange, wanted: Wanted) -> Option<[f64; 2]> {
    let held = wedges.iter().map(|wedge| wedge.held_by(touched(z)));
    let held = held.fold([f64::NEG_INFINITY, f64::INFINITY], |a, b| [a[0].max(b[0]), a[1].min(b[1])]);
    (wanted != Wanted::Full || held[1] - held[0] > MIN_WIDTH_M).then_some(held)
}

/// Whether some ray of some wedge passes strictly inside `z` on a stretch.
fn meets(wedges: &[Wedge], z: ZRange, range: [f64; 2]) -> bool {
    wedges.iter().any(|wedge| wedge.meets(touched(z), range[0], range[1]))
}

/// Where a part of a piece lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Beyond the volume along u, or whole.
    Beyond,
    /// Beside the volume.
    Beside,
}

/// Calls `f` with the polygon where it `spans` the volume or one of three cuts keeps it whole, else with what
/// each cut leaves.
fn for_each_part(
    whole: &Corners,
    clipped: &mut Corners,
    spans: bool,
    cut: impl Fn(usize) -> Half,
    mut f: impl FnMut(&Corners, Place),
) {
    if spans || whole.inside(cut(0)) {
        f(whole, Place::Beyond);
        return;
    }
    let cuts = [cut(0), cut(1), cut(2)];
    if whole.inside(cuts[1]) || whole.inside(cuts[2]) {
        f(whole, Place::Beyond);
        return;
    }
    for (half, place) in cuts.into_iter().zip([Place::Beyond, Place::Beside, Place::Beside]) {
        if whole.clip(half, clipped) {
            f(clipped, place);
        }
    }
}
