//! `*.tmj`: read by `serde_json`; the `tiled` crate reads XML only.
//!
//! Owns the fields of the JSON format that the import needs. Promises: bounded by the file's size and the
//! limits on tiles and files. Must not know what properties mean.

use super::data::{decode, number, wrong};
use super::drawing::{Drawing, Layer, Object, PlacedTile, Properties, Shape, Value, add, add_class, inherit};
use super::{MOST_DEPTH, MOST_FILES, MOST_TILES, TiledError, read_file, tmx};
use crate::import::counted;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

#[derive(Deserialize)]
struct JsonMap {
    orientation: String,
    height: u32,
    tilewidth: u32,
    tileheight: u32,
    #[serde(default)]
    properties: Vec<JsonProperty>,
    #[serde(default)]
    tilesets: Vec<JsonTileset>,
    layers: Vec<JsonLayer>,
}

#[derive(Deserialize)]
struct JsonProperty {
    name: String,
    value: serde_json::Value,
}

#[derive(Deserialize)]
struct JsonTileset {
    #[serde(default)]
    firstgid: u32,
    source: Option<String>,
    #[serde(default)]
    tiles: Vec<JsonTile>,
}

#[derive(Deserialize)]
struct JsonTile {
    id: u32,
    #[serde(default, alias = "type")]
    class: String,
    #[serde(default)]
    properties: Vec<JsonProperty>,
}

#[derive(Deserialize)]
struct JsonLayer {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    class: String,
    #[serde(default)]
    offsetx: f64,
    #[serde(default)]
    offsety: f64,
    #[serde(default)]
    properties: Vec<JsonProperty>,
    #[serde(default)]
    width: u32,
    #[serde(default)]
    height: u32,
    #[serde(default)]
    compression: String,
    data: Option<Data>,
    #[serde(default)]
    chunks: Vec<JsonChunk>,
    #[serde(default)]
    objects: Vec<JsonObject>,
    #[serde(default)]
    layers: Vec<JsonLayer>,
}

#[derive(Deserialize)]
struct JsonChunk {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
    data: Data,
}

/// Tile numbers, listed or packed.
#[derive(Deserialize)]
#[serde(untagged)]
enum Data {
    Listed(Vec<u32>),
    Packed(String),
}

#[derive(Deserialize)]
struct JsonObject {
    #[serde(default)]
    id: u32,
    #[serde(default)]
    name: String,
    #[serde(default, alias = "type")]
    class: String,
    template: Option<String>,
    gid: Option<u32>,
    #[serde(default)]
    x: f64,
    #[serde(default)]
    y: f64,
    #[serde(default)]
    width: f64,
    #[serde(default)]
    height: f64,
    #[serde(default)]
    rotation: f64,
    #[serde(default)]
    point: bool,
    #[serde(default)]
    ellipse: bool,
    #[serde(default)]
    capsule: bool,
    text: Option<serde::de::IgnoredAny>,
    polygon: Option<Vec<JsonPoint>>,
    polyline: Option<Vec<JsonPoint>>,
    #[serde(default)]
    properties: Vec<JsonProperty>,
}

#[derive(Deserialize)]
struct JsonPoint {
    x: f64,
    y: f64,
}

/// Reads a map.
pub(super) fn read(path: &Path) -> Result<Drawing, TiledError> {
    let map: JsonMap = parse(path)?;
    if map.orientation != "orthogonal" {
        return Err(TiledError::Orientation(map.orientation));
    }
    if map.tilesets.iter().filter(|t| t.source.is_some()).count() > MOST_FILES {
        return Err(TiledError::TooLarge { what: "files named by the map", most: MOST_FILES });
    }
    let mut tilesets = Vec::new();
    for tileset in map.tilesets {
        tilesets.push((tileset.firstgid, tiles_of(tileset, path)?));
    }
    tilesets.sort_by_key(|(first, _)| *first);
    let mut reader = Reader { tilesets, tiles_left: MOST_TILES, layers: Vec::new() };
    for layer in map.layers {
        reader.layer(layer, (0.0, 0.0), &Properties::new(), 0)?;
    }
    Ok(Drawing {
        tile_size: (f64::from(map.tilewidth), f64::from(map.tileheight)),
        height: f64::from(map.height) * f64::from(map.tileheight),
        properties: properties(map.properties, ""),
        layers: reader.layers,
    })
}

fn parse<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, TiledError> {
    let bytes = read_file(path)?;
    serde_json::from_slice(&bytes)
        .map_err(|e| TiledError::File { path: path.to_owned(), reason: e.to_string() })
}

type Tiles = HashMap<u32, Rc<Properties>>;

/// The tiles of a tileset in the map, or in a file beside it (JSON or XML).
fn tiles_of(tileset: JsonTileset, map: &Path) -> Result<Tiles, TiledError> {
    let Some(source) = tileset.source else { return Ok(tiles(tileset.tiles)) };
    let path = map.with_file_name("").join(source);
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tsx")) {
        return Ok(tmx::tileset(&path)?.into_iter().map(|(id, own)| (id, Rc::new(own))).collect());
    }
    Ok(tiles(parse::<JsonTileset>(&path)?.tiles))
}

