//! The exact judge of small plans: rational arithmetic over all cells of line space.

mod oracle;

use oracle::critical::Field;
use oracle::exact::Plan;
use oracle::exact_line::R;
use oracle::kernel::{Grid, Marks, Touch};
use oracle::plane::P2;
use oracle::random::Random;
use oracle::toys::{Heights, scene};

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
                        let stop = grid.blocker(&toy, segment, 1e-6, Touch::Blocks, &mut marks);
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
