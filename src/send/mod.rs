//! Sending: from what one observer may have to its datagrams, and what comes back of them.
//!
//! Owns per observer names, baselines, turns and budgets; [`Outbox::tick`] reads as the list of the stages, and `fill`
//! as that of what a datagram is filled with.
//! Promises: what is sent is a function of the frames and acknowledgements so far, in whatever order a frame lists what
//! it tells; of what a frame does not tell, nothing is sent but a removal. Must not know the world, nor why something
//! is disclosed.

mod assemble;
mod baseline;
mod bodies;
mod courses;
mod exchange;
mod fill;
mod flights;
mod lifecycle;
mod memory;
mod names;
mod notices;
mod policy;
mod priority;
mod room;
mod sleep;
mod units;
mod waits;

pub use bodies::Bodies;
pub use exchange::{Ages, BadAcks, Entities, KeptRecords, Packets, SendReport, Told};
pub use policy::Policy;

use crate::ids::{ClassId, EntityId, NetId, NetRef, ObserverId};
use crate::rules::LodRings;
use crate::tick::Tick;
use crate::wire::{ColumnSet, Level, PacketWriter};
use assemble::Meter;
use baseline::Baseline;
use flights::{Bad, Flights};
use names::Names;
use notices::Notices;

/// Least bytes that a datagram is begun with.
const LEAST_DATAGRAM_BYTES: usize = 64;
/// Bits of the shortest message.
const LEAST_MESSAGE_BITS: usize = 27;
/// No slot.
const NONE: u32 = u32::MAX;

/// What the longest record has of each, in any level of any class.
#[derive(Clone, Copy, Debug)]
struct Most {
    bytes: usize,
    references: usize,
    columns: usize,
}

/// What all stages may look at in one tick.
#[derive(Clone, Copy)]
struct Moment<'a> {
    policy: &'a Policy,
    tick: Tick,
    /// That of the frame before.
    before: Tick,
    frame: Told<'a>,
    /// Count of the frames, from 1.
    number: u64,
    /// After how many ticks without an acknowledgement a datagram is taken for lost.
    resend_ticks: u32,
    /// The tick of the newest datagram that is known to have arrived.
    arrived: Option<Tick>,
    rings: LodRings,
}

/// An entity on its way to the client and back.
#[derive(Clone, Debug)]
struct Course {
    entity: EntityId,
    net: NetRef,
    class: ClassId,
    level: Level,
    phase: Phase,
    /// Changes with each level and with leaving: what was sent under another one says nothing of this.
    stamp: u32,
    /// Whether anything was sent under this name.
    is_sent: bool,
    /// Whether the client acknowledged an enter under this name: then others may refer to it.
    is_held: bool,
    /// The tick of the newest acknowledged datagram that told of it.
    touched: Tick,
    /// Whether the frame before did not tell of it.
    is_back: bool,
    /// Whether the frame tells of it, the frame in which it was met last, and its entry there.
    is_told: bool,
    seen: u64,
    place: u32,
    /// Whether it is looked at in each tick: something is to be said of it, or may be lost.
    is_active: bool,
    /// Whether it is listed among what is not told of any more.
    is_parting: bool,
    /// The tick in which it is looked at again; that of the bucket in which it waits, and the next one there.
    wakes: Tick,
    bucket: Option<Tick>,
    next_to_wake: u32,
    /// The frame in which its weight grew last.
    grown: u64,
    /// What it enters and leaves with: the slot and name of the outermost parent, and the steps to it.
    root: u32,
    root_id: NetId,
    depth: u8,
    /// The datagram that its enter is being written into.
    entering: u64,
    next_of_entity: u32,
    next_of_name: u32,
    /// What is to be said of it in this tick, and the next of its bundle that has something.
    telling: Option<Telling>,
    next_of_unit: u32,
    /// Of a root: the first of its bundle that has something to be said, or [`NONE`].
    unit: u32,
    /// Since when something was to be said of it and had no room.
    waits: Option<Tick>,
    /// Grows each tick, and starts again when something is sent.
    turn: f64,
    /// Whether changes are told in this tick.
    is_turn: bool,
    /// Ticks after which it is touched though nothing changed.
    keep_alive_ticks: u32,
    baseline: Baseline,
}

