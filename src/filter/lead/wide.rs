//! Reaches that hold those of the next ticks too, so that what is proven of them need not be proven anew each tick.
//!
//! Owns how much larger they are and when one holds a body still. Promises: a body of which it says so can't leave it
//! within the horizon, walls included; what it is larger by errs towards visible. Must not know what is proven.
//! The walls: each cut is at a face that the centre is still before, and is as wide as all that lies behind it.

use super::{Ground, Part, above, clip, extents, grow, growth, heights, is_mounted, straight};
use crate::geom::{Point3, Vector2, Vector3, ZRange};
use crate::map::{Baked, Mask, Player, Spread, Supports};
use crate::rules::{Class, Motion};
use crate::world::{Entity, Stance};
use heights::Floors;

/// How much larger such a reach is.
#[derive(Clone, Copy, Debug)]
pub(in crate::filter) struct Margin {
    /// It goes on along the velocity for this long, seconds.
    ahead_s: f64,
    /// And is larger by this in the plan, metres.
    around_m: f64,
    /// And in height, metres.
    up_m: f64,
}

/// Of a reach that outlasts many ticks: most that is hidden is hidden even so.
pub(in crate::filter) const WIDE: Margin = Margin { ahead_s: 0.2, around_m: 0.45, up_m: 0.2 };
/// Of one that outlasts few, for what is nearly seen.
pub(in crate::filter) const NARROW: Margin = Margin { ahead_s: 0.05, around_m: 0.12, up_m: 0.08 };

/// What rounding may take off a margin, metres.
const ROUNDING_M: f64 = 1e-6;

/// Where a body can be within the lead of this tick and of those that follow, while it [`holds`](Wide::holds) it.
pub(in crate::filter) struct Wide {
    /// What it was made of.
    first: Course,
    margin: Margin,
    /// All that it is made of, walls left out.
    supports: Supports,
    /// The centres, cut at walls.
    region: Spread,
    is_cut: bool,
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

/// A body in motion, and what else its reach is a function of.
struct Course {
    at: Point3,
    vel: Vector3,
    /// One over the square of the speed in the plan; 0 for one that stands.
    per_speed_squared: f64,
    horizon_s: f64,
    grown: f64,
    stance: Stance,
    radius_m: f64,
    height_m: f64,
}

impl Wide {
    /// The wide reach of a body on foot; nothing for what moves otherwise.
    pub(in crate::filter) fn new(
        baked: &Baked,
        ground: &Ground,
        entity: &Entity<'_>,
        class: &Class,
        horizon_s: f64,
        (part, margin): (Part, Margin),
    ) -> Option<Self> {
        if class.motion != Motion::Player {
            return None;
        }
        let player = &baked.map.player;
        let (radius_m, over) = extents(player, entity, class, horizon_s, part);
        let now = unclipped(player, entity, horizon_s);
        let Margin { ahead_s, around_m, up_m } = margin;
        let ahead = entity.vel * ahead_s;
        let supports = now.hull(now.shifted(ahead.xy())).grown(around_m);
        let (low, high) = supports.bounds();
        let z = entity.pos.z;
        let from = ZRange::new(z + ahead.z.min(0.0) - up_m, z + ahead.z.max(0.0) + up_m);
        // A reach in this one may lie beside all floors, over which one falls as deep as time allows.
        let floors = Floors { lowest: None, ..ground.floors(low, high, from, player.step) };
        let [low_feet, high_feet] =
            [from.low, from.high].map(|z| heights::feet(player, &floors, z, entity.vel.z, horizon_s));
        let hull = low_feet.hull(high_feet);
        let feet = ZRange::new(hull.low - up_m, hull.high + up_m);
        let around = Vector2::new(1.0, 1.0) * (player.radius + super::NEAR_M);
        let (mut region, mut is_cut, mut mounts) = (Spread::region_of(supports), false, false);
        baked.solids.for_each_touching(low - around, high + around, |_, piece| {
            if Mask::Movement.selects(piece.blocks) {
                is_cut |= clip(&mut region, player, entity.pos.xy(), feet, piece);
                mounts |= is_mounted(player, feet, piece);
            }
        });
        let mut spread = region;
        grow(&mut spread, (supports, is_cut), radius_m, above(feet, over));
        let first = Course::new(player, entity, horizon_s);
        Some(Self {
            first,
            margin,
            supports,
            region,
            is_cut,
            from,
            floors,
            radius_m,
            over,
            feet,
            spread,
            mounts,
        })
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
        if class.motion != Motion::Player || !self.from.contains(z) {
            return false;
        }
        let is_before = !self.is_cut || self.region.holds_centre(entity.pos.xy());
        if is_before && self.first.is_near(player, entity, horizon_s, &self.margin) {
            return true;
        }
        if !self.region.holds_centre(entity.pos.xy()) {
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

impl Course {
    fn new(player: &Player, entity: &Entity<'_>, horizon_s: f64) -> Self {
        let (vel, speed_squared) = (entity.vel, entity.vel.xy().norm_squared());
        Self {
            at: entity.pos,
            vel,
            per_speed_squared: if speed_squared > 1e-6 { speed_squared.recip() } else { 0.0 },
            horizon_s,
            grown: growth(speed_squared.sqrt(), player.max_speed, player.max_accel, horizon_s),
            stance: entity.stance,
            radius_m: entity.radius_m,
            height_m: entity.height_m,
        }
    }

    /// Whether the body is so near to where this motion leads that the margins hold it, its height at the time and
    /// walls left out; the cheap way to yes.
    ///
    /// Its reach is off by no more than its place is, and within the horizon by what its velocity adds.
    fn is_near(&self, player: &Player, entity: &Entity<'_>, horizon_s: f64, margin: &Margin) -> bool {
        let (off, change) = (entity.pos.xy() - self.at.xy(), entity.vel - self.vel);
        let way = self.vel.xy();
        let since_s = (off.dot(&way) * self.per_speed_squared).clamp(0.0, margin.ahead_s);
        let turned_m = change.xy().norm() * horizon_s;
        // Growth is the same for all speeds where acceleration bounds it, else it is a speed's.
        let is_constant = self.grown >= 0.5 * player.max_accel * horizon_s * horizon_s;
        let more_m = if is_constant { 0.0 } else { turned_m };
        (off - way * since_s).norm() + turned_m + more_m <= margin.around_m - ROUNDING_M
            && change.z.abs() * horizon_s <= margin.up_m - ROUNDING_M
            && horizon_s <= self.horizon_s
            && self.stance == entity.stance
            && entity.radius_m <= self.radius_m
            && entity.height_m <= self.height_m
    }
}

/// All centres that a body on foot can have, walls left out and slides along them included.
fn unclipped(player: &Player, entity: &Entity<'_>, horizon_s: f64) -> Supports {
    let (at, way) = (entity.pos.xy(), entity.vel.xy() * horizon_s);
    let grown = growth(entity.vel.xy().norm(), player.max_speed, player.max_accel, horizon_s);
    let slid = Supports::disc(at + way * 0.5, 0.5 * way.norm() + grown);
    straight(at, way, grown).hull(slid)
}
