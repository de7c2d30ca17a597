//! Change queries: what became of what an observer is told, for the game's own use, asked now and then.
//!
//! Owns the handles. Promises: a handle is of one query of one stay of its observer, and an error ever after; without
//! queries a tick does nothing for them. Must not know the world: what is answered is what was told.

use super::Server;
use super::link::Link;
use crate::filter::{Bounds, ChangeLog, ChangeQuery, QueryAnswer, QueryError, QueryKey};
use crate::ids::ObserverId;

/// A handle of a change query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QueryId {
    observer: ObserverId,
    /// Which of the stays of this observer, as handles of observers may come back.
    stay: u32,
    key: QueryKey,
}

impl Server {
    /// Registers a question about what an observer is told, to be asked with [`Server::changes`] between ticks.
    ///
    /// The first query of an observer begins its memory: an answer reaches back to this tick at most. It takes room for what
    /// the observer is told and was told in the last 64 ticks.
    ///
    /// # Errors
    /// [`QueryError::NoObserver`] where the last tick did not serve the observer.
    pub fn register_query(
        &mut self,
        observer: ObserverId,
        query: &ChangeQuery,
    ) -> Result<QueryId, QueryError> {
        let now = self.last.ok_or(QueryError::NoObserver)?;
        let slot = self.slots.get_mut(observer.index as usize).ok_or(QueryError::NoObserver)?;
        let stay = slot.joins;
        let link = slot.link_of_mut(observer).ok_or(QueryError::NoObserver)?;
        let (told, log) = link.told_mut();
        let key = log.get_or_insert_default().register(now, told, query);
        Ok(QueryId { observer, stay, key })
    }

    /// Moves the bounds of a query; the next answer is about the new ones.
    ///
    /// What they newly cover has entered, and what they uncover has left, whether it changed or not: that one answer looks
    /// once at all that the observer is told. What stands still is never among what changed.
    ///
    /// # Errors
    /// [`QueryError::Stale`].
    pub fn move_query(&mut self, query: QueryId, bounds: Bounds) -> Result<(), QueryError> {
        self.log_mut(query)?.set_bounds(query.key, bounds)
    }

    /// Ends a query.
    ///
    /// # Errors
    /// [`QueryError::Stale`].
    pub fn unregister_query(&mut self, query: QueryId) -> Result<(), QueryError> {
        self.log_mut(query)?.unregister(query.key)
    }

    /// What changed of what the observer is told, since the last answer to this query, or since the tick that it was
    /// registered with: up to the last tick, and for an observer under a delay up to what that let out.
    ///
    /// It costs what changed, in memory that is there; [`QueryAnswer::FullSync`], after more than 64 ticks, costs what is told.
    /// A field that redaction told the same is no change, and what is hidden is in no answer: it left.
    ///
    /// # Errors
    /// [`QueryError::Stale`].
    pub fn changes(&mut self, query: QueryId) -> Result<QueryAnswer<'_>, QueryError> {
        let (told, log) = self.stay_mut(query)?.told_mut();
        log.as_mut().ok_or(QueryError::Stale)?.ask(query.key, told)
    }

    fn log_mut(&mut self, query: QueryId) -> Result<&mut ChangeLog, QueryError> {
        let (_, log) = self.stay_mut(query)?.told_mut();
        log.as_deref_mut().ok_or(QueryError::Stale)
    }

    fn stay_mut(&mut self, query: QueryId) -> Result<&mut Link, QueryError> {
        let slot = self.slots.get_mut(query.observer.index as usize).filter(|slot| slot.joins == query.stay);
        slot.and_then(|slot| slot.link_of_mut(query.observer)).ok_or(QueryError::Stale)
    }
}
