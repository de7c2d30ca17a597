//! The datagram from server to client: a header and messages, bit by bit as `PROTOCOL.md` has it.
//!
//! Owns the messages and their writer. Promises: a message goes in whole or not at all; what is written reads
//! back the same and is written again the same. Must not know why a message is sent, nor to whom.

mod read;

pub use read::{Contents, PacketReader};

use super::bits::{BitWriter, bits_below};
use super::{ColumnSet, Level, Schema, Sequence};
use crate::ids::{ClassId, EventClassId, NetRef, NoticeId, SoundClassId};
use crate::tick::Tick;

/// Most bytes of a datagram.
pub const MAX_DATAGRAM_BYTES: usize = 4096;

/// Bytes of a datagram before its messages.
pub const HEADER_BYTES: usize = 10;

/// Greatest age of a sound or an event in ticks.
pub const MAX_AGE_TICKS: u8 = 63;

const KIND_BITS: u32 = 3;
const LEVEL_BITS: u32 = 3;
const AGE_BITS: u32 = 6;

const END: u64 = 0;
const ENTER: u64 = 1;
const UPDATE: u64 = 2;
const REMOVAL: u64 = 3;
const SOUND: u64 = 4;
const EVENT: u64 = 5;

/// What a datagram begins with, behind the schema's mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Number of the datagram, counted per observer.
    pub sequence: Sequence,
    /// The server's tick whose state it tells.
    pub tick: Tick,
    /// The newest of the client's own datagrams that the server has taken.
    pub ack: Sequence,
}

/// An encoded body of a record, made once by [`Layout::write_body`](super::Layout::write_body) for all observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body<'a> {
    /// At least as many as `bits` need.
    pub bytes: &'a [u8],
    /// Bits that count.
    pub bits: usize,
}

impl<'a> From<&'a BitWriter> for Body<'a> {
    fn from(writer: &'a BitWriter) -> Self {
        Self { bytes: writer.as_bytes(), bits: writer.bits() }
    }
}

/// What a message about an entity begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntityHead {
    /// The observer's name of it.
    pub net: NetRef,
    /// Its class.
    pub class: ClassId,
    /// How much is told; never `Hidden`.
    pub level: Level,
}

/// A sound as an observer hears it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoundNotice {
    /// Its class.
    pub class: SoundClassId,
    /// The observer's count of it: one that comes again is the same sound.
    pub id: NoticeId,
    /// Ticks since it was made; at most [`MAX_AGE_TICKS`].
    pub age_ticks: u8,
    /// How finely its place is told, by the class's bands.
    pub band: u8,
    /// The entity that made it, where that may be known.
    pub emitter: Option<NetRef>,
}

/// What a message about an event begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventHead {
    /// Its class.
    pub class: EventClassId,
    /// How much is told; never `Hidden`.
    pub level: Level,
    /// The observer's count of it: one that comes again is the same event.
    pub id: NoticeId,
    /// Ticks since it happened; at most [`MAX_AGE_TICKS`].
    pub age_ticks: u8,
}

/// A message of a datagram; the record and the references that belong to it are in [`Contents`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// An entity with all that its level is told, new or known before.
    Enter(EntityHead),
    /// The columns of a known entity that may differ from what the client holds; with none, it is just still there.
    Update(EntityHead, ColumnSet),
    /// An entity that is no longer disclosed.
    Removal(NetRef),
    /// A sound; the record is its place.
    Sound(SoundNotice),
    /// An event with all that its level is told.
    Event(EventHead),
}

/// The datagram has no room for the message; it is as it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the datagram has no room for it")]
pub struct Full;

/// Writes datagrams, one behind the other, without taking memory once it has its size.
///
/// A class, level, band or reference list that the schema does not have is the caller's error: the message is
/// refused as [`Full`] in release, and a debug assertion fails.
#[derive(Clone, Debug)]
pub struct PacketWriter<'s> {
    schema: &'s Schema,
    out: BitWriter,
    limit_bits: usize,
}

impl<'s> PacketWriter<'s> {
    /// Starts a datagram of at most `limit_bytes`, from [`HEADER_BYTES`] to [`MAX_DATAGRAM_BYTES`], in `room`.
    pub fn new(schema: &'s Schema, header: Header, limit_bytes: usize, room: Vec<u8>) -> Self {
        let limit_bits = limit_bytes.clamp(HEADER_BYTES, MAX_DATAGRAM_BYTES) * 8;
        let mut out = BitWriter::reusing(room);
        out.write(u64::from(schema.mark()), 16);
        out.write(u64::from(header.sequence.0), 16);
        out.write(u64::from(header.tick.0), 32);
        out.write(u64::from(header.ack.0), 16);
        Self { schema, out, limit_bits }
    }

    /// Bits written so far, the header's too.
    pub fn bits(&self) -> usize {
        self.out.bits()
    }

    /// Drops the messages after the first `bits`, which [`PacketWriter::bits`] gave before them: a bundle goes
    /// in whole or not at all.
    pub fn back_to(&mut self, bits: usize) {
        self.out.truncate(bits.max(HEADER_BYTES * 8));
    }

