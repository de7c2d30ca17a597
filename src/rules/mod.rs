//! Policy: which classes there are, what each level is told of them, and how far ahead and how much is sent.
//!
//! Owns the rules' types, their file and their checks. Promises: rules that exist were checked as a whole; what
//! they do not name is withheld. Must not know the world or a map.

mod finding;
mod interest;
mod link;
mod model;
mod read;
mod validate;

pub use finding::{LoadedRules, RulesError, RulesErrors, RulesWarning};
pub use interest::{LodRings, PresenterReach};
pub use link::{ClassLinks, FieldSource};
pub use model::{
    Band, BodyPoint, Class, EventClass, EventGrants, FieldRules, Grants, Lead, LodStep, Mode, Motion, Naming,
    Padding, Placing, Precise, Priority, Relevance, RulesSource, Sending, Settings, SightPolicy, SmokeRules,
    SoundClass, SoundPath, TeamVision,
};

use crate::ids::{ClassId, EventClassId, SoundClassId, TopicId};
use crate::text::{self, Element, Held, Outcome, Report, TextError};
use crate::wire::Schema;
use std::path::Path;
use std::sync::Arc;
use validate::{Check, World};

/// Rules that suit a shooter of two teams, and what each line of such a file means.
///
#[doc = concat!("```ron\n", include_str!("../../maps/rules.ron"), "```")]
pub const DEFAULT_RULES: &str = include_str!("../../maps/rules.ron");

/// Bytes of a file at most.
const MOST_BYTES: usize = 4_000_000;

/// The part of a player that a bake covers: a map's `sight_radius` and `height`, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyVolume {
    /// How far anything that can be seen leaves the body's axis.
    pub sight_radius_m: f64,
    /// Height of the standing body.
    pub height_m: f64,
}

/// Rules that were checked.
#[derive(Clone, Debug)]
pub struct Rules {
    source: RulesSource,
    schema: Arc<Schema>,
    classes: Vec<ClassLinks>,
    events: Vec<ClassLinks>,
    sound_topics: Vec<Option<TopicId>>,
}

impl Rules {
    /// Reads and checks a file of rules.
    ///
    /// # Errors
    /// Every problem of the file.
    pub fn load(path: impl AsRef<Path>) -> Result<LoadedRules, RulesErrors> {
        let path = path.as_ref();
        let name = path.display().to_string();
        match text::read_file(path, MOST_BYTES) {
            Ok(bytes) => Self::parse(bytes, &name),
            Err(problem) => Err(RulesErrors::of(problem, &name)),
        }
    }

    /// Checks the text of rules; `file` names it in errors.
    ///
    /// # Errors
    /// Every problem of the text.
    pub fn parse(bytes: impl AsRef<[u8]>, file: &str) -> Result<LoadedRules, RulesErrors> {
        parse(bytes.as_ref(), file, None)
    }

    /// The same, with body points held against what a bake covers.
    ///
    /// # Errors
    /// Every problem of the text.
    pub fn parse_for(
        bytes: impl AsRef<[u8]>,
        file: &str,
        body: BodyVolume,
    ) -> Result<LoadedRules, RulesErrors> {
        parse(bytes.as_ref(), file, Some(body))
    }

    /// Checks rules that were made by code.
    ///
    /// # Errors
    /// Every problem of the rules; lines and columns mean nothing then.
    pub fn check(source: RulesSource) -> Result<LoadedRules, RulesErrors> {
        let (mut report, origins) = (Report::default(), read::Origins::new());
        let mut check = Check {
            report: &mut report,
            origins: &origins,
            element: Element::default(),
            path: String::new(),
        };
        validate::extent(&mut check, source.extent_m);
        validate::settings(&mut check, &source.settings);
        let world = if check.report.is_clean() {
            let sending = &source.settings.sending;
            let (mtu_bytes, stale_ticks) = (sending.mtu_bytes, sending.stale_ticks);
            World { extent_m: source.extent_m, mtu_bytes, stale_ticks, body: None }
        } else {
            World::default()
        };
        for (index, class) in source.classes.iter().enumerate() {
            validate::at(&mut check, "classes", index, &class.name);
            validate::class(&mut check, class, &world);
        }
        for (index, sound) in source.sounds.iter().enumerate() {
            validate::at(&mut check, "sounds", index, &sound.name);
            validate::sound(&mut check, sound, &world);
        }
        for (index, event) in source.events.iter().enumerate() {
            validate::at(&mut check, "events", index, &event.name);
            validate::event(&mut check, event, &world);
        }
        validate::whole(&source, &world, &origins, &mut report);
        finish(report.finish(Some(source), ""), "")
    }

