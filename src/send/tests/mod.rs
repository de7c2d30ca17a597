//! Sending as a whole, through a real replica: what one observer may have, over a link that tests make as bad as they like.

mod budget;
mod convergence;
mod cost;
mod growth;
mod kept;
mod lifecycle;
mod lod;
mod secrecy;
mod turns;

use super::{Bodies, Entities, Outbox, Packets, Policy, SendReport, Told};
use crate::filter::Disclosed;
use crate::ids::{ClassId, EntityId, EventClassId, NetRef, ObserverId, SoundClassId};
use crate::replica::Replica;
use crate::rules::Rules;
use crate::tick::Tick;
use crate::wire::{EntityRecord, EventRecord, Level, PriorityFacts, SoundRecord, Value};
use std::sync::Arc;

/// Milliseconds of a tick.
const TICK_MS: f64 = 10.0;
/// Ticks of the hold.
const HOLD: u32 = 25;
/// Ticks after which the class of flares times out, and after which all is stale.
const TIMEOUT: u32 = 40;
const STALE: u32 = 30;

const PLAYER: ClassId = ClassId(0);
const WEAPON: ClassId = ClassId(1);
const DROP: ClassId = ClassId(2);
const FLARE: ClassId = ClassId(3);
const PROP: ClassId = ClassId(4);

const ROOMY: &str =
    "budget_bytes: 1200, bytes_per_second: 1000000, burst_bytes: 20000, mtu_bytes: 1200, padding: None";

fn rules(sending: &str) -> Rules {
    let text = format!(
        r#"(
    version: 1, extent_m: 200.0, topics: [], mode: Enforce, team_vision: Off,
    lead: (rtt_min_ms: 5.0, rtt_max_ms: 150.0, jitter_ms: 8.0, input_delay_ms: 0.0, loss_ticks: 1),
    hold_ms: 250.0, view_cone_deg: 60.0, smoke: (opaque_depth_m: 1.0, rim_m: 0.5), solver_nodes: 64,
    sending: ({sending}, stale_ticks: {STALE}, notice_ticks: 20),
    classes: [
        (name: "player", fields: [
            (name: "pos", encoding: Position(step_m: 0.01), team: Exact, seen: Exact, owner: Exact),
            (name: "health", encoding: Int(min: 0, max: 1000), team: Exact, owner: Exact),
            (name: "held", encoding: Reference, team: Exact, seen: Exact, owner: Exact),
        ], {PARTS} sight: Pvs, relevance: (enter_m: inf, leave_m: inf), motion: Player,
        priority: (base: 1.0, near: 4.0, half_distance_m: 10.0), leave: Removal),
        (name: "weapon", fields: [
            (name: "parent", encoding: Reference, team: Exact, seen: Exact, owner: Exact),
            (name: "health", encoding: Int(min: 0, max: 1000), team: Exact, seen: Exact, owner: Exact),
        ], {PARTS} sight: Pvs, relevance: (enter_m: inf, leave_m: inf), motion: Still, carried_by: ["player"],
        priority: (base: 0.5), leave: Removal),
        (name: "drop", fields: [
            (name: "pos", encoding: Position(step_m: 0.01), team: Exact, seen: Exact, owner: Exact),
        ], {PARTS} sight: Pvs, relevance: (enter_m: inf, leave_m: inf), motion: Still,
        priority: (base: 0.5), lod: [(within_m: 50.0, every_ticks: 1), (within_m: inf, every_ticks: 8)], leave: Never),
        (name: "flare", fields: [
            (name: "pos", encoding: Position(step_m: 0.01), team: Exact, seen: Exact, owner: Exact),
        ], {PARTS} sight: Pvs, relevance: (enter_m: inf, leave_m: inf), motion: Still,
        priority: (base: 0.5), leave: Timeout(ticks: {TIMEOUT})),
        (name: "prop", fields: [
            (name: "pos", encoding: Position(step_m: 0.01), team: Exact, seen: Exact, owner: Exact),
        ], {PARTS} sight: Always, relevance: (enter_m: 500.0, leave_m: 500.0), motion: Still,
        priority: (base: 0.5, near: 2.0), leave: Removal,
        lod: [(within_m: 20.0, every_ticks: 1), (within_m: 60.0, every_ticks: 2), (within_m: inf, every_ticks: 4)]),
    ],
    sounds: [(name: "step", radius_m: 25.0, path: Straight, wall_factor: 1.0,
        bands: [(within_m: 25.0, step_m: 2.0)], emitter: From(Seen))],
    events: [(name: "hit", fields: [
            (name: "by", encoding: Reference, owner: Exact, team: Exact, seen: Exact),
            (name: "amount", encoding: Int(min: 0, max: 255), owner: Exact, team: Exact, seen: Exact),
        ], grants: (about: Owner, team: Hidden, everyone: Hidden), sight: Never, radius_m: 0.0)],
)"#
    );
    Rules::parse(text, "rules.ron").unwrap_or_else(|errors| panic!("{errors}")).rules
}

