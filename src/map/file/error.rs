//! What can be wrong with a baked file.
//!
//! Owns the one error of this boundary. Promises: every message says what was found and what to do.
//! Must not know where the file lies.

use thiserror::Error;

/// Why a baked file was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BakeFileError {
    /// The file could not be read or written.
    #[error("the file could not be read or written")]
    Io(#[from] std::io::Error),
    /// It does not start as a baked file does.
    #[error("not a baked file: it does not start with the mark of one")]
    NotABake,
    /// Another version of the layout.
    #[error("layout version {found} of the baked file is not known (this is version {known}): bake again")]
    OtherFormat {
        /// Version in the file.
        found: u32,
        /// Version that is known.
        known: u32,
    },
    /// Baked by another version of the method, whose answers may differ.
    #[error("baked by method version {found}, not {known}: bake again")]
    OtherMethod {
        /// Version in the file.
        found: u32,
        /// Version of this code.
        known: u32,
    },
    /// The end is missing.
    #[error("cut off after {found} bytes{}", expected.map_or_else(String::new, |e| format!(" of {e}")))]
    Truncated {
        /// Bytes in the file.
        found: u64,
        /// Bytes that it says it has, if it comes that far.
        expected: Option<u64>,
    },
    /// Something follows the end.
    #[error("{extra} bytes follow the end of the baked file")]
    Trailing {
        /// Bytes too many.
        extra: u64,
    },
    /// More than any bake comes to.
    #[error("larger than {limit} bytes, which no bake is")]
    TooLarge {
        /// Bytes allowed.
        limit: u64,
    },
    /// The checksum does not fit the bytes.
    #[error("damaged: the checksum does not fit")]
    Damaged,
    /// The checksum fits, but a part is not what this version writes.
    #[error("malformed {section}: expected {expected}")]
    Malformed {
        /// Which part.
        section: &'static str,
        /// What should have been there.
        expected: &'static str,
    },
    /// Baked from another source than the map at hand.
    #[error(
        "stale or foreign: baked from another version of the source than this one (baked map {baked:?}, source {map:?}): bake again"
    )]
    OtherSource {
        /// Name of the map that was baked.
        baked: String,
        /// Name of the map at hand.
        map: String,
    },
    /// Baked for another player or cell size than the map at hand has.
    #[error("stale: baked with {setting} {baked}, the source has {map}: bake again")]
    OtherSettings {
        /// Which measure differs first.
        setting: &'static str,
        /// Its value in the bake.
        baked: f64,
        /// Its value in the source.
        map: f64,
    },
}
