//! What of a world is counted once per tick: groups, presenters, and what all of it would take unfiltered.
//!
//! Promises: it keeps nothing of a tick but its room, so that a group without members is gone. Must not know who may know
//! what.

use super::report::TickWarning;
use crate::filter::Lent;
use crate::ids::{GroupId, MatchId};
use crate::rules::PresenterReach;
use crate::send::Policy;
use crate::wire::Level;

/// Presenters of a match beyond which it is warned of.
const MOST_PRESENTERS: usize = 3;
/// Groups of a match beyond which it is warned of.
const MOST_GROUPS: usize = 50;

/// Counts of one tick.
#[derive(Default)]
pub(super) struct Survey {
    /// Bits of whole states by match.
    whole: Vec<(MatchId, u64)>,
    groups: Vec<(MatchId, GroupId)>,
    presenters: Vec<MatchId>,
    /// Matches in which marks of presenters mean something.
    presented: Vec<MatchId>,
}

impl Survey {
    /// Whether presenters of a match are counted.
    pub(super) fn switch_presenters(&mut self, match_id: MatchId, reach: PresenterReach) {
        self.presented.retain(|other| *other != match_id);
        self.presented.extend((reach != PresenterReach::Off).then_some(match_id));
    }

    /// Counts a tick; `warnings` gets what is too many.
    pub(super) fn refresh(&mut self, lent: &Lent<'_>, policy: &Policy, warnings: &mut Vec<TickWarning>) {
        let Self { whole, groups, presenters, presented } = self;
        whole.clear();
        groups.clear();
        presenters.clear();
        for (place, entity) in lent.world.entities.iter().enumerate() {
            if lent.entities.place(entity.id) != Ok(place) {
                continue;
            }
            let match_id = entity.membership.match_id;
            let bits = policy.whole_bits(entity.class, Level::Seen);
            // Entities of one match come in a row, or nearly so.
            match whole.iter_mut().rev().find(|(of, _)| *of == match_id) {
                Some((_, sum)) => *sum += bits,
                None => whole.push((match_id, bits)),
            }
            groups.extend(entity.groups.iter().map(|group| (match_id, *group)));
            presenters.extend((entity.presenter && presented.contains(&match_id)).then_some(match_id));
        }
        for observer in lent.world.observers {
            let match_id = observer.membership.match_id;
            groups.extend(observer.groups.iter().map(|group| (match_id, *group)));
        }
        groups.sort_unstable();
        groups.dedup();
        presenters.sort_unstable();
        warnings.clear();
        for of_match in presenters.chunk_by(|a, b| a == b).filter(|of| of.len() > MOST_PRESENTERS) {
            warnings.push(TickWarning::Presenters { match_id: of_match[0], count: of_match.len() });
        }
        for of_match in groups.chunk_by(|a, b| a.0 == b.0).filter(|of| of.len() > MOST_GROUPS) {
            warnings.push(TickWarning::Groups { match_id: of_match[0].0, count: of_match.len() });
        }
    }

    /// Bits of the whole states of a match's entities.
    pub(super) fn whole_bits(&self, match_id: MatchId) -> u64 {
        self.whole.iter().find(|(of, _)| *of == match_id).map_or(0, |(_, bits)| *bits)
    }
}
