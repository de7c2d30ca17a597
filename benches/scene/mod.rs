//! Real maps where they are, a map of the corpus where not, and random pairs of an eye and a body point in them.

// Each bench uses a part.
#![allow(dead_code)]

pub(crate) mod arena;
pub(crate) mod recorded;
pub(crate) mod royale;

use fogwall::{Cells, Map, Mask, PieceId, Point3, Solids};
use std::path::{Path, PathBuf};

/// Pairs that each bench goes round through; more than the branch predictor learns.
pub(crate) const PAIRS: usize = 1 << 14;

/// A map with pairs over its cells.
pub(crate) struct Scene {
    pub(crate) solids: Solids,
    /// Eye and body point over random cells.
    pub(crate) pairs: Vec<(Point3, Point3)>,
    /// The blocked ones of them, with a blocker.
    pub(crate) blocked: Vec<(Point3, Point3, PieceId)>,
}

/// The file of a map of `maps/`.
pub(crate) fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("maps/{name}.ron"))
}

/// The file of a real map, or of a map of the corpus in its place.
pub(crate) fn real(name: &str) -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let data = std::env::var_os("FOGWALL_DATA").map_or_else(beside, PathBuf::from);
    let path = data.join(format!("maps/{name}.ron"));
    if path.exists() {
        return path;
    }
    println!("{name} is absent (set FOGWALL_DATA): a map of the corpus instead");
    corpus("many_small_crates_fuse")
}

impl Scene {
    pub(crate) fn load(path: &Path) -> Self {
        let map = Map::load(path).expect("the map is valid").map;
        let solids = Solids::build(&map);
        let cells = Cells::build(&map, &solids).expect("few enough cells");
        let mut random = Random(7);
        let mut point = |low: f64, high: f64| {
            let cell = &cells.as_slice()[random.below(cells.len())];
            let [x, y] = [0, 1].map(|axis| {
                let (min, max) = cell.region.bounds();
                min[axis] + (max[axis] - min[axis]) * random.unit()
            });
            Point3::new(x, y, cell.feet.low + low + (high - low) * random.unit())
        };
        let (eye, body) = (map.player.eye_range(), map.player.body_range());
        let pairs: Vec<_> =
            (0..PAIRS).map(|_| (point(eye.low, eye.high), point(body.low, body.high))).collect();
        let with_blocker = |&(from, to): &(Point3, Point3)| {
            solids.blocker(from, to, Mask::Sight, None).map(|piece| (from, to, piece))
        };
        let blocked: Vec<_> = pairs.iter().filter_map(with_blocker).collect();
        let pieces = solids.pieces().len();
        println!("{}: {pieces} pieces, {} of {PAIRS} pairs blocked", map.name, blocked.len());
        Self { solids, pairs, blocked }
    }
}

/// A xorshift generator: the same pairs in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() >> 11) as usize % count
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
