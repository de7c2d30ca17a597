//! From a verdict to a record: the last stage of the filter, and the only maker of what may be sent.
//!
//! Owns [`Disclosed`] and the frames of it. Promises: a field that a level is not told is in no record; a reference
//! names only what the same frame tells; what does not fit its field hides the whole entity or event.
//! Errs towards hidden. Must not know how a verdict came about, nor when a record is sent.

mod changes;
mod entry;
mod frame;
mod notices;
mod records;
mod seat;
mod values;

pub use changes::{
    Bounds, ChangeOf, ChangeQuery, Departed, Departure, QueryAnswer, QueryChanges, QueryDepartures,
    QueryEntities, QueryError,
};
pub(crate) use changes::{ChangeLog, QueryKey, Step};
pub(crate) use entry::Gone;
pub use frame::Frame;
pub(super) use records::{LevelSet, Records};

use super::Lent;
use crate::geom::{Point3, direction};
use crate::ids::{EntityId, EventClassId, SoundClassId};
use crate::wire::{Level, PriorityFacts, Value};
use crate::world::{Event, Sound};
use entry::Content;

/// What its observer may have: made by redaction alone, and all that sending takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disclosed<T>(T);

impl<T> Disclosed<T> {
    /// What was told.
    pub fn get(&self) -> &T {
        &self.0
    }

    /// For tests of what comes after redaction.
    #[cfg(test)]
    #[allow(dead_code)]
    pub(crate) fn in_a_test(told: T) -> Self {
        Self(told)
    }
}

/// Who is told: the observer's own entity as it is told itself, and where it looks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Beholder {
    place: Option<Point3>,
    looks: Option<[f64; 2]>,
    cone_cosine: f64,
}

impl Beholder {
    /// From the observer's own record, of its place in the world; `cone_cosine` is that of the view cone's half.
    pub(super) fn new(records: &Records, own: Option<(usize, Level)>, cone_cosine: f64) -> Self {
        let told = own.and_then(|(place, level)| records.get(place, level));
        Self {
            place: told.and_then(|told| told.place),
            looks: told.and_then(|told| told.yaw_deg).map(|yaw| direction(yaw).into()),
            cone_cosine,
        }
    }

    fn facts(&self, (speed_mps, size_m): (f64, f64), place: Option<Point3>, has_met: bool) -> PriorityFacts {
        let way = self.place.zip(place).map(|(from, to)| to - from);
        let is_in_view_cone = way.zip(self.looks).is_some_and(|(way, [x, y])| {
            let ahead = way.x * x + way.y * y;
            ahead >= self.cone_cosine * way.xy().norm()
        });
        PriorityFacts {
            distance_m: way.map_or(0.0, |way| way.norm()),
            speed_mps,
            size_m,
            is_in_view_cone,
            has_met,
        }
    }
}

/// What of an entity is told besides its record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Telling {
    /// Its place in the world's list.
    pub(super) place: usize,
    pub(super) level: Level,
    /// The place and the entry of what carries it.
    pub(super) parent: Option<(usize, u32)>,
    pub(super) is_by_right: bool,
}

/// Tells one entity, in the entry that it has in the frame; gives the one that it has now. `levels` are those of this
/// observer in this tick, by place, its parent's among them.
pub(super) fn tell_entity(
    frame: &mut Frame,
    lent: &Lent<'_>,
    records: &Records,
    telling: Telling,
    entry: Option<u32>,
    levels: impl Fn(usize) -> Level,
) -> Option<u32> {
    let Telling { place, level, parent, is_by_right } = telling;
    let told = records.get(place, level)?;
    let entity = &lent.world.entities[place];
    // What is carried is where its carrier is told to be.
    let with = parent.and_then(|(parent, _)| records.get(parent, levels(parent)));
    let parent = parent.filter(|_| with.is_some());
    let entry = frame.tell(
        entry,
        &Content {
            entity: entity.id,
            at: place as u32,
            class: entity.class,
            level,
            parent: parent.map(|(parent, _)| lent.world.entities[parent].id),
            record: records.bytes(told),
            share: told.share,
            place: told.place.or(with.and_then(|with| with.place)),
            speed_mps: told.speed_mps,
            size_m: told.size_m,
            is_by_right,
            categories: entity.categories,
        },
        records.references(told).iter().map(|id| told_reference(lent, &levels, *id)),
    );
    // What is bundled is looked at together.
    if let Some((_, parent)) = parent {
        frame.list(parent);
    }
    Some(entry)
}

