//! The ideal filter: whether any motion within the lead brings a body into sight, by samples of both reaches.
//!
//! Its reach is made anew from the movement limits, as fine as one likes. Promises: what it would disclose could come into
//! sight; what it would not may do so through a gap that the samples miss, which only makes it stricter.

use super::limits::{fallen, grown, risen};
use super::{Memory, Opinion, P3, Pose, Scenery};
use std::f64::consts::TAU;

/// Corners of a disc.
const CORNERS: usize = 24;
/// How near a solid has to be for a body to slide along it, metres beside its radius.
const NEAR_M: f64 = 0.05;

/// The horizons of a pair, seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leads {
    pub(crate) viewer_s: f64,
    pub(crate) enemy_s: f64,
}

/// Where a part of a body can be.
struct Reach {
    region: Vec<[f64; 2]>,
    /// Of the part's points about a centre.
    around_m: f64,
    z: (f64, f64),
}

/// What is kept from pair to pair: a line that was free, which is tried first; it changes the work alone.
#[derive(Default)]
pub(crate) struct Reaches {
    memory: Memory,
    /// From the viewer's feet and from the body's.
    pub(crate) line: Option<[P3; 2]>,
    dice: u64,
}

impl Reaches {
    /// A number from 0 to 1; the sequence is the same in every run.
    fn share(&mut self) -> f64 {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.dice >> 11) as f64 / (1_u64 << 53) as f64
    }
}

impl Opinion {
    /// Whether some line from where the viewer's eye can be to where the body can be is free, of `lines` that are tried.
    pub(crate) fn may_come_into_sight(
        &self,
        (viewer, body): (&Pose, &Pose),
        leads: Leads,
        scenery: &Scenery<'_>,
        lines: u32,
        kept: &mut Reaches,
    ) -> bool {
        let eyes = self.eyes(viewer, leads.viewer_s);
        let bodies = self.bodies(body, leads.enemy_s);
        if self.sight.holds(self.eye(viewer)) {
            return true;
        }
        kept.dice = 1;
        kept.memory.shaft.clear();
        self.sight.gather(&eyes.corners(), &bodies.corners(), &mut kept.memory.shaft);
        let add = |a: P3, b: P3| -> P3 { std::array::from_fn(|i| a[i] + b[i]) };
        let sub = |a: P3, b: P3| -> P3 { std::array::from_fn(|i| a[i] - b[i]) };
        if let Some([from, to]) = kept.line {
            let (from, to) = (add(from, viewer.at), add(to, body.at));
            if eyes.holds(from) && bodies.holds(to) && self.is_open(from, to, scenery, kept) {
                return true;
            }
        }
        for index in 0..lines as usize {
            let (from, to) = (eyes.draw(index, kept), bodies.draw(index, kept));
            if self.is_open(from, to, scenery, kept) {
                kept.line = Some([sub(from, viewer.at), sub(to, body.at)]);
                return true;
            }
        }
        kept.line = None;
        false
    }

    fn is_open(&self, from: P3, to: P3, scenery: &Scenery<'_>, kept: &mut Reaches) -> bool {
        self.is_free_along(from, to, scenery, &mut kept.memory) && !self.sight.holds(from)
    }

    fn eyes(&self, viewer: &Pose, time_s: f64) -> Reach {
        let player = &self.player;
        let share = if viewer.is_crouched || player.crouch_time <= 0.0 {
            f64::from(u8::from(viewer.is_crouched))
        } else {
            (time_s / player.crouch_time).min(1.0)
        };
        let lowest = player.eye_standing - (player.eye_standing - player.eye_crouched) * share;
        self.reach(viewer, time_s, player.lean, (lowest, player.eye_standing))
    }

    fn bodies(&self, body: &Pose, time_s: f64) -> Reach {
        self.reach(body, time_s, self.player.sight_radius, (0.0, self.player.height))
    }

    fn reach(&self, pose: &Pose, time_s: f64, around_m: f64, over: (f64, f64)) -> Reach {
        let player = &self.player;
        let at = [pose.at[0], pose.at[1]];
        let way = [pose.vel[0] * time_s, pose.vel[1] * time_s];
        let grown = grown(player, pose, time_s);
        let mut points = disc([at[0] + way[0], at[1] + way[1]], grown);
        points.push(at);
        let mut region = hull(points);
        let (low, high) = bounds(&region);
        if self.moves.is_near(low, high, player.radius + NEAR_M) {
            let half = 0.5 * (way[0] * way[0] + way[1] * way[1]).sqrt();
            region.extend(disc([at[0] + 0.5 * way[0], at[1] + 0.5 * way[1]], half + grown));
            region = hull(region);
        }
        let feet = self.feet(pose, &region, time_s);
        for face in self.moves.walls(feet.0 + 0.5 * player.eye_crouched, feet.1 + player.step) {
            cut(&mut region, face, at, player.radius);
        }
        Reach { region, around_m, z: (feet.0 + over.0, feet.1 + over.1) }
    }

    /// Heights of the feet: a jump and the floors that steps lead up to, a fall and the floors below.
    fn feet(&self, pose: &Pose, region: &[[f64; 2]], time_s: f64) -> (f64, f64) {
        let player = &self.player;
        let places = region.iter().copied().chain([[pose.at[0], pose.at[1]]]);
        let floors: Vec<f64> =
            places.filter_map(|at| self.floors.under(at, pose.at[2] + player.step)).collect();
        let lowest = pose.at[2] - fallen(player, pose, time_s);
        let down = |floor: f64| if pose.at[2] - floor <= player.step { floor } else { floor.max(lowest) };
        let low = floors.iter().map(|floor| down(*floor)).fold(pose.at[2], f64::min);
        let high = floors.iter().copied().fold(pose.at[2], f64::max);
        (low, high + risen(player, pose, time_s))
    }
}

