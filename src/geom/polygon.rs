//! Convex polygons in the plan: building, clipping, measuring.
//!
//! Owns the counter-clockwise convex outline that cells, pieces and reach sets are made of.
//! Promises: total on finite input, no allocation in queries.
//! Must not know what a polygon stands for.

use super::decompose::compare_points;
use super::{Point2, Vector2};

/// A convex polygon with counter-clockwise vertices; one vertex is a point, two are a segment.
///
/// Never empty. Consecutive vertices may be collinear.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolygon {
    vertices: Vec<Point2>,
}

impl ConvexPolygon {
    /// The convex hull of `points` (Andrew's monotone chain), or `None` where there are none; its zeros have no sign.
    pub fn hull(points: &[Point2]) -> Option<Self> {
        let mut sorted: Vec<Point2> = points.iter().map(|p| Point2::new(p.x + 0.0, p.y + 0.0)).collect();
        sorted.sort_by(compare_points);
        sorted.dedup();
        if sorted.len() < 3 {
            return if sorted.is_empty() { None } else { Some(Self { vertices: sorted }) };
        }
        let mut hull: Vec<Point2> = Vec::with_capacity(sorted.len() + 1);
        for pass in 0..2 {
            let floor = hull.len() + 1;
            let mut add = |p: Point2| {
                while hull.len() > floor && turn(hull[hull.len() - 2], hull[hull.len() - 1], p) <= 0.0 {
                    hull.pop();
                }
                hull.push(p);
            };
            if pass == 0 {
                sorted.iter().copied().for_each(&mut add);
            } else {
                sorted.iter().rev().copied().for_each(&mut add);
            }
            hull.pop();
        }
        Some(Self { vertices: hull })
    }

    /// The polygon with these vertices, which the caller knows to be convex and counter-clockwise.
    pub(crate) fn from_ccw(vertices: Vec<Point2>) -> Self {
        debug_assert!(!vertices.is_empty());
        Self { vertices }
    }

    /// The axis-aligned rectangle between two corners.
    pub fn rectangle(min: Point2, max: Point2) -> Self {
        Self { vertices: vec![min, Point2::new(max.x, min.y), max, Point2::new(min.x, max.y)] }
    }

    /// The vertices, counter-clockwise.
    pub fn vertices(&self) -> &[Point2] {
        &self.vertices
    }

    /// The edges as (from, to), counter-clockwise: the inside is on their left.
    pub fn edges(&self) -> impl Iterator<Item = (Point2, Point2)> + '_ {
        let n = self.vertices.len();
        (0..n).map(move |i| (self.vertices[i], self.vertices[(i + 1) % n]))
    }

    /// Area in square metres.
    pub fn area(&self) -> f64 {
        let o = self.vertices[0];
        self.edges().map(|(a, b)| (a - o).perp(&(b - o))).sum::<f64>() * 0.5
    }

    /// The mean of the vertices: a point inside.
    pub fn center(&self) -> Point2 {
        let sum = self.vertices.iter().fold(Vector2::zeros(), |s, p| s + p.coords);
        Point2::from(sum / self.vertices.len() as f64)
    }

    /// The corners (least, greatest) of the axis-aligned bounding box.
    pub fn bounds(&self) -> (Point2, Point2) {
        let mut low = self.vertices[0];
        let mut high = low;
        for p in &self.vertices {
            low = Point2::new(low.x.min(p.x), low.y.min(p.y));
            high = Point2::new(high.x.max(p.x), high.y.max(p.y));
        }
        (low, high)
    }

    /// The part where `normal · p <= offset`, or `None` where nothing is left.
    pub fn clip(&self, normal: Vector2, offset: f64) -> Option<Self> {
        let side = |p: &Point2| normal.dot(&p.coords) - offset;
        if self.vertices.iter().all(|p| side(p) <= 0.0) {
            return Some(self.clone());
        }
        let mut out = Vec::with_capacity(self.vertices.len() + 1);
        for (a, b) in self.edges() {
            let (sa, sb) = (side(&a), side(&b));
            if sa <= 0.0 {
                out.push(a);
            }
            if (sa < 0.0 && sb > 0.0) || (sa > 0.0 && sb < 0.0) {
                out.push(a + (b - a) * (sa / (sa - sb)));
            }
        }
        out.dedup();
        if out.is_empty() { None } else { Some(Self { vertices: out }) }
    }

    /// Distance in metres from `p` to the polygon; 0 inside.
    pub fn distance(&self, p: Point2) -> f64 {
        if self.vertices.len() >= 3 && self.edges().all(|(a, b)| turn(a, b, p) >= 0.0) {
            return 0.0;
        }
        self.edges().map(|(a, b)| distance_to_segment(p, a, b)).fold(f64::INFINITY, f64::min)
    }
}

/// Twice the signed area of the triangle; positive where `a`, `b`, `c` turn left.
fn turn(a: Point2, b: Point2, c: Point2) -> f64 {
    (b - a).perp(&(c - a))
}

fn distance_to_segment(p: Point2, a: Point2, b: Point2) -> f64 {
    let d = b - a;
    let length_squared = d.norm_squared();
    let t = if length_squared > 0.0 { ((p - a).dot(&d) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    (a + d * t - p).norm()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_square_with_inner_points_is_the_square() {
        let points = [(0.0, 0.0), (1.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.0, 1.0), (0.5, 0.0)]
            .map(|(x, y)| Point2::new(x, y));
        let hull = ConvexPolygon::hull(&points).unwrap();
        assert_eq!(hull.vertices().len(), 4);
        assert_eq!(hull.area(), 1.0);
    }

    #[test]
    fn clipping_keeps_the_side_named_and_an_empty_rest_is_none() {
        let square = ConvexPolygon::rectangle(Point2::new(0.0, 0.0), Point2::new(2.0, 2.0));
        assert_eq!(square.clip(Vector2::new(1.0, 0.0), 0.5).unwrap().area(), 1.0);
        assert!(square.clip(Vector2::new(1.0, 0.0), -0.5).is_none());
    }
}
