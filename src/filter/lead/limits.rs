//! Whether bodies keep the limits that their reach is made of.
//!
//! Promises: what was announced as a teleport or a launch, and what moved farther than its limits allow, is counted:
//! of these no lead can know. Must not know what the counts are for.

use crate::filter::Lent;
use crate::geom::{Point3, Vector3};
use crate::map::Player;
use crate::rules::Motion;
use crate::tick::Tick;
use crate::world::Entity;

/// Rounding that a game's own positions may have, metres.
const SLACK_M: f64 = 1e-3;

/// Where bodies were last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    last: Vec<Option<Last>>,
    /// The tick that was begun last.
    tick: Option<Tick>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    generation: u32,
    tick: Tick,
    pos: Point3,
    vel: Vector3,
}

impl Limits {
    /// Begins a tick. Where bodies that don't change are not taken, the others were where they are known from until the
    /// tick before: this gives it.
    pub(crate) fn begin(&mut self, tick: Tick, is_partial: bool) -> Option<Tick> {
        self.tick.replace(tick).filter(|_| is_partial)
    }

    /// Takes a body; gives whether it is outside of its limits since it was taken last, or since the tick given.
    pub(crate) fn is_broken_by(
        &mut self,
        lent: &Lent<'_>,
        entity: &Entity<'_>,
        motion: Motion,
        (tick_s, since): (f64, Option<Tick>),
    ) -> bool {
        let index = entity.id.index as usize;
        if self.last.len() <= index {
            self.last.resize(index + 1, None);
        }
        let now = Last {
            generation: entity.id.generation,
            tick: lent.world.tick,
            pos: entity.pos,
            vel: entity.vel,
        };
        let last = self.last[index].replace(now).filter(|last| last.generation == now.generation);
        let Some(last) = last else { return false };
        let time_s = f64::from(now.tick.since(since.unwrap_or(last.tick)).max(0)) * tick_s;
        entity.teleported
            || entity.launched
            || !may_have_moved(&lent.baked.map.player, last, now.pos, motion, time_s)
    }
}

fn may_have_moved(player: &Player, last: Last, to: Point3, motion: Motion, time_s: f64) -> bool {
    let moved = to - last.pos;
    let (max_speed, max_accel) = match motion {
        Motion::Still => return moved.norm() <= SLACK_M,
        Motion::Player => (player.max_speed, player.max_accel),
        Motion::Free { max_speed_mps, max_accel_mps2 } => (max_speed_mps, max_accel_mps2),
    };
    let way = last.vel.xy() * time_s;
    let grown = super::growth(way.norm() / time_s.max(1e-9), max_speed, max_accel, time_s) + SLACK_M;
    // The disc of a slide holds the straight reach too.
    (moved.xy() - way * 0.5).norm() <= 0.5 * way.norm() + grown
}
