//! What a simulation is asked for, and what can be wrong with that.
//!
//! Promises: options that pass the check can be simulated on any map with a place to stand on. Must not know how.

use thiserror::Error;

/// Most bots: the slots that a line of the kill feed can name.
const MOST_BOTS: u32 = 100;

/// What to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationOptions {
    /// Who plays against whom.
    pub lineup: Lineup,
    /// How long, seconds.
    pub seconds: f64,
    /// Ticks a second, from 10 to 1000.
    pub tick_hz: f64,
    /// The same seed on the same map gives the same lines.
    pub seed: u64,
    /// How bots move.
    pub manner: Manner,
    /// What becomes of the dead.
    pub respawn: Respawn,
    /// How many observers follow a player or a team.
    pub spectators: u32,
    /// How many observers know everything, later.
    pub casters: u32,
    /// By how much they are late, milliseconds.
    pub caster_delay_ms: f64,
    /// Seconds between two changes of team; none for no change.
    pub team_change_s: Option<f64>,
    /// Seconds between two teleports; none for no teleports.
    pub teleport_s: Option<f64>,
    /// How round trips behave.
    pub lag: Lag,
}

/// Who plays against whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lineup {
    /// Teams of these sizes.
    Teams(Vec<u32>),
    /// So many, each for itself and without a team.
    FreeForAll(u32),
}

/// How bots move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// As in a match.
    Match,
    /// As is hardest for a filter.
    Adversary,
}

/// What becomes of the dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Respawn {
    /// They are back after some seconds.
    Soon,
    /// They stay dead.
    Never,
}

/// How round trips behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lag {
    /// Each observer has its own.
    Steady,
    /// Now and then one rises for some tenths of a second.
    Spikes,
}

impl Default for SimulationOptions {
    /// Five against five for a minute at 128 Hz.
    fn default() -> Self {
        Self {
            lineup: Lineup::Teams(vec![5, 5]),
            seconds: 60.0,
            tick_hz: 128.0,
            seed: 1,
            manner: Manner::Match,
            respawn: Respawn::Soon,
            spectators: 0,
            casters: 0,
            caster_delay_ms: 5000.0,
            team_change_s: None,
            teleport_s: None,
            lag: Lag::Steady,
        }
    }
}

impl Lineup {
    /// How many play.
    pub fn count(&self) -> u32 {
        match self {
            Self::Teams(sizes) => sizes.iter().fold(0, |sum, size| sum.saturating_add(*size)),
            Self::FreeForAll(count) => *count,
        }
    }

    /// The side of each bot, and how many teams there are.
    pub(super) fn sides(&self) -> (Vec<u32>, usize) {
        match self {
            Self::Teams(sizes) => {
                let all = sizes.iter().zip(0..).flat_map(|(size, side)| (0..*size).map(move |_| side));
                (all.collect(), sizes.len())
            }
            Self::FreeForAll(count) => ((0..*count).collect(), 0),
        }
    }
}

impl SimulationOptions {
    /// Ticks of the whole.
    pub fn ticks(&self) -> u32 {
        (self.seconds * self.tick_hz).round() as u32
    }

    pub(super) fn check(&self) -> Result<(), SimulationError> {
        let wrong = |what: &'static str| Err(SimulationError::Options(what));
        if !(10.0..=1000.0).contains(&self.tick_hz) {
            return wrong("the tick rate has to be from 10 to 1000 Hz");
        }
        if !(self.seconds > 0.0 && self.seconds <= 36_000.0) {
            return wrong("the time has to be above 0 and at most ten hours");
        }
        if !(1..=MOST_BOTS).contains(&self.lineup.count()) {
            return wrong("from 1 to 100 bots can play");
        }
        if matches!(&self.lineup, Lineup::FreeForAll(_)) && self.team_change_s.is_some() {
            return wrong("without teams none can be changed");
        }
        if matches!(&self.lineup, Lineup::Teams(sizes) if sizes.len() > 16) {
            return wrong("at most 16 teams can play");
        }
        let is_time = |seconds: Option<f64>| seconds.is_none_or(|seconds| seconds >= 0.1);
        if !is_time(self.team_change_s) || !is_time(self.teleport_s) {
            return wrong("changes of team and teleports need at least 0.1 s between them");
        }
        if !(self.caster_delay_ms >= 0.0 && self.caster_delay_ms.is_finite()) {
            return wrong("a delay is 0 or more milliseconds");
        }
        if self.spectators > 1000 || self.casters > 1000 {
            return wrong("at most 1000 observers can watch");
        }
        Ok(())
    }
}

/// Why nothing can be simulated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The map has no cells.
    #[error("the map has no cells: nobody can stand anywhere on it")]
    NoCells,
    /// The map has cells, but a body fits nowhere.
    #[error("a body fits nowhere on the map's floors")]
    NoPlaces,
    /// What was asked for can't be.
    #[error("{0}")]
    Options(&'static str),
}
