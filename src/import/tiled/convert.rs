//! From a drawing to a map, by the convention of `TILED.md`.
//!
//! Owns what each property means and its defaults. Promises: ids are unique, elements bounded, and whatever is
//! left out is counted in a note. Must not know XML or JSON.

use super::TiledError;
use super::drawing::{CLASS, Drawing, Layer, Object, Properties, Shape, Value, class, inherit};
use super::left_out::{LeftOut, Why};
use super::place::{Frame, Plan};
use super::tiles::{Block, merge};
use crate::geom::{Point2, Point3, Vector2, ZRange};
use crate::import::Imported;
use crate::map::{Area, Blocks, Floor, Footprint, Map, Player, Solid, Spawn};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Most elements of the map.
const MOST_ELEMENTS: usize = 100_000;
const DEFAULT_THICKNESS_M: f64 = 0.1;
/// A walking soldier, where the map says nothing else.
const SOLDIER: Player = Player {
    radius: 0.4,
    height: 1.8,
    eye_standing: 1.6,
    eye_crouched: 1.15,
    jump: 1.2,
    step: 0.45,
    max_speed: 8.0,
    max_accel: 50.0,
    jump_speed: 7.0,
    gravity: 20.0,
    crouch_time: 0.15,
    lean: 0.4,
    sight_radius: 0.6,
};

/// Turns a drawing into a map called `name`.
pub(super) fn convert(drawing: &Drawing, name: &str) -> Result<Imported, TiledError> {
    let own = Reader { element: "the map", properties: &drawing.properties };
    let scale = own.positive("pixels_per_metre", drawing.tile_size.0)?;
    let mut draft = Draft {
        frame: Frame::new(drawing, scale),
        map: Map {
            name: name.to_owned(),
            cell_size: own.positive("cell_size", 1.0)?,
            player: player(&own)?,
            solids: Vec::new(),
            doors: Vec::new(),
            floors: Vec::new(),
            areas: Vec::new(),
            spawns: Vec::new(),
            source_hash: [0; 32],
        },
        ids: HashSet::new(),
        left_out: LeftOut::default(),
        elements: 0,
    };
    for layer in &drawing.layers {
        if let Some(class) = class(&layer.properties) {
            draft.left_out.doubt_class(&format!("layer {:?}", layer.name), class);
        }
        draft.add_tiles(layer, drawing.tile_size)?;
        for object in &layer.objects {
            draft.add_object(layer, object)?;
        }
    }
    Ok(Imported { map: draft.map, notes: draft.left_out.notes() })
}

fn player(own: &Reader) -> Result<Player, TiledError> {
    let length = |name, default| own.number(name, default);
    let radius = length("radius", SOLDIER.radius)?;
    // A larger body shows at least itself.
    let sight_radius = length("sight_radius", SOLDIER.sight_radius.max(radius))?;
    Ok(Player {
        radius,
        height: length("height", SOLDIER.height)?,
        eye_standing: length("eye_standing", SOLDIER.eye_standing)?,
        eye_crouched: length("eye_crouched", SOLDIER.eye_crouched)?,
        jump: length("jump", SOLDIER.jump)?,
        step: length("step", SOLDIER.step)?,
        max_speed: length("max_speed", SOLDIER.max_speed)?,
        max_accel: length("max_accel", SOLDIER.max_accel)?,
        jump_speed: length("jump_speed", SOLDIER.jump_speed)?,
        gravity: length("gravity", SOLDIER.gravity)?,
        crouch_time: length("crouch_time", SOLDIER.crouch_time)?,
        lean: length("lean", SOLDIER.lean)?,
        sight_radius,
    })
}

struct Draft {
    frame: Frame,
    map: Map,
    ids: HashSet<String>,
    left_out: LeftOut,
    elements: usize,
}

/// What an element becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Solid,
    Door,
    Floor,
    Area,
    Spawn,
    Ignored,
    Unsaid,
}

