//! Who is looked at at all: what is near enough, and what somebody may have a right to wherever it is.
//!
//! Owns bundles, the lists of entities by right, the grid of buckets, and which entities a relevance radius held before.
//! Promises: whoever may be told of an entity has it among its candidates; what has not changed since the tick before
//! costs nothing. Errs towards more candidates: rights and geometry decide afterwards. Must not know either.

mod bundles;
mod grid;
mod lists;
mod near;

pub(super) use bundles::{Bundles, Carrier};
pub(super) use grid::Item;
pub(super) use near::{Marks, Nearby};

use super::Lent;
use crate::geom::Point3;
use crate::ids::{ClassId, EntityId, GroupId, TeamId, TopicId};
use crate::rules::{Class, Grants, Relevance, Rules, SightPolicy};
use crate::wire::Level;
use crate::world::{Entity, Subscription};
use grid::{Grid, Seat};
use lists::{Keys, Lists};

/// Entities up to which all are candidates of everybody: then lists and buckets cost more than they spare.
const FEW: usize = 256;

/// Room around the radius of a sound for where an ear and an emitter are on their bodies, metres.
const EAR_ROOM_M: f64 = 4.0;

/// What a class says about who may be told of its entities, wherever and how far.
#[derive(Clone, Copy, Debug)]
struct Reaching {
    /// Beyond it, without a right, it is neither seen nor heard, metres; may be infinite.
    radius_m: f64,
    grants: Grants,
    relevance: Relevance,
    /// Whether distance alone decides, where nobody has a right and nothing is carried.
    is_plain: bool,
}

/// Candidates of one tick, and what is kept of them to the next.
#[derive(Debug)]
pub(super) struct Candidates {
    classes: Vec<Reaching>,
    bundles: Bundles,
    /// By place.
    keys: Vec<Keys>,
    seats: Vec<Seat>,
    grid: Grid,
    lists: Lists,
    /// Whether lists and buckets are used.
    is_sorted: bool,
    /// Places that were looked at in this tick, and whether all else is as it was.
    changed: Vec<u32>,
    is_partial: bool,
}

/// Whose candidates are asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asking<'a> {
    /// The entity that it plays.
    pub(super) own: Option<(usize, EntityId)>,
    pub(super) team: Option<TeamId>,
    pub(super) groups: &'a [GroupId],
    /// Where its eyes and ears are, if it has any.
    pub(super) at: Option<Point3>,
    pub(super) topics: &'a [TopicId],
    pub(super) subscriptions: &'a [Subscription],
}

/// The candidates of one observer, each once; parents come before what they carry.
#[derive(Debug, Default)]
pub(super) struct Found {
    places: Vec<u32>,
    carried: Vec<u32>,
    /// By place: the turn in which it was found.
    turns: Vec<u32>,
    turn: u32,
}

impl Found {
    /// Begins the candidates of another observer, in a world of so many places.
    pub(super) fn begin(&mut self, places: usize) {
        self.places.clear();
        self.carried.clear();
        if self.turns.len() < places {
            self.turns.resize(places, 0);
            self.places.reserve(places.min(FEW));
            self.carried.reserve(places.min(FEW));
        }
        self.turn = self.turn.wrapping_add(1);
        if self.turn == 0 {
            self.turns.fill(0);
            self.turn = 1;
        }
    }

    /// The places that were found: parents first.
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// A place that was decided about is not to be added any more.
    pub(super) fn leave_out(&mut self, place: u32) {
        self.turns[place as usize] = self.turn;
    }

    /// Whether a place was found.
    pub(super) fn has(&self, place: usize) -> bool {
        self.turns.get(place) == Some(&self.turn)
    }

    /// Adds a place, unless it was found before.
    pub(super) fn add(&mut self, place: u32) {
        let turn = &mut self.turns[place as usize];
        if *turn != self.turn {
            *turn = self.turn;
            self.places.push(place);
        }
    }
}

