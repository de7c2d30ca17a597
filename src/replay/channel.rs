//! A simulated link: what is sent over it arrives later, in another order, twice or never.
//!
//! Promises: the same seed gives the same fate to the same bytes. Must not know what they mean.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How a link treats what is sent over it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct LinkOptions {
    /// Share of datagrams that are lost, each way.
    pub loss: f64,
    /// A datagram takes up to this longer than the least, milliseconds, each way.
    pub jitter_ms: f64,
    /// Share of datagrams that arrive twice.
    pub duplicates: f64,
    /// Share of datagrams that others overtake: they take up to 50 ms longer.
    pub reorder: f64,
    /// What chance is drawn from.
    pub seed: u64,
}

impl Default for LinkOptions {
    /// A link that loses nothing and takes as long each time.
    fn default() -> Self {
        Self { loss: 0.0, jitter_ms: 0.0, duplicates: 0.0, reorder: 0.0, seed: 1 }
    }
}

const OVERTAKEN_MS: f64 = 50.0;

/// A fixed sequence of numbers that look random (SplitMix64).
#[derive(Clone, Debug)]
struct Dice(u64);

impl Dice {
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Something on its way.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) send_tick: u32,
    pub(super) arrives_ms: f64,
    pub(super) bytes: Vec<u8>,
    /// Of all that was sent, so that equal times have an order.
    number: u64,
}

/// One direction of a link.
#[derive(Debug)]
pub(super) struct Channel {
    options: LinkOptions,
    dice: Dice,
    on_the_way: BinaryHeap<Sent>,
    count: u64,
    pub(super) lost: u64,
}

impl PartialEq for Sent {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Sent {}

impl PartialOrd for Sent {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sent {
    /// What arrives first is the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.arrives_ms.total_cmp(&self.arrives_ms).then(other.number.cmp(&self.number))
    }
}

impl Channel {
    /// A link; `lane` tells apart those of one seed.
    pub(super) fn new(options: LinkOptions, lane: u64) -> Self {
        let mut dice = Dice(options.seed ^ lane.wrapping_mul(0xd134_2543_de82_ef95));
        dice.share();
        Self { options, dice, on_the_way: BinaryHeap::new(), count: 0, lost: 0 }
    }

    /// Sends; whether it will arrive at all.
    pub(super) fn send(&mut self, send_tick: u32, sent_ms: f64, one_way_ms: f64, bytes: &[u8]) -> bool {
        let [lost, late, twice, overtaken] = [(); 4].map(|()| self.dice.share());
        if lost < self.options.loss {
            self.lost += 1;
            return false;
        }
        let more = if overtaken < self.options.reorder { OVERTAKEN_MS * self.dice.share() } else { 0.0 };
        let arrives_ms = sent_ms + one_way_ms + self.options.jitter_ms * late + more;
        self.push(send_tick, arrives_ms, bytes);
        if twice < self.options.duplicates {
            let again = arrives_ms + OVERTAKEN_MS * self.dice.share();
            self.push(send_tick, again, bytes);
        }
        true
    }

    fn push(&mut self, send_tick: u32, arrives_ms: f64, bytes: &[u8]) {
        self.count += 1;
        let number = self.count;
        self.on_the_way.push(Sent { send_tick, arrives_ms, bytes: bytes.to_vec(), number });
    }

    /// The next that has arrived by then.
    pub(super) fn receive(&mut self, now_ms: f64) -> Option<Sent> {
        let is_due = self.on_the_way.peek().is_some_and(|sent| sent.arrives_ms <= now_ms);
        if is_due { self.on_the_way.pop() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrivals(options: LinkOptions) -> Vec<(u32, f64)> {
        let mut channel = Channel::new(options, 3);
        for tick in 0..1000 {
            channel.send(tick, f64::from(tick) * 10.0, 30.0, &[tick as u8]);
        }
        std::iter::from_fn(|| channel.receive(f64::INFINITY))
            .map(|sent| (sent.send_tick, sent.arrives_ms))
            .collect()
    }

    #[test]
    fn a_perfect_link_keeps_order_and_time() {
        let all = arrivals(LinkOptions::default());
        assert_eq!(all.len(), 1000);
        assert!(all.iter().all(|(tick, at)| *at == f64::from(*tick) * 10.0 + 30.0));
    }

    #[test]
    fn loss_doubles_and_jitter_are_as_asked_and_the_same_each_time() {
        let options = LinkOptions { loss: 0.3, jitter_ms: 25.0, duplicates: 0.1, reorder: 0.1, seed: 7 };
        let all = arrivals(options);
        let distinct: std::collections::BTreeSet<u32> = all.iter().map(|(tick, _)| *tick).collect();
        assert!((650..750).contains(&distinct.len()), "{} of 1000", distinct.len());
        assert!((40..120).contains(&(all.len() - distinct.len())));
        assert!(all.windows(2).any(|w| w[0].0 > w[1].0), "some are overtaken");
        assert!(all.windows(2).all(|w| w[0].1 <= w[1].1));
        assert_eq!(all, arrivals(options));
        assert_ne!(all, arrivals(LinkOptions { seed: 8, ..options }));
    }
}
