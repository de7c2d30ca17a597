//! Laws of solids against an independent reference: even-odd crossings of the raw outlines.

mod common;

use common::by_hand::{map, solid};
use common::outlines::{area, contains, edges, rings};
use fogwall::{Footprint, Mask, Piece, Point2, Point3, Solid, Solids, Vector2};
use proptest::prelude::*;

fn build(solids: &[Solid]) -> Solids {
    Solids::build(&map(Vec::new(), solids.to_vec()))
}

fn polygon(outline: Vec<Point2>, holes: Vec<Vec<Point2>>, z: (f64, f64)) -> Solid {
    solid(Footprint::Polygon { outline, holes }, z)
}

/// Whether more than `least` metres of the segment lie in one of the solids.
fn inside_for(solids: &[Solid], from: Point3, to: Point3, least: f64) -> bool {
    let way = to - from;
    let along = |solid: &Solid| {
        let mut stops = vec![0.0, 1.0];
        for (a, b) in rings(solid).into_iter().flat_map(edges) {
            let edge = b - a;
            let across = way.xy().perp(&edge);
            stops.push((a - from.xy()).perp(&edge) / across);
        }
        stops.extend([solid.z.low, solid.z.high].map(|z| (z - from.z) / way.z));
        stops.retain(|t| (0.0..=1.0).contains(t));
        stops.sort_by(f64::total_cmp);
        let inside = |w: &&[f64]| contains(solid, from + way * (0.5 * (w[0] + w[1])));
        stops.windows(2).filter(inside).map(|w| (w[1] - w[0]) * way.norm()).fold(0.0, f64::max)
    };
    solids.iter().any(|solid| along(solid) > least)
}

/// A star-shaped ring: one radius for each of equal turns.
fn star(center: Point2, radii: &[f64], turn: f64) -> Vec<Point2> {
    let step = std::f64::consts::TAU / radii.len() as f64;
    let vertex = |(i, r): (usize, &f64)| {
        let (s, c) = (turn + step * i as f64).sin_cos();
        center + Vector2::new(r * c, r * s)
    };
    radii.iter().enumerate().map(vertex).collect()
}

fn heights() -> impl Strategy<Value = (f64, f64)> {
    let low = prop_oneof![Just(f64::NEG_INFINITY), -1.0..1.0];
    let high = prop_oneof![Just(f64::INFINITY), 1.5..3.0];
    (low, high)
}

fn star_solid() -> impl Strategy<Value = Solid> {
    let outer = prop::collection::vec(2.0..5.0, 6..14);
    let inner = prop::option::of(prop::collection::vec(0.3..1.2, 3..8));
    ((-12.0..12.0, -12.0..12.0), outer, inner, 0.0..6.0, heights()).prop_map(|(at, outer, inner, turn, z)| {
        let center = Point2::new(at.0, at.1);
        let hole = |radii: Vec<f64>| star(center, &radii, turn).into_iter().rev().collect();
        polygon(star(center, &outer, turn), inner.map(hole).into_iter().collect(), z)
    })
}

fn point() -> impl Strategy<Value = Point3> {
    (-18.0..18.0, -18.0..18.0, -2.0..4.0).prop_map(|(x, y, z)| Point3::new(x, y, z))
}

/// Squares and rectangles on a lattice: full of shared edges, T-junctions and equal heights.
fn lattice() -> impl Strategy<Value = Vec<Solid>> {
    let block = (0..8i8, 0..8i8, 1..4i8, 1..4i8, 0..3i8, 1..3i8).prop_map(|(x, y, w, d, z, h)| {
        let [x, y, w, d] = [x, y, w, d].map(f64::from);
        let at = |x: f64, y: f64| Point2::new(x, y);
        let ring = vec![at(x, y), at(x + w, y), at(x + w, y + d), at(x, y + d)];
        polygon(ring, Vec::new(), (f64::from(z), f64::from(z + h)))
    });
    prop::collection::vec(block, 1..14)
}

