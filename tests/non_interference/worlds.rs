//! The match of a world: a part that both worlds share, and a part that X is told nothing of.

use super::game::{Dice, Setting, TICK_MS};
use super::interest;
use super::twins::Differs;
use fogwall::{
    Entity, EntityId, Event, Interaction, MatchId, Membership, Observer, ObserverId, ObserverKind, Point3,
    Sound, Stance, TeamId, Tick, Value, Vector3, World,
};
use std::collections::HashMap;

type Ref = Value<'static, EntityId>;

/// The observer whose datagrams are compared.
pub(crate) const X: ObserverId = ObserverId::new(3, 1);
/// Players in the room of X; every second one is of its team.
pub(crate) const PLAYERS: u32 = 8;
const DROPS: u32 = 8;
const PROPS: u32 = 8;
const MANY_PROPS: u32 = 270;
/// Keys from here on are of what X is told nothing of.
pub(crate) const DARK: u32 = 1000;
const STEP_S: f64 = TICK_MS / 1000.0;
static KILL: [Ref; 2] = [Value::Int(1), Value::Int(6)];
static DAMAGE: [Ref; 2] = [Value::Int(20), Value::Float(90.0)];
/// The other match.
const OTHER: Membership = Membership { match_id: MatchId(7), phases: u32::MAX };

#[derive(Clone, Copy)]
enum Kind {
    Player(u16),
    Weapon(u32),
    Drop,
    Prop,
    Match,
}

/// Something of a world, by a key that is the same in both.
#[derive(Clone)]
pub(crate) struct Thing {
    pub(crate) key: u32,
    kind: Kind,
    membership: Membership,
    pos: Point3,
    vel: Vector3,
    goal: Point3,
    pub(crate) yaw_deg: f64,
    pub(crate) pitch_deg: f64,
    is_crouched: bool,
    pub(crate) values: Vec<Ref>,
}

impl Thing {
    fn new(key: u32, kind: Kind, membership: Membership, pos: Point3) -> Self {
        let values = match kind {
            Kind::Player(_) => vec![Value::Int(100)],
            Kind::Weapon(_) => vec![Value::Int(7), Value::Int(30)],
            Kind::Drop => vec![Value::Int(3)],
            // Of two that are told alike it is chance which has which name, and what becomes of one shows it.
            Kind::Prop => vec![Value::Int(i64::from(key % 251))],
            Kind::Match => vec![Value::Int(2), Value::Int(90)],
        };
        let (vel, yaw_deg, pitch_deg) = (Vector3::zeros(), 0.0, 0.0);
        Self { key, kind, membership, pos, vel, goal: pos, yaw_deg, pitch_deg, is_crouched: false, values }
    }

    /// What X is not told of it at any level that X has of it.
    pub(crate) fn perturb_withheld(&mut self, dice: &mut Dice) {
        match self.kind {
            Kind::Player(1) => self.values[0] = Value::Int(dice.roll(200) as i64),
            Kind::Weapon(carrier) if carrier > 0 => self.values[1] = Value::Int(dice.roll(500) as i64),
            _ => {}
        }
    }

    /// What X is told of a team-mate.
    pub(crate) fn perturb_told(&mut self, dice: &mut Dice) {
        if self.key == 2 {
            self.values[0] = Value::Int(dice.roll(200) as i64);
        }
    }

    fn walk(&mut self, dice: &mut Dice, low: f64, high: f64) {
        let way = (self.goal - self.pos).xy();
        if way.norm() < 0.5 || dice.roll(120) == 0 {
            self.goal = Point3::new(low + dice.share() * (high - low), 0.5 + dice.share() * 11.0, 0.0);
            self.is_crouched = dice.roll(4) == 0;
            self.values[0] = Value::Int(dice.roll(100) as i64 + 1);
        }
        let change = way / way.norm().max(1e-9) * 5.0 - self.vel.xy();
        let most = 30.0 * STEP_S;
        let change = if change.norm() > most { change * (most / change.norm()) } else { change };
        self.vel += Vector3::new(change.x, change.y, 0.0);
        self.pos += self.vel * STEP_S;
        (self.pos.x, self.pos.y) = (self.pos.x.clamp(low, high), self.pos.y.clamp(0.5, 11.5));
        (self.yaw_deg, self.pitch_deg) = ((self.yaw_deg + 3.0) % 360.0, (self.pitch_deg + 1.0) % 60.0);
    }
}

/// From where to where things walk. Eyes in a wall see all there is: the team of X stays on its side of the walls, the
/// others walk through them.
fn walks(key: u32, membership: Membership, room: (f64, f64)) -> (f64, f64) {
    match key {
        _ if membership == OTHER => (0.5, 27.5),
        0 | 2 | 4 | 6 => (0.5, 4.5),
        _ => room,
    }
}

