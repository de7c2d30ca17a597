//! What the client may hold of an entity: the values sent last, and which of them were acknowledged.
//!
//! Promises: whatever the client holds of what was sent, an update's mask has every column in which it may differ.
//! Must not know when something is sent.

use super::{Course, Moment, Most, Telling};
use crate::held::Held;
use crate::ids::NetRef;
use crate::tick::Tick;
use crate::wire::{ColumnSet, Layout};
use smallvec::SmallVec;

/// Ticks by which a datagram was overtaken by one that arrived, after which it counts as lost: a guess that costs
/// bytes where it is wrong.
const OVERTAKEN_TICKS: i32 = 3;

/// What was sent of one level of an entity. For a removal, only when.
#[derive(Clone, Debug)]
pub(super) struct Baseline {
    /// Each column as it was sent last.
    record: SmallVec<[u8; 16]>,
    references: Vec<Option<NetRef>>,
    /// The datagram that each column was sent with last.
    columns: SmallVec<[u64; 4]>,
    /// Columns that were sent after the acknowledged datagram.
    open: ColumnSet,
    /// The newest datagram that was acknowledged.
    acked: Option<u64>,
    /// When something was sent last.
    sent: Option<Tick>,
    /// When what was sent was new.
    news: Option<Tick>,
}

impl Moment<'_> {
    /// A baseline with room for any class.
    pub(super) fn baseline(&self) -> Baseline {
        let Most { bytes, references, columns } = self.policy.most_of_a_record();
        Baseline {
            record: SmallVec::with_capacity(bytes),
            references: Vec::with_capacity(references),
            columns: SmallVec::with_capacity(columns),
            open: ColumnSet(0),
            acked: None,
            sent: None,
            news: None,
        }
    }

    /// Whether what was sent then, and not acknowledged, is to be sent again.
    pub(super) fn is_lost(&self, sent: Tick) -> bool {
        self.tick.since(sent) >= self.resend_ticks as i32
            || self.arrived.is_some_and(|arrived| arrived.since(sent) >= OVERTAKEN_TICKS)
    }
}

impl Baseline {
    /// Bytes that are held.
    pub(super) fn held_bytes(&self) -> usize {
        self.record.held_bytes() + self.references.held_bytes() + self.columns.held_bytes()
    }

    /// A number to which all parts of its memory add.
    pub(super) fn mixed(&self) -> u64 {
        let record = self.record.first().copied().unwrap_or(0);
        let column = self.columns.first().copied().unwrap_or(0);
        u64::from(record) ^ column ^ self.open.0 ^ self.acked.unwrap_or(0) ^ self.references.len() as u64
    }

    /// Forgets all: of another level, or a removal, nothing was sent yet.
    pub(super) fn restart(&mut self) {
        (self.open, self.acked, self.sent, self.news) = (ColumnSet(0), None, None, None);
    }

    /// When something was sent last.
    pub(super) fn sent(&self) -> Option<Tick> {
        self.sent
    }

    /// Whether the client is known to hold a record that refers to nothing.
    pub(super) fn is_settled(&self, record: &[u8]) -> bool {
        self.acked.is_some() && self.open.is_empty() && self.record[..] == *record
    }

    /// Whether a removal is to be sent now: for the first time, or as the last one was lost.
    pub(super) fn is_due(&self, at: &Moment<'_>) -> bool {
        self.sent.is_none_or(|sent| at.is_lost(sent))
    }

    /// A removal was sent.
    pub(super) fn send_removal(&mut self, tick: Tick) {
        self.sent = Some(tick);
    }

    /// What is to be said of a state, if anything: what changed if it is its turn, what was lost or may be, and that
    /// it is still there after a while.
    pub(super) fn telling(
        &self,
        at: &Moment<'_>,
        course: &Course,
        layout: &Layout,
        record: &[u8],
        references: &[Option<NetRef>],
    ) -> Option<Telling> {
        let Some(sent) = self.sent else { return Some(Telling::Enter) };
        // Of who stands still nothing new follows that would make up for a loss: the last state is said some times in
        // a row, or its loss would be a pop-in of a round trip.
        let repeats = at.policy.repeat_ticks(course.class) as i32;
        let is_repeated = self.news.is_some_and(|news| at.tick.since(news) <= repeats);
        if self.acked.is_none() {
            // No update can follow before the acknowledgement: what changes meanwhile needs another enter.
            let is_changed = self.record[..] != *record || self.references != references;
            return ((is_changed && course.is_turn) || is_repeated || at.is_lost(sent))
                .then_some(Telling::Enter);
        }
        let changed = self.changed(layout, record, references);
        // What does change waits for its turn.
        let is_repeated = is_repeated && changed.is_empty();
        let is_lost = !self.open.is_empty() && (is_repeated || at.is_lost(sent));
        let is_quiet = at.tick.since(sent) >= course.keep_alive_ticks as i32;
        let is_due = (course.is_turn && !changed.is_empty()) || is_lost || is_quiet;
        is_due.then(|| Telling::Update(changed.with(self.open)))
    }

    /// Columns that differ from what was sent last.
    fn changed(&self, layout: &Layout, record: &[u8], references: &[Option<NetRef>]) -> ColumnSet {
        let mut changed = ColumnSet(0);
        if self.record[..] != *record {
            changed = layout.changed(&self.record, record);
        }
        if self.references != references {
            let columns =
                layout.columns().iter().enumerate().filter(|(_, column)| column.coding.is_reference());
            for ((column, _), (before, after)) in columns.zip(self.references.iter().zip(references)) {
                changed.0 |= u64::from(before != after) << column;
            }
        }
        changed
    }

    /// The state was sent with a datagram, whole or the columns of a mask.
    pub(super) fn send(
        &mut self,
        at: &Moment<'_>,
        datagram: u64,
        layout: &Layout,
        telling: Telling,
        record: &[u8],
        references: &[Option<NetRef>],
    ) {
        if self.sent.is_none() || self.record[..] != *record || self.references != references {
            self.news = Some(at.tick);
        }
        self.sent = Some(at.tick);
        let Telling::Update(mask) = telling else {
            self.record.clear();
            self.record.extend_from_slice(record);
            self.references.clear();
            self.references.extend_from_slice(references);
            self.columns.clear();
            self.columns.resize(layout.columns().len(), datagram);
            self.open = layout.all();
            return;
        };
        layout.copy(mask, record, &mut self.record);
        let mut ordinal = 0;
        for (column, rules) in layout.columns().iter().enumerate() {
            if mask.has(column) {
                self.columns[column] = datagram;
                if rules.coding.is_reference() {
                    self.references[ordinal] = references[ordinal];
                }
            }
            ordinal += usize::from(rules.coding.is_reference());
        }
        self.open = self.open.with(mask);
    }

    /// The client took a datagram that told of this level: it holds that state or a later one.
    pub(super) fn acknowledge(&mut self, datagram: u64) {
        if self.acked.is_some_and(|acked| acked >= datagram) {
            return;
        }
        self.acked = Some(datagram);
        let open = self.columns.iter().enumerate().filter(|(_, sent)| **sent > datagram);
        self.open = ColumnSet(open.fold(0, |mask, (column, _)| mask | 1 << column));
    }
}
