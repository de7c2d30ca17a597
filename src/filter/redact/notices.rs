//! The sounds and events that one observer is told of in one tick.
//!
//! Promises: their order is that of what is told alone; filling it again takes no memory once it was as full before.
//! Must not know who is told.

use super::frame::Part;
use crate::held::Held;
use crate::ids::{EntityId, EventClassId, SoundClassId};
use crate::wire::{EventRecord, Level, SoundRecord};

/// Sounds and events.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Notices {
    bytes: Vec<u8>,
    references: Vec<Option<EntityId>>,
    sounds: Vec<ToldSound>,
    events: Vec<ToldEvent>,
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

impl Notices {
    pub(super) fn sounds(&self) -> impl ExactSizeIterator<Item = SoundRecord<'_>> + Clone {
        self.sounds.iter().map(|told| {
            let place = &self.bytes[told.place.clone()];
            SoundRecord { class: told.class, band: told.band, place, emitter: told.emitter }
        })
    }

    pub(super) fn events(&self) -> impl ExactSizeIterator<Item = EventRecord<'_>> + Clone {
        self.events.iter().map(|told| EventRecord {
            class: told.class,
            level: told.level,
            record: &self.bytes[told.record.clone()],
            references: &self.references[told.references.clone()],
        })
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.references.clear();
        self.sounds.clear();
        self.events.clear();
    }

    pub(super) fn capacities(&self) -> [usize; 2] {
        [self.sounds.capacity(), self.events.capacity()]
    }

    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        let Self { bytes, references, sounds, events } = self;
        bytes.held_bytes() + references.held_bytes() + sounds.held_bytes() + events.held_bytes()
    }

    /// Makes room for so many sounds and events, with so many bytes and references in all.
    pub(super) fn make_room(&mut self, [sounds, events]: [usize; 2], [bytes, references]: [usize; 2]) {
        self.bytes.reserve(bytes);
        self.references.reserve(references);
        self.sounds.reserve(sounds);
        self.events.reserve(events);
    }

    /// Puts sounds and events in an order that is theirs alone, not that of the game's lists.
    pub(super) fn order(&mut self) {
        let Self { bytes, references, sounds, events } = self;
        let slot = |id: Option<EntityId>| id.map(|id| (id.index, id.generation));
        let heard =
            |told: &ToldSound| (told.class, told.band, &bytes[told.place.clone()], slot(told.emitter));
        sounds.sort_unstable_by(|a, b| heard(a).cmp(&heard(b)));
        let names = |told: &ToldEvent| references[told.references.clone()].iter().map(|id| slot(*id));
        let seen = |told: &ToldEvent| (told.class, told.level, &bytes[told.record.clone()]);
        events.sort_unstable_by(|a, b| seen(a).cmp(&seen(b)).then_with(|| names(a).cmp(names(b))));
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
