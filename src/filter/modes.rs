//! What is done with the verdicts: per match, per class, or for all.
//!
//! Promises: a switch of a match acts from the next tick on. Must not know verdicts.

use crate::ids::MatchId;
use crate::rules::{Class, Mode, Rules};

/// The switches of matches.
#[derive(Clone, Debug, Default)]
pub(super) struct Modes {
    switched: Vec<(MatchId, Mode)>,
}

impl Modes {
    /// Switches a match, or back to what the rules say.
    pub(super) fn switch(&mut self, match_id: MatchId, mode: Option<Mode>) {
        self.switched.retain(|(other, _)| *other != match_id);
        self.switched.extend(mode.map(|mode| (match_id, mode)));
    }

    /// The switch of the match, or else the class's own mode, or else that of the rules.
    pub(super) fn of(&self, rules: &Rules, match_id: MatchId, class: &Class) -> Mode {
        let switched = self.switched.iter().find(|(of, _)| *of == match_id);
        switched.map(|(_, mode)| *mode).or(class.mode).unwrap_or(rules.settings().mode)
    }
}
