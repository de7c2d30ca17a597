//! What rules say: classes of entities, sounds and events, and the settings of a match.
//!
//! Owns plain data, made by code or read from a file. Promises nothing of it: [`Rules`](super::Rules) is what was
//! checked. Must not know how it is checked.

use crate::geom::Vector2;
use crate::wire::{Field, Leave, Level};
use serde::Deserialize;

/// All that rules say, as they are written; names are not resolved yet.
#[derive(Clone, Debug, PartialEq)]
pub struct RulesSource {
    /// Coordinates of what is disclosed stay within ± this, metres; beyond, it is told as the edge.
    pub extent_m: f64,
    /// Topics that observers may follow.
    pub topics: Vec<String>,
    /// Classes of entities.
    pub classes: Vec<Class>,
    /// Classes of sounds.
    pub sounds: Vec<SoundClass>,
    /// Classes of events.
    pub events: Vec<EventClass>,
    /// The settings that are about no class.
    pub settings: Settings,
}

/// Settings that are about no class.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// What the filter does with its verdicts.
    pub mode: Mode,
    /// Whether team-mates share what they see.
    pub team_vision: TeamVision,
    /// How far ahead of the present is looked.
    pub lead: Lead,
    /// For how long the removal of what is no longer disclosed waits, milliseconds; nothing is sent meanwhile.
    pub hold_ms: f64,
    /// Half the angle of the view cone that raises priority, degrees.
    pub view_cone_deg: f64,
    /// When smoke hides.
    pub smoke: SmokeRules,
    /// Most nodes that a window test takes per pair and tick; a pair beyond it is disclosed, and counted.
    pub solver_nodes: u32,
    /// Packing.
    pub sending: Sending,
}

/// What the filter does with its verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Mode {
    /// What is hidden is not sent.
    Enforce,
    /// Everything is sent, and what would have been hidden is reported.
    Shadow,
    /// Everything is sent: the kill switch.
    Open,
}

/// Whether team-mates share what they see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum TeamVision {
    /// They do not.
    Off,
    /// What a living team-mate's true eye sees now is spotted.
    Spotted,
}

/// The horizon of prediction, from the timeline of a client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lead {
    /// A round trip counts as at least this, milliseconds.
    pub rtt_min_ms: f64,
    /// A round trip counts as at most this, milliseconds: more lag buys nothing.
    pub rtt_max_ms: f64,
    /// Fixed allowance for jitter, milliseconds.
    pub jitter_ms: f64,
    /// What a client waits with its own input, milliseconds, where the observer does not say.
    pub input_delay_ms: f64,
    /// How far a client shows others in the past, milliseconds; `None` is one tick.
    pub interp_ms: Option<f64>,
    /// How far a client guesses others' motion ahead when packets are missing, milliseconds.
    pub extrapolation_ms: f64,
    /// Ticks of loss in a row that must not make a pop-in.
    pub loss_ticks: u32,
}

/// When smoke hides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmokeRules {
    /// A line of sight is blocked if it is inside of smoke for more than this, metres; less errs towards hidden.
    pub opaque_depth_m: f64,
    /// Smoke blocks nothing for one who stands within this of its edge, metres.
    pub rim_m: f64,
}

/// How datagrams are filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sending {
    /// Bytes per observer and tick, datagrams' headers included.
    pub budget_bytes: u32,
    /// Bytes per observer and second, over time.
    pub bytes_per_second: u32,
    /// Bytes that may be saved up.
    pub burst_bytes: u32,
    /// Bytes of whole states per observer and tick, but for those of enemies in sight; one bundle may go over.
    pub enter_bytes: u32,
    /// Most bytes of a datagram.
    pub mtu_bytes: u32,
    /// What datagrams are filled up to.
    pub padding: Padding,
    /// Ticks without an update after which a client takes an entity for stale.
    pub stale_ticks: u32,
    /// Ticks for which a sound or an event is repeated until it is acknowledged; at most 63.
    pub notice_ticks: u32,
}

/// What datagrams are filled up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Padding {
    /// Nothing: their length tells how much was to be told.
    None,
    /// The next multiple of so many bytes.
    Bucket(u32),
    /// The whole budget every tick, idle ones too.
    Full,
}

/// A class of entities.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Unique.
    pub name: String,
    /// What is told of it, in the order of the game's values.
    pub fields: Vec<FieldRules>,
    /// What is known of it by right.
    pub grants: Grants,
    /// What else decides.
    pub sight: SightPolicy,
    /// Beyond it, geometry is not asked.
    pub relevance: Relevance,
    /// How it may move.
    pub motion: Motion,
    /// Points of its body that are looked for by rays.
    pub body: Vec<BodyPoint>,
    /// Classes whose entities may be its parent; it is disclosed with the parent.
    pub carried_by: Vec<String>,
    /// The class of sounds that it makes all the time: within its radius it is heard.
    pub audible: Option<String>,
    /// Only observers who follow the topic are told.
    pub topic: Option<String>,
    /// What its turn in a full datagram depends on.
    pub priority: Priority,
    /// How often it is told by distance, nearest first; none is every tick.
    pub lod: Vec<LodStep>,
    /// What becomes of it on a client when it is no longer disclosed.
    pub leave: Leave,
    /// Another mode than the match's.
    pub mode: Option<Mode>,
}

/// A field, and what it could betray.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldRules {
    /// The field and what each level is told of it.
    pub field: Field,
    /// The field of the class that this one's value follows from: it is told no better than that.
    pub derived_from: Option<String>,
}

/// The level that each right gives; `Hidden` gives none, and less than `Seen` takes nothing from what sight gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grants {
    /// Of the observer's own entity.
    pub own: Level,
    /// Of what the observer's own entity owns.
    pub owned: Level,
    /// Of the own team.
    pub team: Level,
    /// Of a shared group.
    pub group: Level,
    /// Of what is marked as a presenter: a stage, a demonstration.
    pub presenter: Level,
    /// Of each, wherever it is.
    pub always: Level,
}

