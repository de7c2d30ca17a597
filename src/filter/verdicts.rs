//! The verdicts of the observer that a thread is at, by the place of the entity.
//!
//! Promises: what nobody looked at is hidden by its radius; to begin another observer costs nothing, however many
//! entities there are. Must not know how a verdict comes about.

use super::{HiddenBy, Relevancy, Verdict};
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

    /// Joins what another knower knows; until all are settled, a level is what rights tell of what geometry hides.
    pub(super) fn raise(&mut self, place: usize, verdict: Verdict) {
        let before = self.get(place);
        let level = verdict.level.max(before.level);
        let relevancy = if verdict.sees_more_than(before) { verdict.relevancy } else { before.relevancy };
        self.set(place, Verdict { relevancy, level });
    }
}

impl Verdict {
    /// Whether distance or geometry hides it, so that something else may still tell.
    pub(super) fn is_hidden_by_geometry(self) -> bool {
        matches!(self.relevancy, Relevancy::Hidden(by) if by.is_geometry())
    }

    /// Of what geometry hides: what is told of it all the same, by right or otherwise.
    pub(super) fn or_told(self, level: Level) -> Self {
        if self.level > Level::Hidden && self.level >= level {
            return Self { relevancy: Relevancy::Granted(self.level), ..self };
        }
        Self { level, ..self }
    }
}

/// What is carried is told with its carrier, and as seen where the carrier is.
pub(super) fn bundled(own: Verdict, carrier: Verdict) -> Verdict {
    match own.relevancy {
        _ if carrier.level == Level::Hidden => Verdict::hidden(HiddenBy::Parent),
        Relevancy::Hidden(HiddenBy::Parent) if carrier.level >= Level::Seen => {
            Verdict { relevancy: Relevancy::Sighted, level: Level::Seen }
        }
        Relevancy::Hidden(HiddenBy::Parent) if own.level > carrier.level => {
            Verdict { relevancy: Relevancy::Granted(own.level), ..own }
        }
        Relevancy::Hidden(HiddenBy::Parent) => carrier,
        Relevancy::Granted(_) | Relevancy::Sighted | Relevancy::Hidden(_) => own,
    }
}
