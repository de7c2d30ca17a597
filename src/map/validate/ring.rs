//! Closed rings of points in the plan: area, sides, edges that meet.
//!
//! Owns the plane geometry that validation needs. Promises: total on finite input.
//! Must not know solids, floors or findings.

use crate::geom::{Point2, Point3};

/// Edges closer than this, in metres, touch. It is far above f64 error at [`MAX_COORDINATE_M`] (10⁻¹¹ m) and
/// far below the sight clearance, so no sight line depends on it: it risks neither a leak nor a pop-in.
///
/// [`MAX_COORDINATE_M`]: crate::text::MAX_COORDINATE_M
pub(super) const TOUCH_M: f64 = 1e-9;

/// A point that has a place in the plan.
pub(in crate::map) trait Plan: Copy + PartialEq {
    /// Its place in the plan.
    fn plan(&self) -> Point2;
}

impl Plan for Point2 {
    fn plan(&self) -> Point2 {
        *self
    }
}

impl Plan for Point3 {
    fn plan(&self) -> Point2 {
        self.xy()
    }
}

/// Where a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Inside,
    Boundary,
    Outside,
}

/// Signed area in square metres; positive where counter-clockwise.
pub(super) fn area(ring: &[Point2]) -> f64 {
    let Some(&o) = ring.first() else { return 0.0 };
    0.5 * (0..ring.len()).map(|i| edge(ring, i)).map(|[a, b]| (a - o).perp(&(b - o))).sum::<f64>()
}

/// The sum of the areas, whatever their sign, of the triangles that the first vertex makes with each edge: 0
/// only where all vertices are in one line.
pub(super) fn spread(ring: &[Point2]) -> f64 {
    let Some(&o) = ring.first() else { return 0.0 };
    0.5 * (0..ring.len()).map(|i| edge(ring, i)).map(|[a, b]| (a - o).perp(&(b - o)).abs()).sum::<f64>()
}

/// The edge from vertex `i` to the next.
pub(super) fn edge(ring: &[Point2], i: usize) -> [Point2; 2] {
    [ring[i], ring[(i + 1) % ring.len()]]
}

/// The edges in their order.
pub(super) fn edges(ring: &[Point2]) -> impl Iterator<Item = [Point2; 2]> + '_ {
    (0..ring.len()).map(|i| edge(ring, i))
}

/// Where `p` lies: even-odd rule, with a boundary of width [`TOUCH_M`].
pub(super) fn side(ring: &[Point2], p: Point2) -> Side {
    let mut inside = false;
    for [a, b] in edges(ring) {
        if (nearest(p, a, b) - p).norm() <= TOUCH_M {
            return Side::Boundary;
        }
        if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y)) {
            inside = !inside;
        }
    }
    if inside { Side::Inside } else { Side::Outside }
}

/// The point of the segment `a`–`b` that is nearest to `p`.
pub(super) fn nearest(p: Point2, a: Point2, b: Point2) -> Point2 {
    let d = b - a;
    let length_squared = d.norm_squared();
    if length_squared == 0.0 { a } else { a + d * ((p - a).dot(&d) / length_squared).clamp(0.0, 1.0) }
}

/// Where the insides of two segments cross; `None` where they only touch or are parallel.
pub(super) fn crossing([a, b]: [Point2; 2], [c, d]: [Point2; 2]) -> Option<Point2> {
    let turn = |o: Point2, p: Point2, q: Point2| (p - o).perp(&(q - o));
    let (sa, sb, sc, sd) = (turn(c, d, a), turn(c, d, b), turn(a, b, c), turn(a, b, d));
    // Distances of the ends from the other line; nearer than `TOUCH_M` is a touch.
    let (on_cd, on_ab) = (TOUCH_M * (d - c).norm(), TOUCH_M * (b - a).norm());
    let apart = |s: f64, t: f64, least: f64| (s > least && t < -least) || (s < -least && t > least);
    (apart(sa, sb, on_cd) && apart(sc, sd, on_ab)).then(|| a + (b - a) * (sa / (sa - sb)))
}

