//! The gate of the judges: a bake with a planted error must be caught by them, one without must not.

mod common;
mod oracle;
mod trial;

use common::sources::corpus;
use fogwall::BakeOptions;
use fogwall::testing::Fault;
use oracle::product::{Level, map_of};
use oracle::toys::{Heights, brute_force, scene, sliver};
use oracle::{Hunt, critical, effort, rays};
use trial::baked::{bake_with, seen};

/// Hunts a brute-force PVS of toys grown by `error` metres, on the toys themselves.
fn hunt_toys(error: f64, heights: Heights) -> (Hunt, Hunt) {
    let toys = (3.0 * effort()).ceil() as u64;
    let (mut by_lines, mut by_rays) = (Hunt::default(), Hunt::default());
    for seed in 0..toys {
        let toy = scene(seed, 6, 9, heights);
        let table = brute_force(&toy.grown(error), seed);
        let may_see = |a: usize, b: usize| table[a * toy.places.len() + b];
        by_lines = by_lines.join(critical::hunt(&toy, 300_000, seed + 1, &may_see));
        by_rays = by_rays.join(rays::hunt(&toy, 100_000, seed + 1, &may_see));
    }
    (by_lines, by_rays)
}

#[test]
fn a_brute_force_pvs_without_an_error_passes_both_judges() {
    for heights in [Heights::Endless, Heights::Mixed] {
        let (by_lines, by_rays) = hunt_toys(0.0, heights);
        println!("{}\n{}", by_lines.row("toys", "lines"), by_rays.row("toys", "rays"));
        assert_eq!(by_lines.caught, 0, "{:?}", by_lines.violations);
        assert_eq!(by_rays.caught, 0, "{:?}", by_rays.violations);
        assert!(by_lines.lines > 10_000 && by_rays.lines > 100_000);
    }
}

#[test]
fn a_brute_force_pvs_with_blockers_a_centimetre_or_a_millimetre_too_large_is_caught() {
    let (by_lines, by_rays) = hunt_toys(0.01, Heights::Mixed);
    println!("error 1 cm\n{}\n{}", by_lines.row("toys", "lines"), by_rays.row("toys", "rays"));
    assert!(by_lines.caught > 0, "an error of 1 cm was not caught");
    for (error, widths) in [(0.01, [0.004, 0.011, 0.018]), (0.001, [0.0003, 0.0011, 0.0018])] {
        for (width, slant) in widths.into_iter().zip([0.0, 0.7, -1.3]) {
            let toy = sliver(width, slant);
            let table = brute_force(&toy.grown(error), 1);
            let may_see = |a: usize, b: usize| table[a * toy.places.len() + b];
            let caught = critical::hunt(&toy, 200_000, 1, &may_see);
            println!("{}", caught.row(&format!("sliver {width} for {error}"), "lines"));
            assert!(caught.caught > 0, "an error of {error} m was not caught at a sliver of {width} m");
        }
    }
}

/// Levels on which the bake itself is tried: slivers that an error of the clearance closes, turned boxes of all
/// heights, and maps of the corpus.
fn levels() -> Vec<(String, Level)> {
    let mut levels = Vec::new();
    for (width, slant) in
        [(0.0003, 0.0), (0.0011, 0.7), (0.0018, -1.3), (0.004, 0.3), (0.011, -0.6), (0.018, 1.1)]
    {
        let name = format!("sliver of {width} m");
        levels.push((name.clone(), Level::new(map_of(&sliver(width, slant), &name))));
    }
    for seed in 0..(4.0 * effort()).ceil() as u64 {
        let heights = if seed % 2 == 0 { Heights::Mixed } else { Heights::Endless };
        let name = format!("turned boxes {seed}");
        levels.push((name.clone(), Level::new(map_of(&scene(seed, 8, 10, heights), &name))));
    }
    let of_corpus = ["corner_peek", "turned_walls", "two_staggered_walls_fuse", "window"];
    for path in corpus() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if of_corpus.contains(&name.as_str()) {
            levels.push((name, Level::load(&path)));
        }
    }
    levels
}

#[test]
fn each_fault_planted_in_the_bake_is_caught_and_a_bake_without_one_passes() {
    let lines = (150_000.0 * effort()) as u64;
    let levels = levels();
    let faults = [
        None,
        Some(Fault::Clearance(0.01)),
        Some(Fault::Clearance(0.001)),
        Some(Fault::SlopeRange),
        Some(Fault::SlabClip),
    ];
    for fault in faults {
        let options = BakeOptions { fault, ..BakeOptions::default() };
        let mut total = Hunt::default();
        for (name, level) in &levels {
            let pvs = bake_with(level, options);
            let found = critical::hunt(&level.scene, lines, 1, &seen(&pvs));
            if found.caught > 0 {
                println!("{}", found.row(name, &format!("{fault:?}")));
            }
            total = total.join(found);
        }
        println!("{}", total.row("all levels", &format!("{fault:?}")));
        assert_eq!(total.caught > 0, fault.is_some(), "{fault:?}: {:?}", total.violations);
    }
}
