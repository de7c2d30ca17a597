//! What a game reads of a replica: entities, and what a datagram changed.

use super::apply::Held;
use crate::ids::{ClassId, EventClassId, NetRef, NoticeId, SoundClassId};
use crate::tick::Tick;
use crate::wire::{ClassSchema, ColumnSet, Contents, EventHead, Layout, Level, Schema, SoundNotice, Value};

/// What a datagram changed, or the passing of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// The tick that the datagram tells.
    pub server_tick: Tick,
    /// Entities that are new.
    pub created: Vec<NetRef>,
    /// Entities of which columns were told again, of the layout of their class and level.
    pub updated: Vec<(NetRef, ColumnSet)>,
    /// Entities that are gone.
    pub removed: Vec<NetRef>,
    /// Entities that were not told of for so long that they should not be drawn.
    pub staled: Vec<NetRef>,
    /// Sounds heard.
    pub sounds: Vec<HeardSound>,
    /// Events told.
    pub events: Vec<SeenEvent>,
}

impl Changes {
    pub(super) fn clear(&mut self) {
        self.created.clear();
        self.updated.clear();
        self.removed.clear();
        self.staled.clear();
        self.sounds.clear();
        self.events.clear();
    }
}

/// A sound as it was heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeardSound {
    /// Its class.
    pub class: SoundClassId,
    /// The observer's count of it.
    pub id: NoticeId,
    /// When it was made.
    pub tick: Tick,
    /// The middle of the cell that it was made in, metres.
    pub pos: [f64; 3],
    /// Edge of that cell, metres.
    pub step_m: f64,
    /// What made it, where that is told.
    pub emitter: Option<NetRef>,
}

/// An event as it was told.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenEvent {
    /// Its class.
    pub class: EventClassId,
    /// How much was told.
    pub level: Level,
    /// The observer's count of it.
    pub id: NoticeId,
    /// When it happened.
    pub tick: Tick,
    record: Vec<u8>,
    references: Vec<Option<NetRef>>,
}

impl SeenEvent {
    /// What was told: names of fields and their values.
    pub fn fields<'a>(
        &'a self,
        schema: &'a Schema,
    ) -> impl Iterator<Item = (&'a str, Value<'a, NetRef>)> + 'a {
        let told = schema.event(self.class).and_then(|class| Some((class, class.layout(self.level)?)));
        told.into_iter().flat_map(move |(class, layout)| {
            (0..layout.columns().len()).filter_map(move |column| {
                named(class, layout, column, value(layout, column, &self.record, &self.references)?)
            })
        })
    }
}

/// An entity that a replica holds.
#[derive(Clone, Copy, Debug)]
pub struct ReplicaEntity<'a> {
    pub(super) schema: &'a Schema,
    pub(super) held: &'a Held,
}

impl<'a> ReplicaEntity<'a> {
    /// Its name.
    pub fn net(&self) -> NetRef {
        self.held.net
    }

    /// Its class.
    pub fn class(&self) -> ClassId {
        self.held.class
    }

    /// How much of it is told.
    pub fn level(&self) -> Level {
        self.held.level
    }

    /// Whether it was not told of for so long that it should not be drawn.
    pub fn is_stale(&self) -> bool {
        self.held.is_stale
    }

    /// The last tick in which it was told of.
    pub fn touched(&self) -> Tick {
        self.held.touched
    }

    /// A field by its name; `None` where it is not told at this level. A reference may name what is gone.
    pub fn field(&self, name: &str) -> Option<Value<'a, NetRef>> {
        let class = self.schema.class(self.held.class)?;
        let field = class.fields.iter().position(|field| field.name == name)?;
        self.held.value(self.schema, class.layout(self.held.level)?.column_of(field)?)
    }

    /// What is told: names of fields and their values.
    pub fn fields(&self) -> impl Iterator<Item = (&'a str, Value<'a, NetRef>)> + use<'a> {
        let Self { schema, held } = *self;
        let told = schema.class(held.class).and_then(|class| Some((class, class.layout(held.level)?)));
        told.into_iter().flat_map(move |(class, layout)| {
            (0..layout.columns().len())
                .filter_map(move |column| named(class, layout, column, held.value(schema, column)?))
        })
    }
}

fn named<'a>(
    class: &'a ClassSchema,
    layout: &Layout,
    column: usize,
    value: Value<'a, NetRef>,
) -> Option<(&'a str, Value<'a, NetRef>)> {
    let field = layout.columns().get(column)?.field;
    class.fields.get(field).map(|field| (field.name.as_str(), value))
}

/// The value of a column, references too.
pub(super) fn value<'a>(
    layout: &Layout,
    column: usize,
    record: &'a [u8],
    references: &[Option<NetRef>],
) -> Option<Value<'a, NetRef>> {
    match layout.reference_of(column) {
        Some(place) => references.get(place).map(|reference| Value::Reference(*reference)),
        None => (column < layout.columns().len()).then(|| layout.value(column, record)),
    }
}

/// A sound of a datagram of `tick`.
pub(super) fn heard(
    schema: &Schema,
    sound: SoundNotice,
    contents: &Contents,
    tick: Tick,
) -> Option<HeardSound> {
    let class = schema.sound(sound.class)?;
    let Value::<NetRef>::Vector(pos) = class.band(sound.band)?.value(&contents.record) else { return None };
    Some(HeardSound {
        class: sound.class,
        id: sound.id,
        tick: tick.before(u32::from(sound.age_ticks)),
        pos,
        step_m: *class.steps_m.get(usize::from(sound.band))?,
        emitter: sound.emitter,
    })
}

/// An event of a datagram of `tick`.
pub(super) fn seen(head: EventHead, contents: &Contents, tick: Tick) -> SeenEvent {
    SeenEvent {
        class: head.class,
        level: head.level,
        id: head.id,
        tick: tick.before(u32::from(head.age_ticks)),
        record: contents.record.clone(),
        references: contents.references.clone(),
    }
}
