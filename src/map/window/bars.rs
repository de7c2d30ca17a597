//! The heights that a blocker closes to rays: where all lines of a polygon, or one line, enter and leave it.
//!
//! Owns entry and exit, and what a blocker over or under the eyes or bodies still demands.
//! Promises: every ray over the lines that is free passes each bar above or below. Must not know the search.

use super::blockers::Blocker;
use super::heights::{Bar, Stands};
use super::lines::{Above, Lines};
use super::question::Question;
use crate::geom::ZRange;

/// Latest entry and earliest exit of all lines of a polygon that all cross the blocker, if they are known.
///
/// Where a line crosses an edge is a ratio of linear functions, so its extremes over the lines that cross
/// the edge are at the corners of the polygon of those lines.
pub(crate) fn over_lines(lines: &Lines, corners: &[Above], z: ZRange) -> Option<Bar> {
    let (mut entry, mut exit) = (f64::NEG_INFINITY, f64::INFINITY);
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        // Counter-clockwise corners: a line leaves through an edge that begins below it and ends above.
        for leaving in [1.0, -1.0] {
            let mut through = *lines;
            if !through.keep(|l| leaving * a.of(l)) || !through.keep(|l| -leaving * b.of(l)) {
                continue;
            }
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for &l in through.vertices() {
                let (fa, fb) = (a.of(l), b.of(l));
                if (fa - fb).abs() > 1e-9 {
                    let at = a.at + (fa / (fa - fb)).clamp(0.0, 1.0) * (b.at - a.at);
                    (low, high) = (low.min(at), high.max(at));
                } else {
                    // Next to parallel: anywhere on the edge.
                    (low, high) = (low.min(a.at.min(b.at)), high.max(a.at.max(b.at)));
                }
            }
            if leaving > 0.0 {
                exit = exit.min(low);
            } else {
                entry = entry.max(high);
            }
        }
    }
    (entry.is_finite() && exit.is_finite()).then_some(Bar { entry, exit, z })
}

/// Entry and exit of one line that crosses the blocker.
pub(crate) fn over_line(line: [f64; 2], corners: &[Above], z: ZRange) -> Bar {
    let (mut entry, mut exit) = (f64::INFINITY, f64::NEG_INFINITY);
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        let (fa, fb) = (a.of(line), b.of(line));
        if (fa >= 0.0) != (fb >= 0.0) {
            let at = a.at + fa / (fa - fb) * (b.at - a.at);
            entry = entry.min(at);
            exit = exit.max(at);
        }
    }
    Bar { entry, exit, z }
}

/// What a bar that reaches over or under the eyes or the bodies still demands of every ray.
///
/// A ray that starts or ends within it does so on a known side; it must keep that side for the rest of the way,
/// of which the part between all eyes and all bodies is common to all. Nothing where some ray may not meet it.
pub(crate) fn spanned(bar: Bar, blocker: &Blocker, stands: &Stands, question: &Question<'_>) -> Option<Bar> {
    let Bar { mut entry, mut exit, mut z } = bar;
    let keep_side = |z: &mut ZRange, end: ZRange| {
        if blocker.z.low >= end.high {
            z.high = f64::INFINITY;
        } else {
            z.low = f64::NEG_INFINITY;
        }
    };
    if blocker.spans[0] {
        if exit < stands.eye[1] {
            return None;
        }
        if entry <= stands.eye[0] {
            keep_side(&mut z, question.eye.z);
        }
        entry = entry.max(stands.eye[1]);
    }
    if blocker.spans[1] {
        if bar.entry > stands.body[0] {
            return None;
        }
        if exit >= stands.body[1] {
            keep_side(&mut z, question.body.z);
        }
        exit = exit.min(stands.body[0]);
    }
    Some(Bar { entry, exit, z })
}
