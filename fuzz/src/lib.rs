//! The unpacked form of a baked file, in which a mutation reaches what is inside.
//!
//! Checksum and packing would keep mutations out. Unpacked are: bytes 24 to 96 of the header, the lengths of the
//! five sections (u32), the sections as they are inflated. Packing adds the versions that the library knows,
//! all lengths and the checksum.
#![forbid(unsafe_code)]

use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use fogwall::{Baked, METHOD_VERSION};
use std::io::{Read, Write};

/// Header bytes before those that an unpacked file has.
const BEFORE: usize = 24;
/// Header bytes of an unpacked file.
const FIELDS: usize = 72;
const SECTIONS: usize = 5;
const MARK: &[u8; 8] = b"\x89FWPVS\r\n";
const FORMAT_VERSION: u32 = 4;
/// Most cells: with more, an input spends its time on rows.
const MOST_CELLS: u32 = 512;

/// The file of what is unpacked; none where that is no such thing, or too large for the fuzzer's time.
pub fn pack(unpacked: &[u8]) -> Option<Vec<u8>> {
    let (fields, rest) = unpacked.split_at_checked(FIELDS)?;
    let (lengths, mut rest) = rest.split_at_checked(4 * SECTIONS)?;
    if u32::from_le_bytes(fields[..4].try_into().ok()?) > MOST_CELLS {
        return None;
    }
    let (mut table, mut body) = (Vec::new(), Vec::new());
    for length in lengths.chunks_exact(4) {
        let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
        let section;
        (section, rest) = rest.split_at_checked(length.min(rest.len()))?;
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::none());
        encoder.write_all(section).ok()?;
        let deflated = encoder.finish().ok()?;
        table.extend((section.len() as u64).to_le_bytes());
        table.extend((deflated.len() as u64).to_le_bytes());
        body.extend(deflated);
    }
    let whole = (BEFORE + FIELDS + table.len() + body.len() + 32) as u64;
    let versions = [FORMAT_VERSION.to_le_bytes(), METHOD_VERSION.to_le_bytes()].concat();
    let mut file = [&MARK[..], &versions, &whole.to_le_bytes(), fields, &table, &body].concat();
    let sum = blake3::hash(&file);
    file.extend(sum.as_bytes());
    Some(file)
}

/// What a baked file holds, unpacked; panics where it is none of this layout.
pub fn unpack(file: &[u8]) -> Vec<u8> {
    assert!(Baked::recognizes(file), "a baked file");
    let (fields, mut rest) = file[BEFORE..].split_at(FIELDS);
    let table;
    (table, rest) = rest.split_at(16 * SECTIONS);
    let (mut lengths, mut sections) = (Vec::new(), Vec::new());
    for entry in table.chunks_exact(16) {
        let stored = u64::from_le_bytes(entry[8..].try_into().expect("eight bytes")) as usize;
        let deflated;
        (deflated, rest) = rest.split_at(stored);
        let mut section = Vec::new();
        DeflateDecoder::new(deflated).read_to_end(&mut section).expect("a deflate stream");
        lengths.extend((section.len() as u32).to_le_bytes());
        sections.extend(section);
    }
    [fields, &lengths, &sections].concat()
}
