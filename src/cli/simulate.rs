//! `fogwall simulate MAP.ron`: a match of bots, as a recording.
//!
//! Owns the arguments, the writing and the summary. Promises: the file is written whole or not at all; Ctrl-C ends with
//! exit 130 and no file. Must not know how bots play.

use super::kind::MapFile;
use super::progress::{INTERRUPTED, Meter, catch_interrupts, stopped};
use super::words::counted;
use super::{Failure, Outcome, diagnostics, output, target};
use fogwall::{
    BakeProgress, Baked, Cells, Lag, Lineup, Manner, Map, RecordingWriter, Respawn, Simulation,
    SimulationCounts, SimulationOptions, Solids,
};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

mod royale;

/// Ticks a second of a match, where nothing else is asked for.
const TICK_HZ: f64 = 128.0;

/// Simulate a match: bots walk the map and fight over its sight lines
///
/// Every motion keeps the map's limits: speed, acceleration, jumps, falls, crouching, walls and floors. The same
/// map, options and seed give the same recording.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The map source, or the baked file
    #[arg(required_unless_present = "royale")]
    map: Option<PathBuf>,
    /// A battle royale on 2 x 2 km instead; its map and rules are written beside the recording
    #[arg(long, conflicts_with_all = ["map", "teams", "ffa", "adversary", "spectators", "casters", "team_changes", "teleports", "lag_spikes"])]
    royale: bool,
    /// How many play a battle royale
    #[arg(long, value_name = "N", default_value_t = 100, requires = "royale")]
    players: u32,
    /// How many entities a battle royale has, players included
    #[arg(long, value_name = "N", default_value_t = 50_000, requires = "royale")]
    entities: u32,
    /// Where to write the recording; compressed if the name ends with .gz
    #[arg(short, long, value_name = "MATCH.jsonl.gz")]
    output: PathBuf,
    /// Sizes of the teams
    #[arg(long, value_name = "NvN", default_value = "5v5", value_parser = parse_teams, conflicts_with = "ffa")]
    teams: Lineup,
    /// Everyone for themselves instead: how many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    ffa: Option<u32>,
    /// How long the match lasts
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    seconds: f64,
    /// Ticks a second
    ///
    /// [default: 128, of a battle royale 30]
    #[arg(long, value_name = "HZ", verbatim_doc_comment)]
    tick_hz: Option<f64>,
    /// Another seed is another match
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Move as is hardest for a filter: full-speed peeks, jumps, drops; round trips of 20, 60 and 120 ms
    #[arg(long)]
    adversary: bool,
    /// The dead come back after three seconds; this is the default
    #[arg(long, overrides_with = "no_respawn")]
    respawn: bool,
    /// The dead stay dead
    #[arg(long)]
    no_respawn: bool,
    /// Observers that follow a player or a team
    #[arg(long, value_name = "N", default_value_t = 0)]
    spectators: u32,
    /// Observers that know everything, later
    #[arg(long, value_name = "N", default_value_t = 0)]
    casters: u32,
    /// By how much casters are late
    #[arg(long, value_name = "MS", default_value_t = 5000.0)]
    caster_delay_ms: f64,
    /// Somebody changes teams now and then: the seconds between
    #[arg(long, value_name = "S", num_args = 0..=1, default_missing_value = "10", require_equals = true)]
    team_changes: Option<f64>,
    /// Somebody is teleported now and then: the seconds between
    #[arg(long, value_name = "S", num_args = 0..=1, default_missing_value = "5", require_equals = true)]
    teleports: Option<f64>,
    /// Round trips rise for some tenths of a second now and then
    #[arg(long)]
    lag_spikes: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// Runs `fogwall simulate`.
pub(crate) fn run(args: &Args) -> Outcome {
    catch_interrupts()?;
    let start = Instant::now();
    let meter = Meter::new();
    let Some(map_path) = &args.map else { return royale::run(args, &meter, start) };
    target::differs(&args.output, map_path, "the recording")?;
    meter.say("map");
    let (map, solids, cells) = load(map_path)?;
    meter.say("ways");
    let simulation = Simulation::new(&map, &solids, &cells, args.options())
        .map_err(|error| Failure::about(map_path, error))?;
    meter.say("ticks");
    let partial = partial_path(&args.output)?;
    let written = write(simulation, &partial, &meter);
    meter.clear();
    let Some(ended) = keep(written, &partial, &args.output)? else { return Ok(stopped_early()) };
    let file_bytes = std::fs::metadata(&args.output)?.len();
    let seconds = start.elapsed().as_secs_f64();
    let Ended { bots, observers, counts } = ended;
    let match_s = f64::from(counts.ticks) / args.tick_hz.unwrap_or(TICK_HZ);
    Summary { map: map.name, bots, observers, match_s, counts, seconds, file_bytes }.print(args)?;
    Ok(ExitCode::SUCCESS)
}

