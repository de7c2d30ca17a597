//! No pop-in within the lead: bodies move at random within their limits, and whoever another kernel shows must have
//! been told. How much more is told is printed as exposure.

use crate::common::sources::corpus_map;
use crate::oracle::effort;
use crate::oracle::kernel::{Grid, Marks, Touch};
use crate::oracle::plane::{P2, along, distance, edges, length, sub};
use crate::oracle::product::Level as Judged;
use crate::oracle::random::Random;
use crate::stage::{BLUE, RED, Stage, TICK_MS, plays, rules};
use fogwall::{Entity, Map, Observer, Player, Point3, Stance, Vector3};

/// Futures tried of each pair, and lines cast in each.
const FUTURES: usize = 6;
const LINES: usize = 6;

/// A body as the test moves it.
#[derive(Clone, Copy)]
struct Mover {
    at: P2,
    vel: P2,
    z: f64,
    up: f64,
    crouched: f64,
}

/// What bodies bump into and stand on.
struct Ground<'a> {
    map: &'a Map,
    walls: Vec<(Vec<P2>, f64, f64)>,
}

impl<'a> Ground<'a> {
    fn new(level: &'a Judged) -> Self {
        let pieces = level.solids.pieces().iter().filter(|piece| piece.blocks.movement);
        let ring = |piece: &fogwall::Piece| piece.outline.vertices().iter().map(|p| [p.x, p.y]).collect();
        Self {
            map: &level.map,
            walls: pieces.map(|piece| (ring(piece), piece.z.low, piece.z.high)).collect(),
        }
    }

    /// The highest floor not over `z` at a place; floors of the maps used here are level or planar.
    fn floor(&self, at: P2, z: f64) -> Option<f64> {
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

    fn is_free(&self, at: P2, z: f64) -> bool {
        let player = &self.map.player;
        self.walls.iter().all(|(ring, low, high)| {
            *high <= z + player.step || *low >= z + player.height || distance(ring, at) >= player.radius
        })
    }
}

impl Mover {
    fn born(level: &Judged, ground: &Ground<'_>, random: &mut Random) -> Self {
        loop {
            let place = &level.scene.places[random.below(level.scene.places.len())];
            let at = along(place.region[random.below(place.region.len())], [0.0, 0.0], 0.0);
            let z = place.feet.0;
            if ground.is_free(at, z) && ground.floor(at, z).is_some() {
                let angle = random.between(0.0, std::f64::consts::TAU);
                let speed = random.between(0.0, level.map.player.max_speed);
                let vel = [speed * angle.cos(), speed * angle.sin()];
                return Self { at, vel, z, up: 0.0, crouched: 0.0 };
            }
        }
    }

    /// One short step under an acceleration; slides along what it bumps into.
    fn step(&mut self, ground: &Ground<'_>, push: P2, crouches: bool, jumps: bool, dt: f64) {
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
        self.z += self.up * dt - 0.5 * player.gravity * dt * dt;
        self.up -= player.gravity * dt;
        if self.z <= floor {
            (self.z, self.up) = (floor, 0.0);
        }
        let change = if player.crouch_time > 0.0 { dt / player.crouch_time } else { 1.0 };
        self.crouched = (self.crouched + if crouches { change } else { -change }).clamp(0.0, 1.0);
    }

    fn live(&mut self, ground: &Ground<'_>, random: &mut Random, time_s: f64) {
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

    fn entity<'a>(&self, from: Entity<'a>) -> Entity<'a> {
        let stance = if self.crouched > 0.0 { Stance::Crouched } else { Stance::Standing };
        Entity {
            pos: Point3::new(self.at[0], self.at[1], self.z),
            vel: Vector3::new(self.vel[0], self.vel[1], self.up),
            stance,
            ..from
        }
    }

    fn eye(&self, level: &Judged, random: &mut Random, grid: &Grid, marks: &mut Marks) -> [f64; 3] {
        let player = &level.map.player;
        let up = player.eye_standing + (player.eye_crouched - player.eye_standing) * self.crouched;
        let lean = around(self.at, player.lean, random);
        let (center, leaning) = ([self.at[0], self.at[1], self.z + up], [lean[0], lean[1], self.z + up]);
        // Nobody leans through a wall.
        if grid.surely_free(&level.scene, (center, leaning), marks) { leaning } else { center }
    }

