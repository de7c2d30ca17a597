//! From a map to its potentially visible set: which cells may see which.
//!
//! Owns the descent over pairs of nodes and its division among threads.
//! Promises: a pair called hidden has no free sight line with the sight clearance; the same map gives the same
//! classes for any number of threads.
//! Must not know files or the terminal.

mod bits;
mod earlier;
mod job;
mod pair;
mod pieces;
mod replay;
mod tree;

use crate::geom::Point3;
use crate::map::cells::Cells;
use crate::map::model::Player;
use crate::map::pvs::{CellId, Pvs};
use crate::map::solids::Solids;
use crate::map::window::Fault;
pub use earlier::Earlier;
use job::{Job, Scratch};

/// How a bake is done.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct BakeOptions {
    /// Coarser and faster; as safe, but more pairs stay unresolved.
    pub quality: BakeQuality,
    /// An error planted by a test.
    #[doc(hidden)]
    pub fault: Option<Fault>,
}

/// How hard a bake tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BakeQuality {
    /// For servers.
    #[default]
    Full,
    /// For an editor loop.
    Draft,
}

/// What a bake tells while it runs; called from several threads.
pub trait BakeProgress: Sync {
    /// `done` of `total` pairs of cells are decided.
    fn advance(&self, done: u64, total: u64);
    /// Whether the bake should stop.
    fn cancelled(&self) -> bool;
}

/// A bake that tells nothing and is never stopped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl BakeProgress for Quiet {
    fn advance(&self, _done: u64, _total: u64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

/// The bake was stopped by its [`BakeProgress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the bake was stopped")]
pub struct Cancelled;

/// Bakes the potentially visible set of `cells` between `solids`.
///
/// Uses the current rayon pool. Doors count as open: they are not among `solids`. With an `earlier` bake of the
/// same player, cell size and quality, only what the change between the two maps can affect is baked again;
/// the result is the same with or without.
///
/// # Errors
/// [`Cancelled`] where `progress` says so.
pub fn bake_from(
    player: &Player,
    cell_size: f64,
    solids: &Solids,
    cells: &Cells,
    options: BakeOptions,
    earlier: Option<Earlier<'_>>,
    progress: &dyn BakeProgress,
) -> Result<Pvs, Cancelled> {
    Job::new(player, cell_size, solids, cells, options).with_earlier(earlier).run(progress)
}

/// Bakes in full: [`bake_from`] without an earlier bake.
///
/// # Errors
/// [`Cancelled`] where `progress` says so.
pub fn bake(
    player: &Player,
    cell_size: f64,
    solids: &Solids,
    cells: &Cells,
    options: BakeOptions,
    progress: &dyn BakeProgress,
) -> Result<Pvs, Cancelled> {
    bake_from(player, cell_size, solids, cells, options, None, progress)
}

/// A free segment from an eye of cell `a` to a body point of cell `b`, found again as the bake found it.
///
/// `None` where the pair is hidden or unresolved. For many pairs see [`Witnesses`].
pub fn witness(
    player: &Player,
    cell_size: f64,
    solids: &Solids,
    cells: &Cells,
    a: CellId,
    b: CellId,
    options: BakeOptions,
) -> Option<(Point3, Point3)> {
    Witnesses::new(player, cell_size, solids, cells, options).find(a, b)
}

/// Finds witnesses of one bake again.
pub struct Witnesses<'a> {
    job: Job<'a>,
}

impl<'a> Witnesses<'a> {
    /// Prepares for questions about the bake of `cells` between `solids` with these `options`.
    pub fn new(
        player: &'a Player,
        cell_size: f64,
        solids: &'a Solids,
        cells: &'a Cells,
        options: BakeOptions,
    ) -> Self {
        Self { job: Job::new(player, cell_size, solids, cells, options) }
    }

    /// A free segment from an eye of cell `a` to a body point of cell `b`, the same in every call.
    ///
    /// `None` where the pair is hidden or unresolved.
    ///
    /// # Panics
    /// Where a cell is not of the map.
    pub fn find(&self, a: CellId, b: CellId) -> Option<(Point3, Point3)> {
        self.job.witness(&mut Scratch::default(), a, b)
    }
}
