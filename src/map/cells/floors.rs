//! Floors cut into convex patches, and the grid columns that each patch touches.
//!
//! Owns triangulation, the height of a patch and the bucket list.
//! Promises: heights are ranges that hold every triangulation of a floor that is not planar; limits are
//! checked before memory is spent.
//! Must not know walls, bodies or cells.

use super::TooManyCells;
use crate::geom::{ConvexPolygon, Point2, Point3, Vector2, ZRange, clip_near, clip_to_box};
use crate::map::Floor;
use earcut::Earcut;

/// Largest column number on either axis, so that neighbours never overflow.
const MAX_COLUMN: f64 = (1_u32 << 30) as f64;

/// A convex part of a floor, with its height as a plane and what the true surface may leave it by.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    /// Outline in the plan.
    pub(super) outline: ConvexPolygon,
    /// Least and greatest corner of its bounding box.
    pub(super) corners: (Point2, Point2),
    origin: Point3,
    slope: Vector2,
    spread: f64,
    /// Heights of the whole floor.
    pub(super) bounds: ZRange,
}

impl Patch {
    /// The part of it within about `margin` of `other`, whose bounding box is `corners`.
    pub(super) fn near(
        &self,
        other: &ConvexPolygon,
        (low, high): (Point2, Point2),
        margin: f64,
    ) -> Option<ConvexPolygon> {
        let (from, to) = self.corners;
        let apart = from.x > high.x + margin
            || from.y > high.y + margin
            || to.x < low.x - margin
            || to.y < low.y - margin;
        if apart { None } else { clip_near(&self.outline, other, margin) }
    }

    /// The same floor with another outline.
    pub(super) fn with_outline(&self, outline: ConvexPolygon) -> Self {
        Self { corners: outline.bounds(), outline, ..self.clone() }
    }

    /// Heights of the floor over `part`, which lies in the outline or beside it; errs to a larger range.
    pub(super) fn heights(&self, part: &ConvexPolygon) -> ZRange {
        let plane = |p: &Point2| self.origin.z + self.slope.dot(&(p - self.origin.xy()));
        let low = part.vertices().iter().map(plane).fold(f64::INFINITY, f64::min) - self.spread;
        let high = part.vertices().iter().map(plane).fold(f64::NEG_INFINITY, f64::max) + self.spread;
        ZRange::new(
            low.clamp(self.bounds.low, self.bounds.high),
            high.clamp(self.bounds.low, self.bounds.high),
        )
    }
}

/// The patches of all floors, each with a plane fitted to its whole floor.
pub(super) fn patches(floors: &[Floor]) -> Vec<Patch> {
    floors.iter().flat_map(floor_patches).collect()
}

fn floor_patches(floor: &Floor) -> Vec<Patch> {
    let (origin, slope, spread) = fitted_plane(floor);
    let z = |f: fn(f64, f64) -> f64, start| floor.outline.iter().map(|p| p.z).fold(start, f);
    let holes = floor.holes.iter().flatten();
    let bounds = holes
        .fold(ZRange::new(z(f64::min, f64::INFINITY), z(f64::max, f64::NEG_INFINITY)), |b, p| {
            b.hull(ZRange::new(p.z, p.z))
        });
    convex_parts(floor)
        .into_iter()
        .map(|outline| Patch { corners: outline.bounds(), outline, origin, slope, spread, bounds })
        .collect()
}

/// A plane (point, slope) through the middle of the floor's vertices, and the farthest a vertex lies off it.
fn fitted_plane(floor: &Floor) -> (Point3, Vector2, f64) {
    let n = floor.outline.len();
    let sum = floor.outline.iter().fold(nalgebra::Vector3::zeros(), |s, p| s + p.coords);
    let origin = Point3::from(sum / n.max(1) as f64);
    // The polygon's area vector: for a quadrangle it halves the error between its two diagonals.
    let normal = (0..n).fold(nalgebra::Vector3::zeros(), |s, i| {
        s + (floor.outline[i] - origin).cross(&(floor.outline[(i + 1) % n] - origin))
    });
    let slope = Vector2::new(-normal.x / normal.z, -normal.y / normal.z);
    let slope = if slope.x.is_finite() && slope.y.is_finite() { slope } else { Vector2::zeros() };
    let off = |p: &Point3| (p.z - origin.z - slope.dot(&(p.xy() - origin.xy()))).abs();
    let spread = floor.outline.iter().chain(floor.holes.iter().flatten()).map(off).fold(0.0, f64::max);
    (origin, slope, spread)
}

