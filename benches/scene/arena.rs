//! Bodies that walk about a map: from cell to cell, within the movement limits, and off in another direction where a
//! wall stands in the way.

use super::Random;
use super::recorded::{Moment, player};
use fogwall::{Baked, EntityId, Mask, Point3, Rules, Vector2, Vector3};

/// Above what is stepped over, metres.
const KNEE_M: f64 = 0.5;
/// Most change of speed, metres per second squared.
const ACCEL_MPS2: f64 = 30.0;
const SPEED_MPS: f64 = 5.0;

struct Walker {
    at: Point3,
    vel: Vector2,
    wanted: Vector2,
}

/// Whether a wall is within a body's radius of a place.
fn is_in_wall(baked: &Baked, at: Point3) -> bool {
    let sides = [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
    let knee = |(x, y)| at + Vector3::new(x * baked.map.player.radius, y * baked.map.player.radius, KNEE_M);
    sides.into_iter().any(|side| baked.solids.holds(knee(side), Mask::Movement))
}

/// So many ticks of so many players; of two teams, or each of its own.
pub(crate) fn walk(
    baked: &Baked,
    rules: &Rules,
    players: usize,
    teams: usize,
    (ticks, tick_s): (usize, f64),
) -> Vec<Moment> {
    let mut random = Random(11);
    let mut walkers: Vec<_> = (0..players).map(|_| Walker::born(baked, &mut random)).collect();
    let moment = |index: usize| {
        walkers.iter_mut().for_each(|walker| walker.step(baked, &mut random, tick_s));
        let body = |(number, walker): (usize, &Walker)| {
            let mut body = player(rules, EntityId::new(number as u32, 0), walker.at, (number % teams) as u16);
            body.vel = walker.vel.push(0.0);
            body.yaw_deg = walker.wanted.y.atan2(walker.wanted.x).to_degrees();
            body
        };
        let bodies = walkers.iter().enumerate().map(body).collect();
        Moment { is_cut: index == 0, bodies, smokes: Vec::new() }
    };
    (0..ticks).map(moment).collect()
}

impl Walker {
    fn born(baked: &Baked, random: &mut Random) -> Self {
        loop {
            let cell = &baked.cells.as_slice()[random.below(baked.cells.len())];
            let at: Point3 = cell.region.center().coords.push(cell.feet.low).into();
            if !is_in_wall(baked, at) {
                return Self { at, vel: Vector2::zeros(), wanted: Vector2::zeros() };
            }
        }
    }

    fn step(&mut self, baked: &Baked, random: &mut Random, tick_s: f64) {
        if random.below(100) == 0 {
            let angle = std::f64::consts::TAU * random.unit();
            // Some stand for a while.
            let speed = if random.below(4) == 0 { 0.0 } else { SPEED_MPS };
            self.wanted = Vector2::new(angle.cos(), angle.sin()) * speed;
        }
        let change = (self.wanted - self.vel).cap_magnitude(ACCEL_MPS2 * tick_s);
        let vel = self.vel + change;
        let to = self.at + (vel * tick_s).push(0.0);
        // Not through walls, and not down a storey at once: nobody's reach is there.
        let is_level = |cell| (baked.cells.get(cell).feet.low - self.at.z).abs() <= KNEE_M;
        match baked.cells.cell_at(to).filter(|cell| is_level(*cell) && !is_in_wall(baked, to)) {
            Some(cell) => {
                self.vel = vel;
                self.at = Point3::new(to.x, to.y, baked.cells.get(cell).feet.low);
            }
            None => (self.vel, self.wanted) = (Vector2::zeros(), -self.wanted),
        }
    }
}
