//! Solids, doors, floors and areas: from the text of an element to its normal form.
//!
//! Owns the shapes of the format. Promises: every problem of an element is reported, each at its place; what
//! comes back is sound. Must not know the other elements.

use super::super::finding::MapError;
use super::super::validate::outline;
use super::super::validate::ring::Plan;
use super::super::warning::MapWarning;
use super::super::{Blocks, Footprint};
use super::Reader;
use crate::geom::{Point2, Point3, Vector2, ZRange};
use crate::text::{Element, Fields, Span, TextError, scan};
use serde::Deserialize;

/// Walls are at least this thick, in metres. A thinner one hides up to 1 mm more on each side than its source
/// says, which risks a pop-in of that width; without it, a wall without thickness would hide nothing.
pub(super) const MIN_WALL_THICKNESS_M: f64 = 2e-3;

/// Walls that are not longer have no direction, in metres: `from` and `to` are meant to be two points.
const MIN_WALL_LENGTH_M: f64 = 1e-6;

const KINDS: &[&str] = &["Prism", "Wall", "Cylinder"];
const PRISM: &[&str] = &["id", "outline", "holes", "z", "blocks"];
const WALL: &[&str] = &["id", "from", "to", "thickness", "z", "blocks"];
const CYLINDER: &[&str] = &["id", "center", "radius", "z", "blocks"];

/// What a solid of the source is once all its fields are sound.
pub(super) struct Shape {
    pub(super) id: String,
    pub(super) footprint: Footprint,
    /// `None` where no height is certain.
    pub(super) z: Option<ZRange>,
    pub(super) blocks: Blocks,
}

#[derive(Clone, Copy, Deserialize)]
enum Block {
    Sight,
    Movement,
    Sound,
}

/// z0, dz_dx, dz_dy.
#[derive(Clone, Copy, Deserialize)]
struct Plane(f64, f64, f64);

/// An end of a height range.
#[derive(Clone, Copy)]
enum End {
    Level(f64),
    Sloped(Plane),
}

/// A vertex as the text has it: x, y or x, y, z.
pub(super) trait Vertex: Plan {
    type Text: for<'de> Deserialize<'de>;
    const EXPECTED: &'static str;
    fn of(text: Self::Text) -> Self;
    fn coordinates(&self) -> impl Iterator<Item = f64>;
}

impl Vertex for Point2 {
    type Text = (f64, f64);
    const EXPECTED: &'static str = "a list of points (x, y)";
    fn of((x, y): Self::Text) -> Self {
        Self::new(x, y)
    }
    fn coordinates(&self) -> impl Iterator<Item = f64> {
        self.coords.iter().copied()
    }
}

impl Vertex for Point3 {
    type Text = (f64, f64, f64);
    const EXPECTED: &'static str = "a list of points (x, y, z)";
    fn of((x, y, z): Self::Text) -> Self {
        Self::new(x, y, z)
    }
    fn coordinates(&self) -> impl Iterator<Item = f64> {
        self.coords.iter().copied()
    }
}

