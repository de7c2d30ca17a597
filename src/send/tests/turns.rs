//! Whose turn it is when not all have room: near ones more often, and nobody never.

use super::*;
use crate::wire::{Contents, Message, PacketReader};

/// Which entities the last tick's datagrams told of.
pub(super) fn told(rig: &Rig) -> Vec<NetRef> {
    let mut names = Vec::new();
    let mut contents = Contents::default();
    for packet in rig.packets.iter() {
        let mut reader = PacketReader::new(rig.policy.schema(), packet).unwrap();
        while let Some(message) = reader.read(&mut contents).unwrap() {
            if let Message::Enter(head) | Message::Update(head, _) = message {
                names.push(head.net);
            }
        }
    }
    names
}

/// Runs `ticks` in which everything moves all the time; per thing how often it was told and the longest wait.
fn shares(rig: &mut Rig, things: &mut [Thing], ticks: u32) -> Vec<(u32, u32)> {
    let mut shares = vec![(0, 0); things.len()];
    let mut last = vec![0; things.len()];
    for tick in 1..=ticks {
        for thing in things.iter_mut() {
            thing.pos[1] = f64::from(tick % 199);
        }
        rig.run(things);
        let told = told(rig);
        for (index, thing) in things.iter().enumerate() {
            if rig.outbox.name_of(thing.entity).is_some_and(|name| told.contains(&name)) {
                shares[index].0 += 1;
                last[index] = tick;
            }
            shares[index].1 = shares[index].1.max(tick - last[index]);
        }
    }
    shares
}

#[test]
fn of_fifty_with_room_for_five_near_ones_are_told_more_often_and_none_starves() {
    // An update of a place takes 14 bytes, a head 10.
    let sending = "budget_bytes: 80, bytes_per_second: 8000, burst_bytes: 80, mtu_bytes: 80, padding: None";
    let mut rig = Rig::new(sending);
    let mut things: Vec<Thing> =
        (0..50).map(|i| Thing { distance_m: f64::from(i) * 2.0, ..thing(i, PLAYER) }).collect();
    let shares = shares(&mut rig, &mut things, 600);
    let total: u32 = shares.iter().map(|(count, _)| count).sum();
    assert!((600 * 4..=600 * 6).contains(&total), "{total}");
    let [near, far] = [&shares[..10], &shares[40..]].map(|part| part.iter().map(|(n, _)| n).sum::<u32>());
    assert!(near > far * 2, "near {near}, far {far}");
    // T = n/k · (2 + G/g · ln T), with n/k = 50/4, G = 5 at 0 m, g = 1 + 4·10/(10 + 98).
    let bound = bound(50.0 / 4.0, 5.0 / (1.0 + 40.0 / 108.0));
    for (index, (count, wait)) in shares.iter().enumerate() {
        assert!(*count > 10 && f64::from(*wait) <= bound, "{index}: {count} times, waited {wait} of {bound}");
    }
}

/// The longest wait by the law of turns.
fn bound(turns: f64, ratio: f64) -> f64 {
    (0..50).fold(100.0, |ticks: f64, _| turns * (2.0 + ratio * ticks.ln()))
}

#[test]
fn five_thousand_through_one_datagram_are_all_told_within_the_bound() {
    let sending =
        "budget_bytes: 1200, bytes_per_second: 200000, burst_bytes: 1200, mtu_bytes: 1200, padding: None";
    let mut rig = Rig::new(sending);
    let mut things: Vec<Thing> =
        (0..5000).map(|i| Thing { distance_m: f64::from(i % 90), ..thing(i, PLAYER) }).collect();
    // At least 70 of up to 17 bytes have room in a tick.
    let bound = bound(5000.0 / 70.0, 5.0 / (1.0 + 40.0 / 100.0));
    let shares = shares(&mut rig, &mut things, 500);
    let longest = shares.iter().map(|(_, wait)| *wait).max().unwrap();
    assert!(shares.iter().all(|(count, _)| *count > 0), "some were never told");
    assert!(f64::from(longest) <= bound, "{longest} of {bound} ticks");
}

#[test]
fn a_flood_of_what_is_new_delays_no_enemy_that_is_known() {
    let sending =
        "budget_bytes: 400, bytes_per_second: 40000, burst_bytes: 400, mtu_bytes: 400, padding: None";
    let mut rig = Rig::new(sending);
    let enemies: Vec<Thing> = (0..5).map(|i| thing(i, PLAYER)).collect();
    rig.run(&enemies);
    let mut things = enemies;
    things.extend((10..600).map(|i| thing(i, DROP)));
    for tick in 0..60 {
        things[..5].iter_mut().for_each(|enemy| enemy.pos[0] = f64::from(tick));
        let report = rig.run(&things);
        assert!(report.deferred > 100 || tick > 8);
        assert!(things[..5].iter().all(|enemy| rig.check(enemy).is_ok()), "tick {tick}");
    }
    let next = Thing { pos: [9.0; 3], ..thing(7, PLAYER) };
    things.push(next.clone());
    rig.run(&things);
    assert!(rig.check(&next).is_ok(), "one that comes into sight is told at once");
    for _ in 0..200 {
        rig.run(&things);
    }
    rig.assert_holds(&things);
}

#[test]
fn far_ones_are_told_by_their_step_and_not_all_in_the_same_tick() {
    let mut rig = Rig::new(ROOMY);
    let mut things: Vec<Thing> = (0..64).map(|i| Thing { distance_m: 80.0, ..thing(i, DROP) }).collect();
    rig.run(&things);
    let mut per_tick = Vec::new();
    let mut times = vec![0; 64];
    for tick in 1..=80 {
        things.iter_mut().for_each(|thing| thing.pos[1] = f64::from(tick % 199));
        rig.run(&things);
        let told = told(&rig);
        per_tick.push(told.len());
        (0..64).for_each(|i| times[i as usize] += i32::from(told.contains(&rig.name(i))));
    }
    assert!(times.iter().all(|times| (9..=11).contains(times)), "{times:?}");
    assert!(per_tick[8..].iter().all(|count| (1..=24).contains(count)), "{per_tick:?}");
}
