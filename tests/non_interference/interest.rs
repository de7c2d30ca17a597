//! What all ask for and take part in, changing every few ticks: groups, regions, subscriptions, topics, presenters.
//!
//! What is dark may differ in all of it, but for what would entitle X to it: X's own groups, and, where the radius alone
//! decides, the categories and topics that X asks for.

use fogwall::{Entity, GroupId, Membership, Observer, Point2, Region, Streams, Subscription, Tick, TopicId};

/// Ticks for which all stay as they are.
const LASTS: u32 = 24;
static OF_X: [GroupId; 2] = [GroupId(1), GroupId(2)];
static OTHERS: [GroupId; 3] = [GroupId(50), GroupId(51), GroupId(52)];
static TOPICS: [TopicId; 1] = [TopicId(0)];
static HALF: [Region; 1] = [Region::Box { low: Point2::new(0.0, 0.0), high: Point2::new(9.0, 12.0) }];
/// Both rooms, for what has a category; and a corner of X's own, for all.
static ASKED: [Subscription; 3] = [
    Subscription {
        region: Region::Disc { center: Point2::new(20.0, 6.0), radius_m: 30.0 },
        categories: 0b01,
    },
    Subscription { region: Region::Disc { center: Point2::new(9.0, 9.0), radius_m: 3.0 }, categories: 0 },
    Subscription {
        region: Region::Box { low: Point2::new(0.0, 0.0), high: Point2::new(28.0, 12.0) },
        categories: 0b11,
    },
];
/// Where long things are; of the second, what is dark is everywhere.
static LONG: [Region; 2] = [
    Region::Box { low: Point2::new(8.0, 0.0), high: Point2::new(11.0, 12.0) },
    Region::Disc { center: Point2::new(14.0, 6.0), radius_m: 20.0 },
];

/// A number that looks random, the same for as long as [`LASTS`].
fn roll(key: u32, tick: Tick, sides: u32) -> u32 {
    let mixed = (key.wrapping_mul(0x9E37_79B9) ^ (tick.0 / LASTS).wrapping_mul(0x85EB_CA6B))
        .wrapping_mul(0xC2B2_AE35);
    (mixed >> 16) % sides
}

fn streams(roll: u32) -> Streams {
    if roll.is_multiple_of(2) { Streams::All } else { Streams::GroupsOnly }
}

/// X as an observer.
pub(crate) fn of_x<'a>(x: Observer<'a>, tick: Tick) -> Observer<'a> {
    let at = |salt: u32, sides| roll(7000 + salt, tick, sides);
    Observer {
        groups: &OF_X[..at(0, 3) as usize],
        streams: streams(at(1, 2)),
        topics: &TOPICS[..at(2, 2) as usize],
        regions: if at(3, 4) == 0 { &HALF } else { &[] },
        subscriptions: &ASKED[..at(4, 4) as usize],
        ..x
    }
}

/// Something in the room of X; an enemy is in no group of X's.
pub(crate) fn beside_x<'a>(thing: Entity<'a>, key: u32, tick: Tick, is_enemy: bool) -> Entity<'a> {
    let at = |salt: u32, sides| roll(key * 16 + salt, tick, sides);
    let groups: &[GroupId] = match at(0, 3) {
        0 => &[],
        1 if !is_enemy => &OF_X[..1],
        _ => &OTHERS[..1],
    };
    Entity {
        groups,
        streams: streams(at(1, 2)),
        topics: &TOPICS[..at(2, 2) as usize],
        categories: u64::from(at(3, 4)),
        update_regions: &LONG[..at(4, 2) as usize],
        presenter: at(5, 8) == 0,
        ..thing
    }
}

/// Something that X is told nothing of; of a prop the radius alone decides.
pub(crate) fn in_the_dark<'a>(thing: Entity<'a>, key: u32, tick: Tick, is_prop: bool) -> Entity<'a> {
    let at = |salt: u32, sides| roll(key * 16 + salt, tick, sides);
    let of = at(0, 4) as usize;
    Entity {
        groups: &OTHERS[..of],
        streams: streams(at(1, 2)),
        topics: &TOPICS[..if is_prop { 0 } else { at(2, 2) as usize }],
        categories: if is_prop { u64::from(at(3, 8)) << 8 } else { u64::from(at(3, 4)) },
        update_regions: if is_prop { &[] } else { &LONG[..at(4, 3) as usize] },
        // Presenters of the match of X reach it.
        presenter: thing.membership != Membership::default() && at(5, 2) == 0,
        ..thing
    }
}
