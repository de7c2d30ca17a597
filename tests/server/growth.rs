//! What is told grows at once: enemies in sight are told in that very tick, what lies about over ticks, and all else goes on.

use crate::client::Client;
use crate::game::Setting;
use fogwall::{
    Door, DoorMotion, Entity, EntityId, Level, Observer, ObserverId, Point3, SmokeCloud, TeamId, Threads,
    Tick, Value, Vector3, World,
};

static PLAYER: [Value<'static, EntityId>; 1] = [Value::Int(100)];
static DROP: [Value<'static, EntityId>; 1] = [Value::Int(3)];
/// The tick in which it grows.
const GROWS: u32 = 20;
/// Bytes of whole states per tick, and what the last one of them may go over.
const ENTER_BYTES: u64 = 100;
const OVER_BYTES: u64 = 20;

/// Where all stand in a tick, and what hides them.
struct Moment {
    own: Point3,
    /// The enemy that is in sight from the start.
    known: Point3,
    teleports: bool,
    doors: Vec<Door>,
    smokes: Vec<SmokeCloud>,
}

/// Who comes into sight with the growth.
struct Crowd {
    enemies: Vec<Point3>,
    drops: Vec<Point3>,
}

impl Crowd {
    fn entities(&self, setting: &Setting, tick: u32, moment: &Moment) -> Vec<Entity<'static>> {
        let class = |name: &str| setting.rules.class_id(name).unwrap();
        let player = |index: u32, team: u16, pos: Point3| Entity {
            team: Some(TeamId(team)),
            values: &PLAYER,
            ..Entity::new(EntityId::new(index, 0), class("player"), pos)
        };
        let aside = Vector3::new(0.05 * f64::from(tick % 8), 0.0, 0.0);
        let own = Entity { teleported: moment.teleports, ..player(0, 0, moment.own) };
        let enemies = (2..).zip(&self.enemies).map(|(index, at)| player(index, 1, at + aside));
        let drops = (500..).zip(&self.drops).map(|(index, at)| Entity {
            values: &DROP,
            ..Entity::new(EntityId::new(index, 0), class("drop"), *at)
        });
        [own, Entity { teleported: moment.teleports, ..player(1, 1, moment.known + aside) }]
            .into_iter()
            .chain(enemies)
            .chain(drops)
            .collect()
    }
}

/// Plays until nothing waits any more; gives the ticks that it took, and the longest queue.
fn play(map: &str, crowd: &Crowd, moment: impl Fn(u32) -> Moment) -> (u32, u64) {
    let setting = Setting::new(map, &[("enter_bytes: 600", "enter_bytes: 100")]);
    let mut server = setting.server(Threads::One);
    let mut client = Client::new(&setting, ObserverId::new(0, 0));
    let (mut longest, mut told) = (0, 0);
    for tick in 0..GROWS + 60 {
        let now = moment(tick);
        let entities = crowd.entities(&setting, tick, &now);
        let observers = [Observer::player(client.id, EntityId::new(0, 0), Some(TeamId(0)))];
        let Moment { doors, smokes, .. } = &now;
        let world =
            World { entities: &entities, observers: &observers, doors, smokes, ..World::empty(Tick(tick)) };
        server.tick(&world);
        client.take(&mut server);
        let is_told = |entity: &Entity<'_>| {
            let held = client.replica.get(server.name_of(client.id, entity.id)?)?;
            match held.field("pos") {
                Some(Value::Vector(pos)) if held.level() >= Level::Seen => {
                    Some((Point3::from(pos) - entity.pos).norm() < 0.1)
                }
                _ => None,
            }
        };
        let seen: Vec<bool> = entities
            .iter()
            .map(|entity| server.verdict(client.id, entity.id).unwrap().level >= Level::Seen)
            .collect();
        let [enemies, drops] = [&seen[1..2 + crowd.enemies.len()], &seen[2 + crowd.enemies.len()..]];
        let grown = tick >= GROWS;
        assert!(enemies[0], "tick {tick}: one is in sight");
        assert!(enemies[1..].iter().chain(drops).all(|seen| *seen == grown), "tick {tick}: {seen:?}");
        // Whoever is in sight is told as it is now.
        for (entity, _) in entities[..2 + crowd.enemies.len()].iter().zip(&seen).filter(|(_, seen)| **seen) {
            assert_eq!(is_told(entity), Some(true), "tick {tick}: {}", entity.id);
        }
        let report = server.observer_report(client.id).unwrap();
        let of_enemies = if tick == GROWS { 40 * crowd.enemies.len() as u64 } else { 0 };
        if tick > 0 {
            let most = ENTER_BYTES + OVER_BYTES + of_enemies;
            assert!(report.send.initial_bits <= most * 8, "tick {tick}: {:?}", report.send);
        }
        longest = longest.max(report.send.queued);
        let now_told =
            entities[2 + crowd.enemies.len()..].iter().filter(|drop| is_told(drop).is_some()).count();
        assert!(now_told >= told, "what was told stays");
        told = now_told;
        if grown && report.send.queued == 0 {
            assert_eq!(told, crowd.drops.len());
            assert_eq!(report.send.ages.percentile(100), 0);
            return (tick - GROWS, longest);
        }
    }
    panic!("{told} of {} are told", crowd.drops.len());
}

