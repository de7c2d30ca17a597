//! Entities by place: a uniform grid of buckets, and a coarser one for each kind of larger radius.
//!
//! Owns which bucket each entity is in. Promises: whatever lies within its own reach of a point is found from there,
//! at any coordinates; an entity that stays in its bucket costs one write. Errs towards more: reaches are rounded up.
//! Must not know what is looked for.

use super::bucket::Bucket;
use crate::geom::{Point2, Point3};
use crate::ids::{EntityId, MatchId};
use crate::rules::Relevance;
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Buckets along a reach: with more, fewer entities are looked at that lie too far, and more buckets are.
const BUCKETS_PER_REACH: f64 = 4.0;
/// Reaches that differ by less than this share a grid.
const LIKE: f64 = 1.3;
/// Room in a grid's reach for the bodies' own extent, metres; longer bodies go to the next one.
const EXTENT_ROOM_M: f64 = 2.0;
/// Least edge of a bucket, metres.
const LEAST_EDGE_M: f64 = 4.0;
/// How far one may move, in parts of a bucket's edge, before the buckets around are listed anew.
const MARGIN: f64 = 0.25;
/// Buckets that are looked up one by one.
const MOST_BUCKETS: u64 = 4096;
/// What rounding may do to a distance: a part of it, and metres. It errs towards more.
const ROUNDING: (f64, f64) = (1e-15, 1e-6);

/// Where in the grids an entity is: its bucket, and its index there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    pub(super) bucket: u32,
    pub(super) at: u32,
}

/// In no bucket.
const NOWHERE: u32 = u32::MAX;

impl Default for Seat {
    fn default() -> Self {
        Self { bucket: NOWHERE, at: 0 }
    }
}

/// An entity as its bucket knows it.
#[derive(Clone, Copy, Debug)]
pub(in crate::filter) struct Item {
    pub(in crate::filter) place: u32,
    pub(in crate::filter) id: EntityId,
    pub(in crate::filter) at: Point3,
    pub(in crate::filter) radius_m: f64,
    /// Its relevance radius, if distance alone decides about it.
    pub(in crate::filter) plain: Option<Relevance>,
    pub(in crate::filter) match_id: MatchId,
    /// Count of the tick in which it was taken last.
    pub(in crate::filter) version: u64,
}

/// Column and row.
pub(super) type Key = (i64, i64);

/// The grids, by reach.
#[derive(Debug)]
pub(super) struct Grid {
    layers: Vec<Layer>,
    /// Of all layers.
    buckets: Vec<Bucket>,
    free: Vec<u32>,
    /// Changes whenever a bucket comes or goes.
    version: u64,
}

/// When a list of the buckets around a point was made, and for how many metres around that point it holds.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::filter) struct Surroundings {
    version: u64,
    from: Point3,
    margin_m: f64,
}

/// The buckets of entities of like reach.
#[derive(Debug)]
struct Layer {
    reach_m: f64,
    edge_m: f64,
    /// No order of it is ever looked at.
    keys: HashMap<Key, u32, FixedState>,
}

impl Grid {
    /// Grids for these reaches, metres; infinite ones are in none.
    pub(super) fn new(reaches_m: impl Iterator<Item = f64>) -> Self {
        let mut reaches: Vec<f64> = reaches_m.filter(|reach| reach.is_finite()).collect();
        reaches.sort_unstable_by(f64::total_cmp);
        let mut layers: Vec<Layer> = Vec::new();
        // From the longest down: each grid is as coarse as its longest reach asks.
        for reach in reaches.into_iter().rev() {
            if layers.last().is_none_or(|layer| reach * LIKE < layer.reach_m) {
                layers.push(Layer::new(reach + EXTENT_ROOM_M));
            }
        }
        layers.reverse();
        Self { layers, buckets: Vec::new(), free: Vec::new(), version: 0 }
    }

    /// Whether a reach is short enough for any grid.
    pub(super) fn holds(&self, reach_m: f64) -> bool {
        self.layer(reach_m).is_some()
    }

    fn layer(&self, reach_m: f64) -> Option<usize> {
        let layer = self.layers.partition_point(|layer| layer.reach_m < reach_m);
        (layer < self.layers.len()).then_some(layer)
    }

    /// Puts an entity where it is now; one of which no grid holds the reach is taken out.
    pub(super) fn enter(&mut self, item: &Item, reach_m: f64, seats: &mut [Seat]) {
        let Item { place, at, version, .. } = *item;
        let Some(layer) = self.layer(reach_m) else { return self.leave(place, version, seats) };
        let seat = seats[place as usize];
        let key = self.layers[layer].key(at.x, at.y);
        if let Some(bucket) = self.buckets.get_mut(seat.bucket as usize)
            && bucket.is_at(layer, key)
        {
            bucket.set(seat.at as usize, item, squared(reach_m));
            return;
        }
        self.leave(place, version, seats);
        let index = self.bucket(layer, key);
        let bucket = &mut self.buckets[index as usize];
        seats[place as usize] = Seat { bucket: index, at: bucket.items().len() as u32 };
        bucket.push(item, squared(reach_m));
    }

