//! One observer: its view, the delay it is under, and the sending end of its link.
//!
//! Owns what is one observer's alone. Promises: what it does in a tick depends on the shared part and on itself; a loss of
//! rights acts in its tick, on what waits in the delay too. Must not know other observers.

use super::delay::Line;
use super::rates::Rates;
use super::report::{ObserverReport, StageTimes};
use super::rights;
use super::span::span;
use super::survey::Survey;
use crate::filter::{ChangeLog, Disclosed, Filter, Frame, Gone, Lent, Scratch, Step, Verdict, View};
use crate::held::Held;
use crate::ids::{EntityId, MatchId, NetRef, ObserverId};
use crate::rules::LodRings;
use crate::send::{self, Bodies, Outbox, Packets, Policy, SendReport};
use crate::tick::Tick;
use crate::wire::{EntityRecord, EventRecord, Leave, Level, SoundRecord};
use crate::world::{HandleError, Observer, ObserverKind};

/// What all links share in a tick.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) lent: Lent<'a>,
    pub(super) filter: &'a Filter,
    pub(super) policy: &'a Policy,
    pub(super) survey: &'a Survey,
    /// Matches of which not all distance rings count.
    pub(super) rings: &'a [(MatchId, LodRings)],
    /// Nanoseconds of the host's clock, if it lends one.
    pub(super) clock: Option<fn() -> u64>,
}

impl Parts<'_> {
    /// The time; it is counted and decides nothing.
    pub(super) fn now_ns(&self) -> u64 {
        self.clock.map_or(0, |clock| clock())
    }

    fn rings(&self, match_id: MatchId) -> LodRings {
        let switched = self.rings.iter().find(|(of, _)| *of == match_id);
        switched.map_or(LodRings::All, |(_, rings)| *rings)
    }
}

/// One observer.
pub(super) struct Link {
    view: View,
    post: Post,
    line: Line,
    /// Encoded bodies of what comes out of the line: they are of another tick than everybody else's.
    of_line: Bodies,
    /// Whether the view's frame is the last one that was sent.
    is_in_step: bool,
    /// The last frame that a delay let out.
    shown: Frame,
    /// When what changed of what is told, if anybody asks.
    log: Option<Box<ChangeLog>>,
    /// Of the last frame that a delay let out.
    known: Vec<Gone>,
    revoked: Vec<EntityId>,
    /// What its rights follow from, in this tick and in the one before.
    rights: [Vec<u32>; 2],
    rates: Rates,
    disclosed_bits: u64,
    unfiltered_bits: u64,
    times: StageTimes,
}

/// The sending end, and its lists.
struct Post {
    outbox: Outbox,
    packets: Packets,
    sent: SendReport,
    gone: Vec<EntityId>,
    sounds: Vec<Disclosed<SoundRecord<'static>>>,
    events: Vec<Disclosed<EventRecord<'static>>>,
}

impl Post {
    fn send(
        &mut self,
        policy: &Policy,
        tick: Tick,
        (frame, step, revoked): (&Frame, Step, &[EntityId]),
        bodies: &mut Bodies,
    ) {
        let mut sounds = reused(std::mem::take(&mut self.sounds));
        let mut events = reused(std::mem::take(&mut self.events));
        sounds.reserve(frame.capacities()[0]);
        events.reserve(frame.capacities()[1]);
        sounds.extend(frame.sounds());
        events.extend(frame.events());
        self.gone.clear();
        self.gone.reserve(frame.gone_capacity());
        self.gone.extend(frame.gone().iter().map(|gone| gone.entity));
        let changed = (step == Step::Next).then_some(frame.changed());
        let entities = send::Entities::Kept { records: frame, changed, gone: &self.gone };
        let told = send::Told { entities, sounds: &sounds, events: &events, revoked };
        let _span = span!("send");
        self.sent = self.outbox.tick(policy, tick, told, bodies, &mut self.packets);
        (self.sounds, self.events) = (reused(sounds), reused(events));
    }
}

impl send::KeptRecords for Frame {
    fn record(&self, entry: u32) -> Option<Disclosed<EntityRecord<'_>>> {
        Frame::record(self, entry)
    }

    fn entries(&self) -> u32 {
        Frame::entries(self)
    }
}

/// The memory of a list, for one of the same size that borrows from elsewhere.
fn reused<A, B>(mut list: Vec<A>) -> Vec<B> {
    list.clear();
    list.into_iter().filter_map(|_| None).collect()
}

