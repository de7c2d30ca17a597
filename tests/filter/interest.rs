//! Subscriptions and topics: they widen who is looked at, and never what is told.

use crate::common::sources::corpus_map;
use crate::stage::{BLUE, RED, Stage, plays, rules};
use fogwall::{
    Entity, HiddenBy, Level, MatchId, Membership, Observer, ObserverId, Point2, Region, Subscription, TopicId,
};

/// What lies about is looked at within 3 m.
const SHORT: (&str, &str) = ("(enter_m: 80.0, leave_m: 85.0)", "(enter_m: 3.0, leave_m: 3.5)");
/// And it is told to all who are that near.
const NEAR_ALONE: (&str, &str) = (
    "sight: PvsAndRays,\n            relevance: (enter_m: 80.0, leave_m: 85.0)",
    "sight: Always,\n            relevance: (enter_m: 3.0, leave_m: 3.5)",
);

fn around(x: f64, y: f64, categories: u64) -> Subscription {
    Subscription { region: Region::Disc { center: Point2::new(x, y), radius_m: 2.0 }, categories }
}

#[test]
fn a_scope_looks_beyond_the_radius_and_not_through_a_wall() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[SHORT]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let [open, behind] = [stage.lying(1, (2.0, 11.0, 0.0)), stage.lying(2, (10.0, 6.0, 0.0))];
    stage.show(&[own, open, behind], &[plays(0, &own)]);
    assert_eq!([1, 2].map(|place| stage.hidden_by(0, place)), [Some(HiddenBy::Radius); 2]);
    let scope = [around(2.0, 11.0, 0), around(10.0, 6.0, 0)];
    stage.show(&[own, open, behind], &[Observer { subscriptions: &scope, ..plays(0, &own) }]);
    assert_eq!(stage.told(0), [(0, Level::Owner), (1, Level::Seen)]);
    let by = stage.hidden_by(0, 2);
    assert!(by.is_some_and(|by| by.is_geometry() && by != HiddenBy::Radius), "{by:?}");
}

#[test]
fn where_the_radius_alone_decides_the_region_stands_for_it() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[NEAR_ALONE]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let [plain, marked] = [stage.lying(1, (10.0, 6.0, 0.0)), stage.lying(2, (10.0, 7.0, 0.0))];
    let marked = Entity { categories: 0b11, ..marked };
    let knows = |stage: &mut Stage, observer: Observer<'_>| {
        stage.show(&[own, plain, marked], &[observer]);
        [1, 2].map(|slot| stage.knows(0, slot))
    };
    assert_eq!(knows(&mut stage, plays(0, &own)), [false, false]);
    for (categories, told) in [(0, [true, true]), (0b10, [false, true]), (0b110, [false, false])] {
        let drone = [around(10.0, 6.5, categories)];
        assert_eq!(knows(&mut stage, Observer { subscriptions: &drone, ..plays(0, &own) }), told);
        // A camera that has no eyes: only what asks for none is told.
        let camera = Observer { entity: None, ..Observer::player(ObserverId::new(0, 0), own.id, None) };
        assert_eq!(knows(&mut stage, Observer { subscriptions: &drone, ..camera }), told);
    }
    assert_eq!(knows(&mut stage, plays(0, &own)), [false, false], "the camera is switched off");
}

#[test]
fn a_train_is_wherever_its_update_regions_are() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[NEAR_ALONE]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let wagons = [Region::Box { low: Point2::new(60.0, 0.0), high: Point2::new(90.0, 3.0) }];
    let train = Entity { update_regions: &wagons, ..stage.lying(1, (200.0, 0.0, 0.0)) };
    let mut knows = |x: f64| {
        let window = [around(x, 4.0, 0)];
        stage.show(&[own, train], &[Observer { subscriptions: &window, ..plays(0, &own) }]);
        stage.knows(0, 1)
    };
    assert!(knows(70.0) && knows(58.9) && !knows(57.0), "edges count");
    assert!(!knows(200.0), "where it stands is not where it is");
}

#[test]
fn who_follows_a_topic_looks_at_what_is_published_under_it() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[SHORT]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let [open, behind] = [stage.lying(1, (2.0, 11.0, 0.0)), stage.lying(2, (10.0, 6.0, 0.0))];
    let published = |entity| Entity { topics: &[TopicId(0)], ..entity };
    let all = [own, published(open), published(behind)];
    stage.show(&all, &[plays(0, &own)]);
    assert!(!stage.knows(0, 1));
    stage.show(&all, &[Observer { topics: &[TopicId(0)], ..plays(0, &own) }]);
    assert!(stage.knows(0, 1) && !stage.knows(0, 2), "sight still decides");
}

#[test]
fn nothing_that_is_asked_for_goes_around_permission() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let other = Membership { match_id: MatchId(5), ..Membership::default() };
    let enemy = Entity { topics: &[TopicId(0)], ..stage.player(1, BLUE, (10.0, 6.0, 0.0)) };
    let beside = Entity { membership: other, topics: &[TopicId(0)], ..stage.player(2, RED, (2.0, 5.0, 0.0)) };
    let weapon = stage.weapon(3, &enemy);
    let all = [Subscription {
        region: Region::Disc { center: Point2::origin(), radius_m: f64::INFINITY },
        categories: 0,
    }];
    let asks = Observer { subscriptions: &all, topics: &[TopicId(0)], ..plays(0, &own) };
    stage.show(&[own, enemy, beside, weapon], &[asks]);
    assert_eq!(stage.told(0), [(0, Level::Owner)]);
    assert_eq!(stage.hidden_by(0, 2), Some(HiddenBy::Interest));
    let narrowed = [Region::Disc { center: Point2::new(2.0, 6.0), radius_m: 1.0 }];
    let near = stage.player(4, BLUE, (2.0, 8.0, 0.0));
    stage.show(&[own, near], &[Observer { regions: &narrowed, ..asks }]);
    assert_eq!(stage.hidden_by(0, 1), Some(HiddenBy::Interest), "what regions narrow, nothing widens");
}
