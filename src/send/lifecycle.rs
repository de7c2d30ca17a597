//! Who comes, stays and goes: from frames to names and removals.
//!
//! Promises: what is not told of is silent until its removal is due; a name is never used for anything else while the
//! client may hold it; entries are named in an order that only what is told decides. Errs towards hidden: a record
//! that does not fit is left out, and what is told of without its parent is hidden with it.
//! Must not know what is told of an entity.

use super::{Courses, Met, Moment, Phase, Sheet, Touch};
use crate::ids::{EntityId, NetId, NetRef};
use crate::tick::Tick;
use crate::wire::{EntityRecord, Leave};
use std::cmp::Ordering;

/// Names in use for one client at most: as many as a replica holds, unless it is told otherwise.
const MOST_NAMES: usize = 8192;
/// Names taken from what is silent per tick, at most: each takes a look at all.
const MOST_EVICTIONS: usize = 32;
/// Steps from an entity to the outermost of what carries it, at most; beyond, and in a circle, it is hidden.
const MOST_DEPTH: u8 = 8;

/// Finds the courses of what the frame tells, and begins new ones; of kept records, of those that changed.
pub(super) fn meet(at: &Moment<'_>, courses: &mut Courses, met: &mut Met) {
    met.told.clear();
    met.new.clear();
    if let Some((changed, gone)) = at.frame.entities.changes() {
        courses.fetch(changed);
        for &entity in gone {
            courses.find(entity).into_iter().for_each(|slot| courses.untell(slot));
        }
        changed.iter().for_each(|&entry| meet_one(at, courses, met, entry));
        // What found no name or no parent is tried again.
        for index in 0..met.again.len() {
            let entry = met.again[index];
            let entity = at.frame.entities.record(entry).map(|told| told.entity);
            let known = entity.and_then(|entity| courses.find(entity));
            if known.is_none_or(|slot| courses.slots[slot as usize].seen != at.number) {
                meet_one(at, courses, met, entry);
            }
        }
        met.again.clear();
        return;
    }
    met.again.clear();
    (0..at.frame.entities.entries()).for_each(|entry| meet_one(at, courses, met, entry));
    for slot in 0..courses.slots.len() as u32 {
        let course = &courses.slots[slot as usize];
        if course.is_told && course.seen != at.number {
            courses.untell(slot);
        }
    }
}

fn meet_one(at: &Moment<'_>, courses: &mut Courses, met: &mut Met, entry: u32) {
    let Some(told) = at.frame.entities.record(entry) else { return };
    let EntityRecord { entity, class, level, record, references, .. } = told;
    let known = courses.find_at(entry, entity);
    let layout = at.policy.layout(class, level);
    if layout.is_none_or(|own| own.bytes() != record.len() || own.references() != references.len()) {
        met.report.misfits += 1;
        known
            .filter(|&slot| courses.slots[slot as usize].seen != at.number)
            .into_iter()
            .for_each(|slot| courses.untell(slot));
        return;
    }
    let known = known.filter(|&slot| {
        let is_same = courses.slots[slot as usize].class == class;
        if !is_same {
            met.report.left += u64::from(courses.leave(slot, at.tick, false));
        }
        is_same
    });
    let slot = known.unwrap_or_else(|| courses.open(at, entity, class, level));
    if courses.slots[slot as usize].seen == at.number {
        met.report.misfits += 1;
        return;
    }
    courses.tell(slot, at.number, entry, &told);
    let course = &mut courses.slots[slot as usize];
    course.is_back = course.phase != Phase::Told;
    if course.phase == Phase::New {
        met.new.push(slot);
        return;
    }
    course.phase = Phase::Told;
    if course.level != level {
        courses.restart(slot, level);
    }
}

/// Lists what is to be looked at of what the frame tells.
pub(super) fn attend(at: &Moment<'_>, courses: &mut Courses, met: &mut Met) {
    for index in 0..courses.active.len() {
        let slot = courses.active[index];
        let course = &mut courses.slots[slot as usize];
        if !course.is_told {
            continue;
        }
        course.is_back &= course.seen == at.number;
        let is_forgotten = course.is_held
            && matches!(at.policy.leave(course.class), Leave::Timeout { ticks } if is_over(at.tick, course.touched, ticks));
        // The client may have dropped it: it enters anew, under the same name, as it was told of all the time.
        course.is_held &= !is_forgotten;
        let level = course.level;
        if is_forgotten {
            courses.restart(slot, level);
        }
        met.told.push(slot);
    }
}

fn is_over(now: Tick, since: Tick, ticks: u32) -> bool {
    i64::from(now.since(since)) >= i64::from(ticks)
}

