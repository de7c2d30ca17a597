//! The shell of a baked file: header, table of sections, deflated sections, checksum.
//!
//! Owns the bytes between sections. Promises: what passes here is whole and undamaged, and no section inflates
//! beyond its declared length, which is capped. Must not know what a section holds.

use super::{BakeFileError, METHOD_VERSION};
use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rayon::prelude::*;
use std::io::{Read, Write};

/// First bytes of every baked file: a byte that text has not, the name, line ends that transfers mangle.
pub(super) const MAGIC: [u8; 8] = *b"\x89FWPVS\r\n";
/// Version of the layout that this code writes and reads.
pub(super) const FORMAT_VERSION: u32 = 4;
/// Bytes before the first section.
pub(super) const HEADER_BYTES: usize = 96 + SECTIONS * 16;
/// Bytes of the checksum at the end.
const CHECKSUM_BYTES: usize = 32;
/// Largest inflated section but for rows: far above what a source of 50 MB gives, and affordable.
const SECTION_LIMIT: u64 = 64 << 20;
/// Largest rows: what the largest map takes where nothing compresses.
const ROWS_LIMIT: u64 = 1 << 30;

/// How many sections a file has.
pub(super) const SECTIONS: usize = 5;

/// The sections in the file's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Map,
    Cells,
    Rows,
    Statistics,
    Hearable,
}

impl Section {
    /// Every section, in the file's order.
    pub(super) const ALL: [Self; SECTIONS] =
        [Self::Map, Self::Cells, Self::Rows, Self::Statistics, Self::Hearable];

    /// What messages call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Cells => "cells",
            Self::Rows => "rows",
            Self::Statistics => "statistics",
            Self::Hearable => "hearable set",
        }
    }

    /// The error that this section is not as `expected`.
    pub(super) fn malformed(self, expected: &'static str) -> BakeFileError {
        BakeFileError::Malformed { section: self.name(), expected }
    }
}

/// What the header says beside lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) cells: u32,
    pub(super) draft: bool,
    pub(super) source_hash: [u8; 32],
    pub(super) settings_hash: [u8; 32],
}

/// The whole file from its header and inflated sections.
pub(super) fn pack(header: &Header, sections: &[Vec<u8>; SECTIONS]) -> Vec<u8> {
    let stored: Vec<Vec<u8>> = sections.par_iter().map(|bytes| deflate(bytes)).collect();
    let length = HEADER_BYTES + stored.iter().map(Vec::len).sum::<usize>() + CHECKSUM_BYTES;
    let mut file = Vec::with_capacity(length);
    file.extend_from_slice(&MAGIC);
    file.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    file.extend_from_slice(&METHOD_VERSION.to_le_bytes());
    file.extend_from_slice(&(length as u64).to_le_bytes());
    file.extend_from_slice(&header.cells.to_le_bytes());
    file.extend_from_slice(&u32::from(header.draft).to_le_bytes());
    file.extend_from_slice(&header.source_hash);
    file.extend_from_slice(&header.settings_hash);
    for (raw, stored) in sections.iter().zip(&stored) {
        file.extend_from_slice(&(raw.len() as u64).to_le_bytes());
        file.extend_from_slice(&(stored.len() as u64).to_le_bytes());
    }
    stored.iter().for_each(|bytes| file.extend_from_slice(bytes));
    let checksum = blake3::hash(&file);
    file.extend_from_slice(checksum.as_bytes());
    file
}

/// An undamaged file, its sections still deflated.
pub(super) struct Packed<'a> {
    pub(super) header: Header,
    sections: [Stored<'a>; SECTIONS],
}

#[derive(Clone, Copy, Default)]
struct Stored<'a> {
    raw_length: u64,
    bytes: &'a [u8],
}

