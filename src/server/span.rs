//! Spans around the parts of a tick, where the feature `tracing` is on.
//!
//! Owns their names, and the one place that knows whether there are any. Promises: without the feature nothing is left
//! of them. Must not know what happens within.

/// Stands for a span where there are none.
#[cfg(not(feature = "tracing"))]
pub(super) struct NoSpan;

/// Opens a span of a name and fields, which lasts until the value that it gives is dropped.
macro_rules! span {
    ($name:literal $(, $field:ident = $value:expr)*) => {{
        #[cfg(feature = "tracing")]
        let span = tracing::trace_span!(target: "fogwall", $name $(, $field = $value)*).entered();
        #[cfg(not(feature = "tracing"))]
        let span = $crate::server::span::NoSpan;
        span
    }};
}

pub(super) use span;
