//! Raw outlines asked directly, apart from what the library makes of them.

use fogwall::{Footprint, Point2, Point3, Solid, ZRange};

/// Outline and holes of a solid; a circle has none.
pub(crate) fn rings(solid: &Solid) -> Vec<&[Point2]> {
    match &solid.footprint {
        Footprint::Polygon { outline, holes } => {
            std::iter::once(outline).chain(holes).map(Vec::as_slice).collect()
        }
        Footprint::Circle { .. } => Vec::new(),
    }
}

/// The edges of a ring.
pub(crate) fn edges(ring: &[Point2]) -> impl Iterator<Item = (Point2, Point2)> {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

/// Signed area of a polygonal solid, holes (which turn the other way) taken off.
pub(crate) fn area(solid: &Solid) -> f64 {
    let edges = rings(solid).into_iter().flat_map(edges);
    0.5 * edges.map(|(a, b)| a.coords.perp(&b.coords)).sum::<f64>()
}

/// Whether the point lies in the rings, by the number of edges to its right.
pub(crate) fn inside(rings: &[&[Point2]], p: Point2) -> bool {
    let crossed = |&(a, b): &(Point2, Point2)| {
        (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)
    };
    rings.iter().flat_map(|ring| edges(ring)).filter(crossed).count() % 2 == 1
}

/// Whether the point lies strictly inside the polygonal solid.
pub(crate) fn contains(solid: &Solid, p: Point3) -> bool {
    let ZRange { low, high } = solid.z;
    low < p.z && p.z < high && inside(&rings(solid), p.xy())
}
