//! Which handles are there in this tick, and where in the lent list each is.
//!
//! Promises: look-up in constant time, no memory taken once every slot was seen; a handle of an earlier
//! generation is an error and never finds the slot's present user.

use super::{Entity, Observer};
use crate::ids::{EntityId, Handle, ObserverId};

/// Handles with an index of this or more are refused: memory is kept per slot.
pub const MOST_HANDLES: u32 = 1 << 20;

/// Why a handle finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandleError {
    /// The slot was never used, or its user is not there in this tick.
    #[error("nothing of this handle is there in this tick")]
    Absent,
    /// The slot has another user now, or had one since.
    #[error("the handle is stale: its slot was given away again")]
    Stale,
    /// What it names was refused in this tick.
    #[error("what it names was refused in this tick")]
    Refused,
}

/// Something lent that is refused: it is hidden from everybody for this tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorldProblem<H: Handle> {
    /// A position, a velocity or another number is infinite or not a number.
    #[error("{0:?} has a number that is not finite")]
    NotFinite(H),
    /// A second one of the same index in one tick: all of them are refused, whatever their order.
    #[error("{0:?} has the index of another in the same tick")]
    Twice(H),
    /// Its slot has had a later generation already.
    #[error("{0:?} is of an earlier generation than its slot has had")]
    Stale(H),
    /// Its index is not below [`MOST_HANDLES`].
    #[error("{0:?} has an index beyond all slots")]
    BeyondSlots(H),
}

/// The handles of one tick by slot; kept from tick to tick to know a stale one.
#[derive(Clone, Debug)]
pub struct Roster<H> {
    slots: Vec<Slot>,
    /// Count of refreshes, from 2: slots of an earlier one are empty. It never wraps.
    refresh: u64,
    /// The list that was taken last, by place.
    list: Vec<H>,
    /// Whether all of it was taken, none refused.
    is_whole: bool,
    /// Whether in the last refresh only what had changed was looked at.
    is_partial: bool,
    /// Places that are said not to have changed are looked at by turns: from this one on.
    next_check: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    generation: u32,
    /// Refresh in which it was seen last; 0 is never.
    refresh: u64,
    /// Place in the lent list, or [`REFUSED`].
    place: u32,
}

/// Ticks in which all places that are said not to have changed are looked at once.
const CHECK_TICKS: usize = 32;

/// Place of what was refused; no list is as long.
const REFUSED: u32 = u32::MAX;

impl<H> Default for Roster<H> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            refresh: 1,
            list: Vec::new(),
            is_whole: false,
            is_partial: false,
            next_check: 0,
        }
    }
}

