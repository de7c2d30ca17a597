//! A battle royale on 2 x 2 km: squads on the streets of a wide plain, and very many things, of which few move.
//!
//! Owns the plain, its buildings and the motion. Promises: bodies keep the limits of the map and stay on its streets; the
//! same seed gives the same lines on every machine. Must not know who may know what.

use super::dice::Dice;
use crate::recording::{EntityLine, FieldMap, LineKind, ObserverLine, RecordingHeader, TickLine};
use crate::simulate::SimulationError;
use std::fmt::Write;

/// Rules for such a match: players by lines of sight, all else by distance.
pub const ROYALE_RULES: &str = include_str!("royale/rules.ron");

/// Half the width of the plain, metres.
const HALF_M: f64 = 1000.0;
/// From a street to the next, metres; streets run through the middles of what lies between buildings.
const BLOCK_M: f64 = 40.0;
const BUILDINGS: usize = 300;
/// Players that stand together, and the crossing near which they do.
const CROWD: (usize, [i32; 2]) = (20, [8, 8]);
/// How near to each other, in streets.
const CROWD_STREETS: i32 = 1;
const SQUAD: usize = 4;
/// One in so many things moves.
const ONE_MOVES: usize = 20;
/// Less than the map allows, metres per second squared.
const ACCEL: f64 = 30.0;
/// One in so many ticks a thing is taken away, and put down elsewhere with the next.
const TAKEN_EVERY: u32 = 2;

/// What to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoyaleOptions {
    /// How many play, from 1 to 100.
    pub players: u32,
    /// How many entities there are, the players included; at most a million.
    pub entities: u32,
    /// How long, seconds.
    pub seconds: f64,
    /// Ticks a second.
    pub tick_hz: f64,
    /// The same seed gives the same lines.
    pub seed: u64,
}

/// A match, tick by tick.
pub struct Royale {
    header: RecordingHeader,
    options: RoyaleOptions,
    movers: Vec<Mover>,
    still: Vec<[f64; 2]>,
    /// A thing that is away, by its place among those that stand still.
    taken: Option<usize>,
    tick: u32,
    dice: Dice,
}

/// One that walks from crossing to crossing.
struct Mover {
    id: u32,
    at: [f64; 2],
    vel: [f64; 2],
    speed: f64,
    to: [i32; 2],
    /// Streets that it keeps to.
    bounds: [[i32; 2]; 2],
}

/// The last street on either side.
const LAST: i32 = (HALF_M / BLOCK_M) as i32 - 1;

impl Royale {
    /// Begins a match.
    ///
    /// # Errors
    /// Where the options are out of their bounds.
    pub fn new(options: RoyaleOptions) -> Result<Self, SimulationError> {
        let wrong = |what: &'static str| Err(SimulationError::Options(what));
        if !(1..=100).contains(&options.players) || options.entities < options.players {
            return wrong("from 1 to 100 can play, and they are entities too");
        }
        if options.entities > 1_000_000 {
            return wrong("at most a million entities");
        }
        let is_time = options.seconds > 0.0 && options.seconds <= 36_000.0;
        if !is_time || !(10.0..=1000.0).contains(&options.tick_hz) {
            return wrong(
                "the tick rate has to be from 10 to 1000 Hz, and the time above 0 and at most ten hours",
            );
        }
        let mut dice = Dice::new(options.seed);
        let mut movers: Vec<Mover> = Vec::new();
        let mut still = Vec::new();
        for id in 0..options.entities {
            let is_player = id < options.players;
            if is_player || (id as usize).is_multiple_of(ONE_MOVES) {
                movers.push(Mover::new(id, is_player, &mut dice));
            } else {
                still.push([(); 2].map(|()| dice.between(-HALF_M, HALF_M)));
            }
        }
        Ok(Self { header: header(options, &mut dice), options, movers, still, taken: None, tick: 0, dice })
    }

    /// The first line of the recording.
    pub fn header(&self) -> &RecordingHeader {
        &self.header
    }

