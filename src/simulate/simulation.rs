//! A match of bots, tick by tick.
//!
//! Owns all that changes in a match and the order of a tick. Promises: the same map and options give the same lines on
//! every machine. Must not know files.

mod turn;

use super::bot::Bot;
use super::crowd::{Crowd, team_of};
use super::dice::Dice;
use super::doors::Doors;
use super::lines::Ids;
use super::nav::Nav;
use super::options::{SimulationError, SimulationOptions};
use super::pace::Pace;
use super::props::Props;
use super::route::Router;
use super::scene::{Eyes, Person};
use super::space::Space;
use super::spawn::Spawns;
use crate::geom::Point3;
use crate::map::{Cells, Map, Solids};
use crate::recording::{LineKind, RecordingHeader, TickLine};

/// What happened in a simulation so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct SimulationCounts {
    /// Ticks.
    pub ticks: u32,
    /// Times that somebody came into the sight of an enemy.
    pub sightings: u64,
    /// Shots.
    pub shots: u64,
    /// Deaths.
    pub kills: u64,
    /// Jumps, and drops over edges.
    pub leaps: u64,
    /// Times that somebody began to crouch.
    pub crouches: u64,
    /// Footsteps that can be heard.
    pub footsteps: u64,
    /// Smokes thrown.
    pub smokes: u64,
    /// Times that a door opened or closed.
    pub door_moves: u64,
    /// Returns from death.
    pub respawns: u64,
    /// Teleports that were asked for.
    pub teleports: u64,
    /// Changes of team.
    pub team_changes: u64,
}

/// A match of bots that gives the lines of its recording: [`header`](Self::header), then the ticks as an iterator.
pub struct Simulation<'a> {
    header: RecordingHeader,
    options: SimulationOptions,
    space: Space,
    nav: Nav,
    eyes: Eyes<'a>,
    pace: Pace,
    spawns: Spawns,
    /// Teams' names by side; none without teams.
    teams: Vec<Option<String>>,
    bots: Vec<Bot>,
    doors: Doors,
    door_ids: Vec<String>,
    all_open: Vec<bool>,
    props: Props,
    crowd: Crowd,
    router: Router,
    people: Vec<Person>,
    sights: Vec<bool>,
    seen_before: Vec<bool>,
    dice: Dice,
    ids: Ids,
    tick: u32,
    counts: SimulationCounts,
}

impl<'a> Simulation<'a> {
    /// Prepares a match on a map; `solids` and `cells` must be made of it.
    ///
    /// # Errors
    /// Where nobody can stand on the map, or the options can't be.
    pub fn new(
        map: &Map,
        solids: &'a Solids,
        cells: &Cells,
        options: SimulationOptions,
    ) -> Result<Self, SimulationError> {
        options.check()?;
        if cells.is_empty() {
            return Err(SimulationError::NoCells);
        }
        let space = Space::new(map, solids);
        let nav = Nav::build(&space, cells, map.cell_size);
        if nav.largest_island().is_empty() {
            return Err(SimulationError::NoPlaces);
        }
        let mut dice = Dice::new(options.seed);
        let (sides, team_count) = options.lineup.sides();
        let spawns = Spawns::new(map, &space, &nav, team_count, &mut dice);
        let names: Vec<String> = spawns.teams.iter().map(|(name, _)| name.clone()).collect();
        let all_sides = sides.iter().map(|side| side + 1).max().unwrap_or(0).max(team_count as u32);
        let teams = (0..all_sides).map(|side| team_of(&options, &names, side)).collect();
        let bots = appear(&spawns, &nav, &sides, &options, &mut dice);
        let tick_s = 1.0 / options.tick_hz;
        let crowd = Crowd::new(&options, &sides, &names, dice.split(1 << 32));
        let header = header(map, &options, &crowd);
        let ids = Ids { bots: sides.len() as u32 };
        Ok(Self {
            header,
            eyes: Eyes::new(map, solids),
            pace: Pace::new(&map.player, tick_s),
            doors: Doors::new(map.doors.len()),
            door_ids: map.doors.iter().map(|door| door.id.clone()).collect(),
            all_open: vec![true; map.doors.len()],
            props: Props::new(ids.first_prop(), tick_s),
            router: Router::default(),
            people: Vec::new(),
            sights: Vec::new(),
            seen_before: Vec::new(),
            tick: 0,
            counts: SimulationCounts::default(),
            options,
            space,
            nav,
            spawns,
            teams,
            bots,
            crowd,
            dice,
            ids,
        })
    }

    /// The first line.
    pub fn header(&self) -> &RecordingHeader {
        &self.header
    }

    /// How many play.
    pub fn bots(&self) -> u32 {
        self.ids.bots
    }

    /// What happened so far.
    pub fn counts(&self) -> SimulationCounts {
        self.counts
    }
}

/// All bots, each at its first spawn.
fn appear(
    spawns: &Spawns,
    nav: &Nav,
    sides: &[u32],
    options: &SimulationOptions,
    dice: &mut Dice,
) -> Vec<Bot> {
    let mut bots: Vec<Bot> = Vec::with_capacity(sides.len());
    for (index, side) in sides.iter().enumerate() {
        let taken: Vec<Point3> = bots.iter().map(|bot| bot.body.feet).collect();
        let feet = spawns.place(nav, *side, &taken, dice);
        bots.push(Bot::new(*side, feet, dice.split(index as u64), options.manner));
    }
    bots
}

fn header(map: &Map, options: &SimulationOptions, crowd: &Crowd) -> RecordingHeader {
    RecordingHeader {
        kind: LineKind::Header,
        version: 1,
        map: map.name.clone(),
        tick_hz: options.tick_hz,
        interp_ms: None,
        observers: crowd.lines.clone(),
        ext: None,
    }
}

impl Iterator for Simulation<'_> {
    type Item = TickLine;

    /// The next tick's line.
    fn next(&mut self) -> Option<TickLine> {
        if self.tick >= self.options.ticks() {
            return None;
        }
        let line = self.take_turn();
        self.tick += 1;
        self.counts.ticks = self.tick;
        Some(line)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.options.ticks() - self.tick) as usize;
        (left, Some(left))
    }
}
