//! Tiled maps: tile layers and objects as solids, doors, floors, areas and spawns.
//!
//! Owns the errors and limits of both file kinds, and the drawing that they are read into.
//! Promises: total and bounded on any file, and on any file that it names.
//! Must not know cells or the bake. `TILED.md` is the convention that map makers follow.

mod convert;
mod data;
mod drawing;
mod guard;
mod left_out;
mod place;
mod tiles;
mod tmj;
mod tmx;

use super::Imported;
use std::path::{Path, PathBuf};

/// Longest file that is read, map or tileset.
const MOST_FILE_BYTES: u64 = 32 << 20;
/// Most tiles in all layers together.
const MOST_TILES: usize = 4 << 20;
/// Most files that a map may name.
const MOST_FILES: usize = 64;
/// Deepest nesting of groups and elements.
const MOST_DEPTH: usize = 64;

/// Why a Tiled map could not be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TiledError {
    /// A file could not be read.
    #[error("{}: {reason}", .path.display())]
    File {
        /// The map, or a tileset or template that it names.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The map is not in the format.
    #[error("not a readable Tiled map: {0}")]
    Format(String),
    /// The map is of a kind that has no plan of squares.
    #[error("the map's orientation is {0}; only orthogonal maps are imported")]
    Orientation(String),
    /// The map is larger than the limits.
    #[error("{what}: at most {most} are read")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// A property or a measure has a value that means nothing.
    #[error("{element}: {property} is {value}, not {expected}")]
    Value {
        /// The layer, tile or object.
        element: String,
        /// Name of the property.
        property: String,
        /// Its value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
}

#[doc = include_str!("TILED.md")]
///
/// # Errors
/// A file that can't be read, is no orthogonal Tiled map, is too large, or has a property without a meaning.
pub fn import_tiled(path: impl AsRef<Path>) -> Result<Imported, TiledError> {
    let path = path.as_ref();
    let is_xml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tmx"));
    let drawing = if is_xml { tmx::read(path)? } else { tmj::read(path)? };
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    convert::convert(&drawing, &name)
}

/// The bytes of a plain file within the limit.
fn read_file(path: &Path) -> Result<Vec<u8>, TiledError> {
    let fail = |reason: String| TiledError::File { path: path.to_owned(), reason };
    let facts = std::fs::metadata(path).map_err(|e| fail(e.to_string()))?;
    if !facts.is_file() {
        return Err(fail("not a plain file".to_owned()));
    }
    if facts.len() > MOST_FILE_BYTES {
        return Err(fail(format!("{} bytes; at most {MOST_FILE_BYTES} are read", facts.len())));
    }
    std::fs::read(path).map_err(|e| fail(e.to_string()))
}
