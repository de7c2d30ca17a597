//! A schema as bytes: what a client ships, and what a schema's mark is the hash of.
//!
//! Promises: reading is total, bounded by the bytes at hand and canonical.
//! The bytes are specified in `PROTOCOL.md`, beside this file.

use super::schema::{MAX_CLASSES, MAX_FIELDS};
use super::value::{is_extent, is_name};
use super::{ClassSchema, DecodeError, Disclosure, Encoding, Field, Leave, SchemaParts, SoundSchema};
use std::collections::HashSet;

/// Version of the packet format and of these bytes.
const PROTOCOL_VERSION: u8 = 1;

/// The bytes of a schema.
pub(super) fn write(parts: &SchemaParts) -> Vec<u8> {
    let mut out = vec![PROTOCOL_VERSION];
    number(&mut out, parts.extent_m);
    out.extend(parts.stale_ticks.to_le_bytes());
    write_classes(&mut out, &parts.classes);
    out.extend((parts.sounds.len() as u16).to_le_bytes());
    for sound in &parts.sounds {
        text(&mut out, &sound.name);
        out.extend((sound.steps_m.len() as u16).to_le_bytes());
        sound.steps_m.iter().for_each(|&step| number(&mut out, step));
    }
    write_classes(&mut out, &parts.events);
    out
}

fn write_classes(out: &mut Vec<u8>, classes: &[ClassSchema]) {
    out.extend((classes.len() as u16).to_le_bytes());
    for class in classes {
        text(out, &class.name);
        let (tag, ticks) = match class.leave {
            Leave::Removal => (0, 0),
            Leave::Timeout { ticks } => (1, ticks),
            Leave::Never => (2, 0),
        };
        out.push(tag);
        out.extend(ticks.to_le_bytes());
        out.push(class.fields.len() as u8);
        for field in &class.fields {
            text(out, &field.name);
            encoding(out, &field.encoding);
            field.levels.iter().for_each(|&level| disclosure(out, level));
        }
    }
}

fn number(out: &mut Vec<u8>, value: f64) {
    out.extend(value.to_bits().to_le_bytes());
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u16).to_le_bytes());
    out.extend(text.as_bytes());
}

fn encoding(out: &mut Vec<u8>, encoding: &Encoding) {
    match encoding {
        Encoding::Position { step_m } => {
            out.push(0);
            number(out, *step_m);
        }
        Encoding::Velocity { step_mps, limit_mps } => {
            out.push(1);
            number(out, *step_mps);
            number(out, *limit_mps);
        }
        Encoding::Angle { bits } => out.extend([2, *bits]),
        Encoding::Int { min, max } => {
            out.push(3);
            out.extend(min.to_le_bytes());
            out.extend(max.to_le_bytes());
        }
        Encoding::Float { min, max, step } => {
            out.push(4);
            [min, max, step].into_iter().for_each(|&value| number(out, value));
        }
        Encoding::Bool => out.push(5),
        Encoding::Enum(names) => {
            out.push(6);
            out.extend((names.len() as u32).to_le_bytes());
            names.iter().for_each(|name| text(out, name));
        }
        Encoding::Bytes { max } => out.extend([7, *max]),
        Encoding::Reference => out.push(8),
    }
}

fn disclosure(out: &mut Vec<u8>, disclosure: Disclosure) {
    match disclosure {
        Disclosure::Withheld => out.push(0),
        Disclosure::Exact => out.push(1),
        Disclosure::Grid(step) => {
            out.push(2);
            number(out, step);
        }
    }
}

/// The parts that [`write`] wrote.
pub(super) fn read(bytes: &[u8]) -> Result<SchemaParts, DecodeError> {
    let mut reader = Reader { bytes, extent_m: 0.0 };
    if reader.u8()? != PROTOCOL_VERSION {
        return Err(DecodeError::OtherMark);
    }
    let extent_m = reader.number()?;
    reader.extent_m = check(is_extent(extent_m), extent_m, "the extent")?;
    let stale_ticks = reader.u32()?;
    let classes = reader.classes("a class")?;
    let sounds = reader.sounds()?;
    let events = reader.classes("an event class")?;
    if reader.bytes.is_empty() {
        Ok(SchemaParts { extent_m, stale_ticks, classes, sounds, events })
    } else {
        Err(DecodeError::Trailing)
    }
}

fn check<T>(holds: bool, value: T, what: &'static str) -> Result<T, DecodeError> {
    if holds { Ok(value) } else { Err(DecodeError::OutOfRange(what)) }
}

