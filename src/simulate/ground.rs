//! The true height of floors at a point.
//!
//! Owns a map's floors as triangles with planes. Promises: a floor that is not planar has one height everywhere, that
//! of one of its triangulations. Must not know walls or bodies.

use crate::geom::{PlanBvh, Point2, Vector2};
use crate::map::{Floor, Map};
use earcut::Earcut;

/// A point this far outside a triangle is still on it, metres: floors of rounded corners leave slits of this width, and
/// nobody falls through.
const SLIT_M: f64 = 2e-4;

/// A triangle of a floor.
pub(super) struct Facet {
    corners: [Point2; 3],
    /// Inner side of each edge: normal and offset.
    edges: [(Vector2, f64); 3],
    low: Point2,
    high: Point2,
    base: f64,
    slope: Vector2,
}

impl Facet {
    fn new(corners: [(Point2, f64); 3]) -> Option<Self> {
        let [(a, az), (b, bz), (c, cz)] = corners;
        let twice = (b - a).perp(&(c - a));
        if twice.abs() < 1e-9 {
            return None;
        }
        let ring = if twice > 0.0 { [a, b, c] } else { [a, c, b] };
        let edge = |i: usize| {
            let way = ring[(i + 1) % 3] - ring[i];
            let normal = Vector2::new(-way.y, way.x) / way.norm();
            (normal, normal.dot(&ring[i].coords))
        };
        let (d, e) = (b - a, c - a);
        let slope =
            Vector2::new((bz - az) * e.y - (cz - az) * d.y, (cz - az) * d.x - (bz - az) * e.x) / twice;
        Some(Self {
            corners: ring,
            edges: [edge(0), edge(1), edge(2)],
            low: a.inf(&b).inf(&c),
            high: a.sup(&b).sup(&c),
            base: az - slope.dot(&a.coords),
            slope,
        })
    }

    /// Its height over a point, or where its plane goes on beside it.
    pub(super) fn height(&self, p: Point2) -> f64 {
        self.base + self.slope.dot(&p.coords)
    }

    /// Rise over run.
    pub(super) fn steepness(&self) -> f64 {
        self.slope.norm()
    }

    /// Whether it is under the point.
    pub(super) fn holds(&self, p: Point2) -> bool {
        self.edges.iter().all(|(normal, offset)| normal.dot(&p.coords) - offset >= -SLIT_M)
    }

    /// The point of it that is nearest to `p` in the plan.
    pub(super) fn nearest(&self, p: Point2) -> Point2 {
        if self.edges.iter().all(|(normal, offset)| normal.dot(&p.coords) >= *offset) {
            return p;
        }
        let on_edge = |i: usize| {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % 3]);
            let way = b - a;
            a + way * ((p - a).dot(&way) / way.norm_squared()).clamp(0.0, 1.0)
        };
        let points = [on_edge(0), on_edge(1), on_edge(2)];
        let distance = |q: &Point2| (q - p).norm_squared();
        points.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(p)
    }
}

/// All floors of a map.
pub(super) struct Ground {
    pub(super) facets: Vec<Facet>,
    tree: PlanBvh,
}

impl Ground {
    pub(super) fn new(map: &Map) -> Self {
        let mut facets = Vec::new();
        map.floors.iter().for_each(|floor| add_facets(floor, &mut facets));
        let tree = PlanBvh::new(facets.iter().map(|facet| (facet.low, facet.high)));
        Self { facets, tree }
    }

    /// The facets near a box, ascending.
    pub(super) fn touching(&self, low: Point2, high: Point2, out: &mut Vec<u32>) {
        out.clear();
        self.tree.for_each_touching(low, high, |index| out.push(index as u32));
        out.sort_unstable();
    }
}

fn add_facets(floor: &Floor, facets: &mut Vec<Facet>) {
    let mut corners = floor.outline.clone();
    let mut starts = Vec::with_capacity(floor.holes.len());
    for hole in &floor.holes {
        starts.push(corners.len());
        corners.extend(hole);
    }
    let mut indices: Vec<usize> = Vec::new();
    Earcut::new().earcut(corners.iter().map(|p| [p.x, p.y]), &starts, &mut indices);
    for triangle in indices.chunks_exact(3) {
        let corner = |i: usize| (corners[triangle[i]].xy(), corners[triangle[i]].z);
        facets.extend(Facet::new([corner(0), corner(1), corner(2)]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Point3;

    #[test]
    fn a_sloped_floor_has_its_own_height_at_every_point_and_none_in_its_hole() {
        let z = |x: f64, y: f64| 1.0 + 0.25 * x - 0.5 * y;
        let ring = |points: [(f64, f64); 4]| points.map(|(x, y)| Point3::new(x, y, z(x, y))).to_vec();
        let outline = ring([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]);
        let holes = vec![ring([(1.0, 1.0), (1.0, 2.0), (2.0, 2.0), (2.0, 1.0)])];
        let mut facets = Vec::new();
        add_facets(&Floor { outline, holes }, &mut facets);
        let at =
            |x, y| facets.iter().find(|f| f.holds(Point2::new(x, y))).map(|f| f.height(Point2::new(x, y)));
        assert!((at(3.0, 0.5).unwrap() - z(3.0, 0.5)).abs() < 1e-12);
        assert!((at(0.5, 3.9).unwrap() - z(0.5, 3.9)).abs() < 1e-12);
        assert_eq!(at(1.5, 1.5), None);
        assert_eq!(at(4.5, 1.5), None);
    }
}
