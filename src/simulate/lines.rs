//! A tick as a line of a recording.
//!
//! Owns the rounding to millimetres and the ids of entities. Promises: players are told on every tick, all else when it
//! changes. Must not know why things are where they are.

use super::arms::Shot;
use super::bot::Bot;
use super::heading::degrees_of;
use super::props::Props;
use crate::geom::{Point3, Vector3};
use crate::recording::{
    EntityLine, EventLine, FieldMap, OccluderLine, ShapeName, SoundLine, StanceName, TickLine,
};
use serde_json::Value;

/// The kind of the one weapon, and of the one thing that is thrown.
const WEAPON_KIND: u32 = 1;
const SMOKE_KIND: u32 = 2;

/// Which entities have which ids: players first, then their weapons, the match, and what comes and goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ids {
    pub(super) bots: u32,
}

impl Ids {
    pub(super) fn weapon(self, bot: usize) -> u32 {
        self.bots + bot as u32
    }

    fn of_match(self) -> u32 {
        2 * self.bots
    }

    pub(super) fn first_prop(self) -> u32 {
        2 * self.bots + 1
    }
}

/// Rounded to thousandths, without a negative zero.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3 + 0.0
}

fn place(p: Point3) -> [f64; 3] {
    [rounded(p.x), rounded(p.y), rounded(p.z)]
}

fn velocity(v: Vector3) -> [f64; 3] {
    [rounded(v.x), rounded(v.y), rounded(v.z)]
}

fn fields<const N: usize>(values: [(&str, Value); N]) -> FieldMap {
    values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A bot's player.
pub(super) fn player(bot: &Bot, index: usize, team: Option<&String>) -> EntityLine {
    EntityLine {
        id: index as u32,
        class: "player".to_owned(),
        team: team.cloned(),
        pos: place(bot.body.feet),
        vel: velocity(bot.body.vel),
        yaw: (bot.yaw * 100.0).round() / 100.0 + 0.0,
        pitch: (bot.pitch * 100.0).round() / 100.0 + 0.0,
        stance: if bot.body.is_crouched() { StanceName::Crouched } else { StanceName::Standing },
        alive: bot.alive,
        teleported: bot.teleported,
        fields: fields([("health", bot.health.into())]),
        ..EntityLine::default()
    }
}

/// A bot's weapon.
pub(super) fn weapon(bot: &Bot, index: usize, ids: Ids, team: Option<&String>) -> EntityLine {
    EntityLine {
        id: ids.weapon(index),
        class: "weapon".to_owned(),
        team: team.cloned(),
        owner: Some(index as u32),
        parent: Some(index as u32),
        pos: place(bot.body.feet),
        alive: true,
        fields: fields([("kind", WEAPON_KIND.into()), ("ammo", bot.ammo.into())]),
        ..EntityLine::default()
    }
}

/// The match itself.
pub(super) fn match_state(ids: Ids, seconds_left: u32) -> EntityLine {
    EntityLine {
        id: ids.of_match(),
        class: "match".to_owned(),
        alive: true,
        fields: fields([("round", 1.into()), ("seconds_left", seconds_left.min(4095).into())]),
        ..EntityLine::default()
    }
}

/// What flies and lies about, as far as it is new or moves.
pub(super) fn props(props: &Props, bots: &[Bot], teams: &[Option<String>], line: &mut TickLine) {
    for thrown in &props.thrown {
        line.entities.push(EntityLine {
            id: thrown.id,
            class: "projectile".to_owned(),
            team: teams[bots[thrown.owner].side as usize].clone(),
            owner: Some(thrown.owner as u32),
            pos: place(thrown.at(line.tick)),
            vel: velocity(thrown.vel(line.tick)),
            alive: true,
            fields: fields([("kind", SMOKE_KIND.into())]),
            ..EntityLine::default()
        });
    }
    for left in props.drops.iter().filter(|left| left.is_new) {
        line.entities.push(EntityLine {
            id: left.id,
            class: "drop".to_owned(),
            pos: place(left.at),
            alive: true,
            fields: fields([("kind", WEAPON_KIND.into())]),
            ..EntityLine::default()
        });
    }
    line.occluders.extend(props.clouds.iter().map(|cloud| OccluderLine {
        id: format!("smoke_{}", cloud.name),
        shape: ShapeName::Sphere,
        center: place(cloud.center),
        radius: cloud.radius,
        until_tick: Some(cloud.until),
        ext: None,
    }));
}

/// A sound that a bot makes where it stands.
pub(super) fn sound(class: &str, bot: &Bot, index: usize) -> SoundLine {
    SoundLine { class: class.to_owned(), emitter: Some(index as u32), pos: place(bot.body.feet), ext: None }
}

/// What a shot leads to.
pub(super) fn shot(shot: &Shot, bots: &[Bot], line: &mut TickLine) {
    let (shooter, target) = (shot.shooter as u32, shot.target as u32);
    line.sounds.push(sound("gunshot", &bots[shot.shooter], shot.shooter));
    if shot.damage > 0 {
        let way = bots[shot.shooter].body.feet - bots[shot.target].body.feet;
        let direction = (degrees_of(way.xy()) * 10.0).round() / 10.0 + 0.0;
        line.events.push(EventLine {
            class: "damage".to_owned(),
            about: vec![target],
            pos: None,
            fields: fields([("amount", shot.damage.into()), ("direction", direction.into())]),
            ext: None,
        });
    }
    if shot.kills {
        line.events.push(EventLine {
            class: "kill".to_owned(),
            about: vec![shooter, target],
            pos: None,
            fields: fields([("killer", shooter.into()), ("victim", target.into())]),
            ext: None,
        });
    }
}
