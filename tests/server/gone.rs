//! What is gone from the world tells no more than what is hidden.

use crate::client::Client;
use crate::game::{Game, Setting};
use fogwall::{ObserverId, Point3, Threads};

#[derive(Clone, Copy, PartialEq)]
enum Other {
    Enemy,
    Mate,
}

#[derive(Clone, Copy, PartialEq)]
enum Leaves {
    Sight,
    World,
}

/// The first player's datagrams, tick by tick, and how much its client holds; in tick 10 the other one leaves.
fn play(setting: &Setting, other: Other, leaves: Leaves) -> (Vec<Vec<Vec<u8>>>, Vec<usize>) {
    let (mut game, mut server) = (Game::new(setting, 2, 5), setting.server(Threads::One));
    let mut client = Client::new(setting, ObserverId::new(0, 0));
    let (mut sent, mut held) = (Vec::new(), Vec::new());
    for now in 0..80 {
        game.stand();
        let mut lists = game.lists(setting);
        lists.sounds.clear();
        // Each player's weapon comes after it.
        let own_team = lists.entities[0].team;
        for (place, entity) in lists.entities.iter_mut().take(4).enumerate() {
            let x = if place >= 2 && now >= 10 { 10.0 } else { 2.0 };
            entity.pos = Point3::new(x, if place < 2 { 6.0 } else { 3.0 }, 0.0);
            if other == Other::Mate {
                entity.team = own_team;
            }
        }
        // The tick after the last one in sight is told: who leaves the world then is already out of sight.
        if now >= 11 && leaves == Leaves::World {
            lists.entities.drain(2..4);
        }
        server.tick(&lists.world());
        sent.push(server.packets(client.id).map(<[u8]>::to_vec).collect());
        client.take(&mut server);
        held.push(client.replica.len());
    }
    (sent, held)
}

#[test]
fn an_enemy_that_leaves_the_world_leaves_as_one_that_hides() {
    let setting = Setting::new("high_wall_hides", &[]);
    let ((hides, held), (goes, _)) =
        (play(&setting, Other::Enemy, Leaves::Sight), play(&setting, Other::Enemy, Leaves::World));
    assert_eq!(held[9] - held[79], 2, "it and its weapon were known and are not any more");
    assert_eq!(held[9], held[20], "they are held for a while");
    for (now, (hides, goes)) in hides.iter().zip(&goes).enumerate() {
        assert!(hides == goes, "tick {now} tells the one from the other");
    }
}

#[test]
fn a_team_mate_that_leaves_the_world_is_removed_at_once() {
    let setting = Setting::new("high_wall_hides", &[]);
    let ((_, stays), (_, goes)) =
        (play(&setting, Other::Mate, Leaves::Sight), play(&setting, Other::Mate, Leaves::World));
    assert_eq!((stays[9], stays[11]), (goes[9], stays[9]));
    assert_eq!(goes[11], goes[9] - 2);
}
