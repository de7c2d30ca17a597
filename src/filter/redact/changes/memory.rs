//! When each entity that one observer is told changed last, and what it was told of it.
//!
//! Owns a slot per entity, and a ring of lists of slots, one per tick: each slot is in that of the tick that touched it last.
//! Promises: what is told to change and comes to the same is no change; what is not told any more is remembered until
//! no answer can begin before it went. Room is for what is told, or was within the ring. Must not know queries.

use crate::filter::redact::Frame;
use crate::filter::redact::entry::ToldRecord;
use crate::geom::Point3;
use crate::held::Held;
use crate::ids::{ClassId, EntityId};
use crate::wire::Level;
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Ticks that an answer may reach back.
pub(super) const RING_TICKS: u64 = 64;
/// No slot, no entry.
const NONE: u32 = u32::MAX;
/// Of a slot that is free.
const NOBODY: EntityId = EntityId::new(u32::MAX, u32::MAX);
/// Slots that room is made for at first.
const LEAST_SLOTS: usize = 64;

/// What is looked at of an entity to answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) entity: EntityId,
    /// Where the last frame tells of it.
    pub(super) entry: u32,
    /// Neighbours in the list of its tick.
    next: u32,
    before: u32,
    pub(super) is_told: bool,
    /// Whether it is in a list of the ring.
    is_listed: bool,
    /// Counts of the ticks in which it was last told of otherwise, or not any more, or filed otherwise; in which what is
    /// told of it was another; in which where it is told to be was.
    pub(super) touched: u64,
    pub(super) changed: u64,
    pub(super) moved: u64,
    pub(super) place: Option<Point3>,
    pub(super) categories: u64,
}

/// What was told of the entity of a slot last, beside its bytes and references.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Before {
    class: ClassId,
    level: Level,
    parent: Option<EntityId>,
    record: u32,
    references: u32,
}

/// The memory.
#[derive(Debug)]
pub(super) struct Memory {
    slots: Vec<Slot>,
    /// By slot, as are the strides of bytes and references.
    before: Vec<Before>,
    bytes: Vec<u8>,
    references: Vec<Option<EntityId>>,
    strides: [usize; 2],
    free: Vec<u32>,
    /// No order of it is ever looked at.
    by_entity: HashMap<EntityId, u32, FixedState>,
    /// By entry of the last frame: most likely it tells of the same as before.
    by_entry: Vec<u32>,
    /// The first slot of each tick's list.
    ring: [u32; RING_TICKS as usize],
    capacity: usize,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            before: Vec::new(),
            bytes: Vec::new(),
            references: Vec::new(),
            strides: [0; 2],
            free: Vec::new(),
            by_entity: HashMap::default(),
            by_entry: Vec::new(),
            ring: [NONE; RING_TICKS as usize],
            capacity: 0,
        }
    }
}

