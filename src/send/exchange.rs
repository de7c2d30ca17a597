//! What goes into a tick of sending and what comes out of it: frames, datagrams, counts.
//!
//! Owns plain data. Promises: sums are the same in any order. Must not know how one becomes the other.

use crate::filter::Disclosed;
use crate::held::Held;
use crate::ids::EntityId;
use crate::wire::{EntityRecord, EventRecord, SoundRecord};
use std::ops::AddAssign;

/// What one observer may have of one tick; the order of the lists means nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told<'a> {
    /// Each entity at most once, and with its parent.
    pub entities: Entities<'a>,
    /// Sounds of this tick.
    pub sounds: &'a [Disclosed<SoundRecord<'a>>],
    /// Events of this tick.
    pub events: &'a [Disclosed<EventRecord<'a>>],
    /// Entities to which a right was lost: where they are not told of either, they are removed at once, whatever
    /// their class says about leaving. Others in the list change nothing.
    pub revoked: &'a [EntityId],
}

/// The entities that are told.
#[derive(Clone, Copy)]
pub enum Entities<'a> {
    /// All of them.
    List(&'a [Disclosed<EntityRecord<'a>>]),
    /// Those of records that stay from tick to tick.
    Kept {
        /// All of them.
        records: &'a dyn KeptRecords,
        /// Entries that may not tell what they told in the tick before, those that told nothing then among them, and all
        /// that are carried, carry or refer to others; `None` where all are to be looked at.
        changed: Option<&'a [u32]>,
        /// Entities that were told in the tick before and are not any more.
        gone: &'a [EntityId],
    },
}

/// Records by entry, which an entity keeps for as long as it is told.
pub trait KeptRecords {
    /// What an entry tells, if anything.
    fn record(&self, entry: u32) -> Option<Disclosed<EntityRecord<'_>>>;

    /// How many entries there are, those that tell nothing included.
    fn entries(&self) -> u32;
}

impl Default for Entities<'_> {
    fn default() -> Self {
        Self::List(&[])
    }
}

impl std::fmt::Debug for Entities<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries((0..self.entries()).filter_map(|entry| self.record(entry))).finish()
    }
}

impl<'a> Entities<'a> {
    /// What an entry tells, if anything.
    pub(super) fn record(&self, entry: u32) -> Option<EntityRecord<'a>> {
        match *self {
            Self::List(list) => list.get(entry as usize).map(|told| *told.get()),
            Self::Kept { records, .. } => records.record(entry).map(|told| *told.get()),
        }
    }

    /// Entries that may not tell what they did, and entities that are not told any more, if that is known.
    pub(super) fn changes(&self) -> Option<(&'a [u32], &'a [EntityId])> {
        match *self {
            Self::Kept { changed, gone, .. } => changed.map(|changed| (changed, gone)),
            Self::List(_) => None,
        }
    }

    /// How many entries there are, those that tell nothing included.
    pub(super) fn entries(&self) -> u32 {
        match *self {
            Self::List(list) => list.len() as u32,
            Self::Kept { records, .. } => records.entries(),
        }
    }
}

/// What was sent to one observer in one tick, and what was not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SendReport {
    /// Datagrams.
    pub datagrams: u64,
    /// Their bytes, headers and padding included.
    pub bytes: u64,
    /// Bits of entities' whole states.
    pub initial_bits: u64,
    /// Bits of updates.
    pub steady_bits: u64,
    /// Entities told of for the first time under their name.
    pub entered: u64,
    /// Entities whose removal became due.
    pub left: u64,
    /// Bundles and removals that had something to be said and no room.
    pub deferred: u64,
    /// Of these, bundles with whole states: the queue that a sudden growth of what is told makes.
    pub queued: u64,
    /// For how long what is told of waits for room.
    pub ages: Ages,
    /// Bundles longer than any datagram, which were told in parts.
    pub split: u64,
    /// Records of the frame that no layout fits, or of an entity that it told already: they were left out.
    pub misfits: u64,
    /// Records whose parent the frame does not tell of: they were left out.
    pub orphans: u64,
    /// Entities and notices that were left out as there were too many for one client.
    pub capped: u64,
    /// Acknowledgements since the last tick that were ignored.
    pub bad_acks: BadAcks,
}

/// Acknowledgements that were ignored, by what was wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BadAcks {
    /// No bytes of an acknowledgement, or of other rules.
    pub malformed: u64,
    /// Not later than one taken before, or it takes back what that one said.
    pub outdated: u64,
    /// Of a datagram that was never sent.
    pub never_sent: u64,
    /// Of datagrams that are too long ago.
    pub too_old: u64,
    /// More than a client has reason to send between two ticks.
    pub flooded: u64,
}

/// Ages below this have a count of their own; above, four counts share a doubling.
const EXACT: u32 = 16;
/// Counts: the last is of all ages from 3,584 ticks on.
const COUNTS: usize = 48;

