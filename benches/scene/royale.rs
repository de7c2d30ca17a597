//! A world of 2 x 2 km with buildings, players and very many things on it, of which some move.

use super::Random;
use fogwall::{
    BakeOptions, Baked, Cells, Entity, EntityId, Hearable, Map, Observer, ObserverId, Point3, Quiet, Rules,
    Solids, Value, Vector3, bake,
};
use std::fmt::Write;

/// Half the width of the world, metres.
const HALF_M: f64 = 1000.0;
const BUILDINGS: usize = 300;
/// Players that stand together, and how far from each other at most.
const CROWD: (usize, f64) = (20, 25.0);
const SPEED_MPS: f64 = 5.0;

static HEALTH: [Value<'static, EntityId>; 1] = [Value::Int(100)];
static KINDS: [[Value<'static, EntityId>; 1]; 4] =
    [[Value::Int(1)], [Value::Int(7)], [Value::Int(20)], [Value::Int(99)]];

pub(crate) fn rules() -> Rules {
    Rules::parse(include_str!("royale.ron"), "royale.ron").unwrap_or_else(|errors| panic!("{errors}")).rules
}

/// Buildings on a plain that nothing is baked of: no table of cells holds a world of this size.
pub(crate) fn baked() -> Baked {
    let mut random = Random(5);
    let mut text = "(version: 1, name: \"royale\", player: (radius: 0.41, height: 1.83, eye_standing: 1.63, \
        eye_crouched: 1.17, jump: 1.45, step: 0.46, max_speed: 8.3, max_accel: 50.0, jump_speed: 7.67, gravity: 20.3, \
        crouch_time: 0.125, lean: 0.3, sight_radius: 0.5), solids: ["
        .to_owned();
    for index in 0..BUILDINGS {
        let [x, y] = [0; 2].map(|_| (random.unit() * 2.0 - 1.0) * HALF_M);
        let [w, h] = [0; 2].map(|_| 5.0 + 15.0 * random.unit());
        write!(
            text,
            "Prism(id: \"b{index}\", outline: [({x:.2},{y:.2}),({:.2},{y:.2}),({:.2},{:.2}),({x:.2},{:.2})], z: (0.0, 8.0)),",
            x + w,
            x + w,
            y + h,
            y + h
        )
        .expect("a text grows");
    }
    text += "], floors: [(outline: [(0.0,0.0,0.0),(4.0,0.0,0.0),(4.0,4.0,0.0),(0.0,4.0,0.0)])])";
    let map = Map::parse(text, "royale").unwrap_or_else(|errors| panic!("{errors}")).map;
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).expect("few enough cells");
    let pvs = bake(&map.player, map.cell_size, &solids, &cells, BakeOptions::default(), &Quiet)
        .expect("nobody stops it");
    let hearable = Hearable::build(&map, &solids, &cells, 50.0);
    Baked::new(map, solids, cells, pvs, hearable, false)
}

/// The world as it goes on.
pub(crate) struct Royale {
    pub(crate) entities: Vec<Entity<'static>>,
    /// Places of what moved in the last step.
    pub(crate) changed: Vec<u32>,
    random: Random,
    players: usize,
    moving: usize,
}

impl Royale {
    /// So many players and things in all; a part of them moves, players always.
    pub(crate) fn new(rules: &Rules, players: usize, entities: usize, moving: usize) -> Self {
        let mut random = Random(11);
        let [player, prop] =
            ["player", "prop"].map(|name| rules.class_id(name).expect("the rules have the class"));
        let mut at = |half: f64| {
            let [x, y] = [0; 2].map(|_| (random.unit() * 2.0 - 1.0) * half);
            Point3::new(x, y, 0.0)
        };
        let entity = |index: usize| {
            let id = EntityId::new(index as u32, 0);
            if index < players {
                let pos =
                    if index < CROWD.0 { at(CROWD.1) + Vector3::new(300.0, 300.0, 0.0) } else { at(HALF_M) };
                Entity { values: &HEALTH, ..Entity::new(id, player, pos) }
            } else {
                Entity { values: &KINDS[index % 4], radius_m: 0.5, ..Entity::new(id, prop, at(HALF_M)) }
            }
        };
        let entities = (0..entities).map(entity).collect();
        Self { entities, changed: Vec::new(), random, players, moving }
    }

    pub(crate) fn observers<'a>(&self, rtt_ms: &'a [f64]) -> Vec<Observer<'a>> {
        let observer = |index: usize| Observer {
            rtt_ms,
            ..Observer::player(ObserverId::new(index as u32, 0), self.entities[index].id, None)
        };
        (0..self.players).map(observer).collect()
    }

    /// Another tick of so many seconds: those that move walk on, and turn now and then.
    pub(crate) fn step(&mut self, tick_s: f64) {
        self.changed.clear();
        let Self { entities, changed, random, players, moving } = self;
        let stride = entities.len() / *moving;
        for index in (0..*players).chain((*players..entities.len()).step_by(stride)).take(*moving) {
            let entity = &mut entities[index];
            if random.below(30) == 0 || entity.vel == Vector3::zeros() {
                let angle = std::f64::consts::TAU * random.unit();
                entity.vel = Vector3::new(angle.cos(), angle.sin(), 0.0) * SPEED_MPS;
                entity.yaw_deg = angle.to_degrees();
            }
            entity.pos += entity.vel * tick_s;
            changed.push(index as u32);
        }
    }
}
