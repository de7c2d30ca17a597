//! The part of a tick that is the same for all observers: records, reaches, what teams see.
//!
//! Conducts stages, as `mod.rs` does: it hands their values along and is imported by none of them.
//! Promises: equal worlds give equal parts, whatever the order of their lists. Must not know who is told.

use super::audible::Spot;
use super::candidates::Carrier;
use super::cull::Culler;
use super::lead::{self, Part};
use super::permission;
use super::redact::LevelSet;
use super::{Body, Eye, Filter, Lent, sight, spot};
use crate::geom::{Point3, Vector3, ZRange, direction};
use crate::map::{Mask, Spread};
use crate::rules::{Motion, SightPolicy, TeamVision};
use crate::wire::Level;
use crate::world::{Event, Observer, ObserverKind, Stance, Views};

/// How far around its place an event may be seen, metres (errs towards visible).
const EVENT_RADIUS_M: f64 = 0.05;

impl Filter {
    /// Quantises every entity once per level.
    pub(super) fn record(&mut self, lent: &Lent<'_>) {
        self.records.clear(lent.world.entities.len());
        let is_told_all = |observer: &Observer<'_>| {
            matches!(
                observer.kind,
                ObserverKind::Caster { .. } | ObserverKind::Demo { views: Views::All, .. }
            )
        };
        let all = lent.world.observers.iter().any(is_told_all);
        let extent_m = lent.rules.source().extent_m;
        for place in self.bundles.in_order() {
            let entity = &lent.world.entities[place];
            let levels = LevelSet::of(lent.rules, entity, all);
            self.report.unfit += u64::from(self.records.make(lent.rules, place, entity, levels));
            self.report.out_of_extent += u64::from(entity.pos.iter().any(|at| at.abs() > extent_m));
        }
    }

    /// Where the bodies that geometry decides about can be within the lead.
    pub(super) fn reach_bodies(&mut self, lent: &Lent<'_>, horizon_s: f64) {
        self.bodies.clear(lent.world.entities.len());
        for place in self.bundles.in_order() {
            let entity = &lent.world.entities[place];
            let Some(class) = lent.rules.class(entity.class) else { continue };
            let broke = self.limits.is_broken_by(lent, entity, class.motion, self.tick_s);
            self.report.outside_limits += u64::from(broke);
            let asks = matches!(class.sight, SightPolicy::Pvs | SightPolicy::PvsAndRays);
            if !asks || self.bundles.carrier(place) != Carrier::None {
                continue;
            }
            let reach = lead::reach(lent.baked, &self.ground, entity, class, horizon_s, Part::Body);
            let cover = match class.motion {
                _ if reach.mounts && class.motion == Motion::Player => None,
                Motion::Player => self.culler.cover_player(lent.baked, entity.pos, &reach.spread, reach.feet),
                Motion::Still | Motion::Free { .. } => self.culler.cover_thing(lent.baked, &reach.spread),
            };
            let body = Body {
                at: entity.pos,
                spread: reach.spread,
                cover,
                facing: direction(entity.yaw_deg).into(),
                is_crouched: entity.stance == Stance::Crouched,
            };
            self.bodies.set(place, body);
        }
    }

    /// Where the eyes of players, and of those who are followed, can be within the lead.
    pub(super) fn reach_eyes(&mut self, lent: &Lent<'_>) {
        let lead = &lent.rules.settings().lead;
        let hears = !lent.world.sounds.is_empty()
            || lent.rules.source().classes.iter().any(|class| class.audible.is_some());
        self.eyes.clear(lent.world.entities.len());
        self.watches.clear();
        for (place, observer) in lent.world.observers.iter().enumerate() {
            if lent.observers.place(observer.id) != Ok(place) {
                continue;
            }
            let Self { watches, horizons, .. } = self;
            permission::knowers(lent, observer, |knower| {
                let player = knower.player.map(|player| &lent.world.observers[player]);
                let horizon_s = horizons.viewer_s(lead, player);
                watches.extend(knower.entity.map(|entity| (entity, horizon_s)));
            });
        }
        // Of several who play one entity, the longest.
        self.watches.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        self.watches.dedup_by_key(|(place, _)| *place);
        for &(place, horizon_s) in &self.watches {
            let entity = &lent.world.entities[place];
            let Some(class) = lent.rules.class(entity.class) else { continue };
            // The dead neither see nor hear by what lies there of them: rights err towards hidden.
            if !entity.alive {
                continue;
            }
            let player = &lent.baked.map.player;
            let reach = lead::reach(lent.baked, &self.ground, entity, class, horizon_s, Part::Eyes);
            let is_known = class.motion == Motion::Player && !reach.mounts;
            let cover = if is_known {
                self.culler.cover_player(lent.baked, entity.pos, &reach.spread, reach.feet)
            } else {
                None
            };
            let up = Vector3::new(0.0, 0.0, lead::eye_height(player, entity.stance));
            let at = entity.pos + up;
            let rows = self.culler.join(lent.baked, &cover);
            let is_inside = lent.baked.solids.holds(at, Mask::Sight);
            let ear = if hears { Spot::new(lent, at, entity.pos) } else { Spot::silent(at) };
            self.eyes.set(place, Eye { at, is_inside, spread: reach.spread, rows, ear });
        }
    }

    /// What the teams of the observers see now.
    pub(super) fn spot(&mut self, lent: &Lent<'_>) {
        let teams = lent.world.observers.iter().filter_map(|o| Some((o.membership.match_id, o.team?)));
        let is_on = lent.rules.settings().team_vision == TeamVision::Spotted;
        self.spots.clear(teams.filter(|_| is_on), lent.world.entities.len());
        for mate in self.bundles.in_order() {
            let seer = &lent.world.entities[mate];
            let sees = lent.rules.class(seer.class).is_some_and(|class| class.motion == Motion::Player);
            let Some(team) = self.spots.team_of(seer).filter(|_| sees) else { continue };
            let rows = self.eyes.get(mate).and_then(|eye| eye.rows);
            let up = Vector3::new(0.0, 0.0, lead::eye_height(&lent.baked.map.player, seer.stance));
            // From inside a solid every line is free: such an eye spots nothing, which errs towards hidden.
            if lent.baked.solids.holds(seer.pos + up, Mask::Sight) {
                continue;
            }
            for place in self.bundles.in_order() {
                let (entity, eye) = (&lent.world.entities[place], seer.pos + up);
                let Some(body) = self.bodies.get(place) else { continue };
                let Some(class) = lent.rules.class(entity.class) else { continue };
                if self.spots.is_settled(team, place, entity)
                    || !seer.membership.shares(entity.membership)
                    || !self.records.has(place, Level::Spotted)
                    || !self.culler.may_see(rows, &body.cover)
                {
                    continue;
                }
                let left = spot::left_of(eye, body.at);
                let points = class.body.iter().map(|point| sight::placed(point, body, left));
                let stops = |from, to| self.now.stops_now(from, to);
                self.spots.look(lent, (team, seer, eye), (place, body), points, stops);
            }
        }
        self.report.rays += self.spots.rays;
    }

    /// Where sounds and events are.
    pub(super) fn place(&mut self, lent: &Lent<'_>) {
        let place = |at: Point3| at.iter().all(|at| at.is_finite()).then(|| Spot::new(lent, at, at));
        self.sounds.clear();
        self.sounds.extend(lent.world.sounds.iter().map(|sound| place(sound.pos)));
        self.events.clear();
        self.events.extend(lent.world.events.iter().map(|event| event_body(lent, &mut self.culler, event)));
    }
}

/// The place of an event, as something to be seen.
fn event_body(lent: &Lent<'_>, culler: &mut Culler, event: &Event<'_>) -> Option<Body> {
    let class = lent.rules.event(event.class)?;
    let at =
        event.pos.filter(|at| class.sight != SightPolicy::Never && at.iter().all(|at| at.is_finite()))?;
    let spread = Spread::around(at.xy(), EVENT_RADIUS_M, ZRange::new(at.z, at.z + EVENT_RADIUS_M));
    let cover = culler.cover_thing(lent.baked, &spread);
    Some(Body { at, spread, cover, facing: [1.0, 0.0], is_crouched: false })
}