impl Candidates {
    pub(super) fn new(rules: &Rules) -> Self {
        let reaching = |(index, class): (usize, &Class)| {
            let links = rules.class_links(ClassId(index as u16));
            let sound = links.and_then(|links| links.audible).and_then(|sound| rules.sound(sound));
            let heard_m = sound.map_or(0.0, |sound| sound.radius_m + EAR_ROOM_M);
            let seen_m = if class.sight == SightPolicy::Never { 0.0 } else { class.relevance.leave_m };
            let seen =
                rules.schema().class(ClassId(index as u16)).and_then(|schema| schema.layout(Level::Seen));
            let is_plain = class.sight == SightPolicy::Always
                && class.audible.is_none()
                && links.is_some_and(|links| links.topic.is_none())
                && seen.is_some_and(|layout| layout.references() == 0);
            let radius_m = f64::max(seen_m, heard_m);
            Reaching { radius_m, grants: class.grants, relevance: class.relevance, is_plain }
        };
        let classes: Vec<_> = rules.source().classes.iter().enumerate().map(reaching).collect();
        Self {
            grid: Grid::new(classes.iter().map(|class| class.radius_m)),
            classes,
            bundles: Bundles::default(),
            keys: Vec::new(),
            seats: Vec::new(),
            lists: Lists::default(),
            is_sorted: false,
            changed: Vec::new(),
            is_partial: false,
        }
    }

    /// Takes the entities of a tick, and puts them in buckets; true where [`Candidates::list`] is to follow.
    pub(super) fn file(&mut self, lent: &Lent<'_>, count: u64) -> bool {
        let places = lent.world.entities.len();
        let is_sorted = places > FEW;
        let mut is_other = is_sorted != self.is_sorted || places != self.keys.len();
        self.is_partial = lent.says_what_changed() && is_sorted == self.is_sorted;
        let known = if self.is_partial { self.keys.len() } else { 0 };
        self.is_sorted = is_sorted;
        for place in places..self.keys.len() {
            self.grid.leave(place as u32, &mut self.seats);
        }
        self.keys.resize(places, Keys::NOBODY);
        self.seats.resize(places, Seat::default());
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        changed.extend(lent.places_to_take(known).map(|place| place as u32));
        for &place in &changed {
            is_other |= self.take(lent, place as usize, count);
        }
        self.changed = changed;
        is_other
    }

    /// Makes bundles and lists anew: who is there, or what decides where somebody is listed, is another.
    pub(super) fn list(&mut self, lent: &Lent<'_>) {
        self.bundles.refresh(lent);
        if self.is_sorted {
            self.lists.refresh(lent, &self.bundles, &self.keys);
            let Self { lists, grid, seats, .. } = self;
            lists.carriers().for_each(|place| grid.set_complex(place, seats));
        }
    }

    /// Takes the entity at a place; true where another list or bundle may have it now.
    fn take(&mut self, lent: &Lent<'_>, place: usize, count: u64) -> bool {
        let entity = &lent.world.entities[place];
        let class = self.classes.get(usize::from(entity.class.0)).copied();
        let class = class.filter(|_| lent.entities.place(entity.id) == Ok(place));
        let keys = class.map_or(Keys::NOBODY, |class| self.keys_of(entity, class));
        if self.is_sorted {
            match class.filter(|_| keys.is_in_grid()) {
                Some(class) => {
                    let radius_m = entity.radius_m.max(0.0);
                    let is_plain = class.is_plain && keys.is_nobodys() && !self.lists.carries(place as u32);
                    let item = Item {
                        place: place as u32,
                        id: entity.id,
                        at: entity.pos,
                        radius_m,
                        plain: Some(entity.class)
                            .filter(|_| is_plain && entity.membership.phases == u32::MAX),
                        match_id: entity.membership.match_id,
                        version: count,
                    };
                    self.grid.enter(&item, class.radius_m + radius_m, &mut self.seats);
                }
                None => self.grid.leave(place as u32, &mut self.seats),
            }
        } else {
            self.grid.leave(place as u32, &mut self.seats);
        }
        let is_other = keys != self.keys[place] || keys.has_groups || keys.has_topics;
        self.keys[place] = keys;
        is_other
    }

