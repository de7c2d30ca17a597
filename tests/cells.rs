//! Cells of small maps built by hand.

mod common;

use common::by_hand::{BODY, map};
use fogwall::{Blocks, Cell, Cells, Floor, Map, Point3, Solid, Solids, ZRange};

fn ring(points: &[(f64, f64, f64)]) -> Vec<Point3> {
    points.iter().map(|&(x, y, z)| Point3::new(x, y, z)).collect()
}

fn floor(points: &[(f64, f64, f64)]) -> Floor {
    Floor { outline: ring(points), holes: Vec::new() }
}

fn level(low: (f64, f64), high: (f64, f64), z: f64) -> Floor {
    floor(&[(low.0, low.1, z), (high.0, low.1, z), (high.0, high.1, z), (low.0, high.1, z)])
}

fn block(id: &str, low: (f64, f64), high: (f64, f64), z: (f64, f64)) -> Solid {
    Solid { id: id.into(), ..common::by_hand::block(low, high, z) }
}

fn build(map: &Map) -> Cells {
    Cells::build(map, &Solids::build(map)).unwrap()
}

fn at(cells: &Cells, x: f64, y: f64, z: f64) -> Option<&Cell> {
    cells.cell_at(Point3::new(x, y, z)).map(|id| cells.get(id))
}

#[test]
fn an_open_floor_has_one_cell_a_column() {
    let cells = build(&map(vec![level((0.0, 0.0), (8.0, 5.0), 0.0)], vec![]));
    assert_eq!(cells.len(), 40);
    assert!(cells.as_slice().iter().all(|c| c.region.area() >= 1.0 && c.feet == ZRange::new(0.0, 0.0)));
    assert_eq!(at(&cells, 3.5, 2.5, 0.0).unwrap().region.area(), 1.0);
    assert_eq!(at(&cells, 7.5, 4.5, 0.0).unwrap().column, (7, 4));
    assert_eq!(at(&cells, 8.05, 4.5, 0.0).unwrap().column, (7, 4), "bodies stand a little past open edges");
    assert!(at(&cells, 8.5, 4.5, 0.0).is_none());
}

#[test]
fn a_wall_keeps_cells_a_body_radius_away() {
    let wall = block("wall", (4.0, -1.0), (4.2, 9.0), (0.0, 3.0));
    let cells = build(&map(vec![level((0.0, 0.0), (8.0, 8.0), 0.0)], vec![wall]));
    assert!(at(&cells, 3.6, 4.5, 0.0).is_some(), "a body touching the wall is on the cells");
    assert!(at(&cells, 3.65, 4.5, 0.0).is_none());
    assert!(at(&cells, 4.6, 4.5, 0.0).is_some());
    assert_eq!(cells.len(), 64, "both sides of the wall's columns keep a part");
}

#[test]
fn a_wall_low_enough_to_jump_on_trims_nothing() {
    let wall = block("wall", (4.0, -1.0), (4.2, 9.0), (0.0, 1.8));
    let cells = build(&map(vec![level((0.0, 0.0), (8.0, 8.0), 0.0)], vec![wall]));
    assert!(at(&cells, 4.1, 4.5, 0.0).is_some());
}

#[test]
fn glass_that_lets_sight_through_still_stops_bodies() {
    let mut glass = block("glass", (4.0, -1.0), (4.2, 9.0), (0.0, 3.0));
    glass.blocks = Blocks { sight: false, movement: true, sound: true };
    let mut curtain = glass.clone();
    curtain.blocks = Blocks { sight: true, movement: false, sound: false };
    let ground = vec![level((0.0, 0.0), (8.0, 8.0), 0.0)];
    assert!(at(&build(&map(ground.clone(), vec![glass])), 4.1, 4.5, 0.0).is_none());
    assert!(at(&build(&map(ground, vec![curtain])), 4.1, 4.5, 0.0).is_some());
}

#[test]
fn doors_do_not_trim() {
    let mut with_door = map(vec![level((0.0, 0.0), (8.0, 8.0), 0.0)], vec![]);
    with_door.doors.push(block("door", (4.0, 0.0), (4.2, 8.0), (0.0, 3.0)));
    assert!(at(&build(&with_door), 4.1, 4.5, 0.0).is_some());
}

