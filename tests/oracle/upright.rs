//! The upright plane over one plan line: which of its segments are free, solved over all heights and ends.
//!
//! The line's stretches in the two volumes are cut where blockers begin and end, so that over each a blocker is
//! there or not; then a segment runs from one stretch to another, and `heights` finds its ends.

use super::heights::{Band, Stretch, gap};
use super::lines::Line;
use super::plane::P2;
use super::scene::Volume;

/// Positions along a line, from the smaller to the greater.
pub(crate) type Span = (f64, f64);
/// A segment in space.
pub(crate) type Segment = ([f64; 3], [f64; 3]);

/// A blocker near the pair.
pub(crate) struct Local<'a> {
    pub(crate) outline: &'a [P2],
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// All lines of the upright plane from one rectangle of (position, height) to another beside it.
#[derive(Clone, Copy)]
pub(crate) struct Wedge {
    /// Near ends: where the eye's stretch ends and the body's begins, in the direction of the look.
    near: (f64, f64),
    upper: [P2; 2],
    lower: [P2; 2],
}

/// What a blocker does to the lines of a wedge.
#[derive(PartialEq)]
pub(crate) enum Stance {
    Stops,
    Aside,
    Part(Band),
}

impl Wedge {
    /// The wedge from eyes over `a` to bodies over `b`; `None` where the spans are not apart by a millimetre.
    pub(crate) fn new(eyes: Volume, a: Span, bodies: Volume, b: Span) -> Option<Self> {
        let ((a_far, a_near), (b_near, b_far)) = if a.1 + 1e-3 < b.0 {
            (a, b)
        } else if b.1 + 1e-3 < a.0 {
            ((a.1, a.0), (b.1, b.0))
        } else {
            return None;
        };
        // The hull of two rectangles: a rising bound runs from the far end of the first to the near of the
        // other, a falling one from the near end to the far.
        let bound = |from: f64, to: f64, rising: bool| {
            if rising { [[a_far, from], [b_near, to]] } else { [[a_near, from], [b_far, to]] }
        };
        Some(Self {
            near: (a_near, b_near),
            upper: bound(eyes.high, bodies.high, bodies.high > eyes.high),
            lower: bound(eyes.low, bodies.low, bodies.low < eyes.low),
        })
    }

    fn share(&self, t: f64) -> f64 {
        (t - self.near.0) / (self.near.1 - self.near.0)
    }

    /// What a blocker over `crossed` does between the near ends.
    pub(crate) fn stance(&self, local: &Local, crossed: Span) -> Stance {
        let (first, last) = (self.near.0.min(self.near.1), self.near.0.max(self.near.1));
        let (start, end) = (crossed.0.max(first), crossed.1.min(last));
        if start > end {
            return Stance::Aside;
        }
        let at = |l: [P2; 2], t: f64| l[0][1] + (l[1][1] - l[0][1]) * (t - l[0][0]) / (l[1][0] - l[0][0]);
        let lower = at(self.lower, start).min(at(self.lower, end));
        let upper = at(self.upper, start).max(at(self.upper, end));
        if local.low <= lower && local.high >= upper {
            Stance::Stops
        } else if local.high < lower || local.low > upper {
            Stance::Aside
        } else {
            let (near, far) = (self.share(start), self.share(end));
            Stance::Part(Band { near, far, low: local.low, high: local.high })
        }
    }
}

/// Stretches of `span` over which every blocker is there or not: at most eight.
fn stretches(span: Span, crossings: &[(&Local, Span)], other: Span) -> Vec<Span> {
    let mut cuts = vec![span.0, span.1, other.0, other.1];
    cuts.extend(crossings.iter().flat_map(|(_, crossed)| [crossed.0, crossed.1]));
    // Where the volumes lie over each other, ends must be taken beside each other.
    let shared = (span.0.max(other.0), span.1.min(other.1));
    if shared.0 < shared.1 {
        cuts.extend([1.0, 2.0].map(|part| shared.0 + (shared.1 - shared.0) * part / 3.0));
    }
    cuts.retain(|&t| t >= span.0 && t <= span.1);
    cuts.sort_by(f64::total_cmp);
    let pairs = cuts.windows(2).filter(|pair| pair[1] - pair[0] > 4e-6);
    let mut parts: Vec<Span> = pairs.map(|pair| (pair[0] + 1e-6, pair[1] - 1e-6)).collect();
    parts.truncate(8);
    parts
}

/// Heights of the volume that no blocker over the stretch fills.
fn free_heights(volume: Volume, stretch: Span, crossings: &[(&Local, Span)]) -> Vec<(f64, f64)> {
    let mut free = vec![(volume.low, volume.high)];
    for (local, crossed) in crossings {
        if crossed.0 <= stretch.0 && crossed.1 >= stretch.1 {
            free = free
                .into_iter()
                .flat_map(|(low, high)| [(low, high.min(local.low)), (low.max(local.high), high)])
                .filter(|(low, high)| high - low > 1e-6)
                .collect();
        }
    }
    free
}

/// A free segment on the line from an eye over `a` to a body point over `b`.
pub(crate) fn free_segment(
    line: &Line,
    (eyes, a): (Volume, Span),
    (bodies, b): (Volume, Span),
    crossings: &[(&Local, Span)],
) -> Option<Segment> {
    let mut bands = Vec::new();
    let ends_b: Vec<_> = stretches(b, crossings, a)
        .into_iter()
        .map(|part| (part, free_heights(bodies, part, crossings)))
        .collect();
    for part_a in stretches(a, crossings, b) {
        let free_a = free_heights(eyes, part_a, crossings);
        for (part_b, free_b) in &ends_b {
            let Some(wedge) = Wedge::new(eyes, part_a, bodies, *part_b) else { continue };
            if free_a.is_empty() || free_b.is_empty() || !collect(&wedge, crossings, &mut bands) {
                continue;
            }
            let far = |span: Span, near: f64| wedge.share(if span.0 == near { span.1 } else { span.0 });
            let (far_a, far_b) = (far(part_a, wedge.near.0), far(*part_b, wedge.near.1));
            for &(low, high) in &free_a {
                let eye = Stretch { far: far_a, low, high };
                for &(low, high) in free_b {
                    let body = Stretch { far: far_b, low, high };
                    if let Some((from, to)) = gap(eye, body, &bands) {
                        let place = |(share, z): (f64, f64)| {
                            let p = line.at(wedge.near.0 + (wedge.near.1 - wedge.near.0) * share);
                            [p[0], p[1], z]
                        };
                        return Some((place(from), place(to)));
                    }
                }
            }
        }
    }
    None
}

/// The bands of a wedge; false where one blocker stops all of it.
fn collect(wedge: &Wedge, crossings: &[(&Local, Span)], bands: &mut Vec<Band>) -> bool {
    bands.clear();
    for &(local, crossed) in crossings {
        match wedge.stance(local, crossed) {
            Stance::Stops => return false,
            Stance::Part(band) => bands.push(band),
            Stance::Aside => {}
        }
    }
    true
}
