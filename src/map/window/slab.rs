//! Storeys: are two volumes at different heights parted by floors and ceilings that together leave no hole?
//!
//! Owns the test of one horizontal plane between the two. Promises: "parted" only where every line from one
//! volume to the other crosses the plane inside some piece, or closer to one than the sight clearance.
//! Must not know the plan solver. A cap ends in "not parted" (errs towards visible).

use super::blockers::TOUCH_M;
use super::frame::Frame;
use super::heights::Stands;
use super::lines::Lines;
use super::occluders::Occluders;
use super::question::Question;
use super::volume::Volume;
use crate::geom::{Point2, SIGHT_CLEARANCE_M, Vector2, ZRange};

/// Half the clearance: a crack thinner than this lets no line with all of it through.
const MARGIN_M: f64 = SIGHT_CLEARANCE_M * 0.5;

/// Most planes tried for one pair, and most polygons looked at for one plane.
const MAX_PLANES: usize = 6;
const MAX_POLYGONS: usize = 64;

/// Most holes of one plane that are worth a question each.
const MAX_HOLES: usize = 2;

/// Added to the region in which lines cross the plane, metres (errs towards visible).
const SLACK_M: f64 = 1e-6;

/// Reused by [`parted`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Slabs {
    stack: Vec<Lines>,
}

impl Slabs {
    /// Makes room for all polygons that a question may leave.
    pub(super) fn make_room(&mut self) {
        self.stack.clear();
        // What is cut leaves a part at each edge.
        self.stack.reserve(MAX_POLYGONS * 4);
    }

    /// Whether pieces at some height between the two volumes part them.
    pub(crate) fn part(
        &mut self,
        a: &Volume<'_>,
        b: &Volume<'_>,
        pieces: &[u32],
        occluders: &Occluders,
    ) -> bool {
        let [low, high] = if a.z.high < b.z.low { [a, b] } else { [b, a] };
        self.some_plane([low.z, high.z], pieces, occluders, |slabs, h| {
            covering(middle(low, high, h), h, pieces, occluders).is_some()
                && slabs.covered(crossings(low, high, h), h, pieces, occluders)
        })
    }

    /// Whether at some height between the two volumes `is_shut` of every hole that pieces leave open to lines
    /// between them, few as they are: a convex part of the plane of that height.
    pub(crate) fn part_but_for(
        &mut self,
        question: &Question<'_>,
        mut is_shut: impl FnMut(&[Point2], f64) -> bool,
    ) -> bool {
        let Question { eye, body, pieces, occluders } = question;
        let [low, high] = if eye.z.high < body.z.low { [eye, body] } else { [body, eye] };
        let mut hole = Vec::new();
        self.some_plane([low.z, high.z], pieces, occluders, |slabs, h| {
            slabs.leave_holes(crossings(low, high, h), h, pieces, occluders)
                && slabs.stack.iter().all(|lines| {
                    hole.clear();
                    hole.extend(lines.vertices().iter().map(|&[x, y]| Point2::new(x, y)));
                    is_shut(&hole, h)
                })
        })
    }

    /// Whether `holds` of a height between two ranges, the lower first, at which some piece lies.
    fn some_plane(
        &mut self,
        [low, high]: [ZRange; 2],
        pieces: &[u32],
        occluders: &Occluders,
        mut holds: impl FnMut(&mut Self, f64) -> bool,
    ) -> bool {
        let gap = [low.high + TOUCH_M, high.low - TOUCH_M];
        if gap[1] <= gap[0] {
            return false;
        }
        let mut tried = [f64::NAN; MAX_PLANES];
        let mut count = 0;
        for &piece in pieces {
            let z = occluders.z(piece);
            let (from, to) = (z.low.max(gap[0]), z.high.min(gap[1]));
            let h = 0.5 * (from + to);
            if to - from < 4.0 * TOUCH_M || tried[..count].iter().any(|t| (t - h).abs() < 1e-3) {
                continue;
            }
            if count == MAX_PLANES {
                return false;
            }
            tried[count] = h;
            count += 1;
            if holds(self, h) {
                return true;
            }
        }
        false
    }

    /// Whether pieces at one height cover all places where rays over these lines cross it; `center` is one of them,
    /// `stands` gives where eyes and bodies on them can be.
    pub(crate) fn part_lines<'s>(
        &mut self,
        frame: &Frame,
        lines: &Lines,
        (center, stands): ([f64; 2], impl Fn() -> &'s Stands),
        question: &Question<'_>,
    ) -> bool {
        let [eye, body] = question.ends();
        let order = if eye.high < body.low { [eye, body] } else { [body, eye] };
        let Question { pieces, occluders, .. } = *question;
        let half = |z: ZRange| 0.5 * (z.low + z.high);
        self.some_plane(order, pieces, occluders, |slabs, h| {
            let u = frame.u0 + (h - half(eye)) / (half(body) - half(eye)) * (frame.u1 - frame.u0);
            let middle = frame.to_plan([u, frame.offset(center, u)]);
            covering([middle.x, middle.y], h, pieces, occluders).is_some() && {
                let region = crossings_over(frame, lines, stands(), [eye, body], h);
                slabs.covered(region, h, pieces, occluders)
            }
        })
    }

