//! Groups and presenters: whom what streams reach, and what they never take away.

use crate::common::sources::corpus_map;
use crate::stage::{BLUE, RED, Stage, groups, plays, rules};
use fogwall::{Entity, HiddenBy, Level, MatchId, Observer, PresenterReach, Relevancy, Streams};

/// Something whose class has no sight policy but the radius of 80 m: what lies about is told to all who are near.
const NEAR_ALONE: [(&str, &str); 2] = [
    (
        "group: Hidden, presenter: Seen, always: Hidden),\n            sight: PvsAndRays,\n            relevance: (enter_m: 80.0",
        "group: Seen, presenter: Seen, always: Hidden),\n            sight: Always,\n            relevance: (enter_m: 80.0",
    ),
    ("leave: Never,       // once", "leave: Removal,       // once"),
];

fn open() -> Stage {
    Stage::new(corpus_map("only_what_must_be_there"), rules(&NEAR_ALONE))
}

/// A party of those who receive: near or far, and of which groups.
const RECEIVERS: [(&str, f64, &[u32], Streams); 6] = [
    ("near", 5.0, &[], Streams::All),
    ("far", 300.0, &[], Streams::All),
    ("near, of 1", 5.0, &[1], Streams::GroupsOnly),
    ("far, of 1", 300.0, &[8, 1], Streams::GroupsOnly),
    ("near, of 2", 5.0, &[2], Streams::GroupsOnly),
    ("far, also of 1", 300.0, &[1], Streams::All),
];

/// One line of the table: who of the receivers is told of the sender.
fn line(stage: &mut Stage, name: &str, sender: Entity<'static>) -> String {
    let mut entities = vec![sender];
    let mut observers = Vec::new();
    for (index, (_, at, of, streams)) in (1..).zip(RECEIVERS) {
        let body = stage.player(index, RED, (at, f64::from(index), 0.0));
        observers.push(Observer { groups: groups(of), streams, ..plays(index, &body) });
        entities.push(body);
    }
    stage.show(&entities, &observers);
    let told = (0..RECEIVERS.len()).map(|observer| if stage.knows(observer, 0) { "told" } else { "-" });
    let cells = told.zip(RECEIVERS).map(|(told, (name, ..))| format!("{told:>width$}", width = name.len()));
    format!("{name:<31}| {}", cells.collect::<Vec<_>>().join(" | "))
}

