//! What a tick is told to have come to: bytes beside what they would be unfiltered, rates, times and warnings.

use crate::client::Client;
use crate::game::{Dice, Game, Setting};
use fogwall::{
    Entity, EntityId, GroupId, MatchId, Membership, Observer, ObserverId, Point3, PresenterReach, TeamId,
    Threads, Tick, TickWarning, Value, World,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Objects of 16 numbers of 32 bits: 64 bytes.
fn objects_of_64_bytes() -> Setting {
    let number = |i: u32| {
        format!(
            "(name: \"n{i}\", encoding: Int(min: 0, max: 4294967295), seen: Exact, team: Exact, owner: Exact),"
        )
    };
    let fields: String = (0..16).map(number).collect();
    let object = format!(
        "classes: [(name: \"object\", fields: [{fields}],
        grants: (own: Hidden, owned: Hidden, team: Hidden, group: Hidden, presenter: Hidden, always: Hidden),
        sight: Always, relevance: (enter_m: 100.0, leave_m: 110.0), motion: Still, priority: (base: 1.0)),"
    );
    let roomy = [
        (
            "budget_bytes: 1200, bytes_per_second: 60000, burst_bytes: 6000",
            "budget_bytes: 8000, bytes_per_second: 1000000, burst_bytes: 8000",
        ),
        ("enter_bytes: 600", "enter_bytes: 8000"),
        ("classes: [", &object),
    ];
    Setting::new("only_what_must_be_there", &roomy)
}

#[test]
fn a_thousand_objects_of_which_eighty_are_relevant_cost_what_eighty_do() {
    let setting = objects_of_64_bytes();
    let mut server = setting.server(Threads::One);
    let mut client = Client::new(&setting, ObserverId::new(0, 0));
    let class = |name: &str| setting.rules.class_id(name).unwrap();
    let hz = 20;
    let mut steady_bits = 0;
    for tick in 0..3 * hz {
        // In the last second half of them are away.
        let near = if tick < 2 * hz { 80 } else { 40 };
        let values: Vec<Value<'_, EntityId>> =
            (0..16).map(|i| Value::Int(i64::from(tick) * 1_000_003 + i)).collect();
        let object = |index: u32| {
            let x = if index <= near { f64::from(index) } else { 400.0 };
            Entity {
                values: &values,
                ..Entity::new(EntityId::new(index, 0), class("object"), Point3::new(x, 1.0, 0.0))
            }
        };
        let entities: Vec<Entity<'_>> = (1..=1000).map(object).collect();
        // The distance is that from the first one.
        let observers = [Observer::player(client.id, entities[0].id, Some(TeamId(0)))];
        let world = World { entities: &entities, observers: &observers, ..World::empty(Tick(tick)) };
        let report = server.tick(&world);
        assert_eq!(report.unfiltered_bits / 8 * u64::from(hz), 1_280_000, "bytes a second, unfiltered");
        assert_eq!(
            report.disclosed_bits / 8 * u64::from(hz),
            u64::from(near) * 64 * 20,
            "bytes a second, of the {near} relevant ones"
        );
        assert_eq!(report.filter.relevant(), u64::from(near));
        client.take(&mut server);
        let of_observer = server.observer_report(client.id).unwrap();
        assert_eq!(of_observer.disclosed_bits, server.report().disclosed_bits);
        if (hz..2 * hz).contains(&tick) {
            steady_bits += of_observer.send.steady_bits;
            assert_eq!(of_observer.send.initial_bits, 0, "tick {tick}");
        }
    }
    // On the wire each has a name, a class and a mask beside its 64 bytes.
    let bytes = steady_bits / 8;
    assert!((102_400..102_400 * 5 / 4).contains(&bytes), "{bytes} bytes of updates in a second");
    assert_eq!(client.replica.len(), 40);
}

#[test]
fn the_reports_of_observers_add_up_to_that_of_the_tick() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, 6, 17);
    let mut server = setting.server(Threads::One);
    let mut clients: Vec<Client> = (0..6).map(|i| Client::new(&setting, ObserverId::new(i, 0))).collect();
    let mut entered = 0.0;
    for _ in 0..80 {
        game.step();
        let lists = game.lists(&setting);
        server.tick(&lists.world());
        clients.iter_mut().for_each(|client| client.take(&mut server));
        let of_each: Vec<_> =
            clients.iter().map(|client| server.observer_report(client.id).unwrap()).collect();
        let report = server.report();
        let sum = |of: fn(&fogwall::ObserverReport) -> u64| of_each.iter().map(of).sum::<u64>();
        assert_eq!(sum(|of| of.filter.relevant()), report.filter.relevant());
        assert_eq!(sum(|of| of.send.initial_bits), report.send.initial_bits);
        assert_eq!(sum(|of| of.send.steady_bits), report.send.steady_bits);
        assert_eq!(sum(|of| of.send.entered), report.send.entered);
        assert_eq!(sum(|of| of.send.ages.len()), report.send.ages.len());
        assert_eq!(sum(|of| of.unfiltered_bits), report.unfiltered_bits);
        assert!(report.disclosed_bits <= report.unfiltered_bits * 2 && report.disclosed_bits > 0);
        entered = report.entered_per_s;
        assert!((of_each.iter().map(|of| of.entered_per_s).sum::<f64>() - entered).abs() < 1e-9);
    }
    assert!(entered < 200.0, "{entered} entries a second");
    assert!(server.observer_report(ObserverId::new(77, 0)).is_none());
}

