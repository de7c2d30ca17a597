//! How each thing of a map is painted.
//!
//! Owns the styles that drawing and legend share. Promises: plain data. Must not know shapes.

use super::palette::{self, Rgb};
use super::plan::{Fill, Stroke, Style};
use super::storeys::Rise;
use fogwall::Solid;

/// The style of a solid that stops sight, of this rise.
pub(super) fn solid_style(solid: &Solid, rise: Rise, opacity: f64) -> Style {
    if !solid.blocks.movement {
        return veil_style();
    }
    rise_style(rise, opacity)
}

/// The style of what blocks all, by its rise.
pub(super) fn rise_style(rise: Rise, opacity: f64) -> Style {
    Style::filled(palette::RISE[rise as usize], opacity).line(palette::SOLID_EDGE, 0.7)
}

/// The style of a floor over another.
pub(super) fn upper_style(colour: Rgb) -> Style {
    Style::filled(colour, 0.62)
}

/// The style of what is seen through.
pub(super) fn see_through(solid: &Solid) -> Style {
    if solid.blocks.movement { glass_style() } else { Style::default().dashes(palette::QUIET_INK, 0.8) }
}

/// The style of glass.
pub(super) fn glass_style() -> Style {
    Style::filled(palette::GLASS, 0.55).line(palette::GLASS, 1.4)
}

/// The style of doors.
pub(super) fn door_style() -> Style {
    Style::filled(palette::DOOR, 0.9).line(palette::DOOR, 1.4)
}

/// The style of the outline of an area.
pub(super) fn area_style() -> Style {
    let stroke = Stroke { colour: palette::AREA, width_px: 1.0, opacity: 0.7, dashed: true };
    Style { fill: Fill::None, stroke: Some(stroke) }
}

/// The style of the cross over a crate.
pub(super) fn cross_style() -> Style {
    Style::default().line(palette::SOLID_EDGE, 0.5)
}

/// The style of what stops sight but no body.
pub(super) fn veil_style() -> Style {
    Style::filled(palette::VEIL, 0.35).line(palette::VEIL, 1.0)
}

/// The style of what the eye sees, nearly opaque: over cells and off them it looks the same.
pub(super) fn seen_style() -> Style {
    Style::filled(palette::SEEN, 0.8)
}

/// The style of what hangs over a way.
pub(super) fn roof_style() -> Style {
    Style::default().dashes(palette::OVERHEAD, 1.0)
}

/// The style of what hangs over a way and is as thin as a wall.
pub(super) fn lintel_style() -> Style {
    Style::filled(palette::OVERHEAD, 0.22)
}
