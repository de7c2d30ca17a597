//! Is there a free sight line from one volume to another? The plan solver.
//!
//! Owns the search over the polygon of lines. Promises: `Hidden` only where no line with the sight clearance
//! is free; `Seen` only with a segment that the kernel confirmed; every loop has a cap that ends in `Open`.
//! Must not know cells or the bake. Method: lines are points, pieces cut their polygon.

mod room;
mod witness;

use super::Fault;
use super::bars;
use super::blockers::{Blocker, Blockers, Hold, Wanted};
use super::frame::{Frame, Wedge, separating_directions};
use super::heights::{self, Bar, Stands, Trend};
use super::lines::{Above, Lines};
use super::question::{Answer, Effort, Question};
use super::slab::Slabs;
use super::volume::Volume;
use crate::geom::{Point3, SIGHT_CLEARANCE_M, Vector2, ZRange};
use std::cell::OnceCell;

/// Lines closer than this to a corner count as blocked: half the clearance, so that lines with all of it are
/// never lost to rounding (errs towards visible).
const MARGIN_M: f64 = SIGHT_CLEARANCE_M * 0.5;

/// A centroid must pass a corner by more than this to count as crossing: slivers can't split without end.
const CROSSING_M: f64 = 1e-9;

/// Corners that part lines by less than this are not worth a split.
const CORNER_M: f64 = 1e-3;

/// Polygons looked at along each direction before the best of them gets all the rest.
const SHORT_NODES: u32 = 4;

/// The solver's scratch; reused between questions, allocates nothing once warm.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solver {
    pub(super) frame: Frame,
    blockers: Blockers,
    slabs: Slabs,
    directions: Vec<Vector2>,
    stack: Vec<Lines>,
    crossed: Vec<u32>,
    bars: Vec<Bar>,
    /// Rising and falling rays from any eye to any body.
    anywhere: [Option<Lines>; 2],
    /// Polygons that the question at hand may still look at.
    left: u32,
    /// Polygons looked at since the solver was made.
    pub(crate) nodes: u64,
    /// An error planted by a test.
    pub(crate) fault: Option<Fault>,
}

/// What became of one polygon of lines.
enum Step {
    Dropped,
    Seen(Point3, Point3),
}

impl Solver {
    fn lay(&mut self, question: &Question<'_>, direction: usize) -> bool {
        let Some(&u) = self.directions.get(direction) else { return false };
        let laid = self.frame.lay(&question.eye, &question.body, u);
        if self.fault == Some(Fault::SlopeRange) {
            let short = (self.frame.u1 - self.frame.u0) / (self.frame.outer[1] - self.frame.outer[0]);
            self.frame.slopes = self.frame.slopes.map(|slope| slope * short);
        }
        laid
    }

    /// Whether full blockers alone hide two volumes from each other: rays go from one height to the other, one
    /// way with the heights of `question`, the other way with `back` (heights at the eye's and the body's end).
    pub(crate) fn hides(&mut self, question: &Question<'_>, back: [ZRange; 2], nodes: u32) -> bool {
        let Question { eye, body, pieces, occluders } = *question;
        let (eye_back, body_back) = (Volume { z: back[0], ..eye }, Volume { z: back[1], ..body });
        if self.slabs.part(&eye, &body, pieces, occluders)
            && self.slabs.part(&eye_back, &body_back, pieces, occluders)
        {
            return true;
        }
        self.are_all_stopped(question, Some(back), nodes)
    }

    /// Whether full blockers alone hide the body's volume from the eye's: much is hidden by no more, and where it is
    /// not, this is soon known.
    pub(crate) fn hides_plainly(&mut self, question: &Question<'_>, nodes: u32) -> bool {
        self.slabs.part(&question.eye, &question.body, question.pieces, question.occluders)
            || self.are_all_stopped(question, None, nodes)
    }

