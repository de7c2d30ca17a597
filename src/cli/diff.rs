//! `fogwall diff A.pvs B.pvs`: which cells gained or lost sight from one bake to the other.
//!
//! Owns the report of a comparison. Promises: exit 0 where nothing changed, 1 where something did, 2 on trouble.
//! Must not know how cells are matched (see `compare`).

mod compare;

use super::place::Place;
use super::words::counted;
use super::{Failure, Outcome, output};
use compare::Change;
use fogwall::{Baked, CellId};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How many cells the text names.
const NAMED: usize = 20;
/// Exit code for what `diff` could not compare.
const TROUBLE: u8 = 2;

/// Compare two bakes: which cells gained or lost sight
///
/// Cells are matched by place: same column of the grid, overlapping heights. Exits with 0 where nothing
/// changed, 1 where something did, 2 on trouble.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The earlier baked file
    a: PathBuf,
    /// The later baked file
    b: PathBuf,
    /// Print JSON, with every changed cell
    #[arg(long)]
    json: bool,
}

/// Runs `fogwall diff`.
pub(crate) fn run(args: &Args) -> Outcome {
    match compare_files(args) {
        Err(Failure::Message(text)) => {
            anstream::eprintln!("error: {text}");
            Ok(ExitCode::from(TROUBLE))
        }
        outcome => outcome,
    }
}

fn compare_files(args: &Args) -> Outcome {
    let (a, b) = rayon::join(|| load(&args.a), || load(&args.b));
    let (a, b) = (a?, b?);
    let edges = [&a, &b].map(|baked| baked.map.cell_size);
    if edges[0] != edges[1] {
        let [a, b] = edges;
        return Err(Failure::message(format!("cells of {a} m and of {b} m have no places in common")));
    }
    let report = Report::of(&a, &b);
    if args.json { output::json(&report) } else { output::text(&report.text()) }?;
    Ok(if report.differ { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn load(path: &Path) -> Result<Baked, Failure> {
    Baked::load(path).map_err(|error| Failure::about(path, error))
}

#[derive(Serialize)]
struct Report {
    a: String,
    b: String,
    /// Which of the two are drafts.
    drafts: [bool; 2],
    differ: bool,
    matched_cells: usize,
    gained_pairs: u64,
    lost_pairs: u64,
    changed_cells: Vec<Changed>,
    only_in_a: Vec<Place>,
    only_in_b: Vec<Place>,
}

/// A cell whose eyes see other cells than before, most changed first.
#[derive(Serialize)]
struct Changed {
    #[serde(flatten)]
    place: Place,
    gained: usize,
    lost: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    gained_for_example: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_for_example: Option<Place>,
}

impl Report {
    fn of(a: &Baked, b: &Baked) -> Self {
        let comparison = compare::compare(a, b);
        let place = |baked: &Baked, id: CellId| Place::of(&baked.map, id.0, baked.cells.get(id));
        let in_a = |&id: &CellId| place(a, id);
        let changed = comparison.changes.iter().map(|change| {
            let Change { cell, gained, lost } = change;
            Changed {
                place: in_a(cell),
                gained: gained.len(),
                lost: lost.len(),
                gained_for_example: gained.first().map(in_a),
                lost_for_example: lost.first().map(in_a),
            }
        });
        let mut changed_cells: Vec<Changed> = changed.collect();
        changed_cells.sort_by_key(|cell| (std::cmp::Reverse(cell.gained + cell.lost), cell.place.cell));
        let total = |count: fn(&Changed) -> usize| changed_cells.iter().map(|cell| count(cell) as u64).sum();
        Self {
            a: a.map.name.clone(),
            b: b.map.name.clone(),
            drafts: [a.draft, b.draft],
            differ: comparison.differ(),
            matched_cells: comparison.matched,
            gained_pairs: total(|cell| cell.gained),
            lost_pairs: total(|cell| cell.lost),
            only_in_a: comparison.only_in_a.iter().map(in_a).collect(),
            only_in_b: comparison.only_in_b.iter().map(|&id| place(b, id)).collect(),
            changed_cells,
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        if self.a != self.b {
            writeln!(out, "the maps have different names: {} and {}", self.a, self.b)?;
        }
        match self.drafts {
            [true, false] => writeln!(out, "the earlier one is a draft, which hides less")?,
            [false, true] => writeln!(out, "the later one is a draft, which hides less")?,
            _ => {}
        }
        if !self.differ {
            return writeln!(out, "no cell gained or lost sight ({})", counted(self.matched_cells, "cell"));
        }
        let Self { matched_cells, gained_pairs, lost_pairs, changed_cells, .. } = self;
        writeln!(out, "{} of {} changed", changed_cells.len(), counted(*matched_cells, "cell"))?;
        let gained = counted(*gained_pairs, "pair");
        writeln!(out, "{gained} of cells gained sight, {lost_pairs} lost it")?;
        for (which, places) in [("earlier", &self.only_in_a), ("later", &self.only_in_b)] {
            if let Some(first) = places.first() {
                let are = if places.len() == 1 { "is" } else { "are" };
                let cells = counted(places.len(), "cell");
                writeln!(out, "{cells} {are} only in the {which} bake, as at {first}")?;
            }
        }
        for cell in changed_cells.iter().take(NAMED) {
            write!(out, "  {}: +{} -{}", cell.place, cell.gained, cell.lost)?;
            if let Some(example) = &cell.gained_for_example {
                write!(out, ", now sees {example}")?;
            }
            if let Some(example) = &cell.lost_for_example {
                write!(out, ", no longer sees {example}")?;
            }
            writeln!(out)?;
        }
        match changed_cells.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => writeln!(out, "  and {more} more (--json lists all)"),
        }
    }
}