    /// Takes an entity out, in the tick of a count.
    pub(super) fn leave(&mut self, place: u32, count: u64, seats: &mut [Seat]) {
        let seat = std::mem::take(&mut seats[place as usize]);
        let Some(bucket) = self.buckets.get_mut(seat.bucket as usize) else { return };
        bucket.swap_remove(seat.at as usize, count);
        if let Some(moved) = bucket.items().get(seat.at as usize) {
            seats[moved.place as usize].at = seat.at;
        }
        if bucket.items().is_empty() {
            let (layer, key) = bucket.place();
            self.layers[layer].keys.remove(&key);
            self.free.push(seat.bucket);
            self.version += 1;
        }
    }

    /// From the tick of this count on, more than distance decides about an entity.
    pub(super) fn set_complex(&mut self, place: u32, count: u64, seats: &[Seat]) {
        let seat = seats[place as usize];
        if let Some(bucket) = self.buckets.get_mut(seat.bucket as usize) {
            bucket.set_complex(seat.at as usize, count);
        }
    }

    /// One of the buckets that [`Grid::buckets_around`] names.
    pub(super) fn at(&self, bucket: u32) -> &Bucket {
        &self.buckets[bucket as usize]
    }

    /// Calls `f` with the buckets of all whose reach comes to a point within the surroundings, and some besides.
    pub(super) fn buckets_around(&self, surroundings: &Surroundings, mut f: impl FnMut(u32)) {
        let &Surroundings { from: at, margin_m, .. } = surroundings;
        for (index, layer) in self.layers.iter().enumerate().filter(|(_, layer)| !layer.keys.is_empty()) {
            let reach_m = (layer.reach_m + margin_m) * (1.0 + ROUNDING.0) + ROUNDING.1;
            let room = |x: f64| reach_m + x.abs() * ROUNDING.0;
            let low = layer.key(at.x - room(at.x), at.y - room(at.y));
            let high = layer.key(at.x + room(at.x), at.y + room(at.y));
            self.visit(index, [low, high], |bucket| {
                if !layer.is_beyond(self.at(bucket).place().1, at, reach_m) {
                    f(bucket);
                }
            });
        }
    }

    /// The surroundings of a point, from where they hold for a while.
    pub(super) fn surroundings(&self, at: Point3) -> Surroundings {
        let layers = self.layers.iter().filter(|layer| !layer.keys.is_empty());
        let edge_m = layers.map(|layer| layer.edge_m).fold(f64::INFINITY, f64::min);
        let margin_m = if edge_m.is_finite() { edge_m * MARGIN } else { 0.0 };
        Surroundings { version: self.version, from: at, margin_m }
    }

    /// Whether the buckets around a point are among those of the surroundings.
    pub(super) fn is_within(&self, at: Point3, surroundings: &Surroundings) -> bool {
        let moved_m = (at - surroundings.from).norm() * (1.0 + ROUNDING.0) + ROUNDING.1;
        surroundings.version == self.version && moved_m < surroundings.margin_m
    }

    /// Calls `f` with all whose reach comes to a point, and some besides.
    pub(super) fn around(&self, at: Point3, mut f: impl FnMut(&Item)) {
        let surroundings = Surroundings { from: at, ..Surroundings::default() };
        self.buckets_around(&surroundings, |bucket| self.at(bucket).near(at, &mut f));
    }

    /// Calls `f` with all that stand between two corners, and some besides.
    pub(super) fn within(&self, [low, high]: [Point2; 2], mut f: impl FnMut(&Item)) {
        for (index, layer) in self.layers.iter().enumerate().filter(|(_, layer)| !layer.keys.is_empty()) {
            let corners = [low, high].map(|corner| layer.key(corner.x, corner.y));
            self.visit(index, corners, |bucket| self.at(bucket).items().iter().for_each(&mut f));
        }
    }

    /// Calls `f` with the buckets of a layer between two corners, and some besides.
    fn visit(&self, layer: usize, [low, high]: [Key; 2], mut f: impl FnMut(u32)) {
        let counts = [(low.0, high.0), (low.1, high.1)];
        let [columns, rows] = counts.map(|(low, high)| high.abs_diff(low).saturating_add(1));
        // Where a region is so large, or numbers are so large that rounding spans many buckets, all are looked at.
        if columns.saturating_mul(rows) > MOST_BUCKETS {
            let all = (0..).zip(&self.buckets);
            all.filter(|(_, bucket)| bucket.place().0 == layer && !bucket.items().is_empty())
                .for_each(|(index, _)| f(index));
            return;
        }
        for column in low.0..=high.0 {
            for row in low.1..=high.1 {
                self.layers[layer].keys.get(&(column, row)).into_iter().for_each(|&index| f(index));
            }
        }
    }