/// A part of a match that goes on by itself.
#[derive(Clone)]
pub(crate) struct Part {
    dice: Dice,
    pub(crate) things: Vec<Thing>,
    room: (f64, f64),
    next: u32,
}

impl Part {
    /// The room of X.
    pub(crate) fn shared(seed: u64) -> Self {
        let mut part = Self { dice: Dice(seed), things: Vec::new(), room: (0.5, 11.5), next: 0 };
        for index in 0..PLAYERS {
            part.join(index, Kind::Player(index as u16 % 2), Membership::default());
        }
        for index in 0..PLAYERS {
            part.join(100 + index, Kind::Weapon(index), Membership::default());
        }
        for index in 0..DROPS {
            part.join(200 + index, Kind::Drop, Membership::default());
        }
        // In some worlds there are so many that candidates come from lists and buckets.
        let props = if seed.is_multiple_of(3) { MANY_PROPS } else { PROPS };
        for index in 0..props {
            part.join(400 + index, Kind::Prop, Membership::default());
        }
        part.join(300, Kind::Match, Membership::default());
        part
    }

    /// Enemies in the sealed room, and another match in both.
    pub(crate) fn dark(seed: u64) -> Self {
        let mut part = Self { dice: Dice(seed), things: Vec::new(), room: (16.5, 27.5), next: DARK };
        for _ in 0..4 {
            part.spawn();
        }
        part
    }

    fn join(&mut self, key: u32, kind: Kind, membership: Membership) {
        let (low, high) = walks(key, membership, self.room);
        let pos = Point3::new(low + self.dice.share() * (high - low), 0.5 + self.dice.share() * 11.0, 0.0);
        self.things.push(Thing::new(key, kind, membership, pos));
    }

    fn spawn(&mut self) {
        let (key, is_other) = (self.next, self.dice.roll(3) == 0);
        self.next += 2;
        let (team, membership) =
            if is_other { (self.dice.roll(2) as u16, OTHER) } else { (1, Membership::default()) };
        match self.dice.roll(8) {
            0 | 1 => return self.join(key, Kind::Drop, membership),
            2 => return self.join(key, Kind::Prop, membership),
            _ => {}
        }
        self.join(key, Kind::Player(team), membership);
        self.join(key + 1, Kind::Weapon(key), membership);
    }

    /// A tick; what is dark comes and goes too.
    pub(crate) fn step(&mut self) {
        let is_dark = self.next >= DARK;
        if is_dark && self.dice.roll(8) == 0 && self.things.len() < 40 {
            self.spawn();
        }
        if is_dark && self.dice.roll(8) == 0 && !self.things.is_empty() {
            let gone = self.things[self.dice.roll(self.things.len() as u64) as usize].key & !1;
            self.things.retain(|thing| thing.key & !1 != gone);
        }
        for thing in self.things.iter_mut().filter(|thing| matches!(thing.kind, Kind::Player(_))) {
            let (low, high) = walks(thing.key, thing.membership, self.room);
            thing.walk(&mut self.dice, low, high);
        }
    }
}

/// Handles of one world's entities: the keys themselves, or a shuffle of slots and generations.
pub(crate) struct Handles {
    dice: Option<Dice>,
    free: Vec<u32>,
    of_key: HashMap<u32, EntityId>,
}

impl Handles {
    pub(crate) fn new(shuffle: Option<Dice>) -> Self {
        Self { dice: shuffle, free: (0..6000).collect(), of_key: HashMap::new() }
    }

    pub(crate) fn of(&mut self, key: u32) -> EntityId {
        let Some(dice) = &mut self.dice else { return EntityId::new(key, 0) };
        let free = &mut self.free;
        *self.of_key.entry(key).or_insert_with(|| {
            let index = free.swap_remove(dice.roll(free.len() as u64) as usize);
            EntityId::new(index, dice.roll(9) as u32)
        })
    }
}

/// What a world lends in one tick.
#[derive(Default)]
pub(crate) struct Lists<'a> {
    tick: Tick,
    pub(crate) entities: Vec<Entity<'a>>,
    pub(crate) observers: Vec<Observer<'a>>,
    sounds: Vec<Sound>,
    events: Vec<Event<'a>>,
    interactions: Vec<Interaction>,
}

impl<'a> Lists<'a> {
    pub(crate) fn new(tick: Tick) -> Self {
        Self { tick, ..Self::default() }
    }

