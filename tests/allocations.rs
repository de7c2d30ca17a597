//! A warm tick takes no memory: at 10 and at 100 observers, on one thread and through the pool.

#[path = "server/game.rs"]
mod game;

use fogwall::Threads;
use game::{Game, Setting};

/// Allocations per tick, once warm.
fn per_tick(players: usize, threads: Threads) -> Vec<u64> {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, players, 7);
    let mut server = setting.server(threads);
    let mut counts = Vec::new();
    for tick in 0..900 {
        game.step();
        let lists = game.lists(&setting);
        let world = lists.world();
        let count = allocation_counter::measure(|| {
            server.tick(&world);
        });
        if tick >= 600 {
            counts.push(count.count_total);
        }
    }
    counts
}

#[test]
fn a_warm_tick_of_ten_observers_allocates_nothing() {
    let counts = per_tick(10, Threads::One);
    assert!(counts.iter().all(|&count| count == 0), "{counts:?}");
}

#[test]
fn a_warm_tick_of_a_hundred_observers_allocates_nothing() {
    let counts = per_tick(100, Threads::One);
    assert!(counts.iter().all(|&count| count == 0), "{counts:?}");
}
