//! Rings of points that share points and edges with earlier rings.
//!
//! Owns the points known so far and how a point is named by its neighbours. Promises: one ring, one spelling;
//! reading is total. Must not know what a ring bounds.

use super::models::Choice;
use super::range::Coder;
use super::wire::{Guess, Kind, Role, Values, Wrong};
use crate::geom::Point2;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Coordinates beyond are refused: ten times what a source allows.
const COORDINATE_LIMIT_M: f64 = 1e6;

/// What a ring bounds; its chances are learnt apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Solid,
    Floor,
    Piece,
    Cell,
}

const SHAPES: usize = 4;
/// No point.
const NONE: u32 = u32::MAX;

/// A point of an earlier ring and those that stood beside it.
struct Known {
    at: Point2,
    /// The points before it in the last two rings.
    before: [u32; 2],
    /// The point after it in the last ring.
    after: u32,
    /// Its last height as a floor's corner.
    z: f64,
}

/// Of a point: one of three neighbours of the point before it, another point known, a new one.
const NEIGHBOURS: usize = 3;
const OTHER: usize = 3;
const NEW: usize = 4;

/// The points of all rings so far.
pub(super) struct Points {
    known: Vec<Known>,
    index: HashMap<[u64; 2], u32, RandomState>,
    ways: [[Choice<8>; 8]; SHAPES],
    last_way: usize,
    last_known: u32,
}

impl Points {
    /// None yet.
    pub(super) fn new() -> Self {
        Self {
            known: Vec::new(),
            index: HashMap::default(),
            ways: [const { [const { Choice::new() }; 8] }; SHAPES],
            last_way: NEW,
            last_known: 0,
        }
    }

    /// The point of the last ring that ended with `point`, as where the next one goes on from.
    pub(super) fn find(&self, point: Option<&Point2>) -> Option<u32> {
        point.and_then(|point| self.index.get(&bits(point)).copied())
    }

    /// A ring of at least one point; `before` is the point that its first one may follow.
    ///
    /// `each` codes what belongs to a point, given its place in the ring and what was kept of the point.
    pub(super) fn ring<C: Coder>(
        &mut self,
        values: &mut Values<C>,
        shape: Shape,
        guesses: [Guess; 2],
        before: Option<u32>,
        ring: &[Point2],
        mut each: impl FnMut(&mut Values<C>, usize, &mut f64) -> Result<(), Wrong>,
    ) -> Result<Vec<Point2>, Wrong> {
        let mut indices: Vec<u32> = Vec::new();
        let corners = values.count(Kind::Corners(shape as usize), ring.len())?;
        for place in 0..corners {
            let last = indices.last().copied().or(before);
            let point = ring.get(place).copied().unwrap_or_default();
            let index = self.point(values, shape, guesses, last, point)?;
            each(values, place, &mut self.known[index as usize].z)?;
            indices.push(index);
            if values.coder.is_exhausted() {
                return Err("more bytes");
            }
        }
        for (place, &index) in indices.iter().enumerate() {
            let known = &mut self.known[index as usize];
            known.after = indices[(place + 1) % corners];
            known.before = [indices[(place + corners - 1) % corners], known.before[0]];
        }
        Ok(indices.iter().map(|&index| self.known[index as usize].at).collect())
    }

    fn neighbours(&self, last: Option<u32>) -> [u32; NEIGHBOURS] {
        last.map_or([NONE; NEIGHBOURS], |last| {
            let Known { before, after, .. } = &self.known[last as usize];
            [before[0], *after, before[1]]
        })
    }

    fn way(&self, shape: Shape, guesses: &[Guess; 2], last: Option<u32>, point: &Point2) -> (usize, u32) {
        let Some(&index) = self.index.get(&bits(point)) else { return (NEW, NONE) };
        let plain = guesses[0].mark(point.x).is_some() && guesses[1].mark(point.y).is_some();
        match self.neighbours(last).iter().position(|&neighbour| neighbour == index) {
            Some(way) => (way, index),
            None if shape == Shape::Cell && plain => (NEW, index),
            None => (OTHER, index),
        }
    }

