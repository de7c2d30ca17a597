//! Geometry: what is told before it is seen, and what is not told.

use crate::common::sources::corpus_map;
use crate::stage::{BLUE, RED, Stage, TICK_MS, plays, rules};
use fogwall::{
    Door, DoorMotion, Entity, EntityId, Event, HiddenBy, Level, Point3, SmokeCloud, Tick, Value, Vector3,
    World,
};

/// From how far behind the corner an enemy that runs out of there is told, for one who stands still.
fn told_from_x_m(stage: &mut Stage, speed_mps: f64) -> f64 {
    let own = stage.player(0, RED, (4.0, 2.0, 0.0));
    let enemy = stage.player(1, BLUE, (11.0, 9.0, 0.0));
    let is_told = |x: f64, stage: &mut Stage| {
        let vel = Vector3::new(-speed_mps, 0.0, 0.0);
        let enemy = Entity { pos: Point3::new(x, enemy.pos.y, 0.0), vel, ..enemy };
        stage.show(&[own, enemy], &[plays(0, &own)]);
        stage.knows(0, 1)
    };
    let places = (0..450).map(|step| 7.0 + 0.01 * f64::from(step));
    places.take_while(|x| is_told(*x, stage)).last().expect("it is told in the open")
}

#[test]
fn an_enemy_in_the_open_is_told_and_one_behind_a_high_wall_is_not() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let near = stage.player(1, BLUE, (2.0, 2.0, 0.0));
    let behind = stage.player(2, BLUE, (10.0, 6.0, 0.0));
    stage.show(&[own, near, behind], &[plays(0, &own)]);
    assert_eq!(stage.told(0), [(0, Level::Owner), (1, Level::Seen)]);
    assert_eq!(stage.hidden_by(0, 2), Some(HiddenBy::Pvs));
    assert_eq!(stage.field(0, 1, "health"), None, "health is not told of what is only seen");
}

#[test]
fn an_enemy_is_told_before_it_can_be_seen_round_a_corner_and_not_from_far_behind_it() {
    let mut stage = Stage::new(corpus_map("corner_peek"), rules(&[]));
    let own = stage.player(0, RED, (5.0, 1.0, 0.0));
    let enemy = stage.player(1, BLUE, (11.0, 11.0, 0.0));
    stage.show(&[own, enemy], &[plays(0, &own)]);
    assert_eq!(stage.hidden_by(0, 1).map(HiddenBy::is_geometry), Some(true));
    // Running north along the wall: told some ticks before the first line is free.
    let (mut told_at, mut seen_at) = (None, None);
    for step in 0..200 {
        let y = 1.0 + 5.0 * f64::from(step) / 60.0;
        let running = Entity { pos: Point3::new(5.0, y, 0.0), vel: Vector3::new(0.0, 5.0, 0.0), ..own };
        stage.show(&[running, enemy], &[plays(0, &own)]);
        if stage.knows(0, 1) {
            told_at.get_or_insert(step);
        }
        let eye = running.pos + Vector3::new(0.0, 0.0, 1.63);
        let free = [0.1, 1.7].iter().any(|up| {
            let to = enemy.pos + Vector3::new(0.0, 0.0, *up);
            stage.baked.solids.blocker(eye, to, fogwall::Mask::Sight, None).is_none()
        });
        if free {
            seen_at.get_or_insert(step);
        }
    }
    let (told_at, seen_at) = (told_at.expect("it is told"), seen_at.expect("it is seen"));
    println!("told at {told_at}, seen at {seen_at}");
    assert!(told_at < seen_at && told_at > 20, "told at {told_at}, seen at {seen_at}");
}

