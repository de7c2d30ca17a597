//! Random rays over the whole volumes of hidden pairs, half of them at pairs that border visible ones.

use super::frontier::Frontier;
use super::kernel::{Grid, Marks};
use super::random::Random;
use super::scene::Scene;
use super::{Hunt, Violation};
use rayon::prelude::*;
use std::time::Instant;

/// Rays cast at one pair beside a visible one, before another is looked for.
const RAYS_PER_BORDER_PAIR: u64 = 16;
/// Rays of one piece of parallel work.
const RAYS_PER_PART: u64 = 8_192;

/// Casts `rays` rays at hidden pairs.
pub(crate) fn hunt(
    scene: &Scene,
    rays: u64,
    seed: u64,
    may_see: &(impl Fn(usize, usize) -> bool + Sync),
) -> Hunt {
    let start = Instant::now();
    let (grid, frontier) = (Grid::new(scene), Frontier::new(scene));
    let parts = (0..rays.div_ceil(RAYS_PER_PART)).into_par_iter().map(|part| {
        let mut random = Random::new(seed, part);
        let (mut found, mut marks) = (Hunt::default(), Marks::default());
        let mut rounds = 0;
        while found.lines < RAYS_PER_PART && rounds < RAYS_PER_PART {
            rounds += 1;
            if let Some(pair) = frontier.hidden_pair(&mut random, may_see) {
                cast(scene, &grid, pair, RAYS_PER_BORDER_PAIR, (&mut random, &mut marks), &mut found);
            }
            for _ in 0..RAYS_PER_BORDER_PAIR {
                if let Some(pair) = any_hidden(scene, &mut random, may_see) {
                    cast(scene, &grid, pair, 1, (&mut random, &mut marks), &mut found);
                }
            }
        }
        found
    });
    let mut total = parts.reduce(Hunt::default, Hunt::join);
    total.seconds = start.elapsed().as_secs_f64();
    total
}

fn any_hidden(
    scene: &Scene,
    random: &mut Random,
    may_see: &impl Fn(usize, usize) -> bool,
) -> Option<(usize, usize)> {
    let count = scene.places.len();
    (0..64).find_map(|_| {
        let (a, b) = (random.below(count), random.below(count));
        (a != b && !may_see(a, b)).then_some((a, b))
    })
}

fn cast(
    scene: &Scene,
    grid: &Grid,
    (a, b): (usize, usize),
    rays: u64,
    (random, marks): (&mut Random, &mut Marks),
    found: &mut Hunt,
) {
    found.pairs += 1;
    for _ in 0..rays {
        let (from, to) = (scene.eyes(a).sample(random), scene.bodies(b).sample(random));
        found.lines += 1;
        if grid.surely_free(scene, (from, to), marks) {
            found.catch(Violation { a, b, from, to });
        }
    }
}
