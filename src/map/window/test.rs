//! The window test: can any eye of one reach see any body point of another?
//!
//! Owns the question between two discs with heights, asked of a map's solids.
//! Promises: "no" only where no sight line with the clearance is free; what a capped search can't decide is "yes".
//! Must not know cells or who asks.

use super::{Answer, Effort, Occluders, Question, Shaft, Solver, Volume};
use crate::geom::{Point3, ZRange};
use crate::map::solids::{Mask, PieceId, Solids};

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

/// Asks window tests of one map; allocates nothing once warm. One per thread.
#[derive(Clone, Debug)]
pub struct WindowTest {
    occluders: Occluders,
    solver: Solver,
    pieces: Vec<u32>,
}

impl WindowTest {
    /// Prepares for questions about `solids`; `may_see` must be given the same.
    pub fn new(solids: &Solids) -> Self {
        Self { occluders: Occluders::new(solids.pieces()), solver: Solver::default(), pieces: Vec::new() }
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
        let Self { occluders, solver, pieces } = self;
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
