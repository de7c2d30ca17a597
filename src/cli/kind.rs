//! Which of the two kinds of map file a command was given.
//!
//! Owns that choice. Promises: what is named as a baked file, or begins as one, is never read as a map source, so that
//! a damaged bake is called one. Must not know what is read from it.

use super::Failure;
use fogwall::Baked;
use std::path::Path;

/// A file that holds a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MapFile {
    /// The text that a designer writes.
    Source,
    /// What `fogwall bake` wrote.
    Bake,
}

impl MapFile {
    /// The kind of the file at a path, by its name and its first bytes.
    pub(super) fn at(path: &Path) -> Result<Self, Failure> {
        let named = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pvs"));
        let begins = Baked::is_at(path).map_err(|error| Failure::about(path, error))?;
        Ok(if named || begins { Self::Bake } else { Self::Source })
    }
}
