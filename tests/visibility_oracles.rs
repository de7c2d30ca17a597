//! The corpus and the arenas before the judges.
//!
//! `FOGWALL_EFFORT` 1 (CI) leaves the arenas out, whose bakes take minutes each; 2 and more takes them too.

mod common;
mod oracle;
mod trial;

use common::sources::corpus;
use oracle::product::Level;
use trial::baked::bake;
use trial::{Size, hold};

#[test]
fn no_map_of_the_corpus_hides_what_can_be_seen() {
    let effort = oracle::effort();
    let much = |count: f64| (count * effort) as u64;
    let size = Size {
        seed: 1,
        lines: much(200_000.0),
        rays: much(100_000.0),
        witnesses: much(500.0),
        tightness_pairs: much(200.0),
        play_rays: much(50_000.0),
    };
    let mut wrong = Vec::new();
    let maps = corpus();
    assert!(!maps.is_empty(), "there is no corpus");
    for path in maps {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if effort < 2.0 && name.starts_with("arena_") {
            println!("{name}: left out, FOGWALL_EFFORT is under 2");
            continue;
        }
        let level = Level::load(&path);
        if level.scene.places.len() > 1 {
            wrong.extend(hold(&name, &level, &bake(&level), size));
        }
    }
    assert!(wrong.is_empty(), "{} violations:\n{}", wrong.len(), wrong.join("\n"));
}
