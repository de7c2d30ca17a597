//! Which datagrams arrived: sequences, the window of the receiver, and the datagram that tells the sender.
//!
//! Promises: a sequence is taken at most once; bytes of an acknowledgement are total and canonical.
//! Must not know whether an acknowledgement is true: the sender checks it against what it sent.

use super::{DecodeError, Schema};

/// Datagrams before the newest that can still be taken and acknowledged; older ones are dropped.
pub const ACK_WINDOW: u16 = 128;

/// Bytes of an acknowledgement.
pub const ACK_BYTES: usize = 22;

/// Number of a datagram, modulo 2¹⁶; numbers that are compared are taken to be less than half of that apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sequence(pub u16);

impl Sequence {
    /// The next number.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }

    /// Numbers from `earlier` to this one, negative where `earlier` is the later.
    pub const fn since(self, earlier: Self) -> i16 {
        self.0.wrapping_sub(earlier.0) as i16
    }

    /// Whether this is later than `other`.
    pub const fn is_after(self, other: Self) -> bool {
        self.since(other) > 0
    }
}

/// What a receiver makes of a datagram's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// Not taken before, and within the window.
    New,
    /// Taken before.
    Duplicate,
    /// Too far behind the newest.
    TooOld,
}

/// The numbers that a receiver has taken: the newest, and which of the [`ACK_WINDOW`] before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AckWindow {
    newest: Option<Sequence>,
    earlier: u128,
}

impl AckWindow {
    /// The newest number taken.
    pub fn newest(&self) -> Option<Sequence> {
        self.newest
    }

    /// What to make of a datagram of this number.
    pub fn judge(&self, sequence: Sequence) -> Arrival {
        let Some(newest) = self.newest else { return Arrival::New };
        match newest.since(sequence) {
            // Half of the circle away it is as much before as after: nothing that is still of use is so far.
            i16::MIN => Arrival::TooOld,
            -0x7FFF..=-1 => Arrival::New,
            0 => Arrival::Duplicate,
            back if back as u16 > ACK_WINDOW => Arrival::TooOld,
            back if self.earlier >> (back - 1) & 1 == 1 => Arrival::Duplicate,
            _ => Arrival::New,
        }
    }

    /// Takes the number of a datagram that was applied; only one that is [`Arrival::New`] changes anything.
    pub fn take(&mut self, sequence: Sequence) {
        let Some(newest) = self.newest else {
            self.newest = Some(sequence);
            return;
        };
        match sequence.since(newest) {
            ahead @ 1.. => {
                // The newest so far moves to the bit of its distance; what leaves the window is forgotten.
                let moved = self.earlier.checked_shl(ahead as u32).unwrap_or(0);
                self.earlier = moved | 1_u128.checked_shl(ahead as u32 - 1).unwrap_or(0);
                self.newest = Some(sequence);
            }
            back if self.judge(sequence) == Arrival::New => self.earlier |= 1 << (-back - 1),
            _ => {}
        }
    }

    /// The acknowledgement to send as datagram `sequence`, or `None` where nothing was taken yet.
    pub fn ack(&self, sequence: Sequence) -> Option<Ack> {
        self.newest.map(|newest| Ack { sequence, newest, earlier: self.earlier })
    }
}

/// What a client sends back: which datagrams it has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack {
    /// Number of this datagram, counted by the client.
    pub sequence: Sequence,
    /// The newest datagram taken.
    pub newest: Sequence,
    /// Bit i: whether the one i + 1 before the newest was taken.
    pub earlier: u128,
}

impl Ack {
    /// Its bytes.
    pub fn to_bytes(&self, schema: &Schema) -> [u8; ACK_BYTES] {
        let mut bytes = [0; ACK_BYTES];
        bytes[..2].copy_from_slice(&schema.mark().to_le_bytes());
        bytes[2..4].copy_from_slice(&self.sequence.0.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.newest.0.to_le_bytes());
        bytes[6..].copy_from_slice(&self.earlier.to_le_bytes());
        bytes
    }

    /// Reads its bytes; whether it is true is for the sender to check.
    ///
    /// # Errors
    /// Where they are not exactly as many, or of other rules.
    pub fn from_bytes(bytes: &[u8], schema: &Schema) -> Result<Self, DecodeError> {
        let bytes: &[u8; ACK_BYTES] = match bytes.len() {
            ACK_BYTES.. => bytes.try_into().map_err(|_| DecodeError::TooLong)?,
            _ => return Err(DecodeError::Truncated),
        };
        let [mark0, mark1, sequence0, sequence1, newest0, newest1, earlier @ ..] = *bytes;
        if u16::from_le_bytes([mark0, mark1]) != schema.mark() {
            return Err(DecodeError::OtherMark);
        }
        Ok(Self {
            sequence: Sequence(u16::from_le_bytes([sequence0, sequence1])),
            newest: Sequence(u16::from_le_bytes([newest0, newest1])),
            earlier: u128::from_le_bytes(earlier),
        })
    }

    /// The numbers that it says were taken, newest first.
    pub fn taken(&self) -> impl Iterator<Item = Sequence> + use<> {
        let Self { newest, earlier, .. } = *self;
        let before = (0..ACK_WINDOW).filter(move |bit| earlier >> bit & 1 == 1);
        std::iter::once(newest).chain(before.map(move |bit| Sequence(newest.0.wrapping_sub(bit + 1))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn every_number_is_taken_once_and_acknowledged(
            start in any::<u16>(),
            steps in prop::collection::vec(-150_i16..60, 1..200),
        ) {
            let (mut window, mut taken) = (AckWindow::default(), HashSet::new());
            let mut newest = i64::from(start);
            for step in steps {
                let number = newest + i64::from(step);
                let sequence = Sequence(number as u16);
                let expected = if taken.is_empty() {
                    Arrival::New
                } else if newest - number > 128 {
                    Arrival::TooOld
                } else if taken.contains(&number) {
                    Arrival::Duplicate
                } else {
                    Arrival::New
                };
                prop_assert_eq!(window.judge(sequence), expected);
                window.take(sequence);
                if expected == Arrival::New {
                    newest = if taken.is_empty() { number } else { newest.max(number) };
                    taken.insert(number);
                }
                let ack = window.ack(Sequence(0)).unwrap();
                let told: Vec<u16> = ack.taken().map(|s| s.0).collect();
                let mut known: Vec<i64> = taken.iter().copied().filter(|n| newest - n <= 128).collect();
                known.sort_unstable_by(|a, b| b.cmp(a));
                prop_assert_eq!(told, known.into_iter().map(|n| n as u16).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_number_half_of_the_circle_away_is_too_old_and_changes_nothing() {
        let mut window = AckWindow::default();
        window.take(Sequence(7));
        let far = Sequence(7 + (1 << 15));
        assert_eq!(window.judge(far), Arrival::TooOld);
        let before = window.ack(Sequence(0));
        window.take(far);
        assert_eq!(window.ack(Sequence(0)), before);
        assert_eq!(window.judge(Sequence(far.0 - 1)), Arrival::New);
    }

    #[test]
    fn numbers_go_on_over_the_wrap() {
        assert!(Sequence(1).is_after(Sequence(u16::MAX)) && !Sequence(u16::MAX).is_after(Sequence(1)));
        assert_eq!(Sequence(u16::MAX).next(), Sequence(0));
    }
}
