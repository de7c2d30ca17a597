//! How footprints lie to each other in the plan: apart by how much, inside, holding a point.
//!
//! Promises: exact to rounding, but for [`within`], which may miss a containment, never claim one.
//! Must not know heights or findings.

use super::ring::{self, Side};
use super::sweep::{Box2, Budget, SEGMENT_STEPS, Spent};
use crate::geom::Point2;
use crate::map::Footprint;

/// What the side of an edge costs, in steps of the sweep.
const SIDE_STEPS: usize = 4;

/// The box of a footprint in the plan.
pub(super) fn bounds(footprint: &Footprint) -> Box2 {
    match footprint {
        Footprint::Polygon { outline, .. } => Box2::of(outline.iter().copied()),
        Footprint::Circle { center, radius } => Box2::of([*center]).grown(*radius),
    }
}

/// Area in square metres, holes taken off.
pub(super) fn area(footprint: &Footprint) -> f64 {
    match footprint {
        Footprint::Polygon { outline, holes } => {
            ring::area(outline) + holes.iter().map(|h| ring::area(h)).sum::<f64>()
        }
        Footprint::Circle { radius, .. } => std::f64::consts::PI * radius * radius,
    }
}

/// Where `p` lies of a footprint; a hole's inside is outside.
pub(super) fn side(footprint: &Footprint, p: Point2, budget: &mut Budget) -> Result<Side, Spent> {
    let (outline, holes) = match footprint {
        Footprint::Polygon { outline, holes } => (outline, holes),
        Footprint::Circle { center, radius } => {
            let inside = (p - center).norm() < *radius - ring::TOUCH_M;
            return Ok(if inside { Side::Inside } else { Side::Outside });
        }
    };
    budget.take(SIDE_STEPS * outline.len())?;
    let mut answer = ring::side(outline, p);
    for hole in holes {
        if answer != Side::Inside {
            break;
        }
        budget.take(SIDE_STEPS * hole.len())?;
        answer = match ring::side(hole, p) {
            Side::Inside => Side::Outside,
            Side::Boundary => Side::Boundary,
            Side::Outside => Side::Inside,
        };
    }
    Ok(answer)
}

/// The gap between two footprints if it is under `reach`: its width, 0 where they touch or overlap, and its middle.
pub(super) fn gap(
    a: &Footprint,
    b: &Footprint,
    reach: f64,
    budget: &mut Budget,
) -> Result<Option<(f64, Point2)>, Spent> {
    let (near_a, near_b) = (bounds(a).grown(reach), bounds(b).grown(reach));
    let (radius_a, edges_a) = edges_near(a, near_b, budget)?;
    let (radius_b, edges_b) = edges_near(b, near_a, budget)?;
    budget.take(SEGMENT_STEPS * edges_a.len() * edges_b.len())?;
    let mut best: Option<(f64, Point2)> = None;
    for e in &edges_a {
        for f in &edges_b {
            let (p, q) = ring::nearest_points(*e, *f);
            let between = (q - p).norm();
            let width = between - radius_a - radius_b;
            if width < best.map_or(reach, |(w, _)| w) {
                // The middle of what is between the two circles' edges, where they are circles.
                let along = if between > 0.0 { (radius_a + width * 0.5) / between } else { 0.0 };
                best = Some((width.max(0.0), p + (q - p) * along.clamp(0.0, 1.0)));
            }
        }
    }
    Ok(best)
}

/// What is near a box of a footprint's edge: a radius around some segments.
fn edges_near(
    footprint: &Footprint,
    near: Box2,
    budget: &mut Budget,
) -> Result<(f64, Vec<[Point2; 2]>), Spent> {
    match footprint {
        Footprint::Circle { center, radius } => Ok((*radius, vec![[*center; 2]])),
        Footprint::Polygon { outline, holes } => {
            budget.take(SIDE_STEPS * (outline.len() + holes.iter().map(Vec::len).sum::<usize>()))?;
            let rings = holes.iter().chain([outline]);
            Ok((0.0, rings.flat_map(|r| ring::edges(r)).filter(|e| Box2::of(*e).touches(&near)).collect()))
        }
    }
}

