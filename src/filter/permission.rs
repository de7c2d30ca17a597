//! Who has a right to what: before any distance or geometry, and in the tick itself.
//!
//! Owns whose knowledge an observer has, and the rights that rules grant. Errs towards hidden: a handle that finds
//! nothing gives no right. Must not know geometry.

use super::{Lent, Right};
use crate::filter::HiddenBy;
use crate::ids::{EntityId, GroupId, MatchId, TeamId, TopicId};
use crate::rules::{Class, EventClass, PresenterReach, SightPolicy};
use crate::wire::Level;
use crate::world::{Entity, Event, Follows, Membership, Observer, ObserverKind, Streams, Views};

/// One whose knowledge an observer has: a player, or who is followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knower<'a> {
    /// Place of the entity that it plays, if that is there.
    pub(super) entity: Option<usize>,
    id: Option<EntityId>,
    /// Place of the observer that plays, where one does.
    pub(super) player: Option<usize>,
    pub(super) team: Option<TeamId>,
    pub(super) groups: &'a [GroupId],
    streams: Streams,
    membership: Membership,
}

impl Knower<'_> {
    /// Whether it takes part in the spatial streams of a match, in all of its phases.
    pub(super) fn is_spatial_in(&self, match_id: MatchId) -> bool {
        let is_in = self.membership.match_id == match_id && self.membership.phases != 0;
        is_in && !is_apart(self.streams, self.groups)
    }
}

/// Whose knowledge an observer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Everything in its match.
    All,
    /// That of the knowers.
    Knowers,
}

/// Calls `f` with each whose knowledge the observer has.
///
/// A spectator of an entity knows what its player knows, or, where nobody plays it, what its own team and groups
/// give; one of a team knows what each of its players does. What is followed in another match gives nothing.
pub(super) fn knowers<'a>(lent: &Lent<'a>, observer: &Observer<'a>, mut f: impl FnMut(Knower<'a>)) -> Scope {
    match observer.kind {
        ObserverKind::Player => f(player(lent, observer)),
        ObserverKind::Spectator { follows: Follows::Entity(id) } | ObserverKind::Killcam { of: id, .. } => {
            followed(lent, observer, id).into_iter().for_each(f);
        }
        ObserverKind::Spectator { follows: Follows::Team(team) } => {
            let on_team = |other: &&Observer<'a>| {
                other.kind == ObserverKind::Player
                    && other.team == Some(team)
                    && other.membership.shares(observer.membership)
                    && lent.observers.place(other.id).is_ok()
            };
            lent.world.observers.iter().filter(on_team).for_each(|other| f(player(lent, other)));
        }
        ObserverKind::Demo { views: Views::Of(list), .. } => {
            list.iter().filter_map(|&id| followed(lent, observer, id)).for_each(f);
        }
        ObserverKind::Caster { .. } | ObserverKind::Demo { views: Views::All, .. } => return Scope::All,
    }
    Scope::Knowers
}

fn player<'a>(lent: &Lent<'a>, observer: &Observer<'a>) -> Knower<'a> {
    let entity = observer.entity.and_then(|id| lent.entities.place(id).ok());
    Knower {
        entity,
        id: entity.and(observer.entity),
        player: lent.observers.place(observer.id).ok(),
        team: observer.team,
        groups: observer.groups,
        streams: observer.streams,
        membership: observer.membership,
    }
}

fn followed<'a>(lent: &Lent<'a>, observer: &Observer<'a>, id: EntityId) -> Option<Knower<'a>> {
    let place = lent.entities.place(id).ok()?;
    let entity = &lent.world.entities[place];
    let plays = |other: &&Observer<'a>| {
        other.kind == ObserverKind::Player
            && other.entity == Some(id)
            && other.membership.shares(observer.membership)
            && lent.observers.place(other.id).is_ok()
    };
    let of_player = lent.world.observers.iter().find(plays).map(|other| player(lent, other));
    let of_entity = || Knower {
        entity: Some(place),
        id: Some(id),
        player: None,
        team: entity.team,
        groups: entity.groups,
        streams: entity.streams,
        membership: entity.membership,
    };
    entity.membership.shares(observer.membership).then(|| of_player.unwrap_or_else(of_entity))
}