    /// Leaves on the stack what the pieces that hold height `h` don't cover of a region; false where that is too
    /// much to follow.
    fn leave_holes(&mut self, region: Lines, h: f64, pieces: &[u32], occluders: &Occluders) -> bool {
        self.stack.clear();
        self.stack.push(region);
        for &piece in pieces.iter().filter(|&&piece| holds(occluders.z(piece), h)) {
            for i in (0..self.stack.len()).rev() {
                let whole = self.stack.swap_remove(i);
                let (before, mut inside) = (self.stack.len(), whole);
                let touches = occluders.edges(piece).all(|(normal, offset)| {
                    let limit = covered_to(offset);
                    let mut outside = inside;
                    if outside.keep(|p| normal[0] * p[0] + normal[1] * p[1] - limit) {
                        self.stack.push(outside);
                    }
                    inside.keep(|p| limit - normal[0] * p[0] - normal[1] * p[1])
                });
                if !touches {
                    self.stack.truncate(before);
                    self.stack.push(whole);
                }
            }
            if self.stack.len() > MAX_POLYGONS {
                return false;
            }
        }
        self.stack.len() <= MAX_HOLES
    }

    /// Whether the pieces that hold height `h` cover a plan region.
    fn covered(&mut self, region: Lines, h: f64, pieces: &[u32], occluders: &Occluders) -> bool {
        self.stack.clear();
        self.stack.push(region);
        let mut left = MAX_POLYGONS;
        while let Some(mut polygon) = self.stack.pop() {
            if left == 0 {
                return false;
            }
            left -= 1;
            let over = covering(polygon.centroid(), h, pieces, occluders);
            let Some(piece) = over else { return false };
            for (normal, offset) in occluders.edges(piece) {
                let limit = covered_to(offset);
                let mut outside = polygon;
                if outside.keep(|p| normal[0] * p[0] + normal[1] * p[1] - limit) {
                    self.stack.push(outside);
                }
                if !polygon.keep(|p| limit - normal[0] * p[0] - normal[1] * p[1]) {
                    break;
                }
            }
        }
        true
    }
}

/// The piece that holds height `h` well inside of which a point lies.
fn covering(p: [f64; 2], h: f64, pieces: &[u32], occluders: &Occluders) -> Option<u32> {
    pieces.iter().copied().find(|&piece| {
        holds(occluders.z(piece), h)
            && occluders.edges(piece).all(|(normal, offset)| {
                normal[0] * p[0] + normal[1] * p[1] < offset - SIGHT_CLEARANCE_M - TOUCH_M
            })
    })
}

/// Where the line between the middles of two volumes crosses height `h`.
fn middle(low: &Volume<'_>, high: &Volume<'_>, h: f64) -> [f64; 2] {
    let middle = |z: ZRange| 0.5 * (z.low + z.high);
    let share = (h - middle(low.z)) / (middle(high.z) - middle(low.z));
    let (from, to) = (low.center(), high.center());
    let p = from + (to - from) * share;
    [p.x, p.y]
}

fn holds(z: ZRange, h: f64) -> bool {
    z.low + TOUCH_M < h && h < z.high - TOUCH_M
}

/// How far a piece covers the plane beyond an edge that was pushed out to `offset`.
fn covered_to(offset: f64) -> f64 {
    offset - SIGHT_CLEARANCE_M + MARGIN_M
}

/// An octagon around all points at which a line between the two volumes crosses height `h`.
///
/// Such a point lies between an eye and a body at a share of the way that is least from the highest to the
/// highest and greatest from the lowest to the lowest; supports are linear in it.
fn crossings(low: &Volume<'_>, high: &Volume<'_>, h: f64) -> Lines {
    let share = |from: f64, to: f64| (h - from) / (to - from);
    let shares = [share(low.z.high, high.z.high), share(low.z.low, high.z.low)];
    let view = high.center() - low.center();
    let u = if view.norm() > 1e-9 { view.normalize() } else { Vector2::x() };
    let w = Vector2::new(-u.y, u.x);
    let extent = |d: Vector2| {
        let (a, b) = (low.extent(d), high.extent(d));
        let at = |a: f64, b: f64, t: f64| a + (b - a) * t;
        let bounds = shares.map(|t| {
            (
                at(a.0 - low.radius, b.0 - high.radius, t) - SLACK_M,
                at(a.1 + low.radius, b.1 + high.radius, t) + SLACK_M,
            )
        });
        (bounds[0].0.min(bounds[1].0), bounds[0].1.max(bounds[1].1))
    };
    let (along, across) = (extent(u), extent(w));
    let corner = |a: f64, b: f64| {
        let p = u * a + w * b;
        [p.x, p.y]
    };
    let mut region = Lines::quad([
        corner(along.0, across.0),
        corner(along.1, across.0),
        corner(along.1, across.1),
        corner(along.0, across.1),
    ]);
    for d in [(u + w) * std::f64::consts::FRAC_1_SQRT_2, (u - w) * std::f64::consts::FRAC_1_SQRT_2] {
        let (least, most) = extent(d);
        // The octagon holds the crossings, so neither cut can leave nothing but by rounding.
        region.keep(|p| d.x * p[0] + d.y * p[1] - least);
        region.keep(|p| most - d.x * p[0] - d.y * p[1]);
    }
    region
}

