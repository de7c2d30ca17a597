//! What `report.html` shows: frames of a replay, thinned so that a page holds them.
//!
//! Owns the page's data and their form. Promises: bounded memory, however long the match is; what is worth a look stays
//! when frames are left out. Must not know how a page draws.

mod data;

pub use data::base64;

use super::ReplayError;
use super::client::Arrival;
use super::findings::{Finding, Findings};
use super::run::{View, verdict_name};
use crate::audit::measure::Outcome;
use crate::recording::{RecordingHeader, StanceName};
use crate::wire::Level;
use std::collections::BTreeMap;

/// Frames that a page holds at most.
const MOST_FRAMES: usize = 16_000;
/// Bytes that all frames may take.
const MOST_BYTES: usize = 96 << 20;
/// Bodies that are shown at most, and observers.
const MOST_SHOWN: usize = 64;
/// Findings, and clouds of smoke, that a page lists at most, and sounds.
const MOST_LISTED: usize = 5_000;
const MOST_SOUNDS: usize = 40_000;
/// Edge of the squares of the heat map, metres.
const HEAT_M: f64 = 1.0;
/// A picture of a map that covers exactly a rectangle of the world.
pub struct MapPicture {
    /// As SVG, north up.
    pub svg: String,
    /// Its south-western corner, metres.
    pub low: [f64; 2],
    /// Its north-eastern corner, metres.
    pub high: [f64; 2],
}

/// One frame; pairs are by observer and then entity, as both were first met.
struct Frame {
    tick: u32,
    is_cut: bool,
    /// Per entity: place, facing, flags.
    bodies: Vec<Option<([f32; 3], i16, u8)>>,
    /// In the order of pairs.
    pairs: Vec<Pair>,
}

/// What is shown of an observer and an entity: verdict, mark, and by how much the client is wrong, centimetres.
#[derive(Clone, Copy, Default)]
struct Pair {
    key: (u16, u16),
    verdict: u8,
    mark: u8,
    shift: [i16; 2],
}

impl Frame {
    fn pair(&self, key: (u16, u16)) -> Option<&Pair> {
        let place = self.pairs.binary_search_by_key(&key, |pair| pair.key).ok()?;
        self.pairs.get(place)
    }

    /// Marks a pair, which is shown from then on.
    fn mark(&mut self, key: (u16, u16), mark: u8) {
        let place = self.pairs.binary_search_by_key(&key, |pair| pair.key).unwrap_or_else(|place| {
            self.pairs.insert(place, Pair { key, ..Pair::default() });
            place
        });
        self.pairs[place].mark |= mark;
    }
}

/// Marks of a pair.
mod mark {
    pub(super) const VISIBLE: u8 = 1;
    pub(super) const LATE: u8 = 2;
    pub(super) const EXPOSED: u8 = 4;
    pub(super) const DEEP: u8 = 8;
    pub(super) const HELD: u8 = 16;
}

/// What a page shows of a replay.
pub struct Reel {
    header: RecordingHeader,
    stride: u32,
    is_cut: bool,
    frames: Vec<Frame>,
    entities: Vec<(u32, String, Option<String>)>,
    observers: Vec<(u32, Option<u32>, Option<String>, &'static str)>,
    verdicts: Vec<(String, Level)>,
    findings: Findings,
    found: Vec<Finding>,
    smokes: Vec<([f64; 3], f64, u32, u32)>,
    sounds: Vec<(u32, u32, String, [f64; 3], f64)>,
    heat: BTreeMap<(i32, i32), u32>,
    /// Bytes that each observer was sent, by second.
    bytes: BTreeMap<u32, Vec<u32>>,
}

impl Reel {
    pub(super) fn new(header: &RecordingHeader) -> Self {
        Self {
            header: header.clone(),
            // Thirty frames a second look smooth, with what lies between them drawn on the way.
            stride: (header.tick_hz / 32.0).round().max(1.0) as u32,
            is_cut: true,
            frames: Vec::new(),
            entities: Vec::new(),
            observers: Vec::new(),
            verdicts: Vec::new(),
            findings: Findings::default(),
            found: Vec::new(),
            smokes: Vec::new(),
            sounds: Vec::new(),
            heat: BTreeMap::new(),
            bytes: BTreeMap::new(),
        }
    }

    fn entity(&mut self, id: u32, class: &str, team: Option<&String>) -> Option<u16> {
        let place = self.entities.iter().position(|(other, ..)| *other == id);
        place
            .or_else(|| {
                let has_room = self.entities.len() < MOST_SHOWN;
                has_room.then(|| {
                    self.entities.push((id, class.to_owned(), team.cloned()));
                    self.entities.len() - 1
                })
            })
            .map(|place| place as u16)
    }

