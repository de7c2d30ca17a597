//! From the lines of a recording to the world of each tick.
//!
//! Owns names and numbers, handles and their generations, and what keeps its last state. Promises: a name that the rules or
//! the map don't have is an error; a slot that is used again has a new generation. Must not know what is told to whom.

mod check;
mod lend;

use super::baseline::Baseline;
use super::values::{Fitted, Owned, values};
use crate::geom::{Point2, Point3};
use crate::ids::{ClassId, EntityId, EventClassId, GroupId, ObserverId, SoundClassId, TeamId, TopicId};
use crate::map::Map;
use crate::recording::{CutLine, EntityLine, ObserverLine, OccluderLine, TickLine, Wrong};
use crate::rules::{Motion, Rules};
use crate::tick::Tick;
use crate::world::{Door, DoorMotion, MOST_HANDLES, Membership, Region, SmokeCloud, Sound};
use std::collections::{BTreeMap, HashMap};

/// An entity as it is now.
pub(super) struct Actor {
    pub(super) id: EntityId,
    pub(super) class: ClassId,
    pub(super) team: Option<TeamId>,
    /// The tick in which it came to be, or came here other than by moving.
    pub(super) since: u32,
    pub(super) line: EntityLine,
    groups: Vec<GroupId>,
    values: Vec<Owned>,
}

/// An observer as it is now.
pub(super) struct Watcher {
    pub(super) id: ObserverId,
    pub(super) team: Option<TeamId>,
    pub(super) line: ObserverLine,
    groups: Vec<GroupId>,
    topics: Vec<TopicId>,
    regions: Vec<Region>,
    rtt_ms: Vec<f64>,
}

/// An event of this tick.
struct Happened {
    class: EventClassId,
    about: Vec<EntityId>,
    pos: Option<Point3>,
    values: Vec<Owned>,
}

/// Everybody and everything of the present tick.
pub(super) struct Cast<'a> {
    rules: &'a Rules,
    tick_ms: f64,
    filter: Baseline,
    pub(super) actors: BTreeMap<u32, Actor>,
    pub(super) watchers: BTreeMap<u32, Watcher>,
    pub(super) teams: Vec<String>,
    /// Slots of handles by the recording's ids: numbers in a row, however large an id is.
    entity_slots: HashMap<u32, u32>,
    observer_slots: HashMap<u32, u32>,
    generations: HashMap<u32, u32>,
    joins: HashMap<u32, u32>,
    door_places: HashMap<String, u32>,
    /// Per door of the map, whether it is shut.
    pub(super) shut: Vec<bool>,
    doors: Vec<Door>,
    pub(super) smokes: Vec<SmokeCloud>,
    sounds: Vec<Sound>,
    events: Vec<Happened>,
    pub(super) fitted: Fitted,
}

impl<'a> Cast<'a> {
    pub(super) fn new(rules: &'a Rules, map: &Map, tick_ms: f64, filter: Baseline) -> Self {
        let places = map.doors.iter().enumerate().map(|(place, door)| (door.id.clone(), place as u32));
        Self {
            rules,
            tick_ms,
            filter,
            actors: BTreeMap::new(),
            watchers: BTreeMap::new(),
            teams: Vec::new(),
            entity_slots: HashMap::new(),
            observer_slots: HashMap::new(),
            generations: HashMap::new(),
            joins: HashMap::new(),
            door_places: places.collect(),
            shut: vec![false; map.doors.len()],
            doors: Vec::new(),
            smokes: Vec::new(),
            sounds: Vec::new(),
            events: Vec::new(),
            fitted: Fitted::default(),
        }
    }

    /// Everybody is gone until they are named again.
    pub(super) fn cut(&mut self, _: &CutLine) {
        self.actors.clear();
        self.smokes.clear();
    }

    /// Takes a tick; says what is wrong with it.
    pub(super) fn take(&mut self, tick: TickLine) -> Result<(), Wrong> {
        self.check(&tick)?;
        self.take_checked(tick).map_err(|what| Wrong::at(&[], what))
    }

