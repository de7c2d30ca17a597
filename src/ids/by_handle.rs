//! What is remembered of things by their handle, in memory for those alone that were asked of lately.
//!
//! Promises: what is remembered of one is never taken for that of another, nor for that of an earlier user of its slot;
//! the order of the memory decides nothing; no memory is taken once there were as many before.
//! Must not know what the things are.

use super::Handle;
use crate::held::Held;
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Ticks after which what was not asked of may be forgotten.
const KEPT_TICKS: u64 = 256;
/// Entries below which nothing is forgotten.
const LEAST: usize = 64;

/// Things by handle.
#[derive(Clone, Debug)]
pub(crate) struct ByHandle<T> {
    /// By slot, where in the list; no order of it is ever looked at.
    places: HashMap<u32, u32, FixedState>,
    list: Vec<Entry<T>>,
    /// Entries from which on a new one has the old ones looked through.
    most: usize,
}

#[derive(Clone, Debug)]
struct Entry<T> {
    index: u32,
    generation: u32,
    /// The tick in which it was asked of last.
    used: u64,
    of: T,
}

impl<T> Default for ByHandle<T> {
    fn default() -> Self {
        Self { places: HashMap::default(), list: Vec::new(), most: LEAST }
    }
}

impl<T> ByHandle<T> {
    /// Makes room for so many in all.
    pub(crate) fn make_room(&mut self, count: usize) {
        let more = count.saturating_sub(self.list.len());
        self.places.reserve(more);
        self.list.reserve(more);
        self.most = self.most.max(count);
    }

    /// Where the thing of a handle is, `fresh` where nothing is remembered of it; `count` is that of the tick. It holds
    /// until another is asked for.
    pub(crate) fn place<H: Handle>(&mut self, handle: H, count: u64, fresh: impl FnOnce() -> T) -> usize {
        let (index, generation) = (handle.index(), handle.generation());
        if let Some(&place) = self.places.get(&index) {
            let entry = &mut self.list[place as usize];
            if entry.generation != generation {
                (entry.generation, entry.of) = (generation, fresh());
            }
            entry.used = count;
            return place as usize;
        }
        if self.list.len() >= self.most {
            self.forget(count);
        }
        let place = self.list.len();
        self.places.insert(index, place as u32);
        self.list.push(Entry { index, generation, used: count, of: fresh() });
        place
    }

    /// Bytes that are held; not of what the things hold besides.
    pub(crate) fn held_bytes(&self) -> usize {
        self.places.held_bytes() + self.list.held_bytes()
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.places.clear();
        self.list.clear();
    }

    /// What is at a place that was just given.
    pub(crate) fn at(&mut self, place: usize) -> &mut T {
        &mut self.list[place].of
    }

    /// How many are remembered.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.list.len()
    }

    /// Forgets what was not asked of lately.
    fn forget(&mut self, count: u64) {
        let Self { places, list, .. } = self;
        list.retain(|entry| entry.used + KEPT_TICKS >= count);
        places.clear();
        places.extend(list.iter().zip(0..).map(|(entry, place)| (entry.index, place)));
        self.most = (list.len() * 2).max(LEAST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::EntityId;

    #[test]
    fn a_slots_next_user_finds_nothing_of_the_one_before() {
        let mut memory = ByHandle::default();
        let place = memory.place(EntityId::new(7, 1), 1, || 5);
        *memory.at(place) = 6;
        let again = memory.place(EntityId::new(7, 1), 2, || 5);
        assert_eq!(*memory.at(again), 6);
        let next = memory.place(EntityId::new(7, 2), 3, || 9);
        assert_eq!(*memory.at(next), 9);
        assert_eq!(memory.len(), 1);
    }

    #[test]
    fn memory_is_for_those_that_are_asked_of_and_no_more() {
        let mut memory = ByHandle::default();
        for count in 0..20_000_u64 {
            for near in 0..30 {
                let id = EntityId::new(count as u32 + near, 0);
                let place = memory.place(id, count, || id);
                assert_eq!(*memory.at(place), id);
            }
        }
        assert!(memory.len() <= 2 * (KEPT_TICKS as usize + 64), "{}", memory.len());
    }
}
