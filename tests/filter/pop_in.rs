//! No pop-in within the lead: bodies move at random within their limits, and whoever another kernel shows must have
//! been told. How much more is told is printed as exposure.

use crate::common::sources::corpus_map;
use crate::duel::Duel;
use crate::oracle::effort;
use crate::oracle::kernel::Touch;
use crate::oracle::product::Level as Judged;
use crate::oracle::random::Random;
use fogwall::Map;

/// Futures tried of each pair, and lines cast in each.
const FUTURES: usize = 6;
const LINES: usize = 6;

#[derive(Default)]
struct Figures {
    pairs: u64,
    told: u64,
    shown: u64,
    late: Vec<String>,
    capped: u64,
}

/// The round trip that the bodies of the test live by.
const RTT_MS: f64 = 80.0;

/// Plays with a filter that was told these round trips.
fn play(map: Map, pairs: u64, seed: u64, measured_ms: &[f64]) -> Figures {
    let judged = Judged::new(map);
    let mut duel = Duel::new(&judged, RTT_MS, Random::new(seed, 0));
    let mut figures = Figures::default();
    while figures.pairs < pairs {
        for _ in 0..20 {
            let (told, [own, enemy]) = duel.step(measured_ms);
            let seen = shown(&mut duel);
            let stage = &duel.stage;
            figures.pairs += 1;
            figures.told += u64::from(told);
            figures.shown += u64::from(seen.is_some());
            figures.capped += stage.view(0).report().capped;
            if let Some((from, to)) = seen.filter(|_| !told) {
                let by = stage.hidden_by(0, 1);
                figures.late.push(format!("{by:?}: {from:?} sees {to:?} from {own:?} and {enemy:?}"));
            }
        }
        duel.begin_again();
    }
    figures
}

/// A free line of some future, if one is found.
fn shown(duel: &mut Duel<'_>) -> Option<([f64; 3], [f64; 3])> {
    let Duel { judged, ground, grid, marks, random, movers, times_s, .. } = duel;
    for future in 0..FUTURES {
        let [mut viewer, mut enemy] = *movers;
        if future > 0 {
            let share = random.unit().sqrt();
            viewer.live(ground, random, times_s[0] * share);
            let share = random.unit().sqrt();
            enemy.live(ground, random, times_s[1] * share);
        }
        for _ in 0..LINES {
            let line = (viewer.eye(judged, random, grid, marks), enemy.point(&judged.map.player, random));
            if grid.stopper(&judged.scene, line, 2e-6, Touch::Blocks, marks).is_none() {
                return Some(line);
            }
        }
    }
    None
}

/// Plays so many pairs on each map; nobody may be late.
fn none_is_late(maps: &[&str], pairs: f64) {
    let mut wrong = Vec::new();
    for (index, name) in maps.iter().enumerate() {
        let figures = play(corpus_map(name), (pairs * effort()) as u64, index as u64 + 1, &[RTT_MS]);
        let percent = |part: u64| 100.0 * part as f64 / figures.pairs as f64;
        println!(
            "{name:<40} {} pairs: told {:.1} %, shown {:.1} %, told and not shown {:.1} %, late {}, capped {}",
            figures.pairs,
            percent(figures.told),
            percent(figures.shown),
            percent(figures.told.saturating_sub(figures.shown)),
            figures.late.len(),
            figures.capped,
        );
        wrong.extend(figures.late.into_iter().map(|late| format!("{name}: {late}")));
    }
    let shown: Vec<_> = wrong.iter().take(5).collect();
    assert!(wrong.is_empty(), "{} late: {shown:#?}", wrong.len());
}

#[test]
fn nobody_is_seen_within_the_lead_who_was_not_told() {
    let maps = [
        "corner_peek",
        "two_staggered_walls_fuse",
        "many_small_crates_fuse",
        "concave_courtyard_with_pillar_in_hole",
        "window",
        "lintel_seen_under",
        "wall_seen_over_in_a_jump",
        "turned_walls",
        "step_joins_floors",
    ];
    none_is_late(&maps, 600.0);
}

/// Whether a run leaves out the arenas, whose bakes take minutes; it says so.
pub(crate) fn leaves_arenas_out() -> bool {
    if effort() < 2.0 {
        println!("the arenas are left out: FOGWALL_EFFORT=2 takes them");
    }
    effort() < 2.0
}

#[test]
fn nobody_is_seen_within_the_lead_on_the_arenas_who_was_not_told() {
    if !leaves_arenas_out() {
        none_is_late(&["arena_foundry", "arena_harbour", "arena_terraces"], 10_000.0);
    }
}

#[test]
fn a_lead_that_is_too_short_is_found_out() {
    let late = |measured_ms: &[f64]| {
        let maps = ["two_staggered_walls_fuse", "concave_courtyard_with_pillar_in_hole", "turned_walls"];
        maps.map(|name| play(corpus_map(name), 3000, 9, measured_ms).late.len()).iter().sum::<usize>()
    };
    assert!(late(&[]) > 0, "a filter that takes the client for the fastest hides what is seen");
}
