//! Whose turn it is: weights that grow, and queues of which only as much is sorted as is looked at.
//!
//! Promises: a total order of disclosed values and names; nothing starves. Where k of n have room in a tick and gains
//! are from g to G (a quarter of it for what did not change), one waits at most T = n/k · (2 + G/g · ln T) ticks: each
//! service starts a weight from 0, so another comes before it again only once its own wait has grown by 1 + g/G.
//! Must not know what is sent.

use super::{Course, Courses, Met, Moment, NONE, Queue, Turn};
use crate::held::Held;
use crate::rules::Priority;
use crate::tick::Tick;
use crate::wire::{Level, PriorityFacts};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Turns that are sorted at once.
const CHUNK: usize = 64;
/// So many ticks ahead of what is known already is what is new.
const HEAD_START_TICKS: f64 = 8.0;
/// No weight grows beyond: sums stay exact enough to grow at all.
const MOST_WEIGHT: f64 = 1e12;
/// How much a level's changes matter, from `Heard` to `Owner`: enemies in sight more than a team's markers.
const LEVEL_WEIGHTS: [f64; 5] = [0.25, 0.5, 1.0, 0.5, 1.0];

/// Lets the weights of all that are told of grow.
pub(super) fn grow(at: &Moment<'_>, courses: &mut Courses, met: &Met) {
    for &slot in &met.told {
        let course = &mut courses.slots[slot as usize];
        let Some(facts) = at.record(course).map(|record| record.facts) else { continue };
        let gain = gain(at.policy.priority(course.class), course.level, &facts);
        #[cfg(test)]
        let gain = gain + crate::planted::gain(facts.distance_m);
        // While nothing was to be said of it, it was not looked at.
        let grown = if course.is_back { at.number - 1 } else { course.grown };
        let ticks =
            if course.is_sent || course.turn > 0.0 { (at.number - grown) as f64 } else { HEAD_START_TICKS };
        course.grown = at.number;
        course.turn = (course.turn + gain * ticks).min(MOST_WEIGHT);
        course.is_turn = is_turn(at, course, finite(facts.distance_m));
        course.keep_alive_ticks = keep_alive_ticks(at, course);
    }
}

/// What a tick adds to a weight; a number of no sense counts as 0.
fn gain(priority: &Priority, level: Level, facts: &PriorityFacts) -> f64 {
    let Priority { base, near, half_distance_m, size, speed, interaction, view_cone } = *priority;
    let mut sum = base + near * half_distance_m / (half_distance_m + finite(facts.distance_m));
    sum += size * finite(facts.size_m) + speed * finite(facts.speed_mps);
    sum += if facts.has_met { interaction } else { 0.0 };
    sum += if facts.is_in_view_cone { view_cone } else { 0.0 };
    level.index().map_or(0.0, |index| sum * LEVEL_WEIGHTS[index])
}

fn finite(value: f64) -> f64 {
    if value.is_finite() { value.max(0.0) } else { 0.0 }
}

/// Whether changes are told at this distance now: in every so many-th tick, spread by name; or at once where it had its
/// turn and no room, or was not told of in between.
fn is_turn(at: &Moment<'_>, course: &Course, distance_m: f64) -> bool {
    let every = at.policy.every_ticks(course.class, distance_m, at.rings);
    let step = |tick: Tick| tick.0.wrapping_add(u32::from(course.net.id.0)) / every;
    every == 1 || course.is_back || course.waits.is_some() || step(at.tick) != step(at.before)
}

/// Ticks after which one that is told of is touched, spread by name so that not all come at once.
fn keep_alive_ticks(at: &Moment<'_>, course: &Course) -> u32 {
    let ticks = at.policy.keep_alive_ticks(course.class);
    ticks - u32::from(course.net.id.0) % (ticks / 4).max(1)
}

impl Turn {
    /// The weightiest first; of equal ones by name.
    fn order(&self, other: &Self) -> Ordering {
        other.weight.total_cmp(&self.weight).then(self.id.cmp(&other.id))
    }
}