    fn keys_of(&self, entity: &Entity<'_>, class: Reaching) -> Keys {
        let Reaching { radius_m, grants, .. } = class;
        let tells = |level: Level| level > Level::Hidden;
        Keys {
            id: Some(entity.id),
            class: entity.class,
            owner: entity.owner.filter(|_| tells(grants.owned)),
            parent: entity.parent,
            team: entity.team.filter(|_| tells(grants.team)),
            has_groups: tells(grants.group) && !entity.groups.is_empty(),
            has_topics: !entity.topics.is_empty(),
            is_anywhere: tells(grants.always)
                || entity.presenter
                || !entity.update_regions.is_empty()
                || !self.grid.holds(radius_m + entity.radius_m.max(0.0)),
        }
    }

    /// Places at which anything may not be as in the tick before, if that is known: the same entity may be elsewhere now.
    pub(super) fn changed(&self) -> Option<&[u32]> {
        self.is_partial.then_some(&self.changed)
    }

    /// Whether every entity is everybody's candidate.
    pub(super) fn are_few(&self) -> bool {
        !self.is_sorted
    }

    pub(super) fn bundles(&self) -> &Bundles {
        &self.bundles
    }

    /// Places of what geometry may be asked about, by slot, with some besides.
    pub(super) fn bodies(&self) -> &[u32] {
        if self.is_sorted { self.lists.bodies() } else { self.bundles.all() }
    }

    /// Adds all of whom a right, a radius, a sound or what the observer asks for may tell.
    /// `is_told` gets those that are near, and takes the ones about which it decides itself.
    pub(super) fn find(
        &self,
        asking: &Asking<'_>,
        found: &mut Found,
        mut is_told: impl FnMut(&Item, &mut Found) -> bool,
    ) {
        let Asking { own, team, groups, at, topics, subscriptions } = *asking;
        if let Some((place, id)) = own {
            found.add(place as u32);
            self.lists.owned_by(id).for_each(|place| found.add(place));
        }
        team.into_iter().for_each(|team| self.lists.of_team(team).for_each(|place| found.add(place)));
        groups.iter().for_each(|group| self.lists.of_group(*group).for_each(|place| found.add(place)));
        topics.iter().for_each(|topic| self.lists.of_topic(*topic).for_each(|place| found.add(place)));
        self.lists.anywhere().iter().for_each(|&place| found.add(place));
        if let Some(at) = at {
            self.grid.around(at, |item| {
                if !is_told(item, found) {
                    found.add(item.place);
                }
            });
        }
        for subscription in subscriptions {
            self.grid.within(subscription.region.bounds(), |item| found.add(item.place));
        }
    }

    /// The relevance radius of a class.
    pub(super) fn relevance(&self, class: ClassId) -> Relevance {
        self.classes[usize::from(class.0)].relevance
    }

    /// Adds all.
    pub(super) fn find_all(&self, found: &mut Found) {
        self.bundles.in_order().for_each(|place| found.add(place as u32));
    }

    /// Adds what is carried by what was found, and puts parents first.
    pub(super) fn complete(&self, mut found: Found) -> Found {
        if self.are_few() {
            return found;
        }
        let mut at = 0;
        while at < found.places.len() {
            self.lists.carried_by(found.places[at]).for_each(|place| found.add(place));
            at += 1;
        }
        let Found { places, carried, .. } = &mut found;
        let depth = |place: u32| self.bundles.depth(place as usize);
        carried.extend(places.iter().filter(|&&place| depth(place) > 0));
        if !carried.is_empty() {
            places.retain(|&place| depth(place) == 0);
            carried.sort_unstable_by_key(|&place| (depth(place), place));
            places.append(carried);
        }
        found
    }
}
