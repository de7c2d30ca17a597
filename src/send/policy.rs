//! What sending needs of the rules, per class and in ticks: the same for all observers.
//!
//! Promises: whatever the budget, one message has room. Must not know observers.

use super::{LEAST_DATAGRAM_BYTES, Most};
use crate::ids::ClassId;
use crate::rules::{LodRings, LodStep, Motion, Padding, Priority, Rules};
use crate::tick::Tick;
use crate::wire::{HEADER_BYTES, Layout, Leave, Level, Schema};
use std::sync::Arc;

/// Most bits of a message but its references and body: kind, class, level, notice and mask or name.
const HEAD_BITS: usize = 3 + 10 + 3 + 24 + 64;
/// A keep-alive comes so many times within the time that a client waits for it: that some are lost matters little.
const KEEP_ALIVES: u32 = 3;
/// Parts of a byte that budgets are counted in.
const BYTE: u64 = 1024;

/// What sending needs of the rules, for ticks of one length.
#[derive(Clone, Debug)]
pub struct Policy {
    schema: Arc<Schema>,
    classes: Vec<ClassPolicy>,
    hold_ticks: u32,
    notice_ticks: i32,
    mtu_bytes: usize,
    budget_bytes: usize,
    enter_bytes: usize,
    /// In 1/1024 of a byte.
    per_tick: u64,
    burst: u64,
    padding: Pad,
    most_of_a_record: Most,
}

#[derive(Clone, Debug)]
struct ClassPolicy {
    leave: Leave,
    keep_alive_ticks: u32,
    repeat_ticks: u32,
    priority: Priority,
    lod: Vec<LodStep>,
    is_urgent: bool,
    /// Most bits of a body, by level.
    whole_bits: [u64; 5],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Pad {
    None,
    Bucket(usize),
    /// So many bytes in every so many-th tick.
    Full {
        bytes: usize,
        period_ticks: u64,
    },
}

impl Policy {
    /// Of rules, for ticks of `tick_ms` milliseconds, above 0.
    pub fn new(rules: &Rules, tick_ms: f64) -> Self {
        let schema = Arc::clone(rules.schema());
        let sending = &rules.settings().sending;
        let loss_ticks = rules.settings().lead.loss_ticks;
        let class = |(id, class): (usize, &crate::wire::ClassSchema)| {
            let rules = rules.class(ClassId(id as u16))?;
            let patience = match class.leave {
                Leave::Timeout { ticks } => ticks.min(schema.stale_ticks()),
                _ => schema.stale_ticks(),
            };
            let is_urgent = rules.is_competitive() && rules.motion != Motion::Still;
            Some(ClassPolicy {
                leave: class.leave,
                keep_alive_ticks: (patience / KEEP_ALIVES).max(1),
                repeat_ticks: if is_urgent { loss_ticks } else { 0 },
                priority: rules.priority,
                lod: rules.lod.clone(),
                is_urgent,
                whole_bits: Level::TOLD.map(|level| class.layout(level).map_or(0, Layout::most_bits) as u64),
            })
        };
        let layouts = || {
            let classes = schema.classes().iter().chain(schema.events());
            classes.flat_map(|class| Level::TOLD.into_iter().filter_map(|level| class.layout(level)))
        };
        let longest_bits = layouts().map(Layout::most_bits).max().unwrap_or(0) + HEAD_BITS;
        let least_bytes = (HEADER_BYTES + longest_bits.div_ceil(8)).max(LEAST_DATAGRAM_BYTES);
        let mtu_bytes = sending.mtu_bytes as usize;
        // A message longer than the budget would never be told.
        let budget_bytes = (sending.budget_bytes as usize).max(least_bytes.min(mtu_bytes));
        let per_tick = (f64::from(sending.bytes_per_second) * tick_ms / 1e3 * BYTE as f64).max(1.0) as u64;
        let padding = match sending.padding {
            Padding::None => Pad::None,
            Padding::Bucket(bytes) => Pad::Bucket(bytes as usize),
            Padding::Full => full(per_tick, least_bytes.min(mtu_bytes), budget_bytes, mtu_bytes),
        };
        Self {
            classes: schema.classes().iter().enumerate().filter_map(class).collect(),
            hold_ticks: (rules.settings().hold_ms / tick_ms).ceil() as u32,
            notice_ticks: sending.notice_ticks as i32,
            mtu_bytes,
            budget_bytes,
            enter_bytes: sending.enter_bytes as usize,
            per_tick,
            burst: u64::from(sending.burst_bytes).max(budget_bytes as u64) * BYTE,
            padding,
            most_of_a_record: Most {
                bytes: layouts().map(Layout::bytes).max().unwrap_or(0),
                references: layouts().map(Layout::references).max().unwrap_or(0),
                columns: layouts().map(|layout| layout.columns().len()).max().unwrap_or(0),
            },
            schema,
        }
    }

    /// What both ends agree on.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// What a level is told of a class, if the schema has both.
    pub(super) fn layout(&self, class: ClassId, level: Level) -> Option<&Layout> {
        self.schema.class(class)?.layout(level)
    }

