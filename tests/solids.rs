//! What a map's solids answer, on small maps with known answers.

mod common;

use common::by_hand::{block, map, points, prism, solid};
use fogwall::{
    Blocks, DoorState, DynamicBlocker, DynamicSolids, Footprint, Map, Mask, PieceId, Point2, Point3, Smoke,
    Solid, Solids, ZRange,
};

fn solids(list: Vec<Solid>) -> Solids {
    Solids::build(&map(Vec::new(), list))
}

/// The answer, which must be the same whatever blocker is cached.
fn stopped(solids: &Solids, from: (f64, f64, f64), to: (f64, f64, f64)) -> bool {
    let (from, to) = (Point3::new(from.0, from.1, from.2), Point3::new(to.0, to.1, to.2));
    let plain = solids.blocker(from, to, Mask::Sight, None);
    for cached in 0..=solids.pieces().len() as u32 {
        let with = solids.blocker(from, to, Mask::Sight, Some(PieceId(cached)));
        assert_eq!(with.is_some(), plain.is_some(), "cached {cached}");
    }
    plain.is_some()
}

fn stopped_once(solids: &Solids, from: (f64, f64, f64), to: (f64, f64, f64)) -> bool {
    let (from, to) = (Point3::new(from.0, from.1, from.2), Point3::new(to.0, to.1, to.2));
    solids.blocker(from, to, Mask::Sight, None).is_some()
}

#[test]
fn a_map_without_solids_stops_nothing() {
    let none = solids(Vec::new());
    assert!(none.pieces().is_empty());
    assert!(!stopped(&none, (0.0, 0.0, 0.0), (9.0, 9.0, 9.0)));
    assert!(!none.holds(Point3::origin(), Mask::Sight));
}

#[test]
fn blocks_that_share_an_edge_become_one_piece_named_by_the_first() {
    let joined =
        solids(vec![block((2.0, 0.0), (4.0, 2.0), (0.0, 3.0)), block((0.0, 0.0), (2.0, 2.0), (0.0, 3.0))]);
    assert_eq!(joined.pieces().len(), 1);
    assert_eq!((joined.pieces()[0].solid, joined.pieces()[0].outline.area()), (0, 8.0));
}

#[test]
fn blocks_of_other_heights_or_other_effect_stay_apart() {
    let glass = Blocks { sight: false, movement: true, sound: true };
    let apart = solids(vec![
        block((0.0, 0.0), (2.0, 2.0), (0.0, 3.0)),
        Solid { blocks: glass, ..block((2.0, 0.0), (4.0, 2.0), (0.0, 3.0)) },
        block((4.0, 0.0), (6.0, 2.0), (0.0, 2.0)),
    ]);
    assert_eq!(apart.pieces().len(), 3);
    let (from, to) = (Point3::new(3.0, -1.0, 1.0), Point3::new(3.0, 3.0, 1.0));
    assert_eq!(apart.blocker(from, to, Mask::Sight, None), None);
    assert_eq!(apart.blocker(from, to, Mask::Sight, Some(PieceId(1))), None);
    assert_eq!(apart.blocker(from, to, Mask::Movement, None), Some(PieceId(1)));
    assert_eq!(apart.blocker(from, to, Mask::Sound, None), Some(PieceId(1)));
}

#[test]
fn stacked_blocks_weld_and_then_merge_sideways() {
    let welded = solids(vec![
        block((0.0, 0.0), (2.0, 2.0), (f64::NEG_INFINITY, 1.0)),
        block((0.0, 0.0), (2.0, 2.0), (1.0, 3.0)),
        block((2.0, 0.0), (3.0, 2.0), (f64::NEG_INFINITY, 3.0)),
    ]);
    assert_eq!(welded.pieces().len(), 1);
    assert_eq!(welded.pieces()[0].z, ZRange::new(f64::NEG_INFINITY, 3.0));
    assert!(stopped(&welded, (-1.0, 1.0, 1.0), (4.0, 1.0, 1.0)));
}

