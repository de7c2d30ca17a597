//! Walking a route: which stop is next, where to steer, which door to open.
//!
//! Owns the route and its progress. Promises: who does not get on gives up. Must not know why one goes there.

use crate::geom::{Point2, Point3};
use crate::simulate::body::{Body, LeapWish, Wish};
use crate::simulate::course::Leap;
use crate::simulate::nav::Way;
use crate::simulate::route::{Router, Stop, Taste};
use crate::simulate::scene::Scene;
use crate::simulate::space::Near;

/// Without progress for this long a route is given up, seconds.
const PATIENCE_S: f64 = 1.5;
/// A new look for the farthest stop that can be walked to straight, seconds.
const AIM_S: f64 = 0.08;
/// Doors are opened from this near, metres.
const DOOR_M: f64 = 1.4;
/// Ways that led nowhere are remembered, this many.
const BANNED: usize = 16;

/// How a walk goes.
pub(super) enum Going {
    On {
        wish: Wish,
        opens: Option<u32>,
    },
    Arrived,
    /// It can't get on.
    Lost,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Walker {
    stops: Vec<Stop>,
    next: usize,
    aim: Option<(Point3, bool)>,
    aim_until: u32,
    best_m: f64,
    since: u32,
    from: u32,
    banned: Vec<(u32, u32)>,
    pub(super) near: Near,
}

impl Walker {
    /// Plans a route to a place; whether there is one.
    pub(super) fn plan(
        &mut self,
        scene: &Scene<'_>,
        router: &mut Router,
        feet: Point3,
        to: u32,
        taste: Taste,
    ) -> bool {
        self.stops.clear();
        let Some(from) = scene.nav.entry(scene.space, &mut self.near, scene.all_open, feet) else {
            return false;
        };
        let found = router.find(scene.nav, (from, to), scene.pace.speed_mps, taste, &self.banned);
        let Some(stops) = found else { return false };
        self.stops = stops;
        let first = Stop { at: scene.nav.places[from as usize], place: from, way: Way::Walk, door: None };
        self.stops.insert(0, first);
        self.next = 0;
        self.from = from;
        self.aim_until = 0;
        self.restart(scene.tick);
        true
    }

    pub(super) fn is_idle(&self) -> bool {
        self.next >= self.stops.len()
    }

    pub(super) fn stop(&mut self) {
        self.stops.clear();
        self.next = 0;
    }

    fn restart(&mut self, tick: u32) {
        self.best_m = f64::INFINITY;
        self.since = tick;
    }

    /// What to wish for, to get on.
    pub(super) fn go(&mut self, scene: &Scene<'_>, body: &Body, top_mps: f64) -> Going {
        if !body.is_on_ground() {
            // The leap is under way: what is left of it is a walk.
            if let Some(stop) = self.stops.get_mut(self.next) {
                stop.way = Way::Walk;
            }
            self.restart(scene.tick);
            self.aim_until = 0;
            let opens = None;
            return Going::On { wish: Wish { vel: body.vel.xy(), ..Wish::default() }, opens };
        }
        self.pass_stops(scene, body.feet);
        let Some(stop) = self.stops.get(self.next).copied() else { return Going::Arrived };
        let left_m = (stop.at - body.feet).norm();
        if left_m < self.best_m - 0.05 {
            self.best_m = left_m;
            self.since = scene.tick;
        } else if scene.tick - self.since > scene.ticks(PATIENCE_S) {
            self.ban(stop.place);
            return Going::Lost;
        }
        let wish = match stop.way {
            Way::Walk => self.walk(scene, body, top_mps),
            Way::Jump => leap(body, stop, Leap::Jump, 3.5),
            Way::Drop => leap(body, stop, Leap::Drop, 4.0),
        };
        Going::On { wish, opens: self.door_ahead(scene, body.feet.xy()) }
    }

    fn ban(&mut self, place: u32) {
        let from = self.next.checked_sub(1).map_or(self.from, |before| self.stops[before].place);
        if self.banned.len() == BANNED {
            self.banned.remove(0);
        }
        self.banned.push((from, place));
    }

    fn pass_stops(&mut self, scene: &Scene<'_>, feet: Point3) {
        while let Some(stop) = self.stops.get(self.next) {
            let leaps_next = self.stops.get(self.next + 1).is_some_and(|next| next.way != Way::Walk);
            let close_m = if leaps_next { 0.15 } else { 0.4 };
            let off = stop.at - feet;
            if stop.way != Way::Walk || off.xy().norm() > close_m || off.z.abs() > 0.6 {
                break;
            }
            self.next += 1;
            self.restart(scene.tick);
        }
    }

    fn walk(&mut self, scene: &Scene<'_>, body: &Body, top_mps: f64) -> Wish {
        if scene.tick >= self.aim_until {
            self.aim_until = scene.tick + scene.ticks(AIM_S);
            self.aim = self.farthest(scene, body.feet);
        }
        let fallback = self.stops.get(self.next).map_or(body.feet, |stop| stop.at);
        let (aim, crouch) = self.aim.unwrap_or((fallback, false));
        let off = (aim - body.feet).xy();
        let goes_on = self.stops.last().is_some_and(|last| (last.at - aim).norm() > 0.5);
        let spare_m = if goes_on { 0.6 } else { 0.0 };
        let top_mps = if crouch || body.is_crouched() { 0.4 * top_mps } else { top_mps };
        let speed = scene.pace.stopping_mps(off.norm() + spare_m).min(top_mps);
        let vel = off.try_normalize(1e-6).map_or(off, |unit| unit * speed);
        Wish { vel, crouch, leap: None }
    }

    /// The farthest stop that can be walked to straight, and whether only crouching.
    fn farthest(&mut self, scene: &Scene<'_>, feet: Point3) -> Option<(Point3, bool)> {
        let (standing, crouched) = (scene.space.player.height, scene.space.crouched_height());
        let walked = self.stops[self.next..].iter().take_while(|stop| stop.way == Way::Walk).count();
        let mut touch = scene.space.touch(&mut self.near, scene.all_open);
        for ahead in [8, 4, 2, 0] {
            let Some(stop) = self.stops[self.next..].get(ahead).filter(|_| ahead < walked) else { continue };
            if touch.reaches(feet, stop.at, standing) {
                // A leap begins at its own place.
                return Some((stop.at, false));
            }
        }
        let stop = self.stops.get(self.next)?;
        touch.reaches(feet, stop.at, crouched).then_some((stop.at, true))
    }

    fn door_ahead(&self, scene: &Scene<'_>, at: Point2) -> Option<u32> {
        let ahead = self.stops[self.next..].iter().take(4);
        let mut doors = ahead.filter_map(|stop| stop.door).filter(|door| !scene.open[*door as usize]);
        doors.find(|door| scene.space.door_distance(*door, at) < DOOR_M)
    }
}

fn leap(body: &Body, stop: Stop, leap: Leap, speed_mps: f64) -> Wish {
    let way = (stop.at - body.feet).xy();
    let vel = way.try_normalize(1e-6).map_or(way, |unit| unit * speed_mps);
    Wish { vel, crouch: false, leap: Some(LeapWish { leap, to: Some(stop.at) }) }
}
