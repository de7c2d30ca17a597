//! `fogwall info OUT.pvs`: what a baked file holds, and what would make it tighter.
//!
//! Owns the summary of a bake. Promises: the same facts as text and as JSON.
//! Must not know how a bake is made.

use super::output::{self, Pairs};
use super::place::Place;
use super::words::counted;
use super::{Failure, Outcome};
use fogwall::{Baked, CellId, METHOD_VERSION, Player};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// How many cells and solids are named.
const WORST: usize = 10;

/// Say what a baked file holds, and which cells and solids leave pairs unresolved
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The baked file
    baked: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `fogwall info`.
pub(crate) fn run(args: &Args) -> Outcome {
    let path = &args.baked;
    let bytes = Baked::read(path).map_err(|error| Failure::about(path, error))?;
    let baked = Baked::from_bytes(&bytes).map_err(|error| Failure::about(path, error))?;
    let parts = Baked::part_bytes(&bytes).map_err(|error| Failure::about(path, error))?;
    let info = Info::of(&baked, bytes.len(), parts);
    if args.json { output::json(&info) } else { output::text(&info.text()) }?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Info {
    map: String,
    cells: usize,
    #[serde(flatten)]
    pairs: Pairs,
    unresolved_of_revealed: f64,
    file_bytes: usize,
    part_bytes: Vec<Part>,
    memory_bytes: usize,
    hearable_radius_m: f64,
    hearable_clusters: u32,
    draft: bool,
    method_version: u32,
    cell_size: f64,
    player: Player,
    source_hash: String,
    settings_hash: String,
    worst_cells: Vec<WorstCell>,
    worst_solids: Vec<WorstSolid>,
}

#[derive(Serialize)]
struct Part {
    name: &'static str,
    bytes: usize,
}

#[derive(Serialize)]
struct WorstCell {
    #[serde(flatten)]
    place: Place,
    unresolved: usize,
    revealed: usize,
}

#[derive(Serialize)]
struct WorstSolid {
    id: String,
    unresolved: u64,
}

impl Info {
    fn of(baked: &Baked, file_bytes: usize, parts: Vec<(&'static str, usize)>) -> Self {
        let counts = baked.pvs.counts();
        Self {
            map: baked.map.name.clone(),
            cells: baked.cells.len(),
            pairs: counts.into(),
            unresolved_of_revealed: counts.unresolved_of_revealed(),
            file_bytes,
            part_bytes: parts.into_iter().map(|(name, bytes)| Part { name, bytes }).collect(),
            memory_bytes: baked.pvs.memory_bytes(),
            hearable_radius_m: baked.hearable.radius_m(),
            hearable_clusters: baked.hearable.as_parts().clusters,
            draft: baked.draft,
            method_version: METHOD_VERSION,
            cell_size: baked.map.cell_size,
            player: baked.map.player,
            source_hash: hex(&baked.map.source_hash),
            settings_hash: hex(&baked.settings_hash()),
            worst_cells: worst_cells(baked),
            worst_solids: worst_solids(baked),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let pairs = &self.pairs;
        writeln!(out, "map         {}{}", self.map, if self.draft { " (draft)" } else { "" })?;
        writeln!(out, "cells       {} of {} m", self.cells, self.cell_size)?;
        writeln!(out, "pairs       {}", pairs.pairs)?;
        let classes =
            [("hidden", pairs.hidden), ("visible", pairs.visible), ("unresolved", pairs.unresolved)];
        for (name, count) in classes {
            writeln!(out, "  {name:<10}{count:>12}  {:.3} %", pairs.percent(count))?;
        }
        writeln!(out, "            unresolved of revealed: {:.2} %", 100.0 * self.unresolved_of_revealed)?;
        writeln!(out, "file        {} bytes", self.file_bytes)?;
        for Part { name, bytes } in &self.part_bytes {
            writeln!(out, "  {name:<16}{bytes:>9}")?;
        }
        writeln!(out, "in memory   {} bytes of rows", self.memory_bytes)?;
        let (hearable_m, clusters) = (self.hearable_radius_m, counted(self.hearable_clusters, "cluster"));
        writeln!(out, "hearable    walks up to {hearable_m} m between {clusters} of cells")?;
        let Player { radius, height, eye_standing, eye_crouched, jump, lean, sight_radius, .. } = self.player;
        writeln!(
            out,
            "player      radius {radius}, height {height}, eyes {eye_crouched} to {eye_standing},"
        )?;
        writeln!(out, "            jump {jump}, lean {lean}, sight radius {sight_radius}")?;
        writeln!(out, "method      version {}", self.method_version)?;
        writeln!(out, "settings    {}", self.settings_hash)?;
        writeln!(out, "source      {}", self.source_hash)?;
        if !self.worst_cells.is_empty() {
            writeln!(out, "cells with the most unresolved pairs (unresolved of revealed, place)")?;
        }
        for WorstCell { place, unresolved, revealed } in &self.worst_cells {
            writeln!(out, "  {unresolved:>6} of {revealed:<6} {place}")?;
        }
        if !self.worst_solids.is_empty() {
            writeln!(out, "solids that cost the most unresolved pairs")?;
        }
        for WorstSolid { id, unresolved } in &self.worst_solids {
            writeln!(out, "  {unresolved:>12}  {id}")?;
        }
        Ok(())
    }
}

fn worst_cells(baked: &Baked) -> Vec<WorstCell> {
    let count = |id: u32| baked.pvs.unresolved_row(CellId(id)).count();
    let mut counts: Vec<(usize, u32)> = (0..baked.cells.len() as u32).map(|id| (count(id), id)).collect();
    counts.retain(|&(unresolved, _)| unresolved > 0);
    counts.sort_by_key(|&(unresolved, id)| (std::cmp::Reverse(unresolved), id));
    let worst = counts.into_iter().take(WORST).map(|(unresolved, id)| WorstCell {
        place: Place::of(&baked.map, id, baked.cells.get(CellId(id))),
        unresolved,
        revealed: baked.pvs.row(CellId(id)).count(),
    });
    worst.collect()
}

fn worst_solids(baked: &Baked) -> Vec<WorstSolid> {
    let ids = baked.map.solids.iter().map(|solid| &solid.id);
    let mut solids: Vec<(u64, &String)> = baked.unresolved_by_solid.iter().copied().zip(ids).collect();
    solids.retain(|&(unresolved, _)| unresolved > 0);
    solids.sort_by_key(|&(unresolved, _)| std::cmp::Reverse(unresolved));
    let worst = solids.into_iter().take(WORST);
    worst.map(|(unresolved, id)| WorstSolid { id: id.clone(), unresolved }).collect()
}

fn hex(hash: &[u8; 32]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