    fn take_checked(&mut self, tick: TickLine) -> Result<(), String> {
        for id in &tick.removed {
            self.actors.remove(id).ok_or_else(|| format!("entity {id} is removed, and is not there"))?;
        }
        for actor in self.actors.values_mut() {
            actor.line.teleported = false;
        }
        for line in tick.entities {
            self.take_entity(tick.tick, line)?;
        }
        for line in tick.observers {
            self.take_observer(line)?;
        }
        self.take_doors(&tick.doors)?;
        self.smokes = tick.occluders.iter().map(|line| cloud(line, tick.tick)).collect();
        self.sounds.clear();
        for line in &tick.sounds {
            let class = self.rules.sound_id(&line.class).ok_or_else(|| {
                let known = self.rules.source().sounds.iter().map(|class| class.name.as_str());
                unknown("sound", &line.class, known)
            })?;
            self.sounds.push(self.sound(class, line.emitter, line.pos));
        }
        self.events.clear();
        for line in &tick.events {
            let class = self.rules.event_id(&line.class).ok_or_else(|| {
                let known = self.rules.source().events.iter().map(|class| class.name.as_str());
                unknown("event", &line.class, known)
            })?;
            let about = line.about.iter().map(|id| self.handle(*id)).collect();
            let source = &self.rules.source().events[usize::from(class.0)];
            let links = self.rules.event_links(class).ok_or("an event class without links")?;
            let values = values((&source.name, &line.fields), &source.fields, links, &mut self.fitted);
            self.events.push(Happened { class, about, pos: line.pos.map(Point3::from), values });
        }
        Ok(())
    }

    fn sound(&self, class: SoundClassId, emitter: Option<u32>, pos: [f64; 3]) -> Sound {
        let emitter = emitter.map(|id| self.handle(id));
        Sound { class, emitter, pos: Point3::from(pos), membership: Membership::default() }
    }

    /// Whether what is of a class is told where it is: what is carried, or is nowhere, is not.
    pub(super) fn has_place(&self, class: ClassId) -> bool {
        self.rules
            .class(class)
            .is_some_and(|class| class.fields.iter().any(|rules| rules.field.name == "pos"))
    }

    /// Whether something moves as players do.
    pub(super) fn is_player(&self, actor: &Actor) -> bool {
        self.rules.class(actor.class).is_some_and(|class| class.motion == Motion::Player)
    }

