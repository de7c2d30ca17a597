//! The tile numbers of a layer, decoded within bounds.
//!
//! Owns base64 and the choice of the decompressor. Promises: never more numbers than asked for.
//! Must not know tilesets.

use super::TiledError;
use std::io::Read;

/// Bits of a tile number that say how it is turned.
const TURNS: u32 = 0xF000_0000;

/// The tile's number without its turns; 0 is no tile.
pub(super) fn number(bits: u32) -> u32 {
    bits & !TURNS
}

/// Decodes base64 layer data of `count` numbers.
pub(super) fn decode(text: &str, compression: &str, count: usize) -> Result<Vec<u32>, TiledError> {
    let packed = base64(text).ok_or_else(|| wrong("layer data is not base64"))?;
    let want = count.saturating_mul(4);
    let mut bytes = Vec::new();
    let limit = want as u64 + 1;
    let read = match compression {
        "" => packed.as_slice().take(limit).read_to_end(&mut bytes),
        "zlib" => flate2::bufread::ZlibDecoder::new(packed.as_slice()).take(limit).read_to_end(&mut bytes),
        "gzip" => flate2::bufread::GzDecoder::new(packed.as_slice()).take(limit).read_to_end(&mut bytes),
        other => return Err(wrong(&format!("compression {other:?} is not read: choose zlib, gzip or none"))),
    };
    read.map_err(|e| wrong(&format!("layer data does not unpack: {e}")))?;
    if bytes.len() != want {
        return Err(wrong(&format!("layer data has not the {count} tiles that its size asks for")));
    }
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

pub(super) fn wrong(text: &str) -> TiledError {
    TiledError::Format(text.to_owned())
}

/// Standard alphabet, padded; white space around it is dropped.
fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim().trim_end_matches('=').as_bytes();
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    for group in text.chunks(4) {
        let mut bits = 0u32;
        for &byte in group {
            let six = match byte {
                b'A'..=b'Z' => byte - b'A',
                b'a'..=b'z' => byte - b'a' + 26,
                b'0'..=b'9' => byte - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(six);
        }
        match group.len() {
            4 => out.extend_from_slice(&bits.to_be_bytes()[1..]),
            3 => out.extend_from_slice(&(bits << 6).to_be_bytes()[1..3]),
            2 => out.push((bits >> 4) as u8),
            _ => return None,
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_any_length_is_decoded_and_foreign_letters_are_not() {
        assert_eq!(base64(" Zm9vYmFy\n").unwrap(), b"foobar");
        assert_eq!(base64("Zm9vYmE=").unwrap(), b"fooba");
        assert_eq!(base64("Zm9vYg==").unwrap(), b"foob");
        assert_eq!(base64("Zm9vY"), None);
        assert_eq!(base64("Zm9*"), None);
    }

    #[test]
    fn data_of_another_length_than_asked_for_is_an_error() {
        assert_eq!(decode("AQAAAAIAAIA=", "", 2).unwrap(), [1, 0x8000_0002]);
        assert!(decode("AQAAAAIAAIA=", "", 3).is_err() && decode("AQAAAAIAAIA=", "", 1).is_err());
        assert!(decode("AQAAAA==", "lzma", 1).is_err());
    }
}
