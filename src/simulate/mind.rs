//! What a bot wants: where to go, what to do about an enemy.
//!
//! Owns a bot's plan and carries it out tick by tick. Promises: it knows only what it could perceive, but for hints of
//! where enemies are. Must not know limits of motion; bodies keep them whatever is wished.

mod adversary;
mod plain;
mod spots;
mod walker;

use super::body::{Body, LeapWish, Wish};
use super::course::Leap;
use super::dice::Dice;
use super::options::Manner;
use super::route::Router;
use super::scene::Scene;
use crate::geom::{Point3, Vector2};
use spots::Corner;
use walker::{Going, Walker};

/// What a bot does at the moment.
#[derive(Clone, Copy, Debug)]
enum Plan {
    /// Along its route.
    Travel,
    /// Across an enemy's view.
    Strafe { sign: f64 },
    /// Across, changing sides.
    Weave { every: u32 },
    /// Still and low.
    Squat,
    /// Out of a corner and back.
    Peek { corner: Corner, leg: Leg, shown: u32, linger: u32, hops: bool },
    /// Up and down behind low cover.
    Pop { at: Point3 },
    /// Up again and again behind a wall.
    Hop { at: Point3, sign: f64 },
}

/// A part of a peek.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leg {
    ToStart,
    Out,
    Back,
}

/// What a bot orders in a tick.
pub(super) struct Order {
    pub(super) wish: Wish,
    /// Where it looks.
    pub(super) look: Point3,
    /// Whom it aims at.
    pub(super) foe: Option<usize>,
    pub(super) opens: Option<u32>,
    /// Whereto it throws a smoke.
    pub(super) throws: Option<Point3>,
}

/// A bot's mind.
pub(super) struct Mind {
    dice: Dice,
    manner: Manner,
    plan: Plan,
    until: u32,
    walker: Walker,
    foe: Option<usize>,
    /// Where an enemy was seen last, and when.
    seen: Option<(Point3, u32)>,
    is_sneaking: bool,
    next_throw: u32,
}

impl Mind {
    pub(super) fn new(dice: Dice, manner: Manner) -> Self {
        Self {
            dice,
            manner,
            plan: Plan::Travel,
            until: 0,
            walker: Walker::default(),
            foe: None,
            seen: None,
            is_sneaking: false,
            next_throw: 0,
        }
    }

    /// Begins anew, as after a death.
    pub(super) fn forget(&mut self) {
        self.plan = Plan::Travel;
        self.until = 0;
        self.walker.stop();
        (self.foe, self.seen) = (None, None);
    }

    /// Thinks for a tick.
    pub(super) fn think(&mut self, scene: &Scene<'_>, me: usize, body: &Body, router: &mut Router) -> Order {
        let visible = scene.nearest(me, scene.enemies(me).filter(|other| scene.sees(me, *other)));
        self.perceive(scene, visible);
        if scene.tick >= self.until {
            self.choose(scene, me, body, router);
        }
        let (wish, opens) = self.act(scene, me, body);
        let ahead = body.feet + (body.eye(scene.space) - body.feet) + body.vel * 0.5;
        let look = match (visible, self.plan, self.seen) {
            (Some(foe), ..) => scene.people[foe].eye,
            (None, Plan::Travel, _) | (None, _, None) => ahead,
            (None, _, Some((at, _))) => at,
        };
        let throws = self.throw(scene, visible);
        Order { wish, look, foe: visible, opens, throws }
    }

    fn perceive(&mut self, scene: &Scene<'_>, visible: Option<usize>) {
        let Some(foe) = visible else { return };
        let is_news = self.seen.is_none_or(|(_, at)| scene.tick - at > scene.ticks(0.7));
        self.seen = Some((scene.people[foe].eye, scene.tick));
        if is_news && matches!(self.plan, Plan::Travel) {
            // After the time that eyes and hands need.
            self.until = self.until.min(scene.tick + scene.ticks(0.15));
        }
        self.foe = Some(foe);
    }

    fn choose(&mut self, scene: &Scene<'_>, me: usize, body: &Body, router: &mut Router) {
        if !body.is_on_ground() {
            return;
        }
        match self.manner {
            Manner::Match => self.choose_plainly(scene, me, body, router),
            Manner::Adversary => self.choose_the_hardest(scene, me, body, router),
        }
    }

    fn begin(&mut self, scene: &Scene<'_>, plan: Plan, seconds: (f64, f64)) {
        self.plan = plan;
        self.until = scene.tick + scene.ticks(self.dice.between(seconds.0, seconds.1));
    }

    /// Where the eye of the living enemy is that the plan is about.
    fn foe_eye(&self, scene: &Scene<'_>) -> Option<Point3> {
        let foe = self.foe.filter(|foe| scene.people[*foe].alive)?;
        Some(scene.people[foe].eye)
    }

