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

/// The cosine of the turn at a corner under which the pushed-out faces meet too far from it (an angle of 60°).
///
/// Pop-in: what ends at a blunter corner may be stopped up to two clearances before it. Sharper ones are cut off.
const BLUNT_COSINE: f64 = -0.5;

/// Faces and vertices tested together: what a compiler puts side by side without being asked.
const LANES: usize = 4;

/// Convex prisms, ready for segments.
#[derive(Default)]
pub(crate) struct Prisms {
    prisms: Vec<Prism>,
    /// The faces of prisms with more than [`LANES`] of them.
    more: Vec<Faces>,
}

/// Three cache lines, and most prisms need no more.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Prism {
    z: ZRange,
    faces: Faces,
    /// Where in [`Prisms::more`] its other faces are.
    first: u32,
    end: u32,
    kinds: u8,
}

/// Half-planes `x·point.x + y·point.y <= offset` with unit normals, and as many vertices, in no relation to them.
#[derive(Clone, Copy)]
struct Faces {
    x: [f64; LANES],
    y: [f64; LANES],
    offset: [f64; LANES],
    vertex_x: [f64; LANES],
    vertex_y: [f64; LANES],
}

/// A segment with what the kernel needs of it, computed once a query.
#[derive(Clone, Copy)]
pub(crate) struct Segment {
    from: Point3,
    to: Point3,
    way: Vector2,
    /// One over the rise, cut to what is finite.
    per_rise: f64,
    low: f64,
    high: f64,
    /// The clearance as [`Faces::beside`] measures it; greater than 0.
    clearance: f64,
}

/// The part of a segment that is within a prism's heights, in plan.
struct Passage {
    from: Point2,
    to: Point2,
    /// Whether it begins and ends with the segment.
    is_start: bool,
    is_end: bool,
}

impl Segment {
    #[inline(always)]
    pub(crate) fn new(from: Point3, to: Point3) -> Self {
        let way = to.xy() - from.xy();
        let per_rise = more(less((to.z - from.z).recip(), f64::MAX), -f64::MAX);
        // Pop-in: the length rounded up, by 8.3 % at most, so that a line that far beside a corner is stopped.
        let (x, y) = (way.x.abs(), way.y.abs());
        let length = more(x, y) + 0.415 * less(x, y);
        let clearance = more(SIGHT_CLEARANCE_M * length, f64::MIN_POSITIVE);
        Self { from, to, way, per_rise, low: less(from.z, to.z), high: more(from.z, to.z), clearance }
    }

    /// The part between the heights, of which the segment has some.
    #[inline(always)]
    fn within(&self, z: ZRange) -> Passage {
        let (a, b) = ((z.low - self.from.z) * self.per_rise, (z.high - self.from.z) * self.per_rise);
        let (start, end) = (more(less(a, b), 0.0), less(more(a, b), 1.0));
        let at = |t: f64| self.from.xy() + self.way * t;
        Passage { from: at(start), to: at(end), is_start: start == 0.0, is_end: end == 1.0 }
    }
}

impl Prisms {
    /// Adds a prism. `kinds` are bits of the caller's: a query that has none of them passes the prism by.
    ///
    /// An outline that is one point has its index as any other, and stops nothing.
    pub(crate) fn push(&mut self, outline: &ConvexPolygon, z: ZRange, kinds: u8) {
        let directions: Vec<_> =
            outline.edges().filter_map(|(a, b)| Some((a, (b - a).try_normalize(0.0)?))).collect();
        let mut planes = Vec::with_capacity(2 * directions.len());
        for (i, &(vertex, along)) in directions.iter().enumerate() {
            planes.push((Vector2::new(along.y, -along.x), vertex));
            let before = directions[(i + directions.len() - 1) % directions.len()].1;
            if before.dot(&along) < BLUNT_COSINE {
                planes.push(((before - along).normalize(), vertex));
            }
        }
        let vertices: Vec<Point2> = directions.iter().map(|&(vertex, _)| vertex).collect();
        let mut groups = planes.chunks(LANES).enumerate().map(|(group, planes)| {
            let of_group = vertices.chunks(LANES).nth(group).unwrap_or(&vertices[..1]);
            Faces::new(planes, of_group)
        });
        let first = self.more.len() as u32;
        let (faces, kinds) = match groups.next() {
            Some(faces) => (faces, kinds),
            None => (Faces::new(&[], &outline.vertices()[..1]), 0),
        };
        self.more.extend(groups);
        self.prisms.push(Prism { z, faces, first, end: self.more.len() as u32, kinds });
    }

    /// Whether the prism stops the segment.
    ///
    /// It does where the segment comes nearer than the clearance to it in plan while its height is strictly
    /// inside the prism's range. A segment that begins within the clearance of a face, on either side, and
    /// leaves it is free of the prism, as is one that ends so. One without length is free there too.
    #[inline(always)]
    pub(crate) fn stops(&self, prism: usize, kinds: u8, segment: &Segment) -> bool {
        let prism = &self.prisms[prism];
        if (prism.kinds & kinds == 0) | (segment.high <= prism.z.low) | (segment.low >= prism.z.high) {
            return false;
        }
        // The passage and a convex polygon are apart if a face, or the way itself, has them on its two sides.
        let passage = segment.within(prism.z);
        let mut met = prism.faces.meet(segment, &passage);
        if prism.first != prism.end && met.both < SIGHT_CLEARANCE_M {
            met = self.meet_all(prism, segment, &passage);
        }
        let apart = (met.both >= SIGHT_CLEARANCE_M)
            | (met.rightmost >= segment.clearance)
            | (met.leftmost <= -segment.clearance);
        // An end deeper inside leaves no face; the slack is rounding's, and the exact answer is given there.
        let near = |out: f64| (-2.0 * SIGHT_CLEARANCE_M..SIGHT_CLEARANCE_M).contains(&out);
        !(apart || (near(met.from) | near(met.to)) && self.leaves_at_an_end(prism, segment, &passage, met))
    }