#[test]
fn storeys_are_cells_of_their_own_and_a_point_finds_its_own() {
    let floors = vec![level((0.0, 0.0), (3.0, 3.0), 0.0), level((-2.0, -2.0), (5.0, 5.0), 4.0)];
    let cells = build(&map(floors, vec![]));
    assert_eq!(cells.len(), 9 + 49);
    assert_eq!(at(&cells, 1.5, 1.5, 0.0).unwrap().feet, ZRange::new(0.0, 0.0));
    assert_eq!(at(&cells, 1.5, 1.5, 1.3).unwrap().feet.low, 0.0);
    assert!(at(&cells, 1.5, 1.5, 2.5).is_none(), "between a jump and the upper floor is off the cells");
    assert_eq!(at(&cells, 1.5, 1.5, 4.0).unwrap().feet.low, 4.0);
    assert!(at(&cells, 1.5, 1.5, -0.14).is_some(), "floors from navigation meshes float");
    assert!(at(&cells, 1.5, 1.5, -0.2).is_none());
}

#[test]
fn a_step_joins_floors_of_one_column_and_a_higher_ledge_does_not() {
    let pair = |rise: f64| vec![level((0.0, 0.0), (0.5, 1.0), 0.0), level((0.5, 0.0), (1.0, 1.0), rise)];
    let stairs = build(&map(pair(0.4), vec![]));
    assert_eq!(stairs.len(), 1);
    assert_eq!(stairs.as_slice()[0].feet, ZRange::new(0.0, 0.4));
    assert_eq!(build(&map(pair(0.6), vec![])).len(), 2);
}

#[test]
fn feet_fall_past_an_edge_from_the_upper_floor_to_the_lower_one() {
    let floors = vec![level((0.0, 0.0), (4.0, 4.0), 3.0), level((0.0, 0.0), (8.0, 4.0), 0.0)];
    let cells = build(&map(floors, vec![block("ledge", (0.0, 0.0), (4.0, 4.0), (1.9, 3.0))]));
    assert_eq!(at(&cells, 4.5, 2.5, 0.0).unwrap().feet, ZRange::new(0.0, 3.0));
    assert_eq!(at(&cells, 5.5, 2.5, 0.0).unwrap().feet, ZRange::new(0.0, 0.0), "farther than the radius");
    assert_eq!(at(&cells, 2.5, 2.5, 0.0).unwrap().feet, ZRange::new(0.0, 0.0), "under the upper floor");
    assert_eq!(at(&cells, 4.1, 2.5, 2.9).unwrap().feet.low, 0.0, "a falling body is on the lower cell");
}

#[test]
fn nobody_falls_over_an_edge_that_a_wall_closes() {
    let floors = vec![level((0.0, 0.0), (4.0, 4.0), 3.0), level((0.0, 0.0), (8.0, 4.0), 0.0)];
    let wall = block("wall", (4.0, -1.0), (4.2, 5.0), (-1.0, 6.0));
    let cells = build(&map(floors.clone(), vec![wall]));
    assert_eq!(at(&cells, 4.8, 2.5, 0.0).unwrap().feet, ZRange::new(0.0, 0.0));
    let rail = block("rail", (3.9, -1.0), (4.0, 5.0), (3.0, 4.0));
    let cells = build(&map(floors, vec![rail]));
    assert_eq!(at(&cells, 4.8, 2.5, 0.0).unwrap().feet.high, 3.0, "a rail can be jumped over");
}

#[test]
fn a_floor_between_catches_the_fall() {
    let floors = vec![
        level((0.0, 0.0), (4.0, 4.0), 6.0),
        level((3.5, 0.0), (6.0, 4.0), 3.0),
        level((0.0, 0.0), (8.0, 4.0), 0.0),
    ];
    let cells = build(&map(floors, vec![]));
    assert_eq!(at(&cells, 4.5, 2.5, 3.0).unwrap().feet, ZRange::new(3.0, 6.0));
    assert_eq!(at(&cells, 4.5, 2.5, 0.0).unwrap().feet, ZRange::new(0.0, 0.0));
    assert_eq!(at(&cells, 6.2, 2.5, 0.0).unwrap().feet, ZRange::new(0.0, 3.0));
}