/// Finds what each entity is carried by; one whose parent is not told of is left out.
pub(super) fn bundle(at: &Moment<'_>, courses: &mut Courses, met: &mut Met) {
    let Met { told, new, again, report } = met;
    told.retain(|&slot| {
        let found = root_of(at, courses, slot);
        let course = &mut courses.slots[slot as usize];
        if let Some((root, depth)) = found {
            (course.root, course.depth) = (root, depth);
            return true;
        }
        report.orphans += 1;
        again.push(course.place);
        if course.phase == Phase::New {
            courses.close(slot);
        } else {
            courses.untell(slot);
        }
        false
    });
    new.retain(|&slot| courses.slots[slot as usize].is_told);
}

fn root_of(at: &Moment<'_>, courses: &Courses, slot: u32) -> Option<(u32, u8)> {
    let mut root = slot;
    for depth in 0..=MOST_DEPTH {
        let Some(parent) = at.record(&courses.slots[root as usize])?.parent else {
            return Some((root, depth));
        };
        root = courses.find(parent)?;
    }
    None
}

/// Holds what is not told of any more, and lets it leave when its time is up.
pub(super) fn part(at: &Moment<'_>, courses: &mut Courses, met: &mut Met) {
    for &entity in at.frame.revoked {
        let Some(slot) = courses.find(entity) else { continue };
        if !courses.slots[slot as usize].is_told {
            met.report.left += u64::from(courses.leave(slot, at.tick, true));
        }
    }
    let mut parting = std::mem::take(&mut courses.parting);
    parting.retain(|&slot| {
        hold(at, courses, met, slot);
        let course = &mut courses.slots[slot as usize];
        course.is_parting = !course.is_told && !matches!(course.phase, Phase::Free | Phase::New);
        course.is_parting
    });
    courses.parting = parting;
}

/// Holds one that is not told of any more, or lets it leave.
fn hold(at: &Moment<'_>, courses: &mut Courses, met: &mut Met, slot: u32) {
    let course = &mut courses.slots[slot as usize];
    let since = match course.phase {
        _ if course.is_told => return,
        Phase::Free | Phase::New | Phase::Leaving { .. } => return,
        Phase::Told => at.tick,
        Phase::Holding(since) => since,
    };
    course.phase = Phase::Holding(since);
    let last = if course.is_held { Some(course.touched) } else { course.baseline.sent() };
    match at.policy.leave(course.class) {
        _ if !course.is_sent => courses.close(slot),
        Leave::Removal if is_over(at.tick, since, at.policy.hold_ticks()) => {
            met.report.left += u64::from(courses.leave(slot, at.tick, false));
        }
        Leave::Timeout { ticks } if last.is_none_or(|last| is_over(at.tick, last, ticks)) => {
            met.report.left += 1;
            courses.close(slot);
        }
        _ => {}
    }
}

/// How many new names there may be. Where they run out, what is known but was not told of for longest is removed.
pub(super) fn make_room(at: &Moment<'_>, courses: &mut Courses, met: &mut Met) -> usize {
    let free = MOST_NAMES.saturating_sub(courses.named);
    for _ in (free..met.new.len()).take(MOST_EVICTIONS) {
        let silent = courses.slots.iter().zip(0..).filter_map(|(course, slot)| match course.phase {
            Phase::Holding(since) => Some((at.tick.since(since), course.net.id, slot)),
            _ => None,
        });
        let Some((.., slot)) = silent.max() else { break };
        met.report.left += u64::from(courses.leave(slot, at.tick, false));
    }
    free
}

/// Names what is new: parents first, then by what is told of each.
pub(super) fn name(
    at: &Moment<'_>,
    courses: &mut Courses,
    met: &mut Met,
    mut most: usize,
    mut give: impl FnMut(&Courses) -> NetRef,
) {
    met.new.sort_unstable_by_key(|&slot| courses.slots[slot as usize].depth);
    let mut rest = met.new.as_mut_slice();
    while let Some(&first) = rest.first() {
        let depth = courses.slots[first as usize].depth;
        let count = rest.partition_point(|&slot| courses.slots[slot as usize].depth == depth);
        let (level, deeper) = rest.split_at_mut(count);
        level.sort_unstable_by(|&a, &b| compare(at, courses, a, b));
        for &slot in &*level {
            let parent = at.record(&courses.slots[slot as usize]).and_then(|record| record.parent);
            let is_alone = parent.is_some_and(|parent| courses.find(parent).is_none());
            if most == 0 || is_alone {
                met.report.capped += 1;
                met.again.push(courses.slots[slot as usize].place);
                courses.close(slot);
            } else {
                most -= 1;
                let net = give(courses);
                courses.name(slot, net);
            }
        }
        rest = deeper;
    }
    met.told.retain(|&slot| courses.slots[slot as usize].is_told);
    for &slot in &met.told {
        let root = courses.slots[slot as usize].root;
        courses.slots[slot as usize].root_id = courses.slots[root as usize].net.id;
    }
}

