//! From the product's data types to the judges' scene, and from a toy scene to a map.

use super::plane::P2;
use super::scene::{Blocker, Place, Scene};
use crate::common::by_hand;
use crate::common::sources::load;
use fogwall::{Blocks, Cells, Floor, Footprint, Map, Point2, Point3, Solid, Solids, ZRange};

/// A map with what the product makes of it, and the judges' view of the same.
pub(crate) struct Level {
    pub(crate) map: Map,
    pub(crate) solids: Solids,
    pub(crate) cells: Cells,
    pub(crate) scene: Scene,
}

impl Level {
    pub(crate) fn new(map: Map) -> Self {
        let solids = Solids::build(&map);
        let cells = Cells::build(&map, &solids).expect("the map is within the limits");
        let plain = |points: &[Point2]| points.iter().map(|p| [p.x, p.y]).collect::<Vec<P2>>();
        let sight = solids.pieces().iter().filter(|piece| piece.blocks.sight);
        let blockers = sight.map(|piece| Blocker {
            outline: plain(piece.outline.vertices()),
            low: piece.z.low,
            high: piece.z.high,
        });
        let places = cells.as_slice().iter().map(|cell| Place {
            region: plain(cell.region.vertices()),
            feet: (cell.feet.low, cell.feet.high),
            ceiling: cell.ceiling,
            column: cell.column,
        });
        let scene = Scene { blockers: blockers.collect(), places: places.collect(), player: map.player };
        Self { map, solids, cells, scene }
    }

    /// Loads a map's source; panics where it does not load.
    pub(crate) fn load(path: &std::path::Path) -> Self {
        Self::new(load(path))
    }
}

/// A toy scene as a map: its blockers as solids, one floor under all of its cells.
pub(crate) fn map_of(toy: &Scene, name: &str) -> Map {
    let solids = toy.blockers.iter().enumerate().map(|(index, blocker)| Solid {
        id: format!("toy_{index}"),
        footprint: Footprint::Polygon {
            outline: blocker.outline.iter().map(|v| Point2::new(v[0], v[1])).collect(),
            holes: Vec::new(),
        },
        z: ZRange::new(blocker.low, blocker.high),
        blocks: Blocks::ALL,
    });
    // One floor a cell: what is no cell of the toy is none of the map.
    let floors = toy.places.iter().map(|place| Floor {
        outline: place.region.iter().map(|v| Point3::new(v[0], v[1], place.feet.0)).collect(),
        holes: Vec::new(),
    });
    Map {
        name: name.to_owned(),
        cell_size: 2.0,
        player: toy.player,
        ..by_hand::map(floors.collect(), solids.collect())
    }
}