impl Link {
    /// A link over which nothing was sent yet; `joins` counts earlier ones of the same handle.
    pub(super) fn new(view: View, secret: &[u8; 32], observer: ObserverId, joins: u32, tick_ms: f64) -> Self {
        // Names start anew with every join: those of an earlier one tell nothing about them.
        let secret = *blake3::keyed_hash(secret, &joins.to_le_bytes()).as_bytes();
        Self {
            view,
            post: Post {
                outbox: Outbox::new(&secret, observer),
                packets: Packets::default(),
                sent: SendReport::default(),
                gone: Vec::new(),
                sounds: Vec::new(),
                events: Vec::new(),
            },
            line: Line::default(),
            of_line: Bodies::default(),
            is_in_step: false,
            shown: Frame::default(),
            log: None,
            known: Vec::new(),
            revoked: Vec::new(),
            rights: [Vec::new(), Vec::new()],
            rates: Rates::new(tick_ms),
            disclosed_bits: 0,
            unfiltered_bits: 0,
            times: StageTimes::default(),
        }
    }

    /// Does nothing in a tick.
    pub(super) fn rest(&mut self) {
        self.post.packets.clear();
        self.post.sent = SendReport::default();
        self.times = StageTimes::default();
        self.revoked.clear();
    }

    /// Judges what the observer may know, and fills its datagrams; `bodies` are those of this tick's records.
    pub(super) fn tick(
        &mut self,
        parts: &Parts<'_>,
        place: usize,
        (scratch, bodies): (&mut Scratch, &mut Bodies),
    ) {
        let lent = &parts.lent;
        let observer = &lent.world.observers[place];
        let _observer = span!("observer", observer = observer.id.index);
        let start_ns = parts.now_ns();
        if delay_ticks(observer.kind).is_some() && std::mem::take(&mut self.is_in_step) {
            self.known.extend(self.view.frame().rights());
        }
        {
            let _span = span!("filter");
            parts.filter.observe(lent, place, &mut self.view, scratch);
        }
        let judged_ns = parts.now_ns();
        self.rest();
        self.measure(parts, observer.membership.match_id);
        self.deliver(parts, (place, observer), (scratch, bodies));
        self.rates.push(self.post.sent.entered, self.post.sent.left);
        let send_ns = parts.now_ns().saturating_sub(judged_ns);
        let filter_ns = judged_ns.saturating_sub(start_ns);
        self.times = StageTimes { filter_ns, send_ns, ..self.times };
    }

    /// Counts what is told beside what there is.
    fn measure(&mut self, parts: &Parts<'_>, match_id: MatchId) {
        let told = self.view.frame().counts();
        let bits = told.map(|(class, level, count)| u64::from(count) * parts.policy.whole_bits(class, level));
        self.disclosed_bits = bits.sum();
        self.unfiltered_bits = parts.survey.whole_bits(match_id);
    }

