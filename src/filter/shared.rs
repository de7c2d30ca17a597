//! The part of a tick that is the same for all observers: records, reaches, what teams see.
//!
//! Conducts stages, as `mod.rs` does: it hands their values along and is imported by none of them.
//! Promises: equal worlds give equal parts, whatever the order of their lists. Must not know who is told.

use super::audible::Spot;
use super::candidates::Carrier;
use super::cull::{Cover, cell_of_thing};
use super::kept::{Keep, NO_STAMP};
use super::lead::{self, Ground, NARROW, Part, Reach, WIDE, Wide};
use super::permission;
use super::redact::LevelSet;
use super::{Body, Eye, Filter, Held, Kept, Lent, Still, sight, spot};
use crate::geom::{Point3, Vector3, ZRange, direction};
use crate::ids::MatchId;
use crate::map::{Mask, Spread};
use crate::rules::{Class, Mode, Motion, PresenterReach, SightPolicy, TeamVision};
use crate::wire::Level;
use crate::world::{Entity, Event, Observer, ObserverKind, Stance, Views};
use std::sync::OnceLock;

/// How far around its place an event may be seen, metres (errs towards visible).
const EVENT_RADIUS_M: f64 = 0.05;

/// Sounds and events that room is made for where the world has fewer.
const ROOM_PLACES: usize = 32;

impl Filter {
    /// Switches one match to a mode, whatever rules and classes say, or back.
    pub fn switch(&mut self, match_id: MatchId, mode: Option<Mode>) {
        self.modes.switch(match_id, mode);
    }

    /// Switches whom the presenters of a match reach, from the next tick on.
    pub fn switch_presenters(&mut self, match_id: MatchId, reach: PresenterReach) {
        self.modes.switch_presenters(match_id, reach);
    }

    /// Lends a clock, nanoseconds from anywhere on; what it says is counted and decides nothing.
    pub fn use_clock(&mut self, clock: Option<fn() -> u64>) {
        self.clock = clock;
    }

    /// Nanoseconds that the last tick took to put entities in their buckets, those alone that changed where the game says
    /// which, and to make bundles and lists anew; 0 without a clock, and where nothing had to be done.
    pub fn filing_ns(&self) -> [u64; 2] {
        self.filing_ns
    }

    /// Puts entities in buckets and lists.
    pub(super) fn file(&mut self, lent: &Lent<'_>) {
        let now_ns = |clock: Option<fn() -> u64>| clock.map_or(0, |clock| clock());
        let start_ns = now_ns(self.clock);
        let is_other = self.candidates.file(lent, self.count);
        let filed_ns = now_ns(self.clock);
        if is_other {
            self.candidates.list(lent, self.count);
        }
        let listed_ns = now_ns(self.clock);
        self.filing_ns = [filed_ns.saturating_sub(start_ns), listed_ns.saturating_sub(filed_ns)];
    }

