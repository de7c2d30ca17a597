//! Where bodies and eyes can be within the lead.
//!
//! Owns the horizons, from the timeline of a client, and the reach of a motion within them.
//! Promises: whatever keeps the rules' and the map's limits stays inside; a lag that the server did not measure for
//! long buys nothing. Errs towards visible, but for the lead itself. Must not know who may see whom.

mod ground;
mod heights;
mod horizon;
mod limits;
mod wide;

pub(super) use ground::Ground;
pub(super) use horizon::Horizons;
pub(super) use limits::Limits;
pub(super) use wide::{NARROW, WIDE, Wide};

use crate::geom::{Point2, Vector2, ZRange, outward};
use crate::map::{Baked, Mask, Piece, Player, Spread, Supports};
use crate::rules::{Class, Motion};
use crate::world::{Entity, Stance};

/// How far around a reach solids count as near, metres, beside the body's radius (errs towards visible).
const NEAR_M: f64 = 0.05;

/// What of a body is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Its eyes, leaning.
    Eyes,
    /// All that can be seen of it.
    Body,
}

/// Where an entity can be within a time.
pub(super) struct Reach {
    pub(super) spread: Spread,
    /// Where its feet can be.
    pub(super) feet: ZRange,
    /// Whether it may come to stand on a solid, where the cells need not know it.
    pub(super) mounts: bool,
}

impl Reach {
    /// Of what never stands on cells, or of what nothing is known.
    pub(super) fn of_thing(spread: Spread) -> Self {
        Self { feet: spread.z, spread, mounts: true }
    }
}

/// Where an entity of a class can be within `horizon_s` seconds.
pub(super) fn reach(
    baked: &Baked,
    ground: &Ground,
    entity: &Entity<'_>,
    class: &Class,
    horizon_s: f64,
    part: Part,
) -> Reach {
    let player = &baked.map.player;
    let (radius_m, over) = extents(player, entity, class, horizon_s, part);
    let at = entity.pos.xy();
    match class.motion {
        Motion::Still => {
            let feet = ZRange::new(entity.pos.z, entity.pos.z);
            Reach::of_thing(Spread::around(at, radius_m, above(feet, over)))
        }
        Motion::Free { max_speed_mps, max_accel_mps2 } => {
            let grown = growth(entity.vel.norm(), max_speed_mps, max_accel_mps2, horizon_s);
            let supports = straight(at, entity.vel.xy() * horizon_s, grown);
            let rise = entity.vel.z * horizon_s;
            let feet =
                ZRange::new(entity.pos.z + rise.min(0.0) - grown, entity.pos.z + rise.max(0.0) + grown);
            Reach::of_thing(Spread::within(supports, radius_m, above(feet, over)))
        }
        Motion::Player => on_foot(baked, ground, entity, horizon_s, (radius_m, over)),
    }
}

fn on_foot(
    baked: &Baked,
    ground: &Ground,
    entity: &Entity<'_>,
    horizon_s: f64,
    (radius_m, over): (f64, ZRange),
) -> Reach {
    let player = &baked.map.player;
    let (at, way) = (entity.pos.xy(), entity.vel.xy() * horizon_s);
    let grown = growth(entity.vel.xy().norm(), player.max_speed, player.max_accel, horizon_s);
    let mut supports = straight(at, way, grown);
    let around = Vector2::new(1.0, 1.0) * (player.radius + NEAR_M);
    let (low, high) = supports.bounds();
    let mut is_near = ground.has_door_near(low - around, high + around);
    baked.solids.for_each_touching(low - around, high + around, |_, piece| {
        is_near |= Mask::Movement.selects(piece.blocks);
    });
    if is_near {
        // Sliding along a wall ends within the disc that has the whole way as its diameter.
        supports = supports.hull(Supports::disc(at + way * 0.5, 0.5 * way.norm() + grown));
    }
    let z = entity.pos.z;
    let (low, high) = supports.bounds();
    let floors = ground.floors(low, high, ZRange::new(z, z), player.step);
    let feet = heights::feet(player, &floors, z, entity.vel.z, horizon_s);
    let mut spread = Spread::region_of(supports);
    let (mut is_cut, mut mounts) = (false, false);
    if is_near {
        baked.solids.for_each_touching(low - around, high + around, |_, piece| {
            if Mask::Movement.selects(piece.blocks) {
                is_cut |= clip(&mut spread, player, at, feet, piece);
                mounts |= is_mounted(player, feet, piece);
            }
        });
    }
    grow(&mut spread, (supports, is_cut), radius_m, above(feet, over));
    Reach { spread, feet, mounts }
}

