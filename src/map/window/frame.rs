//! The frame of one question: a direction that separates eyes from bodies, and all lines between them.
//!
//! Owns the stretch u0..u1 between the two volumes, the slopes a line can have and the polygon of lines.
//! Promises: every line from a point of the eye's disc to a point of the body's disc is in the polygon.
//! Must not know pieces. Method: supports of a convex set are convex in the slope, so chords bound them.

use super::lines::Lines;
use super::volume::Volume;
use crate::geom::{Point2, Vector2, ZRange};

/// Least stretch, in metres, between two volumes for which a frame exists; below it nothing is proven.
const MIN_STRETCH_M: f64 = 1e-3;

/// Slack, in metres, added around supports: it lets more lines in than there are (errs towards visible).
const SUPPORT_SLACK_M: f64 = 1e-9;

/// One side of a frame: where the sight line starts or ends, in frame coordinates (u, w).
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    /// Vertices of the convex region.
    pub(crate) region: Vec<[f64; 2]>,
    /// Length of the edge from each of them to the next, once measured.
    pub(super) lengths: Vec<f64>,
    /// Radius of the disc around each of its points.
    pub(crate) radius: f64,
}

impl Side {
    fn make_room(&mut self, corners: usize) {
        self.region.clear();
        self.lengths.clear();
        self.region.reserve(corners);
        self.lengths.reserve(corners);
    }

    fn set(&mut self, volume: &Volume<'_>, origin: Point2, u: Vector2, w: Vector2) {
        self.region.clear();
        self.region.extend(volume.region.iter().map(|p| {
            let d = p - origin;
            [u.dot(&d), w.dot(&d)]
        }));
        self.radius = volume.radius;
    }

    /// Measures the edges, once for all chords.
    fn measure(&mut self) {
        let next = self.region.iter().cycle().skip(1);
        let edges = self.region.iter().zip(next).map(|(p, q)| [q[0] - p[0], q[1] - p[1]]);
        self.lengths.clear();
        self.lengths.extend(edges.map(|edge| (edge[0] * edge[0] + edge[1] * edge[1]).sqrt()));
    }

    /// The outermost points along u, first and last: u and the range of w there.
    pub(crate) fn tips(&self) -> [(f64, f64, f64); 2] {
        let (low, high) = extent(&self.region);
        [(low, -self.radius), (high, self.radius)].map(|(u, reach)| {
            let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
            for v in &self.region {
                if (v[0] - u).abs() <= SUPPORT_SLACK_M {
                    (from, to) = (from.min(v[1]), to.max(v[1]));
                }
            }
            (u + reach, from - SUPPORT_SLACK_M, to + SUPPORT_SLACK_M)
        })
    }

    /// Least and greatest of `w - slope·u` over the discs around the region.
    #[inline]
    pub(crate) fn offsets(&self, slope: f64) -> (f64, f64) {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in &self.region {
            let value = v[1] - slope * v[0];
            low = low.min(value);
            high = high.max(value);
        }
        let reach = self.radius * (1.0 + slope * slope).sqrt() + SUPPORT_SLACK_M;
        (low - reach, high + reach)
    }
}

/// The frame of one question; reused between questions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    origin: Point2,
    u: Vector2,
    w: Vector2,
    /// Where the sight line starts.
    pub(crate) eye: Side,
    /// Where it ends.
    pub(crate) body: Side,
    /// One by the stretch from u0 to u1.
    per_stretch: f64,
    /// End of the eye's discs along u, in metres.
    pub(crate) u0: f64,
    /// Beginning of the body's discs along u, in metres.
    pub(crate) u1: f64,
    /// Beginning of the eye's discs and end of the body's along u, in metres.
    pub(crate) outer: [f64; 2],
    /// Least and greatest slope dw/du of a line between the discs.
    pub(crate) slopes: [f64; 2],
}

impl Frame {
    /// Makes room for regions of as many corners.
    pub(super) fn make_room(&mut self, corners: usize) {
        self.eye.make_room(corners);
        self.body.make_room(corners);
    }

