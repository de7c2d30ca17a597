//! From the text of rules to what they say, each part checked as soon as it is read.
//!
//! Owns the schema of `rules.ron`. Promises: every problem at its place, all in one run; a part that is wrong
//! hides no problem of another. Must not know what makes sense: that is `validate`'s.

mod class;
mod settings;

use super::finding::{RulesError, RulesWarning};
use super::validate::{self, Check, World};
use super::{BodyVolume, RulesSource};
use crate::text::{self, Element, Fields, Outcome, Span, TextError};
use crate::wire::is_extent;
use serde::Deserialize;
use std::collections::HashMap;

/// The version of the format; there is no earlier one.
const VERSION: u64 = 1;
/// Elements of each list.
const MOST_ELEMENTS: usize = crate::wire::MAX_CLASSES;

const DOCUMENT: &[&str] = &[
    "version",
    "extent_m",
    "topics",
    "mode",
    "team_vision",
    "lead",
    "hold_ms",
    "view_cone_deg",
    "smoke",
    "solver_nodes",
    "sending",
    "classes",
    "sounds",
    "events",
];

/// Where each value of rules is in their text, by its path: `classes[2].fields[0].seen`.
pub(super) type Origins = HashMap<String, Span>;

/// A struct that is being read.
struct Scope {
    element: Element,
    path: String,
    fields: Fields,
}

