//! What an observer is sent is a function of what it is entitled to: two worlds that differ in all else give it equal bytes.

#[allow(dead_code)]
#[path = "../server/game.rs"]
mod game;
mod interest;
mod twins;
mod worlds;

use twins::{Differs, Outcome, search, setting};

fn effort() -> f64 {
    std::env::var("FOGWALL_EFFORT").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0)
}

fn passes(name: &str, differs: Differs, ticks: f64) -> Outcome {
    let ticks = (ticks * effort()) as u64;
    let total = search(&setting(), differs, ticks, 1);
    println!("{name}: {total}");
    assert_eq!(total.found, None, "{name}");
    assert!(total.counted >= ticks, "{name}: too few ticks count");
    assert!(total.bytes > total.counted * 40 && total.deferred > total.counted / 4, "{name}: no pressure");
    assert!(
        total.hidden > total.counted && total.lost > total.counted / 20,
        "{name}: nothing is hidden or lost"
    );
    total
}

#[test]
fn worlds_that_differ_in_all_that_is_not_told_give_equal_bytes() {
    let total = passes("all at once", Differs::ALL, 2_000.0);
    assert!(total.unequal * 4 < total.runs, "what is perturbed changes verdicts: {total}");
}

#[test]
fn each_difference_alone_gives_equal_bytes_and_verdicts() {
    for (name, differs) in Differs::EACH {
        let total = passes(name, differs, 250.0);
        assert!(total.unequal == 0 || differs.facing, "{name} changes verdicts: {total}");
    }
}

#[test]
fn a_difference_in_what_is_told_is_found() {
    let total = search(&setting(), Differs::TOLD, 250, 1);
    println!("told: {total}");
    assert!(total.found.is_some(), "{total}");
}