/// The order of entries of one tick and depth, by what is told of them alone. Only two of which all told is equal are
/// left to their handles, which says nothing: names do not show their order.
fn compare(at: &Moment<'_>, courses: &Courses, a: u32, b: u32) -> Ordering {
    let [a, b] = [a, b].map(|slot| at.record(&courses.slots[slot as usize]));
    let (Some(a), Some(b)) = (a, b) else { return a.is_some().cmp(&b.is_some()) };
    #[cfg(test)]
    if let Some(order) = crate::planted::names(a.entity, b.entity) {
        return order;
    }
    let named = |entity: Option<EntityId>| {
        let slot = entity.and_then(|entity| courses.find(entity));
        let course = slot.map(|slot| &courses.slots[slot as usize]).filter(|c| c.phase == Phase::Told);
        course.map(|course| (course.net.id, course.net.generation))
    };
    let facts = |record: EntityRecord<'_>| {
        let facts = record.facts;
        let [distance, speed, size] = [facts.distance_m, facts.speed_mps, facts.size_m].map(f64::to_bits);
        (distance, speed, size, facts.is_in_view_cone, facts.has_met)
    };
    (a.class, a.level, a.record)
        .cmp(&(b.class, b.level, b.record))
        .then_with(|| named(a.parent).cmp(&named(b.parent)))
        .then_with(|| a.references.iter().map(|e| named(*e)).cmp(b.references.iter().map(|e| named(*e))))
        .then_with(|| facts(a).cmp(&facts(b)))
        .then_with(|| (a.entity.index, a.entity.generation).cmp(&(b.entity.index, b.entity.generation)))
}

/// Lists the removals to be sent now: lost rights first, then by age, bundles together.
pub(super) fn removals(at: &Moment<'_>, courses: &Courses, removals: &mut Vec<u32>) {
    removals.clear();
    let is_due = |slot: &&u32| {
        let course = &courses.slots[**slot as usize];
        matches!(course.phase, Phase::Leaving { .. }) && course.baseline.is_due(at)
    };
    removals.extend(courses.parting.iter().filter(is_due));
    removals.sort_unstable_by_key(|&slot| {
        let (is_kept, age, root) = group(at, courses, slot);
        (is_kept, std::cmp::Reverse(age), root, courses.slots[slot as usize].net.id)
    });
}

/// What removals that go together have in common: why and since when, and of which bundle.
fn group(at: &Moment<'_>, courses: &Courses, slot: u32) -> (bool, i32, NetId) {
    let course = &courses.slots[slot as usize];
    match course.phase {
        Phase::Leaving { since, is_revoked } => (!is_revoked, at.tick.since(since), course.root_id),
        _ => (true, 0, course.root_id),
    }
}

/// Writes removals, a bundle's together, as long as there is room and `goes_on` for the bits written so far.
pub(super) fn write_removals(
    sheet: &mut Sheet<'_, '_>,
    courses: &mut Courses,
    removals: &mut Vec<u32>,
    touches: &mut Vec<Touch>,
    goes_on: impl Fn(usize) -> bool,
) {
    #[cfg(test)]
    if let Some(id) = crate::planted::removal(|id| courses.is_used(id)) {
        let _ = sheet.writer.removal(NetRef::new(id, 0));
    }
    let mut done = 0;
    while done < removals.len() && goes_on(sheet.writer.bits()) {
        let before = sheet.writer.bits();
        let key = group(&sheet.at, courses, removals[done]);
        let same =
            removals[done..].iter().take_while(|&&slot| group(&sheet.at, courses, slot) == key).count();
        let bundle = &removals[done..done + same];
        let written = bundle
            .iter()
            .take_while(|&&slot| sheet.writer.removal(courses.slots[slot as usize].net).is_ok())
            .count();
        // One that no datagram holds whole goes in parts, into an empty one.
        if written < same && before > sheet.empty_bits() {
            sheet.writer.back_to(before);
            break;
        }
        for &slot in &bundle[..written] {
            let course = &mut courses.slots[slot as usize];
            course.baseline.send_removal(sheet.at.tick);
            touches.push(Touch::Removed { slot, stamp: course.stamp });
        }
        done += written;
        if written < same {
            break;
        }
    }
    removals.drain(..done);
}
