//! Records that stay from tick to tick: what sleeps changes no byte.

use super::*;
use crate::send::{Entities, KeptRecords};

/// Records by entry, as a frame keeps them.
#[derive(Default)]
struct Kept {
    entries: Vec<Option<(Thing, Recorded)>>,
    changed: Vec<u32>,
    gone: Vec<EntityId>,
}

impl KeptRecords for Kept {
    fn record(&self, entry: u32) -> Option<Disclosed<EntityRecord<'_>>> {
        let (thing, recorded) = self.entries.get(entry as usize)?.as_ref()?;
        Some(disclosed(thing, recorded))
    }

    fn entries(&self) -> u32 {
        self.entries.len() as u32
    }
}

impl Kept {
    fn take(&mut self, things: &[Thing], policy: &Policy) {
        self.changed.clear();
        self.gone.clear();
        for entry in &mut self.entries {
            let is_gone =
                |(thing, _): &(Thing, Recorded)| !things.iter().any(|other| other.entity == thing.entity);
            self.gone.extend(entry.take_if(|told| is_gone(told)).map(|(thing, _)| thing.entity));
        }
        for thing in things {
            let is_it = |entry: &Option<(Thing, Recorded)>| {
                entry.as_ref().is_some_and(|(other, _)| other.entity == thing.entity)
            };
            let known = self.entries.iter().position(is_it);
            let entry =
                known.or_else(|| self.entries.iter().position(Option::is_none)).unwrap_or_else(|| {
                    self.entries.push(None);
                    self.entries.len() - 1
                });
            let is_bundled = thing.parent.is_some()
                || thing.class == PLAYER
                || things.iter().any(|other| other.parent == Some(thing.entity));
            let told = (thing.clone(), thing.recorded(policy));
            let before = self.entries[entry].replace(told);
            let is_same = |(other, recorded): (Thing, Recorded)| {
                let now = thing.recorded(policy);
                (other.level, other.class, recorded.bytes) == (thing.level, thing.class, now.bytes)
            };
            if is_bundled || !before.is_some_and(is_same) {
                self.changed.push(entry as u32);
            }
        }
    }
}

/// Things that move, rest, come and go; far away where they stand far.
fn play(dice: &mut Dice, things: &mut Vec<Thing>) {
    for index in 0..40_u32 {
        let place = things.iter().position(|thing| thing.entity == id(index));
        match place {
            Some(place) if dice.falls(2) => {
                let gone = things.swap_remove(place).entity;
                things.retain(|thing| thing.parent != Some(gone));
            }
            Some(place) if dice.falls(8) => {
                let thing = &mut things[place];
                thing.pos[0] = dice.roll(90) as f64;
                thing.distance_m = thing.pos[0];
            }
            Some(place) if dice.falls(1) && things[place].class == PLAYER => {
                things[place].level = if dice.falls(50) { Level::Team } else { Level::Seen };
            }
            None if dice.falls(4) => {
                let class = [PLAYER, PROP, PROP, FLARE][index as usize % 4];
                things.push(thing(index, class));
                let has_weapon = class == PLAYER && dice.falls(50);
                if has_weapon && !things.iter().any(|thing| thing.entity == id(100 + index)) {
                    things.push(Thing { parent: Some(id(index)), ..thing(100 + index, WEAPON) });
                }
            }
            _ => {}
        }
    }
}

#[test]
fn a_kept_frame_is_sent_in_the_bytes_of_one_that_is_listed_whole() {
    const TIGHT: &str =
        "budget_bytes: 200, bytes_per_second: 12000, burst_bytes: 400, mtu_bytes: 576, padding: None";
    for (seed, sending) in [(1, ROOMY), (2, TIGHT), (3, TIGHT), (4, ROOMY)] {
        let (mut dice, mut things) = (Dice(seed), Vec::new());
        let (mut listed, mut rig) = (Rig::new(sending), Rig::new(sending));
        let mut kept = Kept::default();
        for tick in 0..1500 {
            play(&mut dice, &mut things);
            let report = listed.send(&things);
            rig.tick = rig.tick.after(1);
            rig.bodies.clear();
            rig.packets.clear();
            kept.take(&things, &rig.policy);
            // Now and then all of it is looked at.
            let changed = (tick % 101 != 7).then_some(&kept.changed[..]);
            let entities = Entities::Kept { records: &kept, changed, gone: &kept.gone };
            let frame = Told { entities, ..Told::default() };
            let own = rig.outbox.tick(&rig.policy, rig.tick, frame, &mut rig.bodies, &mut rig.packets);
            assert!(listed.packets == rig.packets, "seed {seed}, tick {tick}");
            assert_eq!(own, report, "seed {seed}, tick {tick}");
            if dice.falls(80) {
                listed.receive();
                rig.receive();
            }
            if dice.falls(80) {
                listed.acknowledge();
                rig.acknowledge();
            }
        }
        assert!(!things.is_empty());
    }
}
