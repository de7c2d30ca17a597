//! What the messages of a datagram do to what is held.
//!
//! Promises: an older state never replaces a newer one, and what was removed does not come back.
//! Must not refuse anything: a datagram was examined as a whole before.

use super::{Replica, view};
use crate::ids::{ClassId, NetRef};
use crate::tick::Tick;
use crate::wire::{
    ColumnSet, Contents, DecodeError, EntityHead, Leave, Level, Message, PacketReader, Schema, Value,
};

/// An entity as it was disclosed last.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) net: NetRef,
    pub(super) class: ClassId,
    pub(super) level: Level,
    pub(super) record: Vec<u8>,
    pub(super) references: Vec<Option<NetRef>>,
    pub(super) sequence: u64,
    pub(super) touched: Tick,
    pub(super) is_stale: bool,
}

/// What is to be done with a message about an entity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Apply,
    Skip,
    Unknown,
}

impl Replica {
    pub(super) fn apply(
        &mut self,
        mut reader: PacketReader<'_>,
        sequence: u64,
        tick: Tick,
    ) -> Result<(), DecodeError> {
        let mut contents = std::mem::take(&mut self.contents);
        while let Some(message) = reader.read(&mut contents)? {
            match message {
                Message::Enter(head) => self.enter(head, &contents, sequence, tick),
                Message::Update(head, columns) => self.update(head, columns, &contents, sequence, tick),
                Message::Removal(net) => self.removal(net, sequence),
                Message::Sound(sound) if self.notices.take(sound.id) => {
                    self.changes.sounds.extend(view::heard(&self.schema, sound, &contents, tick));
                }
                Message::Event(head) if self.notices.take(head.id) => {
                    self.changes.events.push(view::seen(head, &contents, tick));
                }
                Message::Sound(_) | Message::Event(_) => self.counts.skipped += 1,
            }
        }
        self.contents = contents;
        Ok(())
    }

    pub(super) fn fate_of_enter(&self, net: NetRef, sequence: u64) -> Fate {
        let is_removed = self.removed.contains_key(&(net.id, net.generation));
        let is_older = self.held.get(&net.id).is_some_and(|held| held.sequence >= sequence);
        if is_removed || is_older { Fate::Skip } else { Fate::Apply }
    }

    pub(super) fn fate_of_update(&self, head: EntityHead, sequence: u64) -> Fate {
        let EntityHead { net, class, level } = head;
        if self.removed.contains_key(&(net.id, net.generation)) {
            return Fate::Skip;
        }
        match self.held.get(&net.id) {
            Some(held) if held.sequence >= sequence => Fate::Skip,
            Some(held) if held.net == net => {
                if held.class == class && held.level == level {
                    Fate::Apply
                } else {
                    Fate::Skip
                }
            }
            _ => Fate::Unknown,
        }
    }

    fn enter(&mut self, head: EntityHead, contents: &Contents, sequence: u64, tick: Tick) {
        if self.fate_of_enter(head.net, sequence) != Fate::Apply {
            self.counts.skipped += 1;
            return;
        }
        let before = self.held.get(&head.net.id);
        match before {
            Some(held) if held.net == head.net => {
                let all = self.schema.class(head.class).and_then(|class| class.layout(head.level));
                self.changes.updated.push((head.net, all.map_or(ColumnSet(0), |layout| layout.all())));
            }
            Some(held) => {
                self.changes.removed.push(held.net);
                self.changes.created.push(head.net);
            }
            None => self.changes.created.push(head.net),
        }
        let touched = before.filter(|held| held.net == head.net && held.touched.is_after(tick));
        let held = Held {
            net: head.net,
            class: head.class,
            level: head.level,
            record: contents.record.clone(),
            references: contents.references.clone(),
            sequence,
            touched: touched.map_or(tick, |held| held.touched),
            is_stale: false,
        };
        self.held.insert(head.net.id, held);
    }

    fn update(
        &mut self,
        head: EntityHead,
        columns: ColumnSet,
        contents: &Contents,
        sequence: u64,
        tick: Tick,
    ) {
        let fate = self.fate_of_update(head, sequence);
        let class = self.schema.class(head.class);
        let layout = class.and_then(|class| class.layout(head.level)).filter(|_| fate == Fate::Apply);
        let (Some(layout), Some(held)) = (layout, self.held.get_mut(&head.net.id)) else {
            self.counts.skipped += 1;
            return;
        };
        layout.copy(columns, &contents.record, &mut held.record);
        for column in 0..layout.columns().len() {
            if let Some(place) = layout.reference_of(column).filter(|_| columns.has(column)) {
                held.references[place] = contents.references[place];
            }
        }
        held.sequence = sequence;
        held.touched = if tick.is_after(held.touched) { tick } else { held.touched };
        if !columns.is_empty() {
            self.changes.updated.push((head.net, columns));
        }
    }

    fn removal(&mut self, net: NetRef, sequence: u64) {
        if self.held.get(&net.id).is_some_and(|held| held.net == net && held.sequence <= sequence) {
            self.held.remove(&net.id);
            self.changes.removed.push(net);
        }
        self.removed.insert((net.id, net.generation), sequence);
    }

    /// Marks what is stale and drops what timed out.
    pub(super) fn grow_old(&mut self) {
        let Some(now) = self.now else { return };
        let Self { schema, held, changes, .. } = self;
        held.retain(|_, held| {
            let age = now.since(held.touched);
            let is_over = |ticks: u32| i64::from(age) > i64::from(ticks);
            let is_stale = is_over(schema.stale_ticks());
            if is_stale != held.is_stale {
                held.is_stale = is_stale;
                changes.staled.extend(is_stale.then_some(held.net));
            }
            let leave = schema.class(held.class).map_or(Leave::Removal, |class| class.leave);
            let is_kept = !matches!(leave, Leave::Timeout { ticks } if is_over(ticks));
            changes.removed.extend((!is_kept).then_some(held.net));
            is_kept
        });
    }
}

impl Held {
    pub(super) fn value<'a>(&'a self, schema: &'a Schema, column: usize) -> Option<Value<'a, NetRef>> {
        let layout = schema.class(self.class)?.layout(self.level)?;
        view::value(layout, column, &self.record, &self.references)
    }
}
