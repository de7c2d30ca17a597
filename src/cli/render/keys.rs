//! The keys of the legend: which there are, and their words.
//!
//! Owns the words that explain a drawing. Promises: a key for everything that is drawn and for nothing else, in
//! the style that it is drawn in; heights to the centimetre. Must not know sheets.

use super::cellwise::{self, MAY_SEE_FILL, Row};
use super::layers::Drawing;
use super::palette::{self, Ground};
use super::plan::{Group, Hatch, Key, Style, Symbol};
use super::scene::Scene;
use super::storeys::{Place, Rise, SolidView, Top, is_thin};
use super::styles::{
    area_style, cross_style, door_style, glass_style, lintel_style, rise_style, roof_style, seen_style,
    upper_style, veil_style,
};
use crate::cli::words::counted;
use fogwall::{Point3, Solid};

fn metres(length: f64) -> String {
    format!("{length:.2} m")
}

/// What a point sees, and its row in the PVS, where it has one.
pub(super) fn of_sight(scene: &Scene, row: Option<&Row>, feet: Point3) -> Group {
    let eye = format!("eye, {} over the feet", metres(scene.map.player.eye_standing));
    let mut keys = vec![Key::Symbol(Symbol::Eye, eye)];
    let may_see = Style::filled(palette::MAY_SEE, MAY_SEE_FILL);
    // What is seen lies on cells of the row, where that is drawn.
    let mut seen = vec![seen_style()];
    if row.is_some() {
        seen.insert(0, may_see);
    }
    keys.push(Key::Swatch(seen, "seen: some height of a body that stands there, doors open".to_owned()));
    match row {
        Some(row) => {
            let words = "may be seen by the PVS, leaning and jumping included";
            let cells = counted(row.may_see.len(), "cell");
            keys.push(Key::Swatch(vec![may_see], format!("{words}: {cells}")));
            if !row.unresolved.is_empty() {
                let styles = vec![Style::filled(palette::MAY_SEE, 0.12), Style::hatched(Hatch::Unresolved)];
                let cells = counted(row.unresolved.len(), "cell");
                keys.push(Key::Swatch(styles, format!("unresolved: {cells}")));
            }
            if row.has_upper_cells(scene) {
                keys.push(upper_cells_note());
            }
        }
        None if scene.pvs.is_some() => {
            keys.push(Key::Note("The eye is off the cells: no PVS row.".to_owned()))
        }
        None => keys.push(Key::Note("For the PVS row, draw from the baked file, or with --bake.".to_owned())),
    }
    keys.push(off_cells_note());
    Group { heading: format!("From {}, {}, {}", feet.x, feet.y, feet.z), keys }
}

/// The scale of heat, and how it was found.
pub(super) fn of_heat(scene: &Scene, heat: &[f64], greatest: f64) -> Group {
    let mean = heat.iter().sum::<f64>() / heat.len().max(1) as f64;
    let colours = (0..32).map(|i| palette::heat(f64::from(i) / 31.0)).collect();
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let mut keys = vec![Key::Bar(colours, [percent(0.0), percent(0.5 * greatest), percent(greatest)])];
    keys.push(Key::Note(format!(
        "Share of all {} that each cell sees; mean {}.",
        counted(heat.len(), "cell"),
        percent(mean)
    )));
    keys.push(Key::Note(if scene.pvs.is_some() {
        "By the baked PVS: leaning and jumping included.".to_owned()
    } else {
        "By rays between standing players in the cells: a lower bound. The baked file, or --bake, gives the PVS."
            .to_owned()
    }));
    if cellwise::has_upper_cells(scene) {
        keys.push(upper_cells_note());
    }
    keys.push(off_cells_note());
    Group { heading: "Heat: where one sees most".to_owned(), keys }
}

fn upper_cells_note() -> Key {
    Key::Note("Small squares: cells of an upper storey.".to_owned())
}

fn off_cells_note() -> Key {
    Key::Note("Bare strips along walls: no body's middle gets there.".to_owned())
}

/// The keys of the map itself.
pub(super) fn of_map(drawing: &Drawing) -> Vec<Group> {
    let groups = [of_solids(drawing), of_floors(drawing), of_places(drawing)];
    groups.into_iter().filter(|group| !group.keys.is_empty()).collect()
}

