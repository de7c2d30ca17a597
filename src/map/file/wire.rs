//! The alphabet of a baked file's sections: counts, texts, and numbers that keep every bit.
//!
//! Owns how a value becomes bytes and back. Promises: reading is total, bounded by the bytes at hand and
//! canonical (one value, one spelling). Must not know what the values mean.

use std::collections::HashMap;

/// Why bytes could not be read: what was expected.
pub(super) type Wrong = &'static str;

/// Decimals of a number that is written as an integer: 10⁻⁵ m, which holds Doom's 1/32 m exactly.
const DECIMAL: f64 = 1e5;
/// Integers up to here have exact products and quotients with [`DECIMAL`]'s rounding.
const DECIMAL_LIMIT: f64 = (1_u64 << 50) as f64;

/// Which coordinate a number is; the difference to the one before of the same axis is what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    X,
    Y,
    Z,
    /// Radii, speeds, settings.
    Other,
}

/// Collects a section's values.
#[derive(Default)]
pub(super) struct Writer {
    codes: Vec<u8>,
    exact: Vec<u64>,
    seen: HashMap<u64, usize>,
    last: [i64; 4],
}

impl Writer {
    /// An unsigned integer, 7 bits a byte, low ones first.
    pub(super) fn uint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.codes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.codes.push(value as u8);
    }

    /// A signed integer: 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
    pub(super) fn int(&mut self, value: i64) {
        self.uint(zigzag(value));
    }

    /// A count of elements or bytes that follow.
    pub(super) fn count(&mut self, value: usize) {
        self.uint(value as u64);
    }

    /// A text: its bytes' count, its bytes.
    pub(super) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.codes.extend_from_slice(text.as_bytes());
    }

    /// A number with all its bits.
    pub(super) fn number(&mut self, axis: Axis, value: f64) {
        if let Some(decimal) = as_decimal(value) {
            let last = std::mem::replace(&mut self.last[axis as usize], decimal);
            self.uint(zigzag(decimal - last) << 1);
        } else if let Some(&index) = self.seen.get(&value.to_bits()) {
            self.uint(((self.exact.len() - index) as u64) << 1 | 1);
        } else {
            self.seen.insert(value.to_bits(), self.exact.len());
            self.exact.push(value.to_bits());
            self.uint(1);
        }
    }

    /// The section's bytes: the count of exact numbers, their bytes by significance, then the codes.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + self.exact.len() * 8 + self.codes.len());
        bytes.extend_from_slice(&(self.exact.len() as u64).to_le_bytes());
        for plane in (0..8).rev() {
            bytes.extend(self.exact.iter().map(|bits| (bits >> (plane * 8)) as u8));
        }
        bytes.extend_from_slice(&self.codes);
        bytes
    }
}

/// Takes a section's values back in the order in which they were written.
pub(super) struct Reader<'a> {
    codes: &'a [u8],
    exact: Vec<f64>,
    seen: HashMap<u64, usize>,
    used: usize,
    last: [i64; 4],
}

impl<'a> Reader<'a> {
    /// Starts on the bytes of [`Writer::finish`].
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, Wrong> {
        let (head, rest) = bytes.split_first_chunk::<8>().ok_or("a count of exact numbers")?;
        let count = usize::try_from(u64::from_le_bytes(*head)).map_err(|_| "a smaller count")?;
        let planes = count.checked_mul(8).filter(|&length| length <= rest.len()).ok_or("exact numbers")?;
        let (planes, codes) = rest.split_at(planes);
        let number = |index: usize| {
            let bits = (0..8).fold(0, |bits, plane| bits << 8 | u64::from(planes[plane * count + index]));
            f64::from_bits(bits)
        };
        let exact = (0..count).map(number).collect();
        Ok(Self { codes, exact, seen: HashMap::with_capacity(count), used: 0, last: [0; 4] })
    }

    /// An unsigned integer in its shortest spelling.
    pub(super) fn uint(&mut self) -> Result<u64, Wrong> {
        let mut value = 0_u64;
        for (index, &byte) in self.codes.iter().enumerate().take(10) {
            let low = u64::from(byte & 0x7F);
            if index == 9 && low > 1 {
                break;
            }
            value |= low << (index * 7);
            if byte & 0x80 == 0 {
                self.codes = &self.codes[index + 1..];
                return if byte == 0 && index > 0 {
                    Err("an integer's shortest spelling")
                } else {
                    Ok(value)
                };
            }
        }
        Err("an integer")
    }

    /// A signed integer.
    pub(super) fn int(&mut self) -> Result<i64, Wrong> {
        self.uint().map(unzigzag)
    }

    /// A count of things that take at least a byte each; so it never exceeds the bytes that are left.
    pub(super) fn count(&mut self) -> Result<usize, Wrong> {
        let count = self.uint()?;
        usize::try_from(count).ok().filter(|&count| count <= self.codes.len()).ok_or("fewer elements")
    }

