//! The replica holds exactly what was disclosed, whatever the network does, and no bytes harm it.

mod link;
mod scene;

use fogwall::{
    Ack, Arrival, DecodeError, HEADER_BYTES, Level, NetId, NetRef, NoticeId, Refusal, Replica, Sequence,
    Tick, Value,
};
use proptest::prelude::*;
use scene::{Writer, drop, net, player, schema};
use std::sync::Arc;

fn health(replica: &Replica, net: NetRef) -> Option<i64> {
    match replica.get(net)?.field("health")? {
        Value::Int(health) => Some(health),
        other => panic!("{other:?} is no health"),
    }
}

#[test]
fn an_entity_comes_changes_and_goes() {
    let mut replica = Replica::new(schema());
    let changes = replica.receive(&Writer::new(1).enter(&player(7, 100)).end()).unwrap();
    assert_eq!((changes.created.as_slice(), changes.server_tick), ([net(7)].as_slice(), Tick(1)));
    assert_eq!(health(&replica, net(7)), Some(100));
    let entity = replica.get(net(7)).unwrap();
    assert_eq!((entity.level(), entity.fields().count(), entity.field("nothing")), (Level::Team, 3, None));
    let changes = replica.receive(&Writer::new(2).update(&player(7, 40), 0b10).end()).unwrap();
    assert_eq!(changes.updated.len(), 1);
    assert_eq!(health(&replica, net(7)), Some(40));
    let changes = replica.receive(&Writer::new(3).removal(net(7)).end()).unwrap();
    assert_eq!(changes.removed, [net(7)]);
    assert!(replica.is_empty() && replica.get(net(7)).is_none());
}

#[test]
fn an_older_state_never_replaces_a_newer_one() {
    let mut replica = Replica::new(schema());
    replica.receive(&Writer::new(1).enter(&player(7, 100)).end()).unwrap();
    let late = Writer::new(2).update(&player(7, 90), 0b10).end();
    replica.receive(&Writer::new(3).update(&player(7, 80), 0b10).end()).unwrap();
    assert!(replica.receive(&late).unwrap().updated.is_empty());
    assert_eq!((health(&replica, net(7)), replica.counts().skipped), (Some(80), 1));
    assert_eq!(replica.receive(&late), Err(Refusal::Duplicate));
}

#[test]
fn what_was_removed_does_not_come_back() {
    let mut replica = Replica::new(schema());
    let late =
        [Writer::new(1).enter(&player(7, 100)).end(), Writer::new(2).update(&player(7, 9), 0b10).end()];
    replica.receive(&Writer::new(3).removal(net(7)).end()).unwrap();
    for datagram in late {
        assert!(replica.receive(&datagram).unwrap().created.is_empty());
    }
    assert!(replica.is_empty());
    // Another generation of the same net id is another entity.
    let mut other = player(7, 50);
    other.net.generation = 9;
    replica.receive(&Writer::new(4).enter(&other).end()).unwrap();
    replica.receive(&Writer::new(5).removal(net(7)).end()).unwrap();
    assert_eq!(health(&replica, other.net), Some(50));
}

#[test]
fn another_level_replaces_all_that_is_held() {
    let mut replica = Replica::new(schema());
    replica.receive(&Writer::new(1).enter(&player(7, 100)).end()).unwrap();
    let mut seen = player(7, 100);
    seen.level = Level::Seen;
    let changes = replica.receive(&Writer::new(2).enter(&seen).end()).unwrap();
    assert!(changes.created.is_empty() && changes.updated.len() == 1);
    assert_eq!(replica.get(net(7)).unwrap().level(), Level::Seen);
    assert_eq!(health(&replica, net(7)), None, "what the level is not told is gone");
    // An update of the earlier level, overtaken, tells nothing any more.
    replica.receive(&Writer::new(3).update(&player(7, 1), 0b10).end()).unwrap();
    assert_eq!(health(&replica, net(7)), None);
}

