//! Where map sources are: the corpus of the repository, and real games' maps where they are at hand.

use fogwall::Map;
use std::path::{Path, PathBuf};

/// The corpus and the arenas of the repository, by name.
pub(crate) fn corpus() -> Vec<PathBuf> {
    sources(&folder())
}

/// A map of the corpus.
pub(crate) fn corpus_map(name: &str) -> Map {
    load(&folder().join(format!("{name}.ron")))
}

/// The map sources of a folder, by name; rules stand beside them and are none.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let named = |path: &PathBuf| {
        path.extension().is_some_and(|e| e == "ron") && path.file_stem().is_some_and(|s| s != "rules")
    };
    let mut paths: Vec<PathBuf> = entries.filter(named).collect();
    paths.sort();
    paths
}

/// The folder of the real data, or `None` with a printed line.
pub(crate) fn data() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = std::env::var_os("FOGWALL_DATA").map_or_else(beside, PathBuf::from);
    if folder.join("maps").is_dir() {
        return Some(folder);
    }
    println!("skipped: no real data at {} (set FOGWALL_DATA)", folder.display());
    None
}

/// A real map of the folder of the real data.
pub(crate) fn real_map(data: &Path, name: &str) -> Map {
    load(&data.join(format!("maps/{name}.ron")))
}

/// The map of a source; panics with the errors of one that does not load.
pub(crate) fn load(path: &Path) -> Map {
    Map::load(path).unwrap_or_else(|errors| panic!("{errors}")).map
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("maps")
}
