//! The alphabet of a baked file's sections: counts, texts, and numbers that keep every bit.
//!
//! Owns how a value becomes bits and back; one description serves both. Promises: reading is total, bounded
//! and canonical (one value, one spelling). Must not know what the values mean.

use super::models::{Choice, Int, Uint};
use super::range::{Coder, Decoder, Encoder, Odds};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Why bytes could not be read: what was expected.
pub(super) type Wrong = &'static str;

/// Decimals of a number that is written as an integer: 10⁻⁵ m.
const DECIMAL: f64 = 1e5;
/// Integers up to here have exact products and quotients with [`DECIMAL`]'s rounding.
const DECIMAL_LIMIT: f64 = (1_u64 << 50) as f64;
/// Grids that coordinates lie on, in units of 10⁻⁵ m, half an inch among them; the first that fits is meant.
const STEPS: [i64; 11] = [100_000, 50_000, 25_000, 12_500, 10_000, 2_540, 1_270, 1_000, 100, 10, 1];
/// Elements of all lists of a section together, at most: more than a source of 50 MB has.
const MOST_ELEMENTS: usize = 1 << 24;
/// Values of an axis that are remembered.
const RECENT: usize = 16;

/// What a number is; its chances are learnt by role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    X,
    Y,
    /// A floor's height.
    Z,
    /// The low end of a range of heights.
    Low,
    /// The high end.
    High,
    /// Radii, speeds, settings.
    Other,
}

/// Roles.
const ROLES: usize = 6;
/// The axis of each role; heights share one.
const AXIS: [usize; ROLES] = [0, 1, 2, 2, 2, 3];
const AXES: usize = 4;

/// What an integer is; its chances are learnt by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Length,
    Elements,
    Blocks,
    Holes,
    /// Corners of a ring, by [`super::rings::Shape`].
    Corners(usize),
    /// Which of the points known.
    Known(usize),
    Exact,
    Index,
    Column,
    Count,
}

const KINDS: usize = 16;

impl Kind {
    fn index(self) -> usize {
        match self {
            Self::Length => 0,
            Self::Elements => 1,
            Self::Blocks => 2,
            Self::Holes => 3,
            Self::Corners(shape) => 4 + shape,
            Self::Known(shape) => 8 + shape,
            Self::Exact => 12,
            Self::Index => 13,
            Self::Column => 14,
            Self::Count => 15,
        }
    }
}

/// What a number may be: two likely values, and one that it is probably near.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    /// NaN where there is none.
    pub(super) marks: [f64; 2],
    /// NaN for the last of the axis.
    pub(super) near: f64,
}

impl Guess {
    /// Nothing is likely.
    pub(super) const NONE: Self = Self { marks: [f64::NAN; 2], near: f64::NAN };

    /// Two likely values.
    pub(super) fn of(marks: [f64; 2]) -> Self {
        Self { marks, near: f64::NAN }
    }

    /// Which of the likely values `value` is, with every bit.
    pub(super) fn mark(&self, value: f64) -> Option<usize> {
        self.marks.iter().position(|mark| mark.to_bits() == value.to_bits())
    }
}

/// The ways of writing a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Mark(usize),
    Recent(usize),
    Decimal(usize, i64),
    Again(usize),
    Exact,
}

/// The chances of one role.
struct Numbers {
    ways: [Choice<4>; 16],
    recent: Choice<RECENT>,
    last_way: usize,
    exact: Odds,
    again: Odds,
    step: [Choice<16>; 16],
    last_step: usize,
    difference: [Int; STEPS.len()],
}

impl Numbers {
    fn new() -> Self {
        Self {
            ways: [const { Choice::new() }; 16],
            recent: Choice::new(),
            last_way: 0,
            exact: Odds::EVEN,
            again: Odds::EVEN,
            step: [const { Choice::new() }; 16],
            last_step: 0,
            difference: [const { Int::new() }; STEPS.len()],
        }
    }
}

/// A section on its way to bytes or from them.
pub(super) struct Values<C> {
    pub(super) coder: C,
    texts: Vec<u8>,
    texts_read: usize,
    exact: Vec<u64>,
    exact_read: usize,
    seen: HashMap<u64, usize, RandomState>,
    elements: usize,
    uints: Vec<Uint>,
    int: Vec<Int>,
    numbers: [Numbers; ROLES],
    recent: [Vec<u64>; AXES],
    last: [i64; AXES],
    /// The way of the number before, as a context of the next.
    beside: usize,
}

/// Writes a section.
pub(super) type Writer = Values<Encoder>;
/// Reads a section.
pub(super) type Reader<'a> = Values<Decoder<'a>>;

impl Writer {
    /// An empty section.
    pub(super) fn new() -> Self {
        Self::with(Encoder::new(), Vec::new(), Vec::new())
    }

