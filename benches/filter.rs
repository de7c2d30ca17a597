//! The filter over a real match (or, where it is absent, over bodies that walk about a map of the corpus): time per
//! (observer, enemy) pair and tick, what ends at which stage, and who was told late or early by the match's own paths.
#![allow(missing_docs)]

mod scene;

use fogwall::{
    Baked, DEFAULT_RULES, Entity, Filter, FilterReport, HiddenBy, Lent, Level, Mask, Roster, Rules,
    SmokeCloud, Vector3, View,
};
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
    let recording = scene::real("de_dust2").with_file_name("../recordings/m08_de_dust2.jsonl.gz");
    let Some(moments) = read(&recording, &rules, TICKS) else {
        println!("no recording at {}: nothing to measure", recording.display());
        return;
    };
    let baked = baked(&scene::real("de_dust2"));
    print(&play(&rules, &baked, &moments, TICK_MS));
}

fn play(rules: &Rules, baked: &Baked, moments: &[Moment], tick_ms: f64) -> Figures {
    let mut filter = Filter::new(rules, baked, tick_ms);
    let mut scratch = filter.scratch();
    let (mut entities, mut observers) = (Roster::default(), Roster::default());
    let mut views: Vec<View> = (0..10).map(|_| filter.view()).collect();
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
            let told = view.verdicts()[place].level >= Level::Seen;
            let sees = |viewer: &Entity<'_>| sees(baked, viewer, enemy, &now.smokes);
            let is_in_sight = sees(viewer);
            let moved = later.and_then(|later| later.bodies.iter().find(|body| body.id == viewer.id));
            let is_shown = is_in_sight || moved.is_some_and(sees);
            figures.pairs += 1;
            figures.told += u64::from(told);
            figures.in_sight += u64::from(is_in_sight);
            figures.shown += u64::from(is_shown);
            figures.late += u64::from(is_shown && !told);
        }
    }
}

fn sees(baked: &Baked, viewer: &Entity<'_>, enemy: &Entity<'_>, smokes: &[SmokeCloud]) -> bool {
    let player = &baked.map.player;
    let eye = viewer.pos + Vector3::new(0.0, 0.0, player.eye_standing);
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

fn print(figures: &Figures) {
    let pairs = figures.pairs as f64;
    let percent = |part: u64| 100.0 * part as f64 / pairs;
    let ns = |time: Duration| time.as_nanos() as f64 / pairs;
    println!(
        "{} pairs: shared part {:.0} ns, observers {:.0} ns, together {:.0} ns a pair",
        figures.pairs,
        ns(figures.begin),
        ns(figures.observe),
        ns(figures.begin + figures.observe)
    );
    println!(
        "told {:.2} %, in sight {:.2} %, shown within the lead {:.2} %, late {} ({:.4} %)",
        percent(figures.told),
        percent(figures.in_sight),
        percent(figures.shown),
        figures.late,
        percent(figures.late)
    );
    let report = &figures.report;
    for by in HiddenBy::ALL {
        print!("{by:?} {:.2} %, ", percent(report.hidden[by as usize]));
    }
    println!(
        "\nrays {:.2}, windows {:.3}, capped {:.4} a pair; spotted {:.2} %, outside limits {}",
        report.rays as f64 / pairs,
        report.windows as f64 / pairs,
        report.capped as f64 / pairs,
        percent(report.spotted),
        report.outside_limits
    );
}