    /// Lays the frame between two volumes along a direction; false where it does not separate them.
    pub(crate) fn lay(&mut self, eye: &Volume<'_>, body: &Volume<'_>, u: Vector2) -> bool {
        self.origin = eye.center();
        self.u = u;
        self.w = Vector2::new(-u.y, u.x);
        self.eye.set(eye, self.origin, self.u, self.w);
        self.body.set(body, self.origin, self.u, self.w);
        let (eye_low, eye_high) = extent(&self.eye.region);
        let (body_low, body_high) = extent(&self.body.region);
        self.u0 = eye_high + eye.radius;
        self.u1 = body_low - body.radius;
        self.outer = [eye_low - eye.radius, body_high + body.radius];
        if self.u1 - self.u0 < MIN_STRETCH_M {
            return false;
        }
        self.per_stretch = 1.0 / (self.u1 - self.u0);
        let steepest = max_slope(&self.eye, &self.body, 1.0);
        let least = -max_slope(&self.eye, &self.body, -1.0);
        self.slopes = [least, steepest];
        true
    }

    /// Makes ready for chords.
    pub(super) fn measure(&mut self) {
        self.eye.measure();
        self.body.measure();
    }

    /// Plan point to frame coordinates.
    #[inline]
    pub(crate) fn to_frame(&self, p: Point2) -> [f64; 2] {
        let d = p - self.origin;
        [self.u.dot(&d), self.w.dot(&d)]
    }

    /// Frame coordinates to the plan point.
    #[inline]
    pub(crate) fn to_plan(&self, uw: [f64; 2]) -> Point2 {
        self.origin + self.u * uw[0] + self.w * uw[1]
    }

    /// Where `u` lies on the stretch: 0 at u0, 1 at u1.
    #[inline]
    pub(crate) fn at(&self, u: f64) -> f64 {
        (u - self.u0) * self.per_stretch
    }

    /// The share of the stretch that every line covers within a distance of its own way.
    pub(crate) fn along(&self, distance: f64) -> f64 {
        let steepest = self.slopes[0].abs().max(self.slopes[1].abs());
        distance / (1.0 + steepest * steepest).sqrt() * self.per_stretch
    }

    /// The slope of a line given by its offsets at u0 and u1.
    #[inline]
    pub(crate) fn slope(&self, line: [f64; 2]) -> f64 {
        (line[1] - line[0]) * self.per_stretch
    }

    /// The offset `w` of a line at `u`.
    #[inline]
    pub(crate) fn offset(&self, line: [f64; 2], u: f64) -> f64 {
        line[0] + self.at(u) * (line[1] - line[0])
    }

    /// All lines with slopes in a range, and more than there are by the chords' error only.
    pub(crate) fn lines(&self, slopes: [f64; 2]) -> Option<Lines> {
        let chords = Chords::new(self, slopes);
        let mut lines = Lines::rectangle(
            [chords.low[0][0].min(chords.low[0][1]), chords.high[0][0].max(chords.high[0][1])],
            [chords.low[1][0].min(chords.low[1][1]), chords.high[1][0].max(chords.high[1][1])],
        );
        (lines.keep(|l| self.slope(l) - slopes[0])
            && lines.keep(|l| slopes[1] - self.slope(l))
            && chords.keep(self, &mut lines))
        .then_some(lines)
    }

    /// Clips a polygon by the chords of its own slopes, which are tighter than those it was made with.
    pub(crate) fn tighten(&self, lines: &mut Lines) -> bool {
        let (low, high) = lines.range(|l| self.slope(l));
        Chords::new(self, [low, high]).keep(self, lines)
    }

