//! Which places lead to which: by walking, over an edge, or by a jump.
//!
//! Promises: every way was walked or flown through once, with doors open. Must not know routes.

use super::{Link, Nav, Way};
use crate::geom::{Point3, Vector2};
use crate::simulate::course::{self, Leap};
use crate::simulate::pace::Pace;
use crate::simulate::space::{Near, Space, Touch, Walk};
use rayon::prelude::*;

/// Ways are tried out with this tick; the true one decides again.
const TRIAL_TICK_S: f64 = 1.0 / 64.0;
/// How far a walk goes, in squares.
const WALK_SQUARES: f64 = 1.9;
/// How far ahead an edge is looked for, metres.
const EDGE_M: f64 = 0.9;
/// How far ahead a ledge to jump onto is looked for, metres.
const LEDGE_M: f64 = 2.2;
/// Speeds at which leaps are tried.
const LEAP_MPS: [f64; 2] = [3.0, 4.5];
/// Eight directions.
const DIRECTIONS: [(f64, f64); 8] = [
    (1.0, 0.0),
    (0.707, 0.707),
    (0.0, 1.0),
    (-0.707, 0.707),
    (-1.0, 0.0),
    (-0.707, -0.707),
    (0.0, -1.0),
    (0.707, -0.707),
];

/// The ways from every place.
pub(super) fn find(nav: &Nav, space: &Space, open: &[bool]) -> Vec<Vec<Link>> {
    let from = |near: &mut Near, id: usize| {
        let mut finder = Finder { nav, touch: space.touch(near, open), pace: trial_pace(space), id };
        let mut links = finder.walks();
        links.extend(finder.drops());
        links.extend(finder.jumps());
        links
    };
    (0..nav.places.len()).into_par_iter().map_init(Near::default, from).collect()
}

fn trial_pace(space: &Space) -> Pace {
    Pace::new(&space.player, TRIAL_TICK_S)
}

struct Finder<'a> {
    nav: &'a Nav,
    touch: Touch<'a>,
    pace: Pace,
    id: usize,
}

impl Finder<'_> {
    fn place(&self) -> Point3 {
        self.nav.places[self.id]
    }

    fn walks(&mut self) -> Vec<Link> {
        let from = self.place();
        let (standing, crouched) = (self.touch.space.player.height, self.touch.space.crouched_height());
        let close = self.nav.near(from.xy(), WALK_SQUARES * self.nav.square_m);
        let mut links = Vec::new();
        for to in close.into_iter().filter(|to| *to as usize != self.id) {
            let target = self.nav.places[to as usize];
            if !self.touch.reaches(from, target, crouched) {
                continue;
            }
            let is_low = !self.touch.reaches(from, target, standing);
            let pace = if is_low { 0.3 } else { 1.0 };
            let seconds = (target - from).norm() / (pace * self.pace.speed_mps).max(0.1);
            let door = self.touch.door_between(from, target);
            links.push(Link { to, seconds, way: Way::Walk, door });
        }
        links
    }

    fn drops(&mut self) -> Vec<Link> {
        let from = self.place();
        let height = self.touch.space.player.height;
        let mut links: Vec<Link> = Vec::new();
        for (x, y) in DIRECTIONS {
            let way = Vector2::new(x, y);
            if let Walk::AtEdge(_) = self.touch.walk(from, from.xy() + way * EDGE_M, height) {
                links.extend(self.leap(way, Leap::Drop, Way::Drop));
            }
        }
        links
    }

    /// Towards what is higher than a step and no higher than a jump.
    fn jumps(&mut self) -> Vec<Link> {
        /// Ledges that are tried from a place, the nearest first.
        const TRIES: usize = 3;
        let from = self.place();
        let player = self.touch.space.player;
        let rise = |id: &u32| self.nav.places[*id as usize].z - from.z;
        let mut ledges = self.nav.near(from.xy(), LEDGE_M);
        ledges.retain(|id| rise(id) > player.step && rise(id) <= player.jump);
        let distance = |id: &u32| (self.nav.places[*id as usize].xy() - from.xy()).norm();
        ledges.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
        let mut links: Vec<Link> = Vec::new();
        for id in ledges.into_iter().take(TRIES) {
            let way = self.nav.places[id as usize].xy() - from.xy();
            if way.norm() > 0.0 {
                links.extend(self.leap(way.normalize(), Leap::Jump, Way::Jump));
            }
        }
        links
    }

    fn leap(&mut self, towards: Vector2, leap: Leap, way: Way) -> Option<Link> {
        let from = self.place();
        for speed in LEAP_MPS {
            let vel = towards * speed.min(self.pace.speed_mps);
            let Some(course) = course::plan(&mut self.touch, from, vel, leap, &self.pace) else { continue };
            let height = self.touch.space.player.height;
            let close = self.nav.near(course.landing.xy(), 1.0);
            let to = close
                .into_iter()
                .find(|to| self.touch.reaches(course.landing, self.nav.places[*to as usize], height))?;
            let rise = course.landing.z - from.z;
            let is_one = match leap {
                Leap::Jump => rise > self.touch.space.player.step,
                Leap::Drop => rise < -self.touch.space.player.step,
            };
            if is_one {
                let seconds = 0.5 + course.ticks.len() as f64 * self.pace.tick_s;
                let door = self.touch.door_between(from, course.landing);
                return door.is_none().then_some(Link { to, seconds, way, door });
            }
        }
        None
    }
}

/// Numbers the sets of places that are joined.
pub(super) fn islands(links: &[Vec<Link>]) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..links.len() as u32).collect();
    fn root(parent: &mut [u32], mut id: u32) -> u32 {
        while parent[id as usize] != id {
            parent[id as usize] = parent[parent[id as usize] as usize];
            id = parent[id as usize];
        }
        id
    }
    for (from, links) in links.iter().enumerate() {
        for link in links {
            let (a, b) = (root(&mut parent, from as u32), root(&mut parent, link.to));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    (0..links.len() as u32).map(|id| root(&mut parent, id)).collect()
}
