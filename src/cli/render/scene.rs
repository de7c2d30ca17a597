//! What is drawn from: the map, its pieces and cells, and the bake where there is one.
//!
//! Owns the loading of either input, and the check of where one stands. Promises: a baked file is told by its
//! first bytes. Must not know colours or sheets.

use super::floors::Floors;
use crate::cli::Failure;
use crate::cli::kind::MapFile;
use fogwall::{BakeOptions, Baked, Cells, Map, Mask, Point3, Pvs, Quiet, Solids, bake};
use std::path::Path;

/// A loaded input.
pub(super) struct Scene {
    pub(super) map: Map,
    pub(super) solids: Solids,
    pub(super) cells: Cells,
    /// What may be seen, where it is baked.
    pub(super) pvs: Option<Pvs>,
}

/// What to do with a map source, which has no PVS.
#[derive(Clone, Copy)]
pub(super) enum Source {
    AsItIs,
    Bake,
}

impl Scene {
    /// Reads a baked file or a map source; bakes the source on the spot where that is asked for.
    pub(super) fn load(path: &Path, source: Source) -> Result<Self, Failure> {
        if MapFile::at(path)? == MapFile::Bake {
            let Baked { map, solids, cells, pvs, .. } =
                Baked::load(path).map_err(|e| Failure::message(format!("{}: {e}", path.display())))?;
            return Ok(Self { map, solids, cells, pvs: Some(pvs) });
        }
        let map = Map::load(path)?.map;
        let solids = Solids::build(&map);
        let cells = Cells::build(&map, &solids)?;
        let pvs = match source {
            Source::AsItIs => None,
            Source::Bake => {
                let options = BakeOptions::default();
                Some(bake(&map.player, map.cell_size, &solids, &cells, options, &Quiet)?)
            }
        };
        Ok(Self { map, solids, cells, pvs })
    }

    /// The standing eye of a player with these feet.
    pub(super) fn eye(&self, feet: Point3) -> Result<Point3, Failure> {
        let place = format!("--from {},{},{}", feet.x, feet.y, feet.z);
        let player = &self.map.player;
        let mut heights = Vec::new();
        Floors::new(&self.map).at(feet.xy(), |z, _| heights.push(z));
        heights.sort_by(f64::total_cmp);
        heights.dedup_by(|a, b| *a - *b < 0.05);
        if heights.is_empty() {
            let (low, high) = super::bounds_of(self.floor_corners());
            return Err(Failure::message(format!(
                "{place}: no floor there; the map's floors lie between {:.1},{:.1} and {:.1},{:.1}",
                low.x, low.y, high.x, high.y
            )));
        }
        if !heights.iter().any(|z| (-player.step..=player.jump).contains(&(feet.z - z))) {
            let known: Vec<String> = heights.iter().map(|z| format!("{z:.2}")).collect();
            return Err(Failure::message(format!(
                "{place}: nobody's feet are at that height there; the floors are at z {}",
                known.join(", ")
            )));
        }
        let eye = Point3::new(feet.x, feet.y, feet.z + player.eye_standing);
        if self.solids.holds(eye, Mask::Movement) {
            return Err(Failure::message(format!("{place}: the eye would be inside a solid")));
        }
        Ok(eye)
    }

    fn floor_corners(&self) -> impl Iterator<Item = fogwall::Point2> + '_ {
        self.map.floors.iter().flat_map(|f| &f.outline).map(|p| p.xy())
    }
}
