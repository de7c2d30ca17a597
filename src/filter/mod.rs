//! The filter: what each observer may know of each entity in one tick.
//!
//! Owns the stages' order and their verdicts. Promises: stages only narrow, and every rejection says which stage it was.
//! Must not know how what it lets through is sent.

mod redact;

pub use redact::Disclosed;

use crate::wire::Level;

/// The verdict about one observer and one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relevancy {
    /// By right, whatever geometry says.
    Granted(Level),
    /// In sight, or may be within the lead.
    Sighted,
    /// Not to be known of by sight.
    Hidden(HiddenBy),
}

/// The stage that hid an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HiddenBy {
    /// The game lent it with a number that is not finite, twice, or under a stale handle.
    Refused,
    /// No right to it, and its class is not one that geometry decides about.
    Permission,
    /// Another match or phase, a topic not followed, a region of no interest.
    Interest,
    /// What carries it is hidden.
    Parent,
    /// Farther than the relevance radius.
    Radius,
    /// Behind closed doors, by the bake.
    Door,
    /// By the baked visibility.
    Pvs,
    /// By lines of sight.
    Sight,
    /// By smoke.
    Smoke,
}
