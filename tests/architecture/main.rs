//! The crate's layers and walls hold, and the check that says so sees a breach.

mod rules;
mod scan;

use scan::Tree;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The `.rs` files under `folder`, by their path from the root, with their text.
fn files(folder: &str) -> Vec<(String, String)> {
    let mut open: Vec<PathBuf> = vec![root().join(folder)];
    let mut out = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
            out.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
    out.sort();
    out
}

/// A made-up crate: a `lib.rs` that declares the modules, and the files.
fn made_up(sources: &[(&str, &str)]) -> Tree {
    let own = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    Tree::new(sources.iter().map(own))
}

fn assert_none(breaches: &[String]) {
    assert!(breaches.is_empty(), "{} breaches:\n{}", breaches.len(), breaches.join("\n"));
}

fn assert_one(breaches: &[String], part: &str) {
    assert!(breaches.len() == 1 && breaches[0].contains(part), "wanted one with {part:?}: {breaches:#?}");
}

#[test]
fn imports_go_down_only_and_the_walls_stand() {
    let tree = Tree::new(files("src"));
    assert!(tree.files.len() > 20, "the sources were not found");
    assert_none(&rules::breaches(&tree));
}

#[test]
fn files_are_short_and_say_what_they_own() {
    let all: Vec<_> = ["src", "tests", "benches"]
        .iter()
        .filter(|f| root().join(f).exists())
        .flat_map(|f| files(f))
        .collect();
    assert_none(&all.iter().flat_map(|(path, text)| rules::form(path, text)).collect::<Vec<_>>());
}

#[test]
fn the_oracles_take_only_the_maps_data() {
    let oracle = files("tests").into_iter().filter(|(path, _)| path.starts_with("tests/oracle/"));
    assert_none(&oracle.flat_map(|(path, text)| rules::oracle(&path, &text)).collect::<Vec<_>>());
}

#[test]
fn an_import_that_goes_up_is_a_breach_however_it_is_written() {
    let map = ("src/map/mod.rs", "mod model; pub use model::Map;");
    let model = ("src/map/model.rs", "pub struct Map;");
    let root = ("src/lib.rs", "mod geom; mod map; pub use map::Map;");
    for text in [
        "use crate::map::Map;",
        "use crate::{map::{self, Map as M}};",
        "use crate::Map;",
        "fn f(map: &crate::map::Map) {}",
        "fn f() { let _ = super::map::Map; }",
        "fn f() { println!(\"{:?}\", crate::map::Map); }",
        "mod inner { use super::super::Map; }",
    ] {
        let breaches = rules::breaches(&made_up(&[root, map, model, ("src/geom.rs", text)]));
        assert!(!breaches.is_empty(), "not seen: {text}");
        assert!(breaches.iter().all(|b| b.contains("imports go down only")), "{breaches:?}");
    }
    let downwards =
        made_up(&[root, map, ("src/map/model.rs", "use crate::geom::P;"), ("src/geom.rs", "pub struct P;")]);
    assert_none(&rules::breaches(&downwards));
    let in_tests = "#[cfg(test)] mod tests { use crate::map::Map; }";
    assert_none(&rules::breaches(&made_up(&[root, map, model, ("src/geom.rs", in_tests)])));
}

#[test]
fn parry2d_outside_geom_is_a_breach() {
    let tree = made_up(&[
        ("src/map/mod.rs", "use parry2d::partitioning::Bvh;"),
        ("src/geom/a.rs", "use parry2d::na;"),
    ]);
    assert_one(&rules::breaches(&tree), "src/map/mod.rs: only geom may name parry2d");
}

#[test]
fn logic_in_the_root_is_a_breach() {
    let plain = made_up(&[
        (
            "src/lib.rs",
            "//! Doc.\n#![forbid(unsafe_code)]\nmod a; pub use a::B; pub mod b { pub use crate::a::C; }",
        ),
        ("src/a.rs", ""),
    ]);
    assert_none(&rules::breaches(&plain));
    assert_one(
        &rules::breaches(&made_up(&[("src/lib.rs", "mod a; fn f() {}"), ("src/a.rs", "")])),
        "1 items",
    );
}

