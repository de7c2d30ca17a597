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

/// How likely the next bit is 1, learnt from the bits before: quickly at first, then as the mean of about the
/// last 32.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    one: u16,
    /// Four times the weight of the next bit, as a power of a half.
    pace: u16,
}

/// Where learning gets no slower.
const SLOWEST: u16 = 20;

impl Chance {
    /// Nothing is known.
    pub(super) const EVEN: Self = Self { one: 1 << 15, pace: 6 };

    /// Of 2^[`CHANCE_BITS`]: at least 15 and at most all but 16, because no step takes more than what lies above
    /// its own rounding.
    #[inline]
    fn of_one(self) -> u32 {
        u32::from(self.one >> 1)
    }

    #[inline]
    fn learn(&mut self, bit: bool) {
        let shift = self.pace >> 2;
        if bit {
            self.one += (u16::MAX - self.one) >> shift;
        } else {
            self.one -= self.one >> shift;
        }
        self.pace += u16::from(self.pace < SLOWEST);
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
        let share = |chance: u16| ((u64::from(chance) * PER_WEIGHT[usize::from(self.seen)]) >> 32) as u16 * 2;
        if bit {
            self.one += share(u16::MAX - self.one);
        } else {
            self.one -= share(self.one);
        }
        self.seen = (self.seen + 1).min(Self::MOST_SEEN);
    }
}

/// By bits seen: 2^32 by the weight of what was known before, 2 · seen + 3, rounded up. A 16-bit number times it has
/// the exact quotient above its low 32 bits.
const PER_WEIGHT: [u64; Odds::MOST_SEEN as usize + 1] = {
    let mut shares = [0; Odds::MOST_SEEN as usize + 1];
    let mut seen = 0;
    while seen < shares.len() {
        shares[seen] = (1_u64 << 32).div_ceil(2 * seen as u64 + 3);
        seen += 1;
    }
    shares
};

/// Either direction: one description of the order of bits serves both.
pub(super) trait Coder {
    /// Whether bits are written.
    const WRITES: bool;

    /// Writes `bit`, or reads a bit whatever `bit` is; gives the bit. `one` of 2^15 is its chance to be 1.
    fn plain(&mut self, one: u32, bit: bool) -> bool;

    /// Whether more was read than there are bytes, or what was read is not as it would be written.
    fn is_exhausted(&self) -> bool;

    /// Refuses what was read if it is not as it would be written.
    fn require(&mut self, sound: bool);

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

    #[inline]
    fn require(&mut self, sound: bool) {
        debug_assert!(sound);
    }

    #[inline]
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
    bytes: &'a [u8],
    /// Bytes read; those past the end are 0.
    read: usize,
    /// What was read was refused.
    refused: bool,
}

impl<'a> Decoder<'a> {
    /// Starts on the bytes of [`Encoder::finish`].
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { code: 0, range: u32::MAX, bytes, read: 0, refused: false };
        decoder.refused = decoder.next() != 0;
        (1..STATE_BYTES).for_each(|_| decoder.shift());
        decoder
    }

    #[inline]
    fn next(&mut self) -> u8 {
        let byte = self.bytes.get(self.read).copied().unwrap_or(0);
        self.read += 1;
        byte
    }

    #[inline]
    fn shift(&mut self) {
        let byte = self.next();
        self.code = self.code << 8 | u32::from(byte);
    }

    /// Whether the bytes are exactly those that writing the bits read gives.
    ///
    /// What is left of the code is the stream's value less the writer's, which writes its own lowest value.
    pub(super) fn is_finished(&self) -> bool {
        self.code == 0 && self.read == self.bytes.len() && !self.refused
    }
}

impl Coder for Decoder<'_> {
    const WRITES: bool = false;

    #[inline]
    fn is_exhausted(&self) -> bool {
        self.refused || self.read > self.bytes.len()
    }

    #[inline]
    fn require(&mut self, sound: bool) {
        self.refused |= !sound;
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
    fn a_chance_is_never_none_and_never_all() {
        for start in 0..1 << 14_u32 {
            let mut chance = Chance::EVEN;
            let taught = (0..14).map(|at| start >> at & 1 == 1);
            let run = start & 1 == 1;
            for bit in taught.chain(std::iter::repeat_n(run, 500)) {
                chance.learn(bit);
                assert!((15..=(1 << CHANCE_BITS) - 16).contains(&chance.of_one()));
            }
        }
    }

    #[test]
    fn shares_of_chances_are_exact_quotients() {
        for (seen, share) in PER_WEIGHT.iter().enumerate() {
            let weight = 2 * seen as u64 + 3;
            assert!((0..=u64::from(u16::MAX)).all(|chance| (chance * share) >> 32 == chance / weight));
        }
    }

    #[test]
    fn long_runs_cost_little() {
        assert!(write(&[true; 100_000]).len() < 40 && write(&[false; 100_000]).len() < 40);
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
