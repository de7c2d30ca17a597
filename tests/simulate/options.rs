//! Options do what they say.

use crate::simulate;
use fogwall::{
    EntityLine, FollowsLine, KindName, Lag, Lineup, Manner, ObserverLine, Respawn, SimulationOptions,
    TickLine,
};
use std::collections::BTreeMap;

fn options() -> SimulationOptions {
    SimulationOptions {
        lineup: Lineup::Teams(vec![3, 3]),
        seconds: 20.0,
        tick_hz: 64.0,
        ..Default::default()
    }
}

fn players(lines: &[TickLine]) -> impl Iterator<Item = (u32, &EntityLine)> {
    lines.iter().flat_map(|line| {
        line.entities.iter().filter(|entity| entity.class == "player").map(|entity| (line.tick, entity))
    })
}

fn observers(lines: &[TickLine]) -> impl Iterator<Item = (u32, &ObserverLine)> {
    lines.iter().flat_map(|line| line.observers.iter().map(|observer| (line.tick, observer)))
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_does_not() {
    let text = |seed| {
        let options = SimulationOptions { seed, seconds: 5.0, ..options() };
        serde_json::to_string(&simulate("arena_harbour", options).lines).unwrap()
    };
    let first = text(7);
    assert!(first == text(7));
    assert!(first != text(8));
}

#[test]
fn the_dead_come_back_at_a_spawn_of_their_team_or_never() {
    let soon = simulate("door", options());
    assert!(soon.counts.kills > 0 && soon.counts.respawns > 0, "{:?}", soon.counts);
    let mut alive = BTreeMap::new();
    let mut back = 0;
    for (tick, player) in players(&soon.lines) {
        if alive.insert(player.id, player.alive) == Some(false) && player.alive {
            back += 1;
            assert!(player.teleported, "player {} came back in tick {tick} by walking", player.id);
            assert_eq!(player.fields["health"], 100);
        }
    }
    assert_eq!(back, soon.counts.respawns);

    let never = simulate("door", SimulationOptions { respawn: Respawn::Never, ..options() });
    assert!(never.counts.kills > 0 && never.counts.respawns == 0);
    let mut dead = std::collections::BTreeSet::new();
    for (_, player) in players(&never.lines) {
        assert!(!(player.alive && dead.contains(&player.id)), "player {} rose from the dead", player.id);
        if !player.alive {
            dead.insert(player.id);
        }
    }
    assert_eq!(dead.len() as u64, never.counts.kills);
}

#[test]
fn weapons_go_with_their_players_and_stay_behind_when_those_die() {
    let played = simulate("door", options());
    let mut held = std::collections::BTreeSet::new();
    let mut drops = 0;
    for line in &played.lines {
        for weapon in line.entities.iter().filter(|entity| entity.class == "weapon") {
            assert_eq!(weapon.parent, weapon.owner);
            held.insert(weapon.id);
        }
        line.removed.iter().for_each(|gone| {
            held.remove(gone);
        });
        drops += line.entities.iter().filter(|entity| entity.class == "drop").count();
        let alive = line.entities.iter().filter(|entity| entity.class == "player" && entity.alive).count();
        assert_eq!(held.len(), alive, "tick {}", line.tick);
    }
    assert_eq!(drops as u64, played.counts.kills);
}

#[test]
fn spectators_follow_and_casters_are_late() {
    let options = SimulationOptions { spectators: 3, casters: 2, caster_delay_ms: 1500.0, ..options() };
    let played = simulate("door", options);
    let of_kind = |kind| played.header.observers.iter().filter(move |observer| observer.kind == Some(kind));
    assert_eq!(of_kind(KindName::Spectator).count(), 3);
    assert!(of_kind(KindName::Caster).all(|caster| caster.delay_ms == Some(1500.0)));
    assert_eq!(of_kind(KindName::Caster).count(), 2);
    let follows: Vec<_> =
        of_kind(KindName::Spectator).map(|spectator| spectator.follows.clone().unwrap()).collect();
    assert!(follows.iter().any(|follows| matches!(follows, FollowsLine::Team(_))));
    assert!(follows.iter().any(|follows| matches!(follows, FollowsLine::Entity(_))));
    let changes = observers(&played.lines).filter(|(_, line)| line.kind == Some(KindName::Spectator));
    assert_eq!(changes.count(), 6, "each of three turns to somebody else after 8 s and 16 s");
}

#[test]
fn team_changes_change_player_and_observer_in_one_tick() {
    let played = simulate("door", SimulationOptions { team_change_s: Some(3.0), ..options() });
    assert_eq!(played.counts.team_changes, 6);
    let mut teams: BTreeMap<u32, String> = BTreeMap::new();
    let mut changes = Vec::new();
    for (tick, player) in players(&played.lines) {
        let team = player.team.clone().unwrap();
        if teams.insert(player.id, team.clone()).is_some_and(|before| before != team) {
            assert!(player.teleported);
            changes.push((tick, player.id, team));
        }
    }
    let told: Vec<_> = observers(&played.lines)
        .map(|(tick, line)| (tick, line.entity.unwrap(), line.team.clone().unwrap()))
        .collect();
    assert_eq!(changes, told);
    assert_eq!(changes.len(), 6);
}

#[test]
fn teleports_are_announced_and_nothing_else_jumps() {
    let played = simulate("arena_terraces", SimulationOptions { teleport_s: Some(1.0), ..options() });
    assert!(played.counts.teleports > 10);
    let announced = players(&played.lines).filter(|(_, player)| player.teleported).count() as u64;
    // A death and a teleport can't meet: the dead are not teleported.
    assert_eq!(announced, played.counts.teleports + played.counts.respawns);
}

#[test]
fn everyone_for_themselves_has_no_team() {
    let played = simulate("arena_foundry", SimulationOptions { lineup: Lineup::FreeForAll(6), ..options() });
    assert_eq!(played.header.observers.len(), 6);
    assert!(played.header.observers.iter().all(|observer| observer.team.is_none()));
    assert!(players(&played.lines).all(|(_, player)| player.team.is_none()));
    assert!(played.counts.sightings > 0 && played.counts.shots > 0);
}

#[test]
fn adversaries_have_the_round_trips_that_filters_are_judged_by_and_spikes_pass() {
    let options = SimulationOptions { manner: Manner::Adversary, lag: Lag::Spikes, ..options() };
    let played = simulate("corner_peek", options);
    let usual: Vec<f64> = played.header.observers.iter().map(|observer| observer.rtt_ms.unwrap()).collect();
    assert_eq!(usual, [20.0, 60.0, 120.0, 20.0, 60.0, 120.0]);
    let changes: Vec<_> = observers(&played.lines).collect();
    assert!(changes.len() > 4);
    for pair in changes.chunks_exact(2) {
        let [(from, raised), (to, back)] = pair else { unreachable!() };
        assert!(raised.id == back.id && from < to);
        assert_eq!(back.rtt_ms, Some(usual[back.id as usize]));
        assert!(raised.rtt_ms > back.rtt_ms);
    }
}

#[test]
fn doors_begin_closed_open_for_who_comes_and_close_again() {
    let lineup = Lineup::Teams(vec![1, 1]);
    let played = simulate("door", SimulationOptions { lineup, seconds: 60.0, ..options() });
    let moves: Vec<bool> = played.lines.iter().flat_map(|line| &line.doors).map(|door| door.open).collect();
    assert!(moves.len() > 2, "{moves:?}");
    assert!(moves.iter().zip(0..).all(|(open, place)| *open == (place % 2 == 1)), "{moves:?}");
    assert_eq!(played.lines[0].doors.len(), 1);
}

#[test]
fn smokes_fly_stand_for_as_long_as_they_say_and_are_gone() {
    let played = simulate("arena_foundry", SimulationOptions { seconds: 60.0, ..options() });
    assert!(played.counts.smokes > 0);
    let mut clouds: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for line in &played.lines {
        for cloud in &line.occluders {
            clouds.entry(&cloud.id).and_modify(|seen| seen.1 = line.tick).or_insert((line.tick, line.tick));
        }
    }
    assert!(!clouds.is_empty());
    for cloud in played.lines.iter().flat_map(|line| &line.occluders) {
        let (_, last) = clouds[cloud.id.as_str()];
        let end = played.lines.last().unwrap().tick;
        assert_eq!(last, cloud.until_tick.unwrap().min(end));
    }
    let flown =
        played.lines.iter().flat_map(|line| &line.entities).filter(|entity| entity.class == "projectile");
    assert!(flown.count() > 10);
}

#[test]
fn options_that_can_not_be_are_errors() {
    let map = fogwall::Map::load(crate::map_path("door")).unwrap().map;
    let solids = fogwall::Solids::build(&map);
    let cells = fogwall::Cells::build(&map, &solids).unwrap();
    let fails = |options| fogwall::Simulation::new(&map, &solids, &cells, options).is_err();
    assert!(!fails(options()));
    assert!(fails(SimulationOptions { tick_hz: f64::NAN, ..options() }));
    assert!(fails(SimulationOptions { seconds: 0.0, ..options() }));
    assert!(fails(SimulationOptions { lineup: Lineup::Teams(vec![100, 1]), ..options() }));
    let ffa = Lineup::FreeForAll(4);
    assert!(fails(SimulationOptions { lineup: ffa, team_change_s: Some(5.0), ..options() }));
}
