//! `fogwall check MAP.ron`: every problem of a map source, in one run.

use super::Outcome;
use fogwall::Map;
use std::path::PathBuf;
use std::process::ExitCode;

/// Report every problem of a map source
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The map source
    map: PathBuf,
}

/// Runs `fogwall check`.
pub(crate) fn run(args: &Args) -> Outcome {
    Map::load(&args.map)?;
    Ok(ExitCode::SUCCESS)
}
