//! Which storey floors and solids of a plan belong to.
//!
//! Owns the reading of a 2.5D map as an architect's plan: what stands on the ground, what on an upper storey, what
//! hangs overhead, and how far a body sees over it. Promises: an answer for every floor and solid, by sampling;
//! nothing but the drawing depends on it. Must not know colours.

use super::crates::crate_tops;
use super::floors::Floors;
use fogwall::{Footprint, Map, Player, Point2, Solid, Vector2};

/// How high a solid rises over the floor beside it, by what sees over it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rise {
    /// Below the crouched eye.
    Crouched,
    /// Below the standing eye: hides who crouches.
    Standing,
    /// Below the eye at the top of a jump.
    Jumping,
    /// Higher.
    Tall,
}

/// Where a floor or solid is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// On the lowest storey here.
    Base,
    /// On a storey that has another beneath it.
    Upper,
    /// A solid that one can walk beneath: a roof, a lintel, a bridge.
    Overhead,
}

/// What carries a floor at the top of a solid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Top {
    /// Nobody walks there.
    Bare,
    /// A small floor of its own: a crate.
    Crate,
    /// Part of a larger floor: the floor is drawn, the solid is its edge.
    Platform,
}

/// How one solid is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolidView {
    pub(super) place: Place,
    pub(super) rise: Rise,
    /// Over the floor beside it, m.
    pub(super) height_m: f64,
    pub(super) top: Top,
}

/// The reading of a whole map, in the order of its floors, solids and doors.
pub(super) struct Storeys {
    pub(super) floors: Vec<Place>,
    /// Whether the floor is the top of a crate, drawn with its solid.
    pub(super) crate_tops: Vec<bool>,
    pub(super) solids: Vec<SolidView>,
}

/// Heights within this of each other are one floor, m.
pub(super) const SAME_M: f64 = 0.1;
/// A floor higher than so far under a solid's top is carried by it, m.
const CARRIED_M: f64 = 0.3;

impl Storeys {
    pub(super) fn read(map: &Map, floors: &Floors) -> Self {
        let crate_tops = crate_tops(map, floors);
        let places = floor_places(map, floors);
        let solids = map.solids.iter().map(|s| view(s, map, floors, &places, &crate_tops)).collect();
        Self { floors: places, crate_tops, solids }
    }

    /// Whether most of a solid lies beneath a floor of an upper storey.
    pub(super) fn is_roofed(&self, solid: &Solid, floors: &Floors) -> bool {
        let inside = within(&solid.footprint);
        let is_under = |p: Point2| {
            let mut found = false;
            floors.at(p, |z, floor| {
                let is_over = z > solid.z.high - SAME_M && self.floors[floor] == Place::Upper;
                found = found || (is_over && !self.crate_tops[floor]);
            });
            found
        };
        2 * inside.iter().filter(|&&p| is_under(p)).count() > inside.len()
    }
}

/// A floor is upper where most of it lies over a floor that a body can stand on.
fn floor_places(map: &Map, floors: &Floors) -> Vec<Place> {
    let mut counts = vec![(0_u32, 0_u32); map.floors.len()];
    for triangle in &floors.triangles {
        for p in triangle.samples() {
            let mut beneath = false;
            floors.at(p.xy(), |z, _| {
                beneath = beneath || (z < p.z - map.player.height && is_free(map, p.xy(), z + 0.5));
            });
            let (over, all) = &mut counts[triangle.floor];
            *over += u32::from(beneath);
            *all += 1;
        }
    }
    counts.iter().map(|&(over, all)| if 2 * over > all { Place::Upper } else { Place::Base }).collect()
}

fn is_free(map: &Map, p: Point2, z: f64) -> bool {
    !map.solids.iter().any(|s| s.blocks.movement && s.z.low < z && z < s.z.high && contains(&s.footprint, p))
}

