//! `fogwall demo`: the main job in one go, on the arena that comes with it.
//!
//! Owns the order: bake, simulate, replay, by Fogwall and by what a server would do without it, and the table. Promises:
//! everything that it shows was just made. Must not know how any of it is done.

use super::progress::{INTERRUPTED, Meter, catch_interrupts, stopped};
use super::words::counted;
use super::{Failure, Outcome, output, page};
use fogwall::{
    BakeOptions, Baked, Baseline, Cells, DEFAULT_HEARABLE_RADIUS_M, DEFAULT_RULES, Hearable, Map, Recording,
    RecordingWriter, ReplayError, ReplayOptions, ReplayOutput, Replayed, Report, Rules, Simulation,
    SimulationOptions, Solids, bake, replay,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

const ARENA: &str = include_str!("../../maps/arena_foundry.ron");
/// The arena's own cells are of 1 m; coarser ones are baked in a fraction of the time and hide a little less.
const CELL_M: f64 = 2.0;

/// Bake, simulate and replay a match on an arena, and show what each client knew
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The directory to write to
    #[arg(short, long, value_name = "DIR", default_value = "fogwall-demo")]
    output: PathBuf,
    /// How long the match lasts
    #[arg(long, value_name = "S", default_value_t = 20.0)]
    seconds: f64,
    /// Another seed is another match
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

/// Who decides, by the name in the table.
const FILTERS: [(&str, Baseline); 5] = [
    ("everything is sent", Baseline::None),
    ("within 40 m", Baseline::Radius),
    ("plain PVS", Baseline::Pvs),
    ("head and feet", Baseline::HeadFeet),
    ("fogwall", Baseline::Fogwall),
];

/// Runs `fogwall demo`.
pub(crate) fn run(args: &Args) -> Outcome {
    catch_interrupts()?;
    std::fs::create_dir_all(&args.output).map_err(|error| Failure::about(&args.output, error))?;
    let meter = Meter::new();
    let ended = play(args, &meter);
    meter.clear();
    match ended? {
        Some(text) => {
            output::text(&text)?;
            Ok(ExitCode::SUCCESS)
        }
        None => {
            anstream::eprintln!("stopped; what was written is not whole");
            Ok(ExitCode::from(INTERRUPTED))
        }
    }
}

/// The table; none if Ctrl-C ended it.
fn play(args: &Args, meter: &Meter) -> Result<Option<String>, Failure> {
    let start = Instant::now();
    let Some(baked) = arena(meter)? else { return Ok(None) };
    let pvs = args.output.join("arena.pvs");
    baked.save(&pvs).map_err(|error| Failure::about(&pvs, error))?;
    let baked_s = start.elapsed().as_secs_f64();
    meter.say("match");
    let recording = args.output.join("match.jsonl.gz");
    simulate(args, &baked, &recording)?;
    let rules =
        Rules::parse(DEFAULT_RULES, "rules.ron").map_err(|errors| Failure::message(errors.to_string()))?;
    let (baked, rules) = (Arc::new(baked), Arc::new(rules.rules));
    let mut table = String::new();
    // A string takes everything.
    let _ = writeln!(
        table,
        "{:<20}{:>12}{:>12}{:>12}{:>14}{:>10}",
        "filter", "late", "exposed", "deep", "bytes a tick", "µs a tick"
    );
    for (name, filter) in FILTERS {
        meter.say("replay");
        let Some(replayed) = one(&recording, (&baked, &rules), filter, &args.output)? else {
            return Ok(None);
        };
        let report = &replayed.report;
        row(&mut table, name, report);
        if let Some(reel) = &replayed.reel {
            let path = args.output.join("report.json");
            super::target::write(&path, (serde_json::to_string_pretty(report)? + "\n").as_bytes())?;
            page::write(
                &args.output.join("report.html"),
                (reel, report),
                "match.jsonl.gz",
                (&baked, &rules),
            )?;
        }
    }
    let mut text = format!(
        "{}: {} baked in {baked_s:.1} s; 5v5 for {} s at 128 Hz, round trip 20 to 120 ms\n\n{table}\n",
        baked.map.name,
        counted(baked.cells.len(), "cell"),
        args.seconds
    );
    let _ = writeln!(text, "late: times that an enemy came into sight before the client had it");
    let _ = writeln!(
        text,
        "exposed, deep: told exactly though out of sight; deep: for a quarter of a second on both sides"
    );
    let _ = writeln!(
        text,
        "{:.1} s in all -> {}",
        start.elapsed().as_secs_f64(),
        args.output.join("report.html").display()
    );
    Ok(Some(text))
}

/// The arena, baked; none if Ctrl-C ended it.
fn arena(meter: &Meter) -> Result<Option<Baked>, Failure> {
    meter.say("bake");
    let source = ARENA.replacen("cell_size: 1.0", &format!("cell_size: {CELL_M}"), 1);
    let map =
        Map::parse(source, "arena_foundry.ron").map_err(|errors| Failure::message(errors.to_string()))?.map;
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids)?;
    let (pvs, hearable) = rayon::join(
        || bake(&map.player, map.cell_size, &solids, &cells, BakeOptions::default(), meter),
        || Hearable::build(&map, &solids, &cells, DEFAULT_HEARABLE_RADIUS_M),
    );
    // The one reason to fail is that the meter said to stop.
    let Ok(pvs) = pvs else { return Ok(None) };
    Ok(Some(Baked::new(map, solids, cells, pvs, hearable, false)))
}

fn simulate(args: &Args, baked: &Baked, path: &Path) -> Result<(), Failure> {
    let options =
        SimulationOptions { seconds: args.seconds, seed: args.seed, ..SimulationOptions::default() };
    let simulation = Simulation::new(&baked.map, &baked.solids, &baked.cells, options)?;
    let mut writer = RecordingWriter::create(path, simulation.header())?;
    for line in simulation {
        writer.tick(&line)?;
    }
    Ok(writer.finish()?)
}

/// Replays by one filter; files and the page are those of Fogwall. None if Ctrl-C ended it.
fn one(
    path: &Path,
    (baked, rules): (&Arc<Baked>, &Arc<Rules>),
    filter: Baseline,
    directory: &Path,
) -> Result<Option<Replayed>, Failure> {
    let is_own = filter == Baseline::Fogwall;
    let output = ReplayOutput {
        directory: is_own.then_some(directory),
        reel: is_own,
        progress: &mut |_, _| !stopped(),
    };
    let options = ReplayOptions { filter, ..ReplayOptions::default() };
    match replay(Recording::open(path)?, baked, rules, options, output) {
        Err(ReplayError::Stopped) => Ok(None),
        outcome => Ok(Some(outcome?)),
    }
}

fn row(table: &mut String, name: &str, report: &Report) {
    let percent = |part: u64, all: u64| format!("{:.2} %", 100.0 * part as f64 / all.max(1) as f64);
    let late = format!("{} of {}", report.late_transitions, report.transitions);
    let exposed = percent(report.exposed_pair_ticks, report.hidden_pair_ticks);
    let deep = percent(report.deep_exposed_pair_ticks, report.deep_hidden_pair_ticks);
    let (bytes, tick) = (report.bytes_per_tick.mean, report.tick_us.p50);
    let _ = writeln!(table, "{name:<20}{late:>12}{exposed:>12}{deep:>12}{bytes:>14.0}{tick:>10.0}");
}
