//! What may stop sight now and not in a moment: the doors and smokes of one tick.
//!
//! Promises: a door counts only while it is closed and the viewer can't reach it; smoke only if it stands through the
//! lead and the viewer is not in its rim. Errs towards visible. Must not know pairs.

use super::smoke::Cloud;
use crate::filter::Lent;
use crate::geom::{ConvexPolygon, Point2, Point3, Vector2, ZRange};
use crate::map::{DoorState, DynamicBlocker, DynamicSolids, Footprint, Map, Mask, Passing, Smoke, Spread};

/// A door that the viewer comes this near to counts as open, metres: its client may have opened it already. As far
/// as an arm reaches (errs towards visible).
const TOUCH_M: f64 = 1.0;

/// Smokes that room is made for where the world has fewer.
const ROOM_SMOKES: usize = 16;

/// The doors and smokes of one tick.
pub(crate) struct Now {
    solids: DynamicSolids,
    boxes: Vec<(Point2, Point2)>,
    shut: Vec<bool>,
    smokes: Vec<Smoke>,
    clouds: Vec<Cloud>,
    /// Those of the tick before, and what the present ones are made of for the window test.
    before: Vec<Cloud>,
    prisms: Vec<(ConvexPolygon, ZRange)>,
}

impl Now {
    /// All doors open, and no smoke.
    pub(crate) fn new(map: &Map) -> Self {
        let bounds = |door: &crate::map::Solid| match &door.footprint {
            Footprint::Polygon { outline, .. } => {
                outline.iter().fold((outline[0], outline[0]), |(low, high), p| (low.inf(p), high.sup(p)))
            }
            Footprint::Circle { center, radius } => {
                (center - Vector2::new(*radius, *radius), center + Vector2::new(*radius, *radius))
            }
        };
        Self {
            solids: DynamicSolids::new(map),
            boxes: map.doors.iter().map(bounds).collect(),
            shut: vec![false; map.doors.len()],
            smokes: Vec::new(),
            clouds: Vec::new(),
            before: Vec::new(),
            prisms: Vec::new(),
        }
    }

    /// Takes the doors and smokes of a tick; `lead_ticks` is how long smoke has to stand to hide.
    ///
    /// A door that the map does not have is passed over, as is smoke that is not finite.
    pub(crate) fn refresh(&mut self, lent: &Lent<'_>, lead_ticks: u32) {
        let world = lent.world;
        for door in world.doors {
            let Some(shut) = self.shut.get_mut(door.index as usize) else { continue };
            *shut = door.motion.is_shut();
            let state = if *shut { DoorState::Closed } else { DoorState::Open };
            self.solids.doors_mut()[door.index as usize] = state;
        }
        let rules = lent.rules.settings().smoke;
        self.smokes.clear();
        std::mem::swap(&mut self.clouds, &mut self.before);
        self.clouds.clear();
        self.smokes.reserve(world.smokes.len().max(ROOM_SMOKES));
        self.clouds.reserve(world.smokes.len().max(ROOM_SMOKES));
        for smoke in world.smokes {
            let is_finite = smoke.center.iter().all(|at| at.is_finite()) && smoke.radius_m.is_finite();
            let standing = smoke.until.since(world.tick);
            if !is_finite || standing < 0 {
                continue;
            }
            let (center, radius, depth) = (smoke.center, smoke.radius_m, rules.opaque_depth_m);
            self.smokes.push(Smoke { center, radius, depth });
            if i64::from(standing) >= i64::from(lead_ticks) {
                self.clouds.push(Cloud { center, radius, depth, rim: rules.rim_m });
            }
        }
        self.solids.set_smokes(&self.smokes);
    }

    /// The clouds as prisms for the window test, if they are not those of the tick before, and how many each is.
    pub(crate) fn changed_smokes(&mut self) -> Option<(&[(ConvexPolygon, ZRange)], u32)> {
        if self.clouds == self.before {
            return None;
        }
        self.prisms.clear();
        // Of a cloud without prisms the others' places would be off: it gets ones without extent.
        for cloud in &self.clouds {
            let count = self.prisms.len();
            self.prisms.extend(cloud.prisms());
            if self.prisms.len() == count {
                let point = || ConvexPolygon::inside_circle(cloud.center.xy(), 1e-9);
                let z = ZRange::new(cloud.center.z, cloud.center.z);
                self.prisms.extend((0..super::smoke::SHARES.len()).map(|_| (point(), z)));
            }
        }
        Some((&self.prisms, super::smoke::SHARES.len() as u32))
    }

    /// Whether a door or cloud counts between these two.
    pub(crate) fn counts(&self, passing: Passing, eye: &Spread, body: &Spread) -> bool {
        match passing {
            Passing::Door(door) => self.is_shut(door, eye),
            Passing::Smoke(cloud) => self.clouds[cloud as usize].is_apart(eye, body),
        }
    }

    /// Whether a door stops sight from this eye.
    pub(crate) fn is_shut(&self, door: u32, eye: &Spread) -> bool {
        self.shut[door as usize] && !self.is_in_touch(door, eye)
    }

    fn is_in_touch(&self, door: u32, eye: &Spread) -> bool {
        let ((a, b), (low, high)) = (self.boxes[door as usize], eye.region_bounds());
        let touch = Vector2::new(TOUCH_M, TOUCH_M);
        let (a, b) = (a - touch, b + touch);
        a.x <= high.x && low.x <= b.x && a.y <= high.y && low.y <= b.y
    }

    /// Whether smoke hides all of a body's reach from all of an eye's.
    pub(crate) fn smoke_hides(&self, eye: &Spread, body: &Spread) -> bool {
        self.clouds.iter().any(|cloud| !cloud.has_in_rim(eye) && cloud.hides(eye, body))
    }

    /// Whether a door or smoke stops a segment from the reach of an eye.
    pub(crate) fn stops<'s>(&self, eye: impl Fn() -> &'s Spread, from: Point3, to: Point3) -> bool {
        match self.solids.blocker(from, to, Mask::Sight) {
            None => false,
            Some(DynamicBlocker::Door(door)) if self.is_shut(door, eye()) => true,
            // Behind a door in touch another may stand shut: taken as open too (errs towards visible).
            Some(_) => self.clouds.iter().any(|cloud| cloud.stops(from, to) && !cloud.has_in_rim(eye())),
        }
    }

    /// Whether a closed door or smoke stops a segment now, whoever looks and whatever comes.
    pub(crate) fn stops_now(&self, from: Point3, to: Point3) -> bool {
        self.solids.blocker(from, to, Mask::Sight).is_some()
    }

    /// Whether a closed door stops a sound.
    pub(crate) fn muffles(&self, from: Point3, to: Point3) -> bool {
        self.solids.blocker(from, to, Mask::Sound).is_some()
    }
}