    /// The heights that any ray between the two ranges can have over part of the way: the hull of the two
    /// rectangles (u, z), from below and above.
    pub(crate) fn wedge(&self, eye: ZRange, body: ZRange) -> Wedge {
        let slant = |a: f64, b: f64, first: bool| {
            let [from, to] = if first { [self.outer[0], self.u1] } else { [self.u0, self.outer[1]] };
            Slant { from, per_length: 1.0 / (to - from), length: to - from, start: a, end: b }
        };
        let (top, bottom) = (body.high >= eye.high, body.low <= eye.low);
        Wedge { top: slant(eye.high, body.high, top), bottom: slant(eye.low, body.low, bottom) }
    }
}

/// Height as a function of u: flat, then one slope, then flat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slant {
    from: f64,
    length: f64,
    per_length: f64,
    start: f64,
    end: f64,
}

impl Slant {
    /// The height at `u`.
    #[inline]
    pub(crate) fn at(&self, u: f64) -> f64 {
        let t = ((u - self.from) * self.per_length).clamp(0.0, 1.0);
        self.start + t * (self.end - self.start)
    }

    /// The stretch of u where the height is at most `limit`.
    pub(crate) fn below(&self, limit: f64) -> [f64; 2] {
        if self.start.max(self.end) <= limit {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        if self.start.min(self.end) > limit {
            return [f64::INFINITY, f64::NEG_INFINITY];
        }
        let u = self.from + (limit - self.start) / (self.end - self.start) * self.length;
        if self.end > self.start { [f64::NEG_INFINITY, u] } else { [u, f64::INFINITY] }
    }
}

/// The heights of all rays over the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wedge {
    /// The highest.
    pub(crate) top: Slant,
    /// The lowest.
    pub(crate) bottom: Slant,
}

impl Wedge {
    /// The share of the heights at `u` that a range holds, 0 to 1.
    pub(crate) fn share(&self, z: ZRange, u: f64) -> f64 {
        let (low, high) = (self.bottom.at(u), self.top.at(u));
        ((z.high.min(high) - z.low.max(low)) / (high - low).max(1e-9)).clamp(0.0, 1.0)
    }

    /// The stretch of u on which `z` holds every ray, or an empty one.
    pub(crate) fn held_by(&self, z: ZRange) -> [f64; 2] {
        let top = self.top.below(z.high);
        let flipped = Slant { start: -self.bottom.start, end: -self.bottom.end, ..self.bottom };
        let bottom = flipped.below(-z.low);
        [top[0].max(bottom[0]), top[1].min(bottom[1])]
    }

    /// Whether some ray passes strictly inside `z` on the stretch from `from` to `to`.
    pub(crate) fn meets(&self, z: ZRange, from: f64, to: f64) -> bool {
        let low = self.bottom.at(from).min(self.bottom.at(to));
        let high = self.top.at(from).max(self.top.at(to));
        low < z.high && high > z.low
    }
}

/// Bounds of the offsets at u0 (index 0) and u1 (index 1), at the least and the greatest slope.
struct Chords {
    slopes: [f64; 2],
    low: [[f64; 2]; 2],
    high: [[f64; 2]; 2],
}

impl Chords {
    fn new(frame: &Frame, slopes: [f64; 2]) -> Self {
        let mut chords = Self { slopes, low: [[0.0; 2]; 2], high: [[0.0; 2]; 2] };
        for (i, &slope) in slopes.iter().enumerate() {
            for (j, (side, u)) in [(&frame.eye, frame.u0), (&frame.body, frame.u1)].into_iter().enumerate() {
                let (low, high) = side.offsets(slope);
                chords.low[j][i] = low + slope * u;
                chords.high[j][i] = high + slope * u;
            }
        }
        chords
    }

    fn keep(&self, frame: &Frame, lines: &mut Lines) -> bool {
        let width = self.slopes[1] - self.slopes[0];
        (0..2).all(|j| {
            let rise = |ends: [f64; 2]| if width > 1e-12 { (ends[1] - ends[0]) / width } else { 0.0 };
            let base = |ends: [f64; 2], extreme: f64| if width > 1e-12 { ends[0] } else { extreme };
            let (up, down) = (rise(self.high[j]), rise(self.low[j]));
            let high = base(self.high[j], self.high[j][0].max(self.high[j][1]));
            let low = base(self.low[j], self.low[j][0].min(self.low[j][1]));
            lines.keep(|l| high + up * (frame.slope(l) - self.slopes[0]) - l[j])
                && lines.keep(|l| l[j] - low - down * (frame.slope(l) - self.slopes[0]))
        })
    }
}

