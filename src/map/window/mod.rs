//! Is there a free sight line between two volumes? The solver behind the bake and the run-time window test.

mod bars;
mod blockers;
mod frame;
mod heights;
mod lines;
mod occluders;
mod question;
mod shaft;
mod single;
mod slab;
mod solve;
mod spread;
mod stands;
mod test;
mod tube;
mod volume;

pub(crate) use occluders::Occluders;
pub(crate) use question::{Answer, Effort, Question};
pub(crate) use shaft::Shaft;
pub(crate) use solve::Solver;
pub(crate) use spread::{Spread, Supports};
pub(crate) use test::{Passing, Sight};
pub use test::{Reach, WindowTest};
pub(crate) use tube::Tube;
pub(crate) use volume::Volume;

/// An error planted on purpose, to show that the tests' oracles would find it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// Pieces hide what passes them by less than this, in metres.
    Clearance(f64),
    /// Slopes are bounded by the longest distance between the volumes only.
    SlopeRange,
    /// Pieces count where they reach behind the eye or beyond the body.
    SlabClip,
}