impl Draft {
    fn add_tiles(&mut self, layer: &Layer, tile_size: (f64, f64)) -> Result<(), TiledError> {
        // Tiles with equal properties merge; few layers have more than a handful of kinds of tiles.
        let mut groups: Vec<(Properties, BTreeSet<(i32, i32)>)> = Vec::new();
        let mut known: BTreeMap<Option<usize>, usize> = BTreeMap::new();
        for (place, own) in &layer.tiles {
            let key = own.as_ref().map(|own| std::rc::Rc::as_ptr(own) as usize);
            let group = *known.entry(key).or_insert_with(|| {
                let own = own.as_deref().cloned().unwrap_or_default();
                let has_class = own.contains_key(CLASS);
                let mut properties = inherit(own, &layer.properties);
                // Only a class that tells why a tile is left out keeps it apart from others.
                if !has_class || (Reader { element: "", properties: &properties }).is_said() {
                    properties.remove(CLASS);
                }
                groups.iter().position(|(p, _)| *p == properties).unwrap_or_else(|| {
                    groups.push((properties, BTreeSet::new()));
                    groups.len() - 1
                })
            });
            groups[group].1.insert(*place);
        }
        for (properties, tiles) in groups {
            let element = format!("a tile of layer {:?}", layer.name);
            let reader = Reader { element: &element, properties: &properties };
            let kind = match reader.kind()? {
                Kind::Unsaid if reader.is_solid_tile() => Kind::Solid,
                kind => kind,
            };
            if matches!(kind, Kind::Ignored | Kind::Unsaid) {
                self.leave_tiles_out(layer, kind, class(&properties), tiles.len());
                continue;
            }
            for block in merge(&tiles) {
                let outline = self.rectangle(&element, block, tile_size, layer.offset)?;
                let id = self.id(&layer.name, "tiles");
                self.add(&reader, kind, &id, &Plan::Outline(outline))?;
            }
        }
        Ok(())
    }

    fn leave_tiles_out(&mut self, layer: &Layer, kind: Kind, class: Option<&str>, count: usize) {
        let on_layer = format!("layer {:?}", layer.name);
        match (kind, class) {
            (Kind::Ignored, _) => self.left_out.add(Why::TilesIgnored, count, &on_layer),
            (_, None) => self.left_out.add(Why::TilesNoKind, count, &on_layer),
            (_, Some(class)) => self.left_out.add_class(count, &format!("a tile of {on_layer}"), class),
        }
    }

    fn rectangle(
        &self,
        element: &str,
        block: Block,
        (width, height): (f64, f64),
        offset: (f64, f64),
    ) -> Result<Vec<Point2>, TiledError> {
        let corner = |x: i32, y: i32| (f64::from(x) * width + offset.0, f64::from(y) * height + offset.1);
        let low = self.frame.place(element, corner(block.low.0, block.high.1))?;
        let high = self.frame.place(element, corner(block.high.0, block.low.1))?;
        Ok(vec![low, Point2::new(high.x, low.y), high, Point2::new(low.x, high.y)])
    }

    fn add_object(&mut self, layer: &Layer, object: &Object) -> Result<(), TiledError> {
        let element = format!("object {} {:?} of layer {:?}", object.id, object.name, layer.name);
        let properties = inherit(object.properties.clone(), &layer.properties);
        let reader = Reader { element: &element, properties: &properties };
        let kind = reader.kind()?;
        let own_class = class(&object.properties);
        if matches!(kind, Kind::Ignored | Kind::Unsaid) {
            match (kind, own_class) {
                (Kind::Ignored, _) => self.left_out.add(Why::Ignored, 1, &element),
                (_, Some(class)) => self.left_out.add_class(1, &element, class),
                _ if matches!(object.shape, Shape::Text) => self.left_out.add(Why::Text, 1, &element),
                _ => self.left_out.add(Why::NoKind, 1, &element),
            }
            return Ok(());
        }
        if let (Some(class), false) = (own_class, object.properties.contains_key("kind")) {
            self.left_out.doubt_class(&element, class);
        }
        let plan = self.frame.plan(&element, object, layer.offset)?;
        let id = match kind {
            Kind::Solid | Kind::Door => self.id(&object.name, "object"),
            _ => object.name.clone(),
        };
        self.add(&reader, kind, &id, &plan)
    }

