//! Which entities an observer's relevance radius held in the tick before.
//!
//! Promises: what came nearer than the inner radius is held until it is farther than the outer one; memory is for what
//! is held, not for what exists. The radius is the rules'. Must not know rights.

use crate::ids::EntityId;
use crate::rules::Relevance;

/// No tick has this count.
const NEVER: u64 = u64::MAX;

/// What one observer's radius holds.
#[derive(Clone, Debug, Default)]
pub(in crate::filter) struct Nearby {
    held: Vec<EntityId>,
    /// Count of the tick that `held` is of.
    count: u64,
}

/// The same by slot while one observer is judged: a thread's room, which says nothing afterwards.
#[derive(Clone, Debug, Default)]
pub(in crate::filter) struct Marks {
    /// By slot: the turn, the generation, and whether it is held in this tick.
    marks: Vec<(u32, u32, bool)>,
    turn: u32,
}

impl Nearby {
    /// One that held nothing yet.
    pub(in crate::filter) fn new() -> Self {
        Self { held: Vec::new(), count: NEVER }
    }

    /// Begins the tick of this count: what was held in the one before is marked.
    pub(in crate::filter) fn begin(&mut self, count: u64, slots: usize, marks: &mut Marks) {
        marks.turn = marks.turn.wrapping_add(1);
        if marks.turn == 0 {
            marks.marks.fill((0, 0, false));
            marks.turn = 1;
        }
        if marks.marks.len() < slots {
            marks.marks.resize(slots, (0, 0, false));
        }
        if self.count.wrapping_add(1) == count {
            for id in &self.held {
                marks.mark(*id, false);
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
        if distance_m > relevance.leave_m {
            return false;
        }
        let (was_near, is_held) = marks.of(id);
        if distance_m > relevance.enter_m && !was_near {
            return false;
        }
        if !is_held && relevance.leave_m > relevance.enter_m {
            marks.mark(id, true);
            self.held.push(id);
        }
        true
    }
}

impl Marks {
    fn mark(&mut self, id: EntityId, is_held: bool) {
        let index = id.index as usize;
        if self.marks.len() <= index {
            self.marks.resize(index + 1, (0, 0, false));
        }
        self.marks[index] = (self.turn, id.generation, is_held);
    }

    /// Whether it was held before or is now, and whether it is now.
    fn of(&self, id: EntityId) -> (bool, bool) {
        match self.marks.get(id.index as usize) {
            Some(&(turn, generation, is_held)) if turn == self.turn && generation == id.generation => {
                (true, is_held)
            }
            _ => (false, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_near_goes_on_to_be_until_the_outer_radius() {
        let relevance = Relevance { enter_m: 10.0, leave_m: 12.0 };
        let (mut nearby, mut marks, id) = (Nearby::new(), Marks::default(), EntityId::new(3, 1));
        let mut at = |id: EntityId, distance_m, count| {
            nearby.begin(count, 4, &mut marks);
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
        let (mut nearby, mut marks, id) = (Nearby::new(), Marks::default(), EntityId::new(3, 1));
        nearby.begin(0, 4, &mut marks);
        assert!(nearby.holds(relevance, id, 9.0, &mut marks));
        assert!(nearby.holds(relevance, id, 11.0, &mut marks), "as the first of the two held it");
        assert_eq!(nearby.held, [id]);
    }
}
