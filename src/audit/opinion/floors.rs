//! Floors as the second opinion knows them.

use super::P3;
use crate::map::Map;
use earcut::Earcut;
use std::collections::HashMap;

/// Edge of the squares that floors are looked up by, metres.
const SQUARE_M: f64 = 4.0;

/// Triangles of all floors, by squares of the plan.
pub(super) struct Floors {
    triangles: Vec<[P3; 3]>,
    squares: HashMap<(i64, i64), Vec<u32>>,
}

impl Floors {
    pub(super) fn new(map: &Map) -> Self {
        let mut triangles = Vec::new();
        for floor in &map.floors {
            let mut corners: Vec<P3> = floor.outline.iter().map(|p| [p.x, p.y, p.z]).collect();
            let mut holes = Vec::new();
            for hole in &floor.holes {
                holes.push(corners.len() as u32);
                corners.extend(hole.iter().map(|p| [p.x, p.y, p.z]));
            }
            let mut found: Vec<u32> = Vec::new();
            Earcut::new().earcut(corners.iter().map(|p| [p[0], p[1]]), &holes, &mut found);
            triangles.extend(found.chunks_exact(3).map(|t| [0, 1, 2].map(|i| corners[t[i] as usize])));
        }
        let mut squares: HashMap<(i64, i64), Vec<u32>> = HashMap::new();
        for (index, triangle) in triangles.iter().enumerate() {
            let bound = |axis: usize, of: fn(f64, f64) -> f64, from: f64| {
                (triangle.iter().map(|p| p[axis]).fold(from, of) / SQUARE_M).floor() as i64
            };
            let low = [0, 1].map(|axis| bound(axis, f64::min, f64::INFINITY));
            let high = [0, 1].map(|axis| bound(axis, f64::max, f64::NEG_INFINITY));
            for x in low[0]..=high[0] {
                for y in low[1]..=high[1] {
                    squares.entry((x, y)).or_default().push(index as u32);
                }
            }
        }
        Self { triangles, squares }
    }

    /// The highest floor there that is no higher than this; a map without floors has one at 0.
    pub(super) fn under(&self, at: [f64; 2], highest: f64) -> Option<f64> {
        if self.triangles.is_empty() {
            return (highest >= 0.0).then_some(0.0);
        }
        let square = ((at[0] / SQUARE_M).floor() as i64, (at[1] / SQUARE_M).floor() as i64);
        let here = self.squares.get(&square)?.iter();
        let heights = here.filter_map(|index| height(&self.triangles[*index as usize], at));
        heights.filter(|z| *z <= highest).reduce(f64::max)
    }
}

/// The height of a triangle at a place in it.
fn height([a, b, c]: &[P3; 3], at: [f64; 2]) -> Option<f64> {
    let cross = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
    let sub = |p: &P3, q: [f64; 2]| [p[0] - q[0], p[1] - q[1]];
    let area = cross(sub(b, [a[0], a[1]]), sub(c, [a[0], a[1]]));
    if area == 0.0 {
        return None;
    }
    let weights = [
        cross(sub(b, at), sub(c, at)) / area,
        cross(sub(c, at), sub(a, at)) / area,
        cross(sub(a, at), sub(b, at)) / area,
    ];
    let is_in = weights.iter().all(|weight| *weight >= -1e-9);
    is_in.then(|| weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2])
}
