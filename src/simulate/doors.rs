//! Doors: who opens them, and when they close by themselves.
//!
//! Promises: a door never closes where a body could not stop before it. Must not know why one wants through.

use super::body::Body;
use super::space::Space;

/// A door stays open for this long, seconds.
const OPEN_S: f64 = 4.0;
/// Room that is left around a door that closes, beyond what bodies need to stop, metres.
const ROOM_M: f64 = 1.0;

/// The doors of a match.
#[derive(Clone, Debug)]
pub(super) struct Doors {
    pub(super) open: Vec<bool>,
    since: Vec<u32>,
    asked: Vec<bool>,
    /// Those that changed in this tick.
    pub(super) changed: Vec<u32>,
}

impl Doors {
    /// All closed, which the first tick tells.
    pub(super) fn new(count: usize) -> Self {
        Self {
            open: vec![false; count],
            since: vec![0; count],
            asked: vec![false; count],
            changed: (0..count as u32).collect(),
        }
    }

    /// Has a door open from the next tick on.
    pub(super) fn ask(&mut self, door: u32) {
        self.asked[door as usize] = true;
    }

    /// Opens what was asked for and closes what nobody is near.
    pub(super) fn update(&mut self, space: &Space, bodies: &[&Body], tick: u32, tick_s: f64) {
        self.changed.clear();
        for door in 0..self.open.len() {
            let asked = std::mem::take(&mut self.asked[door]);
            if asked {
                self.since[door] = tick;
            }
            let is_due = f64::from(tick - self.since[door]) * tick_s > OPEN_S;
            let opens = asked && !self.open[door];
            let closes = self.open[door] && is_due && is_clear(space, bodies, door as u32);
            if opens || closes {
                self.open[door] = opens;
                self.changed.push(door as u32);
            }
        }
    }
}

fn is_clear(space: &Space, bodies: &[&Body], door: u32) -> bool {
    let player = &space.player;
    let stops_m = player.max_speed * player.max_speed / (2.0 * player.max_accel.max(1e-3));
    let room_m = ROOM_M + player.radius + stops_m;
    bodies.iter().all(|body| {
        // Who is in the air comes down somewhere on the way to its landing.
        let flight_m = body.landing().map_or(0.0, |landing| (landing - body.feet).xy().norm());
        space.door_distance(door, body.feet.xy()) > room_m + flight_m
    })
}