/// Checks everything of `file` but the insides of its sections.
pub(super) fn unpack(file: &[u8]) -> Result<Packed<'_>, BakeFileError> {
    let mut fields = Fields { file, at: 0 };
    let known = MAGIC.len().min(file.len());
    if file[..known] != MAGIC[..known] || file.is_empty() {
        return Err(BakeFileError::NotABake);
    }
    fields.take::<8>()?;
    let version = fields.u32()?;
    if version != FORMAT_VERSION {
        return Err(BakeFileError::OtherFormat { found: version, known: FORMAT_VERSION });
    }
    let method = fields.u32()?;
    let length = fields.u64()?;
    let found = file.len() as u64;
    if found < length {
        return Err(BakeFileError::Truncated { found, expected: Some(length) });
    } else if found > length {
        return Err(BakeFileError::Trailing { extra: found - length });
    }
    let Some((body, checksum)) = file.split_last_chunk::<CHECKSUM_BYTES>() else {
        return Err(BakeFileError::Truncated { found, expected: None });
    };
    if blake3::hash(body).as_bytes() != checksum {
        return Err(BakeFileError::Damaged);
    }
    if method != METHOD_VERSION {
        return Err(BakeFileError::OtherMethod { found: method, known: METHOD_VERSION });
    }
    fields.file = body;
    let (cells, flags) = (fields.u32()?, fields.u32()?);
    if flags > 1 || cells as usize > crate::map::MAX_CELLS {
        return Err(BakeFileError::Malformed { section: "header", expected: "known flags and cells" });
    }
    let header =
        Header { cells, draft: flags == 1, source_hash: fields.take()?, settings_hash: fields.take()? };
    Ok(Packed { header, sections: sections(fields)? })
}

fn sections(mut fields: Fields) -> Result<[Stored; SECTIONS], BakeFileError> {
    let mut lengths = [(0, 0); SECTIONS];
    for length in &mut lengths {
        *length = (fields.u64()?, fields.u64()?);
    }
    let mut rest = &fields.file[fields.at..];
    let wrong = BakeFileError::Malformed { section: "header", expected: "sections that fill the file" };
    let mut sections = [Stored::default(); SECTIONS];
    for (section, (raw_length, stored_length)) in sections.iter_mut().zip(lengths) {
        let split = usize::try_from(stored_length).ok().and_then(|length| rest.split_at_checked(length));
        let Some((bytes, after)) = split else { return Err(wrong) };
        *section = Stored { raw_length, bytes };
        rest = after;
    }
    if rest.is_empty() { Ok(sections) } else { Err(wrong) }
}

impl Packed<'_> {
    /// A section inflated.
    pub(super) fn section(&self, section: Section) -> Result<Vec<u8>, BakeFileError> {
        let stored = self.sections[section as usize];
        let limit = if section == Section::Rows { ROWS_LIMIT } else { SECTION_LIMIT };
        if stored.raw_length > limit {
            return Err(section.malformed("at most 64 MiB, of rows 1 GiB"));
        }
        let mut bytes = Vec::new();
        let wrong = section.malformed("a deflated section of the declared length");
        let mut inflated = DeflateDecoder::new(stored.bytes).take(stored.raw_length + 1);
        match inflated.read_to_end(&mut bytes) {
            Ok(length) if length as u64 == stored.raw_length && inflated.get_ref().get_ref().is_empty() => {
                Ok(bytes)
            }
            _ => Err(wrong),
        }
    }

    /// Bytes of a section in the file.
    pub(super) fn stored_bytes(&self, section: Section) -> usize {
        self.sections[section as usize].bytes.len()
    }
}

struct Fields<'a> {
    file: &'a [u8],
    at: usize,
}

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], BakeFileError> {
        let bytes = self.file.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        self.at += N;
        let found = self.file.len() as u64;
        bytes.copied().ok_or(BakeFileError::Truncated { found, expected: None })
    }

    fn u32(&mut self) -> Result<u32, BakeFileError> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, BakeFileError> {
        self.take().map(u64::from_le_bytes)
    }
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(9));
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("writing to memory does not fail")
}
