//! Memory that collections hold, used or not.
//!
//! Promises: their own alone; what their items hold besides is for their owners to add. Must not know what they are of.

use smallvec::SmallVec;
use std::collections::{HashMap, VecDeque};

/// Something that holds memory.
pub(crate) trait Held {
    /// Bytes of its own on the heap; not of what its items hold.
    fn held_bytes(&self) -> usize;
}

impl<T> Held for Vec<T> {
    fn held_bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

impl<A: smallvec::Array> Held for SmallVec<A> {
    /// What is not kept in place.
    fn held_bytes(&self) -> usize {
        if self.spilled() { self.capacity() * size_of::<A::Item>() } else { 0 }
    }
}

impl<T> Held for VecDeque<T> {
    fn held_bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

impl<K, V, S> Held for HashMap<K, V, S> {
    /// As far as it shows: a table has an eighth of room beside its capacity, and a byte of its own for each place.
    fn held_bytes(&self) -> usize {
        self.capacity() * 8 / 7 * (size_of::<(K, V)>() + 1)
    }
}
