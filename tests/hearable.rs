//! The potentially hearable set against walks found by a search on a fine grid.

mod common;

use common::sources::corpus_map;
use fogwall::{CellId, Cells, DEFAULT_HEARABLE_RADIUS_M, Hearable, Map, Point2, Point3, Solids};
use std::collections::BinaryHeap;

/// Whether a body with these feet, crouched at most, touches no solid that it cannot step on.
fn stands(map: &Map, solids: &Solids, feet: Point3) -> bool {
    let player = &map.player;
    solids.pieces().iter().all(|piece| {
        !piece.blocks.movement
            || piece.z.low >= feet.z + player.eye_crouched
            || piece.z.high <= feet.z + player.step
            || piece.outline.distance(feet.xy()) >= player.radius
    })
}

/// Places to stand, a quarter of a metre apart, with the cell of each.
fn places(map: &Map, solids: &Solids, cells: &Cells) -> Vec<(i32, i32, f64, CellId)> {
    let mut found = Vec::new();
    for cell in cells.as_slice() {
        let z = cell.feet.low;
        for i in 0..4_i32 {
            for j in 0..4_i32 {
                let (x, y) = (cell.column.0 * 4 + i, cell.column.1 * 4 + j);
                let p = Point2::new(f64::from(x) * 0.25 + 0.1, f64::from(y) * 0.25 + 0.1);
                let feet = Point3::new(p.x, p.y, z);
                let held = cells.cell_at(feet).filter(|id| cells.get(*id) == cell);
                if let Some(id) = held.filter(|_| cell.region.distance(p) == 0.0 && stands(map, solids, feet))
                {
                    found.push((x, y, z, id));
                }
            }
        }
    }
    found
}

/// Lengths of walks from one place over the grid, steps and jumps up and falls down: each is a true walk.
fn walks(places: &[(i32, i32, f64, CellId)], climb: f64, start: usize) -> Vec<f64> {
    let mut at: std::collections::HashMap<(i32, i32), Vec<usize>> = std::collections::HashMap::new();
    places.iter().enumerate().for_each(|(i, p)| at.entry((p.0, p.1)).or_default().push(i));
    let mut best = vec![f64::INFINITY; places.len()];
    let mut queue = BinaryHeap::from([(std::cmp::Reverse(0_u64), start)]);
    best[start] = 0.0;
    while let Some((_, here)) = queue.pop() {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let step = 0.25 * f64::from(dx * dx + dy * dy).sqrt();
            let near = at.get(&(places[here].0 + dx, places[here].1 + dy));
            for there in near.into_iter().flatten() {
                let length = best[here] + step;
                if places[*there].2 - places[here].2 <= climb && length < best[*there] {
                    best[*there] = length;
                    queue.push((std::cmp::Reverse((length * 1e6) as u64), *there));
                }
            }
        }
    }
    best
}

fn never_longer_than_walks(name: &str) {
    let map = corpus_map(name);
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).unwrap();
    let hearable = Hearable::build(&map, &solids, &cells, DEFAULT_HEARABLE_RADIUS_M);
    let places = places(&map, &solids, &cells);
    assert!(places.len() > 100, "{name}: {} places", places.len());
    let climb = map.player.jump + map.player.step;
    let mut judged = 0;
    for start in (0..places.len()).step_by(places.len() / 12 + 1) {
        for (end, length) in walks(&places, climb, start).into_iter().enumerate() {
            if length <= DEFAULT_HEARABLE_RADIUS_M {
                let bound = hearable.walk_lower_bound_m(places[start].3, places[end].3);
                assert!(bound.is_some_and(|b| b <= length), "{name}: {bound:?}, but walked {length}");
                judged += 1;
            }
        }
    }
    assert!(judged > 100, "{name}: {judged} walks");
}

#[test]
fn bounds_are_never_longer_than_walks() {
    for name in ["bridge_and_tunnel", "door", "ledge_drop", "ramp", "two_staggered_walls_fuse"] {
        never_longer_than_walks(name);
    }
}

#[test]
fn parts_give_the_same_set_back_and_broken_parts_none() {
    let map = corpus_map("door");
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).unwrap();
    let hearable = Hearable::build(&map, &solids, &cells, 20.0);
    let parts = hearable.as_parts().clone();
    assert_eq!(Hearable::from_parts(parts.clone()), Some(hearable));
    let mut broken = parts.clone();
    broken.bounds.pop();
    assert_eq!(Hearable::from_parts(broken), None);
    let mut broken = parts;
    broken.cluster_of[0] = u16::MAX;
    assert_eq!(Hearable::from_parts(broken), None);
}
