//! The filter: what each observer may know of each entity in one tick.
//!
//! Owns the stages' order and their verdicts. Promises: stages only narrow, and every rejection says which stage it was;
//! observers may be judged in any order and on any threads, with equal frames.
//! Must not know how what it lets through is sent.

mod audible;
mod candidates;
mod cull;
mod interest;
mod kept;
mod lead;
mod memory;
mod modes;
mod observer;
mod permission;
mod places;
mod redact;
mod report;
mod shared;
mod sight;
mod spot;
mod verdicts;

pub use redact::{
    Bounds, ChangeOf, ChangeQuery, Departed, Departure, Disclosed, Frame, QueryAnswer, QueryChanges,
    QueryDepartures, QueryEntities, QueryError,
};
pub(crate) use redact::{ChangeLog, Gone, QueryKey, Step};
pub use report::FilterReport;

use crate::geom::{Point3, direction};
use crate::ids::{ClassId, EntityId, ObserverId, TeamId};
use crate::map::{Baked, CellId, WindowTest};
use crate::rules::Rules;
use crate::wire::Level;
use crate::world::{Roster, World};
use audible::Spot;
use candidates::{Candidates, Coverage, Found, Marks, Nearby};
use cull::{Cover, Rows};
use kept::Keep;
use lead::{Ground, Horizons, Limits, Reach, Wide};
use modes::Modes;
use places::ByPlace;
use redact::Records;
use sight::{Looks, Now};
use spot::Spots;
use std::sync::OnceLock;
use verdicts::Verdicts;

/// The verdict about one observer and one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relevancy {
    /// By right, whatever geometry says.
    Granted(Level),
    /// In sight, or may be within the lead.
    Sighted,
    /// Not to be known of by sight.
    Hidden(HiddenBy),
}

/// The stage that hid an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HiddenBy {
    /// The game lent it with a number that is not finite, twice, or under a stale handle, or a value does not fit its field.
    Refused,
    /// No right to it, and its class is not one that geometry decides about.
    Permission,
    /// Another match or phase, a topic not followed, a region of no interest, spatial streams that a group leaves.
    Interest,
    /// What carries it is hidden.
    Parent,
    /// Farther than the relevance radius.
    Radius,
    /// By a closed door.
    Door,
    /// By the baked visibility.
    Pvs,
    /// By lines of sight.
    Sight,
    /// By smoke.
    Smoke,
}

impl HiddenBy {
    /// Every reason, in the stages' order.
    pub const ALL: [Self; 9] = [
        Self::Refused,
        Self::Permission,
        Self::Interest,
        Self::Parent,
        Self::Radius,
        Self::Door,
        Self::Pvs,
        Self::Sight,
        Self::Smoke,
    ];

    /// Whether it was distance or geometry: then a sound, a team-mate or a mode other than `Enforce` may still tell.
    pub const fn is_geometry(self) -> bool {
        matches!(self, Self::Radius | Self::Door | Self::Pvs | Self::Sight | Self::Smoke)
    }
}

/// What one observer may know of one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Why.
    pub relevancy: Relevancy,
    /// How much; more than `Hidden` also where the relevancy is hidden but a sound, a team-mate or the mode tells of it.
    pub level: Level,
}

impl Verdict {
    const fn hidden(by: HiddenBy) -> Self {
        Self { relevancy: Relevancy::Hidden(by), level: Level::Hidden }
    }

    fn sees_more_than(self, other: Self) -> bool {
        let rank = |verdict: Self| match verdict.relevancy {
            Relevancy::Granted(level) => (level, 1),
            Relevancy::Sighted => (Level::Seen, 0),
            Relevancy::Hidden(by) => (Level::Hidden, 1 + by as u8),
        };
        rank(self) > rank(other)
    }
}

/// What rights alone say of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Right {
    /// It is told at this level.
    Granted(Level),
    /// Geometry decides; what it hides is told at this level all the same, if it is not `Hidden`.
    Contested(Level),
    /// It is not told.
    Denied(HiddenBy),
}

