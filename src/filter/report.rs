//! What a tick of the filter came to, in numbers.
//!
//! Promises: sums of the observers' parts are the same in any order. Must not know what is counted.

use crate::filter::{HiddenBy, Relevancy, Verdict};
use crate::wire::Level;
use std::ops::AddAssign;

/// Counts of one tick, for one observer or all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilterReport {
    /// Pairs of an observer and an entity that were judged.
    pub pairs: u64,
    /// Of these, told by right.
    pub granted: u64,
    /// Told by sight.
    pub sighted: u64,
    /// Hidden by sight and told as spotted by a team-mate.
    pub spotted: u64,
    /// Hidden by sight and told as heard.
    pub heard: u64,
    /// Hidden by geometry and told all the same, because the mode is not `Enforce`.
    pub shadowed: u64,
    /// Not told, by the stage that hid them, as in [`HiddenBy::ALL`].
    pub hidden: [u64; HiddenBy::ALL.len()],
    /// Pairs that geometry was asked about, within their relevance radius.
    pub candidates: u64,
    /// Pairs that nobody had a reason to look at: beyond every radius, and nobody's by right.
    pub passed_over: u64,
    /// Lines of sight that were cast.
    pub rays: u64,
    /// Window tests that had to be solved.
    pub windows: u64,
    /// Window tests that ended at their cap of nodes, so that the pair was told.
    pub capped: u64,
    /// Bodies that moved farther than their limits allow, teleports and launches included.
    pub outside_limits: u64,
    /// Entities whose place is told as the world's edge.
    pub out_of_extent: u64,
    /// Records, sounds and events that were withheld because a value does not fit its field.
    pub unfit: u64,
}

impl FilterReport {
    /// Pairs of which something is told.
    pub fn relevant(&self) -> u64 {
        self.granted + self.sighted + self.spotted + self.heard + self.shadowed
    }

    /// Counts a verdict.
    pub(super) fn count(&mut self, verdict: Verdict) {
        self.pairs += 1;
        match (verdict.relevancy, verdict.level) {
            (Relevancy::Granted(_), _) => self.granted += 1,
            (Relevancy::Sighted, _) => self.sighted += 1,
            (Relevancy::Hidden(by), Level::Hidden) => self.hidden[by as usize] += 1,
            (Relevancy::Hidden(_), Level::Heard) => self.heard += 1,
            (Relevancy::Hidden(_), Level::Spotted) => self.spotted += 1,
            (Relevancy::Hidden(_), _) => self.shadowed += 1,
        }
    }
}

impl AddAssign for FilterReport {
    fn add_assign(&mut self, other: Self) {
        for (own, more) in self.hidden.iter_mut().zip(other.hidden) {
            *own += more;
        }
        self.pairs += other.pairs;
        self.granted += other.granted;
        self.sighted += other.sighted;
        self.spotted += other.spotted;
        self.heard += other.heard;
        self.shadowed += other.shadowed;
        self.candidates += other.candidates;
        self.passed_over += other.passed_over;
        self.rays += other.rays;
        self.windows += other.windows;
        self.capped += other.capped;
        self.outside_limits += other.outside_limits;
        self.out_of_extent += other.out_of_extent;
        self.unfit += other.unfit;
    }
}
