//! What a frame holds of an entity, and what it is told of one.
//!
//! Owns plain data. Must not know who is told.

use crate::geom::Point3;
use crate::ids::{ClassId, EntityId};
use crate::wire::Level;

/// One entity.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ToldEntity {
    pub(super) entity: EntityId,
    pub(super) class: ClassId,
    pub(super) level: Level,
    pub(super) parent: Option<EntityId>,
    pub(super) record: u32,
    pub(super) references: u32,
    pub(super) share: u32,
    pub(super) at: u32,
    pub(super) place: Option<Point3>,
    pub(super) speed_mps: f64,
    pub(super) size_m: f64,
    pub(super) is_by_right: bool,
    /// The game's own: told to nobody, change queries are narrowed by them.
    pub(super) categories: u64,
}

/// One entity with its record.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToldRecord<'a> {
    pub(super) of: &'a ToldEntity,
    pub(super) record: &'a [u8],
    pub(super) references: &'a [Option<EntityId>],
}

/// What was told in the tick before and is not any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gone {
    pub(crate) entity: EntityId,
    pub(crate) class: ClassId,
    pub(crate) level: Level,
    pub(crate) is_by_right: bool,
}

/// An entity as it is told now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content<'a> {
    pub(super) entity: EntityId,
    /// Its place in the world's list.
    pub(super) at: u32,
    pub(super) class: ClassId,
    pub(super) level: Level,
    pub(super) parent: Option<EntityId>,
    pub(super) record: &'a [u8],
    pub(super) share: u32,
    pub(super) place: Option<Point3>,
    pub(super) speed_mps: f64,
    pub(super) size_m: f64,
    pub(super) is_by_right: bool,
    pub(super) categories: u64,
}

impl ToldEntity {
    pub(super) const NOTHING: Self = Self {
        entity: EntityId::new(0, 0),
        class: ClassId(0),
        level: Level::Hidden,
        parent: None,
        record: 0,
        references: 0,
        share: 0,
        at: 0,
        place: None,
        speed_mps: 0.0,
        size_m: 0.0,
        is_by_right: false,
        categories: 0,
    };

    pub(super) fn of(content: &Content<'_>, references: usize) -> Self {
        Self {
            entity: content.entity,
            class: content.class,
            level: content.level,
            parent: content.parent,
            record: content.record.len() as u32,
            references: references as u32,
            share: content.share,
            at: content.at,
            place: content.place,
            speed_mps: content.speed_mps,
            size_m: content.size_m,
            is_by_right: content.is_by_right,
            categories: content.categories,
        }
    }

    /// Whether it is another entity, or one told in another way.
    pub(super) fn is_other(&self, other: &Self) -> bool {
        (self.entity, self.class, self.level, self.parent)
            != (other.entity, other.class, other.level, other.parent)
    }

    pub(super) fn gone(&self) -> Gone {
        let Self { entity, class, level, is_by_right, .. } = *self;
        Gone { entity, class, level, is_by_right }
    }
}
