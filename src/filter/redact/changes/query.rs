//! Queries: what is asked for, and what is remembered of the last answer.
//!
//! Promises: what a query knows is one bit for each entity that is remembered. Must not know what is told.

use super::memory::Slot;
use crate::geom::Point3;
use crate::held::Held;
use crate::tick::Tick;
use crate::world::Region;

/// What an observer is asked about: [`Server::register_query`](crate::Server::register_query).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeQuery {
    /// Where: an entity is where it is told to be.
    pub bounds: Bounds,
    /// Categories, by bit: all of them must be among those of the entity, as the game lent them; 0 asks for all entities.
    pub categories: u64,
    /// What counts as a change.
    pub of: ChangeOf,
    /// The last tick whose state the asker holds; one that is not remembered, or is still to come, makes the first answer
    /// a full one.
    pub since: Tick,
}

/// Where a query looks, edges included, in metres. What is told without a place is in all bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bounds {
    /// A part of the plan, at all heights.
    Plan(Region),
    /// A box along the axes.
    Space {
        /// The least coordinates.
        low: Point3,
        /// The greatest ones; one below `low` makes a box that holds nothing.
        high: Point3,
    },
}

/// What counts as a change of an entity that is told in both of two ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChangeOf {
    /// Its level, any of its fields, what carries it, or where it is told to be.
    #[default]
    Anything,
    /// Where it is told to be alone; of what is carried, where its carrier is.
    Place,
}

/// Why a query can't be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// The last tick served no observer of this handle.
    #[error("no such observer was served in the last tick")]
    NoObserver,
    /// It was unregistered, or its observer left.
    #[error("the query's handle is stale: it was unregistered, or its observer left")]
    Stale,
}

impl Bounds {
    /// All places.
    pub const EVERYWHERE: Self = Self::Space {
        low: Point3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
        high: Point3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
    };

    /// Whether the point is in them; in bounds with a number that is not a number, none is.
    pub fn contains(&self, point: Point3) -> bool {
        match self {
            Self::Plan(region) => region.contains(point.xy()),
            Self::Space { low, high } => {
                (0..3).all(|axis| low[axis] <= point[axis] && point[axis] <= high[axis])
            }
        }
    }
}

/// A place for queries, used again.
#[derive(Debug, Default)]
pub(super) struct Query {
    pub(super) generation: u32,
    pub(super) is_asked: bool,
    pub(super) asked: Asked,
}

/// A query as it goes on.
#[derive(Debug)]
pub(super) struct Asked {
    bounds: Bounds,
    categories: u64,
    of: ChangeOf,
    /// Count of the tick of the last answer; none where the next one is full.
    pub(super) since: Option<u64>,
    /// Whether the bounds are not those of the last answer.
    pub(super) has_moved: bool,
    /// What the last answer left its asker with, by slots.
    pub(super) known: Bits,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            bounds: Bounds::EVERYWHERE,
            categories: 0,
            of: ChangeOf::Anything,
            since: None,
            has_moved: false,
            known: Bits::default(),
        }
    }
}

impl Asked {
    pub(super) fn begin(&mut self, query: &ChangeQuery, since: Option<u64>, slots: usize) {
        let ChangeQuery { bounds, categories, of, .. } = *query;
        let mut known = std::mem::take(&mut self.known);
        known.clear();
        known.make_room(slots);
        *self = Self { bounds, categories, of, since, has_moved: false, known };
    }

    pub(super) fn set_bounds(&mut self, bounds: Bounds) {
        self.has_moved |= self.bounds != bounds;
        self.bounds = bounds;
    }

    /// Whether an entity is told, and asked for.
    pub(super) fn covers(&self, slot: &Slot) -> bool {
        slot.is_told
            && slot.categories & self.categories == self.categories
            && slot.place.is_none_or(|place| self.bounds.contains(place))
    }

    /// Whether a change since then counts.
    pub(super) fn counts(&self, slot: &Slot, since: u64) -> bool {
        let last = match self.of {
            ChangeOf::Anything => slot.changed,
            ChangeOf::Place => slot.moved,
        };
        last > since
    }
}

/// A set of slots.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Makes room for so many slots.
    pub(super) fn make_room(&mut self, slots: usize) {
        let words = slots.div_ceil(64);
        if self.0.len() < words {
            self.0.resize(words, 0);
        }
    }

    pub(super) fn held_bytes(&self) -> usize {
        self.0.held_bytes()
    }

    pub(super) fn has(&self, slot: u32) -> bool {
        self.0[slot as usize / 64] >> (slot % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, slot: u32, is_in: bool) {
        let word = &mut self.0[slot as usize / 64];
        let bit = 1 << (slot % 64);
        *word = if is_in { *word | bit } else { *word & !bit };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Point2;

    #[test]
    fn edges_belong_to_bounds_and_what_is_no_number_holds_nothing() {
        let low = Point3::new(0.0, 0.0, 1.0);
        let space = |high: f64| Bounds::Space { low, high: Point3::new(4.0, 4.0, high) };
        assert!(space(3.0).contains(low) && space(3.0).contains(Point3::new(4.0, 0.0, 3.0)));
        assert!(!space(3.0).contains(Point3::new(4.0, 0.0, 3.1)) && !space(0.5).contains(low));
        assert!(!space(f64::NAN).contains(low));
        let disc = Bounds::Plan(Region::Disc { center: Point2::new(0.0, 0.0), radius_m: 5.0 });
        assert!(disc.contains(Point3::new(3.0, 4.0, 1e9)) && !disc.contains(Point3::new(3.0, 4.1, 0.0)));
        assert!(Bounds::EVERYWHERE.contains(Point3::new(f64::MAX, -f64::MAX, 0.0)));
    }
}
