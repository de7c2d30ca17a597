//! From the text of one value to the value: the `ron` crate decodes, this finds the place of what it dislikes.
//!
//! Owns the fields of a struct (unknown, missing, repeated) and numbers (finite, within bounds).
//! Promises: one bad value never hides a problem of another. Must not know the schema.

use super::super::finding::{MapError, Span};
use super::report::{Element, Report};
use super::scan::{self, Fault, Item};
use serde::Deserialize;

/// Coordinates lie within this many metres of the origin; f64 is then good to 10⁻¹¹ m, far below the sight
/// clearance.
pub(in crate::map) const MAX_COORDINATE_M: f64 = 1e5;

/// Values up to this many bytes are quoted whole.
const SHORT: usize = 40;

/// The text, and what is found in it.
pub(in crate::map) struct Decoder<'a> {
    pub(in crate::map) text: &'a str,
    pub(in crate::map) report: Report,
}

/// The fields of a struct, by their place in the list of known names.
pub(super) struct Fields {
    known: &'static [&'static str],
    values: Vec<Option<Span>>,
    /// Where to point at when one is missing.
    whole: Span,
    /// Whether some of them could not be told apart: then nothing is said to be missing.
    broken: bool,
}

impl<'a> Decoder<'a> {
    pub(super) fn slice(&self, span: Span) -> &'a str {
        &self.text[span.start..span.end]
    }

    pub(super) fn fault(&mut self, element: &Element, fault: Fault) {
        let related = fault.related.map(|span| (span, "it was opened here"));
        self.report.error_with(element, fault.span, MapError::Syntax(fault.message), related);
    }

    /// The value at `span`, or an error at the very place that is wrong with it.
    pub(super) fn value<T: Deserialize<'a>>(
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
    pub(super) fn wrong_type(
        &mut self,
        element: &Element,
        span: Span,
        expected: &'static str,
        detail: String,
    ) {
        let head = self.head(span);
        let rest = &self.text[span.start..];
        // An empty span is the place before something: quote that.
        let text = if head.end > head.start { self.slice(head) } else { rest };
        let found: String = clipped(text.lines().next().unwrap_or_default()).chars().take(SHORT).collect();
        self.report.error(element, head, MapError::WrongType { expected, found, detail });
    }

    /// A finite number within ±[`MAX_COORDINATE_M`].
    pub(super) fn number(&mut self, element: &Element, span: Span, what: &'static str) -> Option<f64> {
        let value = self.value(element, span, "a number")?;
        self.bounded(element, span, what, value)
    }

    /// `value`, if it is finite and within ±[`MAX_COORDINATE_M`].
    pub(super) fn bounded(
        &mut self,
        element: &Element,
        span: Span,
        what: &'static str,
        value: f64,
    ) -> Option<f64> {
        if !value.is_finite() {
            self.report.error(element, span, MapError::NotFinite(what));
            return None;
        }
        self.require(element, span, what, value, value.abs() <= MAX_COORDINATE_M, "within 100 km of 0")
    }

    /// `value`, if `holds`; else an error that says what it `must` be.
    pub(super) fn require(
        &mut self,
        element: &Element,
        span: Span,
        what: &'static str,
        value: f64,
        holds: bool,
        must: &'static str,
    ) -> Option<f64> {
        if !holds {
            self.report.error(element, span, MapError::OutOfRange { what, value, must });
        }
        holds.then_some(value)
    }

    /// The items between two brackets, and one more than `expected` at most; a fault ends them.
    pub(super) fn items(&mut self, element: &Element, inside: Span, expected: usize) -> Vec<Item> {
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
    pub(super) fn fields(
        &mut self,
        element: &Element,
        inside: Span,
        known: &'static [&'static str],
    ) -> Fields {
        let mut fields =
            Fields { known, values: vec![None; known.len()], whole: element.span, broken: false };
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
                    self.report.error(element, name, MapError::RepeatedField(known[i]));
                }
                Some(i) => fields.values[i] = Some(value),
                None if self.slice(name) == "ext" => self.ext(element, value),
                None => {
                    let field = clipped(self.slice(name));
                    self.report.error(element, name, MapError::UnknownField { field, known });
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
    pub(super) fn head(&self, span: Span) -> Span {
        Span::new(span.start, first_line(self.text, span.start, span.end))
    }

    /// A required field.
    pub(super) fn required(
        &mut self,
        element: &Element,
        fields: &Fields,
        name: &'static str,
    ) -> Option<Span> {
        let value = fields.get(name);
        if value.is_none() && !fields.broken {
            self.report.error(element, self.head(fields.whole), MapError::MissingField(name));
        }
        value
    }
}

impl Fields {
    /// The value of a field, if the format has it here and it is given.
    pub(super) fn get(&self, name: &str) -> Option<Span> {
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
