//! The bytes of a datagram, an acknowledgement and a schema are these, on every platform and in every release.
//!
//! A change here is another protocol: it needs another version in `PROTOCOL.md`.

use fogwall::{
    Ack, BitWriter, ClassId, ClassSchema, ColumnSet, Contents, Disclosure, Encoding, EntityHead,
    EventClassId, EventHead, Field, Header, Leave, Level, Message, NetId, NetRef, NoticeId, PacketReader,
    PacketWriter, Schema, SchemaParts, Sequence, SoundClassId, SoundNotice, SoundSchema, Tick, Value,
};
use std::fmt::Write;
use std::path::Path;

const EXTENT_M: f64 = 256.0;
const PLAYER: NetRef = NetRef::new(NetId(0xBEEF), 3);

fn schema() -> Schema {
    use Disclosure::{Exact, Grid, Withheld};
    let field = |name: &str, encoding, spotted, seen| Field {
        name: name.into(),
        encoding,
        levels: [Withheld, spotted, seen, Exact, Exact],
    };
    let weapons = ["knife", "rifle", "bomb"].map(str::to_owned).to_vec();
    let player = vec![
        field("pos", Encoding::Position { step_m: 0.01 }, Grid(4.0), Exact),
        field("vel", Encoding::Velocity { step_mps: 0.05, limit_mps: 20.0 }, Withheld, Exact),
        field("yaw", Encoding::Angle { bits: 12 }, Grid(45.0), Exact),
        field("weapon", Encoding::Enum(weapons), Withheld, Exact),
        field("held", Encoding::Reference, Withheld, Exact),
        field("health", Encoding::Int { min: 0, max: 200 }, Withheld, Grid(25.0)),
        field("charge", Encoding::Float { min: 0.0, max: 1.0, step: 0.05 }, Withheld, Grid(0.5)),
        field("tag", Encoding::Bytes { max: 12 }, Withheld, Exact),
        field("scoped", Encoding::Bool, Withheld, Exact),
    ];
    let kill = vec![field("by", Encoding::Reference, Withheld, Exact)];
    let class = |name: &str, fields, leave| ClassSchema::new(name.into(), fields, leave, EXTENT_M);
    Schema::new(SchemaParts {
        extent_m: EXTENT_M,
        stale_ticks: 16,
        classes: vec![
            class("player", player, Leave::Removal),
            class("drop", vec![], Leave::Timeout { ticks: 90 }),
            class("pick-up", vec![], Leave::Never),
        ],
        sounds: vec![SoundSchema::new("step".into(), vec![0.5, 2.0, 8.0], EXTENT_M)],
        events: vec![class("kill", kill, Leave::Removal)],
    })
}

/// A player's record as one who sees it is told.
fn record(schema: &Schema) -> Vec<u8> {
    let layout = schema.classes()[0].layout(Level::Seen).unwrap();
    let values: [Value<'_, NetRef>; 9] = [
        Value::Vector([12.345, -200.0, 1.5]),
        Value::Vector([-3.25, 0.0, 99.0]),
        Value::Float(-90.0),
        Value::Choice(1),
        Value::Reference(None),
        Value::Int(87),
        Value::Float(0.7),
        Value::Bytes(b"fog"),
        Value::Bool(true),
    ];
    let mut record = vec![0; layout.bytes()];
    for (column, value) in values.iter().enumerate() {
        layout.quantise(column, value, &mut record).unwrap();
    }
    record
}

