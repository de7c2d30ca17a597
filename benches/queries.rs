//! Change queries: 100 changes a tick beside a thousand, ten thousand and a hundred thousand entities, of which an
//! observer is told five hundred, or all of up to ten thousand. What a tick remembers and what an answer takes must not grow
//! with them: in instructions it is the same, in time it is what the caches leave of it.
#![allow(missing_docs)]

mod scene;

use fogwall::{
    Baked, Bounds, ChangeOf, ChangeQuery, Entity, EntityId, Observer, ObserverId, Point3, QueryAnswer,
    QueryId, Rules, Server, ServerOptions, Threads, Tick, Value, World,
};
use scene::{Random, corpus, recorded};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

const TICK_MS: f64 = 1000.0 / 30.0;
const OBSERVER: ObserverId = ObserverId::new(0, 0);
const CHANGES: usize = 100;
/// Of which an observer is told where it is not told all.
const NEAR: usize = 500;
/// Ticks before the clock runs, and while it does.
const WARM: u32 = 100;
const TICKS: u32 = 200;

const RULES: &str = r#"(
    version: 1, extent_m: 4096.0, mode: Enforce, team_vision: Off,
    lead: (rtt_min_ms: 5.0, rtt_max_ms: 150.0, jitter_ms: 8.0, input_delay_ms: 0.0, extrapolation_ms: 0.0, loss_ticks: 1),
    hold_ms: 250.0, view_cone_deg: 60.0, smoke: (opaque_depth_m: 1.0, rim_m: 0.5), solver_nodes: 64,
    sending: (
        budget_bytes: 1200, bytes_per_second: 60000, burst_bytes: 6000, mtu_bytes: 1200,
        padding: None, stale_ticks: 255, notice_ticks: 16,
    ),
    classes: [(
        name: "thing",
        fields: [
            (name: "pos", encoding: Position(step_m: 0.01), seen: Exact, team: Exact, owner: Exact),
            (name: "kind", encoding: Int(min: 0, max: 255), seen: Exact, team: Exact, owner: Exact),
        ],
        grants: (own: Seen, owned: Hidden, team: Hidden, group: Hidden, presenter: Hidden, always: Hidden),
        sight: Always, relevance: (enter_m: 150.0, leave_m: 160.0), motion: Still, priority: (base: 1.0),
    )],
    sounds: [], events: [],
)"#;

/// What the observer is told.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    Some,
    All,
}

/// Whether anybody asks.
#[derive(Clone, Copy, PartialEq)]
enum Asks {
    Nobody,
    Two,
}

fn main() {
    let rules =
        Arc::new(Rules::parse(RULES, "queries.ron").unwrap_or_else(|errors| panic!("{errors}")).rules);
    let baked = Arc::new(recorded::baked(&corpus("only_what_must_be_there")));
    // `cargo bench --bench queries -- all 100000 nobody 50`: one run of so many ticks, to count its instructions.
    let words: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    if let [told, entities, asks, ticks] = &words[..] {
        let told = if told == "all" { Told::All } else { Told::Some };
        let asks = if asks == "nobody" { Asks::Nobody } else { Asks::Two };
        let number = |word: &String| word.parse::<u32>().expect("a number");
        run((&rules, &baked), number(entities) as usize, (told, asks), number(ticks));
        return;
    }
    // An observer that is told more than has names would be about that.
    for (told, counts) in [(Told::Some, &[1_000, 10_000, 100_000][..]), (Told::All, &[1_000, 10_000])] {
        for &entities in counts {
            let [remembering, answering] = run((&rules, &baked), entities, (told, Asks::Two), TICKS);
            let of = if told == Told::All { entities } else { NEAR };
            println!(
                "{entities} entities, {of} told, {CHANGES} changes a tick: {remembering:.1} us a tick to remember, \
                 {answering:.1} us for two answers (medians)"
            );
        }
    }
}

