//! The map and its pieces as a section of a baked file.
//!
//! Owns the order of a map's parts in the file. Promises: a map and its pieces come back equal, and what is
//! read keeps their plain rules (numbers in range, three vertices an outline, positive radii, solids that exist).
//! Must not know cells or rows.

use super::wire::{Axis, Reader, Writer, Wrong};
use crate::geom::{ConvexPolygon, Point2, Point3, ZRange};
use crate::map::{Area, Blocks, Floor, Footprint, Map, Piece, Player, Solid, Spawn};

/// Coordinates beyond are refused: ten times what a source allows.
const COORDINATE_LIMIT_M: f64 = 1e6;

/// The map's section: all of [`Map`] but the source's hash, then the pieces of its solids.
pub(super) fn write_map(map: &Map, pieces: &[Piece]) -> Vec<u8> {
    let mut writer = Writer::default();
    let out = &mut writer;
    out.text(&map.name);
    out.number(Axis::Other, map.cell_size);
    player_measures(&map.player).into_iter().for_each(|measure| out.number(Axis::Other, measure));
    for solids in [&map.solids, &map.doors] {
        out.count(solids.len());
        solids.iter().for_each(|solid| write_solid(out, solid));
    }
    out.count(map.floors.len());
    for floor in &map.floors {
        write_outlines(out, &floor.outline, &floor.holes, write_point3);
    }
    out.count(map.areas.len());
    for area in &map.areas {
        out.text(&area.name);
        write_outlines(out, &area.outline, &[], write_point2);
    }
    out.count(map.spawns.len());
    for spawn in &map.spawns {
        out.text(&spawn.team);
        write_point3(out, &spawn.at);
    }
    out.count(pieces.len());
    let mut last = 0;
    for piece in pieces {
        out.int(i64::from(piece.solid) - last);
        last = i64::from(piece.solid);
        out.uint(blocks_bits(piece.blocks));
        write_z(out, piece.z);
        write_region(out, &piece.outline);
    }
    writer.finish()
}

/// Reads [`write_map`]'s bytes.
pub(super) fn read_map(bytes: &[u8], source_hash: [u8; 32]) -> Result<(Map, Vec<Piece>), Wrong> {
    let mut reader = Reader::new(bytes)?;
    let input = &mut reader;
    let name = input.text()?;
    let cell_size = positive(input.finite(Axis::Other)?)?;
    let player = read_player(input)?;
    let solids = input.many(read_solid)?;
    let doors = input.many(read_solid)?;
    let floors = input.many(|input| {
        let (outline, holes) = read_outlines(input, read_point3)?;
        Ok(Floor { outline, holes })
    })?;
    let areas = input.many(|input| {
        let name = input.text()?;
        match read_outlines(input, read_point2)? {
            (outline, holes) if holes.is_empty() => Ok(Area { name, outline }),
            _ => Err("an area without holes"),
        }
    })?;
    let spawns = input.many(|input| Ok(Spawn { team: input.text()?, at: read_point3(input)? }))?;
    let mut last = 0;
    let pieces = input.many(|input| read_piece(input, &mut last, solids.len()))?;
    reader.end()?;
    Ok((Map { name, cell_size, player, solids, doors, floors, areas, spawns, source_hash }, pieces))
}

