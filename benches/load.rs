//! Loading a baked file: the largest real map where it is, a map of the corpus where not.

mod scene;

use divan::{Bencher, counter::BytesCount};
use fogwall::{BakeOptions, Baked, Cells, DEFAULT_HEARABLE_RADIUS_M, Hearable, Map, Quiet, Solids, bake};
use std::sync::LazyLock;

/// The bytes of a baked file, baked here: seconds, on all cores.
static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let map = Map::load(scene::real("cities_berlin_0_256")).expect("the map is valid").map;
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).expect("few enough cells");
    let options = BakeOptions::default();
    let pvs = bake(&map.player, map.cell_size, &solids, &cells, options, &Quiet).expect("nobody stops it");
    let hearable = Hearable::build(&map, &solids, &cells, DEFAULT_HEARABLE_RADIUS_M);
    println!("{}: {} cells", map.name, cells.len());
    Baked::new(map, solids, cells, pvs, hearable, false).to_bytes()
});

fn main() {
    LazyLock::force(&BYTES);
    divan::main();
}

#[divan::bench(sample_count = 40, sample_size = 1)]
fn from_bytes(bencher: Bencher) {
    let bytes = &BYTES[..];
    bencher
        .counter(BytesCount::of_slice(bytes))
        .bench(|| Baked::from_bytes(bytes).expect("it was just written"));
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn to_bytes(bencher: Bencher) {
    let baked = Baked::from_bytes(&BYTES).expect("it was just written");
    bencher.bench(|| baked.to_bytes());
}
