//! Pieces of real maps: how many there are, and that they fill what the raw solids fill.

use fogwall::{Footprint, Map, Mask, Point2, Point3, Solid, Solids};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn data() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = std::env::var_os("FOGWALL_DATA").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no real data at {}", folder.display());
    None
}

/// Signed area of a ring, positive where counter-clockwise.
fn area(ring: &[Point2]) -> f64 {
    (0..ring.len()).map(|i| ring[i].coords.perp(&ring[(i + 1) % ring.len()].coords)).sum::<f64>() * 0.5
}

/// Volume up to a kilometre from height 0.
fn volume(area: f64, z: fogwall::ZRange) -> f64 {
    area * (z.high.min(1e3) - z.low.max(-1e3)).max(0.0)
}

fn rings(solid: &Solid) -> Vec<&[Point2]> {
    match &solid.footprint {
        Footprint::Polygon { outline, holes } => {
            std::iter::once(outline).chain(holes).map(Vec::as_slice).collect()
        }
        Footprint::Circle { .. } => Vec::new(),
    }
}

/// Even-odd crossings of all rings.
fn contains(solid: &Solid, p: Point3) -> bool {
    let crosses = |ring: &[Point2]| {
        let edge = |i: usize| (ring[i], ring[(i + 1) % ring.len()]);
        let crossed = |&(a, b): &(Point2, Point2)| {
            (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)
        };
        (0..ring.len()).map(edge).filter(crossed).count()
    };
    let odd = rings(solid).into_iter().map(crosses).sum::<usize>() % 2 == 1;
    odd && solid.z.low < p.z && p.z < solid.z.high
}

/// The solids without those that are drawn twice, bit for bit (de_mirage has `occluder_16` and `occluder_27`).
fn distinct(map: &Map) -> Vec<&Solid> {
    let mut seen = HashSet::new();
    let shape = |solid: &Solid| {
        let mut corners: Vec<[u64; 2]> =
            rings(solid).concat().iter().map(|p| [p.x.to_bits(), p.y.to_bits()]).collect();
        corners.sort_unstable();
        (corners, solid.z.low.to_bits(), solid.z.high.to_bits())
    };
    map.solids.iter().filter(|solid| seen.insert(shape(solid))).collect()
}

struct Counted {
    pieces: usize,
    /// Volume of all pieces over that of all distinct solids; both count what overlaps as often as it does.
    of_sum: f64,
}

fn counted(folder: &Path, name: &str) -> Counted {
    let map = Map::load(folder.join(format!("maps/{name}.ron"))).unwrap().map;
    let solids = Solids::build(&map);
    let of_solid = |solid: &Solid| volume(rings(solid).into_iter().map(area).sum(), solid.z);
    let raw: f64 = distinct(&map).into_iter().map(of_solid).sum();
    let built: f64 = solids.pieces().iter().map(|piece| volume(piece.outline.area(), piece.z)).sum();
    Counted { pieces: solids.pieces().len(), of_sum: built / raw }
}

#[test]
fn real_maps_have_about_as_many_pieces_as_the_prototype_found() {
    let Some(folder) = data() else { return };
    let expected = [
        ("de_dust2", 110),
        ("de_mirage", 104),
        ("de_nuke", 118),
        ("freedm_map06", 404),
        ("freedm_map08", 781),
        ("freedm_map18", 545),
        ("dao_den520d", 618),
    ];
    for (name, prototype) in expected {
        let Counted { pieces, of_sum } = counted(&folder, name);
        println!("{name}: {pieces} pieces, prototype {prototype}, {of_sum:.6} of the solids' summed volume");
        assert!((0.85..1.1).contains(&(pieces as f64 / f64::from(prototype))), "{name}: {pieces} pieces");
        // What lies inside another is dropped; what is added lies in slits, or in the solids that others stand on.
        assert!((0.999..1.05).contains(&of_sum), "{name}: {of_sum}");
    }
}

#[test]
fn pieces_of_real_maps_hold_the_points_that_the_raw_solids_hold() {
    let Some(folder) = data() else { return };
    for name in ["de_dust2", "de_mirage", "de_nuke", "freedm_map06", "dao_den520d"] {
        let map = Map::load(folder.join(format!("maps/{name}.ron"))).unwrap().map;
        let solids = Solids::build(&map);
        let corners: Vec<Point2> = map.solids.iter().flat_map(|s| rings(s).concat()).collect();
        let extent = |axis: usize| {
            let all = corners.iter().map(|p| p[axis]);
            (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max))
        };
        let (x, y) = (extent(0), extent(1));
        let mut inside = 0;
        for i in 0..100_000_u32 {
            // A low-discrepancy sequence over the map's box (the plastic number's powers).
            let at = |part: f64, (low, high): (f64, f64)| {
                low + (high - low) * ((f64::from(i) + 0.5) * part).fract()
            };
            let p = Point3::new(
                at(0.819_172_513_396_164_5, x),
                at(0.671_043_606_703_789_2, y),
                at(0.549_700_477_901_923_1, (-8.0, 12.0)),
            );
            let raw = map.solids.iter().any(|solid| solid.blocks.sight && contains(solid, p));
            assert_eq!(solids.holds(p, Mask::Sight), raw, "{name}: {p}");
            inside += u32::from(raw);
        }
        println!("{name}: {inside} of 100000 points inside");
        assert!(inside > 500, "{name}: {inside}");
    }
}
