//! What packets depend on, and what they must not: order, handles, other observers, false acknowledgements.

use super::*;
use crate::wire::{ACK_BYTES, Ack, Sequence};

const TIGHT: &str =
    "budget_bytes: 240, bytes_per_second: 20000, burst_bytes: 400, mtu_bytes: 200, padding: None";

/// A changing scene of bundles, drops, flares and sounds; no two things are equal in all that is told.
fn scene(tick: u32) -> (Vec<Thing>, Vec<Heard>, Vec<Option<EntityId>>) {
    let mut things = Vec::new();
    let mut dice = Dice(u64::from(tick / 7));
    for i in 0..30 {
        let pos = [f64::from((tick * (i + 1)) % 150), 0.5, f64::from(i)];
        let base = Thing { pos, distance_m: f64::from((tick + i * 3) % 60), ..thing(i, PLAYER) };
        match dice.roll(5) {
            0 => {}
            1 => things.push(Thing { class: DROP, ..base }),
            2 => things.push(Thing { class: FLARE, ..base }),
            _ => {
                let level = if dice.falls(30) { Level::Team } else { Level::Seen };
                let weapon =
                    Thing { parent: Some(id(i)), level, health: i64::from(i), ..thing(i + 100, WEAPON) };
                things.push(Thing { level, held: Some(id(i + 100)), ..base });
                things.push(weapon);
            }
        }
    }
    let emitter = things.first().map(|thing| thing.entity);
    let heard = |i: u32| Heard { place: [f64::from(i * 3), 0.0, 0.0], emitter: emitter.filter(|_| i == 1) };
    let events = if tick.is_multiple_of(9) { vec![emitter, None] } else { Vec::new() };
    (things, (0..tick % 4).map(heard).collect(), events)
}

fn shuffle<T>(list: &mut [T], dice: &mut Dice) {
    for last in (1..list.len()).rev() {
        list.swap(last, dice.roll(last as u64 + 1) as usize);
    }
}

/// The packets of many ticks under loss, the scene changed by `change` before each, and `disturb` after.
fn packets(
    mut change: impl FnMut(&mut Vec<Thing>, &mut Vec<Heard>, &mut Vec<Option<EntityId>>),
    mut disturb: impl FnMut(&mut Rig),
) -> Vec<Vec<u8>> {
    let mut rig = Rig::new(TIGHT);
    let mut weather = Dice(77);
    let mut out = Vec::new();
    for tick in 0..400 {
        let (mut things, mut sounds, mut events) = scene(tick);
        change(&mut things, &mut sounds, &mut events);
        (rig.sounds, rig.events) = (sounds, events);
        rig.send(&things);
        out.extend(rig.packets.iter().map(<[u8]>::to_vec));
        for packet in rig.packets.iter() {
            if !weather.falls(30) {
                let _ = rig.replica.receive(packet);
            }
        }
        if !weather.falls(30) {
            rig.acknowledge();
        }
        disturb(&mut rig);
    }
    out
}

#[test]
fn the_order_of_a_frame_means_nothing() {
    let plain = packets(|_, _, _| {}, |_| {});
    assert!(plain.len() > 300);
    for seed in 0..4 {
        let mut dice = Dice(seed);
        let shuffled = packets(
            |things, sounds, events| {
                shuffle(things, &mut dice);
                shuffle(sounds, &mut dice);
                shuffle(events, &mut dice);
            },
            |_| {},
        );
        assert!(plain == shuffled, "seed {seed}");
    }
}

#[test]
fn handles_mean_nothing() {
    let plain = packets(|_, _, _| {}, |_| {});
    // Other handles, in another order, of which many share a slot's chain.
    let other = |entity: EntityId| EntityId::new((200 - entity.index) * 1024, entity.index * 31);
    let renamed = packets(
        |things, sounds, events| {
            for thing in things.iter_mut() {
                thing.entity = other(thing.entity);
                thing.parent = thing.parent.map(other);
                thing.held = thing.held.map(other);
            }
            sounds.iter_mut().for_each(|heard| heard.emitter = heard.emitter.map(other));
            events.iter_mut().for_each(|by| *by = by.map(other));
        },
        |_| {},
    );
    assert!(plain == renamed);
}

