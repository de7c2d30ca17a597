//! What one observer is told of an entity, a sound or an event in one tick: quantised, and named by handles still.
//!
//! Owns plain data between the filter, which alone makes it, and sending. Promises nothing by itself: what may be sent
//! is wrapped as disclosed. Must not know the world, nor any observer's names.

use super::Level;
use crate::ids::{ClassId, EntityId, EventClassId, SoundClassId};

/// An entity as one observer is told it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntityRecord<'a> {
    /// The game's handle: a key for what was sent before, never sent itself.
    pub entity: EntityId,
    /// Its class.
    pub class: ClassId,
    /// How much is told; never `Hidden`.
    pub level: Level,
    /// What it enters and leaves together with; told to the same observer in the same tick.
    pub parent: Option<EntityId>,
    /// The columns of the layout of `class` at `level`, quantised.
    pub record: &'a [u8],
    /// The layout's references, in order; each names an entity told to the same observer in the same tick, or none.
    pub references: &'a [Option<EntityId>],
    /// Equal for equal (entity, level) of one tick, whoever is told: encoded bodies are shared by it.
    pub share: u32,
    /// What its turn depends on.
    pub facts: PriorityFacts,
}

/// What an entity's turn in a full datagram depends on: made of disclosed values alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PriorityFacts {
    /// From the observer's own entity to the place that is told, metres; 0 where either has none.
    pub distance_m: f64,
    /// Of the velocity that is told, metres per second; 0 where none is.
    pub speed_mps: f64,
    /// The class's body, metres.
    pub size_m: f64,
    /// Whether the place that is told lies in the observer's view cone.
    pub is_in_view_cone: bool,
    /// Whether the two met in this tick.
    pub has_met: bool,
}

/// A sound as one observer hears it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoundRecord<'a> {
    /// Its class.
    pub class: SoundClassId,
    /// How finely its place is told, by the class's bands.
    pub band: u8,
    /// Its place on the band's grid.
    pub place: &'a [u8],
    /// What made it, where that may be known; told to the same observer in the same tick.
    pub emitter: Option<EntityId>,
}

/// An event as one observer is told it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventRecord<'a> {
    /// Its class.
    pub class: EventClassId,
    /// How much is told; never `Hidden`.
    pub level: Level,
    /// The columns of the layout of `class` at `level`, quantised.
    pub record: &'a [u8],
    /// The layout's references, in order; each names an entity told to the same observer in the same tick, or none.
    pub references: &'a [Option<EntityId>],
}
