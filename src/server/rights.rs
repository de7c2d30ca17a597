//! What an observer's rights follow from, as a list of numbers.
//!
//! Promises: all of it is in the list, so that equal lists are equal rights. Must not know what the rights are.

use crate::ids::EntityId;
use crate::world::{Follows, Observer, ObserverKind, Streams, Views};

/// Writes down all that an observer's rights follow from; two that differ in any of it differ in what is written.
pub(super) fn write(observer: &Observer<'_>, out: &mut Vec<u32>) {
    let handle = |id: EntityId| [id.index, id.generation];
    out.extend([observer.membership.match_id.0, observer.membership.phases]);
    out.extend([observer.team.map_or(u32::MAX, |team| u32::from(team.0)), observer.groups.len() as u32]);
    out.extend(observer.groups.iter().map(|group| group.0));
    out.push(u32::from(observer.streams == Streams::GroupsOnly));
    out.push(observer.topics.len() as u32);
    out.extend(observer.topics.iter().map(|topic| u32::from(topic.0)));
    match observer.kind {
        ObserverKind::Player => out.push(0),
        ObserverKind::Spectator { follows: Follows::Entity(id) } => {
            out.push(1);
            out.extend(handle(id));
        }
        ObserverKind::Spectator { follows: Follows::Team(team) } => out.extend([2, u32::from(team.0)]),
        ObserverKind::Caster { delay_ticks } => out.extend([3, delay_ticks]),
        ObserverKind::Killcam { of, delay_ticks } => {
            out.extend([4, delay_ticks]);
            out.extend(handle(of));
        }
        ObserverKind::Demo { views: Views::All, delay_ticks } => out.extend([5, delay_ticks]),
        ObserverKind::Demo { views: Views::Of(list), delay_ticks } => {
            out.extend([6, delay_ticks]);
            out.extend(list.iter().flat_map(|&id| handle(id)));
        }
    }
}
