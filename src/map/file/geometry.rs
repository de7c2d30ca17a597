//! The map and its pieces as a section of a baked file.
//!
//! Owns the order of a map's parts in the file; one description writes and reads. Promises: a map and its pieces
//! come back equal, and what is read keeps their plain rules (numbers in range, outlines and pieces with an area,
//! positive radii, names, limits, solids that exist). Must not know cells or rows.

use super::range::Coder;
use super::rings::{Points, Shape, coordinate};
use super::wire::{Guess, Kind, Reader, Role, Values, Writer, Wrong};
use crate::geom::{ConvexPolygon, Point2, Point3, ZRange, signed_area};
use crate::map::solids::most_pieces;
use crate::map::{Area, Blocks, Floor, Footprint, Map, Piece, Player, Solid, Spawn};
use crate::text::is_name;
use std::cmp::Ordering;

/// Elements of a list of a source, at most.
const MOST_LISTED: usize = 500_000;
/// Corners of all outlines and holes, at most: those that a source may have, and the four of each of its walls.
const MOST_CORNERS: usize = 5_000_000 + 2 * 4 * MOST_LISTED;

/// Bit of a solid that is a circle, beside those of [`Blocks`].
const CIRCLE: u64 = 8;

/// The map's section: all of [`Map`] but the source's hash, then the pieces of its solids.
pub(super) fn write_map(map: &Map, pieces: &[Piece]) -> Vec<u8> {
    let mut values = Writer::new();
    let written = code_map(&mut values, Some((map, pieces)));
    debug_assert!(written.is_ok(), "{:?}", written.err());
    values.finish()
}

/// Reads [`write_map`]'s bytes.
pub(super) fn read_map(bytes: &[u8], source_hash: [u8; 32]) -> Result<(Map, Vec<Piece>), Wrong> {
    let mut values = Reader::new(bytes)?;
    let (map, pieces) = code_map(&mut values, None)?;
    values.end()?;
    Ok((Map { source_hash, ..map }, pieces))
}

/// A section, and the points of its rings.
struct Scene<'a, C> {
    values: &'a mut Values<C>,
    points: Points,
    /// Where the ring before ended.
    end: Option<u32>,
    last_z: ZRange,
    last_solid: i64,
    /// Corners that outlines may still have.
    corners_left: usize,
}

fn code_map<C: Coder>(
    values: &mut Values<C>,
    given: Option<(&Map, &[Piece])>,
) -> Result<(Map, Vec<Piece>), Wrong> {
    let map = given.map(|(map, _)| map);
    let name = code_name(values, map.map(|map| &map.name))?;
    let cell_size = length(values, map.map_or(0.0, |map| map.cell_size))?;
    let player = code_player(values, map.map(|map| &map.player))?;
    let last_z = ZRange::new(f64::NAN, f64::NAN);
    let (points, corners_left) = (Points::new(), MOST_CORNERS);
    let mut scene = Scene { values, points, end: None, last_z, last_solid: 0, corners_left };
    let solids = scene.many(MOST_LISTED, map.map(|map| &map.solids[..]), Scene::solid)?;
    let doors = scene.many(MOST_LISTED, map.map(|map| &map.doors[..]), Scene::solid)?;
    let floors = scene.many(MOST_LISTED, map.map(|map| &map.floors[..]), Scene::floor)?;
    let areas = scene.many(MOST_LISTED, map.map(|map| &map.areas[..]), Scene::area)?;
    let spawns = scene.many(MOST_LISTED, map.map(|map| &map.spawns[..]), Scene::spawn)?;
    let pieces = given.map(|(_, pieces)| pieces);
    let pieces = scene.many(most_pieces(&solids), pieces, |scene, piece| scene.piece(piece, &solids))?;
    if !C::WRITES && !pieces.is_sorted_by(|a, b| a.order(b) == Ordering::Less) {
        return Err("pieces in their order, each once");
    }
    Ok((Map { name, cell_size, player, solids, doors, floors, areas, spawns, source_hash: [0; 32] }, pieces))
}

