//! A simulated client: what its replica holds of each entity, for which server tick, by its own clock.
//!
//! Promises: all that it knows was decoded from datagrams. Must not know the world.

use super::channel::{Channel, LinkOptions};
use crate::ids::NetRef;
use crate::replica::{Changes, Replica};
use crate::rules::{Class, Motion, Rules};
use crate::wire::{Level, Value};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// States of a player that are remembered, and of anything else.
const MOST_STATES: [usize; 2] = [96, 2];
/// Ticks whose datagrams' fates are remembered.
const MOST_FATES: usize = 256;

/// A state that arrived, or the end of an entity.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// The name that it was told by.
    net: NetRef,
    /// The server's tick that it tells.
    pub(super) tick: u32,
    pub(super) level: Level,
    pub(super) pos: Option<[f64; 3]>,
}

/// What became of the datagrams of a tick.
#[derive(Clone, Copy, Debug, Default)]
struct Fate {
    tick: u32,
    sent: u32,
    arrived: u32,
    lost: u32,
}

/// Why a state is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absence {
    /// Its datagrams came, without it.
    Untold,
    /// One of its datagrams is still on its way.
    Late,
    /// One of its datagrams was lost.
    Lost,
}

/// A client.
pub(super) struct Client {
    pub(super) replica: Replica,
    down: Channel,
    up: Channel,
    pub(super) one_way_ms: f64,
    /// By class.
    most_states: Vec<usize>,
    /// Its own time.
    now_ms: f64,
    /// Recordings' ids by the names that the server gave.
    names: BTreeMap<(u16, u8), u32>,
    states: BTreeMap<u32, VecDeque<State>>,
    fates: VecDeque<Fate>,
    /// The latest tick of whose datagrams any arrived.
    newest: u32,
    pub(super) refused: u64,
}

/// A datagram as it arrived.
pub(super) struct Arrival<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) send_tick: u32,
    pub(super) arrives_ms: f64,
    pub(super) changes: &'a Changes,
    pub(super) replica: &'a Replica,
    pub(super) names: &'a BTreeMap<(u16, u8), u32>,
}

impl Client {
    pub(super) fn new(rules: &Rules, options: LinkOptions, observer: u32, one_way_ms: f64) -> Self {
        let lane = u64::from(observer) * 2;
        let classes = &rules.source().classes;
        let most = |class: &Class| MOST_STATES[usize::from(class.motion != Motion::Player)];
        Self {
            most_states: classes.iter().map(most).collect(),
            replica: Replica::new(Arc::clone(rules.schema())),
            down: Channel::new(options, lane),
            up: Channel::new(options, lane + 1),
            one_way_ms,
            now_ms: 0.0,
            names: BTreeMap::new(),
            states: BTreeMap::new(),
            fates: VecDeque::new(),
            newest: 0,
            refused: 0,
        }
    }

    /// Notes the name that the server gives an entity.
    pub(super) fn name(&mut self, net: NetRef, entity: u32) {
        self.names.insert((net.id.0, net.generation), entity);
    }

