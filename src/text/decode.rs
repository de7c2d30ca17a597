//! From the text of one value to the value: the `ron` crate decodes, this finds the place of what it dislikes.
//!
//! Owns the fields of a struct (unknown, missing, repeated) and numbers (finite, within bounds).
//! Promises: one bad value never hides a problem of another. Must not know the schema.

use super::error::{name_problem, similar};
use super::scan::{self, Fault, Group, Item};
use super::{Element, Report, Span, TextError};
use serde::Deserialize;

/// Coordinates lie within this many metres of the origin; f64 is then good to 10⁻¹¹ m, far below the sight
/// clearance.
pub(crate) const MAX_COORDINATE_M: f64 = 1e5;

/// Values up to this many bytes are quoted whole.
const SHORT: usize = 40;

/// Unknown fields of a struct that may be mistyped known ones.
const MISTYPED: usize = 8;

/// The text, and what is found in it.
pub(crate) struct Decoder<'a, E, W> {
    pub(crate) text: &'a str,
    pub(crate) report: Report<E, W>,
}

/// The fields of a struct, by their place in the list of known names.
pub(crate) struct Fields {
    known: &'static [&'static str],
    values: Vec<Option<Span>>,
    /// Where to point at when one is missing.
    whole: Span,
    /// Whether some of them could not be told apart: then nothing is said to be missing.
    broken: bool,
    /// Names that are not known, the first few.
    unknown: Vec<Span>,
}

