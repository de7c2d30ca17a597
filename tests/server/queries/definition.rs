//! What a change query must answer, by definition: from all frames of the ticks before, compared one by one.

use crate::game::Setting;
use fogwall::{
    Bounds, ChangeOf, ChangeQuery, ClassId, Departure, EntityId, FieldSource, Frame, Level, Point3,
    QueryAnswer, QueryEntities, Region, Tick, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// Slot and generation.
pub(crate) type Key = (u32, u32);

pub(crate) fn key(id: EntityId) -> Key {
    (id.index, id.generation)
}

/// What a frame tells of an entity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Told {
    class: ClassId,
    level: Level,
    parent: Option<EntityId>,
    record: Vec<u8>,
    references: Vec<Option<EntityId>>,
    /// Of what is carried and has no place of its own, that of its carrier.
    place: Option<[f64; 3]>,
    categories: u64,
}

impl Told {
    fn is_like(&self, other: &Self, of: ChangeOf) -> bool {
        match of {
            ChangeOf::Place => self.place == other.place,
            ChangeOf::Anything => {
                Self { categories: 0, ..self.clone() } == Self { categories: 0, ..other.clone() }
            }
        }
    }
}

/// The frames that one observer was told, by tick.
#[derive(Default)]
pub(crate) struct Frames {
    pub(crate) list: Vec<(Tick, BTreeMap<Key, Told>)>,
}

impl Frames {
    pub(crate) fn push(
        &mut self,
        setting: &Setting,
        tick: Tick,
        frame: &Frame,
        categories: impl Fn(EntityId) -> u64,
    ) {
        let mut told = BTreeMap::new();
        for record in frame.entities() {
            let record = record.get();
            let one = Told {
                class: record.class,
                level: record.level,
                parent: record.parent,
                record: record.record.to_vec(),
                references: record.references.to_vec(),
                place: place(setting, record.class, record.level, record.record),
                categories: categories(record.entity),
            };
            assert!(told.insert(key(record.entity), one).is_none(), "each once");
        }
        let of_parent = |one: &Told| told.get(&key(one.parent?)).and_then(|parent: &Told| parent.place);
        let places: Vec<_> = told.iter().map(|(key, one)| (*key, one.place.or(of_parent(one)))).collect();
        for (key, place) in places {
            told.get_mut(&key).unwrap().place = place;
        }
        self.list.push((tick, told));
        if self.list.len() > 300 {
            self.list.drain(..100);
        }
    }

    pub(crate) fn last(&self) -> &(Tick, BTreeMap<Key, Told>) {
        self.list.last().unwrap()
    }

    /// Entities for which two frames that follow each other, the later one after `since`, differ in what `is_like` says.
    fn differing(&self, since: Tick, is_like: impl Fn(&Told, &Told) -> bool) -> BTreeSet<Key> {
        let mut out = BTreeSet::new();
        for pair in self.list.windows(2).filter(|pair| pair[1].0.is_after(since)) {
            let [(_, before), (_, after)] = pair else { unreachable!() };
            for key in before.keys().chain(after.keys()) {
                let both = before.get(key).zip(after.get(key));
                if !both.is_some_and(|(before, after)| is_like(before, after)) {
                    out.insert(*key);
                }
            }
        }
        out
    }
}

fn place(setting: &Setting, class: ClassId, level: Level, record: &[u8]) -> Option<[f64; 3]> {
    let sources = &setting.rules.class_links(class)?.sources;
    let field = sources.iter().position(|source| *source == FieldSource::Position)?;
    let layout = setting.rules.schema().class(class)?.layout(level)?;
    match layout.value::<()>(layout.column_of(field)?, record) {
        Value::Vector(place) => Some(place),
        _ => None,
    }
}

/// What an answer comes to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answered {
    Full(BTreeSet<Key>),
    Since { entered: BTreeSet<Key>, changed: BTreeSet<Key>, left: BTreeMap<Key, Departure> },
}

