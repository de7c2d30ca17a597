//! Which floors are the tops of crates.
//!
//! Owns the question whether a small floor on a solid is a thing in a room or ground of its own. Promises: where
//! one can walk to without a jump, and where somebody spawns, is ground; the order of floors changes nothing.
//! Must not know how either is drawn.

use super::floors::Floors;
use super::storeys::{SAME_M, area_m2, centre, contains};
use fogwall::{Floor, Map, Point2, Point3, Solid, Vector2};

/// A crate is no larger than this, m²: a container of 6 x 2.4 m still is one.
const CRATE_M2: f64 = 20.0;
/// Crates that one can walk between are no larger than this together, m².
const STACK_M2: f64 = 40.0;
/// A crate is at least so high, m: a slab is none.
const CRATE_M: f64 = 0.6;
/// Between points that are looked at along a rim, m.
const APART_M: f64 = 0.5;
/// How far outside the rim floors are looked for that one can walk to, and lower ones, m: floors of navigation
/// meshes keep off each other.
const WALK_M: [f64; 2] = [0.05, 0.3];
const LOWER_M: [f64; 2] = [0.3, 1.2];

/// Whether each floor is the top of a crate.
pub(super) fn crate_tops(map: &Map, floors: &Floors) -> Vec<bool> {
    let mut islands = Islands::new(map.floors.len());
    let carriers: Vec<Option<&Solid>> =
        (0..map.floors.len()).map(|index| carrier(map, floors, index)).collect();
    for index in 0..map.floors.len() {
        // A large floor is found from the rims of the small ones beside it.
        if floors.areas[index] <= STACK_M2 {
            join_beside(map, floors, index, &mut islands);
        }
    }
    let mut area_m2 = vec![0.0; map.floors.len()];
    for (index, area) in floors.areas.iter().enumerate() {
        area_m2[islands.root(index)] += area;
    }
    for spawn in &map.spawns {
        floors.at(spawn.at.xy(), |z, floor| {
            if (z - spawn.at.z).abs() <= map.player.step.max(SAME_M) {
                area_m2[islands.root(floor)] = f64::INFINITY;
            }
        });
    }
    let is_top = |index: usize| {
        area_m2[islands.root(index)] <= STACK_M2
            && carriers[index].is_some_and(|solid| stands_out(map, floors, index, solid))
    };
    (0..map.floors.len()).map(is_top).collect()
}

/// The floors that one can walk to from a point of a rim.
fn beside(
    map: &Map,
    floors: &Floors,
    index: usize,
    (at, outward): (Point3, Vector2),
    mut f: impl FnMut(usize),
) {
    for by in WALK_M {
        floors.at(at.xy() + outward * by, |z, other| {
            if other != index && (z - at.z).abs() <= map.player.step {
                f(other);
            }
        });
    }
}

fn join_beside(map: &Map, floors: &Floors, index: usize, islands: &mut Islands) {
    for point in rim(&map.floors[index]) {
        beside(map, floors, index, point, |other| islands.join(index, other));
    }
}

/// Whether there are lower floors along half of a rim, but for what one can walk over to, and for what the solid
/// leans on. Ground without a lower end is no more a crate that leans on a wall than a ledge in it.
fn stands_out(map: &Map, floors: &Floors, index: usize, solid: &Solid) -> bool {
    let (mut lower, mut blocked, mut all) = (0_u32, 0_u32, 0_u32);
    for (at, outward) in rim(&map.floors[index]) {
        let mut joins = false;
        beside(map, floors, index, (at, outward), |_| joins = true);
        if joins {
            continue;
        }
        all += 1;
        let free = LOWER_M.into_iter().map(|by| at.xy() + outward * by);
        let free: Vec<Point2> = free.take_while(|&p| !is_blocked(map, p, at.z + SAME_M)).collect();
        let mut is_over = false;
        for &p in &free {
            floors.at(p, |z, _| is_over = is_over || z < at.z - map.player.step.max(SAME_M));
        }
        lower += u32::from(is_over);
        blocked += u32::from(!is_over && free.len() < LOWER_M.len());
    }
    let leaning = if solid.z.low.is_finite() { blocked } else { 0 };
    lower > 0 && 2 * lower >= all - leaning
}

fn is_blocked(map: &Map, p: Point2, z: f64) -> bool {
    map.solids.iter().any(|s| s.blocks.movement && s.z.contains(z) && contains(&s.footprint, p))
}

/// Points on the edges of a floor, and the way out of it.
fn rim(floor: &Floor) -> Vec<(Point3, Vector2)> {
    let mut points = Vec::new();
    let holes = floor.holes.iter().map(|hole| (hole, -1.0));
    for (ring, side) in std::iter::once((&floor.outline, 1.0)).chain(holes) {
        let next = |i: usize| &ring[(i + 1) % ring.len()];
        let turn: f64 = (0..ring.len()).map(|i| ring[i].xy().coords.perp(&next(i).xy().coords)).sum();
        for (i, a) in ring.iter().enumerate() {
            let along = next(i) - a;
            let Some(way) = along.xy().try_normalize(1e-9) else { continue };
            let outward = Vector2::new(way.y, -way.x) * (side * turn.signum());
            let count = (along.norm() / APART_M).ceil().clamp(3.0, 24.0);
            let mut k = 0.5;
            while k < count {
                points.push((a + along * (k / count), outward));
                k += 1.0;
            }
        }
    }
    points
}