    fn act(&mut self, scene: &Scene<'_>, me: usize, body: &Body) -> (Wish, Option<u32>) {
        let top_mps = scene.pace.speed_mps;
        let feet = body.feet;
        let across = self.foe_eye(scene).map_or(Vector2::x(), |eye| spots::across(feet, eye));
        let run = |vel: Vector2| Wish { vel, ..Wish::default() };
        let wish = match self.plan {
            Plan::Travel => return self.travel(scene, body),
            Plan::Strafe { sign } => run(across * (sign * 0.7 * top_mps)),
            Plan::Weave { every } => {
                let sign = if (scene.tick / every.max(1)).is_multiple_of(2) { 1.0 } else { -1.0 };
                // Every other weaver ducks on each turn.
                let ducks = every % 2 == 1 && self.manner == Manner::Adversary && sign < 0.0;
                Wish { vel: across * (sign * top_mps), crouch: ducks, leap: None }
            }
            Plan::Squat => Wish { crouch: true, ..Wish::default() },
            Plan::Peek { leg, hops, .. } => {
                let vel = self.peek(scene, me, body);
                let is_fast = body.vel.xy().norm() > 0.6 * top_mps && body.is_on_ground();
                let leap =
                    (hops && leg == Leg::Out && is_fast).then_some(LeapWish { leap: Leap::Jump, to: None });
                Wish { vel, crouch: false, leap }
            }
            Plan::Pop { at } => {
                let vel = go_to(scene, body, at);
                let turn = scene.ticks(scene.space.player.crouch_time.max(0.05)) + 1;
                Wish { vel, crouch: (scene.tick / turn).is_multiple_of(2), leap: None }
            }
            Plan::Hop { at, sign } => {
                let off_m = (at - feet).xy().norm();
                let is_there = off_m < 0.3 && body.is_on_ground();
                let vel = if is_there { across * (sign * 0.2 * top_mps) } else { go_to(scene, body, at) };
                Wish { vel, crouch: false, leap: is_there.then_some(LeapWish { leap: Leap::Jump, to: None }) }
            }
        };
        (wish, None)
    }

    fn travel(&mut self, scene: &Scene<'_>, body: &Body) -> (Wish, Option<u32>) {
        let share = if self.is_sneaking { 0.45 } else { 1.0 };
        match self.walker.go(scene, body, share * scene.pace.speed_mps) {
            Going::On { wish, opens } => (wish, opens),
            Going::Arrived | Going::Lost => {
                self.walker.stop();
                self.until = scene.tick + 1;
                (Wish::default(), None)
            }
        }
    }

    /// Full speed out of the corner, and full speed back as soon as it was seen for long enough.
    fn peek(&mut self, scene: &Scene<'_>, me: usize, body: &Body) -> Vector2 {
        let is_seen = self.foe.is_some_and(|foe| scene.sees(foe, me) || scene.sees(me, foe));
        let top_mps = scene.pace.speed_mps;
        let Plan::Peek { corner, leg, shown, linger, .. } = &mut self.plan else { return Vector2::zeros() };
        let (to_start, to_out) = ((corner.start - body.feet).xy(), (corner.out - body.feet).xy());
        match leg {
            Leg::ToStart if to_start.norm() < 0.12 => *leg = Leg::Out,
            Leg::Out => {
                *shown = if is_seen { *shown + 1 } else { 0 };
                let brakes_m = body.vel.xy().norm_squared() / (2.0 * scene.space.player.max_accel.max(1.0));
                if *shown > *linger || to_out.norm() < brakes_m.max(0.1) {
                    (*leg, *shown) = (Leg::Back, 0);
                }
            }
            Leg::Back if to_start.norm() < 0.4 => {
                *leg = Leg::Out;
                *linger = self.dice.below(scene.ticks(0.08) as usize + 1) as u32;
            }
            Leg::ToStart | Leg::Back => {}
        }
        let full = |way: Vector2| way.try_normalize(1e-6).map_or(way, |unit| unit * top_mps);
        match leg {
            Leg::ToStart => go_to(scene, body, corner.start),
            Leg::Out => full(to_out),
            Leg::Back => full(to_start),
        }
    }

    fn throw(&mut self, scene: &Scene<'_>, visible: Option<usize>) -> Option<Point3> {
        let (at, when) = self.seen?;
        let is_fresh = scene.tick - when < scene.ticks(6.0);
        if visible.is_some() || !is_fresh || scene.tick < self.next_throw {
            return None;
        }
        self.next_throw = scene.tick + scene.ticks(self.dice.between(12.0, 30.0));
        Some(at)
    }
}

/// Straight to a point, and still there.
fn go_to(scene: &Scene<'_>, body: &Body, to: Point3) -> Vector2 {
    let off = (to - body.feet).xy();
    let speed = scene.pace.stopping_mps(off.norm()).min(scene.pace.speed_mps);
    off.try_normalize(1e-6).map_or(off, |unit| unit * speed)
}
