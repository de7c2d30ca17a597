//! The part of a tick that is one observer's: its verdicts, and what they let through.
//!
//! Conducts stages, as `mod.rs` does: it hands their values along and is imported by none of them.
//! Promises: it depends on the shared part and on this observer alone. Must not know other observers' views.

mod plain;
mod tell;

use super::audible::{self, Spot};
use super::candidates::{Asking, Carrier, Found};
use super::cull::Cover;
use super::interest;
use super::permission::{self, Knower, Scope};
use super::sight::{Kind, Look, PROOF_NODES, Seen};
use super::verdicts::{Verdicts, bundled};
use super::{Body, Eye, Filter, FilterReport, HiddenBy, Lent, Relevancy, Right, Scratch, Verdict, View};
use crate::map::WindowTest;
use crate::rules::{Class, Mode, Relevance, SightPolicy, SoundClass};
use crate::wire::Level;
use crate::world::{Entity, Observer};
use plain::PlainEye;
pub(super) use plain::PlainRoom;

/// Interactions of one observer that room is made for.
const ROOM_MET: usize = 64;

impl Filter {
    /// Judges one observer, by its place in the world's list; observers are independent of each other.
    pub fn observe(&self, lent: &Lent<'_>, place: usize, view: &mut View, scratch: &mut Scratch) {
        let observer = &lent.world.observers[place];
        scratch.window.follow(&self.window);
        self.begin_view(lent, view, scratch);
        if lent.observers.place(observer.id) != Ok(place) {
            self.end_plain(view, scratch);
            self.finish(None, view, scratch);
            return;
        }
        let (mut own, mut found) = (None, std::mem::take(&mut scratch.found));
        let scope = permission::knowers(lent, observer, |knower| {
            own = own.or(knower.entity);
            self.ask(lent, observer, &knower, (&mut found, view, scratch));
        });
        self.end_plain(view, scratch);
        if scope == Scope::All {
            self.candidates.find_all(&mut found);
        }
        let found = self.candidates.complete(found);
        self.uncover(found.places(), view, scratch);
        for &place in found.places() {
            scratch.verdicts.set(place as usize, Verdict::hidden(HiddenBy::Permission));
        }
        permission::knowers(lent, observer, |knower| {
            self.judge(lent, observer, &knower, found.places(), view, scratch);
        });
        if scope == Scope::All {
            self.judge_all(lent, observer, found.places(), scratch);
        }
        self.settle(lent, observer, found.places(), view, scratch);
        self.tell(lent, observer, found.places(), view, scratch);
        self.tell_sounds(lent, observer, scope, view, scratch);
        self.tell_events(lent, observer, scope, view, scratch);
        self.finish(own, view, scratch);
        self.keep_verdicts(lent, found.places(), view, &scratch.verdicts);
        scratch.found = found;
        let work = std::mem::take(&mut view.looks.work);
        let report = &mut view.report;
        (report.rays, report.windows, report.capped) = (work.rays, work.windows, work.capped);
    }

    /// Forgets the tick before, and makes room for what judging one observer may list.
    fn begin_view(&self, lent: &Lent<'_>, view: &mut View, scratch: &mut Scratch) {
        scratch.window.make_room(lent.rules.settings().solver_nodes.max(PROOF_NODES));
        scratch.covers.iter_mut().for_each(Cover::clear);
        scratch.found.begin(lent.world.entities.len());
        scratch.verdicts.begin(lent.world.entities.len());
        let Scratch { marks, .. } = scratch;
        marks.begin(self.kept_bodies.len());
        self.begin_frame(lent, view, marks);
        view.nearby.begin(self.count, marks);
        view.judged.clear();
        if self.candidates.are_few() {
            view.judged.reserve(lent.world.entities.len());
        }
        view.met.clear();
        view.met.reserve(lent.world.interactions.len().max(ROOM_MET));
        view.ears.clear();
        view.teams.clear();
        view.report = FilterReport::default();
    }

    /// Finds whom one whose knowledge the observer has may be told of.
    fn ask(
        &self,
        lent: &Lent<'_>,
        observer: &Observer<'_>,
        knower: &Knower<'_>,
        (found, view, scratch): (&mut Found, &mut View, &mut Scratch),
    ) {
        if self.candidates.are_few() || !self.modes.are_enforced(lent.rules, observer.membership.match_id) {
            return self.candidates.find_all(found);
        }
        let own = knower.entity.map(|place| (place, lent.world.entities[place].id));
        let Observer { topics, subscriptions, membership, .. } = *observer;
        let asking = Asking { own, team: knower.team, groups: knower.groups, topics };
        self.candidates.find_by_right(&asking, found);
        if let Some(place) = knower.entity.filter(|&place| self.eyes.get(place).is_some()) {
            let at = lent.world.entities[place].pos;
            if self.is_plain(observer, knower) {
                let eye = PlainEye { own: place as u32, at, match_id: membership.match_id };
                self.tell_plain(lent, &eye, view, scratch, found);
                if !subscriptions.is_empty() {
                    self.leave_out_plain(view, found);
                }
            } else {
                self.candidates.find_around(at, found);
            }
        }
        self.candidates.find_asked(subscriptions, found);
        let team = knower.team.and_then(|team| self.spots.find(observer.membership.match_id, team));
        for team in team.into_iter() {
            self.bodies
                .places()
                .filter(|&place| self.sees(team, place))
                .for_each(|place| found.add(place as u32));
        }
    }

