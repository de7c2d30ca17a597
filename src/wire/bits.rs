//! A stream of bits: low bits of a byte first, low bits of a number first.
//!
//! Promises: reading never passes the end and never panics; what is written twice is the same bits at any
//! offset, so that a body is encoded once and appended to many packets. Must not know what the bits mean.

use super::DecodeError;

/// Collects bits.
#[derive(Clone, Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    bits: usize,
}

impl BitWriter {
    /// Bytes that are held.
    pub(crate) fn held_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// A writer that goes on in `bytes`, whose room is used again; what is in it is dropped.
    pub fn reusing(mut bytes: Vec<u8>) -> Self {
        bytes.clear();
        Self { bytes, bits: 0 }
    }

    /// Bits written.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// The bytes; bits of the last one that were not written are 0.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, taken out.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Drops everything and keeps the room.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.bits = 0;
    }

    /// Makes room for so many bytes from the start.
    pub(crate) fn make_room(&mut self, bytes: usize) {
        self.bytes.reserve(bytes.saturating_sub(self.bytes.len()));
    }

    /// Drops what was written after the first `bits`.
    pub fn truncate(&mut self, bits: usize) {
        if bits < self.bits {
            self.bits = bits;
            self.bytes.truncate(bits.div_ceil(8));
            if let (Some(last), 1..) = (self.bytes.last_mut(), bits % 8) {
                *last &= (1 << (bits % 8)) - 1;
            }
        }
    }

    /// Writes the low `count` bits of `value`; at most 64.
    pub fn write(&mut self, value: u64, count: u32) {
        debug_assert!(count <= 64 && (count == 64 || value >> count == 0), "{value} in {count} bits");
        let value = if count < 64 { value & ((1 << count) - 1) } else { value };
        let at = (self.bits % 8) as u32;
        let mut taken = 0;
        if let (Some(last), 1..) = (self.bytes.last_mut(), at) {
            // Of what is shifted out, nothing belongs into this byte.
            *last |= (value << at) as u8;
            taken = count.min(8 - at);
        }
        if count > taken {
            let bytes = (count - taken).div_ceil(8) as usize;
            self.bytes.extend_from_slice(&(value >> taken).to_le_bytes()[..bytes]);
        }
        self.bits += count as usize;
    }

    /// Writes one bit.
    pub fn flag(&mut self, value: bool) {
        self.write(u64::from(value), 1);
    }

    /// Writes the first `bits` bits of `bytes`, which has at least as many.
    pub fn append(&mut self, bytes: &[u8], bits: usize) {
        let (whole, rest) = (bits / 8, (bits % 8) as u32);
        if self.bits.is_multiple_of(8) {
            self.bytes.extend_from_slice(&bytes[..whole]);
            self.bits += whole * 8;
        } else {
            for chunk in bytes[..whole].chunks(8) {
                let value = chunk.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
                self.write(value, chunk.len() as u32 * 8);
            }
        }
        if rest > 0 {
            self.write(u64::from(bytes[whole]) & ((1 << rest) - 1), rest);
        }
    }
}

/// Takes bits back in the order in which they were written.
#[derive(Clone, Debug)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    /// Starts at the first bit of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bits read.
    pub fn bits(&self) -> usize {
        self.at
    }

    /// Bits that are left.
    pub fn left(&self) -> usize {
        self.bytes.len() * 8 - self.at
    }

    /// Reads `count` bits; at most 64.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] where fewer are left; nothing is read then.
    pub fn read(&mut self, count: u32) -> Result<u64, DecodeError> {
        debug_assert!(count <= 64);
        if self.left() < count as usize {
            return Err(DecodeError::Truncated);
        }
        let (mut value, mut got) = (0_u64, 0_u32);
        while got < count {
            let at = (self.at % 8) as u32;
            let taken = (count - got).min(8 - at);
            let part = u64::from(self.bytes[self.at / 8] >> at) & ((1 << taken) - 1);
            value |= part << got;
            got += taken;
            self.at += taken as usize;
        }
        Ok(value)
    }

    /// Reads one bit.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] at the end.
    pub fn flag(&mut self) -> Result<bool, DecodeError> {
        self.read(1).map(|bit| bit == 1)
    }

    /// Reads `count` bits as a number below `limit`.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`], and [`DecodeError::OutOfRange`] of `what` where it is not below.
    pub fn below(&mut self, count: u32, limit: u64, what: &'static str) -> Result<u64, DecodeError> {
        let value = self.read(count)?;
        if value < limit { Ok(value) } else { Err(DecodeError::OutOfRange(what)) }
    }

    /// Whether all bits that are left are 0.
    pub fn is_zero_to_the_end(&self) -> bool {
        let (whole, at) = (self.at / 8, self.at % 8);
        let Some((&first, rest)) = self.bytes[whole.min(self.bytes.len())..].split_first() else {
            return true;
        };
        first >> at == 0 && rest.iter().all(|&byte| byte == 0)
    }
}

/// Bits that hold every number below `count`.
pub(super) fn bits_below(count: u64) -> u32 {
    64 - count.saturating_sub(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = (u64, u32)> {
        (0_u32..=64, any::<u64>())
            .prop_map(|(count, value)| (if count == 64 { value } else { value & ((1 << count) - 1) }, count))
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(numbers in prop::collection::vec(number(), 0..40)) {
            let mut writer = BitWriter::default();
            for &(value, count) in &numbers {
                writer.write(value, count);
            }
            prop_assert_eq!(writer.bits(), numbers.iter().map(|n| n.1 as usize).sum::<usize>());
            let mut reader = BitReader::new(writer.as_bytes());
            for &(value, count) in &numbers {
                prop_assert_eq!(reader.read(count), Ok(value));
            }
            prop_assert!(reader.left() < 8 && reader.is_zero_to_the_end());
            prop_assert_eq!(reader.read(8), Err(DecodeError::Truncated));
        }

        #[test]
        fn an_appended_body_is_the_same_as_one_written_in_place(
            before in prop::collection::vec(number(), 0..4),
            body in prop::collection::vec(number(), 0..12),
        ) {
            let mut cached = BitWriter::default();
            body.iter().for_each(|&(value, count)| cached.write(value, count));
            let (mut appended, mut direct) = (BitWriter::default(), BitWriter::default());
            for &(value, count) in &before {
                appended.write(value, count);
                direct.write(value, count);
            }
            let bits = appended.bits();
            appended.append(cached.as_bytes(), cached.bits());
            body.iter().for_each(|&(value, count)| direct.write(value, count));
            prop_assert_eq!(appended.as_bytes(), direct.as_bytes());
            prop_assert_eq!(appended.bits(), direct.bits());
            appended.truncate(bits);
            let mut again = BitWriter::default();
            before.iter().for_each(|&(value, count)| again.write(value, count));
            prop_assert_eq!(appended.as_bytes(), again.as_bytes());
        }
    }

    #[test]
    fn bits_of_a_count_hold_its_greatest_number() {
        assert_eq!([0, 1, 2, 3, 4, 5, 1 << 40].map(bits_below), [0, 0, 1, 2, 2, 3, 40]);
    }
}