fn table(stage: &mut Stage, rows: &[(&str, PresenterReach, Entity<'static>)]) -> Vec<String> {
    let head = RECEIVERS.map(|(name, ..)| name).join(" | ");
    let mut lines = vec![format!("{:<31}| {head}", "")];
    for (name, reach, sender) in rows {
        stage.filter.switch_presenters(MatchId(0), *reach);
        lines.push(line(stage, name, *sender));
    }
    lines
}

#[test]
fn who_receives_what_normal_ones_groups_and_presenters_send() {
    let mut stage = open();
    let normal = stage.lying(0, (0.0, 0.0, 0.0));
    let of_1 = Entity { groups: groups(&[1]), streams: Streams::GroupsOnly, ..normal };
    let presents = |entity| Entity { presenter: true, ..entity };
    let rows = [
        ("normal", PresenterReach::Off, normal),
        ("of group 1", PresenterReach::Off, of_1),
        ("presenter", PresenterReach::Streams, presents(normal)),
        ("presenter of group 1", PresenterReach::Streams, presents(of_1)),
        ("presenter of 1, global mode", PresenterReach::Match, presents(of_1)),
    ];
    assert_eq!(
        table(&mut stage, &rows),
        [
            "                               | near | far | near, of 1 | far, of 1 | near, of 2 | far, also of 1",
            "normal                         | told |   - |          - |         - |          - |              -",
            "of group 1                     |    - |   - |       told |      told |          - |           told",
            "presenter                      | told | told |          - |         - |          - |           told",
            "presenter of group 1           |    - |   - |       told |      told |          - |           told",
            "presenter of 1, global mode    | told | told |       told |      told |       told |           told",
        ]
    );
}

#[test]
fn an_inclusive_member_sends_both_ways_and_a_switch_that_is_off_leaves_a_mark_without_meaning() {
    let mut stage = open();
    let normal = stage.lying(0, (0.0, 0.0, 0.0));
    let also_1 = Entity { groups: groups(&[1]), ..normal };
    let presents = |entity| Entity { presenter: true, ..entity };
    let rows = [
        ("also of group 1", PresenterReach::Off, also_1),
        ("presenter, switched off", PresenterReach::Off, presents(normal)),
        ("presenter, global mode", PresenterReach::Match, presents(normal)),
        (
            "exclusive member of nothing",
            PresenterReach::Off,
            Entity { streams: Streams::GroupsOnly, ..normal },
        ),
    ];
    assert_eq!(
        table(&mut stage, &rows),
        [
            "                               | near | far | near, of 1 | far, of 1 | near, of 2 | far, also of 1",
            "also of group 1                | told |   - |       told |      told |          - |           told",
            "presenter, switched off        | told |   - |          - |         - |          - |              -",
            "presenter, global mode         | told | told |       told |      told |       told |           told",
            "exclusive member of nothing    | told |   - |          - |         - |          - |              -",
        ]
    );
}

#[test]
fn the_switch_of_one_match_is_none_of_another() {
    let mut stage = open();
    let presenter = Entity { presenter: true, ..stage.lying(0, (0.0, 0.0, 0.0)) };
    stage.filter.switch_presenters(MatchId(3), PresenterReach::Match);
    assert!(
        line(&mut stage, "", presenter)
            .ends_with("| told |   - |          - |         - |          - |              -")
    );
}

#[test]
fn leaving_a_group_rejoins_the_spatial_streams_in_the_same_tick() {
    let mut stage = open();
    let [own, lying] = [stage.player(1, RED, (3.0, 3.0, 0.0)), stage.lying(0, (4.0, 4.0, 0.0))];
    for tick in 0..6_u32 {
        // The one leaves and rejoins every tick, the other every second tick, a group that nobody was of before.
        let of: &[u32] = if tick.is_multiple_of(2) { &[] } else { &[7] };
        let of_lying: &[u32] = if tick % 4 < 2 { &[] } else { &[90] };
        let member = Observer { groups: groups(of), streams: Streams::GroupsOnly, ..plays(0, &own) };
        let sender = Entity { groups: groups(of_lying), streams: Streams::GroupsOnly, ..lying };
        stage.show(&[sender, own], &[member]);
        assert_eq!(stage.knows(0, 0), of.is_empty() && of_lying.is_empty(), "tick {tick}");
        let by = stage.hidden_by(0, 0);
        assert!(by.is_none_or(|by| by == HiddenBy::Interest), "tick {tick}: {by:?}");
    }
}

#[test]
fn no_group_makes_a_competitor_invisible_or_blind() {
    let mut stage = open();
    let own = stage.player(0, RED, (2.0, 2.0, 0.0));
    let enemy = stage.player(1, BLUE, (2.0, 5.0, 0.0));
    for (of_own, of_enemy) in [(&[1_u32][..], &[2_u32][..]), (&[], &[2]), (&[1], &[])] {
        let apart = Entity { groups: groups(of_enemy), streams: Streams::GroupsOnly, ..enemy };
        let member = Observer { groups: groups(of_own), streams: Streams::GroupsOnly, ..plays(0, &own) };
        stage.show(&[own, apart], &[member]);
        assert_eq!(stage.told(0), [(0, Level::Owner), (1, Level::Seen)]);
    }
}

#[test]
fn what_is_hidden_stays_hidden_whatever_group_it_leaves() {
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let enemy = stage.player(1, BLUE, (10.0, 6.0, 0.0));
    for of in [&[1_u32][..], &[], &[1, 2], &[2]] {
        let apart = Entity { groups: groups(of), streams: Streams::GroupsOnly, ..enemy };
        stage.show(&[own, apart], &[plays(0, &own)]);
        assert!(stage.hidden_by(0, 1).is_some_and(HiddenBy::is_geometry));
    }
}

#[test]
fn a_group_that_is_told_less_than_sight_gives_takes_nothing_from_it() {
    let coarse = (
        "group: Team, presenter: Seen, always: Hidden),\n            sight: PvsAndRays,  // of",
        "group: Spotted, presenter: Seen, always: Hidden),\n            sight: PvsAndRays,  // of",
    );
    let mut stage = Stage::new(corpus_map("high_wall_hides"), rules(&[coarse]));
    let own = stage.player(0, RED, (2.0, 6.0, 0.0));
    let [near, far] = [(2.0, 9.0, 0.0), (10.0, 6.0, 0.0)];
    let member = Observer { groups: groups(&[1]), ..plays(0, &own) };
    let mut told = |at, of: &[u32]| {
        let enemy = Entity { groups: groups(of), ..stage.player(1, BLUE, at) };
        let weapon = Entity { groups: groups(of), ..stage.weapon(2, &enemy) };
        // What was in sight in the tick before is so for one more.
        (0..2).for_each(|_| stage.show(&[own, enemy, weapon], &[member]));
        let verdict = stage.view(0).verdict(1);
        (verdict.relevancy, verdict.level, stage.told(0).get(2).map(|(_, level)| *level))
    };
    let seen = (Relevancy::Sighted, Level::Seen, Some(Level::Seen));
    assert_eq!((told(near, &[1]).0, told(near, &[1]).1), (seen.0, seen.1), "in sight, as everybody");
    assert_eq!(told(near, &[]), seen);
    let hidden = told(far, &[1]);
    assert_eq!(
        (hidden.0, hidden.1),
        (Relevancy::Granted(Level::Spotted), Level::Spotted),
        "the right is kept"
    );
    assert_eq!(told(far, &[]).1, Level::Hidden);
}
