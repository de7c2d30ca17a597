//! Texts in RON and what is wrong with them: maps and rules are read with this.
//!
//! Promises: every problem at its place, all in one run, whatever the bytes; no recursion, bounded memory.
//! Must not know a schema.

mod decode;
mod error;
mod finding;
mod report;
pub(crate) mod scan;

pub(crate) use decode::{Decoder, Fields, MAX_COORDINATE_M};
pub use error::TextError;
pub(crate) use error::{is_name, similar};
pub use finding::{Finding, Span};
pub use report::Errors;
pub(crate) use report::{Element, Held, Outcome, Report};

use std::io::Read;
use std::path::Path;

/// The bytes of a file, at most one over the limit.
pub(crate) fn read_file(path: &Path, limit: usize) -> Result<Vec<u8>, TextError> {
    let unreadable = |e: std::io::Error| TextError::Unreadable(e.to_string());
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}
