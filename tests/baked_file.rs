//! The baked file's bytes: a golden one, and its head as `BAKED_FILE.md` has it.

mod standin;

use fogwall::Baked;
use std::path::PathBuf;

/// A bake whose bytes may only change together with the version of the layout or of the method.
///
/// Written anew where the variable `FOGWALL_BLESS` is set.
fn golden() -> (Vec<u8>, PathBuf) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/two_rooms.pvs");
    let bytes = standin::bake(&standin::source(4.0)).to_bytes();
    if std::env::var_os("FOGWALL_BLESS").is_some() {
        std::fs::write(&path, &bytes).unwrap();
    }
    (bytes, path)
}

#[test]
fn a_bake_saves_to_the_golden_bytes_and_loads_from_them() {
    let (bytes, path) = golden();
    assert!(std::fs::read(&path).unwrap() == bytes, "other bytes than {}", path.display());
    let (read, made) = (Baked::load(&path).unwrap(), standin::bake(&standin::source(4.0)));
    assert_eq!(read.map, made.map);
    assert_eq!(read.cells.as_slice(), made.cells.as_slice());
    assert_eq!(read.solids.pieces(), made.solids.pieces());
    assert!(read.pvs == made.pvs && read.hearable == made.hearable);
    assert_eq!(read.unresolved_by_solid, made.unresolved_by_solid);
}

#[test]
fn the_head_says_what_the_documentation_says() {
    let (bytes, _) = golden();
    let made = standin::bake(&standin::source(4.0));
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let u64_at = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    assert_eq!(bytes[..8], [0x89, 0x46, 0x57, 0x50, 0x56, 0x53, 0x0D, 0x0A]);
    assert_eq!((u32_at(8), u32_at(12)), (4, fogwall::METHOD_VERSION));
    assert_eq!(u64_at(16), bytes.len() as u64);
    assert_eq!((u32_at(24), u32_at(28)), (made.cells.len() as u32, 0));
    assert_eq!(bytes[32..64], made.map.source_hash);
    assert_eq!(bytes[64..96], made.settings_hash());
    let stored: u64 = (0..5).map(|section| u64_at(96 + section * 16 + 8)).sum();
    assert_eq!(176 + stored + 32, bytes.len() as u64);
    assert_eq!(bytes[bytes.len() - 32..], *blake3::hash(&bytes[..bytes.len() - 32]).as_bytes());
}
