//! One pair of cells: which of the two sees the other, with a witness or a proof.
//!
//! Owns the order of the attempts. Promises: the answer depends on the two cells and the pieces between them
//! alone, so that a witness can be found again at any time.
//! Must not know the tree or how answers are stored.

use super::BakeQuality;
use crate::geom::{Point2, Point3, ZRange};
use crate::map::cells::Cell;
use crate::map::model::Player;
use crate::map::pvs::PairClass;
use crate::map::window::{Answer, Effort, Occluders, Question, Shaft, Solver, Volume};

/// A segment from an eye to a body point that nothing blocks.
pub(crate) type Segment = (Point3, Point3);

/// What one direction of a pair turned out to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// The class.
    pub(crate) class: PairClass,
    /// A free segment, where the class is visible.
    pub(crate) witness: Option<Segment>,
}

impl Outcome {
    const HIDDEN: Self = Self { class: PairClass::Hidden, witness: None };
    const OPEN: Self = Self { class: PairClass::Unresolved, witness: None };

    fn seen(segment: Segment) -> Self {
        Self { class: PairClass::Visible, witness: Some(segment) }
    }
}

/// Free segments found so far in one block of cells: most show other pairs of the block to each other too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    /// By way: from the first node of the block to the second, and back.
    ways: [Vec<Segment>; 2],
}

/// Most segments kept by a block for each way.
const MOST_SHARED: usize = 16;

impl Shared {
    /// Forgets another block's.
    pub(crate) fn clear(&mut self) {
        self.ways.iter_mut().for_each(Vec::clear);
    }

    /// Keeps a free segment.
    pub(crate) fn keep(&mut self, way: usize, segment: Segment) {
        if self.ways[way].len() < MOST_SHARED {
            self.ways[way].push(segment);
        }
    }

    /// A kept segment from the one volume to the other.
    pub(crate) fn find(&self, way: usize, question: &Question<'_>) -> Option<Segment> {
        let holds = |&&(from, to): &&Segment| question.eye.holds(from) && question.body.holds(to);
        self.ways[way].iter().find(holds).copied()
    }
}

/// How much work pairs of cells get.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairEffort {
    /// Polygons in the symmetric question; with 0 it is not asked.
    pub(crate) symmetric_nodes: u32,
    /// The directed questions; with a total of 0 they are not asked, and what no free segment was found for stays open.
    pub(crate) directed: Effort,
    /// Random witnesses tried where a question stays open.
    pub(crate) random: u32,
}

impl PairEffort {
    /// That of a quality, and the polygons in a question about more than a pair.
    pub(crate) fn of(quality: BakeQuality) -> (Self, u32) {
        match quality {
            BakeQuality::Full => {
                let directed = Effort { nodes: 8, rounds: 2, total: 30 };
                (Self { symmetric_nodes: 32, directed, random: 40 }, 32)
            }
            BakeQuality::Draft => {
                let directed = Effort { nodes: 0, rounds: 0, total: 0 };
                (Self { symmetric_nodes: 0, directed, random: 0 }, 16)
            }
        }
    }
}

/// Where an eye of a cell can be.
pub(crate) fn eye_volume<'a>(cell: &'a Cell, player: &Player) -> Volume<'a> {
    Volume { region: cell.region.vertices(), radius: player.lean, z: cell.eye_heights(player) }
}

/// Where a body point of a cell can be.
pub(crate) fn body_volume<'a>(cell: &'a Cell, player: &Player) -> Volume<'a> {
    Volume { region: cell.region.vertices(), radius: player.sight_radius, z: cell.body_heights(player) }
}

/// Two places that may see each other, either way.
pub(crate) struct BothWays<'a> {
    /// Where eyes or body points of the first can be, with the eyes' heights.
    pub(crate) first: Volume<'a>,
    /// Where body points or eyes of the second can be, with the body points' heights.
    pub(crate) second: Volume<'a>,
    /// Heights the other way: body points of the first, eyes of the second.
    pub(crate) back: [ZRange; 2],
}

/// One end of sight lines that go both ways.
#[derive(Clone, Copy)]
pub(crate) struct End<'a> {
    /// Where centres can be.
    pub(crate) region: &'a [Point2],
    /// Heights of eyes.
    pub(crate) eye: ZRange,
    /// Heights of body points.
    pub(crate) body: ZRange,
}

impl<'a> End<'a> {
    /// A cell as an end.
    pub(crate) fn of(cell: &'a Cell, player: &Player) -> Self {
        Self {
            region: cell.region.vertices(),
            eye: cell.eye_heights(player),
            body: cell.body_heights(player),
        }
    }
}

/// Two ends of sight lines.
pub(crate) fn both_volumes<'a>(first: End<'a>, second: End<'a>, player: &Player) -> BothWays<'a> {
    let radius = player.lean.max(player.sight_radius);
    BothWays {
        first: Volume { region: first.region, radius, z: first.eye },
        second: Volume { region: second.region, radius, z: second.body },
        back: [first.body, second.eye],
    }
}

impl BothWays<'_> {
    /// What pieces can matter.
    pub(crate) fn shaft(&self) -> Shaft {
        let first = Volume { z: self.first.z.hull(self.back[0]), ..self.first };
        let second = Volume { z: self.second.z.hull(self.back[1]), ..self.second };
        Shaft::between(&first, &second)
    }
}

