//! All that one observer is told in one tick, in memory of its own, which the next tick goes on from.
//!
//! Promises: it may be kept for as long as a delay asks, and lends nothing but what was disclosed; what changed since the
//! tick before is listed, and what did not costs next to nothing. Must not know who is told.

use super::entry::{Content, Gone, ToldEntity, ToldRecord};
use super::notices::Notices;
use super::seat::{NOBODY, Seat};
use super::{Beholder, Disclosed};
use crate::held::Held;
use crate::ids::{ClassId, EntityId};
use crate::wire::{EntityRecord, EventRecord, Level, SoundRecord};
use std::ops::Range;

/// What one observer is told in one tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Count of the tick that it is of.
    count: u64,
    seats: Vec<Seat>,
    /// By entry, as are `seats`.
    entities: Vec<ToldEntity>,
    free: Vec<u32>,
    there: usize,
    /// How many are told, by class and level.
    counts: Vec<[u32; Level::TOLD.len()]>,
    /// Bytes of a record and references of one, by entry: the most that any has.
    strides: [usize; 2],
    bytes: Vec<u8>,
    references: Vec<Option<EntityId>>,
    /// Entries that go unless they are told anew each tick; all others are covered.
    watched: Vec<u32>,
    changed: Vec<u32>,
    /// Entries of other categories than in the tick before: nobody is told of it, so that they are not among `changed`.
    refiled: Vec<u32>,
    gone: Vec<Gone>,
    met: Vec<u32>,
    beholder: Beholder,
    notices: Notices,
}

/// A part of the bytes or references of notices.
pub(super) type Part = Range<usize>;

