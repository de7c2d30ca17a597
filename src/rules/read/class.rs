//! Classes of entities, sounds and events: from text to what they say.

use super::{Reader, Scope};
use crate::rules::validate;
use crate::rules::{
    BodyPoint, Class, EventClass, EventGrants, FieldRules, Grants, Naming, Priority, Relevance, SoundClass,
};
use crate::text::{Element, Span};
use crate::wire::{Disclosure, Field, Leave, Level};

const NUMBER: &str = "a number";
const LEVEL: &str = "a level: Owner, Team, Seen, Spotted, Heard or Hidden";
const DISCLOSURE: &str = "Exact, Grid(step) or Withheld";
const SIGHT: &str = "Never, Always, Pvs or PvsAndRays";
const TEXT: &str = "a text";

const CLASS: &[&str] = &[
    "name",
    "fields",
    "grants",
    "sight",
    "relevance",
    "motion",
    "body",
    "carried_by",
    "audible",
    "topic",
    "priority",
    "lod",
    "leave",
    "mode",
];
const FIELD: &[&str] = &["name", "encoding", "derived_from", "owner", "team", "seen", "spotted", "heard"];
const GRANTS: &[&str] = &["own", "owned", "team", "group", "presenter", "always"];
const RELEVANCE: &[&str] = &["enter_m", "leave_m"];
const POINT: &[&str] = &["name", "placing", "up_m", "crouched_up_m"];
const PRIORITY: &[&str] = &["base", "near", "half_distance_m", "size", "speed", "interaction", "view_cone"];
const SOUND: &[&str] = &["name", "radius_m", "path", "wall_factor", "bands", "precise", "emitter", "topic"];
const EVENT: &[&str] = &["name", "fields", "grants", "sight", "radius_m", "topic"];
const EVENT_GRANTS: &[&str] = &["about", "team", "everyone"];

