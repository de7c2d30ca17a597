//! Warnings about where players appear and get to.
//!
//! Owns an over-estimate of walking, dropping and jumping from floor to floor that looks at boxes only and at
//! no walls: it errs to silence. What opens or moves (a door, a lift) joins all floors that it touches.
//! Must not know cells; they follow the true walk.

use super::ring::{self, Side};
use super::sweep::{self, Box2, Budget, Spent};
use super::{Origins, footprint};
use crate::geom::{Point2, Point3, ZRange};
use crate::map::source::Report;
use crate::map::warning::MapWarning;
use crate::map::{Floor, Map, Player, Spawn};
use std::collections::VecDeque;

/// Heights that differ by less than this are equal for a spawn, in metres.
const LEVEL_M: f64 = 0.01;

/// What a walk can stand on: a floor, or a door, which may be a lift.
struct Place {
    plan: Box2,
    heights: Option<ZRange>,
}

/// Reports spawns that are inside something or above nothing, and floors that no spawn leads to.
pub(super) fn check(
    map: &Map,
    origins: &Origins,
    budget: &mut Budget,
    report: &mut Report,
) -> Result<(), Spent> {
    if map.spawns.is_empty() {
        return Ok(());
    }
    let Origins { solids, spawns, floors, .. } = origins;
    for (spawn, solid) in spawns_in_solids(map, budget)? {
        let problem = MapWarning::SpawnInSolid { other: solids[solid].to_string() };
        report.warn_with(
            &spawns[spawn],
            spawns[spawn].span,
            problem,
            Some((solids[solid].span, "this holds it")),
        );
    }
    let stood_on = floors_under_spawns(map, budget)?;
    for (element, on) in spawns.iter().zip(&stood_on) {
        if on.is_empty() {
            report.warn(element, element.span, MapWarning::SpawnOffFloor);
        }
    }
    let start: Vec<usize> = stood_on.into_iter().flatten().collect();
    if !start.is_empty() {
        for i in unreached(map, start, budget)? {
            if let Some(element) = floors.get(i) {
                report.warn(element, element.span, MapWarning::UnreachableFloor);
            }
        }
    }
    Ok(())
}

/// The pairs (spawn, solid) where the standing body's axis is inside the solid; the first solid of each spawn.
fn spawns_in_solids(map: &Map, budget: &mut Budget) -> Result<Vec<(usize, usize)>, Spent> {
    let mut found: Vec<Option<usize>> = vec![None; map.spawns.len()];
    let boxes = map.solids.iter().map(|s| footprint::bounds(&s.footprint)).collect();
    under_spawns(&map.spawns, boxes, budget, |spawn, solid, budget| {
        let (s, at) = (&map.solids[solid], map.spawns[spawn].at);
        let body = ZRange::new(at.z + LEVEL_M, at.z + map.player.height.max(2.0 * LEVEL_M));
        if s.blocks.movement
            && s.z.overlaps(body)
            && footprint::side(&s.footprint, at.xy(), budget)? == Side::Inside
        {
            found[spawn] = Some(found[spawn].map_or(solid, |other| other.min(solid)));
        }
        Ok(())
    })?;
    Ok(found.into_iter().enumerate().filter_map(|(i, solid)| solid.map(|s| (i, s))).collect())
}

/// The floors that each spawn stands on, within a step.
fn floors_under_spawns(map: &Map, budget: &mut Budget) -> Result<Vec<Vec<usize>>, Spent> {
    let mut found = vec![Vec::new(); map.spawns.len()];
    let boxes = map.floors.iter().map(bounds).collect();
    let slack = map.player.step + LEVEL_M;
    under_spawns(&map.spawns, boxes, budget, |spawn, floor, budget| {
        let (f, at) = (&map.floors[floor], map.spawns[spawn].at);
        let z = heights(f);
        let level = ZRange::new(z.low - slack, z.high + slack).contains(at.z);
        if level && holds(f, at.xy(), budget)? {
            found[spawn].push(floor);
        }
        Ok(())
    })?;
    Ok(found)
}

/// Calls `check` for each spawn and each of `boxes` that it is in.
fn under_spawns(
    spawns: &[Spawn],
    mut boxes: Vec<Box2>,
    budget: &mut Budget,
    mut check: impl FnMut(usize, usize, &mut Budget) -> Result<(), Spent>,
) -> Result<(), Spent> {
    let things = boxes.len();
    boxes.extend(spawns.iter().map(|s| Box2::of([s.at.xy()])));
    sweep::touching_pairs(&boxes, budget, |thing, spawn, budget| match spawn.checked_sub(things) {
        Some(spawn) if thing < things => check(spawn, thing, budget),
        _ => Ok(()),
    })
}

fn plan(points: &[Point3]) -> Vec<Point2> {
    points.iter().map(|p| p.xy()).collect()
}

fn bounds(floor: &Floor) -> Box2 {
    Box2::of(floor.outline.iter().map(|p| p.xy()))
}

fn heights(floor: &Floor) -> ZRange {
    let all = floor.outline.iter().chain(floor.holes.iter().flatten()).map(|p| p.z);
    all.fold(ZRange::new(f64::INFINITY, f64::NEG_INFINITY), |r, z| ZRange::new(r.low.min(z), r.high.max(z)))
}

/// Whether a floor is under a point, its edges included.
fn holds(floor: &Floor, p: Point2, budget: &mut Budget) -> Result<bool, Spent> {
    budget.take(floor.outline.len() + floor.holes.iter().map(Vec::len).sum::<usize>())?;
    let in_hole = floor.holes.iter().any(|h| ring::side(&plan(h), p) == Side::Inside);
    Ok(!in_hole && ring::side(&plan(&floor.outline), p) != Side::Outside)
}

/// The floors that no walk from the floors `start` gets to.
fn unreached(map: &Map, start: Vec<usize>, budget: &mut Budget) -> Result<Vec<usize>, Spent> {
    let floors = map.floors.iter().map(|f| Place { plan: bounds(f), heights: Some(heights(f)) });
    let doors = map.doors.iter().map(|d| Place { plan: footprint::bounds(&d.footprint), heights: None });
    let places: Vec<Place> = floors.chain(doors).collect();
    let mut reached = vec![false; places.len()];
    for &i in &start {
        reached[i] = true;
    }
    let mut left: Vec<usize> = (0..places.len()).filter(|&i| !reached[i]).collect();
    let mut queue: VecDeque<usize> = start.into();
    while let Some(from) = queue.pop_front() {
        if left.is_empty() {
            break;
        }
        budget.take(left.len())?;
        left.retain(|&to| {
            let gets_there = leads(&places[from], &places[to], &map.player);
            if gets_there {
                queue.push_back(to);
            }
            !gets_there
        });
    }
    left.retain(|&i| i < map.floors.len());
    left.sort_unstable();
    Ok(left)
}

/// Whether a body may get from one place to the other: up by a step or a jump, down by any height, and as far
/// as it flies meanwhile.
fn leads(from: &Place, to: &Place, player: &Player) -> bool {
    let (Some(a), Some(b)) = (from.heights, to.heights) else {
        return from.plan.grown(2.0 * player.radius).touches(&to.plan);
    };
    let rise = player.step.max(player.jump) + LEVEL_M;
    if b.low > a.high + rise {
        return false;
    }
    let fall = (a.high - b.low).max(0.0);
    let airtime = if player.gravity > 0.0 {
        let up = player.jump_speed;
        (up + (up * up + 2.0 * player.gravity * fall).sqrt()) / player.gravity
    } else {
        0.0
    };
    from.plan.grown(2.0 * player.radius + player.max_speed * airtime).touches(&to.plan)
}
