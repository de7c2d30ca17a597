//! Sounds and events: told until they are acknowledged or too old.
//!
//! Promises: each has one number, counted in an order that only what is told decides; what made one is named only while
//! it is told of itself. Must not know budgets.

use super::{Met, Moment, Most, Sheet, Touch};
use crate::held::Held;
use crate::ids::{EntityId, EventClassId, NetRef, NoticeId, SoundClassId};
use crate::tick::Tick;
use crate::wire::{BitWriter, EventHead, Level, MAX_AGE_TICKS, SoundNotice};
use std::cmp::Ordering;

/// Notices that wait for their acknowledgement; beyond, new ones are left out.
const MOST_NOTICES: usize = 1024;

/// Notices that a link begins with.
const LEAST_NOTICES: usize = 64;

/// Bytes of the longest place: three numbers.
const MOST_PLACE_BYTES: usize = 24;

/// The notices of one observer.
#[derive(Clone, Debug, Default)]
pub(super) struct Notices {
    pool: Vec<Notice>,
    free: Vec<u32>,
    /// Those that are told, oldest first.
    open: Vec<u32>,
    /// The last number, and the last stamp.
    count: u16,
    stamps: u32,
    body: BitWriter,
    names: Vec<Option<NetRef>>,
}

#[derive(Clone, Debug)]
struct Notice {
    what: What,
    id: NoticeId,
    tick: Tick,
    /// Changes when the place is used again.
    stamp: u32,
    is_open: bool,
    sent: Option<Tick>,
    record: Vec<u8>,
    references: Vec<Option<EntityId>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Sound { class: SoundClassId, band: u8 },
    Event { class: EventClassId, level: Level },
}

