//! Server-authoritative fog of war for competitive shooters.
#![forbid(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]

mod geom;
mod import;
mod map;

pub use geom::{ConvexPolygon, Point2, Point3, SIGHT_CLEARANCE_M, Vector2, ZRange};
pub use import::{ImportError, Imported, import_wad, wad_levels};
#[cfg(feature = "cli")]
pub use import::{TiledError, import_tiled};
pub use map::{Area, Blocks, Floor, Footprint, Map, Player, Solid, Spawn};
pub use map::{BakeFileError, Baked, METHOD_VERSION};
pub use map::{BakeOptions, BakeProgress, BakeQuality, Cancelled, Earlier, Quiet, bake, bake_from, witness};
pub use map::{Block, CellId, MAX_CELLS, PairClass, PairCounts, Pvs, PvsBuilder, Row};
pub use map::{Cell, Cells, TooManyCells};
pub use map::{DEFAULT_HEARABLE_RADIUS_M, Hearable, HearableParts};
pub use map::{DoorState, DynamicBlocker, DynamicSolids, Mask, Piece, PieceId, Smoke, Solids};
pub use map::{Finding, Limits, Loaded, MapError, MapErrors, MapWarning, Ring, Span};
pub use map::{Reach, WindowTest};

/// What tests need beside the public interface; no part of it.
#[doc(hidden)]
pub mod testing {
    pub use crate::map::Fault;
}
