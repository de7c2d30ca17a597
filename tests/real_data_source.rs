//! The maps of real games load, where they are at hand.

use fogwall::Map;
use std::path::PathBuf;

/// The real maps, or none with a printed line.
fn real_maps() -> Vec<PathBuf> {
    let data = std::env::var_os("FOGWALL_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"), PathBuf::from);
    let Ok(entries) = std::fs::read_dir(data.join("maps")) else {
        println!("skipped: no real maps (set FOGWALL_DATA)");
        return Vec::new();
    };
    let mut maps: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    maps.retain(|p| p.extension().is_some_and(|e| e == "ron"));
    maps.sort();
    maps
}

#[test]
fn every_real_map_loads_without_an_error() {
    for path in real_maps() {
        match Map::load(&path) {
            Ok(loaded) => {
                println!("{}: {} warnings", loaded.map.name, loaded.warnings.len());
                assert!(!loaded.map.solids.is_empty(), "{}", path.display());
                assert!(!loaded.map.floors.is_empty(), "{}", path.display());
            }
            Err(errors) => panic!("{errors}"),
        }
    }
}
