//! `fogwall replay MATCH.jsonl.gz --map OUT.pvs`: what every client knew of a recorded match.
//!
//! Owns the choice of rules and links, and the summary. Promises: figures are printed only of what was replayed whole.
//! Must not know how anything is judged.

use super::progress::{INTERRUPTED, Meter, catch_interrupts, stopped};
use super::words::counted;
use super::{Failure, Outcome};
use super::{output, page};
use fogwall::{
    Baked, Baseline, DEFAULT_RULES, Faults, LinkOptions, Recording, ReplayError, ReplayOptions, ReplayOutput,
    Replayed, Report, Rules, replay,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Replay a recorded match: what every client knew, what came late, what was told too much
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The recording, gzipped or not
    recording: PathBuf,
    /// The map's bake
    #[arg(long, value_name = "OUT.pvs")]
    map: PathBuf,
    /// Take a bake of another name than the recording's map
    #[arg(long)]
    any_map: bool,
    /// The rules; those that come with Fogwall if left out
    #[arg(long, value_name = "R.ron")]
    rules: Option<PathBuf>,
    /// The directory to write to; nothing is written if left out
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Share of datagrams that are lost, each way
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    loss: f64,
    /// Share of datagrams that arrive twice
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    duplicates: f64,
    /// Share of datagrams that others overtake
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    reorder: f64,
    /// A datagram takes up to this longer than the least, each way
    #[arg(long, default_value_t = 0.0, value_name = "MS", value_parser = milliseconds)]
    jitter_ms: f64,
    /// Every observer's round trip, instead of the recording's
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    rtt_ms: Option<f64>,
    /// What the links' chances are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Who decides: Fogwall, or what a server would do without it
    #[arg(long, value_enum, default_value_t = Filter::Fogwall)]
    filter: Filter,
    /// Lines that the ideal filter tries for a pair: the more, the fewer narrow gaps it misses
    #[arg(long, default_value_t = ReplayOptions::default().ideal_lines, value_name = "N")]
    ideal_lines: u32,
    /// Leave faulty lines out, and count them
    #[arg(long)]
    keep_going: bool,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Filter {
    /// Fogwall
    Fogwall,
    /// Everything is told
    None,
    /// Enemies within 40 m
    Radius,
    /// The baked visibility between where both stand
    Pvs,
    /// Two rays, to where velocity takes head and feet
    HeadFeet,
}

fn share(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|error| format!("{error}"))?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("a share is from 0 to 1".to_owned()) }
}

fn milliseconds(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|error| format!("{error}"))?;
    if (0.0..=1000.0).contains(&value) {
        Ok(value)
    } else {
        Err("milliseconds are from 0 to 1000".to_owned())
    }
}

