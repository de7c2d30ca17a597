//! What is told grows at once: whole states have a budget of their own, and enemies in sight don't wait for it.

use super::*;

/// Ten whole states of props, of 13 bytes each with their heads, have room in a tick.
const SPREAD: &str = "budget_bytes: 1200, bytes_per_second: 1000000, burst_bytes: 20000, mtu_bytes: 1200, padding: None, \
     enter_bytes: 130";

fn at(index: u32, class: ClassId, distance_m: f64) -> Thing {
    Thing { distance_m, ..thing(index, class) }
}

/// Bits that the whole state of a thing takes, in a datagram of its own.
fn bits(class: ClassId) -> u64 {
    let mut rig = Rig::new(ROOMY);
    rig.run(&[thing(0, class)]).initial_bits
}

#[test]
fn props_are_spread_over_ticks_nearest_first_while_enemies_come_at_once_and_updates_go_on() {
    let mut rig = Rig::new(SPREAD);
    let mut enemies: Vec<Thing> = (0..5).map(|i| at(i, PLAYER, 20.0)).collect();
    rig.run(&enemies);
    // A door opens: six more enemies, and 300 props, the nearest last in the list.
    enemies.extend((10..16).map(|i| at(i, PLAYER, 60.0)));
    let props: Vec<Thing> = (0..300).map(|i| at(100 + i, PROP, 400.0 - f64::from(i))).collect();
    let most = 130 * 8 + bits(PROP);
    let (mut told, mut before) = (0, 300);
    for tick in 0.. {
        enemies.iter_mut().for_each(|enemy| enemy.pos[0] = f64::from(tick));
        let all: Vec<Thing> = enemies.iter().chain(&props).cloned().collect();
        let report = rig.run(&all);
        for enemy in &enemies {
            rig.check(enemy).unwrap_or_else(|why| panic!("tick {tick}: {why}"));
        }
        let of_enemies = if tick == 0 { 6 * bits(PLAYER) } else { 0 };
        assert!(report.initial_bits <= most + of_enemies, "tick {tick}: {report:?}");
        // The nearest are told, the others wait.
        let now = props.iter().rev().take_while(|prop| rig.check(prop).is_ok()).count();
        assert!(props.iter().rev().skip(now).all(|prop| rig.outbox.name_of(prop.entity).is_none()));
        assert_eq!(report.queued, 300 - now as u64, "tick {tick}");
        assert!(now >= told + 8 || now == 300, "tick {tick}: {now} after {told}");
        assert!(report.queued < before || now == 300);
        let waits = if now == 300 { 0 } else { tick + 1 };
        assert!((waits..=waits + waits / 4).contains(&report.ages.percentile(100)), "tick {tick}");
        (told, before) = (now, report.queued);
        if now == 300 {
            break;
        }
    }
    rig.run(&[]);
}

#[test]
fn a_crowd_of_enemies_waits_for_bytes_alone_nearest_first_and_the_known_one_is_told_every_tick() {
    let mut rig = Rig::new(SPREAD);
    let mut known = at(0, PLAYER, 90.0);
    rig.run(std::slice::from_ref(&known));
    let crowd: Vec<Thing> = (1..=100).map(|i| at(i, PLAYER, f64::from(i))).collect();
    let props: Vec<Thing> = (0..50).map(|i| at(500 + i, PROP, 5.0)).collect();
    let least = (1200 - 400) * 8 / bits(PLAYER);
    let mut told = 0;
    for tick in 0..8 {
        known.pos[0] = f64::from(tick);
        let all: Vec<Thing> = crowd.iter().chain(&props).chain([&known]).cloned().collect();
        rig.run(&all);
        assert!(rig.check(&known).is_ok(), "tick {tick}");
        let now = crowd.iter().filter(|enemy| rig.check(enemy).is_ok()).count();
        let nearest = crowd.iter().take_while(|enemy| rig.check(enemy).is_ok()).count();
        assert_eq!(now, nearest, "tick {tick}: nearest first");
        assert!(now == 100 || now as u64 >= told as u64 + least, "tick {tick}: {now} after {told}");
        let of_props = props.iter().filter(|prop| rig.check(prop).is_ok()).count();
        assert!(of_props > tick as usize, "others go on too: {of_props} in tick {tick}");
        told = now;
    }
    assert_eq!(told, 100);
}

#[test]
fn a_whole_state_larger_than_its_budget_is_told_all_the_same() {
    let sending = SPREAD.replace("enter_bytes: 130", "enter_bytes: 1");
    let mut rig = Rig::new(&sending);
    let props: Vec<Thing> = (0..20).map(|i| at(i, PROP, f64::from(i))).collect();
    for tick in 1..=20 {
        assert_eq!(rig.run(&props).entered, 1, "tick {tick}");
    }
    rig.assert_holds(&props);
}
