//! What is wrong with a tick of a recording, before anything of it is taken: a line is taken whole or not at all.

use super::{Cast, unknown};
use crate::recording::{KindName, ObserverLine, TickLine};

impl Cast<'_> {
    /// What is wrong with a tick, before anything of it is taken.
    pub(super) fn check(&self, tick: &TickLine) -> Result<(), String> {
        let source = self.rules.source();
        if let Some(id) = tick.removed.iter().find(|id| !self.actors.contains_key(id)) {
            return Err(format!("entity {id} is removed, and is not there"));
        }
        let mut named = tick.entities.iter();
        if let Some(line) = named.find(|line| self.rules.class_id(&line.class).is_none()) {
            let known = source.classes.iter().map(|class| class.name.as_str());
            return Err(format!("entity {}: {}", line.id, unknown("class", &line.class, known)));
        }
        if let Some(line) = tick.sounds.iter().find(|line| self.rules.sound_id(&line.class).is_none()) {
            return Err(unknown("sound", &line.class, source.sounds.iter().map(|class| class.name.as_str())));
        }
        if let Some(line) = tick.events.iter().find(|line| self.rules.event_id(&line.class).is_none()) {
            return Err(unknown("event", &line.class, source.events.iter().map(|class| class.name.as_str())));
        }
        if let Some(line) = tick.doors.iter().find(|line| !self.door_places.contains_key(&line.id)) {
            return Err(unknown("door", &line.id, self.door_places.keys().map(String::as_str)));
        }
        if let Some(line) = tick.occluders.iter().find(|line| line.radius < 0.0) {
            return Err(format!("occluder {:?}: a radius of {}", line.id, line.radius));
        }
        tick.observers.iter().try_for_each(|line| self.check_observer(line))
    }

    pub(super) fn check_observer(&self, line: &ObserverLine) -> Result<(), String> {
        let id = line.id;
        if line.left {
            let is_there = self.watchers.contains_key(&id);
            return if is_there { Ok(()) } else { Err(format!("observer {id} left, and is not there")) };
        }
        if let Some(name) = line.topics.iter().find(|name| self.rules.topic_id(name).is_none()) {
            let known = self.rules.source().topics.iter().map(String::as_str);
            return Err(format!("observer {id}: {}", unknown("topic", name, known)));
        }
        let is_ms = |ms: &f64| (0.0..=1000.0).contains(ms);
        if !line.rtt_ms.as_ref().is_none_or(is_ms) || !line.input_delay_ms.as_ref().is_none_or(is_ms) {
            return Err(format!("observer {id}: rtt_ms and input_delay_ms have to be from 0 to 1000"));
        }
        let is_delayed = matches!(line.kind, Some(KindName::Caster | KindName::Killcam));
        if is_delayed && !line.delay_ms.is_some_and(|ms| ms > 0.0) {
            return Err(format!("observer {id}: casters and killcams need a delay_ms above 0"));
        }
        Ok(())
    }
}
