//! From a map's source to its baked visibility.

mod model;
mod pvs;
mod solids;

pub use model::{Area, Blocks, Floor, Footprint, Map, Player, Solid, Spawn};
pub use pvs::{Block, CellId, MAX_CELLS, PairClass, PairCounts, Pvs, PvsBuilder, Row};
pub use solids::{Mask, Piece, PieceId, Solids};
