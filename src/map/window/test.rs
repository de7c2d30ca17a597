//! The window test: can any eye of one reach see any body point of another?
//!
//! Owns the question between two discs with heights, asked of a map's solids.
//! Promises: "no" only where no sight line with the clearance is free; what a capped search can't decide is "yes".
//! Must not know cells or who asks.

use super::single::stops_all;
use super::{Answer, Effort, Occluders, Question, Shaft, Solver, Spread, Volume};
use crate::geom::{ConvexPolygon, Point3, ZRange, convex_parts};
use crate::map::solids::{Mask, PieceId, Solids};
use crate::map::{Footprint, Map};
use std::sync::Arc;

/// Most polygons of lines looked at for one pair; beyond it the answer is "yes" (errs towards visible).
const EFFORT: Effort = Effort { nodes: 64, rounds: 0, total: 64 };

/// Where a point can be: a disc in the plan at a range of heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Centre of the disc; its z is not used.
    pub center: Point3,
    /// Radius of the disc in metres, at least 0.
    pub radius_m: f64,
    /// Heights, finite.
    pub z: ZRange,
}

impl Reach {
    /// The disc around a point at its own height.
    pub fn around(center: Point3, radius_m: f64) -> Self {
        Self { center, radius_m, z: ZRange::new(center.z, center.z) }
    }
}

/// The answer about two spreads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sight {
    /// No line of sight between them is free.
    Hidden,
    /// This one is, or they are too close to tell.
    Free(Option<(Point3, Point3)>),
    /// The cap on the work was reached: it counts as free.
    Capped,
}

/// An occluder that is no piece of a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// A part of this door.
    Door(u32),
    /// A part of this cloud, by its place among those of [`WindowTest::set_smokes`].
    Smoke(u32),
}

/// Asks window tests of one map; allocates nothing once warm. One per thread, clones share the map's part.
#[derive(Clone, Debug)]
pub struct WindowTest {
    pub(super) occluders: Arc<Occluders>,
    /// The door of each occluder from `fixed` on; smoke comes behind them.
    doors: Arc<[u32]>,
    /// Parts of each cloud.
    parts: u32,
    /// The occluders before the last change of smoke: their memory is used again.
    spare: Arc<Occluders>,
    /// How many occluders are pieces of solids.
    fixed: u32,
    solver: Solver,
    pieces: Vec<u32>,
}

/// Pieces of one question that room is made for; more of them take memory once.
const ROOM_PIECES: usize = 256;

impl WindowTest {
    /// Makes room for the questions to come, of at most `nodes` steps; a clone has none.
    pub(crate) fn make_room(&mut self, nodes: u32) {
        let pieces = self.occluders.len();
        self.pieces.clear();
        self.pieces.reserve(pieces);
        let of_a_question = pieces.min(ROOM_PIECES);
        let corners = self.occluders.corners() * of_a_question / pieces.max(1);
        self.solver.make_room((of_a_question, corners), nodes);
    }

    /// Prepares for questions about `solids`; `may_see` must be given the same.
    pub fn new(solids: &Solids) -> Self {
        Self::of(Occluders::new(solids.pieces()), solids.pieces().len(), Vec::new())
    }

    /// The same with the doors of `map`, which the questions of the filter name.
    pub(crate) fn with_doors(solids: &Solids, map: &Map) -> Self {
        let (mut occluders, mut doors) = (Occluders::new(solids.pieces()), Vec::new());
        for (door, solid) in map.doors.iter().enumerate().filter(|(_, solid)| solid.blocks.sight) {
            let rings = match &solid.footprint {
                Footprint::Polygon { outline, holes } => convex_parts(outline, holes),
                Footprint::Circle { center, radius } => {
                    vec![ConvexPolygon::inside_circle(*center, *radius).vertices().to_vec()]
                }
            };
            for ring in rings {
                occluders.push(&ring, solid.z);
                doors.push(door as u32);
            }
        }
        Self::of(occluders, solids.pieces().len(), doors)
    }

    fn of(occluders: Occluders, fixed: usize, doors: Vec<u32>) -> Self {
        let (occluders, doors, fixed) = (Arc::new(occluders), doors.into(), fixed as u32);
        let spare = Arc::clone(&occluders);
        Self { occluders, doors, parts: 1, spare, fixed, solver: Solver::default(), pieces: Vec::new() }
    }

    /// Takes clouds in place of those before, each as so many prisms: outlines and heights, those of a cloud in a row.
    pub(crate) fn set_smokes(&mut self, prisms: &[(ConvexPolygon, ZRange)], parts_of_each: u32) {
        // Other threads still hold what is there now; what was before that is ours again, as a rule.
        if Arc::get_mut(&mut self.spare).is_none() {
            self.spare = Arc::new((*self.occluders).clone());
        }
        let Some(occluders) = Arc::get_mut(&mut self.spare) else { return };
        occluders.truncate(self.fixed as usize + self.doors.len());
        for (outline, z) in prisms {
            occluders.push(outline.vertices(), *z);
        }
        self.parts = parts_of_each.max(1);
        std::mem::swap(&mut self.occluders, &mut self.spare);
    }

