//! The records of a tick: each entity quantised once per level, and shared by all who are told it at that level.
//!
//! Promises: a record holds what its level is told and nothing else; a value that does not fit leaves that level
//! without a record. Errs towards hidden. Must not know who is told.

use super::values::entity_value;
use crate::geom::Point3;
use crate::ids::{ClassId, EntityId};
use crate::rules::{BodyPoint, Class, ClassLinks, FieldSource, Rules, SightPolicy, TeamVision};
use crate::wire::{ClassSchema, Column, Layout, Level, Value};
use crate::world::Entity;

/// Some of the levels at which anything is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LevelSet(u8);

impl LevelSet {
    /// The levels at which somebody may be told of an entity; `is_told_all` where one knows everything.
    pub(crate) fn of(rules: &Rules, entity: &Entity<'_>, is_told_all: bool) -> Self {
        let Some(class) = rules.class(entity.class) else { return Self::default() };
        let grants = &class.grants;
        let when = |holds: bool, level: Level| if holds { level } else { Level::Hidden };
        let is_contested = class.sight != SightPolicy::Never;
        let is_spotted = is_contested && rules.settings().team_vision == TeamVision::Spotted;
        let is_heard = is_contested && (class.audible.is_some() || entity.parent.is_some());
        Self::default()
            .with(grants.own)
            .with(grants.always)
            .with(when(entity.owner.is_some(), grants.owned))
            .with(when(entity.team.is_some(), grants.team))
            .with(when(!entity.groups.is_empty(), grants.group))
            .with(when(entity.presenter, grants.presenter))
            .with(when(is_contested, Level::Seen))
            .with(when(is_spotted, Level::Spotted))
            .with(when(is_heard, Level::Heard))
            .with(when(is_told_all, Level::Owner))
    }

    /// Adds a level; `Hidden` adds nothing.
    #[must_use]
    fn with(self, level: Level) -> Self {
        level.index().map_or(self, |index| Self(self.0 | 1 << index))
    }

    fn has(self, level: Level) -> bool {
        level.index().is_some_and(|index| self.0 >> index & 1 == 1)
    }
}

/// The record of an entity at a level, and what of it decides its turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    bytes: [u32; 2],
    references: [u32; 2],
    /// The same for the same entity and level.
    pub(super) share: u32,
    pub(super) place: Option<Point3>,
    pub(super) yaw_deg: Option<f64>,
    pub(super) speed_mps: f64,
    pub(super) size_m: f64,
}

/// Which columns of a class and level tell place, velocity and yaw.
#[derive(Clone, Copy, Debug, Default)]
struct Telling {
    place: Option<usize>,
    velocity: Option<usize>,
    yaw: Option<usize>,
}

/// A column of an earlier level that is told the same.
#[derive(Clone, Copy, Debug)]
struct Earlier {
    level: usize,
    column: usize,
}

#[derive(Clone, Debug)]
struct ClassTelling {
    levels: [Telling; 5],
    /// By level, then by column.
    earlier: [Vec<Option<Earlier>>; 5],
    /// Whether the level is told anything.
    tells: [bool; 5],
    /// An earlier level that is told the same in the same bytes.
    same: [Option<usize>; 5],
    size_m: f64,
}

/// All records of one tick, and those of the tick before of what has not changed.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    classes: Vec<ClassTelling>,
    told: Vec<[Option<Told>; 5]>,
    /// By place, the levels that have one: asked of far more often than what they are told.
    made: Vec<u8>,
    /// By place.
    rooms: Vec<Room>,
    bytes: Vec<u8>,
    references: Vec<Option<EntityId>>,
    strides: [usize; 2],
    /// Of the bytes and references, those that no place has any more.
    waste: usize,
    /// Whether records were made for one who knows everything.
    are_of_all: bool,
    extent_m: f64,
    unfit: u64,
    out_of_extent: u64,
}

/// Where the records of a place are, and what is wrong with them.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    /// Where its bytes begin, and how many it may have.
    bytes: [u32; 2],
    /// The same of its references.
    references: [u32; 2],
    /// Levels at which a value does not fit.
    unfit: u8,
    is_out_of_extent: bool,
}

/// Bytes and references that may be wasted before all records are made anew.
const LEAST_WASTE: usize = 4096;

