//! The buckets around one observer, and what was kept of each entity there when distance alone told of it.
//!
//! Promises: of a bucket that is as before, what was kept is at hand by index, without a look at the entity; what is not
//! covered any more is given back. Memory is for what is around. Must not know what is kept.

use super::bucket::{Bucket, ROUNDING, Side, Taken};
use super::grid::{Seat, Surroundings};
use crate::geom::Point3;
use crate::held::Held;
use crate::ids::{EntityId, MatchId};

/// Nothing is kept of an entity.
const NOTHING: u32 = u32::MAX;

/// Indices into what is kept that room is made for.
const ROOM: usize = 1024;

/// For whom distance decides: the entity that is played, and the match.
pub(in crate::filter) type Whose = (EntityId, MatchId);

/// What one observer's surroundings held.
#[derive(Clone, Debug, Default)]
pub(in crate::filter) struct Coverage {
    /// Count of the tick that it is of, and whose it was.
    count: u64,
    whose: Option<Whose>,
    surroundings: Surroundings,
    buckets: Vec<Covered>,
    kept: Vec<u32>,
    /// Indices that are of some bucket; the rest is what buckets that grew left behind.
    used: usize,
}

/// One bucket.
#[derive(Clone, Copy, Debug)]
pub(in crate::filter) struct Covered {
    bucket: u32,
    /// Where in the list what is kept of its entities begins, how many they are, and how many have room there.
    start: u32,
    entities: u32,
    room: u32,
    /// As long as the observer is nearer to the place where all were looked at than this, metres, none that did not change
    /// comes or goes.
    slack_m: f64,
    from: Point3,
}

/// Room to work in on one observer at a time: what was kept of the buckets of the tick before, and which are which.
#[derive(Clone, Debug, Default)]
pub(in crate::filter) struct Covering {
    before: Coverage,
    marks: Vec<Mark>,
    turn: u32,
}

/// Of a bucket: its place among those of the tick before, and of this one.
#[derive(Clone, Copy, Debug)]
struct Mark {
    turn: u32,
    before: u32,
    now: u32,
}

const NEVER: Mark = Mark { turn: 0, before: NOTHING, now: NOTHING };

/// What is found in a bucket that is as before.
#[derive(Debug, Default)]
pub(in crate::filter) struct Looked {
    /// Indices of those that may come or go.
    pub(in crate::filter) open: Vec<(u32, Side)>,
    /// Places of those that changed and stay, and where what is kept of them is.
    pub(in crate::filter) stay: Vec<(u32, u32)>,
}

impl Looked {
    /// Forgets all, and makes room for so many of each.
    pub(in crate::filter) fn make_room(&mut self, entities: usize) {
        self.open.clear();
        self.open.reserve(entities);
        self.stay.clear();
        self.stay.reserve(entities);
    }
}

/// How a tick's coverage begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::filter) enum Begun {
    /// The buckets are those of the tick before: [`Coverage::again`] is to be asked of each.
    Again,
    /// They are listed anew: [`Coverage::cover`] is to be asked of each.
    Anew,
}

impl Covered {
    /// A bucket of which nothing is known.
    fn new(bucket: u32, start: usize, entities: usize, at: Point3) -> Self {
        let (start, entities) = (start as u32, entities as u32);
        Self { bucket, start, entities, room: entities, slack_m: 0.0, from: at }
    }

    /// Looks for what comes and goes in a bucket that is as before; `kept` is that of its entities.
    fn look(&mut self, bucket: &Bucket, kept: &[u32], (count, at): (u64, Point3), looked: &mut Looked) {
        let Looked { open, stay } = looked;
        let taken = bucket.taken(count);
        let moved_m = (at - self.from).norm() * (1.0 + ROUNDING) + ROUNDING;
        if moved_m < self.slack_m {
            for taken in taken {
                let (side, slack_m) = taken.side(at);
                self.slack_m = self.slack_m.min(slack_m - moved_m);
                let was_near = kept[taken.index as usize] != NOTHING;
                if !side.is_settled(was_near) {
                    open.push((taken.index, side));
                } else if was_near {
                    stay.push((taken.place, self.start + taken.index));
                }
            }
            return;
        }
        (self.from, self.slack_m) = (at, f64::INFINITY);
        for (index, kept) in (0..).zip(kept) {
            let (side, slack_m) = bucket.side(index as usize, at);
            self.slack_m = self.slack_m.min(slack_m);
            if !side.is_settled(*kept != NOTHING) {
                open.push((index, side));
            }
        }
        let stays =
            |taken: &&Taken| kept[taken.index as usize] != NOTHING && taken.side(at).0.is_settled(true);
        stay.extend(taken.iter().filter(stays).map(|taken| (taken.place, self.start + taken.index)));
    }
}

