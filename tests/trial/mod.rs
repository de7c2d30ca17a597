//! The trial of one baked level before all judges, with its figures printed.

// Each test binary uses a part of this directory.
#![allow(dead_code)]

pub(crate) mod baked;
pub(crate) mod play;
pub(crate) mod truth;

use crate::oracle::kernel::{Grid, Marks};
use crate::oracle::product::Level;
use crate::oracle::random::Random;
use crate::oracle::tightness::{Sampling, measure};
use crate::oracle::{Hunt, critical, rays, witness};
use baked::{seen, witnesses};
use fogwall::{CellId, PairClass, Pvs};
use std::time::Instant;

/// How much of each a trial does; the seed is printed with the figures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) seed: u64,
    pub(crate) lines: u64,
    pub(crate) rays: u64,
    pub(crate) witnesses: u64,
    pub(crate) tightness_pairs: u64,
    pub(crate) play_rays: u64,
}

/// Holds the trial; what a judge found wrong comes back as sentences.
pub(crate) fn hold(name: &str, level: &Level, pvs: &Pvs, size: Size) -> Vec<String> {
    let scene = &level.scene;
    let may_see = seen(pvs);
    let counts = pvs.counts();
    let percent = |part: u64| 100.0 * part as f64 / counts.pairs().max(1) as f64;
    println!(
        "{name:<24} {} pieces, {} cells; hidden {:.2} %, visible {:.2} %, unresolved {:.3} % \
         ({:.2} % of revealed); seed {}",
        scene.blockers.len(),
        scene.places.len(),
        percent(counts.hidden),
        percent(counts.visible),
        percent(counts.unresolved),
        100.0 * counts.unresolved_of_revealed(),
        size.seed,
    );
    let mut wrong = Vec::new();
    if counts.hidden > 0 {
        let mut note = |what: &str, hunt: &Hunt| {
            println!("{}", hunt.row(name, what));
            wrong.extend(hunt.violations.iter().map(|v| format!("{name}, {what}: {v:?}")));
        };
        note("critical lines", &critical::hunt(scene, size.lines, size.seed, &may_see));
        note("random rays", &rays::hunt(scene, size.rays, size.seed, &may_see));
        note("random play", &play::hunt(level, pvs, size.play_rays, size.seed));
        let tight = |sampling| measure(scene, size.tightness_pairs, size.seed, sampling, &may_see);
        let (uniform, critical) = (tight(Sampling::Uniform), tight(Sampling::Critical));
        println!(
            "{name:<24} tightness      truly blocked pairs hidden: {:.1} % of {} critical, {:.1} % of {} uniform",
            critical.percent(),
            critical.blocked,
            uniform.percent(),
            uniform.blocked
        );
    }
    wrong.extend(check_witnesses(name, level, pvs, size));
    wrong
}

/// Recomputes witnesses of random visible pairs and checks them with the judges' kernel.
fn check_witnesses(name: &str, level: &Level, pvs: &Pvs, size: Size) -> Vec<String> {
    let start = Instant::now();
    let (grid, mut marks) = (Grid::new(&level.scene), Marks::default());
    let mut random = Random::new(size.seed, 0);
    let cells = pvs.len();
    let (mut checked, mut wrong) = (0_u64, Vec::new());
    let witness_of = witnesses(level);
    for _ in 0..size.witnesses * 20 {
        let (a, b) = (random.below(cells), random.below(cells));
        let class = pvs.class(CellId(a as u32), CellId(b as u32));
        if checked == size.witnesses || a == b || class != PairClass::Visible {
            continue;
        }
        checked += 1;
        match witness_of(a, b) {
            None => wrong.push(format!("{name}: the visible pair {a} -> {b} has no witness")),
            Some(segment) => {
                wrong.extend(witness::check(&level.scene, &grid, (a, b), segment, &mut marks).err());
            }
        }
    }
    println!(
        "{name:<24} witnesses      {checked:>9} checked, {} wrong, {:.1} s",
        wrong.len(),
        start.elapsed().as_secs_f64()
    );
    wrong
}