impl Reader<'_> {
    pub(super) fn class(&mut self, element: Element, path: String, value: Span) -> Option<Class> {
        let scope = self.open(element, path, value, CLASS)?;
        let name: Option<String> = self.leaf(&scope, "name", TEXT);
        let scope = &scope.named(name.as_ref());
        let fields = self.fields(scope);
        let grants = self.grants(scope);
        let sight = self.leaf(scope, "sight", SIGHT);
        let relevance = self.relevance(scope);
        let motion =
            self.leaf(scope, "motion", "Player, Still or Free(max_speed_mps: .., max_accel_mps2: ..)");
        let body = self.list(scope, "body", Self::point);
        let carried_by = self.maybe(scope, "carried_by", "a list of texts", Vec::new());
        let audible = self.text(scope, "audible");
        let topic = self.text(scope, "topic");
        let priority = self.priority(scope);
        let lod = self.maybe(scope, "lod", "a list of (within_m: .., every_ticks: ..)", Vec::new());
        let leave = self.maybe(scope, "leave", "Removal, Timeout(ticks: ..) or Never", Leave::Removal);
        let mode = self.optional(scope, "mode", "Enforce, Shadow or Open");
        let class = Class {
            name: name?,
            fields: fields?,
            grants: grants?,
            sight: sight?,
            relevance: relevance?,
            motion: motion?,
            body: body?,
            carried_by: carried_by?,
            audible: audible?,
            topic: topic?,
            priority: priority?,
            lod: lod?,
            leave: leave?,
            mode: mode?,
        };
        let world = self.world;
        self.check(scope, |check| validate::class(check, &class, &world));
        Some(class)
    }

    pub(super) fn sound(&mut self, element: Element, path: String, value: Span) -> Option<SoundClass> {
        let scope = self.open(element, path, value, SOUND)?;
        let name: Option<String> = self.leaf(&scope, "name", TEXT);
        let scope = &scope.named(name.as_ref());
        let radius_m = self.leaf(scope, "radius_m", NUMBER);
        let path = self.leaf(scope, "path", "Walking or Straight");
        let wall_factor = self.leaf(scope, "wall_factor", NUMBER);
        let bands = self.leaf(scope, "bands", "a list of (within_m: .., step_m: ..)");
        let precise = self.optional(scope, "precise", "(from: level, step_m: ..)");
        let emitter = self.maybe(scope, "emitter", "Never or From(level)", Naming::Never);
        let topic = self.text(scope, "topic");
        let sound = SoundClass {
            name: name?,
            radius_m: radius_m?,
            path: path?,
            wall_factor: wall_factor?,
            bands: bands?,
            precise: precise?,
            emitter: emitter?,
            topic: topic?,
        };
        let world = self.world;
        self.check(scope, |check| validate::sound(check, &sound, &world));
        Some(sound)
    }

    pub(super) fn event(&mut self, element: Element, path: String, value: Span) -> Option<EventClass> {
        let scope = self.open(element, path, value, EVENT)?;
        let name: Option<String> = self.leaf(&scope, "name", TEXT);
        let scope = &scope.named(name.as_ref());
        let fields = self.fields(scope);
        let grants = self.event_grants(scope);
        let sight = self.leaf(scope, "sight", SIGHT);
        let radius_m = self.leaf(scope, "radius_m", NUMBER);
        let topic = self.text(scope, "topic");
        let event = EventClass {
            name: name?,
            fields: fields?,
            grants: grants?,
            sight: sight?,
            radius_m: radius_m?,
            topic: topic?,
        };
        let world = self.world;
        self.check(scope, |check| validate::event(check, &event, &world));
        Some(event)
    }

    fn text(&mut self, scope: &Scope, name: &'static str) -> Option<Option<String>> {
        match scope.fields.get(name) {
            Some(_) => self.leaf(scope, name, TEXT).map(Some),
            None => Some(None),
        }
    }

    fn fields(&mut self, scope: &Scope) -> Option<Vec<FieldRules>> {
        self.decoder.required(&scope.element, &scope.fields, "fields")?;
        self.list(scope, "fields", Self::field)
    }

    fn field(&mut self, element: Element, path: String, value: Span) -> Option<FieldRules> {
        let scope = &self.open(element, path, value, FIELD)?;
        let name = self.leaf(scope, "name", TEXT);
        let encoding = self.leaf(scope, "encoding", "an encoding, as in Position(step_m: 0.01)");
        let derived_from = self.text(scope, "derived_from");
        let mut levels = [Disclosure::Withheld; 5];
        let mut whole = true;
        for (told, level) in levels.iter_mut().zip(Level::TOLD) {
            match self.maybe(scope, level.name(), DISCLOSURE, Disclosure::Withheld) {
                Some(disclosure) => *told = disclosure,
                None => whole = false,
            }
        }
        let field = Field { name: name?, encoding: encoding?, levels };
        Some(FieldRules { field, derived_from: derived_from? }).filter(|_| whole)
    }

    fn grants(&mut self, scope: &Scope) -> Option<Grants> {
        let scope = &self.inner(scope, "grants", GRANTS)?;
        let [own, owned, team, group, presenter, always] =
            ["own", "owned", "team", "group", "presenter", "always"]
                .map(|name| self.leaf(scope, name, LEVEL));
        Some(Grants {
            own: own?,
            owned: owned?,
            team: team?,
            group: group?,
            presenter: presenter?,
            always: always?,
        })
    }

    fn event_grants(&mut self, scope: &Scope) -> Option<EventGrants> {
        let scope = &self.inner(scope, "grants", EVENT_GRANTS)?;
        let [about, team, everyone] = ["about", "team", "everyone"].map(|name| self.leaf(scope, name, LEVEL));
        Some(EventGrants { about: about?, team: team?, everyone: everyone? })
    }

    fn relevance(&mut self, scope: &Scope) -> Option<Relevance> {
        let scope = &self.inner(scope, "relevance", RELEVANCE)?;
        let [enter_m, leave_m] = ["enter_m", "leave_m"].map(|name| self.leaf(scope, name, NUMBER));
        Some(Relevance { enter_m: enter_m?, leave_m: leave_m? })
    }

    fn point(&mut self, element: Element, path: String, value: Span) -> Option<BodyPoint> {
        let scope = &self.open(element, path, value, POINT)?;
        let name = self.leaf(scope, "name", TEXT);
        let placing =
            self.leaf(scope, "placing", "Centre, Facing(forward_m: .., left_m: ..) or Side(left_m: ..)");
        let up_m: Option<f64> = self.leaf(scope, "up_m", NUMBER);
        let crouched_up_m = match up_m {
            Some(up_m) => self.maybe(scope, "crouched_up_m", NUMBER, up_m),
            None => self.maybe(scope, "crouched_up_m", NUMBER, 0.0),
        };
        Some(BodyPoint { name: name?, placing: placing?, up_m: up_m?, crouched_up_m: crouched_up_m? })
    }

    fn priority(&mut self, scope: &Scope) -> Option<Priority> {
        let scope = &self.inner(scope, "priority", PRIORITY)?;
        let base = self.leaf(scope, "base", NUMBER);
        let half_distance_m = self.maybe(scope, "half_distance_m", NUMBER, 10.0);
        let [near, size, speed, interaction, view_cone] =
            ["near", "size", "speed", "interaction", "view_cone"]
                .map(|name| self.maybe(scope, name, NUMBER, 0.0));
        Some(Priority {
            base: base?,
            near: near?,
            half_distance_m: half_distance_m?,
            size: size?,
            speed: speed?,
            interaction: interaction?,
            view_cone: view_cone?,
        })
    }
}