/// Both directions of a pair, first to second and back; those in `hidden` are known to be.
pub(crate) fn both_ways(
    solver: &mut Solver,
    shared: &mut Shared,
    between: (&Occluders, &[u32]),
    player: &Player,
    cells: [&Cell; 2],
    hidden: [bool; 2],
    effort: PairEffort,
) -> [Outcome; 2] {
    let (occluders, pieces) = between;
    let ways = [(cells[0], cells[1]), (cells[1], cells[0])].map(|(eye, body)| Question {
        eye: eye_volume(eye, player),
        body: body_volume(body, player),
        pieces,
        occluders,
    });
    let mut found = [0, 1].map(|way| {
        let known = hidden[way].then_some(Outcome::HIDDEN);
        let free = || shared.find(way, &ways[way]).or_else(|| easy_witness(&ways[way]));
        known.or_else(|| free().map(Outcome::seen))
    });
    if effort.symmetric_nodes > 0 && found.iter().all(Option::is_none) {
        let [a, b] = cells.map(|c| End::of(c, player));
        let both = both_volumes(a, b, player);
        let symmetric = Question { eye: both.first, body: both.second, pieces, occluders };
        if solver.hides(&symmetric, both.back, effort.symmetric_nodes) {
            return [Outcome::HIDDEN; 2];
        }
    }
    for way in 0..2 {
        if found[way].is_none() {
            let outcome = directed(solver, &ways[way], effort);
            outcome.witness.into_iter().for_each(|segment| shared.keep(way, segment));
            found[way] = Some(outcome);
        }
    }
    found.map(|outcome| outcome.unwrap_or(Outcome::OPEN))
}

fn directed(solver: &mut Solver, question: &Question<'_>, effort: PairEffort) -> Outcome {
    if effort.directed.total == 0 {
        return Outcome::OPEN;
    }
    match solver.answer(question, effort.directed) {
        Answer::Hidden => Outcome::HIDDEN,
        Answer::Seen(from, to) => Outcome::seen((from, to)),
        Answer::Open => match random_witness(question, effort.random) {
            Some(segment) => Outcome::seen(segment),
            None => Outcome::OPEN,
        },
    }
}

/// A free segment moved towards the middle of its volumes as far as it stays free: there it serves more pairs.
pub(crate) fn centred(question: &Question<'_>, (from, to): Segment) -> Segment {
    let (eye, body) = (question.eye.center(), question.body.center());
    let (eye, body) = (Point3::new(eye.x, eye.y, from.z), Point3::new(body.x, body.y, to.z));
    let is_free =
        |&(from, to): &Segment| question.occluders.first_blocker(question.pieces, from, to).is_none();
    [(eye, body), (from, body), (eye, to)].into_iter().find(is_free).unwrap_or((from, to))
}

/// Segments between the centres at a few heights, the highest first: the one that a filled block stands for.
pub(crate) fn easy_witness(question: &Question<'_>) -> Option<Segment> {
    let (eye, body) = (question.eye.center(), question.body.center());
    let (ez, bz) = (question.eye.z, question.body.z);
    let heights =
        [(ez.high, bz.high), (0.5 * (ez.low + ez.high), 0.5 * (bz.low + bz.high)), (ez.low, bz.low)];
    let mut blocker = None;
    for (from, to) in heights {
        let (from, to) = (Point3::new(eye.x, eye.y, from), Point3::new(body.x, body.y, to));
        if blocker.is_some_and(|b| question.occluders.blocks(b, from, to)) {
            continue;
        }
        blocker = question.occluders.first_blocker(question.pieces, from, to);
        if blocker.is_none() {
            return Some((from, to));
        }
    }
    None
}

/// Random segments, seeded by the pair's own coordinates.
fn random_witness(question: &Question<'_>, tries: u32) -> Option<Segment> {
    // Zeros have no sign here: equal cells are the same pair.
    let bits = |x: f64| (x + 0.0).to_bits();
    let seed = bits(question.eye.region[0].x) ^ bits(question.body.region[0].y).rotate_left(32);
    let mut random = SplitMix(seed ^ bits(question.eye.z.low).rotate_left(17));
    let mut last = None;
    for _ in 0..tries {
        let from = random.point_in(&question.eye);
        let to = random.point_in(&question.body);
        if last.is_some_and(|b| question.occluders.blocks(b, from, to)) {
            continue;
        }
        last = question.occluders.first_blocker(question.pieces, from, to);
        if last.is_none() {
            return Some((from, to));
        }
    }
    None
}

/// The SplitMix64 generator (Steele, Lea, Flood 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A point of a volume: a mean of two corners with random weights, moved within the disc.
    fn point_in(&mut self, volume: &Volume<'_>) -> Point3 {
        let n = volume.region.len();
        let pick = |r: f64| volume.region[((r * n as f64) as usize).min(n - 1)];
        let (a, b) = (pick(self.next()), pick(self.next()));
        let (s, t) = (self.next(), self.next());
        let center = volume.center();
        let p = a + (b - a) * s;
        let p = p + (center - p) * t * t;
        // A point of the square within the disc, so that no sine is needed.
        let (dx, dy) = loop {
            let (x, y) = (2.0 * self.next() - 1.0, 2.0 * self.next() - 1.0);
            if x * x + y * y <= 1.0 {
                break (x, y);
            }
        };
        let reach = volume.radius * (1.0 - 1e-9);
        let z = volume.z.low + self.next() * (volume.z.high - volume.z.low);
        Point3::new(p.x + dx * reach, p.y + dy * reach, z)
    }
}
