//! The heights that a blocker closes to rays: where all lines of a polygon, or one line, enter and leave it.
//!
//! Owns entry and exit, and what a blocker over or under the eyes or bodies still demands.
//! Promises: every ray over the lines that is free passes each bar above or below. Must not know the search.
//! A bar is longer than its blocker by a part of the sight clearance: a floor's edge under a ceiling's lets none through.

use super::heights::{Bar, Stands};
use super::lines::{Above, Lines};
use crate::geom::ZRange;

/// Latest entry and earliest exit of all lines of a polygon that all cross the blocker, if they are known.
///
/// Where a line crosses an edge is a ratio of linear functions, so its extremes over the lines that cross
/// the edge are at the corners of the polygon of those lines.
pub(crate) fn over_lines(lines: &Lines, corners: &[Above], z: ZRange) -> Option<Bar> {
    let (mut entry, mut exit) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut through;
    let last = *corners.last()?;
    let (mut a, mut over_a) = (last, lines.range(|l| last.of(l)));
    for &b in corners {
        let over_b = lines.range(|l| b.of(l));
        // Counter-clockwise corners: a line leaves through an edge that begins below it and ends above.
        for leaving in [true, false] {
            let [(low, high), (other_low, other_high)] =
                if leaving { [over_a, over_b] } else { [over_b, over_a] };
            if high < 0.0 || other_low > 0.0 {
                continue;
            }
            let crossing = if low >= 0.0 && other_high <= 0.0 {
                lines
            } else {
                through = *lines;
                let (under, over) = if leaving { (a, b) } else { (b, a) };
                if !through.keep(|l| under.of(l)) || !through.keep(|l| -over.of(l)) {
                    continue;
                }
                &through
            };
            let (least, most) = crossed_at(crossing, [a, b]);
            if leaving {
                exit = exit.min(least);
            } else {
                entry = entry.max(most);
            }
        }
        (a, over_a) = (b, over_b);
    }
    (entry.is_finite() && exit.is_finite()).then_some(Bar { entry, exit, z })
}

/// Where lines cross the edge between two corners, first and last; they all cross it.
fn crossed_at(lines: &Lines, [a, b]: [Above; 2]) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for &l in lines.vertices() {
        let (fa, fb) = (a.of(l), b.of(l));
        if (fa - fb).abs() > 1e-9 {
            let at = a.at + (fa / (fa - fb)).clamp(0.0, 1.0) * (b.at - a.at);
            (low, high) = (low.min(at), high.max(at));
        } else {
            // Next to parallel: anywhere on the edge.
            (low, high) = (low.min(a.at.min(b.at)), high.max(a.at.max(b.at)));
        }
    }
    (low, high)
}

