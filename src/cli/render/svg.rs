//! The plan as SVG.
//!
//! Owns the writing of shapes, symbols and texts. Promises: the same plan gives the same bytes; coordinates in
//! hundredths of a px; any text is escaped. Must not know maps.

use super::palette::{self, Rgb};
use super::plan::{Fill, Hatch, Label, Layer, Marker, Plan, Shape, Style, Symbol};
use super::sheet::{Sheet, Size};
use super::text::{Board, Rect, width_px};
use super::{frame, legend};
use std::fmt::Write;
use svg::Document;
use svg::node::element::{Circle, ClipPath, Definitions, Group, Line, Path, Pattern, Rectangle, Text, Title};

/// Families in the order of preference; the PNG always has the first.
const FONTS: &str = "Noto Sans, Segoe UI, Helvetica Neue, Arial, sans-serif";

/// Writes the plan; `None` where the sheet would be too large.
pub(super) fn write(plan: &Plan, size: Size) -> Option<String> {
    let sheet = Sheet::new(plan.bounds, size, &legend::heights_px(&plan.legend))?;
    let panel = sheet.panel;
    let mut map = Group::new().set("clip-path", "url(#panel)");
    for layer in &plan.layers {
        map = map.add(layer_group(layer, &sheet));
    }
    let mut document = Document::new()
        .set("width", number(sheet.width))
        .set("height", number(sheet.height))
        .set("viewBox", format!("0 0 {} {}", number(sheet.width), number(sheet.height)))
        .set("font-family", FONTS)
        .add(Title::new(clean(&plan.title)))
        .add(definitions(panel))
        .add(filled_rect(
            Rect { left: 0.0, top: 0.0, right: sheet.width, bottom: sheet.height },
            palette::PAPER,
        ))
        .add(frame::grid(&sheet))
        .add(map)
        .add(frame::frame(&sheet));
    document = document.add(notes(plan, &sheet));
    document = frame::title(document, plan, &sheet);
    document = document.add(frame::scale_bar(&sheet)).add(frame::north(&sheet));
    Some(document.add(legend::draw(&plan.legend, &sheet)).to_string() + "\n")
}

/// The map alone, without title, legend and frame, and nothing around its bounds; `None` where it would be too large.
pub(super) fn write_panel(plan: &Plan, px_per_m: f64) -> Option<String> {
    let sheet = Sheet::new(plan.bounds, Size::Scale(px_per_m), &[])?;
    let panel = sheet.panel;
    let (width, height) = (panel.right - panel.left, panel.bottom - panel.top);
    let view = [panel.left, panel.top, width, height].map(number).join(" ");
    let mut map = Group::new().set("clip-path", "url(#panel)");
    for layer in &plan.layers {
        map = map.add(layer_group(layer, &sheet));
    }
    let document = Document::new()
        .set("width", number(width))
        .set("height", number(height))
        .set("viewBox", view)
        .set("font-family", FONTS)
        .add(definitions(panel))
        .add(filled_rect(panel, palette::PAPER))
        .add(map)
        .add(notes(plan, &sheet));
    Some(document.to_string())
}

/// A px length without needless digits.
pub(super) fn number(v: f64) -> String {
    let rounded = (v * 100.0).round() / 100.0;
    // No negative zero, so that equal drawings have equal bytes.
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// Text without the control characters that XML forbids.
pub(super) fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')).collect()
}

fn layer_group(layer: &Layer, sheet: &Sheet) -> Group {
    let mut group = Group::new().set("id", layer.id);
    let mut shapes = layer.shapes.iter().peekable();
    while let Some(shape) = shapes.next() {
        let mut data = String::new();
        path_data(shape, sheet, &mut data);
        // Neighbours of one style share a path: smaller, and without seams between them.
        while let Some(next) = shapes.next_if(|next| next.style == shape.style) {
            path_data(next, sheet, &mut data);
        }
        group = group.add(styled(Path::new().set("d", data), shape.style));
    }
    group
}

fn path_data(shape: &Shape, sheet: &Sheet, out: &mut String) {
    for ring in &shape.rings {
        for (i, &p) in ring.iter().enumerate() {
            let (x, y) = sheet.place(p);
            let command = if i == 0 { 'M' } else { 'L' };
            // Writing to a string cannot fail.
            let _ = write!(out, "{command}{} {}", number(x), number(y));
        }
        out.push('Z');
    }
}

/// Sets fill and stroke.
pub(super) fn styled(mut path: Path, style: Style) -> Path {
    path = match style.fill {
        Fill::None => path.set("fill", "none"),
        Fill::Colour(colour, opacity) if opacity < 1.0 => {
            path.set("fill", colour.hex()).set("fill-opacity", number(opacity))
        }
        Fill::Colour(colour, _) => path.set("fill", colour.hex()),
        Fill::Hatch(hatch) => path.set("fill", format!("url(#{})", hatch_id(hatch))),
    };
    if let Some(stroke) = style.stroke {
        path = path
            .set("stroke", stroke.colour.hex())
            .set("stroke-width", number(stroke.width_px))
            .set("stroke-linejoin", "round");
        if stroke.opacity < 1.0 {
            path = path.set("stroke-opacity", number(stroke.opacity));
        }
        if stroke.dashed {
            path = path.set("stroke-dasharray", "5 3.5");
        }
    }
    path
}

