//! Replays: what clients received, what came late, and what other filters would have told.

mod arenas;
mod command;
mod duel;

use fogwall::{Baseline, Faults, LinkOptions, Recording, ReplayOptions, ReplayOutput, Replica, replay};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;

const MAP: &str = "window";

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn nothing_is_late_on_a_good_link_at_any_round_trip_and_little_is_told_too_much() {
    let (folder, setting) = (tempfile::tempdir().unwrap(), duel::setting(MAP));
    let match_path = folder.path().join("match.jsonl.gz");
    duel::write(&match_path, 1500);
    for rtt_ms in [20.0, 60.0, 120.0] {
        let options = ReplayOptions { rtt_ms: Some(rtt_ms), ..ReplayOptions::default() };
        let report = duel::play(&match_path, &setting, options, None).report;
        assert_eq!((report.ticks, report.cuts), (1500, 1));
        assert!(report.transitions > 10 && report.hidden_pair_ticks > 500, "{report:?}");
        let late =
            [report.late_transitions, report.late_pair_ticks, report.outside_limits, report.late_beyond_lead];
        assert_eq!(late, [0; 4], "at {rtt_ms} ms");
        assert_eq!(report.ideal_checked[1], 0, "the ideal filter tells of nobody that Fogwall hides");
        let asked_ms = rtt_ms + 2.0 * 1000.0 / 64.0;
        assert!(report.lead_ms.p1 >= rtt_ms && (report.asked_lead_ms - asked_ms).abs() < 1e-9);
    }
}

#[test]
fn other_filters_are_late_or_tell_more() {
    let (folder, setting) = (tempfile::tempdir().unwrap(), duel::setting(MAP));
    let match_path = folder.path().join("match.jsonl");
    duel::write(&match_path, 1500);
    let play = |filter| {
        let options = ReplayOptions { filter, ..ReplayOptions::default() };
        duel::play(&match_path, &setting, options, None).report
    };
    let (own, none) = (play(Baseline::Fogwall), play(Baseline::None));
    let same = |report: &fogwall::Report| (report.pairs, report.transitions, report.visible_pair_ticks);
    assert_eq!(none.exposed_pair_ticks, none.hidden_pair_ticks, "everything is told");
    assert_eq!((same(&own), none.late_transitions), (same(&none), 0));
    let rays = play(Baseline::HeadFeet);
    assert!(rays.late_transitions > 0 && rays.exposed_pair_ticks < own.exposed_pair_ticks, "{rays:?}");
    let radius = play(Baseline::Radius);
    assert_eq!(radius.exposed_pair_ticks, radius.hidden_pair_ticks, "the map is smaller than the radius");
    let pvs = play(Baseline::Pvs);
    assert!(
        pvs.exposed_pair_ticks > own.exposed_pair_ticks && pvs.exposed_pair_ticks < none.exposed_pair_ticks
    );
    assert!(none.bytes_per_tick.mean > own.bytes_per_tick.mean);
}

#[test]
fn what_came_late_on_a_bad_link_is_explained_by_the_link() {
    let (folder, setting) = (tempfile::tempdir().unwrap(), duel::setting(MAP));
    let match_path = folder.path().join("match.jsonl");
    duel::write(&match_path, 3000);
    let link = LinkOptions { loss: 0.2, jitter_ms: 8.0, duplicates: 0.05, reorder: 0.05, seed: 3 };
    let options = ReplayOptions { link, ..ReplayOptions::default() };
    let report = duel::play(&match_path, &setting, options, None).report;
    assert_eq!(report.late_transitions, 0, "{report:?}");
    assert!(report.datagrams[1] > 500, "a fifth is lost");
    let again = duel::play(&match_path, &setting, options, None).report;
    assert_eq!(report.datagrams, again.datagrams, "the same seed, the same fates");
}

