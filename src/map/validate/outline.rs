//! Outlines with holes: simple, not degenerate, holes inside and apart.
//!
//! Owns what a sound polygon of a source is, and its normal form (outline counter-clockwise, holes clockwise,
//! no repeated vertices). Promises: `O(n log n)` but for hostile outlines, which spend the budget.
//! Must not know the text; it names rings and vertices by their numbers.

use super::super::finding::{MapError, Ring};
use super::ring::{self, Plan, Side};
use super::sweep::{self, Box2, Budget, SEGMENT_STEPS, Spent};
use crate::geom::Point2;
use std::collections::HashSet;

/// Least area of an outline, in square metres: less is a line with rounding errors.
const MIN_AREA_M2: f64 = 1e-8;

/// Problems of one polygon that are told apart; a hostile one could have millions.
const MAX_PROBLEMS: usize = 1_000;

/// A problem of some rings: which (0 is the outline, then the holes), and at which of its vertices as given.
pub(in crate::map) struct RingProblem {
    pub(in crate::map) problem: MapError,
    pub(in crate::map) ring: usize,
    pub(in crate::map) vertex: Option<usize>,
    /// Another place that takes part: its ring and vertex.
    pub(in crate::map) other: Option<(usize, usize)>,
}

/// A ring in its normal form; `origins` has each vertex' number as given.
struct Clean<P> {
    points: Vec<P>,
    plan: Vec<Point2>,
    origins: Vec<usize>,
}

/// Brings `rings` (the outline, then its holes) to their normal form and appends every problem.
///
/// `merged` is called for each ring in which equal vertices were merged. `None` where there is a problem.
pub(in crate::map) fn normalise<P: Plan>(
    rings: Vec<Vec<P>>,
    budget: &mut Budget,
    problems: &mut Vec<RingProblem>,
    mut merged: impl FnMut(usize, usize),
) -> Option<Vec<Vec<P>>> {
    let before = problems.len();
    let mut clean = Vec::with_capacity(rings.len());
    for (i, points) in rings.into_iter().enumerate() {
        let given = points.len();
        let ring = wound(points, i == 0);
        if ring.points.len() < given {
            merged(i, given - ring.points.len());
        }
        if ring::spread(&ring.plan) < MIN_AREA_M2 {
            let problem = MapError::DegenerateOutline(name(i));
            problems.push(RingProblem { problem, ring: i, vertex: None, other: None });
        }
        clean.push(ring);
    }
    if problems.len() == before {
        let checked = crossings(&clean, budget, problems).and_then(|()| {
            let bad: HashSet<usize> = problems[before..].iter().map(|p| p.ring).collect();
            if bad.contains(&0) { Ok(()) } else { placement(&clean, &bad, budget, problems) }
        });
        // Where something is found before the budget is spent, that is what to mend first.
        if checked.is_err() && problems.len() == before {
            problems.push(RingProblem {
                problem: MapError::TooIntricate,
                ring: 0,
                vertex: None,
                other: None,
            });
        }
    }
    (problems.len() == before).then(|| clean.into_iter().map(|ring| ring.points).collect())
}

/// What the ring with this number bounds.
pub(in crate::map) fn name(ring: usize) -> Ring {
    if ring == 0 { Ring::Outline } else { Ring::Hole(ring - 1) }
}

/// Without repeated vertices, in the winding asked for.
fn wound<P: Plan>(points: Vec<P>, counter_clockwise: bool) -> Clean<P> {
    let mut kept: Vec<(usize, P)> = Vec::with_capacity(points.len());
    for (i, p) in points.into_iter().enumerate() {
        if kept.last().is_none_or(|(_, last)| *last != p) {
            kept.push((i, p));
        }
    }
    while kept.len() > 1 && kept[0].1 == kept[kept.len() - 1].1 {
        kept.pop();
    }
    let plan: Vec<Point2> = kept.iter().map(|(_, p)| p.plan()).collect();
    if (ring::area(&plan) > 0.0) != counter_clockwise {
        kept.reverse();
    }
    Clean {
        plan: kept.iter().map(|(_, p)| p.plan()).collect(),
        origins: kept.iter().map(|(i, _)| *i).collect(),
        points: kept.into_iter().map(|(_, p)| p).collect(),
    }
}

