//! What is carried by what, and in which order carriers come before what they carry.
//!
//! Promises: equal for equal sets of entities, whatever their order. What carries itself, or is carried by nothing
//! that is there, errs towards hidden. Must not know who is told.

use super::Lent;
use crate::world::Entity;

/// Most that may carry each other in a row; beyond it all are hidden.
const MOST_DEEP: usize = 8;

/// What an entity is carried by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::filter) enum Carrier {
    /// Nothing.
    None,
    /// The entity at this place.
    At(usize),
    /// What is not there, or can't carry it.
    Lost,
}

/// Bundles of one tick.
#[derive(Clone, Debug, Default)]
pub(in crate::filter) struct Bundles {
    carriers: Vec<Carrier>,
    depths: Vec<u8>,
    /// Places by depth, then by slot.
    order: Vec<u32>,
    deep: Vec<(u8, u32)>,
}

impl Bundles {
    /// Takes the entities of a tick; those that the roster refused are left out.
    pub(super) fn refresh(&mut self, lent: &Lent<'_>) {
        let entities = lent.world.entities;
        let Self { carriers, depths, order, deep } = self;
        carriers.clear();
        carriers.extend(entities.iter().map(|entity| carrier(lent, entity)));
        depths.clear();
        depths.resize(entities.len(), 0);
        order.clear();
        order.reserve(entities.len());
        deep.clear();
        for place in lent.entities.in_slots() {
            let (mut depth, mut at) = (0, place);
            while let Carrier::At(next) = carriers[at]
                && depth <= MOST_DEEP
            {
                (depth, at) = (depth + 1, next);
            }
            depths[place] = depth as u8;
            if depth == 0 {
                order.push(place as u32);
            } else {
                deep.push((depth as u8, place as u32));
            }
        }
        // Stable: by slot within a depth.
        for depth in 1..=MOST_DEEP as u8 + 1 {
            let of_depth = deep.iter().filter(|(of, _)| *of == depth);
            order.extend(of_depth.map(|&(_, place)| place));
        }
        // Those too deep, or in a ring, carry nothing and are carried by nothing that is told.
        for &(_, place) in deep.iter().filter(|(depth, _)| usize::from(*depth) > MOST_DEEP) {
            carriers[place as usize] = Carrier::Lost;
        }
    }

    /// The entity at a place is carried by nothing and carries nothing; nor was what was there before.
    pub(super) fn set_alone(&mut self, place: usize) {
        self.carriers[place] = Carrier::None;
        self.depths[place] = 0;
    }

    /// Makes room for so many places.
    pub(super) fn resize(&mut self, places: usize) {
        self.carriers.resize(places, Carrier::None);
        self.depths.resize(places, 0);
    }

    /// Places of all entities that were taken when it was made anew: parents first, then by slot.
    pub(super) fn all(&self) -> &[u32] {
        &self.order
    }

    pub(in crate::filter) fn carrier(&self, place: usize) -> Carrier {
        self.carriers[place]
    }

    /// Steps from an entity to the outermost that carries it.
    pub(super) fn depth(&self, place: usize) -> u8 {
        self.depths[place]
    }
}

fn carrier(lent: &Lent<'_>, entity: &Entity<'_>) -> Carrier {
    let Some(parent) = entity.parent else { return Carrier::None };
    let Ok(place) = lent.entities.place(parent) else { return Carrier::Lost };
    let class = lent.world.entities[place].class;
    let may = lent.rules.class_links(entity.class).is_some_and(|links| links.carried_by.contains(&class));
    if may { Carrier::At(place) } else { Carrier::Lost }
}