const PARTS: &str =
    "grants: (own: Owner, owned: Owner, team: Team, group: Team, presenter: Hidden, always: Hidden),";

/// A fixed sequence of numbers that look random.
#[derive(Clone)]
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn falls(&mut self, percent: u64) -> bool {
        self.roll(100) < percent
    }
}

/// An entity as the observer may have it.
#[derive(Clone, Debug)]
struct Thing {
    entity: EntityId,
    class: ClassId,
    level: Level,
    parent: Option<EntityId>,
    pos: [f64; 3],
    health: i64,
    held: Option<EntityId>,
    distance_m: f64,
}

fn id(index: u32) -> EntityId {
    EntityId::new(index, 7)
}

fn thing(index: u32, class: ClassId) -> Thing {
    Thing {
        entity: id(index),
        class,
        level: Level::Seen,
        parent: None,
        pos: [f64::from(index % 100), 2.0, f64::from(index / 100)],
        health: 100,
        held: None,
        distance_m: 10.0,
    }
}

/// A thing's record, quantised; references by handle.
struct Recorded {
    bytes: Vec<u8>,
    references: Vec<Option<EntityId>>,
}

impl Thing {
    fn values(&self) -> Vec<Value<'static, EntityId>> {
        let (pos, health) = (Value::Vector(self.pos), Value::Int(self.health));
        match self.class {
            PLAYER if self.level == Level::Seen => vec![pos, Value::Reference(self.held)],
            PLAYER => vec![pos, health, Value::Reference(self.held)],
            WEAPON => vec![Value::Reference(self.parent), health],
            _ => vec![pos],
        }
    }

    fn recorded(&self, policy: &Policy) -> Recorded {
        let layout = policy.layout(self.class, self.level).unwrap();
        let mut bytes = vec![0; layout.bytes()];
        let mut references = Vec::new();
        for (column, value) in self.values().iter().enumerate() {
            layout.quantise(column, value, &mut bytes).unwrap();
            if let Value::Reference(entity) = value {
                references.push(*entity);
            }
        }
        Recorded { bytes, references }
    }
}

/// One observer's link: the sending end, and the client's.
struct Rig {
    policy: Policy,
    outbox: Outbox,
    replica: Replica,
    bodies: Bodies,
    packets: Packets,
    tick: Tick,
    sounds: Vec<Heard>,
    revoked: Vec<EntityId>,
    events: Vec<Option<EntityId>>,
}

/// A step, where it was made and by whom.
#[derive(Clone, Copy)]
struct Heard {
    place: [f64; 3],
    emitter: Option<EntityId>,
}

impl Rig {
    fn new(sending: &str) -> Self {
        Self::of(ObserverId::new(3, 1), sending)
    }

