//! A level's records: vertices, lines, sides, sectors, things, in Doom's units.
//!
//! Owns the byte layout of the five lumps. Promises: every reference between records is checked, so that
//! what comes after may index freely; levels without any built nodes are read like all others.
//! Must not know metres, nor what a special does.

use super::ImportError;
use super::wad::{LevelLumps, i16_at, text, u16_at};

/// References are 16 bits wide, so more records than this could not be named.
const MOST_RECORDS: usize = 65_536;
/// The side number that means "no side".
const NO_SIDE: u16 = 0xFFFF;

/// A vertex or thing position in Doom units.
pub(super) type Vertex = (i32, i32);

/// A level as its lumps say.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) name: String,
    pub(super) lines: Vec<Line>,
    pub(super) sectors: Vec<Sector>,
    pub(super) things: Vec<Thing>,
}

/// A line; its front is on the right of `from` to `to`.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) from: Vertex,
    pub(super) to: Vertex,
    /// Stops bodies, even where both sides are open.
    pub(super) blocking: bool,
    pub(super) special: u16,
    pub(super) tag: u16,
    /// Sector numbers.
    pub(super) front: Option<usize>,
    pub(super) back: Option<usize>,
}

/// A sector: heights and marks of one area of the plan.
#[derive(Debug)]
pub(super) struct Sector {
    pub(super) floor: i32,
    pub(super) ceiling: i32,
    pub(super) floor_texture: String,
    pub(super) special: u16,
    pub(super) tag: u16,
}

/// A thing: a monster, an item, a start.
#[derive(Debug)]
pub(super) struct Thing {
    pub(super) at: Vertex,
    pub(super) kind: u16,
}

impl Level {
    /// Reads the five lumps.
    ///
    /// # Errors
    /// A lump that is missing or cut off, a reference that names nothing, with lump and record.
    pub(super) fn read(lumps: &LevelLumps) -> Result<Self, ImportError> {
        let vertices: Vec<Vertex> = lumps.records("VERTEXES", 4, MOST_RECORDS)?.map(point).collect();
        let sectors: Vec<Sector> = lumps.records("SECTORS", 26, MOST_RECORDS)?.map(sector).collect();
        let mut sides = Vec::new();
        for (index, record) in lumps.records("SIDEDEFS", 30, MOST_RECORDS)?.enumerate() {
            let number = u16_at(record, 28);
            let at = Reference { lump: "SIDEDEFS", index, field: "sector" };
            sides.push(at.check(number, sectors.len())?);
        }
        let mut lines = Vec::new();
        for (index, record) in lumps.records("LINEDEFS", 14, MOST_RECORDS)?.enumerate() {
            lines.push(line(index, record, &vertices, &sides)?);
        }
        let things = lumps.records("THINGS", 10, MOST_RECORDS)?;
        let things = things.map(|r| Thing { at: point(r), kind: u16_at(r, 6) }).collect();
        Ok(Self { name: lumps.level.clone(), lines, sectors, things })
    }
}

/// Where a reference stands, for the error message.
struct Reference {
    lump: &'static str,
    index: usize,
    field: &'static str,
}

impl Reference {
    fn check(&self, value: u16, count: usize) -> Result<usize, ImportError> {
        let Self { lump, index, field } = *self;
        if usize::from(value) < count {
            Ok(usize::from(value))
        } else {
            Err(ImportError::Reference { lump, index, field, value, count })
        }
    }
}

fn point(record: &[u8]) -> Vertex {
    (i32::from(i16_at(record, 0)), i32::from(i16_at(record, 2)))
}

fn sector(record: &[u8]) -> Sector {
    Sector {
        floor: i32::from(i16_at(record, 0)),
        ceiling: i32::from(i16_at(record, 2)),
        floor_texture: text(&record[4..12]),
        special: u16_at(record, 22),
        tag: u16_at(record, 24),
    }
}

fn line(index: usize, record: &[u8], vertices: &[Vertex], sides: &[usize]) -> Result<Line, ImportError> {
    let at = |field| Reference { lump: "LINEDEFS", index, field };
    let vertex = |field, offset| Ok(vertices[at(field).check(u16_at(record, offset), vertices.len())?]);
    let side = |field, offset| match u16_at(record, offset) {
        NO_SIDE => Ok(None),
        number => at(field).check(number, sides.len()).map(|n| Some(sides[n])),
    };
    Ok(Line {
        from: vertex("from", 0)?,
        to: vertex("to", 2)?,
        blocking: u16_at(record, 4) & 1 != 0,
        special: u16_at(record, 6),
        tag: u16_at(record, 8),
        front: side("front", 10)?,
        back: side("back", 12)?,
    })
}
