//! Jumps and drops, decided as a whole before they begin.
//!
//! Owns the arc: a constant velocity in the plane, gravity in height, the landing and the braking after it.
//! Promises: a course that is given hits nothing, ends on a floor, and can be braked from there; over an edge feet fall
//! only once the whole body has left it. Must not know who wants to leap.

use super::pace::{Pace, can_stop};
use super::space::{Step, Touch};
use crate::geom::{Point2, Point3, Vector2};
use std::collections::VecDeque;

/// Longest time in the air, seconds.
const LONGEST_S: f64 = 4.0;
/// Longest way on the ground before the edge, metres.
const RUN_UP_M: f64 = 1.0;
/// Longest way between two looks in the air, metres.
const LOOK_M: f64 = 0.1;

/// How the ground is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leap {
    Jump,
    /// Over an edge.
    Drop,
}

/// A way that is settled until the feet are on a floor again.
#[derive(Clone, Debug)]
pub(super) struct Course {
    pub(super) vel: Vector2,
    /// Height of the feet after each tick, and the vertical speed that leads there.
    pub(super) ticks: VecDeque<(f64, f64)>,
    pub(super) landing: Point3,
}

/// What a leap from here with this velocity leads to.
pub(super) fn plan(
    touch: &mut Touch<'_>,
    from: Point3,
    vel: Vector2,
    leap: Leap,
    pace: &Pace,
) -> Option<Course> {
    let mut sketch = Sketch { touch, vel, pace, at: from, ticks: VecDeque::new() };
    let landing = match leap {
        Leap::Jump => sketch.fly(sketch.pace.jump_mps(sketch.touch.space))?,
        Leap::Drop => sketch.leave_edge()?,
    };
    let height = sketch.touch.space.player.height;
    let ticks = sketch.ticks;
    can_stop(touch, landing, vel, height, pace).then_some(Course { vel, ticks, landing })
}

struct Sketch<'a, 'b> {
    touch: &'a mut Touch<'b>,
    vel: Vector2,
    pace: &'a Pace,
    at: Point3,
    ticks: VecDeque<(f64, f64)>,
}

impl Sketch<'_, '_> {
    fn next_place(&self) -> Point2 {
        self.at.xy() + self.vel * self.pace.tick_s
    }

    fn take(&mut self, to: Point2, z: f64, up_mps: f64) {
        self.ticks.push_back((z, up_mps));
        self.at = Point3::new(to.x, to.y, z);
    }

    /// Runs to an edge and on until no floor carries the body, then falls.
    fn leave_edge(&mut self) -> Option<Point3> {
        let height = self.touch.space.player.height;
        let mut run_m = 0.0;
        let mut is_over = false;
        while run_m <= RUN_UP_M {
            let to = self.next_place();
            match self.touch.step(self.at, to, height) {
                // Beyond the edge any floor within a step ends the course: a narrow gap was crossed.
                Step::Ground { z, .. } if is_over => {
                    self.take(to, z, 0.0);
                    return Some(self.at);
                }
                Step::Ground { z, steepness } => {
                    let up_mps = self.pace.climb_mps(z - self.at.z, self.vel, steepness);
                    self.take(to, z, up_mps);
                }
                Step::Blocked => return None,
                Step::Edge => {
                    is_over = true;
                    let beyond = Point3::new(to.x, to.y, self.at.z);
                    if !self.touch.is_carried(beyond) {
                        return self.fly(0.0);
                    }
                    if !self.touch.is_free(beyond, height) {
                        return None;
                    }
                    self.take(to, beyond.z, 0.0);
                }
            }
            run_m += self.vel.norm() * self.pace.tick_s;
        }
        None
    }

    /// Goes on from here through the air until a floor is met.
    fn fly(&mut self, up_mps: f64) -> Option<Point3> {
        let (start, tick_s) = (self.at, self.pace.tick_s);
        let player = self.touch.space.player;
        if player.gravity <= 0.0 {
            return None;
        }
        let way_m = self.vel.norm() * tick_s;
        for tick in 1..=(LONGEST_S / tick_s) as u32 {
            let time_s = f64::from(tick) * tick_s;
            let z = start.z + up_mps * time_s - 0.5 * player.gravity * time_s * time_s;
            let to = self.next_place();
            if z < self.at.z
                && let Some((floor, steepness)) = self.touch.floor_under(to, self.at.z + way_m + 1e-6)
                && floor >= z
            {
                let landing = Point3::new(to.x, to.y, floor);
                let from_above = floor <= self.at.z + steepness * way_m + 1e-6;
                let lands = from_above && self.touch.is_free(landing, player.height);
                self.take(to, floor, (floor - self.at.z) / tick_s);
                return lands.then_some(landing);
            }
            // What one could have stepped onto does not stop the rise beside it; on the way down it does.
            let stepped = if z >= start.z { start.z + player.step } else { f64::NEG_INFINITY };
            if self.hits_on_the_way(Point3::new(to.x, to.y, z), stepped) {
                return None;
            }
            self.take(to, z, (z - self.at.z) / tick_s);
        }
        None
    }

    fn hits_on_the_way(&mut self, to: Point3, stepped: f64) -> bool {
        let height = self.touch.space.player.height;
        let looks = ((to - self.at).norm() / LOOK_M).ceil().max(1.0);
        let at = self.at;
        (1..=looks as u32)
            .any(|look| self.touch.hits(at + (to - at) * (f64::from(look) / looks), height, stepped))
    }
}
