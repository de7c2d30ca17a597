//! Recordings: what a server knew, tick by tick, as lines of JSON.
//!
//! Owns the lines' form, reading and writing. Promises: memory for a line at a time, however long the file is; what is
//! wrong is said with its line and column. Must not know who may know what.

mod error;
mod line;
mod place;
mod read;
mod write;

pub use error::RecordingError;
pub use line::{
    CutLine, DoorLine, EntityLine, EventLine, FieldMap, FollowsLine, KindName, Line, LineKind, ObserverLine,
    OccluderLine, RecordingHeader, ShapeName, SoundLine, StanceName, TickLine,
};
pub(crate) use place::{Step, Wrong};
pub use read::Recording;
pub use write::RecordingWriter;
