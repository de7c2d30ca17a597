//! A map as the text of its source.
//!
//! Owns the layout of written map files: one element a line, the shortest digits that read back the same.
//! Promises: reading the text gives the same map again (walls come back as the polygons they became).
//! Must not know validation: a draft with faults is written as it is.

use super::{Blocks, Footprint, Map, Solid};
use crate::geom::{Point2, Point3};
use std::fmt::{self, Display, Formatter, Write as _};

impl Map {
    /// The map as source text in the format that `Map::parse` reads; every number reads back exactly.
    pub fn to_source(&self) -> String {
        let mut text = String::new();
        // Writing to a String can't fail.
        let _ = write!(text, "{}", Source(self));
        text
    }
}

struct Source<'a>(&'a Map);

impl Display for Source<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Map { name, cell_size, solids, doors, floors, areas, spawns, .. } = self.0;
        writeln!(f, "(\n    version: 1,\n    name: {},\n    cell_size: {cell_size:?},", Quoted(name))?;
        self.player(f)?;
        block(f, "solids", solids.iter().map(Shape))?;
        block(f, "doors", doors.iter().map(Shape))?;
        let floor =
            |floor: &super::Floor| format!("(outline: {}{})", Ring(&floor.outline), Holes(&floor.holes));
        block(f, "floors", floors.iter().map(floor))?;
        let area =
            |area: &super::Area| format!("(name: {}, outline: {})", Quoted(&area.name), Ring(&area.outline));
        block(f, "areas", areas.iter().map(area))?;
        let spawn =
            |spawn: &super::Spawn| format!("(team: {}, at: {})", Quoted(&spawn.team), Tuple(&spawn.at));
        block(f, "spawns", spawns.iter().map(spawn))?;
        writeln!(f, ")")
    }
}

impl Source<'_> {
    fn player(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let p = &self.0.player;
        writeln!(f, "    player: (")?;
        writeln!(f, "        radius: {:?}, height: {:?},", p.radius, p.height)?;
        writeln!(f, "        eye_standing: {:?}, eye_crouched: {:?},", p.eye_standing, p.eye_crouched)?;
        writeln!(f, "        jump: {:?}, step: {:?},", p.jump, p.step)?;
        writeln!(f, "        max_speed: {:?}, max_accel: {:?},", p.max_speed, p.max_accel)?;
        writeln!(f, "        jump_speed: {:?}, gravity: {:?},", p.jump_speed, p.gravity)?;
        writeln!(f, "        crouch_time: {:?},", p.crouch_time)?;
        writeln!(f, "        lean: {:?}, sight_radius: {:?},", p.lean, p.sight_radius)?;
        writeln!(f, "    ),")
    }
}

fn block<T: Display>(
    f: &mut Formatter<'_>,
    name: &str,
    items: impl ExactSizeIterator<Item = T>,
) -> fmt::Result {
    if items.len() == 0 {
        return writeln!(f, "    {name}: [],");
    }
    writeln!(f, "    {name}: [")?;
    for item in items {
        writeln!(f, "        {item},")?;
    }
    writeln!(f, "    ],")
}

struct Shape<'a>(&'a Solid);

impl Display for Shape<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Solid { id, footprint, z, blocks } = self.0;
        match footprint {
            Footprint::Polygon { outline, holes } => {
                write!(f, "Prism(id: {}, outline: {}{}", Quoted(id), Ring(outline), Holes(holes))?;
            }
            Footprint::Circle { center, radius } => {
                write!(f, "Cylinder(id: {}, center: {}, radius: {radius:?}", Quoted(id), Tuple(center))?;
            }
        }
        write!(f, ", z: ({:?}, {:?})", z.low, z.high)?;
        if *blocks != Blocks::ALL {
            let named = [(blocks.sight, "Sight"), (blocks.movement, "Movement"), (blocks.sound, "Sound")];
            let names: Vec<&str> =
                named.iter().filter(|(is_set, _)| *is_set).map(|(_, name)| *name).collect();
            write!(f, ", blocks: [{}]", names.join(", "))?;
        }
        write!(f, ")")
    }
}

/// A point of two or three coordinates.
struct Tuple<'a, P>(&'a P);

impl Display for Tuple<'_, Point2> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "({:?}, {:?})", self.0.x, self.0.y)
    }
}

impl Display for Tuple<'_, Point3> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "({:?}, {:?}, {:?})", self.0.x, self.0.y, self.0.z)
    }
}

struct Ring<'a, P>(&'a [P]);

impl<P> Display for Ring<'_, P>
where
    for<'b> Tuple<'b, P>: Display,
{
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        list(f, self.0.iter().map(Tuple))
    }
}

struct Holes<'a, P>(&'a [Vec<P>]);

impl<P> Display for Holes<'_, P>
where
    for<'b> Tuple<'b, P>: Display,
{
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(f, ", holes: ")?;
        list(f, self.0.iter().map(|hole| Ring(hole)))
    }
}

fn list<T: Display>(f: &mut Formatter<'_>, items: impl Iterator<Item = T>) -> fmt::Result {
    write!(f, "[")?;
    for (index, item) in items.enumerate() {
        write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
    }
    write!(f, "]")
}

/// A string literal.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use crate::Map;

    const SOURCE: &str = r#"(
        version: 1, name: "a \"quoted\" \\ name", cell_size: 0.5,
        player: (
            radius: 0.41, height: 1.83, eye_standing: 1.63, eye_crouched: 1.17, jump: 1.45, step: 0.46,
            max_speed: 8.3, max_accel: 50.0, jump_speed: 7.67, gravity: 20.3, crouch_time: 0.125,
            lean: 0.41, sight_radius: 0.6,
        ),
        solids: [
            Prism(id: "yard", outline: [(0.1, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)],
                holes: [[(1.0, 1.0), (3.0, 1.0), (3.0, 3.0)], [(5.0, 5.0), (6.0, 5.0), (6.0, 6.3)]], z: (-inf, 2.5)),
            Wall(id: "wall", from: (20.0, 0.0), to: (28.0, 0.0), thickness: 0.2, z: (0.0, 3.0)),
            Cylinder(id: "tank", center: (35.0, 5.0), radius: 1.2, z: (0.0, inf), blocks: [Movement, Sound]),
        ],
        doors: [Wall(id: "gate", from: (40.0, 0.0), to: (42.0, 0.1), thickness: 0.1, z: (0.0, 3.0))],
        floors: [(outline: [(0.0, 0.0, 0.0), (50.0, 0.0, 0.0), (50.0, 9.0, 1.5)],
            holes: [[(46.0, 1.5, 0.25), (47.5, 1.5, 0.25), (47.5, 3.0, 0.5)]])],
        areas: [(name: "A site", outline: [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)])],
        spawns: [(team: "red", at: (30.0, 1.0, 0.0))],
    )"#;

    #[test]
    fn a_written_map_reads_back_as_the_same_map_with_one_element_a_line() {
        let map = Map::parse(SOURCE, "source").unwrap().map;
        let text = map.to_source();
        let again = Map::parse(&text, "written").unwrap().map;
        assert_eq!(Map { source_hash: map.source_hash, ..again.clone() }, map);
        assert_eq!(again.to_source(), text);
        assert_eq!(text.lines().filter(|line| line.contains("id: ")).count(), 4);
    }
}
