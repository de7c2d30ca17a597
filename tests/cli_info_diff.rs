//! `fogwall info` and `fogwall diff`: what a bake holds, and what changed between two.

mod standin;

use assert_cmd::Command;
use std::path::{Path, PathBuf};

fn save(folder: &Path, name: &str, wall_end: f64) -> PathBuf {
    let path = folder.join(name);
    standin::bake(&standin::source(wall_end)).save(&path).unwrap();
    path
}

fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("fogwall").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn info_tells_the_same_as_text_and_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = save(folder.path(), "a.pvs", 4.0);
    let path = path.to_str().unwrap();
    let (code, json, _) = run(&["info", path, "--json"]);
    assert_eq!(code, Some(0));
    let info: serde_json::Value = serde_json::from_str(&json).unwrap();
    let counts = standin::bake(&standin::source(4.0)).pvs.counts();
    assert_eq!(info["pairs"], counts.pairs());
    assert_eq!(info["unresolved"], counts.unresolved);
    assert_eq!(info["file_bytes"], std::fs::metadata(path).unwrap().len());
    assert_eq!(info["worst_solids"][0]["id"], "wall");
    let worst = info["worst_cells"].as_array().unwrap();
    assert!(
        worst.is_sorted_by_key(|cell| std::cmp::Reverse(cell["unresolved"].as_u64())) && worst.len() == 10
    );

    let (code, text, _) = run(&["info", path]);
    assert_eq!(code, Some(0));
    for part in ["two rooms", &counts.hidden.to_string(), info["source_hash"].as_str().unwrap(), "tank"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn a_bake_does_not_differ_from_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = save(folder.path(), "a.pvs", 4.0);
    let path = path.to_str().unwrap();
    let (code, text, _) = run(&["diff", path, path]);
    assert_eq!((code, text.lines().count()), (Some(0), 1));
}

#[test]
fn a_longer_wall_takes_sight_and_a_shorter_one_gives_it() {
    let folder = tempfile::tempdir().unwrap();
    let (short, long) = (save(folder.path(), "a.pvs", 3.0), save(folder.path(), "b.pvs", 4.0));
    let (short, long) = (short.to_str().unwrap(), long.to_str().unwrap());
    let (code, text, _) = run(&["diff", short, long, "--json"]);
    assert_eq!(code, Some(1));
    let longer: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(longer["gained_pairs"], 0);
    assert!(longer["lost_pairs"].as_u64() > Some(0));
    let cell = &longer["changed_cells"][0];
    let (from, to) = (&cell["at"], &cell["lost_for_example"]["at"]);
    let side = |at: &serde_json::Value| at[0].as_f64().unwrap() < 3.0;
    assert_ne!(side(from), side(to), "sight was lost across the wall: {cell}");

    let (code, text, _) = run(&["diff", long, short]);
    assert_eq!(code, Some(1));
    assert!(text.contains("now sees") && !text.contains("no longer sees"), "{text}");
}

#[test]
fn what_can_not_be_compared_is_trouble_and_not_a_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = save(folder.path(), "a.pvs", 4.0);
    let other = folder.path().join("b.pvs");
    std::fs::write(&other, "no bake").unwrap();
    let (code, _, message) = run(&["diff", path.to_str().unwrap(), other.to_str().unwrap()]);
    assert_eq!(code, Some(2));
    assert!(message.contains("b.pvs: not a baked file"), "{message}");
}

#[test]
fn a_bake_with_a_damaged_head_is_called_a_damaged_bake_by_every_command_that_also_takes_a_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = save(folder.path(), "a.pvs", 4.0);
    let file = path.to_str().unwrap();
    let picture = folder.path().join("a.svg");
    let recording = folder.path().join("a.jsonl");
    let good = std::fs::read(&path).unwrap();
    for at in 0..8 {
        let mut bytes = good.clone();
        bytes[at] ^= 0x20;
        std::fs::write(&path, bytes).unwrap();
        for args in [
            &["info", file][..],
            &["query", file],
            &["render", file, "-o", picture.to_str().unwrap()],
            &["simulate", file, "--seconds", "1", "-o", recording.to_str().unwrap()],
        ] {
            let (code, _, message) = run(args);
            assert_eq!(code, Some(1), "{args:?}");
            assert!(message.contains("a.pvs: not a baked file"), "{args:?} at byte {at}: {message}");
        }
    }
}

#[test]
fn cells_of_other_sizes_are_trouble_and_a_draft_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("map.ron");
    let bake = |name: &str, cell_size: &str, more: &[&str]| {
        let edge = format!("cell_size: {cell_size}");
        std::fs::write(&source, standin::source(4.0).replacen("cell_size: 1.0", &edge, 1)).unwrap();
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        let (code, _, message) = run(&[&["bake", source.to_str().unwrap(), "-o", &path], more].concat());
        assert_eq!(code, Some(0), "{message}");
        path
    };
    let (fine, draft, coarse) =
        (bake("a.pvs", "1.0", &[]), bake("b.pvs", "1.0", &["--draft"]), bake("c.pvs", "2.0", &[]));
    let (code, _, message) = run(&["diff", &fine, &coarse]);
    assert_eq!(code, Some(2));
    assert!(message.contains("cells of 1 m and of 2 m"), "{message}");
    let (_, text, _) = run(&["diff", &fine, &draft]);
    assert!(text.starts_with("the later one is a draft"), "{text}");
}