fn extent(region: &[[f64; 2]]) -> (f64, f64) {
    region.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v[0]), h.max(v[0])))
}

/// Most directions kept for one question.
pub(crate) const MAX_DIRECTIONS: usize = 4;

/// Directions that separate the two volumes, the widest gap first: of the axes, the centres' and the edge
/// normals, each well apart from the others.
pub(crate) fn separating_directions(eye: &Volume<'_>, body: &Volume<'_>, out: &mut Vec<Vector2>) {
    let mut found = [(0.0, Vector2::zeros()); MAX_DIRECTIONS];
    let mut count = 0;
    let mut consider = |d: Vector2| {
        let length = d.norm();
        if length < 1e-9 {
            return;
        }
        let d = d / length;
        let (eye_low, eye_high) = eye.extent(d);
        let (body_low, body_high) = body.extent(d);
        let radii = eye.radius + body.radius;
        let (gap, d) = [(body_low - eye_high - radii, d), (eye_low - body_high - radii, -d)]
            .into_iter()
            .fold((MIN_STRETCH_M, d), |best, next| if next.0 > best.0 { next } else { best });
        if gap <= MIN_STRETCH_M {
            return;
        }
        let list = &mut found[..count];
        if let Some(like) = list.iter_mut().find(|(_, other)| other.dot(&d) > 0.99) {
            if gap > like.0 {
                *like = (gap, d);
            }
        } else if count < MAX_DIRECTIONS {
            found[count] = (gap, d);
            count += 1;
        } else if let Some(worst) = list.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0))
            && gap > worst.0
        {
            *worst = (gap, d);
        }
    };
    consider(body.center() - eye.center());
    consider(Vector2::x());
    consider(Vector2::y());
    for region in [eye.region, body.region] {
        for i in 0..region.len() {
            let e = region[(i + 1) % region.len()] - region[i];
            if e.x != 0.0 && e.y != 0.0 {
                consider(Vector2::new(e.y, -e.x));
            }
        }
    }
    found[..count].sort_by(|a, b| b.0.total_cmp(&a.0));
    out.clear();
    out.extend(found[..count].iter().map(|f| f.1));
}

/// The greatest slope of a line from the eye's discs to the body's, from above; `mirror` -1 flips w.
///
/// It is the root of g(m) = max over bodies of (w - m·u) - min over eyes of (w - m·u) + radii·√(1 + m²), convex
/// and falling where the discs are apart. Newton's steps from the left never pass it; the last step over it
/// is checked to have g < 0.
fn max_slope(eye: &Side, body: &Side, mirror: f64) -> f64 {
    let g = |m: f64| {
        let (mut top, mut top_u) = (f64::NEG_INFINITY, 0.0);
        for v in &body.region {
            let value = mirror * v[1] - m * v[0];
            if value > top {
                (top, top_u) = (value, v[0]);
            }
        }
        let (mut low, mut low_u) = (f64::INFINITY, 0.0);
        for v in &eye.region {
            let value = mirror * v[1] - m * v[0];
            if value < low {
                (low, low_u) = (value, v[0]);
            }
        }
        let root = (1.0 + m * m).sqrt();
        let radii = eye.radius + body.radius;
        (top - low + radii * root, low_u - top_u + radii * m / root)
    };
    let mut m = 0.0;
    for _ in 0..24 {
        let (value, derivative) = g(m);
        let step = -value / derivative;
        m += step;
        if step.abs() < 1e-5 * (1.0 + m.abs()) {
            break;
        }
    }
    let mut over = 1e-9 * (1.0 + m.abs());
    while g(m + over).0 > 0.0 && over < 1e6 {
        over *= 2.0;
    }
    m + over
}