/// Where an entity is on its course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nobody's slot.
    Free,
    /// Told of for the first time, and not named yet.
    New,
    /// Told of in the last frame.
    Told,
    /// Not told of since then; nothing is sent, and the name stays.
    Holding(Tick),
    /// To be removed since then.
    Leaving { since: Tick, is_revoked: bool },
}

/// What is to be said of an entity that is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Telling {
    Enter,
    Update(ColumnSet),
}

/// All courses of one observer, found by entity and by name.
#[derive(Clone, Debug)]
struct Courses {
    slots: Vec<Course>,
    free: Vec<u32>,
    of_entity: Vec<u32>,
    /// The slot of what each entry of the frame told of last.
    of_entry: Vec<u32>,
    of_name: Vec<u32>,
    named: usize,
    stamps: u32,
    /// Slots that are looked at in this tick, and maybe in the next.
    active: Vec<u32>,
    /// Slots that are not told of any more and not free.
    parting: Vec<u32>,
    /// How many are told of.
    told: usize,
    sleep: sleep::Buckets,
}

/// Slots that the frame tells of and that are to be looked at, those of them that are new, and what was counted so far.
#[derive(Clone, Debug, Default)]
struct Met {
    told: Vec<u32>,
    new: Vec<u32>,
    /// Entries that found no name or no parent.
    again: Vec<u32>,
    report: SendReport,
}

/// Bundles that wait for their turn; only as much of it is sorted as is looked at.
#[derive(Clone, Debug, Default)]
struct Queue {
    turns: Vec<Turn>,
    sorted: usize,
    /// Turns before it are done.
    first: usize,
}

/// What waits to be said.
#[derive(Clone, Debug, Default)]
struct Queues {
    /// Bundles with the whole state of an enemy in sight.
    urgent: Queue,
    /// Other bundles with whole states.
    enters: Queue,
    updates: Queue,
}

/// A bundle's turn.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// The greater, the earlier.
    weight: f64,
    /// The root's: no two are equal.
    id: NetId,
    /// The root's slot, or [`NONE`] once it is done.
    root: u32,
    /// Whether it found no room.
    is_missed: bool,
}

/// What a datagram says, to be recognised when it is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touch {
    Told { slot: u32, stamp: u32 },
    Removed { slot: u32, stamp: u32 },
    Notice { place: u32, stamp: u32 },
}

/// The sending end of one observer's link.
#[derive(Clone, Debug)]
pub struct Outbox {
    names: Names,
    courses: Courses,
    flights: Flights,
    notices: Notices,
    meter: Meter,
    met: Met,
    removals: Vec<u32>,
    queues: Queues,
    rings: LodRings,
    /// The bundle that was first in its queue in the last tick and had no room: slot and stamp of its root.
    owed: Option<(u32, u32)>,
    scratch: units::Scratch,
    touches: Vec<Touch>,
    room: Vec<u8>,
    frames: u64,
    tick: Tick,
    bad_acks: BadAcks,
}

/// The datagram that is being filled.
struct Sheet<'a, 'p> {
    at: Moment<'p>,
    writer: PacketWriter<'p>,
    limit_bytes: usize,
    /// Its number.
    datagram: u64,
    bodies: &'a mut Bodies,
    report: &'a mut SendReport,
}

impl Outbox {
    /// The end of a link that nothing was sent over yet. The names that it gives follow from `secret` and `observer`:
    /// no two links of one secret may be of the same handle.
    pub fn new(secret: &[u8; 32], observer: ObserverId) -> Self {
        Self {
            names: Names::new(secret, observer),
            courses: Courses::default(),
            flights: Flights::default(),
            notices: Notices::default(),
            meter: Meter::default(),
            met: Met::default(),
            removals: Vec::new(),
            queues: Queues::default(),
            rings: LodRings::All,
            owed: None,
            scratch: units::Scratch::default(),
            touches: Vec::new(),
            room: Vec::new(),
            frames: 0,
            tick: Tick(0),
            bad_acks: BadAcks::default(),
        }
    }

