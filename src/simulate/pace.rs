//! What a body may do within a tick, and the braking that is always left to it.
//!
//! Owns the limits per tick. Promises: written in millimetres, a motion within them keeps the map's limits exactly.
//! Must not know where bodies want to go.

use super::space::{Space, Step, Touch};
use crate::geom::{Point3, Vector2};
use crate::map::Player;

/// Rounding of two velocities to millimetres a second may add this to their difference.
const ROUNDED_MPS: f64 = 1.5e-3;

/// Limits of a tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) tick_s: f64,
    /// Greatest speed in the plane.
    pub(super) speed_mps: f64,
    /// Greatest change of velocity in the plane from tick to tick.
    pub(super) turn_mps: f64,
}

impl Pace {
    pub(super) fn new(player: &Player, tick_s: f64) -> Self {
        let less = |limit: f64| (limit - ROUNDED_MPS).max(0.5 * limit);
        Self { tick_s, speed_mps: less(player.max_speed), turn_mps: less(player.max_accel * tick_s) }
    }

    /// `vel` changed towards `wanted` as far as a tick allows.
    pub(super) fn towards(&self, vel: Vector2, wanted: Vector2) -> Vector2 {
        let wanted = shortened(wanted, self.speed_mps);
        vel + shortened(wanted - vel, self.turn_mps)
    }

    /// `vel` after a tick of braking.
    pub(super) fn braked(&self, vel: Vector2) -> Vector2 {
        let speed_mps = vel.norm();
        if speed_mps <= self.turn_mps { Vector2::zeros() } else { vel * (1.0 - self.turn_mps / speed_mps) }
    }

    /// The vertical speed of a tick on the ground: that of the slope, 0 for what is stepped up or down.
    pub(super) fn climb_mps(&self, rise_m: f64, vel: Vector2, steepness: f64) -> f64 {
        let is_slope = rise_m.abs() <= steepness * vel.norm() * self.tick_s + 5e-4;
        if is_slope { rise_m / self.tick_s } else { 0.0 }
    }

    /// The vertical speed at the start of a jump, such that neither the speed nor the height passes its limit.
    pub(super) fn jump_mps(&self, space: &Space) -> f64 {
        let Player { jump_speed, gravity, jump, .. } = space.player;
        jump_speed.min((2.0 * gravity * jump).max(0.0).sqrt())
    }

    /// The greatest speed from which a body stops within `way_m`.
    pub(super) fn stopping_mps(&self, way_m: f64) -> f64 {
        (1.8 * self.turn_mps / self.tick_s * way_m.max(0.0)).sqrt()
    }
}

/// A vector no longer than `most`.
pub(super) fn shortened(vector: Vector2, most: f64) -> Vector2 {
    let length = vector.norm();
    if length > most { vector * (most / length) } else { vector }
}

/// Whether a body that has this velocity now comes to rest on floors, without a hit, by braking from the next tick on.
pub(super) fn can_stop(touch: &mut Touch<'_>, feet: Point3, vel: Vector2, height: f64, pace: &Pace) -> bool {
    let (mut at, mut vel) = (feet, vel);
    loop {
        vel = pace.braked(vel);
        if vel == Vector2::zeros() {
            return true;
        }
        let to = at.xy() + vel * pace.tick_s;
        let Step::Ground { z, .. } = touch.step(at, to, height) else { return false };
        at = Point3::new(to.x, to.y, z);
    }
}
