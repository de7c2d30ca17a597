//! Convex polygons grown and compared, as cells need it.
//!
//! Owns growing by a disc from within and from without, and gaps.
//! Promises: results depend on the vertices alone; each function says which side it errs to.
//! Must not know floors, walls or players.

use crate::geom::{ConvexPolygon, Point2, Vector2, compare, outward};

/// Sides of the polygons that stand for a disc.
const DISC_SIDES: usize = 16;

/// Unit directions of a regular polygon of [`DISC_SIDES`] corners.
///
/// Built from square roots alone (half-angle formulas), because platform sines may differ in the last bit.
fn disc_directions() -> [Vector2; DISC_SIDES] {
    let half = |c: f64| ((1.0 + c) / 2.0).sqrt();
    let cos45 = 0.5_f64.sqrt();
    let cos22 = half(cos45);
    let sin22 = ((1.0 - cos45) / 2.0).sqrt();
    let first = [(1.0, 0.0), (cos22, sin22), (cos45, cos45), (sin22, cos22)];
    std::array::from_fn(|i| {
        let (x, y) = first[i % 4];
        match i / 4 {
            0 => Vector2::new(x, y),
            1 => Vector2::new(-y, x),
            2 => Vector2::new(-x, -y),
            _ => Vector2::new(y, -x),
        }
    })
}

/// A polygon inside the set of points within `reach` of `polygon`.
pub(super) fn grown_inside(polygon: &ConvexPolygon, reach: f64) -> ConvexPolygon {
    let directions = disc_directions();
    let points: Vec<Point2> =
        polygon.vertices().iter().flat_map(|v| directions.iter().map(move |d| v + d * reach)).collect();
    ConvexPolygon::hull(&points).unwrap_or_else(|| polygon.clone())
}

/// `polygon` with each edge pushed out by its own of `distances`, in the order of [`ConvexPolygon::edges`].
///
/// Corners stay sharp up to about a right angle and are cut off beyond, so that acute ones do not grow far.
pub(super) fn pushed_out(polygon: &ConvexPolygon, distances: &[f64]) -> ConvexPolygon {
    /// Cosine of the turn between two edges, below which the corner between them is cut off.
    const SHARPEST_TURN: f64 = -0.1;
    let (low, high) = polygon.bounds();
    let most = distances.iter().copied().fold(0.0, f64::max);
    let mut grown = ConvexPolygon::rectangle(low - Vector2::new(most, most), high + Vector2::new(most, most));
    let mut clip = |normal: Vector2, through: Point2, distance: f64| {
        if let Some(part) = grown.clip(normal, normal.dot(&through.coords) + distance) {
            grown = part;
        }
    };
    let edges: Vec<(Vector2, Point2, f64)> = polygon
        .edges()
        .zip(distances)
        .filter_map(|((a, b), distance)| outward(a, b).map(|normal| (normal, b, *distance)))
        .collect();
    for (i, &(normal, end, distance)) in edges.iter().enumerate() {
        clip(normal, end, distance);
        let (next, _, next_distance) = edges[(i + 1) % edges.len()];
        let sum = normal + next;
        if normal.dot(&next) < SHARPEST_TURN && sum.norm() > 1e-9 {
            clip(sum.normalize(), end, distance.max(next_distance));
        }
    }
    grown
}

/// The farthest that any point of `a` lies from `b`, metres.
pub(super) fn overhang(a: &ConvexPolygon, b: &ConvexPolygon) -> f64 {
    a.vertices().iter().map(|v| b.distance(*v)).fold(0.0, f64::max)
}

/// Total order of polygons by their vertices: the same whatever order a file names them in.
pub(super) fn order(a: &ConvexPolygon, b: &ConvexPolygon) -> std::cmp::Ordering {
    let keys = |p: &ConvexPolygon| p.vertices().iter().flat_map(|v| [v.x, v.y]).collect::<Vec<f64>>();
    let (ka, kb) = (keys(a), keys(b));
    ka.iter()
        .zip(&kb)
        .map(|(x, y)| compare(*x, *y))
        .find(|o| o.is_ne())
        .unwrap_or_else(|| ka.len().cmp(&kb.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, size: f64) -> ConvexPolygon {
        ConvexPolygon::rectangle(Point2::new(x, y), Point2::new(x + size, y + size))
    }

    #[test]
    fn growing_from_within_stays_inside_the_true_offset_and_pushing_out_outside() {
        let base = square(0.0, 0.0, 1.0);
        let inner = grown_inside(&base, 0.5);
        assert!(inner.vertices().iter().all(|v| base.distance(*v) <= 0.5 + 1e-12));
        assert!(inner.area() > 3.7, "{}", inner.area());
        let acute =
            ConvexPolygon::hull(&[(0.0, 0.0), (9.0, 0.0), (0.0, 1.0)].map(|(x, y)| Point2::new(x, y)));
        let acute = acute.unwrap();
        let outer = pushed_out(&acute, &[0.5; 3]);
        for (a, b) in outer.edges() {
            assert!(acute.distance(a + (b - a) * 0.5) >= 0.5 - 1e-12);
            assert!(acute.distance(a) < 0.8, "acute corners are cut off");
        }
    }
}
