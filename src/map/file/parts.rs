//! The sections of a baked file: which bytes hold which part of a bake.
//!
//! Owns the sections' insides and the checks between them. Promises: reading is total and gives parts that fit
//! each other in number. Must not know header and checksum.

use super::container::{Packed, SECTIONS, Section};
use super::geometry::{player_measures, read_map, write_map};
use super::range::Coder;
use super::wire::{Kind, Reader, Values, Writer, Wrong};
use super::{BakeFileError, Baked, METHOD_VERSION};
use super::{ground, rows, walks};
use crate::map::{Cell, Hearable, Map, Pvs, Solids};

/// Names of the settings, in the order of [`player_measures`], the cell's edge last.
const SETTINGS: [&str; 14] = [
    "player.radius",
    "player.height",
    "player.eye_standing",
    "player.eye_crouched",
    "player.jump",
    "player.step",
    "player.max_speed",
    "player.max_accel",
    "player.jump_speed",
    "player.gravity",
    "player.crouch_time",
    "player.lean",
    "player.sight_radius",
    "cell_size",
];

/// All sections of `baked`, inflated, in the file's order.
pub(super) fn write(baked: &Baked) -> [Vec<u8>; SECTIONS] {
    let (revealed, unresolved) = baked.pvs.bits();
    [
        write_map(&baked.map, baked.solids.pieces()),
        ground::write_cells(baked.cells.as_slice(), baked.map.cell_size),
        rows::write(revealed, unresolved, baked.cells.as_slice()),
        write_statistics(&baked.unresolved_by_solid),
        walks::write_hearable(baked.hearable.as_parts()),
    ]
}

/// The map and its pieces.
pub(super) fn read_geometry(packed: &Packed) -> Result<(Map, Solids), BakeFileError> {
    let bytes = packed.section(Section::Map)?;
    let read = read_map(&bytes, packed.header.source_hash);
    let (map, pieces) = read.map_err(|expected| Section::Map.malformed(expected))?;
    Ok((map, Solids::of_pieces(pieces)))
}

/// The cells, as many as the header says, and their edge.
pub(super) fn read_cells(packed: &Packed) -> Result<(Vec<Cell>, f64), BakeFileError> {
    let bytes = packed.section(Section::Cells)?;
    let most = packed.header.cells as usize;
    let (cells, edge) =
        ground::read_cells(&bytes, most).map_err(|expected| Section::Cells.malformed(expected))?;
    if cells.len() == most {
        Ok((cells, edge))
    } else {
        Err(Section::Cells.malformed("as many cells as the header says"))
    }
}

/// The classes of pairs of `cells`.
pub(super) fn read_pvs(packed: &Packed, cells: &[Cell]) -> Result<Pvs, BakeFileError> {
    let bytes = packed.section(Section::Rows)?;
    let read = rows::read(&bytes, cells, Pvs::layout(cells.len()));
    let (revealed, unresolved, shown) = read.map_err(|expected| Section::Rows.malformed(expected))?;
    Ok(Pvs::from_bits(revealed, unresolved, shown))
}

/// Unresolved pairs by solid.
pub(super) fn read_statistics(packed: &Packed, solids: usize) -> Result<Vec<u64>, BakeFileError> {
    let bytes = packed.section(Section::Statistics)?;
    let read = || -> Result<Vec<u64>, Wrong> {
        let mut input = Reader::new(&bytes)?;
        let counts = code_statistics(&mut input, &[])?;
        input.end()?;
        if counts.len() == solids { Ok(counts) } else { Err("a count per solid") }
    };
    read().map_err(|expected| Section::Statistics.malformed(expected))
}

/// Walking distances between as many cells as the header says.
pub(super) fn read_hearable(packed: &Packed) -> Result<Hearable, BakeFileError> {
    let bytes = packed.section(Section::Hearable)?;
    let cells = packed.header.cells as usize;
    walks::read_hearable(&bytes, cells).map_err(|expected| Section::Hearable.malformed(expected))
}

/// Hash of what beside the map's shape decides a bake.
pub(super) fn settings_hash(map: &Map, draft: bool) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&METHOD_VERSION.to_le_bytes());
    hasher.update(&u32::from(draft).to_le_bytes());
    settings(map).iter().for_each(|value| {
        hasher.update(&value.to_bits().to_le_bytes());
    });
    *hasher.finalize().as_bytes()
}

/// The first setting in which two maps differ: name, both values.
pub(super) fn differing_setting(a: &Map, b: &Map) -> Option<(&'static str, f64, f64)> {
    let values = settings(a).into_iter().zip(settings(b));
    let differing = SETTINGS.into_iter().zip(values).find(|(_, (a, b))| a.to_bits() != b.to_bits());
    differing.map(|(name, (a, b))| (name, a, b))
}

fn settings(map: &Map) -> [f64; SETTINGS.len()] {
    let measures = player_measures(&map.player);
    std::array::from_fn(|index| measures.get(index).copied().unwrap_or(map.cell_size))
}

fn write_statistics(unresolved_by_solid: &[u64]) -> Vec<u8> {
    let mut values = Writer::new();
    let written = code_statistics(&mut values, unresolved_by_solid);
    debug_assert!(written.is_ok(), "{:?}", written.err());
    values.finish()
}

fn code_statistics<C: Coder>(values: &mut Values<C>, counts: &[u64]) -> Result<Vec<u64>, Wrong> {
    values.many(Kind::Elements, counts, |values, count| {
        Ok(values.uint(Kind::Count, count.copied().unwrap_or_default()))
    })
}
