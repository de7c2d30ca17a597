//! A bot's body: where it is, how it moves, how it stands.
//!
//! Owns the motion of a tick. Promises: whatever is wanted, the limits of the map are kept: after every tick the body
//! could still brake to rest without a hit, so braking is always left. Must not know what a bot thinks.

use super::course::{self, Course, Leap};
use super::pace::{Pace, can_stop};
use super::space::{Near, Space, Step, Touch};
use crate::geom::{Point2, Point3, Vector2, Vector3};

/// What a bot wants of its body in a tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wish {
    /// Velocity in the plane.
    pub(super) vel: Vector2,
    pub(super) crouch: bool,
    pub(super) leap: Option<LeapWish>,
}

/// A leap, and where it has to lead: anywhere on this level, or near a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeapWish {
    pub(super) leap: Leap,
    pub(super) to: Option<Point3>,
}

/// A body.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// Feet at this tick.
    pub(super) feet: Point3,
    /// Velocity over the coming tick: the feet are there after it.
    pub(super) vel: Vector3,
    /// Share of the way down from standing to crouched.
    pub(super) duck: f64,
    is_rising: bool,
    steepness: f64,
    course: Option<Course>,
    next: Point3,
    pub(super) near: Near,
}

/// Turns that are tried where the straight way is none: cosine, sine and share of the speed.
const DETOURS: [(f64, f64, f64); 9] = [
    (0.94, 0.342, 0.9),
    (0.94, -0.342, 0.9),
    (1.0, 0.0, 0.6),
    (0.707, 0.707, 0.7),
    (0.707, -0.707, 0.7),
    (1.0, 0.0, 0.25),
    (0.259, 0.966, 0.5),
    (0.259, -0.966, 0.5),
    (1.0, 0.0, 0.0),
];

impl Body {
    /// A body at rest.
    pub(super) fn at(feet: Point3) -> Self {
        Self {
            feet,
            vel: Vector3::zeros(),
            duck: 0.0,
            is_rising: true,
            steepness: 0.0,
            course: None,
            next: feet,
            near: Near::default(),
        }
    }

    /// Takes the body to where its velocity leads.
    pub(super) fn arrive(&mut self) {
        self.feet = self.next;
    }

    pub(super) fn is_on_ground(&self) -> bool {
        self.course.is_none()
    }

    /// Where it lands, while it leaps.
    pub(super) fn landing(&self) -> Option<Point3> {
        self.course.as_ref().map(|course| course.landing)
    }

    pub(super) fn is_crouched(&self) -> bool {
        self.duck > 0.0
    }

    /// Its eye.
    pub(super) fn eye(&self, space: &Space) -> Point3 {
        let (standing, crouched) = (space.player.eye_standing, space.player.eye_crouched);
        self.feet + Vector3::new(0.0, 0.0, standing - (standing - crouched) * self.duck)
    }

    /// Decides the velocity of the coming tick.
    pub(super) fn decide(&mut self, space: &Space, open: &[bool], wish: &Wish, pace: &Pace) {
        let mut near = std::mem::take(&mut self.near);
        let mut touch = space.touch(&mut near, open);
        self.change_stance(&mut touch, wish.crouch, pace);
        if self.course.is_none()
            && let Some(leap) = wish.leap
        {
            self.course = self.find_course(&mut touch, leap, wish.vel, pace);
        }
        if self.course.is_some() {
            self.follow_course(pace);
        } else {
            self.step(&mut touch, wish.vel, pace);
        }
        self.near = near;
    }

