//! Small maps, written in a test.

use fogwall::{Blocks, Floor, Footprint, Map, Player, Point2, Solid, ZRange};

/// A body like a shooter's.
pub(crate) const BODY: Player = Player {
    radius: 0.4,
    height: 1.8,
    eye_standing: 1.6,
    eye_crouched: 1.1,
    jump: 1.4,
    step: 0.5,
    max_speed: 8.0,
    max_accel: 50.0,
    jump_speed: 7.5,
    gravity: 20.0,
    crouch_time: 0.1,
    lean: 0.4,
    sight_radius: 0.6,
};

/// A map of cells of a metre for [`BODY`], without doors, areas and spawns.
pub(crate) fn map(floors: Vec<Floor>, solids: Vec<Solid>) -> Map {
    Map {
        name: "by hand".into(),
        cell_size: 1.0,
        player: BODY,
        solids,
        doors: Vec::new(),
        floors,
        areas: Vec::new(),
        spawns: Vec::new(),
        source_hash: [0; 32],
    }
}

/// A solid that blocks everything, named by its shape.
pub(crate) fn solid(footprint: Footprint, z: (f64, f64)) -> Solid {
    Solid { id: format!("{footprint:?} {z:?}"), footprint, z: ZRange::new(z.0, z.1), blocks: Blocks::ALL }
}

/// A prism without holes.
pub(crate) fn prism(ring: &[(f64, f64)], z: (f64, f64)) -> Solid {
    solid(Footprint::Polygon { outline: points(ring), holes: Vec::new() }, z)
}

/// A box.
pub(crate) fn block(low: (f64, f64), high: (f64, f64), z: (f64, f64)) -> Solid {
    prism(&[low, (high.0, low.1), high, (low.0, high.1)], z)
}

/// The ring's vertices.
pub(crate) fn points(ring: &[(f64, f64)]) -> Vec<Point2> {
    ring.iter().map(|&(x, y)| Point2::new(x, y)).collect()
}
