//! One problem of a text, and where it is.
//!
//! Promises: every finding has a line, a column and an element. Must not know what can be wrong.

/// A range of bytes of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` to before `end`.
    pub(crate) const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

/// One problem and its place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding<P> {
    /// What is wrong: an error or a warning of its format.
    pub problem: P,
    /// The element it is about, as in `solids[17] "crate_2"`; empty where it is the file.
    pub element: String,
    /// The bytes to point at.
    pub span: Span,
    /// Line of the first byte, from 1.
    pub line: usize,
    /// Column of the first byte in characters, from 1.
    pub column: usize,
    /// A second place that belongs to it, and what that is.
    pub related: Option<(Span, &'static str)>,
}
