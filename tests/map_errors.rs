//! Every kind of error of a map source is found, at its place, and all of them in one run.

use fogwall::{Limits, Map, MapErrors};
use proptest::prelude::*;
use std::fmt::Write;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

const PLAYER: &str = "player: (radius: 0.41, height: 1.83, eye_standing: 1.63, eye_crouched: 1.17, jump: 1.45, \
    step: 0.46, max_speed: 8.3, max_accel: 50.0, jump_speed: 7.67, gravity: 20.3, crouch_time: 0.125)";

/// A map with these solids.
fn with_solids(solids: &str) -> String {
    format!("(\n version: 1,\n name: \"m\",\n {PLAYER},\n solids: [\n{solids}\n ],\n)")
}

/// A map with one prism of this outline and these holes.
fn with_outline(outline: &str, holes: &str) -> String {
    with_solids(&format!("Prism(id: \"a\", outline: {outline}, holes: {holes}, z: (0, 2))"))
}

/// A map with one good block and these other fields.
fn with_fields(fields: &str) -> String {
    with_solids(BLOCK).replace(" version", &format!("{fields}\n version"))
}

/// A map whose player has `from` replaced by `to`.
fn with_player(from: &str, to: &str) -> String {
    assert!(PLAYER.contains(from), "{from}");
    with_solids(BLOCK).replace(from, to)
}

const BLOCK: &str = "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2))";
const SQUARE: &str = "[(0, 0), (4, 0), (4, 4), (0, 4)]";

fn errors(source: &str) -> MapErrors {
    match Map::parse(source, "m.ron") {
        Ok(_) => panic!("this loads:\n{source}"),
        Err(errors) => errors,
    }
}

/// The codes of all errors of a source, in their order.
fn codes(source: &str) -> Vec<&'static str> {
    errors(source).errors.iter().map(|e| e.problem.code()).collect()
}

/// Kind of error, and solids that have it.
const WRONG_SOLIDS: &[(&str, &str)] = &[
    ("unknown-field", "Prism(id: \"a\", outlin: [], outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2))"),
    ("missing-field", "Prism(outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2))"),
    ("repeated-field", "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2), z: (0, 2))"),
    ("wrong-type", "Prism(id: 7, outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2))"),
    ("wrong-type", "Prism(id: \"a\", outline: [(0, 0, 0), (4, 0, 0), (4, 3, 0)], z: (0, 2))"),
    ("wrong-type", "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: 2)"),
    ("wrong-type", "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2), blocks: [Light])"),
    ("wrong-type", "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2), ext: 3)"),
    ("unknown-kind", "Sphere(id: \"a\")"),
    ("unknown-kind", "Cilinder(id: \"a\", center: (0, 0), radius: 1, z: (0, 2))"),
    ("unknown-field", "Prism(id: \"a\", outlin: [(0, 0), (4, 0), (4, 3)], z: (0, 2))"),
    ("wrong-type", "(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2))"),
    ("control-character", "Prism(id: \"a\\n\", outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2))"),
    ("wrong-type", "7"),
    ("unknown-field", "block: Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2))"),
    ("not-finite", "Prism(id: \"a\", outline: [(0, 0), (inf, 0), (4, 3)], z: (0, 2))"),
    ("not-finite", "Prism(id: \"a\", outline: [(0, 0), (4, NaN), (4, 3)], z: (0, 2))"),
    ("not-finite", "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (0, 1e999))"),
    ("not-finite", "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (NaN, 1))"),
    ("not-finite", "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (0, Plane(inf, 0, 0)))"),
    ("out-of-range", "Prism(id: \"a\", outline: [(0, 0), (4e5, 0), (4, 3)], z: (0, 2))"),
    ("out-of-range", "Cylinder(id: \"a\", center: (0, 0), radius: 0, z: (0, 2))"),
    ("out-of-range", "Wall(id: \"a\", from: (0, 0), to: (4, 0), thickness: -0.1, z: (0, 2))"),
    ("wall-without-length", "Wall(id: \"a\", from: (1, 1), to: (1, 1), thickness: 0.1, z: (0, 2))"),
    ("reversed-heights", "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (2, 1))"),
    ("reversed-heights", "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (inf, inf))"),
    ("reversed-heights", "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (2, Plane(0, 0.1, 0)))"),
    ("empty-blocks", "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2), blocks: [])"),
    ("syntax", "Prism(id: \"a\" outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2))"),
    ("syntax", "Prism(id: \"a\", outline: , z: (0, 2))"),
    ("syntax", "Prism(id: \"a\", outline: [(0, 0), (4, 0), (4, 3)), z: (0, 2))"),
    ("syntax", "Prism(id: \"a, outline: [(0, 0), (4, 0), (4, 3)], z: (0, 2))"),
    ("syntax", "/* Prism"),
];

