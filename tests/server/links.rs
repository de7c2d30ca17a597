//! Replicas over bad links hold in the end exactly what is disclosed, and nothing of an earlier generation.

use crate::game::{Dice, Game, Lists, Setting};
use fogwall::{EntityId, Level, Replica, Server, Threads, World};
use std::sync::Arc;

/// A link both ways, with delays of up to so many ticks.
struct Link {
    dice: Dice,
    loss: f64,
    jitter_ticks: u64,
    down: Vec<(u64, Vec<u8>)>,
    up: Vec<(u64, Vec<u8>)>,
    replica: Replica,
}

impl Link {
    fn new(setting: &Setting, seed: u64) -> Self {
        Self {
            dice: Dice(seed),
            loss: 0.3,
            jitter_ticks: 13,
            down: Vec::new(),
            up: Vec::new(),
            replica: Replica::new(Arc::clone(setting.rules.schema())),
        }
    }

    fn heal(&mut self) {
        (self.loss, self.jitter_ticks) = (0.0, 1);
    }

    fn put(&mut self, now: u64, bytes: &[u8], is_down: bool) {
        let copies = if self.loss > 0.0 && self.dice.roll(10) == 0 { 2 } else { 1 };
        for _ in 0..copies {
            if self.dice.share() >= self.loss {
                let due = now + 1 + self.dice.roll(self.jitter_ticks);
                if is_down { &mut self.down } else { &mut self.up }.push((due, bytes.to_vec()));
            }
        }
    }

    /// What arrives now, in whatever order it happens to.
    fn due(&mut self, now: u64, is_down: bool) -> Vec<Vec<u8>> {
        let line = if is_down { &mut self.down } else { &mut self.up };
        let (due, rest): (Vec<_>, Vec<_>) = std::mem::take(line).into_iter().partition(|(at, _)| *at <= now);
        *line = rest;
        let mut due: Vec<_> = due.into_iter().map(|(_, bytes)| bytes).collect();
        for i in (1..due.len()).rev() {
            due.swap(i, self.dice.roll(i as u64 + 1) as usize);
        }
        due
    }

    fn tick(&mut self, server: &mut Server, lists: &Lists<'_>, place: usize, now: u64) {
        let id = lists.observers[place].id;
        let sent: Vec<Vec<u8>> = server.packets(id).map(<[u8]>::to_vec).collect();
        for datagram in &sent {
            assert!(datagram.len() <= 576, "over the MTU");
            self.put(now, datagram, true);
        }
        let mut came = false;
        for datagram in self.due(now, true) {
            // What comes twice or too late is refused, and that is well.
            came |= self.replica.receive(&datagram).is_ok();
        }
        self.replica.advance(lists.tick);
        if came && let Some(ack) = self.replica.ack() {
            self.put(now, &ack, false);
        }
        for ack in self.due(now, false) {
            server.take_ack(id, &ack);
        }
    }

    /// What the replica holds and is not stale: entity and level, by the server's own names.
    fn held(&self, server: &Server, lists: &Lists<'_>, place: usize) -> Vec<(u32, Level)> {
        let id = lists.observers[place].id;
        let name = |entity: EntityId| Some((entity, server.name_of(id, entity)?));
        let names: Vec<_> = lists.entities.iter().filter_map(|entity| name(entity.id)).collect();
        let mut held: Vec<_> = self
            .replica
            .entities()
            .map(|entity| {
                let of = names.iter().find(|(_, net)| *net == entity.net());
                (of.map_or(u32::MAX, |(id, _)| id.index), entity.level())
            })
            .collect();
        held.sort_unstable_by_key(|(slot, _)| *slot);
        held
    }
}

fn disclosed(server: &Server, lists: &Lists<'_>, place: usize) -> Vec<(u32, Level)> {
    let id = lists.observers[place].id;
    let level = |entity: EntityId| server.verdict(id, entity).unwrap().level;
    let mut told: Vec<_> = lists
        .entities
        .iter()
        .map(|entity| (entity.id.index, level(entity.id)))
        .filter(|(_, level)| *level > Level::Hidden)
        .collect();
    told.sort_unstable_by_key(|(slot, _)| *slot);
    told
}

#[test]
fn every_replica_converges_once_the_link_heals() {
    // Drops stay known once seen; here they leave as the others do, so that "exactly" means something.
    let setting = Setting::new(
        "two_staggered_walls_fuse",
        &[("mtu_bytes: 1200", "mtu_bytes: 576"), ("leave: Never,", "leave: Removal,")],
    );
    for seed in 1..=3 {
        let mut game = Game::new(&setting, 10, seed);
        let mut server = setting.server(Threads::One);
        let mut links: Vec<Link> =
            (0..game.players()).map(|i| Link::new(&setting, seed + i as u64)).collect();
        let mut now = 0;
        let mut run = |game: &Game, server: &mut Server, links: &mut [Link]| {
            let lists = game.lists(&setting);
            server.tick(&lists.world());
            now += 1;
            for (place, link) in links.iter_mut().enumerate() {
                link.tick(server, &lists, place, now);
            }
        };
        for _ in 0..400 {
            game.step();
            run(&game, &mut server, &mut links);
        }
        links.iter_mut().for_each(Link::heal);
        // Everybody stands still: the match's state is what it is. The round trip is 2 ticks, a loss shows after an ack
        // more, holds are 16 ticks and delayed removals come last.
        for _ in 0..60 {
            game.stand();
            run(&game, &mut server, &mut links);
        }
        let lists = game.lists(&setting);
        for (place, link) in links.iter().enumerate() {
            let (held, told) = (link.held(&server, &lists, place), disclosed(&server, &lists, place));
            assert_eq!(held, told, "seed {seed}, observer {place}");
            assert!(told.len() > 3, "an own team at least");
        }
    }
}

#[test]
fn a_client_that_is_gone_is_told_nothing_and_starts_anew_when_it_comes_back() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, 4, 5);
    let mut server = setting.server(Threads::One);
    let first = {
        game.step();
        let lists = game.lists(&setting);
        server.tick(&lists.world());
        server.name_of(lists.observers[0].id, lists.entities[0].id).unwrap()
    };
    game.step();
    let lists = game.lists(&setting);
    let gone = World { observers: &lists.observers[1..], ..lists.world() };
    server.tick(&gone);
    let id = lists.observers[0].id;
    assert_eq!(server.packets(id).count(), 0);
    assert_eq!(server.resolve(id, first), None);
    game.step();
    let lists = game.lists(&setting);
    server.tick(&lists.world());
    assert_ne!(server.name_of(id, lists.entities[0].id), Some(first), "names start anew");
    let mut replica = Replica::new(Arc::clone(setting.rules.schema()));
    for datagram in server.packets(id) {
        replica.receive(datagram).unwrap();
    }
    assert!(replica.len() >= 4, "all of its own at once");
}
