//! Memory that one observer's part of the filter holds.
//!
//! Promises: it is for what the observer is told and for whom it looked at lately, not for what exists.
//! Must not know what is told.

use super::View;
use crate::held::Held;

impl View {
    /// Bytes that are held, beside its own.
    pub(crate) fn held_bytes(&self) -> usize {
        let lists = self.judged.held_bytes() + self.met.held_bytes() + self.ears.held_bytes();
        let teams = self.teams.held_bytes() + self.spotters.held_bytes();
        let kept = self.nearby.held_bytes() + self.coverage.held_bytes() + self.looks.held_bytes();
        self.frame.held_bytes() + lists + teams + kept
    }
}