    /// Puts the datagrams of a tick on their way.
    pub(super) fn send<'b>(&mut self, tick: u32, now_ms: f64, datagrams: impl Iterator<Item = &'b [u8]>) {
        let mut fate = Fate { tick, ..Fate::default() };
        for bytes in datagrams {
            fate.sent += 1;
            fate.lost += u32::from(!self.down.send(tick, now_ms, self.one_way_ms, bytes));
        }
        self.fates.push_back(fate);
        if self.fates.len() > MOST_FATES {
            self.fates.pop_front();
        }
    }

    /// Lets the client's time pass: takes what has arrived, and answers.
    pub(super) fn advance(&mut self, now_ms: f64, mut seen: impl FnMut(&Arrival<'_>)) {
        self.now_ms = now_ms;
        let Self { replica, down, up, names, states, fates, newest, refused, most_states, .. } = self;
        while let Some(sent) = down.receive(now_ms) {
            let Ok(changes) = replica.receive(&sent.bytes) else {
                // Doubles are refused by right; what else is, is counted by the replica.
                *refused += 1;
                continue;
            };
            let changes = changes.clone();
            let tick = changes.server_tick.0;
            // What others overtook tells older states, which are not taken any more: it counts as not in time.
            let is_in_time = sent.send_tick >= *newest;
            *newest = sent.send_tick.max(*newest);
            if let Some(fate) = fates.iter_mut().rev().find(|fate| fate.tick == sent.send_tick) {
                fate.arrived += u32::from(is_in_time);
            }
            for net in &changes.removed {
                if let Some(entity) = names.get(&(net.id.0, net.generation)) {
                    end(states.entry(*entity).or_default(), *net, tick);
                }
            }
            for net in changes.created.iter().chain(changes.updated.iter().map(|(net, _)| net)) {
                let (Some(entity), Some(held)) = (names.get(&(net.id.0, net.generation)), replica.get(*net))
                else {
                    continue;
                };
                let pos = match held.field("pos") {
                    Some(Value::Vector(pos)) => Some(pos),
                    _ => None,
                };
                let most = most_states.get(usize::from(held.class().0)).copied().unwrap_or(2);
                let state = State { net: *net, tick, level: held.level(), pos };
                note(states.entry(*entity).or_default(), state, most);
            }
            let arrival = Arrival {
                bytes: &sent.bytes,
                send_tick: sent.send_tick,
                arrives_ms: sent.arrives_ms,
                changes: &changes,
                replica,
                names,
            };
            seen(&arrival);
            // The server gives the name again before it tells of somebody by it.
            changes.removed.iter().for_each(|net| _ = names.remove(&(net.id.0, net.generation)));
            if let Some(ack) = replica.ack() {
                up.send(sent.send_tick, sent.arrives_ms, self.one_way_ms, &ack);
            }
        }
    }

    /// Acknowledgements that have come back by then, with the round trip that each measured, milliseconds.
    pub(super) fn answers(&mut self, now_ms: f64, tick_ms: f64) -> Vec<(Vec<u8>, f64)> {
        let due = std::iter::from_fn(|| self.up.receive(now_ms));
        due.map(|ack| (ack.arrives_ms - f64::from(ack.send_tick) * tick_ms, ack.bytes))
            .map(|(rtt, bytes)| (bytes, rtt))
            .collect()
    }

    /// The newest state that the client has of an entity.
    pub(super) fn newest(&self, entity: u32) -> Option<State> {
        self.state_at(entity, u32::MAX)
    }

    /// The state that the client shows of an entity for a server tick: the newest that is not later.
    pub(super) fn state_at(&self, entity: u32, tick: u32) -> Option<State> {
        let states = self.states.get(&entity)?;
        states
            .iter()
            .rev()
            .find(|state| state.tick <= tick)
            .copied()
            .filter(|state| state.level > Level::Hidden)
    }

    /// Whether the client can show an entity as it was at a server tick: it was told then, or stands where it was told.
    pub(super) fn holds(&self, entity: u32, tick: u32, (at, step_m): ([f64; 3], f64)) -> bool {
        let is_there = |state: State| {
            let is_at = |pos: [f64; 3]| (0..3).all(|i| (pos[i] - at[i]).abs() <= 0.501 * step_m);
            state.tick == tick || state.pos.is_some_and(is_at)
        };
        let state = self.state_at(entity, tick).filter(|state| state.level >= Level::Seen);
        state.is_some_and(is_there)
    }

    /// Why a state that was told in a tick, if any was, is not there.
    pub(super) fn absence(&self, tick: u32) -> Absence {
        match self.fates.iter().rev().find(|fate| fate.tick == tick) {
            Some(fate) if fate.lost > 0 => Absence::Lost,
            Some(fate) if fate.arrived < fate.sent => Absence::Late,
            _ => Absence::Untold,
        }
    }

    /// Ticks in a row around this one of whose datagrams one was lost or is overdue, and whether any was lost.
    ///
    /// Overdue is what takes longer than the link and `grace_ms`.
    pub(super) fn missing_in_a_row(&self, tick: u32, tick_ms: f64, grace_ms: f64) -> (u32, bool) {
        let due_ms = |fate: &Fate| f64::from(fate.tick) * tick_ms + self.one_way_ms + grace_ms;
        let is_missing =
            |fate: &&Fate| fate.lost > 0 || (fate.arrived < fate.sent && due_ms(fate) < self.now_ms);
        let before = self.fates.iter().rev().skip_while(|fate| fate.tick > tick).take_while(is_missing);
        let after = self.fates.iter().skip_while(|fate| fate.tick <= tick).take_while(is_missing);
        let row = before.chain(after);
        row.fold((0, false), |(count, is_lost), fate| (count + 1, is_lost || fate.lost > 0))
    }

    /// Datagrams that were lost on the way to it.
    pub(super) fn lost(&self) -> u64 {
        self.down.lost
    }

    /// Nothing goes on from what went before.
    pub(super) fn cut(&mut self) {
        self.states.clear();
    }
}

/// Notes the removal of a name; one that came back under another name since is there all the same.
fn end(states: &mut VecDeque<State>, net: NetRef, tick: u32) {
    if states.back().is_some_and(|last| last.net == net) {
        note(states, State { net, tick, level: Level::Hidden, pos: None }, MOST_STATES[0]);
    }
}

/// Notes a state in the order of the server's ticks; of one tick the later one counts.
fn note(states: &mut VecDeque<State>, state: State, most: usize) {
    let place = states.iter().rposition(|other| other.tick <= state.tick).map_or(0, |place| place + 1);
    states.insert(place, state);
    if states.len() > most {
        states.pop_front();
    }
}