/// Kind of error, an outline and its holes.
const WRONG_OUTLINES: &[(&str, &str, &str)] = &[
    ("degenerate-outline", "[(0, 0), (4, 0)]", "[]"),
    ("degenerate-outline", "[(0, 0), (4, 0), (2, 0)]", "[]"),
    ("degenerate-outline", "[]", "[]"),
    ("self-crossing", "[(0, 0), (4, 4), (4, 0), (0, 4)]", "[]"),
    ("self-crossing", "[(0, 0), (4, 0), (2, 2), (4, 4), (0, 4), (2, 2)]", "[]"),
    ("self-crossing", "[(0, 0), (4, 0), (4, 4), (4, 1)]", "[]"),
    ("self-crossing", SQUARE, "[[(1, 1), (3, 3), (3, 1), (1, 3)]]"),
    ("degenerate-outline", SQUARE, "[[(1, 1), (2, 2), (3, 3)]]"),
    ("hole-outside", SQUARE, "[[(5, 5), (6, 5), (6, 6)]]"),
    ("hole-outside", SQUARE, "[[(-1, -1), (5, -1), (5, 5), (-1, 5)]]"),
    ("hole-crosses-outline", SQUARE, "[[(1, 1), (6, 1), (6, 2)]]"),
    ("holes-overlap", SQUARE, "[[(1, 1), (3, 1), (3, 3)], [(2, 1.5), (3.5, 1.5), (2, 3.5)]]"),
    ("holes-overlap", SQUARE, "[[(1, 1), (3, 1), (3, 3), (1, 3)], [(1.5, 1.5), (2, 1.5), (2, 2)]]"),
    ("holes-overlap", SQUARE, "[[(1, 1), (3, 1), (3, 3)], [(1, 1), (3, 1), (3, 3)]]"),
];

/// Kind of error, and fields of the map.
const WRONG_FIELDS: &[(&str, &str)] = &[
    ("out-of-range", "cell_size: 0,"),
    ("out-of-range", "cell_size: 1e-9,"),
    ("unknown-field", "cellsize: 1,"),
    ("wrong-type", "floors: (),"),
    ("wrong-type", "floors: [(outline: [(0, 0), (1, 0), (1, 1)])],"),
    ("self-crossing", "floors: [(outline: [(0, 0, 0), (4, 4, 0), (4, 0, 0), (0, 4, 0)])],"),
    ("missing-field", "areas: [(outline: [(0, 0), (1, 0), (1, 1)])],"),
    ("not-finite", "spawns: [(team: \"red\", at: (0, 0, inf))],"),
    ("too-many-cells", "cell_size: 0.05, floors: [(outline: [(0, 0, 0), (99, 0, 0), (99, 99, 0)])],"),
    ("duplicate-id", "doors: [Cylinder(id: \"a\", center: (0, 0), radius: 1, z: (0, 2))],"),
];

/// Kind of error, a measure of the player and what stands in its place.
const WRONG_PLAYERS: &[(&str, &str, &str)] = &[
    ("out-of-range", "radius: 0.41", "radius: 0"),
    ("out-of-range", "step: 0.46", "step: -1"),
    ("out-of-range", "gravity: 20.3", "gravity: 0"),
    ("out-of-range", "radius: 0.41", "radius: 20.5"),
    ("missing-field", "step: 0.46,", ""),
    ("player-contradiction", "eye_standing: 1.63", "eye_standing: 2"),
    ("player-contradiction", "eye_crouched: 1.17", "eye_crouched: 1.7"),
];

