//! What one observer remembers of the pairs of each of its eyes.
//!
//! Owns the memory and its look-up by slot. Promises: what is remembered of one body is never taken for another's, nor
//! one eye's for another's. Must not know how lines are tested.

use super::{Kind, Look, Looks};
use crate::filter::{HiddenBy, Relevancy};
use crate::geom::{Point3, Vector3};
use crate::ids::{ByHandle, EntityId};
use crate::map::{PieceId, Tube};

/// No count of a tick, nor one less than any.
const NEVER: u64 = u64::MAX - 1;

/// Pairs of an eye that room is made for; where it looks at more, it grows.
const ROOM_PAIRS: usize = 256;

/// The pairs of one eye.
pub(super) struct Pairs {
    pub(super) eye: EntityId,
    /// Count of the tick in which it looked last.
    pub(super) used: u64,
    pub(super) pairs: ByHandle<Pair>,
}

/// What is remembered of an eye and a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// The occluder that stopped all lines last.
    pub(super) stopper: Option<u32>,
    /// The piece that stopped the last ray.
    pub(super) piece: Option<PieceId>,
    /// The ends of the last free ray, from the eye and from the feet.
    pub(super) ray: Option<[Vector3; 2]>,
    /// The ends of one that no solid stops, where they are.
    pub(super) fixed: Option<[Point3; 2]>,
    /// The lines around a free ray, and whether no solid stops any of them.
    pub(super) tube: Option<(Tube, bool)>,
    /// The stamps of two reaches of which it was proven that this hides the one from the other.
    pub(super) proven: Option<([u64; 2], HiddenBy)>,
    /// Whether the solver found it to be seen when it was asked last.
    pub(super) is_edge: bool,
    /// The stamps of wide and of narrow reaches of which a proof was looked for in vain.
    pub(super) open: [[u64; 2]; 2],
    /// Count of the last tick in which it was in sight.
    pub(super) seen: u64,
}

impl Pair {
    pub(super) const fn new() -> Self {
        Self {
            stopper: None,
            piece: None,
            ray: None,
            fixed: None,
            tube: None,
            proven: None,
            is_edge: false,
            open: [[0; 2]; 2],
            seen: NEVER,
        }
    }
}

impl Looks {
    /// Where the pairs of an eye are remembered; `count` is that of the tick, and `bodies` how many it may look at now.
    pub(in crate::filter) fn of_eye(&mut self, eye: EntityId, count: u64, bodies: usize) -> usize {
        let known = self.eyes.iter().position(|pairs| pairs.eye == eye);
        let index = known
            .or_else(|| self.eyes.iter().position(|pairs| pairs.used + 1 < count))
            .unwrap_or_else(|| {
                self.eyes.push(Pairs { eye, used: 0, pairs: ByHandle::default() });
                self.eyes.len() - 1
            });
        let pairs = &mut self.eyes[index];
        if pairs.eye != eye {
            pairs.eye = eye;
            pairs.pairs.clear();
        }
        pairs.used = count;
        pairs.pairs.make_room(bodies.min(ROOM_PAIRS));
        index
    }

    /// Where an eye's pair with a body is remembered; it holds until another is asked for.
    pub(in crate::filter) fn of_pair(&mut self, eye: usize, target: EntityId, count: u64) -> [usize; 2] {
        [eye, self.eyes[eye].pairs.place(target, count, Pair::new)]
    }

    pub(super) fn pair(&mut self, look: &Look<'_>) -> &mut Pair {
        if look.target.is_none() {
            return self.fleeting.get_or_insert(Pair::new());
        }
        let [eye, pair] = look.memory;
        self.eyes[eye].pairs.at(pair)
    }

    /// Notes what geometry says of a body in the tick of this count; gives whether it hides what it did not hide in the
    /// one before.
    pub(in crate::filter) fn leaves(&mut self, [eye, pair]: [usize; 2], now: Relevancy, count: u64) -> bool {
        let pair = self.eyes[eye].pairs.at(pair);
        if now == Relevancy::Sighted {
            pair.seen = count;
        }
        let by = |by: HiddenBy| by.is_geometry() && by != HiddenBy::Radius;
        matches!(now, Relevancy::Hidden(hidden) if by(hidden)) && pair.seen + 1 == count
    }

    /// What was proven to hide the body, if nothing that it was proven of has changed.
    pub(in crate::filter) fn proven(&mut self, look: &Look<'_>) -> Option<HiddenBy> {
        look.target?;
        self.pair(look).proven.filter(|(stamps, _)| look.stamps.contains(stamps)).map(|(_, by)| by)
    }

    /// Remembers what hides the body for as long as the stamps of these reaches stay.
    pub(in crate::filter) fn prove(&mut self, look: &Look<'_>, of: Kind, by: HiddenBy) {
        if look.target.is_some() {
            let pair = self.pair(look);
            (pair.proven, pair.ray, pair.fixed) = (Some((look.stamps[of as usize], by)), None, None);
        }
    }
}
