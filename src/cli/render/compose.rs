//! The composition of a plan: which layers, labels and keys a drawing has.
//!
//! Owns the order of layers and the words of title and legend. Promises: a key for everything that is drawn and
//! for nothing else. Must not know SVG.

use super::cellwise::{self, Row};
use super::floors::Floors;
use super::layers::{Drawing, area_style, door_style, glass_style, rise_style};
use super::palette::{self, Ground};
use super::plan::{Group, Hatch, Key, Layer, Marker, Plan, Shape, Style, Symbol};
use super::scene::{Scene, Source};
use super::sight::Sweep;
use super::storeys::{Place, Rise, Top};
use super::{Args, Failure, bounds_of};
use fogwall::{Map, Point2, Point3, Vector2};

/// Metres of paper around the floors.
const AROUND_M: f64 = 1.6;

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
        draw_sight(&mut plan, &scene, feet)?;
    }
    if args.heat {
        draw_heat(&mut plan, &scene);
    }
    if args.cells {
        plan.layers.push(cellwise::outlines(&scene));
    }
    plan.layers.extend([drawing.overhead(), drawing.openings(), drawing.areas()]);
    plan.legend.push(solids_legend(&drawing));
    plan.legend.push(floors_legend(&drawing));
    plan.legend.extend(places_legend(&drawing));
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
fn draw_sight(plan: &mut Plan, scene: &Scene, feet: Point3) -> Result<(), Failure> {
    let eye = scene.eye(feet)?;
    let floors = Floors::new(&scene.map);
    let mut keys =
        vec![Key::Symbol(Symbol::Eye, format!("eye, {} m over the feet", scene.map.player.eye_standing))];
    let seen = Style::filled(palette::SEEN, 0.62);
    keys.push(Key::Swatch(vec![seen], "seen: some height of a standing body, doors open".to_owned()));
    match Row::of(scene, eye) {
        Some(row) => {
            let style = Style::filled(palette::MAY_SEE, 0.34);
            let words = "may be seen by the PVS, leaning and jumping included";
            keys.push(Key::Swatch(vec![style], format!("{words}: {} cells", row.may_see.len())));
            if !row.unresolved.is_empty() {
                let styles = vec![Style::filled(palette::MAY_SEE, 0.12), Style::hatched(Hatch::Unresolved)];
                keys.push(Key::Swatch(styles, format!("unresolved: {} cells", row.unresolved.len())));
            }
            plan.layers.push(row.layer(scene));
        }
        None if scene.pvs.is_some() => {
            keys.push(Key::Note("The eye is off the cells: no PVS row.".to_owned()))
        }
        None => keys.push(Key::Note("For the PVS row, draw from the baked file, or with --bake.".to_owned())),
    }
    let region = Sweep { map: &scene.map, solids: &scene.solids, floors: &floors, eye }.region();
    let shapes = region.into_iter().map(|ring| Shape { rings: vec![ring], style: seen }).collect();
    plan.layers.push(Layer { id: "seen", shapes });
    plan.markers.push(Marker { at: feet.xy(), symbol: Symbol::Eye });
    plan.legend.push(Group { heading: format!("From {}, {}, {}", feet.x, feet.y, feet.z), keys });
    Ok(())
}

