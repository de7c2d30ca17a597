//! Things by the place of their entity in the world's list; most entities have none.
//!
//! Promises: no memory is taken once there were as many before. Must not know what the things are.

/// Things by place.
pub(super) struct ByPlace<T> {
    index: Vec<u32>,
    list: Vec<T>,
    places: Vec<u32>,
}

impl<T> Default for ByPlace<T> {
    fn default() -> Self {
        Self { index: Vec::new(), list: Vec::new(), places: Vec::new() }
    }
}

impl<T> ByPlace<T> {
    /// Forgets all, for a tick of so many places.
    pub(super) fn clear(&mut self, places: usize) {
        self.list.clear();
        self.places.clear();
        self.index.clear();
        self.index.resize(places, u32::MAX);
    }

    pub(super) fn set(&mut self, place: usize, thing: T) {
        self.index[place] = self.list.len() as u32;
        self.list.push(thing);
        self.places.push(place as u32);
    }

    /// Where among the things that of a place is.
    pub(super) fn ordinal(&self, place: usize) -> Option<usize> {
        let ordinal = self.index[place] as usize;
        (ordinal < self.list.len()).then_some(ordinal)
    }

    /// The places that have one.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.places.iter().map(|&place| place as usize)
    }

    /// The things, in the order in which they were set.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.list.iter()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, place: usize) -> Option<&T> {
        self.list.get(self.index[place] as usize)
    }
}
