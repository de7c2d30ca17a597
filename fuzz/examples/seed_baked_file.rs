//! Writes the seeds of the target `baked_file` again, which every change of the file's layout makes necessary.
//!
//! `cargo run --release --manifest-path fuzz/Cargo.toml --example seed_baked_file`

use fogwall::{BakeOptions, Baked, Cells, Hearable, Map, Quiet, Solids, bake};
use std::path::Path;

const RADIUS_M: f64 = 20.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR"));
    for source in ["corpus/map_source/every_shape.ron", "corpus/map_source/two_levels.ron"] {
        let map = Map::load(fuzz.join(source))?.map;
        let solids = Solids::build(&map);
        let cells = Cells::build(&map, &solids)?;
        let pvs = bake(&map.player, map.cell_size, &solids, &cells, BakeOptions::default(), &Quiet)?;
        let hearable = Hearable::build(&map, &solids, &cells, RADIUS_M);
        let file = Baked::new(map, solids, cells, pvs, hearable, false).to_bytes();
        let unpacked = fogwall_fuzz::unpack(&file);
        let again = fogwall_fuzz::pack(&unpacked).ok_or("too many cells for a seed")?;
        assert_eq!(Baked::from_bytes(&again)?.to_bytes(), file, "unpacking loses nothing");
        let name = Path::new(source).file_stem().ok_or("a name")?;
        let seed = fuzz.join("corpus/baked_file").join(name);
        std::fs::write(seed.with_extension("baked"), &file)?;
        std::fs::write(seed.with_extension("unpacked"), &unpacked)?;
        println!("{}: {} bytes, {} unpacked", seed.display(), file.len(), unpacked.len());
    }
    Ok(())
}
