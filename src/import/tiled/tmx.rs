//! `*.tmx`: read by the `tiled` crate, behind a guard.
//!
//! Owns the way from the crate's types to a drawing. Promises: files are opened within bounds, and a panic in
//! the crate is an error here. Must not know what properties mean.

use super::drawing::{Drawing, Layer, Object, PlacedTile, Properties, Shape, Value, add, add_class, inherit};
use super::{MOST_FILES, TiledError, guard, read_file};
use std::collections::HashMap;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::rc::Rc;
use tiled::{LayerType, Loader, ObjectShape, PropertyValue, TileLayer};

/// Reads a map.
pub(super) fn read(path: &Path) -> Result<Drawing, TiledError> {
    guarded(|| {
        let map = loader().load_tmx_map(path).map_err(|e| failure(path, &e))?;
        if map.orientation != tiled::Orientation::Orthogonal {
            return Err(TiledError::Orientation(map.orientation.to_string()));
        }
        let mut drawing = Drawing {
            tile_size: (f64::from(map.tile_width), f64::from(map.tile_height)),
            height: f64::from(map.height) * f64::from(map.tile_height),
            properties: properties(&map.properties),
            layers: Vec::new(),
        };
        let mut cache = HashMap::new();
        for layer in map.layers() {
            add_layer(&layer, (0.0, 0.0), &Properties::new(), &mut cache, &mut drawing.layers);
        }
        Ok(drawing)
    })
}

/// The properties of the tiles of a tileset file, by tile number.
pub(super) fn tileset(path: &Path) -> Result<HashMap<u32, Properties>, TiledError> {
    guarded(|| {
        let tileset = loader().load_tsx_tileset(path).map_err(|e| failure(path, &e))?;
        Ok(tileset.tiles().map(|(id, tile)| (id, tile_properties(&tile))).collect())
    })
}

/// A loader that opens plain files alone, not too large, not too many, and looks through each first.
fn loader() -> Loader<tiled::DefaultResourceCache, impl tiled::ResourceReader> {
    let opened = std::cell::Cell::new(0);
    Loader::with_reader(move |path: &Path| -> Result<Cursor<Vec<u8>>, TiledError> {
        opened.set(opened.get() + 1);
        if opened.get() > MOST_FILES {
            return Err(TiledError::TooLarge { what: "files named by the map", most: MOST_FILES });
        }
        let bytes = read_file(path)?;
        guard::check(&bytes)?;
        Ok(Cursor::new(bytes))
    })
}

/// The crate indexes by what the file says in places that the guard does not know of.
fn guarded<T>(read: impl FnOnce() -> Result<T, TiledError>) -> Result<T, TiledError> {
    let unreadable = |_| Err(TiledError::Format("the reader gave up on it".to_owned()));
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(unreadable)
}

/// The crate's error, or our own from inside the loader.
fn failure(path: &Path, error: &tiled::Error) -> TiledError {
    match error {
        tiled::Error::ResourceLoadingError { path, err } => match err.downcast_ref::<TiledError>() {
            Some(TiledError::TooLarge { what, most }) => TiledError::TooLarge { what, most: *most },
            Some(TiledError::File { path, reason }) => {
                TiledError::File { path: path.clone(), reason: reason.clone() }
            }
            _ => TiledError::File { path: path.clone(), reason: err.to_string() },
        },
        other => TiledError::File { path: path.to_owned(), reason: other.to_string() },
    }
}

type Cache = HashMap<(usize, u32), Option<Rc<Properties>>>;

fn add_layer(
    layer: &tiled::Layer,
    offset: (f64, f64),
    base: &Properties,
    cache: &mut Cache,
    out: &mut Vec<Layer>,
) {
    let offset = (offset.0 + f64::from(layer.offset_x), offset.1 + f64::from(layer.offset_y));
    let properties = inherit(classed(&layer.properties, &layer.user_type), base);
    let mut new =
        Layer { name: layer.name.clone(), offset, properties, tiles: Vec::new(), objects: Vec::new() };
    match layer.layer_type() {
        LayerType::Group(group) => {
            for inner in group.layers() {
                add_layer(&inner, offset, &new.properties, cache, out);
            }
            return;
        }
        LayerType::Tiles(tiles) => new.tiles = tiles_of(&tiles, cache),
        LayerType::Objects(objects) => new.objects = objects.objects().map(|o| object(&o)).collect(),
        LayerType::Image(_) => return,
    }
    out.push(new);
}