/// Runs `fogwall replay`.
pub(crate) fn run(args: &Args) -> Outcome {
    catch_interrupts()?;
    args.keeps_inputs()?;
    let baked = Baked::load(&args.map).map_err(|error| Failure::about(&args.map, error))?;
    let rules = rules(args.rules.as_deref())?;
    let recording = Recording::open(&args.recording)?;
    let (of, is) = (&recording.header().map, &baked.map.name);
    if of != is && !args.any_map {
        let bake = args.map.display();
        return Err(Failure::message(format!(
            "{bake}: the recording is of map {of:?}, the bake of {is:?} (--any-map takes it all the same)"
        )));
    }
    let meter = Meter::new();
    meter.say("ticks");
    let mut progress = |done, all| {
        fogwall::BakeProgress::advance(&meter, done, all);
        !stopped()
    };
    let reel = args.output.is_some();
    let output = ReplayOutput { directory: args.output.as_deref(), reel, progress: &mut progress };
    let (baked, rules) = (Arc::new(baked), Arc::new(rules));
    let outcome = replay(recording, &baked, &rules, args.options(), output);
    meter.clear();
    let Replayed { report, reel } = match outcome {
        Err(ReplayError::Stopped) => {
            anstream::eprintln!("stopped; what was written is not whole");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        outcome => outcome?,
    };
    if let Some(directory) = &args.output {
        let path = directory.join("report.json");
        super::target::write(&path, (serde_json::to_string_pretty(&report)? + "\n").as_bytes())?;
        if let Some(reel) = &reel {
            let name = args.recording.file_name().unwrap_or_default().to_string_lossy();
            page::write(&directory.join("report.html"), (reel, &report), &name, (&baked, &rules))?;
        }
    }
    if args.json {
        output::json(&report)?;
    } else {
        output::text(&summary(&report, args.output.as_deref()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The rules of a file, or those that come with Fogwall.
pub(super) fn rules(path: Option<&Path>) -> Result<Rules, Failure> {
    let loaded = match path {
        Some(path) => Rules::load(path),
        None => Rules::parse(DEFAULT_RULES, "rules.ron"),
    };
    Ok(loaded.map_err(|errors| Failure::message(errors.to_string()))?.rules)
}

impl Args {
    /// A failure where what is read is one of the files that are written.
    fn keeps_inputs(&self) -> Result<(), Failure> {
        let Some(directory) = &self.output else { return Ok(()) };
        for input in [Some(&self.recording), Some(&self.map), self.rules.as_ref()].into_iter().flatten() {
            for name in ["report.json", "report.html", "verdicts.jsonl.gz", "findings.jsonl"] {
                super::target::differs(&directory.join(name), input, name)?;
            }
            for folder in ["received", "packets"] {
                let parent = input.parent().unwrap_or(Path::new("."));
                super::target::differs(&directory.join(folder), parent, folder)?;
            }
        }
        Ok(())
    }

    fn options(&self) -> ReplayOptions {
        let Self { loss, jitter_ms, duplicates, reorder, seed, ideal_lines, .. } = *self;
        let filter = match self.filter {
            Filter::Fogwall => Baseline::Fogwall,
            Filter::None => Baseline::None,
            Filter::Radius => Baseline::Radius,
            Filter::Pvs => Baseline::Pvs,
            Filter::HeadFeet => Baseline::HeadFeet,
        };
        let faults = if self.keep_going { Faults::Skip } else { Faults::Stop };
        let link = LinkOptions { loss, jitter_ms, duplicates, reorder, seed };
        ReplayOptions { link, rtt_ms: self.rtt_ms, filter, faults, ideal_lines }
    }
}

/// The figures, for people.
pub(super) fn summary(report: &Report, directory: Option<&Path>) -> String {
    let mut out = String::new();
    let percent = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
    let Report { ticks, pairs, transitions, late_transitions, .. } = *report;
    // A string takes everything.
    let pairs = counted(pairs, "pair");
    let _ = writeln!(out, "{}: {}, {pairs} of observer and enemy judged", report.map, counted(ticks, "tick"));
    let times = counted(transitions, "time");
    let _ = writeln!(
        out,
        "  late      {late_transitions} of {times} that an enemy came into sight; outside limits {}, beyond \
         lead {}, lost {}",
        report.outside_limits, report.late_beyond_lead, report.late_by_loss
    );
    let of_deep = |part| percent(part, report.deep_hidden_pair_ticks);
    let ideal = report.ideal_deep_exposed_pair_ticks;
    let ideal = ideal.map(|ideal| format!(", of which the ideal filter tells {:.2} %", of_deep(ideal)));
    let _ = writeln!(
        out,
        "  exposed   {:.2} % of hidden pair ticks; of deeply hidden ones {:.2} %{}",
        percent(report.exposed_pair_ticks, report.hidden_pair_ticks),
        of_deep(report.deep_exposed_pair_ticks),
        ideal.unwrap_or_default(),
    );
    let lead = report.lead_ms;
    let _ = writeln!(out, "  lead      {:.0} / {:.0} / {:.0} ms (p1, p50, p99)", lead.p1, lead.p50, lead.p99);
    let (bytes, tick) = (report.bytes_per_tick, report.tick_us);
    let _ = writeln!(
        out,
        "  bytes     {:.0} an observer and tick in the mean, {:.0} at most",
        bytes.mean, bytes.max
    );
    let _ = writeln!(
        out,
        "  time      {:.0} / {:.0} / {:.0} µs a tick (p50, p99, max), sight {:.0} ns a pair",
        tick.p50, tick.p99, tick.max, report.sight_ns_per_pair
    );
    if report.faulty_lines > 0 {
        let _ = writeln!(out, "  left out  {}", counted(report.faulty_lines, "faulty line"));
    }
    let [cut, missing] = report.values_fitted;
    if cut + missing > 0 {
        let _ = writeln!(out, "  values    {cut} cut to what their field holds, {missing} not told");
    }
    for (field, count) in &report.fields_unknown {
        let _ = writeln!(out, "  withheld  {field}, {}: the rules don't list it", counted(*count, "time"));
    }
    if let Some(directory) = directory {
        let _ = writeln!(out, "-> {}", directory.display());
    }
    out
}
