//! Sounds: who hears them, and how finely their place is told.

use crate::common::sources::corpus_map;
use crate::stage::{BLUE, RED, Stage, plays, rules};
use fogwall::{Entity, EntityId, Level, Point3, Sound, SoundRecord, Tick, World};

/// What an observer hears, as (band, emitter, place).
fn heard(stage: &Stage, observer: usize) -> Vec<(u8, Option<EntityId>, String)> {
    let tell = |told: SoundRecord<'_>| {
        let coding = *stage.rules.schema().sound(told.class).unwrap().band(told.band).unwrap();
        (told.band, told.emitter, format!("{:?}", coding.value::<()>(told.place)))
    };
    stage.view(observer).frame().sounds().map(|told| tell(*told.get())).collect()
}

fn step(stage: &Stage, emitter: &Entity<'_>) -> Sound {
    let class = stage.rules.sound_id("footstep").unwrap();
    Sound { class, emitter: Some(emitter.id), pos: emitter.pos, membership: emitter.membership }
}

fn sound(stage: &mut Stage, entities: &[Entity<'_>], sounds: &[Sound]) {
    let observers = [plays(0, &entities[0])];
    stage.tick(&World { entities, observers: &observers, sounds, ..World::empty(Tick(0)) });
}

#[test]
fn a_hidden_emitter_is_heard_on_the_worlds_grid_and_not_named() {
    let mut stage = Stage::new(corpus_map("sound_curtain"), rules(&[]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let enemy = stage.player(1, BLUE, (9.3, 6.2, 0.0));
    let steps = [step(&stage, &enemy)];
    sound(&mut stage, &[own, enemy], &steps);
    assert!(!stage.knows(0, 1));
    assert_eq!(heard(&stage, 0), [(1, None, "Vector([9.0, 7.0, 1.0])".to_owned())]);
    // Anywhere else in the same cell of the grid it tells the same.
    let beside = Entity { pos: Point3::new(9.9, 6.9, 0.0), ..enemy };
    let steps = [step(&stage, &beside)];
    sound(&mut stage, &[own, beside], &steps);
    assert_eq!(heard(&stage, 0), [(1, None, "Vector([9.0, 7.0, 1.0])".to_owned())]);
}

#[test]
fn an_emitter_in_sight_is_named_and_told_finely() {
    let mut stage = Stage::new(corpus_map("corner_peek"), rules(&[]));
    let own = stage.player(0, RED, (2.0, 10.0, 0.0));
    let enemy = stage.player(1, BLUE, (9.3, 10.0, 0.0));
    let steps = [step(&stage, &enemy), step(&stage, &own)];
    sound(&mut stage, &[own, enemy], &steps);
    let told = heard(&stage, 0);
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|(band, emitter, _)| *band == 3 && emitter.is_some()), "{told:?}");
}

#[test]
fn a_step_on_the_other_side_of_a_wall_is_as_far_as_the_walk() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[]));
    let own = stage.player(0, RED, (5.0, 6.0, 0.0));
    let enemy = stage.player(1, BLUE, (7.0, 6.0, 0.0));
    let steps = [step(&stage, &enemy)];
    sound(&mut stage, &[own, enemy], &steps);
    assert_eq!(heard(&stage, 0), [], "no way leads there");
    let class = stage.rules.sound_id("gunshot").unwrap();
    let shots = [Sound { class, ..steps[0] }];
    sound(&mut stage, &[own, enemy], &shots);
    assert_eq!(heard(&stage, 0).len(), 1, "a shot is heard through walls");
    let other = fogwall::Membership { match_id: fogwall::MatchId(3), ..Default::default() };
    let elsewhere = [Sound { membership: other, ..shots[0] }];
    sound(&mut stage, &[own, enemy], &elsewhere);
    assert_eq!(heard(&stage, 0), [], "another match is not heard");
}

#[test]
fn a_class_that_makes_itself_heard_is_told_as_its_rules_say() {
    let heard_pos =
        "(name: \"pos\", encoding: Position(step_m: 0.01), owner: Exact, team: Exact, seen: Exact),";
    let with = heard_pos.replace("seen: Exact", "seen: Exact, spotted: Grid(8.0), heard: Grid(8.0)");
    let mut stage = Stage::new(
        corpus_map("sound_curtain"),
        rules(&[(heard_pos, &with), ("motion: Free(", "audible: \"footstep\", motion: Free(")]),
    );
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let values = [fogwall::Value::Int(1)];
    let rocket = Entity {
        values: &values,
        ..Entity::new(EntityId::new(4, 0), stage.class("projectile"), Point3::new(9.0, 6.0, 1.0))
    };
    stage.show(&[own, rocket], &[plays(0, &own)]);
    assert_eq!(stage.told(0), [(0, Level::Owner), (4, Level::Heard)]);
    assert_eq!(stage.field(0, 4, "pos").unwrap(), "Vector([12.0, 4.0, 4.0])");
    assert_eq!(stage.field(0, 4, "kind"), None);
}

#[test]
fn a_sound_that_is_not_finite_is_told_to_nobody_and_counted() {
    let mut stage = Stage::new(corpus_map("sound_curtain"), rules(&[]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let lost = Sound { pos: Point3::new(f64::NAN, 0.0, 0.0), ..step(&stage, &own) };
    sound(&mut stage, &[own], &[lost]);
    assert_eq!(heard(&stage, 0), []);
    assert_eq!(stage.view(0).report().unfit, 1);
}