fn of_solids(drawing: &Drawing) -> Group {
    let map = drawing.map;
    let views = || drawing.storeys.solids.iter().zip(&map.solids).filter(|(_, s)| s.blocks.sight);
    let mut keys = of_rises(drawing);
    let overhead = |(v, s): &(&SolidView, &Solid)| {
        (v.place == Place::Overhead && v.top != Top::Platform).then(|| is_thin(&s.footprint))
    };
    for (thin, style, words) in
        [(false, roof_style(), "overhead: roof"), (true, lintel_style(), "overhead: lintel, beam")]
    {
        if views().any(|pair| overhead(&pair) == Some(thin)) {
            keys.push(Key::Swatch(vec![style], words.to_owned()));
        }
    }
    if map.solids.iter().any(|s| !s.blocks.sight && s.blocks.movement) {
        keys.push(Key::Swatch(vec![glass_style()], "glass: seen through, not walked through".to_owned()));
    }
    if map.solids.iter().any(|s| s.blocks.sight && !s.blocks.movement) {
        keys.push(Key::Swatch(vec![veil_style()], "veil: walked through, not seen through".to_owned()));
    }
    if !map.doors.is_empty() {
        keys.push(Key::Swatch(vec![door_style()], "door".to_owned()));
    }
    Group { heading: "Solids, by height over the floor".to_owned(), keys }
}

/// Solids by what sees over them, and crates.
fn of_rises(drawing: &Drawing) -> Vec<Key> {
    let player = &drawing.map.player;
    let views = drawing.storeys.solids.iter().zip(&drawing.map.solids);
    let filled = |(v, s): &(&SolidView, &Solid)| {
        s.blocks.sight && s.blocks.movement && v.top != Top::Platform && v.place != Place::Overhead
    };
    let drawn: Vec<&SolidView> = views.filter(filled).map(|(view, _)| view).collect();
    let over = |eye: f64, whose: &str| format!("under {}: {whose} eyes see over", metres(eye));
    let rises = [
        (Rise::Crouched, over(player.eye_crouched, "crouched")),
        (Rise::Standing, over(player.eye_standing, "standing")),
        (Rise::Jumping, over(player.eye_standing + player.jump, "jumping")),
        (Rise::Tall, "taller".to_owned()),
    ];
    let styles = |rise: Rise| {
        let mut styles = vec![rise_style(rise, 1.0)];
        styles.extend((rise <= Rise::Standing).then(|| Style::hatched(Hatch::Low)));
        styles
    };
    let mut keys = Vec::new();
    for (rise, words) in rises {
        if drawn.iter().any(|view| view.rise == rise) {
            keys.push(Key::Swatch(styles(rise), words));
        }
    }
    if let Some(view) = drawn.iter().filter(|view| view.top == Top::Crate).min_by_key(|view| view.rise) {
        let words = "crossed: a crate, and one can stand on it".to_owned();
        keys.push(Key::Crossed(styles(view.rise), cross_style(), words));
    }
    keys
}

fn of_floors(drawing: &Drawing) -> Group {
    let (low, high) = drawing.heights();
    let mut keys = Vec::new();
    if drawing.ground == Ground::Tinted && high > low {
        let colours = (0..16).map(|i| drawing.tint(low + (high - low) * f64::from(i) / 15.0)).collect();
        keys.push(Key::Bar(colours, [low, 0.5 * (low + high), high].map(metres)));
    } else {
        keys.push(Key::Swatch(vec![Style::filled(drawing.tint(low), 1.0)], "floor".to_owned()));
    }
    if let Some((under, over)) = drawing.storey_heights() {
        let over = upper_style(drawing.tint(over)).line(palette::CONTOUR, 1.2);
        let under = Style::filled(drawing.tint(under), 1.0);
        keys.push(Key::Swatch(vec![under, over], "upper storey, translucent".to_owned()));
    }
    let beneath = |v: &SolidView| v.place == Place::Overhead && v.top == Top::Platform;
    if drawing.storeys.solids.iter().any(beneath) {
        let styles = vec![Style::hatched(Hatch::Beneath), roof_style()];
        keys.push(Key::Swatch(styles, "a way beneath: bridge, tunnel, room".to_owned()));
    }
    Group { heading: "Floors, by height".to_owned(), keys }
}

fn of_places(drawing: &Drawing) -> Group {
    let teams = drawing.teams();
    let mut keys: Vec<Key> = teams
        .iter()
        .enumerate()
        .map(|(i, team)| Key::Symbol(Symbol::Spawn(i, palette::team(team, i)), format!("spawn of {team}")))
        .collect();
    if !drawing.map.areas.is_empty() {
        keys.push(Key::Swatch(vec![area_style()], "named area".to_owned()));
    }
    Group { heading: "Places".to_owned(), keys }
}
