//! Walls cut into pieces of 1.6 m change nothing: what hides together is found together.

use crate::{baked_of, effort, play, rules, scene};
use fogwall::{Footprint, Map, Point2, Report, Solid};
use std::sync::Arc;

/// Edge of the squares that walls are cut by, metres.
const PIECE_M: f64 = 1.6;

/// The same walls in pieces: each in one square of the plan, as high as the wall.
fn in_pieces(map: &Map) -> Map {
    let mut solids = Vec::new();
    for solid in &map.solids {
        let Footprint::Polygon { outline, holes } = &solid.footprint else {
            solids.push(solid.clone());
            continue;
        };
        let columns = convex(outline, holes).into_iter().flat_map(|ring| strips(ring, 0));
        let rings = columns.flat_map(|ring| strips(ring, 1));
        solids.extend(rings.enumerate().map(|(number, outline)| Solid {
            id: format!("{}/{number}", solid.id),
            footprint: Footprint::Polygon { outline, holes: Vec::new() },
            ..solid.clone()
        }));
    }
    let cut = Map { solids, ..map.clone() };
    Map::parse(cut.to_source(), "pieces.ron").unwrap_or_else(|errors| panic!("{errors}")).map
}

/// A polygon as convex ones: itself, or its triangles.
fn convex(outline: &[Point2], holes: &[Vec<Point2>]) -> Vec<Vec<Point2>> {
    let count = outline.len();
    let corner = |i: usize| [outline[i], outline[(i + 1) % count], outline[(i + 2) % count]];
    if holes.is_empty() && (0..count).all(|i| turn(corner(i)) >= 0.0) {
        return vec![outline.to_vec()];
    }
    let mut corners = outline.to_vec();
    let mut starts = Vec::new();
    for hole in holes {
        starts.push(corners.len() as u32);
        corners.extend(hole);
    }
    let mut found: Vec<u32> = Vec::new();
    earcut::Earcut::new().earcut(corners.iter().map(|p| [p.x, p.y]), &starts, &mut found);
    let triangle = |t: &[u32]| {
        let [a, b, c] = [t[0], t[1], t[2]].map(|i| corners[i as usize]);
        if turn([a, b, c]) < 0.0 { vec![a, c, b] } else { vec![a, b, c] }
    };
    found.chunks_exact(3).map(triangle).collect()
}

fn turn([a, b, c]: [Point2; 3]) -> f64 {
    (b - a).perp(&(c - b))
}

/// A convex ring cut along the lines of the grid that cross an axis.
fn strips(mut ring: Vec<Point2>, axis: usize) -> Vec<Vec<Point2>> {
    let of = |pick: fn(f64, f64) -> f64, from| ring.iter().map(|p| p[axis]).fold(from, pick);
    let (low, high) = (of(f64::min, f64::INFINITY), of(f64::max, f64::NEG_INFINITY));
    let first = (low / PIECE_M).floor() as i64 + 1;
    let mut strips = Vec::new();
    for line in (first..).map(|line| line as f64 * PIECE_M).take_while(|line| *line < high) {
        let (before, after) = split(&ring, axis, line);
        strips.push(before);
        ring = after;
    }
    strips.push(ring);
    // What only touches a line is no piece.
    strips.retain(|ring| ring.len() >= 3);
    strips
}

/// The parts of a convex ring on both sides of a line; both have the same points on it, to the last bit.
fn split(ring: &[Point2], axis: usize, line: f64) -> (Vec<Point2>, Vec<Point2>) {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (place, &from) in ring.iter().enumerate() {
        let to = ring[(place + 1) % ring.len()];
        if from[axis] <= line {
            before.push(from);
        }
        if from[axis] >= line {
            after.push(from);
        }
        if (from[axis] < line) != (to[axis] < line) && from[axis] != line && to[axis] != line {
            // Neighbours walk the edge the other way round, and find the same point.
            let (a, b) = if (from.x, from.y) < (to.x, to.y) { (from, to) } else { (to, from) };
            let share = (line - a[axis]) / (b[axis] - a[axis]);
            let mut p = a + (b - a) * share;
            p[axis] = line;
            before.push(p);
            after.push(p);
        }
    }
    (before, after)
}

fn area(map: &Map) -> f64 {
    let of = |ring: &[Point2]| {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(a, b)| 0.5 * (a.x * b.y - b.x * a.y)).sum::<f64>()
    };
    let solid = |solid: &Solid| match &solid.footprint {
        Footprint::Polygon { outline, holes } => of(outline) + holes.iter().map(|hole| of(hole)).sum::<f64>(),
        Footprint::Circle { .. } => 0.0,
    };
    map.solids.iter().map(solid).sum()
}

#[test]
fn walls_in_pieces_change_neither_what_is_late_nor_what_is_told_too_much() {
    let matches = if effort() >= 2.0 { &crate::MATCHES[..] } else { &crate::MATCHES[..1] };
    for name in matches {
        let Some(scene) = scene(name) else { return };
        let map = in_pieces(&scene.baked.map);
        let (whole, cut) = (area(&scene.baked.map), area(&map));
        assert!((whole - cut).abs() < 1e-6 * whole, "the same area: {whole} and {cut}");
        let pieces = Arc::new(baked_of(map));
        assert!(pieces.map.solids.len() > 2 * scene.baked.map.solids.len());
        let of = |baked| play(&scene.path, baked, &rules(), 60.0).unwrap_or_else(|error| panic!("{error}"));
        let (as_drawn, in_pieces) = (of(&scene.baked), of(&pieces));
        let figures = |report: &Report| [report.late_transitions as f64, 100.0 * report.deep_share()];
        println!(
            "{:<14} {} solids, in pieces {} ({} and {} after merging): late {} and {}, deep exposed {:.3} and {:.3} %",
            name.0,
            scene.baked.map.solids.len(),
            pieces.map.solids.len(),
            scene.baked.solids.pieces().len(),
            pieces.solids.pieces().len(),
            figures(&as_drawn)[0],
            figures(&in_pieces)[0],
            figures(&as_drawn)[1],
            figures(&in_pieces)[1],
        );
        for (drawn, pieces) in figures(&as_drawn).into_iter().zip(figures(&in_pieces)) {
            assert!((drawn - pieces).abs() <= 0.1 * drawn, "{drawn} and in pieces {pieces}");
        }
    }
}
