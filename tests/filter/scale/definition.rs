//! What each observer is to be told, by its definition: every entity is looked at, and nothing is remembered but what
//! was near.

use super::{CLASSES, Thing};
use fogwall::{EntityId, GroupId, Level, Point2, Point3, Region, Subscription, TeamId, TopicId};
use std::collections::{BTreeMap, HashMap, HashSet};

/// One who is told.
pub(crate) struct Beholder {
    pub(crate) own: EntityId,
    pub(crate) team: Option<TeamId>,
    pub(crate) groups: Vec<GroupId>,
    pub(crate) topics: Vec<TopicId>,
    pub(crate) subscriptions: Vec<Subscription>,
}

/// What is near whom.
#[derive(Default)]
pub(crate) struct Definition {
    near: Vec<HashSet<EntityId>>,
}

/// Radii to enter and to leave, and the one of the sound, of a class; none where geometry does not tell of it.
fn radii(class: usize) -> (Option<[f64; 2]>, Option<f64>) {
    match CLASSES[class] {
        "walker" => (Some([150.0, 165.0]), None),
        "crate" => (Some([40.0, 50.0]), None),
        "mote" => (Some([12.0, 12.0]), None),
        "tool" => (Some([20.0, 25.0]), None),
        "moon" => (Some([3000.0, 3500.0]), None),
        "engine" => (Some([10.0, 10.0]), Some(60.0)),
        "flag" | "sky" => (None, None),
        other => panic!("{other}"),
    }
}

fn granted(thing: &Thing, who: &Beholder) -> Level {
    let when = |holds: bool, level: Level| if holds { level } else { Level::Hidden };
    let is_own = thing.owner == Some(who.own);
    let is_mate = thing.team.is_some() && thing.team == who.team;
    let shares = thing.groups.iter().any(|group| who.groups.contains(group));
    match CLASSES[thing.class] {
        "walker" => when(thing.id == who.own, Level::Owner).max(when(is_mate || shares, Level::Team)),
        "crate" | "tool" => when(is_own, Level::Owner),
        "flag" => when(is_mate || shares, Level::Team),
        "sky" => Level::Seen,
        _ => Level::Hidden,
    }
}

/// Whether the observer asked for the thing, wherever it is.
fn is_asked_for(thing: &Thing, who: &Beholder) -> bool {
    let asks = |subscription: &Subscription| {
        let Region::Disc { center, radius_m } = subscription.region else {
            panic!("the play asks for discs")
        };
        // The disc holds the place, or the nearest point of a box.
        let meets = |region: &Region| {
            let Region::Box { low, high } = *region else { panic!("things have boxes") };
            let nearest = Point2::new(center.x.max(low.x).min(high.x), center.y.max(low.y).min(high.y));
            (nearest - center).norm() <= radius_m
        };
        let is_there = match thing.update_regions.as_slice() {
            [] => (thing.pos.xy() - center).norm() <= radius_m,
            regions => regions.iter().any(meets),
        };
        is_there && thing.categories & subscription.categories == subscription.categories
    };
    who.subscriptions.iter().any(asks) || thing.topics.iter().any(|topic| who.topics.contains(topic))
}

impl Definition {
    /// The levels of all that an observer is told, by slot.
    pub(crate) fn told(
        &mut self,
        things: &[Thing],
        observer: usize,
        who: &Beholder,
        eye_m: f64,
    ) -> BTreeMap<u32, Level> {
        if self.near.len() <= observer {
            self.near.resize(observer + 1, HashSet::new());
        }
        let own = things.iter().find(|thing| thing.id == who.own).map(|thing| thing.pos);
        let by_id: HashMap<EntityId, &Thing> = things.iter().map(|thing| (thing.id, thing)).collect();
        let (near, mut now) = (&self.near[observer], HashSet::new());
        let mut free = |thing: &Thing| -> Level {
            let right = granted(thing, who);
            let (Some(own), Level::Hidden) = (own, right) else { return right };
            let (seen, heard) = radii(thing.class);
            let distance_m = (thing.pos - own).norm() - thing.radius_m;
            if let Some([enter_m, leave_m]) = seen {
                let radius_m = if near.contains(&thing.id) { leave_m } else { enter_m };
                if distance_m <= radius_m {
                    now.insert(thing.id);
                    return Level::Seen;
                }
                if is_asked_for(thing, who) {
                    return Level::Seen;
                }
            }
            let ear = Point3::new(own.x, own.y, own.z + eye_m);
            let is_heard = heard.is_some_and(|radius_m| (thing.pos - ear).norm() <= radius_m);
            if is_heard { Level::Heard } else { Level::Hidden }
        };
        let mut told: BTreeMap<u32, Level> = BTreeMap::new();
        let alone = things.iter().filter(|thing| thing.parent.is_none());
        told.extend(alone.map(|thing| (thing.id.index, free(thing))));
        // What is carried, with its carrier; a tool may be carried by a tool.
        let deep = |thing: &Thing| thing.parent.and_then(|parent| by_id.get(&parent)?.parent).is_some();
        for is_deep in [false, true] {
            let carried = things.iter().filter(|thing| thing.parent.is_some() && deep(thing) == is_deep);
            let levels: Vec<_> = carried
                .map(|thing| {
                    let parent = thing.parent.and_then(|parent| by_id.get(&parent));
                    let of = parent.and_then(|parent| told.get(&parent.id.index)).copied();
                    let level = match (granted(thing, who), of.unwrap_or(Level::Hidden)) {
                        (_, Level::Hidden) => Level::Hidden,
                        (Level::Hidden, _) => Level::Seen,
                        (own, _) => own,
                    };
                    (thing.id.index, level)
                })
                .collect();
            told.extend(levels);
        }
        told.retain(|_, level| *level > Level::Hidden);
        self.near[observer] = now;
        told
    }
}