#[test]
fn a_door_hides_while_it_is_shut_and_from_no_one_who_can_open_it() {
    let mut stage = Stage::new(corpus_map("door"), rules(&[]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let enemy = stage.player(1, BLUE, (11.0, 6.0, 0.0));
    let mut with = |own: Entity<'_>, motion| {
        let doors = [Door { index: 0, motion }];
        let (entities, observers) = ([own, enemy], [plays(0, &own)]);
        let world =
            World { entities: &entities, observers: &observers, doors: &doors, ..World::empty(Tick(0)) };
        stage.tick(&world);
        stage.hidden_by(0, 1)
    };
    assert_eq!(with(own, DoorMotion::Open), None);
    assert_eq!(with(own, DoorMotion::Closing), None);
    assert_eq!(with(own, DoorMotion::Closed), None, "a client shows what lies between the two states");
    assert_eq!(with(own, DoorMotion::Closed), Some(HiddenBy::Door));
    assert_eq!(with(own, DoorMotion::Opening), None);
    assert_eq!(with(own, DoorMotion::Closed), None);
    assert_eq!(with(own, DoorMotion::Closed), Some(HiddenBy::Door));
    let at_the_door = Entity { pos: Point3::new(5.0, 6.0, 0.0), ..own };
    assert_eq!(with(at_the_door, DoorMotion::Closed), None);
}

#[test]
fn what_goes_out_of_sight_is_told_for_the_one_tick_in_which_it_does() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let at = |x: f64| Entity { pos: Point3::new(x, 6.0, 0.0), ..own };
    let enemy = stage.player(1, BLUE, (2.0, 3.0, 0.0));
    let behind = Entity { pos: Point3::new(10.0, 6.0, 0.0), ..enemy };
    let mut with = |own: Entity<'_>, enemy: Entity<'_>| {
        stage.show(&[own, enemy], &[plays(0, &own)]);
        stage.knows(0, 1)
    };
    assert!(!with(own, behind), "nothing was in sight before the first tick");
    assert_eq!([with(own, enemy), with(own, behind), with(own, behind)], [true, true, false]);
    assert!(with(own, enemy));
    assert!(!with(own, Entity { teleported: true, ..behind }), "nothing lies between two ends of a teleport");
    assert!(with(own, enemy));
    assert!(!with(Entity { teleported: true, ..at(2.5) }, behind));
    assert!(with(own, enemy));
    let another = EntityId::new(1, 1);
    assert!(!with(own, Entity { id: another, ..behind }), "who has its slot now was not in sight");
}

#[test]
fn smoke_hides_if_it_stands_through_the_lead_and_nothing_from_its_rim() {
    let mut stage = Stage::new(corpus_map("corner_peek"), rules(&[]));
    let own = stage.player(0, RED, (1.0, 10.0, 0.0));
    let enemy = stage.player(1, BLUE, (11.0, 10.0, 0.0));
    let mut with = |own: Entity<'_>, ticks: u32| {
        let until = stage.now().after(1).after(ticks);
        let smokes = [SmokeCloud { center: Point3::new(6.0, 10.0, 1.5), radius_m: 3.6, until }];
        let (entities, observers) = ([own, enemy], [plays(0, &own)]);
        let world =
            World { entities: &entities, observers: &observers, smokes: &smokes, ..World::empty(Tick(0)) };
        stage.tick(&world);
        stage.hidden_by(0, 1)
    };
    assert_eq!(with(own, 100), Some(HiddenBy::Smoke));
    assert_eq!(with(own, 0), None, "it may be gone before the next state is shown");
    assert_eq!(with(Entity { pos: Point3::new(2.6, 10.0, 0.0), ..own }, 100), None);
    assert_eq!(with(own, 100), None, "a client shows what lies between the two states");
    assert_eq!(with(own, 100), Some(HiddenBy::Smoke));
}

#[test]
fn what_a_team_mate_sees_now_is_spotted_coarsely() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let mate = stage.player(1, RED, (10.0, 2.0, 0.0));
    let enemy = stage.player(2, BLUE, (10.0, 9.0, 0.0));
    let weapon = stage.weapon(3, &enemy);
    stage.show(&[own, mate, enemy, weapon], &[plays(0, &own), plays(1, &mate)]);
    assert_eq!(stage.told(0), [(0, Level::Owner), (1, Level::Team), (2, Level::Spotted)]);
    assert_eq!(stage.field(0, 2, "pos").unwrap(), "Vector([10.0, 10.0, 2.0])", "a cell of 4 m");
    assert_eq!((stage.field(0, 2, "yaw"), stage.field(0, 2, "vel")), (None, None));
    assert_eq!(stage.told(1)[2..], [(2, Level::Seen), (3, Level::Seen)]);
    let dead = Entity { alive: false, ..mate };
    stage.show(&[own, dead, enemy, weapon], &[plays(0, &own), plays(1, &mate)]);
    assert!(!stage.knows(0, 2), "the dead see for nobody");
    let until = stage.now().after(100);
    let smokes = [SmokeCloud { center: Point3::new(10.0, 5.5, 1.0), radius_m: 3.0, until }];
    let (entities, observers) = ([own, mate, enemy], [plays(0, &own), plays(1, &mate)]);
    let world =
        World { entities: &entities, observers: &observers, smokes: &smokes, ..World::empty(Tick(0)) };
    stage.tick(&world);
    assert!(!stage.knows(0, 2), "smoke stops a team-mate's eye");
}

