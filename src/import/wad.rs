//! The WAD container: its directory and the lumps of one level.
//!
//! Owns the byte layout of header and directory. Promises: total on any bytes, every offset checked, nothing
//! copied. No crate is used: those on the registry read a directory and stopped being kept years ago.
//! Must not know what a lump holds.

use super::ImportError;

/// Bytes of the header: magic, lump count, directory offset.
const HEADER_BYTES: usize = 12;
/// Bytes of a directory entry: offset, size, name.
const ENTRY_BYTES: usize = 16;
/// Lumps that may follow a level's marker, and so belong to it.
const LEVEL_LUMPS: [&str; 13] = [
    "THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS", "SSECTORS", "NODES", "SECTORS", "REJECT",
    "BLOCKMAP", "BEHAVIOR", "SCRIPTS", "LEAFS",
];

/// One lump: its name in upper case, its place in the directory and its bytes.
#[derive(Clone, Debug)]
pub(super) struct Lump<'a> {
    pub(super) name: String,
    pub(super) bytes: &'a [u8],
}

/// An opened WAD.
#[derive(Debug)]
pub(super) struct Wad<'a> {
    lumps: Vec<Lump<'a>>,
}

impl<'a> Wad<'a> {
    /// Reads the directory of `bytes`.
    ///
    /// # Errors
    /// A foreign magic, a header or directory that does not fit, a lump outside the file.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, ImportError> {
        let header = bytes.get(..HEADER_BYTES).ok_or(ImportError::NotAWad)?;
        if &header[..4] != b"IWAD" && &header[..4] != b"PWAD" {
            return Err(ImportError::NotAWad);
        }
        let count = u32_at(header, 4) as usize;
        let start = u32_at(header, 8) as usize;
        let directory = count
            .checked_mul(ENTRY_BYTES)
            .and_then(|size| start.checked_add(size))
            .and_then(|end| bytes.get(start..end))
            .ok_or(ImportError::Directory { offset: start, entries: count, file_bytes: bytes.len() })?;
        let lumps = directory
            .chunks_exact(ENTRY_BYTES)
            .enumerate()
            .map(|(index, entry)| read_entry(bytes, index, entry))
            .collect::<Result<_, _>>()?;
        Ok(Self { lumps })
    }

    /// Names of all levels, in the directory's order: the markers that THINGS or TEXTMAP follow.
    pub(super) fn levels(&self) -> Vec<String> {
        self.lumps
            .windows(2)
            .filter(|pair| pair[1].name == "THINGS" || pair[1].name == "TEXTMAP")
            .map(|pair| pair[0].name.clone())
            .collect()
    }

    /// The lumps of the level of that name; of several, the last one, as the engine does.
    ///
    /// # Errors
    /// No such level, or one in a format that is not Doom's own.
    pub(super) fn level(&self, name: &str) -> Result<LevelLumps<'_, 'a>, ImportError> {
        let name = name.to_ascii_uppercase();
        let is_level = |pair: &[Lump]| pair[0].name == name && matches!(&*pair[1].name, "THINGS" | "TEXTMAP");
        let Some(marker) = self.lumps.windows(2).rposition(is_level) else {
            return Err(ImportError::NoLevel { level: name, levels: self.levels() });
        };
        let rest = &self.lumps[marker + 1..];
        if rest[0].name == "TEXTMAP" {
            return Err(ImportError::Format { level: name, format: "UDMF (lump TEXTMAP)" });
        }
        let end = rest.iter().position(|lump| !LEVEL_LUMPS.contains(&&*lump.name)).unwrap_or(rest.len());
        let lumps = &rest[..end];
        if lumps.iter().any(|lump| lump.name == "BEHAVIOR") {
            return Err(ImportError::Format { level: name, format: "Hexen (lump BEHAVIOR)" });
        }
        Ok(LevelLumps { level: name, lumps })
    }
}

/// The lumps of one level.
#[derive(Debug)]
pub(super) struct LevelLumps<'w, 'a> {
    /// Name of the level, in upper case.
    pub(super) level: String,
    lumps: &'w [Lump<'a>],
}

impl<'a> LevelLumps<'_, 'a> {
    /// The records of `record_bytes` bytes that the lump of that name holds, at most `most` of them.
    ///
    /// # Errors
    /// The lump is missing, is no whole number of records, or holds too many.
    pub(super) fn records(
        &self,
        lump: &'static str,
        record_bytes: usize,
        most: usize,
    ) -> Result<std::slice::ChunksExact<'a, u8>, ImportError> {
        let found = self.lumps.iter().find(|l| l.name == lump);
        let bytes = found.ok_or_else(|| ImportError::NoLump { level: self.level.clone(), lump })?.bytes;
        if bytes.len() % record_bytes != 0 {
            return Err(ImportError::LumpSize { lump, bytes: bytes.len(), record_bytes });
        }
        if bytes.len() / record_bytes > most {
            return Err(ImportError::TooMany { lump, count: bytes.len() / record_bytes, most });
        }
        Ok(bytes.chunks_exact(record_bytes))
    }
}

fn read_entry<'a>(file: &'a [u8], index: usize, entry: &[u8]) -> Result<Lump<'a>, ImportError> {
    let (offset, size) = (u32_at(entry, 0) as usize, u32_at(entry, 4) as usize);
    let name = text(&entry[8..]);
    // Markers are empty and may carry any offset.
    let bytes =
        if size == 0 { Some(&file[..0]) } else { offset.checked_add(size).and_then(|e| file.get(offset..e)) };
    match bytes {
        Some(bytes) => Ok(Lump { name, bytes }),
        None => {
            Err(ImportError::LumpOutside { lump: name, index, offset, bytes: size, file_bytes: file.len() })
        }
    }
}

/// A name of up to eight bytes, NUL-padded; upper case, what is not printable ASCII as `?`.
pub(super) fn text(bytes: &[u8]) -> String {
    bytes
        .iter()
        .take_while(|b| **b != 0)
        .map(|b| if b.is_ascii_graphic() { b.to_ascii_uppercase() as char } else { '?' })
        .collect()
}

/// The little-endian number at byte `at`, which the caller knows to be inside.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The little-endian number at byte `at`, which the caller knows to be inside.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// The little-endian signed number at byte `at`, which the caller knows to be inside.
pub(super) fn i16_at(bytes: &[u8], at: usize) -> i16 {
    i16::from_le_bytes([bytes[at], bytes[at + 1]])
}
