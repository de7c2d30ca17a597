//! Cells of real maps: how many there are, and how many recorded players stand on them.

mod common;

use common::sources::{data, real_map};
use fogwall::{Cells, Point3, Solids};
use std::io::Read;
use std::path::Path;

fn cells_of(folder: &Path, name: &str) -> Cells {
    let map = real_map(folder, name);
    Cells::build(&map, &Solids::build(&map)).unwrap()
}

/// The share of recorded living players, every fifth tick, that are on cells.
fn share_on_cells(recording: &Path, cells: &Cells) -> f64 {
    let mut text = String::new();
    let file = std::fs::File::open(recording).unwrap();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let (mut all, mut on) = (0_u32, 0_u32);
    for line in text.lines().step_by(5) {
        let tick: serde_json::Value = serde_json::from_str(line).unwrap();
        for entity in tick["entities"].as_array().into_iter().flatten() {
            if entity["class"] == "player" && entity["alive"] == true {
                let at = |i: usize| entity["pos"][i].as_f64().unwrap();
                all += 1;
                on += u32::from(cells.cell_at(Point3::new(at(0), at(1), at(2))).is_some());
            }
        }
    }
    f64::from(on) / f64::from(all)
}

#[test]
fn real_maps_have_about_as_many_cells_as_the_prototype_found() {
    let Some(folder) = data() else { return };
    let expected = [
        ("de_dust2", 6_384),
        ("de_mirage", 5_224),
        ("de_nuke", 7_539),
        ("freedm_map06", 2_749),
        ("freedm_map08", 2_170),
        ("freedm_map18", 3_321),
        ("dao_den520d", 7_497),
    ];
    for (name, prototype) in expected {
        let cells = cells_of(&folder, name);
        println!("{name}: {} cells, prototype {prototype}", cells.len());
        let ratio = cells.len() as f64 / f64::from(prototype);
        assert!((0.98..1.02).contains(&ratio), "{name}: {} cells", cells.len());
    }
}

#[test]
fn recorded_players_stand_on_cells() {
    let Some(folder) = data() else { return };
    let recordings = [
        ("de_dust2", "m08_de_dust2", 0.95),
        ("de_mirage", "m09_de_mirage", 0.92),
        ("de_nuke", "m05_de_nuke", 0.93),
        ("freedm_map06", "freedm_map06", 0.94),
        ("freedm_map18", "freedm_map18", 0.95),
    ];
    for (name, recording, least) in recordings {
        let cells = cells_of(&folder, name);
        let share = share_on_cells(&folder.join(format!("recordings/{recording}.jsonl.gz")), &cells);
        println!("{name}: {:.1} % of recorded players on cells", share * 100.0);
        assert!(share >= least, "{name}: {share}");
    }
}
