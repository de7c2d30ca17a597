//! From the editor's pixels to metres: scale, turn, round.
//!
//! Owns the frame of the plan. Promises: equal pixels give equal metres, so that shapes that share a corner
//! still do; outlines come out counter-clockwise. Must not know properties.

use super::TiledError;
use super::drawing::{Drawing, Object, Shape};
use crate::geom::{Point2, Vector2};
use std::f64::consts::TAU;

/// Corners of a polygon that stands for an ellipse. It is inscribed: as a solid it hides too little, never too
/// much (leak).
const ELLIPSE_CORNERS: u32 = 32;
/// Places are rounded to a tenth of a millimetre, far below the 2 mm at which gaps are welded.
const PER_METRE: f64 = 1e4;
/// The largest coordinate in metres.
const MOST_M: f64 = 1e5;

/// How pixels become metres.
pub(super) struct Frame {
    pub(super) pixels_per_metre: f64,
    pub(super) height: f64,
}

/// The plan of an object, in metres.
#[derive(Debug)]
pub(super) enum Plan {
    Outline(Vec<Point2>),
    Circle(Point2, f64),
    Line(Vec<Point2>),
    Point(Point2),
    Nothing,
}

impl Frame {
    /// The frame of a drawing with that scale.
    pub(super) fn new(drawing: &Drawing, pixels_per_metre: f64) -> Self {
        Self { pixels_per_metre, height: drawing.height }
    }

    /// The place of a pixel; y up from the lower edge of the map.
    pub(super) fn place(&self, element: &str, (x, y): (f64, f64)) -> Result<Point2, TiledError> {
        let metres = |pixels: f64| (pixels / self.pixels_per_metre * PER_METRE).round() / PER_METRE + 0.0;
        let place = Point2::new(metres(x), metres(self.height - y));
        let is_sound = |v: f64| v.is_finite() && v.abs() <= MOST_M;
        if is_sound(place.x) && is_sound(place.y) {
            return Ok(place);
        }
        Err(TiledError::Value {
            element: element.to_owned(),
            property: "its place".to_owned(),
            value: format!("({x}, {y}) pixels"),
            expected: "within 100 km of the origin",
        })
    }

    /// The plan of an object on a layer that is shifted by `offset` pixels.
    pub(super) fn plan(
        &self,
        element: &str,
        object: &Object,
        offset: (f64, f64),
    ) -> Result<Plan, TiledError> {
        // Quarter turns are exact: their sine and cosine are taken as what they are.
        let (sin, cos) = match object.rotation.rem_euclid(360.0) {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            other => other.to_radians().sin_cos(),
        };
        let at = (object.at.0 + offset.0, object.at.1 + offset.1);
        let turn = |(x, y): (f64, f64)| (at.0 + x * cos - y * sin, at.1 + x * sin + y * cos);
        let all = |points: &[(f64, f64)]| -> Result<Vec<Point2>, TiledError> {
            points.iter().map(|p| self.place(element, turn(*p))).collect()
        };
        let outline =
            |points: &[(f64, f64)]| all(points).map(|points| Plan::Outline(counter_clockwise(points)));
        match &object.shape {
            Shape::Rectangle(w, h) if *w == 0.0 && *h == 0.0 => Ok(Plan::Point(self.place(element, at)?)),
            Shape::Rectangle(w, h) => outline(&[(0.0, 0.0), (*w, 0.0), (*w, *h), (0.0, *h)]),
            Shape::Tile(w, h) => outline(&[(0.0, 0.0), (*w, 0.0), (*w, -h), (0.0, -h)]),
            Shape::Ellipse(w, h) if w == h => {
                let center = self.place(element, turn((0.5 * w, 0.5 * h)))?;
                let radius = (0.5 * w / self.pixels_per_metre * PER_METRE).round() / PER_METRE;
                Ok(Plan::Circle(center, radius))
            }
            Shape::Ellipse(w, h) => {
                let corner = |i: u32| {
                    let (sin, cos) = (TAU * f64::from(i) / f64::from(ELLIPSE_CORNERS)).sin_cos();
                    (0.5 * w * (1.0 + cos), 0.5 * h * (1.0 + sin))
                };
                outline(&(0..ELLIPSE_CORNERS).map(corner).collect::<Vec<_>>())
            }
            Shape::Polygon(points) => outline(points),
            Shape::Polyline(points) => all(points).map(Plan::Line),
            Shape::Point => Ok(Plan::Point(self.place(element, at)?)),
            Shape::Text => Ok(Plan::Nothing),
        }
    }
}

impl Plan {
    /// The mean of its corners.
    pub(super) fn middle(&self) -> Option<Point2> {
        match self {
            Self::Circle(center, _) => Some(*center),
            Self::Point(point) => Some(*point),
            Self::Outline(points) | Self::Line(points) if !points.is_empty() => {
                let sum = points.iter().fold(Vector2::zeros(), |sum, p| sum + p.coords);
                Some(Point2::from(sum / points.len() as f64))
            }
            _ => None,
        }
    }
}

fn counter_clockwise(mut points: Vec<Point2>) -> Vec<Point2> {
    points.dedup();
    while points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let next = |i: usize| points[(i + 1) % points.len()];
    let area: f64 = (0..points.len()).map(|i| points[i].coords.perp(&next(i).coords)).sum();
    if area < 0.0 {
        points.reverse();
    }
    points
}
