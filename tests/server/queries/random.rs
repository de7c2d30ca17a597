//! Random matches and queries, asked after random gaps around the length of the ring: the answers are the definition's.

use super::definition::{Answered, Definition, Frames};
use crate::game::{Dice, Game, Lists, Setting, TICK_MS};
use fogwall::{
    Bounds, ChangeOf, ChangeQuery, Departure, EntityId, MatchId, Mode, Observer, ObserverId, ObserverKind,
    Point2, Point3, QueryError, QueryId, Region, Server, Threads, Tick, World,
};
use proptest::prelude::*;
use std::sync::OnceLock;

/// Ticks between two questions, and how many ticks the game leaves out before the next one.
const GAPS: [u32; 12] = [1, 1, 1, 2, 7, 30, 62, 63, 64, 65, 66, 150];

fn setting() -> &'static Setting {
    static SETTING: OnceLock<Setting> = OnceLock::new();
    SETTING.get_or_init(|| Setting::new("two_staggered_walls_fuse", &[]))
}

/// What becomes of the entities beside their walking.
struct Fates {
    generations: Vec<u32>,
    categories: Vec<u64>,
    /// The tick in which each is there again.
    absent_until: Vec<usize>,
}

impl Fates {
    fn new(count: usize) -> Self {
        Self { generations: vec![0; count], categories: vec![3; count], absent_until: vec![0; count] }
    }

    fn step(&mut self, dice: &mut Dice, now: usize) {
        let slot = dice.roll(self.generations.len() as u64) as usize;
        match dice.roll(24) {
            0 => self.generations[slot] += 1,
            1 | 2 => self.categories[slot] = dice.roll(4),
            3 => self.absent_until[slot] = now + [1, 2, 30, 63, 64, 65, 70][dice.roll(7) as usize],
            _ => {}
        }
    }

    fn id(&self, id: EntityId) -> EntityId {
        EntityId::new(id.index, self.generations.get(id.index as usize).copied().unwrap_or(0))
    }

    fn categories(&self, id: EntityId) -> u64 {
        self.categories.get(id.index as usize).copied().unwrap_or(0)
    }

    fn apply(&self, lists: &mut Lists<'_>, now: usize) {
        lists
            .entities
            .retain(|entity| self.absent_until.get(entity.id.index as usize).is_none_or(|t| *t <= now));
        for entity in &mut lists.entities {
            entity.categories = self.categories(entity.id);
            (entity.id, entity.owner) = (self.id(entity.id), entity.owner.map(|id| self.id(id)));
            entity.parent = entity.parent.map(|id| self.id(id));
        }
        for observer in &mut lists.observers {
            observer.entity = observer.entity.map(|id| self.id(id));
        }
    }
}

/// A query that is asked now and then.
struct Asker {
    id: QueryId,
    definition: Definition,
    next: Tick,
}

/// How often each part of an answer was not empty.
#[derive(Debug, Default)]
pub(super) struct Counts {
    full: usize,
    entered: usize,
    changed: usize,
    elsewhere: usize,
    untold: usize,
    exactly_64: usize,
}

fn bounds(dice: &mut Dice) -> Bounds {
    let mut at = || dice.share() * 12.0;
    let [x, y, w, h] = [at(), at(), at() / 2.0, at() / 2.0];
    match dice.roll(5) {
        0 => Bounds::EVERYWHERE,
        1 => Bounds::Plan(Region::Disc { center: Point2::new(x, y), radius_m: w }),
        2 => Bounds::Plan(Region::Box { low: Point2::new(x, y), high: Point2::new(x + w, y + h) }),
        3 => Bounds::Space { low: Point3::new(x, y, 0.5), high: Point3::new(x + w, y + h, 3.0) },
        _ => Bounds::Space { low: Point3::new(x, y, -0.5), high: Point3::new(x + w, y + h, 0.5) },
    }
}

/// A match with queries about one observer.
struct Play {
    dice: Dice,
    observer: ObserverId,
    server: Server,
    frames: Frames,
    askers: Vec<Asker>,
    stale: Vec<QueryId>,
    /// The tick since which there was a query all the time.
    began: Option<Tick>,
    counts: Counts,
}

