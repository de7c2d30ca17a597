//! A bot: its body, its mind, and what a match makes of it.
//!
//! Owns health, ammunition and aim. Promises: the dead want nothing. Must not know lines of a recording.

use super::body::{Body, Wish};
use super::dice::Dice;
use super::heading::{degrees_of, turned};
use super::mind::{Mind, Order};
use super::options::Manner;
use super::route::Router;
use super::scene::{Person, Scene};
use super::space::Space;
use crate::geom::{Point3, Vector2};

/// Health at the start.
pub(super) const HEALTH: i32 = 100;
/// Shots of a magazine.
pub(super) const MAGAZINE: u32 = 30;
/// Degrees a second that aims turn by.
const TURN_DPS: f64 = 900.0;

/// What a bot does beside moving.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deeds {
    /// The door that it opens.
    pub(super) opens: Option<u32>,
    /// Whereto it throws a smoke.
    pub(super) throws: Option<Point3>,
}

/// A bot.
pub(super) struct Bot {
    pub(super) body: Body,
    mind: Mind,
    pub(super) side: u32,
    pub(super) health: i32,
    pub(super) alive: bool,
    pub(super) yaw: f64,
    pub(super) pitch: f64,
    pub(super) ammo: u32,
    /// Whom it aims at.
    pub(super) foe: Option<usize>,
    pub(super) next_shot: u32,
    pub(super) respawns: Option<u32>,
    /// Whether it came to where it is other than by moving.
    pub(super) teleported: bool,
    /// Metres run since the last footstep.
    pub(super) strode_m: f64,
    /// Whether its weapon changed, or has to be told anew.
    pub(super) weapon_news: bool,
    /// Whether its weapon is among what was told.
    pub(super) weapon_told: bool,
}

impl Bot {
    pub(super) fn new(side: u32, feet: Point3, dice: Dice, manner: Manner) -> Self {
        Self {
            body: Body::at(feet),
            mind: Mind::new(dice, manner),
            side,
            health: HEALTH,
            alive: true,
            yaw: 0.0,
            pitch: 0.0,
            ammo: MAGAZINE,
            foe: None,
            next_shot: 0,
            respawns: None,
            teleported: false,
            strode_m: 0.0,
            weapon_news: true,
            weapon_told: false,
        }
    }

    /// Puts it somewhere else, at rest.
    pub(super) fn teleport(&mut self, feet: Point3) {
        self.body = Body::at(feet);
        self.mind.forget();
        self.teleported = true;
        (self.foe, self.strode_m) = (None, 0.0);
    }

    /// Brings it to life.
    pub(super) fn respawn(&mut self, feet: Point3) {
        self.teleport(feet);
        (self.health, self.alive, self.ammo) = (HEALTH, true, MAGAZINE);
        (self.respawns, self.weapon_news) = (None, true);
    }

    pub(super) fn person(&self, space: &Space) -> Person {
        Person {
            feet: self.body.feet,
            eye: self.body.eye(space),
            vel: self.body.vel,
            alive: self.alive,
            side: self.side,
            health: self.health,
        }
    }

    /// Thinks and moves for a tick.
    pub(super) fn act(&mut self, scene: &Scene<'_>, me: usize, router: &mut Router) -> Deeds {
        let order = if self.alive { Some(self.mind.think(scene, me, &self.body, router)) } else { None };
        let wish = order.as_ref().map_or(Wish::default(), |order| order.wish);
        self.body.decide(scene.space, scene.open, &wish, scene.pace);
        self.foe = order.as_ref().and_then(|order| order.foe);
        let Some(Order { look, opens, throws, .. }) = order else { return Deeds::default() };
        self.aim(look, scene);
        Deeds { opens, throws }
    }

    fn aim(&mut self, look: Point3, scene: &Scene<'_>) {
        let way = look - self.body.eye(scene.space);
        if way.norm() < 0.05 {
            return;
        }
        let most = TURN_DPS * scene.pace.tick_s;
        let flat = way.xy().norm();
        if flat > 0.05 {
            self.yaw = turned(self.yaw, degrees_of(way.xy()), most);
        }
        self.pitch = turned(self.pitch, degrees_of(Vector2::new(flat, way.z)), most);
    }
}