/// Gives what was written whole its name, and takes away what was not: nothing where Ctrl-C ended it.
fn keep<T>(written: Result<Option<T>, Failure>, partial: &Path, output: &Path) -> Result<Option<T>, Failure> {
    match written {
        Ok(Some(ended)) => {
            if partial != output {
                std::fs::rename(partial, output).map_err(|error| Failure::about(output, error))?;
            }
            Ok(Some(ended))
        }
        Ok(None) => {
            remove(partial, output)?;
            Ok(None)
        }
        Err(failure) => {
            // The failure is what there is to tell; a partial file that was never made can't be removed.
            let _ = remove(partial, output);
            Err(failure)
        }
    }
}

/// Says that Ctrl-C ended it.
fn stopped_early() -> ExitCode {
    anstream::eprintln!("stopped; nothing was written");
    ExitCode::from(INTERRUPTED)
}

impl Args {
    fn options(&self) -> SimulationOptions {
        SimulationOptions {
            lineup: self.ffa.map_or_else(|| self.teams.clone(), Lineup::FreeForAll),
            seconds: self.seconds,
            tick_hz: self.tick_hz.unwrap_or(TICK_HZ),
            seed: self.seed,
            manner: if self.adversary { Manner::Adversary } else { Manner::Match },
            respawn: if self.no_respawn { Respawn::Never } else { Respawn::Soon },
            spectators: self.spectators,
            casters: self.casters,
            caster_delay_ms: self.caster_delay_ms,
            team_change_s: self.team_changes,
            teleport_s: self.teleports,
            lag: if self.lag_spikes { Lag::Spikes } else { Lag::Steady },
        }
    }
}

fn load(path: &Path) -> Result<(Map, Solids, Cells), Failure> {
    if MapFile::at(path)? == MapFile::Bake {
        let Baked { map, solids, cells, .. } =
            Baked::load(path).map_err(|error| Failure::about(path, error))?;
        return Ok((map, solids, cells));
    }
    let map = diagnostics::load(path)?;
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).map_err(|error| Failure::about(path, error))?;
    Ok((map, solids, cells))
}

/// Removes what was written beside the target.
fn remove(partial: &Path, target: &Path) -> std::io::Result<()> {
    if partial == target { Ok(()) } else { std::fs::remove_file(partial) }
}

/// Beside the target, with its ending: that decides whether the recording is compressed.
fn partial_path(path: &Path) -> Result<PathBuf, Failure> {
    // What is no file, a pipe or a device, is written to and not replaced.
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Ok(path.to_owned());
    }
    let name =
        path.file_name().ok_or_else(|| Failure::message(format!("{}: no file's name", path.display())))?;
    let partial = format!(".{}.{}", std::process::id(), name.to_string_lossy());
    Ok(path.with_file_name(partial))
}

/// What a finished simulation came to.
struct Ended {
    bots: u32,
    observers: usize,
    counts: SimulationCounts,
}

/// Writes all ticks; none if Ctrl-C ended it.
fn write(mut simulation: Simulation<'_>, path: &Path, meter: &Meter) -> Result<Option<Ended>, Failure> {
    let (bots, observers) = (simulation.bots(), simulation.header().observers.len());
    let mut writer = RecordingWriter::create(path, simulation.header())?;
    let total = simulation.size_hint().0 as u64;
    for line in simulation.by_ref() {
        writer.tick(&line)?;
        meter.advance(u64::from(line.tick), total);
        if stopped() {
            return Ok(None);
        }
    }
    writer.finish()?;
    Ok(Some(Ended { bots, observers, counts: simulation.counts() }))
}

#[derive(Serialize)]
struct Summary {
    map: String,
    bots: u32,
    observers: usize,
    match_s: f64,
    #[serde(flatten)]
    counts: SimulationCounts,
    seconds: f64,
    file_bytes: u64,
}

impl Summary {
    fn print(&self, args: &Args) -> Result<(), Failure> {
        if args.json {
            return output::json_line(self);
        }
        let Self { map, bots, observers, match_s, counts, seconds, file_bytes } = self;
        let mut out = std::io::stdout().lock();
        let (bots, ticks) = (counted(*bots, "bot"), counted(counts.ticks, "tick"));
        writeln!(out, "{map}: {bots}, {match_s} s in {ticks}, {}", counted(*observers, "observer"))?;
        let told = [
            counted(counts.sightings, "sighting"),
            counted(counts.shots, "shot"),
            counted(counts.kills, "kill"),
            counted(counts.leaps, "leap"),
            counted(counts.crouches, "crouch"),
            counted(counts.smokes, "smoke"),
            counted(counts.door_moves, "door move"),
        ];
        writeln!(out, "  {}", told.join(", "))?;
        writeln!(out, "  {seconds:.1} s; {}: {file_bytes} bytes", args.output.display())?;
        Ok(())
    }
}

fn parse_teams(text: &str) -> Result<Lineup, String> {
    let sizes: Result<Vec<u32>, _> = text.split('v').map(str::parse).collect();
    match sizes {
        Ok(sizes) if sizes.iter().all(|size| (1..=100).contains(size)) => Ok(Lineup::Teams(sizes)),
        _ => Err("sizes with a v between them are needed, as in 5v5".to_owned()),
    }
}
