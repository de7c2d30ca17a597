//! Real matches, replayed: nothing comes late on a good link, and what is told too much is printed beside the ideal.
//!
//! `FOGWALL_EFFORT=2` plays all five matches whole, at three round trips; less plays the beginning of two at one.

mod lossy;
mod pieces;

use fogwall::{
    BakeOptions, Baked, Cells, DEFAULT_HEARABLE_RADIUS_M, DEFAULT_RULES, Hearable, Map, Quiet, Recording,
    ReplayError, ReplayOptions, ReplayOutput, Report, Rules, Solids, bake, replay,
};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

const MATCHES: [(&str, &str); 5] = [
    ("de_dust2", "m08_de_dust2"),
    ("freedm_map18", "freedm_map18"),
    ("de_mirage", "m09_de_mirage"),
    ("de_nuke", "m05_de_nuke"),
    ("freedm_map06", "freedm_map06"),
];
/// Of each match, where little is to be done: its first lines.
const FEW_LINES: usize = 5000;

fn data() -> Option<PathBuf> {
    let near = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = std::env::var_os("FOGWALL_DATA").map_or_else(near, PathBuf::from);
    let is_there = folder.join("recordings").is_dir();
    if !is_there {
        println!("skipped: no real data");
    }
    is_there.then_some(folder)
}

fn effort() -> f64 {
    std::env::var("FOGWALL_EFFORT").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0)
}

fn baked_of(map: Map) -> Baked {
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).unwrap();
    let pvs = bake(&map.player, map.cell_size, &solids, &cells, BakeOptions::default(), &Quiet).unwrap();
    let hearable = Hearable::build(&map, &solids, &cells, DEFAULT_HEARABLE_RADIUS_M);
    Baked::new(map, solids, cells, pvs, hearable, false)
}

/// A match and its map.
struct Scene {
    baked: Arc<Baked>,
    path: PathBuf,
    _folder: tempfile::TempDir,
}

/// A match of the real data, whole or its beginning; made once for all tests.
fn scene((map, recording): &(&'static str, &'static str)) -> Option<&'static Scene> {
    static SCENES: [OnceLock<Option<Scene>>; MATCHES.len()] = [const { OnceLock::new() }; MATCHES.len()];
    let place = MATCHES.iter().position(|(other, _)| other == map)?;
    let made = SCENES[place].get_or_init(|| {
        let data = data()?;
        let source = data.join(format!("maps/{map}.ron"));
        let map = Map::load(source).unwrap_or_else(|errors| panic!("{errors}")).map;
        let folder = tempfile::tempdir().unwrap();
        let whole = data.join(format!("recordings/{recording}.jsonl.gz"));
        let path = if effort() >= 2.0 { whole } else { shortened(&whole, folder.path()) };
        Some(Scene { baked: Arc::new(baked_of(map)), path, _folder: folder })
    });
    made.as_ref()
}

/// The beginning of a match, as a file of its own.
fn shortened(path: &Path, folder: &Path) -> PathBuf {
    let file = std::fs::File::open(path).unwrap();
    let short = folder.join("short.jsonl");
    let mut out = std::fs::File::create(&short).unwrap();
    for line in BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines().take(FEW_LINES) {
        writeln!(out, "{}", line.unwrap()).unwrap();
    }
    short
}

fn rules() -> Arc<Rules> {
    let rules = Rules::parse(DEFAULT_RULES, "rules.ron").unwrap_or_else(|errors| panic!("{errors}"));
    Arc::new(rules.rules)
}

fn play(path: &Path, baked: &Arc<Baked>, rules: &Arc<Rules>, rtt_ms: f64) -> Result<Report, ReplayError> {
    let options = ReplayOptions { rtt_ms: Some(rtt_ms), ..ReplayOptions::default() };
    let output = ReplayOutput { directory: None, reel: false, progress: &mut |_, _| true };
    Ok(replay(Recording::open(path)?, baked, rules, options, output)?.report)
}

#[test]
fn nothing_comes_late_in_real_matches() {
    let rules = rules();
    let (matches, rtts): (&[_], &[f64]) =
        if effort() >= 2.0 { (&MATCHES, &[20.0, 60.0, 120.0]) } else { (&MATCHES[..2], &[60.0]) };
    let mut wrong = Vec::new();
    for name in matches {
        let Some(scene) = scene(name) else { return };
        let recording = name.1;
        for &rtt_ms in rtts {
            let report =
                play(&scene.path, &scene.baked, &rules, rtt_ms).unwrap_or_else(|error| panic!("{error}"));
            let percent = |part: u64| 100.0 * part as f64 / report.deep_hidden_pair_ticks.max(1) as f64;
            println!(
                "{recording:<16} {rtt_ms:>4} ms: late {} of {}, outside limits {}, deep exposed {:.2} % (ideal {:.2} %), lead \
                 p50 {:.0} ms, sight {:.0} ns a pair",
                report.late_transitions,
                report.transitions,
                report.outside_limits,
                percent(report.deep_exposed_pair_ticks),
                percent(report.ideal_deep_exposed_pair_ticks.unwrap_or(0)),
                report.lead_ms.p50,
                report.sight_ns_per_pair,
            );
            assert!(
                report.transitions > 10 && report.deep_hidden_pair_ticks > 1000,
                "{recording} shows something"
            );
            if report.late_transitions > 0 {
                wrong.push(format!("{recording} at {rtt_ms} ms: {} late", report.late_transitions));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
