//! Entering, holding, leaving, re-entering, level by level and bundle by bundle.

use super::*;
use crate::wire::{ColumnSet, Contents, Message, PacketReader};

/// The messages of the last tick's datagrams, datagram by datagram.
fn messages(rig: &Rig) -> Vec<Vec<Message>> {
    let read = |packet| {
        let mut reader = PacketReader::new(rig.policy.schema(), packet).unwrap();
        let mut contents = Contents::default();
        std::iter::from_fn(|| reader.read(&mut contents).unwrap()).collect()
    };
    rig.packets.iter().map(read).collect()
}

fn all(rig: &Rig) -> Vec<Message> {
    messages(rig).concat()
}

#[test]
fn an_entity_enters_is_updated_by_column_and_leaves_after_the_hold() {
    let mut rig = Rig::new(ROOMY);
    let mut player = Thing { level: Level::Team, ..thing(1, PLAYER) };
    let report = rig.run(std::slice::from_ref(&player));
    assert_eq!((report.entered, report.datagrams), (1, 1));
    rig.assert_holds(std::slice::from_ref(&player));
    let name = rig.name(1);
    assert_eq!(rig.outbox.resolve(name), Some(id(1)));
    player.health = 40;
    rig.run(std::slice::from_ref(&player));
    assert!(matches!(all(&rig)[..], [Message::Update(head, ColumnSet(0b10))] if head.net == name));
    rig.assert_holds(std::slice::from_ref(&player));
    for tick in 0..HOLD {
        let report = rig.run(&[]);
        assert_eq!((report.datagrams, report.left), (0, 0), "tick {tick} of the hold");
        assert_eq!(rig.outbox.resolve(name), Some(id(1)), "the client may still mean it");
    }
    assert_eq!(rig.run(&[]).left, 1);
    assert_eq!(all(&rig), [Message::Removal(name)]);
    assert!(rig.replica.is_empty());
    assert_eq!((rig.outbox.resolve(name), rig.outbox.name_of(id(1))), (None, None));
    assert_eq!(rig.run(&[]).datagrams, 0, "an acknowledged removal is not sent again");
}

#[test]
fn seen_again_within_the_hold_it_goes_on_and_later_it_is_somebody_else() {
    let mut rig = Rig::new(ROOMY);
    let mut player = thing(1, PLAYER);
    rig.run(std::slice::from_ref(&player));
    let name = rig.name(1);
    (0..HOLD).for_each(|_| _ = rig.run(&[]));
    player.pos[0] = 50.0;
    rig.run(std::slice::from_ref(&player));
    assert!(matches!(all(&rig)[..], [Message::Update(head, ColumnSet(1))] if head.net == name));
    (0..=HOLD).for_each(|_| _ = rig.run(&[]));
    rig.run(std::slice::from_ref(&player));
    assert!(matches!(all(&rig)[..], [Message::Enter(head)] if head.net != name));
    rig.assert_holds(std::slice::from_ref(&player));
    assert_eq!(rig.outbox.resolve(name), None);
}

#[test]
fn in_the_hold_nothing_is_sent_not_even_again() {
    let mut rig = Rig::new(ROOMY);
    let mut player = thing(1, PLAYER);
    rig.run(std::slice::from_ref(&player));
    player.pos[0] = 50.0;
    // Neither this nor the enter of another arrives.
    rig.send(&[player.clone(), thing(2, PLAYER)]);
    for _ in 0..HOLD {
        assert_eq!(rig.send(&[]).datagrams, 0);
    }
    rig.send(&[]);
    assert_eq!(all(&rig).len(), 2, "a removal for each, as the client may have got the other too");
    rig.receive();
    assert!(rig.replica.is_empty());
}

#[test]
fn a_removal_is_sent_until_it_is_acknowledged() {
    let mut rig = Rig::new(ROOMY);
    rig.run(&[thing(1, PLAYER)]);
    let name = rig.name(1);
    (0..HOLD).for_each(|_| _ = rig.send(&[]));
    let sent: Vec<usize> = (0..100)
        .filter(|_| {
            rig.send(&[]);
            let said = all(&rig);
            assert!(said.iter().all(|message| *message == Message::Removal(name)) && said.len() <= 1);
            said.len() == 1
        })
        .collect();
    assert!(sent.len() > 5 && sent[0] == 0, "{sent:?}");
    // Meanwhile the same entity comes in under another name.
    rig.run(&[thing(1, PLAYER)]);
    (0..70).for_each(|_| _ = rig.run(&[thing(1, PLAYER)]));
    rig.assert_holds(&[thing(1, PLAYER)]);
    assert_ne!(rig.name(1), name);
}

