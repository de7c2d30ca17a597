//! What the README shows is true: its map loads, its test command is the one that is run. Its Rust is a doctest.

use fogwall::Map;
use std::path::Path;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The text of the first block of `language`.
fn block<'a>(text: &'a str, language: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("\n```{language}\n")).expect("there is such a block");
    rest.split_once("\n```").expect("it ends").0
}

#[test]
fn the_map_of_the_readme_loads_without_a_warning() {
    let loaded = Map::parse(block(&read("README.md"), "ron"), "README.md").unwrap_or_else(|e| panic!("{e}"));
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    assert_eq!((loaded.map.solids.len(), loaded.map.doors.len(), loaded.map.spawns.len()), (4, 1, 2));
}

#[test]
fn the_tests_are_run_as_the_readme_says() {
    let (_, tests) =
        read("README.md").split_once("The tests:\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let command = block(&tests, "sh").to_owned();
    assert!(read(".ci/run").contains(&format!("\n{command} ")), "{command:?} is not what .ci/run runs");
}

#[test]
fn files_that_the_readme_names_are_there() {
    let text = read("README.md");
    let named: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || "`()[]".contains(c))
        .filter(|word| ["docs/", "src/", "maps/", "LICENSE-"].iter().any(|start| word.starts_with(start)))
        .collect();
    assert!(named.len() > 5, "{named:?}");
    for path in named {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists(), "{path} is not there");
    }
}
