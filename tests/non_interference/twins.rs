//! Two worlds side by side, and X's link: its replica's acknowledgements go to both servers.

use super::game::{Dice, Setting};
use super::worlds::{Handles, Lists, Part, X, round_trips};
use fogwall::{ACK_BYTES, Level, MatchId, PresenterReach, Replica, Server, Threads, Tick};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// In what the second world differs from the first.
#[derive(Clone, Copy, Default)]
pub(crate) struct Differs {
    /// Values that no level of X's is told, and all values of what is hidden in a tick.
    pub(crate) values: bool,
    /// Where those look who are hidden in a tick.
    pub(crate) facing: bool,
    /// All of the sealed room and of the other match.
    pub(crate) dark: bool,
    /// Slots and generations of all entities, and the other observers' handles.
    pub(crate) handles: bool,
    /// The order of all lists.
    pub(crate) order: bool,
    /// Round trips and acknowledgements of others, and who else looks on.
    pub(crate) links: bool,
    /// A value that X is told: the test must find it.
    pub(crate) told: bool,
}

const NONE: Differs = Differs {
    values: false,
    facing: false,
    dark: false,
    handles: false,
    order: false,
    links: false,
    told: false,
};

impl Differs {
    pub(crate) const ALL: Self =
        Self { values: true, facing: true, dark: true, handles: true, order: true, links: true, told: false };
    pub(crate) const TOLD: Self = Self { told: true, ..NONE };
    pub(crate) const EACH: [(&'static str, Self); 6] = [
        ("values", Self { values: true, ..NONE }),
        ("facing", Self { facing: true, ..NONE }),
        ("dark", Self { dark: true, ..NONE }),
        ("handles", Self { handles: true, ..NONE }),
        ("order", Self { order: true, ..NONE }),
        ("links", Self { links: true, ..NONE }),
    ];
}

/// What runs came to.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) runs: u64,
    /// Ticks in which both worlds entitled X to the same.
    pub(crate) counted: u64,
    /// Runs that ended as verdicts became different.
    pub(crate) unequal: u64,
    /// Pairs of X and something of its own room that it was told nothing of in a tick.
    pub(crate) hidden: u64,
    pub(crate) bytes: u64,
    pub(crate) deferred: u64,
    pub(crate) lost: u64,
    /// The first difference.
    pub(crate) found: Option<String>,
}

impl Outcome {
    pub(crate) fn join(&mut self, other: Self) {
        self.runs += other.runs;
        self.counted += other.counted;
        self.unequal += other.unequal;
        self.hidden += other.hidden;
        self.bytes += other.bytes;
        self.deferred += other.deferred;
        self.lost += other.lost;
        self.found = self.found.take().or(other.found);
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, counted, unequal, hidden, bytes, deferred, lost, found } = self;
        write!(
            out,
            "{counted} ticks of {runs} runs count, {unequal} ended by unequal verdicts; {hidden} hidden pairs, "
        )?;
        write!(out, "{bytes} bytes, {deferred} deferred, {lost} datagrams lost; found {found:?}")
    }
}

/// X's link: some of what is sent is lost, both ways, and acknowledgements come ticks later.
struct Line {
    dice: Dice,
    replica: Replica,
    up: Vec<(u64, [u8; ACK_BYTES])>,
    lost: u64,
}

impl Line {
    fn tick(&mut self, now: u64, datagrams: &[Vec<u8>], tick: Tick) -> Vec<[u8; ACK_BYTES]> {
        let mut came = false;
        for datagram in datagrams {
            if self.dice.roll(4) == 0 {
                self.lost += 1;
            } else {
                came |= self.replica.receive(datagram).is_ok();
            }
        }
        self.replica.advance(tick);
        if came
            && self.dice.roll(4) > 0
            && let Some(ack) = self.replica.ack()
        {
            self.up.push((now + 1 + self.dice.roll(6), ack));
        }
        let due = self.up.iter().filter(|(at, _)| *at <= now).map(|(_, ack)| *ack).collect();
        self.up.retain(|(at, _)| *at > now);
        due
    }
}

fn sent(server: &Server) -> Vec<Vec<u8>> {
    server.packets(X).map(<[u8]>::to_vec).collect()
}

/// X's verdicts on what both worlds share; of what is dark there must be none.
fn levels(server: &Server, handles: &mut Handles, keys: &[u32], dark: &[u32]) -> Option<Vec<Level>> {
    let mut level = |key: &u32| server.verdict(X, handles.of(*key)).map(|verdict| verdict.level);
    let is_dark = dark.iter().all(|key| level(key) == Some(Level::Hidden));
    let levels = keys.iter().map(level).collect::<Option<Vec<_>>>();
    levels.filter(|_| is_dark)
}

/// Others' acknowledgements: floods of nonsense.
fn babble(server: &mut Server, lists: &Lists<'_>, dice: &mut Dice) {
    for observer in lists.observers.iter().filter(|observer| observer.id != X) {
        for _ in 0..dice.roll(3) {
            let bytes: [u8; ACK_BYTES] = std::array::from_fn(|_| dice.roll(256) as u8);
            server.take_ack(observer.id, &bytes);
        }
    }
}

