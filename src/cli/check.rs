//! `fogwall check MAP.ron`: every problem of a map source, in one run.

use super::diagnostics::{self, Checked, Entry, Severity};
use super::words::counted;
use super::{Failure, Outcome, output};
use fogwall::{Cells, Finding, Footprint, Map, MapWarning, Point2, Solids, Span, Vector2};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Boxes of solids and floors that touch, per box, at most, where cells are counted: real maps have up to 16.
const MOST_TOUCHING: usize = 64;
/// Pairs of boxes that are looked at for it.
const MOST_LOOKED_AT: usize = 200_000_000;

/// Report every problem of a map source
///
/// Exits with 1 where there are errors, with 0 where there are only warnings.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The map source
    #[arg(value_name = "MAP.ron")]
    map: PathBuf,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    /// Exit with 1 on warnings too (notes are none)
    #[arg(long)]
    deny_warnings: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    errors: usize,
    warnings: usize,
    notes: usize,
    /// Findings of a hostile file beyond those that are listed.
    omitted: usize,
    findings: Vec<Entry<'a>>,
}

/// Runs `fogwall check`.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut checked = diagnostics::check(&args.map);
    if let Ok(loaded) = &mut checked.outcome {
        loaded.warnings.extend(without_cells(&loaded.map));
    }
    let findings = checked.entries();
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let (errors, warnings, notes) = (count(Severity::Error), count(Severity::Warning), count(Severity::Note));
    let failed = errors > 0 || (args.deny_warnings && warnings > 0);
    if args.json {
        let omitted = checked.omitted();
        output::json(&Report { file: &checked.file, errors, warnings, notes, omitted, findings })?;
    } else {
        write!(anstream::stderr(), "{}", checked.render())?;
        let summary = summary(&checked, errors, warnings, notes);
        if errors > 0 {
            return Err(Failure::message(summary));
        }
        writeln!(anstream::stdout(), "{summary}")?;
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The warning that a bake of the map would have nothing to say, or could not be made.
///
/// A hostile map would keep it busy for hours: of one so crowded, nothing is said.
fn without_cells(map: &Map) -> Option<Finding<MapWarning>> {
    if is_crowded(map) {
        return None;
    }
    let problem = match Cells::build(map, &Solids::build(map)) {
        Ok(cells) if cells.is_empty() => MapWarning::NobodyStands,
        Ok(_) => return None,
        Err(error) => MapWarning::NoBake(error),
    };
    let (element, span) = (String::new(), Span::default());
    Some(Finding { problem, element, span, line: 1, column: 1, related: None })
}

/// Whether the boxes of solids and floors touch very many others.
fn is_crowded(map: &Map) -> bool {
    let solids = map.solids.iter().map(|solid| match &solid.footprint {
        Footprint::Polygon { outline, .. } => bounds(outline.iter().copied()),
        Footprint::Circle { center, radius } => {
            let around = Vector2::new(*radius, *radius);
            (center - around, center + around)
        }
    });
    let floors = map.floors.iter().map(|floor| bounds(floor.outline.iter().map(|corner| corner.xy())));
    let mut boxes: Vec<(Point2, Point2)> = solids.chain(floors).collect();
    boxes.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let (mut touching, mut looked_at) = (0, 0);
    for (place, (low, high)) in boxes.iter().enumerate() {
        for other in boxes[place + 1..].iter().take_while(|other| other.0.x <= high.x) {
            looked_at += 1;
            touching += usize::from(other.0.y <= high.y && low.y <= other.1.y);
            if touching > MOST_TOUCHING * boxes.len() || looked_at > MOST_LOOKED_AT {
                return true;
            }
        }
    }
    false
}

/// The corners (least, greatest) of a box around points.
fn bounds(points: impl Iterator<Item = Point2>) -> (Point2, Point2) {
    let none = (Point2::new(f64::MAX, f64::MAX), Point2::new(f64::MIN, f64::MIN));
    points.fold(none, |(low, high), p| (low.inf(&p), high.sup(&p)))
}

fn summary(checked: &Checked, errors: usize, warnings: usize, notes: usize) -> String {
    let mut parts = Vec::new();
    if let Ok(loaded) = &checked.outcome {
        let map = &loaded.map;
        let lists = [(map.solids.len(), "solid"), (map.doors.len(), "door"), (map.floors.len(), "floor")];
        parts.extend(lists.map(|(count, what)| counted(count, what)));
    }
    parts.push(counted(errors, "error"));
    parts.push(counted(warnings, "warning"));
    if notes > 0 {
        parts.push(counted(notes, "note"));
    }
    format!("{}: {}", checked.file, parts.join(", "))
}
