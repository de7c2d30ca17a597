//! `fogwall check`: what people see, what programs get, and the exit codes.
#![cfg(feature = "cli")]

use assert_cmd::Command;
use std::path::Path;

const BAD: &str = r#"(
    version: 1,
    name: "bad",
    cell_size: 0.0,
    player: (
        radius: 0.41, height: 1.53, eye_standing: 1.63, eye_crouched: 1.17, jump: 1.45, step: 0.46,
        max_speed: 8.3, max_accel: 50.0, jump_speeed: 7.67, gravity: 20.3, crouch_time: "x",
    ),
    solids: [
        Prism(id: "bow", outline: [(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)], z: (0.0, 2.0)),
        Prism(id: "bow", outline: [(0.0, 0.0), (4.0, 0.0), (4.0, 1e999)], z: (3.0, 2.0)),
        Prism(id: "holed", outline: [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)],
              holes: [[(1.0, 1.0), (5.0, 1.0), (5.0, 2.0)], [(7.0, 7.0), (8.0, 7.0), (8.0, 8.0)]], z: (0.0, 2.0)),
    ],
)
"#;

/// Runs `fogwall check` with `args` in a folder that holds `map` as `map.ron`.
fn check(map: &str, args: &[&str]) -> std::process::Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("map.ron"), map).unwrap();
    let mut command = Command::cargo_bin("fogwall").unwrap();
    command.current_dir(folder.path()).arg("check").arg("map.ron").args(args).output().unwrap()
}

