//! A flat grid in the plan: the fast way to the few items near a point or along a segment.
//!
//! Owns the choice of the square's edge, the lists of items and the walk along a segment.
//! Promises: an item whose polygon grown by the margin meets a segment is named on its walk; nothing allocates
//! in a query; lists are bounded by the number of items.
//! Must not know what the items are; the f64 kernel decides.

use super::{ConvexPolygon, Point2, Point3, Vector2, ZRange};
use std::ops::RangeInclusive;

/// How far around its polygon an item is listed, metres, beside the same part of the map's extent times 10⁻⁹.
///
/// It covers the sight clearance and the walk's rounding. Leak: less could miss a blocker.
const MARGIN_M: f64 = 1e-5;
/// Squares aimed at, per item.
const SQUARES_PER_ITEM: usize = 16;
/// Entries allowed in all lists together, per item; more and the squares grow.
const ENTRIES_PER_ITEM: usize = 64;
/// Entries allowed in all lists together, unless four per item are more: 200 MB.
const MOST_ENTRIES: usize = 1 << 24;

/// Finer squares along the edge of a square.
const FINER: usize = 4;

/// Items by the squares they touch.
pub(crate) struct PlanGrid {
    low: Point2,
    high: Point2,
    edge: f64,
    per_metre: f64,
    columns: usize,
    rows: usize,
    /// Where each square's list begins, and the end of the last.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// Which finer squares an item touches, one bit each, a word a square: nearly no point of interest does.
    finer: Vec<u16>,
}

/// An item in a square's list, with its heights rounded outwards: most items beside a way are over or under it.
#[derive(Clone, Copy)]
struct Entry {
    item: u32,
    low: f32,
    high: f32,
}