fn tiles_of(layer: &TileLayer, cache: &mut Cache) -> Vec<PlacedTile> {
    let mut out = Vec::new();
    let mut add = |x: i32, y: i32| {
        let Some(tile) = layer.get_tile(x, y) else { return };
        let key = (tile.tileset_index(), tile.id());
        let own = cache.entry(key).or_insert_with(|| tile.get_tile().map(|t| Rc::new(tile_properties(&t))));
        out.push(((x, y), own.clone()));
    };
    match layer {
        TileLayer::Finite(finite) => {
            for y in 0..finite.height().cast_signed() {
                for x in 0..finite.width().cast_signed() {
                    add(x, y);
                }
            }
        }
        TileLayer::Infinite(infinite) => {
            let mut places: Vec<(i32, i32)> = infinite.chunks().map(|(place, _)| place).collect();
            places.sort_unstable_by_key(|&(x, y)| (y, x));
            let (width, height) = (tiled::ChunkData::WIDTH as i32, tiled::ChunkData::HEIGHT as i32);
            for (column, row) in places {
                for y in row * height..(row + 1) * height {
                    for x in column * width..(column + 1) * width {
                        add(x, y);
                    }
                }
            }
        }
    }
    out
}

fn object(object: &tiled::Object) -> Object {
    let points = |points: &[(f32, f32)]| points.iter().map(|p| (f64::from(p.0), f64::from(p.1))).collect();
    let sides = |width: f32, height: f32| (f64::from(width), f64::from(height));
    let tile = object.get_tile();
    let shape = match &object.shape {
        ObjectShape::Rect { width, height } if tile.is_some() => {
            let (width, height) = sides(*width, *height);
            Shape::Tile(width, height)
        }
        ObjectShape::Rect { width, height } => Shape::Rectangle(f64::from(*width), f64::from(*height)),
        ObjectShape::Ellipse { width, height } | ObjectShape::Capsule { width, height } => {
            Shape::Ellipse(f64::from(*width), f64::from(*height))
        }
        ObjectShape::Polygon { points: all } => Shape::Polygon(points(all)),
        ObjectShape::Polyline { points: all } => Shape::Polyline(points(all)),
        ObjectShape::Text { .. } => Shape::Text,
        ObjectShape::Point(..) => Shape::Point,
    };
    let mut own = classed(&object.properties, &object.user_type);
    if let Some(tile) = tile.and_then(|tile| tile.get_tile()) {
        own = inherit(own, &tile_properties(&tile));
    }
    Object {
        id: object.id(),
        name: object.name.clone(),
        at: (f64::from(object.x), f64::from(object.y)),
        rotation: f64::from(object.rotation),
        shape,
        properties: own,
    }
}

fn tile_properties(tile: &tiled::Tile) -> Properties {
    classed(&tile.properties, &tile.user_type)
}

fn classed(all: &tiled::Properties, class: &str) -> Properties {
    let mut own = properties(all);
    add_class(&mut own, class);
    own
}

fn properties(all: &tiled::Properties) -> Properties {
    let mut out = Properties::new();
    for (name, value) in all {
        let value = match value {
            PropertyValue::BoolValue(truth) => Value::Truth(*truth),
            PropertyValue::FloatValue(number) => Value::Number(shortest(*number)),
            PropertyValue::IntValue(number) => Value::Number(f64::from(*number)),
            PropertyValue::StringValue(text) => Value::Text(text.clone()),
            _ => continue,
        };
        add(&mut out, name, value);
    }
    out
}

/// The number that its writer meant: the one with the fewest digits that is this f32.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}