impl Reader<'_> {
    /// A solid or a door.
    pub(super) fn shape(&mut self, element: &mut Element, value: Span) -> Option<Shape> {
        let group = scan::group(self.decoder.text, value).filter(|g| g.open == b'(');
        let Some((group, tag)) = group.and_then(|group| Some((group, group.tag?))) else {
            // The bracket alone: that is where the kind is missing.
            let place = group.map_or(value, |group| Span::new(value.start, group.inside.start));
            self.decoder.wrong_type(element, place, "Prism(...), Wall(...) or Cylinder(...)", String::new());
            return None;
        };
        let (tag, span) = (self.decoder.slice(tag), tag);
        let Some(known) = known_fields(tag) else {
            self.decoder.unknown_kind(element, span, KINDS);
            return None;
        };
        let fields = self.decoder.fields(element, group.inside, known);
        let id = self.id(element, &fields);
        let footprint = match tag {
            "Prism" => self.prism(element, &fields),
            "Wall" => self.wall(element, &fields),
            _ => self.cylinder(element, &fields),
        };
        let ends = self.ends(element, &fields);
        let blocks = self.blocks(element, &fields);
        let (id, footprint, (low, high, z)) = (id?, footprint?, ends?);
        let z = self.certain(element, z, &footprint, low, high)?;
        Some(Shape { id, footprint, z, blocks: blocks? })
    }

    fn id(&mut self, element: &mut Element, fields: &Fields) -> Option<String> {
        let span = self.decoder.required(element, fields, "id")?;
        let id = self.decoder.name(element, span, "id")?;
        element.name = Some(id.clone());
        element.span = span;
        if let Some(first) = self.ids.get(&id) {
            let related = Some((*first, "it is taken here"));
            self.decoder.report.error_with(element, span, MapError::DuplicateId(id), related);
            return None;
        }
        self.ids.insert(id.clone(), span);
        Some(id)
    }

    fn prism(&mut self, element: &Element, fields: &Fields) -> Option<Footprint> {
        let (outline, holes) = self.polygon(element, fields, fields.get("holes"))?;
        Some(Footprint::Polygon { outline, holes })
    }

    fn wall(&mut self, element: &Element, fields: &Fields) -> Option<Footprint> {
        let from = self.point2(element, fields, "from");
        let to = self.point2(element, fields, "to");
        let thickness = self.decoder.required(element, fields, "thickness").and_then(|span| {
            let value = self.decoder.number(element, span, "thickness")?;
            self.decoder.require(element, span, "thickness", value, value >= 0.0, "0 or more")?;
            if value < MIN_WALL_THICKNESS_M {
                self.decoder.report.warn(element, span, MapWarning::ThinWall { thickness: value });
            }
            Some(value.max(MIN_WALL_THICKNESS_M))
        });
        let (from, to, thickness) = (from?, to?, thickness?);
        let along = (to - from).try_normalize(MIN_WALL_LENGTH_M).or_else(|| {
            let [start, end] = ["from", "to"].map(|name| fields.get(name));
            let related = start.map(|start| (start, "it starts here"));
            let span = end.unwrap_or(element.span);
            self.decoder.report.error_with(element, span, MapError::WallWithoutLength, related);
            None
        })?;
        let aside = Vector2::new(along.y, -along.x) * (thickness * 0.5);
        let outline = vec![from + aside, to + aside, to - aside, from - aside];
        Some(Footprint::Polygon { outline, holes: Vec::new() })
    }

    fn cylinder(&mut self, element: &Element, fields: &Fields) -> Option<Footprint> {
        let center = self.point2(element, fields, "center");
        let radius = self.decoder.required(element, fields, "radius").and_then(|span| {
            let value = self.decoder.number(element, span, "radius")?;
            self.decoder.require(element, span, "radius", value, value > 0.0, "above 0")
        });
        Some(Footprint::Circle { center: center?, radius: radius? })
    }

    fn point2(&mut self, element: &Element, fields: &Fields, name: &'static str) -> Option<Point2> {
        let span = self.decoder.required(element, fields, name)?;
        let (x, y): (f64, f64) = self.decoder.value(element, span, "a point (x, y)")?;
        let x = self.decoder.bounded(element, span, "a coordinate", x);
        let y = self.decoder.bounded(element, span, "a coordinate", y);
        Some(Point2::new(x?, y?))
    }

    fn blocks(&mut self, element: &Element, fields: &Fields) -> Option<Blocks> {
        let Some(span) = fields.get("blocks") else { return Some(Blocks::ALL) };
        let named: Vec<Block> = self.decoder.value(element, span, "a list of Sight, Movement, Sound")?;
        if named.is_empty() {
            self.decoder.report.error(element, span, MapError::EmptyBlocks);
            return None;
        }
        let mut blocks = Blocks { sight: false, movement: false, sound: false };
        for block in named {
            match block {
                Block::Sight => blocks.sight = true,
                Block::Movement => blocks.movement = true,
                Block::Sound => blocks.sound = true,
            }
        }
        Some(blocks)
    }

    /// Both ends of `z` and where they are written.
    fn ends(&mut self, element: &Element, fields: &Fields) -> Option<(End, End, Span)> {
        let span = self.decoder.required(element, fields, "z")?;
        let group = scan::group(self.decoder.text, span).filter(|g| g.open == b'(' && g.tag.is_none());
        let parts = group.map(|g| self.decoder.items(element, g.inside, 2)).unwrap_or_default();
        let [low, high] = parts[..] else {
            self.decoder.wrong_type(element, span, "heights (low, high)", String::new());
            return None;
        };
        let low = self.end(element, low.value);
        let high = self.end(element, high.value);
        if let (Some(End::Level(low)), Some(End::Level(high))) = (low, high)
            && low >= high
        {
            self.decoder.report.error(element, span, MapError::ReversedHeights { low, high });
            return None;
        }
        Some((low?, high?, span))
    }

    fn end(&mut self, element: &Element, span: Span) -> Option<End> {
        if self.decoder.slice(span).starts_with("Plane") {
            let plane: Plane = self.decoder.value(element, span, "Plane(z0, dz_dx, dz_dy)")?;
            for value in [plane.0, plane.1, plane.2] {
                self.decoder.bounded(element, span, "a number of the plane", value)?;
            }
            return Some(End::Sloped(plane));
        }
        let z: f64 = self.decoder.value(element, span, "a height, inf, -inf or Plane(z0, dz_dx, dz_dy)")?;
        // A number too large for f64 is infinite too, but not what its author meant.
        let meant = self.decoder.slice(span).trim_start_matches(['+', '-']).starts_with("inf");
        let z =
            if z.is_infinite() && meant { z } else { self.decoder.bounded(element, span, "a height", z)? };
        Some(End::Level(z))
    }

    /// The heights that are solid over the whole footprint. A sloped solid hides less than it does in the game:
    /// a leak, never a pop-in. Outer `None`: an error; inner: no height is certain.
    fn certain(
        &mut self,
        element: &Element,
        span: Span,
        footprint: &Footprint,
        low: End,
        high: End,
    ) -> Option<Option<ZRange>> {
        let z = ZRange::new(reach(low, footprint).1, reach(high, footprint).0);
        if z.low < z.high {
            return Some(Some(z));
        }
        let (possible_low, possible_high) = (reach(low, footprint).0, reach(high, footprint).1);
        if possible_low >= possible_high {
            let problem = MapError::ReversedHeights { low: possible_low, high: possible_high };
            self.decoder.report.error(element, span, problem);
            return None;
        }
        self.decoder.report.warn(element, span, MapWarning::NoCertainHeight);
        Some(None)
    }

    /// The field `outline`, with the list of holes at `holes`.
    pub(super) fn polygon<P: Vertex>(
        &mut self,
        element: &Element,
        fields: &Fields,
        holes: Option<Span>,
    ) -> Option<(Vec<P>, Vec<Vec<P>>)> {
        let mut spans = Vec::new();
        let mut rings: Vec<Option<Vec<P>>> = Vec::new();
        let outline = self.decoder.required(element, fields, "outline");
        spans.push(outline.unwrap_or(element.span));
        rings.push(outline.and_then(|span| self.ring(element, span)));
        if let Some(list) = holes {
            let inside = self.decoder.list_inside(element, list)?;
            let text = self.decoder.text;
            for item in scan::items(text, inside) {
                match item {
                    Ok(item) => {
                        spans.push(item.value);
                        rings.push(self.ring(element, item.value));
                    }
                    Err(fault) => self.decoder.fault(element, fault),
                }
            }
        }
        let rings: Option<Vec<Vec<P>>> = rings.into_iter().collect();
        let mut rings = self.normalised(element, &spans, rings?)?;
        let holes = rings.split_off(1);
        rings.pop().map(|outline| (outline, holes))
    }

    /// The vertices of one ring, all of them sound numbers.
    fn ring<P: Vertex>(&mut self, element: &Element, span: Span) -> Option<Vec<P>> {
        // Counted before they are decoded, so that no memory is spent on too many.
        let count = self.decoder.slice(span).bytes().filter(|&b| b == b'(').count();
        if count > self.vertices_left {
            self.vertices_left = 0;
            let problem = TextError::TooMany { what: "vertices", limit: self.limits.vertices }.into();
            self.decoder.report.error(element, self.decoder.head(span), problem);
            return None;
        }
        self.vertices_left -= count;
        let texts: Vec<P::Text> = self.decoder.value(element, span, P::EXPECTED)?;
        let points: Vec<P> = texts.into_iter().map(P::of).collect();
        let sound = |v: f64| v.abs() <= crate::text::MAX_COORDINATE_M;
        if points.iter().all(|p| p.coordinates().all(sound)) {
            return Some(points);
        }
        let inside = scan::group(self.decoder.text, span).map_or(span, |g| g.inside);
        let text = self.decoder.text;
        for (item, point) in scan::items(text, inside).flatten().zip(&points) {
            for value in point.coordinates().filter(|v| !sound(*v)) {
                self.decoder.bounded(element, item.value, "a coordinate", value);
            }
        }
        None
    }

    fn normalised<P: Vertex>(
        &mut self,
        element: &Element,
        spans: &[Span],
        rings: Vec<Vec<P>>,
    ) -> Option<Vec<Vec<P>>> {
        let mut problems = Vec::new();
        let report = &mut self.decoder.report;
        let (decoder_text, name) = (self.decoder.text, outline::name);
        let head = |span: Span| {
            let line = decoder_text[span.start..span.end].find('\n').map_or(span.end, |n| span.start + n);
            Span::new(span.start, line)
        };
        let result = outline::normalise(rings, &mut self.budget, &mut problems, |ring, count| {
            report.warn(element, head(spans[ring]), MapWarning::RepeatedVertices { ring: name(ring), count });
        });
        for (i, p) in problems.into_iter().enumerate() {
            // Finding a vertex is a walk along its ring: only the first few are worth it.
            let exact = i < 16;
            let place = |ring: usize, vertex| {
                if exact { self.vertex(spans[ring], vertex) } else { head(spans[ring]) }
            };
            let span = p.vertex.map_or(head(spans[p.ring]), |v| place(p.ring, v));
            let related = p.other.map(|(ring, v)| (place(ring, v), "the other edge starts here"));
            self.decoder.report.error_with(element, span, p.problem, related);
        }
        result
    }

    /// The place of the vertex number `index` of a ring.
    fn vertex(&self, ring: Span, index: usize) -> Span {
        let inside = scan::group(self.decoder.text, ring).map_or(ring, |g| g.inside);
        scan::items(self.decoder.text, inside)
            .flatten()
            .nth(index)
            .map_or(self.decoder.head(ring), |i| i.value)
    }
}

fn known_fields(tag: &str) -> Option<&'static [&'static str]> {
    match tag {
        "Prism" => Some(PRISM),
        "Wall" => Some(WALL),
        "Cylinder" => Some(CYLINDER),
        _ => None,
    }
}

/// The least and the greatest height of an end over a footprint.
fn reach(end: End, footprint: &Footprint) -> (f64, f64) {
    let (z0, slope) = match end {
        End::Level(z) => return (z, z),
        End::Sloped(Plane(z0, dx, dy)) => (z0, Vector2::new(dx, dy)),
    };
    match footprint {
        Footprint::Polygon { outline, .. } => {
            let heights = outline.iter().map(|p| z0 + slope.dot(&p.coords));
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)))
        }
        Footprint::Circle { center, radius } => {
            let (middle, range) = (z0 + slope.dot(&center.coords), slope.norm() * radius);
            (middle - range, middle + range)
        }
    }
}
