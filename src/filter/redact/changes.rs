//! What changed of what one observer is told, for who asks now and then.
//!
//! Owns the memory of when each entity that is told changed last, over [`RING_TICKS`], and the queries about it. Promises:
//! nothing that changed is missed, and nothing is said that the frames did not tell; a tick and an answer cost what
//! changed. Must not know the world, nor why something is told.

mod answer;
mod memory;
mod query;

pub use answer::{Departed, Departure, QueryAnswer, QueryChanges, QueryDepartures, QueryEntities};
pub use query::{Bounds, ChangeOf, ChangeQuery, QueryError};

use super::Frame;
use crate::held::Held;
use crate::tick::Tick;
use memory::{Memory, RING_TICKS, Slot};
use query::{Asked, Query};

/// How a frame follows the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is the next one of those that were told: what it says did not change needs no look.
    Next,
    /// It is another one: all of it is looked at.
    Other,
}

/// A query of one observer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct QueryKey {
    index: u32,
    generation: u32,
}

/// One observer's memory, and the queries about it; without a query it remembers nothing.
#[derive(Debug, Default)]
pub(crate) struct ChangeLog {
    queries: Vec<Query>,
    /// How many of them are asked.
    asked: usize,
    /// Ticks since the memory's first one, and how many of them ago an answer can begin.
    now: u64,
    began: u64,
    tick: Tick,
    memory: Memory,
    lists: Lists,
}

/// The last answer, by slots of the memory.
#[derive(Debug, Default)]
struct Lists {
    entered: Vec<u32>,
    changed: Vec<u32>,
    left: Vec<u32>,
}

impl ChangeLog {
    /// Adds a query; `frame` is what was told in `tick`, the last one.
    pub(crate) fn register(&mut self, tick: Tick, frame: &Frame, query: &ChangeQuery) -> QueryKey {
        if self.asked == 0 {
            (self.now, self.began, self.tick) = (0, 0, tick);
            self.memory.begin(frame);
            self.make_room();
        }
        self.asked += 1;
        let index = self.queries.iter().position(|query| !query.is_asked).unwrap_or_else(|| {
            self.queries.push(Query::default());
            self.queries.len() - 1
        });
        let since = self.count_of(query.since);
        let Self { queries, memory, .. } = self;
        let of = &mut queries[index];
        of.is_asked = true;
        of.asked.begin(query, since, memory.capacity());
        // What changed since is taken for known: that it left is said then, known or not.
        for (slot, place) in memory.slots().iter().zip(0..).filter(|(slot, _)| slot.is_used()) {
            let is_later = since.is_some_and(|since| slot.touched > since);
            let is_known = is_later || of.asked.covers(slot);
            of.asked.known.set(place, is_known);
        }
        QueryKey { index: index as u32, generation: of.generation }
    }

    /// Moves the bounds of a query.
    pub(crate) fn set_bounds(&mut self, key: QueryKey, bounds: Bounds) -> Result<(), QueryError> {
        self.query_mut(key)?.set_bounds(bounds);
        Ok(())
    }

    /// Ends a query; after the last one, all memory goes.
    pub(crate) fn unregister(&mut self, key: QueryKey) -> Result<(), QueryError> {
        self.query_mut(key)?;
        let query = &mut self.queries[key.index as usize];
        (query.is_asked, query.generation) = (false, query.generation.wrapping_add(1));
        self.asked -= 1;
        if self.asked == 0 {
            (self.memory, self.lists) = (Memory::default(), Lists::default());
            self.queries.iter_mut().for_each(|query| query.asked = Asked::default());
        }
        Ok(())
    }

    /// Takes what is told in a tick.
    pub(crate) fn take(&mut self, tick: Tick, frame: &Frame, step: Step) {
        if self.asked == 0 {
            return;
        }
        self.pass(tick);
        let capacity = self.memory.capacity();
        match step {
            Step::Next => self.memory.take_changed(frame, self.now),
            Step::Other => self.memory.take_all(frame, self.now),
        }
        if self.memory.capacity() != capacity {
            self.make_room();
        }
    }

    /// Takes a tick that told nothing: what was told before stays so.
    pub(crate) fn pass(&mut self, tick: Tick) {
        if self.asked == 0 {
            return;
        }
        // Ticks only go on: the server refuses others.
        let passed = u64::from(tick.since(self.tick).max(0).unsigned_abs());
        (self.now, self.tick) = (self.now + passed, tick);
        self.began = self.began.max(self.now.saturating_sub(RING_TICKS));
        self.memory.forget(self.now, passed);
    }