/// What decides about what nobody has a right to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum SightPolicy {
    /// It stays hidden.
    Never,
    /// The relevance radius alone.
    Always,
    /// The radius and the baked visibility.
    Pvs,
    /// These, and then lines of sight.
    PvsAndRays,
}

/// Distances beyond which geometry is not asked, metres, to the nearest of a body's disc; may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relevance {
    /// What comes nearer is looked at.
    pub enter_m: f64,
    /// What was looked at goes on to be until it is farther than this; not below `enter_m`.
    pub leave_m: f64,
}

/// How a body may move, which bounds where it can be within the lead.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Motion {
    /// As the map's player.
    Player,
    /// Not at all, unless it teleports.
    Still,
    /// Freely within these bounds, in space.
    Free {
        /// Greatest speed, metres per second.
        max_speed_mps: f64,
        /// Greatest change of velocity, metres per second squared.
        max_accel_mps2: f64,
    },
}

/// A point of a body that is looked for by rays.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPoint {
    /// For reports: `head`, `muzzle`.
    pub name: String,
    /// Where it is in the plan.
    pub placing: Placing,
    /// Height over the feet, standing, metres.
    pub up_m: f64,
    /// Height over the feet, crouched, metres.
    pub crouched_up_m: f64,
}

/// Where a body point is in the plan, from the centre.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Placing {
    /// On the axis.
    Centre,
    /// At a place that turns with the yaw.
    Facing {
        /// Metres ahead.
        forward_m: f64,
        /// Metres to the left.
        left_m: f64,
    },
    /// Beside the axis as the viewer sees it: the outline's edge.
    Side {
        /// Metres to the viewer's left; negative to the right.
        left_m: f64,
    },
}

impl Placing {
    /// Distance from the body's axis, metres.
    pub fn off_axis_m(&self) -> f64 {
        match *self {
            Self::Centre => 0.0,
            Self::Facing { forward_m, left_m } => (forward_m * forward_m + left_m * left_m).sqrt(),
            Self::Side { left_m } => left_m.abs(),
        }
    }

    /// Where it is from the body's axis, metres: `facing` is the body's direction, `left` the viewer's, both of length 1.
    pub(crate) fn offset(&self, facing: Vector2, left: Vector2) -> Vector2 {
        match *self {
            Self::Centre => Vector2::zeros(),
            Self::Facing { forward_m, left_m } => {
                facing * forward_m + Vector2::new(-facing.y, facing.x) * left_m
            }
            Self::Side { left_m } => left * left_m,
        }
    }
}

/// Weights of what an entity's turn depends on; each 0 or more, and all of what is disclosed only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Priority {
    /// Gained every tick.
    pub base: f64,
    /// Gained beside an observer, halved at `half_distance_m`.
    pub near: f64,
    /// See `near`; metres.
    pub half_distance_m: f64,
    /// Per metre of size.
    pub size: f64,
    /// Per metre per second.
    pub speed: f64,
    /// After the observer and it met: a hit, a trade.
    pub interaction: f64,
    /// In the view cone.
    pub view_cone: f64,
}

/// How often an entity is told up to a distance.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LodStep {
    /// Up to this, metres; the last step goes on beyond.
    pub within_m: f64,
    /// Every so many ticks; 1 is each.
    pub every_ticks: u32,
}

/// A class of sounds.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundClass {
    /// Unique.
    pub name: String,
    /// How far it is heard, metres.
    pub radius_m: f64,
    /// Along which way distance is measured.
    pub path: SoundPath,
    /// The radius is multiplied by this behind something that blocks sound; 0 to 1.
    pub wall_factor: f64,
    /// How finely its place is told by distance, nearest first.
    pub bands: Vec<Band>,
    /// How finely its place is told to those who know the emitter well.
    pub precise: Option<Precise>,
    /// Who is told which entity made it.
    pub emitter: Naming,
    /// Only observers who follow the topic are told.
    pub topic: Option<String>,
}

/// Along which way the distance of a sound is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum SoundPath {
    /// By walking, as the bake has it: what leads nowhere near is not heard.
    Walking,
    /// In a straight line.
    Straight,
}

/// How finely the place of a sound is told up to a distance.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// Up to this, metres; the last band goes on to the radius.
    pub within_m: f64,
    /// Edge of the grid's cells, metres.
    pub step_m: f64,
}

/// How finely the place of a sound is told to those who know its emitter.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Precise {
    /// At least at this level.
    pub from: Level,
    /// Edge of the grid's cells, metres.
    pub step_m: f64,
}

/// Who is told which entity it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Naming {
    /// Nobody.
    Never,
    /// Those who know the entity at least at this level; never `Hidden`.
    From(Level),
}

/// A class of events: a kill-feed line, a damage marker, a decal.
#[derive(Clone, Debug, PartialEq)]
pub struct EventClass {
    /// Unique.
    pub name: String,
    /// What is told of it; the n-th reference names the n-th entity that it is about.
    pub fields: Vec<FieldRules>,
    /// What is known of it by right.
    pub grants: EventGrants,
    /// What else decides, where it has a place: then it is seen.
    pub sight: SightPolicy,
    /// Beyond it, geometry is not asked, metres; may be infinite.
    pub radius_m: f64,
    /// Only observers who follow the topic are told.
    pub topic: Option<String>,
}

/// The level of an event that each right gives; `Hidden` gives none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventGrants {
    /// To whom it is about.
    pub about: Level,
    /// To the team of whom it is about.
    pub team: Level,
    /// To all.
    pub everyone: Level,
}
