//! What makes trouble in crowds: all in one place, jumps, hand-overs and slots that are used again, every tick.

use crate::client::Client;
use crate::game::{Dice, Game, Lists, Setting};
use fogwall::{
    EntityId, Follows, GroupId, Level, Observer, ObserverId, ObserverKind, Point3, Streams, TeamId, Threads,
};

/// The spectator's handle is not one of a player.
const CAMERA: ObserverId = ObserverId::new(70, 0);

/// All that the client holds is what the server tells it in this tick, or is being held, never more.
fn assert_holds_what_is_told(client: &Client, lists: &Lists<'_>, server: &fogwall::Server, tick: usize) {
    let level = |id: EntityId| server.verdict(client.id, id).map_or(Level::Hidden, |verdict| verdict.level);
    for entity in &lists.entities {
        let held = server.name_of(client.id, entity.id).and_then(|net| client.replica.get(net));
        let told = level(entity.id);
        if told > Level::Hidden && tick > 8 {
            let held = held.unwrap_or_else(|| panic!("tick {tick}: {} is told and not held", entity.id));
            assert_eq!(held.level(), told, "tick {tick}: {}", entity.id);
        }
    }
}

#[test]
fn all_hundred_within_ten_metres_are_told_of_each_other_and_nobody_waits_for_long() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, 100, 81);
    let mut server = setting.server(Threads::One);
    let mut clients = [0, 1, 57].map(|index| Client::new(&setting, ObserverId::new(index, 0)));
    for tick in 0..90 {
        game.step();
        let mut lists = game.lists(&setting);
        for entity in lists.entities.iter_mut().filter(|entity| entity.id.index < 200) {
            let seat = f64::from(entity.id.index % 100);
            entity.pos = Point3::new(
                1.0 + seat % 10.0 * 0.7 + f64::from(tick % 5) * 0.01,
                1.0 + (seat / 10.0).floor() * 0.7,
                0.0,
            );
        }
        server.tick(&lists.world());
        for client in &mut clients {
            client.take(&mut server);
            let report = server.observer_report(client.id).unwrap();
            assert!(report.send.bytes <= 1200);
            if tick > 70 {
                // 200 bodies and weapons that all move, through 940 bytes.
                let [most, all] = [99, 100].map(|percent| report.send.ages.percentile(percent));
                assert!(most <= 32 && all <= 64, "tick {tick}: {most} and {all} ticks, {:?}", report.send);
                let (held, told) = (client.held(&server, &lists).len() as u64, report.filter.relevant());
                assert!(held * 20 >= told * 19, "tick {tick}: {held} of {told}");
            }
        }
    }
}

#[test]
fn a_camera_that_jumps_between_players_knows_what_the_one_knows_and_nothing_of_the_one_before() {
    let setting = Setting::new("high_wall_hides", &[]);
    let mut game = Game::new(&setting, 8, 82);
    let mut server = setting.server(Threads::One);
    let mut client = Client::new(&setting, CAMERA);
    let (mut levels, mut less) = (0, 0);
    for tick in 0..120_u32 {
        game.step();
        let mut lists = game.lists(&setting);
        let whom = EntityId::new(tick * 5 % 8, 0);
        let kind = ObserverKind::Spectator { follows: Follows::Entity(whom) };
        lists.observers.push(Observer { kind, entity: None, ..Observer::player(CAMERA, whom, None) });
        server.tick(&lists.world());
        client.take(&mut server);
        let player = ObserverId::new(whom.index, 0);
        let verdict = |of: ObserverId, entity: EntityId| server.verdict(of, entity).unwrap().level;
        for entity in &lists.entities {
            let (own, camera) = (verdict(player, entity.id), verdict(CAMERA, entity.id));
            // The player knew in the tick before what goes out of its sight in this one: that much more is told it.
            assert!(camera <= own, "tick {tick}: {}: {camera:?} beside {own:?}", entity.id);
            less += u64::from(camera < own);
            levels += u64::from(camera > Level::Hidden);
            // What only the one before may know is gone with it.
            let net = server.name_of(CAMERA, entity.id).filter(|_| camera == Level::Hidden);
            assert!(net.is_none_or(|net| client.replica.get(net).is_none()), "tick {tick}: {}", entity.id);
        }
    }
    assert!(levels > 120 * 4 && less * 50 < levels, "{less} of {levels}");
}

