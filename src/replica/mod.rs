//! The client's side: what was disclosed to one observer, from its datagrams alone.
//!
//! Promises: datagrams may come in any order, twice or never; any bytes are taken whole or refused, without
//! a panic and in bounded memory; an older state never replaces a newer one; a reference is never applied
//! before what it names. Must not know world, rules or filter: it imports ids, tick and wire only.

mod apply;
mod notices;
mod view;

pub use view::{Changes, HeardSound, ReplicaEntity, SeenEvent};

use crate::ids::{NetId, NetRef};
use crate::tick::Tick;
use crate::wire::{
    ACK_BYTES, ACK_WINDOW, AckWindow, Arrival, Contents, DecodeError, Message, PacketReader, Schema, Sequence,
};
use apply::{Fate, Held};
use notices::NoticeWindow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Why a datagram was not taken; it is not acknowledged either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Its bytes are no datagram of this schema.
    #[error("malformed: {0}")]
    Malformed(#[from] DecodeError),
    /// It was taken before.
    #[error("taken before")]
    Duplicate,
    /// It is too far behind the newest.
    #[error("too old")]
    TooOld,
    /// It names an entity that is not held.
    #[error("it names {0}, which is not held")]
    Unknown(NetRef),
    /// It would make the replica hold more entities than it may.
    #[error("more entities than {0}")]
    TooMany(usize),
}

/// How many datagrams came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplicaCounts {
    /// Taken.
    pub taken: u64,
    /// Taken before.
    pub duplicates: u64,
    /// Too far behind the newest.
    pub too_old: u64,
    /// Refused for what was in them.
    pub refused: u64,
    /// Messages of taken ones that were older than what is held.
    pub skipped: u64,
}

/// What one observer's client holds.
#[derive(Clone, Debug)]
pub struct Replica {
    schema: Arc<Schema>,
    most_entities: usize,
    window: AckWindow,
    /// Number of the newest datagram taken, not wrapped; it starts high enough to look back from.
    newest: u64,
    acks: Sequence,
    now: Option<Tick>,
    held: BTreeMap<NetId, Held>,
    /// Names that were removed by datagrams that others may still overtake.
    removed: BTreeMap<(NetId, u8), u64>,
    notices: NoticeWindow,
    changes: Changes,
    counts: ReplicaCounts,
    contents: Contents,
    /// Names that a datagram makes known, and those that it needs to be known.
    entered: Vec<(NetId, u8)>,
    named: Vec<NetRef>,
}

impl Replica {
    /// Entities that a replica holds unless told otherwise.
    pub const MOST_ENTITIES: usize = 8192;

    /// A replica that holds nothing yet.
    pub fn new(schema: Arc<Schema>) -> Self {
        Self::with_limit(schema, Self::MOST_ENTITIES)
    }

    /// The same, holding at most so many entities: a datagram that would make more is refused.
    pub fn with_limit(schema: Arc<Schema>, most_entities: usize) -> Self {
        Self {
            schema,
            most_entities,
            window: AckWindow::default(),
            newest: 1 << 16,
            acks: Sequence(0),
            now: None,
            held: BTreeMap::new(),
            removed: BTreeMap::new(),
            notices: NoticeWindow::default(),
            changes: Changes::default(),
            counts: ReplicaCounts::default(),
            contents: Contents::default(),
            entered: Vec::new(),
            named: Vec::new(),
        }
    }

