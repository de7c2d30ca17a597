//! How bots play a match.
//!
//! Promises: whoever sees an enemy does something about it, whoever sees none goes where one may be.
//! Must not know how plans are carried out.

use super::{Leg, Mind, Plan, spots};
use crate::geom::Point3;
use crate::simulate::body::Body;
use crate::simulate::options::Manner;
use crate::simulate::route::{Router, Taste};
use crate::simulate::scene::Scene;

impl Mind {
    pub(super) fn choose_plainly(&mut self, scene: &Scene<'_>, me: usize, body: &Body, router: &mut Router) {
        let sees_foe = self.foe.is_some_and(|foe| scene.people[foe].alive && scene.sees(me, foe));
        let Some(eye) = self.foe_eye(scene).filter(|_| sees_foe) else {
            return self.roam(scene, me, body, router, Taste::Plain);
        };
        let sign = self.dice.sign();
        let is_hurt = scene.people[me].health < 40;
        match self.dice.unit() {
            roll if roll < if is_hurt { 0.5 } else { 0.15 } => {
                if !self.take_cover(scene, body, eye, router) {
                    self.begin(scene, Plan::Strafe { sign }, (0.3, 0.8));
                }
            }
            roll if roll < 0.45 => self.begin(scene, Plan::Strafe { sign }, (0.25, 0.8)),
            roll if roll < 0.6 => self.begin(scene, Plan::Squat, (0.5, 1.2)),
            roll if roll < 0.9 => {
                if !self.peek_from(scene, body, eye, (1.0, 3.0)) {
                    self.begin(scene, Plan::Strafe { sign }, (0.25, 0.6));
                }
            }
            _ => self.roam(scene, me, body, router, Taste::Plain),
        }
    }

    /// To a corner close by, if there is one.
    pub(super) fn peek_from(
        &mut self,
        scene: &Scene<'_>,
        body: &Body,
        eye: Point3,
        seconds: (f64, f64),
    ) -> bool {
        let found = spots::corner(scene, &mut self.walker.near, body.feet, eye, &mut self.dice);
        let Some(corner) = found else { return false };
        let linger = self.dice.below(scene.ticks(0.25) as usize) as u32;
        let hops = self.manner == Manner::Adversary && self.dice.chance(0.25);
        self.begin(scene, Plan::Peek { corner, leg: Leg::ToStart, shown: 0, linger, hops }, seconds);
        true
    }

    fn take_cover(&mut self, scene: &Scene<'_>, body: &Body, eye: Point3, router: &mut Router) -> bool {
        let Some(to) = spots::cover(scene, body.feet, eye) else { return false };
        if !self.walker.plan(scene, router, body.feet, to, Taste::Plain) {
            return false;
        }
        self.is_sneaking = false;
        self.begin(scene, Plan::Travel, (1.5, 3.0));
        true
    }

    /// Goes on, or somewhere else.
    pub(super) fn roam(
        &mut self,
        scene: &Scene<'_>,
        me: usize,
        body: &Body,
        router: &mut Router,
        taste: Taste,
    ) {
        let goes_on = matches!(self.plan, Plan::Travel) && !self.walker.is_idle() && self.dice.chance(0.8);
        if !goes_on {
            let Some(to) = self.goal(scene, me, body) else {
                return self.begin(scene, Plan::Squat, (0.5, 1.0));
            };
            if !self.walker.plan(scene, router, body.feet, to, taste) {
                return self.begin(scene, Plan::Squat, (0.15, 0.3));
            }
            self.is_sneaking = taste == Taste::Plain && self.dice.chance(0.15);
        }
        self.begin(scene, Plan::Travel, (3.0, 6.0));
    }

    /// A place near some enemy more often than not: there is something to be had there.
    fn goal(&mut self, scene: &Scene<'_>, me: usize, body: &Body) -> Option<u32> {
        let here = scene.nav.nearest(body.feet)?;
        let island = scene.nav.islands[here as usize];
        if self.dice.chance(0.6) {
            let enemies: Vec<usize> = scene.enemies(me).collect();
            if !enemies.is_empty() {
                let foe = enemies[self.dice.below(enemies.len())];
                self.foe = Some(foe);
                let mut close = scene.nav.near(scene.people[foe].feet.xy(), 8.0);
                close.retain(|place| scene.nav.islands[*place as usize] == island);
                if !close.is_empty() {
                    return Some(close[self.dice.below(close.len())]);
                }
            }
        }
        /// Tries for a place of the same island.
        const TRIES: usize = 32;
        let mut any = (0..TRIES).map(|_| self.dice.below(scene.nav.places.len()) as u32);
        any.find(|place| scene.nav.islands[*place as usize] == island)
    }
}