    /// Answers a query into the lists; true where it is a full one.
    fn answer(&mut self, key: QueryKey) -> Result<bool, QueryError> {
        self.query_mut(key)?;
        let Self { queries, lists, memory, now, began, .. } = self;
        let asked = &mut queries[key.index as usize].asked;
        lists.clear();
        let since = asked.since.replace(*now).filter(|since| since >= began);
        let has_moved = std::mem::take(&mut asked.has_moved);
        let Some(since) = since else {
            asked.known.clear();
            let told = memory.slots().iter().zip(0..).filter(|(slot, _)| asked.covers(slot));
            lists.entered.extend(told.map(|(_, place)| place));
            lists.entered.iter().for_each(|&place| asked.known.set(place, true));
            return Ok(true);
        };
        memory.touched_after(since, *now, |place, slot| lists.add(asked, since, place, slot));
        if has_moved {
            let still =
                memory.slots().iter().zip(0..).filter(|(slot, _)| slot.is_told && slot.touched <= since);
            still.for_each(|(slot, place)| lists.add_still(asked, place, slot));
        }
        Ok(false)
    }

    /// Answers a query; `frame` is what was told last.
    pub(crate) fn ask<'a>(
        &'a mut self,
        key: QueryKey,
        frame: &'a Frame,
    ) -> Result<QueryAnswer<'a>, QueryError> {
        let is_full = self.answer(key)?;
        let Self { lists, memory, .. } = self;
        let entities = |list: &'a [u32]| QueryEntities::new(list, memory, frame);
        Ok(if is_full {
            QueryAnswer::FullSync(entities(&lists.entered))
        } else {
            QueryAnswer::Since(QueryChanges {
                entered: entities(&lists.entered),
                changed: entities(&lists.changed),
                left: QueryDepartures::new(&lists.left, memory),
            })
        })
    }

    /// Bytes that are held, with its own.
    pub(crate) fn held_bytes(&self) -> usize {
        let Lists { entered, changed, left } = &self.lists;
        let lists = [entered, changed, left].map(Held::held_bytes).iter().sum::<usize>();
        let known = self.queries.iter().map(|query| query.asked.known.held_bytes()).sum::<usize>();
        size_of::<Self>() + self.memory.held_bytes() + lists + self.queries.held_bytes() + known
    }

    /// The count of a tick that the memory reaches back to.
    fn count_of(&self, tick: Tick) -> Option<u64> {
        let ago = u64::try_from(self.tick.since(tick)).ok()?;
        self.now.checked_sub(ago).filter(|count| *count >= self.began)
    }

    fn query_mut(&mut self, key: QueryKey) -> Result<&mut Asked, QueryError> {
        let query = self.queries.get_mut(key.index as usize);
        let query = query.filter(|query| query.is_asked && query.generation == key.generation);
        query.map(|query| &mut query.asked).ok_or(QueryError::Stale)
    }

    /// Makes room for all that the memory has room for, so that no answer takes memory.
    fn make_room(&mut self) {
        let capacity = self.memory.capacity();
        let Lists { entered, changed, left } = &mut self.lists;
        for list in [entered, changed, left] {
            list.reserve(capacity.saturating_sub(list.len()));
        }
        self.queries.iter_mut().for_each(|query| query.asked.known.make_room(capacity));
    }
}

impl Lists {
    fn clear(&mut self) {
        self.entered.clear();
        self.changed.clear();
        self.left.clear();
    }

    /// Adds what was touched since.
    fn add(&mut self, asked: &mut Asked, since: u64, place: u32, slot: &Slot) {
        let (was, is) = (asked.known.has(place), asked.covers(slot));
        match (was, is) {
            (true, true) if asked.counts(slot, since) => self.changed.push(place),
            (false, true) => self.entered.push(place),
            (true, false) => self.left.push(place),
            (true, true) | (false, false) => {}
        }
        asked.known.set(place, is);
    }

    /// Adds what only moved bounds can have covered or uncovered.
    fn add_still(&mut self, asked: &mut Asked, place: u32, slot: &Slot) {
        let (was, is) = (asked.known.has(place), asked.covers(slot));
        if was != is {
            asked.known.set(place, is);
            if is { self.entered.push(place) } else { self.left.push(place) }
        }
    }
}
