//! The map source: from the bytes of a `*.ron` file to a [`Map`], or to everything that is wrong with it.
//!
//! Owns the schema of the format and the limits of a file. Promises: all problems in one run, each at its
//! place; no panic, no recursion and bounded time and memory, whatever the bytes.
//! Must not know cells or visibility. The text is indexed by [`scan`], its leaves are decoded by `ron`.

mod player;
mod shape;
mod zeros;

use super::finding::{Loaded, MapError, MapErrors};
use super::validate::sweep::Budget;
use super::validate::{self, Origins};
use super::warning::MapWarning;
use super::{Area, Floor, Map, Player, Solid, Spawn};
use crate::geom::{Point2, Point3};
use crate::text::{self, Element, Fields, Held, Span, TextError};
use std::collections::HashMap;
use std::path::Path;

/// The version of the format that is written; there is no earlier one.
const VERSION: u64 = 1;

/// Edges of cells that make sense, in metres.
const CELL_SIZE_M: std::ops::RangeInclusive<f64> = 0.05..=1_000.0;

/// Steps that checks of outlines may take in one file: under a second.
const OUTLINE_STEPS: u64 = 300_000_000;

const MAP: &[&str] =
    &["version", "name", "cell_size", "player", "solids", "doors", "floors", "areas", "spawns"];

/// Findings about a map source.
pub(super) type Report = text::Report<MapError, MapWarning>;
/// Decodes the leaves of a map source.
type Decoder<'a> = text::Decoder<'a, MapError, MapWarning>;

/// How large a map source may be; beyond one of them is an error before the memory is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file.
    pub file_bytes: usize,
    /// Elements of each list: solids, doors, floors, areas, spawns.
    pub elements: usize,
    /// Vertices of all outlines and holes.
    pub vertices: usize,
    /// Cells, by an estimate from the floors' area.
    pub cells: usize,
}

impl Default for Limits {
    /// 50 MB, 500,000 elements, 5 million vertices, 65,536 cells: what a baked file may hold.
    fn default() -> Self {
        Self { file_bytes: 50_000_000, elements: 500_000, vertices: 5_000_000, cells: 65_536 }
    }
}

impl Map {
    /// Reads and validates a map source.
    ///
    /// # Errors
    /// Every problem of the file, within the default [`Limits`].
    pub fn load(path: impl AsRef<Path>) -> Result<Loaded, MapErrors> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let limits = Limits::default();
        match text::read_file(path, limits.file_bytes) {
            Ok(bytes) => Self::parse_within(&bytes, &name, &limits),
            Err(problem) => Err(MapErrors::of(problem, &name)),
        }
    }

    /// Validates the bytes of a map source; `file` names it in errors.
    ///
    /// # Errors
    /// Every problem of the source, within the default [`Limits`].
    pub fn parse(bytes: impl AsRef<[u8]>, file: &str) -> Result<Loaded, MapErrors> {
        Self::parse_within(bytes.as_ref(), file, &Limits::default())
    }

    /// Validates the bytes of a map source within other limits.
    ///
    /// # Errors
    /// Every problem of the source.
    pub fn parse_within(bytes: &[u8], file: &str, limits: &Limits) -> Result<Loaded, MapErrors> {
        if bytes.len() > limits.file_bytes {
            return Err(MapErrors::of(TextError::FileTooLong { limit: limits.file_bytes }, file));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Reader::new(text, limits).read(file),
            Err(error) => {
                let (start, mut report) = (error.valid_up_to(), Report::default());
                let text = std::str::from_utf8(&bytes[..start]).unwrap_or_default();
                report.error(&Element::default(), Span::new(start, start), TextError::NotText.into());
                finish(report, None, text, file)
            }
        }
    }
}

/// The end of a load.
fn finish(report: Report, map: Option<Map>, text: &str, file: &str) -> Result<Loaded, MapErrors> {
    let Held { value: map, warnings, omitted } = report.finish(map, text).into_result(file)?;
    Ok(Loaded { map, warnings, omitted })
}

