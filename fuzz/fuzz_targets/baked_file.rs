//! Any bytes as a baked file: no panic, and what loads comes back the same when written and read.
//!
//! Checksum and packing would keep mutations out, so an input that does not begin with the file's mark is taken
//! for an unpacked file: bytes 8 to 96 of the header, five lengths (u32), five sections as they are inflated.
#![no_main]

use flate2::{Compression, write::DeflateEncoder};
use fogwall::Baked;
use libfuzzer_sys::fuzz_target;
use std::io::Write;

const MARK: &[u8; 8] = b"\x89FWPVS\r\n";
/// Header bytes of an unpacked input.
const FIELDS: usize = 88;
const SECTIONS: usize = 5;
/// Most cells: with more, an input spends its time on rows.
const MOST_CELLS: u32 = 512;

fuzz_target!(|data: &[u8]| {
    let packed = if data.starts_with(MARK) { Some(data.to_vec()) } else { pack(data) };
    let Some(Ok(baked)) = packed.map(|bytes| Baked::from_bytes(&bytes)) else { return };
    let bytes = baked.to_bytes();
    let again = Baked::from_bytes(&bytes).expect("a written file loads");
    assert_eq!(again.to_bytes(), bytes);
});

/// The file whose parts `data` lists, with its lengths and checksum set right.
fn pack(data: &[u8]) -> Option<Vec<u8>> {
    let (fields, rest) = data.split_at_checked(FIELDS)?;
    let (lengths, mut rest) = rest.split_at_checked(4 * SECTIONS)?;
    let cells = u32::from_le_bytes(fields[16..20].try_into().ok()?);
    if cells > MOST_CELLS {
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
    let mut file = [&MARK[..], fields, &table, &body].concat();
    let whole = file.len() as u64 + 32;
    file[16..24].copy_from_slice(&whole.to_le_bytes());
    let sum = blake3::hash(&file);
    file.extend(sum.as_bytes());
    Some(file)
}
