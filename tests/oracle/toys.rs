//! Small random scenes, made without the product's loader, on which the judges themselves are tested.

use super::kernel::{Grid, Marks};
use super::random::Random;
use super::scene::{Blocker, Place, Scene};
use super::tightness::seems_free;
use fogwall::Player;
use rayon::prelude::*;

/// A body of ordinary measures.
pub(crate) fn player() -> Player {
    Player {
        radius: 0.4,
        height: 1.8,
        eye_standing: 1.6,
        eye_crouched: 1.1,
        jump: 1.0,
        step: 0.4,
        max_speed: 8.0,
        max_accel: 50.0,
        jump_speed: 6.0,
        gravity: 20.0,
        crouch_time: 0.1,
        lean: 0.2,
        sight_radius: 0.4,
    }
}

/// Heights of a toy's blockers.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Heights {
    /// All infinite: the plan alone decides.
    Endless,
    /// Walls seen over, slabs seen under and walls of full height.
    Mixed,
}

/// A field of `side` × `side` cells of 2 m, with `count` turned boxes on it.
pub(crate) fn scene(seed: u64, side: i32, count: usize, heights: Heights) -> Scene {
    let mut random = Random::new(seed, 77);
    let extent = f64::from(side) * 2.0;
    let blockers = (0..count).map(|_| {
        let center = [random.between(1.0, extent - 1.0), random.between(1.0, extent - 1.0)];
        let (long, short) = (random.between(1.0, extent * 0.35), random.between(0.1, 0.6));
        let (sine, cosine) = random.between(0.0, std::f64::consts::PI).sin_cos();
        let corner = |x: f64, y: f64| [center[0] + x * cosine - y * sine, center[1] + x * sine + y * cosine];
        let outline =
            vec![corner(-long, -short), corner(long, -short), corner(long, short), corner(-long, short)];
        let (low, high) = match (heights, random.below(3)) {
            (Heights::Mixed, 0) => (f64::NEG_INFINITY, random.between(0.8, 2.4)),
            (Heights::Mixed, 1) => (random.between(0.4, 1.2), f64::INFINITY),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
        Blocker { outline, low, high }
    });
    let blockers = blockers.collect();
    let places = (0..side * side).map(|index| square_place((index % side, index / side)));
    Scene { blockers, places: places.collect(), player: player() }
}

/// The 2 m square cell of a grid column, at height 0.
fn square_place(column: (i32, i32)) -> Place {
    let (x, y) = (f64::from(column.0) * 2.0, f64::from(column.1) * 2.0);
    let region = vec![[x, y], [x + 2.0, y], [x + 2.0, y + 2.0], [x, y + 2.0]];
    Place { region, feet: (0.0, 0.0), ceiling: f64::INFINITY, column }
}

/// Two rooms that see each other through a sliver alone, `width` metres wide, between three endless walls.
///
/// The walls at y 5 and 11 reach from the left to x 6, the one at y 8 from the right to x 6 + `width`; slanted by
/// `slant` metres over the room, so that no wall edge is along an axis.
pub(crate) fn sliver(width: f64, slant: f64) -> Scene {
    let shear = |x: f64, y: f64| [x + slant * (y - 8.0) / 8.0, y + slant * (x - 6.0) / 6.0];
    let wall = |x0: f64, x1: f64, y: f64| Blocker {
        outline: vec![shear(x0, y), shear(x1, y), shear(x1, y + 0.3), shear(x0, y + 0.3)],
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };
    let side = |x0: f64, x1: f64| Blocker {
        outline: vec![shear(x0, 4.9), shear(x1, 4.9), shear(x1, 11.5), shear(x0, 11.5)],
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };
    let blockers = vec![
        wall(-30.0, 6.0, 5.0),
        wall(6.0 + width, 40.0, 8.0),
        wall(-30.0, 6.0, 11.0),
        side(-31.0, -29.0),
        side(39.0, 41.0),
    ];
    let columns = (0..6).flat_map(|x| [0, 1, 6, 7].map(|y| (x, y)));
    Scene { blockers, places: columns.map(square_place).collect(), player: player() }
}

/// A PVS by brute force over rays and critical lines; row `a`, column `b`.
pub(crate) fn brute_force(scene: &Scene, seed: u64) -> Vec<bool> {
    let grid = Grid::new(scene);
    let count = scene.places.len();
    let pairs = (0..count * count).into_par_iter();
    let table = pairs.map(|pair| {
        let (a, b) = (pair / count, pair % count);
        let mut random = Random::new(seed, pair as u64);
        a == b || seems_free(scene, &grid, (a, b), &mut random, &mut Marks::default())
    });
    table.collect()
}
