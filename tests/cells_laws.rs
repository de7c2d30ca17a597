//! Laws of cells, on the corpus of maps: no legal body is off the cells.

use fogwall::{Cells, Floor, Map, Point2, Point3, Solids};
use std::path::PathBuf;

fn corpus() -> Vec<Map> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("maps");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths.retain(|p| p.extension().is_some_and(|e| e == "ron"));
    paths.iter().filter_map(|p| Map::load(p).ok()).map(|loaded| loaded.map).collect()
}

/// Whether the point lies in a polygon, by the number of edges to its right.
fn inside(ring: &[Point3], p: Point2) -> bool {
    let crosses = |i: usize| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)
    };
    (0..ring.len()).filter(|i| crosses(*i)).count() % 2 == 1
}

/// Height of a flat floor, or none where it slopes: then the height at a point is not this test's to know.
fn flat_height(floor: &Floor) -> Option<f64> {
    let z = floor.outline[0].z;
    floor.outline.iter().chain(floor.holes.iter().flatten()).all(|p| p.z == z).then_some(z)
}

/// Whether a body of a height that jumped from a floor to these feet touches no solid that it cannot step on.
///
/// What hangs over a crouched body on the floor can't be stepped on from below.
fn fits(map: &Map, solids: &Solids, (feet, floor_z): (Point3, f64), height: f64) -> bool {
    let player = &map.player;
    solids.pieces().iter().all(|piece| {
        !piece.blocks.movement
            || piece.z.low >= feet.z + height
            || (piece.z.high <= feet.z + player.step && piece.z.low < floor_z + player.eye_crouched)
            || piece.outline.distance(feet.xy()) >= player.radius
    })
}

#[test]
fn every_body_that_stands_or_jumps_on_a_floor_is_on_a_cell() {
    let mut judged = 0;
    for map in corpus() {
        let solids = Solids::build(&map);
        let cells = Cells::build(&map, &solids).unwrap();
        for floor in &map.floors {
            let Some(z) = flat_height(floor) else { continue };
            let xs = floor.outline.iter().map(|p| p.x);
            let ys = floor.outline.iter().map(|p| p.y);
            let (x0, x1) = (xs.clone().fold(f64::MAX, f64::min), xs.fold(f64::MIN, f64::max));
            let (y0, y1) = (ys.clone().fold(f64::MAX, f64::min), ys.fold(f64::MIN, f64::max));
            for i in 0..900_u32 {
                // Two irrational strides fill the box evenly, and meet no edge of a grid.
                let t = f64::from(i);
                let p = Point2::new(
                    x0 + (x1 - x0) * (t * 0.754_877_666_2).fract(),
                    y0 + (y1 - y0) * (t * 0.569_840_290_9).fract(),
                );
                let on_floor = inside(&floor.outline, p) && !floor.holes.iter().any(|h| inside(h, p));
                let lift = map.player.jump * (t * 0.618_033_988_7).fract();
                let feet = Point3::new(p.x, p.y, z + lift);
                let player = &map.player;
                if on_floor && fits(&map, &solids, (feet, z), player.eye_crouched) {
                    judged += 1;
                    let found = cells.cell_at(feet);
                    assert!(found.is_some(), "{}: {feet} over the floor at {z}", map.name);
                    let stands = fits(&map, &solids, (feet, z), player.height);
                    let eye = if stands { player.eye_standing } else { player.eye_crouched };
                    let mut eyes = 0;
                    cells.for_each_eye_cell(Point3::new(feet.x, feet.y, feet.z + eye), |_| eyes += 1);
                    assert!(eyes > 0, "{}: eye over {feet}", map.name);
                }
            }
        }
    }
    assert!(judged > 1000, "only {judged} bodies were judged");
}