/// So many places in rows, 0.4 m apart.
fn rows(x: f64, y: f64, count: u32) -> Vec<Point3> {
    (0..count).map(|i| Point3::new(x + 0.4 * f64::from(i / 5), y + 0.4 * f64::from(i % 5), 0.0)).collect()
}

#[test]
fn a_door_opens_on_a_room_full_of_things() {
    let crowd = Crowd {
        enemies: vec![Point3::new(9.0, 5.8, 0.0), Point3::new(10.0, 6.0, 0.0)],
        drops: rows(7.0, 5.2, 50),
    };
    let (ticks, longest) = play("door", &crowd, |tick| Moment {
        own: Point3::new(2.0, 6.0, 0.0),
        known: Point3::new(2.0, 9.0, 0.0),
        teleports: false,
        doors: match tick {
            0 => vec![Door { index: 0, motion: DoorMotion::Closed }],
            GROWS => vec![Door { index: 0, motion: DoorMotion::Opening }],
            _ => vec![],
        },
        smokes: vec![],
    });
    assert!((4..=10).contains(&ticks) && longest >= 35, "{ticks} ticks, {longest} waited");
}

#[test]
fn a_smoke_fades_before_a_crowd() {
    let crowd = Crowd {
        enemies: vec![Point3::new(10.6, 9.8, 0.0), Point3::new(11.0, 10.2, 0.0)],
        drops: rows(10.2, 9.4, 20),
    };
    let (ticks, longest) = play("corner_peek", &crowd, |tick| Moment {
        own: Point3::new(1.0, 10.0, 0.0),
        known: Point3::new(1.0, 11.2, 0.0),
        teleports: false,
        doors: vec![],
        smokes: if tick < GROWS {
            vec![SmokeCloud { center: Point3::new(6.0, 10.0, 1.5), radius_m: 3.6, until: Tick(tick + 100) }]
        } else {
            vec![]
        },
    });
    assert!((1..=6).contains(&ticks) && longest >= 8, "{ticks} ticks, {longest} waited");
}

#[test]
fn a_player_and_its_hunter_teleport_into_a_crowd_of_a_hundred() {
    let mut crowd = Crowd { enemies: rows(8.0, 2.0, 10), drops: rows(7.0, 5.0, 60) };
    crowd.drops.extend(rows(7.0, 8.0, 30));
    let (ticks, longest) = play("high_wall_hides", &crowd, |tick| {
        let (own, known) = if tick < GROWS { ((2.0, 6.0), (3.0, 7.0)) } else { ((9.5, 6.0), (10.5, 1.0)) };
        Moment {
            own: Point3::new(own.0, own.1, 0.0),
            known: Point3::new(known.0, known.1, 0.0),
            teleports: tick == GROWS,
            doors: vec![],
            smokes: vec![],
        }
    });
    assert!((8..=20).contains(&ticks) && longest >= 75, "{ticks} ticks, {longest} waited");
}
