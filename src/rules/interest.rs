//! Switches of interest management that a game turns while it runs, and which classes compete.
//!
//! Owns their meaning. Promises: what is not switched is as the rules say. Must not know the world.

use super::{Class, SightPolicy};

/// Whom what is marked as a presenter reaches, at the level that its class grants: a switch of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PresenterReach {
    /// Nobody by that: the mark means nothing.
    #[default]
    Off,
    /// Whom its streams reach, whatever the distance: all but exclusive members of groups, and its own groups; an exclusive
    /// member's own groups alone.
    Streams,
    /// Every active observer of its match, in groups or not: the global mode.
    Match,
}

/// Which distance rings of the classes count: a switch of a match, for when its load allows more, or is to be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LodRings {
    /// None, level 0: all is told every tick.
    None,
    /// The nearest that is slower than every tick, level 1: it goes on beyond.
    Nearest,
    /// All, level 2: as the rules say.
    #[default]
    All,
}

impl Class {
    /// Whether its entities compete: what nobody has a right to is for the map to decide, by the sight policy `Pvs` or
    /// `PvsAndRays`. No group takes them out of sight.
    pub const fn is_competitive(&self) -> bool {
        matches!(self.sight, SightPolicy::Pvs | SightPolicy::PvsAndRays)
    }
}
