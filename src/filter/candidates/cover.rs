//! The buckets around one observer, and what was kept of each entity there when distance alone told of it.
//!
//! Promises: of a bucket that is as before, what was kept is at hand by index, without a look at the entity; what is not
//! covered any more is given back. Memory is for what is around. Must not know what is kept.

use super::bucket::{Bucket, ROUNDING, Side};
use super::grid::Seat;
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
    buckets: Vec<Covered>,
    kept: Vec<u32>,
}

/// One bucket.
#[derive(Clone, Copy, Debug)]
struct Covered {
    bucket: u32,
    /// Where in the list what is kept of its entities begins.
    start: u32,
    /// As long as the observer is nearer to the place where all were looked at than this, metres, none that did not change
    /// comes or goes.
    slack_m: f64,
    from: Point3,
}

/// Room to work in on one observer at a time: the coverage of the tick before, and which buckets are in which.
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

impl Coverage {
    /// Bytes that are held.
    pub(in crate::filter) fn held_bytes(&self) -> usize {
        self.buckets.held_bytes() + self.kept.held_bytes()
    }

    /// Count of the tick that it is of.
    pub(in crate::filter) fn count(&self) -> u64 {
        self.count
    }

    /// Begins the tick of a count, for one whose it is now. What the tick before kept is at hand in `covering` if that was
    /// the one before and the same one's, and else given to `release`.
    pub(in crate::filter) fn begin(
        &mut self,
        count: u64,
        whose: Whose,
        covering: &mut Covering,
        release: impl FnMut(u32),
    ) {
        let goes_on = self.count.wrapping_add(1) == count && self.whose == Some(whose);
        covering.begin();
        if goes_on {
            covering.follow(self);
        } else {
            self.kept.iter().copied().filter(|kept| *kept != NOTHING).for_each(release);
        }
        self.buckets.clear();
        self.kept.clear();
        self.kept.reserve(ROOM);
        (self.count, self.whose) = (count, Some(whose));
    }

    /// Covers nothing in the tick of a count; gives all that was kept to `release`.
    pub(in crate::filter) fn end(&mut self, count: u64, release: impl FnMut(u32)) {
        self.kept.drain(..).filter(|kept| *kept != NOTHING).for_each(release);
        self.buckets.clear();
        (self.count, self.whose) = (count, None);
    }

    /// Covers a bucket for one who is at a point. If it is as before, what was kept of its entities still is, and `open` gets
    /// those that may come or go; else nothing is. Gives where its part begins, and whether it is as before.
    pub(in crate::filter) fn cover(
        &mut self,
        covering: &mut Covering,
        (index, bucket): (u32, &Bucket),
        at: Point3,
        open: &mut Vec<(u32, Side)>,
    ) -> (usize, bool) {
        let (start, entities) = (self.kept.len(), bucket.items().len());
        let mark = covering.mark(index);
        mark.now = self.buckets.len() as u32;
        let before = mark.before as usize;
        let before = covering.before.buckets.get(before).filter(|_| bucket.is_as_before(self.count)).copied();
        open.clear();
        let Some(before) = before else {
            self.buckets.push(Covered { bucket: index, start: start as u32, slack_m: 0.0, from: at });
            self.kept.resize(start + entities, NOTHING);
            return (start, false);
        };
        let kept = &mut covering.before.kept[before.start as usize..][..entities];
        self.kept.extend_from_slice(kept);
        kept.fill(NOTHING);
        let mut covered = Covered { start: start as u32, ..before };
        let moved_m = (at - before.from).norm() * (1.0 + ROUNDING) + ROUNDING;
        let is_near_by = moved_m < before.slack_m;
        if !is_near_by {
            (covered.from, covered.slack_m) = (at, f64::INFINITY);
        }
        let kept = &self.kept[start..];
        let mut look = |index: u32, moved_m: f64| {
            let (side, slack_m) = bucket.side(index as usize, at);
            covered.slack_m = covered.slack_m.min(slack_m - moved_m);
            if !side.is_settled(kept[index as usize] != NOTHING) {
                open.push((index, side));
            }
        };
        if is_near_by {
            bucket.taken(self.count).iter().for_each(|&index| look(index, moved_m));
        } else {
            (0..entities as u32).for_each(|index| look(index, 0.0));
        }
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
        let ends = self.buckets.iter().skip(1).map(|next| next.start as usize).chain([self.kept.len()]);
        self.buckets
            .iter()
            .zip(ends)
            .map(|(covered, end)| (covered.bucket, &self.kept[covered.start as usize..end]))
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