/// A world of so many, of which a hundred change each tick; the medians of what is remembered and answered, microseconds.
fn run(
    (rules, baked): (&Arc<Rules>, &Arc<Baked>),
    entities: usize,
    (told, asks): (Told, Asks),
    ticks: u32,
) -> [f64; 2] {
    let options = ServerOptions { tick_ms: TICK_MS, secret: [7; 32], threads: Threads::One };
    let mut server =
        Server::new(Arc::clone(rules), Arc::clone(baked), options).expect("the rules fit the bake");
    server.use_clock(Some(now_ns));
    let mut random = Random(11);
    let (class, kinds) = (rules.class_id("thing").expect("the rules have it"), kinds());
    let mut at = |far_m: f64| Point3::new(far_m + random.unit() * 100.0, random.unit() * 100.0, 0.0);
    let mut world: Vec<Entity<'_>> = (0..entities)
        .map(|index| {
            let far_m = if told == Told::All || index < NEAR { 0.0 } else { 1000.0 };
            Entity {
                values: &kinds[index % 256],
                ..Entity::new(EntityId::new(index as u32, 0), class, at(far_m))
            }
        })
        .collect();
    let observers = [Observer { rtt_ms: &[40.0], ..Observer::player(OBSERVER, world[0].id, None) }];
    let of = if told == Told::All { entities } else { NEAR };
    let (mut changed, mut times, mut queries) = (Vec::new(), [Vec::new(), Vec::new()], Vec::new());
    for tick in 0..WARM.min(ticks) + ticks {
        changed.clear();
        changed
            .extend((0..CHANGES).map(|index| (index * (of / CHANGES) + random.below(of / CHANGES)) as u32));
        for &place in &changed {
            world[place as usize].values = &kinds[random.below(256)];
            world[place as usize].pos.x = 100.0 * random.unit();
        }
        let lent = World { entities: &world, observers: &observers, ..World::empty(Tick(tick)) };
        server.tick(&World { changed: (tick > 0).then_some(&changed[..]), ..lent });
        if tick == 0 && asks == Asks::Two {
            queries = register(&mut server);
        }
        let start = Instant::now();
        let count = ask(&mut server, &queries);
        if tick >= WARM {
            assert!(asks == Asks::Nobody || count >= CHANGES / 2, "{count} changes told");
            times[0].push(server.report().times.changes_ns as f64 / 1e3);
            times[1].push(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    times.map(|mut times| {
        times.sort_unstable_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or_default()
    })
}

/// Two queries: about all, and about a part.
fn register(server: &mut Server) -> Vec<QueryId> {
    let all =
        ChangeQuery { bounds: Bounds::EVERYWHERE, categories: 0, of: ChangeOf::Anything, since: Tick(0) };
    let bounds = Bounds::Space { low: Point3::new(0.0, 0.0, -1.0), high: Point3::new(50.0, 50.0, 1.0) };
    let part = ChangeQuery { bounds, of: ChangeOf::Place, ..all };
    [all, part].iter().map(|query| server.register_query(OBSERVER, query).expect("it is served")).collect()
}

/// Asks both; how many entities were told.
#[inline(never)]
fn ask(server: &mut Server, queries: &[QueryId]) -> usize {
    let answers = queries.iter().map(|query| match server.changes(*query).expect("the handle holds") {
        QueryAnswer::FullSync(all) => all.count(),
        QueryAnswer::Since(changes) => {
            changes.entered.count() + changes.changed.count() + changes.left.count()
        }
    });
    answers.sum()
}

fn kinds() -> &'static [[Value<'static, EntityId>; 1]] {
    static KINDS: OnceLock<Vec<[Value<'static, EntityId>; 1]>> = OnceLock::new();
    KINDS.get_or_init(|| (0..256).map(|kind| [Value::Int(kind)]).collect())
}

/// Nanoseconds since the first call.
fn now_ns() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
