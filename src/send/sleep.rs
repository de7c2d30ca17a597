//! Courses of which nothing is to be said: they are not looked at before something changes, or their keep-alive is due.
//!
//! Promises: what sleeps is acknowledged, whole and unchanged; whether it sleeps follows from what is told and what came
//! back alone. Its weight grows on waking, as if it had been all the time where it is then. Must not know what is sent.

use super::{Course, Courses, Moment, NONE};
use crate::held::Held;
use crate::tick::Tick;
use crate::wire::{EntityRecord, Leave};

/// Buckets of ticks; what wakes later goes round again.
const BUCKETS: usize = 256;

/// Slots that wake in a tick, by its low bits: the first of each list.
#[derive(Clone, Debug)]
pub(super) struct Buckets(Vec<u32>);

impl Default for Buckets {
    fn default() -> Self {
        Self(vec![NONE; BUCKETS])
    }
}

impl Buckets {
    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        self.0.held_bytes()
    }
}

/// Looks again at what is due since the tick before.
pub(super) fn wake(at: &Moment<'_>, courses: &mut Courses) {
    let ticks = at.tick.since(at.before).clamp(0, BUCKETS as i32) as u32;
    for back in (0..ticks).rev() {
        let bucket = at.tick.before(back).0 as usize % BUCKETS;
        let mut slot = std::mem::replace(&mut courses.sleep.0[bucket], NONE);
        while let Some(course) = courses.slots.get_mut(slot as usize) {
            let (next, wakes) = (course.next_to_wake, course.wakes);
            course.bucket = None;
            if course.is_told && !course.is_active {
                if wakes.is_after(at.tick) {
                    sleep_until(courses, slot, wakes);
                } else {
                    courses.activate(slot);
                }
            }
            slot = next;
        }
    }
}

/// Lets those sleep of which nothing is to be said.
pub(super) fn settle(at: &Moment<'_>, courses: &mut Courses) {
    let mut active = std::mem::take(&mut courses.active);
    active.retain(|&slot| {
        let course = &courses.slots[slot as usize];
        if at.record(course).is_some_and(|record| !is_settled(course, &record)) {
            return true;
        }
        if course.is_told {
            let wakes = wakes(at, course);
            sleep_until(courses, slot, wakes);
        }
        courses.slots[slot as usize].is_active = false;
        false
    });
    courses.active = active;
}

/// Whether the client is known to hold all that is told of it, and nothing else can change what is to be said.
pub(super) fn is_settled(course: &Course, record: &EntityRecord<'_>) -> bool {
    let is_alone = record.parent.is_none() && record.references.is_empty();
    is_alone && course.telling.is_none() && course.is_held && course.baseline.is_settled(record.record)
}

/// When it is to be looked at though nothing changes: for its keep-alive, or as the client drops it.
fn wakes(at: &Moment<'_>, course: &Course) -> Tick {
    let sent = course.baseline.sent().unwrap_or(at.tick);
    let touch = sent.after(course.keep_alive_ticks);
    let wakes = match at.policy.leave(course.class) {
        Leave::Timeout { ticks } if touch.is_after(course.touched.after(ticks)) => {
            course.touched.after(ticks)
        }
        _ => touch,
    };
    if wakes.is_after(at.tick) { wakes } else { at.tick.after(1) }
}

fn sleep_until(courses: &mut Courses, slot: u32, wakes: Tick) {
    let course = &mut courses.slots[slot as usize];
    course.wakes = wakes;
    match course.bucket {
        // One that waits for an earlier tick goes on to sleep then.
        Some(bucket) if !bucket.is_after(wakes) => return,
        Some(bucket) => take_out(courses, slot, bucket),
        None => {}
    }
    let course = &mut courses.slots[slot as usize];
    course.bucket = Some(wakes);
    course.next_to_wake = std::mem::replace(&mut courses.sleep.0[wakes.0 as usize % BUCKETS], slot);
}

/// Takes a slot out of a bucket.
fn take_out(courses: &mut Courses, slot: u32, bucket: Tick) {
    let next = courses.slots[slot as usize].next_to_wake;
    let head = &mut courses.sleep.0[bucket.0 as usize % BUCKETS];
    if *head == slot {
        *head = next;
        return;
    }
    let mut at = *head;
    while let Some(course) = courses.slots.get_mut(at as usize) {
        if course.next_to_wake == slot {
            course.next_to_wake = next;
            return;
        }
        at = course.next_to_wake;
    }
}
