//! How many bytes a tick may have, and how kinds of messages share them.
//!
//! Promises: over time no more than the rate and what was saved up; padding is part of the budget.
//! Must not know what the messages say.

use super::{LEAST_MESSAGE_BITS, Moment, Sheet};
use crate::tick::Tick;
use crate::wire::HEADER_BYTES;

/// Parts of a byte that budgets are counted in.
const BYTE: u64 = 1024;

/// The bytes of one observer.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter {
    /// Bytes saved up, in 1/1024; none before the first tick, which has all of the burst.
    saved: Option<u64>,
    tick: Tick,
    /// Something is owed that needs more than there is: half of what a tick adds is left for it.
    pub(super) is_saving: bool,
}

impl Meter {
    /// Bytes that this tick may have.
    pub(super) fn allow(&mut self, at: &Moment<'_>) -> usize {
        if let Some(bytes) = at.policy.constant_bytes(at.number) {
            return bytes;
        }
        let (per_tick, burst) = at.policy.rate();
        let ticks = at.tick.since(self.tick).max(0) as u64;
        let saved = self.saved.map_or(burst, |saved| (saved + ticks.saturating_mul(per_tick)).min(burst));
        (self.saved, self.tick) = (Some(saved), at.tick);
        let bytes = (saved / BYTE) as usize;
        let is_short = bytes < at.policy.largest_bytes();
        let half = (per_tick / BYTE / 2) as usize;
        bytes.min(if self.is_saving && is_short { half } else { at.policy.budget_bytes() })
    }

    /// A datagram was sent.
    pub(super) fn spend(&mut self, bytes: usize) {
        self.saved = self.saved.map(|saved| saved.saturating_sub(bytes as u64 * BYTE));
    }
}

/// The part of a datagram that is being filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What each kind may have before the others.
    Own,
    /// What is left.
    Rest,
}

/// A kind of messages that has a part of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Removals,
    /// Whole states of enemies in sight.
    Urgent,
    /// Other whole states.
    Enters,
    Notices,
}

/// Bits that the kinds of messages took in one tick.
///
/// Removals, enters and notices may have a quarter each before updates have had theirs, and then what is left: however
/// many there are of one kind, the others go on. Of the enters' quarter, enemies in sight take three quarters first, and
/// the others may have no more in a tick than their own budget, but for the bundle that goes over it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quota {
    quarter_bits: usize,
    enter_bits: usize,
    pub(super) removals: usize,
    pub(super) urgent: usize,
    pub(super) enters: usize,
    pub(super) notices: usize,
}

impl Quota {
    /// For a tick of so many bytes, with so many for whole states that are not urgent.
    pub(super) fn of(bytes: usize, enter_bytes: usize) -> Self {
        let (quarter_bits, enter_bits) = (bytes * 8 / 4, enter_bytes.saturating_mul(8));
        Self { quarter_bits, enter_bits, removals: 0, urgent: 0, enters: 0, notices: 0 }
    }

    /// Whether a kind that took `more` bits beside those that are counted may go on.
    pub(super) fn allows(&self, part: Part, kind: Kind, more: usize) -> bool {
        let Self { quarter_bits: quarter, removals, urgent, enters, notices, .. } = *self;
        let is_rest = part == Part::Rest;
        match kind {
            Kind::Removals => is_rest || removals + more < quarter,
            Kind::Urgent => is_rest || urgent + more < quarter - quarter / 4,
            Kind::Enters => {
                let is_own = enters + more < quarter / 4 || urgent + enters + more < quarter;
                enters + more < self.enter_bits && (is_rest || is_own)
            }
            Kind::Notices => is_rest || notices + more < quarter,
        }
    }

    /// Whether whole states that are not urgent had all that they may have.
    pub(super) fn has_spent_enters(&self) -> bool {
        self.enters >= self.enter_bits
    }
}

impl Sheet<'_, '_> {
    /// Bits of a datagram without messages.
    pub(super) fn empty_bits(&self) -> usize {
        HEADER_BYTES * 8
    }

    /// Whether any message may still fit.
    pub(super) fn has_room(&self) -> bool {
        self.writer.bits() + LEAST_MESSAGE_BITS <= self.limit_bytes * 8
    }
}