/// Convex polygons that together are the floor in the plan.
fn convex_parts(floor: &Floor) -> Vec<ConvexPolygon> {
    let outline: Vec<Point2> = floor.outline.iter().map(|p| p.xy()).collect();
    let Some(hull) = ConvexPolygon::hull(&outline) else { return Vec::new() };
    if floor.holes.is_empty() && is_convex(&outline) {
        return vec![hull];
    }
    let mut rings = outline.clone();
    let mut starts = Vec::with_capacity(floor.holes.len());
    for hole in &floor.holes {
        starts.push(rings.len() as u32);
        rings.extend(hole.iter().map(|p| p.xy()));
    }
    let mut triangles: Vec<u32> = Vec::new();
    Earcut::new().earcut(rings.iter().map(|p| [p.x, p.y]), &starts, &mut triangles);
    let parts: Vec<ConvexPolygon> = triangles
        .chunks_exact(3)
        .filter_map(|t| ConvexPolygon::hull(&[0, 1, 2].map(|i| rings[t[i] as usize])))
        .filter(|t| t.vertices().len() == 3)
        .collect();
    let area: f64 = parts.iter().map(ConvexPolygon::area).sum();
    let true_area = ring_area(&outline)
        - floor
            .holes
            .iter()
            .map(|h| ring_area(&h.iter().map(|p| p.xy()).collect::<Vec<_>>()).abs())
            .sum::<f64>();
    // A triangulation that lost area would lose cells (pop-ins are counted there as "off the cells"): the
    // hull has too many cells instead, which shows more.
    if (area - true_area).abs() > 1e-6 * (1.0 + true_area.abs()) { vec![hull] } else { parts }
}

fn is_convex(outline: &[Point2]) -> bool {
    let n = outline.len();
    (0..n).all(|i| {
        let (a, b, c) = (outline[i], outline[(i + 1) % n], outline[(i + 2) % n]);
        (b - a).perp(&(c - b)) >= -1e-12
    })
}

fn ring_area(ring: &[Point2]) -> f64 {
    let n = ring.len();
    let origin = ring[0];
    (0..n).map(|i| (ring[i] - origin).perp(&(ring[(i + 1) % n] - origin))).sum::<f64>() * 0.5
}

/// A column and its entries in the buckets: Morton code and patch.
pub(super) type Column<'a> = ((i32, i32), &'a [(u64, u32)]);

/// Which patches touch which columns, sorted by column.
pub(super) struct Buckets {
    entries: Vec<(u64, u32)>,
}

impl Buckets {
    /// Lists the columns of every patch; at most `limit` entries.
    pub(super) fn build(patches: &[Patch], size: f64, limit: usize) -> Result<Self, TooManyCells> {
        let mut entries = Vec::new();
        for (index, patch) in patches.iter().enumerate() {
            let (low, high) = patch.outline.bounds();
            let rows = columns_between(low.y, high.y, size)?;
            for row in rows {
                let strip_low = Point2::new(low.x, f64::from(row) * size);
                let strip_high = Point2::new(high.x, f64::from(row + 1) * size);
                let Some(strip) = clip_to_box(&patch.outline, strip_low, strip_high) else { continue };
                let (from, to) = strip.bounds();
                let columns = columns_between(from.x, to.x, size)?;
                if entries.len() + columns.size_hint().0 > limit {
                    return Err(TooManyCells::Fragments { limit });
                }
                entries.extend(columns.map(|column| (morton((column, row)), index as u32)));
            }
        }
        entries.sort_unstable();
        Ok(Self { entries })
    }

