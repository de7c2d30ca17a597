//! A match of two teams that walk about a small map, with all that the rules know of.

use fogwall::{
    BakeOptions, Baked, Cells, DEFAULT_HEARABLE_RADIUS_M, DEFAULT_RULES, Entity, EntityId, Event, Hearable,
    Map, Observer, ObserverId, Point3, Quiet, Rules, Server, ServerOptions, Solids, Sound, Stance, TeamId,
    Threads, Tick, Value, Vector3, World, bake,
};
use std::sync::Arc;

pub(crate) const TICK_MS: f64 = 1000.0 / 64.0;
const TICK_S: f64 = TICK_MS / 1e3;
static WEAPON: [Value<'static, EntityId>; 2] = [Value::Int(7), Value::Int(30)];
static DROP: [Value<'static, EntityId>; 1] = [Value::Int(3)];
static MATCH: [Value<'static, EntityId>; 2] = [Value::Int(2), Value::Int(90)];
static KILL: [Value<'static, EntityId>; 2] = [Value::Int(1), Value::Int(6)];

/// A fixed sequence of numbers that look random.
#[derive(Clone)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    pub(crate) fn share(&mut self) -> f64 {
        self.roll(1 << 24) as f64 / f64::from(1 << 24)
    }
}

/// A map of the corpus, baked, and the rules that ship with some words replaced.
pub(crate) struct Setting {
    pub(crate) rules: Arc<Rules>,
    pub(crate) baked: Arc<Baked>,
}

impl Setting {
    pub(crate) fn new(map: &str, changes: &[(&str, &str)]) -> Self {
        let path = format!("{}/maps/{map}.ron", env!("CARGO_MANIFEST_DIR"));
        let map = Map::load(path).unwrap_or_else(|errors| panic!("{errors}")).map;
        let solids = Solids::build(&map);
        let cells = Cells::build(&map, &solids).unwrap();
        let pvs = bake(&map.player, map.cell_size, &solids, &cells, BakeOptions::default(), &Quiet).unwrap();
        let hearable = Hearable::build(&map, &solids, &cells, DEFAULT_HEARABLE_RADIUS_M);
        let mut text = DEFAULT_RULES.to_owned();
        for (from, to) in changes {
            assert!(text.contains(from), "the rules have no {from}");
            text = text.replace(from, to);
        }
        let rules = Rules::parse(text, "rules.ron").unwrap_or_else(|errors| panic!("{errors}")).rules;
        Self { rules: Arc::new(rules), baked: Arc::new(Baked::new(map, solids, cells, pvs, hearable, false)) }
    }

    pub(crate) fn server(&self, threads: Threads) -> Server {
        let options = ServerOptions { tick_ms: TICK_MS, secret: [9; 32], threads };
        Server::new(Arc::clone(&self.rules), Arc::clone(&self.baked), options).unwrap()
    }
}

/// One who walks: towards a goal, and then towards another.
#[derive(Clone)]
struct Walker {
    pos: Point3,
    vel: Vector3,
    goal: Point3,
    yaw_deg: f64,
    health: [Value<'static, EntityId>; 1],
    is_crouched: bool,
}

/// The match: players of two teams, each with a weapon, some drops, and the match itself.
#[derive(Clone)]
pub(crate) struct Game {
    dice: Dice,
    tick: Tick,
    walkers: Vec<Walker>,
    drops: Vec<Point3>,
    floor: ((f64, f64), (f64, f64)),
    free: Vec<Point3>,
}

/// What a game lends in one tick.
pub(crate) struct Lists<'a> {
    pub(crate) tick: Tick,
    pub(crate) entities: Vec<Entity<'a>>,
    pub(crate) observers: Vec<Observer<'a>>,
    pub(crate) sounds: Vec<Sound>,
    pub(crate) events: Vec<Event<'a>>,
}

impl Lists<'_> {
    pub(crate) fn world(&self) -> World<'_> {
        World {
            entities: &self.entities,
            changed: None,
            observers: &self.observers,
            sounds: &self.sounds,
            events: &self.events,
            ..World::empty(self.tick)
        }
    }
}

