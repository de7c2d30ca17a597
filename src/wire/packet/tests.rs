//! Laws of datagrams: what is written is read, what is read is written the same, and no bytes do harm.

use super::*;
use crate::ids::NetId;
use crate::wire::{
    ClassSchema, DecodeError, Disclosure, Encoding, Field, Leave, SchemaParts, SoundSchema, Value,
};
use proptest::prelude::*;

const EXTENT_M: f64 = 512.0;

/// A field that the team knows exactly and others by `seen`.
fn field(name: &str, encoding: Encoding, seen: Disclosure) -> Field {
    use Disclosure::{Exact, Withheld};
    Field { name: name.into(), encoding, levels: [Withheld, Withheld, seen, Exact, Exact] }
}

fn schema() -> Schema {
    use Disclosure::{Exact, Grid, Withheld};
    let names = ["knife", "rifle", "bomb"].map(str::to_owned).to_vec();
    let player = vec![
        field("pos", Encoding::Position { step_m: 0.01 }, Grid(4.0)),
        field("vel", Encoding::Velocity { step_mps: 0.05, limit_mps: 20.0 }, Withheld),
        field("yaw", Encoding::Angle { bits: 12 }, Grid(45.0)),
        field("weapon", Encoding::Enum(names), Exact),
        field("held", Encoding::Reference, Exact),
        field("health", Encoding::Int { min: 0, max: 200 }, Withheld),
        field("charge", Encoding::Float { min: 0.0, max: 1.0, step: 0.05 }, Grid(0.5)),
        field("tag", Encoding::Bytes { max: 12 }, Exact),
        field("scoped", Encoding::Bool, Exact),
        field("target", Encoding::Reference, Withheld),
    ];
    let class = |name: &str, fields| ClassSchema::new(name.into(), fields, Leave::Removal, EXTENT_M);
    let dropped = vec![field("pos", Encoding::Position { step_m: 0.05 }, Exact)];
    let kill = vec![field("by", Encoding::Reference, Exact), field("tag", Encoding::Bytes { max: 5 }, Exact)];
    Schema::new(SchemaParts {
        extent_m: EXTENT_M,
        stale_ticks: 16,
        classes: vec![class("player", player), class("drop", dropped), class("nothing", vec![])],
        sounds: vec![SoundSchema::new("step".into(), vec![0.5, 2.0, 8.0], EXTENT_M)],
        events: vec![class("kill", kill)],
    })
}

fn net() -> impl Strategy<Value = NetRef> {
    (any::<u16>(), any::<u8>()).prop_map(|(id, generation)| NetRef::new(NetId(id), generation))
}

/// What one message is made of, before it is fitted to the schema.
type Raw = (u8, usize, usize, NetRef, u64, Vec<u8>, Vec<Option<NetRef>>);

fn raw() -> impl Strategy<Value = Raw> {
    let noise = prop::collection::vec(any::<u8>(), 80);
    let references = prop::collection::vec(prop::option::of(net()), 2);
    (0_u8..5, 0_usize..3, 0_usize..5, net(), any::<u64>(), noise, references)
}

/// A record of a layout made of noise: every value fits, whatever the bytes.
fn record(layout: &super::super::Layout, noise: &[u8]) -> Vec<u8> {
    let mut record = vec![0; layout.bytes()];
    for (column, _) in layout.columns().iter().enumerate() {
        let byte = noise[column % noise.len()];
        let number = f64::from(byte) * 7.3 - 900.0;
        let values: [Value<'_, NetRef>; 7] = [
            Value::Vector([number, -number, number / 3.0]),
            Value::Float(number),
            Value::Int(i64::from(byte)),
            Value::Bool(byte & 1 == 1),
            Value::Choice(u16::from(byte % 3)),
            Value::Bytes(&noise[..usize::from(byte % 6)]),
            Value::Reference(None),
        ];
        let fits = values.iter().filter(|v| layout.quantise(column, v, &mut record).is_ok()).count();
        assert_eq!(fits, 1, "one kind fits a column");
    }
    record
}

fn write(writer: &mut PacketWriter<'_>, schema: &Schema, raw: &Raw) -> Result<(), Full> {
    let (kind, class, level, net, number, noise, references) = raw;
    let level = Level::TOLD[*level];
    let mut body = BitWriter::default();
    let (id, age_ticks) = (NoticeId(*number as u16), noise[1] % 64);
    let head = EntityHead { net: *net, class: ClassId(*class as u16), level };
    match kind {
        0 | 1 => {
            let layout = schema.classes()[*class].layout(level).unwrap();
            let mask = if *kind == 0 { layout.all() } else { ColumnSet(number & layout.all().0) };
            layout.write_body(&record(layout, noise), mask, &mut body);
            let references = &references[..layout.references()];
            match kind {
                0 => writer.enter(head, references, (&body).into()),
                _ => writer.update(head, mask, references, (&body).into()),
            }
        }
        2 => writer.removal(*net),
        3 => {
            let band = noise[0] % 3;
            let coding = schema.sounds()[0].band(band).unwrap();
            let mut place = vec![0; coding.bytes()];
            let at = Value::<NetRef>::Vector([1.0, 2.0, f64::from(noise[2])]);
            coding.quantise(&at, &mut place).unwrap();
            let emitter = references[0];
            writer.sound(SoundNotice { class: SoundClassId(0), id, age_ticks, band, emitter }, &place)
        }
        _ => {
            let layout = schema.events()[0].layout(level).unwrap();
            layout.write_body(&record(layout, noise), layout.all(), &mut body);
            let head = EventHead { class: EventClassId(0), level, id, age_ticks };
            writer.event(head, &references[..layout.references()], (&body).into())
        }
    }
}