    fn bucket(&mut self, layer: usize, key: Key) -> u32 {
        let Self { layers, buckets, free, version } = self;
        *layers[layer].keys.entry(key).or_insert_with(|| {
            let index = free.pop().unwrap_or_else(|| {
                buckets.push(Bucket::default());
                buckets.len() as u32 - 1
            });
            buckets[index as usize].move_to(layer, key);
            *version += 1;
            index
        })
    }
}

impl Layer {
    fn new(reach_m: f64) -> Self {
        let edge_m = f64::max(reach_m / BUCKETS_PER_REACH, LEAST_EDGE_M);
        Self { reach_m, edge_m, keys: HashMap::default() }
    }

    /// Whether a bucket lies farther from a point than a reach, in the plan; where rounding could matter, it does not.
    fn is_beyond(&self, (column, row): Key, at: Point3, reach_m: f64) -> bool {
        let beside = |key: i64, x: f64| {
            // The first and the last bucket have no end.
            if key == i64::MIN || key == i64::MAX {
                return 0.0;
            }
            let (low, high) = (key as f64 * self.edge_m, (key as f64 + 1.0) * self.edge_m);
            let room_m = ROUNDING.1 + (x.abs() + low.abs()) * (2.0 * ROUNDING.0);
            (f64::max(low - x, x - high) - room_m).max(0.0)
        };
        let [x, y] = [beside(column, at.x), beside(row, at.y)];
        x * x + y * y > reach_m * reach_m
    }

    /// Numbers beyond all buckets are in the last one.
    fn key(&self, x: f64, y: f64) -> Key {
        [x, y].map(|at| (at / self.edge_m).floor() as i64).into()
    }
}

/// The square of a reach, rounded up.
fn squared(reach_m: f64) -> f64 {
    let reach_m = reach_m * (1.0 + ROUNDING.0) + ROUNDING.1;
    reach_m * reach_m
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn item(place: u32, at: Point3) -> Item {
        let (id, match_id) = (EntityId::new(place, 0), MatchId(0));
        Item { place, id, at, radius_m: 0.0, plain: None, match_id, version: 0 }
    }

    /// Everything that is within its reach of a point is found, each once, whatever moved or left before.
    fn check(steps: &[(u32, f64, f64, f64)], viewers: &[(f64, f64)]) {
        let mut grid = Grid::new([5.0, 30.0, 33.0, 300.0, f64::INFINITY].into_iter());
        let mut seats = vec![Seat::default(); 64];
        let mut there: Vec<Option<(Point3, f64)>> = vec![None; 64];
        for &(place, x, y, reach) in steps {
            let at = Point3::new(x, y, 1.0);
            if reach < 0.0 {
                grid.leave(place, 0, &mut seats);
                there[place as usize] = None;
            } else {
                grid.enter(&item(place, at), reach, &mut seats);
                there[place as usize] = grid.holds(reach).then_some((at, reach));
            }
        }
        for &(x, y) in viewers {
            let at = Point3::new(x, y, 0.0);
            let mut found = Vec::new();
            grid.around(at, |item| found.push(item.place));
            found.sort_unstable();
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "each once");
            for (place, entity) in there.iter().enumerate() {
                let Some((pos, reach)) = entity else {
                    assert!(!found.contains(&(place as u32)));
                    continue;
                };
                let is_near = (pos.xy() - at.xy()).norm() <= *reach;
                assert!(!is_near || found.contains(&(place as u32)), "{pos} from {at}, {reach} m");
            }
        }
    }

    proptest! {
        #[test]
        fn whatever_is_in_reach_is_found(
            steps in prop::collection::vec(
                (0..64_u32, -400.0..400.0_f64, -400.0..400.0_f64, -20.0..310.0_f64), 0..200),
            viewers in prop::collection::vec((-400.0..400.0_f64, -400.0..400.0_f64), 1..8),
        ) {
            check(&steps, &viewers);
        }
    }

    #[test]
    fn borders_of_buckets_and_huge_coordinates_lose_nobody() {
        let edge = (300.0 + EXTENT_ROOM_M) / BUCKETS_PER_REACH;
        for offset in [0.0, -edge, 1e6, -1e9, 1e15, -1e300, f64::MAX] {
            let steps: Vec<_> =
                (0..64).map(|i| (i, offset + f64::from(i) * edge / 8.0, -offset, 300.0)).collect();
            check(&steps, &[(offset, -offset), (offset + 300.0, -offset), (offset - 1e-9, -offset + 300.0)]);
        }
    }

    #[test]
    fn empty_buckets_are_used_again() {
        let mut grid = Grid::new(std::iter::once(10.0));
        let mut seats = [Seat::default()];
        for step in 0..1000 {
            grid.enter(&item(0, Point3::new(f64::from(step) * 50.0, 0.0, 0.0)), 10.0, &mut seats);
        }
        assert!(grid.buckets.len() <= 2 && grid.layers[0].keys.len() == 1);
    }
}
