//! A recorded match, tick by tick, and bakes that are kept from run to run.

use flate2::read::GzDecoder;
use fogwall::{
    BakeOptions, Baked, Cells, Entity, EntityId, Hearable, Map, Observer, ObserverId, Point3, Quiet, Rules,
    SmokeCloud, Solids, TeamId, Tick, Value, Vector3, World, bake,
};
use std::io::{BufRead, BufReader};
use std::path::Path;

static HEALTH: [Value<'static, EntityId>; 1] = [Value::Int(100)];

/// One tick of a match.
#[derive(Clone)]
pub(crate) struct Moment {
    /// Whether it does not go on from the one before.
    pub(crate) is_cut: bool,
    pub(crate) bodies: Vec<Entity<'static>>,
    pub(crate) smokes: Vec<SmokeCloud>,
}

impl Moment {
    /// A client for each body, at this round trip.
    pub(crate) fn players<'a>(&self, rtt_ms: &'a [f64]) -> Vec<Observer<'a>> {
        let player = |body: &Entity<'_>| Observer {
            rtt_ms,
            ..Observer::player(ObserverId::new(body.id.index, 0), body.id, body.team)
        };
        self.bodies.iter().map(player).collect()
    }

    /// The world of a tick of this number.
    pub(crate) fn world<'a>(&'a self, number: usize, players: &'a [Observer<'a>]) -> World<'a> {
        World {
            entities: &self.bodies,
            changed: None,
            observers: players,
            smokes: &self.smokes,
            ..World::empty(Tick(number as u32))
        }
    }
}

/// The first ticks of a recording; none where it is not there.
pub(crate) fn read(path: &Path, rules: &Rules, ticks: usize) -> Option<Vec<Moment>> {
    let lines = BufReader::new(GzDecoder::new(std::fs::File::open(path).ok()?)).lines();
    let (mut moments, mut is_cut) = (Vec::new(), true);
    for line in lines {
        let line: serde_json::Value = serde_json::from_str(&line.ok()?).ok()?;
        match line["type"].as_str()? {
            "cut" => is_cut = true,
            "tick" => {
                moments.push(Moment { is_cut, bodies: bodies(&line, rules), smokes: smokes(&line) });
                is_cut = false;
            }
            _ => {}
        }
        if moments.len() == ticks {
            break;
        }
    }
    Some(moments)
}

/// The same at twice as many ticks a second: between two that go on, one half way.
pub(crate) fn doubled(moments: &[Moment]) -> Vec<Moment> {
    let mut all = Vec::with_capacity(2 * moments.len());
    for (now, next) in moments.iter().zip(moments.iter().skip(1).map(Some).chain([None])) {
        all.push(now.clone());
        let mut between = now.clone();
        between.is_cut = false;
        for body in &mut between.bodies {
            let later = next.filter(|next| !next.is_cut);
            if let Some(later) = later.and_then(|next| next.bodies.iter().find(|b| b.id == body.id)) {
                body.pos = nalgebra::center(&body.pos, &later.pos);
                body.vel = (body.vel + later.vel) * 0.5;
            }
        }
        all.push(between);
    }
    all
}

fn triple(value: &serde_json::Value) -> [f64; 3] {
    [0, 1, 2].map(|axis| value[axis].as_f64().unwrap_or(0.0))
}

fn bodies(line: &serde_json::Value, rules: &Rules) -> Vec<Entity<'static>> {
    let body = |value: &serde_json::Value| {
        let id = EntityId::new(value["id"].as_u64().unwrap_or(0) as u32, 0);
        Entity {
            vel: Vector3::from(triple(&value["vel"])),
            yaw_deg: value["yaw"].as_f64().unwrap_or(0.0),
            alive: value["alive"] == true,
            ..player(rules, id, Point3::from(triple(&value["pos"])), u16::from(value["team"] == "team1"))
        }
    };
    line["entities"].as_array().into_iter().flatten().map(body).filter(|body| body.alive).collect()
}

/// A player that stands.
pub(crate) fn player(rules: &Rules, id: EntityId, pos: Point3, team: u16) -> Entity<'static> {
    let class = rules.class_id("player").expect("the rules have players");
    Entity { team: Some(TeamId(team)), values: &HEALTH, ..Entity::new(id, class, pos) }
}

fn smokes(line: &serde_json::Value) -> Vec<SmokeCloud> {
    let cloud = |value: &serde_json::Value| SmokeCloud {
        center: Point3::from(triple(&value["center"])),
        radius_m: value["radius"].as_f64().unwrap_or(0.0),
        until: Tick(u32::MAX >> 1),
    };
    line["occluders"].as_array().into_iter().flatten().map(cloud).collect()
}

/// The bake of a map; it is made once, and made anew where the map or what a bake is has changed.
pub(crate) fn baked(path: &Path) -> Baked {
    let map = Map::load(path).expect("the map is valid").map;
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.pvs", map.name));
    if let Ok(baked) = Baked::load(&kept)
        && baked.check_source(&map).is_ok()
    {
        return baked;
    }
    println!("baking {}", map.name);
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).expect("few enough cells");
    let options = BakeOptions::default();
    let pvs = bake(&map.player, map.cell_size, &solids, &cells, options, &Quiet).expect("nobody stops it");
    let hearable = Hearable::build(&map, &solids, &cells, 50.0);
    let baked = Baked::new(map, solids, cells, pvs, hearable, false);
    if let Err(error) = baked.save(&kept) {
        println!("the bake is not kept: {error}");
    }
    baked
}
