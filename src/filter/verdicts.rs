//! The verdicts of the observer that a thread is at, by the place of the entity.
//!
//! Promises: what nobody looked at is hidden by its radius; to begin another observer costs nothing, however many
//! entities there are. Must not know how a verdict comes about.

use super::{HiddenBy, Verdict};
use crate::wire::Level;

/// Verdicts by place.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    /// The turn in which it was decided, and what.
    list: Vec<(u32, Verdict)>,
    turn: u32,
}

impl Verdicts {
    /// Forgets all, for an observer of so many places.
    pub(super) fn begin(&mut self, places: usize) {
        self.turn = self.turn.wrapping_add(1);
        let nothing = (0, Verdict::hidden(HiddenBy::Radius));
        if self.turn == 0 {
            self.list.fill(nothing);
            self.turn = 1;
        }
        if self.list.len() < places {
            self.list.resize(places, nothing);
        }
    }

    pub(super) fn get(&self, place: usize) -> Verdict {
        let (turn, verdict) = self.list[place];
        if turn == self.turn { verdict } else { Verdict::hidden(HiddenBy::Radius) }
    }

    pub(super) fn set(&mut self, place: usize, verdict: Verdict) {
        self.list[place] = (self.turn, verdict);
    }

    pub(super) fn level(&self, place: usize) -> Level {
        self.get(place).level
    }
}
