//! `fogwall audit DIR`: a stretch of a replay as text, and the gate that a studio's CI holds a replay to.
//!
//! Owns the text's order and the measures that a gate may name. Promises: the same directory gives the same text; a gate
//! that names what is not measured is an error, never a pass. Must not judge again.

use super::output;
use super::words::counted;
use super::{Failure, Outcome};
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Read a replay: who was told what and why, and whether it is good enough
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("asked").required(true).multiple(true).args(["observer", "fail_on"])))]
pub(crate) struct Args {
    /// The directory that `fogwall replay -o` wrote
    directory: PathBuf,
    /// The observer whose knowledge is told
    #[arg(long, value_name = "ID")]
    observer: Option<u64>,
    /// Of one entity alone
    #[arg(long, value_name = "ID", requires = "observer")]
    entity: Option<u64>,
    /// From the first of these ticks on, and before the second
    #[arg(long, value_name = "FROM..UNTIL", value_parser = parse_ticks, requires = "observer")]
    ticks: Option<(u64, u64)>,
    /// End with 1 where a measure is so: for example `late>0,deep>0.022`
    #[arg(long, value_name = "MEASURE>LIMIT,...", value_delimiter = ',', value_parser = parse_gate)]
    fail_on: Vec<Gate>,
}

/// A measure and what it must not be.
#[derive(Clone, Debug, PartialEq)]
struct Gate {
    measure: &'static str,
    is_above: bool,
    limit: f64,
}

/// What a gate may name, and where `report.json` has it.
const MEASURES: [(&str, &str); 12] = [
    ("late", "/late_transitions"),
    ("late-area", "/late_area_transitions"),
    ("late-ticks", "/late_pair_ticks"),
    ("outside-limits", "/outside_limits"),
    ("beyond-lead", "/late_beyond_lead"),
    ("by-loss", "/late_by_loss"),
    ("deep", ""),
    ("exposed", ""),
    ("ideal-ratio", ""),
    ("lead-p50-ms", "/lead_ms/p50"),
    ("bytes-max", "/bytes_per_tick/max"),
    ("tick-us-p99", "/tick_us/p99"),
];

fn parse_ticks(text: &str) -> Result<(u64, u64), String> {
    let (from, until) = text.split_once("..").ok_or("two ticks are needed: FROM..UNTIL")?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text:?} is no tick"));
    let (from, until) = (number(from)?, if until.is_empty() { u64::MAX } else { number(until)? });
    if from < until {
        Ok((from, until))
    } else {
        Err(format!("no tick is from {from} on and before {until}"))
    }
}

fn parse_gate(text: &str) -> Result<Gate, String> {
    let at = text.find(['<', '>']).ok_or("a measure, > or <, and a limit are needed")?;
    let (name, limit) = (text[..at].trim(), text[at + 1..].trim());
    let limit: f64 = limit.parse().map_err(|_| format!("{limit:?} is no number"))?;
    if limit.is_nan() {
        return Err("nothing is above or below NaN".to_owned());
    }
    let known = || MEASURES.map(|(name, _)| name).join(", ");
    let measure = MEASURES.iter().find(|(other, _)| *other == name);
    let (measure, _) =
        measure.ok_or_else(|| format!("no measure is called {name:?}; known are {}", known()))?;
    Ok(Gate { measure, is_above: text.as_bytes()[at] == b'>', limit })
}

