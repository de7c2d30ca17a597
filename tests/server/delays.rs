//! Killcams and recordings: what others knew, never before its delay is over, and nothing once one plays again.

use crate::client::Client;
use crate::game::{Game, Setting};
use fogwall::{EntityId, Level, Observer, ObserverId, ObserverKind, TeamId, Threads, Views};
use std::collections::BTreeSet;

const DELAY_TICKS: u32 = 20;

fn delayed(slot: u32, kind: ObserverKind<'_>) -> Observer<'_> {
    let player = Observer::player(ObserverId::new(slot, 0), EntityId::new(900, 0), None);
    Observer { kind, entity: None, ..player }
}

/// Plays with one more observer, who may know what these players knew that long ago.
fn play(kind: ObserverKind<'_>, of: &[usize], seed: u64) {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let (mut game, mut server) = (Game::new(&setting, 6, seed), setting.server(Threads::One));
    let mut client = Client::new(&setting, ObserverId::new(50, 0));
    let mut told: Vec<BTreeSet<u32>> = Vec::new();
    let mut came_late = 0;
    for now in 0..160_usize {
        game.step();
        let mut lists = game.lists(&setting);
        lists.observers.push(delayed(50, kind));
        server.tick(&lists.world());
        client.take(&mut server);
        let frames = of.iter().flat_map(|&place| server.frame(lists.observers[place].id).unwrap().entities());
        told.push(frames.map(|record| record.get().entity.index).collect());
        let held = client.held(&server, &lists);
        let Some(due) = now.checked_sub(DELAY_TICKS as usize) else {
            assert!(client.replica.is_empty(), "tick {now}");
            continue;
        };
        assert!(held.is_superset(&told[due]), "tick {now}: all that was told then");
        let so_far: BTreeSet<u32> = told[..=due].iter().flatten().copied().collect();
        assert!(held.is_subset(&so_far), "tick {now}: something before its time");
        came_late += told[now].difference(&so_far).count();
    }
    assert!(came_late > 0, "somebody came in sight and waited");
}

#[test]
fn a_killcam_is_told_what_the_killer_knew_and_only_after_its_delay() {
    play(ObserverKind::Killcam { of: EntityId::new(1, 0), delay_ticks: DELAY_TICKS }, &[1], 3);
}

#[test]
fn a_recording_of_a_set_is_told_what_each_of_it_knew_and_only_after_its_delay() {
    let set = [EntityId::new(1, 0), EntityId::new(4, 0)];
    play(ObserverKind::Demo { views: Views::Of(&set), delay_ticks: DELAY_TICKS }, &[1, 4], 4);
}

#[test]
fn a_recording_of_all_holds_everything_and_only_after_its_delay() {
    let setting = Setting::new("high_wall_hides", &[]);
    let (mut game, mut server) = (Game::new(&setting, 6, 5), setting.server(Threads::One));
    let mut client = Client::new(&setting, ObserverId::new(50, 0));
    for now in 0..60 {
        game.step();
        let mut lists = game.lists(&setting);
        lists.observers.push(delayed(50, ObserverKind::Demo { views: Views::All, delay_ticks: DELAY_TICKS }));
        server.tick(&lists.world());
        client.take(&mut server);
        let all = if now < DELAY_TICKS { 0 } else { lists.entities.len() };
        assert_eq!(client.replica.len(), all, "tick {now}");
    }
}

#[test]
fn who_plays_again_after_a_killcam_keeps_nothing_of_it_and_gets_nothing_of_what_waits() {
    let setting = Setting::new("high_wall_hides", &[]);
    let (mut game, mut server) = (Game::new(&setting, 8, 6), setting.server(Threads::One));
    let mut client = Client::new(&setting, ObserverId::new(50, 0));
    let mut knew = 0;
    for now in 0..90 {
        game.step();
        let mut lists = game.lists(&setting);
        let killcam = ObserverKind::Killcam { of: EntityId::new(1, 0), delay_ticks: DELAY_TICKS };
        // A team of its own, and no entity: nothing but the match is told to it.
        let plays = Observer::player(client.id, EntityId::new(901, 0), Some(TeamId(7)));
        lists.observers.push(if now < 60 { delayed(50, killcam) } else { plays });
        server.tick(&lists.world());
        client.take(&mut server);
        if now == 59 {
            knew = client.replica.len();
        } else if now >= 60 {
            assert_eq!(client.levels(), [Level::Seen], "tick {now}: the match alone");
            assert_eq!(server.report().delayed, 0);
        }
    }
    assert!(knew > 5);
}

#[test]
fn a_killcam_that_turns_to_another_keeps_nothing_of_the_first_and_waits_again() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let (mut game, mut server) = (Game::new(&setting, 6, 7), setting.server(Threads::One));
    let mut client = Client::new(&setting, ObserverId::new(50, 0));
    for now in 0..100 {
        game.step();
        let mut lists = game.lists(&setting);
        let of = EntityId::new(if now < 50 { 1 } else { 2 }, 0);
        lists.observers.push(delayed(50, ObserverKind::Killcam { of, delay_ticks: DELAY_TICKS }));
        server.tick(&lists.world());
        client.take(&mut server);
        let waits = now < DELAY_TICKS || (50..50 + DELAY_TICKS).contains(&now);
        assert_eq!(client.replica.is_empty(), waits, "tick {now}");
    }
}
