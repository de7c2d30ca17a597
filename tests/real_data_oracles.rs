//! The judges and the truth of real matches on the maps of `FOGWALL_DATA`, absent from a fresh checkout.
//!
//! `FOGWALL_EFFORT` 1 (CI) takes two maps, 2 and more all of them; `FOGWALL_MAPS` names others, by commas.

mod common;
mod oracle;
mod trial;

use common::sources::{data, sources};
use fogwall::Pvs;
use oracle::product::Level;
use std::path::Path;
use std::time::Instant;
use trial::baked::bake;
use trial::truth::{Positions, compare, read};
use trial::{Size, hold};

/// Maps of a run in CI.
const FEW: &str = "de_dust2,freedm_map06";

/// Truth files by map: file, positions, whether all lines are kills.
const TRUTH: [(&str, &str, Positions, bool); 7] = [
    ("de_dust2", "dust2_round_01_mesh_sight.csv.gz", Positions::Eyes, false),
    ("de_mirage", "m09_de_mirage_mesh_sight.csv.gz", Positions::Eyes, false),
    ("de_dust2", "m08_de_dust2_clean_kills.csv", Positions::Feet, true),
    ("de_mirage", "m09_de_mirage_clean_kills.csv", Positions::Feet, true),
    ("de_nuke", "m05_de_nuke_clean_kills.csv", Positions::Feet, true),
    ("freedm_map06", "freedm_map06_engine_sight.csv.gz", Positions::Feet, false),
    ("freedm_map18", "freedm_map18_engine_sight.csv.gz", Positions::Feet, false),
];

fn size() -> Size {
    let full = oracle::effort() >= 2.0;
    Size {
        seed: 1,
        lines: if full { 10_000_000 } else { 2_000_000 },
        rays: if full { 10_000_000 } else { 2_000_000 },
        witnesses: if full { 20_000 } else { 1_000 },
        tightness_pairs: if full { 4_000 } else { 500 },
        play_rays: if full { 10_000_000 } else { 500_000 },
    }
}

fn wanted(name: &str) -> bool {
    match std::env::var("FOGWALL_MAPS") {
        Ok(names) => names.split(',').any(|wanted| wanted == name),
        Err(_) => oracle::effort() >= 2.0 || FEW.split(',').any(|few| few == name),
    }
}

#[test]
fn no_real_map_hides_what_can_be_seen_or_was_seen() {
    let Some(data) = data() else { return println!("no real data, skipped") };
    let mut wrong = Vec::new();
    for path in sources(&data.join("maps")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !wanted(&name) {
            continue;
        }
        let level = Level::load(&path);
        let start = Instant::now();
        let pvs = bake(&level);
        println!("\n{name:<24} baked in {:.1} s", start.elapsed().as_secs_f64());
        wrong.extend(hold(&name, &level, &pvs, size()));
        wrong.extend(face_truth(&data, &name, &level, &pvs));
    }
    assert!(wrong.is_empty(), "{} violations:\n{}", wrong.len(), wrong.join("\n"));
}

/// Compares the map with the truth there is of it; what the PVS hides though truth and segments show it.
fn face_truth(data: &Path, name: &str, level: &Level, pvs: &Pvs) -> Vec<String> {
    let mut wrong = Vec::new();
    for (map, file, positions, kills) in TRUTH {
        if map == name {
            let sightings = read(&data.join("truth").join(file), kills);
            let counts = compare(level, pvs, positions, &sightings);
            println!("{}", counts.row(file));
            wrong.extend(counts.wrong.into_iter().map(|what| format!("{file}: {what}")));
        }
    }
    wrong
}
