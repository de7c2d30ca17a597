//! A battle royale: 100 observers of which 20 stand within 50 m, tens of thousands of entities on 2 x 2 km, 5 % moving, 30 Hz,
//! 1200 bytes a tick; all stages and packets. Beside it what a brute force of distance tests takes.
#![allow(missing_docs)]

mod scene;

use fogwall::{
    ACK_BYTES, Baked, Filter, Lent, Observer, ObserverId, Replica, Roster, Rules, Server, ServerOptions,
    Threads, Tick, View, World,
};
use scene::royale::{self, baked, rules};
use std::cell::OnceCell;
use std::hint::black_box;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

const TICK_MS: f64 = 1000.0 / 30.0;
const PLAYERS: u32 = 100;
/// Ticks before the clock runs: everything was told once.
const WARM: usize = 300;
const TICKS: usize = 300;
const ENTER_M: f32 = 150.0;

fn main() {
    let (rules, baked) = (Arc::new(rules()), Arc::new(baked()));
    // Names of what to measure: `cargo bench --bench royale -- 'filter 50000'`.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part));
    for entities in [1_000_u32, 10_000, 50_000] {
        println!("{entities} entities, 5 % moving, {PLAYERS} observers");
        if is_wanted(&format!("filter {entities}")) {
            filter(&rules, &baked, entities);
        }
        if is_wanted(&format!("brute {entities}")) {
            brute_force(&rules, entities);
        }
        let modes = [Threads::One, Threads::Pool];
        let modes = modes.into_iter().filter(|threads| is_wanted(&format!("{threads:?} {entities}")));
        let answers = OnceCell::new();
        for threads in modes {
            let answers = answers.get_or_init(|| answers_of(&rules, &baked, entities));
            serve(&rules, &baked, entities, threads, answers);
        }
    }
}

/// The match, long enough for any part.
fn played(rules: &Rules, entities: u32) -> royale::World {
    royale::World::new(rules, (PLAYERS, entities), (WARM + TICKS, 1000.0 / TICK_MS))
}