    /// The columns in Morton order, each with the patches that touch it.
    pub(super) fn columns(&self) -> Vec<Column<'_>> {
        self.entries.chunk_by(|a, b| a.0 == b.0).map(|chunk| (unmorton(chunk[0].0), chunk)).collect()
    }

    /// The patches of the columns that the box touches, ascending and once each.
    pub(super) fn touching(&self, low: Point2, high: Point2, size: f64, out: &mut Vec<u32>) {
        out.clear();
        // The casts saturate: beyond any column there are no patches.
        let column = |at: f64| (at / size).floor() as i32;
        for y in column(low.y)..=column(high.y) {
            for x in column(low.x)..=column(high.x) {
                let code = morton((x, y));
                let start = self.entries.partition_point(|e| e.0 < code);
                out.extend(self.entries[start..].iter().take_while(|e| e.0 == code).map(|e| e.1));
            }
        }
        out.sort_unstable();
        out.dedup();
    }
}

/// The columns that the closed interval touches; one that ends on a border does not enter the next column.
fn columns_between(low: f64, high: f64, size: f64) -> Result<std::ops::RangeInclusive<i32>, TooManyCells> {
    let first = (low / size).floor();
    let last = ((high / size).ceil() - 1.0).max(first);
    if !(first >= -MAX_COLUMN && last <= MAX_COLUMN) {
        return Err(TooManyCells::TooFar { at_m: if first < -MAX_COLUMN { low } else { high } });
    }
    Ok(first as i32..=last as i32)
}

/// The Morton code of a column: near columns have near codes.
pub(super) fn morton(column: (i32, i32)) -> u64 {
    let spread = |v: i32| {
        let mut x = u64::from((v as u32) ^ 0x8000_0000);
        x = (x | (x << 16)) & 0x0000_ffff_0000_ffff;
        x = (x | (x << 8)) & 0x00ff_00ff_00ff_00ff;
        x = (x | (x << 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        x = (x | (x << 2)) & 0x3333_3333_3333_3333;
        (x | (x << 1)) & 0x5555_5555_5555_5555
    };
    spread(column.0) | (spread(column.1) << 1)
}

/// The column of a Morton code.
fn unmorton(code: u64) -> (i32, i32) {
    let gather = |code: u64| {
        let mut x = code & 0x5555_5555_5555_5555;
        x = (x | (x >> 1)) & 0x3333_3333_3333_3333;
        x = (x | (x >> 2)) & 0x0f0f_0f0f_0f0f_0f0f;
        x = (x | (x >> 4)) & 0x00ff_00ff_00ff_00ff;
        x = (x | (x >> 8)) & 0x0000_ffff_0000_ffff;
        x = (x | (x >> 16)) & 0x0000_0000_ffff_ffff;
        ((x as u32) ^ 0x8000_0000) as i32
    };
    (gather(code), gather(code >> 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn morton_codes_name_their_columns() {
        for column in [(0, 0), (-1, 0), (5, -7), (i32::MAX, i32::MIN), (1 << 30, -(1 << 30))] {
            assert_eq!(unmorton(morton(column)), column);
        }
        assert!(morton((-1, -1)) < morton((0, 0)));
    }

    #[test]
    fn a_saddle_spans_both_of_its_triangulations() {
        let corner = |x: f64, y: f64, z: f64| Point3::new(x, y, z);
        let outline =
            vec![corner(0.0, 0.0, 0.0), corner(2.0, 0.0, 1.0), corner(2.0, 2.0, 0.0), corner(0.0, 2.0, 1.0)];
        let patch = &patches(&[Floor { outline, holes: Vec::new() }])[0];
        let middle = ConvexPolygon::hull(&[Point2::new(1.0, 1.0)]).unwrap();
        assert_eq!(patch.heights(&middle), ZRange::new(0.0, 1.0));
    }

    #[test]
    fn an_interval_that_ends_on_a_border_stays_out_of_the_next_column() {
        assert_eq!(columns_between(0.0, 2.0, 1.0).unwrap(), 0..=1);
        assert_eq!(columns_between(-0.5, 0.0, 1.0).unwrap(), -1..=-1);
        assert_eq!(columns_between(3.0, 3.0, 1.0).unwrap(), 3..=3);
        assert!(columns_between(0.0, 1e18, 1.0).is_err());
    }
}
