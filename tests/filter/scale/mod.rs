//! Random worlds of many: whatever index finds the candidates, each observer is told what the definition says, every tick,
//! whether the game says what changed or not.

mod definition;

use crate::common::sources::corpus_map;
use crate::oracle::random::Random;
use crate::stage::Stage;
use definition::{Beholder, Definition};
use fogwall::{
    Entity, EntityId, GroupId, Level, Observer, ObserverId, Point3, Region, Rules, Subscription, TeamId,
    Tick, TopicId, Vector2, World,
};
use std::collections::BTreeMap;

/// Names of the classes, as in the rules.
const CLASSES: [&str; 8] = ["walker", "crate", "mote", "tool", "flag", "sky", "moon", "engine"];
/// How wide the field is to each side of its middle, metres.
const HALF_M: f64 = 400.0;

const OBSERVERS: usize = 6;

/// What the game holds of an entity.
#[derive(Clone, Debug)]
struct Thing {
    id: EntityId,
    class: usize,
    pos: Point3,
    radius_m: f64,
    team: Option<TeamId>,
    owner: Option<EntityId>,
    parent: Option<EntityId>,
    groups: Vec<GroupId>,
    topics: Vec<TopicId>,
    categories: u64,
    /// Corners of boxes.
    update_regions: Vec<Region>,
}

impl Thing {
    fn lend(&self, stage: &Stage) -> Entity<'_> {
        Entity {
            team: self.team,
            owner: self.owner,
            parent: self.parent,
            groups: &self.groups,
            topics: &self.topics,
            categories: self.categories,
            update_regions: &self.update_regions,
            radius_m: self.radius_m,
            ..Entity::new(self.id, stage.class(CLASSES[self.class]), self.pos)
        }
    }
}

/// An open field, and rules without geometry.
fn field() -> Stage {
    let rules =
        Rules::parse(include_str!("rules.ron"), "rules.ron").unwrap_or_else(|errors| panic!("{errors}"));
    Stage::new(corpus_map("only_what_must_be_there"), rules.rules)
}

