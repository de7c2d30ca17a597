//! What can be wrong with a recording, and where.

use std::path::PathBuf;

/// Why a recording can't be read on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file can't be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line says what no recording says.
    #[error("{path}:{line}:{column}: {what}", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u64,
        /// From 1.
        column: usize,
        /// What is wrong with it.
        what: String,
    },
}

impl RecordingError {
    /// Whether only one line is faulty, so that those after it may be read.
    pub fn is_of_one_line(&self) -> bool {
        matches!(self, Self::Line { .. })
    }
}
