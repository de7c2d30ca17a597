//! For how long what is to be said waits for room.
//!
//! Promises: what waits for its turn by distance alone does not count. Must not know what is said.

use super::{Courses, Met, Moment};

/// Gives `add` the ticks of all that is told of, 0 where nothing waits, and how many; notes since when what is left does.
pub(super) fn count(at: &Moment<'_>, courses: &mut Courses, met: &Met, mut add: impl FnMut(u32, u32)) {
    let asleep = courses.told.saturating_sub(met.told.len());
    add(0, asleep as u32);
    for &slot in &met.told {
        let course = &mut courses.slots[slot as usize];
        if course.telling.is_none() {
            course.waits = None;
            add(0, 1);
        } else {
            let since = *course.waits.get_or_insert(at.tick);
            add(at.tick.since(since).max(0) as u32 + 1, 1);
        }
    }
}
