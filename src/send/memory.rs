//! Memory that one observer's sending end holds.
//!
//! Promises: it is for what the client holds or is told, and for what was sent lately. Must not know what that is.

use super::Outbox;
use crate::held::Held;

impl Outbox {
    /// Bytes that are held, beside its own.
    pub(crate) fn held_bytes(&self) -> usize {
        let Self { names, courses, flights, notices, met, removals, queues, scratch, touches, room, .. } =
            self;
        let queues = [&queues.urgent, &queues.enters, &queues.updates].map(|queue| queue.held_bytes());
        let met = met.told.held_bytes() + met.new.held_bytes() + met.again.held_bytes();
        let of_links =
            names.held_bytes() + courses.held_bytes() + flights.held_bytes() + notices.held_bytes();
        let of_ticks =
            removals.held_bytes() + scratch.held_bytes() + touches.held_bytes() + room.held_bytes();
        of_links + of_ticks + met + queues.iter().sum::<usize>()
    }
}