fn read_piece(input: &mut Reader, last: &mut i64, solids: usize) -> Result<Piece, Wrong> {
    *last = last.checked_add(input.int()?).ok_or("a solid's index")?;
    let solid =
        u32::try_from(*last).ok().filter(|&solid| (solid as usize) < solids).ok_or("a solid's index")?;
    let blocks = read_blocks(input.uint()?)?;
    let z = read_z(input)?;
    let outline = read_region(input)?;
    if outline.vertices().len() < 3 {
        Err("a piece of three vertices")
    } else {
        Ok(Piece { outline, z, solid, blocks })
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

fn read_player(input: &mut Reader) -> Result<Player, Wrong> {
    let mut measures = [0.0; 13];
    for measure in &mut measures {
        *measure = input.finite(Axis::Other)?;
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

fn write_solid(out: &mut Writer, solid: &Solid) {
    out.text(&solid.id);
    let circle = matches!(solid.footprint, Footprint::Circle { .. });
    out.uint(blocks_bits(solid.blocks) | u64::from(circle) << 3);
    write_z(out, solid.z);
    match &solid.footprint {
        Footprint::Polygon { outline, holes } => write_outlines(out, outline, holes, write_point2),
        Footprint::Circle { center, radius } => {
            write_point2(out, center);
            out.number(Axis::Other, *radius);
        }
    }
}

fn read_solid(input: &mut Reader) -> Result<Solid, Wrong> {
    let id = input.text()?;
    let bits = input.uint()?;
    let blocks = read_blocks(bits & !8)?;
    let z = read_z(input)?;
    let footprint = if bits & 8 == 0 {
        let (outline, holes) = read_outlines(input, read_point2)?;
        Footprint::Polygon { outline, holes }
    } else {
        let center = read_point2(input)?;
        Footprint::Circle { center, radius: positive(input.finite(Axis::Other)?)? }
    };
    Ok(Solid { id, footprint, z, blocks })
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

/// A range of heights: low, high.
pub(super) fn write_z(out: &mut Writer, z: ZRange) {
    out.number(Axis::Z, z.low);
    out.number(Axis::Z, z.high);
}

/// Reads [`write_z`]; either end may be infinite, and the range is never inverted.
pub(super) fn read_z(input: &mut Reader) -> Result<ZRange, Wrong> {
    let z = ZRange::new(input.number(Axis::Z)?, input.number(Axis::Z)?);
    if z.low <= z.high { Ok(z) } else { Err("a range of heights") }
}

fn write_point2(out: &mut Writer, point: &Point2) {
    out.number(Axis::X, point.x);
    out.number(Axis::Y, point.y);
}

fn read_point2(input: &mut Reader) -> Result<Point2, Wrong> {
    Ok(Point2::new(coordinate(input, Axis::X)?, coordinate(input, Axis::Y)?))
}

/// A convex polygon: the count of its vertices, the vertices.
pub(super) fn write_region(out: &mut Writer, region: &ConvexPolygon) {
    out.count(region.vertices().len());
    region.vertices().iter().for_each(|vertex| write_point2(out, vertex));
}

/// Reads [`write_region`]; of at least one vertex.
pub(super) fn read_region(input: &mut Reader) -> Result<ConvexPolygon, Wrong> {
    let vertices = input.many(read_point2)?;
    if vertices.is_empty() { Err("a vertex") } else { Ok(ConvexPolygon::from_ccw(vertices)) }
}

fn coordinate(input: &mut Reader, axis: Axis) -> Result<f64, Wrong> {
    let value = input.number(axis)?;
    // NaN fails this comparison too.
    if value.abs() <= COORDINATE_LIMIT_M { Ok(value) } else { Err("a coordinate in range") }
}

fn write_point3(out: &mut Writer, point: &Point3) {
    write_point2(out, &point.xy());
    out.number(Axis::Z, point.z);
}

fn read_point3(input: &mut Reader) -> Result<Point3, Wrong> {
    let plan = read_point2(input)?;
    Ok(Point3::new(plan.x, plan.y, coordinate(input, Axis::Z)?))
}

fn write_outlines<P>(out: &mut Writer, outline: &[P], holes: &[Vec<P>], point: impl Fn(&mut Writer, &P)) {
    out.count(holes.len());
    for ring in std::iter::once(outline).chain(holes.iter().map(Vec::as_slice)) {
        out.count(ring.len());
        ring.iter().for_each(|vertex| point(out, vertex));
    }
}

fn read_outlines<P>(
    input: &mut Reader,
    point: impl Fn(&mut Reader) -> Result<P, Wrong>,
) -> Result<(Vec<P>, Vec<Vec<P>>), Wrong> {
    let holes = input.count()?;
    let ring = |input: &mut Reader| {
        let ring = input.many(&point)?;
        if ring.len() < 3 { Err("an outline of three vertices") } else { Ok(ring) }
    };
    let outline = ring(input)?;
    let holes = (0..holes).map(|_| ring(input)).collect::<Result<_, _>>()?;
    Ok((outline, holes))
}

fn positive(value: f64) -> Result<f64, Wrong> {
    if value > 0.0 { Ok(value) } else { Err("a length over 0") }
}