/// What each observer is told, by slot.
fn told(
    stage: &mut Stage,
    entities: &[Entity<'_>],
    changed: Option<&[u32]>,
    observers: &[Observer<'_>],
) -> Vec<BTreeMap<u32, Level>> {
    stage.tick(&World { entities, changed, observers, ..World::empty(Tick(0)) });
    let of = |observer: usize| {
        let told: BTreeMap<u32, Level> = stage.told(observer).into_iter().collect();
        assert_eq!(told.len(), stage.view(observer).frame().len(), "each once");
        told
    };
    (0..observers.len()).map(of).collect()
}

/// What an observer is told of each entity, in bytes, by slot.
fn records(stage: &Stage, observer: usize) -> BTreeMap<u32, Vec<u8>> {
    let told = stage.view(observer).frame().entities();
    told.map(|told| (told.get().entity.index, told.get().record.to_vec())).collect()
}

/// A world that moves, grows, shrinks and changes sides.
struct Play {
    random: Random,
    things: Vec<Thing>,
    generations: Vec<u32>,
    free: Vec<u32>,
    groups: Vec<Vec<GroupId>>,
    /// What observers ask for.
    asked: Vec<(Vec<TopicId>, Vec<Subscription>)>,
    changed: Vec<u32>,
}

impl Play {
    fn new(seed: u64, count: usize) -> Self {
        let mut play = Self {
            random: Random::new(seed, 0),
            things: Vec::new(),
            generations: vec![0; count + 64],
            free: (0..count as u32 + 64).rev().collect(),
            groups: vec![Vec::new(); OBSERVERS],
            asked: vec![(Vec::new(), Vec::new()); OBSERVERS],
            changed: Vec::new(),
        };
        (0..count).for_each(|_| play.spawn());
        play
    }

    /// A place on the field: some on the borders of buckets, some far outside.
    fn place(&mut self) -> Point3 {
        let half = match self.random.below(50) {
            0 => 3000.0,
            _ => HALF_M,
        };
        let [x, y, z] = [half, half, 20.0].map(|half| self.random.between(-1.0, 1.0) * half);
        match self.random.below(10) {
            0 => Point3::new((x / 10.0).round() * 10.0, (y / 10.0).round() * 10.0, 0.0),
            _ => Point3::new(x, y, z),
        }
    }

    fn spawn(&mut self) {
        let Some(slot) = self.free.pop() else { return };
        let class = match self.things.len() {
            0..OBSERVERS => 0,
            _ => [0, 1, 1, 1, 2, 2, 2, 3, 4, 5, 6, 7][self.random.below(12)],
        };
        // Of the sky there is little.
        let class = if (5..7).contains(&class) && self.random.below(30) > 0 { 1 } else { class };
        let walker = self.random.below(self.things.len().max(1));
        let walker = self.things.get(walker).filter(|thing| [0, 3].contains(&thing.class)).cloned();
        let radius_m =
            if self.random.below(40) == 0 { self.random.between(-1.0, 1.0).abs() * 60.0 } else { 0.5 };
        let is_carried = class == 3 && self.random.below(2) == 0;
        let parent =
            walker.as_ref().filter(|walker| is_carried && self.depth(walker) < 2).map(|walker| walker.id);
        let owner = walker.filter(|_| self.random.below(2) == 0).map(|walker| walker.id);
        let thing = Thing {
            id: EntityId::new(slot, self.generations[slot as usize]),
            class,
            pos: self.place(),
            radius_m,
            team: self.team(),
            owner,
            parent,
            groups: Vec::new(),
            topics: Vec::new(),
            categories: self.random.next() & 3,
            update_regions: Vec::new(),
        };
        self.changed.push(self.things.len() as u32);
        self.things.push(thing);
    }

    /// How deep a thing is carried.
    fn depth(&self, thing: &Thing) -> usize {
        let parent = thing.parent.and_then(|id| self.things.iter().find(|other| other.id == id));
        parent
            .map_or(usize::from(thing.class == 3 && thing.parent.is_none()), |parent| 1 + self.depth(parent))
    }

    fn team(&mut self) -> Option<TeamId> {
        let team = self.random.below(40);
        (team < 4).then_some(TeamId(team as u16))
    }

    fn despawn(&mut self) {
        // Those that observers play stay, but for one in a while.
        let least = if self.random.below(20) == 0 { 0 } else { OBSERVERS };
        let place = least + self.random.below(self.things.len() - least);
        let gone = self.things.swap_remove(place);
        if place < self.things.len() {
            self.changed.push(place as u32);
        }
        self.generations[gone.id.index as usize] += 1;
        self.free.push(gone.id.index);
    }

    /// What an observer is told, beside what it is to be told.
    fn compare(&self, told: &BTreeMap<u32, Level>, expected: &BTreeMap<u32, Level>, at: &str) {
        let slots = told.keys().chain(expected.keys()).filter(|slot| told.get(slot) != expected.get(slot));
        let thing = |slot: u32| self.things.iter().find(|thing| thing.id.index == slot);
        let differences: Vec<_> =
            slots.take(3).map(|slot| (told.get(slot), expected.get(slot), thing(*slot))).collect();
        assert!(differences.is_empty(), "{at}: told, expected, of what: {differences:#?}");
    }

    fn step(&mut self) {
        self.changed.clear();
        for _ in 0..self.things.len() / 20 {
            let place = self.random.below(self.things.len());
            let way = if self.random.below(100) == 0 { 300.0 } else { 2.0 };
            let [x, y] = [0; 2].map(|_| self.random.between(-1.0, 1.0) * way);
            let pos = &mut self.things[place].pos;
            (pos.x, pos.y) = (pos.x + x, pos.y + y);
            self.changed.push(place as u32);
        }
        for _ in 0..self.random.below(6) {
            self.spawn();
            self.despawn();
        }
        for _ in 0..self.random.below(8) {
            let place = self.random.below(self.things.len());
            let team = self.team();
            let groups = [1, 2, 3].map(|group| (group, self.random.below(60)));
            let owner = self.random.below(self.things.len());
            let topic = self.random.below(90) as u16;
            let low = self.place().xy();
            let thing = &mut self.things[place];
            thing.topics = (topic < 3).then_some(TopicId(topic)).into_iter().collect();
            thing.update_regions = (topic >= 80)
                .then(|| Region::Box { low, high: low + Vector2::new(40.0, 10.0) })
                .into_iter()
                .collect();
            thing.team = team;
            thing.groups =
                groups.iter().filter(|(_, dice)| *dice == 0).map(|(group, _)| GroupId(*group)).collect();
            if owner < 30 {
                self.things[place].owner = Some(self.things[owner].id);
            }
            self.changed.push(place as u32);
        }
        for _ in 0..self.random.below(2) {
            let topics = (0..3).filter(|_| self.random.below(3) == 0).map(TopicId).collect();
            let count = self.random.below(3);
            let subscription = |play: &mut Self| {
                let radius_m = [5.0, 30.0, 120.0, 5000.0][play.random.below(4)];
                let region = Region::Disc { center: play.place().xy(), radius_m };
                Subscription {
                    region,
                    categories: if radius_m > 1000.0 { 3 } else { play.random.next() & 3 },
                }
            };
            let subscriptions = (0..count).map(|_| subscription(self)).collect();
            let observer = self.random.below(OBSERVERS);
            self.asked[observer] = (topics, subscriptions);
        }
        let group = GroupId(1 + self.random.below(3) as u32);
        let observer = self.random.below(OBSERVERS);
        let of_observer = &mut self.groups[observer];
        match of_observer.iter().position(|other| *other == group) {
            Some(place) => _ = of_observer.remove(place),
            None => of_observer.push(group),
        }
    }
}

fn effort() -> usize {
    std::env::var("FOGWALL_EFFORT").ok().and_then(|effort| effort.parse().ok()).unwrap_or(1)
}

fn play(seed: u64, count: usize, ticks: usize) {
    let mut play = Play::new(seed, count);
    let (mut hinted, mut whole) = (field(), field());
    let eye_m = hinted.baked.map.player.eye_standing;
    let (mut definition, mut total) = (Definition::default(), 0);
    for tick in 0..ticks {
        if tick > 0 {
            play.step();
        }
        let entities: Vec<_> = play.things.iter().map(|thing| thing.lend(&whole)).collect();
        let of = |index: usize| {
            let thing = &play.things[index];
            let groups = play.groups[index].clone();
            let (topics, subscriptions) = play.asked[index].clone();
            Beholder { own: thing.id, team: thing.team, groups, topics, subscriptions }
        };
        let beholders: Vec<_> = (0..OBSERVERS).map(of).collect();
        let observer = |(index, who): (usize, &Beholder)| Observer {
            groups: &play.groups[index],
            topics: &play.asked[index].0,
            subscriptions: &play.asked[index].1,
            ..Observer::player(ObserverId::new(index as u32, 0), who.own, who.team)
        };
        let observers: Vec<_> = beholders.iter().enumerate().map(observer).collect();
        // Now and then the game does not know.
        let changed = (tick % 97 != 50).then_some(&play.changed[..]);
        let by_hint = told(&mut hinted, &entities, changed, &observers);
        let by_all = (tick % 8 == 0 || ticks < 100).then(|| told(&mut whole, &entities, None, &observers));
        for (index, who) in beholders.iter().enumerate() {
            let expected = definition.told(&play.things, index, who, eye_m);
            total += expected.len();
            let at = format!("seed {seed}, tick {tick}, observer {index}");
            play.compare(&by_hint[index], &expected, &at);
            if by_all.is_some() {
                // What only one radius still holds was looked at in other ticks.
                let [by_hint, by_all] = [&hinted, &whole].map(|stage| records(stage, index));
                let is_same =
                    |(slot, record): (&u32, &Vec<u8>)| by_all.get(slot).is_none_or(|own| own == record);
                assert!(by_hint.iter().all(is_same), "{at}: other bytes");
            }
            if let Some(by_all) = by_all.as_ref().filter(|_| ticks < 100) {
                play.compare(&by_all[index], &expected, &format!("{at}, of a game that does not know"));
            }
        }
    }
    assert!(total > ticks * OBSERVERS, "{total} of {ticks} ticks");
}

#[test]
fn ten_thousand_entities_are_told_as_the_definition_says_for_a_thousand_ticks() {
    for seed in 0..effort() as u64 {
        play(seed, 10_000, 1000);
    }
}

#[test]
fn so_are_few_and_many_whether_the_game_says_what_changed_or_not() {
    for seed in 0..12 * effort() as u64 {
        // Around the size from which on there is an index.
        play(100 + seed, [40, 250, 262, 900][seed as usize % 4], 60);
    }
}
