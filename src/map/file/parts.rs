//! The sections of a baked file: which bytes hold which part of a bake.
//!
//! Owns the sections' insides and the checks between them. Promises: reading is total and gives parts that fit
//! each other in number. Must not know header and checksum.

use super::container::{Packed, SECTIONS, Section};
use super::geometry::{player_measures, read_map, read_region, read_z, write_map, write_region, write_z};
use super::rows;
use super::wire::{Axis, Reader, Writer, Wrong};
use super::{BakeFileError, Baked, METHOD_VERSION};
use crate::map::{Cell, Hearable, HearableParts, Map, Pvs, Solids};

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
        write_cells(baked.cells.as_slice()),
        rows::write(revealed, unresolved, baked.cells.as_slice()),
        write_statistics(&baked.unresolved_by_solid),
        write_hearable(baked.hearable.as_parts()),
    ]
}

/// The map and its pieces.
pub(super) fn read_geometry(packed: &Packed) -> Result<(Map, Solids), BakeFileError> {
    let bytes = packed.section(Section::Map)?;
    let read = read_map(&bytes, packed.header.source_hash);
    let (map, pieces) = read.map_err(|expected| Section::Map.malformed(expected))?;
    Ok((map, Solids::of_pieces(pieces)))
}

/// The cells, as many as the header says.
pub(super) fn read_cells(packed: &Packed) -> Result<Vec<Cell>, BakeFileError> {
    let bytes = packed.section(Section::Cells)?;
    let cells = read_cell_list(&bytes).map_err(|expected| Section::Cells.malformed(expected))?;
    if cells.len() == packed.header.cells as usize {
        Ok(cells)
    } else {
        Err(Section::Cells.malformed("as many cells as the header says"))
    }
}

/// The classes of pairs of `cells`.
pub(super) fn read_pvs(packed: &Packed, cells: &[Cell]) -> Result<Pvs, BakeFileError> {
    let bytes = packed.section(Section::Rows)?;
    let read = rows::read(&bytes, cells, Pvs::layout(cells.len()));
    let (revealed, unresolved) = read.map_err(|expected| Section::Rows.malformed(expected))?;
    let sound = "unresolved pairs among the revealed ones, and cells that see themselves";
    Pvs::from_bits(revealed, unresolved).ok_or_else(|| Section::Rows.malformed(sound))
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

/// Walking distances between as many cells as the header says.
pub(super) fn read_hearable(packed: &Packed) -> Result<Hearable, BakeFileError> {
    let bytes = packed.section(Section::Hearable)?;
    let cells = packed.header.cells as usize;
    read_hearable_parts(&bytes, cells).map_err(|expected| Section::Hearable.malformed(expected))
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
        out.number(Axis::Other, cell.ceiling);
        write_region(out, &cell.region);
    }
    writer.finish()
}

fn read_cell_list(bytes: &[u8]) -> Result<Vec<Cell>, Wrong> {
    let mut input = Reader::new(bytes)?;
    let mut last = (0, 0);
    let cells = input.many(|input| {
        last = (read_column(input, last.0)?, read_column(input, last.1)?);
        let feet = read_z(input)?;
        if !(feet.low.is_finite() && feet.high.is_finite()) {
            return Err("finite feet");
        }
        let ceiling = input.number(Axis::Other)?;
        if ceiling < feet.high {
            return Err("a ceiling over the feet");
        }
        Ok(Cell { region: read_region(input)?, feet, ceiling, column: last })
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

/// The radius, the cells' clusters, then the bounds row by row, each as the difference to the row before.
fn write_hearable(parts: &HearableParts) -> Vec<u8> {
    let mut writer = Writer::default();
    let out = &mut writer;
    out.number(Axis::Other, parts.radius_m);
    out.uint(u64::from(parts.clusters));
    let mut last = 0;
    for &cluster in &parts.cluster_of {
        out.int(i64::from(cluster) - last);
        last = i64::from(cluster);
    }
    let mut bounds = parts.bounds.iter();
    let mut row = vec![0; parts.clusters as usize];
    for cluster in 0..row.len() {
        for (before, &bound) in row[..=cluster].iter_mut().zip(bounds.by_ref()) {
            out.int(i64::from(bound) - i64::from(*before));
            *before = bound;
        }
    }
    writer.finish()
}

fn read_hearable_parts(bytes: &[u8], cells: usize) -> Result<Hearable, Wrong> {
    let mut input = Reader::new(bytes)?;
    let radius_m = input.finite(Axis::Other)?;
    let clusters = u16::try_from(input.uint()?).map_err(|_| "a number of clusters")?;
    let mut last = 0_i64;
    let mut cluster = || -> Result<u16, Wrong> {
        last = last.checked_add(input.int()?).ok_or("a cluster")?;
        u16::try_from(last).map_err(|_| "a cluster")
    };
    let cluster_of = (0..cells).map(|_| cluster()).collect::<Result<_, _>>()?;
    let mut row = vec![0_u8; usize::from(clusters)];
    let mut bounds = Vec::new();
    for cluster in 0..row.len() {
        for before in &mut row[..=cluster] {
            let bound =
                input.int()?.checked_add(i64::from(*before)).and_then(|bound| u8::try_from(bound).ok());
            *before = bound.ok_or("a bound of a walk")?;
            bounds.push(*before);
        }
    }
    input.end()?;
    let parts = HearableParts { radius_m, clusters: u32::from(clusters), cluster_of, bounds };
    Hearable::from_parts(parts).ok_or("clusters and bounds that fit")
}