    /// Quantises every entity once per level.
    pub(super) fn record(&mut self, lent: &Lent<'_>) {
        let is_told_all = |observer: &Observer<'_>| {
            matches!(
                observer.kind,
                ObserverKind::Caster { .. } | ObserverKind::Demo { views: Views::All, .. }
            )
        };
        let all = lent.world.observers.iter().any(is_told_all);
        let Self { records, candidates, .. } = self;
        let changed = candidates.changed();
        let is_whole = !records.begin(lent.world.entities.len(), all, changed.is_some());
        let make = |place: usize| {
            let entity = &lent.world.entities[place];
            let levels = LevelSet::of(lent.rules, entity, all);
            records.make(lent.rules, place, entity, levels);
        };
        match changed.filter(|_| !is_whole) {
            Some(changed) => changed.iter().map(|&place| place as usize).for_each(make),
            None => candidates.all().for_each(make),
        }
        // Why what has no record is not told is for all stages to say.
        let Self { records, candidates, count, .. } = self;
        candidates.set_complex(*count, |place| !records.has(place, Level::Seen));
        (self.report.unfit, self.report.out_of_extent) = self.records.faults();
    }

    /// Counts the bodies that moved farther than their limits allow.
    pub(super) fn keep_limits(&mut self, lent: &Lent<'_>) {
        let Self { limits, candidates, tick_s, report, .. } = self;
        let since = limits.begin(lent.world.tick, candidates.changed().is_some());
        let take = |place: usize| {
            let entity = &lent.world.entities[place];
            let Some(class) = lent.rules.class(entity.class) else { return };
            let broke = limits.is_broken_by(lent, entity, class.motion, (*tick_s, since));
            report.outside_limits += u64::from(broke);
        };
        match candidates.changed() {
            Some(changed) => changed.iter().map(|&place| place as usize).for_each(take),
            None => candidates.all().for_each(take),
        }
    }

    /// Where the bodies that geometry decides about can be within the lead.
    pub(super) fn reach_bodies(&mut self, lent: &Lent<'_>, horizon_s: f64) {
        self.bodies.clear(lent.world.entities.len());
        for &place in self.candidates.bodies() {
            let place = place as usize;
            let entity = &lent.world.entities[place];
            let Some(class) = lent.rules.class(entity.class) else { continue };
            let asks = matches!(class.sight, SightPolicy::Pvs | SightPolicy::PvsAndRays);
            if !asks || self.candidates.bundles().carrier(place) != Carrier::None {
                continue;
            }
            let slot = entity.id.index as usize;
            refresh(&mut self.kept_bodies, &self.ground, lent, entity, (class, horizon_s), Part::Body);
            let kept = self.kept_bodies.get(slot);
            let body = Body {
                at: entity.pos,
                reach: OnceLock::new(),
                place,
                held: Held::Slot(slot),
                stamps: [kept.stamp, kept.narrow_stamp],
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
        self.watches.reserve(lent.world.observers.len());
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
        for index in 0..self.watches.len() {
            let (place, horizon_s) = self.watches[index];
            let entity = &lent.world.entities[place];
            let Some(class) = lent.rules.class(entity.class) else { continue };
            // The dead neither see nor hear by what lies there of them: rights err towards hidden.
            if !entity.alive {
                continue;
            }
            let player = &lent.baked.map.player;
            refresh(&mut self.kept_eyes, &self.ground, lent, entity, (class, horizon_s), Part::Eyes);
            let up = Vector3::new(0.0, 0.0, lead::eye_height(player, entity.stance));
            let at = entity.pos + up;
            let is_inside = lent.baked.solids.holds(at, Mask::Sight);
            let ear = if hears { Spot::new(lent, at, entity.pos) } else { Spot::silent(at) };
            let slot = entity.id.index as usize;
            let kept = self.kept_eyes.get(slot);
            let stamps = [kept.stamp, kept.narrow_stamp];
            let reach = OnceLock::new();
            self.eyes.set(place, Eye { at, is_inside, horizon_s, reach, place, slot, stamps, ear });
        }
    }

    /// Where an eye can be.
    pub(super) fn eye_reach<'s>(&'s self, lent: &Lent<'_>, place: usize, eye: &'s Eye) -> &'s Reach {
        eye.reach.get_or_init(|| self.reach_of(lent, place, eye.horizon_s, Part::Eyes, eye.at))
    }

    /// Where the points of a body can be.
    pub(super) fn body_reach<'s>(&'s self, lent: &Lent<'_>, place: usize, body: &'s Body) -> &'s Reach {
        let horizon_s = self.horizons.enemy_s(&lent.rules.settings().lead);
        body.reach.get_or_init(|| self.reach_of(lent, place, horizon_s, Part::Body, body.at))
    }

    fn reach_of(&self, lent: &Lent<'_>, place: usize, horizon_s: f64, part: Part, at: Point3) -> Reach {
        let entity = &lent.world.entities[place];
        match lent.rules.class(entity.class) {
            Some(class) => lead::reach(lent.baked, &self.ground, entity, class, horizon_s, part),
            None => Reach::of_thing(Spread::around(at.xy(), 0.0, ZRange::new(at.z, at.z))),
        }
    }

    /// The narrow reaches of an eye and a body, if both have one.
    pub(super) fn narrow<'s>(&'s self, lent: &Lent<'_>, eye: &Eye, body: &Body) -> Option<[&'s Spread; 2]> {
        let Held::Slot(slot) = body.held else { return None };
        let narrow = |kept: &'s Kept, place: usize, horizon_s: f64, part: Part| {
            let make = || {
                let entity = &lent.world.entities[place];
                let class = lent.rules.class(entity.class)?;
                Wide::new(lent.baked, &self.ground, entity, class, horizon_s, (part, NARROW))
            };
            kept.narrow.get_or_init(make).as_ref().map(|narrow| &narrow.spread)
        };
        let horizon_s = self.horizons.enemy_s(&lent.rules.settings().lead);
        let of_eye = narrow(self.kept_eyes.get(eye.slot), eye.place, eye.horizon_s, Part::Eyes)?;
        Some([of_eye, narrow(self.kept_bodies.get(slot), body.place, horizon_s, Part::Body)?])
    }

    /// Whether the bake does not rule out that an eye of the wide reach sees a body of its wide reach.
    pub(super) fn may_see(&self, eye: &Eye, body: &Body) -> bool {
        let eye = self.kept_eyes.get(eye.slot);
        let sees = match body.held {
            Held::Cell(cell) => cell.is_none_or(|cell| eye.rows.may_see_cell(cell)),
            Held::Slot(slot) => {
                let kept = self.kept_bodies.get(slot);
                !kept.is_on || eye.rows.may_see(&kept.cover)
            }
        };
        !eye.is_on || sees
    }

    /// The same of the reaches of this tick alone: it tells what the wide ones leave open, whatever they are.
    pub(super) fn may_see_now(
        &self,
        lent: &Lent<'_>,
        (eye, body): (&Eye, &Body),
        [of_eye, of_body]: [&Reach; 2],
        covers: &mut [Cover; 2],
    ) -> bool {
        let Held::Slot(slot) = body.held else { return true };
        let [own, other] = [self.kept_eyes.get(eye.slot), self.kept_bodies.get(slot)];
        let is_thing = other.wide.is_none();
        if !own.is_on || !other.is_on || of_eye.mounts || (of_body.mounts && !is_thing) {
            return true;
        }
        let [of_eyes, of_bodies] = covers;
        of_eyes.take_player(lent.baked, &of_eye.spread, of_eye.feet);
        if is_thing {
            return of_eyes.may_see(lent.baked, &other.cover);
        }
        of_bodies.take_player(lent.baked, &of_body.spread, of_body.feet);
        of_eyes.may_see(lent.baked, of_bodies)
    }

    /// The wide reaches of an eye and a body, if both have one.
    pub(super) fn wide(&self, eye: &Eye, body: &Body) -> Option<[&Spread; 2]> {
        let Held::Slot(slot) = body.held else { return None };
        let [eye, body] = [self.kept_eyes.get(eye.slot), self.kept_bodies.get(slot)];
        Some([&eye.wide.as_ref()?.spread, &body.wide.as_ref()?.spread])
    }

    /// What the teams of the observers see now.
    pub(super) fn spot(&mut self, lent: &Lent<'_>) {
        let watcher = |o: &Observer<'_>| {
            let entity = o.entity.and_then(|id| lent.entities.place(id).ok());
            Some((o.membership.match_id, o.team?, entity))
        };
        let teams = lent.world.observers.iter().filter_map(watcher);
        let is_on = lent.rules.settings().team_vision == TeamVision::Spotted;
        self.spots.clear(teams.filter(|_| is_on), self.bodies.len(), self.count);
        for &mate in self.candidates.bodies() {
            let mate = mate as usize;
            let seer = &lent.world.entities[mate];
            let sees = lent.rules.class(seer.class).is_some_and(|class| class.motion == Motion::Player);
            let Some(team) = self.spots.team_of(seer).filter(|_| sees) else { continue };
            if self.spots.is_alone(team, mate) {
                continue;
            }
            let own = self.eyes.get(mate);
            let up = Vector3::new(0.0, 0.0, lead::eye_height(&lent.baked.map.player, seer.stance));
            // From inside a solid every line is free: such an eye spots nothing, which errs towards hidden.
            if lent.baked.solids.holds(seer.pos + up, Mask::Sight) {
                continue;
            }
            let memory = self.spots.of_seer(seer);
            for (ordinal, body) in self.bodies.iter().enumerate() {
                let (place, eye) = (body.place, seer.pos + up);
                let entity = &lent.world.entities[place];
                let Some(class) = lent.rules.class(entity.class) else { continue };
                if self.spots.is_settled(team, ordinal, entity)
                    || !seer.membership.shares(entity.membership)
                    || !self.records.has(place, Level::Spotted)
                {
                    continue;
                }
                let stamps = own.map_or([NO_STAMP; 2], |own| [own.stamps[0], body.stamps[0]]);
                let pair = self.spots.of_pair(memory, entity);
                if self.spots.is_proven(pair, stamps) {
                    continue;
                }
                if own.is_some_and(|own| !self.may_see(own, body)) {
                    self.spots.prove(pair, stamps);
                    continue;
                }
                let left = spot::left_of(eye, body.at);
                let point = |index: usize| Some(sight::placed(class.body.get(index)?, body, left));
                let stops = |from, to| self.now.stops_now(from, to);
                let (seer, looked) = ((team, mate, eye), (ordinal, body, &class.body[..]));
                self.spots.look(lent, &self.window, seer, looked, pair, (point, stops));
            }
        }
        self.report.rays += self.spots.rays;
    }

    /// Where sounds and events are.
    pub(super) fn place(&mut self, lent: &Lent<'_>) {
        let place = |at: Point3| at.iter().all(|at| at.is_finite()).then(|| Spot::new(lent, at, at));
        self.sounds.clear();
        self.sounds.reserve(lent.world.sounds.len().max(ROOM_PLACES));
        self.sounds.extend(lent.world.sounds.iter().map(|sound| place(sound.pos)));
        self.events.clear();
        self.events.reserve(lent.world.events.len().max(ROOM_PLACES));
        self.events.extend(lent.world.events.iter().map(|event| event_body(lent, event)));
    }
}

