//! Who is told of what does not compete, on random worlds, against the definition of it written down here.

use crate::common::sources::corpus_map;
use crate::stage::{Stage, rules};
use fogwall::{
    Entity, EntityId, GroupId, HiddenBy, Level, MatchId, Membership, Observer, ObserverId, Point2, Point3,
    PresenterReach, Region, Relevancy, Streams, Subscription, TeamId, TopicId,
};

/// Within this the radius alone tells of things; it is entered and left at the same distance.
const RADIUS_M: f64 = 10.0;
const NEAR_ALONE: (&str, &str) = (
    "grants: (own: Hidden, owned: Hidden, team: Hidden, group: Hidden, presenter: Seen, always: Hidden),\n            sight: PvsAndRays,\n            relevance: (enter_m: 80.0, leave_m: 85.0)",
    "grants: (own: Hidden, owned: Owner, team: Team, group: Spotted, presenter: Seen, always: Hidden),\n            sight: Always,\n            relevance: (enter_m: 10.0, leave_m: 10.0)",
);
/// A spotted thing is told something too.
const SPOTTED: (&str, &str) = (
    "(name: \"kind\", encoding: Int(min: 0, max: 255), owner: Exact, team: Exact, seen: Exact),\n            ],\n            grants: (own: Hidden, owned: Owner, team: Team, group: Spotted",
    "(name: \"kind\", encoding: Int(min: 0, max: 255), owner: Exact, team: Exact, seen: Exact, spotted: Exact),\n            ],\n            grants: (own: Hidden, owned: Owner, team: Team, group: Spotted",
);

/// A fixed sequence of numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn at(&mut self) -> Point2 {
        Point2::new(self.roll(60) as f64 * 0.5, self.roll(60) as f64 * 0.5)
    }

    fn some<'a, T>(&mut self, list: &'a [T]) -> &'a [T] {
        let from = self.roll(list.len() as u64 + 1) as usize;
        &list[from..from + self.roll((list.len() - from) as u64 + 1) as usize]
    }

    fn region(&mut self) -> Region {
        let (low, side) = (self.at(), self.roll(20) as f64);
        match self.roll(2) {
            0 => Region::Box { low, high: Point2::new(low.x + side, low.y + side * 0.5) },
            _ => Region::Disc { center: low, radius_m: side * 0.5 },
        }
    }

    fn streams(&mut self) -> Streams {
        if self.roll(2) == 0 { Streams::All } else { Streams::GroupsOnly }
    }

    fn membership(&mut self) -> Membership {
        Membership { match_id: MatchId(u32::from(self.roll(8) == 0)), phases: 1 + self.roll(3) as u32 }
    }
}

/// Lists that worlds borrow from.
struct Parts {
    groups: Vec<GroupId>,
    topics: Vec<TopicId>,
    regions: Vec<Region>,
    subscriptions: Vec<Subscription>,
}

/// What the observer, who plays `body`, should be told of the entity: the least words that say it.
fn level(observer: &Observer<'_>, body: &Entity<'_>, entity: &Entity<'_>, reach: PresenterReach) -> Level {
    if !observer.membership.shares(entity.membership) {
        return Level::Hidden;
    }
    let is_apart = |streams, groups: &[GroupId]| streams == Streams::GroupsOnly && !groups.is_empty();
    let shares = entity.groups.iter().any(|group| observer.groups.contains(group));
    let is_spatial = !is_apart(entity.streams, entity.groups) && !is_apart(observer.streams, observer.groups);
    let place = Point2::new(entity.pos.x, entity.pos.y);
    let is_narrowed =
        !observer.regions.is_empty() && !observer.regions.iter().any(|region| region.contains(place));
    let mut levels = vec![Level::Hidden];
    if entity.owner == observer.entity {
        levels.push(Level::Owner);
    }
    if entity.presenter && reach == PresenterReach::Match {
        levels.push(Level::Seen);
    }
    if !is_narrowed {
        if entity.team == observer.team {
            levels.push(Level::Team);
        }
        if shares {
            levels.push(Level::Spotted);
        }
        if entity.presenter && reach == PresenterReach::Streams && (shares || is_spatial) {
            levels.push(Level::Seen);
        }
        let here = [Region::Disc { center: place, radius_m: 0.0 }];
        let own = if entity.update_regions.is_empty() { &here[..] } else { entity.update_regions };
        let is_asked_for = observer.subscriptions.iter().any(|asked| {
            let agrees = asked.categories == 0 || asked.categories & entity.categories == asked.categories;
            agrees && own.iter().any(|own| own.meets(&asked.region))
        });
        let is_followed = observer.topics.iter().any(|topic| entity.topics.contains(topic));
        let is_near = (entity.pos - body.pos).norm() - entity.radius_m <= RADIUS_M;
        if is_spatial && (is_near || is_asked_for || is_followed) {
            levels.push(Level::Seen);
        }
    }
    levels.into_iter().max().unwrap_or(Level::Hidden)
}

