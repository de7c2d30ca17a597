//! The filter over matches (a real one, and bodies that walk about an arena): time per contested (observer, enemy) pair
//! and tick, what ends at which stage, and of the real match who was told late or early by its own paths.
//!
//! Two times are printed: of the whole filter by the default rules; and of its sight stages, by rules in which all that
//! anybody is told of a player is one bit, so that next to nothing is quantised or told: a little more than they take.
#![allow(missing_docs)]

mod scene;

use fogwall::{
    Baked, DEFAULT_RULES, Entity, Filter, FilterReport, HiddenBy, Lent, Level, Mask, Point3, Roster, Rules,
    SmokeCloud, Vector3, View,
};
use scene::arena::walk;
use scene::recorded::{Moment, baked, read};
use std::time::{Duration, Instant};

/// Ticks that are played.
const TICKS: usize = 8000;
const RTT_MS: f64 = 60.0;
/// The recording's.
const TICK_MS: f64 = 1000.0 / 64.0;

/// What a match came to.
#[derive(Default)]
struct Figures {
    begin: Duration,
    observe: Duration,
    pairs: u64,
    told: u64,
    in_sight: u64,
    late: u64,
    shown: u64,
    report: FilterReport,
}

fn main() {
    let rules = Rules::parse(DEFAULT_RULES, "rules.ron").expect("the rules hold").rules;
    let of_one_bit = Rules::parse(with_one_bit(DEFAULT_RULES), "rules.ron").expect("the rules hold").rules;
    // Names of what to measure, and the ticks: `cargo bench --bench filter -- dust2 2000`.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let most = wanted.iter().find_map(|arg| arg.parse().ok()).unwrap_or(usize::MAX);
    let names: Vec<_> = wanted.iter().filter(|arg| arg.parse::<usize>().is_err()).collect();
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    let measure = |name: &str, baked: &Baked, moments: &[Moment], tick_ms: f64| {
        let whole = play(&rules, baked, moments, tick_ms);
        let of_sight = play(&of_one_bit, baked, moments, tick_ms);
        print(name, &whole, &of_sight);
    };
    if is_wanted("de_dust2") {
        let recording = scene::real("de_dust2").with_file_name("../recordings/m08_de_dust2.jsonl.gz");
        match read(&recording, &rules, TICKS.min(most)) {
            Some(moments) => {
                measure("de_dust2, a match at 64 Hz", &baked(&scene::real("de_dust2")), &moments, TICK_MS);
            }
            None => println!("no recording at {}: the real match is left out", recording.display()),
        }
    }
    let foundry = [(10, 2, 4000), (100, 100, 600)];
    for (players, teams, ticks) in foundry {
        let name = format!("{players} of {teams} teams, arena_foundry at 128 Hz");
        if is_wanted(&name) {
            let baked = baked(&scene::corpus("arena_foundry"));
            let tick_ms = 1000.0 / 128.0;
            let moments = walk(&baked, &rules, players, teams, (most.min(ticks), tick_ms / 1e3));
            measure(&name, &baked, &moments, tick_ms);
        }
    }
}

/// The rules with all but one bit of a player left out, and what only the player itself and its team know.
fn with_one_bit(rules: &str) -> String {
    let left_out =
        ["pos", "vel", "yaw", "pitch", "stance", "team"].map(|name| format!("(name: \"{name}\", "));
    let player = rules.find("name: \"player\"").expect("the rules have players");
    let fields = player..player + rules[player..].find("grants:").expect("a class has grants");
    let is_kept = |line: &&str| !left_out.iter().any(|field| line.trim_start().starts_with(field.as_str()));
    let kept: Vec<_> = rules[fields.clone()].lines().filter(is_kept).collect();
    [&rules[..fields.start], &kept.join("\n"), &rules[fields.end..]].concat()
}

fn play(rules: &Rules, baked: &Baked, moments: &[Moment], tick_ms: f64) -> Figures {
    let mut filter = Filter::new(rules, baked, tick_ms);
    let mut scratch = filter.scratch();
    let (mut entities, mut observers) = (Roster::default(), Roster::default());
    let slots = moments.iter().flat_map(|moment| &moment.bodies).map(|body| body.id.index + 1).max();
    let mut views: Vec<View> = (0..slots.unwrap_or(0)).map(|_| filter.view()).collect();
    let mut figures = Figures::default();
    for (index, moment) in moments.iter().enumerate() {
        let players = moment.players(&[RTT_MS]);
        let world = moment.world(index, &players);
        entities.refresh_entities(world.entities, &mut Vec::new());
        observers.refresh_observers(world.observers, &mut Vec::new());
        let lent = Lent { world: &world, entities: &entities, observers: &observers, rules, baked };
        let start = Instant::now();
        filter.begin(&lent);
        figures.begin += start.elapsed();
        figures.report += *filter.report();
        let start = Instant::now();
        for (place, body) in moment.bodies.iter().enumerate() {
            filter.observe(&lent, place, &mut views[body.id.index as usize], &mut scratch);
        }
        figures.observe += start.elapsed();
        judge(&mut figures, baked, &moments[index..], &views, tick_ms);
    }
    figures
}

