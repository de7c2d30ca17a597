//! Pieces of real maps: how many there are, and that they fill what the raw solids fill.

mod common;

use common::outlines::{area, contains, rings};
use common::sources::{data, real_map};
use fogwall::{Map, Mask, Point2, Point3, Solid, Solids};
use std::collections::HashSet;
use std::path::Path;

/// Volume up to a kilometre from height 0.
fn volume(area: f64, z: fogwall::ZRange) -> f64 {
    area * (z.high.min(1e3) - z.low.max(-1e3)).max(0.0)
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
    let map = real_map(folder, name);
    let solids = Solids::build(&map);
    let of_solid = |solid: &Solid| volume(area(solid), solid.z);
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
        let map = real_map(&folder, name);
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