    /// Whether a team sees the body of the entity at a place now.
    fn sees(&self, team: usize, place: usize) -> bool {
        self.bodies.ordinal(place).is_some_and(|body| self.spots.sees(team, body))
    }

    /// Whether it is rights that keep an entity from the observer, by its place in the world's list, that was judged last.
    pub(crate) fn is_denied(
        &self,
        lent: &Lent<'_>,
        observer: usize,
        place: usize,
        scratch: &Scratch,
    ) -> bool {
        let is_right = |by: HiddenBy| matches!(by, HiddenBy::Permission | HiddenBy::Interest);
        if scratch.found.has(place) {
            return matches!(scratch.verdicts.get(place).relevancy, Relevancy::Hidden(by) if is_right(by));
        }
        let (observer, entity) = (&lent.world.observers[observer], &lent.world.entities[place]);
        let Some(class) = lent.rules.class(entity.class) else { return true };
        let topic = lent.rules.class_links(entity.class).and_then(|links| links.topic);
        let presenters = self.modes.presenters(observer.membership.match_id);
        let mut is_denied = true;
        let scope = permission::knowers(lent, observer, |knower| {
            let right = permission::right(observer, &knower, entity, class, topic, presenters);
            is_denied &= matches!(right, Right::Denied(_));
        });
        scope == Scope::Knowers && is_denied
    }