fn view(solid: &Solid, map: &Map, floors: &Floors, places: &[Place], crates: &[bool]) -> SolidView {
    let beside = around(&solid.footprint);
    let step = map.player.step;
    let mut support: Option<(f64, usize)> = None;
    for &p in &beside {
        floors.at(p, |z, floor| {
            // The floor that the solid itself carries does not carry the solid.
            let is_beneath = z <= solid.z.low + step && z < solid.z.high - CARRIED_M;
            if is_beneath && !crates[floor] && support.is_none_or(|(best, _)| z > best) {
                support = Some((z, floor));
            }
        });
    }
    let top = top(solid, floors, crates);
    let place = match support {
        Some((z, _)) if solid.z.low - z >= map.player.eye_crouched => Place::Overhead,
        // A ramp beside a bridge leads up to it, and yet there is a way beneath.
        _ if top == Top::Platform && is_walked_under(solid, map, floors) => Place::Overhead,
        Some((_, floor)) => places[floor],
        None => Place::Base,
    };
    let level = level(solid, (floors, crates), &beside, support.map(|(z, _)| z), &map.player);
    let height_m = solid.z.high - level;
    SolidView { place, rise: rise(height_m, &map.player), height_m, top }
}

/// The height of the floor beside a solid that stands on `support`.
fn level(
    solid: &Solid,
    (floors, crates): (&Floors, &[bool]),
    beside: &[Point2],
    support: Option<f64>,
    player: &Player,
) -> f64 {
    // Far from all floors, a solid rises from its own foot.
    let base_z = support.unwrap_or(solid.z.low);
    let own = solid.z.high - CARRIED_M;
    // One without a foot rises from whatever floor is beside it.
    let ceiling = if base_z.is_finite() { own.min(base_z.max(solid.z.low) + player.height) } else { own };
    let (mut levels, mut has_higher) = (Vec::new(), false);
    for &p in beside {
        let mut level: Option<f64> = None;
        floors.at(p, |z, floor| {
            if !crates[floor] && solid.z.low - player.step < z && z < ceiling {
                level = Some(level.map_or(z, |l| l.max(z)));
            }
            has_higher = has_higher || z >= own;
        });
        levels.extend(level);
    }
    levels.sort_by(f64::total_cmp);
    match levels.get(levels.len() / 2) {
        Some(level) => *level,
        // Ground in a hollow of the floor rises over nothing.
        None if base_z == f64::NEG_INFINITY && has_higher => solid.z.high,
        None => base_z,
    }
}

/// Whether one walks beneath most of the solid, with nothing else between.
fn is_walked_under(solid: &Solid, map: &Map, floors: &Floors) -> bool {
    let inside = within(&solid.footprint);
    let low = solid.z.low;
    let has_way = |p: Point2| {
        let mut ground = f64::NEG_INFINITY;
        floors.at(p, |z, _| ground = if z <= low + SAME_M { ground.max(z) } else { ground });
        let is_between = |s: &Solid| {
            let z = s.z;
            s.blocks.movement && z.low < low - SAME_M && ground + 0.5 < z.high && contains(&s.footprint, p)
        };
        ground.is_finite()
            && low - ground >= map.player.eye_crouched
            && !map.solids.iter().any(|s| !std::ptr::eq(s, solid) && is_between(s))
    };
    2 * inside.iter().filter(|&&p| has_way(p)).count() > inside.len()
}

fn rise(height: f64, player: &Player) -> Rise {
    if height < player.eye_crouched {
        Rise::Crouched
    } else if height < player.eye_standing {
        Rise::Standing
    } else if height < player.eye_standing + player.jump {
        Rise::Jumping
    } else {
        Rise::Tall
    }
}

fn top(solid: &Solid, floors: &Floors, crates: &[bool]) -> Top {
    let mut found = Top::Bare;
    let inside = within(&solid.footprint);
    let mut platforms = 0;
    for &p in &inside {
        floors.at(p, |z, floor| {
            // A sloped floor lies over the blocks of its stairs, up to the next block's height.
            if z >= solid.z.high - SAME_M && z <= solid.z.high + 0.6 {
                if crates[floor] {
                    found = Top::Crate;
                } else {
                    platforms += 1;
                }
            }
        });
    }
    if found == Top::Bare && 2 * platforms > inside.len() { Top::Platform } else { found }
}