    /// Down or up, each as a whole: who has begun to crouch ends it before rising again.
    fn change_stance(&mut self, touch: &mut Touch<'_>, crouch: bool, pace: &Pace) {
        let player = touch.space.player;
        if player.crouch_time <= 0.0 {
            return;
        }
        let share = pace.tick_s / player.crouch_time;
        if self.is_rising && self.duck <= 0.0 && crouch {
            self.is_rising = false;
        } else if !self.is_rising && self.duck >= 1.0 && !crouch {
            // In a leap the course is free for a standing body.
            self.is_rising = self.course.is_some() || self.can_stand(touch, pace);
        }
        let change = if self.is_rising { -share } else { share };
        self.duck = (self.duck + change).clamp(0.0, 1.0);
    }

    fn can_stand(&self, touch: &mut Touch<'_>, pace: &Pace) -> bool {
        let height = touch.space.player.height;
        touch.is_free(self.feet, height) && can_stop(touch, self.feet, self.vel.xy(), height, pace)
    }

    /// What it takes up: who is on the way counts as standing.
    fn height(&self, space: &Space) -> f64 {
        if self.duck >= 1.0 { space.crouched_height() } else { space.player.height }
    }

    fn find_course(
        &self,
        touch: &mut Touch<'_>,
        wish: LeapWish,
        wanted: Vector2,
        pace: &Pace,
    ) -> Option<Course> {
        let vel = pace.towards(self.vel.xy(), wanted);
        let course = course::plan(touch, self.feet, vel, wish.leap, pace)?;
        let is_wanted = match wish.to {
            Some(to) => {
                let missed = course.landing - to;
                missed.z.abs() < 0.3 && missed.xy().norm() < 2.5
            }
            None => (course.landing.z - self.feet.z).abs() <= touch.space.player.step,
        };
        is_wanted.then_some(course)
    }

    fn follow_course(&mut self, pace: &Pace) {
        let Some(course) = &mut self.course else { return };
        let (z, up_mps) = course.ticks.pop_front().unwrap_or((self.feet.z, 0.0));
        let to = self.feet.xy() + course.vel * pace.tick_s;
        self.vel = Vector3::new(course.vel.x, course.vel.y, up_mps);
        self.next = Point3::new(to.x, to.y, z);
        if course.ticks.is_empty() {
            self.course = None;
            self.steepness = f64::INFINITY;
        }
    }

    /// A tick on the ground: the wanted velocity, or the best that is safe.
    fn step(&mut self, touch: &mut Touch<'_>, wanted: Vector2, pace: &Pace) {
        let height = self.height(touch.space);
        let now = self.vel.xy();
        let straight = std::iter::once((1.0, 0.0, 1.0));
        for (cosine, sine, share) in straight.chain(DETOURS) {
            let turned =
                Vector2::new(cosine * wanted.x - sine * wanted.y, sine * wanted.x + cosine * wanted.y);
            let vel = pace.towards(now, turned * share);
            let to = self.feet.xy() + vel * pace.tick_s;
            if let Step::Ground { z, steepness } = touch.step(self.feet, to, height)
                && can_stop(touch, Point3::new(to.x, to.y, z), vel, height, pace)
            {
                return self.take(to, vel, (z, steepness), pace);
            }
        }
        // That this is free was known before the velocity was taken.
        let vel = pace.braked(now);
        let to = self.feet.xy() + vel * pace.tick_s;
        match touch.step(self.feet, to, height) {
            Step::Ground { z, steepness } => self.take(to, vel, (z, steepness), pace),
            Step::Edge | Step::Blocked => {
                self.take(self.feet.xy(), Vector2::zeros(), (self.feet.z, 0.0), pace)
            }
        }
    }

    fn take(&mut self, to: Point2, vel: Vector2, (z, steepness): (f64, f64), pace: &Pace) {
        // Over the crease of two slopes the steeper one counts; after a leap it is not known.
        let known = if self.steepness.is_finite() { self.steepness } else { steepness };
        let up_mps = pace.climb_mps(z - self.feet.z, vel, steepness.max(known));
        self.vel = Vector3::new(vel.x, vel.y, up_mps);
        self.next = Point3::new(to.x, to.y, z);
        self.steepness = steepness;
    }
}
