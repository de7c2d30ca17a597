//! Places to stand on, a few to each cell, and the ways between them.
//!
//! Owns the places and their look-up. Promises: a body stands free at each place; their order depends on the map alone.
//! Must not know who walks where.

mod links;

use super::space::{Near, Space};
use crate::geom::{Point2, Point3};
use crate::map::{Cell, Cells};
use rayon::prelude::*;
use std::collections::HashMap;

/// Places lie about this far apart, metres.
const SPACING_M: f64 = 0.5;
/// How a place may lie off the middle of its square, parts of the square; the nearest come first.
const OFFSETS: [(f64, f64); 9] = [
    (0.0, 0.0),
    (0.3, 0.0),
    (-0.3, 0.0),
    (0.0, 0.3),
    (0.0, -0.3),
    (0.3, 0.3),
    (-0.3, 0.3),
    (0.3, -0.3),
    (-0.3, -0.3),
];

/// How one gets from place to place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Walk,
    Drop,
    Jump,
}

/// A way to a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) to: u32,
    pub(super) seconds: f64,
    pub(super) way: Way,
    pub(super) door: Option<u32>,
}

/// The places of a map and the ways between them.
pub(super) struct Nav {
    pub(super) places: Vec<Point3>,
    /// Ways from each place.
    pub(super) links: Vec<Vec<Link>>,
    /// Places that are joined, whichever way one may go, have the same number.
    pub(super) islands: Vec<u32>,
    /// Whether a closed door would be in a body's way at each place.
    pub(super) in_doorway: Vec<bool>,
    /// The places of the largest set that is joined, doorways left out.
    largest: Vec<u32>,
    squares: HashMap<(i32, i32), Vec<u32>>,
    square_m: f64,
}

impl Nav {
    pub(super) fn build(space: &Space, cells: &Cells, cell_size: f64) -> Self {
        let parts = (cell_size / SPACING_M).round().clamp(1.0, 64.0);
        let square_m = cell_size / parts;
        let open = vec![true; space.door_count()];
        let found: Vec<Vec<Point3>> = cells
            .as_slice()
            .par_iter()
            .map_init(Near::default, |near, cell| places_of(space, near, &open, cell, square_m, parts as u32))
            .collect();
        let mut nav = Self {
            places: Vec::new(),
            links: Vec::new(),
            islands: Vec::new(),
            in_doorway: Vec::new(),
            largest: Vec::new(),
            squares: HashMap::new(),
            square_m,
        };
        for place in found.into_iter().flatten() {
            let square = nav.square(place.xy());
            let held = nav.squares.entry(square).or_default();
            // Cells of two storeys may share a floor's edge.
            if held.iter().all(|other| (nav.places[*other as usize].z - place.z).abs() > 0.02) {
                held.push(nav.places.len() as u32);
                nav.places.push(place);
            }
        }
        nav.links = links::find(&nav, space, &open);
        nav.islands = links::islands(&nav.links);
        nav.in_doorway = in_doorways(&nav.places, space);
        nav.largest = largest(&nav.islands, &nav.in_doorway);
        nav
    }

    /// The places of the largest set of places that are joined, doorways left out.
    pub(super) fn largest_island(&self) -> &[u32] {
        &self.largest
    }

    fn square(&self, p: Point2) -> (i32, i32) {
        ((p.x / self.square_m).floor() as i32, (p.y / self.square_m).floor() as i32)
    }

    /// The places within `reach_m` in the plan, by their squares.
    pub(super) fn near(&self, p: Point2, reach_m: f64) -> Vec<u32> {
        let (x, y) = self.square(p);
        let reach = (reach_m / self.square_m).ceil() as i32;
        let mut found = Vec::new();
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                let Some(held) = self.squares.get(&(x + dx, y + dy)) else { continue };
                let within = |id: &&u32| (self.places[**id as usize].xy() - p).norm() <= reach_m;
                found.extend(held.iter().filter(within));
            }
        }
        found
    }

    /// The place nearest to these feet, heights counting double; none within 3 m.
    pub(super) fn nearest(&self, feet: Point3) -> Option<u32> {
        let distance = |id: &u32| {
            let way = self.places[*id as usize] - feet;
            way.xy().norm() + 2.0 * way.z.abs()
        };
        let close = self.near(feet.xy(), 1.0);
        let found = if close.iter().any(|id| distance(id) < 1.0) { close } else { self.near(feet.xy(), 3.0) };
        found.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)))
    }

    /// The place nearest to these feet to which one can walk straight.
    pub(super) fn entry(&self, space: &Space, near: &mut Near, open: &[bool], feet: Point3) -> Option<u32> {
        /// Tries before the nearest is taken on trust.
        const TRIES: usize = 8;
        let mut close = self.near(feet.xy(), 1.5);
        close.retain(|id| (self.places[*id as usize].z - feet.z).abs() < 1.0);
        let distance = |id: &u32| (self.places[*id as usize] - feet).norm();
        close.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
        let mut touch = space.touch(near, open);
        let height = space.crouched_height();
        let reached =
            close.iter().take(TRIES).find(|id| touch.reaches(feet, self.places[**id as usize], height));
        reached.copied().or_else(|| self.nearest(feet))
    }
}

fn in_doorways(places: &[Point3], space: &Space) -> Vec<bool> {
    let (mut near, closed) = (Near::default(), vec![false; space.door_count()]);
    let mut touch = space.touch(&mut near, &closed);
    places.iter().map(|place| !touch.is_free(*place, space.crouched_height())).collect()
}

fn largest(islands: &[u32], in_doorway: &[bool]) -> Vec<u32> {
    let mut sizes = vec![0_u32; islands.len()];
    let clear = || (0..islands.len() as u32).filter(|place| !in_doorway[*place as usize]);
    clear().for_each(|place| sizes[islands[place as usize] as usize] += 1);
    let most = (0..sizes.len()).max_by_key(|island| (sizes[*island], std::cmp::Reverse(*island)));
    clear().filter(|place| Some(islands[*place as usize] as usize) == most).collect()
}

/// The places of one cell: one to each square of it where a body stands free, on each floor.
fn places_of(
    space: &Space,
    near: &mut Near,
    open: &[bool],
    cell: &Cell,
    square_m: f64,
    parts: u32,
) -> Vec<Point3> {
    let mut touch = space.touch(near, open);
    let mut places = Vec::new();
    let mut heights = Vec::new();
    for index in 0..parts * parts {
        let column = (i64::from(cell.column.0), i64::from(cell.column.1));
        let at = |column: i64, part: u32| (column * i64::from(parts) + i64::from(part)) as f64 + 0.5;
        let middle = (at(column.0, index % parts), at(column.1, index / parts));
        let already = places.len();
        for (dx, dy) in OFFSETS {
            let p = Point2::new((middle.0 + dx) * square_m, (middle.1 + dy) * square_m);
            if cell.region.distance(p) > 0.0 {
                continue;
            }
            heights.clear();
            touch.floors_at(p, |z| heights.push(z));
            heights.retain(|z| cell.feet.low - 0.01 <= *z && *z <= cell.feet.high + 0.01);
            heights.sort_by(f64::total_cmp);
            heights.dedup_by(|a, b| (*a - *b).abs() < 0.02);
            for z in heights.drain(..) {
                let place = Point3::new(p.x, p.y, z);
                if touch.is_free(place, space.crouched_height()) {
                    places.push(place);
                }
            }
            if places.len() > already {
                break;
            }
        }
    }
    places
}