impl<'a, E: From<TextError>, W> Decoder<'a, E, W> {
    pub(crate) fn slice(&self, span: Span) -> &'a str {
        &self.text[span.start..span.end]
    }

    pub(crate) fn fault(&mut self, element: &Element, fault: Fault) {
        let related = fault.related.map(|span| (span, "it was opened here"));
        self.report.error_with(element, fault.span, TextError::Syntax(fault.message).into(), related);
    }

    /// The value at `span`, or an error at the very place that is wrong with it.
    pub(crate) fn value<T: Deserialize<'a>>(
        &mut self,
        element: &Element,
        span: Span,
        expected: &'static str,
    ) -> Option<T> {
        let slice = self.slice(span);
        match ron::from_str::<T>(slice) {
            Ok(value) => Some(value),
            Err(error) => {
                let detail = clipped(&error.code.to_string());
                self.wrong_type(element, self.narrowed(span, &error.span), expected, detail);
                None
            }
        }
    }

    /// Where in a value the decoder stopped; short values are shown whole.
    fn narrowed(&self, span: Span, at: &ron::error::Span) -> Span {
        let slice = self.slice(span);
        if slice.len() <= SHORT && !slice.contains('\n') {
            return span;
        }
        let place = offset(slice, at.start.line, at.start.col);
        let end = offset(slice, at.end.line, at.end.col).max(place);
        Span::new(span.start + place, span.start + first_line(slice, place, end))
    }

    /// An error at `span` that quotes what is there.
    pub(crate) fn wrong_type(
        &mut self,
        element: &Element,
        span: Span,
        expected: &'static str,
        detail: String,
    ) {
        let head = self.head(span);
        let found = self.quoted(span, head);
        self.report.error(element, head, TextError::WrongType { expected, found, detail }.into());
    }

    /// What is at `span`, in short: a long value in brackets as `Name(...)`.
    fn quoted(&self, span: Span, head: Span) -> String {
        let rest = &self.text[span.start..];
        // An empty span is the place before something: quote that.
        let text = if head.end > head.start { self.slice(head) } else { rest };
        let line = clipped(text.lines().next().unwrap_or_default());
        let is_whole = line.chars().count() <= SHORT && head.end == span.end;
        match scan::group(self.text, span) {
            Some(Group { tag, inside, .. }) if !is_whole => {
                let brackets = self.slice(Span::new(inside.start - 1, inside.start)).chars();
                let brackets = brackets.chain(self.slice(Span::new(inside.end, span.end)).chars());
                let brackets: Vec<String> = brackets.map(String::from).collect();
                let tag: String = tag.map_or("", |tag| self.slice(tag)).chars().take(SHORT).collect();
                format!("{}{}", clipped(&tag), brackets.join("..."))
            }
            _ => line.chars().take(SHORT).collect(),
        }
    }

    /// A text that names something: short, and without control characters.
    pub(crate) fn name(&mut self, element: &Element, span: Span, what: &'static str) -> Option<String> {
        let name: String = self.value(element, span, "a text")?;
        if let Some(problem) = name_problem(&name, what) {
            self.report.error(element, self.head(span), problem.into());
            return None;
        }
        Some(name)
    }

    /// An error at a word that is none of the `known` kinds.
    pub(crate) fn unknown_kind(&mut self, element: &Element, word: Span, known: &'static [&'static str]) {
        let kind = clipped(self.slice(word));
        self.report.error(element, word, TextError::UnknownKind { kind, known }.into());
    }

    /// A finite number within ±[`MAX_COORDINATE_M`].
    pub(crate) fn number(&mut self, element: &Element, span: Span, what: &'static str) -> Option<f64> {
        let value = self.value(element, span, "a number")?;
        self.bounded(element, span, what, value)
    }

    /// `value`, if it is finite and within ±[`MAX_COORDINATE_M`].
    pub(crate) fn bounded(
        &mut self,
        element: &Element,
        span: Span,
        what: &'static str,
        value: f64,
    ) -> Option<f64> {
        if !value.is_finite() {
            self.report.error(element, span, TextError::NotFinite(what).into());
            return None;
        }
        self.require(element, span, what, value, value.abs() <= MAX_COORDINATE_M, "within 100 km of 0")
    }

    /// `value`, if `holds`; else an error that says what it `must` be.
    pub(crate) fn require(
        &mut self,
        element: &Element,
        span: Span,
        what: &'static str,
        value: f64,
        holds: bool,
        must: &'static str,
    ) -> Option<f64> {
        if !holds {
            self.report.error(element, span, TextError::OutOfRange { what, value, must }.into());
        }
        holds.then_some(value)
    }

    /// The one struct `(...)` that a text is: where to point at for the whole, and what is between its brackets.
    pub(crate) fn document(&mut self, otherwise: &str) -> Option<(Element, Span)> {
        let text = self.text;
        let element = Element::default();
        let part = scan::document(text);
        if let Err(fault) = scan::check(text, part) {
            self.fault(&element, fault);
            return None;
        }
        let group =
            scan::trim(text, part).and_then(|value| scan::group(text, value)).filter(|g| g.open == b'(');
        let Some(group) = group else {
            let span = self.head(Span::new(part.start, part.end));
            self.report.error(&element, span, TextError::Syntax(otherwise.into()).into());
            return None;
        };
        let open = Span::new(group.inside.start - 1, group.inside.start);
        Some((Element { span: open, ..element }, group.inside))
    }

    /// What is between the brackets of a list `[...]`.
    pub(crate) fn list_inside(&mut self, element: &Element, value: Span) -> Option<Span> {
        self.inside(element, value, b'[', "a list [...]")
    }

    /// What is between the brackets of a struct `(...)` without a name.
    pub(crate) fn struct_inside(&mut self, element: &Element, value: Span) -> Option<Span> {
        self.inside(element, value, b'(', "(field: value, ...)")
    }

    fn inside(&mut self, element: &Element, value: Span, open: u8, expected: &'static str) -> Option<Span> {
        let group = scan::group(self.text, value).filter(|g| g.open == open && g.tag.is_none());
        if group.is_none() {
            self.wrong_type(element, value, expected, String::new());
        }
        group.map(|g| g.inside)
    }

    /// The elements of the list at `list` by their places, up to `limit`; `element` names it.
    pub(crate) fn elements(&mut self, element: &Element, list: Span, limit: usize) -> Vec<(usize, Span)> {
        let Some(inside) = self.list_inside(element, list) else { return Vec::new() };
        let mut elements = Vec::new();
        for (index, item) in scan::items(self.text, inside).enumerate() {
            if index == limit {
                let problem = TextError::TooMany { what: element.list, limit };
                self.report.error(element, self.head(list), problem.into());
                break;
            }
            let element = Element { index: Some(index), ..element.clone() };
            match item {
                Ok(Item { name: None, value }) => elements.push((index, value)),
                Ok(Item { name: Some(span), .. }) => {
                    let field = self.slice(span).chars().take(64).collect();
                    self.report.error(&element, span, TextError::UnknownField { field, known: &[] }.into());
                }
                Err(fault) => self.fault(&element, fault),
            }
        }
        elements
    }

    /// The items between two brackets, and one more than `expected` at most; a fault ends them.
    pub(crate) fn items(&mut self, element: &Element, inside: Span, expected: usize) -> Vec<Item> {
        let mut items = Vec::new();
        for item in scan::items(self.text, inside).take(expected + 1) {
            match item {
                Ok(item) => items.push(item),
                Err(fault) => self.fault(element, fault),
            }
        }
        items
    }

    /// The fields between the brackets of a struct. `ext` is always allowed, and ignored.
    pub(crate) fn fields(
        &mut self,
        element: &Element,
        inside: Span,
        known: &'static [&'static str],
    ) -> Fields {
        let mut fields = Fields {
            known,
            values: vec![None; known.len()],
            whole: element.span,
            broken: false,
            unknown: Vec::new(),
        };
        for item in scan::items(self.text, inside) {
            let Item { name, value } = match item {
                Ok(item) => item,
                Err(fault) => {
                    self.fault(element, fault);
                    fields.broken = true;
                    continue;
                }
            };
            let Some(name) = name else {
                self.wrong_type(element, value, "`field: value`", String::new());
                continue;
            };
            match known.iter().position(|k| *k == self.slice(name)) {
                Some(i) if fields.values[i].is_some() => {
                    self.report.error(element, name, TextError::RepeatedField(known[i]).into());
                }
                Some(i) => fields.values[i] = Some(value),
                None if self.slice(name) == "ext" => self.ext(element, value),
                None => {
                    let field = clipped(self.slice(name));
                    if fields.unknown.len() < MISTYPED {
                        fields.unknown.push(name);
                    }
                    self.report.error(element, name, TextError::UnknownField { field, known }.into());
                }
            }
        }
        fields
    }

    fn ext(&mut self, element: &Element, value: Span) {
        if scan::group(self.text, value).is_none_or(|g| g.tag.is_some() || g.open != b'{') {
            self.wrong_type(element, value, "a map {...}", String::new());
        }
    }

    /// The first line of `span`, to point at.
    pub(crate) fn head(&self, span: Span) -> Span {
        Span::new(span.start, first_line(self.text, span.start, span.end))
    }

    /// A required field; one that is only mistyped was reported as unknown, with what is meant.
    pub(crate) fn required(
        &mut self,
        element: &Element,
        fields: &Fields,
        name: &'static str,
    ) -> Option<Span> {
        let value = fields.get(name);
        if value.is_some() || fields.broken {
            return value;
        }
        let meant = |field: &Span| similar(self.slice(*field), fields.known);
        if fields.unknown.iter().any(|field| meant(field) == Some(name)) {
            return None;
        }
        let unlike = fields.unknown.iter().find(|field| meant(field).is_none());
        let related = unlike.map(|field| (*field, "this one is not known: is it meant?"));
        self.report.error_with(
            element,
            self.head(fields.whole),
            TextError::MissingField(name).into(),
            related,
        );
        None
    }
}

impl Fields {
    /// The value of a field, if the format has it here and it is given.
    pub(crate) fn get(&self, name: &str) -> Option<Span> {
        let i = self.known.iter().position(|k| *k == name);
        i.and_then(|i| self.values[i])
    }
}

/// At most 200 characters of a message that may quote hostile text, without control characters.
fn clipped(message: &str) -> String {
    message.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// `end`, or the end of the line that `start` is in.
fn first_line(text: &str, start: usize, end: usize) -> usize {
    text[start..end].find('\n').map_or(end, |length| start + length)
}

/// The byte offset of a line and column (in characters), both from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &text[start..];
    start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(i, _)| i)
}
