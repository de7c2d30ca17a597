//! `fogwall simulate` itself: the file, the summary, the errors.

use crate::map_path;
use assert_cmd::Command;
use fogwall::{Line, Map, Recording, Rules};
use std::path::Path;

fn fogwall(map: &Path, output: &Path, more: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("fogwall").unwrap();
    command.arg("simulate").arg(map).arg("-o").arg(output).args(more).output().unwrap()
}

#[test]
fn the_file_is_read_back_without_a_fault_and_is_the_same_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one.jsonl.gz", "two.jsonl.gz"].map(|name| folder.path().join(name));
    let asked = ["--seconds", "3", "--teams", "2v2", "--seed", "7", "--json"];
    let done = fogwall(&map_path("door"), &one, &asked);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((&summary["ticks"], &summary["bots"]), (&384.into(), &4.into()));
    assert!(fogwall(&map_path("door"), &two, &asked).status.success());
    assert!(std::fs::read(&one).unwrap() == std::fs::read(&two).unwrap());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside the recordings");

    let mut recording = Recording::open(&one).unwrap();
    assert_eq!((recording.header().map.as_str(), recording.header().tick_hz), ("door", 128.0));
    let mut ticks = 0;
    while let Some(line) = recording.read().unwrap() {
        let Line::Tick(tick) = line else { panic!("a cut") };
        assert_eq!(tick.tick, ticks);
        ticks += 1;
    }
    assert_eq!(ticks, 384);
}

#[test]
fn a_baked_file_serves_as_the_map() {
    let folder = tempfile::tempdir().unwrap();
    let [baked, source, plain] = ["door.pvs", "a.jsonl", "b.jsonl"].map(|name| folder.path().join(name));
    let mut bake = Command::cargo_bin("fogwall").unwrap();
    bake.arg("bake").arg(map_path("door")).arg("--draft").arg("-o").arg(&baked).assert().success();
    let asked = ["--seconds", "2", "--ffa", "3"];
    assert!(fogwall(&baked, &plain, &asked).status.success());
    assert!(fogwall(&map_path("door"), &source, &asked).status.success());
    assert!(std::fs::read(plain).unwrap() == std::fs::read(source).unwrap());
}

#[test]
fn a_battle_royale_has_its_map_and_its_rules_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("big.jsonl.gz");
    let mut command = Command::cargo_bin("fogwall").unwrap();
    command.args(["simulate", "--royale", "--players", "6", "--entities", "200", "--seconds", "2", "-o"]);
    command.arg(&output).assert().success();
    let map = Map::load(folder.path().join("big.map.ron")).unwrap_or_else(|errors| panic!("{errors}")).map;
    let rules =
        Rules::load(folder.path().join("big.rules.ron")).unwrap_or_else(|errors| panic!("{errors}")).rules;
    let mut recording = Recording::open(&output).unwrap();
    assert_eq!((recording.header().map.as_str(), recording.header().observers.len()), (map.name.as_str(), 6));
    let Some(Line::Tick(first)) = recording.read().unwrap() else { panic!("no tick") };
    assert_eq!(first.entities.len(), 200);
    assert!(first.entities.iter().all(|entity| rules.class_id(&entity.class).is_some()));
    let mut ticks = 1;
    while recording.read().unwrap().is_some() {
        ticks += 1;
    }
    assert_eq!(ticks, 60);
    let mut both = Command::cargo_bin("fogwall").unwrap();
    let both =
        both.arg("simulate").arg(map_path("door")).args(["--royale", "-o"]).arg(&output).output().unwrap();
    assert_eq!(both.status.code(), Some(2), "a map has no place in it");
}

#[test]
fn a_map_without_cells_and_wrong_usage_are_errors_that_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let (map, output) = (folder.path().join("full.ron"), folder.path().join("match.jsonl"));
    let door = std::fs::read_to_string(map_path("door")).unwrap();
    let full = door.replace("solids: [", "solids: [ Prism(id: \"all\", outline: [(-9.0, -9.0), (29.0, -9.0), (29.0, 29.0), (-9.0, 29.0)], z: (-9.0, 9.0)),");
    std::fs::write(&map, full).unwrap();
    let done = fogwall(&map, &output, &[]);
    assert_eq!(done.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&done.stderr).contains("no cells"));
    assert!(!output.exists());
    for wrong in [["--teams", "5x5"], ["--ffa", "0"], ["--seconds", "x"]] {
        assert_eq!(fogwall(&map_path("door"), &output, &wrong).status.code(), Some(2), "{wrong:?}");
    }
    assert_eq!(fogwall(&map_path("door"), &output, &["--tick-hz", "1"]).status.code(), Some(1));
}
