//! The run of a replay: reading, deciding, sending, receiving and judging, tick by tick.
//!
//! Promises: memory for the last moments alone, however long the match is; the same match, rules and seed give the same
//! files, but for times. Must not know how results are shown.

mod note;

use super::baseline::Baseline;
use super::cast::Cast;
use super::channel::LinkOptions;
use super::client::{Arrival, Client};
use super::judge::Judge;
use super::past::{Moment, Past};
use super::stopwatch::Stopwatch;
use super::totals::Totals;
use super::{ReplayError, Sink};
use crate::audit::measure::{Ideal, Measures};
use crate::audit::opinion::{Memory, Opinion};
use crate::filter::{Relevancy, Verdict};
use crate::ids::MatchId;
use crate::map::{Baked, Map, Piece, Solids};
use crate::recording::{Line, Recording, TickLine, Wrong};
use crate::rules::{Motion, PresenterReach, Rules, SightPolicy};
use crate::server::{Server, ServerOptions, Threads};
use crate::tick::Tick;
use crate::wire::{Encoding, Level};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// How a match is replayed.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct ReplayOptions {
    /// Every link.
    pub link: LinkOptions,
    /// Round trip of every observer, milliseconds, where it is not to be as the recording says.
    pub rtt_ms: Option<f64>,
    /// Who decides.
    pub filter: Baseline,
    /// What becomes of faulty lines.
    pub faults: Faults,
    /// Lines that the ideal filter tries for a pair: the more, the fewer narrow gaps it misses.
    pub ideal_lines: u32,
}

impl Default for ReplayOptions {
    /// Good links, the recording's round trips, and Fogwall.
    fn default() -> Self {
        Self {
            link: LinkOptions::default(),
            rtt_ms: None,
            filter: Baseline::default(),
            faults: Faults::default(),
            ideal_lines: 30_000,
        }
    }
}

/// What becomes of faulty lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Faults {
    /// The first one ends the replay.
    #[default]
    Stop,
    /// They are left out, and counted.
    Skip,
}

/// A round trip where nothing else is said, milliseconds.
pub(super) const RTT_MS: f64 = 40.0;

/// A replay in its course.
pub(super) struct Run<'a> {
    recording: Recording,
    options: ReplayOptions,
    tick_ms: f64,
    rules: &'a Rules,
    baked: &'a Baked,
    server: Server,
    stopwatch: Stopwatch,
    cast: Cast<'a>,
    clients: BTreeMap<u32, Client>,
    past: Past,
    judge: Judge<'a>,
    measures: Measures,
    /// Bytes that the present tick sent to each observer.
    sent: Vec<u32>,
    pub(super) totals: Totals,
}

/// The second opinion about a map.
pub(super) fn opinion(baked: &Baked) -> Opinion {
    let door = |door: &crate::map::Solid| -> Vec<Piece> {
        let alone = Map { solids: vec![door.clone()], doors: Vec::new(), ..baked.map.clone() };
        Solids::build(&alone).pieces().to_vec()
    };
    let doors: Vec<Vec<Piece>> = baked.map.doors.iter().map(door).collect();
    Opinion::new(&baked.map, baked.solids.pieces(), &doors)
}

impl<'a> Run<'a> {
    pub(super) fn new(
        recording: Recording,
        (baked, rules): (&'a Arc<Baked>, &'a Arc<Rules>),
        opinion: &'a Opinion,
        options: ReplayOptions,
    ) -> Result<Self, ReplayError> {
        let header = recording.header();
        let tick_ms = 1000.0 / header.tick_hz;
        let lead = &rules.settings().lead;
        let interp_ms = header.interp_ms.or(lead.interp_ms).unwrap_or(tick_ms);
        // Names need no secret where everybody may read everything.
        let server = ServerOptions { tick_ms, secret: [0; 32], threads: Threads::One };
        let mut server = Server::new(Arc::clone(rules), Arc::clone(baked), server)?;
        // A recording marks as presenters those who reached everybody.
        server.switch_presenters(MatchId::default(), PresenterReach::Match);
        let most_rtt_ms = 1000.0;
        let most = ((most_rtt_ms + interp_ms) / tick_ms).ceil() as usize + 4;
        let mut cast = Cast::new(rules, &baked.map, tick_ms, options.filter);
        for (item, observer) in header.observers.iter().enumerate() {
            let checked = cast.check_observer(observer);
            let taken =
                checked.and_then(|()| cast.take_observer(observer.clone()).map_err(|what| ("id", what)));
            taken.map_err(|(key, what)| recording.wrong(&Wrong::of("observers", item, key, what)))?;
        }
        // What others tell, the ideal filter is not held against.
        let ideal = if options.filter == Baseline::Fogwall {
            Ideal::Asked { lines: options.ideal_lines }
        } else {
            Ideal::LeftOut
        };
        Ok(Self {
            options,
            tick_ms,
            server,
            stopwatch: Stopwatch::new(rules, baked, tick_ms)?,
            cast,
            clients: BTreeMap::new(),
            past: Past::new(most),
            judge: Judge {
                opinion,
                lead,
                tick_ms,
                interp_ms,
                step_m: step_m(rules),
                memory: Memory::default(),
            },
            measures: Measures::new(tick_ms / 1e3, ideal),
            sent: Vec::new(),
            totals: Totals::default(),
            recording,
            rules,
            baked,
        })
    }