static NOW_NS: AtomicU64 = AtomicU64::new(0);

/// A clock that goes on by a microsecond each time it is asked.
fn clock() -> u64 {
    NOW_NS.fetch_add(1_000, Ordering::Relaxed)
}

#[test]
fn times_are_told_by_the_host_s_clock_alone() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, 4, 18);
    let mut server = setting.server(Threads::One);
    let mut times = |clock: Option<fn() -> u64>| {
        game.step();
        server.use_clock(clock);
        let lists = game.lists(&setting);
        let times = server.tick(&lists.world()).times;
        [times.world_ns, times.filter_ns, times.send_ns]
    };
    assert_eq!(times(None), [0; 3]);
    assert_eq!(times(Some(clock)), [4_000, 4_000, 4_000], "filing is a part of the first");
    assert_eq!(times(None), [0; 3]);
}

#[test]
fn more_than_three_presenters_or_fifty_groups_of_a_match_are_warned_of() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, 6, 19);
    let mut server = setting.server(Threads::One);
    let ids: Vec<GroupId> = (0..60).map(GroupId).collect();
    let mut warnings = |presenters: usize, groups: usize, reach: PresenterReach| {
        game.step();
        let mut lists = game.lists(&setting);
        lists.entities.iter_mut().take(presenters).for_each(|entity| entity.presenter = true);
        let [of_entity, of_observer] = [&ids[..groups / 2], &ids[groups / 2..groups]];
        lists.entities[3].groups = of_entity;
        lists.entities[4].groups = of_entity;
        lists.observers[1].groups = of_observer;
        server.switch_presenters(MatchId(0), reach);
        server.tick(&lists.world()).warnings.clone()
    };
    let match_id = MatchId(0);
    assert_eq!(warnings(3, 50, PresenterReach::Match), []);
    assert_eq!(warnings(4, 50, PresenterReach::Match), [TickWarning::Presenters { match_id, count: 4 }]);
    assert_eq!(warnings(4, 50, PresenterReach::Off), [], "the marks mean nothing");
    assert_eq!(warnings(0, 51, PresenterReach::Off), [TickWarning::Groups { match_id, count: 51 }]);
    assert_eq!(warnings(0, 0, PresenterReach::Off), [], "groups without members are gone");
}

#[test]
fn what_changed_alone_is_counted_and_comes_to_the_same() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let class = |name: &str| setting.rules.class_id(name).unwrap();
    let mut servers = [setting.server(Threads::One), setting.server(Threads::One)];
    servers.iter_mut().for_each(|server| server.switch_presenters(MatchId(1), PresenterReach::Match));
    let ids: Vec<GroupId> = (0..120).map(GroupId).collect();
    let mut dice = Dice(77);
    let drop: [Value<'_, EntityId>; 1] = [Value::Int(3)];
    let mut entities: Vec<Entity<'_>> = Vec::new();
    let (mut warned, mut counted) = (0, 0);
    for tick in 0..300 {
        let mut changed = Vec::new();
        if dice.roll(4) == 0 {
            entities.truncate(dice.roll(60) as usize);
        }
        for (place, entity) in entities.iter_mut().enumerate() {
            if dice.roll(8) > 0 {
                continue;
            }
            changed.push(place as u32);
            entity.pos.x = dice.share() * 8.0;
            entity.membership.match_id = MatchId(dice.roll(3) as u32);
            entity.presenter = dice.roll(4) == 0;
            let from = dice.roll(100) as usize;
            entity.groups = if dice.roll(3) == 0 { &ids[from..from + 8] } else { &[] };
            entity.id.generation += dice.roll(2) as u32;
        }
        for index in entities.len()..entities.len() + dice.roll(9) as usize {
            let id = EntityId::new(index as u32, tick * 300);
            entities
                .push(Entity { values: &drop, ..Entity::new(id, class("drop"), Point3::new(2.0, 2.0, 0.0)) });
        }
        let observers = [0, 1, 2].map(|index| {
            let observer = Observer::player(ObserverId::new(index, 0), EntityId::new(9_999, 0), None);
            Observer { membership: Membership { match_id: MatchId(index), phases: u32::MAX }, ..observer }
        });
        let world = World { entities: &entities, observers: &observers, ..World::empty(Tick(tick)) };
        let [all, part] = &mut servers;
        let all = all.tick(&world).clone();
        let part = part.tick(&World { changed: Some(&changed), ..world });
        assert_eq!(all.unfiltered_bits, part.unfiltered_bits, "tick {tick}");
        assert_eq!(all.warnings, part.warnings, "tick {tick}");
        (warned, counted) = (warned + all.warnings.len(), counted + all.unfiltered_bits);
    }
    assert!(warned > 20 && counted > 0, "{warned} warnings, {counted} bits");
}
