//! A small map and a bake of it by brute force, for tests of what is done with bakes.

use fogwall::{Baked, CellId, Cells, Hearable, Map, Mask, PairClass, Point3, PvsBuilder, Solids};

/// Two rooms side by side, open to each other north of a wall; the wall ends at `wall_end`.
pub(crate) fn source(wall_end: f64) -> String {
    format!(
        r#"(
    version: 1, name: "two rooms", cell_size: 1.0,
    player: (radius: 0.3, height: 1.8, eye_standing: 1.6, eye_crouched: 1.1, jump: 1.2, step: 0.4,
        max_speed: 6.0, max_accel: 50.0, jump_speed: 6.9, gravity: 20.0, crouch_time: 0.1),
    solids: [
        Prism(id: "wall", outline: [(2.8, 0.0), (3.2, 0.0), (3.2, {wall_end:?}), (2.8, {wall_end:?})], z: (-inf, 9.0)),
        Cylinder(id: "tank", center: (5.0, 1.0), radius: 0.4, z: (0.0, 1.1), blocks: [Movement, Sound]),
    ],
    doors: [],
    floors: [(outline: [(0.0, 0.0, 0.0), (6.0, 0.0, 0.0), (6.0, 6.0, 0.3333333333), (0.0, 6.0, 0.3333333333)])],
)"#
    )
}

/// The stand-in's bake: centres with a free line are visible, others hidden, some pairs unresolved.
pub(crate) fn bake(source: &str) -> Baked {
    let map = Map::parse(source, "two_rooms.ron").expect("a sound source").map;
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).expect("few cells");
    let mut pvs = PvsBuilder::new(cells.len());
    let middle = |id: u32, over: f64| {
        let cell = cells.get(CellId(id));
        let plan = cell.region.center();
        Point3::new(plan.x, plan.y, cell.feet.low + over)
    };
    for a in 0..cells.len() as u32 {
        for b in 0..cells.len() as u32 {
            let free = solids.blocker(middle(a, 1.6), middle(b, 1.0), Mask::Sight, None).is_none();
            let class = match free {
                true if (a + b) % 13 == 0 => PairClass::Unresolved,
                true => PairClass::Visible,
                false => PairClass::Hidden,
            };
            pvs.set(CellId(a), CellId(b), class);
        }
    }
    let unresolved_by_solid = vec![3; map.solids.len()];
    let hearable = Hearable::build(&map, &solids, &cells, 50.0);
    Baked { map, solids, cells, pvs: pvs.finish(), hearable, draft: false, unresolved_by_solid }
}
