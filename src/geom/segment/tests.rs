//! What the kernel answers at faces, corners and tops.

use super::*;

fn box_prism(low: f64, high: f64) -> Prisms {
    let mut prisms = Prisms::default();
    let outline = ConvexPolygon::rectangle(Point2::new(0.0, 0.0), Point2::new(2.0, 1.0));
    prisms.push(&outline, ZRange::new(low, high), 1);
    prisms
}

fn stops(prisms: &Prisms, from: [f64; 3], to: [f64; 3]) -> bool {
    prisms.stops(0, 1, &Segment::new(Point3::from(from), Point3::from(to)))
}

#[test]
fn a_segment_through_is_stopped_and_one_beside_is_not() {
    let prisms = box_prism(0.0, 3.0);
    assert!(stops(&prisms, [-1.0, 0.5, 1.0], [3.0, 0.5, 1.0]));
    assert!(!stops(&prisms, [-1.0, 1.5, 1.0], [3.0, 1.5, 1.0]));
    assert!(!stops(&prisms, [-1.0, 0.5, 1.0], [-0.5, 0.5, 1.0]));
    assert!(!stops(&prisms, [2.5, 0.5, 1.0], [3.0, 0.5, 1.0]));
}

#[test]
fn along_a_face_the_clearance_decides() {
    let prisms = box_prism(0.0, 3.0);
    for (beside, stopped) in [(-1e-3, true), (0.0, true), (5e-7, true), (2e-6, false), (1e-3, false)] {
        let y = 1.0 + beside;
        assert_eq!(stops(&prisms, [-1.0, y, 1.0], [3.0, y, 1.0]), stopped, "{beside}");
    }
}

#[test]
fn touching_the_top_is_free_and_a_nanometre_below_is_not() {
    let prisms = box_prism(0.0, 3.0);
    let over = |z: f64| stops(&prisms, [-1.0, 0.5, z], [3.0, 0.5, z]);
    assert!(!over(3.0) && !over(0.0) && over(3.0 - 1e-9) && over(1e-9));
    // Rising through the range before the prism, and through it over the prism.
    assert!(!stops(&prisms, [-4.0, 0.5, 0.0], [-0.5, 0.5, 6.0]));
    assert!(stops(&prisms, [-1.0, 0.5, 1.0], [3.0, 0.5, 6.0]));
    // Down onto the top, and up from it.
    assert!(!stops(&prisms, [1.0, 0.5, 7.0], [1.5, 0.5, 3.0]));
    assert!(!stops(&prisms, [1.5, 0.5, 3.0], [1.0, 0.5, 7.0]));
}

#[test]
fn without_ends_in_height_only_the_plan_counts() {
    let prisms = box_prism(f64::NEG_INFINITY, f64::INFINITY);
    assert!(stops(&prisms, [-1.0, 0.5, -1e9], [3.0, 0.5, 1e9]));
    assert!(stops(&prisms, [1.0, 0.5, -1.0], [1.0, 0.5, 1.0]));
    assert!(!stops(&prisms, [-1.0, 0.5, -1e9], [-1.0, 0.5, 1e9]));
    assert!(!stops(&prisms, [-1.0, 2.5, 0.0], [3.0, 2.5, 0.0]));
}

#[test]
fn upright_segments_are_stopped_by_the_heights_they_pass() {
    let prisms = box_prism(0.0, 3.0);
    assert!(stops(&prisms, [1.0, 0.5, -1.0], [1.0, 0.5, 4.0]));
    assert!(!stops(&prisms, [1.0, 0.5, 3.0], [1.0, 0.5, 4.0]));
    assert!(stops(&prisms, [1.0, 0.5, 2.999], [1.0, 0.5, 4.0]));
    assert!(!stops(&prisms, [3.0, 0.5, -1.0], [3.0, 0.5, 4.0]));
}

#[test]
fn an_end_on_a_face_is_free_outwards_only() {
    let prisms = box_prism(0.0, 3.0);
    for depth in [-9e-7, -1e-12, 0.0, 1e-12, 9e-7] {
        let face = [1.0, 1.0 - depth, 1.0];
        assert!(!stops(&prisms, face, [1.3, 4.0, 1.0]), "out, {depth}");
        assert!(!stops(&prisms, [1.3, 4.0, 1.0], face), "ending there, {depth}");
        assert!(stops(&prisms, face, [1.3, -4.0, 1.0]), "in, {depth}");
        assert!(stops(&prisms, [1.3, -4.0, 1.0], face), "ending through, {depth}");
        assert!(stops(&prisms, face, [5.0, 1.0 - depth, 1.0]), "along, {depth}");
    }
}