impl<C: Coder> Scene<'_, C> {
    fn many<T>(
        &mut self,
        most: usize,
        list: Option<&[T]>,
        mut element: impl FnMut(&mut Self, Option<&T>) -> Result<T, Wrong>,
    ) -> Result<Vec<T>, Wrong> {
        let list = list.unwrap_or_default();
        let count = self.values.count(Kind::Elements, list.len())?;
        if !C::WRITES && count > most {
            return Err("fewer elements");
        }
        (0..count)
            .map(|index| {
                let element = element(self, list.get(index))?;
                if self.values.coder.is_exhausted() { Err("more bytes") } else { Ok(element) }
            })
            .collect()
    }

    fn solid(&mut self, solid: Option<&Solid>) -> Result<Solid, Wrong> {
        let id = code_name(self.values, solid.map(|solid| &solid.id))?;
        let is_circle = solid.is_some_and(|solid| matches!(solid.footprint, Footprint::Circle { .. }));
        let blocks = solid.map_or(0, |solid| blocks_bits(solid.blocks));
        let bits = self.values.uint(Kind::Blocks, blocks | if is_circle { CIRCLE } else { 0 });
        let blocks = read_blocks(bits & !CIRCLE)?;
        let z = code_z(self.values, self.last_z, f64::NAN, solid.map(|solid| solid.z))?;
        self.last_z = z;
        let footprint = match solid.map(|solid| &solid.footprint) {
            _ if bits & CIRCLE != 0 => self.circle(solid)?,
            Some(Footprint::Polygon { outline, holes }) => self.polygon(Shape::Solid, outline, holes)?,
            _ => self.polygon(Shape::Solid, &[], &[])?,
        };
        Ok(Solid { id, footprint, z, blocks })
    }

    fn circle(&mut self, solid: Option<&Solid>) -> Result<Footprint, Wrong> {
        let (center, radius) = match solid.map(|solid| &solid.footprint) {
            Some(Footprint::Circle { center, radius }) => (*center, *radius),
            _ => (Point2::origin(), 0.0),
        };
        let center = self.place(center)?;
        Ok(Footprint::Circle { center, radius: length(self.values, radius)? })
    }

    /// A point of no ring.
    fn place(&mut self, at: Point2) -> Result<Point2, Wrong> {
        let x = coordinate(self.values.number(Role::X, Guess::NONE, at.x)?)?;
        let y = coordinate(self.values.number(Role::Y, Guess::NONE, at.y)?)?;
        Ok(Point2::new(x, y))
    }

    fn polygon(
        &mut self,
        shape: Shape,
        outline: &[Point2],
        holes: &[Vec<Point2>],
    ) -> Result<Footprint, Wrong> {
        let count = self.values.count(Kind::Holes, holes.len())?;
        let outline = self.outline(shape, outline)?;
        let hole = |index| self.outline(shape, holes.get(index).map_or(&[], Vec::as_slice));
        let holes = (0..count).map(hole).collect::<Result<_, _>>()?;
        Ok(Footprint::Polygon { outline, holes })
    }

    fn ring(&mut self, shape: Shape, ring: &[Point2]) -> Result<Vec<Point2>, Wrong> {
        let guesses = [Guess::NONE; 2];
        let ring = self.points.ring(self.values, shape, guesses, self.end, ring, |_, _, _| Ok(()))?;
        self.end = self.points.find(ring.last());
        Ok(ring)
    }

    /// A ring of the source.
    fn outline(&mut self, shape: Shape, ring: &[Point2]) -> Result<Vec<Point2>, Wrong> {
        let ring = self.ring(shape, ring)?;
        self.check_outline(&ring)?;
        Ok(ring)
    }

    /// Refuses what encloses nothing or has a corner twice, and more corners than a source may have.
    fn check_outline(&mut self, ring: &[Point2]) -> Result<(), Wrong> {
        if C::WRITES {
            return Ok(());
        }
        self.corners_left = self.corners_left.checked_sub(ring.len()).ok_or("fewer corners")?;
        if !are_distinct(ring) {
            return Err("each corner once");
        }
        let turn = |edge: &[Point2]| (edge[0] - ring[0]).perp(&(edge[1] - ring[0]));
        if ring.windows(2).any(|edge| turn(edge) != 0.0) { Ok(()) } else { Err("an outline with an area") }
    }

    fn floor(&mut self, floor: Option<&Floor>) -> Result<Floor, Wrong> {
        let holes = floor.map_or(&[][..], |floor| &floor.holes);
        let count = self.values.count(Kind::Holes, holes.len())?;
        let outline = self.slope(floor.map_or(&[], |floor| &floor.outline))?;
        let hole = |index| self.slope(holes.get(index).map_or(&[], Vec::as_slice));
        let holes = (0..count).map(hole).collect::<Result<_, _>>()?;
        Ok(Floor { outline, holes })
    }

    /// A ring with a height per point.
    fn slope(&mut self, ring: &[Point3]) -> Result<Vec<Point3>, Wrong> {
        let plan: Vec<Point2> = ring.iter().map(|point| point.xy()).collect();
        let mut heights = Vec::new();
        let mut last = f64::NAN;
        let height = |values: &mut Values<C>, place: usize, known: &mut f64| {
            let z = ring.get(place).map_or(0.0, |point| point.z);
            let guess = Guess { near: last, ..Guess::of([*known, last]) };
            last = coordinate(values.number(Role::Z, guess, z)?)?;
            *known = last;
            heights.push(last);
            Ok(())
        };
        let plan = self.points.ring(self.values, Shape::Floor, [Guess::NONE; 2], self.end, &plan, height)?;
        self.end = self.points.find(plan.last());
        self.check_outline(&plan)?;
        Ok(plan.iter().zip(heights).map(|(plan, z)| Point3::new(plan.x, plan.y, z)).collect())
    }

    fn area(&mut self, area: Option<&Area>) -> Result<Area, Wrong> {
        let name = code_name(self.values, area.map(|area| &area.name))?;
        Ok(Area { name, outline: self.outline(Shape::Solid, area.map_or(&[], |area| &area.outline))? })
    }

    fn spawn(&mut self, spawn: Option<&Spawn>) -> Result<Spawn, Wrong> {
        let team = code_name(self.values, spawn.map(|spawn| &spawn.team))?;
        let at = spawn.map_or(Point3::origin(), |spawn| spawn.at);
        let plan = self.place(at.xy())?;
        let z = coordinate(self.values.number(Role::Z, Guess::NONE, at.z)?)?;
        Ok(Spawn { team, at: Point3::new(plan.x, plan.y, z) })
    }

    fn piece(&mut self, piece: Option<&Piece>, solids: &[Solid]) -> Result<Piece, Wrong> {
        let step = piece.map_or(0, |piece| i64::from(piece.solid) - self.last_solid);
        let index = self.last_solid.checked_add(self.values.int(Kind::Index, step)?);
        let solid = index.and_then(|index| u32::try_from(index).ok()).ok_or("a solid's index")?;
        let of = solids.get(solid as usize).ok_or("a solid's index")?;
        if self.last_solid != i64::from(solid) || self.last_solid == 0 {
            self.end = match &of.footprint {
                Footprint::Polygon { outline, .. } => self.points.find(outline.last()),
                Footprint::Circle { .. } => self.end,
            };
        }
        self.last_solid = i64::from(solid);
        let blocks =
            read_blocks(self.values.uint(Kind::Blocks, piece.map_or(0, |piece| blocks_bits(piece.blocks))))?;
        let z = code_z(self.values, of.z, f64::NAN, piece.map(|piece| piece.z))?;
        let vertices = piece.map_or(&[][..], |piece| piece.outline.vertices());
        let outline = self.ring(Shape::Piece, vertices)?;
        if !C::WRITES && signed_area(&outline) <= 0.0 {
            return Err("a piece with an area");
        }
        Ok(Piece { outline: ConvexPolygon::from_ccw(outline), z, solid, blocks })
    }
}

