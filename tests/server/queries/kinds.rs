//! An observer that plays, casts with a delay, and plays again, with a query all the time.

use super::definition::{Key, key};
use crate::game::{Dice, Game, Setting};
use fogwall::{
    Bounds, ChangeOf, ChangeQuery, EntityId, Observer, ObserverId, ObserverKind, QueryAnswer, QueryEntities,
    Server, TeamId, Threads, Tick,
};
use std::collections::BTreeMap;

const OBSERVER: ObserverId = ObserverId::new(50, 0);

/// What an asker holds: records by entity.
type Held = BTreeMap<Key, Vec<u8>>;

fn records(entities: QueryEntities<'_>) -> Held {
    entities.map(|told| (key(told.get().entity), told.get().record.to_vec())).collect()
}

fn apply(held: &mut Held, answer: QueryAnswer<'_>) {
    match answer {
        QueryAnswer::FullSync(all) => *held = records(all),
        QueryAnswer::Since(changes) => {
            for left in changes.left {
                assert!(held.remove(&key(left.get().entity)).is_some(), "what left was there");
            }
            let before = held.len();
            let entered = records(changes.entered);
            let count = entered.len();
            held.extend(entered);
            assert_eq!(held.len(), before + count, "what entered was not there");
            held.extend(records(changes.changed));
            assert_eq!(held.len(), before + count, "what changed was there");
        }
    }
}

/// All that is told now, by a query that was never asked before.
fn all(server: &mut Server, now: Tick) -> Held {
    let query = ChangeQuery {
        bounds: Bounds::EVERYWHERE,
        categories: 0,
        of: ChangeOf::Anything,
        since: now.after(1),
    };
    let query = server.register_query(OBSERVER, &query).unwrap();
    let QueryAnswer::FullSync(told) = server.changes(query).unwrap() else {
        panic!("it is the first answer")
    };
    let told = records(told);
    server.unregister_query(query).unwrap();
    told
}

#[test]
fn answers_add_up_to_what_is_told_whatever_the_observer_becomes() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let (mut game, mut server, mut dice) =
        (Game::new(&setting, 6, 91), setting.server(Threads::One), Dice(92));
    let (mut kind, mut asked, mut held) = (ObserverKind::Player, None, Held::new());
    let (mut of_players, mut of_casters) = (0, 0);
    for tick in 0..1200 {
        game.step();
        if dice.roll(25) == 0 {
            kind = match dice.roll(3) {
                0 => ObserverKind::Player,
                which => ObserverKind::Caster { delay_ticks: [4, 12][which as usize - 1] },
            };
        }
        let mut lists = game.lists(&setting);
        // Now and then it is of the other side.
        let team = TeamId(u16::from(tick % 300 > 200));
        lists
            .observers
            .push(Observer { kind, ..Observer::player(OBSERVER, EntityId::new(0, 0), Some(team)) });
        let world = lists.world();
        server.tick(&world);
        let query = *asked.get_or_insert_with(|| {
            let since = world.tick.after(1);
            let query =
                ChangeQuery { bounds: Bounds::EVERYWHERE, categories: 0, of: ChangeOf::Anything, since };
            server.register_query(OBSERVER, &query).unwrap()
        });
        if dice.roll(3) > 0 {
            continue;
        }
        apply(&mut held, server.changes(query).unwrap());
        assert_eq!(held, all(&mut server, world.tick), "tick {tick}, {kind:?}");
        if kind == ObserverKind::Player {
            let frame = server.frame(OBSERVER).unwrap().entities();
            let told: Held = frame.map(|told| (key(told.get().entity), told.get().record.to_vec())).collect();
            assert_eq!(held, told, "tick {tick}");
            of_players += 1;
        } else {
            of_casters += usize::from(!held.is_empty());
        }
    }
    assert!(of_players > 50 && of_casters > 50, "{of_players} and {of_casters}");
}