    /// What both ends agree on.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Takes a datagram and tells what it changed.
    ///
    /// # Errors
    /// Where it is refused; then nothing changed, and it is not acknowledged.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<&Changes, Refusal> {
        self.changes.clear();
        match self.take(bytes) {
            Ok(()) => {
                self.counts.taken += 1;
                Ok(&self.changes)
            }
            Err(refusal) => {
                match refusal {
                    Refusal::Duplicate => self.counts.duplicates += 1,
                    Refusal::TooOld => self.counts.too_old += 1,
                    _ => self.counts.refused += 1,
                }
                Err(refusal)
            }
        }
    }

    /// Tells the replica the server's tick where no datagram does: what gets stale or times out by it is in the
    /// changes.
    pub fn advance(&mut self, server_tick: Tick) -> &Changes {
        self.changes.clear();
        if self.now.is_none_or(|now| server_tick.is_after(now)) {
            self.now = Some(server_tick);
        }
        self.grow_old();
        &self.changes
    }

    /// The acknowledgement to send now; `None` before the first datagram was taken.
    pub fn ack(&mut self) -> Option<[u8; ACK_BYTES]> {
        let ack = self.window.ack(self.acks.next())?;
        self.acks = ack.sequence;
        Some(ack.to_bytes(&self.schema))
    }

    /// An entity by its name; `None` where exactly that generation is not held.
    pub fn get(&self, net: NetRef) -> Option<ReplicaEntity<'_>> {
        let held = self.held.get(&net.id).filter(|held| held.net == net)?;
        Some(ReplicaEntity { schema: &self.schema, held })
    }

    /// All entities, in the order of their net ids.
    pub fn entities(&self) -> impl Iterator<Item = ReplicaEntity<'_>> {
        self.held.values().map(|held| ReplicaEntity { schema: &self.schema, held })
    }

    /// How many entities are held.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether none is held.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// How many datagrams came to what.
    pub fn counts(&self) -> ReplicaCounts {
        self.counts
    }

    /// The server's tick as far as it is known.
    pub fn server_tick(&self) -> Option<Tick> {
        self.now
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let schema = Arc::clone(&self.schema);
        let reader = PacketReader::new(&schema, bytes)?;
        let header = reader.header();
        match self.window.judge(header.sequence) {
            Arrival::New => {}
            Arrival::Duplicate => return Err(Refusal::Duplicate),
            Arrival::TooOld => return Err(Refusal::TooOld),
        }
        let sequence = self.unwrapped(header.sequence);
        self.examine(reader.clone(), sequence)?;
        let is_newest = sequence > self.newest || self.window.newest().is_none();
        self.window.take(header.sequence);
        if is_newest {
            self.newest = sequence;
            self.now = Some(header.tick);
        }
        self.apply(reader, sequence, header.tick)?;
        let newest = self.newest;
        self.removed.retain(|_, at| *at + u64::from(ACK_WINDOW) >= newest);
        self.changes.server_tick = header.tick;
        self.grow_old();
        Ok(())
    }

    /// The number of a datagram that the window takes, not wrapped.
    fn unwrapped(&self, sequence: Sequence) -> u64 {
        let Some(newest) = self.window.newest() else { return self.newest + u64::from(sequence.0) };
        self.newest.saturating_add_signed(i64::from(sequence.since(newest)))
    }

    /// Reads a datagram to its end without changing anything: it is taken whole or not at all.
    fn examine(&mut self, mut reader: PacketReader<'_>, sequence: u64) -> Result<(), Refusal> {
        self.entered.clear();
        self.named.clear();
        let mut contents = std::mem::take(&mut self.contents);
        let outcome = self.examine_messages(&mut reader, sequence, &mut contents);
        self.contents = contents;
        outcome?;
        self.entered.sort_unstable();
        self.entered.dedup();
        let is_new = |(id, _): &&(NetId, u8)| !self.held.contains_key(id);
        if self.held.len() + self.entered.iter().filter(is_new).count() > self.most_entities {
            return Err(Refusal::TooMany(self.most_entities));
        }
        let is_known = |net: &NetRef| {
            self.entered.binary_search(&(net.id, net.generation)).is_ok()
                || self.held.get(&net.id).is_some_and(|held| held.net == *net)
        };
        self.named.iter().find(|net| !is_known(net)).map_or(Ok(()), |net| Err(Refusal::Unknown(*net)))
    }

    fn examine_messages(
        &mut self,
        reader: &mut PacketReader<'_>,
        sequence: u64,
        contents: &mut Contents,
    ) -> Result<(), Refusal> {
        while let Some(message) = reader.read(contents)? {
            let names = contents.references.iter().flatten().copied();
            match message {
                Message::Enter(head) if self.fate_of_enter(head.net, sequence) == Fate::Apply => {
                    self.entered.push((head.net.id, head.net.generation));
                    self.named.extend(names);
                }
                Message::Update(head, _) => match self.fate_of_update(head, sequence) {
                    Fate::Apply => self.named.extend(names),
                    // It may enter further on in the same datagram.
                    Fate::Unknown => self.named.push(head.net),
                    Fate::Skip => {}
                },
                Message::Sound(sound) => self.named.extend(sound.emitter),
                Message::Event(_) => self.named.extend(names),
                Message::Enter(_) | Message::Removal(_) => {}
            }
        }
        Ok(())
    }
}