    /// From the next tick on, which distance rings of the classes count.
    pub fn set_rings(&mut self, rings: LodRings) {
        self.rings = rings;
    }

    /// Takes what the observer may have of `tick`, later than the one before, and appends its datagrams to `packets`.
    pub fn tick(
        &mut self,
        policy: &Policy,
        tick: Tick,
        frame: Told<'_>,
        bodies: &mut Bodies,
        packets: &mut Packets,
    ) -> SendReport {
        let before = if self.frames == 0 { tick } else { self.tick };
        self.frames += 1;
        self.tick = tick;
        let (resend_ticks, arrived) = self.flights.losses();
        let (number, rings) = (self.frames, self.rings);
        let at = Moment { policy, tick, before, frame, number, resend_ticks, arrived, rings };
        self.make_room(&at);
        packets.make_room(policy.budget_bytes(), LEAST_DATAGRAM_BYTES);
        let Self { courses, met, names, .. } = self;
        met.report = SendReport { bad_acks: std::mem::take(&mut self.bad_acks), ..SendReport::default() };
        self.flights.begin();
        lifecycle::meet(&at, courses, met);
        sleep::wake(&at, courses);
        lifecycle::attend(&at, courses, met);
        lifecycle::bundle(&at, courses, met);
        lifecycle::part(&at, courses, met);
        let most = lifecycle::make_room(&at, courses, met);
        lifecycle::name(&at, courses, met, most, |courses| names.give(|id| courses.is_used(id)));
        lifecycle::removals(&at, courses, &mut self.removals);
        let name = |entity| courses.find(entity).map(|slot| courses.slots[slot as usize].net);
        self.notices.take(&at, name, met);
        priority::grow(&at, courses, met);
        units::decide(&at, courses, met, &mut self.scratch);
        units::gather(&at, courses, met, &mut self.queues);
        let mut report = met.report;
        self.send(at, bodies, packets, &mut report);
        waits::count(&at, &mut self.courses, &self.met, |ticks, count| report.ages.add(ticks, count));
        sleep::settle(&at, &mut self.courses);
        report
    }

    /// Takes an acknowledgement from the client; what is wrong with it is counted in the next report, and no more.
    pub fn take_ack(&mut self, policy: &Policy, bytes: &[u8]) {
        let Self { flights, courses, notices, tick, .. } = self;
        let outcome = flights.take_ack(policy.schema(), bytes, *tick, |touch, datagram, sent| match touch {
            Touch::Told { slot, stamp } => courses.acknowledge(slot, stamp, datagram, sent),
            Touch::Removed { slot, stamp } => courses.acknowledge_removal(slot, stamp),
            Touch::Notice { place, stamp } => notices.acknowledge(place, stamp),
        });
        match outcome {
            Ok(()) => {}
            Err(Bad::Malformed) => self.bad_acks.malformed += 1,
            Err(Bad::Outdated) => self.bad_acks.outdated += 1,
            Err(Bad::NeverSent) => self.bad_acks.never_sent += 1,
            Err(Bad::TooOld) => self.bad_acks.too_old += 1,
            Err(Bad::Flooded) => self.bad_acks.flooded += 1,
        }
    }

    /// The entity that the client means by a name, as long as it may hold it: until its removal is due.
    pub fn resolve(&self, net: NetRef) -> Option<EntityId> {
        let course = &self.courses.slots[self.courses.named(net)? as usize];
        let is_known = course.is_sent && matches!(course.phase, Phase::Told | Phase::Holding(_));
        is_known.then_some(course.entity)
    }

    /// The name by which the client may know an entity now, if something was sent under it.
    pub fn name_of(&self, entity: EntityId) -> Option<NetRef> {
        let course = &self.courses.slots[self.courses.find(entity)? as usize];
        course.is_sent.then_some(course.net)
    }
}

#[cfg(test)]
mod tests;
