//! The server: per observer what it may know and what it was sent, tick by tick.
//!
//! Owns the order of the two halves, filter and send, and one [`Link`] per observer.
//! Promises: [`Server::tick`] returns no error, never panics on what the game lends, and takes no memory once warm; the
//! datagrams are the same for any number of threads. Must not know sockets, clocks or files.

mod delay;
mod link;
#[cfg(feature = "metrics")]
mod metrics;
mod queries;
mod rates;
mod report;
mod rights;
mod span;
mod survey;

pub use queries::QueryId;
pub use report::{ObserverReport, StageTimes, TickReport, TickWarning};

use crate::filter::{Filter, Frame, HiddenBy, Lent, Relevancy, Scratch, Verdict};
use crate::ids::{EntityId, MatchId, NetRef, ObserverId};
use crate::map::Baked;
use crate::rules::{BodyVolume, LodRings, Mode, PresenterReach, Rules, RulesErrors};
use crate::send::{Bodies, Policy};
use crate::tick::Tick;
use crate::wire::Level;
use crate::world::{Roster, World};
use link::{Link, Parts};
use rayon::prelude::*;
use span::span;
use std::sync::{Arc, Mutex, PoisonError};
use survey::Survey;

/// Pairs of an observer and an entity from which on a tick is divided among threads. `benches/tick.rs` measures it: two
/// threads gained a tenth at 100 pairs, a sixth at 256 and a fifth to a quarter from 576 on, on a machine shared with others.
const PARALLEL_PAIRS: usize = 256;

/// Entities that room for encoded bodies is made for; where more are told of, it grows.
const ROOM_BODIES: usize = 512;

/// How a server is set up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServerOptions {
    /// Milliseconds between ticks, each of which sends.
    pub tick_ms: f64,
    /// What names are made of; from the operating system's random source, anew for each match, and kept from clients.
    pub secret: [u8; 32],
    /// Whether ticks use the rayon pool that they are called in.
    pub threads: Threads,
}

/// Which threads work on a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// The calling one where the work is too little for more, else those of the pool at hand.
    #[default]
    Auto,
    /// The calling one.
    One,
    /// Those of the pool at hand.
    Pool,
}

/// Why a server can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Points of a body lie outside of what the map was baked for: they would be looked for in vain.
    #[error("the rules do not fit the bake: {0}")]
    Rules(RulesErrors),
    /// The length of a tick is not a number above 0.
    #[error("a tick of {0} ms")]
    Tick(f64),
}

/// Decides for one map, by one set of rules, what each observer may know, and fills its datagrams.
///
/// ```no_run
/// # use fogwall::{Baked, DEFAULT_RULES, Rules, Server, ServerOptions, Threads, Tick, World};
/// # use std::sync::Arc;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let rules = Arc::new(Rules::parse(DEFAULT_RULES, "rules.ron")?.rules);
/// let baked = Arc::new(Baked::load("dust2.pvs")?);
/// let options = ServerOptions { tick_ms: 7.8125, secret: [7; 32], threads: Threads::Auto };
/// let mut server = Server::new(rules, baked, options)?;
/// let world = World::empty(Tick(1)); // what the game knows
/// server.tick(&world);
/// for observer in world.observers {
///     for datagram in server.packets(observer.id) {
///         // to the observer's socket
///         # let _ = datagram;
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub struct Server {
    rules: Arc<Rules>,
    baked: Arc<Baked>,
    policy: Policy,
    filter: Filter,
    secret: [u8; 32],
    threads: Threads,
    entities: Roster<EntityId>,
    observers: Roster<ObserverId>,
    /// By the slot of the observer's handle.
    slots: Vec<Slot>,
    /// Links that this tick serves: place in the world's list, and slot.
    served: Vec<(usize, Link)>,
    /// What each thread works with.
    rooms: Vec<Room>,
    survey: Survey,
    /// Matches of which not all distance rings count.
    rings: Vec<(MatchId, LodRings)>,
    clock: Option<fn() -> u64>,
    tick_ms: f64,
    report: TickReport,
    last: Option<Tick>,
}

/// What a thread works with.
struct Room {
    scratch: Scratch,
    bodies: Bodies,
}

impl Room {
    fn of(filter: &Filter) -> Self {
        Self { scratch: filter.scratch(), bodies: Bodies::default() }
    }
}

/// What is kept of an observer's slot.
#[derive(Default)]
struct Slot {
    /// The handle that it was last of, and how often that joined.
    of: Option<ObserverId>,
    joins: u32,
    link: Option<Link>,
}

