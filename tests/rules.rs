//! The default rules hold, and every kind of mistake in rules is found, at its place, all in one run.

use fogwall::{
    BodyVolume, ClassId, DEFAULT_RULES, Disclosure, Encoding, Field, FieldRules, FieldSource, Level, Rules,
    RulesErrors, RulesSource, Schema,
};
use proptest::prelude::*;
use std::fmt::Write;

fn default_rules() -> Rules {
    let loaded = Rules::parse(DEFAULT_RULES, "rules.ron").unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(loaded.warnings, vec![]);
    loaded.rules
}

/// The default rules with the first `from` replaced by `to`.
fn with(from: &str, to: &str) -> String {
    assert!(DEFAULT_RULES.contains(from), "{from}");
    DEFAULT_RULES.replacen(from, to, 1)
}

fn errors(text: &str) -> RulesErrors {
    match Rules::parse(text, "rules.ron") {
        Ok(_) => panic!("these hold:\n{text}"),
        Err(errors) => errors,
    }
}

const PLAYER_VEL: &str = "(name: \"vel\", encoding: Velocity(step_mps: 0.05, limit_mps: 40.0), owner: Exact, team: Exact, seen: Exact)";
const HEALTH: &str = "(name: \"health\", encoding: Int(min: 0, max: 255), owner: Exact, team: Exact)";

/// The code of the one error, and what in the default rules becomes what.
const WRONG: &[(&str, &str, &str)] = &[
    ("unknown-version", "version: 1", "version: 2"),
    ("missing-field", "hold_ms: 250.0,", ""),
    ("missing-field", "always: Hidden),", "),"),
    ("unknown-field", "hold_ms: 250.0,", "hold_ms: 250.0, hold: 1,"),
    ("wrong-type", "mode: Enforce", "mode: Enforced"),
    ("wrong-type", "team: Team,", "team: Friend,"),
    ("wrong-type", "spotted: Grid(4.0)", "spotted: Coarse(4.0)"),
    ("wrong-type", "Angle(bits: 12)", "Angle(bits: 12, turns: 1)"),
    ("not-finite", "hold_ms: 250.0", "hold_ms: inf"),
    ("out-of-range", "hold_ms: 250.0", "hold_ms: -1.0"),
    ("out-of-range", "mtu_bytes: 1200", "mtu_bytes: 9000"),
    ("out-of-range", "enter_bytes: 600", "enter_bytes: 0"),
    ("out-of-range", "padding: None", "padding: Bucket(5000)"),
    ("out-of-range", "notice_ticks: 16", "notice_ticks: 64"),
    ("out-of-range", "extent_m: 512.0", "extent_m: 0.0"),
    ("out-of-range", "base: 0.5", "base: 0.0"),
    ("out-of-range", "every_ticks: 8", "every_ticks: 32"),
    ("out-of-range", "leave: Never", "leave: Timeout(ticks: 8)"),
    ("out-of-range", "wall_factor: 0.6", "wall_factor: 1.5"),
    ("out-of-order", "rtt_min_ms: 5.0", "rtt_min_ms: 151.0"),
    ("out-of-order", "leave_m: 160.0", "leave_m: 140.0"),
    ("out-of-order", "within_m: 12.0, step_m: 2.0", "within_m: 5.0, step_m: 2.0"),
    ("out-of-order", "within_m: 40.0, every_ticks: 4", "within_m: 40.0, every_ticks: 9"),
    ("out-of-range", "name: \"weapon\"", "name: \"\""),
    ("out-of-range", "name: \"round\"", "name: \"\""),
    ("encoding", "[\"standing\", \"crouched\"]", "[\"standing\", \"standing\"]"),
    ("duplicate-name", "name: \"weapon\"", "name: \"player\""),
    ("duplicate-name", "name: \"pitch\"", "name: \"yaw\""),
    ("unknown-name", "carried_by: [\"player\"]", "carried_by: [\"plaier\"]"),
    ("unknown-name", "topic: \"damage_numbers\"", "topic: \"damage\""),
    ("unknown-name", "emitter: From(Seen)", "emitter: From(Hidden)"),
    ("unknown-name", "(name: \"health\",", "(name: \"health\", derived_from: \"blood\","),
    ("encoding", "Angle(bits: 12)", "Angle(bits: 25)"),
    (
        "own-state",
        "(name: \"yaw\", encoding: Angle(bits: 12)",
        "(name: \"yaw\", encoding: Int(min: 0, max: 359)",
    ),
    (
        "disclosure",
        "(name: \"alive\", encoding: Bool, owner: Exact, team: Exact, seen: Exact, spotted: Exact)",
        "(name: \"alive\", encoding: Bool, owner: Exact, team: Exact, seen: Exact, spotted: Grid(2.0))",
    ),
    (
        "not-monotone",
        HEALTH,
        "(name: \"health\", encoding: Int(min: 0, max: 255), owner: Exact, spotted: Exact)",
    ),
    (
        "not-nested",
        HEALTH,
        "(name: \"health\", encoding: Int(min: 0, max: 255), owner: Exact, team: Grid(20), seen: Grid(30))",
    ),
    ("not-nested", "within_m: 25.0, step_m: 4.0", "within_m: 25.0, step_m: 5.0"),
    (
        "betrays",
        PLAYER_VEL,
        "(name: \"vel\", encoding: Velocity(step_mps: 0.05, limit_mps: 40.0), owner: Exact, team: Exact, seen: Exact, spotted: Exact)",
    ),
    (
        "betrays",
        PLAYER_VEL,
        "(name: \"vel\", encoding: Velocity(step_mps: 0.05, limit_mps: 40.0), owner: Exact, team: Exact, seen: Exact, spotted: Grid(2.0))",
    ),
    (
        "betrays",
        HEALTH,
        "(name: \"eye\", encoding: Position(step_m: 0.5), owner: Exact, team: Exact, seen: Exact, spotted: Exact)",
    ),
    (
        "betrays",
        HEALTH,
        "(name: \"area\", derived_from: \"pos\", encoding: Int(min: 0, max: 255), owner: Exact, team: Exact, seen: Exact, spotted: Exact)",
    ),
    (
        "carried-betrays",
        "(name: \"ammo\",",
        "(name: \"pos\", encoding: Position(step_m: 0.01), owner: Exact, team: Exact, seen: Exact, spotted: Grid(2.0)), (name: \"ammo\",",
    ),
    ("outside-body", "up_m: 0.1)", "up_m: -0.1, crouched_up_m: 0.1)"),
    ("unlimited", "sight: Pvs,", "sight: Always,"),
    ("no-body", "body: [(name: \"middle\", placing: Centre, up_m: 0.0)],", ""),
    ("audible-player", "motion: Player,", "motion: Player, audible: \"footstep\","),
    (
        "too-long",
        HEALTH,
        "(name: \"a\", encoding: Bytes(max: 255), owner: Exact), (name: \"b\", encoding: Bytes(max: 255), owner: Exact), \
        (name: \"c\", encoding: Bytes(max: 255), owner: Exact), (name: \"d\", encoding: Bytes(max: 255), owner: Exact), (name: \"e\", encoding: Bytes(max: 255), owner: Exact)",
    ),
];

