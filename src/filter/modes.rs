//! What is done with the verdicts: per match, per class, or for all.
//!
//! Promises: a switch of a match acts from the next tick on. Must not know verdicts.

use crate::ids::MatchId;
use crate::rules::{Class, Mode, PresenterReach, Rules};

/// The switches of matches.
#[derive(Clone, Debug, Default)]
pub(super) struct Modes {
    switched: Vec<(MatchId, Mode)>,
    /// Matches whose presenters reach somebody.
    presenters: Vec<(MatchId, PresenterReach)>,
}

impl Modes {
    /// Switches a match, or back to what the rules say.
    pub(super) fn switch(&mut self, match_id: MatchId, mode: Option<Mode>) {
        self.switched.retain(|(other, _)| *other != match_id);
        self.switched.extend(mode.map(|mode| (match_id, mode)));
    }

    /// Switches whom the presenters of a match reach.
    pub(super) fn switch_presenters(&mut self, match_id: MatchId, reach: PresenterReach) {
        self.presenters.retain(|(other, _)| *other != match_id);
        self.presenters.extend((reach != PresenterReach::Off).then_some((match_id, reach)));
    }

    /// Whom the presenters of a match reach.
    pub(super) fn presenters(&self, match_id: MatchId) -> PresenterReach {
        let switched = self.presenters.iter().find(|(of, _)| *of == match_id);
        switched.map_or(PresenterReach::Off, |(_, reach)| *reach)
    }

    /// Whether all that is hidden from a match's observers is not sent.
    pub(super) fn are_enforced(&self, rules: &Rules, match_id: MatchId) -> bool {
        rules.source().classes.iter().all(|class| self.of(rules, match_id, class) == Mode::Enforce)
    }

    /// The switch of the match, or else the class's own mode, or else that of the rules.
    pub(super) fn of(&self, rules: &Rules, match_id: MatchId, class: &Class) -> Mode {
        let switched = self.switched.iter().find(|(of, _)| *of == match_id);
        switched.map(|(_, mode)| *mode).or(class.mode).unwrap_or(rules.settings().mode)
    }
}
