//! Where a word of 64 bits differs from what is expected of it.
//!
//! Owns how such bits are found: in doubt one by one, elsewhere by bytes. Promises: reading is total; a bit's context
//! holds bits before it only. Must not know what is expected, nor why.

use super::range::{Chance, Coder};

/// What is known of a word before it is coded.
pub(super) struct Word<'a> {
    /// Bits that are asked about at all.
    pub(super) inside: u64,
    /// Those of them that may well differ.
    pub(super) doubt: u64,
    /// By bit: what its context is of, the lowest first. The last two change as bits before turn out to differ.
    pub(super) contexts: [u64; 8],
    /// By bit: the later bits whose context's last two it changes.
    pub(super) followers: &'a [[u64; 2]; 64],
}

/// The chances of words of one kind.
pub(super) struct Chances {
    /// Whether a word differs at all.
    pub(super) words: [Chance; 128],
    /// Whether it does outside of doubt.
    sure: [Chance; 128],
    bytes: [Chance; 32],
    bits: [Chance; 256],
    /// The last two flags.
    pub(super) last: usize,
}

impl Chances {
    /// Nothing is known.
    pub(super) fn new() -> Self {
        Self {
            words: [Chance::EVEN; 128],
            sure: [Chance::EVEN; 128],
            bytes: [Chance::EVEN; 32],
            bits: [Chance::EVEN; 256],
            last: 0,
        }
    }

    /// Notes a flag as a context of the next.
    pub(super) fn note(&mut self, flag: bool) {
        self.last = (self.last << 1 | usize::from(flag)) & 3;
    }

    /// Whether some of a word's bits without doubt differ; of kinds of words there are four.
    pub(super) fn code_sure(
        &mut self,
        coder: &mut impl Coder,
        word: &Word,
        kind: usize,
        differs: bool,
    ) -> bool {
        let context = (kind * 4 + self.last) * 8 + few(word.doubt);
        coder.bit(&mut self.sure[context], differs)
    }

    /// The bits that differ, in doubt or, if `everywhere`, also elsewhere.
    pub(super) fn code_differing(
        &mut self,
        coder: &mut impl Coder,
        word: &Word,
        everywhere: bool,
        target: u64,
    ) -> u64 {
        let mut bits = Bits {
            chances: &mut self.bits,
            word,
            contexts: sliced(word.contexts),
            differing: 0,
            led: [0; 2],
        };
        let mut before = 0;
        // What is asked about in doubt alone is one stretch.
        let mut stretch = if everywhere { 0xFF } else { u64::MAX };
        while stretch != 0 {
            let doubt = word.doubt & stretch;
            let sure = if everywhere { word.inside & !word.doubt & stretch } else { 0 };
            let mut open = doubt;
            if sure != 0 {
                let context =
                    usize::from((bits.led[0] | bits.led[1]) & sure != 0) << 4 | before << 3 | few(doubt);
                before = usize::from(coder.bit(&mut self.bytes[context], target & sure != 0));
                open |= if before == 1 { sure } else { 0 };
            }
            bits.code(coder, open, target);
            coder.require(sure == 0 || (before == 1) == (bits.differing & sure != 0));
            stretch = if everywhere { stretch << 8 } else { 0 };
        }
        coder.require(!everywhere || bits.differing & word.inside & !word.doubt != 0);
        bits.differing
    }
}

/// A word's bits on their way.
struct Bits<'a> {
    chances: &'a mut [Chance; 256],
    word: &'a Word<'a>,
    contexts: [u8; 64],
    differing: u64,
    /// Bits that follow some that differ, by side: there the last two of their context have changed.
    led: [u64; 2],
}

