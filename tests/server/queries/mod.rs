//! Change queries: what they answer, case by case, and beside a definition.

mod definition;
mod kinds;
mod many;
mod random;

use crate::game::{Game, Lists, Setting};
use fogwall::{
    Bounds, ChangeOf, ChangeQuery, Departure, EntityId, ObserverId, Point2, Point3, QueryAnswer, QueryError,
    QueryId, Region, Server, Threads, Tick, World,
};

const OBSERVER: ObserverId = ObserverId::new(0, 0);
/// The second player, and the first drop.
const ENEMY: u32 = 1;
const DROP: u32 = 4;

/// Two players on either side of a wall, their weapons, and drops.
struct Scene {
    setting: Setting,
    game: Game,
    server: Server,
    tick: Tick,
}

impl Scene {
    fn new(changes: &[(&str, &str)]) -> Self {
        let setting = Setting::new("high_wall_hides", changes);
        let game = Game::new(&setting, 2, 5);
        Self { server: setting.server(Threads::One), setting, game, tick: Tick(100) }
    }

    /// A tick in which all stand: both players in the west, in sight of each other, and the drops around (1, 9).
    fn tick(&mut self, change: impl FnOnce(&mut Lists<'_>)) {
        self.game.stand();
        self.tick = self.tick.after(1);
        let mut lists = self.game.lists(&self.setting);
        lists.sounds.clear();
        for (index, entity) in lists.entities.iter_mut().enumerate() {
            let at =
                [[2.0, 6.0], [2.0, 6.0], [2.0, 3.0], [2.0, 3.0]].get(index).copied().unwrap_or([1.0, 9.0]);
            entity.pos = Point3::new(at[0], at[1], 0.0);
        }
        change(&mut lists);
        let tick = self.tick;
        self.server.tick(&World { tick, ..lists.world() });
    }

    fn still(&mut self) {
        self.tick(|_| {});
    }

    fn register(&mut self, bounds: Bounds, of: ChangeOf) -> QueryId {
        let query = ChangeQuery { bounds, categories: 0, of, since: self.tick };
        self.server.register_query(OBSERVER, &query).unwrap()
    }

    /// Slots of what entered, changed, and left.
    fn changes(&mut self, query: QueryId) -> [Vec<u32>; 3] {
        let QueryAnswer::Since(changes) = self.server.changes(query).unwrap() else {
            panic!("a full answer")
        };
        let left = changes.left.map(|left| left.get().entity.index);
        [slots(changes.entered), slots(changes.changed), left.collect()]
    }
}

fn slots(entities: fogwall::QueryEntities<'_>) -> Vec<u32> {
    let mut slots: Vec<u32> = entities.map(|told| told.get().entity.index).collect();
    slots.sort_unstable();
    slots
}

const NOTHING: [Vec<u32>; 3] = [Vec::new(), Vec::new(), Vec::new()];

fn disc(x: f64, y: f64, radius_m: f64) -> Bounds {
    Bounds::Plan(Region::Disc { center: Point2::new(x, y), radius_m })
}

fn entity_at(lists: &mut Lists<'_>, slot: u32, x: f64, y: f64) {
    let entity = lists.entities.iter_mut().find(|entity| entity.id.index == slot).unwrap();
    entity.pos = Point3::new(x, y, 0.0);
}

#[test]
fn what_stands_still_is_not_changed_and_moved_bounds_have_it_enter() {
    let mut scene = Scene::new(&[]);
    scene.still();
    let query = scene.register(disc(8.0, 8.0, 0.5), ChangeOf::Anything);
    let [match_slot] = [2 * 2 + 100];
    scene.still();
    assert_eq!(scene.changes(query), NOTHING, "the match has no place: it was there from the start");
    scene.server.move_query(query, disc(2.0, 3.0, 1.0)).unwrap();
    assert_eq!(scene.changes(query), [vec![ENEMY, 3], vec![], vec![]], "the enemy, and what it carries");
    scene.still();
    assert_eq!(scene.changes(query), NOTHING);
    scene.server.move_query(query, Bounds::EVERYWHERE).unwrap();
    let [entered, changed, left] = scene.changes(query);
    assert!(
        entered.contains(&0) && !entered.contains(&ENEMY) && !entered.contains(&match_slot),
        "{entered:?}"
    );
    assert!(changed.is_empty() && left.is_empty());
    scene.server.move_query(query, disc(8.0, 8.0, 0.5)).unwrap();
    let QueryAnswer::Since(changes) = scene.server.changes(query).unwrap() else { panic!("a full answer") };
    assert!(changes.left.clone().count() > 4);
    assert!(changes.left.map(|left| left.get().departure).all(|how| how == Departure::Elsewhere));
}

#[test]
fn a_hidden_enemy_is_in_no_answer_whatever_it_does() {
    let mut scene = Scene::new(&[]);
    scene.still();
    let query = scene.register(Bounds::EVERYWHERE, ChangeOf::Anything);
    scene.tick(|lists| entity_at(lists, ENEMY, 10.0, 3.0));
    // A client shows what lies between two states, and needs both.
    scene.tick(|lists| entity_at(lists, ENEMY, 10.0, 3.0));
    let QueryAnswer::Since(changes) = scene.server.changes(query).unwrap() else { panic!("a full answer") };
    let left: Vec<_> = changes.left.map(|left| (left.get().entity.index, left.get().departure)).collect();
    assert!(left.contains(&(ENEMY, Departure::Untold)) && left.contains(&(3, Departure::Untold)), "{left:?}");
    for step in 0..80 {
        scene.tick(|lists| {
            entity_at(lists, ENEMY, 10.0, 2.0 + f64::from(step) * 0.02);
            lists.entities[2].yaw_deg = f64::from(step);
        });
        if step % 20 > 10 {
            assert_eq!(scene.changes(query), NOTHING, "step {step}");
        }
    }
    scene.still();
    assert_eq!(scene.changes(query), [vec![ENEMY, 3], vec![], vec![]]);
}

#[test]
fn what_redaction_takes_away_is_no_change() {
    let exact = "(name: \"pos\", encoding: Position(step_m: 0.05), owner: Exact, team: Exact, seen: Exact)";
    let coarse =
        "(name: \"pos\", encoding: Position(step_m: 0.05), owner: Exact, team: Exact, seen: Grid(2.0))";
    let mut scene = Scene::new(&[(exact, coarse)]);
    scene.still();
    let query = scene.register(Bounds::EVERYWHERE, ChangeOf::Anything);
    let of_place = scene.register(Bounds::EVERYWHERE, ChangeOf::Place);
    for step in 0..20 {
        scene.tick(|lists| entity_at(lists, DROP, 0.2 + 0.08 * f64::from(step), 9.0));
        assert_eq!(scene.changes(query), NOTHING, "within its cell, step {step}");
    }
    scene.tick(|lists| entity_at(lists, DROP, 2.3, 9.0));
    assert_eq!(scene.changes(query), [vec![], vec![DROP], vec![]]);
    assert_eq!(scene.changes(of_place), [vec![], vec![DROP], vec![]]);
    // The health of an enemy is told to nobody of the other team.
    scene.tick(|lists| entity_at(lists, DROP, 2.3, 9.0));
    let before = scene.changes(query);
    assert_eq!(before, NOTHING);
    scene.tick(|lists| {
        entity_at(lists, DROP, 2.3, 9.0);
        lists.entities[2].values = &[fogwall::Value::Int(12)];
    });
    assert_eq!(scene.changes(query), NOTHING);
}

#[test]
fn a_reference_to_what_hides_is_a_change() {
    let kind = "(name: \"kind\", encoding: Int(min: 0, max: 255), owner: Exact, team: Exact, seen: Exact),
            ],
            grants: (own: Hidden, owned: Hidden,";
    let with_owner =
        format!("(name: \"owner\", encoding: Reference, owner: Exact, team: Exact, seen: Exact), {kind}");
    let mut scene = Scene::new(&[(kind, &with_owner)]);
    let own = |lists: &mut Lists<'_>| {
        let owner = Some(EntityId::new(ENEMY, 0));
        lists
            .entities
            .iter_mut()
            .filter(|entity| entity.id.index == DROP)
            .for_each(|drop| drop.owner = owner);
    };
    scene.tick(own);
    let query = scene.register(Bounds::EVERYWHERE, ChangeOf::Anything);
    scene.tick(own);
    assert_eq!(scene.changes(query), NOTHING);
    for _ in 0..2 {
        scene.tick(|lists| {
            own(lists);
            entity_at(lists, ENEMY, 10.0, 3.0);
        });
    }
    let [_, changed, left] = scene.changes(query);
    assert_eq!((changed, left.contains(&ENEMY)), (vec![DROP], true), "it names nobody now");
}

