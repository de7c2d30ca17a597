//! The battle royale that `simulate --royale` makes, as a game holds it: entities by place, and which of them changed.

use super::recorded;
use fogwall::{
    Baked, ClassId, Entity, EntityId, Observer, ObserverId, Point3, ROYALE_RULES, Royale, RoyaleOptions,
    Rules, Value, Vector3,
};
use std::collections::HashMap;
use std::path::Path;

const SEED: u64 = 1;

static HEALTH: [Value<'static, EntityId>; 1] = [Value::Int(100)];
static KINDS: [[Value<'static, EntityId>; 1]; 4] =
    [[Value::Int(1)], [Value::Int(7)], [Value::Int(20)], [Value::Int(99)]];

/// The rules of such a match with a budget of 1200 bytes a tick, and players that are looked at within 150 m.
pub(crate) fn rules() -> Rules {
    let mut text = ROYALE_RULES.to_owned();
    for (from, to) in [
        ("budget_bytes: 2400, bytes_per_second: 72000", "budget_bytes: 1200, bytes_per_second: 36000"),
        ("relevance: (enter_m: inf, leave_m: inf)", "relevance: (enter_m: 150.0, leave_m: 165.0)"),
    ] {
        assert!(text.contains(from), "the rules have no {from}");
        text = text.replace(from, to);
    }
    Rules::parse(text, "royale.ron").unwrap_or_else(|errors| panic!("{errors}")).rules
}

/// Its map, baked in cells of 50 m.
pub(crate) fn baked() -> Baked {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("royale.ron");
    std::fs::write(&source, Royale::map_source(SEED)).expect("the folder can be written to");
    recorded::baked(&source)
}

/// The world as it goes on.
pub(crate) struct World {
    lines: Royale,
    pub(crate) entities: Vec<Entity<'static>>,
    /// Places of what changed in the last step.
    pub(crate) changed: Vec<u32>,
    places: HashMap<u32, usize>,
    /// Of players and of props.
    classes: [ClassId; 2],
    players: u32,
}

impl World {
    /// So many players and things in all, at so many ticks a second.
    pub(crate) fn new(
        rules: &Rules,
        (players, entities): (u32, u32),
        (ticks, tick_hz): (usize, f64),
    ) -> Self {
        let seconds = ticks as f64 / tick_hz;
        let options = RoyaleOptions { players, entities, seconds, tick_hz, seed: SEED };
        Self {
            lines: Royale::new(options).expect("the options are within their bounds"),
            entities: Vec::new(),
            changed: Vec::new(),
            places: HashMap::new(),
            classes: ["player", "prop"].map(|name| rules.class_id(name).expect("the rules have the class")),
            players,
        }
    }

    pub(crate) fn observers<'a>(&self, rtt_ms: &'a [f64]) -> Vec<Observer<'a>> {
        let observer = |index: u32| Observer {
            rtt_ms,
            ..Observer::player(ObserverId::new(index, 0), EntityId::new(index, 0), None)
        };
        (0..self.players).map(observer).collect()
    }

    /// Another tick.
    pub(crate) fn step(&mut self) {
        let line = self.lines.next().expect("the match is long enough");
        self.changed.clear();
        for id in &line.removed {
            let Some(place) = self.places.remove(id) else { continue };
            self.entities.swap_remove(place);
            if let Some(moved) = self.entities.get(place) {
                self.places.insert(moved.id.index, place);
                self.changed.push(place as u32);
            }
        }
        for line in &line.entities {
            let (class, values) = match line.class.as_str() {
                "player" => (self.classes[0], &HEALTH),
                _ => (self.classes[1], &KINDS[line.id as usize % KINDS.len()]),
            };
            let entity = Entity {
                vel: Vector3::from(line.vel),
                values,
                ..Entity::new(EntityId::new(line.id, 0), class, Point3::from(line.pos))
            };
            match self.places.get(&line.id) {
                Some(&place) => {
                    self.entities[place] = entity;
                    self.changed.push(place as u32);
                }
                None => {
                    self.places.insert(line.id, self.entities.len());
                    self.entities.push(entity);
                }
            }
        }
    }
}