    /// Whether full blockers stop all lines, of rays with the heights of `question` and with those of `back` too.
    fn are_all_stopped(&mut self, question: &Question<'_>, back: Option<[ZRange; 2]>, nodes: u32) -> bool {
        separating_directions(&question.eye, &question.body, &mut self.directions);
        if !self.lay(question, 0) {
            return false;
        }
        let slopes = self.frame.slopes;
        let there = self.frame.wedge(question.eye.z, question.body.z);
        let back = back.map_or(there, |[eye, body]| self.frame.wedge(eye, body));
        self.gather(question, &[there, back], slopes, Wanted::Full);
        if self.blockers.list().is_empty() {
            return false;
        }
        let Some(lines) = self.frame.lines(slopes) else { return true };
        self.stack.clear();
        self.stack.push(lines);
        let mut left = nodes;
        while let Some(lines) = self.stack.pop() {
            if left == 0 {
                return false;
            }
            left -= 1;
            self.nodes += 1;
            let Some(deepest) = self.deepest_full(lines.centroid()) else { return false };
            self.split_around(&lines, deepest);
        }
        true
    }

    /// The answer for a pair of volumes, heights included.
    pub(crate) fn answer(&mut self, question: &Question<'_>, effort: Effort) -> Answer {
        if self.slabs.part(&question.eye, &question.body, question.pieces, question.occluders) {
            return Answer::Hidden;
        }
        separating_directions(&question.eye, &question.body, &mut self.directions);
        self.left = effort.total;
        // One short look along each direction, then all the rest along the first: a wall beside a volume is
        // seen whole only along its own normal.
        let short = Effort { rounds: 0, nodes: effort.nodes.min(SHORT_NODES), ..effort };
        let first = if effort.rounds == 0 { effort } else { short };
        for direction in 0..self.directions.len() {
            let answer = self.answer_along(question, direction, first);
            if answer != Answer::Open || effort.rounds == 0 {
                return answer;
            }
        }
        if self.is_hidden_by_storeys(question, short) {
            return Answer::Hidden;
        }
        separating_directions(&question.eye, &question.body, &mut self.directions);
        self.answer_along(question, 0, effort)
    }

    /// Whether no line gets through the holes of some floor or ceiling: a free one would have to reach a hole from
    /// some eye and some body from there.
    fn is_hidden_by_storeys(&mut self, question: &Question<'_>, effort: Effort) -> bool {
        let (mut slabs, left) = (std::mem::take(&mut self.slabs), self.left);
        let hidden = slabs.part_but_for(question, |hole, h| {
            let hole = Volume { region: hole, radius: 0.0, z: ZRange::new(h, h) };
            let ways = [Question { body: hole, ..*question }, Question { eye: hole, ..*question }];
            ways.iter().any(|way| self.is_surely_hidden(way, effort))
        });
        (self.slabs, self.left) = (slabs, left);
        hidden
    }

    fn is_surely_hidden(&mut self, question: &Question<'_>, effort: Effort) -> bool {
        separating_directions(&question.eye, &question.body, &mut self.directions);
        self.left = effort.total;
        (0..self.directions.len().min(1))
            .any(|direction| self.answer_along(question, direction, effort) == Answer::Hidden)
    }

    fn answer_along(&mut self, question: &Question<'_>, direction: usize, effort: Effort) -> Answer {
        if !self.lay(question, direction) {
            return Answer::Open;
        }
        let Some(lines) = self.frame.lines(self.frame.slopes) else { return Answer::Hidden };
        self.frame.measure();
        let outer = self.frame.outer.map(|u| self.frame.at(u));
        let stands = Stands { eye: [outer[0], 0.0], body: [1.0, outer[1]] };
        self.anywhere = [Trend::Rising, Trend::Falling]
            .map(|trend| heights::all_rays(&stands, question.eye.z, question.body.z, trend));
        self.answer_for(question, lines, effort)
    }

    /// Searches the lines with slopes in a range, then those left open with blockers made for them alone.
    fn answer_for(&mut self, question: &Question<'_>, lines: Lines, effort: Effort) -> Answer {
        let slopes = lines.range(|l| self.frame.slope(l));
        let wedge = self.frame.wedge(question.eye.z, question.body.z);
        self.gather(question, &[wedge], [slopes.0, slopes.1], Wanted::All);
        let answer = self.search(question, lines, effort.nodes);
        if answer != Answer::Open || effort.rounds == 0 || self.left == 0 {
            return answer;
        }
        let less = Effort { rounds: effort.rounds - 1, ..effort };
        let open = self.stack.len();
        for lines in std::mem::take(&mut self.stack) {
            match self.answer_for(question, lines, less) {
                Answer::Hidden => {}
                other => return other,
            }
        }
        debug_assert!(open > 0);
        Answer::Hidden
    }