impl Roster<EntityId> {
    /// Takes the list of a tick; `refused` gets every entity that is not taken.
    pub fn refresh_entities(&mut self, entities: &[Entity<'_>], refused: &mut Vec<WorldProblem<EntityId>>) {
        self.refresh(entities.iter().map(|entity| (entity.id, entity.is_finite())), refused);
    }

    /// The same, where all that is not as in the list before is at these places, as [`World::changed`](super::World) has it.
    pub fn refresh_changed_entities(
        &mut self,
        entities: &[Entity<'_>],
        changed: Option<&[u32]>,
        refused: &mut Vec<WorldProblem<EntityId>>,
    ) {
        let is_taken = changed.is_some_and(|changed| self.take_changed(entities, changed));
        if !is_taken {
            self.refresh_entities(entities, refused);
        }
    }

    /// Takes what changed; false where anything is wrong with it, so that all of the list is to be looked at.
    fn take_changed(&mut self, entities: &[Entity<'_>], changed: &[u32]) -> bool {
        if !self.is_whole {
            return false;
        }
        let before = self.list.len();
        let places = || {
            let listed = changed.iter().map(|&place| place as usize);
            listed.filter(|&place| place < before.min(entities.len())).chain(before..entities.len())
        };
        // First all go, then all come: they may have changed places.
        for place in places().filter(|&place| place < before).chain(entities.len()..before) {
            let slot = &mut self.slots[self.list[place].index as usize];
            if slot.place as usize == place {
                slot.refresh = self.refresh - 1;
            }
        }
        self.list.truncate(entities.len());
        for place in places() {
            let entity = &entities[place];
            let is_known = (entity.id.index as usize) < self.slots.len();
            let slot = self.slots.get(entity.id.index as usize).copied().unwrap_or_default();
            let ahead = entity.id.generation.wrapping_sub(slot.generation) as i32;
            let is_free = slot.refresh != self.refresh || slot.place as usize == place;
            if !is_known || !is_free || ahead < 0 || !entity.is_finite() {
                return false;
            }
            let slot = &mut self.slots[entity.id.index as usize];
            *slot = Slot { generation: entity.id.generation, refresh: self.refresh, place: place as u32 };
            if place < self.list.len() {
                self.list[place] = entity.id;
            } else {
                self.list.push(entity.id);
            }
        }
        self.is_partial = true;
        self.is_kept(entities)
    }

    /// Looks at some of the places, others each time: whether the entities there are those that were taken. A game that
    /// leaves out changes is found out so, and the list then taken whole, which errs towards hidden from then on.
    fn is_kept(&mut self, entities: &[Entity<'_>]) -> bool {
        let first = if self.next_check < entities.len() { self.next_check } else { 0 };
        let last = (first + entities.len().div_ceil(CHECK_TICKS)).min(entities.len());
        self.next_check = last;
        entities[first..last].iter().zip(&self.list[first..last]).all(|(entity, id)| entity.id == *id)
    }
}

impl Roster<ObserverId> {
    /// Takes the list of a tick; `refused` gets every observer that is not taken.
    pub fn refresh_observers(
        &mut self,
        observers: &[Observer<'_>],
        refused: &mut Vec<WorldProblem<ObserverId>>,
    ) {
        self.refresh(observers.iter().map(|observer| (observer.id, true)), refused);
    }
}

impl<H: Handle> Roster<H> {
    /// Whether all but what was said to have changed is where it was, and was taken.
    pub(crate) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// A list was lent that was not taken: the next one is looked at whole.
    pub(crate) fn forget_list(&mut self) {
        self.is_whole = false;
    }

    /// Places in the lent list of all that were taken, in the order of their slots.
    pub(crate) fn in_slots(&self) -> impl Iterator<Item = usize> + '_ {
        let taken = |slot: &&Slot| slot.refresh == self.refresh && slot.place != REFUSED;
        self.slots.iter().filter(taken).map(|slot| slot.place as usize)
    }

    /// Where in the lent list `handle` is.
    ///
    /// # Errors
    /// Where it names nothing that was taken in this tick.
    pub fn place(&self, handle: H) -> Result<usize, HandleError> {
        let slot = self.slots.get(handle.index() as usize).filter(|slot| slot.refresh != 0);
        match slot {
            None => Err(HandleError::Absent),
            Some(slot) if slot.generation != handle.generation() => {
                let is_later = handle.generation().wrapping_sub(slot.generation) as i32 > 0;
                Err(if is_later { HandleError::Absent } else { HandleError::Stale })
            }
            Some(slot) if slot.refresh != self.refresh => Err(HandleError::Absent),
            Some(slot) if slot.place == REFUSED => Err(HandleError::Refused),
            Some(slot) => Ok(slot.place as usize),
        }
    }

    /// Takes a tick's handles and whether each is sound.
    fn refresh(
        &mut self,
        list: impl ExactSizeIterator<Item = (H, bool)>,
        refused: &mut Vec<WorldProblem<H>>,
    ) {
        self.refresh += 1;
        let before = refused.len();
        self.list.clear();
        for (place, (handle, is_sound)) in list.enumerate() {
            self.list.push(handle);
            let index = handle.index() as usize;
            if handle.index() >= MOST_HANDLES {
                refused.push(WorldProblem::BeyondSlots(handle));
                continue;
            }
            if index >= self.slots.len() {
                self.slots.resize(index + 1, Slot::default());
            }
            let slot = &mut self.slots[index];
            let is_known = slot.refresh != 0;
            let ahead = handle.generation().wrapping_sub(slot.generation) as i32;
            if slot.refresh == self.refresh {
                slot.place = REFUSED;
                slot.generation = if ahead > 0 { handle.generation() } else { slot.generation };
                refused.push(WorldProblem::Twice(handle));
            } else if is_known && ahead < 0 {
                refused.push(WorldProblem::Stale(handle));
            } else {
                if !is_sound {
                    refused.push(WorldProblem::NotFinite(handle));
                }
                let place = if is_sound { u32::try_from(place).unwrap_or(REFUSED) } else { REFUSED };
                *slot = Slot { generation: handle.generation(), refresh: self.refresh, place };
            }
        }
        self.is_whole = refused.len() == before;
        self.is_partial = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Point3;
    use crate::ids::ClassId;

    fn entity(index: u32, generation: u32) -> Entity<'static> {
        Entity::new(EntityId::new(index, generation), ClassId(0), Point3::origin())
    }

    fn refreshed(roster: &mut Roster<EntityId>, entities: &[Entity<'_>]) -> Vec<WorldProblem<EntityId>> {
        let mut refused = Vec::new();
        roster.refresh_entities(entities, &mut refused);
        refused
    }

    #[test]
    fn a_stale_handle_never_finds_the_slots_new_user() {
        let mut roster = Roster::default();
        let old = EntityId::new(3, 7);
        assert_eq!(roster.place(old), Err(HandleError::Absent));
        assert_eq!(refreshed(&mut roster, &[entity(0, 0), entity(3, 7)]), []);
        assert_eq!(roster.place(old), Ok(1));
        assert_eq!(refreshed(&mut roster, &[entity(0, 0)]), []);
        assert_eq!(roster.place(old), Err(HandleError::Absent));
        assert_eq!(refreshed(&mut roster, &[entity(3, 8)]), []);
        assert_eq!(roster.place(old), Err(HandleError::Stale));
        assert_eq!(roster.place(EntityId::new(3, 8)), Ok(0));
        assert_eq!(roster.place(EntityId::new(3, 9)), Err(HandleError::Absent));
        assert_eq!(refreshed(&mut roster, &[entity(3, 7)]), [WorldProblem::Stale(old)]);
        assert_eq!(roster.place(old), Err(HandleError::Stale));
    }

    #[test]
    fn generations_go_on_over_the_wrap() {
        let mut roster = Roster::default();
        refreshed(&mut roster, &[entity(0, u32::MAX)]);
        assert_eq!(refreshed(&mut roster, &[entity(0, 0)]), []);
        assert_eq!(roster.place(EntityId::new(0, u32::MAX)), Err(HandleError::Stale));
    }

    #[test]
    fn what_is_wrong_is_refused_and_the_rest_is_taken() {
        let mut roster = Roster::default();
        let mut lost = entity(2, 0);
        lost.pos.y = f64::NAN;
        let far = EntityId::new(MOST_HANDLES, 0);
        let list = [entity(1, 0), lost, entity(1, 4), entity(far.index, 0), entity(5, 5)];
        let expected = [
            WorldProblem::NotFinite(lost.id),
            WorldProblem::Twice(EntityId::new(1, 4)),
            WorldProblem::BeyondSlots(far),
        ];
        assert_eq!(refreshed(&mut roster, &list), expected);
        assert_eq!(roster.place(lost.id), Err(HandleError::Refused));
        assert_eq!(roster.place(EntityId::new(1, 0)), Err(HandleError::Stale));
        assert_eq!(roster.place(EntityId::new(1, 4)), Err(HandleError::Refused));
        assert_eq!(roster.place(far), Err(HandleError::Absent));
        assert_eq!(roster.place(EntityId::new(5, 5)), Ok(4));
    }

    fn changed(roster: &mut Roster<EntityId>, entities: &[Entity<'_>], changed: &[u32]) -> bool {
        let mut refused = Vec::new();
        roster.refresh_changed_entities(entities, Some(changed), &mut refused);
        assert_eq!(refused, []);
        assert!(entities.iter().enumerate().all(|(place, entity)| roster.place(entity.id) == Ok(place)));
        roster.is_partial()
    }

    #[test]
    fn what_changed_is_enough_and_what_is_left_out_is_found_out() {
        let mut roster = Roster::default();
        let mut list: Vec<_> = (0..100).map(|index| entity(index, 0)).collect();
        assert!(!changed(&mut roster, &list, &[]), "nothing is known at first");
        list[7] = entity(200, 0);
        assert!(!changed(&mut roster, &list, &[7]), "a slot that was never seen");
        list[8] = entity(7, 0);
        assert!(changed(&mut roster, &list, &[8]));
        assert_eq!(roster.place(EntityId::new(8, 0)), Err(HandleError::Absent));
        // Two change places, one goes, and one comes back.
        list.swap(20, 30);
        list.pop();
        list.push(entity(8, 1));
        assert!(changed(&mut roster, &list, &[30, 20, 99, 99, 5000]));
        assert_eq!(roster.place(EntityId::new(8, 0)), Err(HandleError::Stale));
        assert_eq!(roster.place(EntityId::new(99, 0)), Err(HandleError::Absent));
        list.swap(40, 50);
        let mut refused = Vec::new();
        let is_found = (0..CHECK_TICKS).any(|_| {
            roster.refresh_changed_entities(&list, Some(&[]), &mut refused);
            !roster.is_partial()
        });
        assert!(is_found && roster.place(list[40].id) == Ok(40) && refused.is_empty());
    }

    #[test]
    fn observers_have_handles_too() {
        let mut roster = Roster::default();
        let observer = Observer::player(ObserverId::new(1, 2), EntityId::new(0, 0), None);
        roster.refresh_observers(&[observer], &mut Vec::new());
        assert_eq!(roster.place(ObserverId::new(1, 2)), Ok(0));
        assert_eq!(roster.place(ObserverId::new(1, 1)), Err(HandleError::Stale));
    }
}