    /// What a player is to an observer, in words; nothing of what is no player.
    pub(super) fn side(&self, watcher: &Watcher, actor: &Actor) -> Option<&'static str> {
        if !self.is_player(actor) {
            return None;
        }
        let is_mate = watcher.team.is_some() && watcher.team == actor.team;
        Some(match watcher.line.entity == Some(actor.line.id) {
            true => "own",
            false if is_mate => "ally",
            false => "enemy",
        })
    }

    /// The handle of an entity; of one that is not there, one that finds nobody.
    pub(super) fn handle(&self, id: u32) -> EntityId {
        let slot = || self.entity_slots.get(&id).copied().unwrap_or(MOST_HANDLES - 1);
        let gone = || EntityId::new(slot(), self.generations.get(&id).copied().unwrap_or(0));
        self.actors.get(&id).map_or_else(gone, |actor| actor.id)
    }

    fn take_entity(&mut self, tick: u32, line: EntityLine) -> Result<(), String> {
        let slot = slot_of(&mut self.entity_slots, line.id)?;
        let class = self.rules.class_id(&line.class).ok_or_else(|| {
            let known = self.rules.source().classes.iter().map(|class| class.name.as_str());
            unknown("class", &line.class, known)
        })?;
        let source = &self.rules.source().classes[usize::from(class.0)];
        let links = self.rules.class_links(class).ok_or("a class without links")?;
        let values = values((&source.name, &line.fields), &source.fields, links, &mut self.fitted);
        let team = line.team.as_ref().map(|name| self.team(name));
        let groups = line.groups.iter().map(|group| GroupId(*group)).collect();
        let before = self.actors.remove(&line.id).filter(|actor| actor.class == class);
        let (id, since) = match before {
            Some(before) => (before.id, if line.teleported { tick } else { before.since }),
            None => {
                let generation =
                    self.generations.entry(line.id).and_modify(|g| *g = g.wrapping_add(1)).or_insert(0);
                (EntityId::new(slot, *generation), tick)
            }
        };
        self.actors.insert(line.id, Actor { id, class, team, since, line, groups, values });
        Ok(())
    }

    /// Takes an observer that joined, changed or left.
    pub(super) fn take_observer(&mut self, line: ObserverLine) -> Result<(), String> {
        let slot = slot_of(&mut self.observer_slots, line.id)?;
        let before = self.watchers.remove(&line.id);
        let line = before.iter().fold(line, |line, before| line.changing(&before.line));
        if line.left {
            return before.map(|_| ()).ok_or_else(|| format!("observer {} left, and is not there", line.id));
        }
        let id = match before {
            Some(before) => before.id,
            None => {
                let joins = self.joins.entry(line.id).and_modify(|count| *count += 1).or_insert(0);
                ObserverId::new(slot, *joins)
            }
        };
        let topic = |name: &String| {
            self.rules
                .topic_id(name)
                .ok_or_else(|| unknown("topic", name, self.rules.source().topics.iter().map(String::as_str)))
        };
        let topics = line.topics.iter().flatten().map(topic).collect::<Result<_, _>>()?;
        let region =
            |[low, high]: &[[f64; 2]; 2]| Region::Box { low: Point2::from(*low), high: Point2::from(*high) };
        let own = (self.filter != Baseline::Fogwall).then(|| Baseline::group(line.id));
        let watcher = Watcher {
            id,
            team: line.team.as_ref().map(|name| self.team(name)),
            groups: line.groups.iter().flatten().map(|group| GroupId(*group)).chain(own).collect(),
            topics,
            regions: line.regions.iter().flatten().map(region).collect(),
            rtt_ms: Vec::new(),
            line,
        };
        self.watchers.insert(watcher.line.id, watcher);
        Ok(())
    }

    fn team(&mut self, name: &str) -> TeamId {
        let place = self.teams.iter().position(|team| team == name).unwrap_or_else(|| {
            self.teams.push(name.to_owned());
            self.teams.len() - 1
        });
        TeamId(place as u16)
    }

    fn take_doors(&mut self, lines: &[crate::recording::DoorLine]) -> Result<(), String> {
        self.doors.clear();
        for line in lines {
            let known = self.door_places.keys().map(String::as_str);
            let index = *self.door_places.get(&line.id).ok_or_else(|| unknown("door", &line.id, known))?;
            self.shut[index as usize] = !line.open;
            let motion = if line.open { DoorMotion::Open } else { DoorMotion::Closed };
            self.doors.push(Door { index, motion });
        }
        Ok(())
    }

    /// A round trip to an observer that was measured since the last tick.
    pub(super) fn measure(&mut self, observer: u32, rtt_ms: f64) {
        if let Some(watcher) = self.watchers.get_mut(&observer) {
            watcher.rtt_ms.push(rtt_ms);
        }
    }
}

/// The slot of an id; a new one where it has none yet.
fn slot_of(slots: &mut HashMap<u32, u32>, id: u32) -> Result<u32, String> {
    let next = slots.len() as u32;
    let slot = *slots.entry(id).or_insert(next);
    // The last slot is nobody's: it stands for who is not there.
    if slot < MOST_HANDLES - 1 { Ok(slot) } else { Err(format!("more than {} ids", MOST_HANDLES - 1)) }
}

fn unknown<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.take(12).collect();
    format!("no {what} is called {name:?}; known are {}", known.join(", "))
}

fn cloud(line: &OccluderLine, tick: u32) -> SmokeCloud {
    // Where nothing is said, it stands for as long as it is listed: it is taken to stand on.
    let long = tick.saturating_add(1 << 20);
    let until = line.until_tick.unwrap_or(long).min(long);
    SmokeCloud { center: Point3::from(line.center), radius_m: line.radius, until: Tick(until) }
}
