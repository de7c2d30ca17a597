//! The quickest way from place to place.
//!
//! Owns the search and what it keeps between searches. Promises: equal routes are told apart by their places' numbers.
//! Must not know what a bot wants there.

use super::nav::{Link, Nav, Way};
use crate::geom::Point3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A place on a route and how one gets there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) at: Point3,
    pub(super) place: u32,
    pub(super) way: Way,
    pub(super) door: Option<u32>,
}

/// What leaps cost against their time: those who like them take detours for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taste {
    Plain,
    Leaps,
}

/// The search's memory.
#[derive(Default)]
pub(super) struct Router {
    seconds: Vec<f64>,
    came: Vec<(u32, u32)>,
    queue: BinaryHeap<Open>,
}

#[derive(PartialEq)]
struct Open {
    total: f64,
    place: u32,
}

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        other.total.total_cmp(&self.total).then(other.place.cmp(&self.place))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Router {
    /// The stops from a place to another, the first left out; none where no way leads there.
    pub(super) fn find(
        &mut self,
        nav: &Nav,
        (from, to): (u32, u32),
        speed_mps: f64,
        taste: Taste,
        banned: &[(u32, u32)],
    ) -> Option<Vec<Stop>> {
        if nav.islands[from as usize] != nav.islands[to as usize] {
            return None;
        }
        self.seconds.clear();
        self.seconds.resize(nav.places.len(), f64::INFINITY);
        self.came.resize(nav.places.len(), (0, 0));
        self.queue.clear();
        let goal = nav.places[to as usize];
        let left = |place: u32| (nav.places[place as usize] - goal).norm() / speed_mps;
        self.seconds[from as usize] = 0.0;
        self.queue.push(Open { total: left(from), place: from });
        // Leaps that are liked count less than their length: the bound on what is left would be too high.
        let weight = if taste == Taste::Leaps { 0.25 } else { 1.0 };
        while let Some(Open { place, .. }) = self.queue.pop() {
            if place == to {
                return Some(self.backwards(nav, from, to));
            }
            for (index, link) in nav.links[place as usize].iter().enumerate() {
                if !banned.is_empty() && banned.contains(&(place, link.to)) {
                    continue;
                }
                let seconds = self.seconds[place as usize] + cost(link, taste);
                if seconds < self.seconds[link.to as usize] {
                    self.seconds[link.to as usize] = seconds;
                    self.came[link.to as usize] = (place, index as u32);
                    self.queue.push(Open { total: seconds + weight * left(link.to), place: link.to });
                }
            }
        }
        None
    }

    fn backwards(&self, nav: &Nav, from: u32, to: u32) -> Vec<Stop> {
        let mut stops = Vec::new();
        let mut place = to;
        while place != from {
            let (before, index) = self.came[place as usize];
            let Link { way, door, .. } = nav.links[before as usize][index as usize];
            stops.push(Stop { at: nav.places[place as usize], place, way, door });
            place = before;
        }
        stops.reverse();
        stops
    }
}

fn cost(link: &Link, taste: Taste) -> f64 {
    match (link.way, taste) {
        (Way::Walk, _) => link.seconds,
        (_, Taste::Plain) => link.seconds * 1.5,
        (_, Taste::Leaps) => link.seconds * 0.25,
    }
}