#[test]
fn through_a_corner_is_stopped_and_past_a_needle_is_free() {
    let prisms = box_prism(0.0, 3.0);
    assert!(stops(&prisms, [-1.0, -1.0, 1.0], [1.0, 1.0, 1.0]));
    assert!(stops(&prisms, [-1.0, 1.0, 1.0], [1.0, -1.0, 1.0]));
    let needle = ConvexPolygon::from_ccw(
        [(0.0, 0.0), (-9.0, 1e-4), (-9.0, -1e-4)].map(|(x, y)| Point2::new(x, y)).to_vec(),
    );
    let mut prisms = Prisms::default();
    prisms.push(&needle, ZRange::new(0.0, 3.0), 1);
    let across = |x: f64| stops(&prisms, [x, -1.0, 1.0], [x, 1.0, 1.0]);
    assert!(across(-1e-3) && across(0.0) && across(9e-7) && !across(1.5e-6));
    // The needle's faces, pushed out, meet nine centimetres before it.
    assert!(!stops(&prisms, [1.0, 0.0, 1.0], [1e-2, 0.0, 1.0]));
    assert!(!stops(&prisms, [1.0, 0.0, 1.0], [3e-6, 0.0, 1.0]));
    assert!(!stops(&prisms, [-5.0, 0.0, 7.0], [5.02, 0.0, -1.0]), "down over its length and past its tip");
}

#[test]
fn an_end_leaves_a_face_by_a_nanoradian() {
    let prisms = box_prism(0.0, 3.0);
    for (tilt, stopped) in [(5e-10, true), (1e-8, false)] {
        let (on_face, off) = ([0.5, 1.0, 1.0], [1.5, 1.0 + tilt, 1.0]);
        assert_eq!(stops(&prisms, on_face, off), stopped, "{tilt}");
        assert_eq!(stops(&prisms, off, on_face), stopped, "{tilt}, ending there");
    }
}

#[test]
fn what_begins_far_away_in_the_plane_of_a_face_does_not_leave_it() {
    let prisms = box_prism(0.0, 3.0);
    // It sinks to the top over the middle of the face, within the clearance, and drifts off from there.
    let (far, beyond) = ([-1.0, 1.0 - 5e-7, 5.0], [5.0, 1.0 + 1e-6, -1.0]);
    assert!(stops(&prisms, far, beyond) && stops(&prisms, beyond, far));
}

#[test]
fn the_least_rise_from_the_bottom_is_within_the_heights() {
    let least = f64::from_bits(1);
    assert!(stops(&box_prism(0.0, 3.0), [-1.0, 0.5, 0.0], [3.0, 0.5, least]));
}

#[test]
fn a_prism_of_another_kind_holds_and_stops_nothing() {
    let prisms = box_prism(0.0, 3.0);
    let (inside, outside) = (Point3::new(1.0, 0.5, 1.0), Point3::new(1.0, -0.5, 1.0));
    assert!(prisms.holds(0, 0b11, inside) && !prisms.holds(0, 0b10, inside));
    let into = Segment::new(outside, inside);
    assert!(prisms.stops(0, 0b11, &into) && !prisms.stops(0, 0b10, &into));
}

#[test]
fn inside_means_deeper_than_the_clearance() {
    let prisms = box_prism(0.0, 3.0);
    let holds = |x, y, z| prisms.holds(0, 1, Point3::new(x, y, z));
    assert!(holds(1.0, 0.5, 1.0) && holds(1.0, 2e-6, 1e-9));
    assert!(!holds(1.0, 5e-7, 1.0) && !holds(1.0, 0.0, 1.0) && !holds(1.0, 0.5, 0.0));
    assert!(!holds(1.0, 0.5, 3.0) && !holds(3.0, 0.5, 1.0));
}

#[test]
fn an_outline_that_is_one_point_stops_nothing_and_keeps_its_index() {
    let mut prisms = Prisms::default();
    let point = ConvexPolygon::from_ccw(vec![Point2::new(1.0, 0.5); 3]);
    let wall = ConvexPolygon::rectangle(Point2::new(0.0, 0.0), Point2::new(2.0, 1.0));
    for outline in [&point, &wall, &point] {
        prisms.push(outline, ZRange::new(0.0, 3.0), 1);
    }
    let through = Segment::new(Point3::new(-1.0, 0.5, 1.0), Point3::new(3.0, 0.5, 1.0));
    assert_eq!([0, 1, 2].map(|index| prisms.stops(index, 1, &through)), [false, true, false]);
    assert_eq!(
        [0, 1, 2].map(|index| prisms.holds(index, 1, Point3::new(1.0, 0.5, 1.0))),
        [false, true, false]
    );
}
