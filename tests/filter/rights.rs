//! Rights: what they give wherever things are, and what they never give.

use crate::common::sources::corpus_map;
use crate::stage::{BLUE, RED, Stage, groups, plays, rules};
use fogwall::{
    Entity, EntityId, Follows, HiddenBy, Level, MatchId, Membership, Mode, Observer, ObserverId,
    ObserverKind, Point2, PresenterReach, Region, Sound, Tick, TopicId, Value, World,
};

/// A high wall between west and east.
fn walled() -> Stage {
    Stage::new(corpus_map("high_wall_hides"), rules(&[]))
}

#[test]
fn a_player_is_told_its_own_entity_and_its_team_and_not_the_enemy_behind_a_wall() {
    let mut stage = walled();
    let [own, mate, enemy] = [
        stage.player(0, RED, (2.0, 6.0, 0.0)),
        stage.player(1, RED, (2.0, 2.0, 0.0)),
        stage.player(2, BLUE, (10.0, 6.0, 0.0)),
    ];
    stage.show(&[own, mate, enemy], &[plays(0, &own), plays(1, &enemy)]);
    assert_eq!(stage.told(0), [(0, Level::Owner), (1, Level::Team)]);
    assert_eq!(stage.field(0, 0, "health").unwrap(), "Int(100)");
    assert_eq!(stage.field(0, 1, "health").unwrap(), "Int(100)");
    assert!(stage.hidden_by(0, 2).is_some_and(HiddenBy::is_geometry));
}

#[test]
fn a_change_of_team_acts_in_its_tick() {
    let mut stage = walled();
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let mate = stage.player(1, RED, (10.0, 6.0, 0.0));
    stage.show(&[own, mate], &[plays(0, &own)]);
    assert!(stage.knows(0, 1));
    stage.show(&[own, Entity { team: BLUE, ..mate }], &[plays(0, &own)]);
    assert!(!stage.knows(0, 1));
    let changed = Observer { team: BLUE, ..plays(0, &own) };
    stage.show(&[own, Entity { team: BLUE, ..mate }], &[changed]);
    assert!(stage.knows(0, 1));
}

#[test]
fn groups_presenters_and_what_is_always_relevant_are_told_through_walls() {
    let mut stage = walled();
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let far = stage.player(1, BLUE, (10.0, 6.0, 0.0));
    let party = Entity { groups: groups(&[4, 9]), ..far };
    stage.show(&[own, party], &[Observer { groups: groups(&[9]), ..plays(0, &own) }]);
    assert_eq!(stage.told(0)[1], (1, Level::Team));
    stage.show(&[own, party], &[Observer { groups: groups(&[5]), ..plays(0, &own) }]);
    assert!(!stage.knows(0, 1));
    stage.filter.switch_presenters(MatchId(0), PresenterReach::Match);
    stage.show(&[own, Entity { presenter: true, ..far }], &[plays(0, &own)]);
    assert_eq!(stage.told(0)[1], (1, Level::Seen));
    let state = Entity {
        values: &[Value::Int(3), Value::Int(60)],
        ..Entity::new(EntityId::new(7, 0), stage.class("match"), far.pos)
    };
    stage.show(&[own, state], &[plays(0, &own)]);
    assert_eq!(stage.field(0, 7, "round").unwrap(), "Int(3)");
}

#[test]
fn another_match_or_phase_is_never_told_not_even_to_a_caster_or_with_the_filter_switched_off() {
    let mut stage = walled();
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let other = Membership { match_id: MatchId(7), ..Membership::default() };
    let phase = Membership { phases: 2, ..Membership::default() };
    let beside = Entity { membership: other, presenter: true, ..stage.player(1, RED, (2.0, 7.0, 0.0)) };
    let later = Entity { membership: phase, ..stage.player(2, RED, (2.0, 5.0, 0.0)) };
    let caster = Observer {
        kind: ObserverKind::Caster { delay_ticks: 0 },
        entity: None,
        ..Observer::player(ObserverId::new(1, 0), own.id, None)
    };
    let in_phase = Membership { phases: 1, ..Membership::default() };
    let player = Observer { membership: in_phase, ..plays(0, &own) };
    stage.filter.switch(MatchId(0), Some(Mode::Open));
    stage.filter.switch_presenters(MatchId(0), PresenterReach::Match);
    stage.show(&[own, beside, later], &[player, Observer { membership: in_phase, ..caster }]);
    for observer in 0..2 {
        assert_eq!(stage.told(observer), [(0, Level::Owner)]);
        assert_eq!(stage.hidden_by(observer, 1), Some(HiddenBy::Interest));
        assert_eq!(stage.hidden_by(observer, 2), Some(HiddenBy::Interest));
    }
}

