//! A Doom level as a map: prisms for floors, ceilings and rock, doors for what moves, spawns for starts.
//!
//! Owns the choice of what becomes what, and the scale. Promises: vertices are carried over exactly, so that
//! pieces share them; what may move is never part of a certain solid.
//! Must not know lumps or bytes. The engine's sight goes by floors and ceilings alone, sky included.

use super::level::{Level, Line, Vertex};
use super::moves::{Motion, Range, motion};
use super::regions::{Edge, Region, Traced, trace};
use super::{ImportError, Imported, counted};
use crate::geom::{Point2, Point3, Vector2, ZRange};
use crate::map::{Blocks, Floor, Footprint, Map, Player, Solid, Spawn};

/// Metres of a Doom unit; a power of two, so that every position is exact.
const UNIT_M: f64 = 0.03125;
/// Height of a player in Doom units: gaps lower than this have no walkable floor.
const PLAYER_UNITS: i32 = 56;
/// How far the rock reaches around the level, in Doom units.
const ROCK_UNITS: i32 = 32;
/// Thickness of a wall without any, metres, as the map format gives those.
const THIN_M: f64 = 0.002;
/// Thing types.
const DEATHMATCH_START: u16 = 11;
const PLAYER_STARTS: std::ops::RangeInclusive<u16> = 1..=4;
/// Starts beyond this many are left out: looking each up in the plan takes time.
const MOST_SPAWNS: usize = 1024;
/// Doom's marine, as the engine moves him.
const MARINE: Player = Player {
    radius: 0.5,
    height: 1.75,
    eye_standing: 1.28125,
    eye_crouched: 1.28125,
    jump: 0.0,
    step: 0.75,
    max_speed: 30.0,
    max_accel: 200.0,
    jump_speed: 0.0,
    gravity: 38.3,
    crouch_time: 0.0,
    lean: 0.0,
    sight_radius: 0.5,
};
const MOVEMENT_ONLY: Blocks = Blocks { sight: false, movement: true, sound: false };

/// Turns `level` into a map called `name`.
pub(super) fn convert(level: &Level, name: &str) -> Result<Imported, ImportError> {
    let motion = motion(level);
    let sectors: Vec<Traced> = sector_edges(level).iter().map(|edges| trace(edges)).collect();
    if sectors.iter().all(|traced| traced.regions.is_empty()) {
        return Err(ImportError::Empty { level: level.name.clone() });
    }
    let mut draft = Draft::default();
    for (index, traced) in sectors.iter().enumerate() {
        draft.add_sector(index, traced, &motion);
    }
    let rock = trace(&rock_edges(level));
    draft.add_rock(level, &rock);
    draft.add_blocking_lines(level, &motion);
    draft.add_spawns(level, &sectors);
    draft.note_motion(&motion);
    let map = Map {
        name: name.to_owned(),
        cell_size: 1.0,
        player: MARINE,
        solids: draft.solids,
        doors: draft.doors,
        floors: draft.floors,
        areas: Vec::new(),
        spawns: draft.spawns,
        source_hash: [0; 32],
    };
    Ok(Imported { map, notes: draft.notes })
}

/// For each sector the edges around it, with the sector on the left.
fn sector_edges(level: &Level) -> Vec<Vec<Edge>> {
    let mut edges = vec![Vec::new(); level.sectors.len()];
    for line in &level.lines {
        if line.front == line.back {
            continue;
        }
        if let Some(front) = line.front {
            edges[front].push((line.to, line.from));
        }
        if let Some(back) = line.back {
            edges[back].push((line.from, line.to));
        }
    }
    edges
}

/// The edges around what lies outside all sectors, and a frame around the level.
fn rock_edges(level: &Level) -> Vec<Edge> {
    let mut edges: Vec<Edge> = level.lines.iter().filter_map(rock_edge).collect();
    let ends = || level.lines.iter().flat_map(|line| [line.from, line.to]);
    let (xs, ys) = (|| ends().map(|v| v.0), || ends().map(|v| v.1));
    if let (Some(west), Some(east), Some(south), Some(north)) =
        (xs().min(), xs().max(), ys().min(), ys().max())
    {
        let (west, east) = (west - ROCK_UNITS, east + ROCK_UNITS);
        let (south, north) = (south - ROCK_UNITS, north + ROCK_UNITS);
        let corners = [(west, south), (east, south), (east, north), (west, north)];
        edges.extend((0..4).map(|i| (corners[i], corners[(i + 1) % 4])));
    }
    edges
}

