//! Floors as triangles: which heights can be stood on at a point of the plan.
//!
//! Owns the triangulation of floors for drawing. Promises: total on validated floors, look-ups that scan one
//! strip of the plan, memory linear in the vertices. Must not know cells: it answers for pictures only.

use super::plan::flatten;
use earcut::Earcut;
use fogwall::{Floor, Map, Point2, Point3};

const STRIPS: usize = 64;

/// A triangle of a floor.
pub(super) struct Triangle {
    pub(super) corners: [Point3; 3],
    /// Index into [`Map::floors`].
    pub(super) floor: usize,
}

impl Triangle {
    /// Height at `p`, or `None` outside.
    fn height(&self, p: Point2) -> Option<f64> {
        let [a, b, c] = self.corners.map(|q| q.xy() - p);
        let (wa, wb, wc) = (b.perp(&c), c.perp(&a), a.perp(&b));
        let inside = (wa >= 0.0 && wb >= 0.0 && wc >= 0.0) || (wa <= 0.0 && wb <= 0.0 && wc <= 0.0);
        let sum = wa + wb + wc;
        let [za, zb, zc] = self.corners.map(|q| q.z);
        (inside && sum != 0.0).then(|| (wa * za + wb * zb + wc * zc) / sum)
    }

    /// Points spread over the triangle.
    pub(super) fn samples(&self) -> impl Iterator<Item = Point3> + '_ {
        let n = 4;
        (0..n).flat_map(move |i| {
            (0..n - i).map(move |j| {
                let (u, v) = ((f64::from(i) + 0.33) / f64::from(n), (f64::from(j) + 0.33) / f64::from(n));
                let [a, b, c] = self.corners;
                a + (b - a) * u + (c - a) * v
            })
        })
    }
}

/// All floors of a map, cut in triangles and sorted into strips of x.
pub(super) struct Floors {
    pub(super) triangles: Vec<Triangle>,
    /// Area of each floor, m².
    pub(super) areas: Vec<f64>,
    strips: Vec<Vec<u32>>,
    low_x: f64,
    strip_m: f64,
}

impl Floors {
    pub(super) fn new(map: &Map) -> Self {
        let mut triangles = Vec::new();
        for (index, floor) in map.floors.iter().enumerate() {
            triangulate(floor, index, &mut triangles);
        }
        let mut areas = vec![0.0; map.floors.len()];
        let (mut low_x, mut high_x) = (f64::INFINITY, f64::NEG_INFINITY);
        for t in &triangles {
            let [a, b, c] = t.corners.map(|p| p.xy());
            areas[t.floor] += (b - a).perp(&(c - a)).abs() * 0.5;
            low_x = low_x.min(a.x).min(b.x).min(c.x);
            high_x = high_x.max(a.x).max(b.x).max(c.x);
        }
        let strip_m = ((high_x - low_x) / STRIPS as f64).max(f64::MIN_POSITIVE);
        let mut floors = Self { triangles, areas, strips: vec![Vec::new(); STRIPS], low_x, strip_m };
        for index in 0..floors.triangles.len() {
            let xs = floors.triangles[index].corners.map(|p| p.x);
            let first = floors.strip(xs.iter().copied().fold(f64::INFINITY, f64::min));
            let last = floors.strip(xs.iter().copied().fold(f64::NEG_INFINITY, f64::max));
            for strip in &mut floors.strips[first..=last] {
                strip.push(index as u32);
            }
        }
        floors
    }

    fn strip(&self, x: f64) -> usize {
        // The cast saturates, so that points off the floors land in the outermost strips.
        (((x - self.low_x) / self.strip_m) as usize).min(STRIPS - 1)
    }

    /// Calls `f` with each height of a floor at `p`, and the floor's index.
    pub(super) fn at(&self, p: Point2, mut f: impl FnMut(f64, usize)) {
        for &index in &self.strips[self.strip(p.x)] {
            let triangle = &self.triangles[index as usize];
            if let Some(z) = triangle.height(p) {
                f(z, triangle.floor);
            }
        }
    }

    /// The lowest and the highest vertex.
    pub(super) fn heights(&self) -> (f64, f64) {
        self.triangles
            .iter()
            .flat_map(|t| t.corners)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p.z), high.max(p.z)))
    }
}

fn triangulate(floor: &Floor, index: usize, out: &mut Vec<Triangle>) {
    let mut points: Vec<Point3> = floor.outline.clone();
    let mut holes = Vec::new();
    for hole in &floor.holes {
        holes.push(points.len());
        points.extend(hole);
    }
    let mut corners: Vec<usize> = Vec::new();
    let flat = flatten(&points).into_iter().map(|p| [p.x, p.y]);
    Earcut::new().earcut(flat, &holes, &mut corners);
    for t in corners.chunks_exact(3) {
        out.push(Triangle { corners: [points[t[0]], points[t[1]], points[t[2]]], floor: index });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_over_two_storeys_has_two_heights_and_a_hole_has_none() {
        let square =
            |z: f64, s: f64| [(-s, -s), (s, -s), (s, s), (-s, s)].map(|(x, y)| Point3::new(x, y, z)).to_vec();
        let hole: Vec<Point3> = square(0.0, 1.0).into_iter().rev().collect();
        let mut map = crate::cli::render::tests::tiny_map();
        map.floors = vec![
            Floor { outline: square(0.0, 5.0), holes: vec![hole] },
            Floor { outline: square(3.0, 3.0), holes: vec![] },
        ];
        let floors = Floors::new(&map);
        let heights = |x: f64, y: f64| {
            let mut found = Vec::new();
            floors.at(Point2::new(x, y), |z, _| found.push(z));
            found.sort_by(f64::total_cmp);
            found.dedup();
            found
        };
        assert_eq!(heights(2.0, 2.1), [0.0, 3.0]);
        assert_eq!(heights(0.1, 0.2), [3.0]);
        assert_eq!(heights(4.0, 4.1), [0.0]);
        assert!(heights(9.0, 9.0).is_empty());
        assert!((floors.areas[0] - 96.0).abs() < 1e-9);
    }
}
