//! From rules that hold to what the hot path looks up: numbers for names, sources of fields, the wire's schema.

use super::{FieldRules, Rules, RulesSource, SoundClass};
use crate::ids::{ClassId, SoundClassId, TopicId};
use crate::wire::{ClassSchema, Encoding, Field, Leave, Schema, SchemaParts, SoundSchema};
use std::sync::Arc;

/// Where a field's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldSource {
    /// The feet, `pos`; of an event, its place.
    Position,
    /// `vel`.
    Velocity,
    /// `yaw`.
    Yaw,
    /// `pitch`.
    Pitch,
    /// `stance`.
    Stance,
    /// `alive`.
    Alive,
    /// `team`.
    Team,
    /// `owner`.
    Owner,
    /// `parent`.
    Parent,
    /// The n-th entity that an event is about.
    About(usize),
    /// The n-th of the values that the game lends with the entity or event.
    Value(usize),
}

/// The names of a class, resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassLinks {
    /// Per field, where its value comes from.
    pub sources: Vec<FieldSource>,
    /// Values that the game lends with each entity or event of the class.
    pub values: usize,
    /// Classes whose entities may be its parent.
    pub carried_by: Vec<ClassId>,
    /// The class of sounds that it makes all the time.
    pub audible: Option<SoundClassId>,
    /// The topic that observers must follow.
    pub topic: Option<TopicId>,
}

impl Rules {
    /// Rules of a source that was checked.
    pub(super) fn of(source: RulesSource) -> Self {
        let topic = |name: &Option<String>| {
            let index = source.topics.iter().position(|topic| Some(topic) == name.as_ref());
            index.map(|index| TopicId(index as u16))
        };
        let class_id = |name: &String| {
            let index = source.classes.iter().position(|class| class.name == *name);
            index.map(|index| ClassId(index as u16))
        };
        let sound_id = |name: &String| {
            let index = source.sounds.iter().position(|sound| sound.name == *name);
            index.map(|index| SoundClassId(index as u16))
        };
        let classes = source.classes.iter().map(|class| ClassLinks {
            carried_by: class.carried_by.iter().filter_map(class_id).collect(),
            audible: class.audible.as_ref().and_then(sound_id),
            topic: topic(&class.topic),
            ..links(&class.fields, false)
        });
        let events = source
            .events
            .iter()
            .map(|event| ClassLinks { topic: topic(&event.topic), ..links(&event.fields, true) });
        let (classes, events) = (classes.collect(), events.collect());
        let sound_topics = source.sounds.iter().map(|sound| topic(&sound.topic)).collect();
        Self { schema: Arc::new(schema(&source)), classes, events, sound_topics, source }
    }
}

impl SoundClass {
    /// The band of a hearing distance, as datagrams number it.
    pub fn band_at(&self, distance_m: f64) -> u8 {
        let last = self.bands.len().saturating_sub(1);
        self.bands.iter().position(|band| distance_m <= band.within_m).unwrap_or(last) as u8
    }

    /// The band of those who know the emitter well, as datagrams number it.
    pub fn precise_band(&self) -> Option<u8> {
        self.precise.map(|_| self.bands.len() as u8)
    }
}

fn links(fields: &[FieldRules], is_event: bool) -> ClassLinks {
    let (mut values, mut about) = (0, 0);
    let next = |count: &mut usize| {
        *count += 1;
        *count - 1
    };
    let mut source = |field: &Field| match (is_event, field.name.as_str(), &field.encoding) {
        (_, "pos", _) => FieldSource::Position,
        (true, _, Encoding::Reference) => FieldSource::About(next(&mut about)),
        (false, "vel", _) => FieldSource::Velocity,
        (false, "yaw", _) => FieldSource::Yaw,
        (false, "pitch", _) => FieldSource::Pitch,
        (false, "stance", _) => FieldSource::Stance,
        (false, "alive", _) => FieldSource::Alive,
        (false, "team", _) => FieldSource::Team,
        (false, "owner", _) => FieldSource::Owner,
        (false, "parent", _) => FieldSource::Parent,
        _ => FieldSource::Value(next(&mut values)),
    };
    let sources = fields.iter().map(|rules| source(&rules.field)).collect();
    ClassLinks { sources, values, ..ClassLinks::default() }
}

fn schema(source: &RulesSource) -> Schema {
    let extent_m = source.extent_m;
    let class = |name: &String, fields: &[FieldRules], leave| {
        let fields = fields.iter().map(|rules| rules.field.clone()).collect();
        ClassSchema::new(name.clone(), fields, leave, extent_m)
    };
    let sound = |sound: &SoundClass| {
        let bands = sound.bands.iter().map(|band| band.step_m);
        let steps = bands.chain(sound.precise.map(|precise| precise.step_m)).collect();
        SoundSchema::new(sound.name.clone(), steps, extent_m)
    };
    Schema::new(SchemaParts {
        extent_m,
        stale_ticks: source.settings.sending.stale_ticks,
        classes: source.classes.iter().map(|c| class(&c.name, &c.fields, c.leave)).collect(),
        sounds: source.sounds.iter().map(sound).collect(),
        events: source.events.iter().map(|e| class(&e.name, &e.fields, Leave::Removal)).collect(),
    })
}
