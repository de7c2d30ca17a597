//! The table of courses: found by entity or by name, in slots that are used again.
//!
//! Promises: which slot a course has, and in what order slots are walked, decides nothing that is sent.
//! Must not know what is sent.

use super::{Course, Courses, Moment, NONE, Phase, sleep};
use crate::held::Held;
use crate::ids::{ClassId, EntityId, NetId, NetRef};
use crate::tick::Tick;
use crate::wire::{EntityRecord, Level};
use std::hint::black_box;

/// Chains by the low bits of an index or a name.
const CHAINS: usize = 1024;

/// Slots that a link begins with.
const LEAST_SLOTS: usize = 32;

impl Default for Courses {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            of_entity: vec![NONE; CHAINS],
            of_entry: Vec::new(),
            of_name: vec![NONE; CHAINS],
            named: 0,
            stamps: 0,
            active: Vec::new(),
            parting: Vec::new(),
            told: 0,
            sleep: sleep::Buckets::default(),
        }
    }
}

impl Courses {
    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        let of_each = self.slots.iter().map(|course| course.baseline.held_bytes());
        let lists = [&self.free, &self.of_entity, &self.of_entry, &self.of_name, &self.active, &self.parting];
        let lists = lists.map(Held::held_bytes).iter().sum::<usize>();
        self.slots.held_bytes() + of_each.sum::<usize>() + lists + self.sleep.held_bytes()
    }

    /// The course of an entity that may be told of or held; none that is leaving.
    pub(super) fn find(&self, entity: EntityId) -> Option<u32> {
        let mut slot = self.of_entity[entity.index as usize % CHAINS];
        while let Some(course) = self.slots.get(slot as usize) {
            if course.entity == entity {
                return Some(slot);
            }
            slot = course.next_of_entity;
        }
        None
    }

    /// The same, of an entity that an entry of the frame tells of: mostly the one that it told of before.
    pub(super) fn find_at(&self, entry: u32, entity: EntityId) -> Option<u32> {
        let slot = self.of_entry.get(entry as usize).copied().unwrap_or(NONE);
        let is_it = |course: &Course| {
            course.entity == entity && !matches!(course.phase, Phase::Free | Phase::Leaving { .. })
        };
        if self.slots.get(slot as usize).is_some_and(is_it) { Some(slot) } else { self.find(entity) }
    }

    /// Reads a little of each course that these entries had: memory that is not at hand comes for many at once then, where
    /// one after the other would wait for its own.
    pub(super) fn fetch(&self, entries: &[u32]) {
        let mut sum = 0;
        for &entry in entries {
            let slot = self.of_entry.get(entry as usize).copied().unwrap_or(NONE);
            sum ^= self.slots.get(slot as usize).map_or(0, Course::mixed);
        }
        black_box(sum);
    }

    /// The course of a name in use.
    pub(super) fn named(&self, net: NetRef) -> Option<u32> {
        let mut slot = self.of_name[usize::from(net.id.0) % CHAINS];
        while let Some(course) = self.slots.get(slot as usize) {
            if course.net == net {
                return Some(slot);
            }
            slot = course.next_of_name;
        }
        None
    }

    /// Whether a name is in use in any generation.
    pub(super) fn is_used(&self, id: NetId) -> bool {
        let mut slot = self.of_name[usize::from(id.0) % CHAINS];
        while let Some(course) = self.slots.get(slot as usize) {
            if course.net.id == id {
                return true;
            }
            slot = course.next_of_name;
        }
        false
    }

    /// Twice as many slots: how many are needed at once grows seldom.
    fn grow(&mut self, at: &Moment<'_>) {
        let (from, to) = (self.slots.len(), (self.slots.len() * 2).max(LEAST_SLOTS));
        self.slots.reserve_exact(to - from);
        self.slots.resize_with(to, || Course::free(at));
        self.free.reserve(to);
        self.free.extend((from as u32..to as u32).rev());
    }

    /// Begins a course that has no name yet.
    pub(super) fn open(&mut self, at: &Moment<'_>, entity: EntityId, class: ClassId, level: Level) -> u32 {
        if self.free.is_empty() {
            self.grow(at);
        }
        let slot = self.free.pop().unwrap_or(NONE);
        let stamp = self.stamp();
        let head = &mut self.of_entity[entity.index as usize % CHAINS];
        let course = &mut self.slots[slot as usize];
        course.next_of_entity = std::mem::replace(head, slot);
        (course.entity, course.class, course.level) = (entity, class, level);
        (course.phase, course.stamp) = (Phase::New, stamp);
        (course.is_sent, course.is_held, course.turn, course.waits) = (false, false, 0.0, None);
        course.baseline.restart();
        slot
    }

    /// The frame of a number tells of a course, in an entry; what sleeps goes on to, if it is told the same.
    pub(super) fn tell(&mut self, slot: u32, number: u64, entry: u32, record: &EntityRecord<'_>) {
        let course = &mut self.slots[slot as usize];
        (course.seen, course.place) = (number, entry);
        if self.of_entry.len() <= entry as usize {
            self.of_entry.resize(entry as usize + 1, NONE);
        }
        self.of_entry[entry as usize] = slot;
        let was_told = std::mem::replace(&mut course.is_told, true);
        self.told += usize::from(!was_told);
        let sleeps = was_told && course.level == record.level && sleep::is_settled(course, record);
        if !sleeps {
            self.activate(slot);
        }
    }

    /// The frame does not tell of a course any more.
    pub(super) fn untell(&mut self, slot: u32) {
        let course = &mut self.slots[slot as usize];
        self.told -= usize::from(std::mem::take(&mut course.is_told));
        if !std::mem::replace(&mut course.is_parting, true) {
            self.parting.push(slot);
        }
    }

    /// A course is looked at in this tick.
    pub(super) fn activate(&mut self, slot: u32) {
        if !std::mem::replace(&mut self.slots[slot as usize].is_active, true) {
            self.active.push(slot);
        }
    }

    /// Gives a course its name.
    pub(super) fn name(&mut self, slot: u32, net: NetRef) {
        let head = &mut self.of_name[usize::from(net.id.0) % CHAINS];
        let course = &mut self.slots[slot as usize];
        course.next_of_name = std::mem::replace(head, slot);
        (course.net, course.phase) = (net, Phase::Told);
        self.named += 1;
    }

    /// A level is told anew.
    pub(super) fn restart(&mut self, slot: u32, level: Level) {
        let stamp = self.stamp();
        let course = &mut self.slots[slot as usize];
        (course.level, course.stamp) = (level, stamp);
        course.baseline.restart();
    }

    /// Ends the telling of an entity: with a removal, if anything was sent under its name. Whether one is due.
    pub(super) fn leave(&mut self, slot: u32, since: Tick, is_revoked: bool) -> bool {
        if !self.slots[slot as usize].is_sent {
            self.close(slot);
            return false;
        }
        self.detach(slot);
        self.untell(slot);
        let stamp = self.stamp();
        let course = &mut self.slots[slot as usize];
        (course.phase, course.stamp) = (Phase::Leaving { since, is_revoked }, stamp);
        course.baseline.restart();
        true
    }

    /// Ends a course and frees its name.
    pub(super) fn close(&mut self, slot: u32) {
        let course = &self.slots[slot as usize];
        let (phase, net) = (course.phase, course.net);
        if !matches!(phase, Phase::Leaving { .. }) {
            self.detach(slot);
        }
        if phase != Phase::New {
            let mut at = self.of_name[usize::from(net.id.0) % CHAINS];
            let next = self.slots[slot as usize].next_of_name;
            if at == slot {
                self.of_name[usize::from(net.id.0) % CHAINS] = next;
            }
            while let Some(course) = self.slots.get_mut(at as usize) {
                if course.next_of_name == slot {
                    course.next_of_name = next;
                }
                at = course.next_of_name;
            }
            self.named -= 1;
        }
        let stamp = self.stamp();
        let course = &mut self.slots[slot as usize];
        (course.phase, course.stamp, course.seen) = (Phase::Free, stamp, 0);
        self.told -= usize::from(std::mem::take(&mut course.is_told));
        self.free.push(slot);
    }

    /// Takes a course out of its entity's chain: the entity may have another now.
    fn detach(&mut self, slot: u32) {
        let Course { entity, next_of_entity: next, .. } = self.slots[slot as usize];
        let mut at = self.of_entity[entity.index as usize % CHAINS];
        if at == slot {
            self.of_entity[entity.index as usize % CHAINS] = next;
        }
        while let Some(course) = self.slots.get_mut(at as usize) {
            if course.next_of_entity == slot {
                course.next_of_entity = next;
            }
            at = course.next_of_entity;
        }
    }

    /// A datagram that told of a course was acknowledged.
    pub(super) fn acknowledge(&mut self, slot: u32, stamp: u32, datagram: u64, sent: Tick) {
        let course = &mut self.slots[slot as usize];
        if course.stamp != stamp {
            return;
        }
        if !course.is_held || sent.is_after(course.touched) {
            course.touched = sent;
        }
        course.is_held = true;
        course.baseline.acknowledge(datagram);
    }

    /// A datagram with the removal was acknowledged.
    pub(super) fn acknowledge_removal(&mut self, slot: u32, stamp: u32) {
        if self.slots[slot as usize].stamp == stamp {
            self.close(slot);
        }
    }

    /// The name by which a datagram may refer to an entity of the frame: its client holds it, or gets it in that very one.
    pub(super) fn nameable(&self, entity: EntityId, datagram: u64) -> Option<NetRef> {
        let course = &self.slots[self.find(entity)? as usize];
        let is_told = course.is_told && course.phase == Phase::Told;
        (is_told && (course.is_held || course.entering == datagram)).then_some(course.net)
    }

    fn stamp(&mut self) -> u32 {
        self.stamps = self.stamps.wrapping_add(1);
        self.stamps
    }
}

