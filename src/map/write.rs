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
