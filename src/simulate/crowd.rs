//! Observers: the bots' own clients, spectators and casters, and how their round trips vary.
//!
//! Promises: an observer's line is given whole whenever something of it changes. Must not know where anybody is.

use super::dice::Dice;
use super::options::{Lag, Lineup, Manner, SimulationOptions};
use crate::recording::{FollowsLine, KindName, ObserverLine};

/// Seconds for which spectators follow the same.
const FOLLOW_S: f64 = 8.0;
/// Seconds between two spikes, about.
const SPIKE_EVERY_S: (f64, f64) = (1.0, 4.0);
/// How long a spike lasts, seconds.
const SPIKE_S: (f64, f64) = (0.2, 0.9);
/// By how much it raises the round trip, milliseconds.
const SPIKE_MS: (f64, f64) = (80.0, 350.0);
/// Round trips of adversaries: the three that filters are judged by.
const RTT_MS: [f64; 3] = [20.0, 60.0, 120.0];

/// All observers of a match.
pub(super) struct Crowd {
    pub(super) lines: Vec<ObserverLine>,
    bots: usize,
    teams: Vec<String>,
    lag: Lag,
    follow_ticks: u32,
    tick_hz: f64,
    next_spike: u32,
    /// Observer, its usual round trip, and when it is back to it.
    spike: Option<(usize, f64, u32)>,
    dice: Dice,
    changed: Vec<usize>,
}

impl Crowd {
    pub(super) fn new(options: &SimulationOptions, bots: &[u32], teams: &[String], mut dice: Dice) -> Self {
        let mut lines = Vec::new();
        for (index, side) in bots.iter().enumerate() {
            let rtt_ms = match options.manner {
                Manner::Adversary => RTT_MS[index % RTT_MS.len()],
                Manner::Match => dice.between(15.0, 95.0).round(),
            };
            lines.push(ObserverLine {
                id: index as u32,
                entity: Some(index as u32),
                team: team_of(options, teams, *side),
                rtt_ms: Some(rtt_ms),
                topics: Some(vec!["damage_numbers".to_owned()]),
                ..ObserverLine::default()
            });
        }
        for number in 0..options.spectators {
            lines.push(ObserverLine {
                id: lines.len() as u32,
                kind: Some(KindName::Spectator),
                follows: Some(follows(number, 0, bots.len(), teams)),
                rtt_ms: Some(dice.between(30.0, 150.0).round()),
                ..ObserverLine::default()
            });
        }
        for _ in 0..options.casters {
            lines.push(ObserverLine {
                id: lines.len() as u32,
                kind: Some(KindName::Caster),
                delay_ms: Some(options.caster_delay_ms),
                rtt_ms: Some(dice.between(10.0, 40.0).round()),
                ..ObserverLine::default()
            });
        }
        Self {
            lines,
            bots: bots.len(),
            teams: teams.to_vec(),
            lag: options.lag,
            follow_ticks: (FOLLOW_S * options.tick_hz).round() as u32,
            tick_hz: options.tick_hz,
            next_spike: 0,
            spike: None,
            dice,
            changed: Vec::new(),
        }
    }

    /// Tells that a bot's player is of another team now.
    pub(super) fn change_team(&mut self, bot: usize, team: &str) {
        self.lines[bot].team = Some(team.to_owned());
        self.changed.push(bot);
    }

    /// The observers that changed in this tick.
    pub(super) fn update(&mut self, tick: u32) -> Vec<ObserverLine> {
        if tick > 0 && tick.is_multiple_of(self.follow_ticks.max(1)) {
            self.follow_others(tick / self.follow_ticks.max(1));
        }
        if self.lag == Lag::Spikes {
            self.vary_lag(tick);
        }
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        changed.into_iter().map(|index| self.lines[index].clone()).collect()
    }

    fn follow_others(&mut self, turn: u32) {
        let (bots, teams) = (self.bots, &self.teams);
        for (index, line) in self.lines.iter_mut().enumerate().skip(bots) {
            if line.kind == Some(KindName::Spectator) {
                line.follows = Some(follows((index - bots) as u32, turn, bots, teams));
                self.changed.push(index);
            }
        }
    }

    fn vary_lag(&mut self, tick: u32) {
        if let Some((observer, usual_ms, until)) = self.spike {
            if tick >= until {
                self.lines[observer].rtt_ms = Some(usual_ms);
                self.changed.push(observer);
                self.spike = None;
            }
        } else if tick >= self.next_spike {
            let observer = self.dice.below(self.bots);
            let usual_ms = self.lines[observer].rtt_ms.unwrap_or(0.0);
            let ticks = |seconds: f64, hz: f64| (seconds * hz).round() as u32;
            let lasts = ticks(self.dice.between(SPIKE_S.0, SPIKE_S.1), self.tick_hz);
            let raised_ms = usual_ms + self.dice.between(SPIKE_MS.0, SPIKE_MS.1).round();
            self.lines[observer].rtt_ms = Some(raised_ms);
            self.changed.push(observer);
            self.spike = Some((observer, usual_ms, tick + lasts));
            let pause_s = self.dice.between(SPIKE_EVERY_S.0, SPIKE_EVERY_S.1);
            self.next_spike = tick + lasts + ticks(pause_s, self.tick_hz);
        }
    }
}

/// The team's name, where there are teams.
pub(super) fn team_of(options: &SimulationOptions, teams: &[String], side: u32) -> Option<String> {
    match options.lineup {
        Lineup::Teams(_) => teams.get(side as usize).cloned(),
        Lineup::FreeForAll(_) => None,
    }
}

/// Every second spectator follows a team, if there are any; all change with every turn.
fn follows(number: u32, turn: u32, bots: usize, teams: &[String]) -> FollowsLine {
    let turned = (number + turn) as usize;
    if number % 2 == 1 && !teams.is_empty() {
        FollowsLine::Team(teams[turned % teams.len()].clone())
    } else {
        FollowsLine::Entity((turned % bots.max(1)) as u32)
    }
}
