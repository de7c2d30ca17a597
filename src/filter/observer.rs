//! The part of a tick that is one observer's: its verdicts, and what they let through.
//!
//! Conducts stages, as `mod.rs` does: it hands their values along and is imported by none of them.
//! Promises: it depends on the shared part and on this observer alone. Must not know other observers' views.

use super::audible::{self, Spot};
use super::candidates::Carrier;
use super::cull::Cover;
use super::interest;
use super::kept::NO_STAMP;
use super::permission::{self, Knower, Scope};
use super::redact::{self, Beholder};
use super::sight::{Kind, Look, PROOF_NODES, Seen};
use super::{Body, Eye, Filter, HiddenBy, Lent, Relevancy, Right, Scratch, Verdict, View};
use crate::map::WindowTest;
use crate::rules::{Class, EventClass, Mode, SightPolicy, SoundClass};
use crate::wire::Level;
use crate::world::Observer;

/// Interactions of one observer that room is made for.
const ROOM_MET: usize = 64;

impl Filter {
    /// Makes room for what judging one observer may list: as much as the world's size allows.
    pub(super) fn make_room(&self, lent: &Lent<'_>, view: &mut View, scratch: &mut Scratch) {
        scratch.window.make_room(lent.rules.settings().solver_nodes.max(PROOF_NODES));
        scratch.covers.iter_mut().for_each(Cover::clear);
        view.verdicts.clear();
        view.verdicts.reserve(lent.world.entities.len());
        view.met.clear();
        view.met.reserve(lent.world.interactions.len().max(ROOM_MET));
        view.nearby.make_room(self.kept_bodies.len());
    }

    /// The verdicts of one whose knowledge the observer has, beside those of others.
    pub(super) fn judge(
        &self,
        lent: &Lent<'_>,
        observer: &Observer<'_>,
        knower: &Knower<'_>,
        view: &mut View,
        scratch: &mut Scratch,
    ) {
        let eye = knower.entity.and_then(|place| Some((place, self.eyes.get(place)?)));
        view.ears.extend(eye.map(|(_, eye)| eye.ear));
        view.teams.extend(knower.team);
        let id = knower.entity.map(|place| lent.world.entities[place].id);
        let memory = id.map_or(0, |id| view.looks.of_eye(id, self.count, self.kept_bodies.len()));
        let presenters = self.modes.presenters(observer.membership.match_id);
        for place in self.bundles.in_order() {
            let entity = &lent.world.entities[place];
            let Some(class) = lent.rules.class(entity.class) else { continue };
            let topic = lent.rules.class_links(entity.class).and_then(|links| links.topic);
            let relevancy = match permission::right(observer, knower, entity, class, topic, presenters) {
                Right::Granted(level) => Relevancy::Granted(level),
                Right::Denied(by) => Relevancy::Hidden(by),
                // What is carried is decided with its carrier.
                Right::Contested if self.bundles.carrier(place) != Carrier::None => {
                    Relevancy::Hidden(HiddenBy::Parent)
                }
                Right::Contested
                    if self.modes.of(lent.rules, observer.membership.match_id, class) == Mode::Open =>
                {
                    Relevancy::Sighted
                }
                Right::Contested => match eye {
                    Some((own, eye)) => {
                        self.look(lent, (observer, own, eye, memory), place, class, view, scratch)
                    }
                    // Nobody's eyes are asked: what is asked for is told, as within the radius.
                    None if class.sight == SightPolicy::Always && interest::covers(observer, entity) => {
                        Relevancy::Sighted
                    }
                    None => Relevancy::Hidden(HiddenBy::Sight),
                },
            };
            let verdict = Verdict { relevancy, level: Level::Hidden };
            if verdict.sees_more_than(view.verdicts[place]) {
                view.verdicts[place] = verdict;
            }
        }
    }

