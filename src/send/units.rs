//! Bundles in datagrams: what is to be said of each entity, and all of a bundle together.
//!
//! Promises: a bundle is written whole or not at all, parents first; no message refers to what its client may not hold.
//! Must not know budgets or turns.

use super::{Course, Courses, Met, Moment, NONE, Queues, Sheet, Telling, Touch, Turn};
use crate::held::Held;
use crate::ids::{EntityId, NetRef};
use crate::wire::{EntityHead, EntityRecord, Layout, Level};

/// How much the weight of one counts that did not change: with many of them, those that did go first.
const QUIET_WEIGHT: f64 = 0.25;

/// Room that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    members: Vec<u32>,
    /// References of the bundle's messages, one behind the other, where each one's begin, and its bits.
    references: Vec<Option<NetRef>>,
    starts: Vec<(usize, u64)>,
}

impl Scratch {
    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        self.members.held_bytes() + self.references.held_bytes() + self.starts.held_bytes()
    }

    /// Makes room for bundles of as many members, each with so many references.
    pub(super) fn make_room(&mut self, members: usize, references: usize) {
        self.members.clear();
        self.members.reserve(members);
        self.starts.clear();
        self.starts.reserve(members);
        self.references.clear();
        self.references.reserve(members * references);
    }
}

impl<'a> Moment<'a> {
    /// What the frame tells of a course, and its layout.
    fn told(&self, course: &Course) -> Option<(EntityRecord<'a>, &'a Layout)> {
        let record = self.record(course)?;
        Some((record, self.policy.layout(record.class, record.level)?))
    }
}

/// Decides what is to be said of each entity that is told of.
pub(super) fn decide(at: &Moment<'_>, courses: &mut Courses, met: &Met, scratch: &mut Scratch) {
    for &slot in &met.told {
        let course = &courses.slots[slot as usize];
        let mut telling = None;
        if let Some((record, layout)) = at.told(course) {
            // What is in the same bundle comes along if it has to.
            let name = |entity: EntityId| {
                let named = &courses.slots[courses.find(entity)? as usize];
                let is_told = at.record(named).is_some();
                (is_told && (named.is_held || named.root == course.root)).then_some(named.net)
            };
            scratch.references.clear();
            scratch.references.extend(record.references.iter().map(|entity| entity.and_then(name)));
            telling = course.baseline.telling(at, course, layout, record.record, &scratch.references);
        }
        let course = &mut courses.slots[slot as usize];
        (course.telling, course.unit, course.next_of_unit) = (telling, NONE, NONE);
    }
}

/// Gathers what is to be said by bundle, and queues the bundles.
pub(super) fn gather(at: &Moment<'_>, courses: &mut Courses, met: &Met, queues: &mut Queues) {
    let Queues { urgent, enters, updates } = queues;
    urgent.clear();
    enters.clear();
    updates.clear();
    for &slot in &met.told {
        if courses.slots[slot as usize].telling.is_some() {
            link(courses, slot);
        }
    }
    // What the client may not hold yet goes with each message of its bundle, as any may refer to it.
    for &slot in &met.told {
        let course = &courses.slots[slot as usize];
        let is_said = courses.slots[course.root as usize].unit != NONE;
        if !course.is_held && course.telling.is_none() && is_said {
            courses.slots[slot as usize].telling = Some(Telling::Enter);
            link(courses, slot);
        }
    }
    for &slot in &met.told {
        let root = &courses.slots[slot as usize];
        let (mut member, mut weight, mut enters_one, mut is_urgent) = (root.unit, 0.0_f64, false, false);
        if member == NONE {
            continue;
        }
        while let Some(course) = courses.slots.get(member as usize) {
            let is_quiet = matches!(course.telling, Some(Telling::Update(mask)) if mask.is_empty());
            weight = weight.max(course.turn * if is_quiet { QUIET_WEIGHT } else { 1.0 });
            let is_new = course.telling == Some(Telling::Enter);
            enters_one |= is_new;
            is_urgent |= is_new && course.level == Level::Seen && at.policy.is_urgent(course.class);
            member = course.next_of_unit;
        }
        let queue = match (is_urgent, enters_one) {
            (true, _) => &mut *urgent,
            (false, true) => &mut *enters,
            (false, false) => &mut *updates,
        };
        let id = root.net.id;
        #[cfg(test)]
        let (weight, id) = crate::planted::turn(weight, id, root.entity);
        queue.push(Turn { weight, id, root: slot, is_missed: false });
    }
}

fn link(courses: &mut Courses, slot: u32) {
    let root = courses.slots[slot as usize].root as usize;
    let next = std::mem::replace(&mut courses.slots[root].unit, slot);
    courses.slots[slot as usize].next_of_unit = next;
}