#[test]
fn a_spectator_knows_what_it_follows_knows_and_no_more() {
    let mut stage = walled();
    let players = [
        stage.player(0, RED, (2.0, 6.0, 0.0)),
        stage.player(1, RED, (2.0, 2.0, 0.0)),
        stage.player(2, BLUE, (10.0, 6.0, 0.0)),
        stage.player(3, BLUE, (10.0, 2.0, 0.0)),
    ];
    let spectator = |index, follows| Observer {
        kind: ObserverKind::Spectator { follows },
        entity: None,
        ..Observer::player(ObserverId::new(index, 0), EntityId::new(99, 0), None)
    };
    let observers = [
        plays(0, &players[0]),
        spectator(1, Follows::Entity(players[0].id)),
        spectator(2, Follows::Team(BLUE.unwrap())),
        plays(3, &players[3]),
        spectator(4, Follows::Entity(EntityId::new(2, 9))),
    ];
    stage.show(&players, &observers);
    assert_eq!(stage.told(0), [(0, Level::Owner), (1, Level::Team)]);
    assert_eq!(stage.told(1), stage.told(0));
    assert_eq!(stage.told(2), [(2, Level::Team), (3, Level::Owner)]);
    assert_eq!(stage.told(4), [], "a stale handle is nobody");
}

#[test]
fn what_is_carried_is_told_with_its_carrier_or_not_at_all() {
    let mut stage = walled();
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let enemy = stage.player(1, BLUE, (10.0, 6.0, 0.0));
    let (mine, theirs) = (stage.weapon(5, &own), stage.weapon(6, &enemy));
    let stolen = Entity { owner: Some(own.id), ..theirs };
    // Children first in the list: order means nothing.
    stage.show(&[mine, theirs, own, enemy], &[plays(0, &own), plays(1, &enemy)]);
    assert_eq!(stage.told(0), [(0, Level::Owner), (5, Level::Owner)]);
    assert_eq!(stage.field(0, 5, "parent").unwrap(), "Some(0)");
    assert_eq!(stage.hidden_by(0, 1), Some(HiddenBy::Parent));
    stage.show(&[mine, stolen, own, enemy], &[plays(0, &own)]);
    assert!(!stage.knows(0, 6), "a right to the carried gives nothing of its carrier's place");
    let in_view =
        Entity { pos: (own.pos.xy() + fogwall::Vector2::new(0.0, 3.0)).to_homogeneous().into(), ..enemy };
    stage.show(&[mine, theirs, own, in_view], &[plays(0, &own)]);
    assert_eq!(stage.told(0), [(0, Level::Owner), (1, Level::Seen), (5, Level::Owner), (6, Level::Seen)]);
    assert_eq!((stage.field(0, 6, "kind").unwrap(), stage.field(0, 6, "ammo")), ("Int(7)".into(), None));
}

#[test]
fn a_carrier_that_is_gone_or_carries_itself_hides_what_it_carries() {
    let mut stage = walled();
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let orphan = Entity { parent: Some(EntityId::new(0, 5)), ..stage.weapon(5, &own) };
    let on_drop = Entity { parent: Some(EntityId::new(5, 0)), ..stage.weapon(6, &own) };
    stage.show(&[own, orphan, on_drop], &[plays(0, &own)]);
    assert_eq!(stage.told(0), [(0, Level::Owner)]);
    assert_eq!([1, 2].map(|place| stage.hidden_by(0, place)), [Some(HiddenBy::Parent); 2]);
}

