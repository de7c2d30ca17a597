//! What frames the map: title, grid and ticks, scale bar, north arrow.
//!
//! Owns the sheet's furniture. Promises: round figures, west to east and south to north as on the map.
//! Must not know what is drawn inside.

use super::palette;
use super::plan::Plan;
use super::sheet::Sheet;
use super::svg::{filled_rect, line, number, rect, styled, text};
use super::text::{Rect, width_px};
use svg::Document;
use svg::node::element::{Group, Path};

const TICK_APART_PX: f64 = 75.0;

/// Faint lines of the coordinates, beneath the map.
pub(super) fn grid(sheet: &Sheet) -> Group {
    let panel = sheet.panel;
    let (xs, ys) = sheet.ticks(sheet.nice_step_m(TICK_APART_PX));
    let mut group = Group::new().set("id", "grid");
    for x in xs {
        let (px, _) = sheet.place(fogwall::Point2::new(x, 0.0));
        group = group.add(line(px, panel.top, px, panel.bottom, palette::SHEET_LINE, 0.6));
    }
    for y in ys {
        let (_, py) = sheet.place(fogwall::Point2::new(0.0, y));
        group = group.add(line(panel.left, py, panel.right, py, palette::SHEET_LINE, 0.6));
    }
    group
}

/// The frame of the panel with ticks and their metres.
pub(super) fn frame(sheet: &Sheet) -> Group {
    let panel = sheet.panel;
    let (xs, ys) = sheet.ticks(sheet.nice_step_m(TICK_APART_PX));
    let mut group = Group::new()
        .set("id", "frame")
        .add(rect(panel).set("fill", "none").set("stroke", palette::QUIET_INK.hex()).set("stroke-width", 1));
    for x in xs {
        let (px, _) = sheet.place(fogwall::Point2::new(x, 0.0));
        let label = text(&number(x), px, panel.bottom + 19.0, 11.5, palette::QUIET_INK);
        group = group
            .add(line(px, panel.bottom, px, panel.bottom + 5.0, palette::QUIET_INK, 1.0))
            .add(label.set("text-anchor", "middle"));
    }
    for y in ys {
        let (_, py) = sheet.place(fogwall::Point2::new(0.0, y));
        let label = text(&number(y), panel.left - 9.0, py + 4.0, 11.5, palette::QUIET_INK);
        group = group
            .add(line(panel.left - 5.0, py, panel.left, py, palette::QUIET_INK, 1.0))
            .add(label.set("text-anchor", "end"));
    }
    group
}

/// The map's name and what is shown of it, set smaller where they would run into the north arrow.
pub(super) fn title(document: Document, plan: &Plan, sheet: &Sheet) -> Document {
    let left = sheet.panel.left;
    let room = sheet.north.0 - 16.0 - left;
    let fitted = |content: &str, size: f64| size * (room / width_px(content, size)).min(1.0);
    let name = text(&plan.title, left, 40.0, fitted(&plan.title, 26.0), palette::INK);
    let subtitle = &plan.subtitle;
    document.add(name.set("font-weight", "bold")).add(text(
        subtitle,
        left,
        62.0,
        fitted(subtitle, 13.5),
        palette::QUIET_INK,
    ))
}

/// A bar of a round number of metres under the map.
pub(super) fn scale_bar(sheet: &Sheet) -> Group {
    let step = sheet.bar_step_m();
    let (left, top) = (sheet.panel.left, sheet.panel.bottom + 32.0);
    let length = step * sheet.px_per_m;
    let mut group = Group::new().set("id", "scale-bar");
    for k in 0..4 {
        let from = left + f64::from(k) * length;
        let part = Rect { left: from, top, right: from + length, bottom: top + 6.0 };
        let colour = if k % 2 == 0 { palette::INK } else { palette::PAPER };
        group = group.add(filled_rect(part, colour).set("stroke", palette::INK.hex()).set("stroke-width", 1));
    }
    for k in [0, 2, 4] {
        let metres = number(f64::from(k) * step);
        let content = if k == 4 { format!("{metres} m") } else { metres };
        let x = left + f64::from(k) * length;
        group = group.add(text(&content, x, top + 21.0, 11.5, palette::INK).set("text-anchor", "middle"));
    }
    group
}

/// An arrow to the north, in the upper right corner.
pub(super) fn north(sheet: &Sheet) -> Group {
    let (x, y) = sheet.north;
    let half = |side: f64| {
        format!(
            "M{} {}L{} {}L{} {}Z",
            number(x),
            number(y),
            number(x + side),
            number(y + 30.0),
            number(x),
            number(y + 23.0)
        )
    };
    let style = super::plan::Style::default().line(palette::INK, 1.0);
    Group::new()
        .set("id", "north")
        .add(styled(
            Path::new().set("d", half(-9.0)),
            super::plan::Style::filled(palette::INK, 1.0).line(palette::INK, 1.0),
        ))
        .add(styled(Path::new().set("d", half(9.0)), style))
        .add(
            text("N", x, y + 46.0, 13.0, palette::INK)
                .set("text-anchor", "middle")
                .set("font-weight", "bold"),
        )
}