#[test]
fn a_datagram_that_names_what_is_not_held_is_refused_whole_and_not_acknowledged() {
    let mut replica = Replica::new(schema());
    let mut carrier = player(7, 100);
    carrier.held = Some(net(8));
    let early = Writer::new(2).enter(&carrier).enter(&player(9, 1)).end();
    assert_eq!(replica.receive(&early), Err(Refusal::Unknown(net(8))));
    assert!(replica.is_empty() && replica.ack().is_none());
    let unknown = Writer::new(3).update(&player(7, 3), 0b10).end();
    assert_eq!(replica.receive(&unknown), Err(Refusal::Unknown(net(7))));
    let heard = Writer::new(4).sound(NoticeId(1), Some(net(7))).end();
    assert_eq!(replica.receive(&heard), Err(Refusal::Unknown(net(7))));
    // With what it names it is taken, in whatever order the bundle is.
    replica.receive(&Writer::new(5).enter(&carrier).enter(&player(8, 1)).end()).unwrap();
    assert_eq!(replica.get(net(7)).unwrap().field("held"), Some(Value::Reference(Some(net(8)))));
    replica.receive(&early).unwrap();
    assert_eq!(replica.len(), 3);
}

#[test]
fn acknowledgements_tell_what_was_taken() {
    let schema = schema();
    let mut replica = Replica::new(Arc::clone(&schema));
    for sequence in [1, 2, 5, 4] {
        replica.receive(&Writer::new(sequence).end()).unwrap();
    }
    let first = Ack::from_bytes(&replica.ack().unwrap(), &schema).unwrap();
    let second = Ack::from_bytes(&replica.ack().unwrap(), &schema).unwrap();
    assert!(second.sequence.is_after(first.sequence));
    assert_eq!(first.taken().map(|s| s.0).collect::<Vec<_>>(), [5, 4, 2, 1]);
    replica.receive(&Writer::new(1000).end()).unwrap();
    assert_eq!(replica.receive(&Writer::new(3).end()), Err(Refusal::TooOld));
    assert_eq!(replica.counts().too_old, 1);
}

#[test]
fn what_is_not_told_of_gets_stale_times_out_or_stays_by_its_class() {
    let mut replica = Replica::new(schema());
    replica
        .receive(&Writer::new(1).enter(&player(1, 9)).enter(&drop(2, 1)).enter(&drop(3, 2)).end())
        .unwrap();
    assert!(replica.advance(Tick(17)).staled.is_empty());
    assert_eq!(replica.advance(Tick(18)).staled, [net(1), net(2), net(3)]);
    assert!(replica.get(net(1)).unwrap().is_stale());
    assert_eq!(replica.advance(Tick(42)).removed, [net(2)]);
    assert_eq!(replica.len(), 2);
    // An update without a column says that it is still there.
    let changes = replica.receive(&Writer::new(50).update(&player(1, 9), 0).end()).unwrap();
    assert!(changes.updated.is_empty());
    assert!(!replica.get(net(1)).unwrap().is_stale() && replica.get(net(3)).unwrap().is_stale());
    // Time goes on by datagrams alone, too.
    replica.receive(&Writer::new(90).end()).unwrap();
    assert!(replica.get(net(1)).unwrap().is_stale());
    assert_eq!(replica.server_tick(), Some(Tick(90)));
}

#[test]
fn a_sound_or_an_event_is_told_once_however_often_it_comes() {
    let mut replica = Replica::new(schema());
    let first =
        replica.receive(&Writer::new(1).sound(NoticeId(5), None).event(NoticeId(6), None).end()).unwrap();
    let (sound, event) = (first.sounds[0], first.events[0].clone());
    assert_eq!((sound.id, sound.step_m, sound.pos), (NoticeId(5), 2.0, [11.0, 21.0, 1.0]));
    let schema = schema();
    let told: Vec<_> = event.fields(&schema).collect();
    assert_eq!(told, [("by", Value::Reference(None)), ("amount", Value::Int(3))]);
    let again =
        replica.receive(&Writer::new(2).event(NoticeId(6), None).sound(NoticeId(5), None).end()).unwrap();
    assert!(again.sounds.is_empty() && again.events.is_empty());
    let third = replica.receive(&Writer::new(3).sound(NoticeId(7), None).end()).unwrap();
    assert_eq!(third.sounds.len(), 1);
}

