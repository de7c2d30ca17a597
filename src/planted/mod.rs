//! Planted breaches of non-interference: one line in a stage each, which the test of two worlds must find.
//!
//! Owns what is planted, and what the breaches tell of. Promises: it is compiled into the library's own tests alone;
//! nothing of it is in a build that anybody else uses.

mod tests;

use crate::ids::{EntityId, NetId};
use crate::wire::{Level, Value};
use crate::world::{Entity, World};
use std::cell::Cell;
use std::cmp::Ordering;

/// A breach, and the stage that it is planted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leak {
    /// Redaction: a told place shows a value that is not told.
    Field,
    /// Sending: datagrams are longer the more is hidden.
    Size,
    /// Sending: turns go by handle.
    Order,
    /// Sending: names are given in the order of handles.
    Id,
    /// Sending: weights grow by where the hidden are.
    Accumulator,
    /// Sending: a name that was never given is removed.
    Removal,
}

/// What is hidden from one observer in one tick.
#[derive(Clone, Copy, Default)]
struct Hidden {
    count: usize,
    /// Of all places and directions.
    sum: f64,
}

thread_local! {
    static PLANTED: Cell<Option<Leak>> = const { Cell::new(None) };
    static HIDDEN: Cell<Hidden> = const { Cell::new(Hidden { count: 0, sum: 0.0 }) };
}

/// Plants a breach on this thread in place of the one before.
fn plant(leak: Option<Leak>) {
    PLANTED.set(leak);
}

fn is_planted(leak: Leak) -> bool {
    PLANTED.get() == Some(leak)
}

/// Looks at what is hidden from the observer whose datagrams come next.
pub(crate) fn look(world: &World<'_>, level: impl Fn(usize) -> Level) {
    let mut hidden = Hidden::default();
    for (entity, _) in world.entities.iter().zip(0..).filter(|(_, place)| level(*place) == Level::Hidden) {
        hidden.count += 1;
        hidden.sum += entity.pos.coords.norm() + entity.yaw_deg;
    }
    HIDDEN.set(hidden);
}

/// A value as it is told.
pub(crate) fn field<'a>(value: Value<'a, EntityId>, entity: &Entity<'a>) -> Value<'a, EntityId> {
    match (value, entity.values.first()) {
        (Value::Vector([x, y, z]), Some(Value::Int(hidden))) if is_planted(Leak::Field) => {
            Value::Vector([x + *hidden as f64 / 100.0, y, z])
        }
        _ => value,
    }
}

/// What a datagram is padded to.
pub(crate) fn size(bytes: usize, limit: usize) -> usize {
    let more = if is_planted(Leak::Size) { HIDDEN.get().count % 8 } else { 0 };
    (bytes + more).min(limit)
}

/// What decides the turn of a bundle.
pub(crate) fn turn(weight: f64, id: NetId, root: EntityId) -> (f64, NetId) {
    if is_planted(Leak::Order) { (0.0, NetId(root.index as u16)) } else { (weight, id) }
}

/// The order in which names are given, if it goes by handles.
pub(crate) fn names(a: EntityId, b: EntityId) -> Option<Ordering> {
    is_planted(Leak::Id).then(|| (a.index, a.generation).cmp(&(b.index, b.generation)))
}

/// What a weight grows by beside its gain.
pub(crate) fn gain(distance_m: f64) -> f64 {
    let near = 1.0 + (HIDDEN.get().sum % 20.0 - distance_m).abs();
    if is_planted(Leak::Accumulator) { 20.0 / near } else { 0.0 }
}

/// A name to be removed, though it was never given.
pub(crate) fn removal(is_used: impl Fn(NetId) -> bool) -> Option<NetId> {
    let is_due = is_planted(Leak::Removal) && HIDDEN.get().count.is_multiple_of(3);
    is_due.then(|| (0..=u16::MAX).map(NetId).find(|id| !is_used(*id))).flatten()
}
