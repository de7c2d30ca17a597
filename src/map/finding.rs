//! What can be wrong with a map source, and where.
//!
//! Owns [`MapError`], [`MapWarning`] and the place of each in the text. Promises: every finding has a line, a
//! column, an element, a message and a hint; a hostile file can't make the list grow without bound.
//! Must not know how a source is decoded, nor how findings are shown.

use super::Map;
use super::warning::MapWarning;
use std::fmt;

/// A range of bytes of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` to before `end`.
    pub(crate) const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

/// One problem and its place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding<P> {
    /// What is wrong: a [`MapError`] or a [`MapWarning`].
    pub problem: P,
    /// The element it is about, as in `solids[17] "crate_2"`; empty where it is the file.
    pub element: String,
    /// The bytes to point at.
    pub span: Span,
    /// Line of the first byte, from 1.
    pub line: usize,
    /// Column of the first byte in characters, from 1.
    pub column: usize,
    /// A second place that belongs to it, and what that is.
    pub related: Option<(Span, &'static str)>,
}

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

/// Every problem of a source that does not load.
#[derive(Clone, Debug, PartialEq)]
pub struct MapErrors {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// At least one, in the order of the text.
    pub errors: Vec<Finding<MapError>>,
    /// What was found besides.
    pub warnings: Vec<Finding<MapWarning>>,
    /// Findings beyond the first 10,000 of a kind, which are counted and not kept.
    pub omitted: usize,
}

impl fmt::Display for MapErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, e) in self.errors.iter().enumerate() {
            let (newline, colon) =
                (if i > 0 { "\n" } else { "" }, if e.element.is_empty() { "" } else { ": " });
            let Finding { problem, element, line, column, .. } = e;
            write!(f, "{newline}{}:{line}:{column}: {element}{colon}{problem}", self.file)?;
        }
        if self.omitted > 0 {
            write!(f, "\n{}: and {} more", self.file, self.omitted)?;
        }
        Ok(())
    }
}

impl std::error::Error for MapErrors {}

