//! The plan model: layers of shapes in metres, and the notes around them.
//!
//! Owns what a drawing says, apart from how it is written down (`sheet`, `svg`).
//! Promises: plain data; the order of layers and shapes is the order of painting.
//! Must not know pixels of the map, SVG, or where the shapes come from.

use super::palette::Rgb;
use fogwall::{Point2, Point3};

/// A drawing before it is laid out on a sheet.
pub(super) struct Plan {
    pub(super) title: String,
    pub(super) subtitle: String,
    /// Least and greatest corner of what is drawn, metres.
    pub(super) bounds: (Point2, Point2),
    pub(super) layers: Vec<Layer>,
    pub(super) markers: Vec<Marker>,
    pub(super) labels: Vec<Label>,
    pub(super) legend: Vec<Group>,
}

/// Shapes that are painted together.
pub(super) struct Layer {
    pub(super) id: &'static str,
    pub(super) shapes: Vec<Shape>,
}

/// Closed rings in the plan, filled by the non-zero rule: holes turn the other way.
pub(super) struct Shape {
    pub(super) rings: Vec<Vec<Point2>>,
    pub(super) style: Style,
}

/// How a shape is painted.
#[derive(Clone, Copy, PartialEq, Default)]
pub(super) struct Style {
    pub(super) fill: Fill,
    pub(super) stroke: Option<Stroke>,
}

#[derive(Clone, Copy, PartialEq, Default)]
pub(super) enum Fill {
    #[default]
    None,
    /// A colour and its opacity.
    Colour(Rgb, f64),
    Hatch(Hatch),
}

/// The line patterns of the sheet's definitions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hatch {
    /// Over low solids: seen over.
    Low,
    /// Over floors that have a way beneath them.
    Beneath,
    /// Cells that the bake could not decide.
    Unresolved,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) struct Stroke {
    pub(super) colour: Rgb,
    pub(super) width_px: f64,
    pub(super) opacity: f64,
    pub(super) dashed: bool,
}

impl Style {
    pub(super) fn filled(colour: Rgb, opacity: f64) -> Self {
        Self { fill: Fill::Colour(colour, opacity), stroke: None }
    }

    pub(super) fn hatched(hatch: Hatch) -> Self {
        Self { fill: Fill::Hatch(hatch), stroke: None }
    }

    pub(super) fn line(self, colour: Rgb, width_px: f64) -> Self {
        Self { stroke: Some(Stroke { colour, width_px, opacity: 1.0, dashed: false }), ..self }
    }

    pub(super) fn dashes(self, colour: Rgb, width_px: f64) -> Self {
        Self { stroke: Some(Stroke { colour, width_px, opacity: 1.0, dashed: true }), ..self }
    }
}

/// A symbol of constant size on the sheet.
pub(super) struct Marker {
    pub(super) at: Point2,
    pub(super) symbol: Symbol,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Symbol {
    /// A spawn: shape and colour by the index of its team.
    Spawn(usize, Rgb),
    /// The eye of `--from`.
    Eye,
}

/// Text on the map, near a point.
pub(super) struct Label {
    pub(super) text: String,
    pub(super) at: Point2,
}

/// One part of the legend.
pub(super) struct Group {
    pub(super) heading: String,
    pub(super) keys: Vec<Key>,
}

/// One line of the legend.
pub(super) enum Key {
    Swatch(Vec<Style>, String),
    /// A swatch with a cross over it: its styles, and that of the cross.
    Crossed(Vec<Style>, Style, String),
    Symbol(Symbol, String),
    /// Colours from low to high, with the texts under both ends and the middle.
    Bar(Vec<Rgb>, [String; 3]),
    Note(String),
}

/// A polygon's ring without heights.
pub(super) fn flatten(ring: &[Point3]) -> Vec<Point2> {
    ring.iter().map(|p| Point2::new(p.x, p.y)).collect()
}
