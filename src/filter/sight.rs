//! Lines of sight between two reaches: a free one proves that a body is seen, the window test that it is not.
//!
//! Owns the doors and smoke of the tick, and what is remembered of each pair: the ray that was free, the piece that
//! stopped all. Promises: hidden only where no eye of the reach can see any point of the body's; work is capped per
//! pair, and a capped pair is seen, and counted. What is remembered changes the work alone, but for the last tick in sight.

mod now;
mod pairs;
mod smoke;

pub(super) use now::Now;

use super::{Body, Eye, HiddenBy, Lent};
use crate::geom::{Point3, Vector2, Vector3};
use crate::held::Held;
use crate::ids::EntityId;
use crate::map::{Mask, Passing, Sight, Spread, Tube, WindowTest};
use crate::rules::BodyPoint;
use pairs::{Pair, Pairs};

/// Body points that are looked for past each shoulder; the solver finds what they miss.
const LEANING_RAYS: usize = 2;

/// How far the ends of a free ray move before the lines around it are looked at anew, metres.
const TUBE_M: f64 = 0.2;

/// Polygons of lines that a proof may take; what takes more is looked at each tick.
pub(super) const PROOF_NODES: u32 = 16;

/// What the work on sight came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) rays: u64,
    pub(super) windows: u64,
    pub(super) capped: u64,
}

/// What one observer remembers of pairs.
#[derive(Default)]
pub(super) struct Looks {
    eyes: Vec<Pairs>,
    /// Of what nothing is remembered.
    fleeting: Option<Pair>,
    pub(super) work: Work,
}

/// An eye and a body, and where what is remembered of them lies.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) eye: &'a Eye,
    pub(super) body: &'a Body,
    pub(super) points: &'a [BodyPoint],
    /// From [`Looks::of_pair`].
    pub(super) memory: [usize; 2],
    /// Nothing is remembered of what has no handle.
    pub(super) target: Option<EntityId>,
    /// Stamps of the wide reaches and of the narrow ones, which outlast the tick.
    pub(super) stamps: [[u64; 2]; 2],
    /// Where the eye and the body can be; not known before somebody asks.
    pub(super) spreads: &'a dyn Fn() -> [&'a Spread; 2],
}

/// Reaches that outlast a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Wide,
    Narrow,
}

/// What lines of sight say of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// None is free, because of this.
    No(HiddenBy),
    /// One is free.
    Yes,
    /// None from where somebody is was found, and none was ruled out: it counts as free, but for what the bake says.
    Open,
}