    pub(crate) fn world(&self) -> World<'_> {
        World {
            entities: &self.entities,
            changed: None,
            observers: &self.observers,
            sounds: &self.sounds,
            events: &self.events,
            interactions: &self.interactions,
            ..World::empty(self.tick)
        }
    }

    pub(crate) fn shuffle(&mut self, dice: &mut Dice) {
        shuffle(&mut self.entities, dice);
        shuffle(&mut self.observers, dice);
        shuffle(&mut self.sounds, dice);
        shuffle(&mut self.events, dice);
        shuffle(&mut self.interactions, dice);
    }

    /// Lists a part; `rtts` are round trips of others than X, by key.
    pub(crate) fn add(
        &mut self,
        setting: &Setting,
        part: &'a [Thing],
        handles: &mut Handles,
        (rtts, shift): (&'a [f64], u32),
    ) {
        let class = |name: &str| setting.rules.class_id(name).unwrap();
        for thing in part {
            let (id, membership) = (handles.of(thing.key), thing.membership);
            let own = Entity {
                membership,
                vel: thing.vel,
                yaw_deg: thing.yaw_deg,
                pitch_deg: thing.pitch_deg,
                stance: if thing.is_crouched { Stance::Crouched } else { Stance::Standing },
                values: &thing.values,
                ..Entity::new(id, class("drop"), thing.pos)
            };
            let own = if thing.key >= DARK {
                interest::in_the_dark(own, thing.key, self.tick, matches!(thing.kind, Kind::Prop))
            } else {
                let is_enemy = matches!(thing.kind, Kind::Player(1) | Kind::Weapon(_));
                interest::beside_x(own, thing.key, self.tick, is_enemy)
            };
            match thing.kind {
                Kind::Player(team) => {
                    let team = Some(TeamId(team));
                    self.entities.push(Entity { class: class("player"), team, ..own });
                    let rtt = &rtts[thing.key as usize % rtts.len()..][..1];
                    let (observer, rtt) = if thing.key == 0 {
                        (X, &[40.0][..])
                    } else {
                        (ObserverId::new(10 + (thing.key + shift) % 5000, 0), rtt)
                    };
                    let player = Observer::player(observer, id, team);
                    let player = Observer { membership, rtt_ms: rtt, ..player };
                    self.observers.push(if thing.key == 0 {
                        interest::of_x(player, self.tick)
                    } else {
                        player
                    });
                    self.noises(setting, thing, id);
                }
                Kind::Weapon(carrier) => {
                    let carrier = Some(handles.of(carrier));
                    let weapon = Entity { class: class("weapon"), owner: carrier, parent: carrier, ..own };
                    let by = self.entities.iter().find(|other| Some(other.id) == carrier);
                    let (team, pos) = by.map_or((None, own.pos), |by| (by.team, by.pos));
                    self.entities.push(Entity { team, pos, ..weapon });
                }
                Kind::Drop => self.entities.push(own),
                Kind::Prop => self.entities.push(Entity { class: class("prop"), ..own }),
                Kind::Match => self.entities.push(Entity { class: class("match"), ..own }),
            }
        }
    }

    fn noises(&mut self, setting: &Setting, thing: &Thing, id: EntityId) {
        let (membership, at) = (thing.membership, self.tick.0.wrapping_add(thing.key * 7));
        if at.is_multiple_of(20) {
            let class = setting.rules.sound_id("footstep").unwrap();
            self.sounds.push(Sound { class, emitter: Some(id), pos: thing.pos, membership });
        }
        let event = |name: &str| Event {
            class: setting.rules.event_id(name).unwrap(),
            about: &[],
            pos: None,
            membership,
            values: &[],
        };
        if at.is_multiple_of(30) && (thing.key == 2 || membership == OTHER) {
            self.events.push(Event { values: &KILL, ..event("kill") });
        }
        if thing.key >= DARK {
            if at.is_multiple_of(6) {
                self.events.push(Event { pos: Some(thing.pos), ..event("decal") });
                self.events.push(Event { values: &DAMAGE, ..event("damage") });
            }
            self.interactions.push(Interaction { observer: X, entity: id });
        }
    }

    /// Others who look on: they change nothing for X.
    pub(crate) fn add_onlookers(&mut self, dice: &mut Dice, rtts: &'a [f64]) {
        for slot in 0..dice.roll(3) as u32 {
            let kind = ObserverKind::Caster { delay_ticks: 5 + slot };
            let seen = self.entities[dice.roll(self.entities.len() as u64) as usize].id;
            let caster = Observer::player(ObserverId::new(5500 + slot, 0), seen, None);
            self.observers.push(Observer { kind, entity: None, rtt_ms: &rtts[..1], ..caster });
        }
    }
}

fn shuffle<T>(list: &mut [T], dice: &mut Dice) {
    for i in (1..list.len()).rev() {
        list.swap(i, dice.roll(i as u64 + 1) as usize);
    }
}

/// Round trips of others than X: the same, or any.
pub(crate) fn round_trips(differs: Differs, dice: &mut Dice) -> Vec<f64> {
    (0..16).map(|_| if differs.links { dice.share() * 300.0 } else { 30.0 }).collect()
}