impl Coverage {
    /// Bytes that are held.
    pub(in crate::filter) fn held_bytes(&self) -> usize {
        self.buckets.held_bytes() + self.kept.held_bytes()
    }

    /// Count of the tick that it is of.
    pub(in crate::filter) fn count(&self) -> u64 {
        self.count
    }

    /// The surroundings that it is of.
    pub(in crate::filter) fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    /// Begins the tick of a count, for one whose it is now; where the surroundings are new ones, they are given. What the
    /// tick before kept is at hand if that was the one before and the same one's, and else given to `release`.
    pub(in crate::filter) fn begin(
        &mut self,
        (count, whose): (u64, Whose),
        other: Option<Surroundings>,
        covering: &mut Covering,
        release: impl FnMut(u32),
    ) -> Begun {
        let goes_on = self.count.wrapping_add(1) == count && self.whose == Some(whose);
        covering.begin();
        (self.count, self.whose) = (count, Some(whose));
        self.kept.reserve(ROOM);
        // What is left behind is as much as what is used at most.
        let is_dense = self.kept.len() <= 2 * self.used + ROOM;
        if goes_on && other.is_none() && is_dense {
            for (covered, index) in self.buckets.iter().zip(0..) {
                covering.mark(covered.bucket).now = index;
            }
            return Begun::Again;
        }
        if goes_on {
            covering.follow(self);
        } else {
            self.kept.iter().copied().filter(|kept| *kept != NOTHING).for_each(release);
        }
        self.surroundings = other.unwrap_or(self.surroundings);
        self.buckets.clear();
        self.kept.clear();
        self.used = 0;
        Begun::Anew
    }

    /// Covers nothing in the tick of a count; gives all that was kept to `release`.
    pub(in crate::filter) fn end(&mut self, count: u64, release: impl FnMut(u32)) {
        self.kept.drain(..).filter(|kept| *kept != NOTHING).for_each(release);
        self.buckets.clear();
        self.used = 0;
        (self.count, self.whose) = (count, None);
    }

    /// The bucket at a place of the list.
    pub(in crate::filter) fn bucket(&self, place: usize) -> Option<u32> {
        self.buckets.get(place).map(|covered| covered.bucket)
    }

    /// Covers the bucket at a place of the list again, for one who is at a point. If it is as before, what was kept of its
    /// entities still is, and `looked` gets what else there is to it; else that is given to `release`, and nothing is kept.
    /// Gives where its part begins, and whether it is as before.
    pub(in crate::filter) fn again(
        &mut self,
        (place, bucket): (usize, &Bucket),
        at: Point3,
        looked: &mut Looked,
        release: impl FnMut(u32),
    ) -> (usize, bool) {
        let Self { buckets, kept, used, count, .. } = self;
        let covered = &mut buckets[place];
        let (start, entities) = (covered.start as usize, covered.entities as usize);
        looked.open.clear();
        if bucket.is_as_before(*count) {
            covered.look(bucket, &kept[start..start + entities], (*count, at), looked);
            return (start, true);
        }
        let before = &mut kept[start..start + entities];
        before.iter().copied().filter(|kept| *kept != NOTHING).for_each(release);
        before.fill(NOTHING);
        let now = bucket.items().len();
        if now > covered.room as usize {
            *used -= covered.room as usize;
            *covered = Covered::new(covered.bucket, kept.len(), now, at);
            *used += now;
            kept.resize(kept.len() + now, NOTHING);
        }
        (covered.entities, covered.slack_m) = (now as u32, 0.0);
        (covered.start as usize, false)
    }

