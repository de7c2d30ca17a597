//! The segment kernel: what decides whether a convex prism stops a segment.
//!
//! Owns prisms as pushed-out half-planes and the rules for ends that lie on a face.
//! Promises: f64 throughout, total on finite input, no allocation in a query.
//! Must not know maps, nor how the candidates were found.

use super::{ConvexPolygon, Point2, Point3, SIGHT_CLEARANCE_M, Vector2, ZRange};

/// The least tilt, metres of clearance per metre of way, at which a segment leaves a face.
///
/// Leak: under it, normals of faces that lie in one plane could differ by rounding, and an eye on the seam
/// of two solids would leave both. Pop-in: an eye on a face misses what is within a nanoradian of the face.
const LEAVING_TILT: f64 = 1e-9;

/// Planes tested together: what a compiler puts side by side without being asked.
const LANES: usize = 4;

/// Convex prisms, ready for segments.
#[derive(Default)]
pub(crate) struct Prisms {
    prisms: Vec<Prism>,
    planes: Vec<Planes>,
}

#[derive(Clone, Copy)]
struct Prism {
    z: ZRange,
    first: u32,
    end: u32,
    kinds: u8,
}

/// Half-planes `x·point.x + y·point.y <= offset` with unit normals.
#[derive(Clone, Copy)]
struct Planes {
    x: [f64; LANES],
    y: [f64; LANES],
    offset: [f64; LANES],
}

/// A segment with what the kernel needs of it, computed once a query.
#[derive(Clone, Copy)]
pub(crate) struct Segment {
    from: Point3,
    to: Point3,
    low: f64,
    high: f64,
    leaving: f64,
}

impl Segment {
    pub(crate) fn new(from: Point3, to: Point3) -> Self {
        let leaving = LEAVING_TILT * ((to.x - from.x).abs() + (to.y - from.y).abs());
        Self { from, to, low: less(from.z, to.z), high: more(from.z, to.z), leaving }
    }
}

impl Prisms {
    /// Adds a prism; the outline has at least three vertices and an area. `kinds` are bits of the caller's: a
    /// query that has none of them passes the prism by.
    pub(crate) fn push(&mut self, outline: &ConvexPolygon, z: ZRange, kinds: u8) {
        let directions: Vec<_> =
            outline.edges().filter(|(a, b)| a != b).map(|(a, b)| (a, (b - a).normalize())).collect();
        let mut planes = Vec::with_capacity(2 * directions.len());
        for (i, &(vertex, along)) in directions.iter().enumerate() {
            planes.push((Vector2::new(along.y, -along.x), vertex));
            let before = directions[(i + directions.len() - 1) % directions.len()].1;
            if before.dot(&along) < 0.0 {
                // Pop-in: the pushed-out faces of an acute corner meet far from it. Cut off there, they
                // reach at most 1.42 clearances from the corner.
                planes.push(((before - along).normalize(), vertex));
            }
        }
        let first = self.planes.len() as u32;
        self.planes.extend(planes.chunks(LANES).map(Planes::new));
        self.prisms.push(Prism { z, first, end: self.planes.len() as u32, kinds });
    }

    /// Whether the prism stops the segment.
    ///
    /// It does where the segment comes nearer than the clearance to it in plan while its height is strictly
    /// inside the prism's range. A segment that begins within the clearance of a face, on either side, and
    /// leaves it is free of the prism, as is one that ends so. Without length it is free.
    #[inline]
    pub(crate) fn stops(&self, prism: usize, kinds: u8, segment: &Segment) -> bool {
        let prism = &self.prisms[prism];
        if prism.kinds & kinds == 0 || segment.high <= prism.z.low || segment.low >= prism.z.high {
            return false;
        }
        let planes = &self.planes[prism.first as usize..prism.end as usize];
        let mut way = Way::WHOLE;
        for planes in planes {
            if planes.cut(segment, &mut way) {
                return false;
            }
        }
        let (enter, exit) = (greatest(way.enter), -greatest(way.exit.map(|t| -t)));
        if enter >= exit {
            return false;
        }
        let from_near = greatest(way.from) < SIGHT_CLEARANCE_M;
        let to_near = greatest(way.to) < SIGHT_CLEARANCE_M;
        if (from_near && planes.iter().any(|p| p.leaves(segment.from, segment.to, segment.leaving)))
            || (to_near && planes.iter().any(|p| p.leaves(segment.to, segment.from, segment.leaving)))
        {
            return false;
        }
        prism.z.low < segment.low && segment.high < prism.z.high
            || crosses_height(prism.z, segment.from.z, segment.to.z, enter, exit)
    }

    /// Whether the point is inside the prism, deeper than the clearance from every face in plan and strictly
    /// between its heights.
    #[inline]
    pub(crate) fn holds(&self, prism: usize, kinds: u8, p: Point3) -> bool {
        let prism = &self.prisms[prism];
        prism.kinds & kinds != 0
            && prism.z.low < p.z
            && p.z < prism.z.high
            && self.planes[prism.first as usize..prism.end as usize].iter().all(|planes| planes.hold(p))
    }
}

