//! What datagrams are filled with, and in which order.
//!
//! Conducts stages, as `mod.rs` does: it hands their values along and is imported by none of them.
//! Promises: however many there are of one kind, the others go on; what is new of enemies in sight waits for nothing but
//! bytes. Must not know what the messages say.

use super::assemble::{Kind, Part, Quota};
use super::{Bodies, LEAST_DATAGRAM_BYTES, Moment, Outbox, Packets, Queue, Queues, SendReport, Sheet};
use super::{flights, lifecycle, units};
use crate::wire::{HEADER_BYTES, Header, PacketWriter};
use std::ops::ControlFlow;

/// Messages that find no room before a pass over a queue ends: a bound on work that only the own frame decides.
const MOST_MISSES: u32 = 16;

impl Outbox {
    /// Fills datagrams while there is something to say, bytes to say it in, or padding to send.
    pub(super) fn send(
        &mut self,
        at: Moment<'_>,
        bodies: &mut Bodies,
        packets: &mut Packets,
        report: &mut SendReport,
    ) {
        let mut left = self.meter.allow(&at);
        let mut quota = Quota::of(left, at.policy.enter_bytes());
        // Without room for any datagram, it goes on saving.
        self.meter.is_saving &= left < LEAST_DATAGRAM_BYTES;
        while left >= LEAST_DATAGRAM_BYTES {
            let limit = left.min(at.policy.mtu_bytes());
            let datagram = self.flights.next();
            let header = Header {
                sequence: flights::sequence(datagram),
                tick: at.tick,
                ack: self.flights.taken().unwrap_or_default(),
            };
            let writer = PacketWriter::new(at.policy.schema(), header, limit, std::mem::take(&mut self.room));
            let mut sheet = Sheet { at, writer, limit_bytes: limit, datagram, bodies, report };
            self.owed(&mut sheet, &mut quota);
            self.fill(&mut sheet, &mut quota);
            let used = sheet.writer.bits().div_ceil(8);
            let is_sent = used > HEADER_BYTES || at.policy.is_constant();
            let bytes = sheet.writer.finish(at.policy.padded(used, limit));
            if is_sent {
                left -= bytes.len();
                self.meter.spend(bytes.len());
                packets.push(&bytes);
                self.flights.send(at.tick, self.touches.drain(..));
                report.datagrams += 1;
                report.bytes += bytes.len() as u64;
            }
            self.room = bytes;
            if !is_sent {
                break;
            }
        }
        let Queues { urgent, enters, updates } = &mut self.queues;
        let queued = urgent.waiting() + enters.waiting();
        report.queued += queued as u64;
        report.deferred += (queued + updates.waiting() + self.removals.len()) as u64;
        let root = urgent.overlooked().or_else(|| {
            // What waits for its own budget alone is owed nothing.
            let is_owed = !quota.has_spent_enters() || enters.has_missed();
            enters.overlooked().filter(|_| is_owed).or_else(|| updates.overlooked())
        });
        self.owed = root.map(|root| (root, self.courses.slots[root as usize].stamp));
    }

    /// First of all what was first in the last tick and had no room: nothing waits for ever for an empty datagram.
    fn owed(&mut self, sheet: &mut Sheet<'_, '_>, quota: &mut Quota) {
        let Some((root, stamp)) = self.owed.take() else { return };
        let course = &self.courses.slots[root as usize];
        if course.stamp != stamp || sheet.at.record(course).is_none() {
            return;
        }
        let from = sheet.writer.bits();
        if self.write(sheet, root) {
            let Queues { urgent, enters, updates } = &mut self.queues;
            urgent.drop_root(root);
            updates.drop_root(root);
            if enters.drop_root(root) {
                quota.enters += sheet.writer.bits() - from;
            }
        } else if sheet.limit_bytes >= sheet.at.policy.largest_bytes() {
            // No datagram is larger: it is told in parts. That a bundle is seen to come in parts is the lesser evil.
            let Self { courses, scratch, touches, .. } = self;
            units::write_parts(sheet, courses, scratch, touches, root);
        } else {
            self.meter.is_saving = true;
        }
    }

    /// Each kind gets its part first, and then what the others leave: no flood of one kind delays the others for long.
    ///
    /// Enemies in sight come before all else that is new, and are not counted against the budget of whole states.
    fn fill(&mut self, sheet: &mut Sheet<'_, '_>, quota: &mut Quota) {
        for part in [Part::Own, Part::Rest] {
            let goes_on = |kind: Kind, from: usize| {
                let quota = *quota;
                move |bits: usize| quota.allows(part, kind, bits - from)
            };
            let starts = sheet.writer.bits();
            let Self { courses, removals, touches, .. } = self;
            lifecycle::write_removals(sheet, courses, removals, touches, goes_on(Kind::Removals, starts));
            let urgents = sheet.writer.bits();
            let mut queues = std::mem::take(&mut self.queues);
            self.pass(sheet, &mut queues.urgent, goes_on(Kind::Urgent, urgents));
            let enters = sheet.writer.bits();
            self.pass(sheet, &mut queues.enters, goes_on(Kind::Enters, enters));
            let notices = sheet.writer.bits();
            let Self { courses, notices: waiting, touches, .. } = self;
            let datagram = sheet.datagram;
            let name = |entity| courses.nameable(entity, datagram);
            waiting.write(sheet, touches, name, goes_on(Kind::Notices, notices));
            quota.removals += urgents - starts;
            quota.urgent += enters - urgents;
            quota.enters += notices - enters;
            quota.notices += sheet.writer.bits() - notices;
            self.pass(sheet, &mut queues.updates, |_| true);
            self.queues = queues;
        }
    }

    /// Writes bundles in their order as long as there is room and `goes_on` for the bits written so far.
    fn pass(&mut self, sheet: &mut Sheet<'_, '_>, queue: &mut Queue, goes_on: impl Fn(usize) -> bool) {
        let mut misses = 0;
        queue.each(|root| {
            let bits = sheet.writer.bits();
            if misses == MOST_MISSES || !sheet.has_room() || !goes_on(bits) {
                return ControlFlow::Break(());
            }
            let is_written = self.write(sheet, root);
            misses += u32::from(!is_written);
            ControlFlow::Continue(is_written)
        });
    }

    fn write(&mut self, sheet: &mut Sheet<'_, '_>, root: u32) -> bool {
        let Self { courses, scratch, touches, .. } = self;
        units::write(sheet, courses, scratch, touches, root)
    }
}