    fn point(&self, player: &Player, random: &mut Random) -> [f64; 3] {
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

#[derive(Default)]
struct Figures {
    pairs: u64,
    told: u64,
    shown: u64,
    late: Vec<String>,
    capped: u64,
}

/// The round trip that the bodies of the test live by.
const RTT_MS: f64 = 80.0;

/// Plays with a filter that was told these round trips.
fn play(map: Map, pairs: u64, seed: u64, measured_ms: &[f64]) -> Figures {
    let level = Judged::new(map.clone());
    let (ground, grid, mut marks) = (Ground::new(&level), Grid::new(&level.scene), Marks::default());
    let mut stage = Stage::new(map, rules(&[("team_vision: Spotted", "team_vision: Off")]));
    let lead = stage.rules.settings().lead;
    let viewer_s = (RTT_MS + lead.jitter_ms + 2.0 * TICK_MS) / 1000.0;
    let enemy_s = f64::from(1 + lead.loss_ticks) * TICK_MS / 1000.0;
    let (mut random, mut figures) = (Random::new(seed, 0), Figures::default());
    while figures.pairs < pairs {
        let mut movers = [0, 1].map(|_| Mover::born(&level, &ground, &mut random));
        for _ in 0..20 {
            movers.iter_mut().for_each(|mover| mover.live(&ground, &mut random, TICK_MS / 1000.0));
            let own = movers[0].entity(stage.player(0, RED, (0.0, 0.0, 0.0)));
            let enemy = movers[1].entity(stage.player(1, BLUE, (0.0, 0.0, 0.0)));
            let observers = [Observer { rtt_ms: measured_ms, ..plays(0, &own) }];
            stage.show(&[own, enemy], &observers);
            let told = stage.knows(0, 1);
            let seen = shown(&level, (&ground, &grid, &mut marks), movers, [viewer_s, enemy_s], &mut random);
            figures.pairs += 1;
            figures.told += u64::from(told);
            figures.shown += u64::from(seen.is_some());
            figures.capped += stage.view(0).report().capped;
            if let Some((from, to)) = seen.filter(|_| !told) {
                let by = stage.hidden_by(0, 1);
                figures.late.push(format!("{by:?}: {from:?} sees {to:?} from {own:?} and {enemy:?}"));
            }
        }
    }
    figures
}

/// A free line of some future, if one is found.
fn shown(
    level: &Judged,
    (ground, grid, marks): (&Ground<'_>, &Grid, &mut Marks),
    movers: [Mover; 2],
    times: [f64; 2],
    random: &mut Random,
) -> Option<([f64; 3], [f64; 3])> {
    for future in 0..FUTURES {
        let [mut viewer, mut enemy] = movers;
        if future > 0 {
            let share = random.unit().sqrt();
            viewer.live(ground, random, times[0] * share);
            let share = random.unit().sqrt();
            enemy.live(ground, random, times[1] * share);
        }
        for _ in 0..LINES {
            let line = (viewer.eye(level, random, grid, marks), enemy.point(&level.map.player, random));
            if grid.stopper(&level.scene, line, 2e-6, Touch::Blocks, marks).is_none() {
                return Some(line);
            }
        }
    }
    None
}

#[test]
fn nobody_is_seen_within_the_lead_who_was_not_told() {
    let mut wrong = Vec::new();
    let maps = [
        "corner_peek",
        "two_staggered_walls_fuse",
        "many_small_crates_fuse",
        "concave_courtyard_with_pillar_in_hole",
        "window",
        "lintel_seen_under",
        "wall_seen_over_in_a_jump",
        "turned_walls",
        "step_joins_floors",
    ];
    for (index, name) in maps.into_iter().enumerate() {
        let figures = play(corpus_map(name), (600.0 * effort()) as u64, index as u64 + 1, &[RTT_MS]);
        let percent = |part: u64| 100.0 * part as f64 / figures.pairs as f64;
        println!(
            "{name:<40} {} pairs: told {:.1} %, shown {:.1} %, told and not shown {:.1} %, late {}, capped {}",
            figures.pairs,
            percent(figures.told),
            percent(figures.shown),
            percent(figures.told.saturating_sub(figures.shown)),
            figures.late.len(),
            figures.capped,
        );
        wrong.extend(figures.late.into_iter().map(|late| format!("{name}: {late}")));
    }
    let shown: Vec<_> = wrong.iter().take(5).collect();
    assert!(wrong.is_empty(), "{} late: {shown:#?}", wrong.len());
}

#[test]
fn a_lead_that_is_too_short_is_found_out() {
    let late = |measured_ms: &[f64]| {
        let maps = ["two_staggered_walls_fuse", "concave_courtyard_with_pillar_in_hole", "turned_walls"];
        maps.map(|name| play(corpus_map(name), 3000, 9, measured_ms).late.len()).iter().sum::<usize>()
    };
    assert!(late(&[]) > 0, "a filter that takes the client for the fastest hides what is seen");
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