/// What is left of a segment after some planes, lane by lane: all numbers and no branch, since which faces a
/// segment crosses can't be predicted.
struct Way {
    /// Latest entry and earliest exit, as parameters.
    enter: [f64; LANES],
    exit: [f64; LANES],
    /// Greatest distance of the ends from a face.
    from: [f64; LANES],
    to: [f64; LANES],
}

impl Way {
    const WHOLE: Self = Self {
        enter: [0.0; LANES],
        exit: [1.0; LANES],
        from: [f64::NEG_INFINITY; LANES],
        to: [f64::NEG_INFINITY; LANES],
    };
}

impl Planes {
    fn new(planes: &[(Vector2, Point2)]) -> Self {
        // Lanes without a plane hold everything.
        let mut lanes = Self { x: [0.0; LANES], y: [0.0; LANES], offset: [1.0; LANES] };
        for (lane, (normal, on_face)) in planes.iter().enumerate() {
            lanes.x[lane] = normal.x;
            lanes.y[lane] = normal.y;
            lanes.offset[lane] = normal.dot(&on_face.coords);
        }
        lanes
    }

    /// Signed distances of the point from the faces: positive outside.
    #[inline(always)]
    fn beyond(&self, p: Point3) -> [f64; LANES] {
        std::array::from_fn(|i| self.x[i] * p.x + self.y[i] * p.y - self.offset[i])
    }

    #[inline]
    fn hold(&self, p: Point3) -> bool {
        self.beyond(p).iter().fold(true, |all, &s| all & (s < -SIGHT_CLEARANCE_M))
    }

    /// Shortens the way to what is nearer than the clearance to the inside of these planes; true where both
    /// ends are out of one of them.
    #[inline(always)]
    fn cut(&self, segment: &Segment, way: &mut Way) -> bool {
        let (from, to) = (self.beyond(segment.from), self.beyond(segment.to));
        if greatest(std::array::from_fn(|i| less(from[i], to[i]))) >= SIGHT_CLEARANCE_M {
            return true;
        }
        for i in 0..LANES {
            let approach = from[i] - to[i];
            // Not a number or infinite where parallel, and not used there. Where the end is not out, an entry
            // is before the segment and an exit behind it.
            let crossing = (from[i] - SIGHT_CLEARANCE_M) / approach;
            way.enter[i] = more(if approach > 0.0 { crossing } else { 0.0 }, way.enter[i]);
            way.exit[i] = less(if approach < 0.0 { crossing } else { 1.0 }, way.exit[i]);
            way.from[i] = more(from[i], way.from[i]);
            way.to[i] = more(to[i], way.to[i]);
        }
        false
    }

    /// Whether a segment that begins near a face at `end` goes away from one that it is not inside of.
    fn leaves(&self, end: Point3, other: Point3, leaving: f64) -> bool {
        let (end, other) = (self.beyond(end), self.beyond(other));
        (0..LANES).any(|i| end[i] >= -SIGHT_CLEARANCE_M && other[i] - end[i] > leaving)
    }
}