impl PlanGrid {
    /// The grid over prisms, each an outline and its heights; items are their indices.
    pub(crate) fn new<'a>(prisms: impl Iterator<Item = (&'a ConvexPolygon, ZRange)> + Clone) -> Self {
        let boxes: Vec<(Point2, Point2)> = prisms.clone().map(|(outline, _)| outline.bounds()).collect();
        let Some(&(mut low, mut high)) = boxes.first() else { return Self::empty() };
        for (a, b) in &boxes {
            low = Point2::new(low.x.min(a.x), low.y.min(a.y));
            high = Point2::new(high.x.max(b.x), high.y.max(b.y));
        }
        let reach = low.coords.amax().max(high.coords.amax());
        let margin = MARGIN_M + 1e-9 * reach;
        let around = Vector2::new(2.0 * margin, 2.0 * margin);
        let mut grid = Self { low: low - around, high: high + around, ..Self::empty() };
        let size = grid.high - grid.low;
        let mut edge = (size.x * size.y / (SQUARES_PER_ITEM * boxes.len()) as f64).sqrt();
        edge = edge.max(size.amax() / (SQUARES_PER_ITEM * boxes.len()) as f64);
        loop {
            grid.divide(edge);
            let squares = |&(a, b): &(Point2, Point2)| {
                let ((x0, y0), (x1, y1)) = (grid.square(a - around), grid.square(b + around));
                (x1 - x0 + 1) * (y1 - y0 + 1)
            };
            if boxes.iter().map(squares).sum::<usize>() <= most_entries(boxes.len()) {
                break;
            }
            edge *= 1.25;
        }
        grid.fill(prisms, margin);
        grid
    }

    fn empty() -> Self {
        let origin = Point2::origin();
        Self {
            low: origin,
            high: origin,
            edge: 1.0,
            per_metre: 1.0,
            columns: 1,
            rows: 1,
            starts: vec![0, 0],
            entries: Vec::new(),
            finer: vec![0],
        }
    }

    fn divide(&mut self, edge: f64) {
        let size = self.high - self.low;
        self.edge = edge;
        self.per_metre = edge.recip();
        self.columns = (size.x / edge).ceil().max(1.0) as usize;
        self.rows = (size.y / edge).ceil().max(1.0) as usize;
    }

    /// The square (column, row) that holds `p`, or the nearest one.
    fn square(&self, p: Point2) -> (usize, usize) {
        self.finer_square(p, 1)
    }

    /// As [`Self::square`], of squares whose edge is divided by `finer`.
    #[inline]
    fn finer_square(&self, p: Point2, finer: usize) -> (usize, usize) {
        let index =
            |v: f64, count: usize| (if v > 0.0 { v as u32 as usize } else { 0 }).min(count * finer - 1);
        let p = (p - self.low) * (self.per_metre * finer as f64);
        (index(p.x, self.columns), index(p.y, self.rows))
    }

    fn fill<'a>(&mut self, prisms: impl Iterator<Item = (&'a ConvexPolygon, ZRange)>, margin: f64) {
        let mut lists: Vec<Vec<Entry>> = vec![Vec::new(); self.columns * self.rows];
        self.finer = vec![0; lists.len()];
        for (item, (polygon, z)) in prisms.enumerate() {
            let entry = Entry { item: item as u32, low: rounded_down(z.low), high: -rounded_down(-z.high) };
            self.for_each_row(polygon, margin, 1, |row, columns| {
                for column in columns {
                    lists[row * self.columns + column].push(entry);
                }
            });
            let mut finer = std::mem::take(&mut self.finer);
            self.for_each_row(polygon, margin, FINER, |row, columns| {
                for column in columns {
                    finer[row / FINER * self.columns + column / FINER] |= finer_bit(column, row);
                }
            });
            self.finer = finer;
        }
        self.starts.clear();
        for list in &lists {
            self.starts.push(self.entries.len() as u32);
            self.entries.extend(list);
        }
        self.starts.push(self.entries.len() as u32);
    }

    /// Calls `f` with each row, of squares divided by `finer`, that the polygon touches, and which of its columns.
    fn for_each_row(
        &self,
        polygon: &ConvexPolygon,
        margin: f64,
        finer: usize,
        mut f: impl FnMut(usize, RangeInclusive<usize>),
    ) {
        let edge = self.edge / finer as f64;
        let (low, high) = polygon.bounds();
        let around = Vector2::new(margin, margin);
        for row in self.finer_square(low - around, finer).1..=self.finer_square(high + around, finer).1 {
            let y = self.low.y + row as f64 * edge;
            let band = polygon
                .clip(Vector2::y(), y + edge + 2.0 * margin)
                .and_then(|p| p.clip(-Vector2::y(), 2.0 * margin - y));
            let Some(band) = band else { continue };
            let (low, high) = band.bounds();
            f(row, self.finer_square(low - around, finer).0..=self.finer_square(high + around, finer).0);
        }
    }

    #[inline]
    fn list(&self, square: usize) -> &[Entry] {
        &self.entries[self.starts[square] as usize..self.starts[square + 1] as usize]
    }

    /// Whether `f` accepts an item that may hold `p`.
    #[inline]
    pub(crate) fn any_at(&self, p: Point3, f: impl FnMut(u32) -> bool) -> bool {
        if !self.covers(p.xy()) {
            return false;
        }
        let (column, row) = self.finer_square(p.xy(), FINER);
        let square = row / FINER * self.columns + column / FINER;
        self.finer[square] & finer_bit(column, row) != 0 && self.any_in(square, p.z, f)
    }

    #[inline(never)]
    fn any_in(&self, square: usize, z: f64, mut f: impl FnMut(u32) -> bool) -> bool {
        self.list(square).iter().any(|entry| entry.meets(z, z) && f(entry.item))
    }

    #[inline]
    fn covers(&self, p: Point2) -> bool {
        self.low.x <= p.x && p.x <= self.high.x && self.low.y <= p.y && p.y <= self.high.y
    }

    /// An item near the segment that `f` accepts. `f` may be asked about one item several times.
    ///
    /// The search begins in the middle: the ends stand in the open, and what parts them is rarely near them.
    #[inline]
    pub(crate) fn find_along(&self, from: Point3, to: Point3, mut f: impl FnMut(u32) -> bool) -> Option<u32> {
        let (low, high) = if from.z < to.z { (from.z, to.z) } else { (to.z, from.z) };
        let (from, to) = (from.xy(), to.xy());
        let covered = self.covers(from) && self.covers(to);
        let (from, to) = if covered { (from, to) } else { self.clip(from, to - from)? };
        let middle = nalgebra::center(&from, &to);
        for end in [to, from] {
            let found = self.walk(middle, end, |entry| entry.meets(low, high) && f(entry.item));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The first item, in the order of the squares from `from` to `to`, that `f` accepts.
    #[inline]
    fn walk(&self, from: Point2, to: Point2, mut f: impl FnMut(Entry) -> bool) -> Option<u32> {
        let (first, last) = (self.square(from), self.square(to));
        let mut x = Axis::new(from.x - self.low.x, to.x - from.x, self.edge, (first.0, last.0), 1);
        let mut y = Axis::new(from.y - self.low.y, to.y - from.y, self.edge, (first.1, last.1), self.columns);
        let mut square = first.1 * self.columns + first.0;
        let mut asked = u32::MAX;
        loop {
            for &entry in self.list(square) {
                // A long wall is the only item of many squares in a row.
                if entry.item != asked {
                    if f(entry) {
                        return Some(entry.item);
                    }
                    asked = entry.item;
                }
            }
            if x.left + y.left == 0 {
                return None;
            }
            // Which of the two comes next can't be predicted: both are computed, without a branch. The last
            // square bounds the walk, whatever the rounding.
            let along_x = (y.left == 0) | (x.left > 0) & (x.next < y.next);
            square = square.wrapping_add(x.step(along_x)).wrapping_add(y.step(!along_x));
        }
    }

    /// The ends of the part of `from + way·t`, t from 0 to 1, that is on the grid.
    #[cold]
    fn clip(&self, from: Point2, way: Vector2) -> Option<(Point2, Point2)> {
        let (mut start, mut end) = (0f64, 1f64);
        for axis in 0..2 {
            let (origin, way) = (from[axis], way[axis]);
            let (low, high) = (self.low[axis], self.high[axis]);
            if way != 0.0 {
                let (a, b) = ((low - origin) / way, (high - origin) / way);
                start = start.max(a.min(b));
                end = end.min(a.max(b));
            } else if origin < low || origin > high {
                return None;
            }
        }
        (start <= end).then(|| (from + way * start, from + way * end))
    }
}

/// The borders that a walk still crosses along one axis.
struct Axis {
    /// Parameter of the next one.
    next: f64,
    /// From one to the next.
    spacing: f64,
    left: usize,
    stride: usize,
}

impl Axis {
    #[inline]
    fn new(origin: f64, way: f64, edge: f64, (first, last): (usize, usize), stride: usize) -> Self {
        let per_metre = way.recip();
        let (border, left, stride) = if last >= first {
            (first + 1, last - first, stride)
        } else {
            (first, first - last, stride.wrapping_neg())
        };
        let next = (border as f64 * edge - origin) * per_metre;
        Self { next, spacing: edge * per_metre.abs(), left, stride }
    }

    /// What a step adds to the index of the square; nothing where it is not `taken`.
    #[inline]
    fn step(&mut self, taken: bool) -> usize {
        self.left -= usize::from(taken);
        self.next += if taken { self.spacing } else { 0.0 };
        if taken { self.stride } else { 0 }
    }
}

/// The bit of a finer square in its square's word.
#[inline]
fn finer_bit(column: usize, row: usize) -> u16 {
    1 << (row % FINER * FINER + column % FINER)
}

impl Entry {
    /// Whether its open heights may hold one from `low` to `high`.
    #[inline]
    fn meets(self, low: f64, high: f64) -> bool {
        f64::from(self.low) < high && low < f64::from(self.high)
    }
}

/// Entries allowed in all lists together.
fn most_entries(items: usize) -> usize {
    (ENTRIES_PER_ITEM * items).min(MOST_ENTRIES.max(4 * items))
}

/// The nearest f32 that is not above.
fn rounded_down(v: f64) -> f32 {
    let near = v as f32;
    if f64::from(near) > v { near.next_down() } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row_of_squares() -> Vec<ConvexPolygon> {
        (0..50)
            .map(|i| Point2::new(3.0 * f64::from(i), f64::from(i % 7)))
            .map(|p| ConvexPolygon::rectangle(p, p + Vector2::new(1.0, 1.0)))
            .collect()
    }

    fn grid_over(polygons: &[ConvexPolygon]) -> PlanGrid {
        PlanGrid::new(polygons.iter().map(|polygon| (polygon, ZRange::new(0.1, f64::INFINITY))))
    }

    #[test]
    fn a_million_items_take_no_more_entries_than_a_quarter_of_a_million() {
        let most = [1_000, 1 << 18, 1 << 20, 1 << 24].map(most_entries);
        assert_eq!(most, [64_000, 1 << 24, 1 << 24, 1 << 26]);
    }

    #[test]
    fn a_walk_names_every_polygon_it_meets() {
        let polygons = row_of_squares();
        let grid = grid_over(&polygons);
        let (from, to) = (Point3::new(-20.0, 9.0, 0.0), Point3::new(170.0, -1.0, 1.0));
        let mut named = vec![false; polygons.len()];
        assert_eq!(
            grid.find_along(from, to, |item| {
                named[item as usize] = true;
                false
            }),
            None
        );
        for (polygon, named) in polygons.iter().zip(named) {
            let normal = Vector2::new(10.0, 190.0);
            let side = polygon.vertices().iter().map(|v| normal.dot(&(v - from.xy())));
            let meets = side.clone().any(|s| s <= 0.0) && side.clone().any(|s| s >= 0.0);
            assert!(named || !meets);
        }
    }

    #[test]
    fn a_point_off_the_grid_and_an_empty_grid_name_nothing() {
        let polygons = row_of_squares();
        let grid = grid_over(&polygons);
        let any = |x: f64, z: f64| grid.any_at(Point3::new(x, 0.5, z), |_| true);
        assert!(!any(1e9, 1.0) && any(0.5, 1.0) && !any(0.5, 0.0));
        let none = grid_over(&[]);
        assert!(!none.any_at(Point3::origin(), |_| true));
        assert_eq!(none.find_along(Point3::new(-1.0, 0.0, 0.0), Point3::new(1.0, 0.0, 0.0), |_| true), None);
    }

    #[test]
    fn polygons_that_cover_everything_keep_the_lists_short() {
        let all = ConvexPolygon::rectangle(Point2::new(-50.0, -50.0), Point2::new(50.0, 50.0));
        let polygons = vec![all; 200];
        let grid = grid_over(&polygons);
        assert!(grid.entries.len() <= ENTRIES_PER_ITEM * polygons.len());
    }
}
