//! The lag switch: lag that does not last, absurd measures and floods buy nothing, lasting lag no more than the clamp.

use crate::game::{Dice, Game, Setting};
use fogwall::{ACK_BYTES, Level, Observer, ObserverId, ObserverKind, Replica, Server, Threads};
use std::sync::Arc;

/// The one whose link misbehaves.
const X: ObserverId = ObserverId::new(0, 0);
/// Somebody who is told everything, later.
const CASTER: ObserverId = ObserverId::new(60, 0);
const CALM_TICKS: u32 = 64;
const TICKS: u32 = 320;
const CALM: &[f64] = &[40.0];

/// What X's client does that others' do not.
#[derive(Clone, Copy, PartialEq)]
enum Upwards {
    /// It acknowledges, as all do.
    Acks,
    /// It acknowledges, and then sends all kinds of nonsense.
    AcksAndFloods,
    /// It falls silent when the calm is over.
    Silence,
}

/// All that came of a game.
struct Run {
    /// By tick, what X was told: slots, levels and records.
    told: Vec<Vec<(u32, Level, Vec<u8>)>>,
    packets_of_x: Vec<Vec<Vec<u8>>>,
    /// By tick, the datagrams of everybody else.
    others: Vec<Vec<Vec<u8>>>,
    bad_acks: u64,
}

impl Run {
    /// Pairs and ticks in which X was told of something as seen or better.
    fn seen(&self) -> usize {
        self.told.iter().flatten().filter(|(_, level, _)| *level >= Level::Seen).count()
    }
}

/// Acknowledgements of what was never sent or long ago, doubled ones, and no acknowledgements at all.
fn flood(server: &mut Server, kept: &[[u8; ACK_BYTES]], dice: &mut Dice) {
    for _ in 0..40 {
        let length = dice.roll(1500) as usize;
        let noise: Vec<u8> = (0..length).map(|_| dice.roll(256) as u8).collect();
        server.take_ack(X, &noise);
        // A client that acknowledges what it got under a later number harms itself alone: the newest is left out.
        if let Some((_, old)) = kept.split_last().filter(|(_, old)| !old.is_empty()) {
            let mut ack = old[dice.roll(old.len() as u64) as usize];
            server.take_ack(X, &ack);
            ack[dice.roll(ACK_BYTES as u64) as usize] ^= 1 << dice.roll(8);
            server.take_ack(X, &ack);
        }
    }
}

fn sent(server: &Server, id: ObserverId) -> Vec<Vec<u8>> {
    server.packets(id).map(<[u8]>::to_vec).collect()
}

/// A game in which the round trip of X is measured as `rtt_ms` says of each tick.
fn play(setting: &Setting, rtt_ms: impl Fn(u32) -> &'static [f64], upwards: Upwards) -> Run {
    let (mut game, mut server) = (Game::new(setting, 10, 17), setting.server(Threads::One));
    let mut replicas: Vec<Replica> =
        (0..game.players()).map(|_| Replica::new(Arc::clone(setting.rules.schema()))).collect();
    let (mut dice, mut kept) = (Dice(5), Vec::new());
    let mut run = Run { told: Vec::new(), packets_of_x: Vec::new(), others: Vec::new(), bad_acks: 0 };
    for now in 0..TICKS {
        game.step();
        let mut lists = game.lists(setting);
        lists.observers[0].rtt_ms = rtt_ms(now);
        let kind = ObserverKind::Caster { delay_ticks: 30 };
        let caster = Observer::player(CASTER, lists.entities[0].id, None);
        lists.observers.push(Observer { kind, entity: None, ..caster });
        let report = server.tick(&lists.world());
        run.bad_acks += [
            report.send.bad_acks.malformed,
            report.send.bad_acks.outdated,
            report.send.bad_acks.never_sent,
            report.send.bad_acks.too_old,
            report.send.bad_acks.flooded,
        ]
        .iter()
        .sum::<u64>();
        let frame = server.frame(X).unwrap();
        let told = frame.entities().map(|told| {
            let record = told.get();
            (record.entity.index, record.level, record.record.to_vec())
        });
        let mut told: Vec<_> = told.collect();
        told.sort_unstable_by_key(|(slot, ..)| *slot);
        run.told.push(told);
        run.packets_of_x.push(sent(&server, X));
        let all = lists.observers.iter().filter(|observer| observer.id != X);
        run.others.push(all.flat_map(|observer| sent(&server, observer.id)).collect());
        for (replica, observer) in replicas.iter_mut().zip(&lists.observers) {
            let came = sent(&server, observer.id);
            let came = came.iter().filter(|datagram| replica.receive(datagram).is_ok()).count();
            replica.advance(lists.tick);
            let is_silent = observer.id == X && upwards == Upwards::Silence && now >= CALM_TICKS;
            if let Some(ack) = replica.ack().filter(|_| came > 0 && !is_silent) {
                server.take_ack(observer.id, &ack);
                if observer.id == X {
                    kept.push(ack);
                }
            }
        }
        if upwards == Upwards::AcksAndFloods && now >= CALM_TICKS {
            flood(&mut server, &kept, &mut dice);
        }
    }
    run
}

