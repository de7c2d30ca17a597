//! Importers: levels of other formats as map sources.
//!
//! Owns what a foreign level becomes: floors, solids, doors, spawns. Promises: total and bounded on any bytes,
//! errors that name the lump or element, and notes on everything that was left out.
//! Must not know cells or the bake. The result is a draft: `Map::parse` of its text is what validates it.

mod doom;
mod level;
mod moves;
mod regions;
mod specials;
#[cfg(feature = "cli")]
mod tiled;
mod wad;

use crate::map::Map;

#[cfg(feature = "cli")]
pub use self::tiled::{TiledError, import_tiled};

/// A level turned into a map, not yet validated, and what was left out of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The draft; its `source_hash` is all zero.
    pub map: Map,
    /// One sentence for each kind of thing that was skipped or mended, with counts.
    pub notes: Vec<String>,
}

/// Why a WAD's level could not be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file does not start as a WAD does.
    #[error("not a WAD: it does not begin with IWAD or PWAD")]
    NotAWad,
    /// The directory does not fit into the file.
    #[error("the directory ({entries} entries at byte {offset}) reaches past the file's {file_bytes} bytes")]
    Directory {
        /// Its offset in bytes.
        offset: usize,
        /// Its number of entries.
        entries: usize,
        /// Size of the file.
        file_bytes: usize,
    },
    /// A lump does not fit into the file.
    #[error(
        "lump {index} \"{lump}\" ({bytes} bytes at byte {offset}) reaches past the file's {file_bytes} bytes"
    )]
    LumpOutside {
        /// Name of the lump.
        lump: String,
        /// Its place in the directory, from 0.
        index: usize,
        /// Its offset in bytes.
        offset: usize,
        /// Its size.
        bytes: usize,
        /// Size of the file.
        file_bytes: usize,
    },
    /// The file has no level of that name.
    #[error("no level \"{level}\" in this file; {}", list(.levels))]
    NoLevel {
        /// The name asked for.
        level: String,
        /// The names there are.
        levels: Vec<String>,
    },
    /// The level is in a format other than Doom's own binary one.
    #[error("level {level} is in {format} format; only Doom's own binary format is read")]
    Format {
        /// Name of the level.
        level: String,
        /// The format found.
        format: &'static str,
    },
    /// The level lacks a lump.
    #[error("level {level} has no lump {lump}")]
    NoLump {
        /// Name of the level.
        level: String,
        /// Name of the lump.
        lump: &'static str,
    },
    /// A lump is no whole number of records.
    #[error("lump {lump} has {bytes} bytes, which is no multiple of its records' {record_bytes}")]
    LumpSize {
        /// Name of the lump.
        lump: &'static str,
        /// Its size.
        bytes: usize,
        /// Size of a record.
        record_bytes: usize,
    },
    /// A lump has more records than the format can name.
    #[error("lump {lump} has {count} records; at most {most} can be named")]
    TooMany {
        /// Name of the lump.
        lump: &'static str,
        /// Its records.
        count: usize,
        /// The limit.
        most: usize,
    },
    /// A record names another that does not exist.
    #[error("lump {lump}, record {index}: {field} {value} does not exist, there are {count}")]
    Reference {
        /// Name of the lump.
        lump: &'static str,
        /// The record, from 0.
        index: usize,
        /// The field of the record.
        field: &'static str,
        /// What it says.
        value: u16,
        /// How many there are to be named.
        count: usize,
    },
    /// Nothing in the level encloses an area.
    #[error("level {level} encloses no area: no sector's lines close")]
    Empty {
        /// Name of the level.
        level: String,
    },
}

/// The names of all levels in a WAD, in the order of its directory.
///
/// # Errors
/// The bytes are no WAD, or its directory is damaged.
pub fn wad_levels(bytes: &[u8]) -> Result<Vec<String>, ImportError> {
    Ok(wad::Wad::open(bytes)?.levels())
}

/// Turns one Doom-format level of a WAD into a map of that `name`; 1 Doom unit is 0.03125 m.
///
/// Floors and ceilings become prisms, one-sided lines rock, what specials move `doors` (over the whole range
/// that it may fill), two-sided lines that stop players thin walls for movement only, deathmatch starts spawns
/// of team "ffa" (player starts where there are none). What a wrong special number may move is taken for
/// moving: it errs towards visible.
///
/// # Errors
/// A damaged WAD, a missing level, a format other than Doom's.
pub fn import_wad(bytes: &[u8], level: &str, name: &str) -> Result<Imported, ImportError> {
    let wad = wad::Wad::open(bytes)?;
    let level = level::Level::read(&wad.level(level)?)?;
    doom::convert(&level, name)
}

/// "1 line has", "2 lines have": one of the two, with the count before it.
fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

fn list(levels: &[String]) -> String {
    if levels.is_empty() { "it has none".to_owned() } else { format!("it has {}", levels.join(", ")) }
}
