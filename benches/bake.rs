//! Bakes of maps of the corpus, and window tests between random pairs of de_dust2 (or, where the real maps are
//! absent, of a map of the corpus).
#![allow(missing_docs)]

mod scene;

use divan::{Bencher, black_box};
use fogwall::{BakeOptions, BakeQuality, Cells, Map, Pvs, Quiet, Reach, Solids, WindowTest, bake};
use scene::Scene;
use std::sync::LazyLock;

static SCENE: LazyLock<Scene> = LazyLock::new(|| Scene::load(&scene::real("de_dust2")));

fn main() {
    LazyLock::force(&SCENE);
    divan::main();
}

/// Bakes a map of the corpus, in all, from its text on.
fn baked(name: &str, quality: BakeQuality) -> Pvs {
    let map = Map::load(scene::corpus(name)).expect("the corpus is valid").map;
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).expect("few enough cells");
    let options = BakeOptions { quality, ..BakeOptions::default() };
    bake(&map.player, map.cell_size, &solids, &cells, options, &Quiet).expect("nobody stops it")
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn tiny_map_full() -> Pvs {
    baked("two_staggered_walls_fuse", BakeQuality::Full)
}

/// Minutes: one sample tells enough.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn arena_draft() -> Pvs {
    baked("arena_foundry", BakeQuality::Draft)
}

/// Pairs at any distance, most of them far apart and hidden by the centre ray's blocker.
#[divan::bench(args = [0.0, 0.3, 0.6, 1.0], sample_count = 20, sample_size = 4096)]
fn window_test(bencher: Bencher, reach_m: f64) {
    let Scene { solids, pairs, .. } = &*SCENE;
    let mut window = WindowTest::new(solids);
    let mut next = 0;
    bencher.bench_local(|| {
        next = if next + 1 < pairs.len() { next + 1 } else { 0 };
        let (eye, body) = black_box(pairs[next]);
        window.may_see(solids, &Reach::around(eye, reach_m), &Reach::around(body, reach_m))
    });
}
