//! Room for the lists of a tick, made before they are filled: a tick in which all is told takes no memory.
//!
//! Owns how long each list can get. Must not know what is in them.

use super::{Moment, Outbox, Queues};

/// Messages of notices in a datagram that room is made for.
const ROOM_NOTICES: usize = 64;
impl Outbox {
    /// Makes room for all that a tick may list of so many courses, so that a tick in which they are all told of takes none.
    pub(super) fn make_room(&mut self, at: &Moment<'_>) {
        let most = self.courses.slots.len().max(at.frame.entities.entries() as usize);
        for list in [&mut self.met.told, &mut self.met.new, &mut self.removals] {
            list.clear();
            list.reserve(most);
        }
        for list in [&mut self.courses.active, &mut self.courses.parting] {
            list.reserve(most.saturating_sub(list.len()));
        }
        let entries = at.frame.entities.entries() as usize;
        self.courses.of_entry.reserve(entries.saturating_sub(self.courses.of_entry.len()));
        let Queues { urgent, enters, updates } = &mut self.queues;
        [urgent, enters, updates].into_iter().for_each(|queue| queue.make_room(most));
        self.scratch.make_room(most, at.policy.most_of_a_record().references);
        self.touches.reserve(2 * most + ROOM_NOTICES);
        // What does not fit is written before it is taken back.
        self.room.clear();
        self.room.reserve(2 * at.policy.mtu_bytes());
    }
}