    /// What geometry says of a body; and of one that was in sight of this eye in the tick before, that it is in this one:
    /// a client shows what lies between two states, and needs both (errs towards visible, by one tick's motion).
    pub(super) fn look(
        &self,
        lent: &Lent<'_>,
        (observer, own, eye, memory): (&Observer<'_>, usize, &Eye, usize),
        place: usize,
        class: &Class,
        view: &mut View,
        scratch: &mut Scratch,
    ) -> Relevancy {
        if view.verdicts[place].relevancy == Relevancy::Sighted {
            return Relevancy::Sighted;
        }
        let now = self.look_now(lent, (observer, own, eye, memory), place, class, view, scratch);
        let (viewer, entity) = (&lent.world.entities[own], &lent.world.entities[place]);
        let leaves = view.looks.leaves(memory, entity.id, now, self.count);
        if leaves && !viewer.teleported && !entity.teleported { Relevancy::Sighted } else { now }
    }

    /// What geometry says of a body, from the nearest question to the most costly.
    fn look_now(
        &self,
        lent: &Lent<'_>,
        (observer, own, eye, memory): (&Observer<'_>, usize, &Eye, usize),
        place: usize,
        class: &Class,
        view: &mut View,
        scratch: &mut Scratch,
    ) -> Relevancy {
        let (viewer, entity) = (&lent.world.entities[own], &lent.world.entities[place]);
        let distance_m = || (entity.pos - viewer.pos).norm();
        let is_near = view.nearby.holds(class.relevance, entity.id, distance_m, self.count);
        if !is_near && !interest::covers(observer, entity) {
            return Relevancy::Hidden(HiddenBy::Radius);
        }
        view.report.candidates += 1;
        let Some(body) = self.bodies.get(place).filter(|_| !eye.is_inside) else { return Relevancy::Sighted };
        let by_rays = class.sight == SightPolicy::PvsAndRays;
        let reaches = || [self.eye_reach(lent, own, eye), self.body_reach(lent, place, body)];
        let spreads = || reaches().map(|reach| &reach.spread);
        let stamps = [0, 1].map(|of| [eye.stamps[of], body.stamps[of]]);
        let target = Some(entity.id);
        let look = Look { eye, body, points: &class.body, memory, target, stamps, spreads: &spreads };
        if let Some(by) = view.looks.proven(&look) {
            return Relevancy::Hidden(by);
        }
        let is_seen = || self.spots.saw(self.spots.team_of(viewer), own, place);
        if by_rays && (is_seen() || view.looks.goes_on(lent, &self.now, &look, &scratch.window)) {
            return Relevancy::Sighted;
        }
        if !self.may_see(eye, body) {
            view.looks.prove(&look, Kind::Wide, HiddenBy::Pvs);
            return Relevancy::Hidden(HiddenBy::Pvs);
        }
        let seen = if by_rays { self.seen(lent, &look, view, &mut scratch.window) } else { Seen::Open };
        match seen {
            Seen::No(by) => Relevancy::Hidden(by),
            Seen::Yes => Relevancy::Sighted,
            Seen::Open => {
                let may = self.may_see_now(lent, (eye, body), reaches(), &mut scratch.covers);
                if may {
                    return Relevancy::Sighted;
                }
                view.looks.forget(&look);
                Relevancy::Hidden(HiddenBy::Pvs)
            }
        }
    }

    /// What lines of sight say: of larger reaches first, which may hide the body for longer, then of this tick's.
    fn seen(&self, lent: &Lent<'_>, look: &Look<'_>, view: &mut View, window: &mut WindowTest) -> Seen {
        // From where somebody may be it is free; that the bake tells more finely.
        if view.looks.follows(lent, &self.now, look) {
            return Seen::Open;
        }
        for of in [Kind::Wide, Kind::Narrow] {
            let larger = match of {
                Kind::Wide => self.wide(look.eye, look.body),
                Kind::Narrow => self.narrow(lent, look.eye, look.body),
            };
            let Some(larger) = larger else { continue };
            if let Some(by) = view.looks.hidden_widely(lent, &self.now, look, (of, larger), window) {
                return Seen::No(by);
            }
        }
        let nodes = lent.rules.settings().solver_nodes;
        view.looks.seen(lent, &self.now, look, nodes, window)
    }

    /// The verdicts of an observer who knows everything.
    pub(super) fn judge_all(&self, lent: &Lent<'_>, observer: &Observer<'_>, view: &mut View) {
        for place in self.bundles.in_order() {
            let entity = &lent.world.entities[place];
            let topic = lent.rules.class_links(entity.class).and_then(|links| links.topic);
            view.verdicts[place].relevancy = match permission::right_of_all(observer, entity, topic) {
                Right::Granted(level) => Relevancy::Granted(level),
                Right::Contested => Relevancy::Sighted,
                Right::Denied(by) => Relevancy::Hidden(by),
            };
        }
    }

    /// From relevancies to levels: bundles, modes, and what can't be told after all. Parents come first.
    pub(super) fn settle(&self, lent: &Lent<'_>, observer: &Observer<'_>, view: &mut View) {
        let View { teams, spotters, .. } = view;
        spotters.clear();
        spotters.extend(teams.iter().filter_map(|&team| self.spots.find(observer.membership.match_id, team)));
        for place in self.bundles.in_order() {
            let entity = &lent.world.entities[place];
            let mut verdict = view.verdicts[place];
            match self.bundles.carrier(place) {
                Carrier::Lost => verdict = Verdict::hidden(HiddenBy::Parent),
                Carrier::At(parent) => verdict = bundled(verdict, view.verdicts[parent]),
                Carrier::None => {}
            }
            verdict.level = match verdict.relevancy {
                Relevancy::Granted(level) => level,
                Relevancy::Sighted => Level::Seen,
                Relevancy::Hidden(by) if by.is_geometry() && verdict.level == Level::Hidden => {
                    self.level_of_hidden(lent, observer, place, view)
                }
                Relevancy::Hidden(_) => verdict.level,
            };
            if verdict.level > Level::Hidden && !self.records.has(place, verdict.level) {
                let tells = self.records.tells(entity.class, verdict.level);
                verdict = Verdict::hidden(if tells { HiddenBy::Refused } else { HiddenBy::Permission });
            }
            view.report.count(verdict);
            view.verdicts[place] = verdict;
        }
    }

    /// How much of what geometry hides is told all the same.
    pub(super) fn level_of_hidden(
        &self,
        lent: &Lent<'_>,
        observer: &Observer<'_>,
        place: usize,
        view: &View,
    ) -> Level {
        let entity = &lent.world.entities[place];
        let (Some(class), Some(links)) =
            (lent.rules.class(entity.class), lent.rules.class_links(entity.class))
        else {
            return Level::Hidden;
        };
        let match_id = observer.membership.match_id;
        if self.modes.of(lent.rules, match_id, class) != Mode::Enforce {
            return Level::Seen;
        }
        if self.records.has(place, Level::Spotted)
            && view.spotters.iter().any(|&team| self.spots.sees(team, place))
        {
            return Level::Spotted;
        }
        let is_heard = links.audible.and_then(|sound| lent.rules.sound(sound)).is_some_and(|sound| {
            let source = Spot::new(lent, entity.pos, entity.pos);
            self.hearing_m(lent, sound, &source, view).is_some()
        });
        if is_heard && self.records.has(place, Level::Heard) { Level::Heard } else { Level::Hidden }
    }

    /// The least distance at which one of the observer's ears hears a sound.
    pub(super) fn hearing_m(
        &self,
        lent: &Lent<'_>,
        class: &SoundClass,
        source: &Spot,
        view: &View,
    ) -> Option<f64> {
        let muffles = |from, to| self.now.muffles(from, to);
        let heard = view.ears.iter().filter_map(|ear| audible::hearing_m(lent, class, ear, source, muffles));
        heard.reduce(f64::min)
    }

    /// Redacts what the verdicts let through.
    pub(super) fn tell(&self, lent: &Lent<'_>, observer: &Observer<'_>, own: Option<usize>, view: &mut View) {
        view.met.clear();
        let of_observer = lent.world.interactions.iter().filter(|met| met.observer == observer.id);
        view.met.extend(of_observer.filter_map(|met| lent.entities.place(met.entity).ok()));
        let View { frame, verdicts, met, .. } = view;
        let own = own.map(|place| (place, verdicts[place].level));
        let beholder = Beholder::new(&self.records, own, self.cone_cosine);
        for place in self.bundles.in_order().filter(|&place| verdicts[place].level > Level::Hidden) {
            let parent = match self.bundles.carrier(place) {
                Carrier::At(parent) => Some(parent),
                Carrier::None | Carrier::Lost => None,
            };
            let has_met = met.contains(&place);
            redact::tell_entity(frame, lent, &self.records, (place, parent), verdicts, &beholder, has_met);
        }
    }

    /// Redacts the sounds that are heard.
    pub(super) fn tell_sounds(
        &self,
        lent: &Lent<'_>,
        observer: &Observer<'_>,
        scope: Scope,
        view: &mut View,
    ) {
        for (sound, source) in lent.world.sounds.iter().zip(&self.sounds) {
            let Some(class) = lent.rules.sound(sound.class) else { continue };
            let topic = lent.rules.sound_topic(sound.class);
            if !permission::is_of_interest(observer, sound.membership, topic) {
                continue;
            }
            let Some(source) = source else {
                view.report.unfit += 1;
                continue;
            };
            let heard_m = self.hearing_m(lent, class, source, view).or((scope == Scope::All).then_some(0.0));
            let Some(distance_m) = heard_m else { continue };
            let emitter = sound.emitter.and_then(|id| Some((id, lent.entities.place(id).ok()?)));
            let level = emitter.map_or(Level::Hidden, |(_, place)| view.verdicts[place].level);
            let band = audible::band(class, distance_m, level);
            let named = emitter.map(|(id, _)| id).filter(|_| audible::names_emitter(class, level));
            let told = redact::tell_sound(&mut view.frame, lent, sound, sound.class, band, named);
            view.report.unfit += u64::from(!told);
        }
    }

    /// Redacts the events that are known of by right or by sight.
    pub(super) fn tell_events(
        &self,
        lent: &Lent<'_>,
        observer: &Observer<'_>,
        scope: Scope,
        view: &mut View,
        scratch: &mut Scratch,
    ) {
        for (event, body) in lent.world.events.iter().zip(&self.events) {
            let Some(class) = lent.rules.event(event.class) else { continue };
            let topic = lent.rules.event_links(event.class).and_then(|links| links.topic);
            if !permission::is_of_interest(observer, event.membership, topic) {
                continue;
            }
            let mut level = if scope == Scope::All { Level::Owner } else { Level::Hidden };
            permission::knowers(lent, observer, |knower| {
                let right = permission::right_to_event(lent, &knower, event, class);
                let eye = knower.entity.and_then(|place| Some((place, self.eyes.get(place)?)));
                let mut sees = || {
                    let both = eye.zip(body.as_ref());
                    both.is_some_and(|(eye, body)| self.sees_event(lent, eye, body, class, view, scratch))
                };
                level = level.max(if right == Level::Hidden && sees() { Level::Seen } else { right });
            });
            if level > Level::Hidden {
                let told =
                    redact::tell_event(&mut view.frame, lent, event, event.class, level, &view.verdicts);
                view.report.unfit += u64::from(!told);
            }
        }
    }

    pub(super) fn sees_event(
        &self,
        lent: &Lent<'_>,
        (place, eye): (usize, &Eye),
        body: &Body,
        class: &EventClass,
        view: &mut View,
        scratch: &mut Scratch,
    ) -> bool {
        if (body.at - eye.at).norm() > class.radius_m {
            return false;
        }
        // The reach of an event is known from the start.
        let spreads = || {
            [self.eye_reach(lent, place, eye), self.body_reach(lent, place, body)].map(|reach| &reach.spread)
        };
        let stamps = [[NO_STAMP; 2]; 2];
        let look = Look { eye, body, points: &[], memory: 0, target: None, stamps, spreads: &spreads };
        let nodes = lent.rules.settings().solver_nodes;
        match class.sight {
            SightPolicy::Never => false,
            SightPolicy::Always => true,
            SightPolicy::Pvs => self.may_see(eye, body),
            SightPolicy::PvsAndRays => {
                self.may_see(eye, body)
                    && !matches!(
                        view.looks.seen(lent, &self.now, &look, nodes, &mut scratch.window),
                        Seen::No(_)
                    )
            }
        }
    }
}

/// What is carried is told with its carrier, and as seen where the carrier is.
fn bundled(own: Verdict, carrier: Verdict) -> Verdict {
    match own.relevancy {
        _ if carrier.level == Level::Hidden => Verdict::hidden(HiddenBy::Parent),
        Relevancy::Hidden(HiddenBy::Parent) if carrier.level >= Level::Seen => {
            Verdict { relevancy: Relevancy::Sighted, level: Level::Seen }
        }
        Relevancy::Hidden(HiddenBy::Parent) => carrier,
        Relevancy::Granted(_) | Relevancy::Sighted | Relevancy::Hidden(_) => own,
    }
}
