//! What one answer about a line says of the lines beside it: all that run from near its one end to near its other.
//!
//! Owns the tube of lines. Promises: "free" only where no solid comes near any of them, "held" only for lines within.
//! Errs to no, which changes the work alone: then a line is asked for by itself. Must not know who looks.

use super::{Shaft, Spread, Volume, WindowTest};
use crate::geom::{Point3, ZRange};
use crate::map::solids::{Mask, PieceId, Solids};

/// All lines from within a distance of one point to within it of another, in the plan and in height.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tube {
    from: Point3,
    to: Point3,
    radius_m: f64,
}

impl Tube {
    /// The tube around the line between two points.
    pub(crate) fn around(from: Point3, to: Point3, radius_m: f64) -> Self {
        Self { from, to, radius_m }
    }

    /// Whether the line from one point to the other is one of it.
    #[inline]
    pub(crate) fn holds(&self, from: Point3, to: Point3) -> bool {
        let is_near = |a: Point3, b: Point3| {
            let off = a - b;
            (off.xy().norm_squared() <= self.radius_m * self.radius_m) & (off.z.abs() <= self.radius_m)
        };
        is_near(from, self.from) & is_near(to, self.to)
    }

    /// Where its lines begin.
    fn eye(&self) -> Spread {
        let z = ZRange::new(self.from.z - self.radius_m, self.from.z + self.radius_m);
        Spread::around(self.from.xy(), self.radius_m, z)
    }
}

impl WindowTest {
    /// Whether no solid stops any line of the tube; it errs to no.
    pub(crate) fn is_free(&self, solids: &Solids, tube: &Tube) -> bool {
        let regions = [[tube.from.xy()], [tube.to.xy()]];
        let volume = |region, at: Point3| {
            let z = ZRange::new(at.z - tube.radius_m, at.z + tube.radius_m);
            Volume { region, radius: tube.radius_m, z }
        };
        let shaft = Shaft::between(&volume(&regions[0], tube.from), &volume(&regions[1], tube.to));
        let (low, high) = shaft.bounds();
        let mut is_free = true;
        solids.for_each_touching(low, high, |PieceId(index), piece| {
            let touches = || Mask::Sight.selects(piece.blocks) && shaft.touches(&self.occluders, index);
            is_free = is_free && !touches();
        });
        is_free
    }

    /// Whether a piece alone stops every line of the tube to feet near its end, and to all that is within `around_m`
    /// of them in the plan and at these heights over them; it errs to no.
    pub(crate) fn is_stopped(&self, piece: PieceId, tube: &Tube, around_m: f64, over: ZRange) -> bool {
        let (to, radius_m) = (tube.to, tube.radius_m);
        let z = ZRange::new(to.z + over.low - radius_m, to.z + over.high + radius_m);
        self.is_stopped_by(piece.0, &tube.eye(), &Spread::around(to.xy(), radius_m + around_m, z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Vector3;
    use crate::map::Map;
    use proptest::prelude::*;
    use std::cell::Cell;

    fn scene() -> (Solids, WindowTest) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/maps/two_staggered_walls_fuse.ron");
        let map = Map::load(path).expect("the map is valid").map;
        let solids = Solids::build(&map);
        let window = WindowTest::new(&solids);
        (solids, window)
    }

    #[test]
    fn lines_of_a_tube_are_as_it_says() {
        let (solids, window) = scene();
        let (low, high) = solids.pieces().iter().map(|piece| piece.outline.bounds()).fold(
            (crate::geom::Point2::new(1e9, 1e9), crate::geom::Point2::new(-1e9, -1e9)),
            |(low, high), (a, b)| (low.inf(&a), high.sup(&b)),
        );
        let size = high - low + crate::geom::Vector2::new(4.0, 4.0);
        let (free, stopped) = (Cell::new(0), Cell::new(0));
        let unit = || proptest::array::uniform3(-1.0..1.0_f64);
        let place = || proptest::array::uniform3(0.0..1.0_f64);
        proptest!(ProptestConfig::with_cases(4000), |(a in place(), b in place(), offs in [unit(), unit()])| {
            let at = |p: [f64; 3]| {
                Point3::new(low.x - 2.0 + p[0] * size.x, low.y - 2.0 + p[1] * size.y, 0.3 + 1.5 * p[2])
            };
            let tube = Tube::around(at(a), at(b), 0.2);
            let moved = |p: Point3, off: [f64; 3]| {
                let plan = Vector3::new(off[0], off[1], 0.0) * (0.2 / 2.0_f64.sqrt());
                p + plan + Vector3::new(0.0, 0.0, 0.2 * off[2])
            };
            let (from, to) = (moved(tube.from, offs[0]), moved(tube.to, offs[1]));
            prop_assert!(tube.holds(from, to));
            let blocker = solids.blocker(from, to, Mask::Sight, None);
            if window.is_free(&solids, &tube) {
                free.set(free.get() + 1);
                prop_assert!(blocker.is_none(), "{from:?} does not see {to:?}");
            }
            let piece = solids.blocker(tube.from, tube.to, Mask::Sight, None);
            let over = ZRange::new(0.0, 0.0);
            if piece.is_some_and(|piece| window.is_stopped(piece, &tube, 0.0, over)) {
                stopped.set(stopped.get() + 1);
                let is_inside = solids.holds(from, Mask::Sight);
                prop_assert!(is_inside || blocker.is_some(), "{from:?} sees {to:?}");
            }
        });
        assert!(free.get() > 100 && stopped.get() > 100, "{free:?} tubes free, {stopped:?} stopped");
    }
}
