//! What a frame looks at most often of each of its entries.
//!
//! Owns plain data. Must not know what is told of an entity.

use crate::ids::EntityId;

/// Of an entry, what is looked at most often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Seat {
    /// The entity's handle; the slot of a free entry is [`NOBODY`].
    pub(super) slot: u32,
    pub(super) generation: u32,
    /// Count of the tick that told of it last, unless it is covered.
    pub(super) told: u64,
    /// Count of the tick in which the entity was looked at last, having changed.
    pub(super) version: u64,
    /// Whether it goes on to be told until it is released.
    pub(super) is_covered: bool,
    /// Whether it is listed among those that are watched.
    pub(super) is_watched: bool,
    /// Whether it is told as seen, and carried by nothing.
    pub(super) is_plain: bool,
    pub(super) is_listed: bool,
}

/// No slot.
pub(super) const NOBODY: u32 = u32::MAX;

impl Seat {
    pub(super) const FREE: Self = Self {
        slot: NOBODY,
        generation: 0,
        told: 0,
        version: 0,
        is_covered: false,
        is_watched: false,
        is_plain: false,
        is_listed: false,
    };

    /// The handle of the entity.
    pub(super) fn id(&self) -> EntityId {
        EntityId::new(self.slot, self.generation)
    }
}