/// Whether all of `a` lies in `b`.
pub(super) fn within(a: &Footprint, b: &Footprint, budget: &mut Budget) -> Result<bool, Spent> {
    if !bounds(b).grown(ring::TOUCH_M).contains(&bounds(a)) {
        return Ok(false);
    }
    match (a, b) {
        (Footprint::Circle { center: c, radius: r }, Footprint::Circle { center, radius }) => {
            Ok((c - center).norm() + r <= *radius)
        }
        (Footprint::Polygon { outline, .. }, Footprint::Circle { center, radius }) => {
            budget.take(outline.len())?;
            Ok(outline.iter().all(|p| (p - center).norm() <= *radius))
        }
        (Footprint::Circle { center, radius }, Footprint::Polygon { outline, holes }) => {
            budget.take(outline.len() + holes.iter().map(Vec::len).sum::<usize>())?;
            let clear = |[e, f]: [Point2; 2]| (ring::nearest(*center, e, f) - center).norm() >= *radius;
            let rings = holes.iter().chain([outline]);
            Ok(side(b, *center, budget)? == Side::Inside && rings.flat_map(|r| ring::edges(r)).all(clear))
        }
        (Footprint::Polygon { .. }, Footprint::Polygon { .. }) => polygon_within(a, b, budget),
    }
}

/// Whether a polygon lies in another: no edges cross, no sample of it is outside, no hole of the other is in it.
fn polygon_within(a: &Footprint, b: &Footprint, budget: &mut Budget) -> Result<bool, Spent> {
    let (inner, outer) = (rings(a), rings(b));
    let Some((&outline, &around)) = inner.first().zip(outer.first()) else { return Ok(false) };
    for p in ring::samples(outline) {
        // The middle of an outline may lie in a hole of it.
        if side(b, p, budget)? == Side::Outside && side(a, p, budget)? != Side::Outside {
            return Ok(false);
        }
    }
    let vertices = |rings: &[&[Point2]]| rings.iter().map(|r| r.len()).sum::<usize>();
    budget.take(SEGMENT_STEPS * vertices(&inner) * vertices(&outer))?;
    let crossed = |r: &[Point2], s: &[Point2]| {
        ring::edges(r).any(|f| ring::edges(s).any(|e| ring::crossing(e, f).is_some()))
    };
    let holes = &outer[1..];
    if crossed(around, outline) || holes.iter().any(|h| inner.iter().any(|r| crossed(h, r))) {
        return Ok(false);
    }
    for p in holes.iter().flat_map(|h| ring::samples(h)) {
        if side(a, p, budget)? == Side::Inside {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The outline, then the holes; of a circle nothing.
fn rings(footprint: &Footprint) -> Vec<&[Point2]> {
    match footprint {
        Footprint::Circle { .. } => Vec::new(),
        Footprint::Polygon { outline, holes } => {
            [outline].into_iter().chain(holes).map(Vec::as_slice).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, size: f64) -> Vec<Point2> {
        [(x, y), (x + size, y), (x + size, y + size), (x, y + size)].map(|(x, y)| Point2::new(x, y)).to_vec()
    }

    fn block(x: f64, y: f64, size: f64) -> Footprint {
        Footprint::Polygon { outline: square(x, y, size), holes: Vec::new() }
    }

    fn budget() -> Budget {
        Budget::new(1_000_000)
    }

    #[test]
    fn a_gap_is_as_wide_as_the_distance_and_touching_is_none() {
        let circle = Footprint::Circle { center: Point2::new(-1.0, 0.5), radius: 0.99 };
        let (width, middle) = gap(&block(0.0, 0.0, 1.0), &circle, 0.02, &mut budget()).unwrap().unwrap();
        assert!((width - 0.01).abs() < 1e-12);
        assert!((middle.x + 0.005).abs() < 1e-12 && middle.y == 0.5);
        let touching = gap(&block(0.0, 0.0, 1.0), &block(1.0, 0.0, 1.0), 0.02, &mut budget()).unwrap();
        assert_eq!(touching.map(|(width, _)| width), Some(0.0));
        assert!(gap(&block(0.0, 0.0, 1.0), &block(1.1, 0.0, 1.0), 0.02, &mut budget()).unwrap().is_none());
    }

    #[test]
    fn what_lies_in_a_hole_or_around_one_is_not_within() {
        let holes = vec![square(1.0, 1.0, 2.0)];
        let frame = Footprint::Polygon { outline: square(0.0, 0.0, 4.0), holes };
        assert!(within(&block(0.2, 0.2, 0.5), &frame, &mut budget()).unwrap());
        assert!(!within(&block(1.5, 1.5, 0.5), &frame, &mut budget()).unwrap());
        assert!(!within(&block(0.5, 0.5, 3.0), &frame, &mut budget()).unwrap());
        assert!(!within(&block(0.5, 0.5, 1.0), &frame, &mut budget()).unwrap());
        assert!(within(&frame, &frame, &mut budget()).unwrap());
    }
}