    /// Replays all; `sink` is told of everything.
    pub(super) fn run(mut self, sink: &mut dyn Sink) -> Result<(Totals, Measures), ReplayError> {
        loop {
            let (done, all) = self.recording.progress();
            if !sink.progress(done, all) {
                return Err(ReplayError::Stopped);
            }
            let line = match self.recording.read() {
                Ok(line) => line,
                Err(fault) => {
                    self.skip(fault)?;
                    continue;
                }
            };
            match line {
                None => break,
                Some(Line::Cut(cut)) => {
                    self.cast.cut(&cut);
                    self.past.cut();
                    self.clients.values_mut().for_each(Client::cut);
                    self.totals.cuts += 1;
                }
                Some(Line::Tick(tick)) => self.tick(tick, sink)?,
            }
        }
        let opinion = self.judge.opinion;
        self.measures.finish(opinion);
        sink.outcomes(&std::mem::take(&mut self.measures.outcomes))?;
        self.totals.hashes = hashes(self.baked, self.rules, self.recording.hash());
        self.totals.fitted = std::mem::take(&mut self.cast.fitted);
        self.totals.teams.clone_from(&self.cast.teams);
        self.totals.sight = self.stopwatch.took;
        self.totals.lost = self.clients.values().map(Client::lost).sum();
        Ok((self.totals, self.measures))
    }

    fn skip(&mut self, fault: crate::recording::RecordingError) -> Result<(), ReplayError> {
        if self.options.faults == Faults::Stop || !fault.is_of_one_line() {
            return Err(fault.into());
        }
        self.totals.faulty_lines += 1;
        Ok(())
    }

    fn tick(&mut self, line: TickLine, sink: &mut dyn Sink) -> Result<(), ReplayError> {
        let tick = line.tick;
        if let Err(wrong) = self.cast.take(line) {
            let fault = self.recording.wrong(&wrong);
            return self.skip(fault);
        }
        self.totals.ticks += 1;
        self.meet();
        let now_ms = f64::from(tick) * self.tick_ms;
        let classes = self.rules.source();
        let is_player = |class: crate::ids::ClassId| {
            let class = &classes.classes[usize::from(class.0)];
            let is_contested = class.sight != SightPolicy::Never || self.options.filter != Baseline::Fogwall;
            class.motion == Motion::Player && is_contested
        };
        let moment = Moment::new(tick, &self.cast, &self.rules.settings().smoke, is_player);
        self.past.push(moment);
        for (id, client) in &mut self.clients {
            let mut told = Ok(());
            client.advance(now_ms - client.one_way_ms, |arrival| {
                if told.is_ok() {
                    told = take_arrival(&mut self.totals, self.rules, *id, arrival, self.tick_ms, sink);
                }
            });
            told?;
            if let Some(watcher) = self.cast.watchers.get(id) {
                self.judge.judge(watcher, client, &self.past, &mut self.measures);
            }
        }
        sink.outcomes(&self.measures.outcomes)?;
        self.measures.outcomes.clear();
        self.serve(tick, now_ms);
        sink.moment(&View { cast: &self.cast, past: &self.past, clients: &self.clients, sent: &self.sent })
    }

    /// Clients of observers that are new; who left has none any more.
    fn meet(&mut self) {
        let Self { clients, cast, options, rules, .. } = self;
        clients.retain(|id, _| cast.watchers.contains_key(id));
        for (id, watcher) in &cast.watchers {
            let rtt_ms = options.rtt_ms.or(watcher.line.rtt_ms).unwrap_or(RTT_MS);
            let client =
                clients.entry(*id).or_insert_with(|| Client::new(rules, options.link, *id, 0.5 * rtt_ms));
            client.one_way_ms = 0.5 * rtt_ms;
        }
    }

