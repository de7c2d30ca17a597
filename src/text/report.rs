//! The list that findings are collected in.
//!
//! Owns the cap on their number and the translation of byte offsets to lines and columns.
//! Promises: one pass over the text for all findings, whatever their number.

use super::{Finding, Span, TextError};
use std::fmt;

/// Findings of a kind that are kept; more are counted. A hostile file could make millions.
pub(crate) const MAX_FINDINGS: usize = 10_000;

/// An element of the source, for naming it in a finding.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Element {
    /// `solids`, `player`, ...; empty for the file.
    pub(crate) list: &'static str,
    /// Place in the list, from 0.
    pub(crate) index: Option<usize>,
    /// Id or name, where it has one.
    pub(crate) name: Option<String>,
    /// Where to point at when the whole element is meant.
    pub(crate) span: Span,
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.list)?;
        if let Some(index) = self.index {
            write!(f, "[{index}]")?;
        }
        match &self.name {
            Some(name) => write!(f, " {}", quoted(name)),
            None => Ok(()),
        }
    }
}

/// A name in quotes, escaped and at most 64 characters long: it may be hostile.
fn quoted(name: &str) -> String {
    match name.char_indices().nth(64) {
        Some((end, _)) => format!("{:?}...", &name[..end]),
        None => format!("{name:?}"),
    }
}

/// All findings so far.
pub(crate) struct Report<E, W> {
    errors: Vec<Finding<E>>,
    warnings: Vec<Finding<W>>,
    omitted_errors: usize,
    omitted_warnings: usize,
}

/// What a report comes to, each list in the order of the text.
pub(crate) struct Outcome<T, E, W> {
    /// What was read; `None` where there are errors.
    pub(crate) value: Option<T>,
    pub(crate) errors: Vec<Finding<E>>,
    pub(crate) warnings: Vec<Finding<W>>,
    /// Findings that were counted and not kept.
    pub(crate) omitted: usize,
}

/// Every problem of a source that does not load.
#[derive(Clone, Debug, PartialEq)]
pub struct Errors<E, W> {
    /// The name of the file, as the caller gave it; empty for what was made by code.
    pub file: String,
    /// At least one, in the order of the text.
    pub errors: Vec<Finding<E>>,
    /// What was found besides.
    pub warnings: Vec<Finding<W>>,
    /// Findings beyond the first 10,000 of a kind, which are counted and not kept.
    pub omitted: usize,
}

impl<E: From<TextError>, W> Errors<E, W> {
    /// The one problem of a file whose text can't be taken at all.
    pub(crate) fn of(problem: TextError, file: &str) -> Self {
        let mut errors = Vec::new();
        push(&mut errors, &mut 0, &Element::default(), Span::default(), problem.into(), None);
        Self { file: file.into(), errors, warnings: Vec::new(), omitted: 0 }
    }
}

impl<E: fmt::Display, W> fmt::Display for Errors<E, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.file;
        for (i, Finding { problem, element, line, column, .. }) in self.errors.iter().enumerate() {
            let newline = if i > 0 { "\n" } else { "" };
            let colon = if element.is_empty() { "" } else { ": " };
            if file.is_empty() {
                write!(f, "{newline}{element}{colon}{problem}")?;
            } else {
                write!(f, "{newline}{file}:{line}:{column}: {element}{colon}{problem}")?;
            }
        }
        if self.omitted > 0 {
            let colon = if file.is_empty() { "" } else { ": " };
            write!(f, "\n{file}{colon}and {} more", self.omitted)?;
        }
        Ok(())
    }
}

impl<E: fmt::Debug + fmt::Display, W: fmt::Debug> std::error::Error for Errors<E, W> {}

/// What was read of a text with no error.
pub(crate) struct Held<T, W> {
    pub(crate) value: T,
    pub(crate) warnings: Vec<Finding<W>>,
    /// Warnings that were counted and not kept.
    pub(crate) omitted: usize,
}

impl<T, E, W> Outcome<T, E, W> {
    /// What was read, or all that is wrong with `file`.
    pub(crate) fn into_result(self, file: &str) -> Result<Held<T, W>, Errors<E, W>> {
        let Self { value, errors, warnings, omitted } = self;
        match value {
            Some(value) => Ok(Held { value, warnings, omitted }),
            None => Err(Errors { file: file.into(), errors, warnings, omitted }),
        }
    }
}

impl<E, W> Default for Report<E, W> {
    fn default() -> Self {
        Self { errors: Vec::new(), warnings: Vec::new(), omitted_errors: 0, omitted_warnings: 0 }
    }
}

impl<E, W> Report<E, W> {
    pub(crate) fn error(&mut self, element: &Element, span: Span, problem: E) {
        self.error_with(element, span, problem, None);
    }

    pub(crate) fn error_with(
        &mut self,
        element: &Element,
        span: Span,
        problem: E,
        related: Option<(Span, &'static str)>,
    ) {
        push(&mut self.errors, &mut self.omitted_errors, element, span, problem, related);
    }

    pub(crate) fn warn(&mut self, element: &Element, span: Span, problem: W) {
        self.warn_with(element, span, problem, None);
    }

    pub(crate) fn warn_with(
        &mut self,
        element: &Element,
        span: Span,
        problem: W,
        related: Option<(Span, &'static str)>,
    ) {
        push(&mut self.warnings, &mut self.omitted_warnings, element, span, problem, related);
    }

    /// Whether nothing so far keeps the text from loading.
    pub(crate) fn is_clean(&self) -> bool {
        self.errors.is_empty()
    }

    /// The end of a load: the value if nothing is wrong with it, and every finding at its place in `text`.
    pub(crate) fn finish<T>(mut self, value: Option<T>, text: &str) -> Outcome<T, E, W> {
        locate(&mut self.errors, text);
        locate(&mut self.warnings, text);
        let Self { errors, warnings, omitted_errors, omitted_warnings } = self;
        debug_assert!(value.is_some() || !errors.is_empty(), "a text without a value has an error");
        let value = value.filter(|_| errors.is_empty());
        Outcome { value, errors, warnings, omitted: omitted_errors + omitted_warnings }
    }
}

fn push<P>(
    list: &mut Vec<Finding<P>>,
    omitted: &mut usize,
    element: &Element,
    span: Span,
    problem: P,
    related: Option<(Span, &'static str)>,
) {
    if list.len() == MAX_FINDINGS {
        *omitted += 1;
        return;
    }
    list.push(Finding { problem, element: element.to_string(), span, line: 1, column: 1, related });
}

/// Sorts findings by their place and gives each its line and column.
fn locate<P>(findings: &mut [Finding<P>], text: &str) {
    findings.sort_by_key(|f| f.span);
    let (mut line, mut column, mut at) = (1, 1, 0);
    for finding in findings {
        let start = finding.span.start.min(text.len());
        for c in text[at..start].chars() {
            column += 1;
            if c == '\n' {
                line += 1;
                column = 1;
            }
        }
        at = start;
        (finding.line, finding.column) = (line, column);
    }
}