#[test]
fn a_cell_that_a_wall_leaves_a_millimetre_of_joins_its_neighbour() {
    let wall = block("wall", (4.4, -1.0), (6.0, 9.0), (-1.0, 3.0));
    let cells = build(&map(vec![level((0.0, 0.0), (5.0, 8.0), 0.0)], vec![wall]));
    assert_eq!(cells.len(), 4 * 8);
    assert_eq!(at(&cells, 4.0005, 2.5, 0.0).unwrap().column, (3, 2));
    let gap = vec![
        block("west", (2.0, -1.0), (4.1, 9.0), (-1.0, 3.0)),
        block("east", (4.9, -1.0), (6.0, 9.0), (-1.0, 3.0)),
    ];
    let cells = build(&map(vec![level((3.0, 0.0), (6.0, 8.0), 0.0)], gap));
    assert!(at(&cells, 4.5, 2.5, 0.0).is_some(), "without a neighbour slivers stay");
}

#[test]
fn a_concave_court_with_a_pillar_hole_has_cells_where_there_is_floor() {
    let mut court = floor(&[
        (0.0, 0.0, 0.0),
        (6.0, 0.0, 0.0),
        (6.0, 2.0, 0.0),
        (2.0, 2.0, 0.0),
        (2.0, 6.0, 0.0),
        (0.0, 6.0, 0.0),
    ]);
    court.holes.push(ring(&[(4.0, 0.5, 0.0), (4.0, 1.5, 0.0), (5.0, 1.5, 0.0), (5.0, 0.5, 0.0)]));
    let pillar = block("pillar", (4.0, 0.5), (5.0, 1.5), (-1.0, 9.0));
    let cells = build(&map(vec![court], vec![pillar]));
    assert!(at(&cells, 4.5, 1.0, 0.0).is_none(), "inside the pillar");
    assert!(at(&cells, 3.0, 3.0, 0.0).is_none());
    assert!(at(&cells, 4.5, 0.05, 0.0).is_some());
}

#[test]
fn the_order_of_floors_changes_nothing() {
    let mut floors = Vec::new();
    for i in 0..6 {
        let x = f64::from(i);
        floors.push(level((x * 0.75, 0.0), (x * 0.75 + 0.75, 3.3), f64::from(i % 4) * 0.3));
        floors.push(floor(&[(x, 1.2, 3.0), (x + 1.0, 1.2, 3.4), (x + 0.7, 4.0, 3.6)]));
    }
    let walls = vec![
        block("a", (1.3, 1.3), (1.9, 1.4), (-1.0, 9.0)),
        block("b", (1.9, 1.3), (2.5, 1.4), (-1.0, 9.0)),
    ];
    let first = build(&map(floors.clone(), walls.clone()));
    floors.reverse();
    floors.swap(2, 7);
    let second = build(&map(floors, walls.into_iter().rev().collect()));
    assert_eq!(first.as_slice(), second.as_slice());
}

#[test]
fn a_map_moved_by_whole_cells_has_the_cells_moved() {
    let make = |dx: f64, dy: f64| {
        let floors = vec![
            level((0.25 + dx, 0.25 + dy), (5.5 + dx, 4.5 + dy), 0.0),
            level((3.0 + dx, 3.0 + dy), (7.0 + dx, 6.0 + dy), 2.0),
        ];
        build(&map(floors, vec![block("b", (1.25 + dx, 1.5 + dy), (2.5 + dx, 3.0 + dy), (-1.0, 9.0))]))
    };
    let (here, there) = (make(0.0, 0.0), make(-64.0, 128.0));
    assert_eq!(here.len(), there.len());
    for cell in here.as_slice() {
        let same = |twin: &&Cell| {
            (twin.column.0 + 64, twin.column.1 - 128) == cell.column
                && twin.feet == cell.feet
                && (twin.region.area() - cell.region.area()).abs() < 1e-9
        };
        assert!(there.as_slice().iter().any(|twin| same(&twin)), "{cell:?}");
    }
}

#[test]
fn points_that_are_not_numbers_or_far_away_are_off_the_cells() {
    let cells = build(&map(vec![level((0.0, 0.0), (8.0, 5.0), 0.0)], vec![]));
    let values = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 3e9, 1.0];
    for x in values {
        for y in values {
            for z in values {
                let p = Point3::new(x, y, z);
                let inside = x == 1.0 && y == 1.0 && z == 1.0;
                assert_eq!(cells.cell_at(p).is_some(), inside, "{p}");
                let mut found = 0;
                cells.for_each_eye_cell(p, |_| found += 1);
                cells.for_each_body_cell(p, |_| found += 1);
                assert_eq!(found > 0, inside, "{p}");
            }
        }
    }
}