    /// Takes over the clouds of another test of the same map.
    pub(crate) fn follow(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.occluders, &other.occluders) {
            self.occluders = Arc::clone(&other.occluders);
            self.spare = Arc::clone(&other.occluders);
            self.parts = other.parts;
        }
    }

    /// What an occluder is a part of, if it is no solid.
    pub(crate) fn passing(&self, occluder: u32) -> Option<Passing> {
        let behind = occluder.checked_sub(self.fixed)?;
        let door = self.doors.get(behind as usize).copied().map(Passing::Door);
        Some(door.unwrap_or_else(|| Passing::Smoke((behind - self.doors.len() as u32) / self.parts)))
    }

    /// Whether one occluder alone stops every line; one that is not there stops none.
    pub(crate) fn is_stopped_by(&self, occluder: u32, eye: &Spread, body: &Spread) -> bool {
        (occluder as usize) < self.occluders.len()
            && stops_all(self.occluders.outline(occluder), self.occluders.z(occluder), eye, body)
    }

    /// Lists what may stand between two spreads, for [`WindowTest::solve`]; gives one that alone stops every line.
    ///
    /// `counts` says which doors and clouds count.
    pub(crate) fn gather(
        &mut self,
        solids: &Solids,
        (eye, body): (&Spread, &Spread),
        counts: impl Fn(Passing) -> bool,
    ) -> Option<u32> {
        let shaft = Shaft::between(&eye.volume(), &body.volume());
        let (low, high) = shaft.bounds();
        let passing = self.fixed..self.occluders.len() as u32;
        let mut pieces = std::mem::take(&mut self.pieces);
        let occluders = &self.occluders;
        pieces.clear();
        solids.for_each_touching(low, high, |PieceId(index), piece| {
            if Mask::Sight.selects(piece.blocks) && shaft.touches(occluders, index) {
                pieces.push(index);
            }
        });
        let is_there =
            |&index: &u32| shaft.touches(occluders, index) && self.passing(index).is_some_and(&counts);
        pieces.extend(passing.filter(is_there));
        // The tree names pieces in no particular order.
        pieces.sort_unstable();
        let stops = |&&index: &&u32| stops_all(occluders.outline(index), occluders.z(index), eye, body);
        let stopper = pieces.iter().find(stops).copied();
        self.pieces = pieces;
        stopper
    }

    /// The answer about two spreads by what was gathered for them, in at most `nodes` steps.
    pub(crate) fn solve(&mut self, eye: &Spread, body: &Spread, nodes: u32) -> Sight {
        if self.pieces.is_empty() {
            return Sight::Free(None);
        }
        let is_apart = eye.is_apart_from(body);
        let (eye, body) = (eye.volume(), body.volume());
        let question = Question { eye, body, pieces: &self.pieces, occluders: &self.occluders };
        match self.solver.answer(&question, Effort { nodes, rounds: 0, total: nodes }) {
            Answer::Hidden => Sight::Hidden,
            Answer::Seen(from, to) => Sight::Free(Some((from, to))),
            // Of spreads one above the other only a floor between them can tell; beside each other they see.
            Answer::Open if !is_apart => Sight::Free(None),
            Answer::Open => Sight::Capped,
        }
    }

    /// Whether what was gathered for two spreads hides the one from the other by itself, whatever the heights of the
    /// ways around it; a cheaper question than [`WindowTest::solve`], which errs to no.
    pub(crate) fn hides_plainly(&mut self, eye: &Spread, body: &Spread, nodes: u32) -> bool {
        let (eye, body) = (eye.volume(), body.volume());
        let question = Question { eye, body, pieces: &self.pieces, occluders: &self.occluders };
        !self.pieces.is_empty() && self.solver.hides_plainly(&question, nodes)
    }

    /// Whether some point of `eye` may see some point of `body`; it errs towards yes.
    ///
    /// Reaches that are closer than 1 mm in every direction always may.
    pub fn may_see(&mut self, solids: &Solids, eye: &Reach, body: &Reach) -> bool {
        let from = Point3::new(eye.center.x, eye.center.y, 0.5 * (eye.z.low + eye.z.high));
        let to = Point3::new(body.center.x, body.center.y, 0.5 * (body.z.low + body.z.high));
        if solids.blocker(from, to, Mask::Sight, None).is_none() {
            return true;
        }
        let (eye_region, body_region) = ([eye.center.xy()], [body.center.xy()]);
        let eye = Volume { region: &eye_region, radius: eye.radius_m, z: eye.z };
        let body = Volume { region: &body_region, radius: body.radius_m, z: body.z };
        let shaft = Shaft::between(&eye, &body);
        let (low, high) = shaft.bounds();
        let Self { occluders, solver, pieces, .. } = self;
        pieces.clear();
        solids.for_each_touching(low, high, |PieceId(index), piece| {
            if Mask::Sight.selects(piece.blocks) && shaft.touches(occluders, index) {
                pieces.push(index);
            }
        });
        let question = Question { eye, body, pieces, occluders };
        solver.answer(&question, EFFORT) != Answer::Hidden
    }
}