/// Whether no two corners are the same, bit for bit.
fn are_distinct(ring: &[Point2]) -> bool {
    let mut sorted: Vec<[u64; 2]> =
        ring.iter().map(|corner| [corner.x.to_bits(), corner.y.to_bits()]).collect();
    sorted.sort_unstable();
    sorted.is_sorted_by(|a, b| a < b)
}

/// A name as a source may have it.
fn code_name<C: Coder>(values: &mut Values<C>, name: Option<&String>) -> Result<String, Wrong> {
    let name = values.text(name.map_or("", String::as_str))?;
    if C::WRITES || is_name(&name) {
        Ok(name)
    } else {
        Err("a name of at most 256 bytes without control characters")
    }
}

/// The player's measures in the order of [`Player`]'s fields.
pub(super) fn player_measures(player: &Player) -> [f64; 13] {
    let Player { radius, height, eye_standing, eye_crouched, jump, step, .. } = *player;
    let Player { max_speed, max_accel, jump_speed, gravity, crouch_time, lean, sight_radius, .. } = *player;
    let body = [radius, height, eye_standing, eye_crouched, jump, step];
    let motion = [max_speed, max_accel, jump_speed, gravity, crouch_time, lean, sight_radius];
    std::array::from_fn(|index| if index < 6 { body[index] } else { motion[index - 6] })
}

