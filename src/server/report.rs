//! What a tick came to, in numbers.
//!
//! Promises: the same for any number of threads. Must not know how anything was decided.

use super::link::Link;
use crate::filter::FilterReport;
use crate::ids::{EntityId, ObserverId};
use crate::send::SendReport;
use crate::tick::Tick;
use crate::world::WorldProblem;

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
}

impl TickReport {
    pub(super) fn restart(&mut self, tick: Tick) {
        let mut fresh = Self { tick, ..Self::default() };
        fresh.refused_entities = std::mem::take(&mut self.refused_entities);
        fresh.refused_observers = std::mem::take(&mut self.refused_observers);
        fresh.refused_entities.clear();
        fresh.refused_observers.clear();
        *self = fresh;
    }

    pub(super) fn add(&mut self, link: &Link) {
        self.observers += 1;
        self.filter += *link.filter_report();
        self.send += *link.send_report();
        self.revoked += link.revoked() as u64;
        self.delayed += link.delayed() as u64;
    }
}
