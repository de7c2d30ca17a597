//! Any text as rules: no panic, and rules that hold make a schema that comes back from its bytes.
#![no_main]

use fogwall::{Rules, Schema};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| match Rules::parse(data, "rules.ron") {
    Ok(loaded) => {
        let schema = loaded.rules.schema();
        assert_eq!(Schema::from_bytes(&schema.to_bytes()).as_ref(), Ok(&**schema));
    }
    Err(errors) => assert!(!errors.errors.is_empty()),
});