/// The solid that carries a floor as a crate carries its top.
fn carrier<'a>(map: &'a Map, floors: &Floors, index: usize) -> Option<&'a Solid> {
    let corners = &map.floors[index].outline;
    let z = corners[0].z;
    let area = floors.areas[index];
    let is_flat = corners.iter().all(|p| (p.z - z).abs() < SAME_M);
    if area > CRATE_M2 || !is_flat {
        return None;
    }
    let middle = centre(corners.iter().map(|p| p.xy()));
    map.solids.iter().find(|s| {
        (s.z.high - z).abs() < SAME_M
            && s.z.high - s.z.low > CRATE_M
            && (area_m2(&s.footprint) - area).abs() < 0.1 * area
            && contains(&s.footprint, middle)
    })
}

/// Floors that one can walk between.
struct Islands {
    /// A floor of the same island; of itself where it stands for the island.
    next: Vec<usize>,
}

impl Islands {
    fn new(count: usize) -> Self {
        Self { next: (0..count).collect() }
    }

    fn root(&self, mut index: usize) -> usize {
        while self.next[index] != index {
            index = self.next[index];
        }
        index
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.next[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::render::tests::tiny_map;
    use fogwall::{Blocks, Footprint, Spawn, ZRange};

    const LOW: f64 = f64::NEG_INFINITY;

    /// A map of squares (west, south, edge) whose floors lie on solids with this lower end.
    fn ground(squares: &[((f64, f64, f64), f64)], low: f64) -> Map {
        let mut map = tiny_map();
        (map.solids, map.floors, map.spawns) = (Vec::new(), Vec::new(), Vec::new());
        for (index, &((x, y, edge), z)) in squares.iter().enumerate() {
            let corners = [(x, y), (x + edge, y), (x + edge, y + edge), (x, y + edge)];
            let outline = corners.map(|(x, y)| Point2::new(x, y)).to_vec();
            let footprint = Footprint::Polygon { outline, holes: Vec::new() };
            let z_range = ZRange::new(low, z);
            map.solids.push(Solid { id: index.to_string(), footprint, z: z_range, blocks: Blocks::ALL });
            let outline = corners.map(|(x, y)| Point3::new(x, y, z)).to_vec();
            map.floors.push(Floor { outline, holes: Vec::new() });
        }
        map
    }

    fn tops(map: &Map) -> Vec<bool> {
        crate_tops(map, &Floors::new(map))
    }

    #[test]
    fn a_block_that_one_must_jump_onto_is_a_crate_whatever_its_lower_end() {
        let room = [((0.0, 0.0, 20.0), 0.0), ((8.0, 8.0, 1.5), 1.3)];
        assert_eq!(tops(&ground(&room, LOW)), [false, true]);
        assert_eq!(tops(&ground(&room, -1.0)), [false, true]);
    }

    #[test]
    fn steps_and_a_doorway_are_ground() {
        let squares = [
            ((0.0, 0.0, 20.0), 0.0),
            ((20.0, 0.0, 2.0), 0.4),
            ((22.0, 0.0, 2.0), 0.8),
            ((24.0, 0.0, 2.0), 1.2),
            ((26.0, 0.0, 20.0), 1.2),
        ];
        assert_eq!(tops(&ground(&squares, LOW)), [false; 5]);
    }

    #[test]
    fn a_ledge_in_the_rock_and_a_block_with_a_spawn_are_ground() {
        // The ledge has the room on one side only.
        let squares = [((0.0, 0.0, 20.0), 0.0), ((20.0, 8.0, 3.0), 2.5), ((8.0, 8.0, 1.5), 1.3)];
        let mut map = ground(&squares, LOW);
        assert_eq!(tops(&map), [false, false, true]);
        map.spawns.push(Spawn { team: "ffa".to_owned(), at: Point3::new(8.5, 8.5, 1.3) });
        assert_eq!(tops(&map), [false; 3]);
    }

    #[test]
    fn a_crate_that_leans_on_walls_is_one() {
        let mut map = ground(&[((0.0, 0.0, 20.0), 0.0), ((8.0, 8.0, 1.5), 1.3)], 0.0);
        let walls = [((6.0, 8.0, 2.0), 4.0), ((9.5, 8.0, 2.0), 4.0), ((8.0, 9.5, 1.5), 4.0)];
        map.solids.extend(ground(&walls, 0.0).solids);
        assert_eq!(tops(&map), [false, true]);
    }

    #[test]
    fn crates_side_by_side_are_crates_until_they_are_a_terrace() {
        let row = |count: u32| {
            let mut squares = vec![((0.0, 0.0, 30.0), 0.0)];
            squares.extend((0..count).map(|k| ((5.0 + 3.0 * f64::from(k), 8.0, 3.0), 1.3)));
            tops(&ground(&squares, 0.0))
        };
        assert_eq!(row(2), [false, true, true]);
        assert_eq!(row(6), [false; 7]);
    }
}
