//! From a map's source to its baked visibility.

mod bake;
mod cells;
mod file;
mod finding;
mod hearable;
mod model;
mod pvs;
mod solids;
mod source;
mod validate;
mod warning;
mod window;
mod write;

pub use bake::{
    BakeOptions, BakeProgress, BakeQuality, Cancelled, Earlier, Quiet, Witnesses, bake, bake_from, witness,
};
pub use cells::{Cell, Cells, TooManyCells};
pub use file::replace_file;
pub use file::{BakeFileError, Baked, METHOD_VERSION};
pub use finding::{Loaded, MapError, MapErrors, Ring};
pub use hearable::{DEFAULT_HEARABLE_RADIUS_M, Hearable, HearableParts};
pub use model::{Area, Blocks, Floor, Footprint, Map, Player, Solid, Spawn};
pub use pvs::{CellId, MAX_CELLS, PairClass, PairCounts, Pvs, PvsBuilder, Row};
pub use solids::{DoorState, DynamicBlocker, DynamicSolids, Mask, Piece, PieceId, Smoke, Solids};
pub use source::Limits;
pub use warning::MapWarning;
pub use window::{Fault, Reach, WindowTest};
pub(crate) use window::{Passing, Sight, Spread, Supports, Tube};