impl Play {
    fn register(&mut self, gaps: &[u32]) {
        let Self { dice, server, frames, askers, .. } = self;
        let now = frames.last().0;
        let ago = [0, 0, 1, 20, 62, 63, 64, 65, 300, u32::MAX][dice.roll(10) as usize];
        let query = ChangeQuery {
            bounds: bounds(dice),
            categories: [0, 0, 1, 2, 3][dice.roll(5) as usize],
            of: if dice.roll(2) == 0 { ChangeOf::Anything } else { ChangeOf::Place },
            since: now.before(ago),
        };
        let id = server.register_query(self.observer, &query).unwrap();
        let began = *self.began.get_or_insert(now);
        let next = now.after(gaps[dice.roll(gaps.len() as u64) as usize]);
        askers.push(Asker { id, definition: Definition::new(query, began, frames), next });
    }

    fn ask(&mut self, gaps: &[u32]) {
        let Self { dice, server, frames, askers, counts, .. } = self;
        let (now, last) = frames.last();
        for asker in askers {
            if dice.roll(40) == 0 {
                let bounds = bounds(dice);
                server.move_query(asker.id, bounds).unwrap();
                asker.definition.query.bounds = bounds;
            }
            if asker.next.is_after(*now) {
                continue;
            }
            asker.next = now.after(gaps[dice.roll(gaps.len() as u64) as usize]);
            let gap = now.since(asker.definition.query.since);
            let expected = asker.definition.answer(frames);
            let answered = Answered::of(server.changes(asker.id).unwrap(), last);
            assert_eq!(answered, expected, "tick {now}, after {gap}: answered, and to be answered");
            counts.add(&expected, gap);
        }
    }

    fn end_some(&mut self) {
        let Self { dice, server, askers, stale, .. } = self;
        if !askers.is_empty() && dice.roll(60) == 0 {
            let asker = askers.swap_remove(dice.roll(askers.len() as u64) as usize);
            server.unregister_query(asker.id).unwrap();
            stale.push(asker.id);
        }
        if askers.is_empty() {
            self.began = None;
        }
        for &id in stale.iter() {
            assert!(matches!(server.changes(id), Err(QueryError::Stale)));
            assert_eq!(server.move_query(id, Bounds::EVERYWHERE), Err(QueryError::Stale));
            assert_eq!(server.unregister_query(id), Err(QueryError::Stale));
        }
    }
}

impl Counts {
    fn add(&mut self, answer: &Answered, gap: i32) {
        match answer {
            Answered::Full(_) => self.full += 1,
            Answered::Since { entered, changed, left } => {
                self.entered += usize::from(!entered.is_empty());
                self.changed += usize::from(!changed.is_empty());
                self.elsewhere += left.values().filter(|how| **how == Departure::Elsewhere).count();
                self.untold += left.values().filter(|how| **how == Departure::Untold).count();
                self.exactly_64 += usize::from(gap == 64);
            }
        }
    }
}

fn play(seed: u64, ticks: usize, gaps: &[u32]) -> Counts {
    let setting = setting();
    let mut game = Game::new(setting, 6, seed);
    let mut fates = Fates::new(18);
    // In a third of the matches the clock wraps.
    let mut tick = if seed.is_multiple_of(3) { Tick(u32::MAX - 200) } else { Tick(1000) };
    let mut play = Play {
        dice: Dice(seed ^ 0x5EED),
        observer: ObserverId::new((seed % 2) as u32, 0),
        server: setting.server(Threads::One),
        frames: Frames::default(),
        askers: Vec::new(),
        stale: Vec::new(),
        began: None,
        counts: Counts::default(),
    };
    let mut is_open = false;
    for now in 0..ticks {
        // Everybody walks for a while and stands for a while.
        if now / 40 % 3 == 2 {
            game.stand()
        } else {
            game.step()
        }
        fates.step(&mut play.dice, now);
        if play.dice.roll(150) == 0 {
            is_open = !is_open;
            play.server.switch(MatchId(0), is_open.then_some(Mode::Open));
        }
        let mut lists = game.lists(setting);
        fates.apply(&mut lists, now);
        tick = tick.after(if play.dice.roll(50) == 0 {
            [2, 3, 40, 64, 65, 100][play.dice.roll(6) as usize]
        } else {
            1
        });
        play.server.tick(&World { tick, ..lists.world() });
        if play.dice.roll(30) == 0 {
            assert!(play.server.tick(&World { tick, ..lists.world() }).is_out_of_order);
        }
        let frame = play.server.frame(play.observer).unwrap();
        play.frames.push(setting, tick, frame, |id| fates.categories(id));
        if play.askers.len() < 6 && play.dice.roll(10) == 0 {
            play.register(gaps);
        }
        play.ask(gaps);
        play.end_some();
    }
    play.counts
}

