//! A small schema, and datagrams written by hand.

use fogwall::{
    BitWriter, ClassId, ClassSchema, ColumnSet, Disclosure, Encoding, EntityHead, EventClassId, EventHead,
    Field, Header, Leave, Level, NetId, NetRef, NoticeId, PacketWriter, Schema, SchemaParts, Sequence,
    SoundClassId, SoundNotice, SoundSchema, Tick, Value,
};
use std::sync::{Arc, LazyLock};

static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    use Disclosure::{Exact, Withheld};
    let field = |name: &str, encoding, seen| Field {
        name: name.into(),
        encoding,
        levels: [Withheld, Withheld, seen, Exact, Exact],
    };
    let player = || {
        vec![
            field("pos", Encoding::Position { step_m: 0.25 }, Exact),
            field("health", Encoding::Int { min: 0, max: 1000 }, Withheld),
            field("held", Encoding::Reference, Exact),
        ]
    };
    let class = |name: &str, fields, leave| ClassSchema::new(name.into(), fields, leave, 100.0);
    let hit = vec![
        field("by", Encoding::Reference, Exact),
        field("amount", Encoding::Int { min: 0, max: 9 }, Exact),
    ];
    Arc::new(Schema::new(SchemaParts {
        extent_m: 100.0,
        stale_ticks: 16,
        classes: vec![
            class("player", player(), Leave::Removal),
            class("drop", player(), Leave::Timeout { ticks: 40 }),
            class("pick-up", player(), Leave::Never),
        ],
        sounds: vec![SoundSchema::new("step".into(), vec![0.5, 2.0], 100.0)],
        events: vec![class("hit", hit, Leave::Removal)],
    }))
});

pub(crate) fn schema() -> Arc<Schema> {
    Arc::clone(&SCHEMA)
}

/// The name of generation 0.
pub(crate) fn net(id: u16) -> NetRef {
    NetRef::new(NetId(id), 0)
}

/// What a server would tell of an entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Told {
    pub(crate) net: NetRef,
    pub(crate) class: u16,
    pub(crate) level: Level,
    pub(crate) pos: [f64; 3],
    pub(crate) health: i64,
    pub(crate) held: Option<NetRef>,
}

pub(crate) fn player(id: u16, health: i64) -> Told {
    Told { net: net(id), class: 0, level: Level::Team, pos: [1.0, 2.0, 3.0], health, held: None }
}

/// Of the class that times out (1), or the one that stays (2).
pub(crate) fn drop(id: u16, class: u16) -> Told {
    Told { class, ..player(id, 0) }
}

impl Told {
    pub(crate) fn head(&self) -> EntityHead {
        EntityHead { net: self.net, class: ClassId(self.class), level: self.level }
    }

    /// The values by field, as the level is told them.
    pub(crate) fn values(&self) -> Vec<(&'static str, Value<'static, NetRef>)> {
        let all = [
            ("pos", Value::Vector(self.pos)),
            ("health", Value::Int(self.health)),
            ("held", Value::Reference(self.held)),
        ];
        all.into_iter().filter(|(name, _)| self.level > Level::Seen || *name != "health").collect()
    }

    fn body(&self, columns: ColumnSet) -> BitWriter {
        let layout = SCHEMA.class(ClassId(self.class)).unwrap().layout(self.level).unwrap();
        let mut record = vec![0; layout.bytes()];
        for (column, (_, value)) in self.values().iter().enumerate() {
            layout.quantise(column, value, &mut record).unwrap();
        }
        let mut body = BitWriter::default();
        layout.write_body(&record, columns, &mut body);
        body
    }
}

/// Writes one datagram.
pub(crate) struct Writer(PacketWriter<'static>);

impl Writer {
    /// Of a sequence, and the tick of the same number.
    pub(crate) fn new(sequence: u32) -> Self {
        Self::at(sequence, Tick(sequence))
    }

    pub(crate) fn at(sequence: u32, tick: Tick) -> Self {
        let header = Header { sequence: Sequence(sequence as u16), tick, ack: Sequence(0) };
        Self(PacketWriter::new(&SCHEMA, header, 576, Vec::new()))
    }

    /// Whether the entity had room.
    pub(crate) fn try_enter(&mut self, told: &Told) -> bool {
        let columns = ColumnSet((1 << told.values().len()) - 1);
        self.0.enter(told.head(), &[told.held], (&told.body(columns)).into()).is_ok()
    }

    /// Whether the update had room.
    pub(crate) fn try_update(&mut self, told: &Told, columns: u64) -> bool {
        let body = told.body(ColumnSet(columns));
        self.0.update(told.head(), ColumnSet(columns), &[told.held], (&body).into()).is_ok()
    }

    pub(crate) fn try_removal(&mut self, net: NetRef) -> bool {
        self.0.removal(net).is_ok()
    }

    pub(crate) fn enter(mut self, told: &Told) -> Self {
        assert!(self.try_enter(told));
        self
    }

    pub(crate) fn update(mut self, told: &Told, columns: u64) -> Self {
        assert!(self.try_update(told, columns));
        self
    }

    pub(crate) fn removal(mut self, net: NetRef) -> Self {
        assert!(self.try_removal(net));
        self
    }

    /// A step in the cell of 2 m around (11, 21, 1).
    pub(crate) fn sound(mut self, id: NoticeId, emitter: Option<NetRef>) -> Self {
        let coding = SCHEMA.sounds()[0].band(1).unwrap();
        let mut place = vec![0; coding.bytes()];
        coding.quantise(&Value::<NetRef>::Vector([10.2, 21.9, 0.1]), &mut place).unwrap();
        self.0
            .sound(SoundNotice { class: SoundClassId(0), id, age_ticks: 0, band: 1, emitter }, &place)
            .unwrap();
        self
    }

    pub(crate) fn event(mut self, id: NoticeId, by: Option<NetRef>) -> Self {
        let layout = SCHEMA.events()[0].layout(Level::Seen).unwrap();
        let mut record = vec![0; layout.bytes()];
        layout.quantise(1, &Value::<NetRef>::Int(3), &mut record).unwrap();
        let mut body = BitWriter::default();
        layout.write_body(&record, layout.all(), &mut body);
        let head = EventHead { class: EventClassId(0), level: Level::Seen, id, age_ticks: 0 };
        self.0.event(head, &[by], (&body).into()).unwrap();
        self
    }

    pub(crate) fn end(self) -> Vec<u8> {
        self.0.finish(0)
    }
}