fn code_player<C: Coder>(values: &mut Values<C>, player: Option<&Player>) -> Result<Player, Wrong> {
    let mut measures = player.map_or([0.0; 13], player_measures);
    for measure in &mut measures {
        *measure = values.finite(Role::Other, Guess::NONE, *measure)?;
        if *measure < 0.0 {
            return Err("a measure of at least 0");
        }
    }
    let [radius, height, eye_standing, eye_crouched, jump, step, motion @ ..] = measures;
    let [max_speed, max_accel, jump_speed, gravity, crouch_time, lean, sight_radius] = motion;
    Ok(Player {
        radius,
        height,
        eye_standing,
        eye_crouched,
        jump,
        step,
        max_speed,
        max_accel,
        jump_speed,
        gravity,
        crouch_time,
        lean,
        sight_radius,
    })
}

/// Sight 1, movement 2, sound 4.
fn blocks_bits(blocks: Blocks) -> u64 {
    u64::from(blocks.sight) | u64::from(blocks.movement) << 1 | u64::from(blocks.sound) << 2
}

/// Reads [`blocks_bits`].
fn read_blocks(bits: u64) -> Result<Blocks, Wrong> {
    if !(1..8).contains(&bits) {
        return Err("what a solid stops");
    }
    Ok(Blocks { sight: bits & 1 != 0, movement: bits & 2 != 0, sound: bits & 4 != 0 })
}

/// A range of heights: either end may be infinite, and the range is never inverted.
///
/// It may be `like` another; `low` is probably near the height given, or else the last one.
pub(super) fn code_z<C: Coder>(
    values: &mut Values<C>,
    like: ZRange,
    near: f64,
    z: Option<ZRange>,
) -> Result<ZRange, Wrong> {
    let given = z.unwrap_or(ZRange::new(0.0, 0.0));
    let low = values.number(Role::Low, Guess { near, ..Guess::of([like.low, like.high]) }, given.low)?;
    let high = values.number(Role::High, Guess { near: low, ..Guess::of([like.high, low]) }, given.high)?;
    if low <= high { Ok(ZRange::new(low, high)) } else { Err("a range of heights") }
}

/// A length over 0.
pub(super) fn length<C: Coder>(values: &mut Values<C>, value: f64) -> Result<f64, Wrong> {
    let value = values.finite(Role::Other, Guess::NONE, value)?;
    if value > 0.0 { Ok(value) } else { Err("a length over 0") }
}