#[test]
fn any_field_is_a_change_and_the_place_alone_where_that_is_asked_for() {
    let mut scene = Scene::new(&[]);
    scene.still();
    let [any, place] = [ChangeOf::Anything, ChangeOf::Place].map(|of| scene.register(Bounds::EVERYWHERE, of));
    scene.tick(|lists| lists.entities[2].yaw_deg = 90.0);
    assert_eq!(scene.changes(any), [vec![], vec![ENEMY], vec![]]);
    assert_eq!(scene.changes(place), NOTHING);
    scene.tick(|lists| {
        lists.entities[2].yaw_deg = 90.0;
        entity_at(lists, ENEMY, 2.0, 3.5);
    });
    assert_eq!(scene.changes(place), [vec![], vec![ENEMY, 3], vec![]], "with what it carries");
    assert_eq!(scene.changes(any), [vec![], vec![ENEMY, 3], vec![]]);
}

#[test]
fn what_went_and_came_back_changed_and_the_next_user_of_a_slot_is_another() {
    let mut scene = Scene::new(&[]);
    scene.still();
    let query = scene.register(Bounds::EVERYWHERE, ChangeOf::Anything);
    scene.tick(|lists| lists.entities.retain(|entity| entity.id.index != DROP));
    scene.still();
    assert_eq!(scene.changes(query), [vec![], vec![DROP], vec![]], "it was gone in between");
    let recycle = |lists: &mut Lists<'_>| {
        let drop = lists.entities.iter_mut().find(|entity| entity.id.index == DROP).unwrap();
        drop.id.generation = 1;
    };
    scene.tick(recycle);
    let QueryAnswer::Since(changes) = scene.server.changes(query).unwrap() else { panic!("a full answer") };
    let entered: Vec<EntityId> = changes.entered.map(|told| told.get().entity).collect();
    let left: Vec<EntityId> = changes.left.map(|left| left.get().entity).collect();
    assert_eq!((entered, left), (vec![EntityId::new(DROP, 1)], vec![EntityId::new(DROP, 0)]));
    assert!(slots(changes.changed).is_empty());
}

