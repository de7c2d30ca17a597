//! `fogwall replay` and `fogwall audit`: what they write, the page in a browser, the text and the gate.

use crate::duel;
use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A replay of the two at the window, in a directory.
fn replayed(folder: &Path) -> PathBuf {
    let (baked, _) = duel::setting("window");
    let (bake, recording, out) =
        (folder.join("window.pvs"), folder.join("match.jsonl.gz"), folder.join("out"));
    baked.save(&bake).unwrap();
    duel::write(&recording, 800);
    let output = fogwall(&["replay", text(&recording), "--map", text(&bake), "-o", text(&out)]);
    assert!(output.0 == Some(0) && output.1.contains("late      0 of"), "{output:?}");
    out
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn fogwall(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("fogwall").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_report_has_the_figures_that_a_gate_names() {
    let folder = tempfile::tempdir().unwrap();
    let out = replayed(folder.path());
    let report: Value = serde_json::from_slice(&std::fs::read(out.join("report.json")).unwrap()).unwrap();
    for key in [
        "ticks",
        "pairs",
        "transitions",
        "late_transitions",
        "late_pair_ticks",
        "visible_pair_ticks",
        "hidden_pair_ticks",
        "exposed_pair_ticks",
        "deep_hidden_pair_ticks",
        "deep_exposed_pair_ticks",
        "ideal_deep_exposed_pair_ticks",
        "outside_limits",
        "late_beyond_lead",
        "sight_ns_per_pair",
    ] {
        assert!(report[key].is_number(), "{key}");
    }
    for key in ["lead_ms", "bytes_per_tick", "tick_us", "hidden_by", "hashes"] {
        assert!(report[key].is_object(), "{key}");
    }
    let gate = |limits: &str| fogwall(&["audit", text(&out), "--fail-on", limits]);
    let (code, said, _) = gate("late>0,late-ticks>0,beyond-lead>0");
    assert_eq!((code, said.lines().filter(|line| line.starts_with("ok ")).count()), (Some(0), 3), "{said}");
    let (code, said, _) = gate("late>0,exposed>0.0001");
    assert!(code == Some(1) && said.contains("FAILED exposed"), "{said}");
    let (code, _, said) = gate("lateness>0");
    assert!(code == Some(2) && said.contains("known are late"), "{said}");
    for (report, wanted) in
        [("{\"pairs\": 1}", "late is not measured"), ("{\"pairs\": 0}", "no pair was judged")]
    {
        std::fs::write(out.join("report.json"), report).unwrap();
        let (code, _, said) = gate("late>0");
        assert!(code == Some(1) && said.contains(wanted), "{said}");
    }
}

#[test]
fn a_stretch_is_told_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let out = replayed(folder.path());
    let (code, said, _) =
        fogwall(&["audit", text(&out), "--observer", "0", "--entity", "1", "--ticks", "100..112"]);
    assert_eq!(code, Some(0));
    insta::assert_snapshot!(said);
    let (code, _, said) = fogwall(&["audit", text(&out), "--observer", "7"]);
    assert!(code == Some(1) && said.contains("7.jsonl"), "{said}");
    let (code, _, said) = fogwall(&["audit", text(&out), "--observer", "0", "--ticks", "50..40"]);
    assert!(code == Some(2) && said.contains("no tick"), "{said}");
    let (_, said, _) = fogwall(&["audit", text(&out), "--observer", "0", "--ticks", "100..101"]);
    assert!(said.contains("own 0 · Granted(owner)") && said.contains("enemy 1 · Sighted"), "{said}");
}

#[test]
fn a_bake_of_another_map_is_refused_unless_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let (bake, recording) = (folder.path().join("thin.pvs"), folder.path().join("match.jsonl"));
    duel::setting("thin_wall").0.save(&bake).unwrap();
    duel::write(&recording, 40);
    let args = ["replay", text(&recording), "--map", text(&bake)];
    let (code, _, said) = fogwall(&args);
    assert!(code == Some(1) && said.contains("of map \"window\""), "{said}");
    let (code, said, _) = fogwall(&[&args[..], &["--any-map"]].concat());
    assert_eq!(code, Some(0), "{said}");
}

/// What the page says of itself in a browser, at a place that the hash names; none where there is no browser.
fn state(page: &Path, hash: &str) -> Option<Value> {
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    let is_there = |name: &&&str| {
        let mut version = std::process::Command::new(name);
        version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    let Some(browser) = browsers.iter().find(is_there) else {
        println!("no browser: the page is not opened");
        return None;
    };
    let profile = tempfile::tempdir().unwrap();
    let output = std::process::Command::new(browser)
        .args(["--headless", "--no-sandbox", "--dump-dom", "--virtual-time-budget=8000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}{hash}", page.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, rest) =
        dom.split_once("data-state=\"").unwrap_or_else(|| panic!("the page says nothing:\n{dom:.2000}"));
    let json = rest.split_once('"').unwrap().0.replace("&quot;", "\"").replace("&amp;", "&");
    Some(serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}")))
}

#[test]
fn the_page_opens_plays_jumps_and_filters_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let page = replayed(folder.path()).join("report.html");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.len() < 1 << 20 && !html.contains("@DATA@") && !html.contains("http://fonts"));
    let Some(opened) = state(&page, "#test=1") else { return };
    assert_eq!((opened["frame"].as_u64(), opened["error"].is_null()), (Some(0), true), "{opened}");
    let found = opened["findings"].as_u64().unwrap();
    assert!(found > 0, "{opened}");
    let at = |hash: &str| state(&page, hash).unwrap();
    let jumped = at("#finding=0&test=1");
    assert!(jumped["frame"].as_u64() > Some(0) && jumped["finding"] == 0, "{jumped}");
    // A browser without a screen draws when it likes: it is given more time where it was late.
    let mut plays =
        [1, 2, 4, 8].map(|seconds| format!("#frame=10&play=1&observer=1&test={seconds}")).into_iter();
    let played = plays.by_ref().map(|hash| at(&hash)).find(|played| played["frame"].as_u64() > Some(10));
    let played = played.expect("it plays on");
    assert!(
        played["frame"].as_u64() > Some(10) && played["observer"] == 1 && played["playing"] == true,
        "{played}"
    );
    let filtered = at("#kinds=late&test=1");
    assert_eq!(filtered["findings_shown"], 0, "nothing is late: {filtered}");
}
