//! The same beside a world of many, of which distance decides and of which the game says what changed.

use super::definition::{Answered, Definition, Frames};
use crate::game::{Dice, Setting};
use fogwall::{
    Bounds, ChangeOf, ChangeQuery, Entity, EntityId, Observer, ObserverId, Point2, Point3, QueryId, Region,
    Threads, Tick, Value, World,
};

const OBSERVER: ObserverId = ObserverId::new(3, 1);
/// More than those of whom all are looked at.
const COUNT: usize = 500;
const HALF_M: f64 = 20.0;

/// Rules with a class of objects about which distance decides alone.
fn setting() -> Setting {
    let object = "classes: [(name: \"object\", fields: [
            (name: \"pos\", encoding: Position(step_m: 0.5), seen: Exact, team: Exact, owner: Exact),
            (name: \"kind\", encoding: Int(min: 0, max: 255), seen: Exact, team: Exact, owner: Exact),
            (name: \"secret\", encoding: Int(min: 0, max: 255), team: Exact, owner: Exact),
        ],
        grants: (own: Hidden, owned: Hidden, team: Hidden, group: Hidden, presenter: Hidden, always: Hidden),
        sight: Always, relevance: (enter_m: 6.0, leave_m: 9.0), motion: Still, priority: (base: 1.0)),";
    Setting::new("only_what_must_be_there", &[("classes: [", object)])
}

#[derive(Clone)]
struct Thing {
    id: EntityId,
    pos: Point3,
    values: [Value<'static, EntityId>; 2],
    categories: u64,
}

impl Thing {
    fn new(index: u32, dice: &mut Dice) -> Self {
        let pos = at(dice, HALF_M);
        let values = [Value::Int(dice.roll(200) as i64), Value::Int(dice.roll(200) as i64)];
        Self { id: EntityId::new(index, 0), pos, values, categories: dice.roll(4) }
    }

    /// Something becomes of it, which may be nothing that is told.
    fn change(&mut self, dice: &mut Dice) {
        match dice.roll(8) {
            0 => self.pos = at(dice, HALF_M),
            1 => self.values[0] = Value::Int(dice.roll(200) as i64),
            2 => self.values[1] = Value::Int(dice.roll(200) as i64),
            3 => self.categories = dice.roll(4),
            4 => self.id.generation += dice.roll(2) as u32,
            _ => self.pos.x += dice.share() - 0.5,
        }
    }
}

fn at(dice: &mut Dice, half_m: f64) -> Point3 {
    let [x, y] = [0; 2].map(|_| (dice.share() * 2.0 - 1.0) * half_m);
    Point3::new(x, y, 0.0)
}

fn bounds(dice: &mut Dice) -> Bounds {
    let center = at(dice, 8.0).xy();
    match dice.roll(3) {
        0 => Bounds::EVERYWHERE,
        1 => Bounds::Plan(Region::Disc { center, radius_m: 3.0 }),
        _ => Bounds::Plan(Region::Box { low: center, high: center + Point2::new(5.0, 3.0).coords }),
    }
}

#[test]
fn answers_are_the_definitions_where_little_changes_of_many() {
    let setting = setting();
    let class = setting.rules.class_id("object").unwrap();
    let mut server = setting.server(Threads::One);
    let (mut dice, mut frames) = (Dice(61), Frames::default());
    let mut things: Vec<Thing> = (0..COUNT as u32).map(|index| Thing::new(index, &mut dice)).collect();
    let mut askers: Vec<(QueryId, Definition, Tick)> = Vec::new();
    let (mut changed, mut answered) = (Vec::new(), 0);
    for tick in 1..1500 {
        let tick = Tick(tick);
        changed.clear();
        changed.extend((0..dice.roll(30)).map(|_| dice.roll(COUNT as u64) as u32));
        changed.iter().for_each(|&place| things[place as usize].change(&mut dice));
        // It goes around, so that others are near.
        let angle = f64::from(tick.0) / 60.0;
        things[0].pos = Point3::new(8.0 * angle.cos(), 8.0 * angle.sin(), 0.0);
        changed.push(0);
        let entity = |thing: &Thing| Entity {
            categories: thing.categories,
            ..Entity::new(thing.id, class, thing.pos)
        };
        let entities: Vec<Entity<'_>> =
            things.iter().map(|thing| Entity { values: &thing.values, ..entity(thing) }).collect();
        let observers = [Observer::player(OBSERVER, things[0].id, None)];
        let world = World { entities: &entities, observers: &observers, ..World::empty(tick) };
        server.tick(&World { changed: (tick.0 > 1 && dice.roll(50) > 0).then_some(&changed[..]), ..world });
        let categories = |id: EntityId| things[id.index as usize].categories;
        frames.push(&setting, tick, server.frame(OBSERVER).unwrap(), categories);
        if askers.len() < 5 {
            let of = [ChangeOf::Anything, ChangeOf::Place][askers.len() % 2];
            let categories = [0, 0, 1, 3][dice.roll(4) as usize];
            let query = ChangeQuery { bounds: bounds(&mut dice), categories, of, since: tick };
            let id = server.register_query(OBSERVER, &query).unwrap();
            askers.push((id, Definition::new(query, Tick(1), &frames), tick.after(1)));
        }
        for (id, definition, next) in &mut askers {
            if dice.roll(30) == 0 {
                definition.query.bounds = bounds(&mut dice);
                server.move_query(*id, definition.query.bounds).unwrap();
            }
            if *next == tick {
                *next = tick.after([1, 1, 3, 20, 63, 64, 65][dice.roll(7) as usize]);
                let expected = definition.answer(&frames);
                assert_eq!(
                    Answered::of(server.changes(*id).unwrap(), &frames.last().1),
                    expected,
                    "tick {tick}"
                );
                answered += 1;
            }
        }
    }
    assert!(answered > 150, "{answered} answers");
}