/// Runs `fogwall audit`.
pub(crate) fn run(args: &Args) -> Outcome {
    if let Some(observer) = args.observer {
        output::text(&stretch(args, observer)?)?;
    }
    if args.fail_on.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let path = args.directory.join("report.json");
    let bytes = std::fs::read(&path).map_err(|error| Failure::about(&path, error))?;
    let report: Value = serde_json::from_slice(&bytes).map_err(|error| Failure::about(&path, error))?;
    if measure(&report, "pairs").is_none_or(|pairs| pairs == 0.0) {
        return Err(Failure::message(format!("{}: no pair was judged", path.display())));
    }
    let (mut out, mut is_good) = (String::new(), true);
    for gate in &args.fail_on {
        let value = measure(&report, gate.measure).ok_or_else(|| {
            Failure::message(format!("{}: {} is not measured", path.display(), gate.measure))
        })?;
        let fails = if gate.is_above { value > gate.limit } else { value < gate.limit };
        let sign = if gate.is_above { '>' } else { '<' };
        let word = if fails { "FAILED" } else { "ok" };
        // A string takes everything.
        let _ = writeln!(out, "{word} {} = {value} (fails if {sign} {})", gate.measure, gate.limit);
        is_good &= !fails;
    }
    output::text(&out)?;
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn measure(report: &Value, name: &str) -> Option<f64> {
    let at = |pointer: &str| report.pointer(pointer)?.as_f64();
    let share = |part: &str, all: &str| Some(at(part)? / at(all)?.max(1.0));
    match name {
        "deep" => share("/deep_exposed_pair_ticks", "/deep_hidden_pair_ticks"),
        "exposed" => share("/exposed_pair_ticks", "/hidden_pair_ticks"),
        "ideal-ratio" => share("/deep_exposed_pair_ticks", "/ideal_deep_exposed_pair_ticks"),
        "pairs" => at("/pairs"),
        _ => at(MEASURES.iter().find(|(other, _)| *other == name)?.1),
    }
}

/// The stretch as text: by tick, what was decided before what arrived.
fn stretch(args: &Args, observer: u64) -> Result<String, Failure> {
    let mut lines: BTreeMap<(u64, u8, u64), String> = BTreeMap::new();
    let (from, until) = args.ticks.unwrap_or((0, u64::MAX));
    let is_asked = |entity: u64| args.entity.is_none_or(|only| only == entity);
    let number = |line: &Value, key: &str| line[key].as_u64().unwrap_or(0);
    let verdicts = open(&args.directory.join("verdicts.jsonl.gz"))?;
    // What was decided last before the stretch holds at its start.
    let mut before: BTreeMap<u64, String> = BTreeMap::new();
    each_line(verdicts, &args.directory, |line| {
        let (tick, entity) = (number(&line, "tick"), number(&line, "entity"));
        if number(&line, "observer") != observer || !is_asked(entity) || tick >= until {
            return;
        }
        let text = format!("{} {entity} · {}", kind(&line), line["verdict"].as_str().unwrap_or("?"));
        if tick < from {
            before.insert(entity, text);
        } else {
            lines.insert((tick, 1, entity), text);
        }
    })?;
    for (entity, text) in before {
        lines.entry((from, 1, entity)).or_insert_with(|| format!("{text} (since earlier)"));
    }
    let findings = open(&args.directory.join("findings.jsonl"))?;
    each_line(findings, &args.directory, |line| {
        let (tick, entity) = (number(&line, "tick"), number(&line, "entity"));
        if number(&line, "observer") == observer && is_asked(entity) && (from..until).contains(&tick) {
            let kind = line["kind"].as_str().unwrap_or("?");
            let cause = line["cause"].as_str().map_or(String::new(), |cause| format!(" ({cause})"));
            lines.insert(
                (tick, 2, entity),
                format!("enemy {entity} · {kind}{cause} for {}", counted(number(&line, "ticks"), "tick")),
            );
        }
    })?;
    let received = open(&args.directory.join("received").join(format!("{observer}.jsonl")))?;
    each_line(received, &args.directory, |line| {
        let tick = number(&line, "tick");
        if !(from..until).contains(&tick) {
            return;
        }
        let mut text = format!("received {} bytes of tick {}", line["packet_bytes"], line["server_tick"]);
        let empty = Vec::new();
        for key in ["created", "updated", "removed", "sounds", "events"] {
            for entry in line[key].as_array().unwrap_or(&empty) {
                told(&mut text, key, entry, &is_asked);
            }
        }
        if args.entity.is_none() || text.contains('\n') {
            lines.insert((tick, 3, 0), text);
        }
    })?;
    let mut out = String::new();
    for ((tick, ..), text) in lines {
        // A string takes everything.
        let _ = writeln!(out, "tick {tick} · observer {observer} · {text}");
    }
    Ok(out)
}

/// What an entity is to the observer: its side where it is a player, or its class.
fn kind(line: &Value) -> &str {
    let word = |key: &str| line[key].as_str();
    word("side").or(word("class")).unwrap_or("entity")
}

/// One thing that arrived.
fn told(text: &mut String, key: &str, entry: &Value, is_asked: &dyn Fn(u64) -> bool) {
    let entity = entry["entity"].as_u64();
    let is_of_entity = matches!(key, "created" | "updated" | "removed");
    if is_of_entity && !entity.is_some_and(is_asked) {
        return;
    }
    let _ = write!(text, "\n  {key}");
    if let Some(entity) = entity {
        let _ = write!(text, " {entity}");
    }
    if let Some(class) = entry["class"].as_str() {
        let _ = write!(text, " {class}");
    }
    if let Some(level) = entry["level"].as_str() {
        let _ = write!(text, " · {level}");
    }
    for (name, value) in entry["fields"].as_object().into_iter().flatten() {
        let _ = write!(text, " {name} {value}");
    }
    if key == "sounds" {
        let _ = write!(text, " near {} to {} m", entry["pos"], entry["step_m"]);
    }
}

fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    let file = File::open(path).map_err(|error| Failure::about(path, error))?;
    let is_gzip = path.extension().is_some_and(|extension| extension == "gz");
    Ok(if is_gzip { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
}

fn each_line(file: Box<dyn Read>, about: &Path, mut f: impl FnMut(Value)) -> Result<(), Failure> {
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|error| Failure::about(about, error))?;
        f(serde_json::from_str(&line).map_err(|error| Failure::about(about, error))?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_names_a_measure_and_a_limit_and_a_stretch_has_ticks() {
        assert_eq!(parse_gate("late>0"), Ok(Gate { measure: "late", is_above: true, limit: 0.0 }));
        assert_eq!(
            parse_gate("lead-p50-ms < 90"),
            Ok(Gate { measure: "lead-p50-ms", is_above: false, limit: 90.0 })
        );
        assert!(parse_gate("lat>0").unwrap_err().contains("known are late"));
        assert!(parse_ticks("50..40").is_err() && parse_ticks("50..50").is_err());
        assert_eq!((parse_ticks("50..51"), parse_ticks("7..")), (Ok((50, 51)), Ok((7, u64::MAX))));
        assert!(parse_gate("late=0").is_err() && parse_gate("late>few").is_err());
    }

    #[test]
    fn every_measure_is_found_in_a_report() {
        let report = serde_json::json!({
            "late_transitions": 1, "late_area_transitions": 2, "late_pair_ticks": 3, "outside_limits": 4,
            "late_beyond_lead": 5, "late_by_loss": 6, "deep_exposed_pair_ticks": 2, "deep_hidden_pair_ticks": 100,
            "exposed_pair_ticks": 5, "hidden_pair_ticks": 200, "ideal_deep_exposed_pair_ticks": 1,
            "lead_ms": {"p50": 80.0}, "bytes_per_tick": {"max": 900}, "tick_us": {"p99": 50.0},
        });
        assert!(MEASURES.iter().all(|(name, _)| measure(&report, name).is_some()));
        assert_eq!(measure(&report, "deep"), Some(0.02));
        assert_eq!(measure(&serde_json::json!({}), "late"), None);
    }
}