    /// `count` elements, each read by `element`.
    pub(super) fn many<T>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<T, Wrong>,
    ) -> Result<Vec<T>, Wrong> {
        let count = self.count()?;
        (0..count).map(|_| element(self)).collect()
    }

    /// A text.
    pub(super) fn text(&mut self) -> Result<String, Wrong> {
        let length = self.count()?;
        let (bytes, rest) = self.codes.split_at(length);
        self.codes = rest;
        String::from_utf8(bytes.to_vec()).map_err(|_| "UTF-8")
    }

    /// A number of any kind, infinite ones and NaN too.
    pub(super) fn number(&mut self, axis: Axis) -> Result<f64, Wrong> {
        let code = self.uint()?;
        match (code & 1, code >> 1) {
            (0, difference) => {
                let last = &mut self.last[axis as usize];
                *last = last.checked_add(unzigzag(difference)).ok_or("a number in range")?;
                let value = *last as f64 / DECIMAL;
                if as_decimal(value) == Some(*last) { Ok(value) } else { Err("a number in range") }
            }
            (_, 0) => {
                let value = *self.exact.get(self.used).ok_or("an exact number")?;
                let known = self.seen.insert(value.to_bits(), self.used).is_some();
                self.used += 1;
                if known || as_decimal(value).is_some() {
                    Err("a number's shortest spelling")
                } else {
                    Ok(value)
                }
            }
            (_, back) => {
                let index = usize::try_from(back).ok().and_then(|back| self.used.checked_sub(back));
                index.map(|index| self.exact[index]).ok_or("a number seen before")
            }
        }
    }

    /// A finite number.
    pub(super) fn finite(&mut self, axis: Axis) -> Result<f64, Wrong> {
        self.number(axis).and_then(|value| if value.is_finite() { Ok(value) } else { Err("a finite number") })
    }

    /// Checks that nothing is left.
    pub(super) fn end(self) -> Result<(), Wrong> {
        if self.codes.is_empty() && self.used == self.exact.len() { Ok(()) } else { Err("the section's end") }
    }
}

/// `value` in units of 10⁻⁵ where that gives the very same bits back.
fn as_decimal(value: f64) -> Option<i64> {
    let scaled = (value * DECIMAL).round();
    let exact =
        scaled.abs() < DECIMAL_LIMIT && ((scaled as i64) as f64 / DECIMAL).to_bits() == value.to_bits();
    exact.then_some(scaled as i64)
}

fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_number() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits),
            (-100_000_000_i64..100_000_000).prop_map(|n| n as f64 / 1e4),
            (-4_000_i64..4_000).prop_map(|n| n as f64 / 32.0),
            prop_oneof![Just(f64::INFINITY), Just(-0.0), Just(0.0), Just(0.1 + 0.2), Just(1e300)],
        ]
    }

    fn write(numbers: &[f64]) -> Vec<u8> {
        let mut writer = Writer::default();
        for (index, &number) in numbers.iter().enumerate() {
            writer.number(if index % 2 == 0 { Axis::X } else { Axis::Y }, number);
        }
        writer.finish()
    }

    proptest! {
        #[test]
        fn numbers_come_back_with_every_bit(numbers in proptest::collection::vec(any_number(), 0..40)) {
            let bytes = write(&numbers);
            let mut reader = Reader::new(&bytes).unwrap();
            for (index, number) in numbers.iter().enumerate() {
                let read = reader.number(if index % 2 == 0 { Axis::X } else { Axis::Y }).unwrap();
                prop_assert_eq!(read.to_bits(), number.to_bits());
            }
            prop_assert_eq!(reader.end(), Ok(()));
        }

        #[test]
        fn integers_come_back_and_have_one_spelling(value in any::<i64>(), bytes in any::<[u8; 12]>()) {
            let mut writer = Writer::default();
            writer.int(value);
            let written = writer.finish();
            let mut reader = Reader::new(&written).unwrap();
            prop_assert_eq!(reader.int(), Ok(value));
            prop_assert_eq!(reader.end(), Ok(()));

            let mut hostile = vec![0; 8];
            hostile.extend_from_slice(&bytes);
            let mut reader = Reader::new(&hostile).unwrap();
            if let Ok(value) = reader.uint() {
                let length = bytes.len() - reader.codes.len();
                let mut writer = Writer::default();
                writer.uint(value);
                prop_assert_eq!(&writer.codes[..], &bytes[..length]);
            }
        }
    }

    #[test]
    fn repeated_odd_numbers_are_written_once() {
        let odd = 1.0 / 3.0;
        assert_eq!(write(&[odd; 10]).len(), 8 + 8 + 10);
    }

    #[test]
    fn counts_beyond_the_bytes_at_hand_are_refused() {
        let mut writer = Writer::default();
        writer.count(1_000_000);
        let bytes = writer.finish();
        assert_eq!(Reader::new(&bytes).unwrap().many(|reader| reader.uint()), Err("fewer elements"));
        assert!(Reader::new(&u64::MAX.to_le_bytes()).is_err());
    }
}