    fn gather(&mut self, question: &Question<'_>, wedges: &[Wedge], slopes: [f64; 2], wanted: Wanted) {
        self.blockers.clear();
        for &index in question.pieces {
            let frame = &self.frame;
            let outline = question.occluders.outline(index).iter().map(|p| frame.to_frame(*p));
            let piece = (outline, question.occluders.z(index));
            self.blockers.add(frame, wedges, slopes, piece, (wanted, question.ends()), self.fault);
        }
    }

    fn search(&mut self, question: &Question<'_>, lines: Lines, nodes: u32) -> Answer {
        self.stack.clear();
        self.stack.push(lines);
        let mut left = nodes.min(self.left);
        self.left -= left;
        while let Some(mut lines) = self.stack.pop() {
            if left == 0 {
                self.stack.push(lines);
                return Answer::Open;
            }
            left -= 1;
            self.nodes += 1;
            if !self.frame.tighten(&mut lines) {
                continue;
            }
            let center = lines.centroid();
            if let Some(deepest) = self.deepest_full(center) {
                self.split_around(&lines, deepest);
                continue;
            }
            if let Step::Seen(from, to) = self.step(question, &lines, center) {
                return Answer::Seen(from, to);
            }
        }
        Answer::Hidden
    }

    /// One polygon whose centroid no full blocker holds: a witness, a drop, or a split onto the stack.
    fn step(&mut self, question: &Question<'_>, lines: &Lines, center: [f64; 2]) -> Step {
        self.cross(center);
        if let Some((from, to)) = self.witness(question, center) {
            return Step::Seen(from, to);
        }
        let known = OnceCell::new();
        let frame = &self.frame;
        let stands = || known.get_or_init(|| frame.stands(lines));
        if self.slabs.part_lines(frame, lines, (center, &stands), question) {
            return Step::Dropped;
        }
        self.bars.clear();
        let more = self.frame.along(self.margin());
        let mut uncrossed: Option<(f64, u32, bool)> = None;
        for i in 0..self.crossed.len() {
            let index = self.crossed[i];
            let blocker = self.blockers.list()[index as usize];
            let above = self.some_miss(lines, &blocker, 1.0);
            let below = self.some_miss(lines, &blocker, -1.0);
            if above || below {
                let depth = self.depth(&blocker, center) * (0.1 + blocker.share);
                if uncrossed.is_none_or(|(best, ..)| depth > best) {
                    uncrossed = Some((depth, index, above));
                }
                continue;
            }
            let bar = bars::over_lines(lines, self.blockers.corners(&blocker), blocker.z);
            let bar = bar.map(|bar| bar.lengthened(more));
            self.bars.extend(bar.and_then(|bar| match blocker.spans {
                [false, false] => Some(bar),
                spans => bars::spanned(bar, spans, stands(), question.ends()),
            }));
        }
        if !self.bars.is_empty() && !self.some_ray_passes(question, stands) {
            return Step::Dropped;
        }
        match uncrossed {
            Some((_, index, above)) => self.split_beside(lines, center, index, above),
            None => match self.corner_within(lines) {
                Some(corner) => self.split_at(lines, corner),
                None => self.stack.extend(lines.halves(center)),
            },
        }
        Step::Dropped
    }

    fn deepest_full(&self, line: [f64; 2]) -> Option<u32> {
        let mut best = (CROSSING_M, None);
        for (i, blocker) in self.blockers.list().iter().enumerate() {
            if blocker.hold == Hold::Full && !blocker.is_far_from(line) {
                let depth = self.depth(blocker, line);
                if depth > best.0 {
                    best = (depth, Some(i as u32));
                }
            }
        }
        best.1
    }

