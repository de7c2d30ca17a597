//! From the bytes of a datagram to its messages, one at a time.
//!
//! Promises: any bytes end in messages or an error; nothing is kept but the contents of one message;
//! what is taken is spelled as the writer spells it.

use super::{
    AGE_BITS, END, ENTER, EVENT, EntityHead, EventHead, HEADER_BYTES, Header, KIND_BITS, LEVEL_BITS,
    MAX_DATAGRAM_BYTES, Message, REMOVAL, SOUND, SoundNotice, UPDATE,
};
use crate::ids::{ClassId, EventClassId, NetId, NetRef, NoticeId, SoundClassId};
use crate::tick::Tick;
use crate::wire::bits::{BitReader, bits_below};
use crate::wire::{ColumnSet, DecodeError, Layout, Level, Schema, Sequence};

/// What a message holds beside its head; used again from message to message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The record, of its layout's or its sound band's bytes; columns that are not told are 0.
    pub record: Vec<u8>,
    /// The references of the layout, in order; those that are not told are none.
    pub references: Vec<Option<NetRef>>,
}

#[doc = include_str!("../PROTOCOL.md")]
#[derive(Clone, Debug)]
pub struct PacketReader<'a> {
    schema: &'a Schema,
    header: Header,
    bits: BitReader<'a>,
}

impl<'a> PacketReader<'a> {
    /// Starts on the bytes of a datagram.
    ///
    /// # Errors
    /// Where it has no whole header, is longer than any, or is of another schema.
    pub fn new(schema: &'a Schema, bytes: &'a [u8]) -> Result<Self, DecodeError> {
        if bytes.len() > MAX_DATAGRAM_BYTES {
            return Err(DecodeError::TooLong);
        }
        if bytes.len() < HEADER_BYTES {
            return Err(DecodeError::Truncated);
        }
        let mut bits = BitReader::new(bytes);
        if bits.read(16)? != u64::from(schema.mark()) {
            return Err(DecodeError::OtherMark);
        }
        let header = Header {
            sequence: Sequence(bits.read(16)? as u16),
            tick: Tick(bits.read(32)? as u32),
            ack: Sequence(bits.read(16)? as u16),
        };
        Ok(Self { schema, header, bits })
    }

    /// The header.
    pub fn header(&self) -> Header {
        self.header
    }

    /// The next message, with what it holds in `contents`; `None` at the end.
    ///
    /// # Errors
    /// Where the bytes are no message; what comes behind it makes no sense then.
    pub fn read(&mut self, contents: &mut Contents) -> Result<Option<Message>, DecodeError> {
        contents.record.clear();
        contents.references.clear();
        if self.bits.left() < KIND_BITS as usize {
            return self.end();
        }
        let message = match self.bits.read(KIND_BITS)? {
            END => return self.end(),
            ENTER => {
                let (head, layout) = self.entity_head()?;
                self.contents(layout, layout.all(), contents)?;
                Message::Enter(head)
            }
            UPDATE => {
                let (head, layout) = self.entity_head()?;
                let mask = ColumnSet(self.bits.read(layout.columns().len() as u32)?);
                self.contents(layout, mask, contents)?;
                Message::Update(head, mask)
            }
            REMOVAL => Message::Removal(self.net()?),
            SOUND => Message::Sound(self.sound(contents)?),
            EVENT => {
                let (head, layout) = self.event_head()?;
                self.contents(layout, layout.all(), contents)?;
                Message::Event(head)
            }
            _ => return Err(DecodeError::OutOfRange("a kind of message")),
        };
        Ok(Some(message))
    }

    /// The end of the messages: what is left is padding.
    fn end(&mut self) -> Result<Option<Message>, DecodeError> {
        if !self.bits.is_zero_to_the_end() {
            return Err(DecodeError::Trailing);
        }
        while self.bits.left() > 0 {
            self.bits.read(self.bits.left().min(64) as u32)?;
        }
        Ok(None)
    }

    fn entity_head(&mut self) -> Result<(EntityHead, &'a Layout), DecodeError> {
        let classes = self.schema.classes();
        let class = self.bits.below(self.schema.bits.class, classes.len() as u64, "a class")? as u16;
        let level = self.level()?;
        let layout = classes[usize::from(class)].layout(level).ok_or(DecodeError::OutOfRange("a level"))?;
        Ok((EntityHead { net: self.net()?, class: ClassId(class), level }, layout))
    }

    fn event_head(&mut self) -> Result<(EventHead, &'a Layout), DecodeError> {
        let classes = self.schema.events();
        let class = self.bits.below(self.schema.bits.event, classes.len() as u64, "an event class")? as u16;
        let level = self.level()?;
        let layout = classes[usize::from(class)].layout(level).ok_or(DecodeError::OutOfRange("a level"))?;
        let (id, age_ticks) = self.notice()?;
        Ok((EventHead { class: EventClassId(class), level, id, age_ticks }, layout))
    }

    fn sound(&mut self, contents: &mut Contents) -> Result<SoundNotice, DecodeError> {
        let classes = self.schema.sounds();
        let number = self.bits.below(self.schema.bits.sound, classes.len() as u64, "a sound class")? as u16;
        let class = &classes[usize::from(number)];
        let (id, age_ticks) = self.notice()?;
        let bands = class.steps_m.len() as u64;
        let band = self.bits.below(bits_below(bands), bands, "a band")? as u8;
        let coding = class.band(band).ok_or(DecodeError::OutOfRange("a band"))?;
        contents.record.resize(coding.bytes(), 0);
        coding.read(&mut contents.record, &mut self.bits)?;
        let emitter = self.reference()?;
        Ok(SoundNotice { class: SoundClassId(number), id, age_ticks, band, emitter })
    }

    fn contents(
        &mut self,
        layout: &Layout,
        mask: ColumnSet,
        contents: &mut Contents,
    ) -> Result<(), DecodeError> {
        for (column, _) in layout.columns().iter().enumerate().filter(|(_, c)| c.coding.is_reference()) {
            let reference = if mask.has(column) { self.reference()? } else { None };
            contents.references.push(reference);
        }
        contents.record.resize(layout.bytes(), 0);
        layout.read_body(&mut contents.record, mask, &mut self.bits)
    }

    fn level(&mut self) -> Result<Level, DecodeError> {
        let index = self.bits.below(LEVEL_BITS, Level::TOLD.len() as u64, "a level")?;
        Ok(Level::TOLD[index as usize])
    }

    fn net(&mut self) -> Result<NetRef, DecodeError> {
        let id = NetId(self.bits.read(16)? as u16);
        Ok(NetRef { id, generation: self.bits.read(8)? as u8 })
    }

    fn reference(&mut self) -> Result<Option<NetRef>, DecodeError> {
        if self.bits.flag()? { self.net().map(Some) } else { Ok(None) }
    }

    fn notice(&mut self) -> Result<(NoticeId, u8), DecodeError> {
        Ok((NoticeId(self.bits.read(16)? as u16), self.bits.read(AGE_BITS)? as u8))
    }
}