/// Writes all that is to be said of a bundle, if it has room. Whether it had.
pub(super) fn write(
    sheet: &mut Sheet<'_, '_>,
    courses: &mut Courses,
    scratch: &mut Scratch,
    touches: &mut Vec<Touch>,
    root: u32,
) -> bool {
    members(courses, root, &mut scratch.members);
    let entering = |courses: &mut Courses, members: &[u32], datagram| {
        for &slot in members {
            let course = &mut courses.slots[slot as usize];
            if course.telling == Some(Telling::Enter) {
                course.entering = datagram;
            }
        }
    };
    entering(courses, &scratch.members, sheet.datagram);
    let before = sheet.writer.bits();
    scratch.references.clear();
    scratch.starts.clear();
    let Scratch { members, references, starts } = scratch;
    let is_whole = members.iter().all(|&slot| {
        let start = references.len();
        let bits = message(sheet, courses, slot, references);
        starts.push((start, bits.unwrap_or(0)));
        bits.is_some()
    });
    if !is_whole {
        sheet.writer.back_to(before);
        entering(courses, members, 0);
        return false;
    }
    for (&slot, &(start, bits)) in members.iter().zip(&*starts) {
        commit(sheet, courses, slot, &references[start..], bits, touches);
    }
    true
}

/// Writes as much of a bundle as there is room for, parents first.
pub(super) fn write_parts(
    sheet: &mut Sheet<'_, '_>,
    courses: &mut Courses,
    scratch: &mut Scratch,
    touches: &mut Vec<Touch>,
    root: u32,
) {
    members(courses, root, &mut scratch.members);
    let Scratch { members, references, .. } = scratch;
    sheet.report.split += 1;
    for &slot in &*members {
        references.clear();
        let record = sheet.at.record(&courses.slots[slot as usize]);
        let parent = record.and_then(|record| record.parent);
        if parent.is_some_and(|parent| courses.nameable(parent, sheet.datagram).is_none()) {
            continue;
        }
        if let Some(bits) = message(sheet, courses, slot, references) {
            let course = &mut courses.slots[slot as usize];
            if course.telling == Some(Telling::Enter) {
                course.entering = sheet.datagram;
            }
            commit(sheet, courses, slot, references, bits, touches);
        }
    }
}

/// The members of a bundle that have something to be said, parents first.
fn members(courses: &Courses, root: u32, members: &mut Vec<u32>) {
    members.clear();
    let mut slot = courses.slots[root as usize].unit;
    while let Some(course) = courses.slots.get(slot as usize) {
        if course.telling.is_some() {
            members.push(slot);
        }
        slot = course.next_of_unit;
    }
    members.sort_unstable_by_key(|&slot| {
        let course = &courses.slots[slot as usize];
        (course.depth, course.net.id)
    });
}

/// Writes one message, and its references behind `references`; its bits, if it had room.
fn message(
    sheet: &mut Sheet<'_, '_>,
    courses: &Courses,
    slot: u32,
    references: &mut Vec<Option<NetRef>>,
) -> Option<u64> {
    let course = &courses.slots[slot as usize];
    let ((record, layout), telling) = sheet.at.told(course).zip(course.telling)?;
    let EntityRecord { share, record: columns, references: named, class, level, .. } = record;
    let start = references.len();
    let name = |entity: &Option<EntityId>| courses.nameable((*entity)?, sheet.datagram);
    references.extend(named.iter().map(name));
    let mask = match telling {
        Telling::Enter => layout.all(),
        Telling::Update(mask) => mask,
    };
    let before = sheet.writer.bits();
    let body = sheet.bodies.get(sheet.at.tick, share, layout, mask, columns);
    let head = EntityHead { net: course.net, class, level };
    let written = match telling {
        Telling::Enter => sheet.writer.enter(head, &references[start..], body),
        Telling::Update(mask) => sheet.writer.update(head, mask, &references[start..], body),
    };
    written.ok().map(|()| (sheet.writer.bits() - before) as u64)
}

/// Takes note that a message was written.
fn commit(
    sheet: &mut Sheet<'_, '_>,
    courses: &mut Courses,
    slot: u32,
    references: &[Option<NetRef>],
    bits: u64,
    touches: &mut Vec<Touch>,
) {
    let course = &mut courses.slots[slot as usize];
    let Some(((record, layout), telling)) = sheet.at.told(course).zip(course.telling.take()) else { return };
    match telling {
        Telling::Enter => sheet.report.initial_bits += bits,
        Telling::Update(_) => sheet.report.steady_bits += bits,
    }
    sheet.report.entered += u64::from(!course.is_sent);
    course.is_sent = true;
    course.turn = 0.0;
    let references = &references[..record.references.len()];
    course.baseline.send(&sheet.at, sheet.datagram, layout, telling, record.record, references);
    touches.push(Touch::Told { slot, stamp: course.stamp });
}
