//! Warnings about pairs of solids: slits that only just stay open, solids inside others.
//!
//! Promises: near-linear time, and a stop where a hostile file would make it more.
//! A gap whose middle a third solid fills is no slit, though parts of it may be open: this errs to silence.

use super::footprint;
use super::ring::Side;
use super::sweep::{self, Box2, Budget, SEGMENT_STEPS, Spent};
use crate::geom::{SIGHT_CLEARANCE_M, ZRange};
use crate::map::source::Report;
use crate::map::warning::MapWarning;
use crate::map::{Blocks, Solid};
use crate::text::Element;

/// Slits from here on are wide enough to be meant, in metres.
const MEANT_M: f64 = 0.02;

/// Gaps under this are closed when solids are built, in metres.
const WELDED_M: f64 = 2e-3;

/// A gap between two solids, whose middle may be filled by a third.
struct Gap {
    between: (usize, usize),
    width: f64,
    middle: Box2,
    heights: ZRange,
}

/// Reports every pair of solids that is worth it.
pub(super) fn check(
    solids: &[Solid],
    origins: &[Element],
    budget: &mut Budget,
    report: &mut Report,
) -> Result<(), Spent> {
    let boxes: Vec<Box2> = solids.iter().map(|s| footprint::bounds(&s.footprint)).collect();
    let near: Vec<Box2> = boxes.iter().map(|b| b.grown(MEANT_M * 0.5)).collect();
    let mut gaps = Vec::new();
    let mut inside = vec![None; solids.len()];
    sweep::touching_pairs(&near, budget, |i, j, budget| {
        budget.take(SEGMENT_STEPS)?;
        let (a, b) = (&solids[i], &solids[j]);
        // Of two equal ones the later is the one too many.
        for (inner, outer) in [(j, i), (i, j)] {
            if inside[inner].is_none()
                && inside[outer] != Some(inner)
                && adds_nothing(&solids[inner], &solids[outer], budget)?
            {
                inside[inner] = Some(outer);
            }
        }
        if !(a.z.overlaps(b.z) && a.blocks.sight && b.blocks.sight) {
            return Ok(());
        }
        let Some((width, middle)) = footprint::gap(&a.footprint, &b.footprint, MEANT_M, budget)? else {
            return Ok(());
        };
        if width > SIGHT_CLEARANCE_M {
            let heights = ZRange::new(a.z.low.max(b.z.low), a.z.high.min(b.z.high));
            gaps.push(Gap { between: (i, j), width, middle: Box2::of([middle]), heights });
        }
        Ok(())
    })?;
    let open = open_gaps(solids, &boxes, &gaps, budget)?;
    gaps.iter().zip(open).filter(|(_, open)| *open).for_each(|(gap, _)| report_gap(gap, origins, report));
    for (inner, outer) in inside.iter().enumerate().filter_map(|(i, o)| o.map(|o| (i, o))) {
        let problem = MapWarning::InsideAnother { other: origins[outer].to_string() };
        report.warn_with(
            &origins[inner],
            origins[inner].span,
            problem,
            Some((origins[outer].span, "this holds it")),
        );
    }
    Ok(())
}

/// Says that two solids only just fail to touch.
fn report_gap(gap: &Gap, origins: &[Element], report: &mut Report) {
    let (i, j) = gap.between;
    let (gap_m, other) = (gap.width, origins[i].to_string());
    let problem = if gap_m < WELDED_M {
        MapWarning::Welded { gap_m, other }
    } else {
        MapWarning::Slit { gap_m, other }
    };
    report.warn_with(&origins[j], origins[j].span, problem, Some((origins[i].span, "the neighbour")));
}

/// Whether `inner` is wholly inside `outer`, which blocks all that it blocks.
fn adds_nothing(inner: &Solid, outer: &Solid, budget: &mut Budget) -> Result<bool, Spent> {
    let subset =
        |a: Blocks, b: Blocks| (b.sight || !a.sight) && (b.movement || !a.movement) && (b.sound || !a.sound);
    if !outer.z.contains_range(inner.z) || !subset(inner.blocks, outer.blocks) {
        return Ok(false);
    }
    footprint::within(&inner.footprint, &outer.footprint, budget)
}

/// For each gap, whether no solid fills its middle over all its heights.
fn open_gaps(
    solids: &[Solid],
    boxes: &[Box2],
    gaps: &[Gap],
    budget: &mut Budget,
) -> Result<Vec<bool>, Spent> {
    let mut open = vec![true; gaps.len()];
    let all: Vec<Box2> = boxes.iter().copied().chain(gaps.iter().map(|g| g.middle)).collect();
    if gaps.is_empty() {
        return Ok(open);
    }
    sweep::touching_pairs(&all, budget, |solid, gap, budget| {
        let Some(gap) = gap.checked_sub(solids.len()).filter(|_| solid < solids.len()) else { return Ok(()) };
        let s = &solids[solid];
        if open[gap] && s.blocks.sight && s.z.contains_range(gaps[gap].heights) {
            let middle = gaps[gap].middle.low;
            open[gap] = footprint::side(&s.footprint, middle, budget)? != Side::Inside;
        }
        Ok(())
    })?;
    Ok(open)
}