#[test]
fn a_block_inside_another_is_no_piece_unless_it_stops_more_or_sticks_out() {
    let glass = Blocks { sight: false, movement: true, sound: true };
    let (low, high) = ((0.0, 0.0), (4.0, 4.0));
    let with = |outer: Blocks, inner: Solid| {
        solids(vec![inner, Solid { blocks: outer, ..block(low, high, (0.0, 3.0)) }]).pieces().to_vec()
    };
    for inside in [block((1.0, 1.0), (2.0, 2.0), (0.0, 3.0)), block((0.0, 0.0), (4.0, 2.0), (1.0, 2.0))] {
        let left = with(Blocks::ALL, inside.clone());
        assert_eq!((left.len(), left[0].solid, left[0].outline.area()), (1, 1, 16.0));
        assert_eq!(with(Blocks::ALL, Solid { blocks: glass, ..inside.clone() }).len(), 1);
        assert_eq!(with(glass, inside).len(), 2);
    }
    assert_eq!(with(Blocks::ALL, block((1.0, 1.0), (2.0, 2.0), (0.0, 3.1))).len(), 2);
    assert_eq!(with(Blocks::ALL, block((1.0, 1.0), (4.1, 2.0), (0.0, 3.0))).len(), 2);
}

#[test]
fn twenty_thousand_solids_in_one_place_build_in_bounded_time() {
    // Each a tenth of a millimetre beside the one before and a little higher: none inside another, all near.
    let at = |i: u32| f64::from(i) * 1e-4;
    let crowd = |i| block((at(i), 0.0), (5.0 + at(i), 5.0), (at(i), 4.0 + at(i)));
    let begun = std::time::Instant::now();
    let built = solids((0..20_000).map(crowd).collect());
    assert!(built.pieces().len() >= 20_000);
    // All pairs would take minutes.
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
    assert!(stopped_once(&built, (-1.0, 2.0, 2.0), (9.0, 2.0, 2.0)));
}

#[test]
fn a_concave_outline_hides_nothing_in_its_notch_or_its_hole() {
    let outline =
        points(&[(0.0, 0.0), (9.0, 0.0), (9.0, 6.0), (6.0, 6.0), (6.0, 3.0), (3.0, 6.0), (0.0, 6.0)]);
    let holes = vec![points(&[(1.0, 1.0), (1.0, 2.0), (8.0, 2.0), (8.0, 1.0)])];
    let yard = solids(vec![solid(Footprint::Polygon { outline, holes }, (0.0, 3.0))]);
    let area: f64 = yard.pieces().iter().map(|piece| piece.outline.area()).sum();
    assert!((area - (54.0 - 4.5 - 7.0)).abs() < 1e-12);
    assert!(!stopped(&yard, (1.5, 1.5, 1.0), (7.5, 1.5, 1.0)));
    assert!(!stopped(&yard, (5.9, 3.2, 1.0), (5.0, 7.0, 1.0)));
    assert!(stopped(&yard, (1.5, 1.5, 1.0), (5.0, 7.0, 1.0)));
}

#[test]
fn seams_of_abutting_blocks_leak_at_no_offset() {
    // Different heights keep the pieces apart, so that the seam x = 2 is a real one.
    let seam =
        solids(vec![block((0.0, 0.0), (2.0, 4.0), (0.0, 3.0)), block((2.0, 0.0), (4.0, 4.0), (0.0, 3.5))]);
    assert_eq!(seam.pieces().len(), 2);
    for offset in [0.0, 1e-12, 1e-9, 5e-7, 1e-6, 2e-6] {
        for x in [2.0 - offset, 2.0 + offset] {
            assert!(stopped(&seam, (x, -1.0, 1.0), (x, 5.0, 1.0)), "along, {x}");
            assert!(stopped(&seam, (x, -1.0, 1.0), (4.0 - x, 5.0, 1.0)), "across, {x}");
            assert!(stopped(&seam, (x, 0.0, 1.0), (x, 5.0, 1.0)), "from the face, {x}");
            assert!(stopped(&seam, (x, -1.0, 1.0), (x, 2.0, 1.0)), "ending in the seam, {x}");
        }
    }
}

