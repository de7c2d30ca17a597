//! What a body's centre can reach of a floor beside walls.
//!
//! Owns the walls near a column and the trimming of a convex part by them.
//! Promises: nothing is cut away that lies farther than the body's radius from every wall that stops the
//! body at all heights it may have there.
//! Must not know floors or cells.

use super::polygon::{grown_inside, order};
use crate::geom::{ConvexPolygon, Point2, ZRange, compare, is_covered, outward};
use crate::map::{Player, Solids};

/// Trimming stops this much short of the body's radius, metres.
///
/// Bodies that slide along a wall stand exactly at the radius, and recordings round them. It errs towards
/// visible: cells reach a little farther into walls than bodies do.
pub(super) const TRIM_SLACK_M: f64 = 0.001;

/// A cut shallower than this changes nothing, so that the fixpoint is reached in spite of rounding.
const LEAST_CUT_M: f64 = 1e-9;

/// Rounds of the fixpoint; stopping early only trims less, which shows more.
const MAX_ROUNDS: usize = 16;

/// A convex piece that stops bodies.
pub(super) struct Wall {
    /// Outline in the plan.
    pub(super) outline: ConvexPolygon,
    /// Heights it fills.
    pub(super) z: ZRange,
    /// Where no centre can be, while it is in the body's way; a little smaller than the truth.
    pub(super) kept_off: ConvexPolygon,
}

impl Wall {
    /// Whether a body collides with it whatever height of `feet`, or of a jump from there, it has.
    ///
    /// The crouched eye stands for the top of the crouched body, which is higher: a wall that hangs between
    /// the two is taken not to stop it, which shows more.
    pub(super) fn stops_always(&self, feet: ZRange, player: &Player) -> bool {
        self.z.low < feet.low + player.eye_range().low && self.z.high > feet.high + player.jump + player.step
    }

    /// Whether a body that walks at these heights, without a jump, collides with it.
    pub(super) fn stands_in_the_way(&self, feet: ZRange, player: &Player) -> bool {
        self.z.low < feet.low + player.eye_range().low && self.z.high > feet.high + player.step
    }
}

/// The walls of a map, in an order that depends on their shapes alone.
pub(super) struct Walls<'a> {
    solids: &'a Solids,
    walls: Vec<Wall>,
    rank: Vec<u32>,
}

impl<'a> Walls<'a> {
    /// The pieces that stop bodies.
    pub(super) fn build(solids: &'a Solids, player: &Player) -> Self {
        let reach = (player.radius - TRIM_SLACK_M).max(0.0);
        let mut order_of: Vec<u32> = (0..solids.pieces().len() as u32).collect();
        let piece = |i: u32| &solids.pieces()[i as usize];
        order_of.sort_by(|a, b| {
            let (a, b) = (piece(*a), piece(*b));
            order(&a.outline, &b.outline).then(compare(a.z.low, b.z.low)).then(compare(a.z.high, b.z.high))
        });
        order_of.retain(|i| piece(*i).blocks.movement);
        let mut rank = vec![u32::MAX; solids.pieces().len()];
        order_of.iter().enumerate().for_each(|(at, i)| rank[*i as usize] = at as u32);
        let wall = |i: &u32| {
            let piece = piece(*i);
            let kept_off = grown_inside(&piece.outline, reach);
            Wall { outline: piece.outline.clone(), z: piece.z, kept_off }
        };
        Self { solids, walls: order_of.iter().map(wall).collect(), rank }
    }

    /// The walls that touch the box.
    pub(super) fn touching(&self, low: Point2, high: Point2) -> Vec<&Wall> {
        let mut ranks: Vec<u32> = Vec::new();
        self.solids.for_each_touching(low, high, |id, _| ranks.push(self.rank[id.0 as usize]));
        ranks.retain(|r| *r != u32::MAX);
        ranks.sort_unstable();
        ranks.iter().map(|r| &self.walls[*r as usize]).collect()
    }
}

/// The part of `part` that centres with these `feet` can reach, convex; `None` where they reach none of it.
pub(super) fn trim(
    part: &ConvexPolygon,
    feet: ZRange,
    walls: &[&Wall],
    player: &Player,
) -> Option<ConvexPolygon> {
    let stopping: Vec<&Wall> = walls.iter().copied().filter(|w| w.stops_always(feet, player)).collect();
    let reach = (player.radius - TRIM_SLACK_M).max(0.0);
    let mut region = part.clone();
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for wall in &stopping {
            for (a, b) in wall.outline.edges() {
                let Some(normal) = outward(a, b) else { continue };
                let offset = normal.dot(&a.coords) + reach;
                let depth =
                    region.vertices().iter().map(|p| offset - normal.dot(&p.coords)).fold(0.0, f64::max);
                if depth <= LEAST_CUT_M {
                    continue;
                }
                let Some(cut) = region.clip(normal, offset) else { continue };
                if unreachable(&cut, wall, &stopping, reach) {
                    region = region.clip(-normal, -offset)?;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    Some(region)
}

/// Whether every point of `cut` lies within `reach` of the wall, or else of one of the walls.
fn unreachable(cut: &ConvexPolygon, wall: &Wall, stopping: &[&Wall], reach: f64) -> bool {
    // Distance to a convex set is a convex function: its greatest value is at a vertex.
    let near = |p: &Point2| wall.outline.distance(*p) <= reach + LEAST_CUT_M;
    if cut.vertices().iter().all(near) {
        return true;
    }
    // Only where the far vertices lie near some other wall can the union cover them.
    let covered = |p: &Point2| stopping.iter().any(|w| w.outline.distance(*p) <= reach + LEAST_CUT_M);
    stopping.len() > 1
        && cut.vertices().iter().all(covered)
        && is_covered(cut.clone(), stopping.iter().map(|w| &w.kept_off), LEAST_CUT_M)
}
