//! Zeros without a sign.
//!
//! Promises: a map whose numbers are written `-0.0` is the map in which they are written `0.0`, bit for bit: bits decide
//! orders, keys and seeds. Must not know the text.

use super::Lists;
use crate::map::model::Footprint;

/// Takes the sign off every zero of a map's parts.
pub(super) fn unsign(lists: &mut Lists) {
    let unsign = |value: &mut f64| *value += 0.0;
    let Lists { solids, doors, floors, areas, spawns } = lists;
    for solid in solids.iter_mut().chain(doors) {
        unsign(&mut solid.z.low);
        unsign(&mut solid.z.high);
        match &mut solid.footprint {
            Footprint::Polygon { outline, holes } => {
                outline
                    .iter_mut()
                    .chain(holes.iter_mut().flatten())
                    .flat_map(|p| p.iter_mut())
                    .for_each(unsign);
            }
            Footprint::Circle { center, .. } => center.iter_mut().for_each(unsign),
        }
    }
    for floor in floors {
        let rings = floor.outline.iter_mut().chain(floor.holes.iter_mut().flatten());
        rings.flat_map(|p| p.iter_mut()).for_each(unsign);
    }
    areas.iter_mut().flat_map(|area| &mut area.outline).flat_map(|p| p.iter_mut()).for_each(unsign);
    spawns.iter_mut().flat_map(|spawn| spawn.at.iter_mut()).for_each(unsign);
}