impl Looks {
    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        let pairs = self.eyes.iter().map(|eye| eye.pairs.held_bytes());
        self.eyes.held_bytes() + pairs.sum::<usize>()
    }

    /// What hides all of a body's reach from all of an eye's, both larger than this tick's: then it hides those too.
    ///
    /// Where it is no door or smoke, it is remembered for as long as the stamps stay.
    pub(super) fn hidden_widely(
        &mut self,
        lent: &Lent<'_>,
        now: &Now,
        look: &Look<'_>,
        (of, [eye, body]): (Kind, [&Spread; 2]),
        window: &mut WindowTest,
    ) -> Option<HiddenBy> {
        let pair = *self.pair(look);
        if let Some(occluder) = pair.stopper.filter(|&occluder| window.is_stopped_by(occluder, eye, body)) {
            match window.passing(occluder) {
                None => {
                    self.prove(look, of, HiddenBy::Sight);
                    return Some(HiddenBy::Sight);
                }
                Some(passing) if now.counts(passing, eye, body) => return Some(named(passing)),
                Some(_) => {}
            }
        }
        if now.smoke_hides(eye, body) {
            return Some(HiddenBy::Smoke);
        }
        // What was told in the tick before is rarely hidden from more than this tick's reaches now.
        let is_in_vain = of == Kind::Narrow && pair.is_edge;
        if is_in_vain || pair.open[of as usize] == look.stamps[of as usize] {
            return None;
        }
        // Doors open, so that a proof holds for longer than a tick.
        let stopper = window.gather(&lent.baked.solids, (eye, body), |_| false);
        let is_hidden = stopper.is_some()
            || match of {
                Kind::Wide => window.hides_plainly(eye, body, PROOF_NODES),
                Kind::Narrow => window.solve(eye, body, PROOF_NODES) == Sight::Hidden,
            };
        let pair = self.pair(look);
        pair.stopper = stopper.or(pair.stopper);
        if !is_hidden {
            pair.open[of as usize] = look.stamps[of as usize];
            return None;
        }
        self.prove(look, of, HiddenBy::Sight);
        Some(HiddenBy::Sight)
    }

    /// Whether a ray that was free before is free still: one that stays where it was while the reaches hold its ends,
    /// or one that is moved along with both bodies.
    pub(super) fn goes_on(
        &mut self,
        lent: &Lent<'_>,
        now: &Now,
        look: &Look<'_>,
        window: &WindowTest,
    ) -> bool {
        if let Some([from, to]) = self.pair(look).fixed {
            let [eye, body] = (look.spreads)();
            if eye.holds(from.xy(), from.z) && body.holds(to.xy(), to.z) {
                return !now.stops(|| eye, from, to);
            }
        }
        let Some([of_eye, of_body]) = self.pair(look).ray else { return false };
        let (from, to) = (look.eye.at + of_eye, look.body.at + of_body);
        let is_within = || {
            let [eye, body] = (look.spreads)();
            eye.holds(from.xy(), from.z) && body.holds(to.xy(), to.z)
        };
        // Where it is may take a reach to know, that it is stopped does not.
        let is_free = match self.pair(look).tube.filter(|(tube, _)| tube.holds(from, to)) {
            Some((_, true)) => !now.stops(|| (look.spreads)()[0], from, to),
            Some((_, false)) => self.is_free_outside(lent, now, look, [from, to]),
            None => {
                let is_free = self.is_free_outside(lent, now, look, [from, to]);
                if is_free {
                    let tube = Tube::around(from, to, TUBE_M);
                    self.pair(look).tube = Some((tube, window.is_free(&lent.baked.solids, &tube)));
                }
                is_free
            }
        };
        is_free && (is_own(lent, look, [of_eye, of_body]) || is_within())
    }

    /// Whether the line is free that lies, of those that the reaches hold, nearest to one that was free before they left
    /// it. To be asked where the bake hides nothing: of what it hides, no line is to be followed.
    pub(super) fn follows(&mut self, lent: &Lent<'_>, now: &Now, look: &Look<'_>) -> bool {
        let Some([from, to]) = self.pair(look).fixed.take() else { return false };
        let [eye, body] = (look.spreads)();
        let ends = [eye.nearest(from), body.nearest(to)];
        let is_free = self.is_free_outside(lent, now, look, ends);
        if is_free {
            let pair = self.pair(look);
            (pair.fixed, pair.ray) = (Some(ends), Some([ends[0] - look.eye.at, ends[1] - look.body.at]));
        }
        is_free
    }

    /// Forgets what was free.
    pub(super) fn forget(&mut self, look: &Look<'_>) {
        let pair = self.pair(look);
        (pair.ray, pair.fixed) = (None, None);
    }

    /// Whether an eye sees the body.
    pub(super) fn seen(
        &mut self,
        lent: &Lent<'_>,
        now: &Now,
        look: &Look<'_>,
        nodes: u32,
        window: &mut WindowTest,
    ) -> Seen {
        let [eye, body] = (look.spreads)();
        self.fleeting = None;
        let stopper = self.pair(look).stopper;
        if let Some(occluder) = stopper.filter(|&occluder| window.is_stopped_by(occluder, eye, body)) {
            match window.passing(occluder) {
                None => return Seen::No(HiddenBy::Sight),
                Some(passing) if now.counts(passing, eye, body) => return Seen::No(named(passing)),
                Some(_) => {}
            }
        }
        if now.smoke_hides(eye, body) {
            return Seen::No(HiddenBy::Smoke);
        }
        let solids = &lent.baked.solids;
        let stopper = window.gather(solids, (eye, body), |passing| now.counts(passing, eye, body));
        self.pair(look).stopper = stopper;
        if let Some(occluder) = stopper {
            return Seen::No(window.passing(occluder).map_or(HiddenBy::Sight, named));
        }
        if self.finds_ray(lent, now, look) {
            return Seen::Yes;
        }
        self.work.windows += 1;
        match window.solve(eye, body, nodes) {
            Sight::Hidden => {
                let pair = self.pair(look);
                (pair.ray, pair.is_edge) = (None, false);
                return Seen::No(HiddenBy::Sight);
            }
            Sight::Free(Some((from, to))) => {
                let pair = self.pair(look);
                pair.is_edge = true;
                pair.ray = Some([from - look.eye.at, to - look.body.at]);
                pair.fixed = Some([from, to]);
            }
            Sight::Free(None) => {}
            Sight::Capped => self.work.capped += 1,
        }
        Seen::Open
    }

    /// Looks for the points of the body from the eye and from both shoulders; remembers what is free.
    fn finds_ray(&mut self, lent: &Lent<'_>, now: &Now, look: &Look<'_>) -> bool {
        let way = look.body.at.xy() - look.eye.at.xy();
        let length = way.norm();
        let left = if length > 0.0 { Vector2::new(-way.y, way.x) / length } else { Vector2::y() };
        let center = look.eye.at;
        let lean = (left * lent.baked.map.player.lean).push(0.0);
        for (from, most) in
            [(center, usize::MAX), (center + lean, LEANING_RAYS), (center - lean, LEANING_RAYS)]
        {
            // Nobody leans through a wall.
            if from != center && !self.is_free(lent, now, look, center, from) {
                continue;
            }
            for index in 0..look.points.len().max(1).min(most) {
                let to = point(look, index, left);
                if self.is_free(lent, now, look, from, to) {
                    self.pair(look).ray = Some([from - look.eye.at, to - look.body.at]);
                    return true;
                }
            }
        }
        false
    }

    /// The same of a line that has moved: from inside a solid, where all is free, nobody looks.
    fn is_free_outside(&mut self, lent: &Lent<'_>, now: &Now, look: &Look<'_>, ends: [Point3; 2]) -> bool {
        let [from, to] = ends;
        !lent.baked.solids.holds(from, Mask::Sight) && self.is_free(lent, now, look, from, to)
    }

    fn is_free(&mut self, lent: &Lent<'_>, now: &Now, look: &Look<'_>, from: Point3, to: Point3) -> bool {
        self.work.rays += 1;
        let pair = self.pair(look);
        let piece = lent.baked.solids.blocker(from, to, Mask::Sight, pair.piece);
        pair.piece = piece.or(pair.piece);
        piece.is_none() && !now.stops(|| (look.spreads)()[0], from, to)
    }
}