    fn observer(&self, id: u32) -> Option<u16> {
        self.observers.iter().position(|(other, ..)| *other == id).map(|place| place as u16)
    }

    /// A second of the match, of those that the charts count.
    fn second(&self, tick: u32) -> u32 {
        (f64::from(tick) / self.header.tick_hz) as u32
    }

    pub(super) fn arrival(&mut self, observer: u32, arrival: &Arrival<'_>) {
        for sound in arrival.changes.sounds.iter().take(MOST_SOUNDS.saturating_sub(self.sounds.len())) {
            let name = arrival.replica.schema().sound(sound.class).map_or("?", |class| class.name.as_str());
            self.sounds.push((sound.tick.0, observer, name.to_owned(), sound.pos, sound.step_m));
        }
    }

    /// Bytes that were sent to each observer in a tick.
    fn sent(&mut self, tick: u32, bytes: &[u32]) {
        let second = self.second(tick);
        let sums = self.bytes.entry(second).or_default();
        sums.resize(sums.len().max(bytes.len()), 0);
        sums.iter_mut().zip(bytes).for_each(|(sum, bytes)| *sum += bytes);
    }

    pub(super) fn outcomes(&mut self, outcomes: &[Outcome]) {
        let Self { findings, found, .. } = self;
        findings.take(outcomes, |finding| found.push(finding));
        if found.len() > 2 * MOST_LISTED {
            keep_longest(found);
        }
        for outcome in outcomes {
            let bits = [
                (outcome.is_visible, mark::VISIBLE),
                (outcome.is_late, mark::LATE),
                (outcome.is_exposed, mark::EXPOSED),
                (outcome.is_deep, mark::DEEP),
            ];
            let mut bits = bits.iter().filter(|(is_so, _)| *is_so).fold(0, |all, (_, bit)| all | bit);
            let place = self.frames.partition_point(|frame| frame.tick <= outcome.tick);
            let Some(place) = place.checked_sub(1) else { continue };
            let pair = self.observer(outcome.observer).zip(
                self.entities.iter().position(|(id, ..)| *id == outcome.enemy).map(|place| place as u16),
            );
            let Some(pair) = pair else { continue };
            if self.frames[place].tick != outcome.tick {
                // Of ticks that have no frame of their own only what is worth a look is kept.
                bits &= mark::LATE | mark::DEEP;
            }
            if let Some((x, y)) = outcome.is_exposed.then(|| self.body_at(place, pair.1)).flatten() {
                *self.heat.entry((x, y)).or_default() += 1;
            }
            if bits != 0 {
                self.frames[place].mark(pair, bits);
            }
        }
    }

    fn body_at(&self, frame: usize, entity: u16) -> Option<(i32, i32)> {
        let (at, ..) = (*self.frames[frame].bodies.get(usize::from(entity))?)?;
        Some(((f64::from(at[0]) / HEAT_M).floor() as i32, (f64::from(at[1]) / HEAT_M).floor() as i32))
    }

    /// Takes a tick.
    pub(super) fn moment(&mut self, view: &View<'_, '_>) {
        let Some(moment) = view.past.last() else { return };
        self.is_cut |= view.past.is_first();
        for (id, watcher) in &view.cast.watchers {
            if self.observer(*id).is_none() && self.observers.len() < MOST_SHOWN {
                let kind = watcher.line.kind.unwrap_or_default().name();
                self.observers.push((*id, watcher.line.entity, watcher.line.team.clone(), kind));
            }
        }
        self.note_smokes(view, moment.tick);
        if !moment.tick.is_multiple_of(self.stride) && !self.is_cut {
            return;
        }
        let mut frame =
            Frame { tick: moment.tick, is_cut: self.is_cut, bodies: Vec::new(), pairs: Vec::new() };
        self.is_cut = false;
        for (id, actor) in view.cast.actors.iter().filter(|(_, actor)| view.cast.has_place(actor.class)) {
            let line = &actor.line;
            let Some(place) = self.entity(*id, &line.class, line.team.as_ref()) else { continue };
            let flags = u8::from(line.alive) | u8::from(line.stance == StanceName::Crouched) << 1;
            let yaw = (line.yaw.rem_euclid(360.0) * 10.0) as i16;
            frame.bodies.resize(frame.bodies.len().max(usize::from(place) + 1), None);
            frame.bodies[usize::from(place)] = Some((line.pos.map(|v| v as f32), yaw, flags));
        }
        for ((observer, entity), decided) in &moment.decided {
            let place = self.entities.iter().position(|(id, ..)| id == entity);
            let Some((observer_place, place)) = self.observer(*observer).zip(place) else { continue };
            let held = view.clients.get(observer).and_then(|client| client.newest(*entity));
            let at = view.cast.actors.get(entity).map(|actor| actor.line.pos);
            let shift = held.and_then(|held| held.pos).zip(at).map_or([0; 2], |(held, at)| {
                [0, 1].map(|i| ((held[i] - at[i]) * 100.0).round().clamp(-32_000.0, 32_000.0) as i16)
            });
            let verdict = self.verdict(verdict_name(decided.verdict), decided.verdict.level);
            let mark = if held.is_some() { mark::HELD } else { 0 };
            frame.pairs.push(Pair { key: (observer_place, place as u16), verdict, mark, shift });
        }
        frame.pairs.sort_unstable_by_key(|pair| pair.key);
        frame.pairs.shrink_to_fit();
        frame.bodies.shrink_to_fit();
        self.frames.push(frame);
        let bytes = (self.entities.len() * (20 + self.observers.len() * 20)).max(1);
        if self.frames.len() > MOST_FRAMES.min(MOST_BYTES / bytes).max(64) {
            self.thin();
        }
    }

