//! Bodies that move at random within the map's limits, and what they bump into and stand on.

use crate::common::sources::corpus_map;
use crate::oracle::kernel::{Grid, Marks};
use crate::oracle::plane::{P2, along, distance, edges, length, sub};
use crate::oracle::product::Level as Judged;
use crate::oracle::random::Random;
use crate::stage::TICK_MS;
use fogwall::{Entity, Map, Player, Point3, Stance, Vector3};

/// A body as the test moves it.
#[derive(Clone, Copy)]
pub(crate) struct Mover {
    pub(crate) at: P2,
    pub(crate) vel: P2,
    pub(crate) z: f64,
    pub(crate) up: f64,
    pub(crate) crouched: f64,
}

/// What bodies bump into and stand on.
pub(crate) struct Ground<'a> {
    map: &'a Map,
    pub(crate) walls: Vec<(Vec<P2>, f64, f64)>,
}

impl<'a> Ground<'a> {
    pub(crate) fn new(level: &'a Judged) -> Self {
        let pieces = level.solids.pieces().iter().filter(|piece| piece.blocks.movement);
        let ring = |piece: &fogwall::Piece| piece.outline.vertices().iter().map(|p| [p.x, p.y]).collect();
        Self {
            map: &level.map,
            walls: pieces.map(|piece| (ring(piece), piece.z.low, piece.z.high)).collect(),
        }
    }

    /// The highest floor not over `z` at a place; floors of the maps used here are level or planar.
    pub(crate) fn floor(&self, at: P2, z: f64) -> Option<f64> {
        let floors = self.map.floors.iter().filter(|floor| {
            let ring: Vec<P2> = floor.outline.iter().map(|p| [p.x, p.y]).collect();
            edges(&ring)
                .filter(|(a, b)| (a[1] > at[1]) != (b[1] > at[1]))
                .filter(|(a, b)| {
                    let t = (at[1] - a[1]) / (b[1] - a[1]);
                    along(*a, *b, t)[0] > at[0]
                })
                .count()
                % 2
                == 1
        });
        let heights = floors.map(|floor| {
            let [o, a, b] = [0, 1, 2].map(|i| floor.outline[i]);
            let normal = (a - o).cross(&(b - o));
            o.z - (normal.x * (at[0] - o.x) + normal.y * (at[1] - o.y)) / normal.z
        });
        heights.filter(|height| *height <= z + self.map.player.step).reduce(f64::max)
    }

    pub(crate) fn is_free(&self, at: P2, z: f64) -> bool {
        let player = &self.map.player;
        self.walls.iter().all(|(ring, low, high)| {
            *high <= z + player.step || *low >= z + player.height || distance(ring, at) >= player.radius
        })
    }
}

impl Mover {
    pub(crate) fn born(level: &Judged, ground: &Ground<'_>, random: &mut Random) -> Self {
        loop {
            let place = &level.scene.places[random.below(level.scene.places.len())];
            let at = along(place.region[random.below(place.region.len())], [0.0, 0.0], 0.0);
            let z = place.feet.0;
            // Tops of solids are no floors here.
            let stands = ground.floor(at, z).is_some_and(|floor| (floor - z).abs() <= ground.map.player.step);
            if stands && ground.is_free(at, z) {
                let angle = random.between(0.0, std::f64::consts::TAU);
                let speed = random.between(0.0, level.map.player.max_speed);
                let vel = [speed * angle.cos(), speed * angle.sin()];
                return Self { at, vel, z, up: 0.0, crouched: 0.0 };
            }
        }
    }

