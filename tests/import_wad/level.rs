//! Doom levels in the making, and the WADs that hold them.

use fogwall::{Imported, import_wad};

const NO_SIDE: u16 = 0xFFFF;

/// A level in the making.
#[derive(Clone, Default)]
pub(crate) struct Level {
    pub(crate) vertices: Vec<(i16, i16)>,
    pub(crate) lines: Vec<[u16; 7]>,
    pub(crate) sides: Vec<u16>,
    pub(crate) sectors: Vec<(i16, i16, u16, u16)>,
    pub(crate) things: Vec<(i16, i16, u16)>,
}

impl Level {
    /// Adds a sector of these floor and ceiling heights, without special and tag.
    pub(crate) fn sector(&mut self, floor: i16, ceiling: i16) -> u16 {
        self.sectors.push((floor, ceiling, 0, 0));
        (self.sectors.len() - 1) as u16
    }

    pub(crate) fn vertex(&mut self, at: (i16, i16)) -> u16 {
        let found = self.vertices.iter().position(|v| *v == at);
        found.unwrap_or_else(|| {
            self.vertices.push(at);
            self.vertices.len() - 1
        }) as u16
    }

    /// Adds a line with `front` on its right; gives its number.
    pub(crate) fn line(&mut self, from: (i16, i16), to: (i16, i16), front: u16, back: Option<u16>) -> usize {
        let mut side = |sector| {
            self.sides.push(sector);
            (self.sides.len() - 1) as u16
        };
        let (front, back) = (side(front), back.map_or(NO_SIDE, side));
        let (from, to) = (self.vertex(from), self.vertex(to));
        self.lines.push([from, to, 0, 0, 0, front, back]);
        self.lines.len() - 1
    }

    /// Adds lines around a clockwise ring, with `front` inside.
    pub(crate) fn ring(&mut self, ring: &[(i16, i16)], front: u16, back: Option<u16>) {
        for i in 0..ring.len() {
            self.line(ring[i], ring[(i + 1) % ring.len()], front, back);
        }
    }

    pub(crate) fn lumps(&self) -> Vec<(&'static str, Vec<u8>)> {
        let words = |words: &[u16]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
        let things = self.things.iter().flat_map(|t| words(&[t.0 as u16, t.1 as u16, 0, t.2, 7]));
        let sides = self.sides.iter().flat_map(|s| [vec![0; 28], words(&[*s])].concat());
        let vertices = self.vertices.iter().flat_map(|v| words(&[v.0 as u16, v.1 as u16]));
        let sectors = self.sectors.iter().flat_map(|s| {
            [words(&[s.0 as u16, s.1 as u16]), b"FLAT1\0\0\0F_SKY1\0\0".to_vec(), words(&[160, s.2, s.3])]
                .concat()
        });
        vec![
            ("THINGS", things.collect()),
            ("LINEDEFS", self.lines.iter().flat_map(|l| words(l)).collect()),
            ("SIDEDEFS", sides.collect()),
            ("VERTEXES", vertices.collect()),
            ("SECTORS", sectors.collect()),
        ]
    }

    pub(crate) fn import(&self) -> Imported {
        import_wad(&wad("MAP01", &self.lumps()), "MAP01", "test").unwrap()
    }
}

/// A WAD with one level.
pub(crate) fn wad(level: &str, lumps: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = vec![0; 12];
    let mut directory = Vec::new();
    for (name, data) in [(level, &Vec::new())].into_iter().chain(lumps.iter().map(|(n, d)| (*n, d))) {
        directory.extend((bytes.len() as u32).to_le_bytes());
        directory.extend((data.len() as u32).to_le_bytes());
        let mut padded = [0; 8];
        padded[..name.len()].copy_from_slice(name.as_bytes());
        directory.extend(padded);
        bytes.extend(data);
    }
    let start = bytes.len() as u32;
    bytes[..4].copy_from_slice(b"PWAD");
    bytes[4..8].copy_from_slice(&(lumps.len() as u32 + 1).to_le_bytes());
    bytes[8..12].copy_from_slice(&start.to_le_bytes());
    bytes.extend(directory);
    bytes
}

/// A clockwise rectangle.
pub(crate) fn rectangle(west: i16, south: i16, east: i16, north: i16) -> [(i16, i16); 4] {
    [(west, south), (west, north), (east, north), (east, south)]
}

/// Two rooms, 256 by 256, joined by a 64 by 128 sector in the middle whose two sides are the last two lines.
pub(crate) fn two_rooms(floor: i16, ceiling: i16) -> (Level, u16, usize) {
    let mut level = Level::default();
    let (west, middle, east) = (level.sector(0, 128), level.sector(floor, ceiling), level.sector(16, 160));
    let one_sided = |level: &mut Level, points: &[(i16, i16)], sector| {
        for pair in points.windows(2) {
            level.line(pair[0], pair[1], sector, None);
        }
    };
    one_sided(&mut level, &[(256, 64), (256, 0), (0, 0), (0, 256), (256, 256), (256, 192)], west);
    one_sided(&mut level, &[(320, 192), (320, 256), (576, 256), (576, 0), (320, 0), (320, 64)], east);
    one_sided(&mut level, &[(256, 192), (320, 192)], middle);
    one_sided(&mut level, &[(320, 64), (256, 64)], middle);
    let entry = level.line((256, 192), (256, 64), west, Some(middle));
    level.line((320, 64), (320, 192), east, Some(middle));
    (level, middle, entry)
}
