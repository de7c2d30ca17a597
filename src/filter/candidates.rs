//! Who is looked at at all: bundles, and what is near enough.
//!
//! Owns the order of parents before what they carry, and which entities a relevance radius held before.
//! Promises: equal for equal sets of entities, whatever their order. What carries itself, or is carried by nothing
//! that is there, errs towards hidden; the radius is the rules'. Must not know rights or geometry.

use super::Lent;
use crate::ids::EntityId;
use crate::rules::Relevance;
use crate::world::Entity;

/// Most that may carry each other in a row; beyond it all are hidden.
const MOST_DEEP: usize = 8;

/// What an entity is carried by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    /// Nothing.
    None,
    /// The entity at this place.
    At(usize),
    /// What is not there, or can't carry it.
    Lost,
}

/// Bundles of one tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Bundles {
    carriers: Vec<Carrier>,
    /// Depth, then slot, then place.
    order: Vec<(u8, u32, u32)>,
}

impl Bundles {
    /// Takes the entities of a tick; those that the roster refused are left out.
    pub(super) fn refresh(&mut self, lent: &Lent<'_>) {
        let entities = lent.world.entities;
        self.carriers.clear();
        self.carriers.extend(entities.iter().map(|entity| carrier(lent, entity)));
        self.order.clear();
        for (place, entity) in entities.iter().enumerate() {
            if lent.entities.place(entity.id) != Ok(place) {
                continue;
            }
            let (mut depth, mut at) = (0, place);
            while let Carrier::At(next) = self.carriers[at]
                && depth <= MOST_DEEP
            {
                (depth, at) = (depth + 1, next);
            }
            self.order.push((depth as u8, entity.id.index, place as u32));
        }
        self.order.sort_unstable();
        // Those too deep, or in a ring, carry nothing and are carried by nothing that is told.
        for &(depth, _, place) in
            self.order.iter().rev().take_while(|(depth, ..)| usize::from(*depth) > MOST_DEEP)
        {
            debug_assert!(usize::from(depth) > MOST_DEEP);
            self.carriers[place as usize] = Carrier::Lost;
        }
    }

    /// Places of all entities that were taken: parents first, then by slot.
    pub(super) fn in_order(&self) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().map(|&(.., place)| place as usize)
    }

    pub(super) fn carrier(&self, place: usize) -> Carrier {
        self.carriers[place]
    }
}

fn carrier(lent: &Lent<'_>, entity: &Entity<'_>) -> Carrier {
    let Some(parent) = entity.parent else { return Carrier::None };
    let Ok(place) = lent.entities.place(parent) else { return Carrier::Lost };
    let class = lent.world.entities[place].class;
    let may = lent.rules.class_links(entity.class).is_some_and(|links| links.carried_by.contains(&class));
    if may { Carrier::At(place) } else { Carrier::Lost }
}

/// No tick has this count.
const NEVER: u64 = u64::MAX;

/// Which entities an observer's relevance radius held in the tick before.
#[derive(Clone, Debug, Default)]
pub(super) struct Nearby {
    /// By slot: the generation, and the count of the tick.
    last: Vec<(u32, u64)>,
}

impl Nearby {
    /// Makes room for so many slots.
    pub(super) fn make_room(&mut self, slots: usize) {
        self.last.reserve(slots.saturating_sub(self.last.len()));
    }

    /// Whether an entity is near enough to be looked at: within the radius to enter, or, where it was before, to leave.
    pub(super) fn holds(
        &mut self,
        relevance: Relevance,
        id: EntityId,
        distance_m: impl Fn() -> f64,
        count: u64,
    ) -> bool {
        if relevance.enter_m == f64::INFINITY {
            return true;
        }
        let index = id.index as usize;
        if self.last.len() <= index {
            self.last.resize(index + 1, (0, NEVER));
        }
        let last = &mut self.last[index];
        let was_near = *last == (id.generation, count - 1) || *last == (id.generation, count);
        let is_near = distance_m() <= if was_near { relevance.leave_m } else { relevance.enter_m };
        if is_near {
            *last = (id.generation, count);
        }
        is_near
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_near_goes_on_to_be_until_the_outer_radius() {
        let relevance = Relevance { enter_m: 10.0, leave_m: 12.0 };
        let (mut nearby, id) = (Nearby::default(), EntityId::new(3, 1));
        assert!(
            !nearby.holds(relevance, EntityId::new(4, 0), || 11.0, 1),
            "nothing was before the first tick"
        );
        let mut at = |distance_m, count| nearby.holds(relevance, id, || distance_m, count);
        assert!(!at(11.0, 1) && at(9.0, 2) && at(11.0, 3) && at(11.9, 4) && !at(12.1, 5) && !at(11.0, 6));
        assert!(!at(11.0, 8), "a tick was missed");
        assert!(at(9.0, 9));
        assert!(!nearby.holds(relevance, EntityId::new(3, 2), || 11.0, 10), "another one in the slot");
    }
}
