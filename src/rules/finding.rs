//! What can be wrong with rules, and where.
//!
//! Promises: every finding has an element, a message and a hint; those of a file a line and a column too.
//! Must not know how rules are read.

use super::Rules;
use crate::text::{Errors, Finding, TextError, similar};
use crate::wire::Level;

/// Rules that hold, and what their author should know.
#[derive(Clone, Debug)]
pub struct LoadedRules {
    /// The rules.
    pub rules: Rules,
    /// In the order of the text.
    pub warnings: Vec<Finding<RulesWarning>>,
}

/// Every problem of rules that do not hold.
pub type RulesErrors = Errors<RulesError, RulesWarning>;

/// Why rules do not hold.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The text is no RON of this format.
    #[error(transparent)]
    Text(#[from] TextError),
    /// Two things of one kind have the same name.
    #[error("the {what} {name:?} is there twice")]
    Duplicate {
        /// Of what kind.
        what: &'static str,
        /// Their name.
        name: String,
    },
    /// A name that is not there.
    #[error("there is no {what} {name:?}")]
    UnknownName {
        /// Of what kind.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that are.
        known: Vec<String>,
    },
    /// Numbers that must not fall.
    #[error("{what} is {value}, below the {before} before it")]
    OutOfOrder {
        /// Which numbers.
        what: &'static str,
        /// The one that is too small.
        value: f64,
        /// The one before.
        before: f64,
    },
    /// An encoding that can't be encoded.
    #[error("the encoding of field {field:?} must be {must}")]
    Encoding {
        /// The field.
        field: String,
        /// What the encoding must be.
        must: &'static str,
    },
    /// A field whose name says that it is the entity's own state, encoded as something else.
    #[error("field {field:?} is the entity's own state, which is encoded as {must}")]
    OwnState {
        /// The field.
        field: String,
        /// How it must be encoded.
        must: &'static str,
    },
    /// A field can't be told so.
    #[error("field {field:?} can be told to {level} only as {must}", level = .level.name())]
    Disclosure {
        /// The field.
        field: String,
        /// The level.
        level: Level,
        /// What it must be.
        must: &'static str,
    },
    /// A level that is told less than a lower one.
    #[error("{higher} is told less of field {field:?} than {lower}", higher = .higher.name(), lower = .lower.name())]
    NotMonotone {
        /// The field.
        field: String,
        /// The higher level.
        higher: Level,
        /// The lower level, which is told more.
        lower: Level,
    },
    /// Two grids whose cells overlap: together they tell more than each.
    #[error("the grids of {what} do not nest: {coarse} is no multiple of {fine}")]
    NotNested {
        /// Of which field or sound.
        what: String,
        /// Step of the finer.
        fine: f64,
        /// Step of the coarser.
        coarse: f64,
    },
    /// A field through which another is known better than that is told.
    #[error("field {field:?} betrays {base:?} to {level}, which is told less of it", level = .level.name())]
    Betrays {
        /// The field that says too much.
        field: String,
        /// The field that it is derived from.
        base: String,
        /// The level.
        level: Level,
    },
    /// What is carried is told more finely than who carries it.
    #[error("it betrays where its carrier {carrier:?} is to {level}: its \"pos\" is told more finely", level = .level.name())]
    CarriedBetrays {
        /// The class that carries.
        carrier: String,
        /// The level.
        level: Level,
    },
    /// A body point that the bake does not cover.
    #[error("body point {point:?} lies outside the baked body: {what} is {value} m, not from 0 to {limit} m")]
    OutsideBody {
        /// The point.
        point: String,
        /// Which measure.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The player's.
        limit: f64,
    },
    /// A class that everybody would be told of, wherever it is, through a missing limit.
    #[error("`sight: Always` with an infinite radius tells it to everybody")]
    Unlimited,
    /// A body that rays would never find.
    #[error("`sight: PvsAndRays` needs body points")]
    NoBody,
    /// A class that may be told by its sound, but moves as a player.
    #[error("a class that moves as a player can't be `audible`: sound never makes a player known")]
    AudiblePlayer,
    /// A record that no datagram holds.
    #[error("it takes up to {bytes} bytes, and a datagram has room for {room}")]
    TooLong {
        /// Bytes of its longest message.
        bytes: usize,
        /// Bytes that `mtu_bytes` leaves.
        room: usize,
    },
}