fn corpus(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("maps").join(name)).unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn errors_are_shown_with_their_lines_and_exit_with_1() {
    let output = check(BAD, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    insta::assert_snapshot!(text(output.stderr));
}

#[test]
fn warnings_are_shown_and_exit_with_0_unless_denied() {
    let map = corpus("slit_1cm_is_warned_of.ron");
    let output = check(&map, &[]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(output.stdout), "map.ron: 2 solids, 0 doors, 1 floor, 0 errors, 1 warning\n");
    insta::assert_snapshot!(text(output.stderr));
    assert_eq!(check(&map, &["--deny-warnings"]).status.code(), Some(1));
}

#[test]
fn notes_are_no_warnings() {
    let output = check(&corpus("gap_under_2mm_welds.ron"), &["--deny-warnings"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(output.stdout).ends_with("0 errors, 0 warnings, 1 note\n"));
}

#[test]
fn json_is_the_same_as_data() {
    let output = check(BAD, &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.is_empty());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = json["findings"].as_array().unwrap();
    assert_eq!(json["errors"].as_u64(), Some(findings.len() as u64));
    assert_eq!(json["warnings"].as_u64(), Some(0));
    insta::assert_snapshot!(serde_json::to_string_pretty(&findings[4]).unwrap());
    let clean = check(&corpus("window.ron"), &["--json"]);
    assert_eq!(clean.status.code(), Some(0));
    let json: serde_json::Value = serde_json::from_slice(&clean.stdout).unwrap();
    assert_eq!(json["findings"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_file_that_is_not_there_is_an_error_in_both_forms() {
    let run =
        |args: &[&str]| Command::cargo_bin("fogwall").unwrap().arg("check").args(args).output().unwrap();
    let output = run(&["no_such_map.ron"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(output.stderr).contains("error[unreadable]"));
    let json: serde_json::Value =
        serde_json::from_slice(&run(&["no_such_map.ron", "--json"]).stdout).unwrap();
    assert_eq!(json["findings"][0]["code"], "unreadable");
}

#[test]
fn many_findings_are_cut_for_people_and_whole_for_programs() {
    let solids = "Cylinder(id: \"same\", center: (0.0, 0.0), radius: 1.0, z: (0.0, 2.0)),\n".repeat(100);
    let map = corpus("thin_wall.ron").replace("solids: [", &format!("solids: [\n{solids}"));
    let output = check(&map, &[]);
    assert!(text(output.stderr).contains("... and 60 more"));
    let json: serde_json::Value = serde_json::from_slice(&check(&map, &["--json"]).stdout).unwrap();
    assert_eq!(json["findings"].as_array().map(Vec::len), Some(100));
}

#[test]
fn one_endless_line_and_foreign_bytes_can_be_shown() {
    let long = BAD.replace('\n', " ").replace("\"bad\"", &format!("\"{}\u{1b}[31m\"", "é".repeat(3_000)));
    let output = check(&long, &[]);
    assert_eq!(output.status.code(), Some(1));
    let shown = text(output.stderr);
    assert!(shown.contains("error[self-crossing]") && !shown.contains('\u{1b}'));
    assert!(shown.lines().all(|line| line.len() < 600), "no line is endless");
}

#[test]
fn a_mistyped_field_or_kind_is_one_error_with_a_suggestion() {
    let map = corpus("thin_wall.ron").replace(
        "solids: [",
        "solids: [\n
        Prism(id: \"a\", outlin: [(90.0, 0.0), (91.0, 0.0), (91.0, 1.0)], Z: (0.0, 2.0)),
        Cilinder(id: \"b\", center: (90.0, 5.0), radius: 1.0, z: (0.0, 2.0)),
        Sphere(id: \"c\", center: (90.0, 9.0), radius: 1.0),
        Cylinder(id: \"f\", center: (90.0, 30.0), radius: 1.0, height: (0.0, 2.0)),
        (id: \"d\", outline: [(90.0, 0.0), (91.0, 0.0), (91.0, 1.0)], z: (0.0, 2.0)),
        Wall(id: \"e\", from: (90.0, 20.0), to: (90.0, 20.0), thickness: 0.2, z: (0.0, 2.0)),\n",
    );
    let output = check(&map, &[]);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(text(output.stderr));
}

#[test]
fn names_are_short_and_move_no_cursor() {
    let map = corpus("thin_wall.ron");
    let long = "x".repeat(257);
    for (name, code) in
        [("\u{1b}[31mred", "control-character"), ("a\\nb", "control-character"), (&long, "long-name")]
    {
        let solid = format!("Cylinder(id: \"{name}\", center: (50.0, 0.0), radius: 1.0, z: (0.0, 2.0)),");
        let area = format!("areas: [(name: \"{name}\", outline: [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)])],");
        let spawn = format!("spawns: [(team: \"{name}\", at: (1.0, 1.0, 0.0)),");
        let (head, tail) = map.split_at(map.find("solids: [").unwrap());
        let sources = [
            map.replace("solids: [", &format!("solids: [{solid}")),
            format!("{head}{area}{tail}"),
            map.replace("spawns: [", &spawn),
            map.replacen("name: \"", &format!("name: \"{name}"), 1),
        ];
        for source in sources {
            let output = check(&source, &["--json"]);
            let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(json["errors"], 1, "{json}");
            assert_eq!(json["findings"][0]["code"], code, "{json}");
        }
    }
}

#[test]
fn a_map_on_which_nobody_can_stand_or_that_no_bake_can_hold_is_warned_of() {
    let map = corpus("window.ron");
    let block = "Prism(id: \"all\", outline: [(-99.0, -99.0), (99.0, -99.0), (99.0, 99.0), (-99.0, 99.0)], z: (-9.0, 9.0)),";
    let code = |map: &str| {
        let output = check(map, &["--json"]);
        assert_eq!(output.status.code(), Some(0));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let codes = json["findings"].as_array().unwrap().iter().map(|finding| finding["code"].to_string());
        codes.collect::<Vec<_>>().join(" ")
    };
    assert!(code(&map.replace("solids: [", &format!("solids: [{block}"))).contains("nobody-stands"));
    assert_eq!(code(&map), "");
    // A ceiling as wide as the floor: by their areas alone, the floor might be covered.
    let wide = map.replace("(12.0, 0.0, 0.0), (12.0, 12.0, 0.0)", "(99.0, 0.0, 0.0), (99.0, 99.0, 0.0)");
    let wide = wide.replace("name: \"window\",", "name: \"window\", cell_size: 0.2,");
    let roofed =
        wide.replace("solids: [", &format!("solids: [{}", block.replace("(-9.0, 9.0)", "(50.0, 51.0)")));
    assert!(code(&roofed).contains("no-bake"), "{}", code(&roofed));
}

#[test]
fn thousands_of_floors_over_each_other_are_checked_in_time() {
    let floor = |storey: i32| {
        let z = storey * 4;
        format!("(outline: [(0, 0, {z}), (1, 0, {z}), (1, 1, {z}), (0, 1, {z})]),")
    };
    let tower: String = (0..4_000).map(floor).collect();
    let map = corpus("window.ron").replace("floors: [", &format!("floors: [{tower}"));
    let start = std::time::Instant::now();
    assert_eq!(check(&map, &[]).status.code(), Some(0));
    assert!(start.elapsed().as_secs() < 60, "took {:?}", start.elapsed());
}
