//! What the game lends per tick: all that the server knows, borrowed.
//!
//! Owns the types of the world and the check of its handles. Promises: nothing of it is kept or copied whole;
//! a stale handle is an error and never somebody else; what is not finite is found before it is used.
//! Must not know who may know what.

mod interest;
mod roster;

pub use interest::{Region, Streams, Subscription};
pub use roster::{HandleError, MOST_HANDLES, Roster, WorldProblem};

use crate::geom::{Point3, Vector3};
use crate::ids::{
    ClassId, EntityId, EventClassId, GroupId, MatchId, ObserverId, SoundClassId, TeamId, TopicId,
};
use crate::tick::Tick;
use crate::wire::Value;

/// The world at one tick.
///
/// Entities and observers are listed whole each tick: who is not listed is gone. Their order means nothing.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The tick whose state this is; one more than that of the call before, or later where ticks were missed.
    pub tick: Tick,
    /// All entities. One that is not listed any more leaves a client as what hides does, after the hold, unless it was
    /// known by right; that it went in plain sight is for an event to tell.
    pub entities: &'a [Entity<'a>],
    /// Places in `entities` at which anything is not as in the call before, in any order; `None` where the game does not
    /// know, and all are looked at. Whatever lies beyond the list of the call before counts as changed by itself.
    /// What changed and is not listed is told as it was, rights included, and one entity in another's place may be taken
    /// for it for up to 32 ticks: where in doubt, lend `None`.
    pub changed: Option<&'a [u32]>,
    /// All observers that are connected: one that was not listed before has joined, one that is not any more has left.
    pub observers: &'a [Observer<'a>],
    /// Sounds made in this tick.
    pub sounds: &'a [Sound],
    /// Events of this tick.
    pub events: &'a [Event<'a>],
    /// Doors whose motion changed; the others are as they were, at first open.
    pub doors: &'a [Door],
    /// All smoke that stands.
    pub smokes: &'a [SmokeCloud],
    /// Who met what in this tick: a hit, a trade. It raises priority, where the entity is disclosed anyway.
    pub interactions: &'a [Interaction],
}

impl<'a> World<'a> {
    /// A tick in which nothing is there.
    pub const fn empty(tick: Tick) -> Self {
        Self {
            tick,
            entities: &[],
            changed: None,
            observers: &[],
            sounds: &[],
            events: &[],
            doors: &[],
            smokes: &[],
            interactions: &[],
        }
    }
}

/// Which match something belongs to, and which of its phases: others don't know of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Membership {
    /// The match.
    pub match_id: MatchId,
    /// Phases, by bit; two that share none don't know of each other.
    pub phases: u32,
}

impl Membership {
    /// Whether the two may know of each other at all.
    pub const fn shares(self, other: Self) -> bool {
        self.match_id.0 == other.match_id.0 && self.phases & other.phases != 0
    }
}

impl Default for Membership {
    /// All phases of match 0.
    fn default() -> Self {
        Self { match_id: MatchId(0), phases: u32::MAX }
    }
}

/// How a body stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stance {
    /// Upright.
    #[default]
    Standing,
    /// Crouched, or on the way there or back.
    Crouched,
}

/// An entity.
#[derive(Clone, Copy, Debug)]
pub struct Entity<'a> {
    /// Its handle; two entities of one tick never share an index.
    pub id: EntityId,
    /// Its class in the rules.
    pub class: ClassId,
    /// Its team, if it has one.
    pub team: Option<TeamId>,
    /// Who owns it.
    pub owner: Option<EntityId>,
    /// What carries it: it is disclosed with its parent, or not at all.
    pub parent: Option<EntityId>,
    /// Groups that share what may be known of it.
    pub groups: &'a [GroupId],
    /// What the groups leave it of the spatial streams.
    pub streams: Streams,
    /// Topics that it is published under: who follows one of them looks at it whatever its distance.
    pub topics: &'a [TopicId],
    /// Categories, by bit, for what observers subscribe to.
    pub categories: u64,
    /// What counts as its place for subscriptions; none is where it stands.
    pub update_regions: &'a [Region],
    /// Its match and phases.
    pub membership: Membership,
    /// Its feet, or its lowest point.
    pub pos: Point3,
    /// Metres per second.
    pub vel: Vector3,
    /// Degrees from +x, counter-clockwise, in any range.
    pub yaw_deg: f64,
    /// Degrees, up is positive.
    pub pitch_deg: f64,
    /// How it stands.
    pub stance: Stance,
    /// Radius of its body in the plan, metres.
    pub radius_m: f64,
    /// Height of its body, metres.
    pub height_m: f64,
    /// Whether it lives: only the living see and hear, for who plays or follows them and for their team. A death camera
    /// is an observer that follows somebody, or a body that lives on.
    pub alive: bool,
    /// Whether it came here other than by moving, since the tick before.
    pub teleported: bool,
    /// Whether something threw it, so that the movement limits don't hold in this tick.
    pub launched: bool,
    /// Whether it stands on a stage: where its match's presenters reach anybody, they are told what the rules' `presenter` says.
    pub presenter: bool,
    /// The values that the rules list for its class, in that order.
    pub values: &'a [Value<'a, EntityId>],
}

