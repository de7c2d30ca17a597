//! From a map's source to its baked visibility.

mod model;

pub use model::{Area, Blocks, Floor, Footprint, Map, Player, Solid, Spawn};
