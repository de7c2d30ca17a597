//! Values of fields, their encodings, and how finely each level is told them.
//!
//! Promises: an order of levels, and nothing disclosed that is not named.
//! Must not know how a value becomes bits, nor who is told.

use serde::Deserialize;
use std::collections::HashSet;

/// How much of an entity an observer may know; more compares greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub enum Level {
    /// Nothing, not even that it is there.
    #[default]
    Hidden,
    /// It makes itself heard.
    Heard,
    /// A team-mate sees it.
    Spotted,
    /// It is in sight, or may be within the lead.
    Seen,
    /// It is of the own side.
    Team,
    /// It is one's own.
    Owner,
}

impl Level {
    /// The levels at which anything is told, from least to most.
    pub const TOLD: [Self; 5] = [Self::Heard, Self::Spotted, Self::Seen, Self::Team, Self::Owner];

    /// Place in [`Level::TOLD`]; `None` for `Hidden`.
    pub fn index(self) -> Option<usize> {
        (self as usize).checked_sub(1)
    }

    /// Its name in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::Heard => "heard",
            Self::Spotted => "spotted",
            Self::Seen => "seen",
            Self::Team => "team",
            Self::Owner => "owner",
        }
    }
}

/// A field's value; `R` is what a reference names an entity by: a handle on the server, a network name on a client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a, R> {
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number; angles are in degrees.
    Float(f64),
    /// A point or a vector: x, y, z, in metres or metres per second.
    Vector([f64; 3]),
    /// One of a list, by its place in it.
    Choice(u16),
    /// Bytes that only the game understands.
    Bytes(&'a [u8]),
    /// Another entity, or none.
    Reference(Option<R>),
}

/// How a field's exact value is encoded.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Encoding {
    /// A point within the world's extent, to the nearest multiple of `step_m`.
    Position {
        /// Metres.
        step_m: f64,
    },
    /// A vector, to the nearest multiple of `step_mps`; its components are cut off at `limit_mps`.
    Velocity {
        /// Metres per second.
        step_mps: f64,
        /// Metres per second.
        limit_mps: f64,
    },
    /// An angle, to the nearest of 2 to the power of `bits` parts of a turn.
    Angle {
        /// 1 to 24.
        bits: u8,
    },
    /// A whole number from `min` to `max`.
    Int {
        /// Least.
        min: i64,
        /// Greatest.
        max: i64,
    },
    /// A number from `min` to `max`, to the nearest of `min`, `min + step`, ...
    Float {
        /// Least.
        min: f64,
        /// Greatest.
        max: f64,
        /// Between neighbours.
        step: f64,
    },
    /// Yes or no.
    Bool,
    /// One of these names.
    Enum(Vec<String>),
    /// At most `max` bytes.
    Bytes {
        /// 1 to 255.
        max: u8,
    },
    /// Another entity, or none.
    Reference,
}

/// How much of a field a level may know; from most to least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub enum Disclosure {
    /// All of it, as its encoding has it.
    Exact,
    /// The cell of this size that it lies in, on a grid fixed to the world, in the field's unit.
    Grid(f64),
    /// Nothing.
    #[default]
    Withheld,
}

/// Why a value can't be told: it is withheld then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The value is of another kind than the field.
    #[error("the value is of another kind than its field")]
    Kind,
    /// A number is infinite or not a number.
    #[error("the value is not finite")]
    NotFinite,
    /// A choice that the field does not have.
    #[error("the field has no such choice")]
    NoSuchChoice,
    /// More bytes than the field takes.
    #[error("the bytes are too many")]
    TooLong,
}

/// A field of a class: its name, its encoding, and what each level may know of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Unique in its class.
    pub name: String,
    /// How its exact value is encoded.
    pub encoding: Encoding,
    /// What each of [`Level::TOLD`] may know, in that order.
    pub levels: [Disclosure; 5],
}

impl Field {
    /// What `level` may know of the field.
    pub fn at(&self, level: Level) -> Disclosure {
        level.index().map_or(Disclosure::Withheld, |index| self.levels[index])
    }
}