#[test]
fn a_t_junction_does_not_leak() {
    let junction = solids(vec![
        block((0.0, 0.0), (4.0, 1.0), (0.0, 3.0)),
        block((0.0, 1.0), (2.0, 2.0), (0.0, 3.0)),
        block((2.0, 1.0), (4.0, 2.0), (0.0, 3.1)),
    ]);
    for offset in [-5e-7, -1e-9, 0.0, 1e-9, 5e-7] {
        assert!(stopped(&junction, (2.0 + offset, 3.0, 1.0), (2.0 - offset, -1.0, 1.0)));
        assert!(stopped(&junction, (-1.0, 1.0 + offset, 1.0), (5.0, 1.0 - offset, 1.0)));
    }
}

#[test]
fn two_blocks_that_touch_in_one_corner_leave_no_way_between_them() {
    let corner =
        solids(vec![block((0.0, 0.0), (2.0, 2.0), (0.0, 3.0)), block((2.0, 2.0), (4.0, 4.0), (0.0, 3.0))]);
    assert!(stopped(&corner, (1.0, 3.0, 1.0), (3.0, 1.0, 1.0)));
    assert!(!stopped(&corner, (1.0, 3.0, 1.0), (1.9, 2.1, 1.0)));
}

#[test]
fn slits_under_two_millimetres_close_and_wider_ones_stay() {
    let closed = |gap: f64, turn: f64| {
        let skew = [(2.0 + gap, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0 + gap + turn, 4.0)];
        let pair = solids(vec![block((0.0, 0.0), (2.0, 4.0), (0.0, 3.0)), prism(&skew, (-1.0, 3.0))]);
        let x = 2.0 + 0.5 * gap;
        stopped(&pair, (x, -1.0, 1.0), (x + 0.5 * turn, 5.0, 1.0))
    };
    for turn in [0.0, 1e-4, -1e-4] {
        assert!(closed(2e-4, turn) && closed(1e-3, turn) && closed(1.8e-3, turn));
        assert!(!closed(2.2e-3, turn) && !closed(0.1, turn));
    }
    assert!(closed(5e-5, 0.0) && closed(1.5e-3, 1e-3));
}

#[test]
fn a_filled_slit_reaches_only_where_both_faces_are() {
    let pair =
        solids(vec![block((0.0, 0.0), (2.0, 4.0), (0.0, 3.0)), block((2.001, 1.0), (4.0, 2.0), (1.0, 9.0))]);
    assert!(stopped(&pair, (2.0005, 0.5, 2.0), (2.0005, 2.5, 2.0)));
    assert!(!stopped(&pair, (2.0005, 0.5, 0.5), (2.0005, 2.5, 0.5)));
    assert!(!stopped(&pair, (2.0005, -1.0, 2.0), (2.0005, 0.9, 2.0)));
    assert!(!stopped(&pair, (2.0005, 2.1, 2.0), (2.0005, 5.0, 2.0)));
}

#[test]
fn an_eye_inside_a_solid_sees_everything() {
    let two =
        solids(vec![block((0.0, 0.0), (2.0, 2.0), (0.0, 3.0)), block((5.0, 0.0), (7.0, 2.0), (0.0, 3.0))]);
    assert!(!stopped(&two, (1.0, 1.0, 1.0), (9.0, 1.0, 1.0)));
    assert!(stopped(&two, (9.0, 1.0, 1.0), (1.0, 1.0, 1.0)));
    assert!(stopped(&two, (2.0, 1.0, 1.0), (9.0, 1.0, 1.0)));
    assert!(!stopped(&two, (2.0, 1.0, 1.0), (5.0, 1.0, 1.0)));
    assert!(!stopped(&two, (3.0, 1.0, 1.0), (3.0, 1.0, 1.0)));
}

