//! Any bytes as datagrams: no panic, one spelling, and a replica that takes each whole or not at all.
//!
//! An input is a run of datagrams, each behind its length in one byte; the schema's mark is set for them.
#![no_main]

use fogwall::{Contents, DEFAULT_RULES, PacketReader, Replica, Rules, Schema};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};

static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let loaded = Rules::parse(DEFAULT_RULES, "rules.ron").expect("the default rules hold");
    Arc::clone(loaded.rules.schema())
});

fuzz_target!(|data: &[u8]| {
    let mut replica = Replica::with_limit(Arc::clone(&SCHEMA), 64);
    let mut rest = data;
    while let Some((&length, behind)) = rest.split_first() {
        let (body, behind) = behind.split_at(usize::from(length).min(behind.len()));
        rest = behind;
        let bytes = [&SCHEMA.mark().to_le_bytes()[..], body].concat();
        if let Ok(mut reader) = PacketReader::new(&SCHEMA, &bytes) {
            let mut contents = Contents::default();
            while let Ok(Some(_)) = reader.read(&mut contents) {}
        }
        let before = replica.len();
        if replica.receive(&bytes).is_err() {
            assert_eq!(replica.len(), before);
        }
        assert!(replica.len() <= 64);
    }
    if let Ok(schema) = Schema::from_bytes(data) {
        assert_eq!(schema.to_bytes(), data);
    }
});