    /// The section's bytes: count and bytes of the exact numbers by significance, length and bytes of the
    /// texts, the stream.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut bytes = (self.exact.len() as u64).to_le_bytes().to_vec();
        for plane in (0..8).rev() {
            bytes.extend(self.exact.iter().map(|bits| (bits >> (plane * 8)) as u8));
        }
        bytes.extend_from_slice(&(self.texts.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&self.texts);
        bytes.extend_from_slice(&self.coder.finish());
        bytes
    }
}

impl<'a> Reader<'a> {
    /// Starts on the bytes of [`Writer::finish`].
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, Wrong> {
        let (planes, rest) = part(bytes, 8).ok_or("exact numbers")?;
        let count = planes.len() / 8;
        let number =
            |index: usize| (0..8).fold(0, |bits, plane| bits << 8 | u64::from(planes[plane * count + index]));
        let exact = (0..count).map(number).collect();
        let (texts, stream) = part(rest, 1).ok_or("texts")?;
        Ok(Self::with(Decoder::new(stream), texts.to_vec(), exact))
    }

    /// Checks that nothing is left.
    pub(super) fn end(self) -> Result<(), Wrong> {
        let whole = self.texts_read == self.texts.len() && self.exact_read == self.exact.len();
        if whole && self.coder.is_finished() { Ok(()) } else { Err("the section's end") }
    }
}

/// A count (u64) of things of `size` bytes, their bytes; and the rest.
fn part(bytes: &[u8], size: usize) -> Option<(&[u8], &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<8>()?;
    let count = usize::try_from(u64::from_le_bytes(*head)).ok()?;
    rest.split_at_checked(count.checked_mul(size)?)
}

impl<C: Coder> Values<C> {
    fn with(coder: C, texts: Vec<u8>, exact: Vec<u64>) -> Self {
        Self {
            coder,
            texts,
            texts_read: 0,
            exact,
            exact_read: 0,
            seen: HashMap::default(),
            elements: 0,
            uints: vec![Uint::new(); KINDS],
            int: vec![Int::new(); KINDS],
            numbers: std::array::from_fn(|_| Numbers::new()),
            recent: Default::default(),
            last: [0; AXES],
            beside: 0,
        }
    }

    /// An unsigned integer below 2⁶⁴ − 1.
    pub(super) fn uint(&mut self, kind: Kind, value: u64) -> u64 {
        self.uints[kind.index()].code(&mut self.coder, value)
    }

    /// A signed integer, not the least one.
    pub(super) fn int(&mut self, kind: Kind, value: i64) -> Result<i64, Wrong> {
        self.int[kind.index()].code(&mut self.coder, value).ok_or("an integer in range")
    }

    /// A count of elements, of which a section has a bounded number.
    pub(super) fn count(&mut self, kind: Kind, value: usize) -> Result<usize, Wrong> {
        let count = usize::try_from(self.uint(kind, value as u64)).map_err(|_| "fewer elements")?;
        self.elements = self.elements.saturating_add(count);
        let bounded = C::WRITES || self.elements <= MOST_ELEMENTS && !self.coder.is_exhausted();
        if bounded { Ok(count) } else { Err("fewer elements") }
    }

    /// The elements of `list` by `element`, which is given each, or nothing where elements are read.
    pub(super) fn many<T>(
        &mut self,
        kind: Kind,
        list: &[T],
        mut element: impl FnMut(&mut Self, Option<&T>) -> Result<T, Wrong>,
    ) -> Result<Vec<T>, Wrong> {
        let count = self.count(kind, list.len())?;
        (0..count)
            .map(|index| {
                let element = element(self, list.get(index))?;
                if self.coder.is_exhausted() { Err("more bytes") } else { Ok(element) }
            })
            .collect()
    }

    /// A text.
    pub(super) fn text(&mut self, text: &str) -> Result<String, Wrong> {
        if C::WRITES {
            self.texts.extend_from_slice(text.as_bytes());
        }
        let length = self.uint(Kind::Length, text.len() as u64);
        let end = usize::try_from(length).ok().and_then(|length| self.texts_read.checked_add(length));
        let bytes = end.and_then(|end| self.texts.get(self.texts_read..end)).ok_or("a text")?.to_vec();
        self.texts_read += bytes.len();
        String::from_utf8(bytes).map_err(|_| "UTF-8")
    }

    /// A number of any kind, infinite ones and NaN too.
    pub(super) fn number(&mut self, role: Role, guess: Guess, value: f64) -> Result<f64, Wrong> {
        let way = if C::WRITES { self.way(role, &guess, value) } else { Way::Exact };
        let (way, value) = self.code_number(role, &guess, way, value)?;
        // Each number is read in the way in which it would be written.
        if !C::WRITES && self.way(role, &guess, value) != way {
            return Err("a number's first spelling");
        }
        let axis = AXIS[role as usize];
        if let Some(decimal) = as_decimal(value) {
            self.last[axis] = decimal;
        }
        if way == Way::Exact {
            self.seen.insert(value.to_bits(), self.exact_read);
            self.exact_read += 1;
        }
        let recent = &mut self.recent[axis];
        match recent.iter().position(|&bits| bits == value.to_bits()) {
            Some(at) => recent[..=at].rotate_right(1),
            None => {
                recent.truncate(RECENT - 1);
                recent.insert(0, value.to_bits());
            }
        }
        Ok(value)
    }

