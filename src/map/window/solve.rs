//! Is there a free sight line from one volume to another? The plan solver.
//!
//! Owns the search over the polygon of lines. Promises: `Hidden` only where no line with the sight clearance
//! is free; `Seen` only with a segment that the kernel confirmed; every loop has a cap that ends in `Open`.
//! Must not know cells or the bake. Method: pieces cut the polygon of lines; see `VISIBILITY` in the docs.

use super::Fault;
use super::blockers::{Blocker, Blockers, Hold, Wanted};
use super::frame::{Frame, Side, Wedge, separating_directions};
use super::heights::{self, Bar, Stands, Trend};
use super::lines::{Above, Lines};
use super::occluders::Occluders;
use super::slab::{SLACK_M, Slabs};
use super::volume::Volume;
use crate::geom::{Point3, SIGHT_CLEARANCE_M, Vector2, ZRange};

/// Lines closer than this to a corner count as blocked: half the clearance, so that lines with all of it are
/// never lost to rounding (errs towards visible).
const MARGIN_M: f64 = SIGHT_CLEARANCE_M * 0.5;

/// A centroid must pass a corner by more than this to count as crossing: slivers can't split without end.
const CROSSING_M: f64 = 1e-9;

/// Corners that part lines by less than this are not worth a split.
const CORNER_M: f64 = 1e-3;

/// Chords are pulled in by this, so that rounding can't put a witness outside its volume.
const CHORD_M: f64 = 1e-7;

/// Polygons looked at along each direction before the best of them gets all the rest.
const SHORT_NODES: u32 = 4;

/// The answer to one question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Answer {
    /// No line with the sight clearance is free.
    Hidden,
    /// This segment is free, from the eye to the body.
    Seen(Point3, Point3),
    /// Neither was proven.
    Open,
}

/// How much work a question may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Most polygons looked at before the blockers are made anew for what is left.
    pub(crate) nodes: u32,
    /// How often what is left open is looked at again, each part for itself.
    pub(crate) rounds: u32,
    /// Most polygons looked at in all.
    pub(crate) total: u32,
}

