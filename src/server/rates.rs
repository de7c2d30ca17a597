//! Entries and removals per second, over the last second.
//!
//! Promises: no memory is taken after the first tick. Must not know what entered.

use crate::held::Held;

/// The last second of one observer.
#[derive(Clone, Debug)]
pub(super) struct Rates {
    /// Entered and left, by tick.
    ring: Vec<[u64; 2]>,
    next: usize,
    filled: usize,
    sums: [u64; 2],
    tick_s: f64,
}

impl Rates {
    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        self.ring.held_bytes()
    }

    /// For ticks of `tick_ms`.
    pub(super) fn new(tick_ms: f64) -> Self {
        let ticks = (1000.0 / tick_ms).round().clamp(1.0, 1000.0) as usize;
        Self { ring: vec![[0; 2]; ticks], next: 0, filled: 0, sums: [0; 2], tick_s: tick_ms / 1000.0 }
    }

    /// Takes a tick.
    pub(super) fn push(&mut self, entered: u64, left: u64) {
        let before = std::mem::replace(&mut self.ring[self.next], [entered, left]);
        self.sums = [self.sums[0] + entered - before[0], self.sums[1] + left - before[1]];
        self.next = (self.next + 1) % self.ring.len();
        self.filled = (self.filled + 1).min(self.ring.len());
    }

    /// Entered and left per second; of less than a second, as if it went on so.
    pub(super) fn per_s(&self) -> [f64; 2] {
        let span_s = self.filled.max(1) as f64 * self.tick_s;
        self.sums.map(|sum| sum as f64 / span_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_of_the_last_second_alone() {
        let mut rates = Rates::new(50.0);
        assert_eq!(rates.per_s(), [0.0, 0.0]);
        (0..10).for_each(|_| rates.push(3, 1));
        assert_eq!(rates.per_s(), [60.0, 20.0]);
        (0..10).for_each(|_| rates.push(0, 1));
        assert_eq!(rates.per_s(), [30.0, 20.0]);
        (0..20).for_each(|_| rates.push(0, 0));
        assert_eq!(rates.per_s(), [0.0, 0.0]);
    }
}
