//! Which spawns of a map may see which, and what is in the way of the others.
//!
//! ```text
//! cargo run --release --example who_sees_whom [MAP.ron]
//! ```

use fogwall::{BakeOptions, CellId, Cells, Map, Mask, Point3, Quiet, Solids, Spawn, bake};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "maps/two_staggered_walls_fuse.ron".to_owned());
    let map = Map::load(path)?.map;
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids)?;
    let pvs = bake(&map.player, map.cell_size, &solids, &cells, BakeOptions::default(), &Quiet)?;

    let on_a_cell: Vec<(&Spawn, CellId)> =
        map.spawns.iter().filter_map(|spawn| Some((spawn, cells.cell_at(spawn.at)?))).collect();
    for (viewer, from) in &on_a_cell {
        for (target, to) in on_a_cell.iter().filter(|(_, to)| to != from) {
            let pair = format!("{} {} -> {} {}", viewer.team, viewer.at, target.team, target.at);
            let eye = raised(viewer.at, map.player.eye_standing);
            let chest = raised(target.at, 0.7 * map.player.height);
            match solids.blocker(eye, chest, Mask::Sight, None) {
                // Of the baked answer, hidden is certain: no eye of the one cell sees any body of the other.
                _ if !pvs.may_see(*from, *to) => {
                    println!("{pair}: hidden, wherever they move in their cells")
                }
                None => println!("{pair}: in sight"),
                Some(piece) => {
                    let solid = solids.pieces()[piece.0 as usize].solid;
                    println!("{pair}: behind {:?}, for now", map.solids[solid as usize].id);
                }
            }
        }
    }
    Ok(())
}

fn raised(feet: Point3, by: f64) -> Point3 {
    Point3::new(feet.x, feet.y, feet.z + by)
}
