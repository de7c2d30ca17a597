//! What is kept of each body's reaches from tick to tick.
//!
//! Owns the stamps: a wide reach, or what the bake can say of it, that changes gets a stamp that was never given before,
//! so that what was proven of two stamps is true of them for ever. Must not know what is proven.

use super::Kept;

/// Of no reach: nothing is proven of it.
pub(super) const NO_STAMP: u64 = 0;

/// One part of all bodies, by the slot of their handle.
#[derive(Default)]
pub(super) struct Keep {
    list: Vec<Kept>,
    stamps: u64,
}

impl Keep {
    /// What is kept in a slot.
    pub(super) fn slot(&mut self, slot: usize) -> &mut Kept {
        if self.list.len() <= slot {
            self.list.resize_with(slot + 1, Kept::default);
        }
        &mut self.list[slot]
    }

    /// How many slots there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Gives the slot's wide reach a stamp of its own.
    pub(super) fn stamp(&mut self, slot: usize) {
        self.stamps += 1;
        self.list[slot].stamp = self.stamps;
    }

    /// Forgets the slot's narrow reach, and gives the next a stamp of its own.
    pub(super) fn forget_narrow(&mut self, slot: usize) {
        self.stamps += 1;
        let kept = &mut self.list[slot];
        (kept.narrow_stamp, _) = (self.stamps, kept.narrow.take());
    }

    pub(super) fn get(&self, slot: usize) -> &Kept {
        &self.list[slot]
    }
}
