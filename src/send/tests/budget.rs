//! Bytes: per tick, per second, per datagram; and lengths that tell nothing.

use super::*;

/// A busy scene: players that move, a few that come and go.
fn scene(tick: u32) -> Vec<Thing> {
    let busy = if (tick / 40).is_multiple_of(2) { 60 } else { 3 };
    (0..busy).map(|i| Thing { pos: [f64::from(tick % 100), 1.0, f64::from(i)], ..thing(i, PLAYER) }).collect()
}

#[test]
fn no_tick_and_no_second_takes_more_than_its_bytes() {
    let sending =
        "budget_bytes: 900, bytes_per_second: 30000, burst_bytes: 3000, mtu_bytes: 400, padding: None";
    let mut rig = Rig::new(sending);
    let mut bytes = Vec::new();
    for tick in 0..400 {
        rig.run(&scene(tick));
        assert!(rig.packets.iter().all(|packet| packet.len() <= 400));
        bytes.push(rig.packets.iter().map(<[u8]>::len).sum::<usize>());
    }
    assert!(
        bytes.iter().all(|bytes| *bytes <= 900) && bytes.contains(&900.min(*bytes.iter().max().unwrap()))
    );
    for start in 0..400 {
        for end in start..400 {
            let sum: usize = bytes[start..=end].iter().sum();
            assert!(sum <= 3000 + (end - start + 1) * 300, "{sum} bytes in ticks {start} to {end}");
        }
    }
    assert!(bytes.iter().sum::<usize>() > 40 * 300, "the budget is used");
}

#[test]
fn full_padding_is_equal_ticks_whatever_happens() {
    for (sending, count, size) in [
        (
            "budget_bytes: 500, bytes_per_second: 30000, burst_bytes: 3000, mtu_bytes: 400, padding: Full",
            1,
            300,
        ),
        (
            "budget_bytes: 500, bytes_per_second: 90000, burst_bytes: 3000, mtu_bytes: 400, padding: Full",
            2,
            500,
        ),
        (
            "budget_bytes: 440, bytes_per_second: 90000, burst_bytes: 3000, mtu_bytes: 400, padding: Full",
            1,
            400,
        ),
    ] {
        let mut rig = Rig::new(sending);
        for tick in 0..300 {
            let things = if tick < 200 { scene(tick) } else { Vec::new() };
            rig.run(&things);
            let sizes: Vec<usize> = rig.packets.iter().map(<[u8]>::len).collect();
            assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (count, size), "tick {tick}");
        }
        assert!(rig.replica.is_empty());
    }
}

#[test]
fn full_padding_at_a_rate_below_the_longest_message_skips_ticks_evenly() {
    let sending =
        "budget_bytes: 500, bytes_per_second: 1000, burst_bytes: 3000, mtu_bytes: 400, padding: Full";
    let mut rig = Rig::new(sending);
    let sizes: Vec<usize> = (0..100)
        .map(|tick| {
            rig.run(&scene(tick));
            rig.packets.iter().map(<[u8]>::len).sum()
        })
        .collect();
    let sent: Vec<usize> = (0..100).filter(|tick| sizes[*tick] > 0).collect();
    let period = sent[1] - sent[0];
    assert!(sent.windows(2).all(|pair| pair[1] - pair[0] == period) && period > 5);
    assert!(sent.iter().all(|tick| sizes[*tick] == sizes[sent[0]] && sizes[*tick] <= period * 10));
}

#[test]
fn buckets_round_lengths_up_within_the_budget() {
    let sending =
        "budget_bytes: 500, bytes_per_second: 90000, burst_bytes: 3000, mtu_bytes: 400, padding: Bucket(128)";
    let mut rig = Rig::new(sending);
    for tick in 0..200 {
        rig.run(&scene(tick));
        let sizes: Vec<usize> = rig.packets.iter().map(<[u8]>::len).collect();
        assert!(
            sizes.iter().all(|size| size.is_multiple_of(128) || [400, 100, 116, 500 - 384].contains(size)),
            "{sizes:?}"
        );
        assert!(sizes.iter().sum::<usize>() <= 500);
    }
}

#[test]
fn what_needs_an_empty_datagram_gets_one_and_what_fits_none_is_told_in_parts() {
    // A player with 12 weapons, beside a crowd that fills every datagram.
    let sending =
        "budget_bytes: 240, bytes_per_second: 9000, burst_bytes: 240, mtu_bytes: 240, padding: None";
    for (weapons, is_split) in [(12, false), (60, true)] {
        let mut rig = Rig::new(sending);
        let mut split = 0;
        let mut things: Vec<Thing> = (0..40).map(|i| thing(i, PLAYER)).collect();
        things.extend((100..100 + weapons).map(|i| Thing { parent: Some(id(0)), ..thing(i, WEAPON) }));
        for tick in 0..600 {
            things[..40].iter_mut().for_each(|thing| thing.pos[0] = f64::from(tick % 150));
            split += rig.run(&things).split;
        }
        let known = things.iter().filter(|thing| rig.outbox.name_of(thing.entity).is_some()).count();
        assert_eq!((known, rig.replica.len()), (things.len(), things.len()));
        assert_eq!(split > 0, is_split, "{weapons} weapons");
    }
}

#[test]
fn more_entities_than_a_client_may_hold_wait_until_something_silent_is_forgotten() {
    let sending =
        "budget_bytes: 30000, bytes_per_second: 4000000, burst_bytes: 30000, mtu_bytes: 1200, padding: None";
    let mut rig = Rig::new(sending);
    let crowd: Vec<Thing> = (0..8200).map(|i| thing(i, DROP)).collect();
    let mut capped = 0;
    for _ in 0..60 {
        capped = rig.run(&crowd).capped;
    }
    assert_eq!((capped, rig.replica.len()), (8, 8192));
    // Silent ones make room for those that are told of.
    let late = &crowd[8100..];
    for _ in 0..40 {
        rig.run(late);
    }
    assert!(late.iter().all(|thing| rig.check(thing).is_ok()));
    assert!(rig.replica.len() <= 8192);
}
