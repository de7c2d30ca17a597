//! Entities about which distance alone decides: nobody has a right to them, nothing blocks them, nothing carries them.
//!
//! Conducts stages, as `observer.rs` does, for the many that need few of them. Promises: the verdicts are those that all
//! stages would give; what did not change costs a look at its bucket. Must not know what else is told.

use super::{Filter, FilterReport, HiddenBy, Lent, Relevancy, Scratch, Verdict, View};
use crate::filter::candidates::{Found, Item};
use crate::filter::permission::Knower;
use crate::filter::redact::{self, Telling};
use crate::geom::Point3;
use crate::wire::Level;
use crate::world::{Follows, Observer, ObserverKind};

/// Of all that are told.
const SEEN: Verdict = Verdict { relevancy: Relevancy::Sighted, level: Level::Seen };

impl Filter {
    /// Whether distance decides for this observer as for any other: one pair of eyes, no delay, no regions.
    pub(super) fn is_plain(&self, observer: &Observer<'_>, knower: &Knower<'_>) -> bool {
        let is_one = matches!(
            observer.kind,
            ObserverKind::Player | ObserverKind::Spectator { follows: Follows::Entity(_) }
        );
        let membership = observer.membership;
        let is_in = membership.phases != 0 && knower.is_spatial_in(membership.match_id);
        is_one && is_in && observer.regions.is_empty()
    }

    /// Decides about an entity near `at`, the place of the body that is played, and tells of it; false where more than
    /// distance decides.
    pub(super) fn tell_plain(
        &self,
        lent: &Lent<'_>,
        (observer, own, at): (&Observer<'_>, usize, Point3),
        item: &Item,
        view: &mut View,
        scratch: &mut Scratch,
        found: &mut Found,
    ) -> bool {
        let Some(class) = item.plain.filter(|_| item.match_id == observer.membership.match_id) else {
            return false;
        };
        let (place, id) = (item.place as usize, item.id);
        if place == own {
            return true;
        }
        let distance_m = (item.at - at).norm() - item.radius_m;
        let Scratch { marks, verdicts, .. } = scratch;
        let FilterReport { pairs, hidden, candidates, sighted, .. } = &mut view.report;
        if !marks.is_near(self.candidates.relevance(class), id, distance_m) {
            // What it asks for is looked at wherever it is.
            let is_asked_for = !observer.subscriptions.is_empty();
            if !is_asked_for {
                *pairs += 1;
                hidden[HiddenBy::Radius as usize] += 1;
            }
            return !is_asked_for;
        }
        if !self.records.has(place, Level::Seen) {
            return false;
        }
        (*pairs, *candidates, *sighted) = (*pairs + 1, *candidates + 1, *sighted + 1);
        verdicts.set(place, SEEN);
        if !observer.subscriptions.is_empty() {
            found.leave_out(item.place);
        }
        let entry = marks.entry(id);
        if entry.is_some_and(|entry| view.frame.keep(entry, item.version)) {
            return true;
        }
        let telling = Telling { place, level: Level::Seen, parent: None, is_by_right: false, is_near: true };
        let told =
            redact::tell_entity(&mut view.frame, lent, &self.records, telling, entry, |_| Level::Hidden);
        if let Some(told) = told {
            marks.set_entry(id, told);
        }
        true
    }
}