fn tiles(tiles: Vec<JsonTile>) -> Tiles {
    tiles.into_iter().map(|tile| (tile.id, Rc::new(properties(tile.properties, &tile.class)))).collect()
}

struct Reader {
    /// By the first number of each, ascending.
    tilesets: Vec<(u32, Tiles)>,
    tiles_left: usize,
    layers: Vec<Layer>,
}

impl Reader {
    fn layer(
        &mut self,
        layer: JsonLayer,
        offset: (f64, f64),
        base: &Properties,
        depth: usize,
    ) -> Result<(), TiledError> {
        if depth > MOST_DEPTH {
            return Err(TiledError::TooLarge { what: "levels of nesting", most: MOST_DEPTH });
        }
        let offset = (offset.0 + layer.offsetx, offset.1 + layer.offsety);
        let own = inherit(properties(layer.properties, &layer.class), base);
        let mut new =
            Layer { name: layer.name, offset, properties: own, tiles: Vec::new(), objects: Vec::new() };
        match layer.kind.as_str() {
            "group" => {
                for inner in layer.layers {
                    self.layer(inner, offset, &new.properties, depth + 1)?;
                }
                return Ok(());
            }
            "tilelayer" => {
                let whole = layer.data.map(|data| JsonChunk {
                    x: 0,
                    y: 0,
                    width: layer.width,
                    height: layer.height,
                    data,
                });
                for chunk in whole.into_iter().chain(layer.chunks) {
                    self.chunk(&chunk, &layer.compression, &mut new.tiles)?;
                }
            }
            "objectgroup" => {
                new.objects = layer.objects.into_iter().map(|o| self.object(o)).collect::<Result<_, _>>()?;
            }
            _ => return Ok(()),
        }
        self.layers.push(new);
        Ok(())
    }

    fn chunk(
        &mut self,
        chunk: &JsonChunk,
        compression: &str,
        out: &mut Vec<PlacedTile>,
    ) -> Result<(), TiledError> {
        let size = u64::from(chunk.width) * u64::from(chunk.height);
        let size = usize::try_from(size).ok().filter(|size| *size <= self.tiles_left);
        let size = size.ok_or(TiledError::TooLarge { what: "tiles", most: MOST_TILES })?;
        self.tiles_left -= size;
        let unpacked;
        let numbers = match &chunk.data {
            Data::Listed(numbers) => numbers,
            Data::Packed(text) => {
                unpacked = decode(text, compression, size)?;
                &unpacked
            }
        };
        if numbers.len() != size {
            let count = numbers.len();
            let tiles = counted(count, "tile", "tiles");
            return Err(wrong(&format!("a layer has {tiles} where its size asks for {size}")));
        }
        let places =
            (0..chunk.height.cast_signed()).flat_map(|y| (0..chunk.width.cast_signed()).map(move |x| (x, y)));
        for ((x, y), bits) in places.zip(numbers) {
            if number(*bits) != 0 {
                out.push(((chunk.x.saturating_add(x), chunk.y.saturating_add(y)), self.tile(*bits)));
            }
        }
        Ok(())
    }

    fn tile(&self, bits: u32) -> Option<Rc<Properties>> {
        let number = number(bits);
        let (first, tiles) = self.tilesets.iter().rev().find(|(first, _)| *first <= number)?;
        tiles.get(&(number - first)).cloned()
    }

    fn object(&self, object: JsonObject) -> Result<Object, TiledError> {
        if object.template.is_some() {
            let text = format!("object {} is made from a template: only TMX maps may have those", object.id);
            return Err(TiledError::Format(text));
        }
        let points = |points: Vec<JsonPoint>| points.into_iter().map(|p| (p.x, p.y)).collect();
        let JsonObject { width, height, .. } = object;
        let shape = match (object.polygon, object.polyline) {
            (Some(all), _) => Shape::Polygon(points(all)),
            (_, Some(all)) => Shape::Polyline(points(all)),
            _ if object.point => Shape::Point,
            _ if object.ellipse || object.capsule => Shape::Ellipse(width, height),
            _ if object.text.is_some() => Shape::Text,
            _ if object.gid.is_some() => Shape::Tile(width, height),
            _ => Shape::Rectangle(width, height),
        };
        let mut own = properties(object.properties, &object.class);
        if let Some(tile) = object.gid.and_then(|gid| self.tile(gid)) {
            own = inherit(own, &tile);
        }
        let at = (object.x, object.y);
        Ok(Object { id: object.id, name: object.name, at, rotation: object.rotation, shape, properties: own })
    }
}

fn properties(all: Vec<JsonProperty>, class: &str) -> Properties {
    let mut out = Properties::new();
    for JsonProperty { name, value } in all {
        let value = match value {
            serde_json::Value::Bool(truth) => Value::Truth(truth),
            serde_json::Value::Number(number) => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
            serde_json::Value::String(text) => Value::Text(text),
            _ => continue,
        };
        add(&mut out, &name, value);
    }
    add_class(&mut out, class);
    out
}
