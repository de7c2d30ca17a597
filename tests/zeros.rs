//! A zero with a sign is a zero: it moves no cell and hides nothing.

mod common;

use common::sources::corpus;
use fogwall::{BakeOptions, Cells, ConvexPolygon, Footprint, Map, Point2, Pvs, Quiet, Solids, bake};
use proptest::prelude::*;

/// Maps with more cells are not baked.
const MOST_CELLS: usize = 400;

/// The map moved so that the corner of a floor lies on the origin.
fn on_the_axes(map: &Map) -> Map {
    let mut map = map.clone();
    let corner = map.floors.iter().flat_map(|floor| &floor.outline).nth(2).copied().unwrap();
    for solid in map.solids.iter_mut().chain(&mut map.doors) {
        match &mut solid.footprint {
            Footprint::Polygon { outline, holes } => {
                outline.iter_mut().chain(holes.iter_mut().flatten()).for_each(|p| *p -= corner.xy().coords);
            }
            Footprint::Circle { center, .. } => *center -= corner.xy().coords,
        }
    }
    for floor in &mut map.floors {
        let points = floor.outline.iter_mut().chain(floor.holes.iter_mut().flatten());
        points.for_each(|p| (p.x, p.y) = (p.x - corner.x, p.y - corner.y));
    }
    map.areas.clear();
    map.spawns.clear();
    map
}

/// Every second zero of the map's floors and solids gets a sign; how many.
fn sign(map: &mut Map) -> usize {
    let mut zeros = 0;
    let mut sign = |value: &mut f64| {
        if *value == 0.0 {
            zeros += 1;
            *value = if zeros % 2 == 0 { -0.0 } else { 0.0 };
        }
    };
    for floor in &mut map.floors {
        floor.outline.iter_mut().flat_map(|p| p.iter_mut()).for_each(&mut sign);
    }
    for solid in &mut map.solids {
        sign(&mut solid.z.low);
        if let Footprint::Polygon { outline, .. } = &mut solid.footprint {
            outline.iter_mut().flat_map(|p| p.iter_mut()).for_each(&mut sign);
        }
    }
    zeros
}

fn cells(map: &Map) -> (Solids, Cells) {
    let solids = Solids::build(map);
    let cells = Cells::build(map, &solids).unwrap();
    (solids, cells)
}

fn pairs(map: &Map, (solids, cells): &(Solids, Cells)) -> Pvs {
    bake(&map.player, map.cell_size, solids, cells, BakeOptions::default(), &Quiet).unwrap()
}

#[test]
fn the_sign_of_a_zero_changes_no_cell_and_no_pair() {
    let mut signed = 0;
    for path in corpus() {
        let map = on_the_axes(&Map::load(&path).unwrap().map);
        let mut other = map.clone();
        signed += sign(&mut other);
        let (plain, signs) = (cells(&map), cells(&other));
        assert_eq!(plain.1.as_slice(), signs.1.as_slice(), "{}", map.name);
        if plain.1.len() <= MOST_CELLS {
            assert!(pairs(&map, &plain) == pairs(&other, &signs), "{}", map.name);
        }
    }
    assert!(signed > 100, "there are zeros to sign");
}

#[test]
fn a_source_with_signed_zeros_is_the_same_map_bit_for_bit() {
    for path in corpus() {
        let map = on_the_axes(&Map::load(&path).unwrap().map);
        let mut other = map.clone();
        sign(&mut other);
        let read = |map: &Map| Map::parse(map.to_source(), "map.ron").unwrap().map;
        let (plain, signed) = (read(&map), read(&other));
        // The debug form shows the sign.
        let form = |map: &Map| format!("{:?}", Map { source_hash: [0; 32], ..map.clone() });
        assert_eq!(form(&plain), form(&signed));
    }
}

proptest! {
    #[test]
    fn a_hull_holds_its_points_whatever_sign_their_zeros_have(
        points in prop::collection::vec((0..4_usize, 0..4_usize), 1..12),
    ) {
        const NUMBERS: [f64; 4] = [-1.0, -0.0, 0.0, 1.0];
        let points: Vec<Point2> = points.iter().map(|&(x, y)| Point2::new(NUMBERS[x], NUMBERS[y])).collect();
        let plain: Vec<Point2> = points.iter().map(|p| Point2::new(p.x + 0.0, p.y + 0.0)).collect();
        let (hull, expected) = (ConvexPolygon::hull(&points).unwrap(), ConvexPolygon::hull(&plain).unwrap());
        prop_assert_eq!(hull.vertices(), expected.vertices());
        for point in &points {
            prop_assert!(hull.distance(*point) == 0.0);
        }
    }
}
