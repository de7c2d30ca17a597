//! `fogwall bake`: a source in, a baked file out, or no file at all.

mod standin;

use assert_cmd::Command;
use fogwall::Baked;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

fn fogwall(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("fogwall").unwrap().current_dir(folder).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn start(folder: &Path, args: &[&str]) -> Child {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fogwall"));
    command.current_dir(folder).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}

#[test]
fn a_bake_lands_beside_its_source_and_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let source = standin::source(4.0);
    std::fs::write(folder.path().join("two_rooms.ron"), &source).unwrap();
    let (code, out, err) = fogwall(folder.path(), &["bake", "two_rooms.ron", "--json", "--threads", "1"]);
    assert_eq!(code, Some(0), "{err}");
    let summary: serde_json::Value = serde_json::from_str(&out).unwrap();
    let keys: Vec<&str> = summary.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected =
        ["map", "cells", "pairs", "hidden", "visible", "unresolved", "seconds", "threads", "file_bytes"];
    expected.sort_unstable();
    assert_eq!(keys.iter().copied().collect::<std::collections::BTreeSet<_>>().len(), expected.len());
    assert!(expected.iter().all(|key| keys.contains(key)), "{keys:?}");

    let path = folder.path().join("two_rooms.pvs");
    let baked = Baked::load(&path).unwrap();
    assert_eq!(summary["hidden"], baked.pvs.counts().hidden);
    assert_eq!(summary["pairs"], baked.pvs.counts().pairs());
    assert_eq!(summary["threads"], 1);
    assert_eq!(summary["file_bytes"], std::fs::metadata(&path).unwrap().len());
    assert!(baked.pvs.counts().hidden > 0 && baked.pvs.counts().visible > 0);
}

#[test]
fn the_same_source_gives_the_same_bytes_again_and_from_its_own_bake() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.ron"), standin::source(4.0)).unwrap();
    let bake = |args: &[&str]| {
        let (code, out, err) = fogwall(folder.path(), args);
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains("two rooms") && err.is_empty(), "no bar in a pipe: {err}");
    };
    bake(&["bake", "a.ron", "--threads", "1", "-o", "one.pvs"]);
    bake(&["bake", "a.ron", "--threads", "3", "-o", "three.pvs"]);
    bake(&["bake", "a.ron", "--from", "one.pvs", "-o", "from.pvs"]);
    bake(&["bake", "a.ron", "--draft", "-o", "draft.pvs"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("one.pvs") == read("three.pvs") && read("one.pvs") == read("from.pvs"));
    assert!(Baked::from_bytes(&read("draft.pvs")).unwrap().draft);
}

#[test]
fn an_earlier_bake_is_taken_over_for_its_own_source_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let source = standin::source(4.0);
    std::fs::write(folder.path().join("a.ron"), &source).unwrap();
    let told_apart = standin::bake(&source);
    told_apart.save(folder.path().join("own.pvs")).unwrap();
    standin::bake(&standin::source(3.0)).save(folder.path().join("other.pvs")).unwrap();
    let classes = |from: &str| {
        let (code, _, err) = fogwall(folder.path(), &["bake", "a.ron", "--from", from]);
        assert_eq!(code, Some(0), "{err}");
        Baked::load(folder.path().join("a.pvs")).unwrap().pvs
    };
    assert!(classes("own.pvs") == told_apart.pvs);
    assert!(classes("other.pvs") != told_apart.pvs);
}