/// Whether feet may come to stand on a piece.
fn is_mounted(player: &Player, feet: ZRange, piece: &Piece) -> bool {
    feet.low < piece.z.high && piece.z.high <= feet.high + player.step
}

/// Gives each centre of a region, all within the supports unless it was cut, a disc and heights.
fn grow(spread: &mut Spread, (supports, is_cut): (Supports, bool), radius_m: f64, z: ZRange) {
    if is_cut { spread.grow(radius_m, z) } else { spread.grow_whole(supports, radius_m, z) }
}

/// How far a body may get from where its velocity takes it, metres.
fn growth(speed_mps: f64, max_speed_mps: f64, max_accel_mps2: f64, time_s: f64) -> f64 {
    (0.5 * max_accel_mps2 * time_s * time_s).min((max_speed_mps + speed_mps) * time_s)
}

/// A body may be stopped anywhere on the way.
fn straight(at: Point2, way: Vector2, grown: f64) -> Supports {
    Supports::disc(at, 0.0).hull(Supports::disc(at + way, grown))
}

fn above(feet: ZRange, over: ZRange) -> ZRange {
    ZRange::new(feet.low + over.low, feet.high + over.high)
}

/// How far the part leaves the centre in the plan, and its heights over the feet.
fn extents(player: &Player, entity: &Entity<'_>, class: &Class, time_s: f64, part: Part) -> (f64, ZRange) {
    if part == Part::Eyes {
        return (player.lean, heights::eyes(player, entity.stance, time_s));
    }
    let points =
        class.body.iter().map(|point| (point.placing.off_axis_m(), point.up_m.max(point.crouched_up_m)));
    let (radius_m, height_m) = points
        .fold((entity.radius_m, entity.height_m), |(r, h), (off, up)| (f64::max(r, off), f64::max(h, up)));
    match class.motion {
        // A crouched body may stand up within the lead.
        Motion::Player => (radius_m.max(player.sight_radius), ZRange::new(0.0, height_m.max(player.height))),
        Motion::Still | Motion::Free { .. } => (radius_m, ZRange::new(0.0, height_m.max(0.0))),
    }
}

/// The height of the true eye over the feet.
pub(super) fn eye_height(player: &Player, stance: Stance) -> f64 {
    if stance == Stance::Crouched { player.eye_crouched } else { player.eye_standing }
}

/// Cuts off what lies behind a face of a piece that bodies can't get past.
///
/// Only where the centre is on the face's outer side, and the face is as wide as all that it cuts off and higher than
/// any step: a body that could get round it or over it is not cut off (errs towards visible). Gives whether it cut.
fn clip(spread: &mut Spread, player: &Player, at: Point2, feet: ZRange, piece: &Piece) -> bool {
    // Feet of the lowest body are under half of it; a wall that begins higher may be crept under.
    let spans = piece.z.low <= feet.low + 0.5 * player.eye_crouched && piece.z.high > feet.high + player.step;
    if !spans {
        return false;
    }
    let mut is_cut = false;
    for (a, b) in piece.outline.edges() {
        let Some(normal) = outward(a, b) else { continue };
        let face = normal.dot(&a.coords);
        let place = normal.dot(&at.coords);
        // Recorded bodies press into walls by rounding: what is there already is never cut off.
        let limit = (face + player.radius).min(place);
        if place < face || spread.extent(normal).0 >= limit {
            continue;
        }
        let along = (b - a).normalize();
        let (first, last) = (along.dot(&a.coords), along.dot(&b.coords));
        let (least, most) = spread.extent_below(along, normal, limit);
        if first <= least && most <= last {
            is_cut |= spread.clip(-normal, -limit);
        }
    }
    is_cut
}

#[cfg(test)]
mod tests;
