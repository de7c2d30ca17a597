//! What an observer costs in memory is bounded by what it is told, not by what exists.

#[path = "server/game.rs"]
#[allow(dead_code)] // The game of the server's tests: not all of it is played here.
mod game;

use fogwall::{
    Bounds, ChangeOf, ChangeQuery, Entity, EntityId, Observer, ObserverId, Point3, Replica, Threads, Tick,
    Value, World,
};
use game::Setting;
use std::sync::Arc;

/// Entities around the observers: all that these are told.
const NEAR: u32 = 60;
const TICKS: u32 = 60;

static KIND: [Value<'static, EntityId>; 1] = [Value::Int(7)];

fn setting() -> Setting {
    let thing = "classes: [(name: \"thing\", fields: [
            (name: \"pos\", encoding: Position(step_m: 0.01), seen: Exact, team: Exact, owner: Exact),
            (name: \"kind\", encoding: Int(min: 0, max: 255), seen: Exact, team: Exact, owner: Exact),
        ],
        grants: (own: Seen, owned: Hidden, team: Hidden, group: Hidden, presenter: Hidden, always: Hidden),
        sight: Always, relevance: (enter_m: 100.0, leave_m: 110.0), motion: Still, priority: (base: 1.0)),";
    Setting::new("only_what_must_be_there", &[("classes: [", thing)])
}

/// Whether change queries are asked of the observers.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    No,
    Yes,
}

/// Bytes of a server with so many observers, and those that it says to hold for them, after clients that acknowledged, in a world of so many entities.
fn bytes(setting: &Setting, observers: u32, entities: u32, asked: Asked) -> [i64; 2] {
    let class = setting.rules.class_id("thing").unwrap();
    let thing = |index: u32, tick: u32| {
        let place = f64::from(index % 1000);
        let far_m = if index < NEAR { 0.0 } else { 300.0 };
        let step = if index.is_multiple_of(7) { f64::from(tick) * 0.02 } else { 0.0 };
        let pos = Point3::new(far_m + place * 0.1, step, 0.0);
        Entity { values: &KIND, ..Entity::new(EntityId::new(index, 0), class, pos) }
    };
    let players: Vec<_> = (0..observers)
        .map(|index| Observer::player(ObserverId::new(index, 0), EntityId::new(index, 0), None))
        .collect();
    let mut replicas: Vec<_> =
        players.iter().map(|_| Replica::new(Arc::clone(setting.rules.schema()))).collect();
    let mut held = 0;
    let mut kept = None;
    for tick in 1..TICKS {
        let entities: Vec<Entity<'_>> = (0..entities).map(|index| thing(index, tick)).collect();
        let changed: Vec<u32> = (0..entities.len() as u32).filter(|index| index.is_multiple_of(7)).collect();
        let world = World { entities: &entities, observers: &players, ..World::empty(Tick(tick)) };
        held += allocation_counter::measure(|| {
            let server = kept.get_or_insert_with(|| setting.server(Threads::One));
            server.tick(&World { changed: (tick > 1).then_some(&changed[..]), ..world });
            for player in players.iter().filter(|_| tick == 1 && asked == Asked::Yes) {
                let (bounds, since) = (Bounds::EVERYWHERE, world.tick);
                let query = ChangeQuery { bounds, categories: 0, of: ChangeOf::Anything, since };
                server.register_query(player.id, &query).unwrap();
            }
        })
        .bytes_current;
        let server = kept.as_mut().unwrap();
        for (player, replica) in players.iter().zip(&mut replicas) {
            server.packets(player.id).for_each(|datagram| _ = replica.receive(datagram).unwrap());
            if let Some(ack) = replica.ack() {
                held += allocation_counter::measure(|| server.take_ack(player.id, &ack)).bytes_current;
            }
        }
    }
    let server = kept.unwrap();
    assert!(players.iter().all(|player| server.frame(player.id).unwrap().len() == NEAR as usize));
    let said: usize = players.iter().map(|player| server.observer_bytes(player.id).unwrap()).sum();
    [held, said as i64]
}

/// Bytes that one observer more takes, and those that are said.
fn bytes_of_one(setting: &Setting, entities: u32, asked: Asked) -> [i64; 2] {
    let [few, more] = [10, 30].map(|observers| bytes(setting, observers, entities, asked));
    [0, 1].map(|of| (more[of] - few[of]) / 20)
}

#[test]
fn an_observer_costs_what_it_is_told_and_not_what_exists() {
    let setting = setting();
    let mut of_queries = Vec::new();
    for asked in [Asked::No, Asked::Yes] {
        let [[few, few_said], [many, many_said]] =
            [1_000, 100_000].map(|entities| bytes_of_one(&setting, entities, asked));
        println!("{few} bytes per observer beside 1,000 entities, {many} beside 100,000; said: {few_said}");
        assert_eq!(few_said, many_said);
        assert!(
            (few - many).abs() * 100 <= few,
            "{few} bytes and {many} are within a hundredth of each other"
        );
        // The rest is what is kept of its eyes, for whoever looks with them.
        assert!((0..=few / 10).contains(&(few - few_said)), "{few} bytes, of which {few_said} are said");
        of_queries.push(few_said);
    }
    assert!(of_queries[0] < of_queries[1]);
}