#[test]
fn answers_are_the_definitions_whatever_the_gaps_between_them() {
    let effort = std::env::var("FOGWALL_EFFORT").ok().and_then(|effort| effort.parse().ok()).unwrap_or(1);
    for seed in 0..6 * effort {
        let counts = play(seed, 900, &GAPS);
        let Counts { full, entered, changed, elsewhere, untold, exactly_64 } = counts;
        let least = [full, entered, changed, elsewhere, untold, exactly_64].into_iter().min().unwrap();
        assert!(least > 0, "seed {seed} tries too little: {counts:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]
    #[test]
    fn so_they_are_for_any_gaps(seed in any::<u64>(), gaps in prop::collection::vec(prop_oneof![1..5_u32, 60..68_u32, 1..200_u32], 1..6)) {
        play(seed, 300, &gaps);
    }
}

/// A caster after a delay of so many ticks is answered what one without is, as many ticks later.
#[test]
fn what_a_delay_lets_out_is_answered_then() {
    const DELAY: usize = 9;
    let setting = setting();
    let (mut game, mut fates, mut dice) = (Game::new(setting, 6, 77), Fates::new(18), Dice(78));
    let mut server = setting.server(Threads::One);
    let casters = [(50, 0), (51, DELAY as u32)].map(|(index, delay_ticks)| Observer {
        kind: ObserverKind::Caster { delay_ticks },
        ..Observer::player(ObserverId::new(index, 0), EntityId::new(900, 0), None)
    });
    let region = Region::Disc { center: Point2::new(6.0, 6.0), radius_m: 4.0 };
    let mut queries: [Vec<QueryId>; 2] = Default::default();
    let mut answers: [Vec<Vec<String>>; 2] = Default::default();
    for now in 0..400 {
        game.step();
        fates.step(&mut dice, now);
        let mut lists = game.lists(setting);
        fates.apply(&mut lists, now);
        lists.observers.extend(casters);
        let world = lists.world();
        server.tick(&world);
        for (which, caster) in casters.iter().enumerate() {
            if now == which * DELAY {
                queries[which] = [Bounds::EVERYWHERE, Bounds::Plan(region)]
                    .map(|bounds| ChangeQuery {
                        bounds,
                        categories: 1,
                        of: ChangeOf::Anything,
                        since: world.tick,
                    })
                    .map(|query| server.register_query(caster.id, &query).unwrap())
                    .to_vec();
            }
            // Every third tick, as it was for the one without a delay.
            if now > which * DELAY && (now - which * DELAY).is_multiple_of(3) {
                let answer =
                    queries[which].iter().map(|query| shown(server.changes(*query).unwrap())).collect();
                answers[which].push(answer);
            }
        }
    }
    let [at_once, later] = answers;
    assert!(at_once.iter().flatten().filter(|answer| answer.len() > 20).count() > 100);
    assert_eq!(at_once[..later.len()], later[..]);
    assert!(TICK_MS * DELAY as f64 > 100.0);
}

/// An answer as a text, in an order of its own.
fn shown(answer: fogwall::QueryAnswer<'_>) -> String {
    let fogwall::QueryAnswer::Since(changes) = answer else { return "full".to_owned() };
    let entity = |told: fogwall::Disclosed<fogwall::EntityRecord<'_>>| {
        format!("{} {:?}", told.get().entity, told.get().record)
    };
    let mut lines: Vec<String> = changes.entered.map(|told| format!("+{}", entity(told))).collect();
    lines.extend(changes.changed.map(|told| format!("~{}", entity(told))));
    lines.extend(changes.left.map(|left| format!("-{:?}", left.get())));
    lines.sort();
    lines.join("\n")
}
