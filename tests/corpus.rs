//! Every map of the corpus loads, and warns of just what it is there to show.

mod common;

use common::sources::corpus;
use fogwall::Map;
use std::fmt::Write;

#[test]
fn the_corpus_has_a_map_for_each_rule() {
    assert!(corpus().len() >= 30);
}

#[test]
fn every_map_loads_and_is_named_as_its_file() {
    for path in corpus() {
        let loaded = Map::load(&path).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(Some(loaded.map.name.as_str()), path.file_stem().and_then(|s| s.to_str()));
    }
}

#[test]
fn every_map_says_at_its_head_what_it_shows() {
    for path in corpus() {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("// "), "{}", path.display());
    }
}

#[test]
fn the_corpus_warns_of_what_it_is_there_to_show() {
    let mut all = String::new();
    for path in corpus() {
        let loaded = Map::load(&path).unwrap_or_else(|e| panic!("{e}"));
        for w in loaded.warnings {
            writeln!(all, "{}:{}: {}: {}", loaded.map.name, w.line, w.element, w.problem).unwrap();
        }
    }
    insta::assert_snapshot!(all);
}