impl Server {
    /// A server for matches on one map; several share it, told apart by their memberships.
    ///
    /// # Errors
    /// Where the rules look for points of bodies that the bake does not cover, or where the tick's length is no such.
    pub fn new(rules: Arc<Rules>, baked: Arc<Baked>, options: ServerOptions) -> Result<Self, ServerError> {
        let ServerOptions { tick_ms, secret, threads } = options;
        if !(tick_ms > 0.0 && tick_ms.is_finite()) {
            return Err(ServerError::Tick(tick_ms));
        }
        let player = &baked.map.player;
        let body = BodyVolume { sight_radius_m: player.sight_radius, height_m: player.height };
        rules.check_body(body).map_err(ServerError::Rules)?;
        let filter = Filter::new(&rules, &baked, tick_ms);
        Ok(Self {
            policy: Policy::new(&rules, tick_ms),
            rooms: vec![Room::of(&filter)],
            filter,
            rules,
            baked,
            secret,
            threads,
            entities: Roster::default(),
            observers: Roster::default(),
            slots: Vec::new(),
            served: Vec::new(),
            survey: Survey::default(),
            rings: Vec::new(),
            clock: None,
            tick_ms: options.tick_ms,
            report: TickReport::default(),
            last: None,
        })
    }

    /// Takes the world of a tick, and makes the datagrams that tell of it.
    ///
    /// A tick that is not later than the one before is reported and changes nothing.
    pub fn tick(&mut self, world: &World<'_>) -> &TickReport {
        let _tick = span!("tick", tick = world.tick.0, observers = world.observers.len());
        self.report.restart(world.tick);
        if self.last.is_some_and(|last| !world.tick.is_after(last)) {
            self.report.is_out_of_order = true;
            self.entities.forget_list();
            self.slots.iter_mut().filter_map(|slot| slot.link.as_mut()).for_each(Link::rest);
            return &self.report;
        }
        self.last = Some(world.tick);
        let refused = &mut self.report.refused_entities;
        self.entities.refresh_changed_entities(world.entities, world.changed, refused);
        self.observers.refresh_observers(world.observers, &mut self.report.refused_observers);
        self.meet(world);
        let lent = Lent {
            world,
            entities: &self.entities,
            observers: &self.observers,
            rules: &self.rules,
            baked: &self.baked,
        };
        let start_ns = self.clock.map_or(0, |clock| clock());
        {
            let _span = span!("world", entities = world.entities.len());
            self.filter.begin(&lent);
        }
        self.report.filter = *self.filter.report();
        self.survey.refresh(&lent, &self.policy, &mut self.report.warnings);
        let parts = Parts {
            lent,
            filter: &self.filter,
            policy: &self.policy,
            survey: &self.survey,
            rings: &self.rings,
            clock: self.clock,
        };
        self.report.times.world_ns = parts.now_ns().saturating_sub(start_ns);
        let [buckets_ns, lists_ns] = self.filter.filing_ns();
        (self.report.times.buckets_ns, self.report.times.lists_ns) = (buckets_ns, lists_ns);
        serve(&parts, self.threads, &mut self.served, &mut self.rooms);
        for (place, link) in self.served.drain(..) {
            self.report.add(&link);
            let slot = world.observers[place].id.index as usize;
            self.slots[slot].link = Some(link);
        }
        &self.report
    }

    /// The datagrams of the last tick for one observer, in the order in which to send them.
    pub fn packets(&self, observer: ObserverId) -> impl Iterator<Item = &[u8]> {
        self.link(observer).into_iter().flat_map(|link| link.packets().iter())
    }

    /// Takes an acknowledgement that came from an observer's client; what is wrong with it is counted, and changes
    /// nothing.
    pub fn take_ack(&mut self, observer: ObserverId, bytes: &[u8]) {
        let Self { slots, policy, .. } = self;
        if let Some(link) = slots.get_mut(observer.index as usize).and_then(|slot| slot.link_of_mut(observer))
        {
            link.take_ack(policy, bytes);
        }
    }

    /// The entity that an observer's client means by a name, for commands that come back; nothing for what that client
    /// may not know of.
    pub fn resolve(&self, observer: ObserverId, net: NetRef) -> Option<EntityId> {
        self.link(observer)?.resolve(net)
    }

    /// The name by which an observer's client may know an entity now.
    pub fn name_of(&self, observer: ObserverId, entity: EntityId) -> Option<NetRef> {
        self.link(observer)?.name_of(entity)
    }

    /// What the last tick decided about an observer and an entity of its world, before any delay.
    pub fn verdict(&self, observer: ObserverId, entity: EntityId) -> Option<Verdict> {
        let link = self.link(observer)?;
        let refused = Verdict { relevancy: Relevancy::Hidden(HiddenBy::Refused), level: Level::Hidden };
        let verdict = |place: usize| link.verdict(place);
        Some(self.entities.place(entity).map_or(refused, verdict))
    }

