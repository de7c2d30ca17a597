//! A link that loses, doubles and reorders: the client never holds what was not disclosed, and in the end all of it.

use super::*;

/// A link both ways, with its weather.
struct Link {
    dice: Dice,
    loss_percent: u64,
    delay_ticks: u64,
    down: Vec<(u64, Vec<u8>)>,
    up: Vec<(u64, Vec<u8>)>,
}

impl Link {
    fn times(&mut self) -> u64 {
        if self.dice.falls(self.loss_percent) {
            return 0;
        }
        1 + u64::from(self.loss_percent > 0 && self.dice.falls(10))
    }

    /// A tick of the link: what the server sent goes on its way, and what is due arrives.
    fn carry(&mut self, rig: &mut Rig, tick: u64) {
        for packet in rig.packets.iter() {
            for _ in 0..self.times() {
                let at = tick + self.dice.roll(self.delay_ticks + 1);
                self.down.push((at, packet.to_vec()));
            }
        }
        let (due, later) = std::mem::take(&mut self.down).into_iter().partition(|(at, _)| *at <= tick);
        self.down = later;
        for (_, packet) in due {
            // A datagram may come twice, or too late: that is refused. Nothing else is wrong with any.
            match rig.replica.receive(&packet) {
                Ok(_) => {}
                Err(why) => {
                    use crate::replica::Refusal::{Duplicate, TooOld, Unknown};
                    assert!(matches!(why, Duplicate | TooOld | Unknown(_)), "{why}");
                }
            }
        }
        if let Some(ack) = rig.replica.ack() {
            for _ in 0..self.times() {
                let at = tick + self.dice.roll(self.delay_ticks + 1);
                self.up.push((at, ack.to_vec()));
            }
        }
        let (due, later) = std::mem::take(&mut self.up).into_iter().partition(|(at, _)| *at <= tick);
        self.up = later;
        for (_, ack) in due {
            rig.outbox.take_ack(&rig.policy, &ack);
        }
    }
}

/// A match as one observer may have it: players with weapons come into sight, move, drop out of it, change sides;
/// drops and flares lie about.
fn happen(dice: &mut Dice, things: &mut Vec<Thing>, revoked: &mut Vec<EntityId>) {
    let index = dice.roll(40) as u32 * 2;
    let place = things.iter().position(|thing| thing.entity == id(index));
    match (place, dice.roll(8)) {
        (None, 0..4) if index < 40 => {
            let mut player = thing(index, PLAYER);
            if dice.falls(70) {
                player.held = Some(id(index + 1));
                things.push(Thing { parent: Some(id(index)), ..thing(index + 1, WEAPON) });
            }
            things.push(player);
        }
        (None, 0..4) => things.push(thing(index, if index < 60 { DROP } else { FLARE })),
        (Some(place), 5) => {
            let player = things.swap_remove(place);
            if dice.falls(20) {
                revoked.extend([player.entity, id(index + 1)]);
            }
            things.retain(|thing| thing.parent != Some(player.entity));
            for other in things.iter_mut().filter(|other| other.held == Some(player.entity)) {
                other.held = None;
            }
        }
        (Some(place), 6) if things[place].class == PLAYER => {
            let level = if things[place].level == Level::Seen { Level::Team } else { Level::Seen };
            let entity = things[place].entity;
            for thing in things.iter_mut().filter(|t| t.entity == entity || t.parent == Some(entity)) {
                thing.level = level;
            }
        }
        _ => {}
    }
    for thing in things.iter_mut() {
        if thing.class == PLAYER && dice.falls(60) {
            thing.pos[0] = dice.roll(20_000) as f64 / 100.0 - 100.0;
        }
        if dice.falls(10) {
            thing.health = dice.roll(900) as i64;
        }
    }
}

fn run(seed: u64, loss_percent: u64, delay_ticks: u64, sending: &str) {
    let mut rig = Rig::new(sending);
    let (mut dice, mut things) = (Dice(seed), Vec::new());
    let link = Dice(seed ^ 0x5EED);
    let mut link = Link { dice: link, loss_percent, delay_ticks, down: Vec::new(), up: Vec::new() };
    for tick in 0..500 {
        let mut revoked = Vec::new();
        happen(&mut dice, &mut things, &mut revoked);
        rig.revoked = revoked;
        rig.send(&things);
        link.carry(&mut rig, tick);
    }
    // The link heals: round trip, resend interval, what is disclosed over the budget, and 2 ticks.
    (link.loss_percent, link.delay_ticks) = (0, 1);
    let bytes: usize = things.len() * 40;
    let per_tick = rig.policy.budget_bytes().min((rig.policy.rate().0 / 1024) as usize);
    let patience = 2 + 64 + bytes.div_ceil(per_tick) as u64 + 2;
    // What was under way on the bad link is still to come.
    let rest = delay_ticks + patience.max(u64::from(HOLD) + 2);
    for tick in 500..500 + rest {
        rig.send(&things);
        link.carry(&mut rig, tick);
    }
    for thing in &things {
        if let Err(why) = rig.check(thing) {
            panic!("seed {seed}: {why}");
        }
    }
    let silent = rig.replica.entities().filter(|entity| entity.class() == DROP).count();
    let told = things.iter().filter(|thing| thing.class == DROP).count();
    let all = things.len() - told + silent;
    assert_eq!(rig.replica.len(), all, "seed {seed}: nothing but drops stays that is not told of");
    assert!(rig.replica.counts().taken > 200);
}

#[test]
fn after_a_bad_link_heals_the_client_holds_exactly_what_is_disclosed() {
    let effort: u64 = std::env::var("FOGWALL_EFFORT").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let small =
        "budget_bytes: 576, bytes_per_second: 100000, burst_bytes: 1000, mtu_bytes: 576, padding: None";
    let tiny = "budget_bytes: 200, bytes_per_second: 9000, burst_bytes: 300, mtu_bytes: 100, padding: None";
    let full = "budget_bytes: 300, bytes_per_second: 20000, burst_bytes: 300, mtu_bytes: 300, padding: Full";
    for seed in 0..12 * effort {
        run(seed, 30, 20, small);
        run(seed, 30, 20, tiny);
        run(seed, 30, 20, full);
        run(seed, 0, 0, ROOMY);
        run(seed, 60, 3, ROOMY);
    }
}
