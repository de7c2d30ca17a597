//! Names that tell nothing: a keyed permutation of the observer's own count of entries.
//!
//! Promises: a name with its generation is given once in 2²⁴ entries, and neither the names so far nor those of other
//! observers help to guess the next. Must not know what is named.

use crate::held::Held;
use crate::ids::{Handle, NetId, NetRef, ObserverId};

/// Rounds of the permutation, as many as FF1 of NIST SP 800-38G takes on small domains.
const ROUNDS: usize = 10;

/// The names of one observer.
#[derive(Clone, Debug)]
pub(super) struct Names {
    key: [u8; 32],
    /// Names given or left out so far.
    count: u64,
    /// Per round a keyed function of a byte: a Feistel network over the two bytes of a name.
    rounds: Vec<[u8; 256]>,
}

impl Names {
    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        self.rounds.held_bytes()
    }

    pub(super) fn new(secret: &[u8; 32], observer: ObserverId) -> Self {
        let mut hasher = blake3::Hasher::new_keyed(secret);
        hasher.update(b"fogwall names");
        hasher.update(&observer.index().to_le_bytes());
        hasher.update(&observer.generation().to_le_bytes());
        let mut names = Self { key: *hasher.finalize().as_bytes(), count: 0, rounds: vec![[0; 256]; ROUNDS] };
        names.shuffle();
        names
    }

    /// The next name, leaving out those in use; fewer than 2¹⁶ may be. Generations count the rounds through all names.
    pub(super) fn give(&mut self, is_used: impl Fn(NetId) -> bool) -> NetRef {
        loop {
            let id = self.permuted(self.count as u16);
            let generation = (self.count >> 16) as u8;
            self.count += 1;
            if self.count as u16 == 0 {
                self.shuffle();
            }
            if !is_used(id) {
                return NetRef::new(id, generation);
            }
        }
    }

    /// Another permutation for each round through all names.
    fn shuffle(&mut self) {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&(self.count >> 16).to_le_bytes());
        let mut stream = hasher.finalize_xof();
        for round in &mut self.rounds {
            stream.fill(round);
        }
    }

    fn permuted(&self, count: u16) -> NetId {
        let [mut left, mut right] = count.to_le_bytes();
        for round in &self.rounds {
            (left, right) = (right, left ^ round[usize::from(right)]);
        }
        NetId(u16::from_le_bytes([left, right]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn names(secret: u8, index: u32) -> Names {
        Names::new(&[secret; 32], ObserverId::new(index, 0))
    }

    #[test]
    fn a_name_comes_once_in_a_round_and_again_in_another_generation() {
        let mut names = names(1, 1);
        for generation in 0..3 {
            let round: Vec<NetRef> = (0..1 << 16).map(|_| names.give(|_| false)).collect();
            assert!(round.iter().all(|name| name.generation == generation));
            assert_eq!(round.iter().map(|name| name.id).collect::<HashSet<_>>().len(), 1 << 16);
        }
    }

    #[test]
    fn names_in_use_are_left_out() {
        let (mut free, mut busy) = (names(1, 1), names(1, 1));
        let first = free.give(|_| false);
        assert_eq!(busy.give(|id| id == first.id), free.give(|_| false));
    }

    #[test]
    fn names_of_other_observers_and_secrets_and_rounds_are_others() {
        let start = |mut names: Names| (0..1000).map(|_| names.give(|_| false).id).collect::<Vec<_>>();
        let lists = [start(names(1, 1)), start(names(1, 2)), start(names(2, 1)), {
            let mut later = names(1, 1);
            (0..1 << 16).for_each(|_| _ = later.give(|_| false));
            start(later)
        }];
        for (index, list) in lists.iter().enumerate() {
            for other in &lists[..index] {
                // Of 1000 chances of 2⁻¹⁶ each, more than 3 are an accident of less than 10⁻⁷.
                assert!(list.iter().zip(other).filter(|(a, b)| a == b).count() <= 3);
            }
            // Neighbours in count are no neighbours in name.
            let near = list.windows(2).filter(|pair| pair[0].0.abs_diff(pair[1].0) < 64).count();
            assert!(near < 20, "{near} of 1000 names are near the one before; 2 are to be expected");
        }
    }
}