/// The reference, if the same observer is told of what it names in the same tick.
fn told_reference(
    lent: &Lent<'_>,
    levels: impl Fn(usize) -> Level,
    id: Option<EntityId>,
) -> Option<EntityId> {
    id.filter(|&id| lent.entities.place(id).is_ok_and(|place| levels(place) > Level::Hidden))
}

/// Tells one sound on a band of its class's; `emitter` is told where it is told itself. False where it can't be.
pub(super) fn tell_sound(
    frame: &mut Frame,
    lent: &Lent<'_>,
    sound: &Sound,
    class: SoundClassId,
    band: u8,
    emitter: Option<EntityId>,
) -> bool {
    let coding = lent.rules.schema().sound(class).and_then(|schema| schema.band(band));
    let Some(coding) = coding else { return false };
    let notices = frame.notices();
    let place = notices.room(coding.bytes());
    let value = Value::<EntityId>::Vector(sound.pos.coords.into());
    if coding.quantise(&value, notices.bytes_mut(&place)).is_err() {
        return false;
    }
    notices.hear(class, band, place, emitter);
    true
}

/// Sounds and events that room is made for where the world has fewer.
const ROOM_NOTICES: usize = 64;
/// Bytes of a place or of an event's values that room is made for, and references.
const ROOM_OF_A_NOTICE: [usize; 2] = [32, 4];

/// Entities up to which a frame has room for all of them; beyond, it grows with what is told.
const ROOM_ENTITIES: usize = 512;

/// Begins a frame for the tick of a count, from that of the tick before: of what is covered, unless `keeps_covered`,
/// and of all else `mark` gets the entries, and whether they were covered until now.
pub(super) fn begin(
    frame: &mut Frame,
    lent: &Lent<'_>,
    records: &Records,
    (count, keeps_covered): (u64, bool),
    mark: impl FnMut(u32, EntityId, bool),
) {
    let world = lent.world;
    let [sounds, events] = [world.sounds.len(), world.events.len()].map(|count| count.max(ROOM_NOTICES));
    let notices = sounds + events;
    frame.begin(count, records.strides(), keeps_covered, mark);
    let room = ROOM_OF_A_NOTICE.map(|of_one| notices * of_one);
    frame.make_room(world.entities.len().min(ROOM_ENTITIES), [sounds, events], room);
}

/// Notes that the observer and what an entry tells of met in this tick.
pub(super) fn note_met(frame: &mut Frame, entry: u32) {
    frame.note_met(entry);
}

/// Ends a frame: its order is that of what is told alone, and what was not told is gone.
pub(super) fn finish(frame: &mut Frame, beholder: Beholder) {
    frame.set_beholder(beholder);
    frame.end();
}

/// Tells one event at a level; false where a value of it does not fit, so that it is not told.
pub(super) fn tell_event(
    frame: &mut Frame,
    lent: &Lent<'_>,
    event: &Event<'_>,
    class: EventClassId,
    level: Level,
    levels: impl Fn(usize) -> Level,
) -> bool {
    let (Some(schema), Some(links)) = (lent.rules.schema().event(class), lent.rules.event_links(class))
    else {
        return false;
    };
    let Some(layout) = schema.layout(level) else { return false };
    if event.values.len() != links.values || (layout.columns().is_empty() && !schema.fields.is_empty()) {
        return false;
    }
    let notices = frame.notices();
    let record = notices.room(layout.bytes());
    let references = notices.refer(std::iter::empty());
    for (column, of) in layout.columns().iter().enumerate() {
        let Some(value) = values::event_value(event, links.sources[of.field]) else { return false };
        if layout.quantise(column, &value, notices.bytes_mut(&record)).is_err() {
            return false;
        }
        if let Value::Reference(id) = value {
            notices.refer(std::iter::once(told_reference(lent, &levels, id)));
        }
    }
    notices.happen(class, level, record, references);
    true
}