impl Notices {
    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        let of_each =
            self.pool.iter().map(|notice| notice.record.held_bytes() + notice.references.held_bytes());
        let lists = self.pool.held_bytes() + self.free.held_bytes() + self.open.held_bytes();
        lists + of_each.sum::<usize>() + self.body.held_bytes() + self.names.held_bytes()
    }

    /// Takes the notices of a frame, and drops what is too old; `name` is how an entity will be told.
    pub(super) fn take(&mut self, at: &Moment<'_>, name: impl Fn(EntityId) -> Option<NetRef>, met: &mut Met) {
        let Self { pool, free, open, .. } = self;
        open.retain(|&place| {
            let notice = &mut pool[place as usize];
            notice.is_open &= at.policy.is_current(at.tick, notice.tick);
            if !notice.is_open {
                free.push(place);
            }
            notice.is_open
        });
        let before = self.open.len();
        for sound in at.frame.sounds {
            let sound = sound.get();
            let coding = at.policy.schema().sound(sound.class).and_then(|class| class.band(sound.band));
            let fits = coding.is_some_and(|coding| coding.bytes() == sound.place.len());
            let what = What::Sound { class: sound.class, band: sound.band };
            self.open(at, fits, what, sound.place, &[sound.emitter], met);
        }
        for event in at.frame.events {
            let event = event.get();
            let layout = at.policy.schema().event(event.class).and_then(|class| class.layout(event.level));
            let fits = layout.is_some_and(|layout| {
                layout.bytes() == event.record.len() && layout.references() == event.references.len()
            });
            let what = What::Event { class: event.class, level: event.level };
            self.open(at, fits, what, event.record, event.references, met);
        }
        let Self { pool, open, .. } = self;
        let fresh = &mut open[before..];
        fresh.sort_unstable_by(|&a, &b| compare(&pool[a as usize], &pool[b as usize], &name));
        for &mut place in fresh {
            self.count = self.count.wrapping_add(1);
            pool[place as usize].id = NoticeId(self.count);
        }
        // Sounds and events are soon too old: the last in order are left out.
        for place in open.drain(open.len().min(MOST_NOTICES)..) {
            self.pool[place as usize].is_open = false;
            self.free.push(place);
            met.report.capped += 1;
        }
    }

    /// Twice as many places: how many are needed at once grows seldom.
    fn grow(&mut self, at: &Moment<'_>) {
        let Most { bytes, references, .. } = at.policy.most_of_a_record();
        let bytes = bytes.max(MOST_PLACE_BYTES);
        let (from, to) = (self.pool.len(), (self.pool.len() * 2).max(LEAST_NOTICES));
        self.pool.resize_with(to, || Notice {
            what: What::Sound { class: SoundClassId(0), band: 0 },
            id: NoticeId(0),
            tick: at.tick,
            stamp: 0,
            is_open: false,
            sent: None,
            record: Vec::with_capacity(bytes),
            references: Vec::with_capacity(references.max(1)),
        });
        self.free.reserve(to);
        self.free.extend((from as u32..to as u32).rev());
        self.open.reserve(to - self.open.len());
        self.names.reserve(references.max(1));
        self.body.make_room(2 * bytes);
    }

    fn open(
        &mut self,
        at: &Moment<'_>,
        fits: bool,
        what: What,
        record: &[u8],
        references: &[Option<EntityId>],
        met: &mut Met,
    ) {
        if !fits {
            met.report.misfits += 1;
            return;
        }
        if self.free.is_empty() {
            self.grow(at);
        }
        let Some(place) = self.free.pop() else { return };
        self.stamps = self.stamps.wrapping_add(1);
        let notice = &mut self.pool[place as usize];
        (notice.what, notice.tick, notice.stamp) = (what, at.tick, self.stamps);
        (notice.is_open, notice.sent) = (true, None);
        notice.record.clear();
        notice.record.extend_from_slice(record);
        notice.references.clear();
        notice.references.extend_from_slice(references);
        self.open.push(place);
    }

    /// A datagram with a notice was acknowledged.
    pub(super) fn acknowledge(&mut self, place: u32, stamp: u32) {
        let notice = &mut self.pool[place as usize];
        notice.is_open &= notice.stamp != stamp;
    }

    /// Writes what is due, new ones first, as long as there is room and `goes_on` for the bits written so far; `name`
    /// is how an entity may be named in this datagram, which is not at all if it is not told of now.
    pub(super) fn write(
        &mut self,
        sheet: &mut Sheet<'_, '_>,
        touches: &mut Vec<Touch>,
        name: impl Fn(EntityId) -> Option<NetRef>,
        goes_on: impl Fn(usize) -> bool,
    ) {
        for is_new in [true, false] {
            for index in 0..self.open.len() {
                let place = self.open[index];
                let notice = &self.pool[place as usize];
                let is_due = match notice.sent {
                    None => is_new,
                    Some(sent) => !is_new && sheet.at.is_lost(sent),
                };
                if !is_due || !notice.is_open {
                    continue;
                }
                if !sheet.has_room() || !goes_on(sheet.writer.bits()) {
                    return;
                }
                if self.write_one(sheet, place, &name) {
                    let notice = &mut self.pool[place as usize];
                    notice.sent = Some(sheet.at.tick);
                    touches.push(Touch::Notice { place, stamp: notice.stamp });
                }
            }
        }
    }

    fn write_one(
        &mut self,
        sheet: &mut Sheet<'_, '_>,
        place: u32,
        name: impl Fn(EntityId) -> Option<NetRef>,
    ) -> bool {
        let Self { pool, body, names, .. } = self;
        let notice = &pool[place as usize];
        let age = sheet.at.tick.since(notice.tick).clamp(0, i32::from(MAX_AGE_TICKS)) as u8;
        names.clear();
        names.extend(notice.references.iter().map(|entity| name((*entity)?)));
        let outcome = match notice.what {
            What::Sound { class, band } => {
                let emitter = names.first().copied().flatten();
                let sound = SoundNotice { class, id: notice.id, age_ticks: age, band, emitter };
                sheet.writer.sound(sound, &notice.record)
            }
            What::Event { class, level } => {
                let layout = sheet.at.policy.schema().event(class).and_then(|class| class.layout(level));
                let Some(layout) = layout else { return false };
                body.clear();
                layout.write_body(&notice.record, layout.all(), body);
                let head = EventHead { class, level, id: notice.id, age_ticks: age };
                sheet.writer.event(head, names, (&*body).into())
            }
        };
        outcome.is_ok()
    }
}

/// The order of notices of one tick: by all that is told of them.
fn compare(a: &Notice, b: &Notice, name: impl Fn(EntityId) -> Option<NetRef>) -> Ordering {
    let named = |entity: &Option<EntityId>| entity.and_then(&name).map(|net| (net.id, net.generation));
    (a.what, &a.record)
        .cmp(&(b.what, &b.record))
        .then_with(|| a.references.iter().map(named).cmp(b.references.iter().map(named)))
}