impl Frame {
    /// The entities that are told; who is not among them is not known of.
    pub fn entities(&self) -> impl Iterator<Item = Disclosed<EntityRecord<'_>>> + Clone {
        (0..self.seats.len() as u32).filter_map(|entry| self.record(entry))
    }

    /// How many entities are told.
    pub fn len(&self) -> usize {
        self.there
    }

    /// Whether no entity is told.
    pub fn is_empty(&self) -> bool {
        self.there == 0
    }

    /// The entity of an entry, if one is told there.
    pub(crate) fn record(&self, entry: u32) -> Option<Disclosed<EntityRecord<'_>>> {
        let ToldRecord { of: told, record, references } = self.told(entry)?;
        Some(Disclosed(EntityRecord {
            entity: told.entity,
            class: told.class,
            level: told.level,
            parent: told.parent,
            record,
            references,
            share: told.share,
            facts: self.beholder.facts((told.speed_mps, told.size_m), told.place, self.met.contains(&entry)),
        }))
    }

    /// How many are told of each class at each level.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (ClassId, Level, u32)> + '_ {
        let of_class = |(class, counts): (u16, &[u32; Level::TOLD.len()])| {
            let counts = Level::TOLD.into_iter().zip(*counts);
            counts.map(move |(level, count)| (ClassId(class), level, count))
        };
        (0..).zip(&self.counts).flat_map(of_class)
    }

    /// Entries, told or not.
    pub(crate) fn entries(&self) -> u32 {
        self.seats.len() as u32
    }

    /// Entries that may not tell what they told in the tick before.
    pub(crate) fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// Entries whose categories, which nobody is told, are not those of the tick before.
    pub(super) fn refiled(&self) -> &[u32] {
        &self.refiled
    }

    /// What an entry tells, its bytes and its references, if one is told there.
    pub(super) fn told(&self, entry: u32) -> Option<ToldRecord<'_>> {
        let index = entry as usize;
        self.seats.get(index).filter(|seat| seat.slot != NOBODY)?;
        let of = &self.entities[index];
        let [bytes, references] = self.strides.map(|stride| stride * index);
        Some(ToldRecord {
            of,
            record: &self.bytes[bytes..bytes + of.record as usize],
            references: &self.references[references..references + of.references as usize],
        })
    }

    /// Bytes of a record and references of one: the most that any has.
    pub(super) fn strides(&self) -> [usize; 2] {
        self.strides
    }

    /// What is not told any more.
    pub(crate) fn gone(&self) -> &[Gone] {
        &self.gone
    }

    /// What is told now with its class and level, and whether it is by right.
    pub(crate) fn rights(&self) -> impl Iterator<Item = Gone> + '_ {
        let there = self.seats.iter().zip(&self.entities).filter(|(seat, _)| seat.slot != NOBODY);
        there.map(|(_, told)| told.gone())
    }

    /// The level at which the entity at a place is told, if it is.
    pub(in crate::filter) fn level_at(&self, place: u32) -> Option<(Level, bool)> {
        let mut there = self.seats.iter().zip(&self.entities).filter(|(seat, _)| seat.slot != NOBODY);
        there.find(|(_, told)| told.at == place).map(|(_, told)| (told.level, told.is_by_right))
    }

    /// The sounds that are heard.
    pub fn sounds(&self) -> impl ExactSizeIterator<Item = Disclosed<SoundRecord<'_>>> + Clone {
        self.notices.sounds().map(Disclosed)
    }

    /// The events that are told.
    pub fn events(&self) -> impl ExactSizeIterator<Item = Disclosed<EventRecord<'_>>> + Clone {
        self.notices.events().map(Disclosed)
    }

    /// Forgets all, and keeps the memory.
    pub fn clear(&mut self) {
        self.count = 0;
        self.seats.clear();
        self.entities.clear();
        self.free.clear();
        self.there = 0;
        self.counts.clear();
        self.watched.clear();
        self.changed.clear();
        self.refiled.clear();
        self.gone.clear();
        self.met.clear();
        self.notices.clear();
    }

    /// Count of the tick that it is of.
    pub(in crate::filter) fn count(&self) -> u64 {
        self.count
    }

    /// How many that go it has room for.
    pub(crate) fn gone_capacity(&self) -> usize {
        self.gone.capacity()
    }

    /// How many sounds and events it has room for.
    pub(crate) fn capacities(&self) -> [usize; 2] {
        self.notices.capacities()
    }

    /// Bytes that are held.
    pub(crate) fn held_bytes(&self) -> usize {
        let of_entries = self.seats.held_bytes() + self.entities.held_bytes() + self.bytes.held_bytes();
        let lists =
            [&self.free, &self.watched, &self.changed, &self.refiled, &self.met].map(Held::held_bytes);
        of_entries
            + lists.iter().sum::<usize>()
            + self.references.held_bytes()
            + self.counts.held_bytes()
            + self.gone.held_bytes()
            + self.notices.held_bytes()
    }

    /// Begins the tick of a count, in which records have at most so many bytes and references. Where `keeps_covered` is
    /// false, nothing is covered any more. `mark` gets the entries of what is not covered, and whether it was until now.
    pub(super) fn begin(
        &mut self,
        count: u64,
        strides: [usize; 2],
        keeps_covered: bool,
        mut mark: impl FnMut(u32, EntityId, bool),
    ) {
        if self.strides != strides {
            self.clear();
            self.strides = strides;
        }
        for &entry in &self.changed {
            self.seats[entry as usize].is_listed = false;
        }
        if keeps_covered {
            self.watched.iter().for_each(|&entry| mark(entry, self.seats[entry as usize].id(), false));
        } else {
            let there = self.seats.iter_mut().zip(0..).filter(|(seat, _)| seat.slot != NOBODY);
            for (seat, entry) in there {
                mark(entry, seat.id(), std::mem::take(&mut seat.is_covered));
                if !std::mem::replace(&mut seat.is_watched, true) {
                    self.watched.push(entry);
                }
            }
        }
        self.changed.clear();
        self.refiled.clear();
        self.gone.clear();
        self.met.clear();
        self.notices.clear();
        self.count = count;
    }

    /// Makes room for so many entities, sounds and events.
    pub(super) fn make_room(&mut self, entities: usize, [sounds, events]: [usize; 2], notices: [usize; 2]) {
        let more = entities.saturating_sub(self.seats.len());
        self.seats.reserve(more);
        self.entities.reserve(more);
        self.free.reserve(entities.saturating_sub(self.free.len()));
        self.watched.reserve(entities.saturating_sub(self.watched.len()));
        self.bytes.reserve(more * self.strides[0]);
        self.references.reserve(more * self.strides[1]);
        self.changed.reserve(2 * entities);
        self.refiled.reserve(entities);
        self.gone.reserve(entities);
        self.met.reserve(entities);
        self.notices.make_room([sounds, events], notices);
    }

    pub(super) fn set_beholder(&mut self, beholder: Beholder) {
        self.beholder = beholder;
    }

    /// Whether a plain entry tells what is so, as its entity did not change since `version`.
    pub(in crate::filter) fn is_right(&self, entry: u32, version: u64) -> bool {
        let seat = &self.seats[entry as usize];
        seat.is_plain && seat.version >= version
    }

    /// An entry goes on to be told until it is released.
    pub(in crate::filter) fn cover(&mut self, entry: u32) {
        self.seats[entry as usize].is_covered = true;
    }

    /// An entry that was covered goes, unless it is told in this tick; gives whom it tells of.
    pub(in crate::filter) fn release(&mut self, entry: u32) -> EntityId {
        let seat = &mut self.seats[entry as usize];
        seat.is_covered = false;
        if !std::mem::replace(&mut seat.is_watched, true) {
            self.watched.push(entry);
        }
        seat.id()
    }

    /// Tells an entity, in the entry that it has; gives the one that it has now.
    pub(super) fn tell(
        &mut self,
        entry: Option<u32>,
        content: &Content<'_>,
        references: impl ExactSizeIterator<Item = Option<EntityId>>,
    ) -> u32 {
        let is_new = entry.is_none();
        let entry = entry.unwrap_or_else(|| self.open());
        let index = entry as usize;
        let [byte, first] = self.strides.map(|stride| stride * index);
        let record = &mut self.bytes[byte..byte + content.record.len()];
        let named = &mut self.references[first..first + references.len()];
        let told = ToldEntity::of(content, references.len());
        let before = &mut self.entities[index];
        // What is bundled or refers to others depends on what is told of those.
        let is_other = is_new
            || before.is_other(&told)
            || told.parent.is_some()
            || told.references > 0
            || *record != *content.record;
        record.copy_from_slice(content.record);
        if is_new || (before.class, before.level) != (told.class, told.level) {
            if !is_new {
                count(&mut self.counts, before.class, before.level, false);
            }
            count(&mut self.counts, told.class, told.level, true);
        }
        named.iter_mut().zip(references).for_each(|(own, id)| *own = id);
        if !is_other && before.categories != told.categories {
            self.refiled.push(entry);
        }
        *before = told;
        let seat = &mut self.seats[index];
        (seat.slot, seat.generation) = (content.entity.index, content.entity.generation);
        (seat.told, seat.version) = (self.count, self.count);
        seat.is_plain = content.level == Level::Seen && content.parent.is_none();
        if !seat.is_covered && !std::mem::replace(&mut seat.is_watched, true) {
            self.watched.push(entry);
        }
        if is_other {
            self.list(entry);
        }
        entry
    }

    /// Lists an entry among those that may tell something else now.
    pub(super) fn list(&mut self, entry: u32) {
        let seat = &mut self.seats[entry as usize];
        if !std::mem::replace(&mut seat.is_listed, true) {
            self.changed.push(entry);
        }
    }

    /// Notes that the observer and what an entry tells of met.
    pub(super) fn note_met(&mut self, entry: u32) {
        self.met.push(entry);
    }

    fn open(&mut self) -> u32 {
        self.there += 1;
        self.free.pop().unwrap_or_else(|| {
            self.seats.push(Seat::FREE);
            self.entities.push(ToldEntity::NOTHING);
            self.bytes.resize(self.seats.len() * self.strides[0], 0);
            self.references.resize(self.seats.len() * self.strides[1], None);
            self.seats.len() as u32 - 1
        })
    }

    /// Ends the tick: what was not told goes, and notices come in an order that is theirs alone.
    pub(super) fn end(&mut self) {
        let Self { seats, entities, free, gone, changed, there, counts, watched, .. } = self;
        watched.retain(|&entry| {
            let seat = &mut seats[entry as usize];
            if seat.is_covered {
                seat.is_watched = false;
                return false;
            }
            if seat.told == self.count {
                return true;
            }
            let told = entities[entry as usize].gone();
            count(counts, told.class, told.level, false);
            gone.push(told);
            *seat = Seat::FREE;
            free.push(entry);
            *there -= 1;
            false
        });
        changed.retain(|entry| seats[*entry as usize].slot != NOBODY);
        self.notices.order();
    }

    pub(super) fn notices(&mut self) -> &mut Notices {
        &mut self.notices
    }
}

/// Counts one more or one less.
fn count(counts: &mut Vec<[u32; Level::TOLD.len()]>, class: ClassId, level: Level, is_more: bool) {
    let index = usize::from(class.0);
    if counts.len() <= index {
        counts.resize(index + 1, [0; Level::TOLD.len()]);
    }
    if let Some(level) = level.index() {
        let count = &mut counts[index][level];
        *count = if is_more { *count + 1 } else { *count - 1 };
    }
}