    /// The map's source: buildings between the streets of a plain.
    pub fn map_source(seed: u64) -> String {
        let mut dice = Dice::new(seed).split(1);
        let mut text = "(\n    version: 1,\n    name: \"royale\",\n    cell_size: 50.0,\n    player: (radius: 0.41, height: 1.83, \
            eye_standing: 1.63, eye_crouched: 1.17, jump: 1.45, step: 0.46, max_speed: 8.3, max_accel: 50.0, \
            jump_speed: 7.67, gravity: 20.3, crouch_time: 0.125, lean: 0.3, sight_radius: 0.5),\n    solids: [\n"
            .to_owned();
        let mut blocks: Vec<[i32; 2]> = Vec::new();
        while blocks.len() < BUILDINGS {
            let block = [(); 2].map(|()| dice.below(2 * LAST as usize) as i32 - LAST);
            if blocks.contains(&block) {
                continue;
            }
            blocks.push(block);
            let middle = block.map(|street| (f64::from(street) + 0.5) * BLOCK_M);
            let half = [(); 2].map(|()| dice.between(4.0, 13.0));
            let [x, y] = [0, 1].map(|i| [middle[i] - half[i], middle[i] + half[i]]);
            let (id, up) = (blocks.len() - 1, dice.between(3.0, 12.0));
            // A string takes everything.
            let _ = writeln!(
                text,
                "        Prism(id: \"building_{id}\", outline: [({:.2}, {:.2}), ({:.2}, {:.2}), ({:.2}, {:.2}), ({:.2}, \
                 {:.2})], z: (0.0, {up:.2})),",
                x[0], y[0], x[1], y[0], x[1], y[1], x[0], y[1]
            );
        }
        let _ = writeln!(
            text,
            "    ],\n    floors: [(outline: [(-{HALF_M:?}, -{HALF_M:?}, 0.0), ({HALF_M:?}, -{HALF_M:?}, 0.0), ({HALF_M:?}, \
             {HALF_M:?}, 0.0), (-{HALF_M:?}, {HALF_M:?}, 0.0)])],\n)"
        );
        text
    }

    /// Something is picked up, and lies elsewhere a tick later.
    fn take(&mut self, line: &mut TickLine) {
        if let Some(place) = self.taken.take() {
            self.still[place] = [(); 2].map(|()| self.dice.between(-HALF_M, HALF_M));
            line.entities.push(self.prop(place));
        } else if self.tick % TAKEN_EVERY == 1 && !self.still.is_empty() {
            let place = self.dice.below(self.still.len());
            line.removed.push(self.still_id(place));
            self.taken = Some(place);
        }
    }

    /// Those that stand still have the ids that movers leave.
    fn still_id(&self, place: usize) -> u32 {
        let (players, rest) = (self.options.players as usize, ONE_MOVES - 1);
        // From the first multiple behind the players on, every so many-th id is a mover's.
        let first = players.next_multiple_of(ONE_MOVES);
        let before = first - players;
        let id = if place < before {
            players + place
        } else {
            let behind = place - before;
            first + behind / rest * ONE_MOVES + behind % rest + 1
        };
        id as u32
    }

    fn prop(&self, place: usize) -> EntityLine {
        let id = self.still_id(place);
        line(id, "prop", self.still[place], [0.0; 2])
    }
}

impl Iterator for Royale {
    type Item = TickLine;

    fn next(&mut self) -> Option<TickLine> {
        if f64::from(self.tick) >= (self.options.seconds * self.options.tick_hz).round() {
            return None;
        }
        let mut line_now = TickLine { tick: self.tick, ..TickLine::default() };
        let dt = 1.0 / self.options.tick_hz;
        for mover in &mut self.movers {
            mover.step(dt, self.tick == 0, &mut self.dice);
            let class = if mover.id < self.options.players { "player" } else { "prop" };
            line_now.entities.push(line(mover.id, class, mover.at, mover.vel));
        }
        if self.tick == 0 {
            line_now.entities.extend((0..self.still.len()).map(|place| self.prop(place)));
        } else {
            self.take(&mut line_now);
        }
        self.tick += 1;
        Some(line_now)
    }
}

impl Mover {
    fn new(id: u32, is_player: bool, dice: &mut Dice) -> Self {
        let (crowd, middle) = CROWD;
        let around = |street: i32| [street - CROWD_STREETS, street + CROWD_STREETS];
        let bounds = if is_player && (id as usize) < crowd { middle.map(around) } else { [[-LAST, LAST]; 2] };
        let to = bounds.map(|[low, high]| low + dice.below((high - low + 1) as usize) as i32);
        let at = to.map(|street| f64::from(street) * BLOCK_M + dice.between(-2.0, 2.0));
        Self { id, at, vel: [0.0; 2], speed: dice.between(4.0, 7.5), to, bounds }
    }