/// The line as an edge with the void on its left, if it has a sector on one side only.
fn rock_edge(line: &Line) -> Option<Edge> {
    match (line.front, line.back) {
        (Some(_), None) => Some((line.from, line.to)),
        (None, Some(_)) => Some((line.to, line.from)),
        _ => None,
    }
}

#[derive(Default)]
struct Draft {
    solids: Vec<Solid>,
    doors: Vec<Solid>,
    floors: Vec<Floor>,
    spawns: Vec<Spawn>,
    notes: Vec<String>,
}

impl Draft {
    fn add_sector(&mut self, index: usize, traced: &Traced, motion: &Motion) {
        let heights = motion.heights[index];
        for (part, region) in traced.regions.iter().enumerate() {
            let id = if part == 0 { format!("sector_{index}") } else { format!("sector_{index}_{part}") };
            let solid =
                |kind: &str, z: ZRange| solid(format!("{id}_{kind}"), footprint(region), z, Blocks::ALL);
            let (floor, ceiling) = (metres(heights.floor), metres(heights.ceiling));
            self.solids.push(solid("floor", ZRange::new(f64::NEG_INFINITY, floor.low)));
            self.solids.push(solid("ceiling", ZRange::new(ceiling.high, f64::INFINITY)));
            if heights.floor.moves() {
                self.doors.push(solid("lift", floor));
            }
            if heights.ceiling.moves() {
                self.doors.push(solid("door", ceiling));
            }
            let mut stops = vec![heights.floor.low, heights.floor.high];
            stops.dedup();
            stops.retain(|stop| heights.ceiling.high - stop >= PLAYER_UNITS);
            self.floors.extend(stops.into_iter().map(|stop| floor_of(region, f64::from(stop) * UNIT_M)));
        }
        if traced.regions.is_empty() {
            self.notes.push(format!("sector {index} encloses no area and is left out"));
        }
        if let Some(edge) = traced.open.first() {
            let (at, count) = (edge.0, traced.open.len());
            let edges = counted(count, "of its edges is", "of its edges are");
            self.notes.push(format!("sector {index} is not closed near {at:?}: {edges} left out"));
        }
        if traced.stray_rings > 0 {
            let rings = counted(
                traced.stray_rings,
                "ring encloses nothing, or lies outside it",
                "rings enclose nothing, or lie outside it",
            );
            self.notes.push(format!("sector {index}: {rings}"));
        }
        if traced.missed_double_area > 0 {
            self.notes.push(format!("sector {index} meets itself and could not be cut up exactly"));
        }
    }

    /// Rock where no sector is; lines that bound none become thin walls, so that they still stop sight.
    fn add_rock(&mut self, level: &Level, rock: &Traced) {
        for (index, region) in rock.regions.iter().enumerate() {
            self.solids.push(solid(format!("rock_{index}"), footprint(region), EVERYWHERE, Blocks::ALL));
        }
        let mut loose: Vec<Edge> = rock.open.iter().chain(&rock.inner).copied().collect();
        loose.sort_unstable();
        let is_loose =
            |(a, b): Edge| loose.binary_search(&(a, b)).is_ok() || loose.binary_search(&(b, a)).is_ok();
        let mut walls = 0;
        for (index, line) in level.lines.iter().enumerate() {
            let Some(edge) = rock_edge(line).filter(|edge| is_loose(*edge)) else { continue };
            if let Some(outline) = behind(edge) {
                walls += 1;
                self.solids.push(solid(format!("line_{index}"), outline, EVERYWHERE, Blocks::ALL));
            }
        }
        if walls > 0 {
            self.notes.push(counted(
                walls,
                "one-sided line bounds no closed rock and became a wall of 2 mm",
                "one-sided lines bound no closed rock and became walls of 2 mm",
            ));
        }
    }

    /// Two-sided lines that players can't cross.
    fn add_blocking_lines(&mut self, level: &Level, motion: &Motion) {
        for (index, line) in level.lines.iter().enumerate() {
            let (Some(front), Some(back), true) = (line.front, line.back, line.blocking) else { continue };
            let (a, b) = (motion.heights[front], motion.heights[back]);
            let low = a.floor.low.min(b.floor.low);
            let high = a.ceiling.high.max(b.ceiling.high);
            if let Some(outline) = astride((line.from, line.to)).filter(|_| low < high) {
                let z = metres(Range { low, high });
                self.solids.push(solid(format!("line_{index}"), outline, z, MOVEMENT_ONLY));
            }
        }
    }

