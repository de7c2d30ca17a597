//! One bucket of a grid: entities that stand together, as lists by entity.
//!
//! Promises: it says in which tick it got or lost an entity or took one for something else, and which entities changed in
//! this one, so that what is kept of the others needs no look. Must not know who looks.

use super::grid::{Item, Key};
use crate::geom::Point3;

/// What rounding may do to a distance, as a part of it and in metres: where that could matter, the exact rule is asked.
pub(super) const ROUNDING: f64 = 1e-9;

/// One bucket.
#[derive(Debug, Default)]
pub(in crate::filter) struct Bucket {
    layer: usize,
    key: Key,
    items: Vec<Item>,
    /// Where each is: looked at first.
    spots: Vec<Spot>,
    /// Count of the tick in which its entities, or what they are taken for, changed last.
    shape: u64,
    /// Those that were taken in the tick of a count.
    taken: Vec<Taken>,
    taken_in: u64,
}

/// Where an entity is, and how far that matters.
#[derive(Clone, Copy, Debug)]
struct Spot {
    at: Point3,
    /// Distances to enter and to leave, metres; of what is not plain, numbers that no distance is beyond or within.
    bounds: [f64; 2],
    /// Square of its reach.
    reach: f64,
}

/// An entity that was taken in this tick, with all that most observers ask of it.
#[derive(Clone, Copy, Debug)]
pub(in crate::filter) struct Taken {
    pub(in crate::filter) index: u32,
    pub(in crate::filter) place: u32,
    spot: Spot,
}

impl Taken {
    /// Where it is to a point, as [`Bucket::side`] gives it.
    pub(super) fn side(&self, at: Point3) -> (Side, f64) {
        self.spot.side(at)
    }
}

impl Spot {
    fn of(item: &Item, reach: f64) -> Self {
        Self { at: item.at, bounds: bounds(item), reach }
    }

    #[inline]
    fn side(&self, at: Point3) -> (Side, f64) {
        let (distance_m, [enter_m, leave_m]) = ((self.at - at).norm(), self.bounds);
        let room_m = distance_m * ROUNDING + ROUNDING;
        if distance_m < enter_m - room_m {
            (Side::Near, enter_m - room_m - distance_m)
        } else if distance_m > leave_m + room_m {
            (Side::Far, distance_m - room_m - leave_m)
        } else if distance_m > enter_m + room_m && distance_m < leave_m - room_m {
            (Side::Between, f64::min(distance_m - enter_m, leave_m - distance_m) - room_m)
        } else {
            (Side::Open, 0.0)
        }
    }
}

/// Where an entity is to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::filter) enum Side {
    /// Within the radius to enter.
    Near,
    /// Between that and the radius to leave: near if it was.
    Between,
    /// Beyond the radius to leave.
    Far,
    /// Rounding may decide, or more than distance does.
    Open,
}

impl Side {
    /// Whether an entity on this side goes on as it was: near, or not.
    pub(super) fn is_settled(self, was_near: bool) -> bool {
        match self {
            Self::Near => was_near,
            Self::Between => true,
            Self::Far => !was_near,
            Self::Open => false,
        }
    }
}

impl Bucket {
    /// Its entities.
    pub(in crate::filter) fn items(&self) -> &[Item] {
        &self.items
    }

    /// Whether it has the same entities at the same indices, of the same kind, as in the tick before that of a count.
    pub(in crate::filter) fn is_as_before(&self, count: u64) -> bool {
        self.shape < count
    }

    /// Those that changed in the tick of a count, if it is as before.
    pub(in crate::filter) fn taken(&self, count: u64) -> &[Taken] {
        if self.taken_in == count { &self.taken } else { &[] }
    }

    /// Where an entity is to a point, and by how many metres at least it is not elsewhere.
    #[inline]
    pub(in crate::filter) fn side(&self, index: usize, at: Point3) -> (Side, f64) {
        self.spots[index].side(at)
    }

    /// Whether an entity is within its reach of a point, in the plan.
    pub(in crate::filter) fn is_in_reach(&self, index: usize, at: Point3) -> bool {
        let spot = &self.spots[index];
        (spot.at - at).xy().norm_squared() <= spot.reach
    }

    /// Calls `f` with those that are within their reach in the plan.
    pub(super) fn near(&self, at: Point3, f: &mut impl FnMut(&Item)) {
        (0..self.items.len())
            .filter(|&index| self.is_in_reach(index, at))
            .for_each(|index| f(&self.items[index]));
    }

    /// Its layer, and its column and row.
    pub(super) fn place(&self) -> (usize, Key) {
        (self.layer, self.key)
    }

    pub(super) fn is_at(&self, layer: usize, key: Key) -> bool {
        self.place() == (layer, key)
    }

    /// An empty one is used elsewhere.
    pub(super) fn move_to(&mut self, layer: usize, key: Key) {
        (self.layer, self.key) = (layer, key);
    }

    /// Takes an entity at an index as it is now; its reach is squared.
    pub(super) fn set(&mut self, index: usize, item: &Item, reach: f64) {
        let before = &self.items[index];
        if (before.id, before.match_id, before.plain) != (item.id, item.match_id, item.plain) {
            self.shape = item.version;
        }
        let spot = Spot::of(item, reach);
        self.items[index] = *item;
        self.spots[index] = spot;
        if self.taken_in != item.version {
            self.taken.clear();
            self.taken_in = item.version;
        }
        self.taken.push(Taken { index: index as u32, place: item.place, spot });
    }

    pub(super) fn push(&mut self, item: &Item, reach: f64) {
        self.items.push(*item);
        self.spots.push(Spot::of(item, reach));
        self.shape = item.version;
    }

    pub(super) fn swap_remove(&mut self, index: usize, count: u64) {
        self.items.swap_remove(index);
        self.spots.swap_remove(index);
        self.shape = count;
    }

    /// More than distance decides about an entity.
    pub(super) fn set_complex(&mut self, index: usize, count: u64) {
        if self.items[index].plain.take().is_some() {
            self.spots[index].bounds = bounds(&self.items[index]);
            self.shape = count;
        }
    }
}

/// Distances to enter and to leave, metres.
fn bounds(item: &Item) -> [f64; 2] {
    let Some(relevance) = item.plain else { return [f64::NAN, f64::INFINITY] };
    [relevance.enter_m, relevance.leave_m].map(|radius_m| radius_m + item.radius_m)
}