impl Bar {
    /// The bar with `more` of the stretch added before and behind it, but not beyond where all eyes and all bodies
    /// have it between them.
    #[must_use]
    pub(crate) fn lengthened(self, more: f64) -> Self {
        let entry = self.entry.min((self.entry - more).max(0.0));
        let exit = self.exit.max((self.exit + more).min(1.0));
        Self { entry, exit, ..self }
    }
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
/// of which the part between all eyes and all bodies is common to all. Nothing where rays may begin beyond it or
/// end before it: it would hold, but stop few of them, and every bar costs work.
/// `ends` are the heights of eyes and bodies; the bar lies above or below all of those that it `spans`.
pub(crate) fn spanned(bar: Bar, spans: [bool; 2], stands: &Stands, ends: [ZRange; 2]) -> Option<Bar> {
    let Bar { mut entry, mut exit, mut z } = bar;
    let keep_side = |z: &mut ZRange, end: ZRange| {
        if bar.z.low >= end.high {
            z.high = f64::INFINITY;
        } else {
            z.low = f64::NEG_INFINITY;
        }
    };
    if spans[0] {
        if exit < stands.eye[1] {
            return None;
        }
        if entry <= stands.eye[0] {
            keep_side(&mut z, ends[0]);
        }
        entry = entry.max(stands.eye[1]);
    }
    if spans[1] {
        if bar.entry > stands.body[0] {
            return None;
        }
        if exit >= stands.body[1] {
            keep_side(&mut z, ends[1]);
        }
        exit = exit.min(stands.body[0]);
    }
    Some(Bar { entry, exit, z })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A height range above, below or across another.
    fn beside(end: ZRange, place: u8, gap: f64, height: f64) -> ZRange {
        match place {
            0 => ZRange::new(end.high + gap, end.high + gap + height),
            1 => ZRange::new(end.low - gap - height, end.low - gap),
            _ => ZRange::new(end.low - gap, end.high + height),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn a_ray_that_is_free_of_a_bar_passes_what_is_left_of_it(
            eye in (-0.5..0.0_f64, 0.0..1.0_f64, 0.0..1.0_f64),
            body in (1.0..1.5_f64, 0.0..1.0_f64, -1.0..2.0_f64),
            reach in (-0.8..0.5_f64, 0.0..2.5_f64),
            shape in (0..3_u8, 0..2_usize, 0.0..2.0_f64, 0.1..1.0_f64),
        ) {
            let stands = Stands { eye: [-0.5, 0.0], body: [1.0, 1.5] };
            let ends = [ZRange::new(0.0, 1.0), ZRange::new(-1.0, 2.0)];
            let z = beside(ends[shape.1], shape.0, shape.2, shape.3);
            let spans = ends.map(|end| z.low >= end.high || z.high <= end.low);
            // What does not span a side was clipped to what lies beyond it.
            let mut bar = Bar { entry: reach.0, exit: reach.0 + reach.1, z };
            if !spans[0] {
                bar.entry = bar.entry.max(0.0);
            }
            if !spans[1] {
                bar.exit = bar.exit.min(1.0);
            }
            let ([from, to], [low, high]) = ([eye.0, body.0], [eye.1 * eye.2, body.2]);
            let height = |at: f64| low + (at - from) / (to - from) * (high - low);
            let (a, b) = (bar.entry.max(from), bar.exit.min(to));
            let [bottom, top] = [height(a).min(height(b)), height(a).max(height(b))];
            let free = a >= b || top <= z.low || bottom >= z.high;
            if bar.entry >= bar.exit || !free {
                return Ok(());
            }
            let Some(left) = spanned(bar, spans, &stands, ends) else { return Ok(()) };
            let [over, under] = if high >= low { [left.entry, left.exit] } else { [left.exit, left.entry] };
            let passes = height(over) >= left.z.high - 1e-9 || height(under) <= left.z.low + 1e-9;
            prop_assert!(passes, "{bar:?} leaves {left:?}");
        }
    }

    #[test]
    fn a_bar_grows_between_eyes_and_bodies_only() {
        let bar = |entry: f64, exit: f64| Bar { entry, exit, z: ZRange::new(0.0, 1.0) };
        for ((entry, exit), (from, to)) in [
            ((0.3, 0.6), (0.2, 0.7)),
            ((0.05, 0.95), (0.0, 1.0)),
            ((-0.2, 0.4), (-0.2, 0.5)),
            ((0.6, 1.3), (0.5, 1.3)),
        ] {
            let grown = bar(entry, exit).lengthened(0.1);
            assert!((grown.entry - from).abs() < 1e-12 && (grown.exit - to).abs() < 1e-12, "{grown:?}");
        }
    }

    #[test]
    fn a_ceiling_over_eyes_and_under_bodies_lets_no_ray_through() {
        let stands = Stands { eye: [-0.5, 0.0], body: [1.0, 1.5] };
        let ends = [ZRange::new(0.0, 1.0), ZRange::new(2.0, 3.0)];
        let bar = Bar { entry: -1.0, exit: 2.0, z: ZRange::new(1.2, 1.8) };
        let left = spanned(bar, [true; 2], &stands, ends).unwrap();
        assert_eq!((left.z.low, left.z.high), (f64::NEG_INFINITY, f64::INFINITY));
        let short = Bar { exit: 1.2, ..bar };
        assert_eq!(spanned(short, [true; 2], &stands, ends).unwrap().z.low, 1.2, "some bodies are beyond it");
    }
}