    /// Sends what was decided, or what a delay lets out.
    fn deliver(
        &mut self,
        parts: &Parts<'_>,
        (place, observer): (usize, &Observer<'_>),
        (scratch, bodies): (&Scratch, &mut Bodies),
    ) {
        let Parts { lent, policy, .. } = parts;
        self.post.outbox.set_rings(parts.rings(observer.membership.match_id));
        let has_other_rights = self.note_rights(observer);
        let now = lent.world.tick;
        let Some(delay_ticks) = delay_ticks(observer.kind) else {
            self.line.purge();
            #[cfg(test)]
            crate::planted::look(lent.world, |place| {
                parts.filter.verdict_of(place, &self.view, scratch).level
            });
            self.revoke(parts, place, scratch, has_other_rights);
            let step = if std::mem::replace(&mut self.is_in_step, true) { Step::Next } else { Step::Other };
            if step == Step::Other {
                self.shown.clear();
            }
            self.post.send(policy, now, (self.view.frame(), step, &self.revoked), bodies);
            self.times.changes_ns = remember(&mut self.log, parts, self.view.frame(), step);
            return;
        };
        if has_other_rights {
            self.line.purge();
            self.revoked.extend(self.known.drain(..).map(|told| told.entity));
        }
        let room = self.line.room();
        self.line.push(now, self.view.swap_frame(room));
        let frame = self.line.pop(now, delay_ticks).map(|(_, frame)| frame);
        if frame.is_none() && self.revoked.is_empty() {
            self.log.iter_mut().for_each(|log| log.pass(now));
            return;
        }
        let frame = frame.unwrap_or_else(|| {
            let mut nothing = self.line.room();
            nothing.clear();
            nothing
        });
        self.known.clear();
        self.known.extend(frame.rights().map(|told| Gone { is_by_right: true, ..told }));
        self.of_line.clear();
        self.post.send(policy, now, (&frame, Step::Other, &self.revoked), &mut self.of_line);
        self.times.changes_ns = remember(&mut self.log, parts, &frame, Step::Other);
        self.line.give_back(std::mem::replace(&mut self.shown, frame));
    }

    /// Notes what the observer's rights follow from; true where it is not as in the tick before.
    fn note_rights(&mut self, observer: &Observer<'_>) -> bool {
        self.rights.swap(0, 1);
        let [now, before] = &mut self.rights;
        now.clear();
        rights::write(observer, now);
        !before.is_empty() && now != before
    }

    /// Lists what is to be removed at once: what is not told any more because a right to it is lost.
    ///
    /// What was in sight and is gone from the world leaves as what is hidden does: that it is gone is hidden too.
    fn revoke(
        &mut self,
        &Parts { lent, filter, policy, .. }: &Parts<'_>,
        observer: usize,
        scratch: &Scratch,
        has_other_rights: bool,
    ) {
        // What a delay let out before, or what was told in the tick before.
        let gone = self.view.frame().gone();
        self.revoked.reserve(self.known.len() + self.view.frame().gone_capacity());
        for told in self.known.iter().chain(if self.is_in_step { gone } else { &[] }) {
            let is_revoked = match lent.entities.place(told.entity) {
                Ok(place) => {
                    let is_denied = || filter.is_denied(&lent, observer, place, scratch);
                    filter.verdict_of(place, &self.view, scratch).level == Level::Hidden
                        && (told.is_by_right || has_other_rights || is_denied())
                }
                // What the game lends badly for a tick is hidden for that tick, no more.
                Err(HandleError::Refused) => has_other_rights,
                // What stays known once seen would stay for ever: that it is gone is told at once, also in the one
                // tick in which it is lost from sight as well (errs towards telling that much).
                Err(HandleError::Absent | HandleError::Stale) => {
                    told.is_by_right || has_other_rights || policy.leave(told.class) == Leave::Never
                }
            };
            if is_revoked {
                self.revoked.push(told.entity);
            }
        }
        self.known.clear();
    }

    /// What was told last, and the memory of changes, if there is one.
    pub(super) fn told_mut(&mut self) -> (&Frame, &mut Option<Box<ChangeLog>>) {
        let Self { is_in_step, view, shown, log, .. } = self;
        (if *is_in_step { view.frame() } else { shown }, log)
    }

    /// Bytes that are held, with its own.
    pub(super) fn held_bytes(&self) -> usize {
        let Post { outbox, packets, gone, sounds, events, .. } = &self.post;
        let lists = gone.held_bytes() + sounds.held_bytes() + events.held_bytes();
        let of_post = outbox.held_bytes() + packets.held_bytes() + lists;
        let of_rights = self.rights.iter().map(Held::held_bytes).sum::<usize>();
        let lost = self.known.held_bytes() + self.revoked.held_bytes() + of_rights;
        let frames = self.view.held_bytes() + self.line.held_bytes() + self.shown.held_bytes();
        let log = self.log.as_ref().map_or(0, |log| log.held_bytes());
        size_of::<Self>()
            + of_post
            + lost
            + frames
            + self.of_line.held_bytes()
            + log
            + self.rates.held_bytes()
    }

    pub(super) fn take_ack(&mut self, policy: &Policy, bytes: &[u8]) {
        self.post.outbox.take_ack(policy, bytes);
    }

    pub(super) fn resolve(&self, net: NetRef) -> Option<EntityId> {
        self.post.outbox.resolve(net)
    }

    pub(super) fn name_of(&self, entity: EntityId) -> Option<NetRef> {
        self.post.outbox.name_of(entity)
    }

    pub(super) fn packets(&self) -> &Packets {
        &self.post.packets
    }

    pub(super) fn frame(&self) -> &Frame {
        self.view.frame()
    }

    pub(super) fn judged(&self) -> impl Iterator<Item = (usize, Verdict)> + '_ {
        self.view.judged()
    }

    pub(super) fn verdict(&self, place: usize) -> Verdict {
        self.view.verdict(place)
    }

    /// What the last tick came to.
    pub(super) fn report(&self) -> ObserverReport {
        let [entered_per_s, left_per_s] = self.rates.per_s();
        ObserverReport {
            filter: *self.view.report(),
            send: self.post.sent,
            revoked: self.revoked.len() as u64,
            delayed: self.line.len() as u64,
            disclosed_bits: self.disclosed_bits,
            unfiltered_bits: self.unfiltered_bits,
            entered_per_s,
            left_per_s,
            times: self.times,
        }
    }
}

/// Takes what was told for change queries, if there are any; the time that it took, nanoseconds.
fn remember(log: &mut Option<Box<ChangeLog>>, parts: &Parts<'_>, told: &Frame, step: Step) -> u64 {
    let Some(log) = log else { return 0 };
    let start_ns = parts.now_ns();
    log.take(parts.lent.world.tick, told, step);
    parts.now_ns().saturating_sub(start_ns)
}

/// For how long what an observer knows waits before it is sent.
fn delay_ticks(kind: ObserverKind<'_>) -> Option<u32> {
    match kind {
        ObserverKind::Player | ObserverKind::Spectator { .. } => None,
        ObserverKind::Caster { delay_ticks }
        | ObserverKind::Killcam { delay_ticks, .. }
        | ObserverKind::Demo { delay_ticks, .. } => Some(delay_ticks),
    }
}
