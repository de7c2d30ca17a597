//! How much more is told than an ideal filter of the same reach and lead would tell, and what tells it.

use crate::common::sources::corpus_map;
use crate::duel::Duel;
use crate::ideal::{Part, Prism, line};
use crate::oracle::effort;
use crate::oracle::product::Level as Judged;
use crate::oracle::random::Random;
use crate::pop_in::leaves_arenas_out;
use fogwall::Map;
use std::fmt;

/// The round trip that everybody lives by.
const RTT_MS: f64 = 60.0;
/// Corners of the product's outlines.
const OUTLINE: usize = 8;

/// Pairs and ticks, by what is told of them and why.
#[derive(Clone, Copy, Default)]
struct Counts {
    all: u64,
    told: u64,
    ideal: u64,
    /// Told and not by the ideal: as the solver gave up.
    capped: u64,
    /// As outlines have few corners.
    outline: u64,
    /// As the heights reach farther.
    other: u64,
    /// By the ideal alone, from or to a place of the reach where no body can be: the cells leave it out.
    spared: u64,
    /// By the ideal alone: the product is late.
    late: u64,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.all += other.all;
        self.told += other.told;
        self.ideal += other.ideal;
        self.capped += other.capped;
        self.outline += other.outline;
        self.other += other.other;
        self.spared += other.spared;
        self.late += other.late;
    }

    fn ratio(&self) -> f64 {
        self.told as f64 / self.ideal.max(1) as f64
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { all, told, ideal, capped, outline, other, spared, late } = self;
        write!(out, "{all:>7} pairs, {told:>7} told, {ideal:>7} ideal, ratio {:.3}: ", self.ratio())?;
        write!(out, "capped {capped}, outline {outline}, other {other}; spared {spared}, late {late}")
    }
}

fn measure(map: Map, pairs: u64, seed: u64, late: &mut Vec<String>) -> Counts {
    let judged = Judged::new(map);
    let mut duel = Duel::new(&judged, RTT_MS, Random::new(seed, 1));
    let [viewer_s, enemy_s] = duel.times_s;
    let mut counts = Counts::default();
    while counts.all < pairs {
        // What lies between two states is shown: the one after the last in sight is needed too.
        let mut was_seen = false;
        for _ in 0..4 {
            let (told, [own, enemy]) = duel.step(&[RTT_MS]);
            let Duel { ground, grid, marks, stage, random, movers, .. } = &mut duel;
            let eyes = Prism::new(&judged, ground, &movers[0], viewer_s, Part::Eyes);
            let body = Prism::new(&judged, ground, &movers[1], enemy_s, Part::Body);
            let seen = line(&judged, (grid, marks), (&eyes, &body), random);
            let is_real = |[from, to]: [[f64; 3]; 2]| {
                eyes.is_real(&judged, ground, &movers[0], from)
                    && body.is_real(&judged, ground, &movers[1], to)
            };
            counts.all += 1;
            counts.told += u64::from(told);
            let is_last = std::mem::replace(&mut was_seen, seen.is_some());
            let is_needed = seen.is_some() || is_last;
            counts.ideal += u64::from(is_needed);
            match seen {
                Some((from, to)) if !told && !is_real([from, to]) => counts.spared += 1,
                Some(line) if !told => {
                    counts.late += 1;
                    late.push(format!("{:?}: {line:?} from {own:?} to {enemy:?}", stage.hidden_by(0, 1)));
                }
                None if told && !is_needed => {
                    let wide = (&eyes.outlined(OUTLINE), &body.outlined(OUTLINE));
                    let blame = if stage.view(0).report().capped > 0 {
                        &mut counts.capped
                    } else if line(&judged, (grid, marks), wide, random).is_some() {
                        &mut counts.outline
                    } else {
                        &mut counts.other
                    };
                    *blame += 1;
                }
                _ => {}
            }
        }
        duel.begin_again();
    }
    counts
}

fn report(maps: &[&str], pairs: f64) -> (Counts, Vec<String>) {
    let (mut total, mut late) = (Counts::default(), Vec::new());
    for (index, name) in maps.iter().enumerate() {
        let counts = measure(corpus_map(name), (pairs * effort()) as u64, index as u64 + 1, &mut late);
        println!("{name:<40} {counts}");
        total.add(counts);
    }
    println!("{:<40} {total}", "all");
    (total, late)
}

/// Most that may be told beside the ideal filter; what is reached is a percent more than it.
const MOST_RATIO: f64 = 1.05;

#[test]
fn little_more_is_told_than_by_an_ideal_filter_and_nothing_less() {
    let maps = [
        "corner_peek",
        "two_staggered_walls_fuse",
        "many_small_crates_fuse",
        "concave_courtyard_with_pillar_in_hole",
        "window",
        "lintel_seen_under",
        "wall_seen_over_in_a_jump",
        "turned_walls",
        "high_wall_hides",
    ];
    let (total, late) = report(&maps, 200.0);
    assert!(late.is_empty(), "{} late: {:#?}", late.len(), &late[..late.len().min(4)]);
    assert!(total.ratio() <= MOST_RATIO, "{total}");
    assert!(total.ideal * 10 > total.all && total.ideal < total.all, "the maps hide some and show some");
}

#[test]
fn little_more_is_told_on_the_arenas_than_by_an_ideal_filter_and_nothing_less() {
    if leaves_arenas_out() {
        return;
    }
    let (total, late) = report(&["arena_foundry", "arena_harbour", "arena_terraces"], 350.0);
    assert!(late.is_empty(), "{} late: {:#?}", late.len(), &late[..late.len().min(4)]);
    assert!(total.ratio() <= MOST_RATIO, "{total}");
}
