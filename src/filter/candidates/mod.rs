//! Who is looked at at all: what is near enough, and what somebody may have a right to wherever it is.
//!
//! Owns bundles, the lists of entities by right, the grid of buckets, and which entities a relevance radius held before.
//! Promises: whoever may be told of an entity has it among its candidates; what has not changed since the tick before
//! costs nothing. Errs towards more candidates: rights and geometry decide afterwards. Must not know either.

mod bucket;
mod bundles;
mod cover;
mod grid;
mod lists;
mod near;

pub(super) use bucket::{Bucket, Side};
pub(super) use bundles::{Bundles, Carrier};
pub(super) use cover::{Begun, Coverage, Covering, Looked};
pub(super) use grid::{Item, Surroundings};
pub(super) use near::{Marks, Nearby, holds};

use super::Lent;
use crate::geom::Point3;
use crate::ids::{ClassId, EntityId, GroupId, TeamId, TopicId};
use crate::rules::{Class, ClassLinks, Grants, Relevance, Rules, SightPolicy};
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
    /// Whether its entities are in lists, or in bundles, whatever else is said of them.
    is_listed: bool,
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
    pub(super) topics: &'a [TopicId],
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
        let classes = 0..rules.source().classes.len() as u16;
        let all_links = || classes.clone().filter_map(|class| rules.class_links(ClassId(class)));
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
            let carries = |links: &ClassLinks| links.carried_by.contains(&ClassId(index as u16));
            let is_listed = lists::lists_class(class) || all_links().any(carries);
            Reaching { radius_m, grants: class.grants, relevance: class.relevance, is_plain, is_listed }
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
        let mut is_other = is_sorted != self.is_sorted;
        self.is_partial = lent.says_what_changed() && is_sorted == self.is_sorted;
        let known = if self.is_partial { self.keys.len() } else { 0 };
        self.is_sorted = is_sorted;
        for place in places..self.keys.len() {
            is_other |= self.is_listed(&self.keys[place]);
            self.grid.leave(place as u32, count, &mut self.seats);
        }
        self.keys.resize(places, Keys::NOBODY);
        self.seats.resize(places, Seat::default());
        self.bundles.resize(places);
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        changed.extend(lent.places_to_take(known).map(|place| place as u32));
        for &place in &changed {
            let (place, before) = (place as usize, self.keys[place as usize]);
            self.take(lent, place, count);
            let now = self.keys[place];
            // What is in no list or bundle, and was not, makes no other one.
            if self.is_listed(&before) || self.is_listed(&now) {
                is_other |= now != before || now.has_groups || now.has_topics;
            } else {
                self.bundles.set_alone(place);
            }
        }
        self.changed = changed;
        is_other
    }

    /// Makes bundles and lists anew: who is there, or what decides where somebody is listed, is another.
    pub(super) fn list(&mut self, lent: &Lent<'_>, count: u64) {
        self.bundles.refresh(lent);
        if self.is_sorted {
            self.lists.refresh(lent, &self.bundles, &self.keys);
            let Self { lists, grid, seats, .. } = self;
            lists.carriers().for_each(|place| grid.set_complex(place, count, seats));
        }
    }

    /// Whether an entity of these keys is in a list or a bundle; of few, each is.
    fn is_listed(&self, keys: &Keys) -> bool {
        let of_class = |class: &Reaching| class.is_listed;
        let is_one = keys.is_listed() || self.classes.get(usize::from(keys.class.0)).is_some_and(of_class);
        !self.is_sorted || (keys.id.is_some() && is_one)
    }

    /// Takes the entity at a place.
    fn take(&mut self, lent: &Lent<'_>, place: usize, count: u64) {
        let entity = &lent.world.entities[place];
        let class = self.classes.get(usize::from(entity.class.0)).copied();
        let class = class.filter(|_| lent.entities.place(entity.id) == Ok(place));
        let keys = class.map_or(Keys::NOBODY, |class| self.keys_of(entity, class));
        self.keys[place] = keys;
        let Some(class) = class.filter(|_| self.is_sorted && keys.is_in_grid()) else {
            return self.grid.leave(place as u32, count, &mut self.seats);
        };
        let radius_m = entity.radius_m.max(0.0);
        let is_plain = class.is_plain && !keys.is_listed() && !self.lists.carries(place as u32);
        let plain = Some(class.relevance).filter(|_| is_plain && entity.membership.phases == u32::MAX);
        let item = Item {
            place: place as u32,
            id: entity.id,
            at: entity.pos,
            radius_m,
            plain,
            match_id: entity.membership.match_id,
            version: count,
        };
        self.grid.enter(&item, class.radius_m + radius_m, &mut self.seats);
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

    /// Adds all of whom a right may tell, wherever they are.
    pub(super) fn find_by_right(&self, asking: &Asking<'_>, found: &mut Found) {
        let Asking { own, team, groups, topics } = *asking;
        if let Some((place, id)) = own {
            found.add(place as u32);
            self.lists.owned_by(id).for_each(|place| found.add(place));
        }
        team.into_iter().for_each(|team| self.lists.of_team(team).for_each(|place| found.add(place)));
        groups.iter().for_each(|group| self.lists.of_group(*group).for_each(|place| found.add(place)));
        topics.iter().for_each(|topic| self.lists.of_topic(*topic).for_each(|place| found.add(place)));
        self.lists.anywhere().iter().for_each(|&place| found.add(place));
    }

    /// Adds all that a radius or a sound may tell one who is at a point.
    pub(super) fn find_around(&self, at: Point3, found: &mut Found) {
        self.grid.around(at, |item| found.add(item.place));
    }

    /// Adds all that an observer may ask for.
    pub(super) fn find_asked(&self, subscriptions: &[Subscription], found: &mut Found) {
        for subscription in subscriptions {
            self.grid.within(subscription.region.bounds(), |item| found.add(item.place));
        }
    }

    /// Calls `f` with the buckets of all that a radius or a sound may tell one within the surroundings, and some besides.
    pub(super) fn buckets_around(&self, surroundings: &Surroundings, f: impl FnMut(u32)) {
        self.grid.buckets_around(surroundings, f);
    }

    /// The surroundings of one who is at a point.
    pub(super) fn surroundings(&self, at: Point3) -> Surroundings {
        self.grid.surroundings(at)
    }

    /// Whether the buckets around one who is at a point are still those of these surroundings.
    pub(super) fn is_within(&self, at: Point3, surroundings: &Surroundings) -> bool {
        self.grid.is_within(at, surroundings)
    }

    /// One of the buckets around.
    pub(super) fn bucket(&self, bucket: u32) -> &Bucket {
        self.grid.at(bucket)
    }

    /// From the tick of this count on, more than distance decides about those that were looked at and of which `is` says so.
    pub(super) fn set_complex(&mut self, count: u64, is: impl Fn(usize) -> bool) {
        let Self { grid, seats, changed, .. } = self;
        let complex = changed.iter().filter(|place| is(**place as usize));
        complex.for_each(|&place| grid.set_complex(place, count, seats));
    }

    /// What is kept of the entity at a place, by the observer that `covering` is at.
    pub(super) fn kept_of(&self, place: usize, coverage: &Coverage, covering: &Covering) -> Option<u32> {
        coverage.of_seat(covering, *self.seats.get(place)?)
    }

    /// Keeps nothing of it any more; gives what was.
    pub(super) fn drop_of(&self, place: usize, coverage: &mut Coverage, covering: &Covering) -> Option<u32> {
        coverage.drop_of_seat(covering, *self.seats.get(place)?)
    }

    /// All places that were taken.
    pub(super) fn all(&self) -> impl Iterator<Item = usize> + '_ {
        self.keys.iter().zip(0..).filter(|(keys, _)| keys.id.is_some()).map(|(_, place)| place)
    }

    /// Adds all.
    pub(super) fn find_all(&self, found: &mut Found) {
        if self.are_few() {
            self.bundles.all().iter().for_each(|&place| found.add(place));
        } else {
            self.all().for_each(|place| found.add(place as u32));
        }
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