    /// What the last tick decided for an observer, by places in the world's list; of all others that they are too far away,
    /// or refused.
    pub fn judged(&self, observer: ObserverId) -> impl Iterator<Item = (usize, Verdict)> + '_ {
        self.link(observer).into_iter().flat_map(Link::judged)
    }

    /// What the last tick disclosed to an observer, before any delay; nothing of it for one under a delay, whose frame
    /// waits.
    pub fn frame(&self, observer: ObserverId) -> Option<&Frame> {
        self.link(observer).map(Link::frame)
    }

    /// Switches one match to a mode from the next tick on, whatever rules and classes say, or back: the kill switch.
    pub fn switch(&mut self, match_id: MatchId, mode: Option<Mode>) {
        self.filter.switch(match_id, mode);
    }

    /// Switches whom the presenters of a match reach, from the next tick on; at first nobody.
    pub fn switch_presenters(&mut self, match_id: MatchId, reach: PresenterReach) {
        self.survey.switch_presenters(match_id, reach);
        self.filter.switch_presenters(match_id, reach);
    }

    /// Switches which distance rings of the classes count in a match, from the next tick on; at first all.
    pub fn switch_rings(&mut self, match_id: MatchId, rings: LodRings) {
        self.rings.retain(|(other, _)| *other != match_id);
        self.rings.extend((rings != LodRings::All).then_some((match_id, rings)));
    }

    /// Lends a clock, nanoseconds from anywhere on, by which reports say what took how long: the library has none of its
    /// own. What it says is counted and decides nothing.
    pub fn use_clock(&mut self, clock: Option<fn() -> u64>) {
        self.clock = clock;
        self.filter.use_clock(clock);
    }

    /// What the last tick came to for one observer.
    pub fn observer_report(&self, observer: ObserverId) -> Option<ObserverReport> {
        self.link(observer).map(Link::report)
    }

    /// Bytes of memory that are held for an observer, used or not. They are for what it is told, was told lately or looked
    /// at lately, and for what was sent to it and is not acknowledged; none for what else exists. It does not count what the
    /// server keeps of its eyes, which others may share.
    pub fn observer_bytes(&self, observer: ObserverId) -> Option<usize> {
        self.link(observer).map(Link::held_bytes)
    }

    /// What the last tick came to.
    pub fn report(&self) -> &TickReport {
        &self.report
    }

    /// The rules that it goes by.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The map that it goes by.
    pub(crate) fn baked(&self) -> &Baked {
        &self.baked
    }

    fn link(&self, observer: ObserverId) -> Option<&Link> {
        let slot = self.slots.get(observer.index as usize)?;
        slot.link.as_ref().filter(|_| slot.of == Some(observer))
    }

    /// Gathers the links of all observers that are there; who is not has left.
    fn meet(&mut self, world: &World<'_>) {
        self.served.clear();
        for (place, observer) in world.observers.iter().enumerate() {
            if self.observers.place(observer.id) != Ok(place) {
                continue;
            }
            let index = observer.id.index as usize;
            if index >= self.slots.len() {
                self.slots.resize_with(index + 1, Slot::default);
            }
            let slot = &mut self.slots[index];
            let link = slot.link.take().filter(|_| slot.of == Some(observer.id));
            let link = link.unwrap_or_else(|| {
                slot.joins = if slot.of == Some(observer.id) { slot.joins.wrapping_add(1) } else { 0 };
                slot.of = Some(observer.id);
                Link::new(self.filter.view(), &self.secret, observer.id, slot.joins, self.tick_ms)
            });
            self.served.push((place, link));
        }
        self.slots.iter_mut().for_each(|slot| slot.link = None);
    }
}

impl Slot {
    fn link_of_mut(&mut self, observer: ObserverId) -> Option<&mut Link> {
        let is_it = self.of == Some(observer);
        self.link.as_mut().filter(|_| is_it)
    }
}

/// Serves all observers, in any order and on any threads.
fn serve(parts: &Parts<'_>, threads: Threads, served: &mut [(usize, Link)], rooms: &mut Vec<Room>) {
    let pairs = served.len() * parts.lent.world.entities.len();
    let pool = rayon::current_num_threads();
    let is_parallel = match threads {
        Threads::One => false,
        Threads::Pool => pool > 1,
        Threads::Auto => pool > 1 && pairs >= PARALLEL_PAIRS,
    };
    let workers = if is_parallel { pool.min(served.len()).max(1) } else { 1 };
    if rooms.len() < workers {
        rooms.resize_with(workers, || Room::of(parts.filter));
    }
    // Whoever is free takes the next one: some take many times as long as others.
    let waiting = Mutex::new(served.iter_mut());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = |Room { scratch, bodies }: &mut Room| {
        bodies.clear();
        bodies.make_room(parts.lent.world.entities.len().min(ROOM_BODIES));
        while let Some((place, link)) = next() {
            link.tick(parts, *place, (scratch, bodies));
        }
    };
    if workers == 1 { work(&mut rooms[0]) } else { rooms[..workers].par_iter_mut().for_each(work) }
}
