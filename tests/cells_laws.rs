//! Laws of cells, on the corpus of maps: no legal body is off the cells.

mod common;

use common::outlines::inside;
use common::sources::{corpus, load};
use fogwall::{Cells, Floor, Map, Point2, Point3, Solids};

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
    for path in corpus() {
        let map = load(&path);
        let solids = Solids::build(&map);
        let cells = Cells::build(&map, &solids).unwrap();
        for floor in &map.floors {
            let Some(z) = flat_height(floor) else { continue };
            let plan = |ring: &Vec<Point3>| ring.iter().map(Point3::xy).collect();
            let rings: Vec<Vec<Point2>> =
                std::iter::once(&floor.outline).chain(&floor.holes).map(plan).collect();
            let rings: Vec<&[Point2]> = rings.iter().map(Vec::as_slice).collect();
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
                let on_floor = inside(&rings, p);
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
