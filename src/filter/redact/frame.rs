//! All that one observer is told in one tick, in memory of its own.
//!
//! Promises: it may be kept for as long as a delay asks, and lends nothing but what was disclosed; filling it again
//! takes no memory once it was as full before. Must not know who is told.

use super::Disclosed;
use crate::ids::{ClassId, EntityId, EventClassId, SoundClassId};
use crate::wire::{EntityRecord, EventRecord, Level, PriorityFacts, SoundRecord};
use std::ops::Range;

/// What one observer is told in one tick; parents come before what they carry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    bytes: Vec<u8>,
    references: Vec<Option<EntityId>>,
    pub(super) entities: Vec<ToldEntity>,
    sounds: Vec<ToldSound>,
    events: Vec<ToldEvent>,
}

/// A part of the frame's bytes or references.
type Part = Range<usize>;

/// One entity.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ToldEntity {
    pub(super) entity: EntityId,
    pub(super) class: ClassId,
    pub(super) level: Level,
    pub(super) parent: Option<EntityId>,
    pub(super) record: Part,
    pub(super) references: Part,
    pub(super) share: u32,
    pub(super) facts: PriorityFacts,
}

#[derive(Clone, Debug, PartialEq)]
struct ToldSound {
    class: SoundClassId,
    band: u8,
    place: Part,
    emitter: Option<EntityId>,
}

#[derive(Clone, Debug, PartialEq)]
struct ToldEvent {
    class: EventClassId,
    level: Level,
    record: Part,
    references: Part,
}

impl Frame {
    /// The entities that are told; who is not among them is not known of.
    pub fn entities(&self) -> impl ExactSizeIterator<Item = Disclosed<EntityRecord<'_>>> + Clone {
        self.entities.iter().map(|told| {
            Disclosed(EntityRecord {
                entity: told.entity,
                class: told.class,
                level: told.level,
                parent: told.parent,
                record: &self.bytes[told.record.clone()],
                references: &self.references[told.references.clone()],
                share: told.share,
                facts: told.facts,
            })
        })
    }

    /// The sounds that are heard.
    pub fn sounds(&self) -> impl ExactSizeIterator<Item = Disclosed<SoundRecord<'_>>> + Clone {
        self.sounds.iter().map(|told| {
            let place = &self.bytes[told.place.clone()];
            Disclosed(SoundRecord { class: told.class, band: told.band, place, emitter: told.emitter })
        })
    }

    /// The events that are told.
    pub fn events(&self) -> impl ExactSizeIterator<Item = Disclosed<EventRecord<'_>>> + Clone {
        self.events.iter().map(|told| {
            Disclosed(EventRecord {
                class: told.class,
                level: told.level,
                record: &self.bytes[told.record.clone()],
                references: &self.references[told.references.clone()],
            })
        })
    }

    /// Forgets all, and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.references.clear();
        self.entities.clear();
        self.sounds.clear();
        self.events.clear();
    }

    /// How many entities, sounds and events it has room for.
    pub(crate) fn capacities(&self) -> [usize; 3] {
        [self.entities.capacity(), self.sounds.capacity(), self.events.capacity()]
    }

    /// Makes room for all that a world of this size may tell, once forgotten.
    pub(super) fn make_room(&mut self, records: [usize; 2], [entities, sounds, events]: [usize; 3]) {
        self.bytes.reserve(records[0]);
        self.references.reserve(records[1]);
        self.entities.reserve(entities);
        self.sounds.reserve(sounds);
        self.events.reserve(events);
    }

    /// Puts sounds and events in an order that is theirs alone, not that of the game's lists.
    pub(super) fn order(&mut self) {
        let Self { bytes, references, sounds, events, .. } = self;
        let slot = |id: Option<EntityId>| id.map(|id| (id.index, id.generation));
        let heard =
            |told: &ToldSound| (told.class, told.band, &bytes[told.place.clone()], slot(told.emitter));
        sounds.sort_unstable_by(|a, b| heard(a).cmp(&heard(b)));
        let names = |told: &ToldEvent| references[told.references.clone()].iter().map(|id| slot(*id));
        let seen = |told: &ToldEvent| (told.class, told.level, &bytes[told.record.clone()]);
        events.sort_unstable_by(|a, b| seen(a).cmp(&seen(b)).then_with(|| names(a).cmp(names(b))));
    }

    /// Copies a record.
    pub(super) fn keep(&mut self, record: &[u8]) -> Part {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(record);
        start..self.bytes.len()
    }

    /// Room for a record.
    pub(super) fn room(&mut self, bytes: usize) -> Part {
        let start = self.bytes.len();
        self.bytes.resize(start + bytes, 0);
        start..self.bytes.len()
    }

    pub(super) fn bytes_mut(&mut self, part: &Part) -> &mut [u8] {
        &mut self.bytes[part.clone()]
    }

    /// Keeps references.
    pub(super) fn refer(&mut self, references: impl Iterator<Item = Option<EntityId>>) -> Part {
        let start = self.references.len();
        self.references.extend(references);
        start..self.references.len()
    }

    pub(super) fn hear(&mut self, class: SoundClassId, band: u8, place: Part, emitter: Option<EntityId>) {
        self.sounds.push(ToldSound { class, band, place, emitter });
    }

    /// Tells an event whose references are all from the start of `references` on.
    pub(super) fn happen(&mut self, class: EventClassId, level: Level, record: Part, references: Part) {
        let references = references.start..self.references.len();
        self.events.push(ToldEvent { class, level, record, references });
    }
}
