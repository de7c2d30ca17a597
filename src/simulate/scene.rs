//! What bots perceive: where everybody is, and who sees whom.
//!
//! Owns the sight lines of a tick. Promises: everybody is looked at as of the same tick. Must not know what comes of it.

use super::nav::Nav;
use super::pace::Pace;
use super::space::Space;
use crate::geom::{Point3, Vector3};
use crate::map::{DoorState, DynamicSolids, Map, Mask, Smoke, Solids};

/// Somebody, as others perceive them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Person {
    pub(super) feet: Point3,
    pub(super) eye: Point3,
    pub(super) vel: Vector3,
    pub(super) alive: bool,
    pub(super) side: u32,
    pub(super) health: i32,
}

/// Sight through what stands and what moves.
pub(super) struct Eyes<'a> {
    solids: &'a Solids,
    moving: DynamicSolids,
}

impl<'a> Eyes<'a> {
    pub(super) fn new(map: &Map, solids: &'a Solids) -> Self {
        Self { solids, moving: DynamicSolids::new(map) }
    }

    pub(super) fn set_doors(&mut self, open: &[bool]) {
        for (state, open) in self.moving.doors_mut().iter_mut().zip(open) {
            *state = if *open { DoorState::Open } else { DoorState::Closed };
        }
    }

    pub(super) fn set_smokes(&mut self, smokes: &[Smoke]) {
        self.moving.set_smokes(smokes);
    }

    /// Whether nothing stops sight between two points.
    pub(super) fn sees(&self, eye: Point3, point: Point3) -> bool {
        self.solids.blocker(eye, point, Mask::Sight, None).is_none()
            && self.moving.blocker(eye, point, Mask::Sight).is_none()
    }

    /// Whether nothing flies into something between two points.
    pub(super) fn flies(&self, from: Point3, to: Point3) -> bool {
        self.solids.blocker(from, to, Mask::Movement, None).is_none()
            && self.moving.blocker(from, to, Mask::Movement).is_none()
    }
}

/// All that a bot may look up while it thinks.
pub(super) struct Scene<'a> {
    pub(super) space: &'a Space,
    pub(super) nav: &'a Nav,
    pub(super) eyes: &'a Eyes<'a>,
    pub(super) pace: &'a Pace,
    /// Doors as they are, and all open.
    pub(super) open: &'a [bool],
    pub(super) all_open: &'a [bool],
    pub(super) people: &'a [Person],
    /// For each viewer, then each other: whether it sees it.
    pub(super) sights: &'a [bool],
    pub(super) tick: u32,
}

impl Scene<'_> {
    pub(super) fn ticks(&self, seconds: f64) -> u32 {
        (seconds / self.pace.tick_s).round().max(1.0) as u32
    }

    pub(super) fn sees(&self, viewer: usize, other: usize) -> bool {
        self.sights[viewer * self.people.len() + other]
    }

    /// The living enemies of somebody.
    pub(super) fn enemies(&self, me: usize) -> impl Iterator<Item = usize> + '_ {
        let side = self.people[me].side;
        (0..self.people.len()).filter(move |i| self.people[*i].alive && self.people[*i].side != side)
    }

    /// The nearest of some people.
    pub(super) fn nearest(&self, me: usize, among: impl Iterator<Item = usize>) -> Option<usize> {
        let distance = |i: usize| (self.people[i].feet - self.people[me].feet).norm();
        among.min_by(|a, b| distance(*a).total_cmp(&distance(*b)).then(a.cmp(b)))
    }

    /// Whether a standing body with its feet here shows its head or its chest to an eye.
    pub(super) fn is_exposed(&self, feet: Point3, eye: Point3) -> bool {
        let player = &self.space.player;
        let up = |z: f64| feet + Vector3::new(0.0, 0.0, z);
        self.eyes.sees(eye, up(player.eye_standing)) || self.eyes.sees(eye, up(0.6 * player.height))
    }
}

/// Who sees whom, by viewer, then by other.
pub(super) fn look(eyes: &Eyes<'_>, people: &[Person], sights: &mut Vec<bool>) {
    let count = people.len();
    sights.clear();
    sights.resize(count * count, false);
    for a in 0..count {
        for b in a + 1..count {
            let (one, other) = (&people[a], &people[b]);
            if !one.alive || !other.alive || one.side == other.side {
                continue;
            }
            let chest = |person: &Person| person.feet + (person.eye - person.feet) * 0.65;
            let heads = eyes.sees(one.eye, other.eye);
            sights[a * count + b] = heads || eyes.sees(one.eye, chest(other));
            sights[b * count + a] = heads || eyes.sees(other.eye, chest(one));
        }
    }
}