/// Holds the verdicts of a tick against what the match's own paths show later.
fn judge(figures: &mut Figures, baked: &Baked, moments: &[Moment], views: &[View], tick_ms: f64) {
    let now = &moments[0];
    let ahead = ((RTT_MS + tick_ms) / tick_ms).round() as usize;
    let later =
        moments.get(ahead).filter(|_| moments[1..=ahead.min(moments.len() - 1)].iter().all(|m| !m.is_cut));
    for viewer in &now.bodies {
        let view = &views[viewer.id.index as usize];
        figures.report += *view.report();
        for (place, enemy) in now.bodies.iter().enumerate().filter(|(_, enemy)| enemy.team != viewer.team) {
            let told = view.verdict(place).level >= Level::Seen;
            let sees = |viewer: &Entity<'_>| sees(baked, viewer, enemy, &now.smokes);
            let is_in_sight = sees(viewer);
            // Within a solid, to which its walk led it, an eye sees everything: no player's can get there.
            let moved = later.and_then(|later| later.bodies.iter().find(|body| body.id == viewer.id));
            let moved = moved.filter(|viewer| !baked.solids.holds(eye(baked, viewer), Mask::Sight));
            let is_shown = is_in_sight || moved.is_some_and(sees);
            figures.pairs += 1;
            figures.told += u64::from(told);
            figures.in_sight += u64::from(is_in_sight);
            figures.shown += u64::from(is_shown);
            figures.late += u64::from(is_shown && !told);
        }
    }
}

fn eye(baked: &Baked, viewer: &Entity<'_>) -> Point3 {
    viewer.pos + Vector3::new(0.0, 0.0, baked.map.player.eye_standing)
}

fn sees(baked: &Baked, viewer: &Entity<'_>, enemy: &Entity<'_>, smokes: &[SmokeCloud]) -> bool {
    let player = &baked.map.player;
    let eye = eye(baked, viewer);
    let way = (enemy.pos - viewer.pos).xy();
    let left = if way.norm() > 0.0 { Vector3::new(-way.y, way.x, 0.0) / way.norm() } else { Vector3::y() };
    let points = [(0.0, 0.1), (0.0, 0.5 * player.height), (0.0, player.height), (0.35, 1.2), (-0.35, 1.2)];
    points.iter().any(|(side, up)| {
        let to = enemy.pos + left * *side + Vector3::new(0.0, 0.0, *up);
        let in_smoke = smokes.iter().any(|smoke| {
            let middle = smoke.center - eye;
            let ray = (to - eye).normalize();
            let along = middle.dot(&ray).clamp(0.0, (to - eye).norm());
            (middle - ray * along).norm() < smoke.radius_m
        });
        !in_smoke && baked.solids.blocker(eye, to, Mask::Sight, None).is_none()
    })
}

fn print(name: &str, figures: &Figures, of_sight: &Figures) {
    let pairs = figures.pairs as f64;
    let percent = |part: u64| 100.0 * part as f64 / pairs;
    let ns = |time: Duration| time.as_nanos() as f64 / pairs;
    println!("{name}: {} pairs", figures.pairs);
    for (part, figures) in [("the whole filter", figures), ("its sight stages", of_sight)] {
        println!(
            "  {part}: shared part {:.0} ns, observers {:.0} ns, together {:.0} ns a pair",
            ns(figures.begin),
            ns(figures.observe),
            ns(figures.begin + figures.observe)
        );
    }
    println!(
        "  told {:.2} %, in sight {:.2} %, shown within the lead {:.2} %, late {} ({:.4} %)",
        percent(figures.told),
        percent(figures.in_sight),
        percent(figures.shown),
        figures.late,
        percent(figures.late)
    );
    let report = &figures.report;
    print!("  ");
    for by in HiddenBy::ALL {
        print!("{by:?} {:.2} %, ", percent(report.hidden[by as usize]));
    }
    println!(
        "\n  rays {:.2}, windows {:.3}, capped {:.4} a pair; spotted {:.2} %, outside limits {}",
        report.rays as f64 / pairs,
        report.windows as f64 / pairs,
        report.capped as f64 / pairs,
        percent(report.spotted),
        report.outside_limits
    );
}
