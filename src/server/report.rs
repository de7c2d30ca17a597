//! What a tick came to, in numbers.
//!
//! Promises: the same for any number of threads. Must not know how anything was decided.

use super::link::Link;
use crate::filter::FilterReport;
use crate::ids::{EntityId, MatchId, ObserverId};
use crate::send::SendReport;
use crate::tick::Tick;
use crate::world::WorldProblem;
use std::ops::AddAssign;

/// Counts of one tick, over all observers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TickReport {
    /// The tick.
    pub tick: Tick,
    /// Whether it was not later than the one before, so that nothing was done.
    pub is_out_of_order: bool,
    /// Observers that were served.
    pub observers: u64,
    /// Entities that were refused, and so hidden from everybody.
    pub refused_entities: Vec<WorldProblem<EntityId>>,
    /// Observers that were refused, and so told nothing.
    pub refused_observers: Vec<WorldProblem<ObserverId>>,
    /// What was decided.
    pub filter: FilterReport,
    /// What was sent.
    pub send: SendReport,
    /// Entities to which an observer lost a right in this tick.
    pub revoked: u64,
    /// Frames that wait in delays.
    pub delayed: u64,
    /// Most bits that whole states take of all that observers are told of: what a client holds of the world. Divided by 8, and
    /// times the ticks of a second, it is the rate at which a server sends that tells all of it every tick.
    pub disclosed_bits: u64,
    /// The same, were each observer told of every entity of its match as of what it sees.
    pub unfiltered_bits: u64,
    /// Entities told of for the first time under their name, per second, over the last second.
    pub entered_per_s: f64,
    /// Entities whose removal became due, per second, over the last second.
    pub left_per_s: f64,
    /// What took how long, where the host lends a clock.
    pub times: StageTimes,
    /// What is unwise of the world that was lent.
    pub warnings: Vec<TickWarning>,
}

/// What is unwise of a world, and slows all down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TickWarning {
    /// More than three presenters of one match reach somebody: each costs every observer.
    Presenters {
        /// The match.
        match_id: MatchId,
        /// How many.
        count: usize,
    },
    /// More than fifty groups of one match.
    Groups {
        /// The match.
        match_id: MatchId,
        /// How many.
        count: usize,
    },
}

/// Nanoseconds by the host's clock, over all observers and threads; 0 where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// What is the same for all observers, and what is in `buckets_ns` and `lists_ns`.
    pub world_ns: u64,
    /// Putting entities in buckets, those alone that changed where the game says which.
    pub buckets_ns: u64,
    /// Making lists of entities by right anew, where somebody came, went or changed sides.
    pub lists_ns: u64,
    /// Deciding what observers may know.
    pub filter_ns: u64,
    /// Filling their datagrams, and what is in `changes_ns`.
    pub send_ns: u64,
    /// Remembering what changed, for the change queries that are registered.
    pub changes_ns: u64,
}

impl AddAssign for StageTimes {
    fn add_assign(&mut self, other: Self) {
        self.world_ns += other.world_ns;
        self.buckets_ns += other.buckets_ns;
        self.lists_ns += other.lists_ns;
        self.filter_ns += other.filter_ns;
        self.send_ns += other.send_ns;
        self.changes_ns += other.changes_ns;
    }
}

/// Counts of one tick, for one observer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObserverReport {
    /// What was decided.
    pub filter: FilterReport,
    /// What was sent.
    pub send: SendReport,
    /// Entities to which it lost a right.
    pub revoked: u64,
    /// Its frames that wait in a delay.
    pub delayed: u64,
    /// See [`TickReport::disclosed_bits`].
    pub disclosed_bits: u64,
    /// See [`TickReport::unfiltered_bits`].
    pub unfiltered_bits: u64,
    /// See [`TickReport::entered_per_s`].
    pub entered_per_s: f64,
    /// See [`TickReport::left_per_s`].
    pub left_per_s: f64,
    /// What took how long; nothing in `world_ns`, `buckets_ns` and `lists_ns`, which are nobody's alone.
    pub times: StageTimes,
}

impl TickReport {
    pub(super) fn restart(&mut self, tick: Tick) {
        let mut fresh = Self { tick, ..Self::default() };
        fresh.refused_entities = std::mem::take(&mut self.refused_entities);
        fresh.refused_observers = std::mem::take(&mut self.refused_observers);
        fresh.warnings = std::mem::take(&mut self.warnings);
        fresh.refused_entities.clear();
        fresh.refused_observers.clear();
        fresh.warnings.clear();
        *self = fresh;
    }

    pub(super) fn add(&mut self, link: &Link) {
        let of_link = link.report();
        self.observers += 1;
        self.filter += of_link.filter;
        self.send += of_link.send;
        self.revoked += of_link.revoked;
        self.delayed += of_link.delayed;
        self.disclosed_bits += of_link.disclosed_bits;
        self.unfiltered_bits += of_link.unfiltered_bits;
        self.entered_per_s += of_link.entered_per_s;
        self.left_per_s += of_link.left_per_s;
        self.times += of_link.times;
    }
}