impl Records {
    pub(crate) fn new(rules: &Rules) -> Self {
        let class = |(index, class): (usize, &Class)| {
            let id = ClassId(index as u16);
            let links = rules.class_links(id);
            let telling = |level| {
                let layout = rules.schema().class(id).and_then(|schema| schema.layout(level));
                let column = |source| {
                    let field = links?.sources.iter().position(|of| *of == source)?;
                    layout?.column_of(field)
                };
                Telling {
                    place: column(FieldSource::Position),
                    velocity: column(FieldSource::Velocity),
                    yaw: column(FieldSource::Yaw),
                }
            };
            let size = |point: &BodyPoint| point.up_m.max(2.0 * point.placing.off_axis_m());
            let size_m = class.body.iter().map(size).fold(0.0, f64::max);
            let tells = |level| {
                let schema = rules.schema().class(id);
                schema
                    .is_some_and(|schema| schema.layout(level).is_some_and(|layout| is_told(schema, layout)))
            };
            let layout = |level| rules.schema().class(id).and_then(|schema| schema.layout(level));
            let same = std::array::from_fn(|index| {
                let own = layout(Level::TOLD[index])?;
                (0..index).find(|&earlier| layout(Level::TOLD[earlier]) == Some(own))
            });
            let earlier = |level: usize| {
                let columns = layout(Level::TOLD[level]).map_or(&[][..], |layout| layout.columns());
                let find = |of: &Column| {
                    let told = |index: usize| {
                        let layout = layout(Level::TOLD[index])?;
                        let column = layout.column_of(of.field)?;
                        let is_same =
                            layout.columns()[column].coding == of.coding && !of.coding.is_reference();
                        is_same.then_some(Earlier { level: index, column })
                    };
                    (0..level).find_map(told)
                };
                columns.iter().map(find).collect()
            };
            ClassTelling {
                levels: Level::TOLD.map(telling),
                earlier: std::array::from_fn(earlier),
                tells: Level::TOLD.map(tells),
                same,
                size_m,
            }
        };
        let classes = rules.source().classes.iter().enumerate().map(class).collect();
        let layouts = rules
            .schema()
            .classes()
            .iter()
            .flat_map(|class| Level::TOLD.into_iter().filter_map(|level| class.layout(level)));
        let strides = layouts.fold([0, 0], |[bytes, references], layout| {
            [bytes.max(layout.bytes()), references.max(layout.references())]
        });
        Self {
            strides,
            classes,
            told: Vec::new(),
            made: Vec::new(),
            rooms: Vec::new(),
            bytes: Vec::new(),
            references: Vec::new(),
            waste: 0,
            are_of_all: false,
            extent_m: rules.source().extent_m,
            unfit: 0,
            out_of_extent: 0,
        }
    }

    /// Begins a tick of so many entities; `of_all` where one knows everything. True where the records of the tick before
    /// stay, as far as their entities did not change; else all are to be made.
    pub(crate) fn begin(&mut self, entities: usize, of_all: bool, keeps: bool) -> bool {
        let used = self.bytes.len() + self.references.len();
        let keeps = keeps && of_all == self.are_of_all && self.waste < LEAST_WASTE.max(used / 2);
        self.are_of_all = of_all;
        if keeps {
            (entities..self.rooms.len()).for_each(|place| self.forget(place));
        } else {
            self.bytes.clear();
            self.references.clear();
            self.told.clear();
            self.made.clear();
            self.rooms.clear();
            (self.waste, self.unfit, self.out_of_extent) = (0, 0, 0);
        }
        self.told.resize(entities, [None; 5]);
        self.made.resize(entities, 0);
        self.rooms.resize(entities, Room::default());
        keeps
    }

    /// Levels at which a value of an entity does not fit, and entities beyond the world's edge.
    pub(crate) fn faults(&self) -> (u64, u64) {
        (self.unfit, self.out_of_extent)
    }

    /// Forgets the records of a place, but for its room.
    fn forget(&mut self, place: usize) {
        (self.told[place], self.made[place]) = ([None; 5], 0);
        let room = &mut self.rooms[place];
        self.unfit -= u64::from(std::mem::take(&mut room.unfit));
        self.out_of_extent -= u64::from(std::mem::take(&mut room.is_out_of_extent));
    }

    /// Room for so many bytes and references of a place, emptied.
    fn make_room(&mut self, place: usize, [bytes, references]: [usize; 2]) -> [usize; 2] {
        let Self { bytes: all, references: named, rooms, waste, .. } = self;
        let room = &mut rooms[place];
        if (room.bytes[1] as usize) < bytes || (room.references[1] as usize) < references {
            *waste += (room.bytes[1] + room.references[1]) as usize;
            room.bytes = [all.len() as u32, bytes as u32];
            room.references = [named.len() as u32, references as u32];
            all.resize(all.len() + bytes, 0);
            named.resize(named.len() + references, None);
        }
        let [start, first] = [room.bytes[0] as usize, room.references[0] as usize];
        all[start..start + bytes].fill(0);
        [start, first]
    }

