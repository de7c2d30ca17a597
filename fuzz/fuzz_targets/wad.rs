//! Any bytes as a WAD: no panic in the importer, nor in the reader of what it writes.
#![no_main]

use fogwall::{Limits, Map, import_wad, wad_levels};
use libfuzzer_sys::fuzz_target;

/// Small, so that an input can't spend its time on what is allowed to be large.
const LIMITS: Limits = Limits { file_bytes: 64 << 10, elements: 256, vertices: 4096, cells: 4096 };

fuzz_target!(|data: &[u8]| {
    let Ok(levels) = wad_levels(data) else { return };
    for level in levels.iter().take(2) {
        let Ok(imported) = import_wad(data, level, "fuzz") else { continue };
        let _ = Map::parse_within(imported.map.to_source().as_bytes(), "written", &LIMITS);
    }
});
