//! The ideal filter: where bodies can be within the lead, and whether any line joins two such places.
//!
//! Owns another making of the reach than the product's, with as many corners as one likes, and asks the judges' own
//! search for lines. Promises: what it says is seen, is; what it says is hidden may be seen by a hair.

use crate::bodies::{Ground, Mover};
use crate::oracle::critical::Field;
use crate::oracle::kernel::{Grid, Marks};
use crate::oracle::plane::{P2, bounds, distance, dot, edges, holds, hull, length, sub};
use crate::oracle::product::Level as Judged;
use crate::oracle::random::Random;
use crate::oracle::scene::Volume;
use fogwall::Player;
use std::f64::consts::TAU;

/// Corners of a disc.
const CORNERS: usize = 48;
/// Lines drawn at random before the search, and critical lines tried in it.
const LINES: usize = 24;
const CRITICAL_LINES: u64 = 4_000;
/// How near a solid has to be for a body to slide along it, metres beside its radius.
const NEAR_M: f64 = 0.05;

/// What of a body is looked with or for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Part {
    Eyes,
    Body,
}

/// Where a part of a body can be: within a radius of a convex region, and within heights.
pub(crate) struct Prism {
    pub(crate) region: Vec<P2>,
    pub(crate) reach: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The most that a point of the part is over the feet.
    over: f64,
}

impl Prism {
    /// The reach of a body within a time.
    pub(crate) fn new(judged: &Judged, ground: &Ground<'_>, mover: &Mover, time_s: f64, part: Part) -> Self {
        let player = &judged.map.player;
        let way = mover.vel.map(|v| v * time_s);
        let speed = length(mover.vel);
        let grown = (0.5 * player.max_accel * time_s * time_s).min((player.max_speed + speed) * time_s);
        let mut points = disc([mover.at[0] + way[0], mover.at[1] + way[1]], grown);
        points.push(mover.at);
        let mut region = hull(points);
        let near = player.radius + NEAR_M;
        let walls: Vec<_> = ground.walls.iter().filter(|(ring, ..)| touches(ring, &region, near)).collect();
        if !walls.is_empty() {
            let middle = [mover.at[0] + 0.5 * way[0], mover.at[1] + 0.5 * way[1]];
            region.extend(disc(middle, 0.5 * length(way) + grown));
            region = hull(region);
        }
        let feet = feet(player, ground, mover, &region, time_s);
        for (ring, low, high) in walls {
            if *low <= feet.0 + 0.5 * player.eye_crouched && *high > feet.1 + player.step {
                edges(ring).for_each(|face| cut(&mut region, face, mover.at, player.radius));
            }
        }
        let (reach, over) = match part {
            Part::Eyes => (player.lean, eyes(player, mover.crouched > 0.0, time_s)),
            Part::Body => (player.sight_radius, (0.0, player.height)),
        };
        Self { region, reach, low: feet.0 + over.0, high: feet.1 + over.1, over: over.1 }
    }

    pub(crate) fn volume(&self) -> Volume<'_> {
        Volume { region: &self.region, reach: self.reach, low: self.low, high: self.high }
    }

    /// Whether a body can be where the point belongs to it: where it fits, and no higher than one jump leads, as far as
    /// a few rings of tries find out.
    pub(crate) fn is_real(
        &self,
        judged: &Judged,
        ground: &Ground<'_>,
        mover: &Mover,
        point: [f64; 3],
    ) -> bool {
        let at = [point[0], point[1]];
        let shares = [0.0, 0.25, 0.5, 0.75, 0.999];
        let mut centers = shares.into_iter().flat_map(|share| disc(at, self.reach * share));
        centers.any(|center| {
            let floor = ground.floor(center, mover.z).unwrap_or(mover.z);
            let is_low = point[2] <= floor + judged.map.player.jump + self.over;
            is_low && holds(&self.region, center) && ground.is_free(center, mover.z)
        })
    }

    /// The same with an outline of so few corners as the product's, which holds it.
    pub(crate) fn outlined(&self, directions: usize) -> Self {
        let normal = |i: usize| {
            let angle = TAU * i as f64 / directions as f64;
            [angle.cos(), angle.sin()]
        };
        let support = |i| self.region.iter().map(|p| dot(normal(i), *p)).fold(f64::NEG_INFINITY, f64::max);
        let corner = |i: usize| {
            let next = (i + 1) % directions;
            let ([ax, ay], [bx, by]) = (normal(i), normal(next));
            let (a, b, sine) = (support(i), support(next), ax * by - bx * ay);
            [(a * by - b * ay) / sine, (ax * b - bx * a) / sine]
        };
        Self { region: (0..directions).map(corner).collect(), ..*self }
    }
}