    /// How far a line is from missing a blocker; not positive where it misses.
    #[inline]
    fn depth(&self, blocker: &Blocker, line: [f64; 2]) -> f64 {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for corner in self.blockers.corners(blocker) {
            let value = corner.of(line);
            low = low.min(value);
            high = high.max(value);
        }
        high.min(-low)
    }

    /// Pushes the lines that pass above and below a blocker.
    fn split_around(&mut self, lines: &Lines, index: u32) {
        let blocker = self.blockers.list()[index as usize];
        for sign in [1.0, -1.0] {
            let mut rest = *lines;
            if self.keep_missing(&mut rest, &blocker, sign) {
                self.stack.push(rest);
            }
        }
    }

    /// Keeps the lines that pass above (`sign` 1) or below (-1) all corners by the margin, if there are any.
    fn keep_missing(&self, lines: &mut Lines, blocker: &Blocker, sign: f64) -> bool {
        let margin = self.margin();
        self.blockers.corners(blocker).iter().all(|corner| lines.keep(|l| sign * corner.of(l) - margin))
    }

    fn margin(&self) -> f64 {
        if let Some(Fault::Clearance(planted)) = self.fault { planted } else { MARGIN_M }
    }

    fn some_miss(&self, lines: &Lines, blocker: &Blocker, sign: f64) -> bool {
        let corners = self.blockers.corners(blocker);
        let margin = self.margin();
        let sure = corners.iter().any(|c| lines.vertices().iter().all(|&l| sign * c.of(l) < margin));
        let mut rest = *lines;
        !sure && self.keep_missing(&mut rest, blocker, sign)
    }

    /// Lists the partial blockers that a line crosses.
    fn cross(&mut self, line: [f64; 2]) {
        self.crossed.clear();
        for (i, blocker) in self.blockers.list().iter().enumerate() {
            let near = blocker.hold == Hold::Partial && !blocker.is_far_from(line);
            if near && self.depth(blocker, line) > CROSSING_M {
                self.crossed.push(i as u32);
            }
        }
    }

    /// Whether some ray over the lines passes all bars, wherever its eye and its body stand.
    fn some_ray_passes<'s>(&self, question: &Question<'_>, stands: impl Fn() -> &'s Stands) -> bool {
        let mut anywhere = self.anywhere.iter().zip([Trend::Rising, Trend::Falling]);
        let passes = |(rays, trend): (&Option<Lines>, Trend)| {
            rays.as_ref().is_some_and(|rays| heights::pass(rays, &self.bars, trend).is_some())
        };
        anywhere.any(passes) && self.passes(question, stands())
    }

    fn passes(&self, question: &Question<'_>, stands: &Stands) -> bool {
        [Trend::Rising, Trend::Falling].into_iter().any(|trend| {
            heights::all_rays(stands, question.eye.z, question.body.z, trend)
                .is_some_and(|rays| heights::pass(&rays, &self.bars, trend).is_some())
        })
    }

    /// Splits by the corner that keeps the centroid from passing a blocker on the side where some lines do.
    fn split_beside(&mut self, lines: &Lines, center: [f64; 2], index: u32, above: bool) {
        let sign = if above { 1.0 } else { -1.0 };
        let blocker = self.blockers.list()[index as usize];
        let worst = self
            .blockers
            .corners(&blocker)
            .iter()
            .copied()
            .min_by(|a, b| (sign * a.of(center)).total_cmp(&(sign * b.of(center))));
        let Some(corner) = worst else { return };
        self.split_at(lines, corner);
    }

    /// Splits into the lines above and below a corner.
    fn split_at(&mut self, lines: &Lines, corner: Above) {
        self.stack.extend(lines.parts(|l| corner.of(l)));
    }

    /// The corner of a crossed blocker that parts the lines most evenly: where they enter and leave is known
    /// best when all use the same edges.
    fn corner_within(&self, lines: &Lines) -> Option<Above> {
        let mut best = (CORNER_M, None);
        for &index in &self.crossed {
            for &corner in self.blockers.corners(&self.blockers.list()[index as usize]) {
                let (low, high) = lines.range(|l| corner.of(l));
                let evenness = high.min(-low);
                if evenness > best.0 {
                    best = (evenness, Some(corner));
                }
            }
        }
        best.1
    }
}
