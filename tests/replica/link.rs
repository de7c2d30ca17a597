//! A sender that keeps to `PROTOCOL.md`, and nothing more, over a link that loses, doubles and reorders.

use crate::scene::{Told, Writer, schema};
use fogwall::{Ack, Level, NetId, NetRef, Replica};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A fixed sequence of numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn falls(&mut self, chance: f64) -> bool {
        (self.roll(1_000_000) as f64) < chance * 1e6
    }
}

/// What the sender knows of one entity's way to the client.
struct Course {
    told: Told,
    /// What the client surely held at some time, and the number of the datagram that told it.
    acked: Option<(u32, Told)>,
    /// Which columns were sent with which datagrams.
    history: Vec<(u32, u64)>,
    is_leaving: bool,
    /// Changes of level so far: an enter of an earlier level says nothing of this one.
    levels: u32,
}

/// What a datagram told: per name the state entered or updated to, or its removal.
type Sent = Vec<(NetRef, u32, Option<Told>)>;

fn changed(before: &Told, after: &Told) -> u64 {
    let (before, after) = (before.values(), after.values());
    before.iter().zip(&after).enumerate().filter(|(_, (a, b))| a != b).fold(0, |mask, (i, _)| mask | 1 << i)
}

struct Sender {
    dice: Dice,
    courses: BTreeMap<NetId, Course>,
    sent: HashMap<u16, (u32, Sent)>,
    next_id: u16,
    sequence: u32,
}

impl Sender {
    fn live(&self) -> Vec<NetId> {
        self.courses.iter().filter(|(_, c)| !c.is_leaving).map(|(id, _)| *id).collect()
    }

    /// Things happen: entities come, move, get hurt, take up others, change level and go.
    fn happen(&mut self) {
        let live = self.live();
        if live.len() < 12 && self.dice.falls(0.4) {
            let net = NetRef::new(NetId(self.next_id), (self.next_id % 5) as u8);
            self.next_id += 1;
            let told = Told { net, class: 0, level: Level::Team, pos: [0.0; 3], health: 100, held: None };
            self.courses.insert(
                net.id,
                Course { told, acked: None, history: Vec::new(), is_leaving: false, levels: 0 },
            );
        }
        for id in live {
            let what = self.dice.roll(12);
            let number = self.dice.roll(400) as f64 / 4.0 - 50.0;
            let known: Vec<NetRef> = self
                .courses
                .values()
                .filter(|c| c.acked.is_some() && !c.is_leaving && c.told.net.id != id)
                .map(|c| c.told.net)
                .collect();
            let course = self.courses.get_mut(&id).unwrap();
            match what {
                0..=3 => course.told.pos = [number, -number, 0.0],
                4 => course.told.health = number as i64 + 60,
                5 if !known.is_empty() => course.told.held = Some(known[number.abs() as usize % known.len()]),
                6 => course.told.held = None,
                7 if number > 35.0 => {
                    course.told.level =
                        if course.told.level == Level::Team { Level::Seen } else { Level::Team };
                    // Another level is told whole, until that is acknowledged.
                    course.acked = None;
                    course.levels += 1;
                }
                8 if number > 40.0 => self.leave(id),
                _ => {}
            }
        }
    }

    fn leave(&mut self, id: NetId) {
        let net = self.courses[&id].told.net;
        self.courses.get_mut(&id).unwrap().is_leaving = true;
        for course in self.courses.values_mut().filter(|c| c.told.held == Some(net)) {
            course.told.held = None;
        }
    }