/// Runs a game in two worlds for so many ticks, as long as X is entitled to the same in both.
pub(crate) fn run(
    setting: &Setting,
    [mut first, mut second]: [Server; 2],
    differs: Differs,
    seed: u64,
    ticks: u64,
) -> Outcome {
    let mut shared = Part::shared(seed);
    let mut dark =
        [Part::dark(seed + 1_000_000), Part::dark(seed + 1_000_000 * (1 + u64::from(differs.dark)))];
    let mut handles = [Handles::new(None), Handles::new(differs.handles.then_some(Dice(seed + 5_000_000)))];
    let mut dice = Dice(seed + 7_000_000);
    let mut line = Line {
        dice: Dice(seed + 9_000_000),
        replica: Replica::new(Arc::clone(setting.rules.schema())),
        up: Vec::new(),
        lost: 0,
    };
    let mut outcome = Outcome { runs: 1, ..Outcome::default() };
    for now in 0..ticks {
        shared.step();
        dark.iter_mut().for_each(Part::step);
        let (tick, keys) =
            (Tick(100 + now as u32), shared.things.iter().map(|thing| thing.key).collect::<Vec<_>>());
        let still = round_trips(NONE, &mut dice);
        let mut lists = Lists::new(tick);
        lists.add(setting, &shared.things, &mut handles[0], (&still, 0));
        lists.add(setting, &dark[0].things, &mut handles[0], (&still, 0));
        outcome.deferred += first.tick(&lists.world()).send.deferred.min(1);
        let of_dark = |part: &Part| part.things.iter().map(|thing| thing.key).collect::<Vec<_>>();
        let told = levels(&first, &mut handles[0], &keys, &of_dark(&dark[0])).expect("the dark is dark");
        outcome.hidden += told.iter().filter(|level| **level == Level::Hidden).count() as u64;

        let mut other = shared.things.clone();
        let by_key: HashMap<u32, Level> = keys.iter().copied().zip(told.iter().copied()).collect();
        for thing in &mut other {
            let is_hidden = by_key[&thing.key] == Level::Hidden;
            if differs.values {
                thing.perturb_withheld(&mut dice);
            }
            if differs.told {
                thing.perturb_told(&mut dice);
            }
            if differs.facing && is_hidden && thing.key < 100 {
                (thing.yaw_deg, thing.pitch_deg) = (dice.share() * 360.0, dice.share() * 80.0);
            }
        }
        let rtts = round_trips(differs, &mut dice);
        let mut others = Lists::new(tick);
        let shift = if differs.handles { 977 } else { 0 };
        others.add(setting, &other, &mut handles[1], (&rtts, shift));
        others.add(setting, &dark[1].things, &mut handles[1], (&rtts, shift));
        if differs.links {
            others.add_onlookers(&mut dice, &rtts);
        }
        if differs.order {
            others.shuffle(&mut dice);
        }
        second.tick(&others.world());
        if levels(&second, &mut handles[1], &keys, &of_dark(&dark[1])).as_ref() != Some(&told) {
            outcome.unequal = 1;
            break;
        }
        let datagrams = sent(&first);
        outcome.bytes += datagrams.iter().map(|bytes| bytes.len() as u64).sum::<u64>();
        if datagrams != sent(&second) {
            outcome.found = Some(format!("seed {seed}, tick {now}"));
            break;
        }
        outcome.counted += 1;
        for ack in line.tick(now, &datagrams, tick) {
            first.take_ack(X, &ack);
            second.take_ack(X, &ack);
        }
        if differs.links {
            babble(&mut second, &others, &mut dice);
        }
    }
    outcome.lost = line.lost;
    outcome
}

/// What is told to all who are near, or ask for it.
const PROP: &str = "    classes: [(name: \"prop\", fields: [
        (name: \"pos\", encoding: Position(step_m: 0.05), team: Exact, seen: Exact, owner: Exact),
        (name: \"kind\", encoding: Int(min: 0, max: 255), team: Exact, seen: Exact, owner: Exact),
    ], grants: (own: Hidden, owned: Hidden, team: Hidden, group: Team, presenter: Seen, always: Hidden),
    sight: Always, relevance: (enter_m: 3.0, leave_m: 3.5), motion: Still, priority: (base: 0.5, near: 1.0),
    lod: [(within_m: 1.0, every_ticks: 1), (within_m: inf, every_ticks: 2)]),";

/// A map with a sealed room, and little room and few bytes a second, so that turns matter.
pub(crate) fn setting() -> Setting {
    let little = [
        ("budget_bytes: 1200", "budget_bytes: 180"),
        ("bytes_per_second: 60000", "bytes_per_second: 9000"),
        ("burst_bytes: 6000", "burst_bytes: 600"),
        ("enter_bytes: 600", "enter_bytes: 40"),
        ("    classes: [", PROP),
    ];
    Setting::new("../tests/non_interference/two_rooms", &little)
}

/// Runs games of 250 ticks until so many were counted, or one found a difference.
pub(crate) fn search(setting: &Setting, differs: Differs, ticks: u64, first_seed: u64) -> Outcome {
    let mut total = Outcome::default();
    let mut seed = first_seed;
    while total.counted < ticks && total.found.is_none() && total.runs < ticks / 20 + 10 {
        let servers = [Threads::One, Threads::One].map(|threads| {
            let mut server = setting.server(threads);
            server.switch_presenters(MatchId(0), PresenterReach::Streams);
            server.switch_presenters(MatchId(7), PresenterReach::Match);
            server
        });
        total.join(run(setting, servers, differs, seed, 250));
        seed += 1;
    }
    total
}
