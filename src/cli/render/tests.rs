//! A map that the unit tests of the drawing share.

use fogwall::Map;

const TINY: &[u8] = include_bytes!("tiny.ron");

/// A yard with a roofed corner, an upper storey, a low wall, a crate, a door and glass.
pub(crate) fn tiny_map() -> Map {
    Map::parse(TINY, "tiny.ron").map(|loaded| loaded.map).expect("the tiny map is valid")
}
