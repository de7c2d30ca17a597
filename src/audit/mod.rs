//! The audit: what every observer received and why, for people to read and for snapshots to pin.
//!
//! Owns the text. Promises: the same text for the same verdicts and records, whatever the order of the game's lists.
//! Must not decide anything.

mod lines;
#[cfg(feature = "cli")]
pub(crate) mod measure;
#[cfg(feature = "cli")]
pub(crate) mod opinion;
mod text;

pub use text::render_tick;