    /// Covers a bucket of surroundings that are new; what it gives is as that of [`Coverage::again`], but that what is not
    /// covered is left in `covering`.
    pub(in crate::filter) fn cover(
        &mut self,
        covering: &mut Covering,
        (index, bucket): (u32, &Bucket),
        at: Point3,
        looked: &mut Looked,
    ) -> (usize, bool) {
        let (start, entities) = (self.kept.len(), bucket.items().len());
        let mark = covering.mark(index);
        mark.now = self.buckets.len() as u32;
        let before = mark.before as usize;
        let before = covering.before.buckets.get(before).filter(|_| bucket.is_as_before(self.count)).copied();
        looked.open.clear();
        self.used += entities;
        let Some(before) = before else {
            self.buckets.push(Covered::new(index, start, entities, at));
            self.kept.resize(start + entities, NOTHING);
            return (start, false);
        };
        let kept = &mut covering.before.kept[before.start as usize..][..entities];
        self.kept.extend_from_slice(kept);
        kept.fill(NOTHING);
        let mut covered = Covered { start: start as u32, room: entities as u32, ..before };
        covered.look(bucket, &self.kept[start..], (self.count, at), looked);
        self.buckets.push(covered);
        (start, true)
    }

    /// What is kept of an entity.
    pub(in crate::filter) fn kept(&self, index: usize) -> Option<u32> {
        Some(self.kept[index]).filter(|kept| *kept != NOTHING)
    }

    /// Keeps something of an entity.
    pub(in crate::filter) fn keep(&mut self, index: usize, kept: u32) {
        self.kept[index] = kept;
    }

    /// Keeps nothing of an entity any more; gives what was.
    pub(in crate::filter) fn drop(&mut self, index: usize) -> Option<u32> {
        Some(std::mem::replace(&mut self.kept[index], NOTHING)).filter(|kept| *kept != NOTHING)
    }

    /// What is kept of the entity on a seat, by the observer that `covering` is at.
    pub(super) fn of_seat(&self, covering: &Covering, seat: Seat) -> Option<u32> {
        self.kept(self.index(covering, seat)?)
    }

    /// Keeps nothing of the entity on a seat any more; gives what was.
    pub(super) fn drop_of_seat(&mut self, covering: &Covering, seat: Seat) -> Option<u32> {
        self.drop(self.index(covering, seat)?)
    }

    fn index(&self, covering: &Covering, seat: Seat) -> Option<usize> {
        let mark = covering.marks.get(seat.bucket as usize).filter(|mark| mark.turn == covering.turn)?;
        Some(self.buckets.get(mark.now as usize)?.start as usize + seat.at as usize)
    }

    /// Whether something is kept, by what [`Coverage::buckets`] gives.
    pub(in crate::filter) fn is_kept(kept: u32) -> bool {
        kept != NOTHING
    }

    /// How many something is kept of.
    pub(in crate::filter) fn len(&self) -> usize {
        self.kept.iter().filter(|kept| **kept != NOTHING).count()
    }

    /// The buckets, and for each of their entities whether something is kept of it.
    pub(in crate::filter) fn buckets(&self) -> impl Iterator<Item = (u32, &[u32])> {
        self.buckets.iter().map(|covered| {
            let (start, entities) = (covered.start as usize, covered.entities as usize);
            (covered.bucket, &self.kept[start..start + entities])
        })
    }
}

impl Covering {
    /// Begins another observer, of whom nothing is known yet.
    pub(in crate::filter) fn begin(&mut self) {
        self.turn = self.turn.wrapping_add(1);
        if self.turn == 0 {
            self.marks.fill(NEVER);
            self.turn = 1;
        }
        self.before.buckets.clear();
        self.before.kept.clear();
    }

    /// What is left of the tick before in no bucket that was taken over.
    pub(in crate::filter) fn rest(&mut self) -> impl Iterator<Item = u32> + '_ {
        self.before.kept.drain(..).filter(|kept| *kept != NOTHING)
    }

    fn follow(&mut self, coverage: &Coverage) {
        self.before.buckets.extend_from_slice(&coverage.buckets);
        self.before.kept.extend_from_slice(&coverage.kept);
        for (covered, index) in coverage.buckets.iter().zip(0..) {
            self.mark(covered.bucket).before = index;
        }
    }

    fn mark(&mut self, bucket: u32) -> &mut Mark {
        let index = bucket as usize;
        if self.marks.len() <= index {
            self.marks.resize(index + 1, NEVER);
        }
        let mark = &mut self.marks[index];
        if mark.turn != self.turn {
            *mark = Mark { turn: self.turn, ..NEVER };
        }
        mark
    }
}
