//! A warm tick takes no memory, at 10 and at 100 observers, all of whom acknowledge what they get, but for a list that
//! is longer than it ever was.

#[path = "server/game.rs"]
#[allow(dead_code)] // The game of the server's tests: not all of it is played here.
mod game;

use fogwall::{MatchId, Mode, Replica, Threads};
use game::{Game, Setting};
use std::sync::Arc;

/// Allocations of each tick, once warm.
fn of_warm_ticks(players: usize, warm: usize, ticks: usize) -> Vec<u64> {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, players, 7);
    let mut server = setting.server(Threads::One);
    let mut replicas: Vec<_> =
        (0..players).map(|_| Replica::new(Arc::clone(setting.rules.schema()))).collect();
    let mut counts = Vec::new();
    // At first everybody is told of everything, so that all lists have been as long as they can be.
    server.switch(MatchId(0), Some(Mode::Open));
    for tick in 0..warm + ticks {
        if tick == 100 {
            server.switch(MatchId(0), None);
        }
        game.step();
        let lists = game.lists(&setting);
        let world = lists.world();
        let taken = allocation_counter::measure(|| {
            server.tick(&world);
        });
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
        if tick >= warm {
            counts.push(taken.count_total + of_acks.count_total);
        }
    }
    counts
}

/// A list that is longer than it ever was takes memory once more: it doubles, so that this ends. Nothing else may.
fn assert_warm(counts: &[u64], most: usize) {
    let grew: Vec<_> = counts.iter().enumerate().filter(|(_, count)| **count > 0).collect();
    assert!(grew.len() <= most && grew.iter().all(|(_, count)| **count <= 2), "{grew:?}");
}

#[test]
fn a_warm_tick_of_ten_observers_allocates_nothing() {
    assert_warm(&of_warm_ticks(10, 3000, 1000), 3);
}

#[test]
fn a_warm_tick_of_a_hundred_observers_allocates_nothing() {
    assert_warm(&of_warm_ticks(100, 600, 100), 10);
}