/// What the observer is never told of, whatever it may know: another match, a topic that it does not follow.
pub(super) fn is_of_interest(observer: &Observer<'_>, of: Membership, topic: Option<TopicId>) -> bool {
    observer.membership.shares(of) && topic.is_none_or(|topic| observer.topics.contains(&topic))
}

/// The right of one who knows everything.
pub(super) fn right_of_all(observer: &Observer<'_>, entity: &Entity<'_>, topic: Option<TopicId>) -> Right {
    if is_of_interest(observer, entity.membership, topic) {
        Right::Granted(Level::Owner)
    } else {
        Right::Denied(HiddenBy::Interest)
    }
}

/// The right to an entity, before geometry; `presenters` is whom those of the observer's match reach.
///
/// Regions of interest narrow all but what is the knower's own and what is told to all.
pub(super) fn right(
    observer: &Observer<'_>,
    knower: &Knower<'_>,
    entity: &Entity<'_>,
    class: &Class,
    topic: Option<TopicId>,
    presenters: PresenterReach,
) -> Right {
    if !is_of_interest(observer, entity.membership, topic) || !knower.membership.shares(entity.membership) {
        return Right::Denied(HiddenBy::Interest);
    }
    let grants = &class.grants;
    let when = |holds: bool, level: Level| if holds { level } else { Level::Hidden };
    let is_own = |id: Option<EntityId>| id.is_some() && id == knower.id;
    let shares = share_a_group(entity.groups, knower.groups);
    // An exclusive member of groups, on either side, is out of the spatial streams.
    let is_spatial = || !is_apart(entity.streams, entity.groups) && !is_apart(knower.streams, knower.groups);
    let presents = |reach| entity.presenter && presenters == reach;
    let wherever = when(is_own(Some(entity.id)), grants.own)
        .max(when(is_own(entity.owner), grants.owned))
        .max(when(presents(PresenterReach::Match), grants.presenter))
        .max(grants.always);
    let elsewhere = when(entity.team.is_some() && entity.team == knower.team, grants.team)
        .max(when(shares, grants.group))
        .max(when(presents(PresenterReach::Streams) && (shares || is_spatial()), grants.presenter));
    let regions = observer.regions;
    let is_outside = || !regions.is_empty() && !regions.iter().any(|region| region.contains(entity.pos.xy()));
    let is_narrowed = wherever < elsewhere.max(Level::Seen) && is_outside();
    let level = if is_narrowed { wherever } else { wherever.max(elsewhere) };
    // What competes stays in sight: a group must not make anybody invisible, nor blind.
    let is_contested = class.is_competitive() || (class.sight == SightPolicy::Always && is_spatial());
    match level {
        // A right to less than sight gives takes nothing from it.
        level if level < Level::Seen && is_contested && !is_narrowed => Right::Contested(level),
        Level::Hidden if class.sight == SightPolicy::Never && !is_narrowed => {
            Right::Denied(HiddenBy::Permission)
        }
        Level::Hidden => Right::Denied(HiddenBy::Interest),
        level => Right::Granted(level),
    }
}

/// Whether one takes part in the streams of its groups alone; without a group, in all.
fn is_apart(streams: Streams, groups: &[GroupId]) -> bool {
    streams == Streams::GroupsOnly && !groups.is_empty()
}

/// The level that rights give of an event; `Hidden` where only sight can.
pub(super) fn right_to_event(
    lent: &Lent<'_>,
    knower: &Knower<'_>,
    event: &Event<'_>,
    class: &EventClass,
) -> Level {
    if !knower.membership.shares(event.membership) {
        return Level::Hidden;
    }
    let mut level = class.grants.everyone;
    for &id in event.about {
        if knower.id == Some(id) {
            level = level.max(class.grants.about);
        }
        let team = lent.entities.place(id).ok().and_then(|place| lent.world.entities[place].team);
        if team.is_some() && team == knower.team {
            level = level.max(class.grants.team);
        }
    }
    level
}

fn share_a_group(of_entity: &[GroupId], of_knower: &[GroupId]) -> bool {
    of_entity.iter().any(|group| of_knower.contains(group))
}
