//! Server-authoritative fog of war for competitive shooters: what a client may not see stays on the server.
//!
//! The half that knows maps: a [`Map`] is read from its source with every problem named,
//! its solids become convex pieces ([`Solids`]), its floors become [`Cells`], and [`bake`] certifies which cells
//! may see which: [`Pvs`], kept with the rest as [`Baked`]. At run time a segment test
//! ([`Solids::blocker`]) and a test of whole reaches ([`WindowTest`]) answer what the cells leave open.
//! Geometry errs towards visible; each item says by how much.
//!
//! The half that knows matches: the game lends a [`World`] per tick, [`Rules`] say what each
//! [`Level`] is told of each class, a [`Filter`] decides what each observer may know in a tick and redacts it into
//! a [`Frame`], datagrams carry records of just that ([`PacketWriter`], [`PacketReader`]), and
//! a [`Replica`] holds on the client what arrived: [`Server`] does all of it in one call a tick. Rights and bad data err
//! towards hidden.
//!
//! With the feature `cli`, `replay` plays a recorded match back to simulated clients, and judges by a second opinion what
//! came late and what was told too much; `Simulation` makes such matches.
//!
//! [`interest`] is about who is told of what where there are thousands of entities, and what settings of other systems
//! become here.
//!
//! The `README.md` beside this crate shows a first use, the map format and the command `fogwall`.
#![forbid(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]

mod audit;
mod filter;
mod geom;
mod held;
mod ids;
mod import;
mod map;
#[cfg(test)]
mod planted;
#[cfg(feature = "cli")]
mod recording;
#[cfg(feature = "cli")]
mod replay;
mod replica;
mod rules;
mod send;
mod server;
#[cfg(feature = "cli")]
mod simulate;
mod text;
mod tick;
mod wire;
mod world;

pub use audit::render_tick;
pub use filter::{
    Bounds, ChangeOf, ChangeQuery, Departed, Departure, QueryAnswer, QueryChanges, QueryDepartures,
    QueryEntities, QueryError,
};
pub use filter::{Disclosed, Filter, FilterReport, Frame, HiddenBy, Lent, Relevancy, Scratch, Verdict, View};
pub use geom::{ConvexPolygon, Point2, Point3, SIGHT_CLEARANCE_M, Vector2, Vector3, ZRange};
pub use ids::{
    ClassId, EntityId, EventClassId, GroupId, Handle, MatchId, NetId, NetRef, NoticeId, ObserverId,
    SoundClassId, TeamId, TopicId,
};
pub use import::{ImportError, Imported, import_wad, wad_levels};
#[cfg(feature = "cli")]
pub use import::{TiledError, import_tiled};
pub use map::{Area, Blocks, Floor, Footprint, Map, Player, Solid, Spawn};
pub use map::{BakeFileError, Baked, METHOD_VERSION};
pub use map::{
    BakeOptions, BakeProgress, BakeQuality, Cancelled, Earlier, Quiet, Witnesses, bake, bake_from, witness,
};
pub use map::{Cell, Cells, TooManyCells};
pub use map::{CellId, MAX_CELLS, PairClass, PairCounts, Pvs, PvsBuilder, Row};
pub use map::{DEFAULT_HEARABLE_RADIUS_M, Hearable, HearableParts};
pub use map::{DoorState, DynamicBlocker, DynamicSolids, Mask, Piece, PieceId, Smoke, Solids};
pub use map::{Limits, Loaded, MapError, MapErrors, MapWarning, Ring};
pub use map::{Reach, WindowTest};
#[cfg(feature = "cli")]
pub use recording::{
    CutLine, DoorLine, EntityLine, EventLine, FieldMap, FollowsLine, KindName, Line, LineKind, ObserverLine,
    OccluderLine, Recording, RecordingError, RecordingHeader, RecordingWriter, ShapeName, SoundLine,
    StanceName, TickLine,
};
#[cfg(feature = "cli")]
pub use replay::{
    Baseline, Faults, FieldLine, LeadMs, LinkOptions, MapPicture, Quantiles, Reel, ReelNames, ReplayError,
    ReplayOptions, ReplayOutput, Replayed, Report, replay,
};
pub use replica::{Changes, HeardSound, Refusal, Replica, ReplicaCounts, ReplicaEntity, SeenEvent};
pub use rules::{
    Band, BodyPoint, BodyVolume, Class, ClassLinks, DEFAULT_RULES, EventClass, EventGrants, FieldRules,
    FieldSource, Grants, Lead, LoadedRules, LodRings, LodStep, Mode, Motion, Naming, Padding, Placing,
    Precise, PresenterReach, Priority, Relevance, Rules, RulesError, RulesErrors, RulesSource, RulesWarning,
    Sending, Settings, SightPolicy, SmokeRules, SoundClass, SoundPath, TeamVision,
};
pub use send::{Ages, BadAcks, Bodies, Entities, KeptRecords, Outbox, Packets, Policy, SendReport, Told};
pub use server::{
    ObserverReport, QueryId, Server, ServerError, ServerOptions, StageTimes, Threads, TickReport, TickWarning,
};
#[cfg(feature = "cli")]
pub use simulate::{
    Lag, Lineup, Manner, ROYALE_RULES, Respawn, Royale, RoyaleOptions, Simulation, SimulationCounts,
    SimulationError, SimulationOptions,
};
pub use text::{Errors, Finding, Span, TextError};
pub use tick::Tick;
pub use wire::{
    ACK_BYTES, ACK_WINDOW, Ack, AckWindow, Arrival, BitReader, BitWriter, Body, ClassSchema, Coding, Column,
    ColumnSet, Contents, DecodeError, Disclosure, Encoding, EntityHead, EntityRecord, EventHead, EventRecord,
    Field, Full, HEADER_BYTES, Header, Layout, Leave, Level, MAX_AGE_TICKS, MAX_CLASSES, MAX_DATAGRAM_BYTES,
    MAX_FIELDS, Message, PacketReader, PacketWriter, PriorityFacts, Schema, SchemaParts, Sequence,
    SoundNotice, SoundRecord, SoundSchema, Unfit, Value,
};
pub use world::{
    Door, DoorMotion, Entity, Event, Follows, HandleError, Interaction, MOST_HANDLES, Membership, Observer,
    ObserverKind, Region, Roster, SmokeCloud, Sound, Stance, Streams, Subscription, Views, World,
    WorldProblem,
};

#[doc = include_str!("../docs/INTEREST.md")]
pub mod interest {}

/// What this crate's command shares with the library.
#[doc(hidden)]
pub mod command {
    pub use crate::map::replace_file;
    #[cfg(feature = "cli")]
    pub use crate::replay::base64;
}

/// What tests need beside the public interface; no part of it.
#[doc(hidden)]
pub mod testing {
    pub use crate::map::Fault;
}

/// Some tests are compiled into the library too, and name it as those outside do.
#[cfg(test)]
extern crate self as fogwall;

/// The Rust of the README is tried as the documentation's is.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
