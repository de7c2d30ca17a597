//! The legend beside or beneath the map.
//!
//! Owns its layout. Promises: its height is known before it is drawn, so that the sheet makes room.
//! Must not know which keys there are.

use super::palette::{self, Rgb};
use super::plan::{Group, Key, Style};
use super::sheet::{LEGEND_PX, Sheet};
use super::svg::{filled_rect, rect, styled, symbol, text};
use super::text::{Rect, wrap};
use svg::node::element::{Group as SvgGroup, Path};

const SIZE_PX: f64 = 12.5;
const LINE_PX: f64 = 16.0;
const SWATCH_PX: (f64, f64) = (26.0, 15.0);
const INDENT_PX: f64 = 36.0;
const BAR_PX: f64 = 46.0;

fn lines_of(key: &Key) -> Vec<String> {
    match key {
        Key::Swatch(_, label) | Key::Crossed(_, _, label) | Key::Symbol(_, label) => {
            wrap(label, SIZE_PX, LEGEND_PX - INDENT_PX)
        }
        Key::Note(label) => wrap(label, SIZE_PX, LEGEND_PX),
        Key::Bar(..) => Vec::new(),
    }
}

fn key_height(key: &Key) -> f64 {
    match key {
        Key::Bar(..) => BAR_PX,
        Key::Note(_) => lines_of(key).len() as f64 * LINE_PX + 5.0,
        _ => (lines_of(key).len() as f64 * LINE_PX).max(SWATCH_PX.1) + 6.0,
    }
}

/// Height of each group with the gap after it, px.
pub(super) fn heights_px(groups: &[Group]) -> Vec<f64> {
    groups.iter().map(|g| 42.0 + g.keys.iter().map(key_height).sum::<f64>()).collect()
}

/// Draws the legend.
pub(super) fn draw(groups: &[Group], sheet: &Sheet) -> SvgGroup {
    let mut out = SvgGroup::new().set("id", "legend");
    for (group, &(left, top)) in groups.iter().zip(&sheet.legend) {
        let mut y = top;
        let heading = text(&group.heading, left, y + 13.0, 13.5, palette::INK).set("font-weight", "bold");
        out = out.add(heading);
        y += 24.0;
        for key in &group.keys {
            out = out.add(draw_key(key, left, y));
            y += key_height(key);
        }
    }
    out
}

fn draw_key(key: &Key, left: f64, y: f64) -> SvgGroup {
    let mut out = SvgGroup::new();
    let mut indent = INDENT_PX;
    match key {
        Key::Swatch(styles, _) => {
            for style in styles {
                out = out.add(swatch(*style, left, y));
            }
        }
        Key::Crossed(styles, cross, _) => {
            for style in styles {
                out = out.add(swatch(*style, left, y));
            }
            let (w, h) = SWATCH_PX;
            let lines = format!("M{left} {y}l{w} {h}M{left} {}l{w} -{h}", y + h);
            out = out.add(styled(Path::new().set("d", lines), *cross));
        }
        Key::Symbol(what, _) => out = out.add(symbol(*what, left + 13.0, y + 8.0)),
        Key::Bar(colours, labels) => return bar(colours, labels, left, y),
        Key::Note(_) => indent = 0.0,
    }
    for (i, content) in lines_of(key).iter().enumerate() {
        let baseline = y + 12.0 + i as f64 * LINE_PX;
        out = out.add(text(content, left + indent, baseline, SIZE_PX, palette::INK));
    }
    out
}

fn swatch(style: Style, left: f64, y: f64) -> Path {
    let (w, h) = SWATCH_PX;
    styled(Path::new().set("d", format!("M{left} {y}h{w}v{h}h-{w}Z")), style)
}

fn bar(colours: &[Rgb], labels: &[String; 3], left: f64, y: f64) -> SvgGroup {
    let width = LEGEND_PX - 10.0;
    let step = width / colours.len().max(1) as f64;
    let mut out = SvgGroup::new();
    for (i, colour) in colours.iter().enumerate() {
        let from = left + i as f64 * step;
        // Half a px of overlap: no paper shows between the steps.
        let part = Rect { left: from, top: y, right: from + step + 0.5, bottom: y + 14.0 };
        out = out.add(filled_rect(part, *colour));
    }
    let whole = Rect { left, top: y, right: left + width, bottom: y + 14.0 };
    out = out.add(
        rect(whole).set("fill", "none").set("stroke", palette::QUIET_INK.hex()).set("stroke-width", 0.8),
    );
    let anchors = [(0.0, "start"), (0.5, "middle"), (1.0, "end")];
    for (label, (t, anchor)) in labels.iter().zip(anchors) {
        let x = left + t * width;
        out = out.add(text(label, x, y + 29.0, 11.5, palette::QUIET_INK).set("text-anchor", anchor));
    }
    out
}