#[test]
fn each_mistake_is_the_one_error_it_is_at_the_line_it_is_in() {
    for (code, from, to) in WRONG {
        let text = with(from, to);
        let found = errors(&text);
        let codes: Vec<_> = found.errors.iter().map(|e| e.problem.code()).collect();
        assert_eq!(codes, [*code], "{from} -> {to}\n{found}");
        let finding = &found.errors[0];
        assert!(!finding.problem.hint().is_empty());
        let lines = text.lines().zip(DEFAULT_RULES.lines());
        let changed = lines.enumerate().find(|(_, (a, b))| a != b).map_or(0, |(index, _)| index + 1);
        let is_near =
            finding.line == changed || ["duplicate-name", "missing-field", "no-body"].contains(code);
        let is_its_rest =
            ["not-nested", "too-long", "out-of-order", "outside-body", "unlimited"].contains(code);
        assert!(is_near || is_its_rest, "line {} for {changed}: {found}", finding.line);
    }
}

#[test]
fn all_mistakes_are_found_in_one_run() {
    let text = with("mode: Enforce", "mode: Enforced")
        .replacen("hold_ms: 250.0", "hold_ms: -3", 1)
        .replacen("name: \"pitch\"", "name: \"yaw\"", 1)
        .replacen("wall_factor: 1.0", "wall_factor: 2.0", 1)
        .replacen("radius_m: 60.0", "radius_m: \"far\"", 1);
    let codes: Vec<_> = errors(&text).errors.iter().map(|e| e.problem.code()).collect();
    assert_eq!(codes, ["wrong-type", "duplicate-name", "out-of-range", "wrong-type"]);
}