    /// The server's part of a tick.
    fn serve(&mut self, tick: u32, now_ms: f64) {
        for (id, client) in &mut self.clients {
            let Some(watcher) = self.cast.watchers.get(id) else { continue };
            let observer = watcher.id;
            let answers = client.answers(now_ms, self.tick_ms);
            if answers.is_empty() {
                // What a handshake, or the answer before, measured.
                self.cast.measure(*id, 2.0 * client.one_way_ms);
            }
            for (bytes, rtt_ms) in answers {
                self.server.take_ack(observer, &bytes);
                self.cast.measure(*id, rtt_ms);
            }
        }
        // Another filter has no sight stages.
        let is_timed = self.options.filter == Baseline::Fogwall;
        let more = self.groups();
        let (server, stopwatch) = (&mut self.server, &mut self.stopwatch);
        let more = |actor: &super::cast::Actor| more.get(&actor.line.id).cloned().unwrap_or_default();
        let took = self.cast.lend(Tick(tick), &more, |world| {
            let start = Instant::now();
            server.tick(world);
            let took = start.elapsed();
            if is_timed {
                stopwatch.tick(world);
            }
            took
        });
        self.totals.add_tick(took, self.server.report());
        self.note(tick, now_ms);
    }

    /// By whose groups each entity is told, where another filter decides.
    fn groups(&self) -> BTreeMap<u32, Vec<crate::ids::GroupId>> {
        let mut groups: BTreeMap<u32, Vec<crate::ids::GroupId>> = BTreeMap::new();
        let filter = self.options.filter;
        if filter == Baseline::Fogwall {
            return groups;
        }
        for (id, watcher) in &self.cast.watchers {
            let own =
                watcher.line.entity.and_then(|own| self.cast.actors.get(&own)).filter(|own| own.line.alive);
            let (Some(own), Some(client)) = (own, self.clients.get(id)) else { continue };
            let lead_s = (2.0 * client.one_way_ms + self.judge.interp_ms) / 1e3;
            for (other, actor) in &self.cast.actors {
                if filter.tells(self.baked, own, actor, lead_s) {
                    groups.entry(*other).or_default().push(Baseline::group(*id));
                }
            }
        }
        groups
    }
}

/// What a tick left, for those who show it.
pub(super) struct View<'v, 'a> {
    pub(super) cast: &'v Cast<'a>,
    pub(super) past: &'v Past,
    pub(super) clients: &'v BTreeMap<u32, Client>,
    /// Bytes that were sent to each observer.
    pub(super) sent: &'v [u32],
}

/// What was used, so that a report can be made again.
fn hashes(baked: &Baked, rules: &Rules, recording: [u8; 32]) -> BTreeMap<&'static str, String> {
    let short = |bytes: &[u8; 32]| bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect::<String>();
    let rules = blake3::hash(format!("{:?}", rules.source()).as_bytes());
    let bake = blake3::hash(&[baked.map.source_hash, baked.settings_hash()].concat());
    BTreeMap::from([
        ("crate", env!("CARGO_PKG_VERSION").to_owned()),
        ("rules", short(rules.as_bytes())),
        ("bake", short(bake.as_bytes())),
        ("recording", short(&recording)),
    ])
}

fn take_arrival(
    totals: &mut Totals,
    rules: &Rules,
    observer: u32,
    arrival: &Arrival<'_>,
    tick_ms: f64,
    sink: &mut dyn Sink,
) -> Result<(), ReplayError> {
    totals.add_arrival(rules, arrival);
    sink.arrival(observer, arrival, tick_ms)
}

/// What exact positions of players are told in, metres.
fn step_m(rules: &Rules) -> f64 {
    let players = rules.source().classes.iter().filter(|class| class.motion == Motion::Player);
    let fields = players.flat_map(|class| &class.fields).filter(|rules| rules.field.name == "pos");
    let steps = fields.filter_map(|rules| match rules.field.encoding {
        Encoding::Position { step_m } => Some(step_m),
        _ => None,
    });
    steps.fold(0.0, f64::max)
}

/// The name of a verdict in texts.
pub(super) fn verdict_name(verdict: Verdict) -> String {
    match (verdict.relevancy, verdict.level) {
        (Relevancy::Granted(level), _) => format!("Granted({})", level.name()),
        (Relevancy::Sighted, _) => "Sighted".to_owned(),
        (Relevancy::Hidden(by), Level::Hidden) => format!("Hidden({by:?})"),
        (Relevancy::Hidden(by), level) => format!("Hidden({by:?}) {}", level.name()),
    }
}