/// What hides, by what it is.
fn named(passing: Passing) -> HiddenBy {
    match passing {
        Passing::Door(_) => HiddenBy::Door,
        Passing::Smoke(_) => HiddenBy::Smoke,
    }
}

/// Whether a ray is surely one from where the eye is, or leans to, to where the body is.
fn is_own(lent: &Lent<'_>, look: &Look<'_>, [of_eye, of_body]: [Vector3; 2]) -> bool {
    let player = &lent.baked.map.player;
    let within = |way: Vector3, radius: f64| way.xy().norm_squared() <= radius * radius;
    let is_low = look
        .points
        .iter()
        .any(|point| of_body.z <= if look.body.is_crouched { point.crouched_up_m } else { point.up_m });
    // A turn of the way can make the lean longer by rounding.
    of_eye.z == 0.0
        && within(of_eye, player.lean + 1e-9)
        && is_low
        && of_body.z >= 0.0
        && look.points.iter().any(|point| within(of_body, point.placing.off_axis_m() + 1e-9))
}

/// A point of the body as it stands now; its middle where its class names none.
fn point(look: &Look<'_>, index: usize, left: Vector2) -> Point3 {
    let body = look.body;
    let Some(named) = look.points.get(index) else {
        let [_, spread] = (look.spreads)();
        let middle = 0.5 * (spread.z.low + spread.z.high);
        return Point3::new(body.at.x, body.at.y, middle);
    };
    placed(named, body, left)
}

/// Where a named point is; `left` is the viewer's.
pub(super) fn placed(named: &BodyPoint, body: &Body, left: Vector2) -> Point3 {
    let off = named.placing.offset(body.facing.into(), left);
    body.at + off.push(if body.is_crouched { named.crouched_up_m } else { named.up_m })
}
