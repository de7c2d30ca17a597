//! From values to codes of a few bytes at a fixed place in a record, and to bits.
//!
//! Owns quantisation. Promises: the same number gives the same code everywhere; codes are canonical and bounded;
//! a number beyond its bounds is told as the bound; what is coarse is rounded on a grid fixed to the world,
//! so that telling it often tells no more. Must not know who is told.

use super::bits::{BitReader, BitWriter, bits_below};
use super::{DecodeError, Disclosure, Encoding, Unfit, Value};

/// Numbers on a line: the code is the place on the grid, counted from the lowest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scale {
    /// Where the grid starts.
    origin: f64,
    step: f64,
    /// Place of the lowest code.
    low: i64,
    count: u64,
    /// Rounded down to the cell, whose middle is told; else to the nearest.
    is_cell: bool,
    /// Told values stay within.
    bounds: [f64; 2],
}

impl Scale {
    fn nearest(origin: f64, step: f64, low: i64, count: u64, bounds: [f64; 2]) -> Self {
        Self { origin, step, low, count, is_cell: false, bounds }
    }

    fn cells(step: f64, bounds: [f64; 2]) -> Self {
        let [low, high] = bounds.map(|bound| (bound / step).floor() as i64);
        // A bound on a grid line belongs to the cell below it: the cell above would hold it alone.
        let high = if high > low && high as f64 * step == bounds[1] { high - 1 } else { high };
        let count = (high - low) as u64 + 1;
        Self { origin: 0.0, step, low, count, is_cell: true, bounds }
    }

    fn symmetric(step: f64, limit: f64) -> Self {
        let places = (limit / step).ceil() as i64;
        Self::nearest(0.0, step, -places, places as u64 * 2 + 1, [-limit, limit])
    }

    fn code(&self, value: f64) -> Result<u64, Unfit> {
        if !value.is_finite() {
            return Err(Unfit::NotFinite);
        }
        let place = (value.clamp(self.bounds[0], self.bounds[1]) - self.origin) / self.step;
        let place = if self.is_cell { floor(place) } else { round(place) };
        let code = place.saturating_sub(self.low).clamp(0, (self.count - 1) as i64);
        Ok(code as u64)
    }

    fn value(&self, code: u64) -> f64 {
        let place = (self.low + code as i64) as f64;
        let middle = if self.is_cell { 0.5 } else { 0.0 };
        (self.origin + (place + middle) * self.step).clamp(self.bounds[0], self.bounds[1])
    }
}

/// How the values of one field are told to one level: what a record holds for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coding(Kind);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Vector(Scale),
    Number(Scale),
    /// `count` parts of a turn, rounded down to the part whose middle is told, or else to the nearest.
    Angle {
        count: u64,
        is_cell: bool,
    },
    /// Floor of the number over `step`, from `low` on; the least number of the cell is told, within the bounds.
    Whole {
        step: i64,
        low: i64,
        count: u64,
        bounds: [i64; 2],
    },
    Bool,
    Choice {
        count: u64,
    },
    Bytes {
        max: u8,
    },
    Reference,
}

impl Coding {
    /// The coding of a disclosed field in a world whose coordinates stay within ±`extent_m`, or `None` where it is
    /// withheld, or is no number and should be coarse.
    ///
    /// The two must be as [`Encoding::check`] and [`Disclosure::check`] want them.
    pub fn new(encoding: &Encoding, disclosure: Disclosure, extent_m: f64) -> Option<Self> {
        match disclosure {
            Disclosure::Exact => Some(Self(Self::exact(encoding, extent_m))),
            Disclosure::Grid(step) => Self::coarse(encoding, step, extent_m).map(Self),
            Disclosure::Withheld => None,
        }
    }

    /// A point on a grid of cells of `step_m`.
    pub fn place(step_m: f64, extent_m: f64) -> Self {
        Self(Kind::Vector(Scale::cells(step_m, [-extent_m, extent_m])))
    }

    fn exact(encoding: &Encoding, extent_m: f64) -> Kind {
        match *encoding {
            Encoding::Position { step_m } => Kind::Vector(Scale::symmetric(step_m, extent_m)),
            Encoding::Velocity { step_mps, limit_mps } => Kind::Vector(Scale::symmetric(step_mps, limit_mps)),
            Encoding::Angle { bits } => Kind::Angle { count: 1 << bits, is_cell: false },
            Encoding::Int { min, max } => whole(1, min, max),
            Encoding::Float { min, max, step } => {
                let count = ((max - min) / step).round() as u64 + 1;
                Kind::Number(Scale::nearest(min, step, 0, count, [min, max]))
            }
            Encoding::Bool => Kind::Bool,
            Encoding::Enum(ref names) => Kind::Choice { count: names.len() as u64 },
            Encoding::Bytes { max } => Kind::Bytes { max },
            Encoding::Reference => Kind::Reference,
        }
    }

