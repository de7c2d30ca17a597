//! Entities about which distance alone decides: nobody has a right to them, nothing blocks them, nothing carries them.
//!
//! Conducts stages, as `observer.rs` does, for the many that need few of them. Promises: the verdicts are those that all
//! stages would give; what did not change costs a look at its bucket. Must not know what else is told.

use super::{Filter, Lent, Relevancy, Scratch, Verdict, Verdicts, View};
use crate::filter::candidates::{Begun, Bucket, Coverage, Covering, Found, Item, Looked, Marks, Side, holds};
use crate::filter::permission::Knower;
use crate::filter::redact::{self, Frame, Telling};
use crate::geom::Point3;
use crate::ids::MatchId;
use crate::wire::Level;
use crate::world::{Follows, Observer, ObserverKind};

/// Buckets around one observer, and entities of one of them, that room is made for.
const ROOM: [usize; 2] = [1024, 256];

/// Of all that are told.
const SEEN: Verdict = Verdict { relevancy: Relevancy::Sighted, level: Level::Seen };

/// Room to work in, of a thread.
#[derive(Default)]
pub(in crate::filter) struct PlainRoom {
    covering: Covering,
    /// Buckets that got other entities, and where what is kept of them begins.
    dirty: Vec<(u32, usize)>,
    looked: Looked,
    come: Vec<Coming>,
}

/// One that comes, or may tell something else.
#[derive(Clone, Copy)]
struct Coming {
    place: u32,
    /// Where what is kept of it goes.
    at: u32,
    /// Count of the tick in which it changed last.
    version: u64,
}

impl Filter {
    /// Whether distance decides for this observer as for any other: one pair of eyes, no delay, no regions.
    pub(super) fn is_plain(&self, observer: &Observer<'_>, knower: &Knower<'_>) -> bool {
        let is_one = matches!(
            observer.kind,
            ObserverKind::Player | ObserverKind::Spectator { follows: Follows::Entity(_) }
        );
        let membership = observer.membership;
        let is_in = membership.phases != 0 && knower.is_spatial_in(membership.match_id);
        is_one && is_in && observer.regions.is_empty()
    }

    /// Decides about all entities around one about whom distance decides, and tells of them; adds to `found` those about
    /// which more than distance decides.
    pub(super) fn tell_plain(
        &self,
        lent: &Lent<'_>,
        eye: &PlainEye,
        view: &mut View,
        scratch: &mut Scratch,
        found: &mut Found,
    ) {
        let View { frame, coverage, .. } = view;
        let Scratch { marks, plain: PlainRoom { covering, dirty, looked, come }, .. } = scratch;
        let is_next = coverage.count().wrapping_add(1) == self.count;
        let whose = (lent.world.entities[eye.own as usize].id, eye.match_id);
        let is_within = self.candidates.is_within(eye.at, coverage.surroundings());
        let other = (!is_within).then(|| self.candidates.surroundings(eye.at));
        let around = other.unwrap_or(*coverage.surroundings());
        let begun = coverage
            .begin((self.count, whose), other, covering, |entry| release(frame, marks, entry, is_next));
        dirty.clear();
        dirty.reserve(ROOM[0]);
        looked.make_room(ROOM[1]);
        come.clear();
        come.reserve(ROOM[1]);
        let mut plain = Plain { filter: self, lent, eye, frame, coverage, marks, come, found };
        match begun {
            Begun::Again => {
                for place in 0.. {
                    let Some(index) = plain.coverage.bucket(place) else { break };
                    plain.again((place, index), looked, dirty);
                }
            }
            Begun::Anew => self.candidates.buckets_around(&around, |index| {
                let bucket = self.candidates.bucket(index);
                let (start, is_kept) = plain.coverage.cover(covering, (index, bucket), eye.at, looked);
                if is_kept { plain.go_on(bucket, start, looked) } else { dirty.push((index, start)) }
            }),
        }
        covering.rest().for_each(|entry| release(plain.frame, plain.marks, entry, true));
        // What went from one bucket to another is met once it was given back by the first.
        for &(index, start) in &*dirty {
            plain.take(self.candidates.bucket(index), start);
        }
        plain.tell_all(&looked.stay);
    }

