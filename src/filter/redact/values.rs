//! The values of fields, as the game lent them.
//!
//! Promises: what was not lent has no value. Must not know who is told.

use crate::ids::EntityId;
use crate::rules::FieldSource;
use crate::wire::Value;
use crate::world::{Entity, Event, Stance};

/// The value of a field; none where the game did not lend it.
pub(super) fn entity_value<'a>(entity: &Entity<'a>, source: FieldSource) -> Option<Value<'a, EntityId>> {
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