#[test]
fn look_ups_of_eyes_and_bodies_find_what_a_full_search_finds() {
    let floors = vec![level((0.0, 0.0), (6.0, 6.0), 0.0), level((2.0, 2.0), (9.0, 5.0), 2.5)];
    let cells = build(&map(floors, vec![block("b", (1.2, 1.5), (2.5, 3.0), (-1.0, 9.0))]));
    for i in 0..4000 {
        let f = f64::from(i);
        let p = Point3::new((f * 0.377) % 11.0 - 1.0, (f * 0.619) % 8.0 - 1.0, (f * 0.173) % 7.0 - 0.5);
        let search = |reach: f64, over: ZRange| -> Vec<u32> {
            let holds = |c: &Cell| {
                c.region.distance(p.xy()) <= reach + 1e-4
                    && c.feet.low + over.low - 1e-4 <= p.z
                    && p.z <= c.feet.high + over.high + 1e-4
            };
            (0..cells.len()).filter(|i| holds(&cells.as_slice()[*i])).map(|i| i as u32).collect()
        };
        let mut eyes = Vec::new();
        cells.for_each_eye_cell(p, |id| eyes.push(id.0));
        eyes.sort_unstable();
        assert_eq!(eyes, search(BODY.lean, BODY.eye_range()));
        let mut bodies = Vec::new();
        cells.for_each_body_cell(p, |id| bodies.push(id.0));
        bodies.sort_unstable();
        assert_eq!(bodies, search(BODY.sight_radius, BODY.body_range()));
    }
}

#[test]
fn a_slab_over_the_whole_cell_caps_its_jumps_and_one_with_a_hole_does_not() {
    let floor = || vec![level((0.0, 0.0), (6.0, 6.0), 0.0)];
    let slab = |from: (f64, f64), to| block(if from.0 < 1.0 { "a" } else { "b" }, from, to, (2.5, 2.8));
    let cells = build(&map(floor(), vec![slab((0.0, 0.0), (2.3, 6.0)), slab((3.5, 0.0), (6.0, 6.0))]));
    let ceiling = |x: f64| at(&cells, x, 3.5, 0.0).unwrap().ceiling;
    assert_eq!(ceiling(1.5), 2.5);
    // Half of it is open, but a body's centre has no room in the opening's rim.
    assert_eq!(ceiling(2.5), f64::INFINITY);
    assert_eq!(ceiling(3.5), f64::INFINITY);
    assert_eq!(ceiling(4.5), 2.5);
    let cell = at(&cells, 1.5, 3.5, 0.0).unwrap();
    assert_eq!(cell.body_heights(&BODY), ZRange::new(0.0, 2.5));
    assert_eq!(cell.eye_heights(&BODY).high, 2.5);
    let mut over = 0;
    cells.for_each_eye_cell(Point3::new(1.5, 3.5, 2.6), |_| over += 1);
    assert_eq!(over, 0, "an eye in the slab belongs to no cell under it");
}

#[test]
fn what_hangs_lower_than_a_crouched_body_is_no_ceiling() {
    let floor = vec![level((0.0, 0.0), (6.0, 6.0), 0.0)];
    let cells = build(&map(floor, vec![block("low", (0.0, 0.0), (6.0, 6.0), (1.0, 1.1))]));
    assert!(cells.as_slice().iter().all(|c| c.ceiling == f64::INFINITY));
}

#[test]
fn too_many_cells_are_an_error_at_once() {
    let huge = map(vec![level((0.0, 0.0), (1e9, 1e9), 0.0)], vec![]);
    assert!(Cells::build(&huge, &Solids::build(&huge)).is_err());
    let far = map(vec![level((1e300, 0.0), (1.1e300, 1.0), 0.0)], vec![]);
    assert!(Cells::build(&far, &Solids::build(&far)).is_err());
    let small = map(vec![level((0.0, 0.0), (9.8, 9.8), 0.0)], vec![]);
    assert!(Cells::build_at_most(&small, &Solids::build(&small), 99).is_err());
    assert_eq!(Cells::build_at_most(&small, &Solids::build(&small), 100).unwrap().len(), 100);
}
