//! A match of two who walk to and fro on either side of a window, written as a recording.

use fogwall::{
    BakeOptions, Baked, Cells, CutLine, DEFAULT_HEARABLE_RADIUS_M, DEFAULT_RULES, EntityLine, Hearable,
    LineKind, Map, ObserverLine, Quiet, Recording, RecordingHeader, RecordingWriter, ReplayOptions,
    ReplayOutput, Replayed, Rules, Solids, SoundLine, TickLine, bake, replay,
};
use std::path::Path;
use std::sync::Arc;

const TICK_HZ: f64 = 64.0;
const ACCEL: f64 = 40.0;

/// A map of the corpus, baked, and the rules that ship.
pub(crate) fn setting(map: &str) -> (Arc<Baked>, Arc<Rules>) {
    let path = format!("{}/maps/{map}.ron", env!("CARGO_MANIFEST_DIR"));
    baked(Map::load(path).unwrap_or_else(|errors| panic!("{errors}")).map)
}

/// A map, baked, and the rules that ship.
pub(crate) fn baked(map: Map) -> (Arc<Baked>, Arc<Rules>) {
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).unwrap();
    let pvs = bake(&map.player, map.cell_size, &solids, &cells, BakeOptions::default(), &Quiet).unwrap();
    let hearable = Hearable::build(&map, &solids, &cells, DEFAULT_HEARABLE_RADIUS_M);
    let rules = Rules::parse(DEFAULT_RULES, "rules.ron").unwrap_or_else(|errors| panic!("{errors}")).rules;
    (Arc::new(Baked::new(map, solids, cells, pvs, hearable, false)), Arc::new(rules))
}

/// One who walks to and fro along y, turning as fast as the limits allow.
struct Walker {
    x: f64,
    y: f64,
    speed: f64,
    wanted: f64,
}

impl Walker {
    fn step(&mut self) {
        let (dt, before) = (1.0 / TICK_HZ, self.speed);
        if !(2.0..=10.0).contains(&self.y) {
            self.wanted = if self.y < 6.0 { self.wanted.abs() } else { -self.wanted.abs() };
        }
        self.speed += (self.wanted - self.speed).clamp(-ACCEL * dt, ACCEL * dt);
        self.y += 0.5 * (before + self.speed) * dt;
    }

    fn line(&self, id: u32, team: &str, yaw: f64) -> EntityLine {
        let mm = |v: f64| (v * 1000.0).round() / 1000.0;
        let fields = serde_json::json!({"health": 100});
        EntityLine {
            id,
            class: "player".to_owned(),
            team: Some(team.to_owned()),
            pos: [mm(self.x), mm(self.y), 0.0],
            vel: [0.0, mm(self.speed), 0.0],
            yaw,
            alive: true,
            fields: fields.as_object().unwrap().clone(),
            ..EntityLine::default()
        }
    }
}

pub(crate) fn header(map: &str) -> RecordingHeader {
    let observer = |id: u32, team: &str| ObserverLine {
        id,
        entity: Some(id),
        team: Some(team.to_owned()),
        rtt_ms: Some(60.0),
        ..ObserverLine::default()
    };
    RecordingHeader {
        kind: LineKind::Header,
        version: 1,
        map: map.to_owned(),
        tick_hz: TICK_HZ,
        interp_ms: None,
        observers: vec![observer(0, "red"), observer(1, "blue")],
        ext: None,
    }
}

/// Writes the match; in its middle is a cut.
pub(crate) fn write(path: &Path, ticks: u32) {
    let mut writer = RecordingWriter::create(path, &header("window")).unwrap();
    let mut walkers = [
        Walker { x: 3.0, y: 6.0, speed: 0.0, wanted: 5.0 },
        Walker { x: 9.0, y: 6.0, speed: 0.0, wanted: -7.0 },
    ];
    for tick in 100..100 + ticks {
        if tick == 100 + ticks / 2 {
            writer.cut(&CutLine { kind: LineKind::Cut, tick, round: Some(2), ext: None }).unwrap();
        }
        walkers.iter_mut().for_each(Walker::step);
        let entities = vec![walkers[0].line(0, "red", 0.0), walkers[1].line(1, "blue", 180.0)];
        let [x, y] = [walkers[1].x, walkers[1].y];
        let shot = SoundLine { class: "gunshot".to_owned(), emitter: Some(1), pos: [x, y, 1.4], ext: None };
        let sounds = if tick.is_multiple_of(50) { vec![shot] } else { Vec::new() };
        writer.tick(&TickLine { tick, entities, sounds, ..TickLine::default() }).unwrap();
    }
    writer.finish().unwrap();
}

/// Replays a recording; `directory` gets what is written of it.
pub(crate) fn play(
    path: &Path,
    (baked, rules): &(Arc<Baked>, Arc<Rules>),
    options: ReplayOptions,
    directory: Option<&Path>,
) -> Replayed {
    let recording = Recording::open(path).unwrap();
    let output = ReplayOutput { directory, reel: directory.is_some(), progress: &mut |_, _| true };
    replay(recording, baked, rules, options, output).unwrap_or_else(|error| panic!("{error}"))
}
