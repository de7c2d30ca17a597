//! An adaptive binary range coder.
//!
//! Owns how single bits with a chance become bytes and back. Promises: reading is total and bounded by the bits
//! asked for; of all bytes only those that writing the same bits gives are accepted. Must not know what bits mean.
//! After G. N. N. Martin, "Range encoding" (1979), with the carry kept back as LZMA does.

/// Bits of a chance.
const CHANCE_BITS: u32 = 15;
/// Below this the range is widened by a byte.
const LEAST_RANGE: u32 = 1 << 24;
/// Bytes that the writer ends with, and the reader begins with.
const STATE_BYTES: usize = 5;

/// How likely the next bit is 1, learnt from the bits before: the mean of a quick and a slow guess, both of which
/// start as the mean of the bits so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    quick: u16,
    slow: u16,
    seen: u16,
}

/// By bits seen: the part of 2^16 that the next one weighs.
const WEIGHTS: [u32; 128] = {
    let mut weights = [0; 128];
    let mut seen = 0;
    while seen < 128 {
        weights[seen] = (1 << 17) / (2 * seen as u32 + 3);
        seen += 1;
    }
    weights
};
/// Bits after which the quick guess learns no slower.
const QUICK: usize = 14;

impl Chance {
    /// Nothing is known.
    pub(super) const EVEN: Self = Self { quick: 1 << 15, slow: 1 << 15, seen: 0 };

    /// Of 2^[`CHANCE_BITS`], never none and never all of it.
    fn of_one(self) -> u32 {
        ((u32::from(self.quick) + u32::from(self.slow)) >> 2).clamp(24, (1 << CHANCE_BITS) - 24)
    }

    #[inline]
    fn learn(&mut self, bit: bool) {
        let seen = usize::from(self.seen);
        let slow = WEIGHTS[seen & 127];
        let quick = WEIGHTS[seen.min(QUICK)];
        let step = |guess: u16, weight: u32| {
            let away = u32::from(if bit { u16::MAX - guess } else { guess });
            let step = ((away * weight) >> 16) as u16;
            if bit { guess + step } else { guess - step }
        };
        self.quick = step(self.quick, quick);
        self.slow = step(self.slow, slow);
        self.seen = (self.seen + 1).min(127);
    }
}

/// How likely the next bit is 1, for contexts that see few bits: the more it has seen, the slower it learns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odds {
    one: u16,
    seen: u8,
}

impl Odds {
    /// Nothing is known.
    pub(super) const EVEN: Self = Self { one: 1 << 15, seen: 0 };
    /// Bits after which learning gets no slower.
    const MOST_SEEN: u8 = 60;

    /// Of 2^[`CHANCE_BITS`]; a bit costs at least a ninetieth of one, which bounds what some bytes can spell.
    fn of_one(self) -> u32 {
        u32::from(self.one >> 1).clamp(1 << 8, (1 << CHANCE_BITS) - (1 << 8))
    }

    fn learn(&mut self, bit: bool) {
        let weight = 2 * u16::from(self.seen) + 3;
        if bit {
            self.one += (u16::MAX - self.one) / weight * 2;
        } else {
            self.one -= self.one / weight * 2;
        }
        self.seen = (self.seen + 1).min(Self::MOST_SEEN);
    }
}

/// Either direction: one description of the order of bits serves both.
pub(super) trait Coder {
    /// Whether bits are written.
    const WRITES: bool;

    /// Writes `bit`, or reads a bit whatever `bit` is; gives the bit. `one` of 2^15 is its chance to be 1.
    fn plain(&mut self, one: u32, bit: bool) -> bool;

    /// Whether more was read than there are bytes.
    fn is_exhausted(&self) -> bool;

    /// As [`Coder::plain`], by a chance that learns.
    #[inline]
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool {
        let bit = self.plain(chance.of_one(), bit);
        chance.learn(bit);
        bit
    }

    /// As [`Coder::bit`].
    fn odd(&mut self, odds: &mut Odds, bit: bool) -> bool {
        let bit = self.plain(odds.of_one(), bit);
        odds.learn(bit);
        bit
    }

    /// As [`Coder::plain`], where 0 and 1 are equally likely.
    fn even(&mut self, bit: bool) -> bool {
        self.plain(1 << (CHANCE_BITS - 1), bit)
    }
}