    /// A finite number.
    pub(super) fn finite(&mut self, role: Role, guess: Guess, value: f64) -> Result<f64, Wrong> {
        let value = self.number(role, guess, value)?;
        if value.is_finite() { Ok(value) } else { Err("a finite number") }
    }

    fn way(&self, role: Role, guess: &Guess, value: f64) -> Way {
        if let Some(mark) = guess.mark(value) {
            return Way::Mark(mark);
        }
        if let Some(at) = self.recent[AXIS[role as usize]].iter().position(|&bits| bits == value.to_bits()) {
            return Way::Recent(at);
        }
        if let Some(decimal) = as_decimal(value) {
            let step = STEPS.iter().position(|step| decimal % step == 0).unwrap_or(STEPS.len() - 1);
            return Way::Decimal(step, decimal / STEPS[step] - self.origin(role, guess, STEPS[step]));
        }
        match self.seen.get(&value.to_bits()) {
            Some(&index) => Way::Again(self.exact_read - index - 1),
            None => Way::Exact,
        }
    }

    /// Where differences start from, in steps.
    fn origin(&self, role: Role, guess: &Guess, step: i64) -> i64 {
        let near = as_decimal(guess.near).unwrap_or(self.last[AXIS[role as usize]]);
        (near + step / 2).div_euclid(step)
    }

    fn code_number(&mut self, role: Role, guess: &Guess, way: Way, value: f64) -> Result<(Way, f64), Wrong> {
        let model = &mut self.numbers[role as usize];
        let choice = match way {
            Way::Mark(mark) => mark,
            Way::Recent(_) => 2,
            _ => 3,
        };
        let choice = model.ways[model.last_way * 4 + self.beside].code(&mut self.coder, choice);
        (model.last_way, self.beside) = (choice, choice);
        match choice {
            2 => {
                let at = if let Way::Recent(at) = way { at } else { 0 };
                let at = model.recent.code(&mut self.coder, at);
                let bits = self.recent[AXIS[role as usize]].get(at).ok_or("a number seen before")?;
                Ok((Way::Recent(at), f64::from_bits(*bits)))
            }
            3 => self.code_new(role, guess, way, value),
            mark => Ok((Way::Mark(mark), guess.marks[mark])),
        }
    }

    fn code_new(&mut self, role: Role, guess: &Guess, way: Way, value: f64) -> Result<(Way, f64), Wrong> {
        let model = &mut self.numbers[role as usize];
        if !self.coder.odd(&mut model.exact, matches!(way, Way::Again(_) | Way::Exact)) {
            let (step, difference) =
                if let Way::Decimal(step, difference) = way { (step, difference) } else { (0, 0) };
            let step = model.step[model.last_step].code(&mut self.coder, step);
            model.last_step = step;
            let size = *STEPS.get(step).ok_or("a step")?;
            let read = model.difference[step].code(&mut self.coder, difference).ok_or("a number in range")?;
            let steps = read.checked_add(self.origin(role, guess, size));
            let decimal = steps.and_then(|steps| steps.checked_mul(size)).ok_or("a number in range")?;
            return Ok((Way::Decimal(step, read), decimal as f64 / DECIMAL));
        }
        if self.coder.odd(&mut model.again, matches!(way, Way::Again(_))) {
            let back = if let Way::Again(back) = way { back as u64 } else { 0 };
            let back = self.uint(Kind::Exact, back);
            let index =
                usize::try_from(back).ok().and_then(|back| self.exact_read.checked_sub(back)?.checked_sub(1));
            let bits = index.map(|index| self.exact[index]).ok_or("a number seen before")?;
            return Ok((Way::Again(back as usize), f64::from_bits(bits)));
        }
        if C::WRITES {
            self.exact.push(value.to_bits());
        }
        let bits = self.exact.get(self.exact_read).ok_or("an exact number")?;
        Ok((Way::Exact, f64::from_bits(*bits)))
    }
}

/// `value` in units of 10⁻⁵ where that gives the very same bits back.
fn as_decimal(value: f64) -> Option<i64> {
    let scaled = (value * DECIMAL).round();
    let exact =
        scaled.abs() < DECIMAL_LIMIT && ((scaled as i64) as f64 / DECIMAL).to_bits() == value.to_bits();
    exact.then_some(scaled as i64)
}

#[cfg(test)]
mod tests;