#[test]
fn what_is_written_of_a_replay_is_what_the_datagrams_say() {
    let (folder, setting) = (tempfile::tempdir().unwrap(), duel::setting(MAP));
    let (match_path, out) = (folder.path().join("match.jsonl.gz"), folder.path().join("out"));
    duel::write(&match_path, 600);
    let replayed = duel::play(&match_path, &setting, ReplayOptions::default(), Some(&out));
    assert!(replayed.reel.is_some());
    let received = lines(&out.join("received/0.jsonl"));
    assert!(received.is_sorted_by(|a, b| a["tick"].as_u64() < b["tick"].as_u64()));

    // The datagrams, decoded again by a replica of our own.
    let bytes = fs::read(out.join("packets/0.bin")).unwrap();
    let mut replica = Replica::new(std::sync::Arc::clone(setting.1.schema()));
    let (mut at, mut created, mut sum) = (0, 0, 0);
    while at < bytes.len() {
        let number = |from: usize| u64::from_le_bytes(bytes[from..from + 8].try_into().unwrap());
        let length = u32::from_le_bytes(bytes[at + 16..at + 20].try_into().unwrap()) as usize;
        assert!(number(at + 8) > number(at), "it arrives later than it was sent");
        created += replica.receive(&bytes[at + 20..at + 20 + length]).unwrap().created.len();
        (at, sum) = (at + 20 + length, sum + length as u64);
    }
    let all = |key: &str| received.iter().map(|line| line[key].as_array().map_or(0, Vec::len)).sum::<usize>();
    assert_eq!(created, all("created"));
    assert_eq!(sum, received.iter().map(|line| line["packet_bytes"].as_u64().unwrap()).sum::<u64>());

    // A place of the enemy is received only where it was told, and is where it was.
    let enemy = |line: &Value| -> Vec<Value> {
        let entries =
            ["created", "updated"].into_iter().flat_map(|key| line[key].as_array().into_iter().flatten());
        entries.filter(|entry| entry["entity"] == 1).cloned().collect()
    };
    let told: Vec<(u64, Value)> = received
        .iter()
        .flat_map(|line| enemy(line).into_iter().map(|entry| (line["server_tick"].as_u64().unwrap(), entry)))
        .collect();
    assert!(told.len() > 50 && told.iter().all(|(_, entry)| entry["fields"]["health"].is_null()));
    let truth = Recording::open(&match_path).unwrap();
    let mut places = std::collections::BTreeMap::new();
    let mut reader = truth;
    while let Some(line) = reader.read().unwrap() {
        if let fogwall::Line::Tick(tick) = line {
            places.insert(u64::from(tick.tick), tick.entities[1].pos);
        }
    }
    for (tick, entry) in told.iter().filter(|(_, entry)| entry["level"] == "seen") {
        if let Some(pos) = entry["fields"]["pos"].as_array() {
            let off = (pos[1].as_f64().unwrap() - places[tick][1]).abs();
            assert!(off <= 0.0051, "tick {tick}: {off} m");
        }
    }
    assert!(all("sounds") > 3, "shots are heard");
}

#[test]
fn a_faulty_line_is_named_and_may_be_left_out() {
    let (folder, setting) = (tempfile::tempdir().unwrap(), duel::setting(MAP));
    let match_path = folder.path().join("match.jsonl");
    duel::write(&match_path, 200);
    let text = fs::read_to_string(&match_path).unwrap();
    let mut file = fs::File::create(&match_path).unwrap();
    for (index, line) in text.lines().enumerate() {
        let faulty = line.replacen("\"alive\":true", "\"alive\":maybe", 1);
        writeln!(file, "{}", if index == 40 { &faulty } else { line }).unwrap();
    }
    drop(file);
    let play = |faults| {
        let options = ReplayOptions { faults, ..ReplayOptions::default() };
        let output = ReplayOutput { directory: None, reel: false, progress: &mut |_, _| true };
        replay(Recording::open(&match_path).unwrap(), &setting.0, &setting.1, options, output)
    };
    let error = play(Faults::Stop).err().expect("a faulty line ends it").to_string();
    assert!(error.contains("match.jsonl:41:") && error.contains("expected"), "{error}");
    let report = play(Faults::Skip).unwrap_or_else(|error| panic!("{error}")).report;
    assert_eq!((report.faulty_lines, report.ticks), (1, 199));
}

#[test]
fn names_that_the_rules_do_not_have_are_errors() {
    let (folder, setting) = (tempfile::tempdir().unwrap(), duel::setting(MAP));
    let match_path = folder.path().join("match.jsonl");
    duel::write(&match_path, 20);
    let text = fs::read_to_string(&match_path).unwrap();
    for (from, to, wanted) in [
        ("\"class\":\"player\"", "\"class\":\"plyer\"", "no class is called \"plyer\""),
        ("\"version\":1", "\"version\":7", "version 7"),
        ("\"tick_hz\"", "\"tickhz\"", "unknown field"),
        ("\"tick\":103", "\"tick\":101", "does not come after"),
    ] {
        fs::write(&match_path, text.replace(from, to)).unwrap();
        let told = match Recording::open(&match_path) {
            Err(error) => error.to_string(),
            Ok(recording) => {
                let output = ReplayOutput { directory: None, reel: false, progress: &mut |_, _| true };
                let ended = replay(recording, &setting.0, &setting.1, ReplayOptions::default(), output);
                ended.err().map_or(String::new(), |error| error.to_string())
            }
        };
        assert!(told.contains(wanted), "{told}");
    }
}

