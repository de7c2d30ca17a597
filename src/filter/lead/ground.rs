//! The floors under a reach: how high steps can climb and how low they can lead.
//!
//! Owns a map's floors as convex parts with heights. Promises: no allocation in a query; a part's heights are bounded
//! over the box that is asked about. Errs to higher and lower, which shows more. Must not know bodies.

use super::heights::Floors;
use crate::geom::{PlanBvh, Point2, Vector2, ZRange, convex_parts};
use crate::map::{Footprint, Map};
use std::collections::HashMap;

/// Heights off a plane through three corners by this are not planar, metres.
const PLANAR_M: f64 = 1e-6;

/// A convex part of a floor.
struct Part {
    ring: Vec<Point2>,
    low: Point2,
    high: Point2,
    z: ZRange,
    /// Height at the origin and its change along x and y, where the part is planar.
    plane: Option<(f64, Vector2)>,
}

/// A map's floors and where its doors are.
pub(crate) struct Ground {
    parts: Vec<Part>,
    tree: PlanBvh,
    doors: Vec<(Point2, Point2)>,
}

impl Ground {
    pub(crate) fn new(map: &Map) -> Self {
        let plan = |ring: &[crate::geom::Point3]| ring.iter().map(|p| p.xy()).collect::<Vec<_>>();
        let mut parts = Vec::new();
        for floor in &map.floors {
            let rings = std::iter::once(&floor.outline).chain(&floor.holes);
            let corners: Vec<_> = rings.flatten().copied().collect();
            let bits = |p: Point2| [(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits()];
            let heights: HashMap<_, _> = corners.iter().map(|p| (bits(p.xy()), p.z)).collect();
            let all = range(corners.iter().map(|p| p.z));
            let holes: Vec<_> = floor.holes.iter().map(|hole| plan(hole)).collect();
            for ring in convex_parts(&plan(&floor.outline), &holes) {
                let known: Option<Vec<f64>> = ring.iter().map(|p| heights.get(&bits(*p)).copied()).collect();
                parts.push(Part::new(ring, known, all));
            }
        }
        let tree = PlanBvh::new(parts.iter().map(|part| (part.low, part.high)));
        let doors = map.doors.iter().filter(|door| door.blocks.movement).map(|door| match &door.footprint {
            Footprint::Polygon { outline, .. } => bounds(outline),
            Footprint::Circle { center, radius } => {
                (center - Vector2::new(*radius, *radius), center + Vector2::new(*radius, *radius))
            }
        });
        Self { tree, doors: doors.collect(), parts }
    }

    /// Whether the box of a door that stops bodies, shut or open, touches the box.
    pub(super) fn has_door_near(&self, low: Point2, high: Point2) -> bool {
        self.doors.iter().any(|&(a, b)| a.x <= high.x && low.x <= b.x && a.y <= high.y && low.y <= b.y)
    }

    /// The floors that touch a box, for feet anywhere in `from` that climb `step` at a time.
    pub(super) fn floors(&self, low: Point2, high: Point2, from: ZRange, step: f64) -> Floors {
        /// Rounds of climbing; more floors than that in one reach are taken as all reached.
        const ROUNDS: usize = 8;
        let (mut walked, mut lowest, mut all) = (from, None, from);
        for round in 0..ROUNDS {
            let before = walked;
            for index in self.tree.touching(low, high) {
                let part = &self.parts[index];
                let Some(heights) = part.heights(low, high) else { continue };
                lowest = Some(heights.low.min(lowest.unwrap_or(heights.low)));
                all = all.hull(heights);
                if heights.low <= walked.high + step && heights.high >= walked.low - step {
                    walked = walked.hull(heights);
                }
            }
            if walked == before {
                return Floors { lowest, walked };
            }
            if round == 0 && walked == all {
                break;
            }
        }
        Floors { lowest, walked: walked.hull(all) }
    }
}

impl Part {
    fn new(ring: Vec<Point2>, heights: Option<Vec<f64>>, all: ZRange) -> Self {
        let (low, high) = bounds(&ring);
        let z = heights.as_ref().map_or(all, |heights| range(heights.iter().copied()));
        let plane = heights.and_then(|heights| plane(&ring, &heights));
        Self { ring, low, high, z, plane }
    }

    /// Its heights within a box, if it touches the box; it may give more.
    fn heights(&self, low: Point2, high: Point2) -> Option<ZRange> {
        let (a, b) = (low.sup(&self.low), high.inf(&self.high));
        if a.x > b.x || a.y > b.y {
            return None;
        }
        let corners = [low, Point2::new(high.x, low.y), high, Point2::new(low.x, high.y)];
        let n = self.ring.len();
        let beyond = |i: usize| {
            let (from, to) = (self.ring[i], self.ring[(i + 1) % n]);
            corners.iter().all(|p| (to - from).perp(&(p - from)) < 0.0)
        };
        if (0..n).any(beyond) {
            return None;
        }
        let Some((base, slope)) = self.plane else { return Some(self.z) };
        let middle = base + slope.dot(&nalgebra::center(&a, &b).coords);
        let half = 0.5 * (slope.x.abs() * (b.x - a.x) + slope.y.abs() * (b.y - a.y)) + PLANAR_M;
        Some(ZRange::new((middle - half).max(self.z.low), (middle + half).min(self.z.high)))
    }
}

/// The plane through the corners, if there is one.
fn plane(ring: &[Point2], heights: &[f64]) -> Option<(f64, Vector2)> {
    let o = ring[0];
    // The widest triangle at the first corner is the best conditioned.
    let area = |i: usize| (ring[i] - o).perp(&(ring[i + 1] - o));
    let widest = (1..ring.len() - 1).max_by(|&i, &j| area(i).total_cmp(&area(j)))?;
    let (d, e) = (ring[widest] - o, ring[widest + 1] - o);
    let (dz, ez) = (heights[widest] - heights[0], heights[widest + 1] - heights[0]);
    let size = d.perp(&e);
    if size < 1e-9 {
        return None;
    }
    let slope = Vector2::new(dz * e.y - ez * d.y, ez * d.x - dz * e.x) / size;
    let base = heights[0] - slope.dot(&o.coords);
    let fits = ring.iter().zip(heights).all(|(p, z)| (base + slope.dot(&p.coords) - z).abs() <= PLANAR_M);
    fits.then_some((base, slope))
}

fn bounds(ring: &[Point2]) -> (Point2, Point2) {
    ring.iter().fold((ring[0], ring[0]), |(low, high), p| (low.inf(p), high.sup(p)))
}

fn range(values: impl Iterator<Item = f64>) -> ZRange {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)));
    ZRange::new(low, high)
}
