//! Whether a recorded motion stays within the movement limits.

use super::{Opinion, Pose};
use crate::map::Player;

/// What a recording's rounding may add: positions in whole inches, and the slack of a recorder, metres.
const ROUNDING_M: f64 = 0.03;

/// A motion from one moment to a later one.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) from: Pose,
    pub(crate) to: Pose,
    pub(crate) time_s: f64,
}

/// What a motion broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    Within,
    /// Farther in the plan than speed and acceleration allow.
    TooFar,
    /// Higher than a jump, or lower than a fall leads.
    TooHigh,
    /// Crouched or stood up faster than the map says.
    TooQuick,
}

impl Opinion {
    /// Which limit the motion breaks, if any.
    pub(crate) fn judge_motion(&self, step: &Step) -> Moves {
        let Step { from, to, time_s } = step;
        let player = &self.player;
        let time_s = *time_s;
        let way = [from.vel[0] * time_s, from.vel[1] * time_s];
        let grown = grown(player, from, time_s) + ROUNDING_M;
        let off = [to.at[0] - from.at[0], to.at[1] - from.at[1]];
        let distance = |a: [f64; 2], b: [f64; 2]| ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
        // In the hull of the start and a disc is what is in a smaller disc on the way there.
        let is_in_hull = (0..=32).any(|i| {
            let share = f64::from(i) / 32.0;
            distance(off, way.map(|v| v * share)) <= grown * share + ROUNDING_M
        });
        let slid = 0.5 * distance(way, [0.0; 2]) + grown;
        let low = [0, 1].map(|i| from.at[i].min(from.at[i] + way[i]) - grown);
        let high = [0, 1].map(|i| from.at[i].max(from.at[i] + way[i]) + grown);
        let slides = distance(off, way.map(|v| 0.5 * v)) <= slid
            && self.moves.is_near(low, high, player.radius + 0.05);
        if !is_in_hull && !slides {
            return Moves::TooFar;
        }
        let rise = to.at[2] - from.at[2];
        let climbed = self.floors.under([to.at[0], to.at[1]], to.at[2] + ROUNDING_M);
        // What walks up a floor rises by more than a jump, but is then on that floor.
        let on_floor = climbed.is_some_and(|floor| to.at[2] - floor <= player.step);
        if rise > risen(player, from, time_s) + ROUNDING_M && !on_floor {
            return Moves::TooHigh;
        }
        if -rise > fallen(player, from, time_s) + player.step + ROUNDING_M {
            return Moves::TooHigh;
        }
        let is_quick = from.is_crouched != to.is_crouched && time_s < player.crouch_time;
        if is_quick { Moves::TooQuick } else { Moves::Within }
    }
}

/// How far a body gets from where its velocity takes it.
pub(super) fn grown(player: &Player, pose: &Pose, time_s: f64) -> f64 {
    let speed = (pose.vel[0].powi(2) + pose.vel[1].powi(2)).sqrt();
    (0.5 * player.max_accel * time_s * time_s).min((player.max_speed + speed) * time_s)
}

pub(super) fn risen(player: &Player, pose: &Pose, time_s: f64) -> f64 {
    let speed = player.jump_speed.max(pose.vel[2]).max(0.0);
    let apex_s = if player.gravity > 0.0 { (speed / player.gravity).min(time_s) } else { time_s };
    speed * apex_s - 0.5 * player.gravity * apex_s * apex_s
}

pub(super) fn fallen(player: &Player, pose: &Pose, time_s: f64) -> f64 {
    (-pose.vel[2]).max(0.0) * time_s + 0.5 * player.gravity * time_s * time_s
}