    /// A datagram with what has room, starting anywhere so that all get their turn.
    fn datagram(&mut self) -> Vec<u8> {
        self.sequence += 1;
        let mut writer = Writer::new(self.sequence);
        let mut sent = Sent::new();
        let ids: Vec<NetId> = self.courses.keys().copied().collect();
        let start = self.dice.roll(ids.len().max(1) as u64) as usize;
        for id in ids.iter().cycle().skip(start).take(ids.len()) {
            let course = self.courses.get_mut(id).unwrap();
            let told = course.told;
            let mask = course.acked.map(|(at, acked)| {
                let since = course.history.iter().filter(|(sequence, _)| *sequence > at);
                since.fold(changed(&acked, &told), |mask, (_, sent)| mask | sent)
            });
            let (fits, what) = match mask {
                _ if course.is_leaving => (writer.try_removal(told.net), None),
                None => (writer.try_enter(&told), Some(told)),
                Some(0) => continue,
                Some(mask) => (writer.try_update(&told, mask), Some(told)),
            };
            if fits {
                course.history.push((self.sequence, mask.unwrap_or(0b111)));
                sent.push((told.net, course.levels, what));
            }
        }
        self.sent.insert(self.sequence as u16, (self.sequence, sent));
        writer.end()
    }

    fn acknowledge(&mut self, ack: &Ack) {
        for sequence in ack.taken() {
            let Some((at, sent)) = self.sent.remove(&sequence.0) else { continue };
            for (net, levels, what) in sent {
                let Some(course) = self.courses.get_mut(&net.id).filter(|c| c.told.net == net) else {
                    continue;
                };
                match what {
                    None => {
                        self.courses.remove(&net.id);
                    }
                    Some(told)
                        if levels == course.levels && course.acked.is_none_or(|(acked, _)| acked < at) =>
                    {
                        course.acked = Some((at, told));
                        course.history.retain(|(sequence, _)| *sequence > at);
                    }
                    Some(_) => {}
                }
            }
        }
    }
}

/// Runs a bad link for a while, heals it, and compares.
pub(crate) fn run(seed: u64, loss: f64) {
    let schema = schema();
    let mut replica = Replica::new(schema.clone());
    let mut sender = Sender {
        dice: Dice(seed * 2 + 1),
        courses: BTreeMap::new(),
        sent: HashMap::new(),
        next_id: 1,
        sequence: 65_400,
    };
    let mut weather = Dice(seed ^ 0xABCD);
    let mut under_way: Vec<(u64, Vec<u8>)> = Vec::new();
    let mut ever: HashSet<NetRef> = HashSet::new();
    for tick in 0..600 {
        let is_bad = tick < 500;
        if is_bad {
            sender.happen();
        }
        let datagram = sender.datagram();
        let times = match (is_bad && weather.falls(loss), is_bad && loss > 0.0 && weather.falls(0.1)) {
            (true, _) => 0,
            (_, twice) => 1 + u64::from(twice),
        };
        for _ in 0..times {
            let delay = if is_bad && loss > 0.0 { 1 + weather.roll(24) } else { 1 };
            under_way.push((tick + delay, datagram.clone()));
        }
        let (due, later) = under_way.into_iter().partition(|(at, _)| *at <= tick);
        under_way = later;
        for (_, datagram) in due {
            if let Ok(changes) = replica.receive(&datagram) {
                ever.extend(&changes.created);
            }
            let held = replica.entities().filter_map(|e| e.field("held"));
            for value in held {
                let fogwall::Value::Reference(Some(net)) = value else { continue };
                assert!(
                    ever.contains(&net),
                    "{net} was named before it was known (seed {seed}, tick {tick})"
                );
            }
        }
        if !(is_bad && weather.falls(loss))
            && let Some(ack) = replica.ack()
        {
            sender.acknowledge(&Ack::from_bytes(&ack, &schema).unwrap());
        }
    }
    let held: Vec<_> =
        replica.entities().map(|e| (e.net(), e.level(), e.fields().collect::<Vec<_>>())).collect();
    let told: Vec<_> = sender.courses.values().map(|c| (c.told.net, c.told.level, c.told.values())).collect();
    assert_eq!(held, told, "seed {seed}");
    assert!(replica.counts().taken > 300 && ever.len() > 10, "the link carried something");
}