/// Makes a kept reach anew where the one before does not hold the body any more.
fn refresh(
    keep: &mut Keep,
    ground: &Ground,
    lent: &Lent<'_>,
    entity: &Entity<'_>,
    (class, horizon_s): (&Class, f64),
    part: Part,
) {
    let (slot, baked) = (entity.id.index as usize, lent.baked);
    let kept = keep.slot(slot);
    let player = &baked.map.player;
    let still = (class.motion == Motion::Still && part == Part::Body).then_some(Still {
        class: entity.class,
        at: entity.pos,
        radius_m: entity.radius_m,
        height_m: entity.height_m,
    });
    if still.is_some() && kept.still == still {
        return;
    }
    kept.still = still;
    let holds = |wide: &Wide| wide.holds(player, entity, class, horizon_s, part);
    let is_narrow_left = kept.narrow.get().is_some_and(|narrow| !narrow.as_ref().is_some_and(holds));
    if kept.wide.as_ref().is_some_and(holds) {
        // Feet off the cells: what the bake said of the reach counts no more.
        let is_on = kept.cover.is_under(baked, entity.pos);
        if is_on != kept.is_on {
            kept.is_on = is_on;
            keep.stamp(slot);
        }
    } else {
        kept.cover.clear();
        kept.wide = Wide::new(baked, ground, entity, class, horizon_s, (part, WIDE));
        match &kept.wide {
            Some(wide) if !wide.mounts => kept.cover.take_player(baked, &wide.spread, wide.feet),
            None if part == Part::Body => {
                let reach = lead::reach(baked, ground, entity, class, horizon_s, part);
                kept.cover.take_thing(baked, &reach.spread);
            }
            Some(_) | None => {}
        }
        if part == Part::Eyes {
            kept.rows.join(baked, &kept.cover);
        }
        kept.is_on = kept.wide.is_none() || kept.cover.is_under(baked, entity.pos);
        keep.stamp(slot);
    }
    if is_narrow_left || keep.get(slot).narrow_stamp == NO_STAMP {
        keep.forget_narrow(slot);
    }
}

/// The place of an event, as something to be seen.
fn event_body(lent: &Lent<'_>, event: &Event<'_>) -> Option<Body> {
    let class = lent.rules.event(event.class)?;
    let at =
        event.pos.filter(|at| class.sight != SightPolicy::Never && at.iter().all(|at| at.is_finite()))?;
    let spread = Spread::around(at.xy(), EVENT_RADIUS_M, ZRange::new(at.z, at.z + EVENT_RADIUS_M));
    Some(Body {
        at,
        place: usize::MAX,
        held: Held::Cell(cell_of_thing(lent.baked, &spread)),
        stamps: [NO_STAMP; 2],
        reach: OnceLock::from(Reach::of_thing(spread)),
        facing: [1.0, 0.0],
        is_crouched: false,
    })
}
