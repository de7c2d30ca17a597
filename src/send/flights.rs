//! Datagrams under way: what each said, and which of them the client took.
//!
//! Promises: an acknowledgement is taken whole or not at all; it is never trusted: one that cannot be true is counted
//! and changes nothing, and a false one can harm only the link that it came over. Must not know what was said.

use super::Touch;
use crate::held::Held;
use crate::tick::Tick;
use crate::wire::{ACK_WINDOW, Ack, Schema, Sequence};
use std::collections::VecDeque;

/// Datagrams that are remembered: the client's window, and as many as a slow link has under way.
const REMEMBERED: usize = 512;
/// Messages of a datagram that room is made for, in the mean.
const ROOM_TOUCHES: usize = 16;
/// Acknowledgements that are looked at between two ticks; a flood of them costs no more.
const MOST_ACKS: u32 = 32;
/// Ticks before something is sent again as long as no round trip was seen.
const FIRST_RESEND_TICKS: u32 = 12;
/// Bounds of the ticks before something is sent again: what a client pretends about its link moves it no further.
const RESEND_TICKS: [u32; 2] = [3, 64];

/// Why an acknowledgement is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bad {
    Malformed,
    Outdated,
    NeverSent,
    TooOld,
    Flooded,
}

/// Datagrams under way.
#[derive(Clone, Debug)]
pub(super) struct Flights {
    ring: Vec<Flight>,
    /// What the remembered ones said, oldest first, and how many were forgotten before the first of them.
    touches: VecDeque<Touch>,
    forgotten: u64,
    /// Number of the last datagram; the first is 1.
    last: u64,
    /// Number of the client's last acknowledgement, and of the newest datagram in it.
    client: Option<(Sequence, u64)>,
    arrived: Option<Tick>,
    /// Mean of round trips, in eighths of ticks.
    round_trip: Option<u32>,
    /// Acknowledgements that were looked at since the last tick.
    acks: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Flight {
    number: u64,
    tick: Tick,
    /// Its first touch, counted from the beginning of time, and how many it has.
    start: u64,
    count: usize,
    is_taken: bool,
}

/// What goes over the wire for a datagram's number.
pub(super) fn sequence(datagram: u64) -> Sequence {
    Sequence(datagram as u16)
}

impl Default for Flights {
    fn default() -> Self {
        Self {
            ring: vec![Flight::default(); REMEMBERED],
            touches: VecDeque::with_capacity(REMEMBERED * ROOM_TOUCHES),
            forgotten: 0,
            last: 0,
            client: None,
            arrived: None,
            round_trip: None,
            acks: 0,
        }
    }
}

impl Flights {
    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        self.ring.held_bytes() + self.touches.held_bytes()
    }

    /// The number that the next datagram will have.
    pub(super) fn next(&self) -> u64 {
        self.last + 1
    }

    /// The client's last acknowledgement.
    pub(super) fn taken(&self) -> Option<Sequence> {
        self.client.map(|(sequence, _)| sequence)
    }

    /// Ticks without an acknowledgement after which a datagram counts as lost, and the tick of the newest that arrived.
    pub(super) fn losses(&self) -> (u32, Option<Tick>) {
        let [least, most] = RESEND_TICKS;
        let ticks = self.round_trip.map_or(FIRST_RESEND_TICKS, |eighths| eighths * 3 / 16 + 2);
        (ticks.clamp(least, most), self.arrived)
    }

    /// Begins another tick: as many acknowledgements as before are looked at again.
    pub(super) fn begin(&mut self) {
        self.acks = 0;
    }

    /// Takes note of the next datagram.
    pub(super) fn send(&mut self, tick: Tick, touches: impl Iterator<Item = Touch>) {
        self.last += 1;
        let place = self.last as usize % REMEMBERED;
        let old = self.ring[place];
        self.touches.drain(..old.count);
        self.forgotten += old.count as u64;
        let before = self.touches.len();
        self.touches.extend(touches);
        self.ring[place] = Flight {
            number: self.last,
            tick,
            start: self.forgotten + before as u64,
            count: self.touches.len() - before,
            is_taken: false,
        };
    }

    /// Takes an acknowledgement and tells `taken` of each message that arrived by it, with its datagram and that one's tick.
    pub(super) fn take_ack(
        &mut self,
        schema: &Schema,
        bytes: &[u8],
        now: Tick,
        mut taken: impl FnMut(Touch, u64, Tick),
    ) -> Result<(), Bad> {
        if self.acks == MOST_ACKS {
            return Err(Bad::Flooded);
        }
        self.acks += 1;
        let ack = Ack::from_bytes(bytes, schema).map_err(|_| Bad::Malformed)?;
        let newest = self.check(&ack)?;
        self.client = Some((ack.sequence, newest));
        let flight = self.ring[newest as usize % REMEMBERED];
        if !flight.is_taken {
            self.note_arrival(now, flight.tick);
        }
        let earlier = (0..u64::from(ACK_WINDOW)).filter(|bit| ack.earlier >> bit & 1 == 1);
        for number in std::iter::once(newest).chain(earlier.map(|bit| newest - bit - 1)) {
            let flight = &mut self.ring[number as usize % REMEMBERED];
            if flight.number != number || flight.is_taken {
                continue;
            }
            flight.is_taken = true;
            let start = (flight.start - self.forgotten) as usize;
            for touch in self.touches.range(start..start + flight.count) {
                taken(*touch, number, flight.tick);
            }
        }
        Ok(())
    }