    fn add(&mut self, own: &Reader, kind: Kind, id: &str, plan: &Plan) -> Result<(), TiledError> {
        self.elements += 1;
        if self.elements > MOST_ELEMENTS {
            return Err(TiledError::TooLarge { what: "elements of the map", most: MOST_ELEMENTS });
        }
        match (kind, plan) {
            (Kind::Solid | Kind::Door, _) => {
                let solids = self.solids(own, id, plan)?;
                let list = if kind == Kind::Solid { &mut self.map.solids } else { &mut self.map.doors };
                list.extend(solids);
            }
            (Kind::Floor, Plan::Outline(outline)) => {
                let z = own.number("z", 0.0)?;
                let outline = outline.iter().map(|p| Point3::new(p.x, p.y, z)).collect();
                self.map.floors.push(Floor { outline, holes: Vec::new() });
            }
            (Kind::Area, Plan::Outline(outline)) => {
                let name = if id.is_empty() { "unnamed" } else { id };
                self.map.areas.push(Area { name: name.to_owned(), outline: outline.clone() });
            }
            (Kind::Spawn, plan) => {
                let Some(at) = plan.middle() else {
                    self.left_out.add(Why::NoPlace, 1, own.element);
                    return Ok(());
                };
                let at = Point3::new(at.x, at.y, own.number("z", 0.0)?);
                self.map.spawns.push(Spawn { team: own.text("team", "ffa")?, at });
            }
            _ => self.left_out.add(Why::NoPolygon, 1, own.element),
        }
        Ok(())
    }

    fn solids(&mut self, own: &Reader, id: &str, plan: &Plan) -> Result<Vec<Solid>, TiledError> {
        let z = ZRange::new(own.any("z_low", f64::NEG_INFINITY)?, own.any("z_high", f64::INFINITY)?);
        if z.low >= z.high {
            return Err(own.wrong("z_high", &z.high.to_string(), "above z_low"));
        }
        let blocks = own.blocks()?;
        let solid = |id: String, footprint| Solid { id, footprint, z, blocks };
        let polygon = |outline| Footprint::Polygon { outline, holes: Vec::new() };
        match plan {
            Plan::Outline(outline) if outline.len() >= 3 => {
                Ok(vec![solid(id.to_owned(), polygon(outline.clone()))])
            }
            Plan::Circle(center, radius) if *radius > 0.0 => {
                Ok(vec![solid(id.to_owned(), Footprint::Circle { center: *center, radius: *radius })])
            }
            Plan::Line(points) => {
                let thickness = own.positive("thickness", DEFAULT_THICKNESS_M)?;
                let walls: Vec<_> = walls(points, thickness).collect();
                Ok(walls.into_iter().map(|wall| solid(self.id(id, "wall"), polygon(wall))).collect())
            }
            _ => {
                self.left_out.add(Why::NoArea, 1, own.element);
                Ok(Vec::new())
            }
        }
    }

    /// A new id: the name, or what it is, with a number where that is taken.
    fn id(&mut self, name: &str, otherwise: &str) -> String {
        let base = if name.is_empty() { otherwise } else { name };
        let mut id = base.to_owned();
        let mut number = self.ids.len();
        while !self.ids.insert(id.clone()) {
            number += 1;
            id = format!("{base}_{number}");
        }
        id
    }
}

