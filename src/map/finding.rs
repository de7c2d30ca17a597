//! What can be wrong with a map source, and where.
//!
//! Owns [`MapError`] and what a load gives. Promises: every finding has a line, a column, an element, a message
//! and a hint. Must not know how a source is decoded, nor how findings are shown.

use super::Map;
use super::warning::MapWarning;
use crate::text::{Errors, Finding, TextError};
use std::fmt;

/// A map that loaded, and what its author should know.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The map.
    pub map: Map,
    /// In the order of the text.
    pub warnings: Vec<Finding<MapWarning>>,
    /// Warnings beyond the first 10,000, which are counted and not kept.
    pub omitted: usize,
}

/// Every problem of a map source that does not load.
pub type MapErrors = Errors<MapError, MapWarning>;

/// Why a map source does not load.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// The text is no RON of this format.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The lower end of a height range is not below its upper end.
    #[error("z runs from {low} up to {high}: the lower end is not below the upper one")]
    ReversedHeights {
        /// Lower end as written.
        low: f64,
        /// Upper end as written.
        high: f64,
    },
    /// A solid that blocks nothing.
    #[error("`blocks` is empty")]
    EmptyBlocks,
    /// Two solids or doors of one id.
    #[error("the id {0:?} is already taken")]
    DuplicateId(String),
    /// A wall whose ends are one point.
    #[error("the wall runs from a point to itself")]
    WallWithoutLength,
    /// An outline that encloses nothing.
    #[error("{0} encloses no area")]
    DegenerateOutline(Ring),
    /// An outline that meets itself.
    #[error("{ring} crosses or touches itself at ({x:.3}, {y:.3})")]
    SelfCrossing {
        /// Which outline.
        ring: Ring,
        /// Where.
        x: f64,
        /// Where.
        y: f64,
    },
    /// A hole that is not inside its outline.
    #[error("hole {0} lies outside its outline")]
    HoleOutside(usize),
    /// A hole that crosses its outline.
    #[error("hole {hole} crosses its outline at ({x:.3}, {y:.3})")]
    HoleCrossesOutline {
        /// Which hole, from 0.
        hole: usize,
        /// Where.
        x: f64,
        /// Where.
        y: f64,
    },
    /// Two holes that overlap.
    #[error("holes {0} and {1} overlap")]
    HolesOverlap(usize, usize),
    /// An outline that would take too long to check.
    #[error("the outlines of this file are too intricate to be checked")]
    TooIntricate,
    /// The floors would make more cells than the limit.
    #[error("the floors make some {estimate} cells of {cell_size} m, more than {limit}")]
    TooManyCells {
        /// An estimate from the floors' area less that of the solids.
        estimate: u64,
        /// Edge of a cell in metres.
        cell_size: f64,
        /// Greatest number.
        limit: usize,
    },
    /// Neither floors nor outlines to lay one under.
    #[error("the map has neither floors nor outlines: there is nothing to stand on")]
    Empty,
    /// Measures of a player that contradict each other.
    #[error("`{over}` is {value}, above `{limit_name}` {limit}")]
    PlayerContradiction {
        /// The greater one's name.
        over: &'static str,
        /// The greater one.
        value: f64,
        /// The name of the one that should be the greater.
        limit_name: &'static str,
        /// The one that should be the greater.
        limit: f64,
    },
}

/// What an outline bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ring {
    /// The outline itself.
    Outline,
    /// A hole, by its place in `holes`, from 0.
    Hole(usize),
}

impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outline => f.write_str("the outline"),
            Self::Hole(i) => write!(f, "hole {i}"),
        }
    }
}

impl MapError {
    /// A short name that stays the same over releases.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Text(error) => error.code(),
            Self::ReversedHeights { .. } => "reversed-heights",
            Self::EmptyBlocks => "empty-blocks",
            Self::DuplicateId(_) => "duplicate-id",
            Self::WallWithoutLength => "wall-without-length",
            Self::DegenerateOutline(_) => "degenerate-outline",
            Self::SelfCrossing { .. } => "self-crossing",
            Self::HoleOutside(_) => "hole-outside",
            Self::HoleCrossesOutline { .. } => "hole-crosses-outline",
            Self::HolesOverlap(..) => "holes-overlap",
            Self::TooIntricate => "too-intricate",
            Self::TooManyCells { .. } => "too-many-cells",
            Self::Empty => "empty-map",
            Self::PlayerContradiction { .. } => "player-contradiction",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Text(TextError::FileTooLong { .. }) => {
                "split the map, or leave out decoration that hides nothing".into()
            }
            Self::Text(TextError::WrongType { detail, .. }) if detail.is_empty() => {
                "see the map format in README.md".into()
            }
            Self::Text(TextError::NotFinite(_)) => "only the ends of `z` may be infinite".into(),
            Self::Text(TextError::TooMany { .. }) => {
                "simplify the map, or raise the limit in `Limits`".into()
            }
            Self::Text(error) => error.hint(),
            Self::ReversedHeights { .. } => {
                "write z: (low, high); a solid without height hides nothing".into()
            }
            Self::EmptyBlocks => "name some of Sight, Movement, Sound, or leave the solid out".into(),
            Self::DuplicateId(_) => "ids are unique over solids and doors".into(),
            Self::WallWithoutLength => "give `from` and `to` two different points, or draw a Cylinder".into(),
            Self::DegenerateOutline(_) => "an outline needs three corners that are not in one line".into(),
            Self::SelfCrossing { .. } => "order the corners around the shape, or split it in two".into(),
            Self::HoleOutside(_) => "move the hole inside, or make it a solid of its own".into(),
            Self::HoleCrossesOutline { .. } => "cut the outline instead: a hole lies inside it".into(),
            Self::HolesOverlap(..) => "join the two holes into one".into(),
            Self::TooIntricate => "split large outlines into several smaller ones".into(),
            Self::TooManyCells { .. } => "choose a larger `cell_size`, or smaller floors".into(),
            Self::Empty => "add a floor or a solid".into(),
            Self::PlayerContradiction { .. } => "heights are measured from the feet, in metres".into(),
        }
    }
}