    /// Tells all of an entity; `references` are all of its layout's, in order.
    ///
    /// # Errors
    /// Where there is no room.
    pub fn enter(
        &mut self,
        head: EntityHead,
        references: &[Option<NetRef>],
        body: Body<'_>,
    ) -> Result<(), Full> {
        self.whole(|w| {
            w.out.write(ENTER, KIND_BITS);
            let layout = w.entity_head(head)?;
            w.contents(layout, layout.all(), references, body)
        })
    }

    /// Tells the columns of `mask`; `references` are all of its layout's, in order, `body` those of `mask`.
    ///
    /// # Errors
    /// Where there is no room.
    pub fn update(
        &mut self,
        head: EntityHead,
        mask: ColumnSet,
        references: &[Option<NetRef>],
        body: Body<'_>,
    ) -> Result<(), Full> {
        self.whole(|w| {
            w.out.write(UPDATE, KIND_BITS);
            let layout = w.entity_head(head)?;
            let mask = ColumnSet(mask.0 & layout.all().0);
            w.out.write(mask.0, layout.columns().len() as u32);
            w.contents(layout, mask, references, body)
        })
    }

    /// Tells that an entity is no longer disclosed.
    ///
    /// # Errors
    /// Where there is no room.
    pub fn removal(&mut self, net: NetRef) -> Result<(), Full> {
        self.whole(|w| {
            w.out.write(REMOVAL, KIND_BITS);
            w.net(net);
            Some(())
        })
    }

    /// Tells a sound; `place` is the record that its band's coding wrote.
    ///
    /// # Errors
    /// Where there is no room.
    pub fn sound(&mut self, sound: SoundNotice, place: &[u8]) -> Result<(), Full> {
        self.whole(|w| {
            w.out.write(SOUND, KIND_BITS);
            let class = w.schema.sound(sound.class)?;
            w.out.write(u64::from(sound.class.0), w.schema.bits.sound);
            w.notice(sound.id, sound.age_ticks);
            let coding = class.band(sound.band).filter(|coding| coding.bytes() == place.len())?;
            w.out.write(u64::from(sound.band), bits_below(class.steps_m.len() as u64));
            coding.write(place, &mut w.out);
            w.reference(sound.emitter);
            Some(())
        })
    }

    /// Tells an event; `references` are all of its layout's, in order.
    ///
    /// # Errors
    /// Where there is no room.
    pub fn event(
        &mut self,
        head: EventHead,
        references: &[Option<NetRef>],
        body: Body<'_>,
    ) -> Result<(), Full> {
        self.whole(|w| {
            w.out.write(EVENT, KIND_BITS);
            let layout = w.schema.event(head.class)?.layout(head.level)?;
            w.out.write(u64::from(head.class.0), w.schema.bits.event);
            w.out.write(head.level.index()? as u64, LEVEL_BITS);
            w.notice(head.id, head.age_ticks);
            w.contents(layout, layout.all(), references, body)
        })
    }

    /// The datagram, padded with zeros to `bytes` where it has fewer; never beyond its limit.
    pub fn finish(self, bytes: usize) -> Vec<u8> {
        let limit = self.limit_bits / 8;
        let mut out = self.out.into_bytes();
        let length = out.len().max(bytes.min(limit));
        out.resize(length, 0);
        out
    }

    /// Writes a message, or takes it back where it does not fit.
    fn whole(&mut self, write: impl FnOnce(&mut Self) -> Option<()>) -> Result<(), Full> {
        let before = self.out.bits();
        let written = write(self);
        debug_assert!(written.is_some(), "the schema has no such message");
        if written.is_some() && self.out.bits() <= self.limit_bits {
            return Ok(());
        }
        self.out.truncate(before);
        Err(Full)
    }

    fn entity_head(&mut self, head: EntityHead) -> Option<&'s super::Layout> {
        let layout = self.schema.class(head.class)?.layout(head.level)?;
        self.out.write(u64::from(head.class.0), self.schema.bits.class);
        self.out.write(head.level.index()? as u64, LEVEL_BITS);
        self.net(head.net);
        Some(layout)
    }

    fn contents(
        &mut self,
        layout: &super::Layout,
        mask: ColumnSet,
        references: &[Option<NetRef>],
        body: Body<'_>,
    ) -> Option<()> {
        let is_reference = |(_, column): &(usize, &super::Column)| column.coding.is_reference();
        let columns = layout.columns().iter().enumerate().filter(is_reference);
        for (ordinal, (column, _)) in columns.enumerate() {
            if mask.has(column) {
                self.reference(*references.get(ordinal)?);
            }
        }
        self.out.append(body.bytes, body.bits);
        Some(())
    }

    fn net(&mut self, net: NetRef) {
        self.out.write(u64::from(net.id.0), 16);
        self.out.write(u64::from(net.generation), 8);
    }

    fn reference(&mut self, reference: Option<NetRef>) {
        self.out.flag(reference.is_some());
        if let Some(net) = reference {
            self.net(net);
        }
    }

    fn notice(&mut self, id: NoticeId, age_ticks: u8) {
        self.out.write(u64::from(id.0), 16);
        self.out.write(u64::from(age_ticks.min(MAX_AGE_TICKS)), AGE_BITS);
    }
}

#[cfg(test)]
mod tests;