impl Answered {
    /// The sets of an answer, whose records must be those of the last frame.
    pub(crate) fn of(answer: QueryAnswer<'_>, last: &BTreeMap<Key, Told>) -> Self {
        let keys = |entities: QueryEntities<'_>| {
            let (mut keys, mut count) = (BTreeSet::new(), 0);
            for entity in entities {
                let told = entity.get();
                let expected = last.get(&key(told.entity)).expect("what is answered is told");
                assert_eq!(
                    (told.class, told.level, told.parent),
                    (expected.class, expected.level, expected.parent)
                );
                assert_eq!((told.record, told.references), (&expected.record[..], &expected.references[..]));
                keys.insert(key(told.entity));
                count += 1;
            }
            assert_eq!(keys.len(), count, "each once");
            keys
        };
        match answer {
            QueryAnswer::FullSync(all) => Self::Full(keys(all)),
            QueryAnswer::Since(changes) => {
                let count = changes.left.clone().count();
                let left: BTreeMap<_, _> =
                    changes.left.map(|left| (key(left.get().entity), left.get().departure)).collect();
                assert_eq!(left.len(), count, "each once");
                Self::Since { entered: keys(changes.entered), changed: keys(changes.changed), left }
            }
        }
    }
}

/// A query, and what its asker holds.
pub(crate) struct Definition {
    pub(crate) query: ChangeQuery,
    known: BTreeSet<Key>,
    /// The tick at which the observer's first query was registered.
    began: Tick,
    /// Whether it was registered with a tick that was still to come.
    is_early: bool,
}

impl Definition {
    pub(crate) fn new(query: ChangeQuery, began: Tick, frames: &Frames) -> Self {
        let is_early = query.since.is_after(frames.last().0);
        let mut of = Self { query, known: BTreeSet::new(), began, is_early };
        of.known = of.covered(frames);
        of.known.extend(frames.differing(query.since, |before, after| before == after));
        of
    }

    fn covers(&self, told: &Told) -> bool {
        let is_in = |[x, y, z]: [f64; 3]| match self.query.bounds {
            Bounds::Space { low, high } => {
                (low.x..=high.x).contains(&x)
                    && (low.y..=high.y).contains(&y)
                    && (low.z..=high.z).contains(&z)
            }
            Bounds::Plan(Region::Box { low, high }) => {
                (low.x..=high.x).contains(&x) && (low.y..=high.y).contains(&y)
            }
            Bounds::Plan(Region::Disc { center, radius_m }) => {
                (Point3::new(x, y, 0.0) - Point3::new(center.x, center.y, 0.0)).norm() <= radius_m
            }
        };
        told.place.is_none_or(is_in) && self.query.categories & !told.categories == 0
    }

    fn covered(&self, frames: &Frames) -> BTreeSet<Key> {
        frames.last().1.iter().filter(|(_, told)| self.covers(told)).map(|(key, _)| *key).collect()
    }

    /// What must be answered now.
    pub(crate) fn answer(&mut self, frames: &Frames) -> Answered {
        let (now, last) = frames.last();
        let since = std::mem::replace(&mut self.query.since, *now);
        let (covered, of) = (self.covered(frames), self.query.of);
        let known = std::mem::replace(&mut self.known, covered.clone());
        let is_early = std::mem::take(&mut self.is_early);
        if now.since(since) > 64 || since.is_before(self.began) || is_early {
            return Answered::Full(covered);
        }
        let differing = frames.differing(since, |before, after| before.is_like(after, of));
        let departure =
            |key: &Key| if last.contains_key(key) { Departure::Elsewhere } else { Departure::Untold };
        Answered::Since {
            entered: covered.difference(&known).copied().collect(),
            changed: covered
                .iter()
                .filter(|key| known.contains(key) && differing.contains(key))
                .copied()
                .collect(),
            left: known.difference(&covered).map(|key| (*key, departure(key))).collect(),
        }
    }
}
