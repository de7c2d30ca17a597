//! Polygons with holes, split exactly into convex parts.
//!
//! Owns the triangulation of concave outlines, its check and its fallback.
//! Promises: parts share edges bit for bit, cover nothing outside, and depend on no vertex or hole order.
//! Must not know heights or what the polygon stands for.

use super::Point2;
use earcut::Earcut;
use std::cmp::Ordering;

/// Parts thinner than this are dropped: far under the sight clearance on either side, so nothing leaks.
const THIN_M: f64 = 1e-9;

/// Convex counter-clockwise rings that together are the polygon.
///
/// `outline` is counter-clockwise and simple, `holes` are clockwise and inside. Parts meet in edges between
/// vertices of the input, but for the fallback of an outline that no triangulation fits, whose parts may meet
/// in T-junctions.
pub(crate) fn convex_parts(outline: &[Point2], holes: &[Vec<Point2>]) -> Vec<Vec<Point2>> {
    let outline = canonical_ring(outline);
    let mut rings: Vec<Vec<Point2>> = holes.iter().map(|hole| canonical_ring(hole)).collect();
    rings.sort_by(|a, b| compare_rings(a, b));
    if rings.is_empty() && is_convex(&outline) {
        return vec![outline];
    }
    rings.insert(0, outline);
    triangles(&rings).unwrap_or_else(|| trapezoids(&rings))
}

/// The ring turned to begin at its least vertex, without negative zeros.
pub(crate) fn canonical_ring(ring: &[Point2]) -> Vec<Point2> {
    let mut ring: Vec<Point2> = ring.iter().map(|p| Point2::new(p.x + 0.0, p.y + 0.0)).collect();
    let least = (0..ring.len()).min_by(|&i, &j| compare_points(&ring[i], &ring[j])).unwrap_or(0);
    ring.rotate_left(least);
    ring
}

/// Order of numbers in which both zeros are one.
pub(crate) fn compare(a: f64, b: f64) -> Ordering {
    (a + 0.0).total_cmp(&(b + 0.0))
}

/// Lexicographic order of points.
pub(crate) fn compare_points(a: &Point2, b: &Point2) -> Ordering {
    compare(a.x, b.x).then(compare(a.y, b.y))
}

/// Lexicographic order of rings.
pub(crate) fn compare_rings(a: &[Point2], b: &[Point2]) -> Ordering {
    let vertices = a.iter().zip(b).map(|(p, q)| compare_points(p, q));
    vertices.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
}

/// Signed area in square metres, positive where counter-clockwise.
pub(crate) fn signed_area(ring: &[Point2]) -> f64 {
    let Some(&o) = ring.first() else { return 0.0 };
    ring.windows(2).map(|w| (w[0] - o).perp(&(w[1] - o))).sum::<f64>() * 0.5
}

fn is_convex(ring: &[Point2]) -> bool {
    let n = ring.len();
    // A simple ring that never turns right is convex.
    (0..n).all(|i| (ring[(i + 1) % n] - ring[i]).perp(&(ring[(i + 2) % n] - ring[i])) >= 0.0)
}

/// The rings' triangles, or `None` where they don't add up to the polygon's area.
fn triangles(rings: &[Vec<Point2>]) -> Option<Vec<Vec<Point2>>> {
    let vertices: Vec<Point2> = rings.iter().flatten().copied().collect();
    let starts: Vec<usize> = rings
        .iter()
        .scan(0, |end, ring| {
            *end += ring.len();
            Some(*end)
        })
        .collect();
    let hole_starts = &starts[..starts.len() - 1];
    let mut indices: Vec<usize> = Vec::new();
    Earcut::new().earcut(vertices.iter().map(|p| [p.x, p.y]), hole_starts, &mut indices);

    let area: f64 = rings.iter().map(|ring| signed_area(ring)).sum();
    let mut covered = 0.0;
    let mut parts = Vec::with_capacity(indices.len() / 3);
    for corners in indices.chunks_exact(3) {
        let mut triangle: Vec<Point2> = corners.iter().map(|&i| vertices[i]).collect();
        let signed = signed_area(&triangle);
        covered += signed.abs();
        if signed < 0.0 {
            triangle.swap(1, 2);
        }
        let longest = (0..3).map(|i| (triangle[i] - triangle[(i + 1) % 3]).norm()).fold(0.0, f64::max);
        if 2.0 * signed.abs() > THIN_M * longest {
            parts.push(triangle);
        }
    }
    // Pop-in: a sum too large means that something outside is covered. The tolerance is rounding's alone.
    ((covered - area).abs() <= 1e-11 * box_area(&rings[0])).then_some(parts)
}

fn box_area(ring: &[Point2]) -> f64 {
    let fold = |f: fn(f64, f64) -> f64, start: f64, axis: usize| ring.iter().map(|p| p[axis]).fold(start, f);
    let width = |axis| fold(f64::max, f64::NEG_INFINITY, axis) - fold(f64::min, f64::INFINITY, axis);
    width(0) * width(1)
}

