//! Any bytes as a baked file, as they are and as one unpacked: no panic, and what loads comes back the same when
//! written and read.
#![no_main]

use fogwall::Baked;
use fogwall_fuzz::pack;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let packed = if Baked::recognizes(data) { Some(data.to_vec()) } else { pack(data) };
    let Some(Ok(baked)) = packed.map(|bytes| Baked::from_bytes(&bytes)) else { return };
    let bytes = baked.to_bytes();
    let again = Baked::from_bytes(&bytes).expect("a written file loads");
    assert_eq!(again.to_bytes(), bytes);
});