#[test]
fn what_is_wrong_with_a_line_is_said_with_its_column_and_nothing_of_the_line_is_taken() {
    let (folder, setting) = (tempfile::tempdir().unwrap(), duel::setting(MAP));
    let match_path = folder.path().join("match.jsonl");
    duel::write(&match_path, 20);
    let text = fs::read_to_string(&match_path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let smoke = |id: &str| format!(r#"{{"id":"{id}","shape":"sphere","center":[0,0,0],"radius":2}}"#);
    let with = |more: String| lines[3].replacen("\"entities\"", &format!("{more},\"entities\""), 1);
    let cases = [
        (lines[3].replacen("\"health\":100", "\"health\":\"full\"", 1), "not a number", "{\"health\""),
        (lines[3].replacen("\"id\":1,", "\"id\":0,", 1), "entity 0 is named twice", "0,\"class\""),
        (lines[3].replacen("\"pos\":[3.0,", "\"pos\":[3e7,", 1), "beyond 1000000", "[3e7,"),
        (
            with(format!("\"occluders\":[{},{}]", smoke("a"), smoke("a"))),
            "\"a\" is named twice",
            "\"a\",\"shape\"",
        ),
        (with("\"doors\":[{\"id\":\"gate\",\"open\":true}]".to_owned()), "no door", "\"gate\""),
        (with("\"observers\":[{\"id\":1,\"rtt_ms\":-4}]".to_owned()), "from 0 to 1000", "-4}]"),
        (with("\"removed\":[7]".to_owned()), "is not there", "7],"),
    ];
    for (line, what, at) in cases {
        let faulty: Vec<&str> =
            lines[..3].iter().chain([&line.as_str()]).chain(&lines[4..]).copied().collect();
        fs::write(&match_path, faulty.join("\n")).unwrap();
        let play = |faults| {
            let options = ReplayOptions { faults, ..ReplayOptions::default() };
            let output = ReplayOutput { directory: None, reel: false, progress: &mut |_, _| true };
            replay(Recording::open(&match_path).unwrap(), &setting.0, &setting.1, options, output)
        };
        let error = play(Faults::Stop).err().unwrap_or_else(|| panic!("{line} is faulty")).to_string();
        let column = if at.starts_with("\"a\"") { line.rfind(at) } else { line.find(at) };
        let column = match what {
            "entity 0 is named twice" => line.rfind(at),
            _ => column,
        };
        let place = format!("match.jsonl:4:{}: ", column.unwrap() + 1);
        assert!(error.contains(&place) && error.contains(what), "{error}\n{place}\n{line}");
        assert_eq!(play(Faults::Skip).unwrap_or_else(|error| panic!("{error}")).report.faulty_lines, 1);
    }
}

#[test]
fn an_observer_that_changes_keeps_what_its_line_does_not_say() {
    let (folder, setting) = (tempfile::tempdir().unwrap(), duel::setting(MAP));
    let match_path = folder.path().join("match.jsonl");
    duel::write(&match_path, 300);
    let whole = duel::play(&match_path, &setting, ReplayOptions::default(), None).report;
    let text = fs::read_to_string(&match_path).unwrap();
    let change = "\"observers\":[{\"id\":0,\"rtt_ms\":60}],\"entities\"";
    let lines = text.lines().map(|line| {
        let is_one = line.contains("\"tick\":150,");
        if is_one { line.replacen("\"entities\"", change, 1) } else { line.to_owned() }
    });
    let lines: Vec<String> = lines.collect();
    fs::write(&match_path, lines.join("\n")).unwrap();
    let changed = duel::play(&match_path, &setting, ReplayOptions::default(), None).report;
    assert_eq!((changed.pairs, changed.transitions), (whole.pairs, whole.transitions));
    assert_eq!(changed.verdicts, whole.verdicts);
}

#[test]
fn fields_that_the_rules_do_not_list_are_counted_and_who_gets_nothing_has_an_empty_file() {
    let (folder, setting) = (tempfile::tempdir().unwrap(), duel::setting(MAP));
    let (match_path, out) = (folder.path().join("match.jsonl"), folder.path().join("out"));
    duel::write(&match_path, 50);
    let text = fs::read_to_string(&match_path).unwrap();
    let text = text.replace("\"health\":100", "\"health\":100,\"mood\":\"grim\"");
    let caster = "{\"id\":9,\"kind\":\"caster\",\"delay_ms\":60000},{\"id\":0,";
    fs::write(&match_path, text.replacen("{\"id\":0,", caster, 1)).unwrap();
    let report = duel::play(&match_path, &setting, ReplayOptions::default(), Some(&out)).report;
    assert_eq!(report.fields_unknown.get("player.mood"), Some(&100));
    for name in ["received/9.jsonl", "packets/9.bin"] {
        assert_eq!(fs::metadata(out.join(name)).unwrap().len(), 0, "{name}");
    }
}
