//! Debian's FreeDM levels, imported, against the maps that were made of the same levels by other code.

mod common;

use common::sources::{data, real_map};
use fogwall::{Footprint, Map, Point2, Solid, import_wad};
use std::collections::BTreeSet;

/// The vertices of a ring, sorted.
type Places = Vec<(i64, i64)>;
/// The rings of a solid.
type Rings = BTreeSet<Places>;

/// Where Debian's package `freedm` puts its levels.
const FREEDM: &str = "/usr/share/games/doom/freedm.wad";
const LEVELS: [&str; 17] =
    ["01", "02", "03", "04", "05", "06", "07", "08", "10", "11", "12", "13", "14", "15", "16", "17", "18"];
/// The other code rounded to four places.
const ROUNDING_M: f64 = 0.00006;

fn freedm() -> Option<Vec<u8>> {
    let bytes = std::fs::read(FREEDM).ok();
    if bytes.is_none() {
        println!("skipped: no {FREEDM} (Debian's package freedm)");
    }
    bytes
}

fn sample(level: &str) -> Option<Map> {
    data().map(|folder| real_map(&folder, &format!("freedm_map{level}")))
}

/// The solid's rings, each as the sorted set of its vertices in tenths of the rounding.
fn rings(solid: &Solid) -> Rings {
    let Footprint::Polygon { outline, holes } = &solid.footprint else { panic!("a circle in a Doom level") };
    let place = |p: &Point2| ((p.x * 1e5).round() as i64, (p.y * 1e5).round() as i64);
    let ring = |ring: &Vec<Point2>| {
        let mut places: Vec<_> = ring.iter().map(place).collect();
        places.sort_unstable();
        places
    };
    std::iter::once(outline).chain(holes).map(ring).collect()
}

fn close(a: &Rings, b: &Rings) -> bool {
    let near = |p: i64, q: i64| ((p - q) as f64).abs() <= ROUNDING_M * 1e5;
    let same = |(r, s): (&Places, &Places)| {
        r.len() == s.len() && r.iter().zip(s).all(|(p, q)| near(p.0, q.0) && near(p.1, q.1))
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

fn within(z: f64, (low, high): (f64, f64)) -> bool {
    low - ROUNDING_M <= z && z <= high + ROUNDING_M
}

fn same_height(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= ROUNDING_M
}

/// Where the ends of the solid may be as the level begins: what moves starts anywhere on its way.
fn at_start(solid: &Solid, doors: &[Solid]) -> [(f64, f64); 2] {
    let mut ends = [(solid.z.low, solid.z.low), (solid.z.high, solid.z.high)];
    let part =
        |kind| solid.id.strip_suffix(kind).and_then(|base| doors.iter().find(|d| door_of(d, base, kind)));
    if let Some(lift) = part("_floor") {
        ends[1] = (lift.z.low, lift.z.high);
    }
    if let Some(door) = part("_ceiling") {
        ends[0] = (door.z.low, door.z.high);
    }
    ends
}

fn door_of(door: &Solid, base: &str, kind: &str) -> bool {
    door.id == format!("{base}_{}", if kind == "_floor" { "lift" } else { "door" })
}

#[test]
fn freedm_levels_have_the_same_solids_and_spawns_as_the_sample_maps() {
    let Some(bytes) = freedm() else { return };
    for level in LEVELS {
        let Some(sample) = sample(level) else { return };
        let map = import_wad(&bytes, &format!("MAP{level}"), &format!("freedm_map{level}")).unwrap().map;
        let ours: Vec<&Solid> = map.solids.iter().filter(|s| s.blocks.sight).collect();
        assert_eq!(ours.len(), sample.solids.len(), "MAP{level}");
        let ours: Vec<_> = ours.into_iter().map(|s| (s, rings(s), at_start(s, &map.doors))).collect();
        for theirs in &sample.solids {
            let theirs_rings = rings(theirs);
            let found = ours.iter().any(|(_, rings, ends)| {
                within(theirs.z.low, ends[0]) && within(theirs.z.high, ends[1]) && close(rings, &theirs_rings)
            });
            assert!(found, "MAP{level}: {} {:?} has no counterpart", theirs.id, theirs.z);
        }
        let spots = |map: &Map| {
            let mut all: Vec<_> = map.spawns.iter().map(|s| (s.at.x, s.at.y, s.at.z)).collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
            all
        };
        assert_eq!(map.spawns.len(), sample.spawns.len());
        for (a, b) in spots(&map).into_iter().zip(spots(&sample)) {
            assert!(
                same_height(a.0, b.0) && same_height(a.1, b.1) && same_height(a.2, b.2),
                "MAP{level}: {a:?}"
            );
        }
        assert_eq!(map.player, sample.player);
    }
}

#[test]
fn every_freedm_level_imports_to_a_source_that_validates() {
    let Some(bytes) = freedm() else { return };
    for level in fogwall::wad_levels(&bytes).unwrap() {
        let imported = import_wad(&bytes, &level, &level).unwrap();
        let loaded = Map::parse(imported.map.to_source(), &level);
        let loaded = loaded.unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(loaded.map.solids, imported.map.solids, "{level}");
        assert!(!loaded.map.spawns.is_empty(), "{level}");
    }
}
