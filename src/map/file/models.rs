//! Integers and choices as bits whose chances are learnt.
//!
//! Owns how an integer is spelt by its length and its bits. Promises: one integer, one spelling; reading is total.
//! Must not know what the integers mean.

use super::range::{Coder, Odds};

/// One of 2^`BITS` things, learnt bit by bit from the highest.
#[derive(Clone)]
pub(super) struct Choice<const THINGS: usize>([Odds; THINGS]);

impl<const THINGS: usize> Choice<THINGS> {
    /// Nothing is known. `THINGS` is a power of two.
    pub(super) const fn new() -> Self {
        Self([Odds::EVEN; THINGS])
    }

    /// Writes `thing`, or reads one.
    pub(super) fn code(&mut self, coder: &mut impl Coder, thing: usize) -> usize {
        let mut node = 1;
        for at in (0..THINGS.ilog2()).rev() {
            node = node * 2 + usize::from(coder.odd(&mut self.0[node], thing >> at & 1 == 1));
        }
        node - THINGS
    }
}

/// Bits below the highest that are learnt, per length.
const LEARNT: u32 = 3;

/// Unsigned integers below 2⁶⁴ − 1: of one more than the integer the length, then the bits below the highest.
#[derive(Clone)]
pub(super) struct Uint {
    length: Choice<64>,
    high: [Choice<{ 1 << LEARNT }>; 64],
}

impl Uint {
    /// Nothing is known.
    pub(super) const fn new() -> Self {
        Self { length: Choice::new(), high: [const { Choice::new() }; 64] }
    }

    /// Writes `value`, or reads one; the largest `u64` is written as the one below.
    pub(super) fn code(&mut self, coder: &mut impl Coder, value: u64) -> u64 {
        let spelt = value.saturating_add(1);
        let length = self.length.code(coder, spelt.ilog2() as usize) as u32;
        let mut read = 1_u64;
        let mut node = 1;
        for at in (0..length).rev() {
            let bit = spelt >> at & 1 == 1;
            let learnt = node < 1 << LEARNT;
            let bit = if learnt {
                coder.odd(&mut self.high[length as usize].0[node], bit)
            } else {
                coder.even(bit)
            };
            node = (node * 2 + usize::from(bit)).min(1 << LEARNT);
            read = read << 1 | u64::from(bit);
        }
        read - 1
    }
}

/// Signed integers: their size, then whether they are below 0.
#[derive(Clone)]
pub(super) struct Int {
    size: Uint,
    negative: Odds,
}

impl Int {
    /// Nothing is known.
    pub(super) const fn new() -> Self {
        Self { size: Uint::new(), negative: Odds::EVEN }
    }

    /// Writes `value`, or reads one; `None` where what is read is no `i64`.
    pub(super) fn code(&mut self, coder: &mut impl Coder, value: i64) -> Option<i64> {
        let size = self.size.code(coder, value.unsigned_abs());
        let size = i64::try_from(size).ok()?;
        // A 0 has no sign: it has one spelling.
        Some(if size != 0 && coder.odd(&mut self.negative, value < 0) { -size } else { size })
    }
}
