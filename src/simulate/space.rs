//! Where a body can be: floors, solids that stop it, doors.
//!
//! Owns the questions of a body's centre: is it free here, what is under it, where does a step lead.
//! Promises: between two answers nothing thicker than a step of 10 cm is passed over. Errs to "blocked".
//! Must not know who moves, or why.

use super::ground::Ground;
use crate::geom::{ConvexPolygon, PlanBvh, Point2, Point3, Vector2, ZRange};
use crate::map::{Footprint, Map, Player, Solid, Solids};

/// Bodies keep this much more than their radius from walls, metres: written with millimetres, they keep it still.
const CLEARANCE_M: f64 = 2e-3;
/// A centre keeps this off what it may step onto, until it is on it, metres.
const CENTRE_M: f64 = 2e-3;
/// What reaches into the body by less than this is touched, not hit, metres.
const TOUCH_M: f64 = 2e-3;
/// Longest way between two looks, metres.
const LOOK_M: f64 = 0.1;
/// What is near is gathered this far around, metres, and again after half of it.
const NEAR_M: f64 = 3.0;

/// A convex prism that stops bodies.
struct Block {
    outline: ConvexPolygon,
    low: Point2,
    high: Point2,
    z: ZRange,
    door: Option<u32>,
}

/// All that bodies stand on and run into.
pub(super) struct Space {
    blocks: Vec<Block>,
    tree: PlanBvh,
    ground: Ground,
    doors: usize,
    pub(super) player: Player,
}

/// What lies around a place, kept between questions.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    at: Option<Point2>,
    blocks: Vec<u32>,
    facets: Vec<u32>,
}

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// Onto a floor of this height; the slope tells a step from a ramp.
    Ground { z: f64, steepness: f64 },
    /// Over an edge higher than a step.
    Edge,
    /// Into something.
    Blocked,
}

/// How a straight walk ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Walk {
    /// At its end, with the feet at this height.
    Arrived(f64),
    /// Here, at an edge.
    AtEdge(Point3),
    /// Before something.
    Blocked,
}

impl Space {
    pub(super) fn new(map: &Map, solids: &Solids) -> Self {
        let mut blocks = Vec::new();
        add_blocks(&map.solids, solids, None, &mut blocks);
        for (index, door) in map.doors.iter().enumerate() {
            // A door's convex pieces are those that it would have as a solid.
            let alone = Map { solids: vec![door.clone()], doors: Vec::new(), ..map.clone() };
            add_blocks(&alone.solids, &Solids::build(&alone), Some(index as u32), &mut blocks);
        }
        let tree = PlanBvh::new(blocks.iter().map(|block| (block.low, block.high)));
        Self { blocks, tree, ground: Ground::new(map), doors: map.doors.len(), player: map.player }
    }

    /// A body's top over its feet when it crouches.
    pub(super) fn crouched_height(&self) -> f64 {
        let drop = (self.player.eye_standing - self.player.eye_crouched).max(0.0);
        (self.player.height - drop).max(self.player.eye_crouched)
    }

    /// How many doors there are.
    pub(super) fn door_count(&self) -> usize {
        self.doors
    }

    /// The plan distance of a point to a door.
    pub(super) fn door_distance(&self, door: u32, p: Point2) -> f64 {
        let leaves = self.blocks.iter().filter(|block| block.door == Some(door));
        leaves.map(|block| block.outline.distance(p)).fold(f64::INFINITY, f64::min)
    }

    /// Asks about bodies while these doors are open.
    pub(super) fn touch<'a>(&'a self, near: &'a mut Near, open: &'a [bool]) -> Touch<'a> {
        Touch { space: self, near, open }
    }
}

/// Circles are taken as polygons around them: those of the pieces lie inside, where bodies could come too near.
fn add_blocks(solids: &[Solid], pieces: &Solids, door: Option<u32>, blocks: &mut Vec<Block>) {
    let mut add = |outline: ConvexPolygon, z: ZRange| {
        let (low, high) = outline.bounds();
        blocks.push(Block { outline, low, high, z, door });
    };
    let is_circle = |solid: &Solid| matches!(solid.footprint, Footprint::Circle { .. });
    for piece in pieces.pieces().iter().filter(|piece| piece.blocks.movement) {
        if !is_circle(&solids[piece.solid as usize]) {
            add(piece.outline.clone(), piece.z);
        }
    }
    for solid in solids.iter().filter(|solid| solid.blocks.movement) {
        if let Footprint::Circle { center, radius } = solid.footprint {
            add(ConvexPolygon::around_circle(center, radius), solid.z);
        }
    }
}

/// Questions about bodies, with what is near at hand.
pub(super) struct Touch<'a> {
    pub(super) space: &'a Space,
    near: &'a mut Near,
    open: &'a [bool],
}

