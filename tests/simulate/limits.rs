//! What every motion keeps to, on every map.

use crate::checker::Checker;
use crate::{ARENAS, Match, effort, map_path, simulate};
use fogwall::{Lineup, Manner, SimulationOptions};

/// Plays and checks a match; gives also for how many ticks of a bot it was in the air.
fn check(name: &str, options: SimulationOptions) -> (Match, u64) {
    let tick_hz = options.tick_hz;
    let played = simulate(name, options);
    let mut checker = Checker::new(&played.map, tick_hz);
    played.lines.iter().for_each(|line| checker.take(line));
    let first: Vec<_> = checker.faults.iter().take(5).collect();
    assert!(first.is_empty(), "{name}: {} faults of {}: {first:#?}", checker.faults.len(), checker.checked);
    assert!(checker.checked > 0);
    let airborne = checker.airborne;
    (played, airborne)
}

#[test]
fn every_bot_keeps_the_limits_on_every_map_at_every_tick() {
    let folder = map_path("x").with_file_name("");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| name != "rules" && !name.starts_with("arena"))
        .collect();
    names.sort();
    assert!(names.len() > 30);
    for name in names {
        for (manner, tick_hz) in [(Manner::Match, 128.0), (Manner::Adversary, 64.0)] {
            let lineup = Lineup::Teams(vec![2, 2]);
            let seconds = 5.0 * effort();
            check(&name, SimulationOptions { lineup, seconds, tick_hz, manner, ..Default::default() });
        }
    }
}

#[test]
fn every_bot_keeps_the_limits_on_the_arenas_and_they_meet_and_die() {
    for (name, seed) in ARENAS.into_iter().zip(7..) {
        for manner in [Manner::Match, Manner::Adversary] {
            let options = SimulationOptions { seconds: 20.0 * effort(), seed, manner, ..Default::default() };
            let (played, airborne) = check(name, options);
            let counts = played.counts;
            // Adversaries' shots do little, so that they live to move.
            let is_fought = counts.kills > 0 || manner == Manner::Adversary && counts.shots > 50;
            assert!(counts.sightings > 20 && is_fought, "{name}: {counts:?}");
            if manner == Manner::Adversary {
                assert!(counts.leaps > 5 && counts.crouches > 10 && airborne > 100, "{name}: {counts:?}");
            }
            let events = played.lines.iter().flat_map(|line| &line.events);
            assert_eq!(events.filter(|event| event.class == "kill").count() as u64, counts.kills);
        }
    }
}

#[test]
fn an_adversary_comes_to_full_speed_and_reverses_as_hard_as_it_can() {
    let options = SimulationOptions { seconds: 10.0, manner: Manner::Adversary, ..Default::default() };
    let played = simulate("arena_foundry", options);
    let player = played.map.player;
    let mut last = std::collections::BTreeMap::new();
    let (mut fast, mut hard) = (0, 0);
    for line in played.lines.iter().flat_map(|line| &line.entities).filter(|line| line.class == "player") {
        let vel = fogwall::Vector2::new(line.vel[0], line.vel[1]);
        if let Some(before) = last.insert(line.id, vel) {
            fast += u32::from(vel.norm() > 0.99 * player.max_speed);
            let change: fogwall::Vector2 = vel - before;
            hard += u32::from(change.norm() > 0.98 * player.max_accel / 128.0 && vel.dot(&change) < 0.0);
        }
    }
    assert!(fast > 300 && hard > 300, "{fast} ticks at full speed, {hard} of hardest braking");
}
