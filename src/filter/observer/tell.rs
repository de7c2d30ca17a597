//! What the verdicts about one observer let through: entities, sounds, events.
//!
//! Conducts the last stages, as `observer.rs` does. Promises: nothing is told but through redaction, at the level that was
//! decided. Must not know how an entity's verdict came about.

use super::{Filter, HiddenBy, Lent, Relevancy, Scratch, Verdict, Verdicts, View};
use crate::filter::audible;
use crate::filter::candidates::Carrier;
use crate::filter::kept::NO_STAMP;
use crate::filter::permission::{self, Scope};
use crate::filter::redact::{self, Beholder, Telling};
use crate::filter::sight::{Look, Seen};
use crate::filter::{Body, Eye};
use crate::rules::{EventClass, SightPolicy};
use crate::wire::Level;
use crate::world::Observer;

impl Filter {
    /// Redacts what the verdicts let through.
    pub(super) fn tell(
        &self,
        lent: &Lent<'_>,
        observer: &Observer<'_>,
        places: &[u32],
        view: &mut View,
        scratch: &mut Scratch,
    ) {
        let Scratch { verdicts, marks, plain, .. } = scratch;
        let View { frame, met, coverage, .. } = view;
        let level = |place: usize| self.verdict_in(place, (coverage, plain), verdicts).level;
        let told = places.iter().map(|&place| place as usize).filter(|&place| level(place) > Level::Hidden);
        for place in told {
            let entity = |place: usize| lent.world.entities[place].id;
            let parent = match self.candidates.bundles().carrier(place) {
                Carrier::At(parent) => marks.entry(entity(parent)).map(|entry| (parent, entry)),
                Carrier::None | Carrier::Lost => None,
            };
            let is_by_right = matches!(verdicts.get(place).relevancy, Relevancy::Granted(_));
            let telling = Telling { place, level: level(place), parent, is_by_right };
            let entry = marks.entry(entity(place));
            if let Some(entry) = redact::tell_entity(frame, lent, &self.records, telling, entry, level) {
                marks.set_entry(entity(place), entry);
            }
        }
        met.clear();
        let of_observer = lent.world.interactions.iter().filter(|met| met.observer == observer.id);
        met.extend(of_observer.filter_map(|met| lent.entities.place(met.entity).ok()));
        for &place in met.iter().filter(|&&place| level(place) > Level::Hidden) {
            let entry = self.entry_of(place, coverage, plain);
            let entry = entry.or_else(|| marks.entry(lent.world.entities[place].id));
            entry.into_iter().for_each(|entry| redact::note_met(frame, entry));
        }
    }

    /// Ends the frame, for one who plays the entity at a place, if any.
    pub(super) fn finish(&self, own: Option<usize>, view: &mut View, scratch: &Scratch) {
        let own = own.map(|place| (place, self.verdict_of(place, view, scratch).level));
        redact::finish(&mut view.frame, Beholder::new(&self.records, own, self.cone_cosine));
    }

    /// Keeps what was decided for who asks later.
    pub(super) fn keep_verdicts(
        &self,
        lent: &Lent<'_>,
        places: &[u32],
        view: &mut View,
        verdicts: &Verdicts,
    ) {
        let far = Verdict::hidden(HiddenBy::Radius);
        if self.candidates.are_few() {
            let is_refused = |place: usize| lent.entities.place(lent.world.entities[place].id) != Ok(place);
            view.judged.extend((0..lent.world.entities.len()).map(|place| {
                let refused = Verdict::hidden(HiddenBy::Refused);
                (place as u32, if is_refused(place) { refused } else { verdicts.get(place) })
            }));
            return;
        }
        let judged = places.iter().map(|&place| (place, verdicts.get(place as usize)));
        view.judged.extend(judged.filter(|(_, verdict)| *verdict != far));
        view.report.passed_over += (lent.world.entities.len() as u64).saturating_sub(view.report.pairs);
    }

    /// Redacts the sounds that are heard.
    pub(super) fn tell_sounds(
        &self,
        lent: &Lent<'_>,
        observer: &Observer<'_>,
        scope: Scope,
        view: &mut View,
        scratch: &Scratch,
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
            let level =
                emitter.map_or(Level::Hidden, |(_, place)| self.verdict_of(place, view, scratch).level);
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
                let View { frame, coverage, .. } = view;
                let Scratch { verdicts, plain, .. } = scratch;
                let levels = |place: usize| self.verdict_in(place, (coverage, plain), verdicts).level;
                let told = redact::tell_event(frame, lent, event, event.class, level, levels);
                view.report.unfit += u64::from(!told);
            }
        }
    }

    fn sees_event(
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
        let look = Look { eye, body, points: &[], memory: [0; 2], target: None, stamps, spreads: &spreads };
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
