//! What commands print on standard output as data.
//!
//! Promises: one document, one line break at its end; the counts of pairs have the same names everywhere.
//! Must not know what else a command says.

use super::Failure;
use fogwall::PairCounts;
use serde::Serialize;
use std::io::Write;

/// Prints JSON that people may read too, over many lines.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    text(&(serde_json::to_string_pretty(value)? + "\n"))
}

/// Prints JSON on one line.
pub(crate) fn json_line(value: &impl Serialize) -> Result<(), Failure> {
    text(&(serde_json::to_string(value)? + "\n"))
}

/// Prints text that is complete.
pub(crate) fn text(text: &str) -> Result<(), Failure> {
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

/// Directed pairs of different cells, by class; part of what a command prints.
#[derive(Serialize)]
pub(crate) struct Pairs {
    pub(crate) pairs: u64,
    pub(crate) hidden: u64,
    pub(crate) visible: u64,
    pub(crate) unresolved: u64,
}

impl Pairs {
    /// The share of all pairs that `part` of them are, in percent.
    pub(crate) fn percent(&self, part: u64) -> f64 {
        100.0 * part as f64 / self.pairs.max(1) as f64
    }
}

impl From<PairCounts> for Pairs {
    fn from(counts: PairCounts) -> Self {
        let PairCounts { hidden, visible, unresolved } = counts;
        Self { pairs: counts.pairs(), hidden, visible, unresolved }
    }
}