impl RulesError {
    /// A short name that stays the same over releases.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Text(error) => error.code(),
            Self::Duplicate { .. } => "duplicate-name",
            Self::UnknownName { .. } => "unknown-name",
            Self::OutOfOrder { .. } => "out-of-order",
            Self::Encoding { .. } => "encoding",
            Self::OwnState { .. } => "own-state",
            Self::Disclosure { .. } => "disclosure",
            Self::NotMonotone { .. } => "not-monotone",
            Self::NotNested { .. } => "not-nested",
            Self::Betrays { .. } => "betrays",
            Self::CarriedBetrays { .. } => "carried-betrays",
            Self::OutsideBody { .. } => "outside-body",
            Self::Unlimited => "unlimited",
            Self::NoBody => "no-body",
            Self::AudiblePlayer => "audible-player",
            Self::TooLong { .. } => "too-long",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Text(TextError::OutOfRange { .. }) => {
                "the name says the unit: _m, _ms, _ticks, _bytes".into()
            }
            Self::Text(error) => error.hint(),
            Self::Duplicate { .. } => "give one of the two another name".into(),
            Self::UnknownName { name, known, .. } => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                match similar(name, &known) {
                    Some(near) => format!("did you mean {near:?}?"),
                    None if known.is_empty() => "there are none of these; define it first".into(),
                    None => format!("there are: {}", known.join(", ")),
                }
            }
            Self::OutOfOrder { .. } => "write them from the least to the greatest".into(),
            Self::Encoding { .. } => "lengths are metres, angles degrees, speeds metres per second".into(),
            Self::OwnState { .. } => "encode it so, or give a value of the game's another name".into(),
            Self::Disclosure { .. } => "write Exact, Grid(step) or Withheld".into(),
            Self::NotMonotone { .. } => {
                "owner > team > seen > spotted > heard: tell the higher as much".into()
            }
            Self::NotNested { .. } => "make each step a whole multiple of the finer ones".into(),
            Self::Betrays { .. } => {
                "withhold it, or tell it on a grid as coarse (of a velocity: per second)".into()
            }
            Self::CarriedBetrays { .. } => "tell its place no more finely than its carrier's".into(),
            Self::OutsideBody { .. } => {
                "move the point inside, or raise the map's `sight_radius` or `height` and bake again".into()
            }
            Self::Unlimited => "give it a finite radius, or grant it with `always`".into(),
            Self::NoBody => "add points to `body`, or choose `sight: Pvs`".into(),
            Self::AudiblePlayer => "give the player's sounds classes in `sounds` instead".into(),
            Self::TooLong { .. } => "withhold or shorten fields, or raise `mtu_bytes`".into(),
        }
    }
}

/// Something in rules that holds, but is probably not meant so.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesWarning {
    /// A field that no level is told.
    #[error("field {field:?} is told to nobody: no level names it")]
    NeverTold {
        /// The field.
        field: String,
    },
    /// What level `heard` would be told of a class that is never heard.
    #[error("field {field:?} would be told to heard, but nothing makes the class heard")]
    NeverHeard {
        /// The field.
        field: String,
    },
}

impl RulesWarning {
    /// A short name that stays the same over releases.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NeverTold { .. } => "never-told",
            Self::NeverHeard { .. } => "never-heard",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NeverTold { .. } => "name it at a level, or delete it",
            Self::NeverHeard { .. } => "set `audible`, or delete what `heard` is told",
        }
    }
}