/// Entities that are told of, by how many ticks in a row something was to be said of them and had no room; 0 where
/// nothing waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ages {
    counts: [u32; COUNTS],
}

impl Default for Ages {
    fn default() -> Self {
        Self { counts: [0; COUNTS] }
    }
}

impl Ages {
    /// Counts so many that wait for so many ticks.
    pub(super) fn add(&mut self, ticks: u32, count: u32) {
        let own = &mut self.counts[place(ticks)];
        *own = own.saturating_add(count);
    }

    /// How many were counted.
    pub fn len(&self) -> u64 {
        self.counts.iter().map(|count| u64::from(*count)).sum()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ticks that at least so many percent wait no longer than; 0 where there is nothing. From 16 ticks on, too much by
    /// a quarter at most.
    pub fn percentile(&self, percent: u32) -> u32 {
        let rank = (self.len() * u64::from(percent.min(100))).div_ceil(100);
        let mut sum = 0;
        let reached = self.counts.iter().position(|count| {
            sum += u64::from(*count);
            sum >= rank
        });
        reached.filter(|_| rank > 0).map_or(0, most_ticks)
    }
}

impl AddAssign for Ages {
    fn add_assign(&mut self, other: Self) {
        for (own, more) in self.counts.iter_mut().zip(other.counts) {
            *own = own.saturating_add(more);
        }
    }
}

/// The count of an age.
fn place(ticks: u32) -> usize {
    if ticks < EXACT {
        return ticks as usize;
    }
    let doubling = ticks.ilog2();
    let quarter = ticks >> (doubling - 2) & 3;
    ((EXACT + (doubling - 4) * 4 + quarter) as usize).min(COUNTS - 1)
}

/// The greatest age of a count; the last has none, and stands for the least.
fn most_ticks(place: usize) -> u32 {
    let place = place as u32;
    if place < EXACT {
        return place;
    }
    let (doubling, quarter) = (4 + (place - EXACT) / 4, (place - EXACT) % 4);
    let low = (4 + quarter) << (doubling - 2);
    if place as usize == COUNTS - 1 { low } else { low + (1 << (doubling - 2)) - 1 }
}

impl AddAssign for BadAcks {
    fn add_assign(&mut self, other: Self) {
        self.malformed += other.malformed;
        self.outdated += other.outdated;
        self.never_sent += other.never_sent;
        self.too_old += other.too_old;
        self.flooded += other.flooded;
    }
}

impl AddAssign for SendReport {
    fn add_assign(&mut self, other: Self) {
        self.datagrams += other.datagrams;
        self.bytes += other.bytes;
        self.initial_bits += other.initial_bits;
        self.steady_bits += other.steady_bits;
        self.entered += other.entered;
        self.left += other.left;
        self.deferred += other.deferred;
        self.queued += other.queued;
        self.ages += other.ages;
        self.split += other.split;
        self.misfits += other.misfits;
        self.orphans += other.orphans;
        self.capped += other.capped;
        self.bad_acks += other.bad_acks;
    }
}

/// Datagrams of one or more observers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packets {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Packets {
    /// Bytes that are held.
    pub(crate) fn held_bytes(&self) -> usize {
        self.bytes.held_bytes() + self.ends.held_bytes()
    }

    /// Drops them and keeps the room.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The datagrams, in the order in which they are to be sent.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.ends.len()).map(|index| {
            let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.bytes[start..self.ends[index]]
        })
    }

    /// Makes room for so many bytes, in datagrams of at least so many each.
    pub(super) fn make_room(&mut self, bytes: usize, least_bytes: usize) {
        self.bytes.reserve(bytes);
        self.ends.reserve(bytes / least_bytes + 1);
    }

    pub(super) fn push(&mut self, datagram: &[u8]) {
        self.bytes.extend_from_slice(datagram);
        self.ends.push(self.bytes.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_no_less_than_it_should_be_and_a_quarter_more_at_most() {
        for ticks in 0..4000_u32 {
            let mut ages = Ages::default();
            ages.add(ticks, 10);
            let told = ages.percentile(99);
            let least = ticks.min(3584);
            assert!(told >= least && f64::from(told) <= f64::from(ticks) * 1.25, "{ticks} is told as {told}");
        }
    }

    #[test]
    fn one_of_a_hundred_that_waits_is_beyond_the_99th_percentile_and_two_are_not() {
        let mut ages = Ages::default();
        ages.add(0, 99);
        ages.add(7, 1);
        assert_eq!((ages.len(), ages.percentile(99), ages.percentile(100)), (100, 0, 7));
        ages += ages;
        ages.add(7, 1);
        assert_eq!(ages.percentile(99), 7);
        assert_eq!((Ages::default().percentile(99), Ages::default().is_empty()), (0, true));
    }
}