/// A quadrangle around all points at which rays over the lines cross height `h`.
///
/// How far along its way a ray crosses a height between the two ends is least and greatest where both are at
/// their highest or both at their lowest.
fn crossings_over(frame: &Frame, lines: &Lines, stands: &Stands, [eye, body]: [ZRange; 2], h: f64) -> Lines {
    let share = |eye: f64, body: f64| (h - eye) / (body - eye);
    let (tops, feet) = (share(eye.high, body.high), share(eye.low, body.low));
    let between = |from: f64, to: f64, share: f64| from + share * (to - from);
    let first = between(stands.eye[0], stands.body[0], tops.min(feet));
    let last = between(stands.eye[1], stands.body[1], tops.max(feet));
    let u = |at: f64| frame.u0 + at * (frame.u1 - frame.u0);
    let [near, far] = [u(first) - SLACK_M, u(last) + SLACK_M];
    let corner = |u: f64, w: f64| {
        let p = frame.to_plan([u, w]);
        [p.x, p.y]
    };
    let [a, b] = [near, far].map(|u| lines.range(|l| frame.offset(l, u)));
    Lines::quad([
        corner(near, a.0 - SLACK_M),
        corner(far, b.0 - SLACK_M),
        corner(far, b.1 + SLACK_M),
        corner(near, a.1 + SLACK_M),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(region: &[Point2], z: (f64, f64)) -> Volume<'_> {
        Volume { region, radius: 0.5, z: ZRange::new(z.0, z.1) }
    }

    fn rectangle(x: (f64, f64), y: (f64, f64)) -> [Point2; 4] {
        [Point2::new(x.0, y.0), Point2::new(x.1, y.0), Point2::new(x.1, y.1), Point2::new(x.0, y.1)]
    }

    #[test]
    fn two_abutting_slabs_part_storeys_and_a_slit_of_a_millimetre_does_not() {
        let cell = rectangle((0.0, 1.0), (0.0, 1.0));
        let (low, high) = (volume(&cell, (0.0, 3.0)), volume(&cell, (4.0, 7.0)));
        for (gap, parted) in [(0.0, true), (1e-3, false), (2e-6, false)] {
            let mut occluders = Occluders::default();
            occluders.push(&rectangle((-9.0, 0.4), (-9.0, 9.0)), ZRange::new(3.2, 3.8));
            occluders.push(&rectangle((0.4 + gap, 9.0), (-9.0, 9.0)), ZRange::new(3.2, 3.8));
            assert_eq!(Slabs::default().part(&low, &high, &[0, 1], &occluders), parted, "{gap}");
            assert_eq!(Slabs::default().part(&high, &low, &[0, 1], &occluders), parted, "{gap}");
        }
    }

    #[test]
    fn what_a_floor_leaves_open_is_asked_about_hole_by_hole() {
        let cell = rectangle((0.0, 1.0), (0.0, 1.0));
        let (low, high) = (volume(&cell, (0.0, 3.0)), volume(&cell, (4.0, 7.0)));
        let mut occluders = Occluders::default();
        for x in [(-9.0, 0.2), (0.4, 0.7), (0.8, 9.0)] {
            occluders.push(&rectangle(x, (-9.0, 9.0)), ZRange::new(3.2, 3.8));
        }
        let question = Question { eye: low, body: high, pieces: &[0, 1, 2], occluders: &occluders };
        let is_hole = |hole: &[Point2], h: f64| {
            let [least, most] = [f64::min, f64::max].map(|f| hole.iter().map(|p| p.x).reduce(f).unwrap());
            let of = |a: f64, b: f64| (least - a).abs() < 1e-6 && (most - b).abs() < 1e-6;
            assert!(h == 3.5 && (of(0.2, 0.4) || of(0.7, 0.8)), "{hole:?}");
            least > 0.6
        };
        let mut asked = 0;
        assert!(Slabs::default().part_but_for(&question, |hole, h| {
            asked += 1;
            is_hole(hole, h) || asked < 9
        }));
        assert_eq!(asked, 2);
        assert!(!Slabs::default().part_but_for(&question, is_hole), "one of two holes is open");
        let level = Question { body: volume(&cell, (2.0, 7.0)), ..question };
        assert!(!Slabs::default().part_but_for(&level, |_, _| true));
    }

    #[test]
    fn volumes_that_share_a_height_are_never_parted() {
        let cell = rectangle((0.0, 1.0), (0.0, 1.0));
        let mut occluders = Occluders::default();
        occluders.push(&rectangle((-9.0, 9.0), (-9.0, 9.0)), ZRange::new(3.2, 3.8));
        assert!(!Slabs::default().part(
            &volume(&cell, (0.0, 3.5)),
            &volume(&cell, (3.5, 7.0)),
            &[0],
            &occluders
        ));
    }
}