    fn add_spawns(&mut self, level: &Level, sectors: &[Traced]) {
        let of =
            |kind: &dyn Fn(u16) -> bool| level.things.iter().filter(|t| kind(t.kind)).collect::<Vec<_>>();
        let mut starts = of(&|kind| kind == DEATHMATCH_START);
        if starts.is_empty() {
            starts = of(&|kind| PLAYER_STARTS.contains(&kind));
            let used = counted(starts.len(), "player start is", "player starts are");
            self.notes.push(format!("no deathmatch starts: {used} used"));
        }
        let mut lost = starts.len().saturating_sub(MOST_SPAWNS);
        for start in starts.into_iter().take(MOST_SPAWNS) {
            let Some(sector) = sector_at(start.at, sectors) else {
                lost += 1;
                continue;
            };
            let at = point(start.at);
            let at = Point3::new(at.x, at.y, f64::from(level.sectors[sector].floor) * UNIT_M);
            self.spawns.push(Spawn { team: "ffa".to_owned(), at });
        }
        if lost > 0 {
            self.notes.push(counted(
                lost,
                "start lies in no sector, or beyond the first 1024, and is left out",
                "starts lie in no sector, or beyond the first 1024, and are left out",
            ));
        }
    }

    fn note_motion(&mut self, motion: &Motion) {
        let Motion { unknown, untagged, is_cut_short, .. } = motion;
        if *unknown > 0 {
            self.notes.push(counted(
                *unknown,
                "line has an unknown special: what it tags is taken for moving",
                "lines have unknown specials: what they tag is taken for moving",
            ));
        }
        if *untagged > 0 {
            self.notes.push(counted(
                *untagged,
                "line has a special that needs a tag, and none: it moves nothing",
                "lines have specials that need a tag, and none: they move nothing",
            ));
        }
        if *is_cut_short {
            self.notes
                .push("moving sectors widen each other's range without end: ranges were cut off".to_owned());
        }
    }
}

const EVERYWHERE: ZRange = ZRange::new(f64::NEG_INFINITY, f64::INFINITY);

/// The sector that holds `p`; on an edge, the first that touches it.
fn sector_at(p: Vertex, sectors: &[Traced]) -> Option<usize> {
    let find =
        |test: &dyn Fn(&Region) -> bool| sectors.iter().position(|traced| traced.regions.iter().any(test));
    find(&|region| region.holds(p)).or_else(|| find(&|region| region.touches(p)))
}

fn solid(id: String, footprint: Footprint, z: ZRange, blocks: Blocks) -> Solid {
    Solid { id, footprint, z, blocks }
}

fn metres(range: Range) -> ZRange {
    ZRange::new(f64::from(range.low) * UNIT_M, f64::from(range.high) * UNIT_M)
}

fn point(vertex: Vertex) -> Point2 {
    Point2::new(f64::from(vertex.0) * UNIT_M, f64::from(vertex.1) * UNIT_M)
}

fn ring(vertices: &[Vertex]) -> Vec<Point2> {
    vertices.iter().copied().map(point).collect()
}

fn footprint(region: &Region) -> Footprint {
    Footprint::Polygon {
        outline: ring(&region.outline),
        holes: region.holes.iter().map(|h| ring(h)).collect(),
    }
}

fn floor_of(region: &Region, z: f64) -> Floor {
    let raise = |vertices: &[Vertex]| ring(vertices).iter().map(|p| Point3::new(p.x, p.y, z)).collect();
    Floor { outline: raise(&region.outline), holes: region.holes.iter().map(|h| raise(h)).collect() }
}

/// A wall on the left of `edge`: where the void is, so that it covers no sector's inside.
fn behind(edge: Edge) -> Option<Footprint> {
    strip(edge, 0.0, THIN_M)
}

/// A wall that has `edge` in its middle.
fn astride(edge: Edge) -> Option<Footprint> {
    strip(edge, -0.5 * THIN_M, 0.5 * THIN_M)
}

fn strip(edge: Edge, right: f64, left: f64) -> Option<Footprint> {
    let (a, b) = (point(edge.0), point(edge.1));
    let direction = (b - a).try_normalize(0.0)?;
    let normal = Vector2::new(-direction.y, direction.x);
    let outline = vec![a + normal * right, b + normal * right, b + normal * left, a + normal * left];
    Some(Footprint::Polygon { outline, holes: Vec::new() })
}