fn setting() -> Setting {
    Setting::new("two_staggered_walls_fuse", &[])
}

#[test]
fn a_burst_of_lag_or_absurd_measures_change_no_byte_of_anybodys() {
    let setting = setting();
    let calm = play(&setting, |_| CALM, Upwards::Acks);
    let absurd: [&[f64]; 6] = [
        &[400.0],
        &[f64::INFINITY, f64::NAN, -1.0],
        &[f64::MAX],
        &[],
        &[1e6, 40.0],
        &[f64::NEG_INFINITY, -0.001, 90.0],
    ];
    for burst in absurd {
        let run = play(&setting, |now| if now < CALM_TICKS { CALM } else { burst }, Upwards::Acks);
        assert!(run.told == calm.told, "{burst:?} changes what X is told");
        assert!(run.packets_of_x == calm.packets_of_x, "{burst:?} changes what X is sent");
        assert!(run.others == calm.others, "{burst:?} changes what others are sent");
    }
    assert!(calm.others.iter().flatten().map(Vec::len).sum::<usize>() > 100_000);
}

#[test]
fn floods_of_nonsense_change_no_byte_and_are_counted() {
    let setting = setting();
    let calm = play(&setting, |_| CALM, Upwards::Acks);
    let flooded = play(&setting, |_| CALM, Upwards::AcksAndFloods);
    assert!(flooded.told == calm.told && flooded.packets_of_x == calm.packets_of_x);
    assert!(flooded.others == calm.others);
    assert!(flooded.bad_acks > 100 * u64::from(TICKS - CALM_TICKS), "{}", flooded.bad_acks);
    assert_eq!(calm.bad_acks, 0);
}

#[test]
fn a_client_that_falls_silent_is_told_no_more_and_nobody_else_less() {
    let setting = setting();
    let calm = play(&setting, |_| CALM, Upwards::Acks);
    let silent = play(&setting, |now| if now < CALM_TICKS { CALM } else { &[] }, Upwards::Silence);
    assert!(silent.told == calm.told && silent.others == calm.others);
    assert!(silent.packets_of_x != calm.packets_of_x, "what is not acknowledged is sent again");
}

#[test]
fn lag_that_lasts_gains_the_clamp_and_no_more() {
    let setting = setting();
    let calm = play(&setting, |_| CALM, Upwards::Acks);
    let clamp: &'static [f64] = Box::leak(Box::new([setting.rules.settings().lead.rtt_max_ms]));
    let most = play(&setting, |_| clamp, Upwards::Acks);
    for lag in [&[1_000.0][..], &[1e300], &[f64::MAX, f64::INFINITY]] {
        let run = play(&setting, |_| lag, Upwards::Acks);
        assert!(run.told == most.told && run.packets_of_x == most.packets_of_x, "{lag:?} gains more");
        assert!(run.others == calm.others, "{lag:?} changes what others are sent");
    }
    assert!(most.seen() > calm.seen(), "lasting lag lengthens the lead");
}
