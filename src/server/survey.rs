//! What of a world is counted once per tick: groups, presenters, and what all of it would take unfiltered.
//!
//! Promises: it costs what changed; of groups it keeps nothing but room, so that one without members is gone.
//! Must not know who may know what.

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

/// What is counted of the entity at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seat {
    match_id: MatchId,
    /// Bits of its whole state; 0 where nothing is there.
    bits: u64,
    /// Whether it is in a group or a presenter.
    is_marked: bool,
}

/// Counts of one tick.
#[derive(Default)]
pub(super) struct Survey {
    /// By place.
    seats: Vec<Seat>,
    /// Bits of whole states by match.
    whole: Vec<(MatchId, u64)>,
    /// Places of what is in a group or a presenter.
    marked: Vec<u32>,
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
        self.count_changed(lent, policy);
        let Self { marked, groups, presenters, presented, .. } = self;
        groups.clear();
        presenters.clear();
        for &place in &*marked {
            let entity = &lent.world.entities[place as usize];
            let match_id = entity.membership.match_id;
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

    /// Takes the entities that may not be as in the tick before.
    fn count_changed(&mut self, lent: &Lent<'_>, policy: &Policy) {
        let places = lent.world.entities.len();
        let known = self.seats.len();
        let mut is_other = places < self.seats.len();
        for place in places..self.seats.len() {
            self.set(place, Seat::default());
        }
        self.seats.resize(places, Seat::default());
        for place in lent.places_to_take(known) {
            let entity = &lent.world.entities[place];
            let is_there = lent.entities.place(entity.id) == Ok(place);
            let seat = is_there.then(|| Seat {
                match_id: entity.membership.match_id,
                bits: policy.whole_bits(entity.class, Level::Seen),
                is_marked: entity.presenter || !entity.groups.is_empty(),
            });
            is_other |= self.set(place, seat.unwrap_or_default());
        }
        if is_other {
            let marked = self.seats.iter().zip(0..).filter(|(seat, _)| seat.is_marked);
            self.marked.clear();
            self.marked.reserve(places);
            self.marked.extend(marked.map(|(_, place)| place));
            self.whole.retain(|(_, bits)| *bits > 0);
        }
    }

    /// Counts one in another's place; whether any list may be another now.
    fn set(&mut self, place: usize, seat: Seat) -> bool {
        let before = std::mem::replace(&mut self.seats[place], seat);
        if before == seat {
            return false;
        }
        if let Some((_, sum)) = self.whole.iter_mut().find(|(of, _)| *of == before.match_id) {
            *sum -= before.bits;
        }
        match self.whole.iter_mut().find(|(of, _)| *of == seat.match_id) {
            Some((_, sum)) => *sum += seat.bits,
            None => self.whole.push((seat.match_id, seat.bits)),
        }
        true
    }

    /// Bits of the whole states of a match's entities.
    pub(super) fn whole_bits(&self, match_id: MatchId) -> u64 {
        self.whole.iter().find(|(of, _)| *of == match_id).map_or(0, |(_, bits)| *bits)
    }
}
