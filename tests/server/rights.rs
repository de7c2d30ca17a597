//! Rights and delays at the wire: what an observer may not have is in none of its datagrams.

use crate::client::Client;
use crate::game::{Game, Lists, Setting};
use fogwall::{
    EntityId, Level, MatchId, Membership, Mode, Observer, ObserverId, ObserverKind, Server, TeamId, Threads,
    World,
};

fn caster(delay_ticks: u32) -> Observer<'static> {
    Observer {
        kind: ObserverKind::Caster { delay_ticks },
        ..Observer::player(ObserverId::new(50, 0), EntityId::new(900, 0), None)
    }
}

#[test]
fn a_caster_gets_everything_and_only_after_its_delay() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, 6, 11);
    let mut server = setting.server(Threads::One);
    let mut client = Client::new(&setting, ObserverId::new(50, 0));
    for tick in 0..40 {
        game.step();
        let mut lists = game.lists(&setting);
        lists.observers.push(caster(20));
        server.tick(&lists.world());
        client.take(&mut server);
        assert_eq!(client.replica.is_empty(), tick < 20, "tick {tick}");
    }
    assert_eq!(client.replica.len(), game.lists(&setting).entities.len());
}

#[test]
fn who_stops_casting_and_plays_loses_what_waits() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, 6, 12);
    let mut server = setting.server(Threads::One);
    let mut client = Client::new(&setting, ObserverId::new(50, 0));
    let run = |game: &mut Game, server: &mut Server, client: &mut Client, plays: bool| {
        game.step();
        let mut lists = game.lists(&setting);
        let player = Observer::player(client.id, EntityId::new(901, 0), Some(TeamId(7)));
        lists.observers.push(if plays { player } else { caster(10) });
        server.tick(&lists.world());
        client.take(server);
    };
    for _ in 0..30 {
        run(&mut game, &mut server, &mut client, false);
    }
    assert!(client.levels().contains(&Level::Owner));
    run(&mut game, &mut server, &mut client, true);
    assert_eq!(client.levels(), [Level::Seen], "the match alone: it is told to all");
    assert_eq!(server.report().delayed, 0);
}

#[test]
fn a_change_of_team_takes_the_old_team_away_in_its_tick() {
    let setting = Setting::new("high_wall_hides", &[]);
    let mut game = Game::new(&setting, 8, 21);
    let mut server = setting.server(Threads::One);
    let mut client = Client::new(&setting, ObserverId::new(0, 0));
    let mut lost = 0;
    for tick in 0..60 {
        game.step();
        let mut lists = game.lists(&setting);
        if tick >= 30 {
            lists.entities[0].team = Some(TeamId(5));
            lists.entities[1].team = Some(TeamId(5));
            lists.observers[0].team = Some(TeamId(5));
        }
        server.tick(&lists.world());
        client.take(&mut server);
        if tick < 30 {
            continue;
        }
        let of_team = client.replica.entities().filter(|entity| entity.level() == Level::Team).count();
        assert_eq!(of_team, 0, "tick {tick}");
        if tick == 30 {
            lost = server.report().revoked;
        }
    }
    assert!(lost > 0, "somebody stood behind the wall");
}

#[test]
fn two_matches_in_one_world_know_nothing_of_each_other() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, 8, 31);
    let mut server = setting.server(Threads::One);
    let other = Membership { match_id: MatchId(4), ..Membership::default() };
    let in_other = |lists: &mut Lists<'_>| {
        // The first two players of each team play elsewhere, with their weapons.
        lists.entities.iter_mut().filter(|e| e.id.index < 4 || (8..12).contains(&e.id.index)).for_each(|e| {
            e.membership = other;
        });
        lists.observers.iter_mut().take(4).for_each(|observer| observer.membership = other);
    };
    for _ in 0..30 {
        game.step();
        let mut lists = game.lists(&setting);
        in_other(&mut lists);
        server.tick(&lists.world());
        for observer in &lists.observers {
            for entity in &lists.entities {
                let verdict = server.verdict(observer.id, entity.id).unwrap();
                let shares = observer.membership.shares(entity.membership);
                assert!(shares || verdict.level == Level::Hidden);
            }
        }
    }
}

#[test]
fn the_kill_switch_tells_everything_in_its_match_and_shadow_mode_reports_it() {
    let setting = Setting::new("high_wall_hides", &[]);
    let mut game = Game::new(&setting, 8, 41);
    let mut server = setting.server(Threads::One);
    let hidden = |game: &mut Game, server: &mut Server| {
        game.step();
        let lists = game.lists(&setting);
        server.tick(&lists.world());
        // A team-mate may have spotted them: that is less than seen.
        let pairs = lists.observers.iter().flat_map(|o| lists.entities.iter().map(move |e| (o.id, e)));
        let players = pairs.filter(|(_, entity)| entity.id.index < 8);
        players.filter(|(o, e)| server.verdict(*o, e.id).unwrap().level < Level::Seen).count()
    };
    assert!(hidden(&mut game, &mut server) > 0);
    server.switch(MatchId(0), Some(Mode::Open));
    assert_eq!(hidden(&mut game, &mut server), 0);
    server.switch(MatchId(0), Some(Mode::Shadow));
    assert_eq!(hidden(&mut game, &mut server), 0);
    assert!(server.report().filter.shadowed > 0);
    server.switch(MatchId(0), None);
    assert!(hidden(&mut game, &mut server) > 0);
}

#[test]
fn a_tick_that_is_not_later_is_reported_and_sends_nothing() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, 4, 51);
    let mut server = setting.server(Threads::One);
    game.step();
    let lists = game.lists(&setting);
    server.tick(&lists.world());
    assert!(server.packets(lists.observers[0].id).count() > 0);
    let early = World { tick: lists.tick.before(3), ..lists.world() };
    assert!(server.tick(&early).is_out_of_order);
    assert_eq!(server.packets(lists.observers[0].id).count(), 0);
}

#[test]
fn what_is_not_finite_is_hidden_from_all_and_reported_and_the_rest_goes_on() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, 4, 61);
    let mut server = setting.server(Threads::One);
    for tick in 0..20 {
        game.step();
        let mut lists = game.lists(&setting);
        let broken = lists.entities[2].id;
        if tick >= 10 {
            lists.entities[2].pos.x = f64::NAN;
            lists.observers[3].rtt_ms = &[f64::NAN, f64::INFINITY];
        }
        let report = server.tick(&lists.world());
        assert_eq!(report.refused_entities.len(), usize::from(tick >= 10));
        for observer in &lists.observers {
            let level = |id: EntityId| server.verdict(observer.id, id).unwrap().level;
            assert!(tick < 10 || level(broken) == Level::Hidden, "tick {tick}");
            let own = observer.entity.unwrap();
            assert!(own == broken || level(own) == Level::Owner, "tick {tick}");
        }
    }
}