impl<'a> Moment<'a> {
    /// What the frame tells of a course.
    pub(super) fn record(&self, course: &Course) -> Option<EntityRecord<'a>> {
        if course.is_told { self.frame.entities.record(course.place) } else { None }
    }
}

impl Course {
    /// A number to which all parts of its memory add.
    fn mixed(&self) -> u64 {
        let ticks = u64::from(self.touched.0 ^ self.wakes.0 ^ self.stamp);
        ticks ^ self.seen ^ self.grown ^ self.entering ^ self.turn.to_bits() ^ self.baseline.mixed()
    }

    fn free(at: &Moment<'_>) -> Self {
        Self {
            entity: EntityId::new(0, 0),
            net: NetRef::new(NetId(0), 0),
            class: ClassId(0),
            level: Level::Hidden,
            phase: Phase::Free,
            stamp: 0,
            is_sent: false,
            is_held: false,
            touched: at.tick,
            is_back: false,
            is_told: false,
            seen: 0,
            place: 0,
            is_active: false,
            is_parting: false,
            wakes: at.tick,
            bucket: None,
            next_to_wake: NONE,
            grown: 0,
            root: NONE,
            root_id: NetId(0),
            depth: 0,
            entering: 0,
            next_of_entity: NONE,
            next_of_name: NONE,
            telling: None,
            next_of_unit: NONE,
            unit: NONE,
            waits: None,
            turn: 0.0,
            is_turn: false,
            keep_alive_ticks: 0,
            baseline: at.baseline(),
        }
    }
}