fn draw_heat(plan: &mut Plan, scene: &Scene) {
    let heat = cellwise::heat(scene);
    let greatest = heat.iter().copied().fold(0.0, f64::max);
    let mean = heat.iter().sum::<f64>() / heat.len().max(1) as f64;
    plan.layers.push(cellwise::heat_layer(scene, &heat, greatest));
    let colours = (0..32).map(|i| palette::heat(f64::from(i) / 31.0)).collect();
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let mut keys = vec![Key::Bar(colours, [percent(0.0), percent(0.5 * greatest), percent(greatest)])];
    keys.push(Key::Note(format!(
        "Share of all {} cells that each cell sees; mean {}.",
        heat.len(),
        percent(mean)
    )));
    keys.push(Key::Note(if scene.pvs.is_some() {
        "By the baked PVS: leaning and jumping included.".to_owned()
    } else {
        "By rays between standing players in the cells: a lower bound. The baked file, or --bake, gives the PVS."
            .to_owned()
    }));
    if cellwise::has_upper_cells(scene) {
        keys.push(Key::Note("Small squares: cells of an upper storey.".to_owned()));
    }
    plan.legend.push(Group { heading: "Heat: where one sees most".to_owned(), keys });
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

fn bounds(map: &Map) -> (Point2, Point2) {
    let floors = map.floors.iter().flat_map(|f| &f.outline).map(|p| p.xy());
    let (low, high) = bounds_of(floors);
    let around = Vector2::new(AROUND_M, AROUND_M);
    (low - around, high + around)
}

fn subtitle(scene: &Scene, args: &Args) -> String {
    let map = &scene.map;
    let (low, high) = bounds(map);
    let size = high - low - Vector2::new(2.0 * AROUND_M, 2.0 * AROUND_M);
    let cut = args.below.map_or(String::new(), |z| format!("; drawn below {z} m only"));
    let cells = if args.cells || args.heat || args.from.is_some() {
        format!(", {} cells of {} m", scene.cells.len(), map.cell_size)
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

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn solids_legend(drawing: &Drawing) -> Group {
    let map = drawing.map;
    let player = &map.player;
    let views = || drawing.storeys.solids.iter().zip(&map.solids).filter(|(_, s)| s.blocks.sight);
    let mut keys = Vec::new();
    let rises = [
        (Rise::Crouched, format!("under {} m: crouched eyes see over", player.eye_crouched)),
        (Rise::Standing, format!("under {} m: standing eyes see over", player.eye_standing)),
        (Rise::Jumping, format!("under {:.2} m: jumping eyes see over", player.eye_standing + player.jump)),
        (Rise::Tall, "taller".to_owned()),
    ];
    for (rise, words) in rises {
        let drawn = |v: &super::storeys::SolidView| {
            v.rise == rise && v.top != Top::Platform && v.place != Place::Overhead
        };
        if views().any(|(view, _)| drawn(view)) {
            let mut styles = vec![rise_style(rise, 1.0)];
            styles.extend((rise <= Rise::Standing).then(|| Style::hatched(Hatch::Low)));
            keys.push(Key::Swatch(styles, words));
        }
    }
    if views().any(|(v, _)| v.place == Place::Overhead && v.top != Top::Platform) {
        let style = Style::default().dashes(palette::OVERHEAD, 1.0);
        keys.push(Key::Swatch(vec![style], "overhead: roof, lintel".to_owned()));
    }
    if map.solids.iter().any(|s| !s.blocks.sight && s.blocks.movement) {
        keys.push(Key::Swatch(vec![glass_style()], "glass: seen through, not walked through".to_owned()));
    }
    if map.solids.iter().any(|s| s.blocks.sight && !s.blocks.movement) {
        let style = Style::filled(palette::VEIL, 0.35).line(palette::VEIL, 1.0);
        keys.push(Key::Swatch(vec![style], "veil: walked through, not seen through".to_owned()));
    }
    if !map.doors.is_empty() {
        keys.push(Key::Swatch(vec![door_style()], "door".to_owned()));
    }
    Group { heading: "Solids, by height over the floor".to_owned(), keys }
}

fn floors_legend(drawing: &Drawing) -> Group {
    let (low, high) = drawing.heights();
    let mut keys = Vec::new();
    if drawing.ground == Ground::Tinted && high > low {
        let colours = (0..16).map(|i| drawing.tint(low + (high - low) * f64::from(i) / 15.0)).collect();
        let metres = |z: f64| format!("{z:.1} m");
        keys.push(Key::Bar(colours, [metres(low), metres(0.5 * (low + high)), metres(high)]));
    } else {
        keys.push(Key::Swatch(vec![Style::filled(drawing.tint(low), 1.0)], "floor".to_owned()));
    }
    if drawing.storeys.floors.contains(&Place::Upper) {
        let over = Style::filled(drawing.tint(high), 0.62).line(palette::CONTOUR, 1.2);
        let under = rise_style(Rise::Tall, 1.0);
        keys.push(Key::Swatch(vec![under, over], "upper storey, translucent".to_owned()));
    }
    let beneath = |v: &super::storeys::SolidView| v.place == Place::Overhead && v.top == Top::Platform;
    if drawing.storeys.solids.iter().any(beneath) {
        let styles = vec![Style::hatched(Hatch::Beneath), Style::default().dashes(palette::OVERHEAD, 1.0)];
        keys.push(Key::Swatch(styles, "a way beneath: bridge, tunnel".to_owned()));
    }
    Group { heading: "Floors, by height".to_owned(), keys }
}

fn places_legend(drawing: &Drawing) -> Option<Group> {
    let teams = drawing.teams();
    let mut keys: Vec<Key> = teams
        .iter()
        .enumerate()
        .map(|(i, team)| Key::Symbol(Symbol::Spawn(i, palette::team(team, i)), format!("spawn of {team}")))
        .collect();
    if !drawing.map.areas.is_empty() {
        keys.push(Key::Swatch(vec![area_style()], "named area".to_owned()));
    }
    (!keys.is_empty()).then(|| Group { heading: "Places".to_owned(), keys })
}