    fn of(observer: ObserverId, sending: &str) -> Self {
        let rules = rules(sending);
        Self {
            policy: Policy::new(&rules, TICK_MS),
            outbox: Outbox::new(&[9; 32], observer),
            replica: Replica::new(Arc::clone(rules.schema())),
            bodies: Bodies::default(),
            packets: Packets::default(),
            tick: Tick(u32::MAX - 100),
            sounds: Vec::new(),
            revoked: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Sends a tick; the datagrams are in `packets`.
    fn send(&mut self, things: &[Thing]) -> SendReport {
        self.bodies.clear();
        self.send_with_bodies(things)
    }

    /// The same, with bodies that another observer may have asked for already.
    fn send_with_bodies(&mut self, things: &[Thing]) -> SendReport {
        self.tick = self.tick.after(1);
        self.packets.clear();
        let recorded: Vec<Recorded> = things.iter().map(|thing| thing.recorded(&self.policy)).collect();
        let entities: Vec<_> =
            things.iter().zip(&recorded).map(|(thing, recorded)| disclosed(thing, recorded)).collect();
        let places: Vec<Vec<u8>> = self.sounds.iter().map(|heard| self.place(heard)).collect();
        let sounds: Vec<_> = self
            .sounds
            .iter()
            .zip(&places)
            .map(|(heard, place)| {
                let class = SoundClassId(0);
                Disclosed::in_a_test(SoundRecord { class, band: 0, place, emitter: heard.emitter })
            })
            .collect();
        let by: Vec<[Option<EntityId>; 1]> = self.events.iter().map(|by| [*by]).collect();
        let events: Vec<_> = by
            .iter()
            .map(|by| {
                let (class, level) = (EventClassId(0), Level::Seen);
                Disclosed::in_a_test(EventRecord { class, level, record: &[33], references: by })
            })
            .collect();
        let frame = Told {
            entities: Entities::List(&entities),
            sounds: &sounds,
            events: &events,
            revoked: &self.revoked,
        };
        let report = self.outbox.tick(&self.policy, self.tick, frame, &mut self.bodies, &mut self.packets);
        self.sounds.clear();
        self.events.clear();
        self.revoked.clear();
        assert_eq!(report.datagrams, self.packets.len() as u64);
        assert_eq!(report.bytes, self.packets.iter().map(|packet| packet.len() as u64).sum::<u64>());
        report
    }

    fn place(&self, heard: &Heard) -> Vec<u8> {
        let coding = self.policy.schema().sound(SoundClassId(0)).unwrap().band(0).unwrap();
        let mut place = vec![0; coding.bytes()];
        coding.quantise(&Value::<EntityId>::Vector(heard.place), &mut place).unwrap();
        place
    }

    /// Gives all datagrams of the last tick to the client.
    fn receive(&mut self) {
        for packet in self.packets.iter() {
            self.replica.receive(packet).unwrap();
        }
    }

    /// Brings the client's acknowledgement back.
    fn acknowledge(&mut self) {
        if let Some(ack) = self.replica.ack() {
            self.outbox.take_ack(&self.policy, &ack);
        }
    }

    /// A tick over a good link.
    fn run(&mut self, things: &[Thing]) -> SendReport {
        let report = self.send(things);
        self.receive();
        self.acknowledge();
        report
    }

    fn name(&self, index: u32) -> NetRef {
        self.outbox.name_of(id(index)).unwrap()
    }

    /// What the client holds of each thing, or why it is not what is told.
    fn check(&self, thing: &Thing) -> Result<NetRef, String> {
        let net = self.outbox.name_of(thing.entity).ok_or(format!("{} has no name", thing.entity))?;
        let held = self.replica.get(net).ok_or(format!("{net} is not held"))?;
        let layout = self.policy.layout(thing.class, thing.level).unwrap();
        let recorded = thing.recorded(&self.policy);
        let mut references = recorded.references.iter();
        let expected: Vec<Value<'_, NetRef>> = (0..layout.columns().len())
            .map(|column| match layout.reference_of(column) {
                Some(_) => {
                    let entity = *references.next().unwrap();
                    Value::Reference(entity.and_then(|entity| self.outbox.name_of(entity)))
                }
                None => layout.value(column, &recorded.bytes),
            })
            .collect();
        let found: Vec<_> = held.fields().map(|(_, value)| value).collect();
        let is_same = held.class() == thing.class && held.level() == thing.level && found == expected;
        if is_same { Ok(net) } else { Err(format!("{net} is {found:?}, should be {expected:?}")) }
    }

    /// The client holds exactly these.
    fn assert_holds(&self, things: &[Thing]) {
        for thing in things {
            if let Err(why) = self.check(thing) {
                panic!("at {}: {why}", self.tick);
            }
        }
        assert_eq!(self.replica.len(), things.len());
        assert!(self.replica.entities().all(|entity| !entity.is_stale()));
    }
}

fn disclosed<'a>(thing: &Thing, recorded: &'a Recorded) -> Disclosed<EntityRecord<'a>> {
    Disclosed::in_a_test(EntityRecord {
        entity: thing.entity,
        class: thing.class,
        level: thing.level,
        parent: thing.parent,
        record: &recorded.bytes,
        references: &recorded.references,
        share: thing.entity.index * 8 + thing.level as u32,
        facts: PriorityFacts { distance_m: thing.distance_m, ..PriorityFacts::default() },
    })
}