impl Game {
    /// A game of so many players on the floor of a map; all places are over cells.
    pub(crate) fn new(setting: &Setting, players: usize, seed: u64) -> Self {
        let cells = setting.baked.cells.as_slice();
        let center = |cell: &fogwall::Cell| {
            let p = cell.region.center();
            Point3::new(p.x, p.y, cell.feet.low)
        };
        let free: Vec<Point3> = cells.iter().map(center).collect();
        let mut dice = Dice(seed);
        let walkers = (0..players)
            .map(|_| Walker {
                pos: free[dice.roll(free.len() as u64) as usize],
                vel: Vector3::zeros(),
                goal: free[dice.roll(free.len() as u64) as usize],
                yaw_deg: 0.0,
                health: [Value::Int(100)],
                is_crouched: false,
            })
            .collect();
        let drops = (0..6).map(|_| free[dice.roll(free.len() as u64) as usize]).collect();
        let bound =
            |f: fn(f64, f64) -> f64, axis: usize, from: f64| free.iter().map(|p| p[axis]).fold(from, f);
        let (inf, min, max) =
            (f64::INFINITY, f64::min as fn(f64, f64) -> f64, f64::max as fn(f64, f64) -> f64);
        let floor = ((bound(min, 0, inf), bound(max, 0, -inf)), (bound(min, 1, inf), bound(max, 1, -inf)));
        Self { dice, tick: Tick(100), walkers, drops, floor, free }
    }

    /// Everybody walks on by a tick, within the movement limits.
    pub(crate) fn step(&mut self) {
        self.tick = self.tick.after(1);
        let Self { dice, walkers, floor, free, .. } = self;
        for walker in walkers {
            let way = walker.goal - walker.pos;
            if way.xy().norm() < 0.5 || dice.roll(150) == 0 {
                walker.goal = free[dice.roll(free.len() as u64) as usize];
                walker.is_crouched = dice.roll(4) == 0;
                walker.health = [Value::Int(dice.roll(100) as i64 + 1)];
            }
            let wanted = way.xy() / way.xy().norm().max(1e-9) * 5.0;
            let change = wanted - walker.vel.xy();
            let most = 30.0 * TICK_S;
            let change = if change.norm() > most { change * (most / change.norm()) } else { change };
            walker.vel += Vector3::new(change.x, change.y, 0.0);
            walker.pos += walker.vel * TICK_S;
            walker.pos.x = walker.pos.x.clamp(floor.0.0, floor.0.1);
            walker.pos.y = walker.pos.y.clamp(floor.1.0, floor.1.1);
            walker.yaw_deg = (walker.yaw_deg + 3.0) % 360.0;
        }
    }

    /// Everybody stands still for a tick.
    pub(crate) fn stand(&mut self) {
        self.tick = self.tick.after(1);
        self.walkers.iter_mut().for_each(|walker| walker.vel = Vector3::zeros());
    }

    /// What is lent of this tick; every second player is of the other team.
    pub(crate) fn lists(&self, setting: &Setting) -> Lists<'_> {
        let class = |name: &str| setting.rules.class_id(name).unwrap();
        let count = self.walkers.len() as u32;
        let mut entities = Vec::new();
        let mut observers = Vec::new();
        let mut sounds = Vec::new();
        for (index, walker) in self.walkers.iter().enumerate() {
            let (id, team) = (EntityId::new(index as u32, 0), Some(TeamId(index as u16 % 2)));
            let player = Entity {
                team,
                vel: walker.vel,
                yaw_deg: walker.yaw_deg,
                stance: if walker.is_crouched { Stance::Crouched } else { Stance::Standing },
                values: &walker.health,
                ..Entity::new(id, class("player"), walker.pos)
            };
            entities.push(player);
            let weapon = EntityId::new(count + index as u32, 0);
            let carried = Entity { owner: Some(id), parent: Some(id), team, values: &WEAPON, ..player };
            entities.push(Entity { id: weapon, class: class("weapon"), ..carried });
            observers.push(Observer {
                rtt_ms: &[40.0],
                ..Observer::player(ObserverId::new(index as u32, 0), id, team)
            });
            if self.tick.0.wrapping_add(index as u32 * 7).is_multiple_of(20) {
                sounds.push(Sound {
                    class: setting.rules.sound_id("footstep").unwrap(),
                    emitter: Some(id),
                    pos: walker.pos,
                    membership: player.membership,
                });
            }
        }
        for (index, &pos) in self.drops.iter().enumerate() {
            let id = EntityId::new(2 * count + index as u32, 0);
            entities.push(Entity { values: &DROP, ..Entity::new(id, class("drop"), pos) });
        }
        let id = EntityId::new(2 * count + 100, 0);
        entities.push(Entity { values: &MATCH, ..Entity::new(id, class("match"), Point3::origin()) });
        let kill = Event {
            class: setting.rules.event_id("kill").unwrap(),
            about: &[],
            pos: None,
            membership: entities[0].membership,
            values: &KILL,
        };
        let events = if self.tick.0.is_multiple_of(50) { vec![kill] } else { Vec::new() };
        Lists { tick: self.tick, entities, observers, sounds, events }
    }

    pub(crate) fn players(&self) -> usize {
        self.walkers.len()
    }
}
