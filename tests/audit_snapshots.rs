//! Who is told what, and why, on maps of the corpus: read these snapshots to learn what the filter does.

#[path = "server/game.rs"]
#[allow(dead_code)] // The settings of the server's tests; their game is not played here.
mod game;

use fogwall::{
    Door, DoorMotion, Entity, EntityId, Observer, ObserverId, Point3, Server, SmokeCloud, Sound, Stance,
    TeamId, Threads, Tick, Value, World, render_tick,
};
use game::Setting;

static HEALTH: [Value<'static, EntityId>; 1] = [Value::Int(100)];
static WEAPON: [Value<'static, EntityId>; 2] = [Value::Int(7), Value::Int(30)];

/// Players with an observer each, standing on a map; the team is that of the index modulo 2.
struct Scene {
    setting: Setting,
    server: Server,
    tick: Tick,
}

impl Scene {
    fn on(map: &str) -> Self {
        let setting = Setting::new(map, &[]);
        let server = setting.server(Threads::One);
        Self { setting, server, tick: Tick(0) }
    }

    fn player(&self, index: u32, at: (f64, f64, f64)) -> Entity<'static> {
        let class = self.setting.rules.class_id("player").unwrap();
        let (team, pos) = (Some(TeamId(index as u16 % 2)), Point3::new(at.0, at.1, at.2));
        Entity { team, values: &HEALTH, ..Entity::new(EntityId::new(index, 0), class, pos) }
    }

    fn weapon(&self, index: u32, of: &Entity<'static>) -> Entity<'static> {
        let (class, id) = (self.setting.rules.class_id("weapon").unwrap(), EntityId::new(index, 0));
        Entity { id, class, owner: Some(of.id), parent: Some(of.id), values: &WEAPON, ..*of }
    }

    /// A tick in which everybody stands where the list says, as text.
    fn show(&mut self, world: &World<'_>) -> String {
        self.tick = self.tick.after(1);
        let player = self.setting.rules.class_id("player").unwrap();
        let players = world.entities.iter().filter(|entity| entity.class == player);
        let observers: Vec<Observer<'_>> = players
            .map(|entity| Observer {
                rtt_ms: &[40.0],
                ..Observer::player(ObserverId::new(entity.id.index, 0), entity.id, entity.team)
            })
            .collect();
        let world = World { tick: self.tick, observers: &observers, ..*world };
        self.server.tick(&world);
        render_tick(&self.server, &world)
    }

    fn standing(&mut self, entities: &[Entity<'_>]) -> String {
        self.show(&World { entities, ..World::empty(Tick(0)) })
    }
}

#[test]
fn a_high_wall_hides_and_a_low_one_does_not() {
    let mut high = Scene::on("high_wall_hides");
    let bodies = [high.player(0, (2.0, 6.0, 0.0)), high.player(1, (10.0, 6.0, 0.0))];
    insta::assert_snapshot!("high_wall", high.standing(&bodies));
    let mut low = Scene::on("low_wall_seen_over");
    insta::assert_snapshot!("low_wall", low.standing(&bodies));
}

#[test]
fn a_corner_is_told_before_it_is_passed() {
    let mut scene = Scene::on("corner_peek");
    let mut out = String::new();
    for y in [2.0, 3.5, 4.5, 5.0, 5.5] {
        let bodies = [scene.player(0, (3.0, y, 0.0)), scene.player(1, (11.0, 7.0, 0.0))];
        out += &format!("red at y {y}\n{}", scene.standing(&bodies));
        scene.server = scene.setting.server(Threads::One);
    }
    insta::assert_snapshot!(out);
}

#[test]
fn a_team_is_told_wherever_it_is_and_shares_what_it_sees_coarsely() {
    let mut scene = Scene::on("corner_peek");
    // Red 0 is behind the corner of blue 1; red 2 sees it.
    let bodies = [
        scene.player(0, (3.0, 1.0, 0.0)),
        scene.player(1, (11.0, 7.5, 0.0)),
        Entity { stance: Stance::Crouched, ..scene.player(2, (3.0, 10.0, 0.0)) },
    ];
    insta::assert_snapshot!(scene.standing(&bodies));
}

#[test]
fn a_weapon_is_told_with_its_carrier_and_its_ammunition_to_its_owner() {
    let mut scene = Scene::on("low_wall_seen_over");
    let (red, blue) = (scene.player(0, (2.0, 6.0, 0.0)), scene.player(1, (10.0, 6.0, 0.0)));
    let bodies = [red, blue, scene.weapon(2, &red), scene.weapon(3, &blue)];
    insta::assert_snapshot!(scene.standing(&bodies));
}

#[test]
fn a_closed_door_hides_and_one_that_opens_does_not() {
    let mut scene = Scene::on("door");
    let bodies = [scene.player(0, (2.0, 6.0, 0.0)), scene.player(1, (10.0, 6.0, 0.0))];
    let mut out = String::new();
    let motions =
        [DoorMotion::Open, DoorMotion::Closing, DoorMotion::Closed, DoorMotion::Closed, DoorMotion::Opening];
    for motion in motions {
        let doors = [Door { index: 0, motion }];
        let world = World { entities: &bodies, doors: &doors, ..World::empty(Tick(0)) };
        out += &format!("{motion:?}\n{}", scene.show(&world));
    }
    insta::assert_snapshot!(out);
}

#[test]
fn smoke_hides_while_it_surely_stands() {
    let mut scene = Scene::on("no_floors");
    let (from, to) = scene.ends();
    let bodies = [scene.player(0, from), scene.player(1, to)];
    let center = Point3::new(0.5 * (from.0 + to.0), 0.5 * (from.1 + to.1), 1.0);
    let mut out = String::new();
    let cases = [
        ("it goes with the next tick", Tick(0)),
        ("it stands for long", Tick(900)),
        ("it still stands", Tick(900)),
    ];
    for (what, until) in cases {
        let smokes = [SmokeCloud { center, radius_m: 3.5, until }];
        let world = World { entities: &bodies, smokes: &smokes, ..World::empty(Tick(0)) };
        out += &format!("{what}\n{}", scene.show(&world));
    }
    insta::assert_snapshot!(out);
}

#[test]
fn a_step_behind_a_wall_is_heard_on_a_coarse_grid_and_names_nobody() {
    let mut scene = Scene::on("two_staggered_walls_fuse");
    let bodies = [scene.player(0, (2.0, 6.0, 0.0)), scene.player(1, (10.0, 6.0, 0.0))];
    let class = scene.setting.rules.sound_id("footstep").unwrap();
    let (emitter, membership) = (Some(bodies[1].id), bodies[1].membership);
    let sounds = [Sound { class, emitter, pos: bodies[1].pos, membership }];
    insta::assert_snapshot!(scene.show(&World {
        entities: &bodies,
        sounds: &sounds,
        ..World::empty(Tick(0))
    }));
}

#[test]
fn storeys_hide_from_each_other() {
    let mut scene = Scene::on("bridge_and_tunnel");
    let bodies = [scene.player(0, (8.0, 6.0, 3.6)), scene.player(1, (8.0, 6.0, 0.0))];
    insta::assert_snapshot!(scene.standing(&bodies));
}

impl Scene {
    /// Two far ends of the floor, in its middle.
    fn ends(&self) -> ((f64, f64, f64), (f64, f64, f64)) {
        let cells = self.setting.baked.cells.as_slice();
        let x = |f: fn(f64, f64) -> f64| cells.iter().map(|cell| cell.region.center().x).reduce(f).unwrap();
        let (west, east) = (x(f64::min), x(f64::max));
        let y = 0.5 * cells.iter().map(|cell| cell.region.center().y).fold(f64::INFINITY, f64::min)
            + 0.5 * cells.iter().map(|cell| cell.region.center().y).fold(f64::NEG_INFINITY, f64::max);
        ((west, y, 0.0), (east, y, 0.0))
    }
}
