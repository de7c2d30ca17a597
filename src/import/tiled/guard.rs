//! A look through an XML file before the `tiled` crate reads it.
//!
//! Owns the bounds that the crate does not keep by itself: depth, unpacked size, data that fits its layer.
//! Promises: what passes is read without deep recursion, unbounded memory or a missing tile.
//! Must not know what properties mean.

use super::data::{decode, wrong};
use super::{MOST_DEPTH, MOST_TILES, TiledError};
use crate::import::counted;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// The largest tile coordinate; the crate's own arithmetic overflows far beyond it.
const MOST_PLACE: i64 = 1 << 20;

/// Checks the text of a map, tileset or template.
pub(super) fn check(bytes: &[u8]) -> Result<(), TiledError> {
    let mut reader = Reader::from_reader(bytes);
    let mut state =
        State { depth: 0, tiles_left: MOST_TILES, size: 0, is_infinite: false, is_filled: true, text: None };
    loop {
        match reader.read_event().map_err(|e| wrong(&e.to_string()))? {
            Event::Start(element) => {
                state.depth += 1;
                if state.depth > MOST_DEPTH {
                    return Err(TiledError::TooLarge { what: "levels of nesting", most: MOST_DEPTH });
                }
                state.open(&element)?;
            }
            Event::Empty(element) => {
                state.open(&element)?;
                state.end(element.local_name().as_ref())?;
            }
            Event::Text(text) => state.add(&String::from_utf8_lossy(&text)),
            Event::CData(text) => state.add(&String::from_utf8_lossy(&text)),
            Event::End(element) => {
                state.depth = state.depth.saturating_sub(1);
                state.close()?;
                state.end(element.local_name().as_ref())?;
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

struct State {
    depth: usize,
    tiles_left: usize,
    /// Tiles of the layer or chunk around.
    size: usize,
    is_infinite: bool,
    /// Whether the layer data that was opened last had tiles.
    is_filled: bool,
    /// Inside layer data: encoding, compression and text.
    text: Option<(String, String, String)>,
}

impl State {
    fn open(&mut self, element: &BytesStart) -> Result<(), TiledError> {
        match element.local_name().as_ref() {
            b"map" => self.is_infinite = text(element, "infinite") == "1",
            b"layer" | b"chunk" => {
                let side = |name| number(element, name).unwrap_or(0);
                let (width, height) = (side("width"), side("height"));
                let place = side("x").abs().max(side("y").abs()).max(width).max(height);
                let size = width.checked_mul(height).and_then(|size| usize::try_from(size).ok());
                let size = size.filter(|size| *size <= self.tiles_left && place <= MOST_PLACE);
                self.size = size.ok_or(TiledError::TooLarge { what: "tiles", most: MOST_TILES })?;
            }
            b"data" => {
                let (encoding, compression) = (text(element, "encoding"), text(element, "compression"));
                self.text = Some((encoding, compression, String::new()));
                self.is_filled = self.is_infinite;
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &[u8]) -> Result<(), TiledError> {
        if name != b"data" {
            return Ok(());
        }
        self.text = None;
        if self.is_filled { Ok(()) } else { Err(wrong("a layer has no tiles")) }
    }

    fn add(&mut self, more: &str) {
        if let Some((.., text)) = &mut self.text {
            text.push_str(more);
        }
    }

    /// Where an element ends: data, or a chunk of it, has all been seen.
    fn close(&mut self) -> Result<(), TiledError> {
        let Some((encoding, compression, text)) = &mut self.text else { return Ok(()) };
        if text.trim().is_empty() {
            return Ok(());
        }
        let count = match encoding.as_str() {
            "base64" => decode(text, compression, self.size)?.len(),
            "csv" => text.split(',').count(),
            other => return Err(wrong(&format!("layer data in encoding {other:?} is not read"))),
        };
        if count != self.size {
            let tiles = counted(count, "tile", "tiles");
            return Err(wrong(&format!("a layer has {tiles} where its size asks for {}", self.size)));
        }
        self.tiles_left = self.tiles_left.saturating_sub(count);
        self.is_filled = true;
        text.clear();
        Ok(())
    }
}

fn text(element: &BytesStart, name: &str) -> String {
    let value = element.try_get_attribute(name).ok().flatten();
    value.map(|a| String::from_utf8_lossy(&a.value).into_owned()).unwrap_or_default()
}

fn number(element: &BytesStart, name: &str) -> Option<i64> {
    text(element, name).parse().ok()
}