#[test]
fn on_random_worlds_everybody_is_told_what_the_definition_says() {
    let effort = std::env::var("FOGWALL_EFFORT").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0_f64);
    let mut stage = Stage::new(corpus_map("only_what_must_be_there"), rules(&[NEAR_ALONE, SPOTTED]));
    let mut dice = Dice(5);
    let mut told = [0_u64; 6];
    // Few are all looked at, many are found by lists and buckets.
    let sizes = [40, 700].map(|things| (0..(4000.0 * effort) as u32 / things).map(move |_| things));
    for (world, things) in (0..).zip(sizes.into_iter().flatten()) {
        let parts = Parts {
            groups: (0..6).map(GroupId).collect(),
            topics: (0..3).map(TopicId).collect(),
            regions: (0..6).map(|_| dice.region()).collect(),
            subscriptions: (0..6)
                .map(|_| Subscription { region: dice.region(), categories: dice.roll(8) & dice.roll(8) })
                .collect(),
        };
        let reach =
            [PresenterReach::Off, PresenterReach::Streams, PresenterReach::Match][dice.roll(3) as usize];
        [MatchId(0), MatchId(1)].into_iter().for_each(|id| stage.filter.switch_presenters(id, reach));
        let mut entities = Vec::new();
        let mut observers = Vec::new();
        for index in 0..8 {
            let (at, team) = (dice.at(), Some(TeamId(dice.roll(3) as u16)));
            let body =
                Entity { membership: dice.membership(), ..stage.player(index, team, (at.x, at.y, 0.0)) };
            observers.push(Observer {
                groups: if dice.roll(2) == 0 { &[] } else { dice.some(&parts.groups) },
                streams: dice.streams(),
                topics: if dice.roll(2) == 0 { &[] } else { dice.some(&parts.topics) },
                regions: if dice.roll(2) == 0 { &[] } else { dice.some(&parts.regions) },
                subscriptions: if dice.roll(2) == 0 { &[] } else { dice.some(&parts.subscriptions) },
                membership: body.membership,
                ..Observer::player(ObserverId::new(index, 0), body.id, team)
            });
            entities.push(body);
        }
        for index in 8..things {
            let at = dice.at();
            let id = EntityId::new(index, world);
            entities.push(Entity {
                id,
                pos: Point3::new(at.x, at.y, dice.roll(4) as f64),
                team: (dice.roll(4) == 0).then_some(TeamId(dice.roll(3) as u16)),
                owner: (dice.roll(6) == 0).then(|| entities[dice.roll(8) as usize].id),
                presenter: dice.roll(5) == 0,
                membership: dice.membership(),
                groups: if dice.roll(2) == 0 { &[] } else { dice.some(&parts.groups) },
                streams: dice.streams(),
                topics: if dice.roll(2) == 0 { &[] } else { dice.some(&parts.topics) },
                categories: dice.roll(8),
                update_regions: if dice.roll(2) == 0 { &[] } else { dice.some(&parts.regions) },
                ..stage.lying(index, (0.0, 0.0, 0.0))
            });
        }
        stage.show(&entities, &observers);
        for (own, observer) in observers.iter().enumerate() {
            for (place, entity) in entities.iter().enumerate().skip(8) {
                let verdict = stage.view(own).verdict(place);
                let expected = level(observer, &entities[own], entity, reach);
                assert_eq!(verdict.level, expected, "world {world}: {observer:?} of {entity:?}: {verdict:?}");
                told[expected as usize] += 1;
                if let Relevancy::Hidden(by) = verdict.relevancy {
                    assert!(matches!(by, HiddenBy::Interest | HiddenBy::Radius), "{by:?}");
                }
            }
        }
    }
    // Every way of being told comes often.
    let ways = [Level::Hidden, Level::Spotted, Level::Seen, Level::Team, Level::Owner];
    assert!(ways.iter().all(|level| told[*level as usize] > 500), "{told:?}");
}