#[test]
fn no_more_entities_are_held_than_allowed() {
    let mut replica = Replica::with_limit(schema(), 2);
    replica.receive(&Writer::new(1).enter(&player(1, 1)).enter(&player(2, 1)).end()).unwrap();
    let more = Writer::new(2).enter(&player(1, 50)).enter(&player(3, 1)).end();
    assert_eq!(replica.receive(&more), Err(Refusal::TooMany(2)));
    assert_eq!(health(&replica, net(1)), Some(1));
    replica.receive(&Writer::new(3).enter(&player(1, 60)).end()).unwrap();
    assert_eq!(health(&replica, net(1)), Some(60));
}

#[test]
fn datagrams_of_other_rules_are_refused() {
    let mut replica = Replica::new(schema());
    let mut bytes = Writer::new(1).end();
    bytes[0] ^= 1;
    assert_eq!(replica.receive(&bytes), Err(Refusal::Malformed(DecodeError::OtherMark)));
    assert_eq!(replica.receive(&bytes[..HEADER_BYTES - 1]), Err(Refusal::Malformed(DecodeError::Truncated)));
    assert_eq!(replica.counts().refused, 2);
}

#[test]
fn sequences_and_ticks_go_on_over_their_wraps() {
    let mut replica = Replica::new(schema());
    let start = u32::from(u16::MAX) - 3;
    replica.receive(&Writer::new(start).enter(&player(7, 100)).end()).unwrap();
    for (step, health) in (1..200_u32).zip(0..) {
        let datagram = Writer::at(start + step, Tick((start + step).wrapping_sub(u32::MAX / 2)));
        replica.receive(&datagram.update(&player(7, health % 100), 0b10).end()).unwrap();
    }
    assert_eq!(health(&replica, net(7)), Some(98));
}

#[test]
fn after_a_bad_link_heals_every_replica_is_what_was_disclosed() {
    for seed in 0..60 {
        link::run(seed, 0.3);
    }
    link::run(1000, 0.0);
}

proptest! {
    #[test]
    fn no_bytes_harm_a_replica(
        datagrams in prop::collection::vec((any::<u16>(), prop::collection::vec(any::<u8>(), 0..120)), 1..40),
    ) {
        let schema = schema();
        let mut replica = Replica::with_limit(Arc::clone(&schema), 20);
        replica.receive(&Writer::new(1).enter(&player(1, 1)).end()).unwrap();
        for (sequence, noise) in datagrams {
            let mut bytes = Writer::new(u32::from(sequence)).end();
            bytes.extend(noise);
            let before = replica.len();
            let outcome = replica.receive(&bytes).cloned();
            prop_assert!(replica.len() <= 20);
            if outcome.is_err() {
                prop_assert_eq!(replica.len(), before);
            }
            prop_assert!(replica.entities().all(|entity| entity.fields().count() <= 4));
        }
    }

    #[test]
    fn a_datagram_with_a_flipped_bit_is_taken_whole_or_refused(flip in any::<prop::sample::Index>()) {
        let mut replica = Replica::new(schema());
        let good = Writer::new(1).enter(&player(1, 1)).enter(&drop(2, 2)).sound(NoticeId(0), Some(net(1))).end();
        let mut bytes = good.clone();
        let at = flip.index(bytes.len() * 8);
        bytes[at / 8] ^= 1 << (at % 8);
        if replica.receive(&bytes).is_err() {
            prop_assert!(replica.is_empty());
            prop_assert!(replica.ack().is_none());
            prop_assert!(replica.receive(&good).is_ok());
        }
    }
}

#[test]
fn the_window_of_a_new_replica_takes_any_first_number() {
    for first in [0, 1, u16::MAX] {
        let window = fogwall::AckWindow::default();
        assert_eq!(window.judge(Sequence(first)), Arrival::New);
        let mut replica = Replica::new(schema());
        replica.receive(&Writer::new(u32::from(first)).enter(&player(1, 1)).end()).unwrap();
        assert_eq!(replica.entities().next().map(|entity| entity.net()), Some(NetRef::new(NetId(1), 0)));
    }
}