impl Bits<'_> {
    /// Each bit of `open`, low ones first.
    #[inline]
    fn code(&mut self, coder: &mut impl Coder, mut open: u64, target: u64) {
        while open != 0 {
            let at = open.trailing_zeros() as usize % 64;
            open &= open - 1;
            let led = |side: usize| (self.led[side] >> at & 1) as usize;
            let context = usize::from(self.contexts[PLACES[at]]) ^ led(0) << 6 ^ led(1) << 7;
            if coder.bit(&mut self.chances[context], target >> at & 1 == 1) {
                self.differing |= 1 << at;
                let [west, south] = self.word.followers[at];
                self.led = [self.led[0] | west, self.led[1] | south];
            }
        }
    }
}

/// Where [`sliced`] puts each bit's byte.
const PLACES: [usize; 64] = {
    let mut places = [0; 64];
    let mut bit = 0;
    while bit < 64 {
        places[bit] = bit % 8 * 8 + bit / 8;
        bit += 1;
    }
    places
};

/// The same bits of eight words as bytes, the first word's lowest: those of bit b at `PLACES[b]`.
///
/// Squares of 8, 4, 2 bits are swapped, as a matrix is transposed.
#[inline]
fn sliced(mut words: [u64; 8]) -> [u8; 64] {
    let mut swap = |low: usize, apart: usize, mask: u64| {
        let swapped = (words[low] >> apart ^ words[low + apart]) & mask;
        words[low] ^= swapped << apart;
        words[low + apart] ^= swapped;
    };
    for low in [0, 1, 2, 3] {
        swap(low, 4, 0x0F0F_0F0F_0F0F_0F0F);
    }
    for low in [0, 1, 4, 5] {
        swap(low, 2, 0x3333_3333_3333_3333);
    }
    for low in [0, 2, 4, 6] {
        swap(low, 1, 0x5555_5555_5555_5555);
    }
    let mut bytes = [0; 64];
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// How many bits are set, in eight steps.
#[inline]
pub(super) fn few(bits: u64) -> usize {
    const STEPS: [u8; 65] = {
        let mut steps = [7; 65];
        let mut count = 0;
        while count <= 24 {
            steps[count] = match count {
                0..=3 => count as u8,
                4..=6 => 4,
                7..=12 => 5,
                _ => 6,
            };
            count += 1;
        }
        steps
    };
    usize::from(STEPS[bits.count_ones() as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::file::range::{Decoder, Encoder};
    use proptest::prelude::*;

    #[test]
    fn a_sliced_byte_holds_one_bit_of_every_word() {
        let words: [u64; 8] =
            std::array::from_fn(|word| (word as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let bytes = sliced(words);
        for (bit, &place) in PLACES.iter().enumerate() {
            for (at, word) in words.iter().enumerate() {
                assert_eq!(u64::from(bytes[place]) >> at & 1, word >> bit & 1);
            }
        }
    }

    proptest! {
        #[test]
        fn differing_bits_come_back(
            words in proptest::collection::vec(any::<([u64; 8], u64, u64, u64)>(), 1..20),
            followers in proptest::collection::vec(any::<[u64; 2]>(), 64),
        ) {
            // A bit changes the contexts of later ones only.
            let followers: [[u64; 2]; 64] =
                std::array::from_fn(|bit| followers[bit].map(|mask| mask & mask.rotate_left(7) & (u64::MAX << 1) << bit));
            let word = |(contexts, inside, doubt, _): &([u64; 8], u64, u64, u64)| {
                Word { inside: *inside, doubt: doubt & inside, contexts: *contexts, followers: &followers }
            };
            let mut encoder = Encoder::new();
            let mut chances = Chances::new();
            for given in &words {
                let (word, target) = (word(given), given.3 & given.1);
                let everywhere = chances.code_sure(&mut encoder, &word, 0, target & !word.doubt != 0);
                let read = chances.code_differing(&mut encoder, &word, everywhere, target);
                prop_assert_eq!(read, target);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            let mut chances = Chances::new();
            for given in &words {
                let word = word(given);
                let everywhere = chances.code_sure(&mut decoder, &word, 0, false);
                let read = chances.code_differing(&mut decoder, &word, everywhere, 0);
                prop_assert_eq!(read, given.3 & given.1);
            }
            prop_assert!(decoder.is_finished());
        }
    }
}