    /// Goes on by the velocity of the tick before, and chooses the next.
    fn step(&mut self, dt: f64, is_first: bool, dice: &mut Dice) {
        if !is_first {
            self.at = [0, 1].map(|i| millimetres(self.at[i] + self.vel[i] * dt));
        }
        let way = [0, 1].map(|i| f64::from(self.to[i]) * BLOCK_M - self.at[i]);
        let far = (way[0] * way[0] + way[1] * way[1]).sqrt();
        if far < 2.5 {
            let axis = dice.below(2);
            let [low, high] = self.bounds[axis];
            let step = if dice.chance(0.5) { 1 } else { -1 };
            self.to[axis] = (self.to[axis] + step).clamp(low, high);
            return;
        }
        let change = [0, 1].map(|i| way[i] / far * self.speed - self.vel[i]);
        let size = (change[0] * change[0] + change[1] * change[1]).sqrt();
        let share = if size > ACCEL * dt { ACCEL * dt / size } else { 1.0 };
        self.vel = [0, 1].map(|i| millimetres(self.vel[i] + change[i] * share));
    }
}

fn millimetres(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

fn line(id: u32, class: &str, at: [f64; 2], vel: [f64; 2]) -> EntityLine {
    let (field, value) = if class == "player" { ("health", 100) } else { ("kind", id % 251) };
    let fields: FieldMap = [(field.to_owned(), value.into())].into_iter().collect();
    let team = (class == "player").then(|| format!("squad{}", id as usize / SQUAD));
    EntityLine {
        id,
        class: class.to_owned(),
        team,
        pos: [millimetres(at[0]), millimetres(at[1]), 0.0],
        vel: [vel[0], vel[1], 0.0],
        alive: true,
        fields,
        ..EntityLine::default()
    }
}

fn header(options: RoyaleOptions, dice: &mut Dice) -> RecordingHeader {
    let observer = |id: u32| ObserverLine {
        id,
        entity: Some(id),
        team: Some(format!("squad{}", id as usize / SQUAD)),
        rtt_ms: Some(dice.between(15.0, 120.0).round()),
        ..ObserverLine::default()
    };
    RecordingHeader {
        kind: LineKind::Header,
        version: 1,
        map: "royale".to_owned(),
        tick_hz: options.tick_hz,
        interp_ms: None,
        observers: (0..options.players).map(observer).collect(),
        ext: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn bodies_keep_the_limits_and_the_streets_and_every_id_is_one_entitys() {
        let options = RoyaleOptions { players: 30, entities: 1000, seconds: 20.0, tick_hz: 30.0, seed: 3 };
        let map = crate::map::Map::parse(Royale::map_source(3), "royale.ron")
            .unwrap_or_else(|errors| panic!("{errors}"))
            .map;
        let solids = crate::map::Solids::build(&map);
        let mut last: BTreeMap<u32, EntityLine> = BTreeMap::new();
        let (mut moved, mut taken) = (0, 0);
        for tick in Royale::new(options).unwrap() {
            taken += tick.removed.len();
            tick.removed.iter().for_each(|id| assert!(last.remove(id).is_some(), "{id} is there"));
            for now in tick.entities {
                let p = crate::geom::Point3::new(now.pos[0], now.pos[1], 1.0);
                assert!(now.class == "prop" || !solids.holds(p, crate::map::Mask::Movement), "{now:?}");
                if let Some(before) = last.get(&now.id) {
                    let change = |i: usize| (now.vel[i] - before.vel[i]).powi(2);
                    assert!((change(0) + change(1)).sqrt() <= map.player.max_accel / 30.0);
                    let drift = |i: usize| now.pos[i] - before.pos[i] - before.vel[i] / 30.0;
                    assert!(drift(0).abs() < 2e-3 && drift(1).abs() < 2e-3);
                    moved += u32::from(now.pos != before.pos);
                }
                last.insert(now.id, now);
            }
        }
        assert!(last.len() >= 999 && moved > 20_000 && taken > 100, "{} {moved} {taken}", last.len());
    }
}