fn shapes(solids: &Solids) -> Vec<String> {
    let text = |p: &Piece| format!("{:?} {:?} {:?}", p.outline, p.z, p.blocks);
    let mut shapes: Vec<String> = solids.pieces().iter().map(text).collect();
    shapes.sort();
    shapes
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn segments_are_stopped_where_the_raw_outlines_say_so(
        solids in prop::collection::vec(star_solid(), 1..8),
        ends in prop::collection::vec((point(), point()), 60),
    ) {
        let built = build(&solids);
        for (from, to) in ends {
            let stopped = built.blocker(from, to, Mask::Sight, None);
            let eye_inside = solids.iter().any(|solid| contains(solid, from));
            prop_assert!(!eye_inside || stopped.is_none());
            if !eye_inside && inside_for(&solids, from, to, 1e-4) {
                prop_assert!(stopped.is_some(), "leak from {from} to {to}");
            }
            let beside = Vector2::new(from.y - to.y, to.x - from.x).normalize() * 3e-6;
            let clear = |by: f64| {
                let by = (beside * by).push(0.0);
                !inside_for(&solids, from + by, to + by, 0.0)
            };
            if clear(0.0) && clear(1.0) && clear(-1.0) {
                prop_assert!(stopped.is_none(), "hidden from {from} to {to} by {stopped:?}");
            }
        }
    }

    #[test]
    fn pieces_have_the_area_of_their_outline(solid in star_solid()) {
        let built = build(std::slice::from_ref(&solid));
        let sum: f64 = built.pieces().iter().map(|piece| piece.outline.area()).sum();
        prop_assert!((sum - area(&solid)).abs() < 1e-9);
        for piece in built.pieces() {
            prop_assert!(contains(&solid, piece.outline.center().coords.push(1.2).into()));
        }
    }

    #[test]
    fn the_order_of_solids_changes_no_piece(solids in lattice(), seed in any::<u64>()) {
        let mut shuffled = solids.clone();
        for i in (1..shuffled.len()).rev() {
            shuffled.swap(i, (seed >> (i % 50)) as usize % (i + 1));
        }
        prop_assert_eq!(shapes(&build(&solids)), shapes(&build(&shuffled)));
    }

    #[test]
    fn lattice_blocks_stop_what_goes_through_them_and_nothing_else(
        solids in lattice(),
        ends in prop::collection::vec((0..24u8, 0..24u8, 0..10u8, 0..24u8, 0..24u8, 0..10u8), 60),
    ) {
        let built = build(&solids);
        for (a, b, c, d, e, f) in ends {
            // Off the lattice by odd amounts, so that nothing runs along a face.
            let from = Point3::new(f64::from(a) * 0.5 + 0.13, f64::from(b) * 0.5 - 0.11, f64::from(c) * 0.5 + 0.07);
            let to = Point3::new(f64::from(d) * 0.5 - 0.17, f64::from(e) * 0.5 + 0.19, f64::from(f) * 0.5 - 0.05);
            let eye_inside = solids.iter().any(|solid| contains(solid, from));
            let stopped = built.blocker(from, to, Mask::Sight, None).is_some();
            prop_assert_eq!(stopped, !eye_inside && inside_for(&solids, from, to, 1e-5));
        }
    }

    #[test]
    fn no_seam_of_a_filled_rectangle_leaks(
        cuts in prop::collection::vec((0.1..0.9f64, any::<bool>(), any::<prop::sample::Index>()), 1..12),
        turn in 0.0..6.0f64,
        offset in prop::sample::select(vec![0.0, 1e-12, -1e-9, 1e-9, 5e-7, -5e-7, 1e-6]),
        tilt in prop::sample::select(vec![0.0, 1e-12, 1e-9, 1e-7, -1e-7, 1e-3]),
    ) {
        let mut tiles = vec![[0.0, 0.0, 10.0, 6.0]];
        for (part, upright, which) in cuts {
            let index = which.index(tiles.len());
            let [x0, y0, x1, y1] = tiles[index];
            let (x, y) = (x0 + (x1 - x0) * part, y0 + (y1 - y0) * part);
            let (first, second) = if upright { ([x0, y0, x, y1], [x, y0, x1, y1]) } else { ([x0, y0, x1, y], [x0, y, x1, y1]) };
            tiles[index] = first;
            tiles.push(second);
        }
        let (s, c) = turn.sin_cos();
        let turned = |x: f64, y: f64| Point2::new(c * x - s * y, s * x + c * y);
        // Heights differ, so that nothing merges and every seam is real.
        let solid = |(i, t): (usize, &[f64; 4])| {
            let ring = vec![turned(t[0], t[1]), turned(t[2], t[1]), turned(t[2], t[3]), turned(t[0], t[3])];
            polygon(ring, Vec::new(), (0.0, 3.0 + i as f64))
        };
        let built = build(&tiles.iter().enumerate().map(solid).collect::<Vec<_>>());
        for t in &tiles {
            for (a, b) in [((t[0] + offset, -1.0), (t[0] + offset + tilt, 7.0)), ((-1.0, t[1] + offset), (11.0, t[1] + offset + tilt))] {
                // Only lines that go through the rectangle, not along its outer sides.
                if [a.0, b.0].iter().any(|x| (-0.5..0.01).contains(x)) || [a.1, b.1].iter().any(|y| (-0.5..0.01).contains(y)) {
                    continue;
                }
                let (a, b) = (turned(a.0, a.1), turned(b.0, b.1));
                let (from, to) = (Point3::new(a.x, a.y, 1.0), Point3::new(b.x, b.y, 1.5));
                prop_assert!(built.blocker(from, to, Mask::Sight, None).is_some(), "{from} {to}");
                prop_assert!(built.blocker(to, from, Mask::Sight, None).is_some(), "{to} {from}");
            }
        }
    }
}
