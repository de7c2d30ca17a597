//! `fogwall render`: the plan of a map as SVG or PNG, with what an eye sees or how much every cell sees.
//!
//! Owns the arguments and the composition of layers. Promises: the same input gives the same bytes; the picture
//! goes to a file whole or not at all. Must not know how shapes are written down.

mod cellwise;
mod compose;
mod crates;
mod floors;
mod frame;
mod keys;
mod layers;
mod legend;
mod palette;
mod plan;
mod png;
mod scene;
mod sheet;
mod sight;
mod storeys;
mod styles;
mod svg;
mod text;

#[cfg(test)]
pub(super) mod tests;

use super::{Failure, Outcome, target};
use fogwall::{Map, MapPicture, Point2, Point3};
use sheet::Size;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Draw the plan of a map, what a point sees, or what sees most
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The map source or the baked file
    input: PathBuf,
    /// Where to draw: *.svg or *.png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Show what a standing player sees from here; z is the height of the feet
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point, allow_hyphen_values = true)]
    from: Option<Point3>,
    /// Shade each cell by the share of all cells that it sees
    #[arg(long, conflicts_with = "from")]
    heat: bool,
    /// Bake a map source for this picture, to show its PVS; a baked file has it already
    #[arg(long)]
    bake: bool,
    /// Draw the outlines of the cells
    #[arg(long)]
    cells: bool,
    /// Leave out floors and solids that begin above this height, to look into a lower storey
    #[arg(long, value_name = "Z", allow_hyphen_values = true)]
    below: Option<f64>,
    /// Width of the picture in pixels
    #[arg(long, value_name = "PX", default_value_t = 1600.0, value_parser = parse_width)]
    width: f64,
    /// Pixels a metre, instead of a width
    #[arg(long, value_name = "PX_PER_M", conflicts_with = "width", value_parser = parse_scale)]
    scale: Option<f64>,
}

/// The files that can be written.
#[derive(Clone, Copy)]
enum Format {
    Svg,
    Png,
}

/// Runs `fogwall render`.
pub(crate) fn run(args: &Args) -> Outcome {
    let format = format_of(&args.output)?;
    target::differs(&args.output, &args.input, "the picture")?;
    let plan = compose::compose(args)?;
    let size = args.scale.map_or(Size::Width(args.width), Size::Scale);
    let svg = svg::write(&plan, size).ok_or_else(|| {
        Failure::message(format!(
            "the picture would be over {} px: choose a smaller --scale or --width",
            sheet::MAX_SIDE_PX
        ))
    })?;
    let bytes = match format {
        Format::Svg => svg.into_bytes(),
        Format::Png => png::encode(&svg).map_err(Failure::message)?,
    };
    target::write(&args.output, &bytes)?;
    Ok(ExitCode::SUCCESS)
}

/// Pixels a metre of a picture that other things are drawn on, and the longest side that it may have.
const PICTURE_PX_PER_M: f64 = 16.0;
const PICTURE_SIDE_PX: f64 = 3000.0;

/// The plan of a map that covers exactly its bounds; `None` where the map is too large to draw.
pub(super) fn picture(map: &Map) -> Option<MapPicture> {
    let plan = compose::bare(map);
    let (low, high) = plan.bounds;
    let longest_m = (high.x - low.x).max(high.y - low.y);
    let svg = svg::write_panel(&plan, PICTURE_PX_PER_M.min(PICTURE_SIDE_PX / longest_m))?;
    Some(MapPicture { svg, low: [low.x, low.y], high: [high.x, high.y] })
}

fn format_of(path: &Path) -> Result<Format, Failure> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "svg" => Ok(Format::Svg),
        "png" => Ok(Format::Png),
        _ => {
            Err(Failure::message(format!("{}: the picture's name must end in .svg or .png", path.display())))
        }
    }
}

fn parse_point(text: &str) -> Result<Point3, String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse::<f64>().map_err(|_| format!("\"{part}\" is no number")))
        .collect::<Result<_, _>>()?;
    match numbers[..] {
        [x, y, z] if numbers.iter().all(|v| v.is_finite()) => Ok(Point3::new(x, y, z)),
        _ => Err("three finite numbers are needed: x,y,z in metres".to_owned()),
    }
}

fn parse_width(text: &str) -> Result<f64, String> {
    let px: f64 = text.parse().map_err(|_| format!("\"{text}\" is no number"))?;
    let range = 480.0..=sheet::MAX_SIDE_PX;
    if range.contains(&px) {
        Ok(px.round())
    } else {
        Err(format!("from {} to {} px", range.start(), range.end()))
    }
}

fn parse_scale(text: &str) -> Result<f64, String> {
    let px: f64 = text.parse().map_err(|_| format!("\"{text}\" is no number"))?;
    if (0.01..=1000.0).contains(&px) { Ok(px) } else { Err("from 0.01 to 1000 px a metre".to_owned()) }
}

/// The corners of the box around points; an empty set gives the box around the origin.
fn bounds_of(points: impl Iterator<Item = Point2>) -> (Point2, Point2) {
    let bounds = points.fold(None, |bounds: Option<(Point2, Point2)>, p| {
        let (low, high) = bounds.unwrap_or((p, p));
        Some((low.inf(&p), high.sup(&p)))
    });
    bounds.unwrap_or((Point2::origin(), Point2::origin()))
}
