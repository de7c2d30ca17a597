//! The same datagrams for any number of threads and any order of the game's lists.

use crate::game::{Dice, Game, Lists, Setting};
use fogwall::{ObserverId, Server, Threads};

fn shuffle<T>(list: &mut [T], dice: &mut Dice) {
    for i in (1..list.len()).rev() {
        list.swap(i, dice.roll(i as u64 + 1) as usize);
    }
}

fn sent(server: &Server, lists: &Lists<'_>) -> Vec<(ObserverId, Vec<Vec<u8>>)> {
    let mut all: Vec<_> = lists
        .observers
        .iter()
        .map(|observer| (observer.id, server.packets(observer.id).map(<[u8]>::to_vec).collect()))
        .collect();
    all.sort_unstable_by_key(|(id, _): &(ObserverId, Vec<Vec<u8>>)| id.index);
    all
}

#[test]
fn threads_and_order_change_no_byte() {
    // Little room, so that turns matter.
    let setting = Setting::new("two_staggered_walls_fuse", &[("budget_bytes: 1200", "budget_bytes: 200")]);
    let mut game = Game::new(&setting, 12, 3);
    let pools =
        [1, 2, 7].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let mut servers = pools.each_ref().map(|_| setting.server(Threads::Pool));
    let mut dice = Dice(77);
    let mut bytes = 0;
    for tick in 0..300 {
        game.step();
        let mut expected = None;
        for (server, pool) in servers.iter_mut().zip(&pools) {
            let mut lists = game.lists(&setting);
            if pool.current_num_threads() > 1 {
                shuffle(&mut lists.entities, &mut dice);
                shuffle(&mut lists.observers, &mut dice);
                shuffle(&mut lists.sounds, &mut dice);
            }
            pool.install(|| server.tick(&lists.world()).clone());
            let sent = sent(server, &lists);
            bytes += sent.iter().flat_map(|(_, list)| list).map(Vec::len).sum::<usize>();
            let expected = expected.get_or_insert_with(|| sent.clone());
            assert!(*expected == sent, "tick {tick}, {} threads", pool.current_num_threads());
        }
    }
    assert!(bytes > 100_000, "{bytes} bytes");
}
