//! What a tick costs: no memory once warm. Its time is measured in `benches/tick.rs`.

use super::*;

/// Bytes per observer for a scene where all moves.
const SENDING: &str =
    "budget_bytes: 1200, bytes_per_second: 120000, burst_bytes: 6000, mtu_bytes: 1200, padding: None";

/// Entities that come and go, change and make sounds, again and again in the same way.
fn round(tick: u32) -> (Vec<Thing>, Vec<Heard>) {
    let step = tick % 90;
    let is_there = |i: &u32| !(step / 30 + i).is_multiple_of(3);
    let things = (0..60).filter(is_there).flat_map(|i| {
        let pos = [f64::from((step + i) % 50), 1.0, f64::from(i)];
        let class = if i.is_multiple_of(5) { DROP } else { PLAYER };
        let level = if step > 60 && class == PLAYER { Level::Team } else { Level::Seen };
        let weapon = Thing { parent: Some(id(i)), level, ..thing(i + 100, WEAPON) };
        let thing = Thing { pos, level, ..thing(i, class) };
        [Some(thing), (class == PLAYER).then_some(weapon)].into_iter().flatten()
    });
    let heard = |i: u32| Heard { place: [f64::from(i), 0.0, 0.0], emitter: None };
    (things.collect(), (0..step % 5).map(heard).collect())
}

#[test]
fn a_warm_tick_takes_no_memory() {
    let mut rig = Rig::new(SENDING);
    let (mut packets, mut bodies) = (Packets::default(), Bodies::default());
    let mut entered = 0;
    for tick in 0..1800_u32 {
        let (things, sounds) = round(tick);
        let recorded: Vec<Recorded> = things.iter().map(|thing| thing.recorded(&rig.policy)).collect();
        let entities: Vec<_> = things.iter().zip(&recorded).map(|(t, r)| disclosed(t, r)).collect();
        let places: Vec<Vec<u8>> = sounds.iter().map(|heard| rig.place(heard)).collect();
        let sounds: Vec<_> = places
            .iter()
            .map(|place| {
                Disclosed::in_a_test(SoundRecord { class: SoundClassId(0), band: 0, place, emitter: None })
            })
            .collect();
        let frame = Told { entities: Entities::List(&entities), sounds: &sounds, ..Told::default() };
        rig.tick = rig.tick.after(1);
        bodies.clear();
        packets.clear();
        let Rig { outbox, policy, tick: at, .. } = &mut rig;
        let sent = allocation_counter::measure(|| {
            let report = outbox.tick(policy, *at, frame, &mut bodies, &mut packets);
            entered += if tick >= 1440 { report.entered } else { 0 };
        });
        // Every 7th datagram is lost.
        if !tick.is_multiple_of(7) {
            packets.iter().for_each(|packet| _ = rig.replica.receive(packet));
        }
        let ack = rig.replica.ack();
        let taken = allocation_counter::measure(|| {
            ack.iter().for_each(|ack| rig.outbox.take_ack(&rig.policy, ack));
        });
        if tick >= 1440 {
            assert_eq!((sent.count_total, taken.count_total), (0, 0), "tick {tick}");
        }
    }
    assert!(entered > 100, "entities came and went meanwhile");
}
