//! Matches of bots that move as is hardest for a filter, on the arenas: nothing comes late.

use crate::duel;
use fogwall::{
    Baked, Manner, Map, RecordingWriter, ReplayOptions, Simulation, SimulationCounts, SimulationOptions,
};
use std::path::Path;

const ARENAS: [&str; 3] = ["foundry", "harbour", "terraces"];
/// Edge of the cells, metres: these are baked in seconds, and what they hide less the window test makes up for.
const CELL_M: f64 = 2.0;

fn effort() -> f64 {
    std::env::var("FOGWALL_EFFORT").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0)
}

fn arena(name: &str) -> Map {
    let path = format!("{}/maps/arena_{name}.ron", env!("CARGO_MANIFEST_DIR"));
    let map = Map::load(path).unwrap_or_else(|errors| panic!("{errors}")).map;
    Map { cell_size: CELL_M, ..map }
}

fn write(path: &Path, baked: &Baked, seconds: f64) -> SimulationCounts {
    let options = SimulationOptions {
        manner: Manner::Adversary,
        seconds,
        tick_hz: 64.0,
        seed: 7,
        ..SimulationOptions::default()
    };
    let mut simulation = Simulation::new(&baked.map, &baked.solids, &baked.cells, options).unwrap();
    let mut writer = RecordingWriter::create(path, simulation.header()).unwrap();
    for line in simulation.by_ref() {
        writer.tick(&line).unwrap();
    }
    writer.finish().unwrap();
    simulation.counts()
}

#[test]
fn nothing_is_late_on_the_arenas_against_the_hardest_motions() {
    let (arenas, rtts, seconds): (&[_], &[f64], _) =
        if effort() >= 2.0 { (&ARENAS, &[20.0, 60.0, 120.0], 60.0) } else { (&ARENAS[..1], &[60.0], 15.0) };
    let mut wrong = Vec::new();
    for name in arenas {
        let setting = duel::baked(arena(name));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let counts = write(&path, &setting.0, seconds);
        assert!(counts.leaps > 0 && counts.crouches > 0, "{counts:?}");
        for &rtt_ms in rtts {
            let options = ReplayOptions { rtt_ms: Some(rtt_ms), ..ReplayOptions::default() };
            let report = duel::play(&path, &setting, options, None).report;
            println!(
                "{name:<10} {rtt_ms:>4} ms: late {} of {}, outside limits {}, deep exposed {:.2} % of {}",
                report.late_transitions,
                report.transitions,
                report.outside_limits,
                100.0 * report.deep_share(),
                report.deep_hidden_pair_ticks,
            );
            assert!(report.transitions > 50 && report.deep_hidden_pair_ticks > 1000, "{report:?}");
            if report.late_transitions + report.late_pair_ticks + report.late_beyond_lead > 0 {
                wrong.push(format!("{name} at {rtt_ms} ms: {report:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