    /// Begins a frame: what is told of it for another reason than distance is marked.
    pub(super) fn begin_frame(&self, lent: &Lent<'_>, view: &mut View, marks: &mut Marks) {
        let View { frame, coverage, .. } = view;
        // A frame that the coverage is not of was away for a while, as a delay keeps them.
        let keeps_covered = coverage.count() == frame.count();
        let is_next = frame.count().wrapping_add(1) == self.count;
        if !keeps_covered {
            coverage.end(frame.count(), |_| {});
        }
        redact::begin(frame, lent, &self.records, (self.count, keeps_covered), |entry, id, was_covered| {
            marks.set_entry(id, entry);
            marks.set_near(id, was_covered && is_next);
        });
    }

    /// What was told is not covered any more, unless this tick covered it: it goes, or is told for another reason.
    pub(super) fn end_plain(&self, view: &mut View, scratch: &mut Scratch) {
        let View { frame, coverage, .. } = view;
        let is_next = coverage.count().wrapping_add(1) == self.count;
        if coverage.count() != self.count {
            scratch.plain.covering.begin();
            coverage.end(self.count, |entry| release(frame, &mut scratch.marks, entry, is_next));
        }
    }

    /// What may be told for another reason too is not covered; what is left is counted.
    pub(super) fn uncover(&self, places: &[u32], view: &mut View, scratch: &mut Scratch) {
        let Scratch { marks, plain, .. } = scratch;
        for &place in places {
            let entry = self.candidates.drop_of(place as usize, &mut view.coverage, &plain.covering);
            entry.into_iter().for_each(|entry| release(&mut view.frame, marks, entry, true));
        }
        let (report, told) = (&mut view.report, view.coverage.len() as u64);
        (report.pairs, report.candidates, report.sighted) =
            (report.pairs + told, report.candidates + told, report.sighted + told);
    }

    /// What is covered is not looked at again by what an observer asks for.
    pub(super) fn leave_out_plain(&self, view: &View, found: &mut Found) {
        for (bucket, kept) in view.coverage.buckets() {
            let items = self.candidates.bucket(bucket).items();
            let told = items.iter().zip(kept).filter(|(_, kept)| Coverage::is_kept(**kept));
            told.for_each(|(item, _)| found.leave_out(item.place));
        }
    }

    /// The entry of what is covered at a place.
    pub(super) fn entry_of(&self, place: usize, coverage: &Coverage, room: &PlainRoom) -> Option<u32> {
        self.candidates.kept_of(place, coverage, &room.covering)
    }

    /// What was decided about the entity at a place for the observer that was judged last.
    pub(crate) fn verdict_of(&self, place: usize, view: &View, scratch: &Scratch) -> Verdict {
        self.verdict_in(place, (&view.coverage, &scratch.plain), &scratch.verdicts)
    }

    /// The same, of the parts that it follows from.
    pub(super) fn verdict_in(
        &self,
        place: usize,
        (coverage, room): (&Coverage, &PlainRoom),
        verdicts: &Verdicts,
    ) -> Verdict {
        if self.entry_of(place, coverage, room).is_some() { SEEN } else { verdicts.get(place) }
    }
}

/// Of whom distance decides.
pub(super) struct PlainEye {
    /// The place of the entity that is played, and where it is.
    pub(super) own: u32,
    pub(super) at: Point3,
    pub(super) match_id: MatchId,
}

/// One observer's plain entities while they are looked at.
struct Plain<'a, 'l> {
    filter: &'a Filter,
    lent: &'a Lent<'l>,
    eye: &'a PlainEye,
    frame: &'a mut Frame,
    coverage: &'a mut Coverage,
    marks: &'a mut Marks,
    come: &'a mut Vec<Coming>,
    found: &'a mut Found,
}