    pub(crate) fn leave(&self, class: ClassId) -> Leave {
        self.classes[usize::from(class.0)].leave
    }

    pub(super) fn priority(&self, class: ClassId) -> &Priority {
        &self.classes[usize::from(class.0)].priority
    }

    /// Ticks after which an entity that is told of is touched, whether it changed or not.
    pub(super) fn keep_alive_ticks(&self, class: ClassId) -> u32 {
        self.classes[usize::from(class.0)].keep_alive_ticks
    }

    /// Most bits that the whole state of one of the class takes at a level, without its name.
    pub(crate) fn whole_bits(&self, class: ClassId, level: Level) -> u64 {
        let class = self.classes.get(usize::from(class.0));
        class.zip(level.index()).map_or(0, |(class, level)| class.whole_bits[level])
    }

    /// Whether one of the class that is seen is an enemy in sight, whose whole state waits for nothing but bytes: it
    /// competes, and it moves.
    pub(super) fn is_urgent(&self, class: ClassId) -> bool {
        self.classes[usize::from(class.0)].is_urgent
    }

    /// Ticks after a change in which the new state is said again, unless it was acknowledged: so many may be lost in a
    /// row without a pop-in. What is no enemy in sight can wait for the resend.
    pub(super) fn repeat_ticks(&self, class: ClassId) -> u32 {
        self.classes[usize::from(class.0)].repeat_ticks
    }

    /// At a distance, changes are told every so many ticks, as far as the rings of the class count.
    pub(super) fn every_ticks(&self, class: ClassId, distance_m: f64, rings: LodRings) -> u32 {
        let lod = &self.classes[usize::from(class.0)].lod;
        let step = lod.iter().find(|step| distance_m <= step.within_m).or(lod.last());
        let every = step.map_or(1, |step| step.every_ticks.max(1));
        // Steps only grow: the first one above 1 is the nearest ring.
        let nearest = || lod.iter().map(|step| step.every_ticks).find(|every| *every > 1).unwrap_or(1);
        match rings {
            LodRings::None => 1,
            LodRings::Nearest => every.min(nearest()),
            LodRings::All => every,
        }
    }

    pub(super) fn hold_ticks(&self) -> u32 {
        self.hold_ticks
    }

    /// Whether a notice of `then` is still told.
    pub(super) fn is_current(&self, now: Tick, then: Tick) -> bool {
        now.since(then) <= self.notice_ticks
    }

    pub(super) fn mtu_bytes(&self) -> usize {
        self.mtu_bytes
    }

    pub(super) fn budget_bytes(&self) -> usize {
        self.budget_bytes
    }

    /// Bytes of whole states that are not urgent, per tick.
    pub(super) fn enter_bytes(&self) -> usize {
        self.enter_bytes
    }

    /// What the longest record has.
    pub(super) fn most_of_a_record(&self) -> Most {
        self.most_of_a_record
    }

    /// What a tick adds to the bytes saved up, and the most of them, in [`BYTE`]ths.
    pub(super) fn rate(&self) -> (u64, u64) {
        (self.per_tick, self.burst)
    }

    /// Bytes of the largest datagram there ever is.
    pub(super) fn largest_bytes(&self) -> usize {
        match self.padding {
            Pad::Full { bytes, .. } => bytes.min(self.mtu_bytes),
            _ => self.budget_bytes.min(self.mtu_bytes),
        }
    }

    /// Whether ticks are equal in size, whatever is to be said.
    pub(super) fn is_constant(&self) -> bool {
        matches!(self.padding, Pad::Full { .. })
    }

    /// Bytes of the `number`-th tick where it is one of equal ones.
    pub(super) fn constant_bytes(&self, number: u64) -> Option<usize> {
        match self.padding {
            Pad::Full { bytes, period_ticks } => {
                Some(if number.is_multiple_of(period_ticks) { bytes } else { 0 })
            }
            _ => None,
        }
    }

    /// What a datagram of `bytes` that may have `limit` is padded to.
    pub(super) fn padded(&self, bytes: usize, limit: usize) -> usize {
        #[cfg(test)]
        let bytes = crate::planted::size(bytes, limit);
        match self.padding {
            Pad::None => bytes,
            Pad::Bucket(bucket) => bytes.next_multiple_of(bucket).min(limit),
            Pad::Full { .. } => limit,
        }
    }
}

/// The equal ticks that the rate allows, each with room for the longest message.
fn full(per_tick: u64, least_bytes: usize, budget_bytes: usize, mtu_bytes: usize) -> Pad {
    let period_ticks = (least_bytes as u64 * BYTE).div_ceil(per_tick);
    let bytes = ((per_tick * period_ticks / BYTE) as usize).min(budget_bytes);
    // A last datagram with hardly more than its head is not worth it.
    let rest = bytes % mtu_bytes;
    let bytes = if bytes > mtu_bytes && rest < LEAST_DATAGRAM_BYTES { bytes - rest } else { bytes };
    Pad::Full { bytes, period_ticks }
}
