//! The exact judge of small plans: rational arithmetic over all cells of line space.

mod common;
mod oracle;
mod trial;

use common::sources::corpus;
use fogwall::{CellId, PairClass, Pvs};
use oracle::critical::Field;
use oracle::exact::Plan;
use oracle::exact_line::R;
use oracle::frontier::Frontier;
use oracle::kernel::{Grid, Marks, Touch};
use oracle::plane::P2;
use oracle::product::{Level, map_of};
use oracle::random::Random;
use oracle::toys::{Heights, scene};
use trial::baked::{bake, seen};

fn clearance() -> R {
    R::new(1.into(), 500_000.into())
}

#[test]
fn exact_verdicts_agree_with_the_kernel_and_the_critical_lines_on_random_plans() {
    let plans = (40.0 * oracle::effort()).ceil() as u64;
    let (mut free, mut blocked, mut missed) = (0_u64, 0_u64, 0_u64);
    for seed in 0..plans {
        let mut random = Random::new(seed, 5);
        let toy = scene(seed, 6, 1 + random.below(6), Heights::Endless);
        let (grid, mut marks) = (Grid::new(&toy), Marks::default());
        let outlines: Vec<Vec<P2>> = toy.blockers.iter().map(|b| b.outline.clone()).collect();
        for _ in 0..6 {
            // From one edge of the field to the other: many blockers between.
            let (a, b) = (random.below(12), 24 + random.below(12));
            let (eyes, bodies) = (toy.eyes(a), toy.bodies(b));
            let plan =
                Plan::new((eyes.region, eyes.reach), (bodies.region, bodies.reach), &outlines, &clearance());
            let by_lines = Field::new(&toy, &grid, (a, b), &mut marks).hunt(&mut random, 100_000).0;
            match plan.free_segment() {
                Some((p, q)) => {
                    let segment = ([p[0], p[1], 1.0], [q[0], q[1], 1.0]);
                    if plan.regions_apart() {
                        let stop = grid.stopper(&toy, segment, 1e-6, Touch::Blocks, &mut marks);
                        assert_eq!(stop, None, "seed {seed}, {a} -> {b}: {segment:?} is not free");
                        free += 1;
                        missed += u64::from(by_lines.is_none());
                    }
                }
                None => {
                    assert!(by_lines.is_none(), "seed {seed}, {a} -> {b}: proven blocked, yet {by_lines:?}");
                    blocked += 1;
                }
            }
        }
    }
    println!("exact: {free} free, {blocked} blocked; critical lines missed {missed} of the free");
    assert!(free > 20 && blocked > 20, "the plans ask nothing");
    assert!(missed * 50 <= free, "critical lines miss more than 2 % of what is free");
}

/// Whether the plan alone decides: every blocker fills all heights between eyes and bodies of all cells.
fn plan_decides(level: &Level) -> bool {
    let scene = &level.scene;
    let cells = 0..scene.places.len();
    let low = cells.clone().map(|cell| scene.bodies(cell).low.min(scene.eyes(cell).low));
    let high = cells.map(|cell| scene.bodies(cell).high.max(scene.eyes(cell).high));
    let (low, high) = (low.fold(f64::INFINITY, f64::min), high.fold(f64::NEG_INFINITY, f64::max));
    scene.blockers.iter().all(|blocker| blocker.low <= low && blocker.high >= high)
}

#[test]
fn what_the_bake_hides_on_small_plans_is_proven_blocked_in_exact_arithmetic() {
    let effort = oracle::effort();
    let toys = (0..(6.0 * effort).ceil() as u64).map(|seed| {
        let toy = scene(seed, 6, 2 + seed as usize % 5, Heights::Endless);
        Level::new(map_of(&toy, "toy"))
    });
    let small = |level: &Level| level.scene.blockers.len() <= 6 && level.scene.places.len() > 1;
    let of_corpus = corpus().into_iter().map(|path| Level::load(&path));
    let (mut proven, mut tight) = (0_u64, [0_u64; 2]);
    for level in toys.chain(of_corpus).filter(|level| small(level) && plan_decides(level)) {
        let scene = &level.scene;
        let pvs = bake(&level);
        let may_see = seen(&pvs);
        let outlines: Vec<Vec<P2>> = scene.blockers.iter().map(|b| b.outline.clone()).collect();
        let frontier = Frontier::new(scene);
        let mut random = Random::new(1, 2);
        for _ in 0..(12.0 * effort) as usize {
            let Some((a, b)) = frontier.hidden_pair(&mut random, &may_see) else { break };
            let (eyes, bodies) = (scene.eyes(a), scene.bodies(b));
            let plan =
                Plan::new((eyes.region, eyes.reach), (bodies.region, bodies.reach), &outlines, &clearance());
            // Regions of no area (bodies that only slide along a wall, eyes that do not lean) have no inside to judge.
            if plan.a.len() < 3 || plan.b.len() < 3 || !plan.regions_apart() {
                continue;
            }
            let free = plan.free_segment();
            assert!(free.is_none(), "{}: {a} -> {b} is hidden, yet {free:?} is free", level.map.name);
            proven += 1;
        }
        let open = count_open(&level, &pvs, &outlines, &mut random);
        tight = [tight[0] + open[0], tight[1] + open[1]];
    }
    println!("exact: {proven} hidden pairs proven; of {} unresolved ones {} are blocked", tight[1], tight[0]);
    assert!(proven > 50, "too few pairs were judged");
}

/// Of some unresolved pairs: those that are blocked exactly, and all of them.
fn count_open(level: &Level, pvs: &Pvs, outlines: &[Vec<P2>], random: &mut Random) -> [u64; 2] {
    let cells = pvs.len();
    let mut count = [0; 2];
    for _ in 0..2_000 {
        let (a, b) = (random.below(cells), random.below(cells));
        if pvs.class(CellId(a as u32), CellId(b as u32)) != PairClass::Unresolved || count[1] == 4 {
            continue;
        }
        let (eyes, bodies) = (level.scene.eyes(a), level.scene.bodies(b));
        let plan =
            Plan::new((eyes.region, eyes.reach), (bodies.region, bodies.reach), outlines, &clearance());
        count[1] += 1;
        count[0] += u64::from(plan.a.len() >= 3 && plan.b.len() >= 3 && plan.free_segment().is_none());
    }
    count
}
