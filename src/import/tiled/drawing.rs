//! A Tiled map as both file kinds give it: layers of tiles and objects, with inherited properties.
//!
//! Owns the neutral form between readers and conversion; lengths in pixels, y down.
//! Must not know XML, JSON or metres.

use std::collections::BTreeMap;
use std::rc::Rc;

/// A property's value; what is no number, truth or text is left out on reading.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Truth(bool),
    Number(f64),
    Text(String),
}

/// Properties by name, without the prefix; a class counts as `kind` where none is set.
pub(super) type Properties = BTreeMap<String, Value>;

/// A tile that is there: column and row, and its own properties, if it has any.
pub(super) type PlacedTile = ((i32, i32), Option<Rc<Properties>>);

/// A whole map.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub(super) tile_size: (f64, f64),
    /// Height of the map in pixels: where y is 0 in metres.
    pub(super) height: f64,
    pub(super) properties: Properties,
    pub(super) layers: Vec<Layer>,
}

/// One layer, groups dissolved.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) offset: (f64, f64),
    /// Its own properties over those of the groups around it.
    pub(super) properties: Properties,
    pub(super) tiles: Vec<PlacedTile>,
    pub(super) objects: Vec<Object>,
}

/// One object.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) at: (f64, f64),
    /// Degrees, clockwise.
    pub(super) rotation: f64,
    pub(super) shape: Shape,
    /// Its own properties over those of its tile.
    pub(super) properties: Properties,
}

/// The shape of an object, relative to where it is.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Rectangle(f64, f64),
    /// A tile: its place is the lower left corner.
    Tile(f64, f64),
    Ellipse(f64, f64),
    Polygon(Vec<(f64, f64)>),
    Polyline(Vec<(f64, f64)>),
    Point,
    Text,
}

const PREFIX: &str = "fogwall:";
/// Where a class is kept that is no kind.
pub(super) const CLASS: &str = "class";
/// What `kind` may say.
pub(super) const KINDS: [&str; 6] = ["solid", "door", "floor", "area", "spawn", "ignore"];

/// Adds a property; a prefixed name wins over the same one without.
pub(super) fn add(properties: &mut Properties, name: &str, value: Value) {
    match name.strip_prefix(PREFIX) {
        Some(plain) => {
            properties.insert(plain.to_owned(), value);
        }
        None => {
            properties.entry(name.to_owned()).or_insert(value);
        }
    }
}

/// Takes a class for the kind, if it is one and none is set; keeps another for the notes.
pub(super) fn add_class(properties: &mut Properties, class: &str) {
    let class = class.strip_prefix(PREFIX).unwrap_or(class);
    let kind = class.to_ascii_lowercase();
    if KINDS.contains(&kind.as_str()) {
        properties.entry("kind".to_owned()).or_insert(Value::Text(kind));
    } else if !class.is_empty() {
        properties.insert(CLASS.to_owned(), Value::Text(class.to_owned()));
    }
}

/// The class that is no kind, if there is one.
pub(super) fn class(properties: &Properties) -> Option<&str> {
    match properties.get(CLASS) {
        Some(Value::Text(class)) => Some(class),
        _ => None,
    }
}

/// `over` with what it lacks taken from `base`.
pub(super) fn inherit(mut over: Properties, base: &Properties) -> Properties {
    for (name, value) in base {
        over.entry(name.clone()).or_insert_with(|| value.clone());
    }
    over
}