#[test]
fn a_segment_without_length_is_free_at_a_face_whatever_is_cached() {
    let wall = solids(vec![block((0.0, 0.0), (2.0, 2.0), (0.0, 3.0))]);
    for depth in [-2e-6, -9e-7, 0.0, 9e-7, 1.5e-6, 1.0] {
        let at = (depth, 1.0, 1.0);
        assert!(!stopped(&wall, at, at), "{depth}");
    }
    assert!(stopped(&wall, (0.0, 1.0, 1.0), (0.0, 1.0, 2.0)), "along the face");
}

#[test]
fn glass_around_an_eye_counts_only_for_what_it_stops() {
    let glass = Blocks { sight: false, movement: true, sound: true };
    let shop = solids(vec![
        Solid { blocks: glass, ..block((0.0, 0.0), (2.0, 2.0), (0.0, 3.0)) },
        block((5.0, 0.0), (7.0, 2.0), (0.0, 3.0)),
    ]);
    let (inside, beyond) = (Point3::new(1.0, 1.0, 1.0), Point3::new(9.0, 1.0, 1.0));
    assert!(!shop.holds(inside, Mask::Sight) && shop.holds(inside, Mask::Movement));
    for cached in [None, Some(PieceId(0)), Some(PieceId(1))] {
        assert_eq!(shop.blocker(inside, beyond, Mask::Sight, cached), Some(PieceId(1)));
        assert_eq!(shop.blocker(inside, beyond, Mask::Movement, cached), None);
    }
}

#[test]
fn of_several_blockers_the_cached_one_is_named() {
    let row = solids(vec![
        block((0.0, 0.0), (1.0, 2.0), (0.0, 3.0)),
        block((3.0, 0.0), (4.0, 2.0), (0.0, 3.0)),
        block((6.0, 0.0), (7.0, 2.0), (0.0, 3.0)),
    ]);
    let (from, to) = (Point3::new(-1.0, 1.0, 1.0), Point3::new(9.0, 1.0, 1.0));
    for cached in [0, 1, 2].map(PieceId) {
        assert_eq!(row.blocker(from, to, Mask::Sight, Some(cached)), Some(cached));
    }
}

#[test]
fn a_cylinder_hides_what_is_behind_it_and_errs_inwards() {
    let tank = solids(vec![solid(Footprint::Circle { center: Point2::origin(), radius: 1.0 }, (0.0, 2.0))]);
    for step in 0..360 {
        let (s, c) = f64::from(step).to_radians().sin_cos();
        let tangent = |r: f64| {
            let end = |t: f64| (r * c - t * s, r * s + t * c, 1.0);
            stopped(&tank, end(5.0), end(-5.0))
        };
        assert!(tangent(0.99) && !tangent(1.0 + 2e-6));
    }
}

#[test]
fn a_box_query_names_what_it_touches_and_nothing_else() {
    let at = |i: u8| 3.0 * f64::from(i);
    let row = solids((0..20).map(|i| block((at(i), 0.0), (at(i) + 1.0, 1.0), (0.0, 1.0))).collect());
    let mut found = Vec::new();
    row.for_each_touching(Point2::new(4.0, -1.0), Point2::new(9.0, 0.0), |id, piece| {
        assert_eq!(&row.pieces()[id.0 as usize], piece);
        found.push(piece.solid);
    });
    found.sort_unstable();
    assert_eq!(found, [1, 2, 3]);
    // Nearer than numbers of 32 bits tell.
    let far = solids(vec![block((1000.0, 0.0), (1001.0, 1.0), (0.0, 1.0))]);
    let touches = |x: f64| {
        let mut count = 0;
        far.for_each_touching(Point2::new(x, 0.0), Point2::new(x + 1.0, 1.0), |_, _| count += 1);
        count
    };
    assert_eq!(
        (touches(1001.0), touches(1001.0 + 1e-9), touches(999.0), touches(999.0 - 1e-9)),
        (1, 0, 1, 0)
    );
}

