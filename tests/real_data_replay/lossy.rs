//! On bad links every late one is explained by losses: more ticks in a row than the rules survive.

use crate::{MATCHES, effort, rules, scene};
use fogwall::{LinkOptions, Recording, ReplayOptions, ReplayOutput, replay};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Ticks that what was lost may lie before what came late: until the server knows of the loss and says it again.
const RESEND_TICKS: u64 = 24;

/// The ticks of whose datagrams one arrived, as the files have them.
fn arrived(path: &Path) -> BTreeSet<u64> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let mut ticks = BTreeSet::new();
    let mut rest = &bytes[..];
    while let Some((head, after)) = rest.split_at_checked(20) {
        ticks.insert(u64::from_le_bytes(head[..8].try_into().unwrap()));
        rest = &after[u32::from_le_bytes(head[16..].try_into().unwrap()) as usize..];
    }
    ticks
}

#[test]
fn what_comes_late_on_a_bad_link_was_lost_more_often_in_a_row_than_the_rules_survive() {
    let is_whole = effort() >= 2.0;
    let (matches, losses): (&[_], &[f64]) =
        if is_whole { (&MATCHES, &[0.02, 0.1]) } else { (&MATCHES[..1], &[0.1]) };
    let rules = rules();
    let survived = u64::from(rules.settings().lead.loss_ticks);
    for name in matches {
        let Some(scene) = scene(name) else { return };
        for &loss in losses {
            let folder = tempfile::tempdir().unwrap();
            let link = LinkOptions { loss, jitter_ms: 8.0, ..LinkOptions::default() };
            let options = ReplayOptions { link, rtt_ms: Some(60.0), ..ReplayOptions::default() };
            let output =
                ReplayOutput { directory: Some(folder.path()), reel: false, progress: &mut |_, _| true };
            let recording = Recording::open(&scene.path).unwrap();
            let report = replay(recording, &scene.baked, &rules, options, output)
                .unwrap_or_else(|error| panic!("{error}"))
                .report;
            println!(
                "{:<16} loss {loss}: late {} of {}, by loss {}, beyond lead {}, outside limits {}; late pair ticks {}",
                name.1,
                report.late_transitions,
                report.transitions,
                report.late_by_loss,
                report.late_beyond_lead,
                report.outside_limits,
                report.late_pair_ticks,
            );
            assert_eq!(report.late_transitions, 0, "{} at a loss of {loss}", name.1);
            assert!(loss < 0.1 || report.late_by_loss > 0 || !is_whole, "some are lost twice in a row");
            let found = std::fs::read_to_string(folder.path().join("findings.jsonl")).unwrap();
            let mut observers: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
            for line in found.lines() {
                let finding: Value = serde_json::from_str(line).unwrap();
                if finding["cause"] != "lost" {
                    continue;
                }
                let number = |key: &str| finding[key].as_u64().unwrap();
                let observer = number("observer");
                let ticks = observers
                    .entry(observer)
                    .or_insert_with(|| arrived(&folder.path().join(format!("packets/{observer}.bin"))));
                let until = number("tick") + number("ticks");
                let mut row = 0;
                let longest = (until.saturating_sub(RESEND_TICKS)..until).map(|tick| {
                    row = if ticks.contains(&tick) { 0 } else { row + 1 };
                    row
                });
                assert!(longest.max() > Some(survived), "{} at a loss of {loss}: {line}", name.1);
            }
        }
    }
}
