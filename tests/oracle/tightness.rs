//! How tight a bake is: of the pairs that are truly blocked, the share it hides.
//!
//! "Truly blocked" means here that none of 400 random rays over the pair's volumes and none of up to 4,000 of
//! its critical lines is free. Some such pairs are visible through slits; so the share found is a lower bound.

use super::critical::Field;
use super::frontier::Frontier;
use super::kernel::{Grid, Marks};
use super::random::Random;
use super::scene::Scene;
use rayon::prelude::*;

const RAYS: usize = 400;
const LINES: u64 = 4_000;

/// Truly blocked pairs of a sample, and how many of them are hidden.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tightness {
    pub(crate) blocked: u64,
    pub(crate) hidden: u64,
}

impl Tightness {
    pub(crate) fn percent(&self) -> f64 {
        100.0 * self.hidden as f64 / self.blocked.max(1) as f64
    }
}

/// Which pairs a sample is drawn from.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Sampling {
    /// All directed pairs alike.
    Uniform,
    /// Pairs with a neighbouring pair of the other verdict.
    Critical,
}

/// Measures `count` random pairs.
pub(crate) fn measure(
    scene: &Scene,
    count: u64,
    seed: u64,
    sampling: Sampling,
    may_see: &(impl Fn(usize, usize) -> bool + Sync),
) -> Tightness {
    let (grid, frontier) = (Grid::new(scene), Frontier::new(scene));
    let parts = (0..count).into_par_iter().map(|part| {
        let mut random = Random::new(seed, part);
        let cells = scene.places.len();
        let pair = (0..200).find_map(|_| {
            let (a, b) = (random.below(cells), random.below(cells));
            let wanted = sampling == Sampling::Uniform || frontier.is_border(a, b, may_see);
            (a != b && wanted).then_some((a, b))
        });
        let Some((a, b)) = pair else { return Tightness::default() };
        let mut marks = Marks::default();
        let blocked = !seems_free(scene, &grid, (a, b), &mut random, &mut marks);
        Tightness { blocked: u64::from(blocked), hidden: u64::from(blocked && !may_see(a, b)) }
    });
    parts.reduce(Tightness::default, |x, y| Tightness {
        blocked: x.blocked + y.blocked,
        hidden: x.hidden + y.hidden,
    })
}

/// Whether a free segment of the pair was found.
pub(crate) fn seems_free(
    scene: &Scene,
    grid: &Grid,
    (a, b): (usize, usize),
    random: &mut Random,
    marks: &mut Marks,
) -> bool {
    let (eyes, bodies) = (scene.eyes(a), scene.bodies(b));
    let by_ray = (0..RAYS).any(|_| {
        let segment = (eyes.sample(random), bodies.sample(random));
        grid.surely_free(scene, segment, marks)
    });
    by_ray || {
        let found = Field::new(scene, grid, (a, b), marks).hunt(random, LINES).0;
        found.is_some_and(|segment| grid.surely_free(scene, segment, marks))
    }
}
