//! How high and low feet, eyes and heads can be within a time.
//!
//! Promises: the jump is allowed at any vertical speed, the fall always; floors are climbed step by step.
//! Errs towards visible. Must not know the plan.

use crate::geom::ZRange;
use crate::map::Player;
use crate::world::Stance;

/// The floors of a box.
pub(super) struct Floors {
    /// The lowest point of any.
    pub(super) lowest: Option<f64>,
    /// Heights that steps lead to from where the feet are.
    pub(super) walked: ZRange,
}

/// Heights of the feet over the floors of a reach, from `z` and a speed upwards.
pub(super) fn feet(player: &Player, floors: &Floors, z: f64, up_mps: f64, time_s: f64) -> ZRange {
    // Nobody falls through the lowest floor there is; over no floor at all one falls as deep as time allows.
    let ground_low = floors.lowest.map_or(f64::NEG_INFINITY, |lowest| lowest.min(z));
    let fallen = (z - fall(player, up_mps, time_s)).max(ground_low);
    ZRange::new(fallen.min(floors.walked.low), floors.walked.high.max(z) + rise(player, up_mps, time_s))
}

/// How far feet rise: by a jump, or by what threw the body up.
fn rise(player: &Player, up_mps: f64, time_s: f64) -> f64 {
    let speed = player.jump_speed.max(up_mps).max(0.0);
    let gravity = player.gravity;
    let apex_s = if gravity > 0.0 { (speed / gravity).min(time_s) } else { time_s };
    speed * apex_s - 0.5 * gravity * apex_s * apex_s
}

fn fall(player: &Player, up_mps: f64, time_s: f64) -> f64 {
    (-up_mps).max(0.0) * time_s + 0.5 * player.gravity.max(0.0) * time_s * time_s
}

/// Heights of the eyes over the feet: what stands may crouch; what crouches, or is on the way, may be anywhere between.
pub(super) fn eyes(player: &Player, stance: Stance, time_s: f64) -> ZRange {
    let (crouched, standing) =
        (player.eye_crouched.min(player.eye_standing), player.eye_standing.max(player.eye_crouched));
    if stance == Stance::Crouched {
        return ZRange::new(crouched, standing);
    }
    let share = if player.crouch_time > 0.0 { (time_s / player.crouch_time).min(1.0) } else { 0.0 };
    ZRange::new(standing - (standing - crouched) * share, standing)
}