fn datagram(schema: &Schema) -> Vec<u8> {
    let header = Header { sequence: Sequence(513), tick: Tick(0x0403_0201), ack: Sequence(7) };
    let mut writer = PacketWriter::new(schema, header, 1200, Vec::new());
    let layout = schema.classes()[0].layout(Level::Seen).unwrap();
    let (record, head) = (record(schema), EntityHead { net: PLAYER, class: ClassId(0), level: Level::Seen });
    let body = |columns| {
        let mut body = BitWriter::default();
        layout.write_body(&record, columns, &mut body);
        body
    };
    let held = [Some(NetRef::new(NetId(5), 0))];
    writer.enter(head, &held, (&body(layout.all())).into()).unwrap();
    let some = ColumnSet(0b1_0001_0001);
    writer.update(head, some, &held, (&body(some)).into()).unwrap();
    writer.removal(NetRef::new(NetId(1), 255)).unwrap();
    let coding = schema.sounds()[0].band(1).unwrap();
    let mut place = vec![0; coding.bytes()];
    coding.quantise(&Value::<NetRef>::Vector([10.0, 11.0, -0.1]), &mut place).unwrap();
    let sound = SoundNotice {
        class: SoundClassId(0),
        id: NoticeId(300),
        age_ticks: 2,
        band: 1,
        emitter: Some(PLAYER),
    };
    writer.sound(sound, &place).unwrap();
    let event = EventHead { class: EventClassId(0), level: Level::Seen, id: NoticeId(9), age_ticks: 63 };
    writer.event(event, &[Some(PLAYER)], (&BitWriter::default()).into()).unwrap();
    writer.finish(96)
}

fn hex(bytes: &[u8]) -> String {
    bytes.chunks(16).fold(String::new(), |mut text, line| {
        line.iter().for_each(|byte| write!(text, "{byte:02x}").unwrap());
        text + "\n"
    })
}

fn golden(name: &str, bytes: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(hex(bytes), expected, "{name} is not what this release writes");
}

#[test]
fn a_datagram_is_these_bytes() {
    golden("datagram.hex", &datagram(&schema()));
}

#[test]
fn a_schema_is_these_bytes() {
    golden("schema.hex", &schema().to_bytes());
}

#[test]
fn an_acknowledgement_is_these_bytes() {
    let schema = schema();
    let ack = Ack { sequence: Sequence(2), newest: Sequence(0x0102), earlier: 0b1011 | 1 << 127 };
    golden("ack.hex", &ack.to_bytes(&schema));
    assert_eq!(Ack::from_bytes(&ack.to_bytes(&schema), &schema), Ok(ack));
}

#[test]
fn the_golden_datagram_reads_as_it_was_written() {
    let schema = schema();
    let bytes = datagram(&schema);
    let mut reader = PacketReader::new(&schema, &bytes).unwrap();
    assert_eq!(reader.header().tick, Tick(0x0403_0201));
    let mut contents = Contents::default();
    let mut messages = Vec::new();
    while let Some(message) = reader.read(&mut contents).unwrap() {
        if messages.is_empty() {
            let layout = schema.classes()[0].layout(Level::Seen).unwrap();
            let told: Vec<Value<'_, NetRef>> =
                (0..9).map(|column| layout.value(column, &contents.record)).collect();
            assert_eq!(contents.record, record(&schema));
            // Nearest hundredth; the limit; a quarter turn; the cell of 75 to 99; the middle of 0.5 to 1.
            let Value::Vector(pos) = told[0] else { panic!("{told:?}") };
            assert!((pos[0] - 12.35).abs() < 1e-9 && (pos[1] + 200.0).abs() < 1e-9, "{pos:?}");
            assert_eq!(told[1], Value::Vector([-3.25, 0.0, 20.0]));
            assert_eq!(told[2], Value::Float(270.0));
            assert_eq!((told[5], told[6]), (Value::Int(75), Value::Float(0.75)));
            assert_eq!((told[7], told[8]), (Value::Bytes(b"fog"), Value::Bool(true)));
        }
        messages.push(message);
    }
    let kinds = messages.iter().map(|message| match message {
        Message::Enter(_) => "enter",
        Message::Update(..) => "update",
        Message::Removal(_) => "removal",
        Message::Sound(_) => "sound",
        Message::Event(_) => "event",
    });
    assert_eq!(kinds.collect::<Vec<_>>(), ["enter", "update", "removal", "sound", "event"]);
}