#[test]
fn solids_of_no_height_and_solids_far_away_do_no_harm() {
    let far = 1e9;
    let odd = solids(vec![
        block((0.0, 0.0), (2.0, 2.0), (1.0, 1.0)),
        block((far, far), (far + 5.0, far + 5.0), (0.0, 3.0)),
        block((5.0, 0.0), (7.0, 2.0), (0.0, 3.0)),
    ]);
    assert_eq!(odd.pieces().len(), 2);
    assert!(stopped(&odd, (4.0, 1.0, 1.0), (9.0, 1.0, 1.0)));
    assert!(!stopped(&odd, (-4.0, 1.0, 1.0), (4.0, 1.0, 1.0)));
    assert!(stopped(&odd, (far - 9.0, far + 1.0, 1.0), (far + 9.0, far + 1.0, 1.0)));
}

#[test]
fn a_door_stops_only_while_it_is_closed_and_only_what_it_blocks() {
    let glass = Blocks { sight: false, movement: true, sound: true };
    let doors = vec![
        block((0.0, 0.0), (0.1, 2.0), (0.0, 2.0)),
        Solid { blocks: glass, ..block((3.0, 0.0), (3.1, 2.0), (0.0, 2.0)) },
    ];
    let map = Map { doors, ..map(Vec::new(), Vec::new()) };
    assert!(Solids::build(&map).pieces().is_empty());
    let mut dynamic = DynamicSolids::new(&map);
    let (from, to) = (Point3::new(-1.0, 1.0, 1.0), Point3::new(5.0, 1.0, 1.0));
    assert_eq!(dynamic.blocker(from, to, Mask::Sight), None);
    dynamic.doors_mut()[1] = DoorState::Closed;
    assert_eq!(dynamic.blocker(from, to, Mask::Sight), None);
    assert_eq!(dynamic.blocker(from, to, Mask::Movement), Some(DynamicBlocker::Door(1)));
    dynamic.doors_mut()[0] = DoorState::Closed;
    assert_eq!(dynamic.blocker(from, to, Mask::Sight), Some(DynamicBlocker::Door(0)));
    assert_eq!(dynamic.blocker(Point3::new(0.05, 1.0, 1.0), to, Mask::Movement), None);
    assert_eq!(dynamic.blocker(from, Point3::new(-0.1, 1.0, 1.0), Mask::Sight), None);
    assert_eq!(dynamic.blocker(from, Point3::new(5.0, 1.0, 5.0), Mask::Sight), Some(DynamicBlocker::Door(0)));
    assert_eq!(dynamic.blocker(from, Point3::new(5.0, 1.0, 50.0), Mask::Sight), None);
}

#[test]
fn smoke_stops_sight_that_is_long_enough_in_it() {
    let mut dynamic = DynamicSolids::new(&map(Vec::new(), Vec::new()));
    let smoke = |x: f64, depth: f64| Smoke { center: Point3::new(x, 0.0, 1.0), radius: 3.0, depth };
    let (from, to) = (Point3::new(-9.0, 0.0, 1.0), Point3::new(9.0, 0.0, 1.0));
    dynamic.set_smokes(&[smoke(0.0, 6.5), smoke(0.0, 5.5)]);
    assert_eq!(dynamic.blocker(from, to, Mask::Sight), Some(DynamicBlocker::Smoke(1)));
    assert_eq!(dynamic.blocker(from, to, Mask::Sound), None);
    assert_eq!(dynamic.blocker(from, Point3::new(2.0, 0.0, 1.0), Mask::Sight), None);
    dynamic.set_smokes(&[smoke(f64::NAN, 1.0), smoke(50.0, 0.0)]);
    assert_eq!(dynamic.blocker(from, to, Mask::Sight), None);
}