/// The nearest points of two segments, first on `e`, then on `f`.
pub(super) fn nearest_points(e: [Point2; 2], f: [Point2; 2]) -> (Point2, Point2) {
    if let Some(p) = crossing(e, f) {
        return (p, p);
    }
    let candidates = [
        (e[0], nearest(e[0], f[0], f[1])),
        (e[1], nearest(e[1], f[0], f[1])),
        (nearest(f[0], e[0], e[1]), f[0]),
        (nearest(f[1], e[0], e[1]), f[1]),
    ];
    let distance = |(p, q): &(Point2, Point2)| (p - q).norm_squared();
    candidates.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(candidates[0])
}

/// Where two edges of one ring meet, other than neighbours in their common vertex.
pub(super) fn meeting_in_ring(ring: &[Point2], i: usize, j: usize) -> Option<Point2> {
    let n = ring.len();
    let (e, f) = (edge(ring, i), edge(ring, j));
    let touch = |p: Point2, [a, b]: [Point2; 2]| ((nearest(p, a, b) - p).norm() <= TOUCH_M).then_some(p);
    // Neighbours may only fold back onto each other: then the far end of one lies on the other.
    if (i + 1) % n == j {
        return touch(f[1], e).or_else(|| touch(e[0], f));
    }
    if (j + 1) % n == i {
        return touch(e[1], f).or_else(|| touch(f[0], e));
    }
    let (p, q) = nearest_points(e, f);
    ((p - q).norm() <= TOUCH_M).then_some(p)
}

/// Points that tell where a ring lies: vertices, middles of edges, one point inside.
pub(super) fn samples(ring: &[Point2]) -> Vec<Point2> {
    let middles = edges(ring).map(|[a, b]| nalgebra::center(&a, &b));
    ring.iter().copied().chain(middles).chain([inner_point(ring)]).collect()
}

/// A point inside a simple ring: at its lowest vertex, either in the triangle with the neighbours or, where
/// other vertices are in that, half way to the deepest of them.
fn inner_point(ring: &[Point2]) -> Point2 {
    let n = ring.len();
    let key = |i: &usize| (ring[*i].y, ring[*i].x);
    let Some(low) = (0..n).min_by(|i, j| key(i).partial_cmp(&key(j)).unwrap_or(std::cmp::Ordering::Equal))
    else {
        return Point2::origin();
    };
    let (a, v, b) = (ring[(low + n - 1) % n], ring[low], ring[(low + 1) % n]);
    let turn = |o: Point2, p: Point2, q: Point2| (p - o).perp(&(q - o));
    let sign = turn(a, v, b).signum();
    let depth = |p: Point2| sign * turn(b, a, p);
    let in_triangle =
        |p: Point2| sign * turn(a, v, p) >= 0.0 && sign * turn(v, b, p) >= 0.0 && depth(p) > 0.0 && p != v;
    match ring.iter().copied().filter(|p| in_triangle(*p)).max_by(|p, q| depth(*p).total_cmp(&depth(*q))) {
        Some(deepest) => nalgebra::center(&v, &deepest),
        None => Point2::from((a.coords + v.coords + b.coords) / 3.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(points: &[(f64, f64)]) -> Vec<Point2> {
        points.iter().map(|&(x, y)| Point2::new(x, y)).collect()
    }

    #[test]
    fn a_point_inside_is_found_in_a_concave_ring() {
        let shapes = [
            ring(&[(0.0, 0.0), (4.0, 3.0), (0.0, 1.0), (-4.0, 3.0)]),
            ring(&[(0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.5, 0.4)]),
            ring(&[(0.0, 0.0), (0.0, 4.0), (4.0, 4.0)]),
        ];
        for shape in shapes {
            assert_eq!(side(&shape, inner_point(&shape)), Side::Inside, "{shape:?}");
        }
    }

    #[test]
    fn a_corner_on_an_edge_is_on_the_boundary() {
        let square = ring(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]);
        assert_eq!(side(&square, Point2::new(1.0, 0.5)), Side::Boundary);
        assert_eq!(side(&square, Point2::new(0.5, 0.5)), Side::Inside);
        assert_eq!(side(&square, Point2::new(1.1, 0.5)), Side::Outside);
    }

    #[test]
    fn an_edge_that_folds_back_meets_its_neighbour() {
        let spike = ring(&[(0.0, 0.0), (4.0, 0.0), (2.0, 0.0), (2.0, 2.0)]);
        assert!(meeting_in_ring(&spike, 0, 1).is_some());
        assert!(meeting_in_ring(&spike, 1, 2).is_none());
    }
}