#[test]
fn a_lost_right_removes_at_once_whatever_the_class_says() {
    for class in [PLAYER, DROP, FLARE] {
        let mut rig = Rig::new(ROOMY);
        rig.run(&[thing(1, class)]);
        let name = rig.name(1);
        rig.revoked = vec![id(1), id(77)];
        rig.run(&[]);
        assert_eq!(all(&rig), [Message::Removal(name)]);
        assert!(rig.replica.is_empty());
        // What is told of, at whatever level, is not removed.
        rig.run(&[thing(1, class)]);
        rig.revoked = vec![id(1)];
        rig.run(&[thing(1, class)]);
        rig.assert_holds(&[thing(1, class)]);
    }
}

#[test]
fn another_level_is_told_whole_under_the_same_name_and_old_acknowledgements_say_nothing() {
    let mut rig = Rig::new(ROOMY);
    let mut player = Thing { level: Level::Team, ..thing(1, PLAYER) };
    rig.send(std::slice::from_ref(&player));
    let name = rig.name(1);
    rig.receive();
    let late = rig.replica.ack().unwrap();
    player.level = Level::Seen;
    rig.send(std::slice::from_ref(&player));
    rig.outbox.take_ack(&rig.policy, &late);
    player.pos[0] = 3.0;
    rig.send(std::slice::from_ref(&player));
    assert!(
        matches!(all(&rig)[..], [Message::Enter(head)] if head.net == name && head.level == Level::Seen),
        "no update before the enter of this level was acknowledged"
    );
    rig.receive();
    rig.acknowledge();
    rig.assert_holds(std::slice::from_ref(&player));
}

#[test]
fn classes_leave_by_time_out_or_never() {
    let mut rig = Rig::new(ROOMY);
    let (drop, flare) = (thing(1, DROP), thing(2, FLARE));
    rig.run(&[drop.clone(), flare.clone()]);
    let (drop_name, flare_name) = (rig.name(1), rig.name(2));
    for _ in 0..TIMEOUT + 5 {
        assert_eq!(rig.run(&[]).datagrams, 0);
        rig.replica.advance(rig.tick);
    }
    assert_eq!(rig.replica.len(), 1);
    assert!(rig.replica.get(drop_name).unwrap().is_stale(), "it stays as it was");
    assert_eq!((rig.outbox.resolve(drop_name), rig.outbox.resolve(flare_name)), (Some(id(1)), None));
    rig.run(&[drop.clone(), flare.clone()]);
    rig.assert_holds(&[drop, flare]);
    assert_eq!(rig.name(1), drop_name);
    assert_ne!(rig.name(2), flare_name);
}

#[test]
fn one_that_times_out_enters_anew_where_no_touch_was_acknowledged_for_so_long() {
    let mut rig = Rig::new(ROOMY);
    let flare = thing(2, FLARE);
    rig.run(std::slice::from_ref(&flare));
    let name = rig.name(2);
    for _ in 0..TIMEOUT * 2 {
        rig.send(std::slice::from_ref(&flare));
    }
    rig.replica.advance(rig.tick);
    assert!(rig.replica.is_empty());
    (0..70).for_each(|_| _ = rig.run(std::slice::from_ref(&flare)));
    rig.assert_holds(std::slice::from_ref(&flare));
    assert_eq!(rig.name(2), name);
}

#[test]
fn what_is_told_of_but_does_not_change_is_touched_before_it_is_stale() {
    let mut rig = Rig::new(ROOMY);
    let things = [thing(1, PLAYER), thing(2, DROP), thing(3, FLARE)];
    let mut bytes = 0;
    for _ in 0..300 {
        bytes += rig.run(&things).bytes;
        rig.replica.advance(rig.tick);
        rig.assert_holds(&things);
    }
    assert!(bytes < 3000, "{bytes}: touching is cheap");
}

/// A player and what it carries.
fn armed(index: u32) -> [Thing; 2] {
    let player = Thing { held: Some(id(index + 1)), ..thing(index, PLAYER) };
    [player, Thing { parent: Some(id(index)), ..thing(index + 1, WEAPON) }]
}