    /// One short step under an acceleration; slides along what it bumps into.
    pub(crate) fn step(&mut self, ground: &Ground<'_>, push: P2, crouches: bool, jumps: bool, dt: f64) {
        let player = &ground.map.player;
        let mut vel = [self.vel[0] + push[0] * dt, self.vel[1] + push[1] * dt];
        let speed = length(vel);
        if speed > player.max_speed {
            vel = vel.map(|v| v * player.max_speed / speed);
        }
        let to = [self.at[0] + vel[0] * dt, self.at[1] + vel[1] * dt];
        let tries = [to, [to[0], self.at[1]], [self.at[0], to[1]]];
        let floor_at = |at: P2| ground.floor(at, self.z);
        match tries.into_iter().find(|at| ground.is_free(*at, self.z) && floor_at(*at).is_some()) {
            Some(at) => {
                self.vel = [(at[0] - self.at[0]) / dt, (at[1] - self.at[1]) / dt];
                self.at = at;
            }
            None => self.vel = [0.0, 0.0],
        }
        let floor = ground.floor(self.at, self.z).unwrap_or(self.z);
        let stands = self.z <= floor + 1e-9;
        if stands && jumps {
            self.up = player.jump_speed;
        }
        let before = self.z;
        self.z += self.up * dt - 0.5 * player.gravity * dt * dt;
        // A head that hits a ceiling goes no higher.
        if self.z > before && !ground.is_free(self.at, self.z) {
            (self.z, self.up) = (before, 0.0);
        }
        self.up -= player.gravity * dt;
        if self.z <= floor {
            (self.z, self.up) = (floor, 0.0);
        }
        let change = if player.crouch_time > 0.0 { dt / player.crouch_time } else { 1.0 };
        self.crouched = (self.crouched + if crouches { change } else { -change }).clamp(0.0, 1.0);
    }

    pub(crate) fn live(&mut self, ground: &Ground<'_>, random: &mut Random, time_s: f64) {
        let player = &ground.map.player;
        let steps = (time_s / 0.004).ceil().max(1.0);
        let (mut push, jumps, crouches) = ([0.0; 2], random.below(4) == 0, random.below(4) == 0);
        for step in 0..steps as usize {
            if step % 8 == 0 {
                let angle = random.between(0.0, std::f64::consts::TAU);
                let much = player.max_accel * [0.0, 1.0, 1.0][random.below(3)];
                push = [much * angle.cos(), much * angle.sin()];
            }
            self.step(ground, push, crouches, jumps, time_s / steps);
        }
    }

    pub(crate) fn entity<'a>(&self, from: Entity<'a>) -> Entity<'a> {
        let stance = if self.crouched > 0.0 { Stance::Crouched } else { Stance::Standing };
        Entity {
            pos: Point3::new(self.at[0], self.at[1], self.z),
            vel: Vector3::new(self.vel[0], self.vel[1], self.up),
            stance,
            ..from
        }
    }

    pub(crate) fn eye(
        &self,
        level: &Judged,
        random: &mut Random,
        grid: &Grid,
        marks: &mut Marks,
    ) -> [f64; 3] {
        let player = &level.map.player;
        let up = player.eye_standing + (player.eye_crouched - player.eye_standing) * self.crouched;
        let lean = around(self.at, player.lean, random);
        let (center, leaning) = ([self.at[0], self.at[1], self.z + up], [lean[0], lean[1], self.z + up]);
        // Nobody leans through a wall.
        if grid.surely_free(&level.scene, (center, leaning), marks) { leaning } else { center }
    }

    pub(crate) fn point(&self, player: &Player, random: &mut Random) -> [f64; 3] {
        let at = around(self.at, player.sight_radius, random);
        [at[0], at[1], self.z + player.height * random.unit()]
    }
}

/// A point within a radius, mostly near its edge.
fn around(at: P2, radius: f64, random: &mut Random) -> P2 {
    let angle = random.between(0.0, std::f64::consts::TAU);
    let far = (radius - 1e-6).max(0.0) * random.unit().sqrt().sqrt();
    [at[0] + far * angle.cos(), at[1] + far * angle.sin()]
}

#[test]
fn bodies_of_the_test_keep_their_limits() {
    let level = Judged::new(corpus_map("corner_peek"));
    let (ground, mut random) = (Ground::new(&level), Random::new(5, 0));
    for _ in 0..50 {
        let mut mover = Mover::born(&level, &ground, &mut random);
        for _ in 0..50 {
            let before = mover;
            mover.live(&ground, &mut random, TICK_MS / 1000.0);
            let moved = length(sub(mover.at, before.at));
            assert!(
                moved <= level.map.player.max_speed * TICK_MS / 1000.0 * 1.001
                    && ground.is_free(mover.at, mover.z)
            );
        }
    }
}