    fn coarse(encoding: &Encoding, step: f64, extent_m: f64) -> Option<Kind> {
        Some(match *encoding {
            Encoding::Position { .. } => Kind::Vector(Scale::cells(step, [-extent_m, extent_m])),
            Encoding::Velocity { limit_mps, .. } => Kind::Vector(Scale::cells(step, [-limit_mps, limit_mps])),
            Encoding::Angle { .. } => Kind::Angle { count: (360.0 / step).round() as u64, is_cell: true },
            Encoding::Int { min, max } => whole(step as i64, min, max),
            Encoding::Float { min, max, .. } => Kind::Number(Scale::cells(step, [min, max])),
            Encoding::Bool | Encoding::Enum(_) | Encoding::Bytes { .. } | Encoding::Reference => return None,
        })
    }

    /// Bytes that a record keeps for it.
    pub fn bytes(&self) -> usize {
        match self.0 {
            Kind::Vector(_) => self.width() * 3,
            Kind::Bytes { max } => usize::from(max) + 1,
            _ => self.width(),
        }
    }

    /// Most bits that it takes in a message.
    pub(crate) fn most_bits(&self) -> usize {
        let bits = bits_below(self.count()) as usize;
        match self.0 {
            Kind::Vector(_) => bits * 3,
            Kind::Bytes { max } => bits + usize::from(max) * 8,
            Kind::Reference => 25,
            _ => bits,
        }
    }

    /// Whether it names an entity: then it is no part of a record or body.
    pub fn is_reference(&self) -> bool {
        self.0 == Kind::Reference
    }

    /// How many codes one of its numbers has; 0 for a reference.
    fn count(&self) -> u64 {
        match self.0 {
            Kind::Vector(scale) | Kind::Number(scale) => scale.count,
            Kind::Angle { count, .. } | Kind::Whole { count, .. } | Kind::Choice { count } => count,
            Kind::Bool => 2,
            Kind::Bytes { max } => u64::from(max) + 1,
            Kind::Reference => 0,
        }
    }

    /// Bytes of one of its numbers.
    fn width(&self) -> usize {
        bits_below(self.count()).div_ceil(8) as usize
    }

    /// Writes the code of `value` into `record`, which is of [`Coding::bytes`]; of a reference, nothing.
    ///
    /// # Errors
    /// Where the value does not fit the field; `record` is left as it was.
    pub fn quantise<R>(&self, value: &Value<'_, R>, record: &mut [u8]) -> Result<(), Unfit> {
        let code = match (self.0, value) {
            (Kind::Vector(scale), Value::Vector(vector)) => {
                let [x, y, z] = *vector;
                let codes = [scale.code(x)?, scale.code(y)?, scale.code(z)?];
                for (code, bytes) in codes.into_iter().zip(record.chunks_exact_mut(self.width().max(1))) {
                    put(code, bytes);
                }
                return Ok(());
            }
            (Kind::Number(scale), &Value::Float(number)) => scale.code(number)?,
            (Kind::Angle { .. }, &Value::Float(degrees)) if !degrees.is_finite() => {
                return Err(Unfit::NotFinite);
            }
            (Kind::Angle { count, is_cell }, &Value::Float(degrees)) => {
                let parts = within_a_turn(degrees) / (360.0 / count as f64);
                // A remainder may round up to a whole turn, which is none.
                (if is_cell { floor(parts) } else { round(parts) }) as u64 % count
            }
            (Kind::Whole { step, low, bounds, .. }, &Value::Int(number)) => {
                (number.clamp(bounds[0], bounds[1]).div_euclid(step) - low) as u64
            }
            (Kind::Bool, &Value::Bool(value)) => u64::from(value),
            (Kind::Choice { count }, &Value::Choice(choice)) => {
                Some(u64::from(choice)).filter(|&choice| choice < count).ok_or(Unfit::NoSuchChoice)?
            }
            (Kind::Bytes { max }, Value::Bytes(bytes)) => {
                let length = u8::try_from(bytes.len()).ok().filter(|&length| length <= max);
                record[0] = length.ok_or(Unfit::TooLong)?;
                let (text, rest) = record[1..].split_at_mut(bytes.len());
                text.copy_from_slice(bytes);
                rest.fill(0);
                return Ok(());
            }
            (Kind::Reference, Value::Reference(_)) => return Ok(()),
            _ => return Err(Unfit::Kind),
        };
        put(code, record);
        Ok(())
    }