#[test]
fn send_takes_disclosed_values_alone() {
    let filter = ("src/filter/mod.rs", "mod redact; pub use redact::Disclosed; pub enum Relevancy {}");
    let redact = ("src/filter/redact.rs", "pub struct Disclosed;");
    let good = made_up(&[filter, redact, ("src/send/mod.rs", "use crate::filter::Disclosed;")]);
    assert_none(&rules::breaches(&good));
    let bad = made_up(&[filter, redact, ("src/send/mod.rs", "use crate::filter::Relevancy;")]);
    assert_one(&rules::breaches(&bad), "all that send takes from filter");
    let world = [("src/world.rs", "pub struct Entity;"), ("src/send/mod.rs", "use crate::world::Entity;")];
    assert_one(&rules::breaches(&made_up(&world)), "hidden from send");
}

#[test]
fn the_replica_and_the_wire_never_see_the_world() {
    let world = ("src/world.rs", "pub struct Entity;");
    let wire = made_up(&[world, ("src/wire/mod.rs", "use crate::world::Entity;")]);
    assert!(rules::breaches(&wire).iter().any(|b| b.contains("hidden from wire")));
    let replica = made_up(&[world, ("src/replica.rs", "use crate::world::Entity;")]);
    assert_one(&rules::breaches(&replica), "uses ids, tick, wire only");
}

#[test]
fn stages_of_a_filter_never_import_each_other() {
    let top = ("src/filter/mod.rs", "mod cull; mod lead; pub struct Relevancy;");
    let lead = ("src/filter/lead.rs", "use super::Relevancy; pub struct Reach;");
    let bad = made_up(&[top, lead, ("src/filter/cull.rs", "use super::lead::Reach;")]);
    assert_one(&rules::breaches(&bad), "another stage");
    assert_none(&rules::breaches(&made_up(&[top, lead, ("src/filter/cull.rs", "use super::Relevancy;")])));
}

#[test]
fn the_second_opinion_uses_data_and_not_the_code_it_judges() {
    let map =
        ("src/map/mod.rs", "mod model; mod solids; pub use model::Map; pub use solids::{Piece, Solids};");
    let parts = [
        map,
        ("src/map/model.rs", "pub struct Map;"),
        ("src/map/solids.rs", "pub struct Piece; pub struct Solids;"),
    ];
    let with = |text| made_up(&[parts[0], parts[1], parts[2], ("src/audit/second_opinion.rs", text)]);
    assert_none(&rules::breaches(&with("use crate::map::{Map, Piece};")));
    assert_one(&rules::breaches(&with("use crate::map::Solids;")), "second opinion judges");
}

#[test]
fn within_the_map_the_order_is_kept() {
    let top = ("src/map/mod.rs", "mod solids; mod cells; mod source; pub use cells::Cells;");
    let cells = ("src/map/cells.rs", "pub struct Cells;");
    let bad = made_up(&[top, cells, ("src/map/solids.rs", "use crate::map::Cells;")]);
    assert_one(&rules::breaches(&bad), "comes after solids");
    let text = made_up(&[
        top,
        ("src/map/source.rs", "pub struct Limits;"),
        ("src/map/cells.rs", "use super::source::Limits;"),
    ]);
    assert_one(&rules::breaches(&text), "side of texts");
}

#[test]
fn long_files_and_missing_heads_are_breaches() {
    assert_one(&rules::form("src/a.rs", &format!("//! Doc.\n{}", "\n".repeat(400))), "401 lines");
    assert_one(&rules::form("src/a.rs", "fn f() {}"), "head has 0 lines");
    assert_one(&rules::form("src/a.rs", &"//! Doc.\n".repeat(9)), "head has 9 lines");
    assert_none(&rules::form("src/a.rs", &"//! Doc.\n".repeat(8)));
}

#[test]
fn an_oracle_that_uses_the_crates_answers_is_a_breach() {
    assert_none(&rules::oracle("a.rs", "use fogwall::{Cells, Map, Piece};"));
    assert_one(&rules::oracle("a.rs", "use fogwall::{Map, bake};"), "fogwall::bake");
    assert_one(&rules::oracle("a.rs", "fn f() { fogwall::bake(); }"), "fogwall::bake");
    assert_one(&rules::oracle("a.rs", "fn f(s: &S) { s.blocker(a, b); }"), ".blocker()");
}
