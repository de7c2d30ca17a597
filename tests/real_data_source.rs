//! The maps of real games load, where they are at hand.

mod common;

use common::sources::{data, sources};
use fogwall::Map;

#[test]
fn every_real_map_loads_without_an_error() {
    let Some(folder) = data() else { return };
    for path in sources(&folder.join("maps")) {
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