impl Queue {
    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        self.turns.held_bytes()
    }

    pub(super) fn clear(&mut self) {
        self.turns.clear();
        (self.sorted, self.first) = (0, 0);
    }

    /// Makes room for so many.
    pub(super) fn make_room(&mut self, turns: usize) {
        self.clear();
        self.turns.reserve(turns);
    }

    pub(super) fn push(&mut self, turn: Turn) {
        self.turns.push(turn);
    }

    /// Bundles that still wait.
    pub(super) fn waiting(&self) -> usize {
        self.turns[self.first..].iter().filter(|turn| turn.root != NONE).count()
    }

    /// Calls `write` with the roots of those that wait, in their order: it says whether one is done, or breaks off.
    pub(super) fn each(&mut self, mut write: impl FnMut(u32) -> ControlFlow<(), bool>) {
        let mut index = self.first;
        while index < self.turns.len() {
            if index == self.sorted {
                self.sort_on();
            }
            let root = self.turns[index].root;
            if root != NONE {
                match write(root) {
                    ControlFlow::Continue(true) => self.turns[index].root = NONE,
                    ControlFlow::Continue(false) => self.turns[index].is_missed = true,
                    ControlFlow::Break(()) => return,
                }
            }
            index += 1;
            while self.turns.get(self.first).is_some_and(|turn| turn.root == NONE && self.first < index) {
                self.first += 1;
            }
        }
    }

    /// One that was done out of its turn; whether it was in this queue.
    pub(super) fn drop_root(&mut self, root: u32) -> bool {
        let found = self.turns.iter_mut().find(|turn| turn.root == root);
        found.map(|turn| turn.root = NONE).is_some()
    }

    /// Whether the first in order found no room.
    pub(super) fn has_missed(&self) -> bool {
        self.turns.first().is_some_and(|turn| turn.is_missed)
    }

    /// The first in order, if it still waits.
    pub(super) fn overlooked(&mut self) -> Option<u32> {
        if self.sorted == 0 && !self.turns.is_empty() {
            self.sort_on();
        }
        self.turns.first().map(|turn| turn.root).filter(|root| *root != NONE)
    }

    /// Sorts the next chunk: the first ones of those that are not sorted yet.
    fn sort_on(&mut self) {
        let rest = &mut self.turns[self.sorted..];
        let chunk = CHUNK.min(rest.len());
        if chunk < rest.len() {
            rest.select_nth_unstable_by(chunk, Turn::order);
        }
        rest[..chunk].sort_unstable_by(Turn::order);
        self.sorted += chunk;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::NetId;

    fn turns(count: u16) -> Vec<Turn> {
        let weight = |i: u16| f64::from(i.wrapping_mul(40_503) % 50);
        (0..count)
            .map(|i| Turn { weight: weight(i), id: NetId(i), root: u32::from(i), is_missed: false })
            .collect()
    }

    #[test]
    fn a_queue_is_walked_in_its_order_and_again_over_what_was_left() {
        for count in [0, 1, 63, 64, 65, 300] {
            let mut sorted = turns(count);
            sorted.sort_unstable_by(Turn::order);
            let expected: Vec<u32> = sorted.iter().map(|turn| turn.root).collect();
            let mut queue = Queue::default();
            turns(count).into_iter().rev().for_each(|turn| queue.push(turn));
            let mut seen = Vec::new();
            queue.each(|root| {
                seen.push(root);
                ControlFlow::Continue(root % 3 == 0)
            });
            assert_eq!(seen, expected);
            let left: Vec<u32> = expected.iter().copied().filter(|root| root % 3 != 0).collect();
            assert_eq!(queue.waiting(), left.len());
            seen.clear();
            queue.each(|root| {
                seen.push(root);
                if seen.len() == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(true) }
            });
            assert_eq!(seen, left[..left.len().min(10)]);
        }
    }

    #[test]
    fn what_is_near_fast_met_or_looked_at_gains_more_and_nonsense_gains_nothing() {
        let priority = Priority {
            base: 1.0,
            near: 4.0,
            half_distance_m: 10.0,
            size: 0.0,
            speed: 0.5,
            interaction: 3.0,
            view_cone: 2.0,
        };
        let far = PriorityFacts { distance_m: 10.0, ..PriorityFacts::default() };
        let gain = |facts| gain(&priority, Level::Seen, &facts);
        assert_eq!(gain(far), 3.0);
        assert_eq!(gain(PriorityFacts { distance_m: 0.0, ..far }), 5.0);
        assert_eq!(gain(PriorityFacts { speed_mps: 4.0, ..far }), 5.0);
        assert_eq!(gain(PriorityFacts { has_met: true, ..far }), 6.0);
        assert_eq!(gain(PriorityFacts { is_in_view_cone: true, ..far }), 5.0);
        assert_eq!(gain(PriorityFacts { speed_mps: f64::NAN, ..far }), 3.0);
        assert_eq!(gain(PriorityFacts { distance_m: f64::INFINITY, ..far }), 5.0);
        assert_eq!(super::gain(&priority, Level::Team, &far), 1.5);
    }
}