/// Points outside the footprint, beside its edges: near ones first, for walls between rooms, then farther ones,
/// for floors that keep off the walls.
fn around(footprint: &Footprint) -> Vec<Point2> {
    let mut rings = vec![ring(footprint)];
    if let Footprint::Polygon { holes, .. } = footprint {
        rings.extend(holes.iter().cloned());
    }
    let mut points = Vec::new();
    for beside_m in [0.3, 1.2] {
        for ring in &rings {
            for (i, a) in ring.iter().enumerate() {
                let along = ring[(i + 1) % ring.len()] - a;
                let length = along.norm();
                if length > 0.0 {
                    let out = Vector2::new(along.y, -along.x) * (beside_m / length);
                    points.extend([0.02, 0.35, 0.65, 0.98].map(|t| a + along * t + out));
                }
            }
        }
    }
    points
}

/// Points inside the footprint.
fn within(footprint: &Footprint) -> Vec<Point2> {
    let ring = ring(footprint);
    let middle = centre(ring.iter().copied());
    let mut points: Vec<Point2> = ring.iter().map(|p| p + (middle - p) * 0.3).collect();
    points.push(middle);
    points.retain(|&p| contains(footprint, p));
    points
}

/// The outer ring; a circle becomes a polygon of 48 corners, enough for any sheet.
pub(super) fn ring(footprint: &Footprint) -> Vec<Point2> {
    match footprint {
        Footprint::Polygon { outline, .. } => outline.clone(),
        Footprint::Circle { center, radius } => (0..48)
            .map(|k| {
                let angle = f64::from(k) * std::f64::consts::TAU / 48.0;
                center + Vector2::new(angle.cos(), angle.sin()) * *radius
            })
            .collect(),
    }
}

pub(super) fn centre(points: impl Iterator<Item = Point2>) -> Point2 {
    let (sum, n) = points.fold((Vector2::zeros(), 0.0), |(s, n), p| (s + p.coords, n + 1.0));
    Point2::from(sum / f64::max(n, 1.0))
}

/// Whether the footprint is a wall's: long and thinner than 60 cm.
pub(super) fn is_thin(footprint: &Footprint) -> bool {
    let ring = ring(footprint);
    let around: f64 = (0..ring.len()).map(|i| (ring[(i + 1) % ring.len()] - ring[i]).norm()).sum();
    area_m2(footprint) < 0.3 * around
}

pub(super) fn area_m2(footprint: &Footprint) -> f64 {
    let ring = ring(footprint);
    let n = ring.len();
    (0..n).map(|i| ring[i].coords.perp(&ring[(i + 1) % n].coords)).sum::<f64>().abs() * 0.5
}

pub(super) fn contains(footprint: &Footprint, p: Point2) -> bool {
    match footprint {
        Footprint::Circle { center, radius } => (p - center).norm() < *radius,
        Footprint::Polygon { outline, holes } => {
            is_inside(outline, p) && !holes.iter().any(|hole| is_inside(hole, p))
        }
    }
}

/// Whether `p` is inside the ring, by the parity of crossings to its east.
pub(super) fn is_inside(ring: &[Point2], p: Point2) -> bool {
    let n = ring.len();
    (0..n).fold(false, |inside, i| {
        let (a, b) = (ring[i], ring[(i + 1) % n]);
        let crosses = (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y));
        inside != crosses
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::render::tests::tiny_map;

    fn read(id: &str) -> SolidView {
        let map = tiny_map();
        let storeys = Storeys::read(&map, &Floors::new(&map));
        let index = map.solids.iter().position(|s| s.id == id).unwrap();
        storeys.solids[index]
    }

    #[test]
    fn a_roof_hangs_overhead_and_a_wall_stands_on_the_ground() {
        assert_eq!(read("roof").place, Place::Overhead);
        assert_eq!(read("wall").place, Place::Base);
        assert_eq!(read("wall").rise, Rise::Tall);
    }

    #[test]
    fn cover_is_told_by_the_eye_that_sees_over_it() {
        assert_eq!(read("low").rise, Rise::Crouched);
        assert_eq!(read("crate").rise, Rise::Standing);
        assert_eq!(read("crate").top, Top::Crate);
    }

    #[test]
    fn a_floor_over_a_room_is_an_upper_storey_and_what_stands_on_it_too() {
        let map = tiny_map();
        let storeys = Storeys::read(&map, &Floors::new(&map));
        assert_eq!(storeys.floors, [Place::Base, Place::Upper, Place::Base]);
        assert_eq!(read("rail").place, Place::Upper);
    }
}
