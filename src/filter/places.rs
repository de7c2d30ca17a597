//! Things by the place of their entity in the world's list; most entities have none.
//!
//! Promises: no memory is taken once there were as many before. Must not know what the things are.

/// Things by place.
pub(super) struct ByPlace<T> {
    index: Vec<u32>,
    list: Vec<T>,
}

impl<T> Default for ByPlace<T> {
    fn default() -> Self {
        Self { index: Vec::new(), list: Vec::new() }
    }
}

impl<T> ByPlace<T> {
    /// Forgets all, for a tick of so many places.
    pub(super) fn clear(&mut self, places: usize) {
        self.list.clear();
        self.index.clear();
        self.index.resize(places, u32::MAX);
    }

    pub(super) fn set(&mut self, place: usize, thing: T) {
        self.index[place] = self.list.len() as u32;
        self.list.push(thing);
    }

    pub(super) fn get(&self, place: usize) -> Option<&T> {
        self.list.get(self.index[place] as usize)
    }
}
