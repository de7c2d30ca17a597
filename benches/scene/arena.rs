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
        let cell = &baked.cells.as_slice()[random.below(baked.cells.len())];
        let at = cell.region.center().coords.push(cell.feet.low).into();
        Self { at, vel: Vector2::zeros(), wanted: Vector2::zeros() }
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
        let is_blocked = baked.solids.holds(to + Vector3::new(0.0, 0.0, KNEE_M), Mask::Movement);
        let is_level = |cell| (baked.cells.get(cell).feet.low - self.at.z).abs() <= KNEE_M;
        match baked.cells.cell_at(to).filter(|cell| !is_blocked && is_level(*cell)) {
            Some(cell) => {
                self.vel = vel;
                self.at = Point3::new(to.x, to.y, baked.cells.get(cell).feet.low);
            }
            None => (self.vel, self.wanted) = (Vector2::zeros(), -self.wanted),
        }
    }
}
