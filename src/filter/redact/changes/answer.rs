//! What a query is answered with.
//!
//! Promises: entities as the last frame tells them, and handles of what frames told within the ring; nothing else can
//! be said. Must not know how an answer came about.

use super::memory::Memory;
use crate::filter::redact::{Disclosed, Frame};
use crate::ids::EntityId;
use crate::wire::EntityRecord;

/// The answer to a query; no order of it means anything.
#[derive(Clone, Debug)]
pub enum QueryAnswer<'a> {
    /// All that is told within the bounds: the last answer is more than 64 ticks ago, or before the first tick that is
    /// remembered. What else the asker holds is to be dropped.
    FullSync(QueryEntities<'a>),
    /// What is not as in the last answer.
    Since(QueryChanges<'a>),
}

/// What is not as in the last answer. Dropping what left, and keeping what entered or changed as it is told here, makes
/// the last answer's state this one's.
#[derive(Clone, Debug)]
pub struct QueryChanges<'a> {
    /// What was not there in the last answer: newly told, or covered now, also where moved bounds cover what stands still.
    pub entered: QueryEntities<'a>,
    /// What was there in the last answer and is, and changed since; also where it is again as it was. What moved bounds
    /// newly cover is not among it.
    pub changed: QueryEntities<'a>,
    /// What was there in the last answer and is not.
    pub left: QueryDepartures<'a>,
}

/// Something that is not there any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departed {
    /// What.
    pub entity: EntityId,
    /// How.
    pub departure: Departure,
}

/// How something left the answers to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// It is told still, but outside of the bounds or without the categories.
    Elsewhere,
    /// It is not told any more: hidden, without a right to it, removed or destroyed. Which of them, the observer may not know.
    Untold,
}

/// Entities as the observer is told them now.
#[derive(Clone, Debug)]
pub struct QueryEntities<'a> {
    slots: std::slice::Iter<'a, u32>,
    memory: &'a Memory,
    frame: &'a Frame,
}

impl<'a> QueryEntities<'a> {
    pub(super) fn new(slots: &'a [u32], memory: &'a Memory, frame: &'a Frame) -> Self {
        Self { slots: slots.iter(), memory, frame }
    }
}

impl<'a> Iterator for QueryEntities<'a> {
    type Item = Disclosed<EntityRecord<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let Self { slots, memory, frame } = self;
        slots.find_map(|&slot| frame.record(memory.slots()[slot as usize].entry))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.slots.size_hint().1)
    }
}

/// What is not there any more.
#[derive(Clone, Debug)]
pub struct QueryDepartures<'a> {
    slots: std::slice::Iter<'a, u32>,
    memory: &'a Memory,
}

impl<'a> QueryDepartures<'a> {
    pub(super) fn new(slots: &'a [u32], memory: &'a Memory) -> Self {
        Self { slots: slots.iter(), memory }
    }
}

impl Iterator for QueryDepartures<'_> {
    type Item = Disclosed<Departed>;

    fn next(&mut self) -> Option<Self::Item> {
        let slot = &self.memory.slots()[*self.slots.next()? as usize];
        let departure = if slot.is_told { Departure::Elsewhere } else { Departure::Untold };
        Some(Disclosed(Departed { entity: slot.entity, departure }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}