#[test]
fn an_owner_that_changes_every_tick_is_told_as_owner_and_the_one_before_is_not() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, 4, 83);
    let mut server = setting.server(Threads::One);
    let mut clients: Vec<Client> =
        (0..4).map(|index| Client::new(&setting, ObserverId::new(index, 0))).collect();
    for tick in 0..80 {
        game.step();
        let mut lists = game.lists(&setting);
        // The weapon of the first one is carried by whoever owns it.
        let owner = EntityId::new(tick as u32 % 4, 0);
        let weapon = lists.entities.iter().position(|entity| entity.id.index == 4).unwrap();
        lists.entities[weapon].owner = Some(owner);
        lists.entities[weapon].parent = Some(owner);
        lists.entities[weapon].team = Some(TeamId(owner.index as u16 % 2));
        server.tick(&lists.world());
        for client in &mut clients {
            client.take(&mut server);
            let level = server.verdict(client.id, EntityId::new(4, 0)).unwrap().level;
            assert_eq!(level == Level::Owner, client.id.index == owner.index, "tick {tick}");
            assert_holds_what_is_told(client, &lists, &server, tick);
        }
    }
}

#[test]
fn a_group_that_is_left_and_rejoined_every_tick_is_told_in_every_second_tick() {
    let setting = Setting::new("high_wall_hides", &[]);
    let mut game = Game::new(&setting, 4, 84);
    let mut server = setting.server(Threads::One);
    let mut client = Client::new(&setting, ObserverId::new(0, 0));
    let party = [GroupId(3)];
    for tick in 0..80 {
        game.step();
        let mut lists = game.lists(&setting);
        let is_member = tick % 2 == 0;
        // An enemy who stands behind the wall.
        let enemy = lists.entities.iter_mut().find(|entity| entity.id.index == 1).unwrap();
        enemy.groups = &party;
        enemy.streams = Streams::GroupsOnly;
        let id = enemy.id;
        lists.observers[0].groups = if is_member { &party } else { &[] };
        server.tick(&lists.world());
        client.take(&mut server);
        let level = server.verdict(client.id, id).unwrap().level;
        assert!(if is_member { level >= Level::Team } else { level < Level::Team }, "tick {tick}");
        let held = server.name_of(client.id, id).and_then(|net| client.replica.get(net));
        assert!(held.is_none_or(|held| held.level() == level || level == Level::Hidden), "tick {tick}");
        assert!(is_member || level > Level::Hidden || held.is_none(), "tick {tick}: it is removed at once");
    }
}

#[test]
fn a_slot_that_is_used_again_while_its_removal_is_under_way_is_somebody_else() {
    let setting = Setting::new("two_staggered_walls_fuse", &[]);
    let mut game = Game::new(&setting, 4, 85);
    let mut server = setting.server(Threads::One);
    let mut client = Client::new(&setting, ObserverId::new(0, 0));
    let mut dice = Dice(9);
    for tick in 0..200_u32 {
        game.step();
        let mut lists = game.lists(&setting);
        // The drops' slots change hands every third tick.
        for entity in lists.entities.iter_mut().filter(|entity| (8..14).contains(&entity.id.index)) {
            entity.id.generation = tick / 3 + entity.id.index;
        }
        server.tick(&lists.world());
        // Half of what is sent is lost, and so are its acknowledgements.
        if dice.roll(2) == 0 {
            client.take(&mut server);
        }
        for entity in &lists.entities {
            let Some(net) = server.name_of(client.id, entity.id) else { continue };
            assert_eq!(server.resolve(client.id, net), Some(entity.id), "tick {tick}");
            let Some(held) = client.replica.get(net) else { continue };
            assert_eq!(held.class(), entity.class, "tick {tick}: {}", entity.id);
        }
        // One that had the slot before has no name that means the new one.
        for entity in lists.entities.iter().filter(|entity| (8..14).contains(&entity.id.index)) {
            let before = EntityId::new(entity.id.index, entity.id.generation - 1);
            let [old, new] = [before, entity.id].map(|id| server.name_of(client.id, id));
            assert!(old.is_none() || old != new, "tick {tick}");
        }
    }
}