/// A rectangle along each stretch; at the bends they reach half a thickness further, so that no notch stays.
fn walls(points: &[Point2], thickness: f64) -> impl Iterator<Item = Vec<Point2>> + '_ {
    let last = points.len().saturating_sub(2);
    let is_ring = points.len() > 2 && points.first() == points.last();
    points.windows(2).enumerate().filter_map(move |(index, pair)| {
        let along: Vector2 = (pair[1] - pair[0]).try_normalize(0.0)? * (0.5 * thickness);
        let side = Vector2::new(-along.y, along.x);
        let from = if index > 0 || is_ring { pair[0] - along } else { pair[0] };
        let to = if index < last || is_ring { pair[1] + along } else { pair[1] };
        Some(vec![from - side, to - side, to + side, from + side])
    })
}

/// The properties of one element, and its name for errors.
struct Reader<'a> {
    element: &'a str,
    properties: &'a Properties,
}

impl Reader<'_> {
    fn wrong(&self, property: &str, value: &str, expected: &'static str) -> TiledError {
        let (element, property) = (self.element.to_owned(), property.to_owned());
        TiledError::Value { element, property, value: value.chars().take(80).collect(), expected }
    }

    /// Any number, written as one or as text.
    fn any(&self, name: &str, default: f64) -> Result<f64, TiledError> {
        match self.properties.get(name) {
            None => Ok(default),
            Some(Value::Number(number)) if !number.is_nan() => Ok(*number),
            Some(Value::Text(text)) => match text.trim().parse::<f64>() {
                Ok(number) if !number.is_nan() => Ok(number),
                _ => Err(self.wrong(name, text, "a number")),
            },
            Some(other) => Err(self.wrong(name, &format!("{other:?}"), "a number")),
        }
    }

    fn number(&self, name: &str, default: f64) -> Result<f64, TiledError> {
        let number = self.any(name, default)?;
        if number.is_finite() { Ok(number) } else { Err(self.wrong(name, &number.to_string(), "finite")) }
    }

    fn positive(&self, name: &str, default: f64) -> Result<f64, TiledError> {
        let number = self.number(name, default)?;
        if number > 0.0 { Ok(number) } else { Err(self.wrong(name, &number.to_string(), "above 0")) }
    }

    fn text(&self, name: &str, default: &str) -> Result<String, TiledError> {
        match self.properties.get(name) {
            None => Ok(default.to_owned()),
            Some(Value::Text(text)) => Ok(text.clone()),
            Some(other) => Err(self.wrong(name, &format!("{other:?}"), "a text")),
        }
    }

    fn kind(&self) -> Result<Kind, TiledError> {
        let text = self.text("kind", "")?;
        match text.to_ascii_lowercase().as_str() {
            "solid" => Ok(Kind::Solid),
            "door" => Ok(Kind::Door),
            "floor" => Ok(Kind::Floor),
            "area" => Ok(Kind::Area),
            "spawn" => Ok(Kind::Spawn),
            "ignore" => Ok(Kind::Ignored),
            "" => Ok(Kind::Unsaid),
            _ => Err(self.wrong("kind", &text, "one of solid, door, floor, area, spawn, ignore")),
        }
    }

    /// Whether a tile's properties say what it is.
    fn is_said(&self) -> bool {
        self.properties.contains_key("kind") || self.is_solid_tile()
    }

    fn is_solid_tile(&self) -> bool {
        match self.properties.get("solid") {
            Some(Value::Truth(truth)) => *truth,
            _ => self.properties.contains_key("z_high"),
        }
    }

    fn blocks(&self) -> Result<Blocks, TiledError> {
        let text = self.text("blocks", "Sight, Movement, Sound")?;
        let mut blocks = Blocks { sight: false, movement: false, sound: false };
        let words = text.split([',', ' ']).filter(|word| !word.is_empty());
        for word in words {
            match word.to_ascii_lowercase().as_str() {
                "sight" => blocks.sight = true,
                "movement" => blocks.movement = true,
                "sound" => blocks.sound = true,
                _ => return Err(self.wrong("blocks", &text, "a list of Sight, Movement, Sound")),
            }
        }
        if blocks.sight || blocks.movement || blocks.sound {
            Ok(blocks)
        } else {
            Err(self.wrong("blocks", &text, "at least one of Sight, Movement, Sound"))
        }
    }
}
