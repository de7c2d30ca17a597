//! The list that findings are collected in.
//!
//! Owns the cap on their number and the translation of byte offsets to lines and columns.
//! Promises: one pass over the text for all findings, whatever their number.

use super::super::Map;
use super::super::finding::{Finding, Loaded, MapError, MapErrors, Span};
use super::super::warning::MapWarning;
use std::fmt;

/// Findings of a kind that are kept; more are counted. A hostile file could make millions.
pub(in crate::map) const MAX_FINDINGS: usize = 10_000;

/// An element of the source, for naming it in a finding.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::map) struct Element {
    /// `solids`, `player`, ...; empty for the file.
    pub(in crate::map) list: &'static str,
    /// Place in the list, from 0.
    pub(in crate::map) index: Option<usize>,
    /// Id or name, where it has one.
    pub(in crate::map) name: Option<String>,
    /// Where to point at when the whole element is meant.
    pub(in crate::map) span: Span,
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
#[derive(Default)]
pub(in crate::map) struct Report {
    errors: Vec<Finding<MapError>>,
    warnings: Vec<Finding<MapWarning>>,
    omitted_errors: usize,
    omitted_warnings: usize,
}

impl Report {
    pub(in crate::map) fn error(&mut self, element: &Element, span: Span, problem: MapError) {
        self.error_with(element, span, problem, None);
    }

    pub(in crate::map) fn error_with(
        &mut self,
        element: &Element,
        span: Span,
        problem: MapError,
        related: Option<(Span, &'static str)>,
    ) {
        push(&mut self.errors, &mut self.omitted_errors, element, span, problem, related);
    }

    pub(in crate::map) fn warn(&mut self, element: &Element, span: Span, problem: MapWarning) {
        self.warn_with(element, span, problem, None);
    }

    pub(in crate::map) fn warn_with(
        &mut self,
        element: &Element,
        span: Span,
        problem: MapWarning,
        related: Option<(Span, &'static str)>,
    ) {
        push(&mut self.warnings, &mut self.omitted_warnings, element, span, problem, related);
    }

    /// Whether nothing so far keeps the map from loading.
    pub(in crate::map) fn is_clean(&self) -> bool {
        self.errors.is_empty()
    }

    /// The end of a load: the map if nothing is wrong with it, else every error.
    pub(in crate::map) fn finish(
        mut self,
        map: Option<Map>,
        text: &str,
        file: &str,
    ) -> Result<Loaded, MapErrors> {
        locate(&mut self.errors, text);
        locate(&mut self.warnings, text);
        match map {
            Some(map) if self.errors.is_empty() => {
                Ok(Loaded { map, warnings: self.warnings, omitted: self.omitted_warnings })
            }
            _ => {
                debug_assert!(!self.errors.is_empty(), "a source without a map has an error");
                let omitted = self.omitted_errors + self.omitted_warnings;
                Err(MapErrors { file: file.into(), errors: self.errors, warnings: self.warnings, omitted })
            }
        }
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