    /// Makes an entity's records at these levels.
    pub(crate) fn make(&mut self, rules: &Rules, place: usize, entity: &Entity<'_>, levels: LevelSet) {
        self.forget(place);
        let is_out = entity.pos.iter().any(|at| at.abs() > self.extent_m);
        let mut unfit = 0;
        let schema = rules.schema().class(entity.class);
        if let (Some(schema), Some(links)) = (schema, rules.class_links(entity.class)) {
            let layouts = || {
                let wanted = Level::TOLD.into_iter().enumerate().filter(|(_, level)| levels.has(*level));
                let layout = |(index, level)| Some((index, schema.layout(level)?));
                wanted.filter_map(layout).filter(|(_, layout)| is_told(schema, layout))
            };
            let sizes = layouts().fold([0, 0], |[bytes, references], (_, layout)| {
                [bytes + layout.bytes(), references + layout.references()]
            });
            let mut at = self.make_room(place, sizes);
            for (index, layout) in layouts() {
                let share = (place * Level::TOLD.len() + index) as u32;
                let same = self.classes[usize::from(entity.class.0)].same[index];
                if let Some(told) = same.and_then(|same| self.told[place][same]) {
                    self.told[place][index] = Some(Told { share, ..told });
                    self.made[place] |= 1 << index;
                    continue;
                }
                let made = self.quantise((schema, layout), links, (place, entity), (share, index), &mut at);
                unfit += u8::from(made.is_none());
                self.made[place] |= u8::from(made.is_some()) << index;
                self.told[place][index] = made;
            }
        } else {
            unfit = 1;
        }
        let room = &mut self.rooms[place];
        (room.unfit, room.is_out_of_extent) = (unfit, is_out);
        self.unfit += u64::from(unfit);
        self.out_of_extent += u64::from(is_out);
    }

    fn quantise(
        &mut self,
        (schema, layout): (&ClassSchema, &Layout),
        links: &ClassLinks,
        (place, entity): (usize, &Entity<'_>),
        (share, level): (u32, usize),
        at: &mut [usize; 2],
    ) -> Option<Told> {
        if entity.values.len() != links.values {
            return None;
        }
        let Self { classes, told, bytes, references, .. } = self;
        let class = &classes[usize::from(entity.class.0)];
        let before = |column: usize| {
            let Earlier { level, column } = class.earlier[level][column]?;
            Some((told[place][level].as_ref()?, schema.layout(Level::TOLD[level])?, column))
        };
        let [start, first] = *at;
        let end = start + layout.bytes();
        let mut named = first;
        for (column, of) in layout.columns().iter().enumerate() {
            if let Some((told, layout_before, column_before)) = before(column) {
                let from = layout_before.place(column_before);
                let record = told.bytes[0] as usize;
                bytes.copy_within(record + from.start..record + from.end, start + layout.place(column).start);
                continue;
            }
            let value = entity_value(entity, links.sources[of.field])?;
            #[cfg(test)]
            let value = crate::planted::field(value, entity);
            layout.quantise(column, &value, &mut bytes[start..end]).ok()?;
            if let Value::Reference(id) = value {
                references[named] = id;
                named += 1;
            }
        }
        let record = &bytes[start..end];
        *at = [end, named];
        let telling = class.levels[level];
        let vector = |column| match layout.value::<()>(column, record) {
            Value::Vector(vector) => Some(vector),
            _ => None,
        };
        let yaw = |column| match layout.value::<()>(column, record) {
            Value::Float(degrees) => Some(degrees),
            _ => None,
        };
        let speed = |column| vector(column).map(|[x, y, z]| (x * x + y * y + z * z).sqrt());
        // What was told before in the same bytes says the same.
        let told_before = |column| before(column).map(|(told, ..)| told);
        Some(Told {
            bytes: [start, end].map(|at| at as u32),
            references: [first, named].map(|at| at as u32),
            share,
            place: telling.place.and_then(|column| match told_before(column) {
                Some(told) => told.place,
                None => vector(column).map(Point3::from),
            }),
            yaw_deg: telling.yaw.and_then(|column| match told_before(column) {
                Some(told) => told.yaw_deg,
                None => yaw(column),
            }),
            speed_mps: telling.velocity.map_or(0.0, |column| match told_before(column) {
                Some(told) => told.speed_mps,
                None => speed(column).unwrap_or(0.0),
            }),
            size_m: class.size_m,
        })
    }

    /// Bytes and references of the longest record that there can be.
    pub(super) fn strides(&self) -> [usize; 2] {
        self.strides
    }

    /// Whether a level is told anything of a class.
    pub(crate) fn tells(&self, class: ClassId, level: Level) -> bool {
        let index = level.index();
        index.is_some_and(|index| self.classes.get(usize::from(class.0)).is_some_and(|c| c.tells[index]))
    }

    /// Whether the entity can be told at this level.
    pub(crate) fn has(&self, place: usize, level: Level) -> bool {
        level.index().is_some_and(|index| self.made[place] >> index & 1 == 1)
    }

    pub(super) fn get(&self, place: usize, level: Level) -> Option<&Told> {
        self.told[place][level.index()?].as_ref()
    }

    pub(super) fn bytes(&self, told: &Told) -> &[u8] {
        &self.bytes[told.bytes[0] as usize..told.bytes[1] as usize]
    }

    pub(super) fn references(&self, told: &Told) -> &[Option<EntityId>] {
        &self.references[told.references[0] as usize..told.references[1] as usize]
    }
}

/// Whether a level is told anything: that something of a class is there is told only to whom any of it is.
fn is_told(schema: &ClassSchema, layout: &Layout) -> bool {
    !layout.columns().is_empty() || schema.fields.is_empty()
}
