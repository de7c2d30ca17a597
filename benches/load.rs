//! Loading a baked file: the largest real map where it is, a map of the corpus where not.

mod scene;

use divan::{Bencher, counter::BytesCount};
use fogwall::Baked;
use scene::{real, recorded::baked};
use std::sync::LazyLock;

/// The bytes of a baked file; where it is not kept from an earlier run it is baked here, in seconds.
static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let baked = baked(&real("cities_berlin_0_256"));
    println!("{}: {} cells", baked.map.name, baked.cells.len());
    baked.to_bytes()
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
