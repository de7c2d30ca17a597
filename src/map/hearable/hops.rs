//! Jumps and falls over what is no floor.
//!
//! Owns which cells at a rim a body can fly between.
//! Promises: a hop is left out only where its way lies over floors that are walked anyway, or where walls
//! cut it; errs to more hops, which lets more be heard.
//! Must not know distances beyond one hop.

use super::links::{Grid, around, gap};
use crate::geom::{ConvexPolygon, Point2, Point3, ZRange};
use crate::map::{Cell, CellId, Cells, Mask, Player, Solids};
use rayon::prelude::*;

/// No hop is followed farther than this, metres: what flies farther may be heard late.
const MAX_HOP_M: f64 = 16.0;

/// What hops are looked for in.
pub(super) struct Hops<'a> {
    pub(super) cells: &'a Cells,
    pub(super) solids: &'a Solids,
    pub(super) player: &'a Player,
    pub(super) size: f64,
    /// The lowest floor of the map.
    pub(super) lowest_m: f64,
    pub(super) grid: Grid,
    /// Per cell, the cells that it touches.
    pub(super) beside: &'a [Vec<u32>],
    /// Per cell, whether one of its four sides lacks a cell to walk to.
    pub(super) rim: Vec<bool>,
    /// The cells of which that is so.
    pub(super) rims: Grid,
    /// Per cell, the box of its region.
    pub(super) plates: Vec<Plate>,
}

/// The box of a cell's region in the plan.
pub(super) struct Plate {
    low: Point2,
    high: Point2,
    /// Whether the region is all of it.
    is_whole: bool,
}

impl Plate {
    /// That of a cell.
    pub(super) fn of(cell: &Cell) -> Self {
        let ((low, high), corners) = (cell.region.bounds(), cell.region.vertices());
        let at_corner = |p: &Point2| (p.x == low.x || p.x == high.x) && (p.y == low.y || p.y == high.y);
        let is_whole =
            low.x < high.x && low.y < high.y && corners.len() == 4 && corners.iter().all(at_corner);
        Self { low, high, is_whole }
    }

    /// Whether a point is at most `reach` metres from the region.
    fn is_near(&self, region: &ConvexPolygon, p: Point2, reach: f64) -> bool {
        let x = (self.low.x - p.x).max(p.x - self.high.x);
        let y = (self.low.y - p.y).max(p.y - self.high.y);
        let off = x.max(y);
        // Most points are asked about where a floor is whole.
        off <= reach && (self.is_whole && off <= 0.0 || region.distance(p) <= reach)
    }

    /// Whether the boxes are more than `margin` metres apart along an axis.
    fn is_apart(&self, other: &Self, margin: f64) -> bool {
        self.low.x > other.high.x + margin
            || other.low.x > self.high.x + margin
            || self.low.y > other.high.y + margin
            || other.low.y > self.high.y + margin
    }
}