impl Memory {
    /// Begins with what was told in the tick of count 0, all of it unchanged.
    pub(super) fn begin(&mut self, frame: &Frame) {
        *self = Self { strides: frame.strides(), ..Self::default() };
        (0..frame.entries()).for_each(|entry| self.tell(frame, entry, 0));
        self.forget(RING_TICKS, RING_TICKS);
    }

    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Slots that there is room for.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        let by_slot = self.slots.held_bytes() + self.before.held_bytes() + self.bytes.held_bytes();
        let numbers = self.free.held_bytes() + self.by_entry.held_bytes();
        by_slot + self.references.held_bytes() + numbers + self.by_entity.held_bytes()
    }

    /// Takes a frame that follows the last one, in the tick of a count.
    pub(super) fn take_changed(&mut self, frame: &Frame, now: u64) {
        self.follow_strides(frame);
        for &entry in frame.changed().iter().chain(frame.refiled()) {
            self.tell(frame, entry, now);
        }
        for gone in frame.gone() {
            if let Some(&slot) = self.by_entity.get(&gone.entity) {
                self.lose(slot, now);
            }
        }
    }

    /// Takes a frame of which nothing is known.
    pub(super) fn take_all(&mut self, frame: &Frame, now: u64) {
        self.follow_strides(frame);
        self.slots.iter_mut().for_each(|slot| slot.entry = NONE);
        self.by_entry.clear();
        (0..frame.entries()).for_each(|entry| self.tell(frame, entry, now));
        for slot in 0..self.slots.len() {
            if self.slots[slot].is_told && self.slots[slot].entry == NONE {
                self.lose(slot as u32, now);
            }
        }
    }

    /// Forgets what was touched so long ago that no answer of the tick of a count asks for it; so many ticks passed.
    pub(super) fn forget(&mut self, now: u64, passed: u64) {
        for count in now + 1 - passed.min(RING_TICKS)..=now {
            let mut at = std::mem::replace(&mut self.ring[(count % RING_TICKS) as usize], NONE);
            while let Some(slot) = self.slots.get_mut(at as usize) {
                let (place, entity) = (at, slot.entity);
                at = slot.next;
                slot.is_listed = false;
                if !slot.is_told {
                    slot.entity = NOBODY;
                    self.by_entity.remove(&entity);
                    self.free.push(place);
                }
            }
        }
    }

    /// Calls `f` with the slots that were touched after the tick of a count, each once; it is at most as many ticks ago as
    /// the ring has.
    pub(super) fn touched_after(&self, since: u64, now: u64, mut f: impl FnMut(u32, &Slot)) {
        for count in since + 1..=now {
            let mut at = self.ring[(count % RING_TICKS) as usize];
            while let Some(slot) = self.slots.get(at as usize) {
                f(at, slot);
                at = slot.next;
            }
        }
    }

    /// Takes what an entry tells, if it does.
    fn tell(&mut self, frame: &Frame, entry: u32, now: u64) {
        let Some(record) = frame.told(entry) else { return };
        let told = record.of;
        let place = self.slot_of(entry, told.entity);
        let is_other = self.copy(place as usize, record);
        let slot = &mut self.slots[place as usize];
        let is_new = !slot.is_told;
        let has_moved = is_new || slot.place != told.place;
        let is_changed = has_moved || is_other;
        let is_touched = is_changed || slot.categories != told.categories;
        (slot.entry, slot.is_told) = (entry, true);
        (slot.place, slot.categories) = (told.place, told.categories);
        if is_changed {
            slot.changed = now;
        }
        if has_moved {
            slot.moved = now;
        }
        if is_touched {
            self.touch(place, now);
        }
    }

    /// Notes that a slot's entity is not told any more.
    fn lose(&mut self, place: u32, now: u64) {
        let slot = &mut self.slots[place as usize];
        if slot.is_told {
            (slot.is_told, slot.entry) = (false, NONE);
            self.touch(place, now);
        }
    }

    /// Puts a slot in the list of the tick of a count.
    fn touch(&mut self, place: u32, now: u64) {
        let Self { slots, ring, .. } = self;
        let Slot { next, before, is_listed, touched, .. } = slots[place as usize];
        if is_listed {
            match slots.get_mut(before as usize) {
                Some(before) => before.next = next,
                None => ring[(touched % RING_TICKS) as usize] = next,
            }
            if let Some(next) = slots.get_mut(next as usize) {
                next.before = before;
            }
        }
        let head = &mut ring[(now % RING_TICKS) as usize];
        let next = std::mem::replace(head, place);
        if let Some(next) = slots.get_mut(next as usize) {
            next.before = place;
        }
        let slot = &mut slots[place as usize];
        (slot.next, slot.before, slot.is_listed, slot.touched) = (next, NONE, true, now);
    }

    /// The slot of an entity that an entry tells of.
    fn slot_of(&mut self, entry: u32, entity: EntityId) -> u32 {
        if self.by_entry.len() <= entry as usize {
            self.by_entry.resize(entry as usize + 1, NONE);
        }
        let likely = self.by_entry[entry as usize];
        if self.slots.get(likely as usize).is_some_and(|slot| slot.entity == entity) {
            return likely;
        }
        let known = self.by_entity.get(&entity).copied();
        let place = known.unwrap_or_else(|| self.open(entity));
        self.by_entry[entry as usize] = place;
        place
    }

    fn open(&mut self, entity: EntityId) -> u32 {
        let place = self.free.pop().unwrap_or_else(|| {
            if self.slots.len() == self.capacity {
                self.grow();
            }
            self.slots.push(Slot::FREE);
            self.before.push(Before::NOTHING);
            self.bytes.resize(self.slots.len() * self.strides[0], 0);
            self.references.resize(self.slots.len() * self.strides[1], None);
            self.slots.len() as u32 - 1
        });
        self.slots[place as usize] = Slot { entity, ..Slot::FREE };
        self.by_entity.insert(entity, place);
        place
    }

    /// Makes room for twice as many slots; the table of handles gets so much that it never grows by itself.
    fn grow(&mut self) {
        self.capacity = (2 * self.capacity).max(LEAST_SLOTS);
        let more = self.capacity - self.slots.len();
        self.slots.reserve_exact(more);
        self.before.reserve_exact(more);
        self.bytes.reserve_exact(more * self.strides[0]);
        self.references.reserve_exact(more * self.strides[1]);
        self.free.reserve_exact(self.capacity - self.free.len());
        self.by_entity.reserve(2 * self.capacity - self.by_entity.len());
    }

    /// Copies what is told; true where it is another than before.
    fn copy(&mut self, place: usize, told: ToldRecord<'_>) -> bool {
        let ToldRecord { of: told, record, references } = told;
        let [byte, reference] = self.strides.map(|stride| stride * place);
        let bytes = &mut self.bytes[byte..byte + record.len()];
        let named = &mut self.references[reference..reference + references.len()];
        let now = Before {
            class: told.class,
            level: told.level,
            parent: told.parent,
            record: told.record,
            references: told.references,
        };
        let before = std::mem::replace(&mut self.before[place], now);
        let is_other = before != now || *bytes != *record || *named != *references;
        if is_other {
            bytes.copy_from_slice(record);
            named.copy_from_slice(references);
        }
        is_other
    }

    /// Before the first tick there are no rules to say how long records are.
    fn follow_strides(&mut self, frame: &Frame) {
        if self.strides != frame.strides() && self.slots.is_empty() {
            self.strides = frame.strides();
        }
    }
}

impl Slot {
    const FREE: Self = Self {
        entity: NOBODY,
        entry: NONE,
        next: NONE,
        before: NONE,
        is_told: false,
        is_listed: false,
        touched: 0,
        changed: 0,
        moved: 0,
        place: None,
        categories: 0,
    };

    /// Whether something is remembered in it.
    pub(super) fn is_used(&self) -> bool {
        self.entity != NOBODY
    }
}

impl Before {
    const NOTHING: Self =
        Self { class: ClassId(0), level: Level::Hidden, parent: None, record: 0, references: 0 };
}
