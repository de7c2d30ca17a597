//! The validated map: what every tool works on once `validate` has let it through.
//!
//! Owns the data types of a map. Promises: outlines are simple and counter-clockwise, holes clockwise and
//! inside, numbers finite but for the ends of height ranges, ids unique.
//! Must not know the text it came from, nor what is computed of it.

use crate::geom::{Point2, Point3, ZRange};
use serde::{Deserialize, Serialize};

/// A validated map.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// Name from the file.
    pub name: String,
    /// Edge of a visibility cell, metres.
    pub cell_size: f64,
    /// The body that the bake and the sight tests assume.
    pub player: Player,
    /// Vertical prisms that never move.
    pub solids: Vec<Solid>,
    /// Solids that the server may open, close or break; never in the bake.
    pub doors: Vec<Solid>,
    /// Walkable surfaces; never empty (a map without floors gets one at z 0, see [`Map`]'s loader).
    pub floors: Vec<Floor>,
    /// Named places.
    pub areas: Vec<Area>,
    /// Places where players appear.
    pub spawns: Vec<Spawn>,
    /// BLAKE3 of the source's bytes.
    pub source_hash: [u8; 32],
}

/// Measures of a player's body and motion; metres, seconds, metres per second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Player {
    /// Radius of the body for collision with walls.
    pub radius: f64,
    /// Height of the standing body.
    pub height: f64,
    /// Eye over the feet, standing.
    pub eye_standing: f64,
    /// Eye over the feet, crouched: the lowest eye.
    pub eye_crouched: f64,
    /// How far the feet rise in a jump.
    pub jump: f64,
    /// How far the feet rise without a jump.
    pub step: f64,
    /// Greatest speed in the plane.
    pub max_speed: f64,
    /// Greatest change of velocity in the plane, m/s².
    pub max_accel: f64,
    /// Vertical speed at the start of a jump.
    pub jump_speed: f64,
    /// Downward acceleration, m/s².
    pub gravity: f64,
    /// Seconds from standing to crouched eye; 0 where there is no crouch.
    pub crouch_time: f64,
    /// How far the eye leaves the body's centre in the plan.
    pub lean: f64,
    /// How far anything of the body that can be seen leaves its centre in the plan.
    pub sight_radius: f64,
}

impl Player {
    /// Heights over the feet's floor at which an eye can be: crouched to the top of a jump.
    pub fn eye_range(&self) -> ZRange {
        ZRange::new(
            self.eye_crouched.min(self.eye_standing),
            self.jump + self.eye_standing.max(self.eye_crouched),
        )
    }

    /// Heights over the feet's floor at which a body point can be: feet to the head at the top of a jump.
    pub fn body_range(&self) -> ZRange {
        ZRange::new(0.0, self.jump + self.height)
    }
}

/// A vertical prism; what is inside one is solid.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// Unique id from the file.
    pub id: String,
    /// Its outline in the plan.
    pub footprint: Footprint,
    /// Heights it fills.
    pub z: ZRange,
    /// What it stops.
    pub blocks: Blocks,
}

/// The plan outline of a solid. A wall of the source is a polygon here.
#[derive(Clone, Debug, PartialEq)]
pub enum Footprint {
    /// A simple polygon with holes; it may be concave.
    Polygon {
        /// Counter-clockwise, without consecutive equal vertices.
        outline: Vec<Point2>,
        /// Clockwise, inside the outline, apart from each other.
        holes: Vec<Vec<Point2>>,
    },
    /// A circle.
    Circle {
        /// Centre.
        center: Point2,
        /// Radius in metres, greater than 0.
        radius: f64,
    },
}

/// What a solid stops; at least one of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Stops sight lines.
    pub sight: bool,
    /// Stops bodies.
    pub movement: bool,
    /// Stops sound.
    pub sound: bool,
}

impl Blocks {
    /// Stops all three: the default.
    pub const ALL: Self = Self { sight: true, movement: true, sound: true };
}

/// A walkable surface; it blocks nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    /// Counter-clockwise in the plan; z per vertex; it may slope and need not be planar.
    pub outline: Vec<Point3>,
    /// Clockwise in the plan, inside the outline.
    pub holes: Vec<Vec<Point3>>,
}

/// A named place.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Name, for sound and reports.
    pub name: String,
    /// Counter-clockwise.
    pub outline: Vec<Point2>,
}

/// A place where players appear.
#[derive(Clone, Debug, PartialEq)]
pub struct Spawn {
    /// Team that appears here.
    pub team: String,
    /// Feet.
    pub at: Point3,
}