fn us(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The mean, the median and the 99th percentile, microseconds.
fn of(mut times: Vec<Duration>) -> String {
    let mean = times.iter().sum::<Duration>() / times.len() as u32;
    times.sort_unstable();
    let [median, most] = [50, 99].map(|percent| us(times[times.len() * percent / 100]));
    format!("{:.0} us ({median:.0} median, {most:.0} p99)", us(mean))
}

/// Nanoseconds since the first call.
fn now_ns() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// The filter alone: handles, the shared part, the observers' parts.
fn filter(rules: &Rules, baked: &Baked, entities: u32) {
    let mut royale = played(rules, entities);
    let mut filter = Filter::new(rules, baked, TICK_MS);
    filter.use_clock(Some(now_ns));
    let mut scratch = filter.scratch();
    let (mut roster, mut observers) = (Roster::default(), Roster::default());
    let mut views: Vec<View> = (0..PLAYERS).map(|_| filter.view()).collect();
    let (mut times, mut told) = ([const { Vec::new() }; 5], 0);
    for tick in 0..WARM / 3 + TICKS {
        royale.step();
        let players = royale.observers(&[60.0]);
        let world = world(&royale, &players, tick);
        let start = Instant::now();
        roster.refresh_changed_entities(world.entities, world.changed, &mut Vec::new());
        observers.refresh_observers(world.observers, &mut Vec::new());
        let lent = Lent { world: &world, entities: &roster, observers: &observers, rules, baked };
        let met = Instant::now();
        filter.begin(&lent);
        let begun = Instant::now();
        for (place, view) in views.iter_mut().enumerate() {
            filter.observe(&lent, place, view, &mut scratch);
        }
        let done = Instant::now();
        let [buckets, lists] = filter.filing_ns().map(Duration::from_nanos);
        if tick >= WARM / 3 {
            [met - start, buckets, lists, begun - met, done - begun]
                .into_iter()
                .zip(&mut times)
                .for_each(|(t, all)| all.push(t));
            told += views.iter().map(|view| view.frame().len()).sum::<usize>();
        }
    }
    let [roster, buckets, lists, begin, observe] = times.map(of);
    println!("  handles {roster}, shared part {begin}, observers {observe}; {} told a tick", told / TICKS);
    println!("  of the shared part: the grid's buckets {buckets}, bundles and lists {lists}");
}

/// Distances of all observers to all entities, in arrays of coordinates.
fn brute_force(rules: &Rules, entities: u32) {
    let mut royale = played(rules, entities);
    royale.step();
    let coordinates = |axis: usize| royale.entities.iter().map(|e| e.pos[axis] as f32).collect::<Vec<_>>();
    let [xs, ys, zs] = [0, 1, 2].map(coordinates);
    let (mut found, mut near) =
        (Vec::with_capacity(royale.entities.len()), vec![0_u8; royale.entities.len()]);
    let mut times = Vec::new();
    for _ in 0..100 {
        let (start, mut count) = (Instant::now(), 0);
        for player in &royale.entities[..PLAYERS as usize] {
            let [x, y, z] = [0, 1, 2].map(|axis| player.pos[axis] as f32);
            for (index, near) in near.iter_mut().enumerate() {
                let [dx, dy, dz] = [xs[index] - x, ys[index] - y, zs[index] - z];
                *near = u8::from(dx * dx + dy * dy + dz * dz <= ENTER_M * ENTER_M);
            }
            found.clear();
            for (chunk, base) in near.chunks(8).zip((0_u32..).step_by(8)) {
                if chunk.iter().any(|near| *near != 0) {
                    found.extend(
                        chunk.iter().zip(base..).filter(|(near, _)| **near != 0).map(|(_, index)| index),
                    );
                }
            }
            count += black_box(&found).len();
        }
        times.push(start.elapsed());
        black_box(count);
    }
    println!("  brute force over arrays, distances alone: {}", of(times));
}

/// What the clients of one match answered, tick by tick; equal packets get equal answers, so that it holds for each run.
struct Answers {
    acks: Vec<Vec<Option<[u8; ACK_BYTES]>>>,
    bytes: usize,
    held: usize,
}

fn server(rules: &Arc<Rules>, baked: &Arc<Baked>, threads: Threads) -> Server {
    let options = ServerOptions { tick_ms: TICK_MS, secret: [7; 32], threads };
    Server::new(Arc::clone(rules), Arc::clone(baked), options).expect("the rules fit the bake")
}

/// A first run with a replica for each client. They run on other machines than the server: their work is not to stand
/// between two ticks whose time is taken.
fn answers_of(rules: &Arc<Rules>, baked: &Arc<Baked>, entities: u32) -> Answers {
    let mut server = server(rules, baked, Threads::Pool);
    let mut royale = played(rules, entities);
    let mut replicas: Vec<_> = (0..PLAYERS).map(|_| Replica::new(Arc::clone(rules.schema()))).collect();
    let mut answers = Answers { acks: Vec::new(), bytes: 0, held: 0 };
    for tick in 0..WARM + TICKS {
        royale.step();
        let players = royale.observers(&[60.0]);
        server.tick(&world(&royale, &players, tick));
        let mut acks = Vec::with_capacity(players.len());
        for (player, replica) in players.iter().zip(&mut replicas) {
            for datagram in server.packets(player.id) {
                answers.bytes += datagram.len();
                let _ = replica.receive(datagram);
            }
            let ack = replica.ack();
            acks.push(ack.inspect(|ack| server.take_ack(player.id, ack)));
        }
        answers.acks.push(acks);
    }
    answers.held = replicas.iter().map(|replica| replica.entities().count()).sum();
    answers
}

/// All of `Server::tick`, with clients that acknowledge.
fn serve(rules: &Arc<Rules>, baked: &Arc<Baked>, entities: u32, threads: Threads, answers: &Answers) {
    let mut server = server(rules, baked, threads);
    let mut royale = played(rules, entities);
    let (mut times, mut bytes) = (Vec::new(), 0);
    for (tick, acks) in answers.acks.iter().enumerate() {
        royale.step();
        let players = royale.observers(&[60.0]);
        let world = world(&royale, &players, tick);
        let start = Instant::now();
        server.tick(&world);
        let taken = start.elapsed();
        for (player, ack) in players.iter().zip(acks) {
            bytes += server.packets(player.id).map(<[u8]>::len).sum::<usize>();
            ack.iter().for_each(|ack| server.take_ack(player.id, ack));
        }
        if tick >= WARM {
            times.push(taken);
        }
    }
    assert_eq!(bytes, answers.bytes, "the answers are those to other packets");
    let of_each = (0..PLAYERS).filter_map(|index| server.observer_bytes(ObserverId::new(index, 0)));
    let (memory, most) = of_each.fold((0, 0), |(sum, most), bytes| (sum + bytes, most.max(bytes)));
    println!(
        "  Server::tick, {threads:?}: {}; {} bytes per observer and tick, {} entities held, {} kB of memory per observer \
         ({} kB at most)",
        of(times),
        bytes / (WARM + TICKS) / PLAYERS as usize,
        answers.held / PLAYERS as usize,
        memory / PLAYERS as usize / 1000,
        most / 1000
    );
}

fn world<'a>(royale: &'a royale::World, players: &'a [Observer<'a>], tick: usize) -> World<'a> {
    World {
        entities: &royale.entities,
        changed: (tick > 0).then_some(&royale.changed[..]),
        observers: players,
        ..World::empty(Tick(tick as u32))
    }
}