fn hatch_id(hatch: Hatch) -> &'static str {
    match hatch {
        Hatch::Low => "hatch-low",
        Hatch::Beneath => "hatch-beneath",
        Hatch::Unresolved => "hatch-unresolved",
    }
}

fn definitions(panel: Rect) -> Definitions {
    let hatch = |hatch: Hatch, gap: f64, turn: &str, colour: Rgb, width: f64, opacity: f64| {
        Pattern::new()
            .set("id", hatch_id(hatch))
            .set("patternUnits", "userSpaceOnUse")
            .set("width", number(gap))
            .set("height", number(gap))
            .set("patternTransform", format!("rotate({turn})"))
            .add(line(0.0, 0.5 * gap, gap, 0.5 * gap, colour, width).set("stroke-opacity", number(opacity)))
    };
    Definitions::new()
        .add(hatch(Hatch::Low, 5.0, "45", palette::SOLID_EDGE, 0.8, 0.45))
        .add(hatch(Hatch::Beneath, 7.0, "-45", palette::OVERHEAD, 0.8, 0.4))
        .add(hatch(Hatch::Unresolved, 4.0, "-45", palette::UNRESOLVED, 1.6, 0.9))
        .add(ClipPath::new().set("id", "panel").add(rect(panel)))
}

/// A rectangle without style.
pub(super) fn rect(r: Rect) -> Rectangle {
    Rectangle::new()
        .set("x", number(r.left))
        .set("y", number(r.top))
        .set("width", number(r.right - r.left))
        .set("height", number(r.bottom - r.top))
}

/// A rectangle filled with a colour.
pub(super) fn filled_rect(r: Rect, colour: Rgb) -> Rectangle {
    rect(r).set("fill", colour.hex())
}

/// A straight line.
pub(super) fn line(x0: f64, y0: f64, x1: f64, y1: f64, colour: Rgb, width: f64) -> Line {
    Line::new()
        .set("x1", number(x0))
        .set("y1", number(y0))
        .set("x2", number(x1))
        .set("y2", number(y1))
        .set("stroke", colour.hex())
        .set("stroke-width", number(width))
}

/// A line of text that starts at (x, y), its baseline.
pub(super) fn text(content: &str, x: f64, y: f64, size: f64, colour: Rgb) -> Text {
    Text::new(clean(content))
        .set("x", number(x))
        .set("y", number(y))
        .set("font-size", number(size))
        .set("fill", colour.hex())
}

/// Symbols and labels on the map.
fn notes(plan: &Plan, sheet: &Sheet) -> Group {
    let mut board = Board::new(sheet.panel);
    let mut group = Group::new().set("id", "notes");
    for Marker { at, symbol: what } in &plan.markers {
        let (x, y) = sheet.place(*at);
        board.take(Rect::around(x, y, 14.0, 14.0));
        group = group.add(symbol(*what, x, y));
    }
    for label in &plan.labels {
        if let Some(text) = placed_label(label, sheet, &mut board) {
            group = group.add(text);
        }
    }
    group
}

fn placed_label(label: &Label, sheet: &Sheet, board: &mut Board) -> Option<Text> {
    let (size, colour) = (14.0, palette::INK);
    let (x, y) = sheet.place(label.at);
    let (x, y) = board.place(x, y, width_px(&label.text, size) + 8.0, size + 6.0)?;
    Some(
        text(&label.text, x, y + 0.36 * size, size, colour)
            .set("text-anchor", "middle")
            .set("font-weight", "bold")
            // A halo in the paper's colour keeps the name legible over walls.
            .set("stroke", palette::PAPER.hex())
            .set("stroke-width", 3.5)
            .set("stroke-linejoin", "round")
            .set("stroke-opacity", 0.85)
            .set("paint-order", "stroke"),
    )
}

/// A symbol around (x, y): each team has a shape of its own beside its colour.
pub(super) fn symbol(what: Symbol, x: f64, y: f64) -> Group {
    let dot = |r: f64| Circle::new().set("cx", number(x)).set("cy", number(y)).set("r", number(r));
    let group = Group::new();
    match what {
        Symbol::Eye => group
            .add(
                dot(8.0)
                    .set("fill", palette::PAPER.hex())
                    .set("stroke", palette::INK.hex())
                    .set("stroke-width", 2),
            )
            .add(dot(3.6).set("fill", palette::INK.hex())),
        Symbol::Spawn(index, colour) => {
            let corners: &[(f64, f64)] = match index % 3 {
                0 => &[(0.0, -6.5), (6.5, 0.0), (0.0, 6.5), (-6.5, 0.0)],
                1 => &[(0.0, -6.0), (6.0, 4.8), (-6.0, 4.8)],
                _ => &[(-4.8, -4.8), (4.8, -4.8), (4.8, 4.8), (-4.8, 4.8)],
            };
            let points: Vec<String> =
                corners.iter().map(|(dx, dy)| format!("{} {}", number(x + dx), number(y + dy))).collect();
            let path = Path::new().set("d", format!("M{}Z", points.join("L")));
            group.add(styled(path, Style::filled(colour, 1.0).line(palette::PAPER, 1.4)))
        }
    }
}