#[test]
fn a_relevance_radius_is_left_later_than_it_is_entered() {
    let near = "relevance: (enter_m: 80.0, leave_m: 85.0)";
    let mut stage =
        Stage::new(corpus_map("corner_peek"), rules(&[(near, "relevance: (enter_m: 5.0, leave_m: 6.0)")]));
    let own = stage.player(0, RED, (1.0, 10.0, 0.0));
    let mut at = |x: f64| {
        // Distance counts to the nearest of its body.
        let drop = Entity { radius_m: 0.25, ..stage.lying(1, (x + 0.25, 10.0, 0.0)) };
        stage.show(&[own, drop], &[plays(0, &own)]);
        stage.hidden_by(0, 1)
    };
    assert_eq!(at(6.5), Some(HiddenBy::Radius));
    assert_eq!(at(5.9), None);
    assert_eq!(at(6.9), None);
    assert_eq!(at(7.1), Some(HiddenBy::Radius));
    assert_eq!(at(6.9), Some(HiddenBy::Radius));
}

#[test]
fn a_drop_on_the_floor_is_told_to_who_may_see_it_alone() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let drops = [stage.lying(1, (3.0, 3.0, 0.0)), stage.lying(2, (9.0, 3.0, 0.0))];
    stage.show(&[own, drops[0], drops[1]], &[plays(0, &own)]);
    assert_eq!(stage.told(0), [(0, Level::Owner), (1, Level::Seen)]);
}

#[test]
fn eyes_off_the_cells_are_answered_by_lines_alone() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[]));
    // Launched over the wall, where no cell is.
    let own = Entity { launched: true, ..stage.player(0, RED, (2.0, 6.0, 5.0)) };
    let enemy = stage.player(1, BLUE, (10.0, 6.0, 0.0));
    stage.show(&[own, enemy], &[plays(0, &own)]);
    assert!(stage.knows(0, 1));
}

#[test]
fn an_event_with_a_place_is_told_to_who_may_see_it_and_a_kill_to_all() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let enemy = stage.player(1, BLUE, (10.0, 6.0, 0.0));
    let (decal, kill) = (stage.rules.event_id("decal").unwrap(), stage.rules.event_id("kill").unwrap());
    let about = [own.id, enemy.id];
    let feed = [Value::Int(0), Value::Int(1)];
    let event =
        |class, pos, values| Event { class, about: &about, pos, membership: Default::default(), values };
    let events = [
        event(decal, Some(Point3::new(3.0, 2.0, 0.0)), &[][..]),
        event(decal, Some(Point3::new(9.0, 2.0, 0.0)), &[][..]),
        event(kill, None, &feed[..]),
        event(kill, None, &feed[..1]),
        event(decal, Some(Point3::new(f64::NAN, 2.0, 0.0)), &[][..]),
    ];
    let (entities, observers) = ([own, enemy], [plays(0, &own), plays(1, &enemy)]);
    let world =
        World { entities: &entities, observers: &observers, events: &events, ..World::empty(Tick(0)) };
    stage.tick(&world);
    for (observer, x) in [(0, "3.0"), (1, "9.0")] {
        let told: Vec<String> = stage
            .view(observer)
            .frame()
            .events()
            .map(|told| {
                let (schema, told) = (stage.rules.schema().event(told.get().class).unwrap(), *told.get());
                format!(
                    "{} {:?}",
                    schema.name,
                    schema.layout(told.level).unwrap().value::<()>(0, told.record)
                )
            })
            .collect();
        assert_eq!(told, ["kill Int(0)".to_owned(), format!("decal Vector([{x}, 2.0, 0.0])")]);
    }
}

#[test]
fn what_was_remembered_of_pairs_changes_no_verdict() {
    let map = || corpus_map("corner_peek");
    let mut warm = Stage::new(map(), rules(&[]));
    let own = warm.player(0, RED, (5.0, 1.0, 0.0));
    let enemy = warm.player(1, BLUE, (11.0, 11.0, 0.0));
    for step in 0..60 {
        let y = 1.0 + 0.15 * f64::from(step);
        let moving = Entity { pos: Point3::new(5.0, y, 0.0), vel: Vector3::new(0.0, 9.0, 0.0), ..own };
        let mut cold = Stage::new(map(), rules(&[]));
        warm.show(&[moving, enemy], &[plays(0, &own)]);
        cold.show(&[moving, enemy], &[plays(0, &own)]);
        assert_eq!(warm.told(0), cold.told(0), "at step {step}");
    }
}

#[test]
fn an_enemy_that_runs_is_told_as_much_earlier_as_it_gets_in_its_lead() {
    let mut stage = Stage::new(corpus_map("corner_peek"), rules(&[]));
    let lead_s = f64::from(1 + stage.rules.settings().lead.loss_ticks) * TICK_MS / 1000.0;
    let (stands, runs) = (told_from_x_m(&mut stage, 0.0), told_from_x_m(&mut stage, 6.0));
    println!("told from {stands} m standing, from {runs} m running");
    assert!((runs - stands - 6.0 * lead_s).abs() < 0.05, "told from {stands} m standing, {runs} m running");
}
