//! The baked file: everything that a server, a query or a picture needs, checked as a whole.
//!
//! Owns what a bake comes to on disk and its errors. Promises: a file loads as it was saved or not at all;
//! bytes from outside never panic and never take unbounded memory; equal bakes are equal bytes.
//! Must not know how the bake is computed.

mod beside;
mod blame;
mod container;
mod error;
mod geometry;
mod ground;
mod models;
mod moves;
mod open;
mod parts;
mod planes;
mod range;
mod replace;
mod rings;
mod rows;
mod spots;
mod strip;
mod tile;
mod walks;
mod wire;

pub use error::BakeFileError;
pub use replace::write as replace_file;

use crate::map::{Cells, Hearable, Map, Pvs, Solids};
use container::{Header, Section};
use std::io::Read;
use std::path::Path;

/// Version of what cells, classes of pairs and hearing distances mean; raised whenever a bake of the same map
/// may come out differently, so that files of another version are refused.
pub const METHOD_VERSION: u32 = 6;

/// Largest file that is read: more than the rows of the largest map take even where nothing compresses.
const FILE_LIMIT: u64 = 2 << 30;

#[doc = include_str!("BAKED_FILE.md")]
pub struct Baked {
    /// The map that was baked, doors, floors and areas included.
    pub map: Map,
    /// The pieces of its solids.
    pub solids: Solids,
    /// Its cells.
    pub cells: Cells,
    /// What may be seen from where; of as many cells as `cells` has.
    pub pvs: Pvs,
    /// How far apart its cells are for walkers; of as many cells.
    pub hearable: Hearable,
    /// Whether it was baked coarser, for a quick look.
    pub draft: bool,
    /// How many unresolved pairs each solid of `map` costs, in their order: those whose cells' middles it parts.
    pub unresolved_by_solid: Vec<u64>,
}

impl Baked {
    /// A finished bake of `map`; counts which of its solids leave pairs unresolved.
    ///
    /// `solids`, `cells`, `pvs` and `hearable` must be made of `map`.
    pub fn new(map: Map, solids: Solids, cells: Cells, pvs: Pvs, hearable: Hearable, draft: bool) -> Self {
        let unresolved_by_solid = blame::unresolved_by_solid(&map, &solids, &cells, &pvs);
        Self { map, solids, cells, pvs, hearable, draft, unresolved_by_solid }
    }

    /// Reads a baked file.
    ///
    /// # Errors
    /// Where the file can't be read, and for every damage, strangeness or other version of it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, BakeFileError> {
        Self::from_bytes(&Self::read(path)?)
    }

    /// Reads the bytes of what may be a baked file, as many as one has at most.
    ///
    /// # Errors
    /// Where the file can't be read, or is too large.
    pub fn read(path: impl AsRef<Path>) -> Result<Vec<u8>, BakeFileError> {
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path)?;
        let found = file.take(FILE_LIMIT + 1).read_to_end(&mut bytes)? as u64;
        if found > FILE_LIMIT {
            return Err(BakeFileError::TooLarge { limit: FILE_LIMIT });
        }
        Ok(bytes)
    }

    /// Whether a file that begins with `head` claims to be a baked one; eight bytes decide.
    pub fn recognizes(head: &[u8]) -> bool {
        head.starts_with(&container::MAGIC)
    }

    /// Whether the file at a path claims to be a baked one.
    ///
    /// # Errors
    /// Where it can't be read.
    pub fn is_at(path: impl AsRef<Path>) -> std::io::Result<bool> {
        let mut head = Vec::new();
        std::fs::File::open(path)?.take(container::MAGIC.len() as u64).read_to_end(&mut head)?;
        Ok(Self::recognizes(&head))
    }

    /// Reads a baked file's bytes.
    ///
    /// # Errors
    /// As [`Baked::load`], but for reading the file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BakeFileError> {
        let packed = container::unpack(bytes)?;
        let cells_and_pvs = || -> Result<_, BakeFileError> {
            let (cells, edge) = parts::read_cells(&packed)?;
            let pvs = parts::read_pvs(&packed, &cells)?;
            Ok((cells, edge, pvs))
        };
        let geometry_and_walks = || (parts::read_geometry(&packed), parts::read_hearable(&packed));
        let ((geometry, hearable), rest) = rayon::join(geometry_and_walks, cells_and_pvs);
        let ((map, solids), (cells, edge, pvs), hearable) = (geometry?, rest?, hearable?);
        if edge.to_bits() != map.cell_size.to_bits() {
            return Err(Section::Cells.malformed("the cells' edge of the map"));
        }
        let cells = Cells::from_parts(cells, map.player, map.cell_size);
        let unresolved_by_solid = parts::read_statistics(&packed, map.solids.len())?;
        let draft = packed.header.draft;
        if parts::settings_hash(&map, draft) != packed.header.settings_hash {
            return Err(BakeFileError::Malformed { section: "header", expected: "the settings' hash" });
        }
        Ok(Self { map, solids, cells, pvs, hearable, draft, unresolved_by_solid })
    }

    /// The file's bytes: the same for equal bakes, whatever made them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = Header {
            cells: self.cells.len() as u32,
            draft: self.draft,
            source_hash: self.map.source_hash,
            settings_hash: self.settings_hash(),
        };
        container::pack(&header, &parts::write(self))
    }

    /// Writes the file so that at every moment `path` holds all of the earlier file or all of this one.
    ///
    /// Gives the bytes written.
    ///
    /// # Errors
    /// Where the directory can't be written to; nothing is left behind then.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<u64, BakeFileError> {
        let bytes = self.to_bytes();
        replace::write(path.as_ref(), &bytes)?;
        Ok(bytes.len() as u64)
    }

    /// Hash of what beside the map's shape decides the answers: player, cell size, method, draft or not.
    pub fn settings_hash(&self) -> [u8; 32] {
        parts::settings_hash(&self.map, self.draft)
    }

    /// Checks that this is the bake of `map` as it is now.
    ///
    /// # Errors
    /// [`BakeFileError::OtherSettings`] where the player or the cell size differ, else
    /// [`BakeFileError::OtherSource`] where anything in the source does.
    pub fn check_source(&self, map: &Map) -> Result<(), BakeFileError> {
        if self.map.name == map.name
            && let Some((setting, baked, source)) = parts::differing_setting(&self.map, map)
        {
            return Err(BakeFileError::OtherSettings { setting, baked, map: source });
        }
        if self.map.source_hash != map.source_hash {
            return Err(BakeFileError::OtherSource { baked: self.map.name.clone(), map: map.name.clone() });
        }
        Ok(())
    }

    /// Bytes of each part in a file, for reports: name, bytes.
    ///
    /// # Errors
    /// As [`Baked::from_bytes`], but for what is inside the parts.
    pub fn part_bytes(bytes: &[u8]) -> Result<Vec<(&'static str, usize)>, BakeFileError> {
        let packed = container::unpack(bytes)?;
        let mut sizes: Vec<(&'static str, usize)> = Vec::new();
        for section in Section::ALL {
            match sizes.last_mut() {
                Some((name, size)) if *name == section.name() => *size += packed.stored_bytes(section),
                _ => sizes.push((section.name(), packed.stored_bytes(section))),
            }
        }
        Ok(sizes)
    }
}

#[cfg(test)]
mod tests;
