//! What is wrong with a tick of a recording, before anything of it is taken: a line is taken whole or not at all.

use super::{Cast, unknown};
use crate::recording::{FieldMap, KindName, ObserverLine, Step, TickLine, Wrong};
use crate::replay::values::mistyped;
use crate::rules::{ClassLinks, FieldRules};

/// Coordinates and speeds beyond this are mistakes, metres and metres per second.
const FARTHEST: f64 = 1e6;

impl Cast<'_> {
    /// What is wrong with a tick, before anything of it is taken.
    pub(super) fn check(&self, tick: &TickLine) -> Result<(), Wrong> {
        if let Some(item) = tick.removed.iter().position(|id| !self.actors.contains_key(id)) {
            let what = format!("entity {} is removed, and is not there", tick.removed[item]);
            return Err(Wrong::at(&[Step::Key("removed"), Step::Item(item)], what));
        }
        self.check_entities(tick)?;
        self.check_notices(tick)?;
        for (item, line) in tick.doors.iter().enumerate() {
            if !self.door_places.contains_key(&line.id) {
                let what = unknown("door", &line.id, self.door_places.keys().map(String::as_str));
                return Err(Wrong::of("doors", item, "id", what));
            }
        }
        for (item, line) in tick.occluders.iter().enumerate() {
            check_numbers("occluders", item, "center", &line.center)?;
            if !(0.0..=FARTHEST).contains(&line.radius) {
                let what = format!("occluder {:?}: a radius of {}", line.id, line.radius);
                return Err(Wrong::of("occluders", item, "radius", what));
            }
        }
        for (item, line) in tick.observers.iter().enumerate() {
            self.check_observer(line).map_err(|(key, what)| Wrong::of("observers", item, key, what))?;
        }
        Ok(())
    }

    fn check_entities(&self, tick: &TickLine) -> Result<(), Wrong> {
        let source = self.rules.source();
        for (item, line) in tick.entities.iter().enumerate() {
            let Some(class) = self.rules.class_id(&line.class) else {
                let known = source.classes.iter().map(|class| class.name.as_str());
                let what = format!("entity {}: {}", line.id, unknown("class", &line.class, known));
                return Err(Wrong::of("entities", item, "class", what));
            };
            for (key, numbers) in [("pos", line.pos), ("vel", line.vel)] {
                check_numbers("entities", item, key, &numbers)?;
            }
            for (key, angle) in [("yaw", line.yaw), ("pitch", line.pitch)] {
                check_numbers("entities", item, key, &[angle])?;
            }
            let rules = &source.classes[usize::from(class.0)].fields;
            if let Some(links) = self.rules.class_links(class) {
                check_fields(&line.fields, (rules, links)).map_err(|what| {
                    Wrong::of("entities", item, "fields", format!("entity {}: {what}", line.id))
                })?;
            }
        }
        Ok(())
    }

    /// Sounds and events.
    fn check_notices(&self, tick: &TickLine) -> Result<(), Wrong> {
        let source = self.rules.source();
        for (item, line) in tick.sounds.iter().enumerate() {
            if self.rules.sound_id(&line.class).is_none() {
                let known = source.sounds.iter().map(|class| class.name.as_str());
                return Err(Wrong::of("sounds", item, "class", unknown("sound", &line.class, known)));
            }
            check_numbers("sounds", item, "pos", &line.pos)?;
        }
        for (item, line) in tick.events.iter().enumerate() {
            let Some(class) = self.rules.event_id(&line.class) else {
                let known = source.events.iter().map(|class| class.name.as_str());
                return Err(Wrong::of("events", item, "class", unknown("event", &line.class, known)));
            };
            check_numbers("events", item, "pos", line.pos.as_ref().map_or(&[][..], |pos| &pos[..]))?;
            let rules = &source.events[usize::from(class.0)].fields;
            if let Some(links) = self.rules.event_links(class) {
                check_fields(&line.fields, (rules, links))
                    .map_err(|what| Wrong::of("events", item, "fields", what))?;
            }
        }
        Ok(())
    }

    /// What is wrong with an observer's line, and of which key.
    pub(in crate::replay) fn check_observer(
        &self,
        line: &ObserverLine,
    ) -> Result<(), (&'static str, String)> {
        let id = line.id;
        let before = self.watchers.get(&id);
        if line.left {
            let what = || ("id", format!("observer {id} left, and is not there"));
            return before.map(|_| ()).ok_or_else(what);
        }
        let line = before.iter().fold(line.clone(), |line, before| line.changing(&before.line));
        if let Some(name) = line.topics.iter().flatten().find(|name| self.rules.topic_id(name).is_none()) {
            let known = self.rules.source().topics.iter().map(String::as_str);
            return Err(("topics", format!("observer {id}: {}", unknown("topic", name, known))));
        }
        for (key, ms) in [("rtt_ms", line.rtt_ms), ("input_delay_ms", line.input_delay_ms)] {
            if ms.is_some_and(|ms| !(0.0..=1000.0).contains(&ms)) {
                return Err((key, format!("observer {id}: {key} has to be from 0 to 1000")));
            }
        }
        let corners = line.regions.iter().flatten().flatten().flatten();
        if corners.into_iter().any(|at| at.abs() > FARTHEST) {
            return Err(("regions", format!("observer {id}: a corner beyond {FARTHEST} m")));
        }
        let is_delayed = matches!(line.kind, Some(KindName::Caster | KindName::Killcam));
        if is_delayed && !line.delay_ms.is_some_and(|ms| ms > 0.0) {
            return Err(("kind", format!("observer {id}: casters and killcams need a delay_ms above 0")));
        }
        Ok(())
    }
}

fn check_numbers(list: &'static str, item: usize, key: &'static str, numbers: &[f64]) -> Result<(), Wrong> {
    match numbers.iter().find(|number| number.abs() > FARTHEST) {
        Some(number) => Err(Wrong::of(list, item, key, format!("{number} is beyond {FARTHEST}"))),
        None => Ok(()),
    }
}

/// What is of the wrong type among the values that the rules name.
fn check_fields(fields: &FieldMap, (rules, links): (&[FieldRules], &ClassLinks)) -> Result<(), String> {
    let wrong = |(rules, _): &(&FieldRules, _)| {
        let told = fields.get(&rules.field.name)?;
        Some(format!("field {:?}: {}", rules.field.name, mistyped(told, &rules.field.encoding)?))
    };
    let lent = rules
        .iter()
        .zip(&links.sources)
        .filter(|(_, source)| matches!(source, crate::rules::FieldSource::Value(_)));
    lent.filter_map(|pair| wrong(&pair)).next().map_or(Ok(()), Err)
}
