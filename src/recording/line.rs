//! What a line of a recording may say.
//!
//! Owns the names and the defaults of its keys, for reading and for writing. Promises: an unknown key is an error, and
//! so is a missing one. Must not know what comes of it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Names and values of fields.
pub type FieldMap = Map<String, Value>;

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_standing(stance: &StanceName) -> bool {
    *stance == StanceName::Standing
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A gap.
    Cut(CutLine),
    /// One tick.
    Tick(TickLine),
}

/// What follows does not go on from what went before: every entity is gone until it is named again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutLine {
    /// `Cut`.
    #[serde(rename = "type")]
    pub kind: LineKind,
    /// The tick of the next line.
    pub tick: u32,
    /// The round that begins, if it is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// Ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ext: Option<FieldMap>,
}

/// What a line is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    /// The first one.
    Header,
    /// A gap.
    Cut,
    /// A tick.
    #[default]
    Tick,
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordingHeader {
    /// `Header`.
    #[serde(rename = "type")]
    pub kind: LineKind,
    /// Of the format: 1.
    pub version: u32,
    /// The map's name.
    pub map: String,
    /// Ticks a second.
    pub tick_hz: f64,
    /// What clients interpolate over, milliseconds; one tick if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interp_ms: Option<f64>,
    /// Who is there from the start.
    pub observers: Vec<ObserverLine>,
    /// Whatever else a tool keeps; ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ext: Option<FieldMap>,
}

/// An observer that joins, changed or left.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObserverLine {
    /// Small and unique.
    pub id: u32,
    /// The entity it plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<u32>,
    /// Its team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// Its round trip, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rtt_ms: Option<f64>,
    /// What it is: `player` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<KindName>,
    /// Whom a spectator follows: an entity or a team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<FollowsLine>,
    /// By how much a caster or killcam is late, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<f64>,
    /// What its client waits with its own input, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_delay_ms: Option<f64>,
    /// Groups whose knowledge it shares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<u32>>,
    /// Topics that it follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topics: Option<Vec<String>>,
    /// Where its interest lies: boxes in the plan, south-west and north-east corner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regions: Option<Vec<[[f64; 2]; 2]>>,
    /// Whether it left.
    #[serde(default, skip_serializing_if = "is_false")]
    pub left: bool,
    /// Ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ext: Option<FieldMap>,
}

impl ObserverLine {
    /// This line as a change of an earlier one: what it does not say stays as it was.
    pub(crate) fn changing(self, before: &Self) -> Self {
        let before = before.clone();
        Self {
            entity: self.entity.or(before.entity),
            team: self.team.or(before.team),
            rtt_ms: self.rtt_ms.or(before.rtt_ms),
            kind: self.kind.or(before.kind),
            follows: self.follows.or(before.follows),
            delay_ms: self.delay_ms.or(before.delay_ms),
            input_delay_ms: self.input_delay_ms.or(before.input_delay_ms),
            groups: self.groups.or(before.groups),
            topics: self.topics.or(before.topics),
            regions: self.regions.or(before.regions),
            ..self
        }
    }
}

/// What an observer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KindName {
    /// It plays.
    #[default]
    Player,
    /// It knows what another knows.
    Spectator,
    /// It knows everything, later.
    Caster,
    /// It knows what one entity knew, later.
    Killcam,
}

impl KindName {
    /// Its name in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Spectator => "spectator",
            Self::Caster => "caster",
            Self::Killcam => "killcam",
        }
    }
}

/// Whom a spectator follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FollowsLine {
    /// The player of an entity.
    Entity(u32),
    /// A team.
    Team(String),
}

/// A tick: what it does not name keeps its last state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TickLine {
    /// `Tick`.
    #[serde(rename = "type")]
    pub kind: LineKind,
    /// Its number.
    pub tick: u32,
    /// Entities that are new or changed, or all.
    #[serde(default)]
    pub entities: Vec<EntityLine>,
    /// Entities that are gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<u32>,
    /// Sounds made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sounds: Vec<SoundLine>,
    /// What happened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventLine>,
    /// All smoke that stands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub occluders: Vec<OccluderLine>,
    /// Doors that changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doors: Vec<DoorLine>,
    /// Observers that joined, changed or left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observers: Vec<ObserverLine>,
    /// Ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ext: Option<FieldMap>,
}

/// An entity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntityLine {
    /// Small and unique.
    pub id: u32,
    /// Its class in the rules.
    pub class: String,
    /// Its team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// Who owns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<u32>,
    /// What carries it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// Groups that share what may be known of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<u32>,
    /// Its feet, metres.
    pub pos: [f64; 3],
    /// Metres per second.
    pub vel: [f64; 3],
    /// Degrees from +x, counter-clockwise.
    pub yaw: f64,
    /// Degrees, up is positive.
    pub pitch: f64,
    /// How it stands.
    #[serde(default, skip_serializing_if = "is_standing")]
    pub stance: StanceName,
    /// Whether it lives.
    pub alive: bool,
    /// Whether it stands on a stage.
    #[serde(default, skip_serializing_if = "is_false")]
    pub presenter: bool,
    /// Whether it came here other than by moving.
    #[serde(default, skip_serializing_if = "is_false")]
    pub teleported: bool,
    /// Values of the class's fields.
    pub fields: FieldMap,
    /// Ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ext: Option<FieldMap>,
}

/// How a body stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StanceName {
    /// Upright.
    #[default]
    Standing,
    /// Crouched.
    Crouched,
}

/// A sound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoundLine {
    /// Its class in the rules.
    pub class: String,
    /// What made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emitter: Option<u32>,
    /// Where, metres.
    pub pos: [f64; 3],
    /// Ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ext: Option<FieldMap>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventLine {
    /// Its class in the rules.
    pub class: String,
    /// Whom it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<u32>,
    /// Where, if it has a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pos: Option<[f64; 3]>,
    /// Values of the class's fields.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub fields: FieldMap,
    /// Ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ext: Option<FieldMap>,
}

/// Smoke that stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OccluderLine {
    /// Its name.
    pub id: String,
    /// Its shape.
    pub shape: ShapeName,
    /// Its middle, metres.
    pub center: [f64; 3],
    /// Metres.
    pub radius: f64,
    /// The last tick through which it surely stands; as long as the recording lists it, if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_tick: Option<u32>,
    /// Ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ext: Option<FieldMap>,
}

/// The shape of smoke.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShapeName {
    /// A ball.
    #[default]
    Sphere,
}

/// A door that changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DoorLine {
    /// Its name on the map.
    pub id: String,
    /// Whether it lets through.
    pub open: bool,
    /// Ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ext: Option<FieldMap>,
}
