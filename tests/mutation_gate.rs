//! The gate of the judges: a bake with a planted error must be caught by them, one without must not.

mod oracle;

use oracle::kernel::{Grid, Marks};
use oracle::random::Random;
use oracle::toys::{Heights, brute_force, scene, sliver};
use oracle::{Hunt, critical, effort, rays};

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

#[test]
#[ignore = "speed of the judges, to be read by a person"]
fn speed() {
    let toy = scene(3, 40, 120, Heights::Mixed);
    let grid = Grid::new(&toy);
    let cells = toy.places.len();
    let table: Vec<bool> = (0..cells * cells)
        .map(|pair| {
            let (mut random, mut marks) = (Random::new(9, pair as u64), Marks::default());
            let (eyes, bodies) = (toy.eyes(pair / cells), toy.bodies(pair % cells));
            (0..8).any(|_| {
                grid.surely_free(&toy, (eyes.sample(&mut random), bodies.sample(&mut random)), &mut marks)
            })
        })
        .collect();
    let may_see = |a: usize, b: usize| table[a * cells + b];
    println!("{}", critical::hunt(&toy, 10_000_000, 1, &may_see).row("speed", "lines"));
    println!("{}", rays::hunt(&toy, 1_000_000, 1, &may_see).row("speed", "rays"));
}