    /// Leaves every other frame out, but for those that begin anew; what is worth a look goes to the one before.
    fn thin(&mut self) {
        self.stride *= 2;
        let stride = self.stride;
        let mut kept: Vec<Frame> = Vec::with_capacity(self.frames.len() / 2 + 1);
        for frame in self.frames.drain(..) {
            if frame.is_cut || frame.tick.is_multiple_of(stride) || kept.is_empty() {
                kept.push(frame);
            } else if let Some(last) = kept.last_mut() {
                for pair in frame.pairs {
                    let worth = pair.mark & (mark::LATE | mark::DEEP);
                    if worth != 0 {
                        last.mark(pair.key, worth);
                    }
                }
            }
        }
        self.frames = kept;
    }

    fn verdict(&mut self, name: String, level: Level) -> u8 {
        let place = self.verdicts.iter().position(|(other, _)| *other == name).unwrap_or_else(|| {
            self.verdicts.push((name, level));
            self.verdicts.len() - 1
        });
        place.min(255) as u8
    }

    fn note_smokes(&mut self, view: &View<'_, '_>, tick: u32) {
        for cloud in &view.cast.smokes {
            let at = [cloud.center.x, cloud.center.y, cloud.center.z];
            let has_room = self.smokes.len() < MOST_LISTED;
            let goes_on =
                self.smokes.iter_mut().rev().find(|(other, _, _, last)| *other == at && *last + 1 >= tick);
            match goes_on {
                Some((.., last)) => *last = tick,
                None if has_room => self.smokes.push((at, cloud.radius_m, tick, tick)),
                None => {}
            }
        }
    }

    /// Everything ends here.
    pub(super) fn finish(&mut self) {
        let Self { findings, found, .. } = self;
        findings.finish(|finding| found.push(finding));
        keep_longest(found);
        found.sort_by_key(|finding| (finding.tick, finding.observer, finding.entity));
    }

    fn frame_of(&self, tick: u32) -> usize {
        self.frames.partition_point(|frame| frame.tick <= tick).saturating_sub(1)
    }
}

/// Keeps as many as are listed: what came late before what was exposed, and the longest of each.
fn keep_longest(found: &mut Vec<Finding>) {
    found
        .sort_by_key(|finding| (finding.name() == "exposed", std::cmp::Reverse(finding.ticks), finding.tick));
    found.truncate(MOST_LISTED);
}

/// Names that a page shows.
pub struct ReelNames<'a> {
    /// The recording's file.
    pub recording: &'a str,
    /// Who decided.
    pub filter: &'a str,
    /// To what step a spotted body is told, metres.
    pub spotted_step_m: f64,
}

impl super::Sink for Reel {
    fn progress(&mut self, _: u64, _: u64) -> bool {
        true
    }

    fn arrival(&mut self, observer: u32, arrival: &Arrival<'_>, _: f64) -> Result<(), ReplayError> {
        Self::arrival(self, observer, arrival);
        Ok(())
    }

    fn outcomes(&mut self, outcomes: &[Outcome]) -> Result<(), ReplayError> {
        Self::outcomes(self, outcomes);
        Ok(())
    }

    fn moment(&mut self, view: &View<'_, '_>) -> Result<(), ReplayError> {
        let tick = view.past.last().map_or(0, |moment| moment.tick);
        self.sent(tick, view.sent);
        Self::moment(self, view);
        Ok(())
    }
}
