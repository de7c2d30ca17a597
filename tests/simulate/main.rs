//! Simulated matches: limits kept at every tick, everybody meets, options do what they say.

mod checker;
mod command;
mod limits;
mod options;

use fogwall::{
    Cells, Map, RecordingHeader, Simulation, SimulationCounts, SimulationOptions, Solids, TickLine,
};
use std::path::PathBuf;

/// The arenas.
pub(crate) const ARENAS: [&str; 3] = ["arena_foundry", "arena_harbour", "arena_terraces"];

/// How long searches are: 1 if nothing else is asked for.
pub(crate) fn effort() -> f64 {
    std::env::var("FOGWALL_EFFORT").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0)
}

pub(crate) fn map_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("maps").join(format!("{name}.ron"))
}

/// A whole match.
pub(crate) struct Match {
    pub(crate) map: Map,
    pub(crate) header: RecordingHeader,
    pub(crate) lines: Vec<TickLine>,
    pub(crate) counts: SimulationCounts,
}

pub(crate) fn simulate(name: &str, options: SimulationOptions) -> Match {
    let map = Map::load(map_path(name)).unwrap().map;
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).unwrap();
    let mut simulation = Simulation::new(&map, &solids, &cells, options).unwrap();
    let header = simulation.header().clone();
    let lines: Vec<TickLine> = simulation.by_ref().collect();
    let counts = simulation.counts();
    Match { map, header, lines, counts }
}