fn disc(center: P2, radius: f64) -> Vec<P2> {
    let at = |i: usize| TAU * i as f64 / CORNERS as f64;
    (0..CORNERS).map(|i| [center[0] + radius * at(i).cos(), center[1] + radius * at(i).sin()]).collect()
}

/// Whether two convex outlines come so near.
fn touches(ring: &[P2], region: &[P2], near: f64) -> bool {
    let (low, high) = bounds(region);
    let (a, b) = bounds(ring);
    let apart = (0..2).any(|i| b[i] + near < low[i] || high[i] + near < a[i]);
    !apart
        && (region.iter().any(|p| distance(ring, *p) < near)
            || ring.iter().any(|p| distance(region, *p) < near))
}

/// Heights of the feet: a jump and the floors that steps lead up to, a fall and the floors that steps lead down to.
fn feet(player: &Player, ground: &Ground<'_>, mover: &Mover, region: &[P2], time_s: f64) -> (f64, f64) {
    let places = region.iter().copied().chain([mover.at]);
    let floors: Vec<f64> = places.filter_map(|at| ground.floor(at, mover.z)).collect();
    let speed = player.jump_speed.max(mover.up).max(0.0);
    let apex = if player.gravity > 0.0 { (speed / player.gravity).min(time_s) } else { time_s };
    let rise = speed * apex - 0.5 * player.gravity * apex * apex;
    let fallen = mover.z - (-mover.up).max(0.0) * time_s - 0.5 * player.gravity * time_s * time_s;
    let lowest = |floor: f64| if mover.z - floor <= player.step { floor } else { floor.max(fallen) };
    let low = floors.iter().map(|floor| lowest(*floor)).fold(mover.z, f64::min);
    let high = floors.iter().copied().fold(mover.z, f64::max);
    (low, high + rise)
}

fn eyes(player: &Player, is_crouched: bool, time_s: f64) -> (f64, f64) {
    let share = if is_crouched { 1.0 } else { (time_s / player.crouch_time.max(1e-9)).min(1.0) };
    (player.eye_standing - (player.eye_standing - player.eye_crouched) * share, player.eye_standing)
}

/// Cuts off what lies behind a face that spans all of it.
fn cut(region: &mut Vec<P2>, (a, b): (P2, P2), at: P2, radius: f64) {
    let along = sub(b, a).map(|v| v / length(sub(b, a)));
    let inner = [-along[1], along[0]];
    // Depth behind the face; the centre may touch it already.
    let depth = |p: P2| dot(inner, sub(p, a));
    let limit = (-radius).max(depth(at));
    if depth(at) > 0.0 || region.iter().all(|p| depth(*p) <= limit) {
        return;
    }
    let (behind, before) = split(region, |p| depth(p) - limit);
    let spans = behind.iter().map(|p| dot(along, sub(*p, a))).all(|t| t >= 0.0 && t <= length(sub(b, a)));
    if spans && before.len() >= 3 {
        *region = before;
    }
}

/// The parts of a convex region where `over` is positive and where it is not.
fn split(region: &[P2], over: impl Fn(P2) -> f64) -> (Vec<P2>, Vec<P2>) {
    let (mut more, mut less) = (Vec::new(), Vec::new());
    for (a, b) in edges(region) {
        let (here, next) = (over(a), over(b));
        if here > 0.0 { &mut more } else { &mut less }.push(a);
        if (here > 0.0) != (next > 0.0) {
            let t = here / (here - next);
            let p = [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
            more.push(p);
            less.push(p);
        }
    }
    (more, less)
}

/// A free line from one to the other, if there is one that is wider than a hair.
pub(crate) fn line(
    judged: &Judged,
    (grid, marks): (&Grid, &mut Marks),
    (eyes, body): (&Prism, &Prism),
    random: &mut Random,
) -> Option<([f64; 3], [f64; 3])> {
    let volumes = (eyes.volume(), body.volume());
    for _ in 0..LINES {
        let line = (volumes.0.sample(random), volumes.1.sample(random));
        if grid.surely_free(&judged.scene, line, marks) {
            return Some(line);
        }
    }
    let (found, _) = Field::between(&judged.scene, grid, volumes, marks).hunt(random, CRITICAL_LINES);
    found.filter(|line| grid.surely_free(&judged.scene, *line, marks))
}