impl<'a> Entity<'a> {
    /// A living entity without team, at rest, of a player's size; to be completed by `..`.
    pub fn new(id: EntityId, class: ClassId, pos: Point3) -> Self {
        Self {
            id,
            class,
            team: None,
            owner: None,
            parent: None,
            groups: &[],
            streams: Streams::All,
            topics: &[],
            categories: 0,
            update_regions: &[],
            membership: Membership::default(),
            pos,
            vel: Vector3::zeros(),
            yaw_deg: 0.0,
            pitch_deg: 0.0,
            stance: Stance::Standing,
            radius_m: 0.4,
            height_m: 1.8,
            alive: true,
            teleported: false,
            launched: false,
            presenter: false,
            values: &[],
        }
    }

    /// Whether every number of its own state is finite; the values of its fields are checked as they are told.
    pub fn is_finite(&self) -> bool {
        let own = [self.yaw_deg, self.pitch_deg, self.radius_m, self.height_m];
        self.pos.iter().chain(self.vel.iter()).chain(&own).all(|number| number.is_finite())
    }
}

/// One whose knowledge is computed.
#[derive(Clone, Copy, Debug)]
pub struct Observer<'a> {
    /// Its handle; two observers of one tick never share an index.
    pub id: ObserverId,
    /// What it is.
    pub kind: ObserverKind<'a>,
    /// The entity it plays, if it does.
    pub entity: Option<EntityId>,
    /// Its team, if it has one.
    pub team: Option<TeamId>,
    /// Groups whose knowledge it shares.
    pub groups: &'a [GroupId],
    /// What the groups leave it of the spatial streams.
    pub streams: Streams,
    /// Its match and phases.
    pub membership: Membership,
    /// Topics it follows.
    pub topics: &'a [TopicId],
    /// Where its interest lies; none is everywhere. It only narrows what it is told.
    pub regions: &'a [Region],
    /// What it looks at beyond the relevance radius. It only widens who is looked at, never what is told of them.
    pub subscriptions: &'a [Subscription],
    /// Round trips that the server measured since the tick before, milliseconds: never a client's own word.
    pub rtt_ms: &'a [f64],
    /// What its client waits with its own input, milliseconds, where it is not as the rules say.
    pub input_delay_ms: Option<f64>,
}

impl<'a> Observer<'a> {
    /// A player; to be completed by `..`.
    pub fn player(id: ObserverId, entity: EntityId, team: Option<TeamId>) -> Self {
        Self {
            id,
            kind: ObserverKind::Player,
            entity: Some(entity),
            team,
            groups: &[],
            streams: Streams::All,
            membership: Membership::default(),
            topics: &[],
            regions: &[],
            subscriptions: &[],
            rtt_ms: &[],
            input_delay_ms: None,
        }
    }
}

/// What an observer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObserverKind<'a> {
    /// It plays.
    Player,
    /// It knows what another knows.
    Spectator {
        /// Whom.
        follows: Follows,
    },
    /// It knows everything, so many ticks later.
    Caster {
        /// Enforced.
        delay_ticks: u32,
    },
    /// It knows what one entity knew, so many ticks ago.
    Killcam {
        /// Whose eyes.
        of: EntityId,
        /// Enforced.
        delay_ticks: u32,
    },
    /// A recording on the server.
    Demo {
        /// What it holds.
        views: Views<'a>,
        /// Enforced.
        delay_ticks: u32,
    },
}

/// Whose knowledge a spectator has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// That of the player of this entity.
    Entity(EntityId),
    /// That of a whole team.
    Team(TeamId),
}

/// What a demo holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Views<'a> {
    /// Everything.
    All,
    /// What the players of these entities know.
    Of(&'a [EntityId]),
}

/// A sound that was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sound {
    /// Its class in the rules.
    pub class: SoundClassId,
    /// What made it, if anything did.
    pub emitter: Option<EntityId>,
    /// Where.
    pub pos: Point3,
    /// Its match and phases.
    pub membership: Membership,
}

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// Its class in the rules.
    pub class: EventClassId,
    /// Whom it is about, in the order of the class's references.
    pub about: &'a [EntityId],
    /// Where, if it has a place.
    pub pos: Option<Point3>,
    /// Its match and phases.
    pub membership: Membership,
    /// The values that the rules list for its class, in that order.
    pub values: &'a [Value<'a, EntityId>],
}

/// What a door does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoorMotion {
    /// It lets through.
    Open,
    /// It begins to: it counts as open.
    Opening,
    /// It stops to: it counts as open until it is closed.
    Closing,
    /// It lets nothing through.
    Closed,
}

impl DoorMotion {
    /// Whether it stops sight: only when it is closed; else errs towards visible.
    pub const fn is_shut(self) -> bool {
        matches!(self, Self::Closed)
    }
}

/// A door whose motion changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Door {
    /// Its place among the map's doors.
    pub index: u32,
    /// What it does now.
    pub motion: DoorMotion,
}

/// A ball of smoke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmokeCloud {
    /// Its middle.
    pub center: Point3,
    /// Metres.
    pub radius_m: f64,
    /// The last tick through which it surely stands; sooner errs towards visible.
    pub until: Tick,
}

/// An observer met an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interaction {
    /// Who.
    pub observer: ObserverId,
    /// What.
    pub entity: EntityId,
}
