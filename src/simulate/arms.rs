//! Shots, wounds and deaths.
//!
//! Promises: only who is aimed at and seen is hit. Must not know how bots move.

use super::bot::{Bot, MAGAZINE};
use super::dice::Dice;
use super::heading::{degrees_of, difference};
use super::options::Manner;
use super::scene::{Person, Scene};

/// Seconds between shots.
const SHOT_S: f64 = 0.11;
/// Seconds to reload.
const RELOAD_S: f64 = 2.0;
/// Aims off by more than this don't shoot, degrees.
const AIM_DEG: f64 = 4.0;

/// A shot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shot {
    pub(super) shooter: usize,
    pub(super) target: usize,
    /// Health that it took; 0 for a miss.
    pub(super) damage: i32,
    /// Whether the target died of it.
    pub(super) kills: bool,
}

/// What all bots shoot in a tick.
pub(super) fn shoot(scene: &Scene<'_>, bots: &mut [Bot], manner: Manner, dice: &mut Dice) -> Vec<Shot> {
    let mut shots = Vec::new();
    for shooter in 0..bots.len() {
        let Some(target) = ready_target(scene, shooter, &bots[shooter]) else { continue };
        let bot = &mut bots[shooter];
        bot.ammo -= 1;
        bot.weapon_news = true;
        let wait_s = if bot.ammo == 0 { RELOAD_S } else { SHOT_S };
        bot.next_shot = scene.tick + scene.ticks(wait_s);
        let hits = dice.chance(hit_chance(&scene.people[shooter], &scene.people[target], bot));
        let full = dice.between(22.0, 37.0);
        // Against the filter long lives make more peeks.
        let damage = if manner == Manner::Adversary { 0.3 * full } else { full };
        let victim = &mut bots[target];
        let damage = if hits && victim.alive { (damage as i32).min(victim.health) } else { 0 };
        victim.health -= damage;
        let kills = damage > 0 && victim.health == 0;
        victim.alive &= !kills;
        shots.push(Shot { shooter, target, damage, kills });
    }
    shots
}

/// Whom a bot shoots at now; reloads where there is nothing to shoot with.
fn ready_target(scene: &Scene<'_>, me: usize, bot: &Bot) -> Option<usize> {
    let target = bot.foe.filter(|_| bot.alive && scene.tick >= bot.next_shot && bot.ammo > 0)?;
    let person = &scene.people[target];
    let way = person.eye - scene.people[me].eye;
    let is_aimed = difference(bot.yaw, degrees_of(way.xy())).abs() < AIM_DEG;
    (is_aimed && person.alive && scene.sees(me, target)).then_some(target)
}

/// Refills empty magazines once the time for it is over.
pub(super) fn reload(bots: &mut [Bot], tick: u32) {
    for bot in bots.iter_mut().filter(|bot| bot.alive && bot.ammo == 0 && tick >= bot.next_shot) {
        bot.ammo = MAGAZINE;
        bot.weapon_news = true;
    }
}

fn hit_chance(me: &Person, target: &Person, bot: &Bot) -> f64 {
    let distance_m = (target.feet - me.feet).norm();
    let near = (0.45 - 0.01 * distance_m).max(0.06);
    let own = if me.vel.xy().norm() > 2.0 { 0.5 } else { 1.0 };
    let crouched = if bot.body.is_crouched() { 1.2 } else { 1.0 };
    let moving = if target.vel.xy().norm() > 4.0 { 0.7 } else { 1.0 };
    near * own * crouched * moving
}