#[test]
fn sixty_four_ticks_are_remembered_and_no_more() {
    for (ticks, is_full) in [(63, false), (64, false), (65, true)] {
        let mut scene = Scene::new(&[]);
        scene.still();
        let query = scene.register(Bounds::EVERYWHERE, ChangeOf::Anything);
        scene.tick(|lists| lists.entities[2].yaw_deg = 90.0);
        (1..ticks).for_each(|_| scene.tick(|lists| lists.entities[2].yaw_deg = 90.0));
        match scene.server.changes(query).unwrap() {
            QueryAnswer::FullSync(all) => assert!(is_full && slots(all).contains(&ENEMY), "{ticks} ticks"),
            QueryAnswer::Since(changes) => {
                assert!(!is_full && slots(changes.changed) == [ENEMY], "{ticks} ticks")
            }
        }
        scene.tick(|lists| lists.entities[2].yaw_deg = 90.0);
        assert_eq!(scene.changes(query), NOTHING, "the next one is as any other");
    }
}

#[test]
fn a_tick_before_the_first_and_one_that_is_to_come_get_all() {
    let mut scene = Scene::new(&[]);
    (0..5).for_each(|_| scene.still());
    for since in
        [scene.tick.before(1), scene.tick.before(1000), scene.tick.after(1), scene.tick.after(1 << 31)]
    {
        let query = ChangeQuery { bounds: Bounds::EVERYWHERE, categories: 0, of: ChangeOf::Anything, since };
        let query = scene.server.register_query(OBSERVER, &query).unwrap();
        assert!(matches!(scene.server.changes(query), Ok(QueryAnswer::FullSync(_))), "{since}");
        scene.server.unregister_query(query).unwrap();
    }
}