#[test]
fn errors_say_what_where_and_what_to_do() {
    let mut shown = String::new();
    for (_, from, to) in WRONG {
        let found = errors(&with(from, to));
        writeln!(shown, "{found}\n  hint: {}", found.errors[0].problem.hint()).unwrap();
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn what_no_row_names_is_withheld() {
    let rules = default_rules();
    let player = rules.class(rules.class_id("player").unwrap()).unwrap();
    let field = |name: &str| &player.fields.iter().find(|f| f.field.name == name).unwrap().field;
    assert_eq!(field("health").at(Level::Seen), Disclosure::Withheld);
    assert_eq!(field("pos").at(Level::Spotted), Disclosure::Grid(4.0));
    assert_eq!(field("pos").at(Level::Heard), Disclosure::Withheld);
    assert_eq!(field("pos").at(Level::Hidden), Disclosure::Withheld);
    let spotted = rules.schema().classes()[0].layout(Level::Spotted).unwrap();
    assert_eq!(spotted.columns().len(), 3);
}

#[test]
fn own_state_and_lent_values_have_their_places() {
    let rules = default_rules();
    let links = rules.class_links(ClassId(0)).unwrap();
    assert_eq!(links.sources[0], FieldSource::Position);
    assert_eq!((links.sources[7], links.values), (FieldSource::Value(0), 1));
    let weapon = rules.class_links(rules.class_id("weapon").unwrap()).unwrap();
    assert_eq!(weapon.sources, [FieldSource::Parent, FieldSource::Value(0), FieldSource::Value(1)]);
    assert_eq!(weapon.carried_by, [ClassId(0)]);
    let damage = rules.event_links(rules.event_id("damage").unwrap()).unwrap();
    assert_eq!(damage.topic, rules.topic_id("damage_numbers"));
    let steps = rules.sound(rules.sound_id("footstep").unwrap()).unwrap();
    assert_eq!([0.0, 6.0, 6.1, 99.0].map(|m| steps.band_at(m)), [0, 0, 1, 2]);
    assert_eq!(steps.precise_band(), Some(3));
}

#[test]
fn body_points_outside_the_baked_body_are_errors() {
    let fits = BodyVolume { sight_radius_m: 0.6, height_m: 1.83 };
    let small = BodyVolume { sight_radius_m: 0.41, height_m: 1.4 };
    let rules = default_rules();
    assert_eq!(rules.check_body(fits), Ok(()));
    assert!(Rules::parse_for(DEFAULT_RULES, "rules.ron", fits).is_ok());
    let found = Rules::parse_for(DEFAULT_RULES, "rules.ron", small).unwrap_err();
    let codes: Vec<_> = found.errors.iter().map(|e| (e.problem.code(), e.line > 1)).collect();
    // The head, and the muzzle's height.
    assert_eq!(codes, [("outside-body", true), ("outside-body", true)]);
    assert_eq!(rules.check_body(small).unwrap_err().errors.len(), 2);
    let narrow = BodyVolume { sight_radius_m: 0.38, height_m: 1.83 };
    assert_eq!(rules.check_body(narrow).unwrap_err().errors.len(), 1);
}

#[test]
fn rules_made_by_code_are_checked_as_those_of_a_file() {
    let source = default_rules().source().clone();
    let again = Rules::check(source.clone()).unwrap().rules;
    assert_eq!(again.schema(), default_rules().schema());
    let mut wrong: RulesSource = source;
    wrong.settings.hold_ms = f64::NAN;
    wrong.classes[0].fields.push(FieldRules {
        field: Field {
            name: "shadow".into(),
            encoding: Encoding::Position { step_m: 0.1 },
            levels: [Disclosure::Exact; 5],
        },
        derived_from: None,
    });
    wrong.classes[1].topic = Some("nothing".into());
    let found = Rules::check(wrong).unwrap_err();
    let shown = found.to_string();
    assert!(shown.contains("hold_ms must be a finite number"), "{shown}");
    assert!(shown.contains("classes[0] \"player\": field \"shadow\" betrays \"pos\" to spotted"), "{shown}");
    assert!(shown.contains("there is no topic \"nothing\""), "{shown}");
}

#[test]
fn a_field_told_to_nobody_is_warned_of() {
    let text = with(
        HEALTH,
        "(name: \"health\", encoding: Int(min: 0, max: 255)), (name: \"hum\", encoding: Bool, \
        owner: Exact, team: Exact, seen: Exact, spotted: Exact, heard: Exact)",
    );
    let loaded = Rules::parse(&text, "rules.ron").unwrap_or_else(|errors| panic!("{errors}"));
    let codes: Vec<_> = loaded.warnings.iter().map(|w| w.problem.code()).collect();
    assert_eq!(codes, ["never-told", "never-heard"]);
}

#[test]
fn a_client_builds_the_same_schema_from_bytes() {
    let rules = default_rules();
    let schema = Schema::from_bytes(&rules.schema().to_bytes()).unwrap();
    assert_eq!(&schema, &**rules.schema());
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(cut in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(), what in "[(){}\\[\\],:\"a-z0-9.-]{0,6}") {
        let starts: Vec<usize> = DEFAULT_RULES.char_indices().map(|(i, _)| i).collect();
        let (a, b) = (starts[cut.index(starts.len())], starts[other.index(starts.len())]);
        let text = format!("{}{what}{}", &DEFAULT_RULES[..a.min(b)], &DEFAULT_RULES[a.max(b).min(a.min(b) + 40)..]);
        if let Err(errors) = Rules::parse(&text, "rules.ron") {
            prop_assert!(!errors.errors.is_empty());
        }
    }
}
