//! What the author of a map that loads should know.

use super::cells::TooManyCells;
use super::finding::Ring;

/// Something in a map source that loads, but is probably not meant so.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MapWarning {
    /// Consecutive equal vertices, which were merged.
    #[error("{count} repeated {} of {ring} left out", if *count == 1 { "corner" } else { "corners" })]
    RepeatedVertices {
        /// Which outline.
        ring: Ring,
        /// How many were dropped.
        count: usize,
    },
    /// A wall thinner than 2 mm, which was thickened.
    #[error("the wall is {thickness} m thick and was thickened to 2 mm")]
    ThinWall {
        /// Thickness as written, metres.
        thickness: f64,
    },
    /// A solid with a sloped end of which no height is certain over its whole outline.
    #[error("the sloped ends leave no height that is solid over the whole outline: it blocks nothing")]
    NoCertainHeight,
    /// A sight gap that only just stays open.
    #[error("a slit of {:.1} mm is open between this and {other}", .gap_m * 1000.0)]
    Slit {
        /// Its width in metres.
        gap_m: f64,
        /// The neighbour.
        other: String,
    },
    /// A gap so narrow that it is closed.
    #[error("a gap of {:.2} mm to {other} is closed (welded)", .gap_m * 1000.0)]
    Welded {
        /// Its width in metres.
        gap_m: f64,
        /// The neighbour.
        other: String,
    },
    /// A solid that adds nothing to another.
    #[error("it lies wholly inside {other}")]
    InsideAnother {
        /// The one that holds it.
        other: String,
    },
    /// Players would appear inside a solid.
    #[error("the spawn is inside {other}")]
    SpawnInSolid {
        /// The solid.
        other: String,
    },
    /// Players would appear where nothing can be stood on.
    #[error("the spawn is not on a floor")]
    SpawnOffFloor,
    /// A floor that nobody can get to.
    #[error("no spawn leads to this floor by walking, dropping or jumping")]
    UnreachableFloor,
    /// The floors may make more cells than the limit.
    #[error("the floors may make up to {estimate} cells of {cell_size} m, more than {limit}")]
    ManyCells {
        /// An estimate from the floors' area.
        estimate: u64,
        /// Edge of a cell in metres.
        cell_size: f64,
        /// Greatest number.
        limit: usize,
    },
    /// No floor has room for a body.
    #[error("nobody can stand anywhere: no floor has room for the player's body")]
    NobodyStands,
    /// The floors are too many or too far out for a bake.
    #[error("it can't be baked: {0}")]
    NoBake(TooManyCells),
    /// The map is so crowded that the search for warnings was stopped.
    #[error("too many elements overlap: not all of them were searched for slits and the like")]
    SearchStopped,
}

impl MapWarning {
    /// A short name that stays the same over releases.
    pub fn code(&self) -> &'static str {
        match self {
            Self::RepeatedVertices { .. } => "repeated-vertices",
            Self::ThinWall { .. } => "thin-wall",
            Self::NoCertainHeight => "no-certain-height",
            Self::Slit { .. } => "slit",
            Self::Welded { .. } => "welded",
            Self::InsideAnother { .. } => "inside-another",
            Self::SpawnInSolid { .. } => "spawn-in-solid",
            Self::SpawnOffFloor => "spawn-off-floor",
            Self::UnreachableFloor => "unreachable-floor",
            Self::ManyCells { .. } => "many-cells",
            Self::NobodyStands => "nobody-stands",
            Self::NoBake(_) => "no-bake",
            Self::SearchStopped => "search-stopped",
        }
    }

    /// Whether it only tells what was done, where nothing needs mending.
    pub fn is_note(&self) -> bool {
        matches!(self, Self::Welded { .. })
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::RepeatedVertices { .. } => {
                "delete the repeated corners; the last one joins the first by itself"
            }
            Self::ThinWall { .. } => "give the wall the thickness that it has in the game",
            Self::NoCertainHeight => "cut the solid into smaller ones along its slope",
            Self::Slit { .. } => "move one of them by the gap to close it; a wider slit is meant, and real",
            Self::Welded { .. } => "nothing to do: gaps under 2 mm never pass a sight line",
            Self::InsideAnother { .. } => "delete it, unless it is meant to stay when the other goes",
            Self::SpawnInSolid { .. } => "move the spawn, or lift it to the top of the solid",
            Self::SpawnOffFloor => "put the spawn on a floor, at most a step above or below it",
            Self::UnreachableFloor => {
                "join it by a ramp or steps, or delete it: its cells cost time and memory"
            }
            Self::ManyCells { .. } => "choose a larger `cell_size`, or smaller floors",
            Self::NobodyStands => {
                "move floors out of the solids, or make the gaps between solids wider than the body"
            }
            Self::NoBake(_) => "`fogwall bake` fails on it in the same way",
            Self::SearchStopped => "split the map, or join solids that overlap",
        }
    }
}