/// The lesser of two; the second where the first is not a number (one instruction, unlike [`f64::min`]).
#[inline(always)]
fn less(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two; the second where the first is not a number.
#[inline(always)]
fn more(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn greatest(of: [f64; LANES]) -> f64 {
    more(more(of[0], of[2]), more(of[1], of[3]))
}

/// Whether a height that goes from `from` to `to` is strictly inside `z` somewhere between the two parameters.
fn crosses_height(z: ZRange, from: f64, to: f64, enter: f64, exit: f64) -> bool {
    let rise = to - from;
    if rise == 0.0 {
        return z.low < from && from < z.high && enter < exit;
    }
    let (at_low, at_high) = ((z.low - from) / rise, (z.high - from) / rise);
    enter.max(at_low.min(at_high)) < exit.min(at_low.max(at_high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn box_prism(low: f64, high: f64) -> Prisms {
        let mut prisms = Prisms::default();
        let outline = ConvexPolygon::rectangle(Point2::new(0.0, 0.0), Point2::new(2.0, 1.0));
        prisms.push(&outline, ZRange::new(low, high), 1);
        prisms
    }

    fn stops(prisms: &Prisms, from: [f64; 3], to: [f64; 3]) -> bool {
        prisms.stops(0, 1, &Segment::new(Point3::from(from), Point3::from(to)))
    }

    #[test]
    fn a_segment_through_is_stopped_and_one_beside_is_not() {
        let prisms = box_prism(0.0, 3.0);
        assert!(stops(&prisms, [-1.0, 0.5, 1.0], [3.0, 0.5, 1.0]));
        assert!(!stops(&prisms, [-1.0, 1.5, 1.0], [3.0, 1.5, 1.0]));
        assert!(!stops(&prisms, [-1.0, 0.5, 1.0], [-0.5, 0.5, 1.0]));
        assert!(!stops(&prisms, [2.5, 0.5, 1.0], [3.0, 0.5, 1.0]));
    }

    #[test]
    fn along_a_face_the_clearance_decides() {
        let prisms = box_prism(0.0, 3.0);
        for (beside, stopped) in [(-1e-3, true), (0.0, true), (5e-7, true), (2e-6, false), (1e-3, false)] {
            let y = 1.0 + beside;
            assert_eq!(stops(&prisms, [-1.0, y, 1.0], [3.0, y, 1.0]), stopped, "{beside}");
        }
    }

    #[test]
    fn touching_the_top_is_free_and_a_nanometre_below_is_not() {
        let prisms = box_prism(0.0, 3.0);
        let over = |z: f64| stops(&prisms, [-1.0, 0.5, z], [3.0, 0.5, z]);
        assert!(!over(3.0) && !over(0.0) && over(3.0 - 1e-9) && over(1e-9));
        // Rising through the range before the prism, and through it over the prism.
        assert!(!stops(&prisms, [-4.0, 0.5, 0.0], [-0.5, 0.5, 6.0]));
        assert!(stops(&prisms, [-1.0, 0.5, 1.0], [3.0, 0.5, 6.0]));
        // Down onto the top, and up from it.
        assert!(!stops(&prisms, [1.0, 0.5, 7.0], [1.5, 0.5, 3.0]));
        assert!(!stops(&prisms, [1.5, 0.5, 3.0], [1.0, 0.5, 7.0]));
    }

    #[test]
    fn without_ends_in_height_only_the_plan_counts() {
        let prisms = box_prism(f64::NEG_INFINITY, f64::INFINITY);
        assert!(stops(&prisms, [-1.0, 0.5, -1e9], [3.0, 0.5, 1e9]));
        assert!(stops(&prisms, [1.0, 0.5, -1.0], [1.0, 0.5, 1.0]));
        assert!(!stops(&prisms, [-1.0, 0.5, -1e9], [-1.0, 0.5, 1e9]));
        assert!(!stops(&prisms, [-1.0, 2.5, 0.0], [3.0, 2.5, 0.0]));
    }

    #[test]
    fn upright_segments_are_stopped_by_the_heights_they_pass() {
        let prisms = box_prism(0.0, 3.0);
        assert!(stops(&prisms, [1.0, 0.5, -1.0], [1.0, 0.5, 4.0]));
        assert!(!stops(&prisms, [1.0, 0.5, 3.0], [1.0, 0.5, 4.0]));
        assert!(stops(&prisms, [1.0, 0.5, 2.999], [1.0, 0.5, 4.0]));
        assert!(!stops(&prisms, [3.0, 0.5, -1.0], [3.0, 0.5, 4.0]));
    }

    #[test]
    fn an_end_on_a_face_is_free_outwards_only() {
        let prisms = box_prism(0.0, 3.0);
        for depth in [-9e-7, -1e-12, 0.0, 1e-12, 9e-7] {
            let face = [1.0, 1.0 - depth, 1.0];
            assert!(!stops(&prisms, face, [1.3, 4.0, 1.0]), "out, {depth}");
            assert!(!stops(&prisms, [1.3, 4.0, 1.0], face), "ending there, {depth}");
            assert!(stops(&prisms, face, [1.3, -4.0, 1.0]), "in, {depth}");
            assert!(stops(&prisms, [1.3, -4.0, 1.0], face), "ending through, {depth}");
            assert!(stops(&prisms, face, [5.0, 1.0 - depth, 1.0]), "along, {depth}");
        }
    }

    #[test]
    fn through_a_corner_is_stopped_and_past_a_needle_is_free() {
        let prisms = box_prism(0.0, 3.0);
        assert!(stops(&prisms, [-1.0, -1.0, 1.0], [1.0, 1.0, 1.0]));
        assert!(stops(&prisms, [-1.0, 1.0, 1.0], [1.0, -1.0, 1.0]));
        let needle = ConvexPolygon::from_ccw(
            [(0.0, 0.0), (-9.0, 1e-4), (-9.0, -1e-4)].map(|(x, y)| Point2::new(x, y)).to_vec(),
        );
        let mut prisms = Prisms::default();
        prisms.push(&needle, ZRange::new(0.0, 3.0), 1);
        let across = |x: f64| stops(&prisms, [x, -1.0, 1.0], [x, 1.0, 1.0]);
        assert!(across(-1e-3) && across(0.0) && across(9e-7) && !across(1.5e-6));
    }

    #[test]
    fn inside_means_deeper_than_the_clearance() {
        let prisms = box_prism(0.0, 3.0);
        let holds = |x, y, z| prisms.holds(0, 1, Point3::new(x, y, z));
        assert!(holds(1.0, 0.5, 1.0) && holds(1.0, 2e-6, 1e-9));
        assert!(!holds(1.0, 5e-7, 1.0) && !holds(1.0, 0.0, 1.0) && !holds(1.0, 0.5, 0.0));
        assert!(!holds(1.0, 0.5, 3.0) && !holds(3.0, 0.5, 1.0));
    }
}
