//! `fogwall simulate --royale`: the recording of a battle royale, and its map and rules beside it.
//!
//! Promises: each file is written whole or not at all. Must not know how anybody moves.

use super::{Args, keep, partial_path, stopped_early};
use crate::cli::progress::{Meter, stopped};
use crate::cli::words::counted;
use crate::cli::{Failure, Outcome, output, target};
use fogwall::{BakeProgress, ROYALE_RULES, RecordingWriter, Royale, RoyaleOptions};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Ticks a second, where nothing else is asked for.
const TICK_HZ: f64 = 30.0;

/// Simulates it.
pub(super) fn run(args: &Args, meter: &Meter, start: Instant) -> Outcome {
    let options = RoyaleOptions {
        players: args.players,
        entities: args.entities,
        seconds: args.seconds,
        tick_hz: args.tick_hz.unwrap_or(TICK_HZ),
        seed: args.seed,
    };
    let royale = Royale::new(options)?;
    let [map, rules] = ["map.ron", "rules.ron"].map(|ending| beside(&args.output, ending));
    for path in [&map, &rules] {
        target::differs(path, &args.output, "the recording")?;
    }
    meter.say("ticks");
    let partial = partial_path(&args.output)?;
    let written = write(royale, &partial, (options.seconds * options.tick_hz) as u64, meter);
    meter.clear();
    if keep(written, &partial, &args.output)?.is_none() {
        return Ok(stopped_early());
    }
    target::write(&map, Royale::map_source(args.seed).as_bytes())?;
    target::write(&rules, ROYALE_RULES.as_bytes())?;
    let (file_bytes, seconds) = (std::fs::metadata(&args.output)?.len(), start.elapsed().as_secs_f64());
    let RoyaleOptions { players, entities, .. } = options;
    if args.json {
        output::json_line(&json!({
            "players": players, "entities": entities, "seconds": seconds, "file_bytes": file_bytes,
            "map": map, "rules": rules,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    output::text(&format!(
        "{} among {entities} entities, {} s\n  {seconds:.1} s; {}: {file_bytes} bytes\n  its map is {}, its \
         rules {}\n",
        counted(players, "player"),
        options.seconds,
        args.output.display(),
        map.display(),
        rules.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes all ticks; nothing where Ctrl-C ended it.
fn write(royale: Royale, path: &Path, total: u64, meter: &Meter) -> Result<Option<()>, Failure> {
    let mut writer = RecordingWriter::create(path, royale.header())?;
    for line in royale {
        writer.tick(&line)?;
        meter.advance(u64::from(line.tick), total);
        if stopped() {
            return Ok(None);
        }
    }
    writer.finish()?;
    Ok(Some(()))
}

/// The recording's name with another ending.
fn beside(recording: &Path, ending: &str) -> PathBuf {
    let name = recording.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name.strip_suffix(".gz").unwrap_or(&name);
    let stem = stem.strip_suffix(".jsonl").unwrap_or(stem);
    recording.with_file_name(format!("{stem}.{ending}"))
}