/// Greatest number of codes: then a place on a grid is exact in f64 too.
const MOST_CODES: f64 = (1_u64 << 48) as f64;
/// Greatest extent of a world, metres.
const MOST_EXTENT_M: f64 = 1e6;

/// Whether a world's coordinates may stay within ±`extent_m`.
pub(crate) fn is_extent(extent_m: f64) -> bool {
    extent_m > 0.0 && extent_m <= MOST_EXTENT_M
}

/// Whether something may be called so.
pub(crate) fn is_name(name: &str) -> bool {
    (1..=255).contains(&name.len())
}

/// Whether a grid of this step has a sane number of cells over `length`.
fn is_step(step: f64, length: f64) -> bool {
    step > 0.0 && step.is_finite() && length.is_finite() && length / step < MOST_CODES
}

impl Encoding {
    /// Checks that it can be encoded in a world of ±`extent_m`.
    ///
    /// # Errors
    /// What it must be.
    pub fn check(&self, extent_m: f64) -> Result<(), &'static str> {
        let (holds, must) = match self {
            Self::Position { step_m } => (
                is_step(*step_m, 2.0 * extent_m) && *step_m <= extent_m,
                "a step above 0 and at most the extent",
            ),
            Self::Velocity { step_mps, limit_mps } => (
                *limit_mps > 0.0 && is_step(*step_mps, 2.0 * limit_mps) && step_mps <= limit_mps,
                "a limit above 0, and a step above 0 and at most the limit",
            ),
            Self::Angle { bits } => ((1..=24).contains(bits), "1 to 24 bits"),
            Self::Int { min, max } => {
                (min < max && *min >= -(1 << 47) && *max < 1 << 47, "min below max, both within 47 bits")
            }
            Self::Float { min, max, step } => (
                min < max && is_step(*step, max - min) && min.abs().max(max.abs()) < step * MOST_CODES,
                "finite, with min below max and a step above 0",
            ),
            Self::Enum(names) => (
                (1..=65_536).contains(&names.len())
                    && names.iter().all(|name| is_name(name))
                    && names.iter().collect::<HashSet<_>>().len() == names.len(),
                "1 to 65536 different names of 1 to 255 bytes",
            ),
            Self::Bytes { max } => (*max > 0, "at least 1 byte"),
            Self::Bool | Self::Reference => (true, ""),
        };
        if holds { Ok(()) } else { Err(must) }
    }
}

impl Disclosure {
    /// Checks that a field of this encoding can be told so.
    ///
    /// # Errors
    /// What it must be.
    pub fn check(&self, encoding: &Encoding, extent_m: f64) -> Result<(), &'static str> {
        let Self::Grid(step) = *self else { return Ok(()) };
        let (holds, must) = match encoding {
            Encoding::Position { step_m } => {
                (step >= *step_m && is_step(step, 2.0 * extent_m), "a grid no finer than the encoding's step")
            }
            Encoding::Velocity { step_mps, limit_mps } => (
                step >= *step_mps && is_step(step, 2.0 * limit_mps),
                "a grid no finer than the encoding's step",
            ),
            Encoding::Float { min, max, step: exact } => (
                step >= *exact && is_step(step, max - min) && min.abs().max(max.abs()) < step * MOST_CODES,
                "a grid no finer than the encoding's step",
            ),
            Encoding::Int { .. } => {
                (step >= 1.0 && step.fract() == 0.0 && step < MOST_CODES, "a grid of a whole number")
            }
            Encoding::Angle { bits } => (
                step <= 180.0 && (360.0 / step).fract() == 0.0 && 360.0 / step <= f64::from(1_u32 << bits),
                "a grid of a whole part of 360 degrees, no finer than the encoding",
            ),
            Encoding::Bool | Encoding::Enum(_) | Encoding::Bytes { .. } | Encoding::Reference => {
                (false, "Exact or Withheld: only numbers can be coarse")
            }
        };
        if holds { Ok(()) } else { Err(must) }
    }
}