    /// The value of `record`, which is of [`Coding::bytes`] and was written by this coding; of a reference, none.
    pub fn value<'a, R>(&self, record: &'a [u8]) -> Value<'a, R> {
        match self.0 {
            Kind::Vector(scale) => {
                let width = self.width();
                let component = |axis: usize| scale.value(get(&record[axis * width..][..width]));
                Value::Vector([component(0), component(1), component(2)])
            }
            Kind::Number(scale) => Value::Float(scale.value(get(record))),
            Kind::Angle { count, is_cell } => {
                let part = get(record) as f64 + if is_cell { 0.5 } else { 0.0 };
                Value::Float(part * (360.0 / count as f64))
            }
            Kind::Whole { step, low, bounds, .. } => {
                Value::Int(((low + get(record) as i64) * step).max(bounds[0]))
            }
            Kind::Bool => Value::Bool(get(record) != 0),
            Kind::Choice { .. } => Value::Choice(get(record) as u16),
            Kind::Bytes { .. } => Value::Bytes(&record[1..][..usize::from(record[0])]),
            Kind::Reference => Value::Reference(None),
        }
    }

    /// Writes a record's bytes as bits.
    pub(super) fn write(&self, record: &[u8], out: &mut BitWriter) {
        let bits = bits_below(self.count());
        match self.0 {
            Kind::Vector(_) => {
                record.chunks_exact(self.width().max(1)).for_each(|bytes| out.write(get(bytes), bits));
            }
            Kind::Bytes { .. } => {
                out.write(u64::from(record[0]), bits);
                out.append(&record[1..], usize::from(record[0]) * 8);
            }
            Kind::Reference => {}
            _ => out.write(get(record), bits),
        }
    }

    /// Reads what [`Coding::write`] wrote.
    pub(super) fn read(&self, record: &mut [u8], bits: &mut BitReader<'_>) -> Result<(), DecodeError> {
        let (width, count) = (bits_below(self.count()), self.count());
        match self.0 {
            Kind::Vector(_) => {
                for bytes in record.chunks_exact_mut(self.width().max(1)) {
                    put(bits.below(width, count, "a coordinate")?, bytes);
                }
            }
            Kind::Bytes { .. } => {
                let length = bits.below(width, count, "a count of bytes")?;
                record.fill(0);
                record[0] = length as u8;
                for byte in &mut record[1..][..length as usize] {
                    *byte = bits.read(8)? as u8;
                }
            }
            Kind::Reference => {}
            _ => put(bits.below(width, count, "a value")?, record),
        }
        Ok(())
    }
}

fn whole(step: i64, min: i64, max: i64) -> Kind {
    let (low, high) = (min.div_euclid(step), max.div_euclid(step));
    Kind::Whole { step, low, count: (high - low) as u64 + 1, bounds: [min, max] }
}

/// The number rounded down, without a call; beyond what an `i64` holds, the nearest that it does.
fn floor(number: f64) -> i64 {
    let whole = number as i64;
    whole.saturating_sub(i64::from(number < whole as f64))
}

/// The nearest whole number, half-way cases away from zero on every platform; without a call, else as [`floor`].
fn round(number: f64) -> i64 {
    let whole = number as i64;
    let rest = number - whole as f64;
    whole.saturating_add(i64::from(rest >= 0.5) - i64::from(rest <= -0.5))
}

/// An angle as one from 0 up to a whole turn, degrees.
fn within_a_turn(degrees: f64) -> f64 {
    if (0.0..360.0).contains(&degrees) {
        degrees
    } else if (-360.0..0.0).contains(&degrees) {
        // As the remainder does; it may round up to the whole turn.
        degrees + 360.0
    } else {
        degrees.rem_euclid(360.0)
    }
}

fn put(code: u64, bytes: &mut [u8]) {
    // A copy of so few bytes would be a call.
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = (code >> (8 * index)) as u8;
    }
}

fn get(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |code, &byte| code << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rounding_without_a_call_is_the_platforms(number in -1e6..1e6_f64, half in -2_000_000..2_000_000_i64) {
            for number in [number, half as f64 * 0.5, (half as f64 * 0.5).next_up(), (half as f64 * 0.5).next_down()] {
                prop_assert_eq!(round(number), number.round() as i64);
                prop_assert_eq!(floor(number), number.floor() as i64);
                prop_assert_eq!(within_a_turn(number), number.rem_euclid(360.0));
            }
        }
    }

    #[test]
    fn what_no_whole_number_holds_is_cut_to_those_that_there_are() {
        for number in [0.49999999999999994, 4503599627370495.5, 1e300, -1e300, f64::INFINITY, -0.0, -5e-324] {
            assert_eq!(round(number), number.round() as i64);
            assert_eq!(floor(number), number.floor() as i64);
        }
        assert_eq!(within_a_turn(-0.0), (-0.0_f64).rem_euclid(360.0));
        assert_eq!(within_a_turn(-1e-300), (-1e-300_f64).rem_euclid(360.0));
    }
}