    /// The verdicts of one whose knowledge the observer has, beside those of others.
    fn judge(
        &self,
        lent: &Lent<'_>,
        observer: &Observer<'_>,
        knower: &Knower<'_>,
        places: &[u32],
        view: &mut View,
        scratch: &mut Scratch,
    ) {
        let eye = knower.entity.and_then(|place| Some((place, self.eyes.get(place)?)));
        view.ears.extend(eye.map(|(_, eye)| eye.ear));
        view.teams.extend(knower.team);
        let id = knower.entity.map(|place| lent.world.entities[place].id);
        let memory = id.map_or(0, |id| view.looks.of_eye(id, self.count, places.len()));
        let presenters = self.modes.presenters(observer.membership.match_id);
        for &place in places {
            let place = place as usize;
            let entity = &lent.world.entities[place];
            let Some(class) = lent.rules.class(entity.class) else { continue };
            let topic = lent.rules.class_links(entity.class).and_then(|links| links.topic);
            let right = permission::right(observer, knower, entity, class, topic, presenters);
            let relevancy = match right {
                Right::Granted(level) => Relevancy::Granted(level),
                Right::Denied(by) => Relevancy::Hidden(by),
                // What is carried is decided with its carrier.
                Right::Contested(_) if self.candidates.bundles().carrier(place) != Carrier::None => {
                    Relevancy::Hidden(HiddenBy::Parent)
                }
                Right::Contested(_)
                    if self.modes.of(lent.rules, observer.membership.match_id, class) == Mode::Open =>
                {
                    Relevancy::Sighted
                }
                Right::Contested(_) => match eye {
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
            let least = if let Right::Contested(level) = right { level } else { Level::Hidden };
            scratch.verdicts.raise(place, Verdict { relevancy, level: least });
        }
    }

    /// What geometry says of a body; and of one that was in sight of this eye in the tick before, that it is in this one:
    /// a client shows what lies between two states, and needs both (errs towards visible, by one tick's motion).
    fn look(
        &self,
        lent: &Lent<'_>,
        (observer, own, eye, memory): (&Observer<'_>, usize, &Eye, usize),
        place: usize,
        class: &Class,
        view: &mut View,
        scratch: &mut Scratch,
    ) -> Relevancy {
        if scratch.verdicts.get(place).relevancy == Relevancy::Sighted {
            return Relevancy::Sighted;
        }
        let (viewer, entity) = (&lent.world.entities[own], &lent.world.entities[place]);
        let distance_m = distance_m(viewer, entity, class.relevance);
        let is_near = view.nearby.holds(class.relevance, entity.id, distance_m, &mut scratch.marks);
        if !is_near && !interest::covers(observer, entity) {
            return Relevancy::Hidden(HiddenBy::Radius);
        }
        view.report.candidates += 1;
        let Some(body) = self.bodies.get(place).filter(|_| !eye.is_inside) else { return Relevancy::Sighted };
        let memory = view.looks.of_pair(memory, entity.id, self.count);
        let now = self.look_now(lent, (own, eye, memory), (place, body), class, view, scratch);
        let leaves = view.looks.leaves(memory, now, self.count);
        if leaves && !viewer.teleported && !entity.teleported { Relevancy::Sighted } else { now }
    }

    /// What geometry says of a body, from the nearest question to the most costly.
    fn look_now(
        &self,
        lent: &Lent<'_>,
        (own, eye, memory): (usize, &Eye, [usize; 2]),
        (place, body): (usize, &Body),
        class: &Class,
        view: &mut View,
        scratch: &mut Scratch,
    ) -> Relevancy {
        let (viewer, entity) = (&lent.world.entities[own], &lent.world.entities[place]);
        let by_rays = class.sight == SightPolicy::PvsAndRays;
        let reaches = || [self.eye_reach(lent, own, eye), self.body_reach(lent, place, body)];
        let spreads = || reaches().map(|reach| &reach.spread);
        let stamps = [0, 1].map(|of| [eye.stamps[of], body.stamps[of]]);
        let target = Some(entity.id);
        let look = Look { eye, body, points: &class.body, memory, target, stamps, spreads: &spreads };
        if let Some(by) = view.looks.proven(&look) {
            return Relevancy::Hidden(by);
        }
        let is_seen = || {
            let team = self.spots.team_of(viewer);
            self.bodies.ordinal(place).is_some_and(|body| self.spots.saw(team, own, body))
        };
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
    fn judge_all(&self, lent: &Lent<'_>, observer: &Observer<'_>, places: &[u32], scratch: &mut Scratch) {
        for &place in places {
            let place = place as usize;
            let entity = &lent.world.entities[place];
            let topic = lent.rules.class_links(entity.class).and_then(|links| links.topic);
            let relevancy = match permission::right_of_all(observer, entity, topic) {
                Right::Granted(level) => Relevancy::Granted(level),
                Right::Contested(_) => Relevancy::Sighted,
                Right::Denied(by) => Relevancy::Hidden(by),
            };
            scratch.verdicts.set(place, Verdict { relevancy, level: Level::Hidden });
        }
    }

    /// From relevancies to levels: bundles, modes, and what can't be told after all. Parents come first.
    fn settle(
        &self,
        lent: &Lent<'_>,
        observer: &Observer<'_>,
        places: &[u32],
        view: &mut View,
        scratch: &mut Scratch,
    ) {
        let View { teams, spotters, .. } = view;
        spotters.clear();
        spotters.extend(teams.iter().filter_map(|&team| self.spots.find(observer.membership.match_id, team)));
        let verdicts = &mut scratch.verdicts;
        for &place in places {
            let place = place as usize;
            let entity = &lent.world.entities[place];
            let mut verdict = verdicts.get(place);
            match self.candidates.bundles().carrier(place) {
                Carrier::Lost => verdict = Verdict::hidden(HiddenBy::Parent),
                Carrier::At(parent) => verdict = bundled(verdict, verdicts.get(parent)),
                Carrier::None if verdict.is_hidden_by_geometry() => {
                    verdict = verdict.or_told(self.level_of_hidden(lent, observer, place, view));
                }
                Carrier::None => {}
            }
            verdict.level = match verdict.relevancy {
                Relevancy::Granted(level) => level,
                Relevancy::Sighted => Level::Seen,
                Relevancy::Hidden(_) => verdict.level,
            };
            if verdict.level > Level::Hidden && !self.records.has(place, verdict.level) {
                let tells = self.records.tells(entity.class, verdict.level);
                verdict = Verdict::hidden(if tells { HiddenBy::Refused } else { HiddenBy::Permission });
            }
            view.report.count(verdict);
            verdicts.set(place, verdict);
        }
    }

    /// How much of what geometry hides is told all the same.
    fn level_of_hidden(&self, lent: &Lent<'_>, observer: &Observer<'_>, place: usize, view: &View) -> Level {
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
        if self.records.has(place, Level::Spotted) && view.spotters.iter().any(|&team| self.sees(team, place))
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
    fn hearing_m(&self, lent: &Lent<'_>, class: &SoundClass, source: &Spot, view: &View) -> Option<f64> {
        let muffles = |from, to| self.now.muffles(from, to);
        let heard = view.ears.iter().filter_map(|ear| audible::hearing_m(lent, class, ear, source, muffles));
        heard.reduce(f64::min)
    }
}

/// How far an entity's body is from a viewer, metres; not looked at where no distance is too far.
fn distance_m(viewer: &Entity<'_>, entity: &Entity<'_>, relevance: Relevance) -> f64 {
    if relevance.enter_m == f64::INFINITY {
        return 0.0;
    }
    (entity.pos - viewer.pos).norm() - entity.radius_m.max(0.0)
}
