//! The tick after the last one in sight: a client shows what lies between two states, and needs both.
//!
//! Owns who was in sight of an observer in the tick before. Promises: what is hidden is told for one tick more where it
//! was in sight before and moved on from there, and never longer; rights are not touched. Must not know why it is hidden.

use super::{HiddenBy, Relevancy};
use crate::ids::EntityId;

/// Who was in sight, by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaving {
    slots: Vec<Last>,
}

/// The last tick in which the user of a slot was in sight, by the filter's count.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    generation: u32,
    count: u64,
}

impl Leaving {
    /// The verdict with that tick added; errs towards visible, by what a body moves within a tick.
    pub(super) fn tell(&mut self, entity: EntityId, now: Relevancy, moves_on: bool, count: u64) -> Relevancy {
        let index = entity.index as usize;
        if now == Relevancy::Sighted {
            if self.slots.len() <= index {
                self.slots.resize(index + 1, Last::default());
            }
            self.slots[index] = Last { generation: entity.generation, count };
            return now;
        }
        let was_in_sight = self
            .slots
            .get(index)
            .is_some_and(|last| last.generation == entity.generation && last.count + 1 == count);
        let is_hidden_on_the_way = matches!(
            now,
            Relevancy::Hidden(HiddenBy::Door | HiddenBy::Pvs | HiddenBy::Sight | HiddenBy::Smoke)
        );
        if was_in_sight && is_hidden_on_the_way && moves_on { Relevancy::Sighted } else { now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tick_is_added_and_no_more() {
        let (mut leaving, id) = (Leaving::default(), EntityId::new(3, 1));
        let (seen, hidden) = (Relevancy::Sighted, Relevancy::Hidden(HiddenBy::Sight));
        let far = Relevancy::Hidden(HiddenBy::Radius);
        let told = [(10, seen), (11, hidden), (12, hidden), (13, seen), (14, far), (15, seen), (17, hidden)]
            .map(|(count, now)| leaving.tell(id, now, true, count));
        assert_eq!(told, [seen, seen, hidden, seen, far, seen, hidden]);
        leaving.tell(id, seen, true, 20);
        assert_eq!(leaving.tell(id, hidden, false, 21), hidden, "a teleport leaves nothing between");
        leaving.tell(id, seen, true, 30);
        assert_eq!(leaving.tell(EntityId::new(3, 2), hidden, true, 31), hidden, "another one in its slot");
    }
}