/// An entry is not covered any more; `is_near` where the tick before held its entity.
fn release(frame: &mut Frame, marks: &mut Marks, entry: u32, is_near: bool) {
    let id = frame.release(entry);
    marks.set_entry(id, entry);
    marks.set_near(id, is_near);
}

impl Plain<'_, '_> {
    /// Goes on with the bucket at a place of the coverage; one that is not as before is listed.
    fn again(&mut self, (place, index): (usize, u32), looked: &mut Looked, dirty: &mut Vec<(u32, usize)>) {
        let Self { filter, eye, frame, coverage, marks, .. } = self;
        let bucket = filter.candidates.bucket(index);
        let give_back = |entry| release(frame, marks, entry, true);
        let (start, is_kept) = coverage.again((place, bucket), eye.at, looked, give_back);
        if is_kept { self.go_on(bucket, start, looked) } else { dirty.push((index, start)) }
    }

    /// Goes on with a bucket that is as before: only what may come or go is looked at.
    fn go_on(&mut self, bucket: &Bucket, start: usize, looked: &mut Looked) {
        for &(index, side) in &looked.open {
            let at = start + index as usize;
            if self.is_near(bucket, index as usize, side, self.coverage.kept(at).is_some()) {
                self.enter(&bucket.items()[index as usize], at);
            } else if let Some(entry) = self.coverage.drop(at) {
                release(self.frame, self.marks, entry, true);
            }
        }
    }

    /// Takes a bucket that is new or got other entities.
    fn take(&mut self, bucket: &Bucket, start: usize) {
        for (index, item) in bucket.items().iter().enumerate() {
            let (side, _) = bucket.side(index, self.eye.at);
            if side != Side::Far && self.is_near(bucket, index, side, self.marks.was_near(item.id)) {
                self.enter(item, start + index);
            }
        }
    }

    /// Whether an entity on a side is near; where more than distance decides, it is a candidate.
    fn is_near(&mut self, bucket: &Bucket, index: usize, side: Side, was_near: bool) -> bool {
        match side {
            Side::Near => return true,
            Side::Between => return was_near,
            Side::Far => return false,
            Side::Open => {}
        }
        let item = &bucket.items()[index];
        let Some(relevance) = item.plain else {
            if bucket.is_in_reach(index, self.eye.at) {
                self.found.add(item.place);
            }
            return false;
        };
        holds(relevance, (item.at - self.eye.at).norm() - item.radius_m, was_near)
    }

    /// Notes that one is near, if it is of this match, and not oneself.
    fn enter(&mut self, item: &Item, at: usize) {
        if item.match_id == self.eye.match_id && item.place != self.eye.own {
            self.come.push(Coming { place: item.place, at: at as u32, version: item.version });
        }
    }

    /// Tells of all that come, and of those that stay and changed in this tick.
    fn tell_all(&mut self, stay: &[(u32, u32)]) {
        let version = self.filter.count;
        stay.iter().for_each(|&(place, at)| self.tell(Coming { place, at, version }));
        for index in 0..self.come.len() {
            self.tell(self.come[index]);
        }
    }

    /// Tells of one that is near, and covers it.
    fn tell(&mut self, coming: Coming) {
        let Self { filter, lent, frame, coverage, marks, .. } = self;
        let (place, at) = (coming.place as usize, coming.at as usize);
        let entry = coverage.kept(at).or_else(|| marks.entry(lent.world.entities[place].id));
        let told = match entry.filter(|&entry| frame.is_right(entry, coming.version)) {
            Some(entry) => Some(entry),
            None => {
                let telling = Telling { place, level: Level::Seen, parent: None, is_by_right: false };
                redact::tell_entity(frame, lent, &filter.records, telling, entry, |_| Level::Hidden)
            }
        };
        // What has no record is not taken for plain.
        if let Some(entry) = told {
            frame.cover(entry);
            coverage.keep(at, entry);
        }
    }
}
