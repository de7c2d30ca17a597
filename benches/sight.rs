//! Segments through de_dust2 (or, where the real maps are absent, an arena of `maps/`): our query with a cached
//! blocker and without, beside parry2d's own ray cast over the same pieces.
#![allow(missing_docs)]

use divan::{Bencher, black_box};
use fogwall::{Cells, Map, Mask, PieceId, Point3, Solids};
use parry2d::math::{Pose, Vector};
use parry2d::query::{Ray, RayCast};
use parry2d::shape::{Compound, ConvexPolygon, SharedShape};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Pairs that each bench goes round through; more than the branch predictor learns.
const PAIRS: usize = 1 << 14;

struct Scene {
    solids: Solids,
    compound: Compound,
    /// Eye and body point over random cells.
    pairs: Vec<(Point3, Point3)>,
    /// The blocked ones of them, with a blocker.
    blocked: Vec<(Point3, Point3, PieceId)>,
}

static SCENE: LazyLock<Scene> = LazyLock::new(Scene::load);

fn main() {
    LazyLock::force(&SCENE);
    divan::main();
}

fn map_path() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = std::env::var_os("FOGWALL_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let real = data.join("maps/de_dust2.ron");
    if real.exists() {
        return real;
    }
    println!("de_dust2 is absent (set FOGWALL_DATA): a map of the corpus instead");
    root.join("maps/many_small_crates_fuse.ron")
}

impl Scene {
    fn load() -> Self {
        let map = Map::load(map_path()).expect("the map is valid").map;
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
        println!(
            "{}: {} pieces, {} of {PAIRS} pairs blocked",
            map.name,
            solids.pieces().len(),
            blocked.len()
        );
        Self { compound: compound(&solids), solids, pairs, blocked }
    }
}

/// The same pieces as parry2d's shapes. Its ray is a plan ray: heights are not looked at.
fn compound(solids: &Solids) -> Compound {
    let shape = |piece: &fogwall::Piece| {
        let ring = piece.outline.vertices().iter().map(|p| Vector::new(p.x as f32, p.y as f32)).collect();
        ConvexPolygon::from_convex_polyline(ring).map(|polygon| (Pose::default(), SharedShape::new(polygon)))
    };
    Compound::new(solids.pieces().iter().filter_map(shape).collect())
}

/// A xorshift generator: the same pairs in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() >> 11) as usize % count
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Runs `f` on one after another of `items`, round and round.
fn each<T>(bencher: Bencher, items: &[T], f: impl Fn(&T) -> bool) {
    let mut next = 0;
    bencher.bench_local(|| {
        next = if next + 1 < items.len() { next + 1 } else { 0 };
        f(black_box(&items[next]))
    });
}

#[divan::bench(sample_size = PAIRS as u32, sample_count = 50)]
fn cached_blocker(bencher: Bencher) {
    let Scene { solids, blocked, .. } = &*SCENE;
    each(bencher, blocked, |&(from, to, piece)| solids.blocker(from, to, Mask::Sight, Some(piece)).is_some());
}

#[divan::bench(sample_size = PAIRS as u32, sample_count = 50)]
fn cold(bencher: Bencher) {
    let Scene { solids, pairs, .. } = &*SCENE;
    each(bencher, pairs, |&(from, to)| solids.blocker(from, to, Mask::Sight, None).is_some());
}

#[divan::bench(sample_size = PAIRS as u32, sample_count = 50)]
fn parry2d_cast_ray(bencher: Bencher) {
    let Scene { compound, pairs, .. } = &*SCENE;
    each(bencher, pairs, |(from, to)| {
        let origin = Vector::new(from.x as f32, from.y as f32);
        let ray = Ray::new(origin, Vector::new(to.x as f32, to.y as f32) - origin);
        compound.cast_local_ray(&ray, 1.0, true).is_some()
    });
}

#[divan::bench(sample_size = PAIRS as u32, sample_count = 50)]
fn point_inside(bencher: Bencher) {
    let Scene { solids, pairs, .. } = &*SCENE;
    each(bencher, pairs, |&(from, _)| solids.holds(from, Mask::Sight));
}