/// What is read so far.
struct Reader<'a> {
    decoder: Decoder<'a>,
    limits: &'a Limits,
    ids: HashMap<String, Span>,
    vertices_left: usize,
    budget: Budget,
    origins: Origins,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, limits: &'a Limits) -> Self {
        Self {
            decoder: Decoder { text, report: Report::default() },
            limits,
            ids: HashMap::new(),
            vertices_left: limits.vertices,
            budget: Budget::new(OUTLINE_STEPS),
            origins: Origins::default(),
        }
    }

    fn read(mut self, file: &str) -> Result<Loaded, MapErrors> {
        let mut map = self.document();
        let text = self.decoder.text;
        let mut report = self.decoder.report;
        if let Some(map) = map.as_mut().filter(|_| report.is_clean()) {
            map.source_hash = *blake3::hash(text.as_bytes()).as_bytes();
            validate::check(map, &self.origins, self.limits, &mut report);
        }
        finish(report, map, text, file)
    }

    fn document(&mut self) -> Option<Map> {
        let (element, inside) = self.decoder.document("the file is not one map: (...)")?;
        let fields = self.decoder.fields(&element, inside, MAP);
        self.version(&element, &fields)?;
        let name = self.text(&element, &fields, "name");
        let cell_size = self.cell_size(&element, &fields);
        let player = self.decoder.required(&element, &fields, "player").and_then(|span| self.player(span));
        let solids = self.solids(&element, &fields, "solids");
        let doors = self.solids(&element, &fields, "doors");
        let floors = self.floors(&element, &fields);
        let areas = self.areas(&element, &fields);
        let spawns = self.spawns(&element, &fields);
        self.whole(name, cell_size, player, Lists { solids, doors, floors, areas, spawns })
    }

    fn whole(
        &mut self,
        name: Option<String>,
        cell_size: Option<f64>,
        player: Option<Player>,
        mut lists: Lists,
    ) -> Option<Map> {
        zeros::unsign(&mut lists);
        let Lists { solids, doors, floors, areas, spawns } = lists;
        let (name, cell_size, player) = (name?, cell_size?, player?);
        Some(Map { name, cell_size, player, solids, doors, floors, areas, spawns, source_hash: [0; 32] })
    }

    /// Another version has other fields: then nothing else is looked at.
    fn version(&mut self, element: &Element, fields: &Fields) -> Option<()> {
        let Some(span) = self.decoder.required(element, fields, "version") else { return Some(()) };
        let version: Option<u64> = self.decoder.value(element, span, "a whole number");
        match version {
            Some(version) if version != VERSION => {
                self.decoder.report.error(element, span, TextError::UnknownVersion(version).into());
                None
            }
            _ => Some(()),
        }
    }

    fn text(&mut self, element: &Element, fields: &Fields, name: &'static str) -> Option<String> {
        let span = self.decoder.required(element, fields, name)?;
        self.decoder.name(element, span, name)
    }

    fn cell_size(&mut self, element: &Element, fields: &Fields) -> Option<f64> {
        let Some(span) = fields.get("cell_size") else { return Some(1.0) };
        let value = self.decoder.number(element, span, "cell_size")?;
        let holds = CELL_SIZE_M.contains(&value);
        self.origins.cell_size = span;
        self.decoder.require(element, span, "cell_size", value, holds, "from 0.05 to 1000")
    }

    fn solids(&mut self, map: &Element, fields: &Fields, list: &'static str) -> Vec<Solid> {
        let span = match list {
            "solids" => self.decoder.required(map, fields, list),
            _ => fields.get(list),
        };
        let mut solids = Vec::new();
        self.each(map, span, list, |reader, mut element, value| {
            if let Some(shape) = reader.shape(&mut element, value)
                && let Some(z) = shape.z
            {
                let shape::Shape { id, footprint, blocks, .. } = shape;
                solids.push(Solid { id, footprint, z, blocks });
                if list == "solids" {
                    reader.origins.solids.push(element);
                }
            }
        });
        solids
    }

    fn floors(&mut self, map: &Element, fields: &Fields) -> Vec<Floor> {
        let mut floors = Vec::new();
        self.each(map, fields.get("floors"), "floors", |reader, element, value| {
            let Some(inside) = reader.decoder.struct_inside(&element, value) else { return };
            let fields = reader.decoder.fields(&element, inside, &["outline", "holes"]);
            if let Some((outline, holes)) = reader.polygon::<Point3>(&element, &fields, fields.get("holes")) {
                floors.push(Floor { outline, holes });
                reader.origins.floors.push(element);
            }
        });
        floors
    }

    fn areas(&mut self, map: &Element, fields: &Fields) -> Vec<Area> {
        let mut areas = Vec::new();
        self.each(map, fields.get("areas"), "areas", |reader, mut element, value| {
            let Some(inside) = reader.decoder.struct_inside(&element, value) else { return };
            let fields = reader.decoder.fields(&element, inside, &["name", "outline"]);
            let name = reader.text(&element, &fields, "name");
            element.name.clone_from(&name);
            let polygon = reader.polygon::<Point2>(&element, &fields, None);
            if let (Some(name), Some((outline, _))) = (name, polygon) {
                areas.push(Area { name, outline });
            }
        });
        areas
    }

    fn spawns(&mut self, map: &Element, fields: &Fields) -> Vec<Spawn> {
        let mut spawns = Vec::new();
        self.each(map, fields.get("spawns"), "spawns", |reader, mut element, value| {
            let Some(inside) = reader.decoder.struct_inside(&element, value) else { return };
            let fields = reader.decoder.fields(&element, inside, &["team", "at"]);
            let team = reader.text(&element, &fields, "team");
            element.name.clone_from(&team);
            let Some(span) = reader.decoder.required(&element, &fields, "at") else { return };
            let Some(at) = reader.decoder.value::<(f64, f64, f64)>(&element, span, "a point (x, y, z)")
            else {
                return;
            };
            let [x, y, z] =
                [at.0, at.1, at.2].map(|v| reader.decoder.bounded(&element, span, "a coordinate", v));
            if let (Some(team), Some(x), Some(y), Some(z)) = (team, x, y, z) {
                spawns.push(Spawn { team, at: Point3::new(x, y, z) });
                reader.origins.spawns.push(Element { span, ..element });
            }
        });
        spawns
    }

    /// Calls `read` for each element of a list, up to the limit.
    fn each(
        &mut self,
        map: &Element,
        list: Option<Span>,
        name: &'static str,
        mut read: impl FnMut(&mut Self, Element, Span),
    ) {
        let element = Element { list: name, ..map.clone() };
        let Some(list) = list else { return };
        for (index, value) in self.decoder.elements(&element, list, self.limits.elements) {
            let span = self.decoder.head(value);
            read(self, Element { index: Some(index), span, ..element.clone() }, value);
        }
    }
}

/// The lists of a map.
struct Lists {
    solids: Vec<Solid>,
    doors: Vec<Solid>,
    floors: Vec<Floor>,
    areas: Vec<Area>,
    spawns: Vec<Spawn>,
}
