//! What stops sight now and may not in a moment: doors and smoke.
//!
//! Owns the doors' pieces, their states and the smokes of the tick.
//! Promises: a query allocates nothing, nor does a tick once its smokes have been as many before.
//! Must not know the bake, in which doors are open and smoke is not.

use super::{Mask, kinds, parts};
use crate::geom::{Point2, Point3, Prisms, Segment};
use crate::map::Map;

/// Whether a door lets through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoorState {
    /// Nothing is stopped.
    Open,
    /// It stops what its [`Blocks`](crate::Blocks) say.
    Closed,
}

/// A ball of smoke: stops sight that has to go through it for long enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smoke {
    /// Centre.
    pub center: Point3,
    /// Radius in metres.
    pub radius: f64,
    /// A segment is stopped if it is inside for more than this, metres; less errs towards hidden.
    pub depth: f64,
}

/// What stopped a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DynamicBlocker {
    /// A closed door, as its index into [`Map::doors`].
    Door(u32),
    /// A smoke, as its index in the list that was set last.
    Smoke(u32),
}

/// A map's doors and the smokes, in the state of one tick.
pub struct DynamicSolids {
    leaves: Vec<DoorLeaf>,
    prisms: Prisms,
    states: Vec<DoorState>,
    smokes: Vec<Smoke>,
}

/// A convex piece of a door.
struct DoorLeaf {
    door: u32,
    low: Point2,
    high: Point2,
}

impl DynamicSolids {
    /// The map's doors, all open, and no smoke.
    pub fn new(map: &Map) -> Self {
        let mut leaves = Vec::new();
        let mut prisms = Prisms::default();
        for (door, solid) in map.doors.iter().enumerate() {
            for part in parts::of_solid(solid, door as u32) {
                let piece = part.into_piece();
                let (low, high) = piece.outline.bounds();
                prisms.push(&piece.outline, piece.z, kinds(piece.blocks));
                leaves.push(DoorLeaf { door: door as u32, low, high });
            }
        }
        Self { leaves, prisms, states: vec![DoorState::Open; map.doors.len()], smokes: Vec::new() }
    }

    /// The doors' states, by their index into [`Map::doors`]; write to open and close them.
    pub fn doors_mut(&mut self) -> &mut [DoorState] {
        &mut self.states
    }

    /// Replaces the smokes. One that is not finite stops nothing.
    pub fn set_smokes(&mut self, smokes: &[Smoke]) {
        self.smokes.clear();
        self.smokes.extend_from_slice(smokes);
    }

    /// What stops the segment now: a closed door by the rules of [`Solids::blocker`](super::Solids::blocker),
    /// or, for sight, a smoke.
    ///
    /// From inside a closed door all doors are free; smoke stops from inside too.
    pub fn blocker(&self, from: Point3, to: Point3, mask: Mask) -> Option<DynamicBlocker> {
        let door = self.door_between(from, to, mask).map(DynamicBlocker::Door);
        door.or_else(|| (mask == Mask::Sight).then(|| self.smoke_between(from, to)).flatten())
    }

    fn door_between(&self, from: Point3, to: Point3, mask: Mask) -> Option<u32> {
        if from == to {
            return None;
        }
        let segment = Segment::new(from, to);
        let closed = |leaf: &DoorLeaf| self.states[leaf.door as usize] == DoorState::Closed;
        let mut stopped_by = None;
        for (index, leaf) in self.leaves.iter().enumerate().filter(|(_, leaf)| closed(leaf)) {
            if self.prisms.holds(index, mask.kind(), from) {
                return None;
            }
            if stopped_by.is_none()
                && leaf.may_meet(from, to)
                && self.prisms.stops(index, mask.kind(), &segment)
            {
                stopped_by = Some(leaf.door);
            }
        }
        stopped_by
    }

    fn smoke_between(&self, from: Point3, to: Point3) -> Option<DynamicBlocker> {
        let inside_longer = |smoke: &Smoke| chord(smoke, from, to) > smoke.depth;
        self.smokes.iter().position(inside_longer).map(|index| DynamicBlocker::Smoke(index as u32))
    }
}

impl DoorLeaf {
    /// Whether the segment's box comes within a millimetre, far more than the clearance.
    fn may_meet(&self, from: Point3, to: Point3) -> bool {
        let apart = |a: f64, b: f64, low: f64, high: f64| a.max(b) < low - 1e-3 || a.min(b) > high + 1e-3;
        !apart(from.x, to.x, self.low.x, self.high.x) && !apart(from.y, to.y, self.low.y, self.high.y)
    }
}

/// How long the segment is inside the ball, metres.
fn chord(smoke: &Smoke, from: Point3, to: Point3) -> f64 {
    let way = to - from;
    let length = way.norm();
    if length == 0.0 {
        return 0.0;
    }
    let along = (smoke.center - from).dot(&way) / length;
    let beside_squared = (smoke.center - from - way * (along / length)).norm_squared();
    let half_squared = smoke.radius * smoke.radius - beside_squared;
    if half_squared > 0.0 {
        let half = half_squared.sqrt();
        (along + half).min(length) - (along - half).max(0.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chord_is_what_lies_between_the_ends_and_in_the_ball() {
        let smoke = Smoke { center: Point3::new(5.0, 0.0, 0.0), radius: 2.0, depth: 0.0 };
        let along_x = |a: f64, b: f64, y: f64| chord(&smoke, Point3::new(a, y, 0.0), Point3::new(b, y, 0.0));
        assert_eq!(along_x(0.0, 10.0, 0.0), 4.0);
        assert_eq!(along_x(5.0, 10.0, 0.0), 2.0);
        assert_eq!(along_x(4.5, 5.5, 0.0), 1.0);
        assert_eq!(along_x(0.0, 10.0, 2.0), 0.0);
        assert!(along_x(8.0, 10.0, 0.0) <= 0.0 && along_x(5.0, 5.0, 0.0) == 0.0);
    }
}