#[test]
fn a_faulty_source_gives_no_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.ron"), "(version: 1").unwrap();
    let (code, _, err) = fogwall(folder.path(), &["bake", "a.ron"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("a.ron"), "{err}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let (code, _, err) = fogwall(folder.path(), &["bake", "a.ron", "--from", "none.pvs"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("none.pvs"), "{err}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_bake_with_130_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    // Pillars in a wide hall: far more work than the wait before the interrupt.
    let pillars: String = (0..2_500)
        .map(|k| {
            let (x, y) =
                (f64::from(k % 50) * 5.0 + 1.5, f64::from(k / 50) * 5.0 + 1.3 + f64::from(k % 7) * 0.3);
            format!("Cylinder(id: \"p{k}\", center: ({x:?}, {y:?}), radius: 0.6, z: (0.0, 4.0)),")
        })
        .collect();
    let hall = standin::source(4.0)
        .replace("solids: [", &format!("solids: [{pillars}"))
        .replace("6.0, 0.0, 0.0", "250.0, 0.0, 0.0")
        .replace("6.0, 6.0, 0.3333333333", "250.0, 250.0, 0.0")
        .replace("0.0, 6.0, 0.3333333333", "0.0, 250.0, 0.0");
    std::fs::write(folder.path().join("a.ron"), hall).unwrap();
    let child = start(folder.path(), &["bake", "a.ron"]);
    std::thread::sleep(Duration::from_millis(1_500));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn watching_bakes_again_on_a_change_and_outlives_a_faulty_source() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("a.ron");
    std::fs::write(&source, standin::source(4.0)).unwrap();
    let mut child = start(folder.path(), &["bake", "a.ron", "--watch", "--json"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut hidden = || -> u64 {
        let line = lines.next().unwrap().unwrap();
        serde_json::from_str::<serde_json::Value>(&line).unwrap()["hidden"].as_u64().unwrap()
    };
    let long = hidden();
    std::fs::write(&source, "(version: 1").unwrap();
    std::thread::sleep(Duration::from_millis(500));
    std::fs::write(&source, standin::source(2.0)).unwrap();
    let short = hidden();
    assert!(short < long, "{short} hidden behind the short wall, {long} behind the long one");
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("watching a.ron; Ctrl-C ends it\n"), "{said}");
    assert_eq!(Baked::load(folder.path().join("a.pvs")).unwrap().pvs.counts().hidden, short);
}

#[test]
fn no_spelling_of_its_path_makes_a_command_overwrite_what_it_reads() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let source = standin::source(4.0);
    let (map, picture) = (folder.path().join("a.ron"), folder.path().join("a.svg"));
    std::fs::write(&map, &source).unwrap();
    std::fs::write(&picture, &source).unwrap();
    let whole = map.to_string_lossy().into_owned();
    for command in [
        ["bake", "a.ron", "-o", "a.ron"],
        ["bake", "a.ron", "-o", "./a.ron"],
        ["bake", "a.ron", "-o", "sub/../a.ron"],
        ["bake", "./a.ron", "-o", &whole],
        ["render", "a.svg", "-o", "./a.svg"],
    ] {
        let (code, _, err) = fogwall(folder.path(), &command);
        assert!(code == Some(1) && err.contains("would take the place of its source"), "{command:?}: {err}");
    }
    let tiled = "<map/>";
    std::fs::write(folder.path().join("a.tmx"), tiled).unwrap();
    let (code, _, err) = fogwall(folder.path(), &["import", "a.tmx", "-o", "./a.tmx"]);
    assert!(code == Some(1) && err.contains("would take the place of its source"), "{err}");
    assert_eq!(std::fs::read_to_string(&map).unwrap(), source);
    assert_eq!(std::fs::read_to_string(&picture).unwrap(), source);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.tmx")).unwrap(), tiled);
}

#[test]
fn a_map_on_which_nobody_can_stand_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let solid =
        "Prism(id: \"all\", outline: [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)], z: (-1.0, 9.0)),";
    let floor =
        "floors: [(outline: [(-2.0, -2.0, 0.0), (2.0, -2.0, 0.0), (2.0, 2.0, 0.0), (-2.0, 2.0, 0.0)])],";
    let source = standin::source(4.0);
    let head = &source[..source.find("solids:").unwrap()];
    std::fs::write(folder.path().join("full.ron"), format!("{head}solids: [{solid}], doors: [], {floor})"))
        .unwrap();
    let (code, out, err) = fogwall(folder.path(), &["bake", "full.ron"]);
    assert!(code == Some(0) && err.contains("nobody can stand"), "{err}");
    assert!(out.contains("0 cells") && !out.contains('%') && !out.contains("µs"), "{out}");
}

#[test]
fn where_nothing_is_hidden_it_is_said_how_high_an_eye_is() {
    let folder = tempfile::tempdir().unwrap();
    let low = standin::source(4.0).replace("z: (-inf, 9.0)", "z: (-inf, 1.0)");
    std::fs::write(folder.path().join("low.ron"), low).unwrap();
    std::fs::write(folder.path().join("high.ron"), standin::source(4.0)).unwrap();
    let said = |map: &str| fogwall(folder.path(), &["bake", map]).1;
    assert!(said("low.ron").contains("nothing is hidden: in a jump an eye is 2.80 m over its floor"));
    assert!(!said("high.ron").contains("nothing is hidden"));
}

#[test]
fn an_earlier_bake_of_which_nothing_can_be_taken_over_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let source = standin::source(4.0);
    let save = |name: &str, source: &str| standin::bake(source).save(folder.path().join(name)).unwrap();
    std::fs::write(folder.path().join("a.ron"), &source).unwrap();
    save("own.pvs", &source);
    save("moved.pvs", &standin::source(3.0));
    save("quicker.pvs", &source.replace("max_speed: 6.0", "max_speed: 7.0"));
    save(
        "other.pvs",
        &source
            .replace("0.0, 0.0, 0.0", "0.0, 0.0, 8.0")
            .replace("0.3333333333", "8.0")
            .replace("6.0, 0.0, 0.0", "6.0, 0.0, 8.0"),
    );
    let said = |args: &[&str]| {
        let (code, _, err) = fogwall(folder.path(), &[&["bake", "a.ron", "--from"], args].concat());
        assert_eq!(code, Some(0), "{err}");
        err
    };
    for taken in ["own.pvs", "moved.pvs"] {
        assert_eq!(said(&[taken]), "");
    }
    let full = |why: &str| {
        format!("note: nothing of the earlier bake can be taken over ({why}): this is a full bake\n")
    };
    assert_eq!(said(&["quicker.pvs"]), full("its player or cell_size differs"));
    assert_eq!(said(&["own.pvs", "--draft"]), full("it is no draft"));
    assert_eq!(said(&["other.pvs"]), full("no cell of it is a cell of this map"));
}