#[test]
fn a_stale_handle_is_an_error_for_ever() {
    let mut scene = Scene::new(&[]);
    let query =
        |tick| ChangeQuery { bounds: Bounds::EVERYWHERE, categories: 0, of: ChangeOf::Anything, since: tick };
    let early = scene.server.register_query(OBSERVER, &query(scene.tick));
    assert_eq!(early, Err(QueryError::NoObserver), "nobody was served yet");
    scene.still();
    let first = scene.register(Bounds::EVERYWHERE, ChangeOf::Anything);
    assert_eq!(
        scene.server.register_query(ObserverId::new(0, 1), &query(scene.tick)),
        Err(QueryError::NoObserver)
    );
    scene.server.unregister_query(first).unwrap();
    let second = scene.register(Bounds::EVERYWHERE, ChangeOf::Anything);
    assert_ne!(first, second, "the place is used again");
    assert_eq!(scene.server.unregister_query(first), Err(QueryError::Stale));
    assert!(scene.server.changes(second).is_ok());
    // The observer leaves for a tick: its handle is the same afterwards, and its stay another.
    scene.tick(|lists| lists.observers.clear());
    assert!(matches!(scene.server.changes(second), Err(QueryError::Stale)));
    scene.still();
    let third = scene.register(Bounds::EVERYWHERE, ChangeOf::Anything);
    let fourth = scene.register(Bounds::EVERYWHERE, ChangeOf::Anything);
    for stale in [first, second] {
        assert!(matches!(scene.server.changes(stale), Err(QueryError::Stale)));
        assert_eq!(scene.server.move_query(stale, Bounds::EVERYWHERE), Err(QueryError::Stale));
        assert_eq!(scene.server.unregister_query(stale), Err(QueryError::Stale));
    }
    assert!(scene.server.changes(third).is_ok() && scene.server.changes(fourth).is_ok());
}

#[test]
fn two_who_ask_about_one_observer_do_not_take_from_each_other() {
    let mut scene = Scene::new(&[]);
    scene.still();
    let [often, seldom] = [0, 1].map(|_| scene.register(Bounds::EVERYWHERE, ChangeOf::Anything));
    for turn in 1..=10 {
        scene.tick(|lists| lists.entities[2].yaw_deg = f64::from(turn) * 10.0);
        assert_eq!(scene.changes(often), [vec![], vec![ENEMY], vec![]]);
        assert_eq!(scene.changes(often), NOTHING, "once");
    }
    assert_eq!(scene.changes(seldom), [vec![], vec![ENEMY], vec![]], "once, however often it changed");
}

#[test]
fn categories_are_all_or_none_and_may_change() {
    let mut scene = Scene::new(&[]);
    let categorise = |categories: u64| {
        move |lists: &mut Lists<'_>| {
            let drop = lists.entities.iter_mut().find(|entity| entity.id.index == DROP).unwrap();
            drop.categories = categories;
        }
    };
    scene.tick(categorise(1));
    let query =
        ChangeQuery { bounds: Bounds::EVERYWHERE, categories: 3, of: ChangeOf::Anything, since: scene.tick };
    let query = scene.server.register_query(OBSERVER, &query).unwrap();
    scene.tick(categorise(1));
    assert_eq!(scene.changes(query), NOTHING, "one of the two is not both");
    scene.tick(categorise(7));
    assert_eq!(scene.changes(query), [vec![DROP], vec![], vec![]]);
    scene.tick(categorise(3));
    assert_eq!(scene.changes(query), NOTHING, "nobody is told of categories");
    scene.tick(categorise(2));
    assert_eq!(scene.changes(query), [vec![], vec![], vec![DROP]]);
}
