//! `fogwall check MAP.ron`: every problem of a map source, in one run.

use super::{Failure, Outcome};
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
    let text = std::fs::read_to_string(&args.map)
        .map_err(|e| Failure::message(format!("{}: {e}", args.map.display())))?;
    ron::from_str::<ron::Value>(&text)
        .map_err(|e| Failure::message(format!("{}:{e}", args.map.display())))?;
    Ok(ExitCode::SUCCESS)
}
