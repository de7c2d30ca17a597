//! The sections of a baked file: which bytes hold which part of a bake.
//!
//! Owns the sections' insides and the checks between them. Promises: reading is total and gives parts that fit
//! each other in number. Must not know header and checksum.

use super::container::{Packed, SECTIONS, Section};
use super::geometry::{player_measures, read_map, read_region, read_z, write_map, write_region, write_z};
use super::rows;
use super::wire::{Reader, Writer, Wrong};
use super::{BakeFileError, Baked, METHOD_VERSION};
use crate::map::pvs::bits::{BitMatrix, Layout};
use crate::map::{Cell, Cells, Map, Pvs, Solids};

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
    let (revealed, unresolved) = rayon::join(|| rows::split(revealed), || rows::split(unresolved));
    [
        write_map(&baked.map, baked.solids.pieces()),
        write_cells(baked.cells.as_slice()),
        revealed.marks,
        revealed.words,
        unresolved.marks,
        unresolved.words,
        write_statistics(&baked.unresolved_by_solid),
        Vec::new(),
    ]
}

/// The map, its pieces and its cells.
pub(super) fn read_geometry(packed: &Packed) -> Result<(Map, Solids, Cells), BakeFileError> {
    let bytes = packed.section(Section::Map)?;
    let read = read_map(&bytes, packed.header.source_hash);
    let (map, pieces) = read.map_err(|expected| Section::Map.malformed(expected))?;
    let bytes = packed.section(Section::Cells)?;
    let cells = read_cells(&bytes).map_err(|expected| Section::Cells.malformed(expected))?;
    if cells.len() != packed.header.cells as usize {
        return Err(Section::Cells.malformed("as many cells as the header says"));
    }
    let (solids, cells) =
        rayon::join(|| Solids::of_pieces(pieces), || Cells::from_parts(cells, map.player, map.cell_size));
    Ok((map, solids, cells))
}

/// The classes of pairs.
pub(super) fn read_pvs(packed: &Packed) -> Result<Pvs, BakeFileError> {
    let size = packed.header.cells as usize;
    let read = |marks: Section, words: Section, layout: Layout| -> Result<BitMatrix, BakeFileError> {
        let bytes = packed.section(marks)?;
        let stream = packed.stream(words);
        rows::join(size, layout, &bytes, stream).map_err(|expected| words.malformed(expected))
    };
    let (revealed, unresolved) = rayon::join(
        || read(Section::RevealedMarks, Section::RevealedWords, Pvs::layout(size)),
        || read(Section::UnresolvedMarks, Section::UnresolvedWords, Layout::Paged),
    );
    let sound = "unresolved pairs among the revealed ones, and cells that see themselves";
    Pvs::from_bits(revealed?, unresolved?).ok_or_else(|| Section::UnresolvedWords.malformed(sound))
}

/// Unresolved pairs by solid.
pub(super) fn read_statistics(packed: &Packed, solids: usize) -> Result<Vec<u64>, BakeFileError> {
    let bytes = packed.section(Section::Statistics)?;
    let read = || -> Result<Vec<u64>, Wrong> {
        let mut input = Reader::new(&bytes)?;
        let counts = input.many(Reader::uint)?;
        input.end()?;
        if counts.len() == solids { Ok(counts) } else { Err("a count per solid") }
    };
    read().map_err(|expected| Section::Statistics.malformed(expected))
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

fn write_cells(cells: &[Cell]) -> Vec<u8> {
    let mut writer = Writer::default();
    let out = &mut writer;
    out.count(cells.len());
    let mut last = (0, 0);
    for cell in cells {
        out.int(i64::from(cell.column.0) - i64::from(last.0));
        out.int(i64::from(cell.column.1) - i64::from(last.1));
        last = cell.column;
        write_z(out, cell.feet);
        write_region(out, &cell.region);
    }
    writer.finish()
}

fn read_cells(bytes: &[u8]) -> Result<Vec<Cell>, Wrong> {
    let mut input = Reader::new(bytes)?;
    let mut last = (0, 0);
    let cells = input.many(|input| {
        last = (read_column(input, last.0)?, read_column(input, last.1)?);
        let feet = read_z(input)?;
        if !(feet.low.is_finite() && feet.high.is_finite()) {
            return Err("finite feet");
        }
        Ok(Cell { region: read_region(input)?, feet, column: last })
    })?;
    input.end()?;
    Ok(cells)
}

fn read_column(input: &mut Reader, last: i32) -> Result<i32, Wrong> {
    let column = i64::from(last).checked_add(input.int()?);
    column.and_then(|column| i32::try_from(column).ok()).ok_or("a column")
}

fn write_statistics(unresolved_by_solid: &[u64]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.count(unresolved_by_solid.len());
    unresolved_by_solid.iter().for_each(|&count| writer.uint(count));
    writer.finish()
}
