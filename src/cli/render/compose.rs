//! The composition of a plan: which layers, labels and bounds a drawing has.
//!
//! Owns the order of layers and the words of the title. Promises: what is asked for is drawn over the map, and
//! what stands in the way over that. Must not know SVG.

use super::cellwise::{self, Row};
use super::floors::Floors;
use super::keys;
use super::layers::{Beneath, Drawing};
use super::palette::Ground;
use super::plan::{Layer, Marker, Plan, Shape, Symbol};
use super::scene::{Scene, Source};
use super::sight::Sweep;
use super::storeys::{Place, ring};
use super::styles::seen_style;
use super::{Args, Failure, bounds_of};
use crate::cli::words::counted;
use fogwall::{Map, Point2, Point3, Vector2};

/// Metres of paper around the floors, and around the solids.
const AROUND_M: f64 = 1.6;
const EDGE_M: f64 = 0.6;

/// Loads the input and makes the plan that the arguments ask for.
pub(super) fn compose(args: &Args) -> Result<Plan, Failure> {
    let scene = Scene::load(&args.input, if args.bake { Source::Bake } else { Source::AsItIs })?;
    let shown = below(&scene.map, args.below);
    let ground = if args.from.is_some() || args.heat { Ground::Neutral } else { Ground::Tinted };
    let drawing = Drawing::new(&shown, ground);
    let mut plan = Plan {
        title: scene.map.name.clone(),
        subtitle: subtitle(&scene, args),
        bounds: bounds(&shown),
        layers: vec![drawing.base(), drawing.upper()],
        markers: drawing.spawns(),
        labels: drawing.area_labels(),
        legend: Vec::new(),
    };
    if let Some(feet) = args.from {
        draw_sight(&mut plan, &scene, &drawing, feet)?;
    }
    if args.heat {
        draw_heat(&mut plan, &scene, &drawing);
    }
    if args.cells {
        plan.layers.push(cellwise::outlines(&scene));
    }
    plan.layers.extend([drawing.overhead(), drawing.openings(), drawing.areas()]);
    plan.legend.extend(keys::of_map(&drawing));
    Ok(plan)
}

/// The plan of a map and nothing else, for a picture that other things are drawn on.
pub(super) fn bare(map: &Map) -> Plan {
    let drawing = Drawing::new(map, Ground::Tinted);
    let layers =
        vec![drawing.base(), drawing.upper(), drawing.overhead(), drawing.openings(), drawing.areas()];
    Plan {
        title: map.name.clone(),
        subtitle: String::new(),
        bounds: bounds(map),
        layers,
        markers: Vec::new(),
        labels: drawing.area_labels(),
        legend: Vec::new(),
    }
}

/// The visible region of a point and its row in the PVS.
fn draw_sight(plan: &mut Plan, scene: &Scene, drawing: &Drawing, feet: Point3) -> Result<(), Failure> {
    let eye = scene.eye(feet)?;
    let row = Row::of(scene, eye);
    plan.layers.extend(row.as_ref().map(|row| row.layer(scene)));
    let floors = Floors::new(&scene.map);
    let (map, solids, cells) = (&scene.map, &scene.solids, &scene.cells);
    let region = Sweep { map, solids, cells, floors: &floors, eye }.region();
    let shapes = region.into_iter().map(|ring| Shape { rings: vec![ring], style: seen_style() });
    plan.layers.push(Layer { id: "seen", shapes: shapes.collect() });
    plan.layers.push(drawing.standing(Place::Base, Beneath::Left));
    plan.layers.push(drawing.standing(Place::Upper, Beneath::Left));
    plan.markers.push(Marker { at: feet.xy(), symbol: Symbol::Eye });
    plan.legend.push(keys::of_sight(scene, row.as_ref(), feet));
    Ok(())
}

fn draw_heat(plan: &mut Plan, scene: &Scene, drawing: &Drawing) {
    let heat = cellwise::heat(scene);
    let greatest = heat.iter().copied().fold(0.0, f64::max);
    let [lower, upper] = cellwise::heat_layers(scene, &heat, greatest);
    plan.layers.extend([lower, drawing.standing(Place::Base, Beneath::Shown)]);
    plan.layers.extend([upper, drawing.standing(Place::Upper, Beneath::Shown)]);
    plan.legend.push(keys::of_heat(scene, &heat, greatest));
}

/// The map without what begins above `z`.
fn below(map: &Map, z: Option<f64>) -> Map {
    let mut map = map.clone();
    if let Some(z) = z {
        map.solids.retain(|s| s.z.low < z);
        map.doors.retain(|s| s.z.low < z);
        map.floors.retain(|f| f.outline.iter().any(|p| p.z < z));
        map.spawns.retain(|s| s.at.z < z);
    }
    map
}

/// What is drawn: the floors with paper around them, and the solids. What reaches farther than a quarter of the
/// map beyond the floors is cut off, for a hill or a sky around a map would leave no room for it.
fn bounds(map: &Map) -> (Point2, Point2) {
    let (low, high) = bounds_of(map.floors.iter().flat_map(|f| &f.outline).map(|p| p.xy()));
    let around = Vector2::new(AROUND_M, AROUND_M);
    let (mut from, mut to) = (low - around, high + around);
    let reach = 0.25 * (high - low).amax();
    let edge = Vector2::new(EDGE_M, EDGE_M);
    for solid in map.solids.iter().chain(&map.doors) {
        let (a, b) = bounds_of(ring(&solid.footprint).into_iter());
        let (a, b) = (a - edge, b + edge);
        for axis in 0..2 {
            if a[axis] >= low[axis] - reach {
                from[axis] = from[axis].min(a[axis]);
            }
            if b[axis] <= high[axis] + reach {
                to[axis] = to[axis].max(b[axis]);
            }
        }
    }
    (from, to)
}

fn subtitle(scene: &Scene, args: &Args) -> String {
    let map = &scene.map;
    let (low, high) = bounds_of(map.floors.iter().flat_map(|f| &f.outline).map(|p| p.xy()));
    let size = high - low;
    let cut = args.below.map_or(String::new(), |z| format!("; drawn below {z} m only"));
    let cells = if args.cells || args.heat || args.from.is_some() {
        format!(", {} of {} m", counted(scene.cells.len(), "cell"), map.cell_size)
    } else {
        String::new()
    };
    let counts = [
        counted(map.solids.len(), "solid"),
        counted(map.doors.len(), "door"),
        counted(map.floors.len(), "floor"),
    ];
    format!("{:.0} x {:.0} m, {}{cells}{cut}", size.x, size.y, counts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::render::tests::tiny_map;
    use fogwall::Footprint;

    #[test]
    fn solids_beyond_the_floors_are_drawn_whole_and_a_far_one_leaves_the_map_its_room() {
        let mut map = tiny_map();
        let from = |map: &Map| bounds(map).0.x;
        assert_eq!(from(&map), -9.6);
        map.solids[0].footprint = Footprint::Circle { center: Point2::new(-9.5, 0.0), radius: 1.5 };
        assert!((from(&map) - -11.6).abs() < 0.01);
        map.solids[0].footprint = Footprint::Circle { center: Point2::new(-500.0, 0.0), radius: 1.5 };
        assert_eq!(from(&map), -9.6);
    }
}
