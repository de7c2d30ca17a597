//! A warm tick takes no memory, at 10 and at 100 observers, all of whom acknowledge what they get; neither on the
//! calling thread alone nor through a pool.

#[path = "server/game.rs"]
#[allow(dead_code)] // The game of the server's tests: not all of it is played here.
mod game;

use fogwall::{
    Bounds, ChangeOf, ChangeQuery, GroupId, MatchId, Mode, Observer, Point2, PresenterReach, QueryAnswer,
    QueryId, Region, Replica, Server, Streams, Subscription, Threads, Tick, TopicId,
};
use game::{Dice, Game, Lists, Setting};
use std::sync::{Arc, mpsc};

/// Ticks until everything is warm: more than the datagrams that a link remembers.
const WARM: usize = 700;

static TOPICS: [TopicId; 1] = [TopicId(0)];
static ASKED: [Subscription; 2] = [
    Subscription { region: Region::Disc { center: Point2::new(5.0, 5.0), radius_m: 4.0 }, categories: 0 },
    Subscription { region: Region::Disc { center: Point2::new(9.0, 5.0), radius_m: 9.0 }, categories: 1 },
];

/// Groups that nobody was of before, and of which nobody is in the next tick, and interests that change.
fn mingle(lists: &mut Lists<'_>, groups: &'static [GroupId], tick: usize) {
    let group = |index: usize| &groups[(tick * 3 + index % 3) % (groups.len() - 2)..][..index % 3];
    for (index, entity) in lists.entities.iter_mut().enumerate() {
        entity.groups = group(index);
        entity.streams = if index % 5 == 0 { Streams::GroupsOnly } else { Streams::All };
        entity.presenter = index == tick % 16;
        entity.topics = &TOPICS[..index % 2];
    }
    for (index, observer) in lists.observers.iter_mut().enumerate() {
        observer.groups = group(index + tick % 2);
        observer.subscriptions = &ASKED[..(index + tick / 7) % 3];
        observer.topics = &TOPICS[..(index + tick / 5) % 2];
    }
}

/// What all are interested in.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    /// In nothing but what is there.
    Plain,
    /// In groups, regions and topics that change.
    Mingles,
    /// In what changes.
    Asks,
}

/// Ticks with allocations once warm, and how many.
fn of_warm_ticks(players: usize, ticks: usize, threads: Threads, manner: Manner) -> Vec<(usize, u64)> {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, players, 7);
    let mut server = setting.server(threads);
    let mut replicas: Vec<_> =
        (0..players).map(|_| Replica::new(Arc::clone(setting.rules.schema()))).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    // Allocations are counted on the thread that calls: the pool's other one is kept from taking its work.
    let (done, until_done) = mpsc::channel::<()>();
    pool.spawn(move || assert!(until_done.recv().is_err()));
    let (mut counts, mut queries, mut dice, mut told) = (Vec::new(), Vec::new(), Dice(8), 0);
    // At first everybody is told of everything, so that all lists have been as long as the world makes them.
    server.switch(MatchId(0), Some(Mode::Open));
    server.switch_presenters(MatchId(0), PresenterReach::Match);
    let groups: &'static [GroupId] = (0..5000).map(GroupId).collect::<Vec<_>>().leak();
    for tick in 0..WARM + ticks {
        if tick == 100 {
            server.switch(MatchId(0), None);
        }
        game.step();
        let mut lists = game.lists(&setting);
        if manner == Manner::Mingles {
            mingle(&mut lists, groups, tick);
        }
        let world = lists.world();
        let mut of_tick = || {
            allocation_counter::measure(|| {
                server.tick(&world);
            })
        };
        let taken = if threads == Threads::One { of_tick() } else { pool.install(of_tick) };
        if manner == Manner::Asks && tick == 0 {
            queries = register(&mut server, &lists.observers, world.tick);
        }
        let of_answers = allocation_counter::measure(|| told += ask(&mut server, &queries, &mut dice));
        let mut acks = Vec::new();
        for (observer, replica) in lists.observers.iter().zip(&mut replicas) {
            for datagram in server.packets(observer.id) {
                replica.receive(datagram).unwrap();
            }
            acks.extend(replica.ack().map(|ack| (observer.id, ack)));
        }
        let of_acks = allocation_counter::measure(|| {
            acks.iter().for_each(|(id, ack)| server.take_ack(*id, ack));
        });
        let count = taken.count_total + of_answers.count_total + of_acks.count_total;
        if tick >= WARM && count > 0 {
            counts.push((tick, count));
        }
    }
    drop(done);
    assert!(manner != Manner::Asks || told > 1000, "{told} told");
    counts
}

#[test]
fn a_warm_tick_of_ten_observers_allocates_nothing() {
    assert_eq!(of_warm_ticks(10, 2000, Threads::One, Manner::Plain), []);
}

#[test]
fn a_warm_tick_of_ten_observers_allocates_nothing_through_a_pool() {
    assert_eq!(of_warm_ticks(10, 2000, Threads::Pool, Manner::Plain), []);
}

#[test]
fn a_warm_tick_of_a_hundred_observers_allocates_nothing() {
    assert_eq!(of_warm_ticks(100, 100, Threads::One, Manner::Plain), []);
}

#[test]
fn a_warm_tick_of_a_hundred_observers_allocates_nothing_through_a_pool() {
    assert_eq!(of_warm_ticks(100, 100, Threads::Pool, Manner::Plain), []);
}

#[test]
fn groups_that_come_and_go_and_interests_that_change_take_no_memory() {
    assert_eq!(of_warm_ticks(10, 2000, Threads::One, Manner::Mingles), []);
}

/// Queries about each observer: of all, of a part, of places.
fn register(server: &mut Server, observers: &[Observer<'_>], now: Tick) -> Vec<QueryId> {
    let all = ChangeQuery { bounds: Bounds::EVERYWHERE, categories: 0, of: ChangeOf::Anything, since: now };
    let part = ChangeQuery { bounds: Bounds::Plan(ASKED[0].region), ..all };
    let kinds = [all, part, ChangeQuery { of: ChangeOf::Place, ..part }];
    let each = observers.iter().flat_map(|observer| kinds.map(|query| (observer.id, query)));
    each.map(|(observer, query)| server.register_query(observer, &query).unwrap()).collect()
}

/// Some of the queries are moved and asked; how much was told.
fn ask(server: &mut Server, queries: &[QueryId], dice: &mut Dice) -> usize {
    let (turn, at) = (dice.roll(70) as usize, Point2::new(dice.share() * 12.0, dice.share() * 12.0));
    let bounds = Bounds::Plan(Region::Disc { center: at, radius_m: 4.0 });
    let asked = queries.iter().skip(turn % 7).step_by(turn + 1);
    asked.fold(0, |told, query| {
        server.move_query(*query, bounds).unwrap();
        told + match server.changes(*query).unwrap() {
            QueryAnswer::FullSync(all) => all.count(),
            QueryAnswer::Since(changes) => {
                changes.entered.count() + changes.changed.count() + changes.left.count()
            }
        }
    })
}

#[test]
fn change_queries_take_no_memory_in_ticks_nor_in_answers() {
    assert_eq!(of_warm_ticks(10, 2000, Threads::One, Manner::Asks), []);
}
