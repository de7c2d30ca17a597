//! `Server::tick` whole, packets included, with clients that acknowledge what they get: 5v5 at 128 Hz on an arena and on
//! a recorded match, 100 against each other and 100 of one team on an arena; where the time goes, and from which size on threads gain.
#![allow(missing_docs)]

mod scene;

use fogwall::{
    Baked, DEFAULT_RULES, Filter, FilterReport, HiddenBy, Lent, Replica, Roster, Rules, Server,
    ServerOptions, Threads, View,
};
use scene::recorded::{Moment, baked, doubled, read};
use scene::{arena::walk, corpus, real};
use std::sync::Arc;
use std::time::{Duration, Instant};

const RTT_MS: f64 = 60.0;
const TICK_MS: f64 = 1000.0 / 128.0;
/// Ticks before the clock runs: lists have grown, acknowledgements go round.
const WARM: usize = 256;
/// Ticks of a recording that are read, at half as many a second.
const RECORDED: usize = 4000;

/// What a match is played with.
struct Setting {
    rules: Arc<Rules>,
    baked: Arc<Baked>,
}

fn main() {
    let rules = Arc::new(Rules::parse(DEFAULT_RULES, "rules.ron").expect("the rules hold").rules);
    let setting = |baked| Setting { rules: Arc::clone(&rules), baked: Arc::new(baked) };
    // Names of what to measure: `cargo bench --bench tick -- dust2`.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part));
    let foundry = setting(baked(&corpus("arena_foundry")));
    let walked = |players, teams, ticks| walk(&foundry.baked, &rules, players, teams, (ticks, TICK_MS / 1e3));
    if is_wanted("5v5, arena_foundry") {
        foundry.measure("5v5, arena_foundry", &walked(10, 2, 4000));
    }
    if is_wanted("5v5, de_dust2") {
        let recording = real("de_dust2").with_file_name("../recordings/m08_de_dust2.jsonl.gz");
        match read(&recording, &rules, RECORDED) {
            Some(moments) => setting(baked(&real("de_dust2"))).measure("5v5, de_dust2", &doubled(&moments)),
            None => println!("no recording at {}: the match on de_dust2 is left out", recording.display()),
        }
    }
    if is_wanted("100 against each other") {
        foundry.measure("100 against each other, arena_foundry", &walked(100, 100, 1200));
    }
    // Everybody is told of everybody by right: what is left is the sending.
    if is_wanted("100 of one team") {
        foundry.measure("100 of one team, arena_foundry", &walked(100, 1, 1200));
    }
    if !is_wanted("crossover") {
        return;
    }
    foundry.cross_over(&walked);
}

impl Setting {
    /// Prints what a tick of a match takes, and the shares of its stages.
    fn measure(&self, name: &str, moments: &[Moment]) {
        let (mut times, bytes) = self.serve(moments, Threads::One);
        let ([begin, observe], report) = self.filter(moments);
        let whole = mean(&times);
        times.sort_unstable();
        let at = |share: usize| times[times.len() * share / 1000].as_secs_f64() * 1e6;
        let us = |time: Duration| time.as_secs_f64() * 1e6;
        println!(
            "{name}: {:.1} us a tick in the mean; {:.1} median, {:.1} p99, {:.1} p99.9; {bytes:.0} bytes",
            us(whole),
            at(500),
            at(990),
            at(999)
        );
        let sending = whole.saturating_sub(begin + observe);
        println!(
            "  filter, shared part {:.1}; filter, observers {:.1}; sending and the rest {:.1}",
            us(begin),
            us(observe),
            us(sending)
        );
        let share = |count: u64| 100.0 * count as f64 / report.candidates.max(1) as f64;
        println!(
            "  of {:.0} contested pairs a tick: {:.1} % hidden by the bake, {:.1} % by lines of sight; {:.2} % solved, {:.3} % capped",
            report.candidates as f64 / moments.len() as f64,
            share(report.hidden[HiddenBy::Pvs as usize]),
            share(report.hidden[HiddenBy::Sight as usize]),
            share(report.windows),
            share(report.capped)
        );
    }

