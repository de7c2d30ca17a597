//! `report.html`: one page that shows a replay, with all that it needs in it.
//!
//! Owns the joining of its parts. Promises: no part is fetched from elsewhere; whatever the data say stays data.
//! Must not know what is shown.

use super::{Failure, render, target};
use flate2::Compression;
use flate2::write::GzEncoder;
use fogwall::{Baked, MapPicture, Reel, ReelNames, Report, Rules};
use std::io::Write;
use std::path::Path;

const PAGE: &str = include_str!("../replay/report.html");
const STYLE: &str = include_str!("../replay/report.css");
/// In the order in which the page needs them.
const SCRIPTS: [&str; 10] = [
    include_str!("../replay/report/head.js"),
    include_str!("../replay/report/data.js"),
    include_str!("../replay/report/draw.js"),
    include_str!("../replay/report/ground.js"),
    include_str!("../replay/report/stage.js"),
    include_str!("../replay/report/time.js"),
    include_str!("../replay/report/panels.js"),
    include_str!("../replay/report/findings.js"),
    include_str!("../replay/report/charts.js"),
    include_str!("../replay/report/main.js"),
];

/// Writes the page of a replay.
pub(super) fn write(
    path: &Path,
    (reel, report): (&Reel, &Report),
    recording: &str,
    (baked, rules): (&Baked, &Rules),
) -> Result<(), Failure> {
    let empty = || MapPicture { svg: String::new(), low: [0.0; 2], high: [1.0; 2] };
    let picture = render::picture(&baked.map).unwrap_or_else(empty);
    let filter = serde_json::to_value(report.options.filter)?;
    let names = ReelNames {
        recording,
        filter: filter.as_str().unwrap_or("fogwall"),
        spotted_step_m: spotted_step_m(rules),
    };
    let data = serde_json::to_vec(&reel.to_json(&names, report, &picture))?;
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&data)?;
    let data = fogwall::command::base64(&gzip.finish()?);
    // The data hold no token of the page: base64 has no such sign.
    let script = SCRIPTS.concat();
    let page = PAGE.replace("@STYLE@", STYLE).replace("@SCRIPT@", &script).replace("@DATA@", &data);
    target::write(path, page.as_bytes())
}

/// To what step the positions of spotted players are told, metres.
fn spotted_step_m(rules: &Rules) -> f64 {
    use fogwall::{Disclosure, Level, Motion};
    let players = rules.source().classes.iter().filter(|class| class.motion == Motion::Player);
    let mut fields = players.flat_map(|class| &class.fields).filter(|rules| rules.field.name == "pos");
    let step = fields.find_map(|rules| match rules.field.at(Level::Spotted) {
        Disclosure::Grid(step) => Some(step),
        _ => None,
    });
    step.unwrap_or(1.0)
}