    /// Holds the body points against what a bake covers: those outside of it would be looked for in vain.
    ///
    /// # Errors
    /// Every point outside; lines and columns mean nothing then.
    pub fn check_body(&self, body: BodyVolume) -> Result<(), RulesErrors> {
        let (mut report, origins) = (Report::default(), read::Origins::new());
        for (index, class) in self.source.classes.iter().enumerate() {
            let element = Element::default();
            let mut check = Check { report: &mut report, origins: &origins, element, path: String::new() };
            validate::at(&mut check, "classes", index, &class.name);
            validate::body(&mut check, &class.body, Some(body));
        }
        report.finish(Some(()), "").into_result("").map(|_| ())
    }

    /// What both ends must agree on.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// What was checked, as it was written.
    pub fn source(&self) -> &RulesSource {
        &self.source
    }

    /// The settings that are about no class.
    pub fn settings(&self) -> &Settings {
        &self.source.settings
    }

    /// A class of entities.
    pub fn class(&self, id: ClassId) -> Option<&Class> {
        self.source.classes.get(usize::from(id.0))
    }

    /// The resolved names of a class of entities.
    pub fn class_links(&self, id: ClassId) -> Option<&ClassLinks> {
        self.classes.get(usize::from(id.0))
    }

    /// A class of sounds.
    pub fn sound(&self, id: SoundClassId) -> Option<&SoundClass> {
        self.source.sounds.get(usize::from(id.0))
    }

    /// The topic that observers must follow to be told of a class of sounds.
    pub fn sound_topic(&self, id: SoundClassId) -> Option<TopicId> {
        self.sound_topics.get(usize::from(id.0)).copied().flatten()
    }

    /// A class of events.
    pub fn event(&self, id: EventClassId) -> Option<&EventClass> {
        self.source.events.get(usize::from(id.0))
    }

    /// The resolved names of a class of events.
    pub fn event_links(&self, id: EventClassId) -> Option<&ClassLinks> {
        self.events.get(usize::from(id.0))
    }

    /// The class of entities of this name.
    pub fn class_id(&self, name: &str) -> Option<ClassId> {
        self.source.classes.iter().position(|c| c.name == name).map(|index| ClassId(index as u16))
    }

    /// The class of sounds of this name.
    pub fn sound_id(&self, name: &str) -> Option<SoundClassId> {
        self.source.sounds.iter().position(|s| s.name == name).map(|index| SoundClassId(index as u16))
    }

    /// The class of events of this name.
    pub fn event_id(&self, name: &str) -> Option<EventClassId> {
        self.source.events.iter().position(|e| e.name == name).map(|index| EventClassId(index as u16))
    }

    /// The topic of this name.
    pub fn topic_id(&self, name: &str) -> Option<TopicId> {
        self.source.topics.iter().position(|topic| topic == name).map(|index| TopicId(index as u16))
    }
}

/// The rules of a text.
fn parse(bytes: &[u8], file: &str, body: Option<BodyVolume>) -> Result<LoadedRules, RulesErrors> {
    if bytes.len() > MOST_BYTES {
        return Err(RulesErrors::of(TextError::FileTooLong { limit: MOST_BYTES }, file));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => finish(read::Reader::new(text, body).read(), file),
        Err(_) => Err(RulesErrors::of(TextError::NotText, file)),
    }
}

fn finish(
    outcome: Outcome<RulesSource, RulesError, RulesWarning>,
    file: &str,
) -> Result<LoadedRules, RulesErrors> {
    let Held { value, warnings, .. } = outcome.into_result(file)?;
    Ok(LoadedRules { rules: Rules::of(value), warnings })
}