/// The even-odd inside of the rings as trapezoids with horizontal bases: right for every set of rings.
///
/// Corners in the middle of an edge are rounded (10⁻¹⁴ m at 100 m), far under the sight clearance.
fn trapezoids(rings: &[Vec<Point2>]) -> Vec<Vec<Point2>> {
    let mut edges: Vec<(Point2, Point2)> = Vec::new();
    for ring in rings {
        for (i, &a) in ring.iter().enumerate() {
            let b = ring[(i + 1) % ring.len()];
            if a.y != b.y {
                edges.push(if a.y < b.y { (a, b) } else { (b, a) });
            }
        }
    }
    edges.sort_by(|a, b| compare(a.0.y, b.0.y));
    let mut levels: Vec<f64> = rings.iter().flatten().map(|p| p.y).collect();
    levels.sort_by(|a, b| compare(*a, *b));
    levels.dedup();
    let mut parts = Vec::new();
    let (mut active, mut begun) = (Vec::new(), 0);
    // Open trapezoids as (left edge, right edge, lower level).
    let mut open: Vec<(usize, usize, f64)> = Vec::new();
    for slab in levels.windows(2) {
        let middle = 0.5 * (slab[0] + slab[1]);
        while begun < edges.len() && edges[begun].0.y < middle {
            active.push(begun);
            begun += 1;
        }
        active.retain(|&e: &usize| edges[e].1.y > middle);
        active.sort_by(|&a, &b| at(edges[a], middle).total_cmp(&at(edges[b], middle)).then(a.cmp(&b)));
        let next: Vec<(usize, usize, f64)> = active
            .chunks_exact(2)
            .map(|pair| {
                let kept = open.iter().find(|t| (t.0, t.1) == (pair[0], pair[1]));
                (pair[0], pair[1], kept.map_or(slab[0], |t| t.2))
            })
            .collect();
        let ended = open.iter().filter(|t| !next.iter().any(|n| (n.0, n.1) == (t.0, t.1)));
        parts.extend(ended.filter_map(|t| trapezoid(edges[t.0], edges[t.1], t.2, slab[0])));
        open = next;
    }
    let top = levels.last().copied().unwrap_or(0.0);
    parts.extend(open.iter().filter_map(|t| trapezoid(edges[t.0], edges[t.1], t.2, top)));
    parts
}

/// The edge's x at height `y` of the plan, exact at its ends.
fn at((low, high): (Point2, Point2), y: f64) -> f64 {
    if y <= low.y {
        low.x
    } else if y >= high.y {
        high.x
    } else {
        low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y))
    }
}

fn trapezoid(left: (Point2, Point2), right: (Point2, Point2), low: f64, high: f64) -> Option<Vec<Point2>> {
    let mut ring = vec![
        Point2::new(at(left, low), low),
        Point2::new(at(right, low), low),
        Point2::new(at(right, high), high),
        Point2::new(at(left, high), high),
    ];
    ring.dedup();
    if ring.first() == ring.last() {
        ring.pop();
    }
    (ring.len() >= 3 && signed_area(&ring) > 0.0).then(|| canonical_ring(&ring))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(points: &[(f64, f64)]) -> Vec<Point2> {
        points.iter().map(|&(x, y)| Point2::new(x, y)).collect()
    }

    fn total(parts: &[Vec<Point2>]) -> f64 {
        parts.iter().map(|part| signed_area(part)).sum()
    }

    fn courtyard() -> Vec<Vec<Point2>> {
        vec![
            ring(&[(0.0, 0.0), (10.0, 0.0), (10.0, 8.0), (6.0, 3.0), (0.0, 8.0)]),
            ring(&[(2.0, 1.0), (2.0, 2.0), (3.0, 2.0), (3.0, 1.0)]),
        ]
    }

    #[test]
    fn a_convex_outline_stays_whole() {
        let square = ring(&[(1.0, 1.0), (0.0, 1.0), (0.0, 0.0), (1.0, 0.0)]);
        assert_eq!(convex_parts(&square, &[]), [ring(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])]);
    }

    #[test]
    fn a_concave_outline_with_a_hole_keeps_its_area_in_convex_parts() {
        let rings = courtyard();
        let area: f64 = rings.iter().map(|r| signed_area(r)).sum();
        let parts = convex_parts(&rings[0], &rings[1..]);
        assert!(parts.len() > 1 && parts.iter().all(|part| is_convex(part)));
        assert!((total(&parts) - area).abs() < 1e-12);
    }

    #[test]
    fn the_fallback_has_the_same_area_and_convex_parts() {
        let rings = courtyard();
        let area: f64 = rings.iter().map(|r| signed_area(r)).sum();
        let parts = trapezoids(&rings);
        assert!(parts.iter().all(|part| is_convex(part)));
        assert!((total(&parts) - area).abs() < 1e-12);
    }

    #[test]
    fn the_parts_do_not_depend_on_where_a_ring_begins() {
        let rings = courtyard();
        let mut turned = rings[0].clone();
        turned.rotate_left(3);
        assert_eq!(convex_parts(&rings[0], &rings[1..]), convex_parts(&turned, &rings[1..]));
    }
}
