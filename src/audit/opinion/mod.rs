//! The second opinion: what is in sight and what could come into sight, by brute force.
//!
//! Owns its own segment test, its own floors, its own reach and its own samples. Promises: it takes the map's data alone,
//! so that it shares no mistake with what it judges; what it says is in sight, is.
//! Must not know the filter, the bake, or what was sent.

mod field;
mod floors;
mod limits;
mod reach;

pub(crate) use field::{Ball, Field};
pub(crate) use limits::{Moves, Step};
pub(crate) use reach::{Leads, Reaches};

use crate::map::{Map, Piece, Player};
use floors::Floors;

pub(crate) type P3 = [f64; 3];

/// Samples of a body, over its whole capsule as it is seen from the eye.
pub(crate) const SAMPLES: usize = 27;

/// A body at one moment, as a recording tells it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    /// Its feet.
    pub(crate) at: P3,
    pub(crate) vel: P3,
    pub(crate) is_crouched: bool,
}

impl Pose {
    /// Between two moments; it stands as at the first.
    pub(crate) fn between(self, later: Self, share: f64) -> Self {
        let mix = |a: P3, b: P3| std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share);
        Self { at: mix(self.at, later.at), vel: mix(self.vel, later.vel), ..self }
    }
}

/// The judge of one map.
pub(crate) struct Opinion {
    pub(crate) player: Player,
    sight: Field,
    moves: Field,
    floors: Floors,
    /// Doors by their place on the map; a shut one stops sight.
    doors: Vec<Field>,
}

/// What stands in the way besides the map.
#[derive(Clone, Copy)]
pub(crate) struct Scenery<'a> {
    pub(crate) smokes: &'a [Ball],
    /// Per door of the map, whether it is shut.
    pub(crate) shut: &'a [bool],
}

impl Opinion {
    /// A judge for a map and its solids as convex pieces; of each door the pieces that it is made of.
    pub(crate) fn new(map: &Map, pieces: &[Piece], doors: &[Vec<Piece>]) -> Self {
        let of = |list: &[Piece], selects: fn(&Piece) -> bool| Field::new(list.iter().filter(|p| selects(p)));
        Self {
            player: map.player,
            sight: of(pieces, |piece| piece.blocks.sight),
            moves: of(pieces, |piece| piece.blocks.movement),
            floors: Floors::new(map),
            doors: doors.iter().map(|door| of(door, |piece| piece.blocks.sight)).collect(),
        }
    }

    /// The true eye.
    pub(crate) fn eye(&self, viewer: &Pose) -> P3 {
        let up = if viewer.is_crouched { self.player.eye_crouched } else { self.player.eye_standing };
        [viewer.at[0], viewer.at[1], viewer.at[2] + up]
    }

    /// Whether the true eye is inside a solid: then nobody can say what it sees.
    pub(crate) fn is_inside(&self, viewer: &Pose) -> bool {
        self.sight.holds(self.eye(viewer))
    }

    /// How many of a body's samples are in sight of the viewer's true eye; one is enough where `enough` is 1.
    pub(crate) fn count_in_sight(
        &self,
        viewer: &Pose,
        body: &Pose,
        scenery: &Scenery<'_>,
        enough: usize,
        memory: &mut Memory,
    ) -> usize {
        let eye = self.eye(viewer);
        if self.sight.holds(eye) {
            return SAMPLES;
        }
        let samples = self.samples(eye, body);
        memory.shaft.clear();
        self.sight.gather(&[eye], &samples, &mut memory.shaft);
        let mut count = 0;
        for (index, sample) in samples.iter().enumerate() {
            if self.is_free_along(eye, *sample, scenery, memory) {
                count += 1;
            }
            if count >= enough || count + (SAMPLES - 1 - index) == 0 {
                break;
            }
        }
        count
    }

    /// Whether a line among what was gathered is free.
    fn is_free_along(&self, eye: P3, to: P3, scenery: &Scenery<'_>, memory: &mut Memory) -> bool {
        self.sight.is_free(eye, to, &memory.shaft, &mut memory.last) && self.is_clear(eye, to, scenery)
    }

    /// Whether neither smoke nor a shut door is on the line.
    fn is_clear(&self, eye: P3, to: P3, scenery: &Scenery<'_>) -> bool {
        let shut = self.doors.iter().zip(scenery.shut).filter(|(_, is_shut)| **is_shut);
        !scenery.smokes.iter().any(|ball| ball.hides(eye, to))
            && shut.into_iter().all(|(door, _)| door.is_free_of_all(eye, to))
    }

    /// Points of the body's capsule, across the line of sight: where its outline is, and within.
    fn samples(&self, eye: P3, body: &Pose) -> [P3; SAMPLES] {
        let player = &self.player;
        let height = if body.is_crouched {
            player.height - (player.eye_standing - player.eye_crouched)
        } else {
            player.height
        };
        let (dx, dy) = (body.at[0] - eye[0], body.at[1] - eye[1]);
        let length = (dx * dx + dy * dy).sqrt();
        let side = if length > 1e-9 { [-dy / length, dx / length] } else { [1.0, 0.0] };
        let radius = player.radius.min(0.5 * height);
        std::array::from_fn(|index| {
            if index >= 25 {
                let up = if index == 25 { height } else { 0.0 };
                return [body.at[0], body.at[1], body.at[2] + up];
            }
            let (row, column) = (index / 5, index % 5);
            // The ends of a capsule are round.
            let (up, width) = [(0.5, 0.87), (1.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (-0.5, 0.87)][row];
            let up = match row {
                0 => height - radius * (1.0 - up),
                4 => radius * (1.0 + up),
                _ => 0.5 * height + up * (0.5 * height - radius),
            };
            let off = [0.0, -1.0, 1.0, -0.5, 0.5][column] * radius * width;
            [body.at[0] + side[0] * off, body.at[1] + side[1] * off, body.at[2] + up]
        })
    }
}

/// What is kept from line to line; it changes the work alone.
#[derive(Default)]
pub(crate) struct Memory {
    shaft: Vec<u32>,
    last: u32,
}
