//! How often what is far is told: exact rates, and a load that is the same in every tick.

use super::turns::told;
use super::*;
use crate::rules::LodRings;
use std::collections::HashMap;

/// Room for everything.
const ENDLESS: &str = "budget_bytes: 1048576, bytes_per_second: 1000000000, burst_bytes: 1048576, mtu_bytes: 4096, padding: None";
/// Distances in the three rings of a prop.
const RINGS_M: [f64; 3] = [10.0, 40.0, 90.0];
const TICKS: u32 = 400;
const WARM: u32 = 10;

/// How often each of so many props was told in 400 ticks, by ring, and the bytes of each tick; all of them move.
fn rates(count: u32, rings: LodRings) -> ([Vec<u32>; 3], Vec<u64>) {
    let mut rig = Rig::new(ENDLESS);
    rig.outbox.set_rings(rings);
    let far = |i: u32| RINGS_M[i as usize % 3];
    let mut things: Vec<Thing> = (0..count).map(|i| Thing { distance_m: far(i), ..thing(i, PROP) }).collect();
    let mut times: HashMap<NetRef, u32> = HashMap::new();
    let mut loads = Vec::new();
    // At first whole states and their acknowledgement; from then on each is on its way.
    for tick in 0..WARM + TICKS {
        things.iter_mut().for_each(|thing| thing.pos[1] = f64::from(tick % 199));
        let report = rig.run(&things);
        assert_eq!(report.deferred, 0);
        if tick >= WARM {
            loads.push(report.bytes);
            told(&rig).into_iter().for_each(|net| *times.entry(net).or_default() += 1);
        }
    }
    let of_ring = |ring: u32| {
        let names = (ring..count).step_by(3).map(|i| times.get(&rig.name(i)).copied().unwrap_or(0));
        names.collect()
    };
    ([of_ring(0), of_ring(1), of_ring(2)], loads)
}

#[test]
fn rings_are_told_in_every_second_and_fourth_tick_exactly_however_many_there_are() {
    for count in [3, 33, 600, 4000] {
        let (rates, loads) = rates(count, LodRings::All);
        for (ring, every) in rates.iter().zip([1, 2, 4]) {
            assert!(ring.iter().all(|times| *times == TICKS / every), "of {count}: {ring:?}");
        }
        let mean = loads.iter().sum::<u64>() as f64 / f64::from(TICKS);
        let off = loads.iter().map(|load| (*load as f64 - mean).abs() / mean).fold(0.0, f64::max);
        println!("{count}: {mean:.0} bytes a tick, off by {:.1} % at most", off * 100.0);
        assert!(count < 600 || off < 0.1, "{count}: {off}");
    }
}

#[test]
fn a_match_may_count_the_nearest_ring_alone_or_none() {
    let level = |rings| rates(33, rings).0.map(|ring| (ring[0], ring.iter().all(|times| *times == ring[0])));
    assert_eq!(level(LodRings::None), [(400, true); 3]);
    assert_eq!(level(LodRings::Nearest), [(400, true), (200, true), (200, true)]);
}