    fn point<C: Coder>(
        &mut self,
        values: &mut Values<C>,
        shape: Shape,
        guesses: [Guess; 2],
        last: Option<u32>,
        point: Point2,
    ) -> Result<u32, Wrong> {
        let (way, index) = if C::WRITES { self.way(shape, &guesses, last, &point) } else { (NEW, NONE) };
        let way = self.ways[shape as usize][self.last_way].code(&mut values.coder, way);
        let index = match way {
            0..NEIGHBOURS => self.neighbours(last)[way],
            OTHER => {
                let back = i64::from(index) - i64::from(self.last_known);
                let back = values.int(Kind::Known(shape as usize), back)?;
                let index = back.checked_add(i64::from(self.last_known));
                index.and_then(|index| u32::try_from(index).ok()).ok_or("a point seen before")?
            }
            NEW => {
                let x = coordinate(values.number(Role::X, guesses[0], point.x)?)?;
                let y = coordinate(values.number(Role::Y, guesses[1], point.y)?)?;
                let read = Point2::new(x, y);
                if !C::WRITES && self.way(shape, &guesses, last, &read).0 != NEW {
                    return Err("a point's first spelling");
                }
                self.add(read)
            }
            _ => return Err("a way of naming a point"),
        };
        let at = self.known.get(index as usize).ok_or("a point seen before")?.at;
        if !C::WRITES && way != NEW && self.way(shape, &guesses, last, &at) != (way, index) {
            return Err("a point's first spelling");
        }
        (self.last_way, self.last_known) = (way, index);
        Ok(index)
    }

    fn add(&mut self, at: Point2) -> u32 {
        let next = self.known.len() as u32;
        let index = *self.index.entry(bits(&at)).or_insert(next);
        if index == next {
            self.known.push(Known { at, before: [NONE; 2], after: NONE, z: f64::NAN });
        }
        index
    }
}

fn bits(point: &Point2) -> [u64; 2] {
    [point.x.to_bits(), point.y.to_bits()]
}

/// Refuses a coordinate out of range, and what is no number.
pub(super) fn coordinate(value: f64) -> Result<f64, Wrong> {
    // NaN fails this comparison too.
    if value.abs() <= COORDINATE_LIMIT_M { Ok(value) } else { Err("a coordinate in range") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::file::wire::{Reader, Writer};
    use proptest::prelude::*;

    fn code<C: Coder>(values: &mut Values<C>, rings: &[Vec<Point2>]) -> Result<Vec<Vec<Point2>>, Wrong> {
        let mut points = Points::new();
        let mut end = None;
        values.many(Kind::Elements, rings, |values, ring| {
            let shape = [Shape::Solid, Shape::Cell][usize::from(end.is_some())];
            let guesses = [Guess::of([0.0, 1.0]); 2];
            let given = ring.map_or(&[][..], Vec::as_slice);
            let ring = points.ring(values, shape, guesses, end, given, |_, _, _| Ok(()))?;
            end = points.find(ring.last());
            Ok(ring)
        })
    }

    fn write(rings: &[Vec<Point2>]) -> Vec<u8> {
        let mut writer = Writer::new();
        assert_eq!(code(&mut writer, rings).as_deref(), Ok(rings));
        writer.finish()
    }

    fn read(bytes: &[u8]) -> Result<Vec<Vec<Point2>>, Wrong> {
        let mut reader = Reader::new(bytes)?;
        let rings = code(&mut reader, &[])?;
        reader.end()?;
        Ok(rings)
    }

    fn any_rings() -> impl Strategy<Value = Vec<Vec<Point2>>> {
        let point = (0..4_i32, 0..4_i32).prop_map(|(x, y)| Point2::new(f64::from(x) / 2.0, f64::from(y)));
        proptest::collection::vec(proptest::collection::vec(point, 0..7), 0..12)
    }

    proptest! {
        #[test]
        fn rings_come_back(rings in any_rings()) {
            prop_assert_eq!(read(&write(&rings)), Ok(rings));
        }

        #[test]
        fn other_bytes_are_refused_or_what_their_rings_give(
            rings in any_rings(), at in any::<prop::sample::Index>(), value in any::<u8>(),
        ) {
            let mut bytes = write(&rings);
            let index = at.index(bytes.len());
            bytes[index] = value;
            if let Ok(rings) = read(&bytes) {
                prop_assert_eq!(write(&rings), bytes);
            }
        }
    }

    #[test]
    fn a_ring_that_was_there_before_takes_little() {
        let ring: Vec<Point2> =
            (0..40).map(|n| Point2::new(f64::from(n).sin(), f64::from(n).cos())).collect();
        let (once, ten) = (write(std::slice::from_ref(&ring)).len(), write(&vec![ring; 10]).len());
        assert!(ten < once + 30, "{once} {ten}");
    }
}