impl Reach {
    /// Corners of a box about it.
    fn corners(&self) -> [P3; 8] {
        let (low, high) = bounds(&self.region);
        let x = [low[0] - self.around_m, high[0] + self.around_m];
        let y = [low[1] - self.around_m, high[1] + self.around_m];
        let z = [self.z.0, self.z.1];
        std::array::from_fn(|i| [x[i & 1], y[i >> 1 & 1], z[i >> 2 & 1]])
    }

    fn holds(&self, p: P3) -> bool {
        let (low, high) = self.z;
        low <= p[2]
            && p[2] <= high
            && edges(&self.region).all(|(a, b)| depth(a, b, [p[0], p[1]]) <= self.around_m)
    }

    /// A point of it: by turns from its edge and from its inside, low, high and between.
    fn draw(&self, index: usize, kept: &mut Reaches) -> P3 {
        let count = self.region.len();
        let first = ((kept.share() * count as f64) as usize).min(count - 1);
        let (a, b) = (self.region[first], self.region[(first + 1) % count]);
        let along = kept.share();
        let middle = self.region.iter().fold([0.0; 2], |sum, p| [0, 1].map(|i| sum[i] + p[i] / count as f64));
        let out = if index.is_multiple_of(3) { kept.share() } else { 1.0 };
        let center = [0, 1].map(|i| middle[i] + (a[i] + (b[i] - a[i]) * along - middle[i]) * out);
        let turn = TAU * kept.share();
        let off = self.around_m * if index.is_multiple_of(2) { 1.0 } else { kept.share() };
        let up = match index % 4 {
            0 => 1.0,
            1 => 0.0,
            _ => kept.share(),
        };
        [center[0] + off * turn.cos(), center[1] + off * turn.sin(), self.z.0 + (self.z.1 - self.z.0) * up]
    }
}

fn disc(center: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    let at = |i: usize| TAU * i as f64 / CORNERS as f64;
    (0..CORNERS).map(|i| [center[0] + radius * at(i).cos(), center[1] + radius * at(i).sin()]).collect()
}

fn bounds(points: &[[f64; 2]]) -> ([f64; 2], [f64; 2]) {
    let of = |axis: usize, pick: fn(f64, f64) -> f64, from| points.iter().map(|p| p[axis]).fold(from, pick);
    (
        [0, 1].map(|axis| of(axis, f64::min, f64::INFINITY)),
        [0, 1].map(|axis| of(axis, f64::max, f64::NEG_INFINITY)),
    )
}

fn edges(region: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
    region.iter().copied().zip(region.iter().copied().cycle().skip(1))
}

/// How far a point is outside of an edge of a ring that runs counter-clockwise.
fn depth(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let length = (dx * dx + dy * dy).sqrt();
    if length < 1e-12 { f64::NEG_INFINITY } else { (dy * (p[0] - a[0]) - dx * (p[1] - a[1])) / length }
}

/// The convex hull, counter-clockwise.
fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let turns =
        |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let mut ring: Vec<[f64; 2]> = Vec::with_capacity(2 * points.len());
    for pass in 0..2 {
        let start = ring.len();
        let mut add = |p: [f64; 2]| {
            while ring.len() >= start + 2 && turns(ring[ring.len() - 2], ring[ring.len() - 1], p) <= 0.0 {
                ring.pop();
            }
            ring.push(p);
        };
        if pass == 0 {
            points.iter().copied().for_each(&mut add)
        } else {
            points.iter().rev().copied().for_each(&mut add)
        }
        ring.pop();
    }
    ring
}

/// Cuts off what lies behind a face that is as wide as all of it, where the centre is before it.
fn cut(region: &mut Vec<[f64; 2]>, (a, b): ([f64; 2], [f64; 2]), at: [f64; 2], radius: f64) {
    let out = |p: [f64; 2]| depth(a, b, p);
    // What presses into a wall by rounding is not cut off.
    let limit = radius.min(out(at));
    if out(at) < 0.0 || region.iter().all(|p| out(*p) >= limit) {
        return;
    }
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let length = (dx * dx + dy * dy).sqrt();
    let along = |p: [f64; 2]| ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length;
    let (behind, before) = split(region, |p| limit - out(p));
    if behind.iter().all(|p| (0.0..=length).contains(&along(*p))) && before.len() >= 3 {
        *region = before;
    }
}

/// The parts of a ring where `over` is positive and where it is not.
fn split(region: &[[f64; 2]], over: impl Fn([f64; 2]) -> f64) -> (Vec<[f64; 2]>, Vec<[f64; 2]>) {
    let (mut more, mut less) = (Vec::new(), Vec::new());
    for (a, b) in edges(region) {
        let (here, next) = (over(a), over(b));
        if here > 0.0 { &mut more } else { &mut less }.push(a);
        if (here > 0.0) != (next > 0.0) {
            let share = here / (here - next);
            let p = [0, 1].map(|i| a[i] + (b[i] - a[i]) * share);
            more.push(p);
            less.push(p);
        }
    }
    (more, less)
}
