//! Solids as the second opinion knows them, and its own test of a line.

use super::P3;
use crate::map::Piece;

/// A line this near to a solid counts as stopped, metres: the same in all of the crate.
const CLEARANCE_M: f64 = 1e-6;

/// Shares of a line that count as nothing.
const SHARE: f64 = 1e-9;

/// Convex prisms.
pub(crate) struct Field {
    prisms: Vec<Prism>,
}

struct Prism {
    /// Outward normals and the bounds of what is inside.
    faces: Vec<([f64; 2], f64)>,
    corners: Vec<[f64; 2]>,
    z: [f64; 2],
}

/// Smoke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ball {
    pub(crate) center: P3,
    pub(crate) radius_m: f64,
    /// A line within it for longer than this is stopped, metres.
    pub(crate) opaque_m: f64,
    /// It stops nothing for an eye this near to its edge, metres.
    pub(crate) rim_m: f64,
}

impl Ball {
    /// Whether it hides one end of a line from the eye.
    pub(crate) fn hides(&self, eye: P3, to: P3) -> bool {
        let sub = |a: P3, b: P3| -> P3 { std::array::from_fn(|i| a[i] - b[i]) };
        let dot = |a: P3, b: P3| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (way, middle) = (sub(to, eye), sub(self.center, eye));
        let length = dot(way, way).sqrt();
        if length < 1e-9 || (dot(middle, middle).sqrt() - self.radius_m).abs() < self.rim_m {
            return false;
        }
        let along = dot(middle, way) / length;
        let off = dot(middle, middle) - along * along;
        let half = (self.radius_m * self.radius_m - off).max(0.0).sqrt();
        let (from, until) = ((along - half).max(0.0), (along + half).min(length));
        until - from > self.opaque_m
    }
}

impl Field {
    pub(super) fn new<'a>(pieces: impl Iterator<Item = &'a Piece>) -> Self {
        let prism = |piece: &Piece| {
            let corners: Vec<[f64; 2]> = piece.outline.vertices().iter().map(|p| [p.x, p.y]).collect();
            let next = corners.iter().skip(1).chain(corners.first());
            let face = |(a, b): (&[f64; 2], &[f64; 2])| {
                let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
                let length = (dx * dx + dy * dy).sqrt();
                let normal = [dy / length, -dx / length];
                (length > 0.0).then_some((normal, normal[0] * a[0] + normal[1] * a[1]))
            };
            let faces = corners.iter().zip(next).filter_map(face).collect();
            Prism { faces, corners, z: [piece.z.low, piece.z.high] }
        };
        Self { prisms: pieces.map(prism).collect() }
    }

    /// Whether a point is inside of one.
    pub(super) fn holds(&self, p: P3) -> bool {
        self.prisms.iter().any(|prism| {
            prism.z[0] < p[2]
                && p[2] < prism.z[1]
                && prism.faces.iter().all(|(n, d)| n[0] * p[0] + n[1] * p[1] < d - CLEARANCE_M)
        })
    }

    /// What may stop a line from one of the eyes to one of the points.
    pub(super) fn gather(&self, eyes: &[P3], points: &[P3], into: &mut Vec<u32>) {
        let all = || eyes.iter().chain(points);
        let bounds = |axis: usize| {
            all().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
                (low.min(p[axis]), high.max(p[axis]))
            })
        };
        let (x, y, z) = (bounds(0), bounds(1), bounds(2));
        let (from, to) = (eyes[0], points[0]);
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let across = |p: &[f64; 2]| dx * p[1] - dy * p[0];
        let shaft = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
            let at = across(&[p[0], p[1]]);
            (low.min(at), high.max(at))
        });
        let touches = |prism: &Prism| {
            if prism.z[0] >= z.1 || prism.z[1] <= z.0 {
                return false;
            }
            let span = |of: &dyn Fn(&[f64; 2]) -> f64| {
                prism.corners.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
                    (low.min(of(p)), high.max(of(p)))
                })
            };
            let meets = |a: (f64, f64), b: (f64, f64)| a.0 <= b.1 + 1e-3 && b.0 <= a.1 + 1e-3;
            meets(span(&|p| p[0]), x) && meets(span(&|p| p[1]), y) && meets(span(&across), shaft)
        };
        let found = self.prisms.iter().enumerate().filter(|(_, prism)| touches(prism));
        into.extend(found.map(|(index, _)| index as u32));
    }

    /// Whether none of these stops the line; `last` is tried first.
    pub(super) fn is_free(&self, from: P3, to: P3, among: &[u32], last: &mut u32) -> bool {
        if among.contains(last) && self.prisms[*last as usize].stops(from, to) {
            return false;
        }
        match among.iter().find(|index| self.prisms[**index as usize].stops(from, to)) {
            Some(index) => {
                *last = *index;
                false
            }
            None => true,
        }
    }

    /// The same among all.
    pub(super) fn is_free_of_all(&self, from: P3, to: P3) -> bool {
        !self.prisms.iter().any(|prism| prism.stops(from, to))
    }

    /// The faces that a reach between these heights can't get past, with their ends.
    pub(super) fn walls(&self, low: f64, high: f64) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
        let spans = self.prisms.iter().filter(move |prism| prism.z[0] <= low && prism.z[1] > high);
        spans.flat_map(|prism| {
            let next = prism.corners.iter().skip(1).chain(prism.corners.first());
            prism.corners.iter().copied().zip(next.copied())
        })
    }

    /// Whether one comes so near to a box in the plan.
    pub(super) fn is_near(&self, low: [f64; 2], high: [f64; 2], near_m: f64) -> bool {
        self.prisms.iter().any(|prism| {
            (0..2).all(|axis| {
                let values = || prism.corners.iter().map(|p| p[axis]);
                let (least, most) =
                    (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
                least <= high[axis] + near_m && low[axis] - near_m <= most
            })
        })
    }
}

impl Prism {
    /// The part of the line that is inside in the plan, the prism grown by a margin.
    fn share_inside(&self, from: P3, to: P3, margin_m: f64) -> Option<(f64, f64)> {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (normal, bound) in &self.faces {
            let start = normal[0] * from[0] + normal[1] * from[1] - bound - margin_m;
            let change = normal[0] * (to[0] - from[0]) + normal[1] * (to[1] - from[1]);
            if change == 0.0 {
                if start > 0.0 {
                    return None;
                }
            } else if change > 0.0 {
                leave = leave.min(-start / change);
            } else {
                enter = enter.max(-start / change);
            }
            if leave - enter <= SHARE {
                return None;
            }
        }
        Some((enter, leave))
    }

    fn stops(&self, from: P3, to: P3) -> bool {
        let Some((mut enter, mut leave)) = self.share_inside(from, to, CLEARANCE_M) else { return false };
        let rise = to[2] - from[2];
        for (start, change) in [(self.z[0] - from[2], -rise), (from[2] - self.z[1], rise)] {
            if change == 0.0 {
                if start >= 0.0 {
                    return false;
                }
            } else if change > 0.0 {
                leave = leave.min(-start / change);
            } else {
                enter = enter.max(-start / change);
            }
        }
        leave - enter > SHARE
    }
}
