//! Each breach is found by the very search that passes without one.

#[allow(dead_code)]
#[path = "../../tests/server/game.rs"]
mod game;
#[path = "../../tests/non_interference/interest.rs"]
mod interest;
#[allow(dead_code)]
#[path = "../../tests/non_interference/twins.rs"]
mod twins;
#[path = "../../tests/non_interference/worlds.rs"]
mod worlds;

use super::{Leak, plant};
use twins::{Differs, search, setting};

#[test]
fn two_worlds_find_each_planted_leak_and_nothing_without_one() {
    let setting = setting();
    for leak in [Leak::Field, Leak::Size, Leak::Order, Leak::Id, Leak::Accumulator, Leak::Removal] {
        plant(Some(leak));
        let total = search(&setting, Differs::ALL, 500, 1);
        println!("{leak:?}: {total}");
        assert!(total.found.is_some(), "{leak:?} was not found: {total}");
    }
    plant(None);
    let total = search(&setting, Differs::ALL, 500, 1);
    println!("none: {total}");
    assert_eq!(total.found, None);
}
