//! The records of a tick: each entity quantised once per level, and shared by all who are told it at that level.
//!
//! Promises: a record holds what its level is told and nothing else; a value that does not fit leaves that level
//! without a record. Errs towards hidden. Must not know who is told.

use crate::geom::Point3;
use crate::ids::{ClassId, EntityId};
use crate::rules::{BodyPoint, Class, ClassLinks, FieldSource, Rules, SightPolicy, TeamVision};
use crate::wire::{ClassSchema, Column, Layout, Level, Value};
use crate::world::{Entity, Event, Stance};

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

/// All records of one tick.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    classes: Vec<ClassTelling>,
    told: Vec<[Option<Told>; 5]>,
    /// By place, the levels that have one: asked of far more often than what they are told.
    made: Vec<u8>,
    bytes: Vec<u8>,
    references: Vec<Option<EntityId>>,
}

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
        Self { classes, told: Vec::new(), made: Vec::new(), bytes: Vec::new(), references: Vec::new() }
    }

    /// Forgets the records, for a tick of so many entities.
    pub(crate) fn clear(&mut self, entities: usize) {
        self.bytes.clear();
        self.references.clear();
        self.told.clear();
        self.told.resize(entities, [None; 5]);
        self.made.clear();
        self.made.resize(entities, 0);
    }

    /// Makes an entity's records at these levels; gives at how many of them a value does not fit.
    pub(crate) fn make(&mut self, rules: &Rules, place: usize, entity: &Entity<'_>, levels: LevelSet) -> u32 {
        let schema = rules.schema().class(entity.class);
        let (Some(schema), Some(links)) = (schema, rules.class_links(entity.class)) else { return 1 };
        let mut unfit = 0;
        for (index, level) in Level::TOLD.into_iter().enumerate().filter(|(_, level)| levels.has(*level)) {
            let Some(layout) = schema.layout(level) else { continue };
            if !is_told(schema, layout) {
                continue;
            }
            let share = (place * Level::TOLD.len() + index) as u32;
            let same = self.classes[usize::from(entity.class.0)].same[index];
            if let Some(told) = same.and_then(|same| self.told[place][same]) {
                self.told[place][index] = Some(Told { share, ..told });
                self.made[place] |= 1 << index;
                continue;
            }
            let made = self.quantise((schema, layout), links, (place, entity), (share, index));
            unfit += u32::from(made.is_none());
            self.made[place] |= u8::from(made.is_some()) << index;
            self.told[place][index] = made;
        }
        unfit
    }

    fn quantise(
        &mut self,
        (schema, layout): (&ClassSchema, &Layout),
        links: &ClassLinks,
        (place, entity): (usize, &Entity<'_>),
        (share, level): (u32, usize),
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
        let (start, first) = (bytes.len(), references.len());
        bytes.resize(start + layout.bytes(), 0);
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
            layout.quantise(column, &value, &mut bytes[start..]).ok()?;
            if let Value::Reference(id) = value {
                references.push(id);
            }
        }
        let record = &bytes[start..];
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
            bytes: [start, bytes.len()].map(|at| at as u32),
            references: [first, references.len()].map(|at| at as u32),
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

    /// Bytes and references of all records together.
    pub(super) fn sizes(&self) -> [usize; 2] {
        [self.bytes.len(), self.references.len()]
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

/// The value of a field; none where the game did not lend it.
fn entity_value<'a>(entity: &Entity<'a>, source: FieldSource) -> Option<Value<'a, EntityId>> {
    Some(match source {
        FieldSource::Position => Value::Vector(entity.pos.coords.into()),
        FieldSource::Velocity => Value::Vector(entity.vel.into()),
        FieldSource::Yaw => Value::Float(entity.yaw_deg),
        FieldSource::Pitch => Value::Float(entity.pitch_deg),
        FieldSource::Stance => Value::Choice(u16::from(entity.stance == Stance::Crouched)),
        FieldSource::Alive => Value::Bool(entity.alive),
        // No team is below all teams: it is told as the least number.
        FieldSource::Team => Value::Int(entity.team.map_or(-1, |team| i64::from(team.0))),
        FieldSource::Owner => Value::Reference(entity.owner),
        FieldSource::Parent => Value::Reference(entity.parent),
        FieldSource::Value(index) => *entity.values.get(index)?,
        FieldSource::About(_) => return None,
    })
}

/// The value of an event's field; none where the game did not lend it.
pub(super) fn event_value<'a>(event: &Event<'a>, source: FieldSource) -> Option<Value<'a, EntityId>> {
    match source {
        FieldSource::Position => Some(Value::Vector(event.pos?.coords.into())),
        FieldSource::About(index) => Some(Value::Reference(event.about.get(index).copied())),
        FieldSource::Value(index) => event.values.get(index).copied(),
        _ => None,
    }
}