    /// Prints what ticks of more and more players take inline and on the pool.
    fn cross_over(&self, walked: &dyn Fn(usize, usize, usize) -> Vec<Moment>) {
        println!("pairs: us a tick inline, and on a pool of {}, in the median", rayon::current_num_threads());
        for players in [2, 4, 6, 8, 10, 16, 32, 64, 100] {
            let moments = walked(players, players, 700);
            let [inline, pool] = [Threads::One, Threads::Pool].map(|threads| {
                let mut times = self.serve(&moments, threads).0;
                times.sort_unstable();
                times[times.len() / 2].as_secs_f64() * 1e6
            });
            println!("{:>6}: {inline:>8.1} {pool:>8.1}", players * players);
        }
    }

    /// Times of all warm ticks, and the bytes of one in the mean.
    fn serve(&self, moments: &[Moment], threads: Threads) -> (Vec<Duration>, f64) {
        let options = ServerOptions { tick_ms: TICK_MS, secret: [7; 32], threads };
        let mut server = Server::new(Arc::clone(&self.rules), Arc::clone(&self.baked), options)
            .expect("the rules fit the bake");
        let slots = moments.iter().flat_map(|m| &m.bodies).map(|body| body.id.index + 1).max().unwrap_or(0);
        let schema = self.rules.schema();
        let mut replicas: Vec<_> = (0..slots).map(|_| Replica::new(Arc::clone(schema))).collect();
        let (mut times, mut bytes) = (Vec::new(), 0);
        for (index, moment) in moments.iter().enumerate() {
            let players = moment.players(&[RTT_MS]);
            let world = moment.world(index, &players);
            let start = Instant::now();
            server.tick(&world);
            let taken = start.elapsed();
            let mut sent = 0;
            for player in &players {
                let replica = &mut replicas[player.id.index as usize];
                for datagram in server.packets(player.id) {
                    sent += datagram.len();
                    // A client that joined again starts anew; here nobody's link is cut.
                    let _ = replica.receive(datagram);
                }
                if let Some(ack) = replica.ack() {
                    server.take_ack(player.id, &ack);
                }
            }
            if index >= WARM {
                times.push(taken);
                bytes += sent;
            }
        }
        let ticks = times.len() as f64;
        (times, bytes as f64 / ticks)
    }

    /// Times of a warm tick of the filter alone: what is shared, and what is the observers'.
    fn filter(&self, moments: &[Moment]) -> ([Duration; 2], FilterReport) {
        let Self { rules, baked } = self;
        let mut filter = Filter::new(rules, baked, TICK_MS);
        let mut scratch = filter.scratch();
        let (mut entities, mut observers) = (Roster::default(), Roster::default());
        let mut views: Vec<View> = Vec::new();
        let (mut times, mut report) = ([Duration::ZERO; 2], FilterReport::default());
        for (index, moment) in moments.iter().enumerate() {
            let players = moment.players(&[RTT_MS]);
            let world = moment.world(index, &players);
            entities.refresh_entities(world.entities, &mut Vec::new());
            observers.refresh_observers(world.observers, &mut Vec::new());
            let lent = Lent { world: &world, entities: &entities, observers: &observers, rules, baked };
            let start = Instant::now();
            filter.begin(&lent);
            let begun = Instant::now();
            for (place, player) in players.iter().enumerate() {
                let slot = player.id.index as usize;
                while views.len() <= slot {
                    views.push(filter.view());
                }
                filter.observe(&lent, place, &mut views[slot], &mut scratch);
                report += *views[slot].report();
            }
            if index >= WARM {
                times[0] += begun - start;
                times[1] += begun.elapsed();
            }
        }
        (times.map(|time| time / moments.len().saturating_sub(WARM).max(1) as u32), report)
    }
}

fn mean(times: &[Duration]) -> Duration {
    times.iter().sum::<Duration>() / times.len().max(1) as u32
}