/// Why a map source does not load.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// The file could not be read.
    #[error("the file can't be read: {0}")]
    Unreadable(String),
    /// The file is longer than the limit.
    #[error("the file has over {limit} bytes")]
    FileTooLong {
        /// Greatest number of bytes.
        limit: usize,
    },
    /// The file is not UTF-8.
    #[error("the file is not UTF-8 text")]
    NotText,
    /// The text is not RON.
    #[error("{0}")]
    Syntax(String),
    /// The version is not one that this release reads.
    #[error("version {0} of the format is not known")]
    UnknownVersion(u64),
    /// A field that the format does not have.
    #[error("unknown field `{field}`")]
    UnknownField {
        /// Its name.
        field: String,
        /// The names that the format has here.
        known: &'static [&'static str],
    },
    /// A field that must be there is not.
    #[error("field `{0}` is missing")]
    MissingField(&'static str),
    /// A field is given twice.
    #[error("field `{0}` is given twice")]
    RepeatedField(&'static str),
    /// A value is of another type than the format has here.
    #[error("expected {expected}, found `{found}`")]
    WrongType {
        /// What the format has here.
        expected: &'static str,
        /// The beginning of what is there.
        found: String,
        /// What the decoder says, if it says anything.
        detail: String,
    },
    /// A number is infinite or not a number where only a finite one makes sense.
    #[error("{0} must be a finite number")]
    NotFinite(&'static str),
    /// A number lies outside what makes sense.
    #[error("{what} is {value}, but must be {must}")]
    OutOfRange {
        /// The number's name.
        what: &'static str,
        /// The number.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
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
    /// More of something than the limit.
    #[error("the file has more than {limit} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// Greatest number.
        limit: usize,
    },
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
            Self::Unreadable(_) => "unreadable",
            Self::FileTooLong { .. } => "file-too-long",
            Self::NotText => "not-text",
            Self::Syntax(_) => "syntax",
            Self::UnknownVersion(_) => "unknown-version",
            Self::UnknownField { .. } => "unknown-field",
            Self::MissingField(_) => "missing-field",
            Self::RepeatedField(_) => "repeated-field",
            Self::WrongType { .. } => "wrong-type",
            Self::NotFinite(_) => "not-finite",
            Self::OutOfRange { .. } => "out-of-range",
            Self::ReversedHeights { .. } => "reversed-heights",
            Self::EmptyBlocks => "empty-blocks",
            Self::DuplicateId(_) => "duplicate-id",
            Self::DegenerateOutline(_) => "degenerate-outline",
            Self::SelfCrossing { .. } => "self-crossing",
            Self::HoleOutside(_) => "hole-outside",
            Self::HoleCrossesOutline { .. } => "hole-crosses-outline",
            Self::HolesOverlap(..) => "holes-overlap",
            Self::TooIntricate => "too-intricate",
            Self::TooMany { .. } => "too-many",
            Self::TooManyCells { .. } => "too-many-cells",
            Self::Empty => "empty-map",
            Self::PlayerContradiction { .. } => "player-contradiction",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Unreadable(_) => "check the path and its permissions".into(),
            Self::FileTooLong { .. } => "split the map, or leave out decoration that hides nothing".into(),
            Self::NotText => "save the file as UTF-8".into(),
            Self::Syntax(_) => "the text must be RON: (field: value, ...), lists in [...]".into(),
            Self::UnknownVersion(_) => "this release reads `version: 1`".into(),
            Self::UnknownField { known: [], .. } => "no named field belongs here".into(),
            Self::UnknownField { field, known } => match similar(field, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known here: {}; your own data goes into `ext: {{...}}`", known.join(", ")),
            },
            Self::MissingField(field) => format!("add `{field}: ...`"),
            Self::RepeatedField(_) => "keep one of the two".into(),
            Self::WrongType { detail, .. } if detail.is_empty() => "see the map format in README.md".into(),
            Self::WrongType { detail, .. } => format!("the decoder says: {detail}"),
            Self::NotFinite(_) => "only the ends of `z` may be infinite".into(),
            Self::OutOfRange { .. } => "lengths are metres, times are seconds".into(),
            Self::ReversedHeights { .. } => {
                "write z: (low, high); a solid without height hides nothing".into()
            }
            Self::EmptyBlocks => "name some of Sight, Movement, Sound, or leave the solid out".into(),
            Self::DuplicateId(_) => "ids are unique over solids and doors".into(),
            Self::DegenerateOutline(_) => "an outline needs three corners that are not in one line".into(),
            Self::SelfCrossing { .. } => "order the corners around the shape, or split it in two".into(),
            Self::HoleOutside(_) => "move the hole inside, or make it a solid of its own".into(),
            Self::HoleCrossesOutline { .. } => "cut the outline instead: a hole lies inside it".into(),
            Self::HolesOverlap(..) => "join the two holes into one".into(),
            Self::TooIntricate => "split large outlines into several smaller ones".into(),
            Self::TooMany { .. } => "simplify the map, or raise the limit in `Limits`".into(),
            Self::TooManyCells { .. } => "choose a larger `cell_size`, or smaller floors".into(),
            Self::Empty => "add a floor or a solid".into(),
            Self::PlayerContradiction { .. } => "heights are measured from the feet, in metres".into(),
        }
    }
}

/// The known name that a mistyped one stands for: at most a third of its letters differ.
fn similar(field: &str, known: &[&'static str]) -> Option<&'static str> {
    if field.len() > 40 {
        return None;
    }
    let distance = |name: &str| {
        let mut row: Vec<usize> = (0..=name.len()).collect();
        for (i, a) in field.bytes().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for (j, b) in name.bytes().enumerate() {
                let least = (row[j] + 1).min(row[j + 1] + 1).min(diagonal + usize::from(a != b));
                diagonal = std::mem::replace(&mut row[j + 1], least);
            }
        }
        row[name.len()]
    };
    known.iter().copied().map(|n| (distance(n), n)).min().filter(|(d, n)| d * 3 <= n.len()).map(|(_, n)| n)
}