    /// The number of the newest datagram that an acknowledgement names, unless it cannot be true.
    fn check(&self, ack: &Ack) -> Result<u64, Bad> {
        let back = sequence(self.last).since(ack.newest);
        let newest = self.last.checked_sub(u64::try_from(back).unwrap_or(u64::MAX));
        // The first datagram is number 1, and bit i names the one i + 1 before the newest.
        let named = u64::from(u128::BITS - ack.earlier.leading_zeros());
        let newest = newest.filter(|newest| *newest > named).ok_or(Bad::NeverSent)?;
        if let Some((sequence, before)) = self.client
            && (!ack.sequence.is_after(sequence) || newest < before)
        {
            return Err(Bad::Outdated);
        }
        if self.last - newest >= REMEMBERED as u64 {
            return Err(Bad::TooOld);
        }
        Ok(newest)
    }

    fn note_arrival(&mut self, now: Tick, sent: Tick) {
        if self.arrived.is_none_or(|arrived| sent.is_after(arrived)) {
            self.arrived = Some(sent);
        }
        let sample = u32::try_from(now.since(sent)).unwrap_or(0).min(RESEND_TICKS[1]) * 8;
        self.round_trip = Some(self.round_trip.map_or(sample, |mean| mean - mean / 8 + sample / 8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::SchemaParts;

    fn schema() -> Schema {
        Schema::new(SchemaParts {
            extent_m: 1.0,
            stale_ticks: 9,
            classes: vec![],
            sounds: vec![],
            events: vec![],
        })
    }

    fn after(datagrams: u64) -> Flights {
        let mut flights = Flights::default();
        for number in 1..=datagrams {
            assert_eq!(flights.next(), number);
            let said = (0..number % 3).map(|_| Touch::Told { slot: number as u32, stamp: 0 });
            flights.send(Tick(number as u32), said);
        }
        flights
    }

    /// What an acknowledgement tells, as the datagrams' numbers.
    fn take(flights: &mut Flights, sequence: u16, newest: u16, earlier: u128) -> Result<Vec<u64>, Bad> {
        let ack = Ack { sequence: Sequence(sequence), newest: Sequence(newest), earlier };
        let mut told = Vec::new();
        let now = Tick(flights.last as u32);
        flights.take_ack(&schema(), &ack.to_bytes(&schema()), now, |touch, number, tick| {
            assert_eq!((touch, tick), (Touch::Told { slot: number as u32, stamp: 0 }, Tick(number as u32)));
            told.push(number);
        })?;
        Ok(told)
    }

    #[test]
    fn each_datagram_is_acknowledged_once_with_all_that_it_said() {
        let mut flights = after(20);
        assert_eq!(take(&mut flights, 1, 10, 0b101), Ok(vec![10, 7]));
        assert_eq!(take(&mut flights, 2, 11, 0b1111), Ok(vec![11, 11, 8, 8]));
        assert_eq!(take(&mut flights, 3, 11, 0b1111), Ok(vec![]));
    }

    #[test]
    fn numbers_go_on_over_the_wrap_of_sequences() {
        let mut flights = after(65_540);
        assert_eq!(take(&mut flights, 1, 65_539_u32 as u16, 0b1011), Ok(vec![65_539, 65_537, 65_537]));
        assert_eq!(take(&mut flights, 2, 65_540_u32 as u16, 0b11), Ok(vec![65_540, 65_540]));
    }

    #[test]
    fn what_cannot_be_true_is_refused_and_changes_nothing() {
        let mut flights = after(20);
        assert_eq!(take(&mut flights, 1, 21, 0), Err(Bad::NeverSent));
        assert_eq!(take(&mut flights, 1, 4, 0b1000), Err(Bad::NeverSent), "one before the first");
        assert_eq!(take(&mut flights, 1, 0, 0), Err(Bad::NeverSent));
        assert_eq!(take(&mut flights, 5, 10, 0), Ok(vec![10]));
        assert_eq!(take(&mut flights, 5, 11, 0), Err(Bad::Outdated), "the client's number again");
        assert_eq!(take(&mut flights, 4, 11, 0), Err(Bad::Outdated), "an earlier one");
        assert_eq!(take(&mut flights, 6, 8, 0), Err(Bad::Outdated), "the newest can't be older than it was");
        for bytes in [&[0; 21][..], &[0xFF; 22]] {
            let outcome = flights.take_ack(&schema(), bytes, Tick(20), |_, _, _| panic!("it tells nothing"));
            assert_eq!(outcome, Err(Bad::Malformed));
        }
        let mut flights = after(1000);
        assert_eq!(take(&mut flights, 1, 400, 0), Err(Bad::TooOld));
        let outcomes = (0..40).map(|sequence| take(&mut flights, 2 + sequence, 998, 0).is_err());
        assert_eq!(outcomes.filter(|is_bad| *is_bad).count(), 9);
        assert_eq!(take(&mut flights, 90, 1000, 0), Err(Bad::Flooded));
        flights.begin();
        assert_eq!(take(&mut flights, 90, 1000, 0), Ok(vec![1000]));
    }
}