/// One source for each way to be wrong.
fn wrong_sources() -> Vec<(&'static str, String)> {
    let good = with_solids(BLOCK);
    let mut all = vec![
        ("unknown-version", good.replace("version: 1", "version: 2")),
        ("missing-field", good.replace("version: 1,", "")),
        ("empty-map", with_solids("")),
        ("syntax", String::new()),
        ("syntax", "[1, 2]".into()),
        ("syntax", good.replace(" ],\n)", " ],\n))")),
        ("syntax", good.replace(" ],\n)", " ],")),
    ];
    all.extend(WRONG_SOLIDS.iter().map(|&(code, solids)| (code, with_solids(solids))));
    all.extend(WRONG_OUTLINES.iter().map(|&(code, outline, holes)| (code, with_outline(outline, holes))));
    all.extend(WRONG_FIELDS.iter().map(|&(code, fields)| (code, with_fields(fields))));
    all.extend(WRONG_PLAYERS.iter().map(|&(code, from, to)| (code, with_player(from, to))));
    all
}

#[test]
fn each_kind_of_error_is_found_alone() {
    for (code, source) in wrong_sources() {
        assert_eq!(codes(&source), [code], "{}\n{source}", errors(&source));
    }
}

#[test]
fn each_error_says_what_where_and_what_to_do() {
    let mut all = String::new();
    for (_, source) in wrong_sources() {
        for e in errors(&source).errors {
            writeln!(all, "{}:{} [{}] {}: {}", e.line, e.column, e.problem.code(), e.element, e.problem)
                .unwrap();
            writeln!(all, "    {}", e.problem.hint()).unwrap();
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn the_map_that_the_others_are_made_of_loads() {
    let loaded = Map::parse(with_solids(BLOCK), "m.ron").unwrap();
    assert_eq!(loaded.map.player.lean, 0.0);
    assert_eq!(loaded.map.player.sight_radius, 0.41);
    assert_eq!(loaded.map.cell_size, 1.0);
    let floor = &loaded.map.floors[0].outline;
    assert_eq!((floor[0].x, floor[0].y, floor[0].z), (-1.0, -1.0, 0.0));
    assert_eq!((floor[2].x, floor[2].y), (5.0, 4.0));
}

#[test]
fn all_problems_are_found_in_one_run() {
    let source = with_fields("cell_size: -1, spawns: [(team: 3, at: (0, 0))],")
        .replace("radius: 0.41", "radius: x")
        .replace("(4, 3)], z: (0, 2)", "(inf, 3)], holes: 3, z: (2, 1), blocks: []");
    let expected = [
        "out-of-range",
        "wrong-type",
        "wrong-type",
        "wrong-type",
        "not-finite",
        "wrong-type",
        "reversed-heights",
        "empty-blocks",
    ];
    assert_eq!(codes(&source), expected, "{}", errors(&source));
}

#[test]
fn an_error_names_file_line_column_and_element() {
    let good = "Cylinder(id: \"ok\", center: (0, 0), radius: 1, z: (0, 2)),";
    let source =
        with_solids(&format!("{good}\n   Cylinder(id: \"crate_2\", center: (0, 0), radius: -1, z: (0, 2))"));
    let text = errors(&source).to_string();
    assert_eq!(text, "m.ron:7:52: solids[1] \"crate_2\": radius is -1, but must be above 0");
}

#[test]
fn limits_are_errors() {
    let limits = Limits { elements: 2, vertices: 12, ..Limits::default() };
    let three =
        [1, 2, 3].map(|i| format!("Cylinder(id: \"{i}\", center: (0, 0), radius: {i}, z: (0, 2)),")).concat();
    let long = with_outline(
        SQUARE,
        "[[(1, 1), (2, 1), (2, 2)], [(1, 3), (1, 2), (2, 3)], [(3, 1), (3, 2), (3.5, 2)]]",
    );
    for source in [with_solids(&three), long] {
        let errors = Map::parse_within(source.as_bytes(), "m.ron", &limits).unwrap_err();
        assert_eq!(errors.errors[0].problem.code(), "too-many", "{errors}");
    }
    let limits = Limits { file_bytes: 100, ..Limits::default() };
    let errors = Map::parse_within(with_solids(BLOCK).as_bytes(), "m.ron", &limits).unwrap_err();
    assert_eq!(errors.errors[0].problem.code(), "file-too-long");
}

#[test]
fn bytes_that_are_no_text_and_files_that_are_not_there_are_errors() {
    let mut bytes = with_solids(BLOCK).into_bytes();
    bytes[20] = 0xff;
    let not_text = Map::parse(bytes, "m.ron").unwrap_err();
    assert_eq!((not_text.errors[0].problem.code(), not_text.errors[0].line), ("not-text", 3));
    let missing = Map::load("no/such/map.ron").unwrap_err();
    assert_eq!(missing.errors[0].problem.code(), "unreadable");
}

/// Runs a hostile source; it must end soon, however loaded the machine is.
fn ends_soon(source: &str) -> Result<(), MapErrors> {
    let start = Instant::now();
    let outcome = Map::parse(source, "hostile.ron").map(|_| ());
    assert!(start.elapsed() < Duration::from_secs(60), "took {:?}", start.elapsed());
    outcome
}

#[test]
fn hostile_nesting_is_an_error_and_no_overflow() {
    for open in ["(", "[", "{", "ext: {a: (", "/*"] {
        assert!(ends_soon(&open.repeat(500_000)).is_err());
        assert!(ends_soon(&format!("(ext: {})", open.repeat(500_000))).is_err());
    }
}

#[test]
fn hostile_lists_of_errors_are_cut() {
    let errors = ends_soon(&with_solids(&"x,".repeat(300_000))).unwrap_err();
    assert_eq!(errors.errors.len(), 10_000);
    assert_eq!(errors.omitted, 290_000);
    assert!(ends_soon(&with_solids(&",".repeat(300_000))).is_err());
}

#[test]
fn hostile_outlines_end_in_time() {
    let star = |n: usize| -> String {
        let points = (0..n).map(|i| {
            let turn = (i * (n / 2 - 1)) as f64 / n as f64 * std::f64::consts::TAU;
            format!("({:.4}, {:.4}),", 1000.0 * turn.cos(), 1000.0 * turn.sin())
        });
        format!("[{}]", points.collect::<String>())
    };
    let star = ends_soon(&with_outline(&star(40_001), "[]")).unwrap_err();
    assert_eq!(star.errors[0].problem.code(), "self-crossing");
    let comb: String = (0..30_000).map(|i| format!("({}, {}),", f64::from(i) * 0.01, (i % 2) * 90)).collect();
    let comb = format!("[{comb}(300, -1), (0, -1)]");
    assert!(ends_soon(&with_outline(&comb, "[]")).is_ok());
}

#[test]
fn thousands_of_solids_that_overlap_are_searched_in_time() {
    let solids: String = (0..20_000)
        .map(|i| format!("Cylinder(id: \"{i}\", center: ({i}e-4, 0), radius: 9, z: (0, 2)),"))
        .collect();
    let loaded = Map::parse(with_solids(&solids), "hostile.ron").unwrap();
    assert!(loaded.warnings.iter().any(|w| w.problem.code() == "search-stopped"));
}

/// The smaller maps of the corpus, read once.
static SOURCES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let corpus = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/maps")).unwrap();
    let mut maps: Vec<String> =
        corpus.map(|e| e.unwrap().path()).filter_map(|p| std::fs::read_to_string(p).ok()).collect();
    maps.retain(|m| m.len() < 6_000);
    maps.sort();
    maps
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_mutated_source_loads_or_fails_but_never_panics(
        pick in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8, "[-()\\[\\]{},:\"'/*#r0-9.einfNaPx \n\\\\é]{0,3}"), 1..6),
    ) {
        let maps = &*SOURCES;
        let mut text: Vec<char> = maps[pick.index(maps.len())].chars().collect();
        for (at, remove, insert) in edits {
            let at = at.index(text.len());
            let end = (at + usize::from(remove)).min(text.len());
            text.splice(at..end, insert.chars());
            prop_assume!(!text.is_empty());
        }
        let text: String = text.into_iter().collect();
        if let Err(errors) = Map::parse(&text, "m.ron") {
            prop_assert!(!errors.errors.is_empty());
            for e in &errors.errors {
                prop_assert!(e.span.start <= text.len() && text.is_char_boundary(e.span.start));
                prop_assert!(e.line >= 1 && e.column >= 1);
            }
        }
    }
}
