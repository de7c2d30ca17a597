//! Which entities an observer's relevance radius held in the tick before.
//!
//! Promises: what came nearer than the inner radius is held until it is farther than the outer one; memory is for what
//! is held, not for what exists. The radius is the rules'. Must not know rights.

use crate::held::Held;
use crate::ids::EntityId;
use crate::rules::Relevance;

/// What one observer's radius holds.
#[derive(Clone, Debug, Default)]
pub(in crate::filter) struct Nearby {
    held: Vec<EntityId>,
    /// Count of the tick that `held` is of.
    count: u64,
}

/// What is known of each slot while one observer is judged: a thread's room, which says nothing afterwards.
#[derive(Clone, Debug, Default)]
pub(in crate::filter) struct Marks {
    marks: Vec<Mark>,
    turn: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    turn: u32,
    generation: u32,
    /// The entry of the frame that tells of it, or [`NO_ENTRY`].
    entry: u32,
    /// Whether it was near in the tick before or is now.
    is_near: bool,
    /// Whether it is listed among what is held.
    is_held: bool,
}

const NO_ENTRY: u32 = u32::MAX;

/// Whether a radius holds what is at this distance, for one that held it in the tick before or did not.
pub(in crate::filter) fn holds(relevance: Relevance, distance_m: f64, was_held: bool) -> bool {
    distance_m <= relevance.enter_m || (was_held && distance_m <= relevance.leave_m)
}

impl Nearby {
    /// Bytes that are held.
    pub(in crate::filter) fn held_bytes(&self) -> usize {
        self.held.held_bytes()
    }

    /// Begins the tick of this count: what was held in the one before is marked.
    pub(in crate::filter) fn begin(&mut self, count: u64, marks: &mut Marks) {
        if self.count.wrapping_add(1) == count {
            for id in &self.held {
                marks.of_mut(*id).is_near = true;
            }
        }
        self.held.clear();
        self.count = count;
    }

    /// Whether an entity is near enough to be looked at: within the radius to enter, or, where it was before, to leave.
    pub(in crate::filter) fn holds(
        &mut self,
        relevance: Relevance,
        id: EntityId,
        distance_m: f64,
        marks: &mut Marks,
    ) -> bool {
        // Only between the two does it matter what was before.
        if distance_m > relevance.enter_m && !holds(relevance, distance_m, marks.was_near(id)) {
            return false;
        }
        if relevance.leave_m > relevance.enter_m {
            let mark = marks.of_mut(id);
            mark.is_near = true;
            if !std::mem::replace(&mut mark.is_held, true) {
                self.held.push(id);
            }
        }
        true
    }
}

impl Marks {
    /// Begins another observer, in a world of so many slots.
    pub(in crate::filter) fn begin(&mut self, slots: usize) {
        self.turn = self.turn.wrapping_add(1);
        if self.turn == 0 {
            self.marks.fill(Mark::default());
            self.turn = 1;
        }
        if self.marks.len() < slots {
            self.marks.resize(slots, Mark::default());
        }
    }

    /// Whether an entity was near in the tick before, or is now.
    pub(in crate::filter) fn was_near(&self, id: EntityId) -> bool {
        self.of(id).is_some_and(|mark| mark.is_near)
    }

    /// The entry of the frame that tells of an entity.
    pub(in crate::filter) fn entry(&self, id: EntityId) -> Option<u32> {
        self.of(id).map(|mark| mark.entry).filter(|entry| *entry != NO_ENTRY)
    }

    /// Notes the entry of the frame that tells of an entity.
    pub(in crate::filter) fn set_entry(&mut self, id: EntityId, entry: u32) {
        self.of_mut(id).entry = entry;
    }

    /// Notes that an entity was near.
    pub(in crate::filter) fn set_near(&mut self, id: EntityId, is_near: bool) {
        self.of_mut(id).is_near |= is_near;
    }

    fn of(&self, id: EntityId) -> Option<&Mark> {
        let mark = self.marks.get(id.index as usize)?;
        (mark.turn == self.turn && mark.generation == id.generation).then_some(mark)
    }

    fn of_mut(&mut self, id: EntityId) -> &mut Mark {
        let index = id.index as usize;
        if self.marks.len() <= index {
            self.marks.resize(index + 1, Mark::default());
        }
        let mark = &mut self.marks[index];
        if mark.turn != self.turn || mark.generation != id.generation {
            let (turn, generation) = (self.turn, id.generation);
            *mark = Mark { turn, generation, entry: NO_ENTRY, is_near: false, is_held: false };
        }
        mark
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_near_goes_on_to_be_until_the_outer_radius() {
        let relevance = Relevance { enter_m: 10.0, leave_m: 12.0 };
        let (mut nearby, mut marks, id) = (Nearby::default(), Marks::default(), EntityId::new(3, 1));
        let mut at = |id: EntityId, distance_m, count| {
            marks.begin(4);
            nearby.begin(count, &mut marks);
            nearby.holds(relevance, id, distance_m, &mut marks)
        };
        assert!(!at(EntityId::new(4, 0), 11.0, 1), "nothing was before the first tick");
        let mut id_at = |distance_m, count| at(id, distance_m, count);
        assert!(!id_at(11.0, 1) && id_at(9.0, 2) && id_at(11.0, 3) && id_at(11.9, 4));
        assert!(!id_at(12.1, 5) && !id_at(11.0, 6));
        assert!(!id_at(11.0, 8), "a tick was missed");
        assert!(id_at(9.0, 9));
        assert!(!at(EntityId::new(3, 2), 11.0, 10), "another one in the slot");
    }

    #[test]
    fn two_knowers_of_one_tick_hold_the_same() {
        let relevance = Relevance { enter_m: 10.0, leave_m: 12.0 };
        let (mut nearby, mut marks, id) = (Nearby::default(), Marks::default(), EntityId::new(3, 1));
        marks.begin(4);
        nearby.begin(0, &mut marks);
        assert!(nearby.holds(relevance, id, 9.0, &mut marks));
        assert!(nearby.holds(relevance, id, 11.0, &mut marks), "as the first of the two held it");
        assert_eq!(nearby.held, [id]);
    }
}