impl Hops<'_> {
    /// All pairs of cells with a hop from one to the other: the two, and the gap between their regions, metres.
    pub(super) fn all(&self) -> Vec<(u32, u32, f64)> {
        let from =
            |a: u32| self.starting_at(a).into_iter().map(move |(b, gap_m)| (a, b, gap_m)).collect::<Vec<_>>();
        let found: Vec<Vec<(u32, u32, f64)>> =
            (0..self.cells.len() as u32).into_par_iter().map(from).collect();
        found.concat()
    }

    /// The cells that a body hops to from `a`, or from there to `a`, with the gap between the regions: each pair of cells
    /// is found from one of them only.
    fn starting_at(&self, a: u32) -> Vec<(u32, f64)> {
        if !self.rim[a as usize] {
            return Vec::new();
        }
        let from = self.cells.get(CellId(a));
        let is_found_from = |b: &Cell| {
            let reach = self.reach(b);
            let apart = |x: i32, y: i32| (x - y).abs() > reach;
            !apart(b.column.0, from.column.0) && !apart(b.column.1, from.column.1)
        };
        around(self.cells, &self.rims, a, self.reach(from))
            .into_iter()
            .map(|(b, _)| (b, self.cells.get(CellId(b))))
            .filter(|(b, to)| a < *b || !is_found_from(to))
            .filter_map(|(b, to)| Some((b, self.some_hop(a, from, b, to)?)))
            .collect()
    }

    /// In how many columns around a cell hops that start there end.
    fn reach(&self, from: &Cell) -> i32 {
        let farthest = flight_m(self.player, from.feet.high - self.lowest_m).min(MAX_HOP_M);
        ((farthest.max(self.player.radius) / self.size).ceil() as i32 + 1).min(64)
    }

    /// The gap between two cells, metres, where a body hops from one to the other, or back.
    fn some_hop(&self, a: u32, from: &Cell, b: u32, to: &Cell) -> Option<f64> {
        let hops = [self.hop_m(from, to), self.hop_m(to, from)];
        let farthest = hops.into_iter().flatten().reduce(f64::max)?;
        let plate = |cell: u32| &self.plates[cell as usize];
        if plate(a).is_apart(plate(b), farthest) || self.beside[a as usize].contains(&b) {
            return None;
        }
        let gap_m = gap(&from.region, &to.region);
        let reaches = hops.map(|hop| hop.is_some_and(|hop| gap_m <= hop));
        let (first, last) = if a < b { (from, to) } else { (to, from) };
        let hops = reaches != [false; 2]
            && !self.is_walked(first, last)
            && (gap_m <= self.player.radius
                || reaches[0] && self.flies(from, to)
                || reaches[1] && self.flies(to, from));
        hops.then_some(gap_m)
    }

    /// How far a jump carries from one cell's floor to the other's, walls left out; `None` where it does not get as
    /// high.
    fn hop_m(&self, from: &Cell, to: &Cell) -> Option<f64> {
        let player = self.player;
        let climbs = to.feet.low - from.feet.high <= player.jump + player.step;
        climbs.then(|| flight_m(player, from.feet.high - to.feet.low).min(MAX_HOP_M).max(player.radius))
    }

    /// Whether walls leave open some line between corners and centres at the height of the jump.
    ///
    /// Lines between them are not looked at: a slit that only they pass is missed, and sounds through it.
    fn flies(&self, from: &Cell, to: &Cell) -> bool {
        let points = |cell: &Cell| -> Vec<Point2> {
            cell.region.vertices().iter().copied().chain([cell.region.center()]).collect()
        };
        let start = from.feet.high + self.player.jump + self.player.step;
        let end = (to.feet.high + self.player.step).min(start);
        let (starts, ends) = (points(from), points(to));
        starts.iter().any(|p| {
            ends.iter().any(|q| {
                let free = |z: f64| {
                    let (p, q) = (Point3::new(p.x, p.y, start), Point3::new(q.x, q.y, z));
                    self.solids.blocker(p, q, Mask::Movement, None).is_none()
                };
                free(start) || free(end)
            })
        })
    }

    /// Whether the way lies over cells: along the lines between the centres and between the nearest corners,
    /// no point is farther from a cell that the heights of both ends reach than the body's radius.
    ///
    /// An opening that both lines miss is not seen: the walk around it is longer by less than a cell.
    fn is_walked(&self, from: &Cell, to: &Cell) -> bool {
        let nearest = from
            .region
            .vertices()
            .iter()
            .flat_map(|p| to.region.vertices().iter().map(move |q| (*p, *q)))
            .min_by(|a, b| (a.1 - a.0).norm_squared().total_cmp(&(b.1 - b.0).norm_squared()));
        let lines = [Some((from.region.center(), to.region.center())), nearest];
        let climb = self.player.jump + self.player.step;
        let heights = from.feet.hull(to.feet);
        let heights = ZRange::new(heights.low - climb, heights.high + climb);
        let mut under = None;
        lines.into_iter().flatten().all(|(p, q)| {
            let steps = (2.0 * (q - p).norm() / self.size).ceil().clamp(1.0, 64.0);
            (1..steps as u32).all(|i| {
                let at = p + (q - p) * (f64::from(i) / steps);
                // Often the floor under the point before is under this one too.
                if !under.is_some_and(|cell| self.is_over(cell, at)) {
                    under = self.floor_at(at, heights);
                }
                under.is_some()
            })
        })
    }

    fn is_over(&self, cell: u32, p: Point2) -> bool {
        let region = &self.cells.get(CellId(cell)).region;
        self.plates[cell as usize].is_near(region, p, self.player.radius)
    }

    /// A cell with feet at some of these heights that a body over the point can stand on.
    fn floor_at(&self, p: Point2, heights: ZRange) -> Option<u32> {
        let column = |at: f64| (at / self.size).floor() as i32;
        let reach = self.player.radius;
        let near = |(_, id): &(i32, u32)| {
            let feet = self.cells.get(CellId(*id)).feet;
            feet.low <= heights.high && feet.high >= heights.low && self.is_over(*id, p)
        };
        // Most often the floor of the point's own column is there.
        let own = self.grid.row(column(p.y), (column(p.x), column(p.x))).find(near);
        let columns = (column(p.x - reach), column(p.x + reach));
        let mut rows = column(p.y - reach)..=column(p.y + reach);
        own.or_else(|| rows.find_map(|y| self.grid.row(y, columns).find(near))).map(|(_, id)| id)
    }
}

/// How far a body flies that jumps off and lands `fall` metres lower.
fn flight_m(player: &Player, fall: f64) -> f64 {
    let speed = player.jump_speed.max(0.0);
    let under_root = speed * speed + 2.0 * player.gravity * fall;
    if player.gravity <= 0.0 || under_root < 0.0 {
        return 0.0;
    }
    player.max_speed * (speed + under_root.sqrt()) / player.gravity
}
