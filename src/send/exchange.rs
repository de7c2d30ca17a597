//! What goes into a tick of sending and what comes out of it: frames, datagrams, counts.
//!
//! Owns plain data. Must not know how one becomes the other.

use crate::filter::Disclosed;
use crate::ids::EntityId;
use crate::wire::{EntityRecord, EventRecord, SoundRecord};
use std::ops::AddAssign;

/// What one observer may have of one tick; the order of the lists means nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told<'a> {
    /// Each entity at most once, and with its parent.
    pub entities: &'a [Disclosed<EntityRecord<'a>>],
    /// Sounds of this tick.
    pub sounds: &'a [Disclosed<SoundRecord<'a>>],
    /// Events of this tick.
    pub events: &'a [Disclosed<EventRecord<'a>>],
    /// Entities to which a right was lost: where they are not told of either, they are removed at once, whatever
    /// their class says about leaving. Others in the list change nothing.
    pub revoked: &'a [EntityId],
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