struct Reader<'a> {
    bytes: &'a [u8],
    extent_m: f64,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (head, rest) = self.bytes.split_first_chunk::<N>().ok_or(DecodeError::Truncated)?;
        self.bytes = rest;
        Ok(*head)
    }

    fn u8(&mut self) -> Result<u8, DecodeError> {
        self.take().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Result<u16, DecodeError> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, DecodeError> {
        self.take().map(u32::from_le_bytes)
    }

    fn number(&mut self) -> Result<f64, DecodeError> {
        self.take().map(f64::from_le_bytes)
    }

    fn text(&mut self) -> Result<String, DecodeError> {
        let length = usize::from(self.u16()?);
        let (text, rest) = self.bytes.split_at_checked(length).ok_or(DecodeError::Truncated)?;
        self.bytes = rest;
        std::str::from_utf8(text).map(str::to_owned).map_err(|_| DecodeError::OutOfRange("a text"))
    }

    /// A name that is not among `taken`.
    fn name(&mut self, taken: &mut HashSet<String>) -> Result<String, DecodeError> {
        let name = self.text()?;
        check(is_name(&name) && taken.insert(name.clone()), name, "a name")
    }

    fn sounds(&mut self) -> Result<Vec<SoundSchema>, DecodeError> {
        let count = self.u16()?;
        check(usize::from(count) <= MAX_CLASSES, (), "the count of sounds")?;
        let mut taken = HashSet::new();
        let sound = |_| {
            let name = self.name(&mut taken)?;
            let bands = self.u16()?;
            check((1..=256).contains(&bands), (), "the count of bands")?;
            let steps = (0..bands).map(|_| {
                let step = self.number()?;
                let coarse = Encoding::Position { step_m: step };
                check(coarse.check(self.extent_m).is_ok(), step, "a band's step")
            });
            let steps_m = steps.collect::<Result<_, _>>()?;
            Ok(SoundSchema::new(name, steps_m, self.extent_m))
        };
        (0..count).map(sound).collect()
    }

    fn classes(&mut self, what: &'static str) -> Result<Vec<ClassSchema>, DecodeError> {
        let count = self.u16()?;
        check(usize::from(count) <= MAX_CLASSES, (), what)?;
        let mut taken = HashSet::new();
        (0..count).map(|_| self.class(&mut taken)).collect()
    }

    fn class(&mut self, taken: &mut HashSet<String>) -> Result<ClassSchema, DecodeError> {
        let name = self.name(taken)?;
        let leave = match (self.u8()?, self.u32()?) {
            (0, 0) => Leave::Removal,
            (1, ticks @ 1..) => Leave::Timeout { ticks },
            (2, 0) => Leave::Never,
            _ => return Err(DecodeError::OutOfRange("how a class leaves")),
        };
        let count = self.u8()?;
        check(usize::from(count) <= MAX_FIELDS, (), "the count of fields")?;
        let mut taken = HashSet::new();
        let fields = (0..count).map(|_| self.field(&mut taken)).collect::<Result<_, _>>()?;
        Ok(ClassSchema::new(name, fields, leave, self.extent_m))
    }

    fn field(&mut self, taken: &mut HashSet<String>) -> Result<Field, DecodeError> {
        let name = self.name(taken)?;
        let encoding = self.encoding()?;
        check(encoding.check(self.extent_m).is_ok(), (), "an encoding")?;
        let mut levels = [Disclosure::Withheld; 5];
        for level in &mut levels {
            *level = match self.u8()? {
                0 => Disclosure::Withheld,
                1 => Disclosure::Exact,
                2 => Disclosure::Grid(self.number()?),
                _ => return Err(DecodeError::OutOfRange("a disclosure")),
            };
            check(level.check(&encoding, self.extent_m).is_ok(), (), "a disclosure")?;
        }
        Ok(Field { name, encoding, levels })
    }

    fn encoding(&mut self) -> Result<Encoding, DecodeError> {
        Ok(match self.u8()? {
            0 => Encoding::Position { step_m: self.number()? },
            1 => Encoding::Velocity { step_mps: self.number()?, limit_mps: self.number()? },
            2 => Encoding::Angle { bits: self.u8()? },
            3 => {
                Encoding::Int { min: i64::from_le_bytes(self.take()?), max: i64::from_le_bytes(self.take()?) }
            }
            4 => Encoding::Float { min: self.number()?, max: self.number()?, step: self.number()? },
            5 => Encoding::Bool,
            6 => {
                // A name takes two bytes at least: a count beyond the bytes at hand is cut off soon.
                let (count, mut taken) = (self.u32()?, HashSet::new());
                Encoding::Enum((0..count).map(|_| self.name(&mut taken)).collect::<Result<_, _>>()?)
            }
            7 => Encoding::Bytes { max: self.u8()? },
            8 => Encoding::Reference,
            _ => return Err(DecodeError::OutOfRange("an encoding")),
        })
    }
}
