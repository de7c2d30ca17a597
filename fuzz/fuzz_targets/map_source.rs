//! Any bytes as a map source: no panic, and a map that loads comes back the same when written and read.
#![no_main]

use fogwall::{Limits, Map};
use libfuzzer_sys::fuzz_target;

/// Small, so that an input can't spend its time on what is allowed to be large.
const LIMITS: Limits = Limits { file_bytes: 64 << 10, elements: 256, vertices: 4096, cells: 4096 };
/// Room for what writing spells out: walls as prisms, the floor that a source may leave out.
const ROOM: Limits = Limits { file_bytes: 4 << 20, elements: 512, vertices: 16384, cells: 8192 };

fuzz_target!(|data: &[u8]| {
    let Ok(loaded) = Map::parse_within(data, "fuzz", &LIMITS) else { return };
    let text = loaded.map.to_source();
    let again = Map::parse_within(text.as_bytes(), "written", &ROOM).expect("a written map loads");
    let again = Map { source_hash: loaded.map.source_hash, ..again.map };
    assert_eq!(again, loaded.map);
});