/// The datagram that the messages of `bytes` are written to, of the same length.
fn rewritten(schema: &Schema, bytes: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let mut reader = PacketReader::new(schema, bytes)?;
    let mut writer = PacketWriter::new(schema, reader.header(), MAX_DATAGRAM_BYTES, Vec::new());
    let mut contents = Contents::default();
    while let Some(message) = reader.read(&mut contents)? {
        let mut body = BitWriter::default();
        let mut encode = |layout: &super::super::Layout, mask| {
            layout.write_body(&contents.record, mask, &mut body);
        };
        let references = &contents.references;
        match message {
            Message::Enter(head) => {
                let layout = schema.class(head.class).unwrap().layout(head.level).unwrap();
                encode(layout, layout.all());
                writer.enter(head, references, (&body).into())
            }
            Message::Update(head, mask) => {
                encode(schema.class(head.class).unwrap().layout(head.level).unwrap(), mask);
                writer.update(head, mask, references, (&body).into())
            }
            Message::Removal(net) => writer.removal(net),
            Message::Sound(sound) => writer.sound(sound, &contents.record),
            Message::Event(head) => {
                let layout = schema.event(head.class).unwrap().layout(head.level).unwrap();
                encode(layout, layout.all());
                writer.event(head, references, (&body).into())
            }
        }
        .expect("what was read has room");
    }
    Ok(writer.finish(bytes.len()))
}

proptest! {
    #[test]
    fn what_is_written_is_read_and_written_again_the_same(
        messages in prop::collection::vec(raw(), 0..12),
        limit in 10_usize..400,
        padded in 0_usize..500,
        numbers in any::<(u16, u32, u16)>(),
    ) {
        let schema = schema();
        let (sequence, tick, ack) = (Sequence(numbers.0), Tick(numbers.1), Sequence(numbers.2));
        let header = Header { sequence, tick, ack };
        let mut writer = PacketWriter::new(&schema, header, limit, Vec::new());
        let (mut written, mut before) = (0, writer.bits());
        for message in &messages {
            match write(&mut writer, &schema, message) {
                Ok(()) => written += 1,
                Err(Full) => prop_assert_eq!(writer.bits(), before),
            }
            before = writer.bits();
        }
        let bytes = writer.finish(padded);
        prop_assert!(bytes.len() <= limit.max(HEADER_BYTES));
        prop_assert!(bytes.len() >= padded.min(limit));
        let mut reader = PacketReader::new(&schema, &bytes).unwrap();
        prop_assert_eq!(reader.header(), header);
        let mut contents = Contents::default();
        let mut read = 0;
        while reader.read(&mut contents).unwrap().is_some() {
            read += 1;
        }
        prop_assert_eq!(read, written);
        prop_assert_eq!(rewritten(&schema, &bytes), Ok(bytes));
    }

    #[test]
    fn any_bytes_are_messages_of_one_spelling_or_an_error(mut bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let schema = schema();
        if bytes.len() >= 2 {
            bytes[..2].copy_from_slice(&schema.mark().to_le_bytes());
        }
        if let Ok(again) = rewritten(&schema, &bytes) {
            prop_assert_eq!(again, bytes);
        }
    }

    #[test]
    fn a_flipped_bit_is_another_message_or_an_error(
        messages in prop::collection::vec(raw(), 1..6),
        flip in any::<prop::sample::Index>(),
    ) {
        let schema = schema();
        let mut writer = PacketWriter::new(&schema, Header::default(), 1200, Vec::new());
        for message in &messages {
            write(&mut writer, &schema, message).unwrap();
        }
        let mut bytes = writer.finish(0);
        let at = flip.index(bytes.len() * 8);
        bytes[at / 8] ^= 1 << (at % 8);
        if let Ok(again) = rewritten(&schema, &bytes) {
            prop_assert_eq!(again, bytes);
        }
    }
}

#[test]
fn every_length_of_a_real_datagram_is_refused_or_ends_early() {
    let schema = schema();
    let mut writer = PacketWriter::new(&schema, Header::default(), 1200, Vec::new());
    let noise: Vec<u8> = (0..80).collect();
    let net = NetRef::new(NetId(7), 1);
    for kind in 0..5 {
        let raw = (kind, 0, 4, net, u64::MAX, noise.clone(), vec![Some(net); 2]);
        write(&mut writer, &schema, &raw).unwrap();
    }
    let bytes = writer.finish(0);
    for length in 0..bytes.len() {
        if let Ok(again) = rewritten(&schema, &bytes[..length]) {
            assert_eq!(again, &bytes[..length]);
        }
    }
    assert!(matches!(PacketReader::new(&schema, &[0; 4097]), Err(DecodeError::TooLong)));
}

#[test]
fn a_body_is_the_same_bits_for_every_observer() {
    let schema = schema();
    let layout = schema.classes()[0].layout(Level::Seen).unwrap();
    let mut body = BitWriter::default();
    layout.write_body(&record(layout, &[200; 80]), layout.all(), &mut body);
    let datagram = |net: u16, held: Option<NetRef>| {
        let head = EntityHead { net: NetRef::new(NetId(net), 0), class: ClassId(0), level: Level::Seen };
        let mut writer = PacketWriter::new(&schema, Header::default(), 1200, Vec::new());
        writer.enter(head, &[held], (&body).into()).unwrap();
        writer.finish(0)
    };
    for (bytes, held) in [(datagram(1, None), false), (datagram(9, Some(NetRef::new(NetId(2), 3))), true)] {
        let mut contents = Contents::default();
        let mut reader = PacketReader::new(&schema, &bytes).unwrap();
        assert!(reader.read(&mut contents).unwrap().is_some());
        assert_eq!(contents.record, record(layout, &[200; 80]));
        assert_eq!(contents.references[0].is_some(), held);
    }
}
