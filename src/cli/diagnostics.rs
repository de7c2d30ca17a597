//! Findings about a map source, for people and for programs.
//!
//! Owns how they look: the line of the source, a caret, a hint; or the same as JSON.
//! Promises: no colours but on a terminal; a sane number of findings for people, all of them for programs;
//! any text can be shown, whatever bytes are in it. Must not know what is checked.

use super::Failure;
use super::words::counted;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use fogwall::{Finding, Limits, Loaded, Map, MapError, MapErrors, MapWarning, Span};
use serde::Serialize;
use std::io::Read;
use std::path::Path;

/// Findings that are shown to people; the rest is counted.
const SHOWN: usize = 40;

/// Lines longer than this are shown in part, in bytes.
const LONG_LINE: usize = 2_000;

/// What is shown of a long line, before and behind the place, in bytes.
const AROUND: usize = 100;

/// A map source and what was found in it.
pub(crate) struct Checked {
    /// The file's name as given.
    pub(crate) file: String,
    /// The file's bytes, as text; other bytes are replaced.
    text: String,
    /// The map, or nothing where there are errors.
    pub(crate) outcome: Result<Loaded, MapErrors>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    Error,
    Warning,
    Note,
}

/// A finding as data.
#[derive(Debug, Serialize)]
pub(crate) struct Entry<'a> {
    pub(crate) severity: Severity,
    code: &'static str,
    file: &'a str,
    line: usize,
    column: usize,
    element: &'a str,
    message: String,
    hint: String,
    #[serde(skip)]
    span: Span,
    #[serde(skip)]
    related: Option<(Span, &'static str)>,
}

/// Reads and validates a map source.
pub(crate) fn check(path: &Path) -> Checked {
    let file = path.display().to_string();
    match read(path) {
        Ok(bytes) => Checked {
            outcome: Map::parse(&bytes, &file),
            text: String::from_utf8(bytes)
                .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()),
            file,
        },
        // Loading fails in the same way, and says so as a finding.
        Err(_) => Checked { outcome: Map::load(path), text: String::new(), file },
    }
}

/// The map at `path`, with its warnings shown on standard error; its errors are shown there too.
pub(crate) fn load(path: &Path) -> Result<Map, Failure> {
    let checked = check(path);
    anstream::eprint!("{}", checked.render());
    match checked.outcome {
        Ok(loaded) => Ok(loaded.map),
        Err(errors) => {
            Err(Failure::message(format!("{}: {}", checked.file, counted(errors.errors.len(), "error"))))
        }
    }
}

/// The bytes of the file, at most one over the limit: then it is found too long.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(Limits::default().file_bytes as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Checked {
    /// All findings, errors first, each kind in the order of the text.
    pub(crate) fn entries(&self) -> Vec<Entry<'_>> {
        let (errors, warnings): (&[Finding<MapError>], &[Finding<MapWarning>]) = match &self.outcome {
            Ok(loaded) => (&[], &loaded.warnings),
            Err(errors) => (&errors.errors, &errors.warnings),
        };
        let errors = errors.iter().map(|f| {
            self.entry(f, Severity::Error, f.problem.code(), f.problem.to_string(), f.problem.hint())
        });
        let warnings = warnings.iter().map(|f| {
            let severity = if f.problem.is_note() { Severity::Note } else { Severity::Warning };
            self.entry(f, severity, f.problem.code(), f.problem.to_string(), f.problem.hint().into())
        });
        errors.chain(warnings).collect()
    }

    fn entry<'a, P>(
        &'a self,
        finding: &'a Finding<P>,
        severity: Severity,
        code: &'static str,
        message: String,
        hint: String,
    ) -> Entry<'a> {
        let Finding { element, span, line, column, related, .. } = finding;
        let (line, column, span, related) = (*line, *column, *span, *related);
        Entry { severity, code, file: &self.file, line, column, element, message, hint, span, related }
    }

    /// Findings beyond those that were kept.
    pub(crate) fn omitted(&self) -> usize {
        match &self.outcome {
            Ok(loaded) => loaded.omitted,
            Err(errors) => errors.omitted,
        }
    }

    /// The findings for people, with colours; empty where there are none.
    pub(crate) fn render(&self) -> String {
        let entries = self.entries();
        let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
        let mut out = String::new();
        for entry in entries.iter().take(SHOWN) {
            out += &renderer.render(&[self.group(entry)]);
            out += "\n\n";
        }
        let more = entries.len().saturating_sub(SHOWN) + self.omitted();
        if more > 0 {
            out += &format!("... and {more} more; --json has all of them\n\n");
        }
        out
    }

    fn group<'a>(&'a self, entry: &'a Entry<'a>) -> Group<'a> {
        let level = match entry.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let colon = if entry.element.is_empty() { "" } else { ": " };
        let title = format!("{}{colon}{}", entry.element, entry.message);
        let mut group = level.primary_title(title).id(entry.code).elements(None::<Origin<'a>>);
        let origin = Origin::path(entry.file).line(entry.line).char_column(entry.column);
        if self.text.is_empty() {
            return group.element(origin).element(Level::HELP.message(entry.hint.as_str()));
        }
        let line = line_around(&self.text, entry.span.start);
        let window = window(&self.text, line, entry.span);
        let mut snippet = self.snippet(window, entry.line);
        if window == line {
            snippet = snippet.path(entry.file);
        } else {
            // A part of a line has other columns than the line.
            group = group.element(origin);
        }
        snippet = snippet.annotation(AnnotationKind::Primary.span(within(&self.text, window, entry.span)));
        let near = entry.related.filter(|(span, _)| (window.0..window.1).contains(&span.start));
        if let Some((span, label)) = near {
            let span = within(&self.text, window, span);
            snippet = snippet.annotation(AnnotationKind::Context.span(span).label(label));
        }
        group = group.element(snippet);
        if let (None, Some((span, label))) = (near, entry.related) {
            group = group.element(self.related(span, label));
        }
        group.element(Level::HELP.message(entry.hint.as_str()))
    }

    fn snippet(&self, (low, high): (usize, usize), line: usize) -> Snippet<'_, Annotation<'_>> {
        Snippet::source(&self.text[low..high]).line_start(line).fold(false)
    }

    /// The line of a second place.
    fn related<'a>(&'a self, span: Span, label: &'static str) -> Snippet<'a, Annotation<'a>> {
        let line = line_around(&self.text, span.start);
        let number = 1 + self.text.as_bytes()[..line.0].iter().filter(|&&b| b == b'\n').count();
        let window = window(&self.text, line, span);
        let place = within(&self.text, window, span);
        self.snippet(window, number)
            .path(&self.file)
            .annotation(AnnotationKind::Context.span(place).label(label))
    }
}

/// Start and end of the line that the byte `at` is in.
fn line_around(text: &str, at: usize) -> (usize, usize) {
    let at = boundary(text, at);
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    (start, text[at..].find('\n').map_or(text.len(), |i| at + i))
}

/// The part of a line that is shown: all of it, but of a long one only what is around the place.
fn window(text: &str, (start, end): (usize, usize), span: Span) -> (usize, usize) {
    if end - start <= LONG_LINE {
        return (start, end);
    }
    let low = boundary(text, span.start.saturating_sub(AROUND)).max(start);
    (low, boundary(text, span.start.saturating_add(AROUND)).min(end))
}

/// A span, cut to a window and counted from its start.
fn within(text: &str, (low, high): (usize, usize), span: Span) -> std::ops::Range<usize> {
    let start = boundary(text, span.start).clamp(low, high);
    let end = boundary(text, span.end).clamp(start, high);
    start - low..end - low
}

/// The character boundary at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}