/// Finds edges that cross: of one ring also edges that touch, as such a ring is not simple.
///
/// Rings may touch each other: a pillar that stands at a wall is a fair hole.
fn crossings<P>(
    rings: &[Clean<P>],
    budget: &mut Budget,
    problems: &mut Vec<RingProblem>,
) -> Result<(), Spent> {
    let edges: Vec<(usize, usize)> =
        rings.iter().enumerate().flat_map(|(r, ring)| (0..ring.plan.len()).map(move |i| (r, i))).collect();
    let ends = |(r, i): (usize, usize)| ring::edge(&rings[r].plan, i);
    // Grown, so that edges that touch but for rounding are looked at.
    let boxes: Vec<Box2> = edges.iter().map(|&e| Box2::of(ends(e)).grown(ring::TOUCH_M)).collect();
    let mut seen: HashSet<(usize, usize)> = HashSet::new();
    sweep::touching_pairs(&boxes, budget, |a, b, budget| {
        let (e, f) = (edges[a], edges[b]);
        if problems.len() >= MAX_PROBLEMS || seen.contains(&(e.0, f.0)) {
            return Ok(());
        }
        budget.take(SEGMENT_STEPS)?;
        let meeting = if e.0 == f.0 {
            ring::meeting_in_ring(&rings[e.0].plan, e.1, f.1)
        } else {
            ring::crossing(ends(e), ends(f))
        };
        let Some(at) = meeting else { return Ok(()) };
        seen.insert((e.0, f.0));
        let problem = match (e.0, f.0) {
            (r, s) if r == s => MapError::SelfCrossing { ring: name(r), x: at.x, y: at.y },
            (0, hole) => MapError::HoleCrossesOutline { hole: hole - 1, x: at.x, y: at.y },
            (r, s) => MapError::HolesOverlap(r - 1, s - 1),
        };
        let origin = |(r, i): (usize, usize)| (r, rings[r].origins[i]);
        // The hole is what to point at, the outline what it meets.
        let (main, other) = if e.0 < f.0 { (origin(f), origin(e)) } else { (origin(e), origin(f)) };
        problems.push(RingProblem { problem, ring: main.0, vertex: Some(main.1), other: Some(other) });
        Ok(())
    })
}

/// Checks that holes lie inside the outline and outside each other, but for `bad` rings, whose edges cross.
fn placement<P>(
    rings: &[Clean<P>],
    bad: &HashSet<usize>,
    budget: &mut Budget,
    problems: &mut Vec<RingProblem>,
) -> Result<(), Spent> {
    let Some((outline, holes)) = rings.split_first() else { return Ok(()) };
    let samples: Vec<Vec<Point2>> = holes.iter().map(|h| ring::samples(&h.plan)).collect();
    for (i, points) in samples.iter().enumerate().filter(|(i, _)| !bad.contains(&(i + 1))) {
        budget.take(4 * points.len() * outline.plan.len())?;
        let outside = points.iter().find(|p| ring::side(&outline.plan, **p) == Side::Outside);
        let Some(out) = outside else { continue };
        let (_, on_ring) = points.split_last().unwrap_or((out, &[]));
        let inside = on_ring.iter().any(|p| ring::side(&outline.plan, *p) == Side::Inside);
        let problem = if inside {
            MapError::HoleCrossesOutline { hole: i, x: out.x, y: out.y }
        } else {
            MapError::HoleOutside(i)
        };
        problems.push(RingProblem { problem, ring: i + 1, vertex: None, other: None });
    }
    let boxes: Vec<Box2> = holes.iter().map(|h| Box2::of(h.plan.iter().copied())).collect();
    sweep::touching_pairs(&boxes, budget, |i, j, budget| {
        if bad.contains(&(i + 1)) || bad.contains(&(j + 1)) {
            return Ok(());
        }
        budget.take(4 * (samples[i].len() * holes[j].plan.len() + samples[j].len() * holes[i].plan.len()))?;
        let within =
            |a: usize, b: usize| samples[a].iter().any(|p| ring::side(&holes[b].plan, *p) == Side::Inside);
        if within(i, j) || within(j, i) {
            let problem = MapError::HolesOverlap(i, j);
            problems.push(RingProblem { problem, ring: i + 1, vertex: None, other: Some((j + 1, 0)) });
        }
        Ok(())
    })
}