/// Writes bits.
pub(super) struct Encoder {
    low: u64,
    range: u32,
    held: u8,
    pending: u64,
    bytes: Vec<u8>,
}

impl Encoder {
    /// An empty stream.
    pub(super) fn new() -> Self {
        Self { low: 0, range: u32::MAX, held: 0, pending: 1, bytes: Vec::new() }
    }

    /// The stream's bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        (0..STATE_BYTES).for_each(|_| self.shift());
        self.bytes
    }

    fn shift(&mut self) {
        if self.low < 0xFF00_0000 || self.low > u64::from(u32::MAX) {
            let carry = (self.low >> 32) as u8;
            // A carry turns every byte 255 that waits into 0.
            let mut byte = self.held;
            while self.pending > 0 {
                self.bytes.push(byte.wrapping_add(carry));
                byte = 0xFF;
                self.pending -= 1;
            }
            self.held = (self.low >> 24) as u8;
        }
        self.pending += 1;
        self.low = (self.low & 0x00FF_FFFF) << 8;
    }
}

impl Coder for Encoder {
    const WRITES: bool = true;

    fn is_exhausted(&self) -> bool {
        false
    }

    fn plain(&mut self, one: u32, bit: bool) -> bool {
        let bound = (self.range >> CHANCE_BITS) * one;
        if bit {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

/// Reads bits.
pub(super) struct Decoder<'a> {
    code: u32,
    range: u32,
    rest: &'a [u8],
    /// Bytes read past the end, as 0.
    missing: bool,
}

impl<'a> Decoder<'a> {
    /// Starts on the bytes of [`Encoder::finish`].
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { code: 0, range: u32::MAX, rest: bytes, missing: false };
        decoder.missing = decoder.next() != 0;
        (1..STATE_BYTES).for_each(|_| decoder.shift());
        decoder
    }

    fn next(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((&byte, rest)) => {
                self.rest = rest;
                byte
            }
            None => {
                self.missing = true;
                0
            }
        }
    }

    fn shift(&mut self) {
        let byte = self.next();
        self.code = self.code << 8 | u32::from(byte);
    }

    /// Whether the bytes are exactly those that writing the bits read gives.
    ///
    /// What is left of the code is the stream's value less the writer's, which writes its own lowest value.
    pub(super) fn is_finished(&self) -> bool {
        self.code == 0 && self.rest.is_empty() && !self.missing
    }
}

impl Coder for Decoder<'_> {
    const WRITES: bool = false;

    fn is_exhausted(&self) -> bool {
        self.missing
    }

    #[inline]
    fn plain(&mut self, one: u32, _: bool) -> bool {
        let bound = (self.range >> CHANCE_BITS) * one;
        let bit = self.code < bound;
        if bit {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn write(bits: &[bool]) -> Vec<u8> {
        let mut encoder = Encoder::new();
        let mut chances = [Chance::EVEN; 2];
        let mut last = false;
        for &bit in bits {
            last = encoder.bit(&mut chances[usize::from(last)], bit);
        }
        encoder.finish()
    }

    fn read(bytes: &[u8], count: usize) -> (Vec<bool>, bool) {
        let mut decoder = Decoder::new(bytes);
        let mut chances = [Chance::EVEN; 2];
        let mut last = false;
        let mut bits = Vec::new();
        for _ in 0..count {
            last = decoder.bit(&mut chances[usize::from(last)], false);
            bits.push(last);
        }
        (bits, decoder.is_finished())
    }

    #[test]
    fn long_runs_cost_little() {
        assert!(write(&[true; 100_000]).len() < 200 && write(&[false; 100_000]).len() < 200);
    }

    proptest! {
        #[test]
        fn bits_come_back(runs in proptest::collection::vec((any::<bool>(), 1..300_usize), 0..60)) {
            let bits: Vec<bool> = runs.iter().flat_map(|&(bit, count)| vec![bit; count]).collect();
            prop_assert_eq!(read(&write(&bits), bits.len()), (bits, true));
        }

        #[test]
        fn only_the_bytes_that_are_written_are_accepted(bytes in proptest::collection::vec(any::<u8>(), 0..12), cut in 0..60_usize) {
            let (bits, accepted) = read(&bytes, cut);
            prop_assert_eq!(accepted, write(&bits) == bytes);
            let mut own = write(&bits);
            own.push(0);
            prop_assert!(!read(&own, cut).1);
        }
    }
}