#[test]
fn a_bundle_is_in_one_datagram_when_it_comes_when_it_changes_level_and_when_it_goes() {
    // So small datagrams that two bundles need two.
    let sending =
        "budget_bytes: 640, bytes_per_second: 1000000, burst_bytes: 6400, mtu_bytes: 64, padding: None";
    let mut rig = Rig::new(sending);
    let mut things: Vec<Thing> = (0..12).flat_map(|bundle| armed(bundle * 2)).collect();
    let whole = |rig: &Rig, wanted: fn(&Message) -> Option<NetRef>| {
        let mut count = 0;
        for said in messages(rig) {
            let names: Vec<NetRef> = said.iter().filter_map(wanted).collect();
            for bundle in 0..12 {
                let has = |index| names.contains(&rig.outbox.name_of(id(index)).unwrap());
                assert_eq!(has(bundle * 2), has(bundle * 2 + 1), "bundle {bundle}");
            }
            count += names.len();
        }
        count
    };
    let enters = |message: &Message| match message {
        Message::Enter(head) => Some(head.net),
        _ => None,
    };
    rig.send(&things);
    assert!(rig.packets.len() > 2);
    assert_eq!(whole(&rig, enters), 24);
    rig.receive();
    rig.acknowledge();
    rig.assert_holds(&things);
    things.iter_mut().for_each(|thing| thing.level = Level::Team);
    rig.run(&things);
    assert_eq!(whole(&rig, enters), 24);
    let names: Vec<[NetRef; 2]> =
        (0..12).map(|bundle| [rig.name(bundle * 2), rig.name(bundle * 2 + 1)]).collect();
    (0..HOLD).for_each(|_| _ = rig.run(&[]));
    rig.send(&[]);
    assert!(rig.packets.len() >= 2);
    for said in messages(&rig) {
        for [player, weapon] in &names {
            assert_eq!(said.contains(&Message::Removal(*player)), said.contains(&Message::Removal(*weapon)));
        }
    }
    rig.receive();
    assert!(rig.replica.is_empty());
}

#[test]
fn a_weapon_that_is_taken_up_later_comes_with_what_refers_to_it() {
    let mut rig = Rig::new(ROOMY);
    let [mut player, weapon] = armed(1);
    player.held = None;
    rig.run(std::slice::from_ref(&player));
    player.held = Some(weapon.entity);
    // The acknowledgements stay away for a while; the player moves.
    for step in 0..5 {
        player.pos[0] = f64::from(step);
        rig.send(&[weapon.clone(), player.clone()]);
        let said = all(&rig);
        assert!(matches!(said[..], [Message::Update(..), Message::Enter(_)]), "{said:?}");
    }
    rig.receive();
    rig.assert_holds(&[player.clone(), weapon.clone()]);
}

#[test]
fn what_is_told_without_its_parent_is_left_out_and_counted() {
    let mut rig = Rig::new(ROOMY);
    let [player, weapon] = armed(1);
    let report = rig.run(std::slice::from_ref(&weapon));
    assert_eq!((report.orphans, report.datagrams), (1, 0));
    let in_a_circle = [
        Thing { parent: Some(id(5)), ..thing(4, WEAPON) },
        Thing { parent: Some(id(4)), ..thing(5, WEAPON) },
    ];
    assert_eq!(rig.run(&in_a_circle).orphans, 2);
    rig.run(&[weapon.clone(), player.clone()]);
    rig.assert_holds(&[player.clone(), weapon.clone()]);
    assert_eq!(rig.run(&[weapon, player.clone(), player]).misfits, 1);
}

#[test]
fn a_slot_that_is_used_again_is_another_entity_while_the_earlier_one_is_held() {
    let mut rig = Rig::new(ROOMY);
    let first = thing(1, PLAYER);
    let second = Thing { entity: EntityId::new(1, 8), ..thing(1, PLAYER) };
    rig.run(std::slice::from_ref(&first));
    rig.run(std::slice::from_ref(&second));
    assert_eq!(rig.replica.len(), 2, "the first is held like any other");
    (0..HOLD).for_each(|_| _ = rig.run(std::slice::from_ref(&second)));
    rig.assert_holds(&[second]);
}

#[test]
fn the_last_state_of_one_who_stands_still_survives_a_lost_tick() {
    let mut rig = Rig::new(ROOMY);
    let mut player = thing(1, PLAYER);
    // The enter is lost, and nothing changes.
    rig.send(std::slice::from_ref(&player));
    rig.send(std::slice::from_ref(&player));
    rig.receive();
    rig.assert_holds(std::slice::from_ref(&player));
    assert_eq!(rig.send(std::slice::from_ref(&player)).datagrams, 0, "said twice, it waits for the answer");
    rig.acknowledge();
    // So is the last step of a walk.
    player.pos[0] += 1.0;
    rig.send(std::slice::from_ref(&player));
    rig.send(std::slice::from_ref(&player));
    assert!(matches!(all(&rig)[..], [Message::Update(_, ColumnSet(1))]));
    rig.receive();
    rig.assert_holds(std::slice::from_ref(&player));
    assert_eq!(rig.send(std::slice::from_ref(&player)).datagrams, 0);
    rig.acknowledge();
    // What arrived at once is not said again.
    player.pos[0] += 1.0;
    rig.run(std::slice::from_ref(&player));
    assert_eq!(rig.run(std::slice::from_ref(&player)).datagrams, 0);
}

#[test]
fn what_never_moves_is_not_said_twice() {
    let mut rig = Rig::new(ROOMY);
    let drop = thing(1, DROP);
    let said = [(); 2].map(|()| rig.send(std::slice::from_ref(&drop)).datagrams);
    assert_eq!(said, [1, 0]);
}
