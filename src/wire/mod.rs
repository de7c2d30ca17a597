//! What goes over the network: levels, fields and their encodings, datagrams, acknowledgements.
//!
//! Promises: any bytes decode to a value or an error, in bounded memory; one message has one spelling.
//! Must not know the world: what it encodes is disclosed already.

mod ack;
mod bits;
mod coding;
mod error;
mod packet;
mod record;
mod schema;
mod schema_file;
mod value;

pub use ack::{ACK_BYTES, ACK_WINDOW, Ack, AckWindow, Arrival, Sequence};
pub use bits::{BitReader, BitWriter};
pub use coding::Coding;
pub use error::DecodeError;
pub use packet::{
    Body, Contents, EntityHead, EventHead, Full, HEADER_BYTES, Header, MAX_AGE_TICKS, MAX_DATAGRAM_BYTES,
    Message, PacketReader, PacketWriter, SoundNotice,
};
pub use record::{EntityRecord, EventRecord, PriorityFacts, SoundRecord};
pub use schema::{
    ClassSchema, Column, ColumnSet, Layout, Leave, MAX_CLASSES, MAX_FIELDS, Schema, SchemaParts, SoundSchema,
};

pub use value::{Disclosure, Encoding, Field, Level, Unfit, Value};
pub(crate) use value::{is_extent, is_name};
