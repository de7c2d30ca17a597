//! Who hears what: sounds, and entities that make one all the time.
//!
//! Owns hearing distances and bands. Promises: the place of a sound is told on its band's grid alone, which is fixed
//! to the world; more is told only to who knows the emitter. Distance errs to less, which lets more be heard; what
//! is off the cells is measured in a straight line. Must not know levels of what is not heard.

use super::Lent;
use crate::geom::Point3;
use crate::map::{CellId, Mask};
use crate::rules::{Naming, SoundClass, SoundPath};
use crate::wire::Level;

/// A place where something is heard from or at, and the cell of the feet there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) at: Point3,
    pub(super) cell: Option<CellId>,
}

impl Spot {
    /// A place in a tick in which nothing is heard.
    pub(super) fn silent(at: Point3) -> Self {
        Self { at, cell: None }
    }

    /// A place, for feet at `feet`.
    pub(super) fn new(lent: &Lent<'_>, at: Point3, feet: Point3) -> Self {
        Self { at, cell: lent.baked.cells.cell_at(feet) }
    }
}

/// How far away a sound is, if it is heard; `muffles` says whether a closed door is between.
pub(super) fn hearing_m(
    lent: &Lent<'_>,
    class: &SoundClass,
    ear: &Spot,
    source: &Spot,
    muffles: impl Fn(Point3, Point3) -> bool,
) -> Option<f64> {
    let straight_m = (source.at - ear.at).norm();
    if straight_m > class.radius_m {
        return None;
    }
    let distance_m = match (class.path, ear.cell, source.cell) {
        (SoundPath::Walking, Some(a), Some(b)) => {
            let hearable = &lent.baked.hearable;
            match hearable.walk_lower_bound_m(a, b) {
                Some(walk_m) => walk_m.max(straight_m),
                // Beyond what the bake tells apart a walk is at least that long.
                None if class.radius_m > hearable.radius_m() => hearable.radius_m().max(straight_m),
                None => return None,
            }
        }
        _ => straight_m,
    };
    let is_behind = class.wall_factor < 1.0 && distance_m > class.radius_m * class.wall_factor && {
        lent.baked.solids.blocker(ear.at, source.at, Mask::Sound, None).is_some()
            || muffles(ear.at, source.at)
    };
    (distance_m <= class.radius_m && !is_behind).then_some(distance_m)
}

/// The band on which a place is told to who knows the emitter at `level`.
pub(super) fn band(class: &SoundClass, distance_m: f64, level: Level) -> u8 {
    let precise = class.precise.filter(|precise| level > Level::Hidden && level >= precise.from);
    precise.and(class.precise_band()).unwrap_or_else(|| class.band_at(distance_m))
}

/// Whether who knows the emitter at `level` is told that it was the emitter.
pub(super) fn names_emitter(class: &SoundClass, level: Level) -> bool {
    match class.emitter {
        Naming::Never => false,
        Naming::From(least) => level > Level::Hidden && level >= least,
    }
}