#[test]
fn what_other_observers_are_told_changes_nothing() {
    let plain = packets(|_, _, _| {}, |_| {});
    let mut other = Rig::of(ObserverId::new(4, 1), ROOMY);
    let mut with_another = Vec::new();
    let mut rig = Rig::new(TIGHT);
    let mut weather = Dice(77);
    for tick in 0..400 {
        let (things, sounds, events) = scene(tick);
        (rig.sounds, rig.events) = (sounds, events);
        // The other one asks for the same bodies first, from the same cache.
        other.tick = rig.tick;
        std::mem::swap(&mut other.bodies, &mut rig.bodies);
        other.run(&things);
        std::mem::swap(&mut other.bodies, &mut rig.bodies);
        rig.send_with_bodies(&things);
        with_another.extend(rig.packets.iter().map(<[u8]>::to_vec));
        for packet in rig.packets.iter() {
            if !weather.falls(30) {
                let _ = rig.replica.receive(packet);
            }
        }
        if !weather.falls(30) {
            rig.acknowledge();
        }
    }
    assert!(plain == with_another);
    let names = |rig: &Rig| (0..30).filter_map(|i| rig.outbox.name_of(id(i))).collect::<Vec<_>>();
    assert!(names(&rig).iter().all(|name| !names(&other).contains(name)), "names are the observer's own");
}

#[test]
fn false_acknowledgements_are_counted_and_change_nothing() {
    let plain = packets(|_, _, _| {}, |_| {});
    let mut dice = Dice(5);
    let disturbed = packets(
        |_, _, _| {},
        |rig| {
            let schema = rig.policy.schema();
            let last = rig.packets.iter().last().map(|packet| u16::from_le_bytes([packet[2], packet[3]]));
            let old = Ack { sequence: Sequence(0), newest: Sequence(1), earlier: 0 }.to_bytes(schema);
            let mut noise = [0_u8; ACK_BYTES];
            noise.iter_mut().for_each(|byte| *byte = dice.roll(256) as u8);
            let mut never = Ack {
                sequence: Sequence(60_000),
                newest: Sequence(last.unwrap_or(600) + 1 + dice.roll(1000) as u16),
                earlier: u128::MAX,
            };
            for bytes in [&noise[..], &noise[..7], &old[..], &never.to_bytes(schema)[..]] {
                rig.outbox.take_ack(&rig.policy, bytes);
            }
            never.newest = Sequence(0);
            rig.outbox.take_ack(&rig.policy, &never.to_bytes(schema));
        },
    );
    assert!(plain == disturbed);
}

#[test]
fn a_client_that_acknowledges_what_it_never_took_is_told_no_more_than_others() {
    let mut rig = Rig::new(TIGHT);
    for tick in 0..300_u32 {
        let (things, ..) = scene(tick);
        rig.send(&things);
        let Some(last) = rig.packets.iter().last() else { continue };
        let newest = Sequence(u16::from_le_bytes([last[2], last[3]]));
        let all = (1_u128 << (newest.0 - 1).min(127)) - 1;
        let ack = Ack { sequence: Sequence(tick as u16), newest, earlier: all };
        rig.outbox.take_ack(&rig.policy, &ack.to_bytes(rig.policy.schema()));
        for slot in &rig.outbox.courses.slots {
            assert!(
                slot.phase != super::super::Phase::Told || things.iter().any(|t| t.entity == slot.entity),
                "what is not told of is not on its way"
            );
        }
    }
    assert!(rig.replica.is_empty());
}

#[test]
fn sounds_and_events_come_once_in_spite_of_loss_and_name_only_who_is_told() {
    let mut rig = Rig::new(ROOMY);
    let mut weather = Dice(3);
    let (mut sounds, mut events, mut made) = (0, 0, 0);
    let player = thing(1, PLAYER);
    for tick in 0..400_u32 {
        let is_told = (tick / 50).is_multiple_of(2);
        if tick < 350 {
            let by = is_told.then_some(player.entity);
            rig.sounds = vec![Heard { place: [f64::from(tick % 90), 0.0, 0.0], emitter: by }];
            rig.events = vec![by];
            made += 1;
        }
        let things = if is_told { vec![player.clone()] } else { Vec::new() };
        rig.send(&things);
        for packet in rig.packets.iter() {
            if weather.falls(40) {
                continue;
            }
            let changes = rig.replica.receive(packet).unwrap();
            sounds += changes.sounds.len();
            events += changes.events.len();
            for sound in &changes.sounds {
                assert!(rig.tick.since(sound.tick) <= 20, "the tick is the sound's");
                assert!(is_told || sound.emitter.is_none());
            }
        }
        if !weather.falls(40) {
            rig.acknowledge();
        }
    }
    // Each has at least 4 tries of 0.6 within its 20 ticks; a few are lost.
    assert!(sounds <= made && sounds > made * 9 / 10, "{sounds} of {made}");
    assert!(events <= made && events > made * 9 / 10, "{events} of {made}");
    rig.send(&[]);
    (0..40).for_each(|_| _ = rig.send(&[]));
    assert!(rig.packets.is_empty(), "what is too old is told no more");
}
