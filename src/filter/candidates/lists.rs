//! Entities by those who may know of them wherever they are: owner, team, group, topic, carrier, all.
//!
//! Promises: an entity is in every list that its keys name; lists are made anew where a key changes, and only then.
//! Must not know what the rights are.

use super::{Bundles, Carrier, Lent};
use crate::ids::{ClassId, EntityId, GroupId, TeamId, TopicId};
use crate::rules::{Class, Motion, SightPolicy};

/// What of an entity decides in which lists it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keys {
    /// None of what was refused.
    pub(super) id: Option<EntityId>,
    pub(super) class: ClassId,
    pub(super) owner: Option<EntityId>,
    pub(super) parent: Option<EntityId>,
    pub(super) team: Option<TeamId>,
    pub(super) has_groups: bool,
    pub(super) has_topics: bool,
    /// Whether it is everybody's candidate, wherever it is.
    pub(super) is_anywhere: bool,
}

impl Keys {
    /// Of what is not there.
    pub(super) const NOBODY: Self = Self {
        id: None,
        class: ClassId(0),
        owner: None,
        parent: None,
        team: None,
        has_groups: false,
        has_topics: false,
        is_anywhere: false,
    };

    /// Whether nobody may have a right to it.
    pub(super) fn is_nobodys(&self) -> bool {
        self.owner.is_none() && self.team.is_none() && !self.has_groups && !self.is_anywhere
    }

    /// Whether it is in any list, but for those by class.
    pub(super) fn is_listed(&self) -> bool {
        !self.is_nobodys() || self.has_topics || self.parent.is_some()
    }

    /// Whether it is found by where it is; what is carried is found with its carrier.
    pub(super) fn is_in_grid(&self) -> bool {
        self.id.is_some() && self.parent.is_none() && !self.is_anywhere
    }
}

/// Whether somebody may look with the bodies of a class.
fn looks(class: &Class) -> bool {
    class.motion == Motion::Player
}

/// Whether geometry is asked about the bodies of a class, as long as nothing carries them.
fn is_asked_for(class: &Class) -> bool {
    matches!(class.sight, SightPolicy::Pvs | SightPolicy::PvsAndRays)
}

/// Whether the entities of a class are in a list as such.
pub(super) fn lists_class(class: &Class) -> bool {
    looks(class) || is_asked_for(class)
}

/// Places in order of a key.
#[derive(Debug)]
struct By<K>(Vec<(K, u32)>);

impl<K> Default for By<K> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord + Copy> By<K> {
    fn of(&self, key: K) -> impl Iterator<Item = u32> + '_ {
        let first = self.0.partition_point(|(other, _)| *other < key);
        self.0[first..].iter().take_while(move |(other, _)| *other == key).map(|(_, place)| *place)
    }

    fn sort(&mut self) {
        self.0.sort_unstable();
    }
}

/// The lists of one tick.
#[derive(Debug, Default)]
pub(super) struct Lists {
    owned: By<(u32, u32)>,
    teams: By<TeamId>,
    groups: By<GroupId>,
    topics: By<TopicId>,
    carried: By<u32>,
    anywhere: Vec<u32>,
    bodies: Vec<u32>,
}

impl Lists {
    /// Makes all anew.
    pub(super) fn refresh(&mut self, lent: &Lent<'_>, bundles: &Bundles, keys: &[Keys]) {
        let Self { owned, teams, groups, topics, carried, anywhere, bodies } = self;
        anywhere.clear();
        bodies.clear();
        owned.0.clear();
        teams.0.clear();
        groups.0.clear();
        topics.0.clear();
        carried.0.clear();
        for place in bundles.all().iter().map(|&place| place as usize) {
            let (of, at) = (&keys[place], place as u32);
            owned.0.extend(of.owner.map(|owner| ((owner.index, owner.generation), at)));
            teams.0.extend(of.team.map(|team| (team, at)));
            if of.has_groups {
                groups.0.extend(lent.world.entities[place].groups.iter().map(|group| (*group, at)));
            }
            if of.has_topics {
                topics.0.extend(lent.world.entities[place].topics.iter().map(|topic| (*topic, at)));
            }
            let carrier = bundles.carrier(place);
            if let Carrier::At(parent) = carrier {
                carried.0.push((parent as u32, at));
            }
            if of.is_anywhere {
                anywhere.push(at);
            }
            let is_body = |class: &Class| looks(class) || (is_asked_for(class) && carrier == Carrier::None);
            if lent.rules.class(of.class).is_some_and(is_body) {
                bodies.push(at);
            }
        }
        owned.sort();
        teams.sort();
        groups.sort();
        topics.sort();
        carried.sort();
    }

    pub(super) fn owned_by(&self, owner: EntityId) -> impl Iterator<Item = u32> + '_ {
        self.owned.of((owner.index, owner.generation))
    }

    pub(super) fn of_team(&self, team: TeamId) -> impl Iterator<Item = u32> + '_ {
        self.teams.of(team)
    }

    pub(super) fn of_group(&self, group: GroupId) -> impl Iterator<Item = u32> + '_ {
        self.groups.of(group)
    }

    pub(super) fn of_topic(&self, topic: TopicId) -> impl Iterator<Item = u32> + '_ {
        self.topics.of(topic)
    }

    pub(super) fn carried_by(&self, parent: u32) -> impl Iterator<Item = u32> + '_ {
        self.carried.of(parent)
    }

    /// Whether it carries anything.
    pub(super) fn carries(&self, place: u32) -> bool {
        self.carried.of(place).next().is_some()
    }

    /// All that carry something, some more than once.
    pub(super) fn carriers(&self) -> impl Iterator<Item = u32> + '_ {
        self.carried.0.iter().map(|(parent, _)| *parent)
    }

    pub(super) fn anywhere(&self) -> &[u32] {
        &self.anywhere
    }

    /// What geometry is asked about, and who may look.
    pub(super) fn bodies(&self) -> &[u32] {
        &self.bodies
    }
}