    #[inline(never)]
    fn meet_all(&self, prism: &Prism, segment: &Segment, passage: &Passage) -> Meeting {
        let more = &self.more[prism.first as usize..prism.end as usize];
        more.iter()
            .fold(prism.faces.meet(segment, passage), |met, faces| met.and(faces.meet(segment, passage)))
    }

    /// Whether the segment begins or ends within the clearance of a face and goes away from it there, or has no
    /// length.
    #[inline(never)]
    fn leaves_at_an_end(&self, prism: &Prism, segment: &Segment, passage: &Passage, met: Meeting) -> bool {
        let (from, to) = (segment.from.xy(), segment.to.xy());
        met.from < SIGHT_CLEARANCE_M && self.begins_leaving(prism, from, to, passage.is_start)
            || met.to < SIGHT_CLEARANCE_M && self.begins_leaving(prism, to, from, passage.is_end)
            || segment.from == segment.to
    }

    /// Whether what runs from `from` to `to` begins within the clearance of a face and goes away from it; `is_near`
    /// where it is known to begin within the clearance of the prism.
    fn begins_leaving(&self, prism: &Prism, from: Point2, to: Point2, is_near: bool) -> bool {
        let leaving = LEAVING_TILT * ((to.x - from.x).abs() + (to.y - from.y).abs());
        (is_near || self.all_faces(prism, |faces| faces.hold(from, SIGHT_CLEARANCE_M)))
            && !self.all_faces(prism, |faces| !faces.leaves(from, to, leaving))
    }

    /// Whether the point is inside the prism, deeper than the clearance from every face in plan and strictly
    /// between its heights.
    #[inline]
    pub(crate) fn holds(&self, prism: usize, kinds: u8, p: Point3) -> bool {
        let prism = &self.prisms[prism];
        prism.kinds & kinds != 0
            && prism.z.low < p.z
            && p.z < prism.z.high
            && self.all_faces(prism, |faces| faces.hold(p.xy(), -SIGHT_CLEARANCE_M))
    }

    #[inline(always)]
    fn all_faces(&self, prism: &Prism, f: impl Fn(&Faces) -> bool) -> bool {
        f(&prism.faces) && self.more[prism.first as usize..prism.end as usize].iter().all(f)
    }
}

/// How a passage lies to some faces and vertices.
#[derive(Clone, Copy)]
struct Meeting {
    /// How far the ends, and both of them, are out of the face that they are farthest out of, metres.
    from: f64,
    to: f64,
    both: f64,
    /// The least and the greatest of [`Faces::beside`].
    rightmost: f64,
    leftmost: f64,
}

impl Meeting {
    #[inline]
    fn and(self, other: Self) -> Self {
        Self {
            from: more(self.from, other.from),
            to: more(self.to, other.to),
            both: more(self.both, other.both),
            rightmost: less(self.rightmost, other.rightmost),
            leftmost: more(self.leftmost, other.leftmost),
        }
    }
}

impl Faces {
    fn new(planes: &[(Vector2, Point2)], vertices: &[Point2]) -> Self {
        // Lanes without a plane hold everything, and those without a vertex name one again.
        let vertex = |lane: usize| vertices.get(lane).unwrap_or(&vertices[0]);
        let mut faces = Self {
            x: [0.0; LANES],
            y: [0.0; LANES],
            offset: [1.0; LANES],
            vertex_x: std::array::from_fn(|lane| vertex(lane).x),
            vertex_y: std::array::from_fn(|lane| vertex(lane).y),
        };
        for (lane, (normal, on_face)) in planes.iter().enumerate() {
            faces.x[lane] = normal.x;
            faces.y[lane] = normal.y;
            faces.offset[lane] = normal.dot(&on_face.coords);
        }
        faces
    }

    /// Signed distances of the point from the faces: positive outside.
    #[inline(always)]
    fn beyond(&self, p: Point2) -> [f64; LANES] {
        std::array::from_fn(|i| self.x[i] * p.x + self.y[i] * p.y - self.offset[i])
    }

    /// Signed distances of the vertices from the segment's line, times its length: positive left of it.
    #[inline(always)]
    fn beside(&self, segment: &Segment) -> [f64; LANES] {
        let (from, way) = (segment.from, segment.way);
        std::array::from_fn(|i| way.x * (self.vertex_y[i] - from.y) - way.y * (self.vertex_x[i] - from.x))
    }

    /// All numbers and no branch, since which faces a segment crosses can't be predicted.
    #[inline(always)]
    fn meet(&self, segment: &Segment, passage: &Passage) -> Meeting {
        let (from, to) = (self.beyond(passage.from), self.beyond(passage.to));
        let side = self.beside(segment);
        Meeting {
            from: greatest(from),
            to: greatest(to),
            both: greatest(std::array::from_fn(|i| less(from[i], to[i]))),
            rightmost: -greatest(side.map(|s| -s)),
            leftmost: greatest(side),
        }
    }

    /// Whether the point is less than `out` metres outside of every face.
    #[inline]
    fn hold(&self, p: Point2, out: f64) -> bool {
        self.beyond(p).iter().fold(true, |all, &s| all & (s < out))
    }

    /// Whether a segment that begins near a face at `end` goes away from one that it is not inside of.
    fn leaves(&self, end: Point2, other: Point2, leaving: f64) -> bool {
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

#[cfg(test)]
mod tests;
