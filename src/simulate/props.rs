//! Things beside bots: smoke that flies and stands, weapons left by the dead.
//!
//! Owns their ids and times. Promises: an id is used again only long after it was gone. Must not know who threw or died.

use super::scene::Eyes;
use crate::geom::{Point3, Vector3};
use crate::map::Smoke;
use std::collections::VecDeque;

/// Gravity of what is thrown, m/s².
const GRAVITY: f64 = 9.8;
/// Pieces of an arc that are looked along.
const ARC_PIECES: u32 = 16;
const SMOKE_RADIUS_M: f64 = 2.8;
const SMOKE_UP_M: f64 = 1.2;
/// Depth that can't be looked through, metres: bots see as little as a filter with the usual rules lets them.
const SMOKE_DEPTH_M: f64 = 1.0;
const SMOKE_S: f64 = 12.0;
const DROP_S: f64 = 8.0;
/// Ids rest for this long, seconds.
const REST_S: f64 = 2.0;

/// A smoke on its way.
#[derive(Clone, Debug)]
pub(super) struct Thrown {
    pub(super) id: u32,
    pub(super) owner: usize,
    from: Point3,
    vel: Vector3,
    thrown: u32,
    lands: u32,
    tick_s: f64,
}

impl Thrown {
    /// Where it is at a tick.
    pub(super) fn at(&self, tick: u32) -> Point3 {
        let time_s = f64::from(tick - self.thrown) * self.tick_s;
        self.from + self.vel * time_s - Vector3::new(0.0, 0.0, 0.5 * GRAVITY * time_s * time_s)
    }

    /// Its velocity over the coming tick.
    pub(super) fn vel(&self, tick: u32) -> Vector3 {
        (self.at(tick + 1) - self.at(tick)) / self.tick_s
    }
}

/// A smoke that stands.
#[derive(Clone, Debug)]
pub(super) struct Cloud {
    pub(super) name: u32,
    pub(super) center: Point3,
    pub(super) radius: f64,
    pub(super) until: u32,
}

/// What a dead bot left.
#[derive(Clone, Debug)]
pub(super) struct Drop {
    pub(super) id: u32,
    pub(super) at: Point3,
    until: u32,
    pub(super) is_new: bool,
}

/// All things of a match.
pub(super) struct Props {
    pub(super) thrown: Vec<Thrown>,
    pub(super) clouds: Vec<Cloud>,
    pub(super) drops: Vec<Drop>,
    /// Ids that are gone since the last tick.
    pub(super) removed: Vec<u32>,
    free: VecDeque<(u32, u32)>,
    next_id: u32,
    clouds_so_far: u32,
    tick_s: f64,
}

impl Props {
    /// No things yet; their ids begin here.
    pub(super) fn new(first_id: u32, tick_s: f64) -> Self {
        Self {
            thrown: Vec::new(),
            clouds: Vec::new(),
            drops: Vec::new(),
            removed: Vec::new(),
            free: VecDeque::new(),
            next_id: first_id,
            clouds_so_far: 0,
            tick_s,
        }
    }

    fn ticks(&self, seconds: f64) -> u32 {
        (seconds / self.tick_s).round().max(1.0) as u32
    }

    fn take_id(&mut self, tick: u32) -> u32 {
        match self.free.front() {
            Some((id, since)) if tick - since > self.ticks(REST_S) => {
                let id = *id;
                self.free.pop_front();
                id
            }
            _ => {
                self.next_id += 1;
                self.next_id - 1
            }
        }
    }

    fn release(&mut self, id: u32, tick: u32) {
        self.removed.push(id);
        self.free.push_back((id, tick));
    }

    /// Lands what flew long enough, and clears what stood or lay long enough.
    pub(super) fn update(&mut self, tick: u32) {
        self.removed.clear();
        for landed in self.thrown.extract_if(.., |thrown| thrown.lands <= tick).collect::<Vec<_>>() {
            self.release(landed.id, tick);
            let center = landed.at(landed.lands) + Vector3::new(0.0, 0.0, SMOKE_UP_M);
            let until = tick + self.ticks(SMOKE_S);
            self.clouds.push(Cloud { name: self.clouds_so_far, center, radius: SMOKE_RADIUS_M, until });
            self.clouds_so_far += 1;
        }
        self.clouds.retain(|cloud| cloud.until >= tick);
        for gone in self.drops.extract_if(.., |drop| drop.until <= tick).collect::<Vec<_>>() {
            self.release(gone.id, tick);
        }
        self.drops.iter_mut().for_each(|drop| drop.is_new = false);
    }

    /// Throws a smoke, if its arc is free; whether it was.
    pub(super) fn throw(
        &mut self,
        eyes: &Eyes<'_>,
        owner: usize,
        from: Point3,
        to: Point3,
        tick: u32,
    ) -> bool {
        let way = to - from;
        let lands_in = self.ticks((way.norm() / 12.0).clamp(0.5, 2.0));
        let time_s = f64::from(lands_in) * self.tick_s;
        let vel = way / time_s + Vector3::new(0.0, 0.0, 0.5 * GRAVITY * time_s);
        if vel.norm() > 35.0 {
            return false;
        }
        let lands = tick + lands_in;
        let thrown = Thrown { id: 0, owner, from, vel, thrown: tick, lands, tick_s: self.tick_s };
        let at = |piece: u32| thrown.at(tick + lands_in * piece / ARC_PIECES);
        let is_free = (0..ARC_PIECES).all(|piece| eyes.flies(at(piece), at(piece + 1)));
        if is_free {
            let id = self.take_id(tick);
            self.thrown.push(Thrown { id, ..thrown });
        }
        is_free
    }

    /// Leaves a weapon.
    pub(super) fn drop(&mut self, at: Point3, tick: u32) {
        let id = self.take_id(tick);
        let until = tick + self.ticks(DROP_S);
        self.drops.push(Drop { id, at, until, is_new: true });
    }

    /// The clouds, as sight meets them.
    pub(super) fn smokes(&self) -> Vec<Smoke> {
        let smoke =
            |cloud: &Cloud| Smoke { center: cloud.center, radius: cloud.radius, depth: SMOKE_DEPTH_M };
        self.clouds.iter().map(smoke).collect()
    }
}
