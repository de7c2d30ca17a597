//! Segments through real maps (or, where they are absent, a map of the corpus): our query with a cached blocker
//! and without, beside parry2d's own ray cast over the same pieces.
#![allow(missing_docs)]

mod scene;

use divan::{Bencher, black_box};
use fogwall::{Mask, Piece, Solids};
use parry2d::math::{Pose, Vector};
use parry2d::query::{Ray, RayCast};
use parry2d::shape::{Compound, ConvexPolygon, SharedShape};
use scene::{PAIRS, Scene};
use std::sync::LazyLock;

const MAPS: [&str; 3] = ["de_dust2", "de_nuke", "freedm_map06"];

static SCENES: LazyLock<Vec<Scene>> =
    LazyLock::new(|| MAPS.iter().map(|name| Scene::load(&scene::real(name))).collect());

fn main() {
    LazyLock::force(&SCENES);
    divan::main();
}

fn scene_of(name: &str) -> &'static Scene {
    &SCENES[MAPS.iter().position(|map| *map == name).unwrap_or(0)]
}

/// The same pieces as parry2d's shapes. Its ray is a plan ray: heights are not looked at.
fn compound(solids: &Solids) -> Compound {
    let shape = |piece: &Piece| {
        let ring = piece.outline.vertices().iter().map(|p| Vector::new(p.x as f32, p.y as f32)).collect();
        ConvexPolygon::from_convex_polyline(ring).map(|polygon| (Pose::default(), SharedShape::new(polygon)))
    };
    Compound::new(solids.pieces().iter().filter_map(shape).collect())
}

/// Runs `f` on one after another of `items`, round and round.
fn each<T>(bencher: Bencher, items: &[T], f: impl Fn(&T) -> bool) {
    let mut next = 0;
    bencher.bench_local(|| {
        next = if next + 1 < items.len() { next + 1 } else { 0 };
        f(black_box(&items[next]))
    });
}

#[divan::bench(args = MAPS, sample_size = PAIRS as u32, sample_count = 50)]
fn cached_blocker(bencher: Bencher, map: &str) {
    let Scene { solids, blocked, .. } = scene_of(map);
    each(bencher, blocked, |&(from, to, piece)| solids.blocker(from, to, Mask::Sight, Some(piece)).is_some());
}

#[divan::bench(args = MAPS, sample_size = PAIRS as u32, sample_count = 50)]
fn cold(bencher: Bencher, map: &str) {
    let Scene { solids, pairs, .. } = scene_of(map);
    each(bencher, pairs, |&(from, to)| solids.blocker(from, to, Mask::Sight, None).is_some());
}

#[divan::bench(args = MAPS, sample_size = PAIRS as u32, sample_count = 50)]
fn parry2d_cast_ray(bencher: Bencher, map: &str) {
    let Scene { solids, pairs, .. } = scene_of(map);
    let compound = compound(solids);
    each(bencher, pairs, |(from, to)| {
        let origin = Vector::new(from.x as f32, from.y as f32);
        let ray = Ray::new(origin, Vector::new(to.x as f32, to.y as f32) - origin);
        compound.cast_local_ray(&ray, 1.0, true).is_some()
    });
}

#[divan::bench(args = MAPS, sample_size = PAIRS as u32, sample_count = 50)]
fn point_inside(bencher: Bencher, map: &str) {
    let Scene { solids, pairs, .. } = scene_of(map);
    each(bencher, pairs, |&(from, _)| solids.holds(from, Mask::Sight));
}