#[test]
fn a_value_that_does_not_fit_hides_the_entity_from_those_who_would_be_told_it() {
    let mut stage = walled();
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let near = stage.player(1, BLUE, (2.0, 4.0, 0.0));
    let odd: &[Value<'_, EntityId>] = &[Value::Float(f64::NAN)];
    let [own_odd, near_odd] = [own, near].map(|player| Entity { values: odd, ..player });
    stage.show(&[own_odd, near_odd], &[plays(0, &own)]);
    assert_eq!(stage.told(0), [(1, Level::Seen)], "health is told to owners only");
    assert_eq!(stage.hidden_by(0, 0), Some(HiddenBy::Refused));
    assert!(stage.filter.report().unfit > 0);
    stage.show(&[own, Entity { values: &[], ..near }], &[plays(0, &own)]);
    assert_eq!(stage.hidden_by(0, 1), Some(HiddenBy::Refused), "a value is missing");
    let lost = Entity { yaw_deg: f64::INFINITY, ..near };
    stage.show(&[own, lost, near], &[plays(0, &own)]);
    assert_eq!([1, 2].map(|place| stage.hidden_by(0, place)), [Some(HiddenBy::Refused); 2], "listed twice");
}

#[test]
fn a_topic_is_told_to_its_followers_and_a_region_narrows_what_is_of_interest() {
    let mut stage = Stage::new(
        corpus_map("only_what_must_be_there"),
        rules(&[("leave: Never,       // once", "topic: \"damage_numbers\", leave: Never,       // once")]),
    );
    let own = stage.player(0, RED, (1.0, 1.0, 0.0));
    let drop = stage.lying(3, (1.0, 2.0, 0.0));
    let topics = [TopicId(0)];
    stage.show(&[own, drop], &[plays(0, &own)]);
    assert_eq!(stage.hidden_by(0, 1), Some(HiddenBy::Interest));
    stage.show(&[own, drop], &[Observer { topics: &topics, ..plays(0, &own) }]);
    assert!(stage.knows(0, 3));
    let elsewhere = [Region::Box { low: Point2::new(50.0, 50.0), high: Point2::new(60.0, 60.0) }];
    stage.show(&[own, drop], &[Observer { topics: &topics, regions: &elsewhere, ..plays(0, &own) }]);
    assert_eq!(stage.told(0), [(0, Level::Owner)]);
}

#[test]
fn a_reference_names_only_what_the_same_observer_is_told_of() {
    let mut stage = Stage::new(
        corpus_map("high_wall_hides"),
        rules(&[(
            "(name: \"health\", encoding",
            "(name: \"owner\", encoding: Reference, owner: Exact, team: Exact, seen: Exact), (name: \"health\", encoding",
        )]),
    );
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let enemy = stage.player(1, BLUE, (10.0, 6.0, 0.0));
    let mate = Entity { owner: Some(enemy.id), ..stage.player(2, RED, (2.0, 4.0, 0.0)) };
    stage.show(&[own, enemy, mate], &[plays(0, &own), plays(1, &enemy)]);
    assert_eq!(stage.field(0, 2, "owner").unwrap(), "None");
    stage.filter.switch_presenters(MatchId(0), PresenterReach::Streams);
    let told_of = Entity { presenter: true, ..enemy };
    stage.show(&[own, told_of, mate], &[plays(0, &own)]);
    assert_eq!(stage.field(0, 2, "owner").unwrap(), "Some(1)");
}

#[test]
fn shadow_and_open_tell_what_geometry_hides_and_the_shadow_reports_it() {
    let mut stage = walled();
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let enemy = stage.player(1, BLUE, (10.0, 6.0, 0.0));
    stage.filter.switch(MatchId(0), Some(Mode::Shadow));
    stage.show(&[own, enemy], &[plays(0, &own)]);
    assert_eq!(stage.told(0)[1], (1, Level::Seen));
    assert!(stage.hidden_by(0, 1).is_some_and(HiddenBy::is_geometry));
    assert_eq!(stage.view(0).report().shadowed, 1);
    stage.filter.switch(MatchId(0), None);
    stage.show(&[own, enemy], &[plays(0, &own)]);
    assert!(!stage.knows(0, 1));
}

#[test]
fn a_team_mate_inside_a_wall_spots_nobody() {
    let mut stage = walled();
    let own = stage.player(0, RED, (2.0, 2.0, 0.0));
    let enemy = stage.player(2, BLUE, (10.0, 6.0, 0.0));
    // The wall runs along x 6, 0.2 m thick.
    let mate = stage.player(1, RED, (6.0, 6.0, 0.0));
    stage.show(&[own, mate, enemy], &[plays(0, &own)]);
    assert!(!stage.knows(0, 2), "{:?}", stage.told(0));
}

#[test]
fn the_dead_see_and_hear_nothing_by_what_lies_there_of_them() {
    let mut stage = walled();
    let [own, mate, enemy] = [
        stage.player(0, RED, (2.0, 6.0, 0.0)),
        stage.player(1, RED, (10.0, 2.0, 0.0)),
        stage.player(2, BLUE, (2.0, 3.0, 0.0)),
    ];
    let follows = Observer {
        kind: ObserverKind::Spectator { follows: Follows::Entity(own.id) },
        entity: None,
        ..Observer::player(ObserverId::new(1, 0), own.id, None)
    };
    let step = Sound {
        class: stage.rules.sound_id("footstep").unwrap(),
        emitter: Some(enemy.id),
        pos: enemy.pos,
        membership: enemy.membership,
    };
    let mut with = |own: Entity<'_>| {
        let (entities, observers) = ([own, mate, enemy], [plays(0, &own), follows]);
        let sounds = [step];
        let world =
            World { entities: &entities, observers: &observers, sounds: &sounds, ..World::empty(Tick(0)) };
        stage.tick(&world);
        let heard = [0, 1].map(|observer| stage.view(observer).frame().sounds().count());
        ([stage.told(0), stage.told(1)], heard)
    };
    let all = vec![(0, Level::Owner), (1, Level::Team), (2, Level::Seen)];
    assert_eq!(with(own), ([all.clone(), all], [1, 1]));
    let team = vec![(0, Level::Owner), (1, Level::Team)];
    assert_eq!(with(Entity { alive: false, ..own }), ([team.clone(), team], [0, 0]));
}
