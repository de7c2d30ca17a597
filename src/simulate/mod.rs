//! Matches of bots, for trying out a filter without a game.
//!
//! Owns bots that walk a map's floors and fight over its sight lines, and the lines of a recording they make.
//! Promises: every motion keeps the map's limits; the same seed gives the same lines on every machine.
//! Must not know who may know what.

mod arms;
mod body;
mod bot;
mod course;
mod crowd;
mod dice;
mod doors;
mod ground;
mod heading;
mod lines;
mod mind;
mod nav;
mod options;
mod pace;
mod props;
mod route;
mod royale;
mod scene;
mod simulation;
mod space;
mod spawn;

pub use options::{Lag, Lineup, Manner, Respawn, SimulationError, SimulationOptions};
pub use royale::{ROYALE_RULES, Royale, RoyaleOptions};
pub use simulation::{Simulation, SimulationCounts};