/// What is read so far.
pub(super) struct Reader<'a> {
    decoder: text::Decoder<'a, RulesError, RulesWarning>,
    origins: Origins,
    world: World,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, body: Option<BodyVolume>) -> Self {
        let decoder = text::Decoder { text, report: text::Report::default() };
        Self { decoder, origins: Origins::new(), world: World { body, ..World::default() } }
    }

    /// The rules of the text, or everything that is wrong with them.
    pub(super) fn read(mut self) -> Outcome<RulesSource, RulesError, RulesWarning> {
        let source = self.document();
        if let Some(source) = source.as_ref().filter(|_| self.decoder.report.is_clean()) {
            validate::whole(source, &self.world, &self.origins, &mut self.decoder.report);
        }
        self.decoder.report.finish(source, self.decoder.text)
    }

    fn document(&mut self) -> Option<RulesSource> {
        let (element, inside) = self.decoder.document("the file is not one set of rules: (...)")?;
        let fields = self.decoder.fields(&element, inside, DOCUMENT);
        let scope = Scope { element, path: String::new(), fields };
        let version: Option<u64> = self.leaf(&scope, "version", "a whole number");
        if let Some(version) = version.filter(|&version| version != VERSION) {
            let span = self.origins.get("version").copied().unwrap_or_default();
            self.decoder.report.error(&scope.element, span, TextError::UnknownVersion(version).into());
            return None;
        }
        let extent_m = self.leaf(&scope, "extent_m", "a number");
        let topics = self.maybe(&scope, "topics", "a list of texts", Vec::new());
        let settings = self.settings(&scope);
        if let Some(extent_m) = extent_m {
            self.check(&scope, |check| validate::extent(check, extent_m));
            // A senseless extent is one problem, not one of every field.
            self.world.extent_m = if is_extent(extent_m) { extent_m } else { self.world.extent_m };
        }
        if let Some(settings) = &settings {
            self.check(&scope, |check| validate::settings(check, settings));
            self.world.mtu_bytes = settings.sending.mtu_bytes;
            self.world.stale_ticks = settings.sending.stale_ticks;
        }
        let classes = self.each(&scope, "classes", Self::class);
        let sounds = self.each(&scope, "sounds", Self::sound);
        let events = self.each(&scope, "events", Self::event);
        Some(RulesSource {
            extent_m: extent_m?,
            topics: topics?,
            classes: classes?,
            sounds: sounds?,
            events: events?,
            settings: settings?,
        })
    }

    /// The elements of a list at the top; `None` where one of them is wrong.
    fn each<T>(
        &mut self,
        scope: &Scope,
        list: &'static str,
        read: impl Fn(&mut Self, Element, String, Span) -> Option<T>,
    ) -> Option<Vec<T>> {
        let span = self.decoder.required(&scope.element, &scope.fields, list)?;
        let element = Element { list, ..scope.element.clone() };
        let mut whole = Some(Vec::new());
        for (index, value) in self.decoder.elements(&element, span, MOST_ELEMENTS) {
            let head = self.decoder.head(value);
            let element = Element { index: Some(index), span: head, ..element.clone() };
            let read = read(self, element, format!("{list}[{index}]"), value);
            whole = whole.zip(read).map(|(mut list, value)| {
                list.push(value);
                list
            });
        }
        whole
    }

    /// The struct at `value`.
    fn open(
        &mut self,
        element: Element,
        path: String,
        value: Span,
        known: &'static [&'static str],
    ) -> Option<Scope> {
        self.origins.insert(path.clone(), self.decoder.head(value));
        let inside = self.decoder.struct_inside(&element, value)?;
        let at = Element { span: self.decoder.head(value), ..element };
        let fields = self.decoder.fields(&at, inside, known);
        Some(Scope { element: at, path, fields })
    }

    /// The struct in field `name`, which must be there.
    fn inner(&mut self, scope: &Scope, name: &'static str, known: &'static [&'static str]) -> Option<Scope> {
        let value = self.decoder.required(&scope.element, &scope.fields, name)?;
        self.open(scope.element.clone(), scope.path_of(name), value, known)
    }

    /// The value of field `name`, which must be there.
    fn leaf<T: Deserialize<'a>>(
        &mut self,
        scope: &Scope,
        name: &'static str,
        expected: &'static str,
    ) -> Option<T> {
        let value = self.decoder.required(&scope.element, &scope.fields, name)?;
        self.origins.insert(scope.path_of(name), value);
        self.decoder.value(&scope.element, value, expected)
    }

    /// The value of field `name`, or `otherwise` where it is left out; `None` where it is wrong.
    fn maybe<T: Deserialize<'a>>(
        &mut self,
        scope: &Scope,
        name: &'static str,
        expected: &'static str,
        otherwise: T,
    ) -> Option<T> {
        match scope.fields.get(name) {
            Some(_) => self.leaf(scope, name, expected),
            None => Some(otherwise),
        }
    }

    /// The value of field `name`, or nothing where it is left out; `None` where it is wrong.
    fn optional<T: Deserialize<'a>>(
        &mut self,
        scope: &Scope,
        name: &'static str,
        expected: &'static str,
    ) -> Option<Option<T>> {
        match scope.fields.get(name) {
            Some(_) => self.leaf(scope, name, expected).map(Some),
            None => Some(None),
        }
    }

    /// The structs in the list in field `name`, or none where it is left out; `None` where one is wrong.
    fn list<T>(
        &mut self,
        scope: &Scope,
        name: &'static str,
        read: impl Fn(&mut Self, Element, String, Span) -> Option<T>,
    ) -> Option<Vec<T>> {
        let Some(span) = scope.fields.get(name) else { return Some(Vec::new()) };
        self.origins.insert(scope.path_of(name), self.decoder.head(span));
        let elements = self.decoder.elements(&scope.element, span, MOST_ELEMENTS);
        let read: Vec<Option<T>> = elements
            .into_iter()
            .map(|(index, value)| {
                let path = format!("{}[{index}]", scope.path_of(name));
                read(self, scope.element.clone(), path, value)
            })
            .collect();
        read.into_iter().collect()
    }

    /// Runs a check of what `scope` holds.
    fn check(&mut self, scope: &Scope, run: impl FnOnce(&mut Check<'_>)) {
        let Self { decoder, origins, .. } = self;
        run(&mut Check {
            report: &mut decoder.report,
            origins,
            element: scope.element.clone(),
            path: scope.path.clone(),
        });
    }
}

impl Scope {
    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// The same, with the name of the element.
    fn named(mut self, name: Option<&String>) -> Self {
        self.element.name = name.cloned();
        self
    }
}
