//! Files that commands write.
//!
//! Owns where they must not go. Promises: what a command reads is never overwritten by what it writes, however the paths
//! are spelt; a target is written whole or not at all. Must not know what is written.

use super::Failure;
use fogwall::command::replace_file;
use std::path::Path;

/// A failure where `target` is the very file that is read from `source`.
pub(super) fn differs(target: &Path, source: &Path, what: &str) -> Result<(), Failure> {
    // A target that is not there yet is no file that could be lost.
    if same_file::is_same_file(target, source).unwrap_or(false) {
        let text = format!("{}: {what} would take the place of its source", target.display());
        return Err(Failure::message(text));
    }
    Ok(())
}

/// Puts `bytes` at `target`, in place of the file that is there.
pub(super) fn write(target: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace_file(target, bytes).map_err(|error| Failure::about(target, error))
}