/// One question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    /// Where the sight line starts.
    pub(crate) eye: Volume<'a>,
    /// Where it ends.
    pub(crate) body: Volume<'a>,
    /// The pieces that can matter: all that touch the hull of the two volumes.
    pub(crate) pieces: &'a [u32],
    /// What they look like.
    pub(crate) occluders: &'a Occluders,
}

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
        separating_directions(&eye, &body, &mut self.directions);
        if !self.lay(question, 0) {
            return false;
        }
        let slopes = self.frame.slopes;
        let there = self.frame.wedge(question.eye.z, question.body.z);
        let back = self.frame.wedge(back[0], back[1]);
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
        self.answer_along(question, 0, effort)
    }

    fn answer_along(&mut self, question: &Question<'_>, direction: usize, effort: Effort) -> Answer {
        if !self.lay(question, direction) {
            return Answer::Open;
        }
        let Some(lines) = self.frame.lines(self.frame.slopes) else { return Answer::Hidden };
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
        let ends = [question.eye.z, question.body.z];
        for &index in question.pieces {
            let frame = &self.frame;
            let outline = question.occluders.outline(index).iter().map(|p| frame.to_frame(*p));
            let piece = (outline, question.occluders.z(index));
            self.blockers.add(frame, wedges, slopes, piece, (wanted, ends), self.fault);
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
        if self.storeys_part(question, lines) {
            return Step::Dropped;
        }
        let stands = self.stands(lines);
        self.bars.clear();
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
            if let Some(bar) = self.bar(lines, &blocker) {
                self.bars.extend(spanned(bar, &blocker, &stands, question));
            }
        }
        if !self.bars.is_empty() && !self.some_ray_passes(question, &stands) {
            return Step::Dropped;
        }
        match uncrossed {
            Some((_, index, above)) => self.split_beside(lines, center, index, above),
            None => match self.corner_within(lines) {
                Some(corner) => self.split_at(lines, corner),
                None => self.halve(lines, center),
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

    /// Latest entry and earliest exit of all lines of a polygon that all cross the blocker, if they are known.
    ///
    /// Where a line crosses an edge is a ratio of linear functions, so its extremes over the lines that cross
    /// the edge are at the corners of the polygon of those lines.
    fn bar(&self, lines: &Lines, blocker: &Blocker) -> Option<Bar> {
        let corners = self.blockers.corners(blocker);
        let (mut entry, mut exit) = (f64::NEG_INFINITY, f64::INFINITY);
        for (i, &a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            // Counter-clockwise corners: a line leaves through an edge that begins below it and ends above.
            for leaving in [1.0, -1.0] {
                let mut through = *lines;
                if !through.keep(|l| leaving * a.of(l)) || !through.keep(|l| -leaving * b.of(l)) {
                    continue;
                }
                let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
                for &l in through.vertices() {
                    let (fa, fb) = (a.of(l), b.of(l));
                    if (fa - fb).abs() > 1e-9 {
                        let at = a.at + (fa / (fa - fb)).clamp(0.0, 1.0) * (b.at - a.at);
                        (low, high) = (low.min(at), high.max(at));
                    } else {
                        // Next to parallel: anywhere on the edge.
                        (low, high) = (low.min(a.at.min(b.at)), high.max(a.at.max(b.at)));
                    }
                }
                if leaving > 0.0 {
                    exit = exit.min(low);
                } else {
                    entry = entry.max(high);
                }
            }
        }
        (entry.is_finite() && exit.is_finite()).then_some(Bar { entry, exit, z: blocker.z })
    }

    /// Whether some ray over the lines passes all bars, wherever its eye and its body stand.
    fn some_ray_passes(&self, question: &Question<'_>, stands: &Stands) -> bool {
        let mut anywhere = self.anywhere.iter().zip([Trend::Rising, Trend::Falling]);
        let passes = |(rays, trend): (&Option<Lines>, Trend)| {
            rays.as_ref().is_some_and(|rays| heights::pass(rays, &self.bars, trend).is_some())
        };
        anywhere.any(passes) && self.passes(question, stands)
    }

    /// Whether pieces at one height cover all places where rays over these lines cross it.
    ///
    /// How far along its way a ray crosses a height between the two ends is least and greatest where both are
    /// at their highest or both at their lowest.
    fn storeys_part(&mut self, question: &Question<'_>, lines: &Lines) -> bool {
        let (eye, body) = (question.eye.z, question.body.z);
        let (order, rises) = if eye.high < body.low { ([eye, body], true) } else { ([body, eye], false) };
        if order[0].high >= order[1].low {
            return false;
        }
        let Stands { eye: from, body: to } = self.stands(lines);
        let frame = &self.frame;
        let u = |at: f64| frame.u0 + at * (frame.u1 - frame.u0);
        let crossings = |h: f64| {
            let share = |eye: f64, body: f64| (h - eye) / (body - eye);
            let shares = [share(eye.high, body.high), share(eye.low, body.low)];
            let [first, last] = if rises { shares } else { [shares[1], shares[0]] };
            let along = [from[0] + first * (to[0] - from[0]), from[1] + last * (to[1] - from[1])];
            let [near, far] = [u(along[0]) - SLACK_M, u(along[1]) + SLACK_M];
            let corner = |u: f64, w: f64| {
                let p = frame.to_plan([u, w]);
                [p.x, p.y]
            };
            let [a, b] = [near, far].map(|u| lines.range(|l| frame.offset(l, u)));
            Lines::quad([
                corner(near, a.0 - SLACK_M),
                corner(far, b.0 - SLACK_M),
                corner(far, b.1 + SLACK_M),
                corner(near, a.1 + SLACK_M),
            ])
        };
        self.slabs.part_at(order, question.pieces, question.occluders, crossings)
    }

    fn passes(&self, question: &Question<'_>, stands: &Stands) -> bool {
        [Trend::Rising, Trend::Falling].into_iter().any(|trend| {
            heights::all_rays(stands, question.eye.z, question.body.z, trend)
                .is_some_and(|rays| heights::pass(&rays, &self.bars, trend).is_some())
        })
    }

    /// Where eyes and bodies on these lines can stand.
    ///
    /// The lines sweep a band. The outermost point of a side's discs within it is either the outermost of
    /// all, or lies on the band's edge, which is made of the polygon's corners: their chords bound it.
    fn stands(&self, lines: &Lines) -> Stands {
        let stretch = |side: &Side| {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for &line in lines.vertices() {
                if let Some(chord) = self.chord(line, side) {
                    (low, high) = (low.min(chord[0]), high.max(chord[1]));
                }
            }
            for (u, from, to) in side.tips() {
                let (bottom, top) = lines.range(|l| self.frame.offset(l, u));
                if from <= top && to >= bottom {
                    (low, high) = (low.min(u), high.max(u));
                }
            }
            [self.frame.at(low - CHORD_M * 2.0), self.frame.at(high + CHORD_M * 2.0)]
        };
        Stands { eye: stretch(&self.frame.eye), body: stretch(&self.frame.body) }
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
        for side in [1.0, -1.0] {
            let mut part = *lines;
            if part.keep(|l| side * corner.of(l)) {
                self.stack.push(part);
            }
        }
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

    /// Splits through the centroid, across the direction in which the polygon is longest.
    fn halve(&mut self, lines: &Lines, center: [f64; 2]) {
        let spread = |f: &dyn Fn([f64; 2]) -> f64| {
            let (low, high) = lines.range(f);
            high - low
        };
        let measures: [&dyn Fn([f64; 2]) -> f64; 4] =
            [&|l| l[0], &|l| l[1], &|l| (l[1] - l[0]) * 0.7, &|l| (l[0] + l[1]) * 0.7];
        let longest = measures.into_iter().max_by(|a, b| spread(*a).total_cmp(&spread(*b)));
        let Some(f) = longest else { return };
        let middle = f(center);
        for side in [1.0, -1.0] {
            let mut part = *lines;
            if part.keep(|l| side * (f(l) - middle)) {
                self.stack.push(part);
            }
        }
    }

    /// A free segment in the vertical plane over a line, confirmed by the kernel.
    fn witness(&mut self, question: &Question<'_>, line: [f64; 2]) -> Option<(Point3, Point3)> {
        let eye = self.chord(line, &self.frame.eye)?;
        let body = self.chord(line, &self.frame.body)?;
        if body[0] - eye[1] < 1e-6 {
            return None;
        }
        let stands = Stands { eye: eye.map(|u| self.frame.at(u)), body: body.map(|u| self.frame.at(u)) };
        self.bars.clear();
        for i in 0..self.crossed.len() {
            let blocker = self.blockers.list()[self.crossed[i] as usize];
            let (entry, exit) = self.crossing(&blocker, line);
            if exit > stands.eye[1] && entry < stands.body[0] {
                let bar = Bar { entry, exit, z: blocker.z };
                self.bars.extend(spanned(bar, &blocker, &stands, question));
            }
        }
        for trend in [Trend::Falling, Trend::Rising] {
            let Some(rays) = heights::all_rays(&stands, question.eye.z, question.body.z, trend) else {
                continue;
            };
            let Some(free) = heights::pass(&rays, &self.bars, trend) else { continue };
            let ray = free.centroid();
            let from = nearest(ray, [stands.eye[1], stands.eye[0]], question.eye.z);
            let to = nearest(ray, stands.body, question.body.z);
            let place = |at: f64, z: ZRange| {
                let u = self.frame.u0 + at * (self.frame.u1 - self.frame.u0);
                let p = self.frame.to_plan([u, self.frame.offset(line, u)]);
                Point3::new(p.x, p.y, (ray[0] + at * (ray[1] - ray[0])).clamp(z.low, z.high))
            };
            let (eye, body) = (place(from, question.eye.z), place(to, question.body.z));
            if question.occluders.first_blocker(question.pieces, eye, body).is_none() {
                return Some((eye, body));
            }
        }
        None
    }

    /// Entry and exit of one line, as places on the stretch.
    fn crossing(&self, blocker: &Blocker, line: [f64; 2]) -> (f64, f64) {
        let corners = self.blockers.corners(blocker);
        let (mut entry, mut exit) = (f64::INFINITY, f64::NEG_INFINITY);
        for (i, &a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            let (fa, fb) = (a.of(line), b.of(line));
            if (fa >= 0.0) != (fb >= 0.0) {
                let at = a.at + fa / (fa - fb) * (b.at - a.at);
                entry = entry.min(at);
                exit = exit.max(at);
            }
        }
        (entry, exit)
    }

    /// The stretch of u that a line has within the discs of a side; nothing where it misses them.
    ///
    /// The ends are pulled inside by a little, so that rounding can't put a witness outside the volume.
    fn chord(&self, line: [f64; 2], side: &Side) -> Option<[f64; 2]> {
        let slope = self.frame.slope(line);
        let base = self.frame.offset(line, 0.0);
        let length = (1.0 + slope * slope).sqrt();
        let radius = side.radius;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut take = |u: f64| (low, high) = (low.min(u), high.max(u));
        let n = side.region.len();
        for (i, &v) in side.region.iter().enumerate() {
            // The line's point nearest to the corner, and how far it may go from there within the disc.
            let distance = (v[1] - base - slope * v[0]) / length;
            if distance.abs() <= radius {
                let foot = (v[0] + slope * (v[1] - base)) / (length * length);
                let half = (radius * radius - distance * distance).sqrt() / length;
                take(foot - half);
                take(foot + half);
            }
            let next = side.region[if i + 1 == n { 0 } else { i + 1 }];
            let edge = [next[0] - v[0], next[1] - v[1]];
            let size = (edge[0] * edge[0] + edge[1] * edge[1]).sqrt();
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

/// What a bar that reaches over or under the eyes or the bodies still demands of every ray.
///
/// A ray that starts or ends within it does so on a known side; it must keep that side for the rest of the way,
/// of which the part between all eyes and all bodies is common to all. Nothing where some ray may not meet it.
fn spanned(bar: Bar, blocker: &Blocker, stands: &Stands, question: &Question<'_>) -> Option<Bar> {
    let Bar { mut entry, mut exit, mut z } = bar;
    let keep_side = |z: &mut ZRange, end: ZRange| {
        if blocker.z.low >= end.high {
            z.high = f64::INFINITY;
        } else {
            z.low = f64::NEG_INFINITY;
        }
    };
    if blocker.spans[0] {
        if exit < stands.eye[1] {
            return None;
        }
        if entry <= stands.eye[0] {
            keep_side(&mut z, question.eye.z);
        }
        entry = entry.max(stands.eye[1]);
    }
    if blocker.spans[1] {
        if bar.entry > stands.body[0] {
            return None;
        }
        if exit >= stands.body[1] {
            keep_side(&mut z, question.body.z);
        }
        exit = exit.min(stands.body[0]);
    }
    Some(Bar { entry, exit, z })
}

/// The place nearest to the first of a stretch's ends at which a ray has one of the heights.
fn nearest(ray: [f64; 2], stretch: [f64; 2], z: ZRange) -> f64 {
    let height = |at: f64| ray[0] + at * (ray[1] - ray[0]);
    let here = height(stretch[0]);
    if z.contains(here) || ray[0] == ray[1] {
        return stretch[0];
    }
    let wanted = if here < z.low { z.low } else { z.high };
    let at = (wanted - ray[0]) / (ray[1] - ray[0]);
    at.clamp(stretch[0].min(stretch[1]), stretch[0].max(stretch[1]))
}