impl Touch<'_> {
    fn gather(&mut self, p: Point2) {
        let reach = 0.5 * NEAR_M;
        if self.near.at.is_some_and(|at| (at.x - p.x).abs() <= reach && (at.y - p.y).abs() <= reach) {
            return;
        }
        let (low, high) = (p - Vector2::repeat(NEAR_M), p + Vector2::repeat(NEAR_M));
        self.near.at = Some(p);
        self.near.blocks.clear();
        let blocks = &mut self.near.blocks;
        self.space.tree.for_each_touching(low, high, |index| blocks.push(index as u32));
        blocks.sort_unstable();
        self.space.ground.touching(low, high, &mut self.near.facets);
    }

    /// Whether a body hits something; what is no higher than `stepped` is stepped onto, and only keeps off the centre.
    pub(super) fn hits(&mut self, at: Point3, height: f64, stepped: f64) -> bool {
        self.gather(at.xy());
        let p = at.xy();
        let keep_m = self.space.player.radius + CLEARANCE_M;
        self.near.blocks.iter().any(|index| {
            let block = &self.space.blocks[*index as usize];
            let is_open = block.door.is_some_and(|door| self.open[door as usize]);
            if is_open || block.z.low >= at.z + height - TOUCH_M || block.z.high <= at.z + TOUCH_M {
                return false;
            }
            let off = if block.z.high > stepped { keep_m } else { CENTRE_M };
            let apart = p.x < block.low.x - off
                || p.x > block.high.x + off
                || p.y < block.low.y - off
                || p.y > block.high.y + off;
            !apart && block.outline.distance(p) < off
        })
    }

    /// Whether a body can stand with its feet here.
    pub(super) fn is_free(&mut self, feet: Point3, height: f64) -> bool {
        !self.hits(feet, height, feet.z + self.space.player.step)
    }

    /// The highest floor under a point that is no higher than `most`: its height and steepness.
    pub(super) fn floor_under(&mut self, p: Point2, most: f64) -> Option<(f64, f64)> {
        self.gather(p);
        let facets = self.near.facets.iter().map(|index| &self.space.ground.facets[*index as usize]);
        facets
            .filter(|facet| facet.holds(p))
            .map(|facet| (facet.height(p), facet.steepness()))
            .filter(|(z, _)| *z <= most)
            .max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The heights of all floors under a point.
    pub(super) fn floors_at(&mut self, p: Point2, mut f: impl FnMut(f64)) {
        self.gather(p);
        for index in &self.near.facets {
            let facet = &self.space.ground.facets[*index as usize];
            if facet.holds(p) {
                f(facet.height(p));
            }
        }
    }

    /// Whether some floor within the body's radius still carries feet at this height.
    pub(super) fn is_carried(&mut self, feet: Point3) -> bool {
        self.gather(feet.xy());
        let reach = self.space.player.radius + 2.0 * CLEARANCE_M;
        let step = self.space.player.step;
        self.near.facets.iter().any(|index| {
            let facet = &self.space.ground.facets[*index as usize];
            let nearest = facet.nearest(feet.xy());
            let above = facet.height(nearest) - feet.z;
            (nearest - feet.xy()).norm() <= reach && (-0.5 * step..=step).contains(&above)
        })
    }

    /// One tick's step on the ground.
    pub(super) fn step(&mut self, from: Point3, to: Point2, height: f64) -> Step {
        let looks = ((to - from.xy()).norm() / LOOK_M).ceil().max(1.0);
        let mut at = from;
        let mut steepest: f64 = 0.0;
        for look in 1..=looks as u32 {
            let p = from.xy() + (to - from.xy()) * (f64::from(look) / looks);
            let step = self.space.player.step;
            let Some((z, steepness)) = self.floor_under(p, at.z + step) else { return Step::Edge };
            if z < at.z - step {
                return Step::Edge;
            }
            at = Point3::new(p.x, p.y, z);
            if !self.is_free(at, height) {
                return Step::Blocked;
            }
            steepest = steepest.max(steepness);
        }
        Step::Ground { z: at.z, steepness: steepest }
    }

    /// Walks straight to a point.
    pub(super) fn walk(&mut self, from: Point3, to: Point2, height: f64) -> Walk {
        let looks = ((to - from.xy()).norm() / LOOK_M).ceil().max(1.0);
        let mut at = from;
        for look in 1..=looks as u32 {
            let p = from.xy() + (to - from.xy()) * (f64::from(look) / looks);
            match self.step(at, p, height) {
                Step::Ground { z, .. } => at = Point3::new(p.x, p.y, z),
                Step::Edge => return Walk::AtEdge(at),
                Step::Blocked => return Walk::Blocked,
            }
        }
        Walk::Arrived(at.z)
    }

    /// Whether a straight walk gets to these very feet.
    pub(super) fn reaches(&mut self, from: Point3, to: Point3, height: f64) -> bool {
        matches!(self.walk(from, to.xy(), height), Walk::Arrived(z) if (z - to.z).abs() < 0.05)
    }

    /// The doors that a straight way comes close to, whether or not they are open.
    pub(super) fn door_between(&mut self, from: Point3, to: Point3) -> Option<u32> {
        self.gather(from.xy());
        let keep_m = self.space.player.radius + CLEARANCE_M;
        let looks = ((to - from).norm() / LOOK_M).ceil().max(1.0);
        let blocks = self.near.blocks.iter().map(|index| &self.space.blocks[*index as usize]);
        let mut doors = blocks.filter(|block| block.door.is_some());
        let meets = |block: &&Block| {
            (0..=looks as u32).any(|look| {
                let p = from + (to - from) * (f64::from(look) / looks);
                let body = ZRange::new(p.z + TOUCH_M, p.z + self.space.player.height);
                block.z.overlaps(body) && block.outline.distance(p.xy()) < keep_m
            })
        };
        doors.find(meets).and_then(|block| block.door)
    }
}