/// What is lent for one tick; the rosters hold the handles of this very world.
#[derive(Clone, Copy)]
pub struct Lent<'a> {
    /// All that the server knows.
    pub world: &'a World<'a>,
    /// The handles of its entities.
    pub entities: &'a Roster<EntityId>,
    /// The handles of its observers.
    pub observers: &'a Roster<ObserverId>,
    /// Policy; the same for as long as a filter lives.
    pub rules: &'a Rules,
    /// The map; the same for as long as a filter lives.
    pub baked: &'a Baked,
}

impl<'a> Lent<'a> {
    /// Whether the game says what changed since the tick before, and all else is as it was.
    pub(crate) fn says_what_changed(&self) -> bool {
        self.world.changed.is_some() && self.entities.is_partial()
    }

    /// Places to be looked at by one who knows those below `known` as they were in the tick before.
    pub(crate) fn places_to_take(&self, known: usize) -> impl Iterator<Item = usize> + 'a {
        let (all, listed) = (self.world.entities.len(), self.world.changed.unwrap_or_default());
        let known = if self.says_what_changed() { known.min(all) } else { 0 };
        listed.iter().map(|&place| place as usize).filter(move |place| *place < known).chain(known..all)
    }
}

/// Eyes that somebody looks with, and where they can be within the lead.
struct Eye {
    /// The true eye.
    at: Point3,
    /// Whether it is inside a solid: then it sees everything.
    is_inside: bool,
    horizon_s: f64,
    /// Where it can be, once somebody asked.
    reach: OnceLock<Reach>,
    /// The place of its entity.
    place: usize,
    /// Of the slot in which its wide reaches are kept.
    slot: usize,
    /// Those of its wide reach and of its narrow one.
    stamps: [u64; 2],
    ear: Spot,
}

/// A body that is looked for, and where its points can be within the lead.
struct Body {
    /// Its feet.
    at: Point3,
    /// Where its points can be, once somebody asked.
    reach: OnceLock<Reach>,
    /// The place of its entity; of an event's, none.
    place: usize,
    /// Where its wide reaches are kept, or the cell of what has none.
    held: Held,
    /// Those of its wide reach and of its narrow one.
    stamps: [u64; 2],
    facing: [f64; 2],
    is_crouched: bool,
}

/// Where the cells of a body are.
enum Held {
    Slot(usize),
    /// One that hides it wherever it hides bodies, if there is one.
    Cell(Option<CellId>),
}

/// What is kept of the eyes, or of the body, of one entity.
#[derive(Default)]
struct Kept {
    wide: Option<Wide>,
    /// The same, but less so, once somebody asked.
    narrow: OnceLock<Option<Wide>>,
    /// From [`Keep::stamp`], of the narrow one.
    narrow_stamp: u64,
    /// Of what stands still: what its reach is a function of.
    still: Option<Still>,
    /// From [`Keep::stamp`], of the wide one.
    stamp: u64,
    cover: Cover,
    rows: Rows,
    /// Whether the bake speaks of the body: its feet are on a cell.
    is_on: bool,
}

/// What a thing that stands still is looked for by: its class names the points, and a slot may come to hold another.
#[derive(Clone, Copy, PartialEq)]
struct Still {
    class: ClassId,
    at: Point3,
    radius_m: f64,
    height_m: f64,
}

/// What is the same for all observers of a tick, and what of it is kept to the next.
pub struct Filter {
    tick_s: f64,
    cone_cosine: f64,
    /// Ticks that were begun.
    count: u64,
    modes: Modes,
    candidates: Candidates,
    records: Records,
    horizons: Horizons,
    limits: Limits,
    ground: Ground,
    now: Now,
    window: WindowTest,
    kept_eyes: Keep,
    kept_bodies: Keep,
    eyes: ByPlace<Eye>,
    bodies: ByPlace<Body>,
    /// What looks with the entity at a place, and its horizon in seconds.
    watches: Vec<(usize, f64)>,
    spots: Spots,
    sounds: Vec<Option<Spot>>,
    events: Vec<Option<Body>>,
    report: FilterReport,
    clock: Option<fn() -> u64>,
    /// Of buckets and of lists.
    filing_ns: [u64; 2],
}

