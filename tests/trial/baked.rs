//! The one place where the judges' tests call the bake.

use crate::oracle::product::Level;
use crate::oracle::upright::Segment;
use fogwall::{BakeOptions, CellId, Point3, Pvs, Quiet, Witnesses};

/// Bakes the level as it ships.
pub(crate) fn bake(level: &Level) -> Pvs {
    bake_with(level, BakeOptions::default())
}

/// Bakes the level with these options, a planted fault among them.
pub(crate) fn bake_with(level: &Level, options: BakeOptions) -> Pvs {
    let (map, solids, cells) = (&level.map, &level.solids, &level.cells);
    fogwall::bake(&map.player, map.cell_size, solids, cells, options, &Quiet).expect("nobody stops it")
}

/// The bake's witnesses of visible pairs.
pub(crate) fn witnesses(level: &Level) -> impl Fn(usize, usize) -> Option<Segment> + '_ {
    let options = BakeOptions::default();
    let witnesses =
        Witnesses::new(&level.map.player, level.map.cell_size, &level.solids, &level.cells, options);
    let plain = |p: Point3| [p.x, p.y, p.z];
    move |a, b| {
        let found = witnesses.find(CellId(a as u32), CellId(b as u32));
        found.map(|(from, to)| (plain(from), plain(to)))
    }
}

/// The PVS as the judges ask it.
pub(crate) fn seen(pvs: &Pvs) -> impl Fn(usize, usize) -> bool + Sync + '_ {
    |a, b| pvs.may_see(CellId(a as u32), CellId(b as u32))
}
