//! Reaches that hold those of the next ticks too, so that what is proven of them need not be proven anew each tick.
//!
//! Owns how much larger they are and when one holds a body still. Promises: a body of which it says so can't leave it
//! within the horizon, walls included; what it is larger by errs towards visible. Must not know what is proven.
//! The walls: each cut is at a face that the centre is still before, and is as wide as all that lies behind it.

use super::{Ground, Part, above, clip, extents, growth, heights, straight};
use crate::geom::{Vector2, ZRange};
use crate::map::{Baked, Mask, Player, Spread, Supports};
use crate::rules::{Class, Motion};
use crate::world::Entity;
use heights::Floors;

/// A wide reach goes on along the velocity for this long, seconds.
const AHEAD_S: f64 = 0.08;
/// And is larger by this in the plan, metres.
const AROUND_M: f64 = 0.2;
/// And in height, metres.
const UP_M: f64 = 0.1;

/// Where a body can be within the lead of this tick and of those that follow, while it [`holds`](Wide::holds) it.
pub(in crate::filter) struct Wide {
    /// All that it is made of, walls left out.
    supports: Supports,
    /// The centres, cut at walls.
    region: Spread,
    /// Heights of the feet that the floors were asked for.
    from: ZRange,
    floors: Floors,
    radius_m: f64,
    over: ZRange,
    /// Where the feet can be.
    pub(in crate::filter) feet: ZRange,
    /// With the discs and heights of what was asked for.
    pub(in crate::filter) spread: Spread,
    /// Whether a body may come to stand on a solid, where the cells need not know it.
    pub(in crate::filter) mounts: bool,
}

impl Wide {
    /// The wide reach of a body on foot; nothing for what moves otherwise.
    pub(in crate::filter) fn new(
        baked: &Baked,
        ground: &Ground,
        entity: &Entity<'_>,
        class: &Class,
        horizon_s: f64,
        part: Part,
    ) -> Option<Self> {
        if class.motion != Motion::Player {
            return None;
        }
        let player = &baked.map.player;
        let (radius_m, over) = extents(player, entity, class, horizon_s, part);
        let now = unclipped(player, entity, horizon_s);
        let ahead = entity.vel * AHEAD_S;
        let supports = now.hull(now.shifted(ahead.xy())).grown(AROUND_M);
        let mut region = Spread::within(supports, 0.0, ZRange::new(0.0, 0.0));
        let (low, high) = region.bounds();
        let z = entity.pos.z;
        let from = ZRange::new(z + ahead.z.min(0.0) - UP_M, z + ahead.z.max(0.0) + UP_M);
        let floors = ground.floors(low, high, from, player.step);
        let [low_feet, high_feet] =
            [from.low, from.high].map(|z| heights::feet(player, &floors, z, entity.vel.z, horizon_s));
        let hull = low_feet.hull(high_feet);
        let feet = ZRange::new(hull.low - UP_M, hull.high + UP_M);
        let around = Vector2::new(1.0, 1.0) * (player.radius + super::NEAR_M);
        let mut mounts = false;
        baked.solids.for_each_touching(low - around, high + around, |_, piece| {
            if Mask::Movement.selects(piece.blocks) {
                clip(&mut region, player, entity.pos.xy(), feet, piece);
                mounts |= feet.low < piece.z.high && piece.z.high <= feet.high + player.step;
            }
        });
        let mut spread = region;
        spread.grow(radius_m, above(feet, over));
        Some(Self { supports, region, from, floors, radius_m, over, feet, spread, mounts })
    }

    /// Whether the reach of a body as it is now lies in this one; it errs to no.
    pub(in crate::filter) fn holds(
        &self,
        player: &Player,
        entity: &Entity<'_>,
        class: &Class,
        horizon_s: f64,
        part: Part,
    ) -> bool {
        let z = entity.pos.z;
        if class.motion != Motion::Player
            || !self.from.contains(z)
            || !self.region.holds_centre(entity.pos.xy())
        {
            return false;
        }
        let (radius_m, over) = extents(player, entity, class, horizon_s, part);
        let feet = heights::feet(player, &self.floors, z, entity.vel.z, horizon_s);
        radius_m <= self.radius_m
            && self.over.contains_range(over)
            && self.feet.contains_range(feet)
            && self.supports.contain(unclipped(player, entity, horizon_s))
    }
}

/// All centres that a body on foot can have, walls left out and slides along them included.
fn unclipped(player: &Player, entity: &Entity<'_>, horizon_s: f64) -> Supports {
    let (at, way) = (entity.pos.xy(), entity.vel.xy() * horizon_s);
    let grown = growth(entity.vel.xy().norm(), player.max_speed, player.max_accel, horizon_s);
    let slid = Supports::disc(at + way * 0.5, 0.5 * way.norm() + grown);
    straight(at, way, grown).hull(slid)
}