/// One observer's own: what it is told, why, and what is kept of its pairs to the next tick.
#[derive(Default)]
pub struct View {
    frame: Frame,
    /// Places that were looked at and are not farther than their radius, and what was decided.
    judged: Vec<(u32, Verdict)>,
    met: Vec<usize>,
    ears: Vec<Spot>,
    teams: Vec<TeamId>,
    /// Of the teams, those of whose sight something is known.
    spotters: Vec<usize>,
    nearby: Nearby,
    coverage: Coverage,
    looks: Looks,
    report: FilterReport,
}

/// Room to work in, which says nothing; each thread needs one.
pub struct Scratch {
    found: Found,
    verdicts: Verdicts,
    marks: Marks,
    plain: observer::PlainRoom,
    window: WindowTest,
    /// The cells of an eye's reach and of a body's.
    covers: [Cover; 2],
}

impl View {
    /// What the observer is told in this tick.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Takes the frame, and leaves another to be filled in the next tick.
    pub(crate) fn swap_frame(&mut self, room: Frame) -> Frame {
        std::mem::replace(&mut self.frame, room)
    }

    /// What was decided of the entity at a place of the world's list. What nobody had a reason to look at, as it is far
    /// from the observer and not by right anybody's whom it knows as, is hidden by its radius.
    pub fn verdict(&self, place: usize) -> Verdict {
        if let Some((_, verdict)) = self.judged.iter().find(|(of, _)| *of as usize == place) {
            return *verdict;
        }
        let seen = |_| Verdict { relevancy: Relevancy::Sighted, level: Level::Seen };
        self.frame.level_at(place as u32).map_or(Verdict::hidden(HiddenBy::Radius), seen)
    }

    /// What was decided last, by places in the world's list; of all others that they are too far away.
    pub fn judged(&self) -> impl Iterator<Item = (usize, Verdict)> + '_ {
        self.judged.iter().map(|(place, verdict)| (*place as usize, *verdict))
    }

    /// What this observer's part of the tick came to.
    pub fn report(&self) -> &FilterReport {
        &self.report
    }
}

impl Filter {
    /// A filter for matches on one map by one set of rules, on a server that ticks and sends every `tick_ms`.
    pub fn new(rules: &Rules, baked: &Baked, tick_ms: f64) -> Self {
        Self {
            tick_s: tick_ms / 1000.0,
            cone_cosine: direction(rules.settings().view_cone_deg.clamp(0.0, 180.0)).x,
            count: 0,
            modes: Modes::default(),
            candidates: Candidates::new(rules),
            records: Records::new(rules),
            horizons: Horizons::new(tick_ms),
            limits: Limits::default(),
            ground: Ground::new(&baked.map),
            now: Now::new(&baked.map),
            window: WindowTest::with_doors(&baked.solids, &baked.map),
            kept_eyes: Keep::default(),
            kept_bodies: Keep::default(),
            eyes: ByPlace::default(),
            bodies: ByPlace::default(),
            watches: Vec::new(),
            spots: Spots::default(),
            sounds: Vec::new(),
            events: Vec::new(),
            report: FilterReport::default(),
            clock: None,
            filing_ns: [0; 2],
        }
    }

    /// What a new observer needs; it is kept for as long as the observer is there.
    pub fn view(&self) -> View {
        View::default()
    }

    /// Room for the work on observers; it is kept for as long as a thread works.
    pub fn scratch(&self) -> Scratch {
        Scratch {
            found: Found::default(),
            verdicts: Verdicts::default(),
            marks: Marks::default(),
            plain: observer::PlainRoom::default(),
            window: self.window.clone(),
            covers: Default::default(),
        }
    }

    /// What of the tick is nobody's alone.
    pub fn report(&self) -> &FilterReport {
        &self.report
    }

    /// Takes a tick: does what is the same for all observers.
    pub fn begin(&mut self, lent: &Lent<'_>) {
        let lead = &lent.rules.settings().lead;
        self.count += 1;
        self.report = FilterReport::default();
        self.file(lent);
        self.horizons.refresh(lent);
        self.now.refresh(lent, self.horizons.enemy_ticks(lead));
        if let Some((prisms, of_each)) = self.now.changed_smokes() {
            self.window.set_smokes(prisms, of_each);
        }
        self.record(lent);
        self.keep_limits(lent);
        self.reach_bodies(lent, self.horizons.enemy_s(lead));
        self.reach_eyes(lent);
        self.spot(lent);
        self.place(lent);
    }
}
