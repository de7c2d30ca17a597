//! From a map to its potentially visible set: which cells may see which.
//!
//! Owns the descent over pairs of nodes and its division among threads.
//! Promises: a pair called hidden has no free sight line with the sight clearance; the same map gives the same
//! classes for any number of threads.
//! Must not know files or the terminal.

mod pair;
mod tree;

use crate::geom::Point3;
use crate::map::cells::{Cell, Cells};
use crate::map::model::Player;
use crate::map::pvs::{CellId, PairClass, Pvs, PvsBuilder};
use crate::map::solids::{Mask, Solids};
use crate::map::window::{Effort, Fault, Occluders, Question, Solver};
use pair::PairEffort;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tree::Tree;

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
/// Uses the current rayon pool. Doors count as open: they are not among `solids`.
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
    let job = Job::new(player, cell_size, solids, cells, options);
    job.run(progress)
}

/// A free segment from an eye of cell `a` to a body point of cell `b`, found again as the bake found it.
///
/// `None` where the pair is hidden or unresolved.
pub fn witness(
    player: &Player,
    solids: &Solids,
    cells: &Cells,
    a: CellId,
    b: CellId,
    options: BakeOptions,
) -> Option<(Point3, Point3)> {
    let job = Job::new(player, 1.0, solids, cells, options);
    let all: Vec<u32> = (0..job.occluders.len() as u32).collect();
    let (low, high) = (a.0.min(b.0), a.0.max(b.0));
    let outcomes = job.leaf_pair(&mut Solver::default(), &mut Vec::new(), [low, high], &all);
    outcomes[usize::from(a.0 > b.0)].witness
}

/// One bake: what all threads read, and the bits they set.
struct Job<'a> {
    player: &'a Player,
    cells: &'a [Cell],
    occluders: Occluders,
    tree: Tree,
    effort: PairEffort,
    node_effort: u32,
    fault: Option<Fault>,
    seen: Bits,
    open: Bits,
}

/// A square matrix of bits that threads set at the same time.
struct Bits {
    words_per_row: usize,
    words: Vec<AtomicU64>,
}

impl Bits {
    fn new(cells: usize) -> Self {
        let words_per_row = cells.div_ceil(64);
        let words = (0..words_per_row * cells).map(|_| AtomicU64::new(0)).collect();
        Self { words_per_row, words }
    }

    fn set(&self, row: u32, column: u32) {
        let word = row as usize * self.words_per_row + column as usize / 64;
        self.words[word].fetch_or(1 << (column % 64), Ordering::Relaxed);
    }

    fn row(&self, row: usize) -> Vec<u64> {
        let start = row * self.words_per_row;
        self.words[start..start + self.words_per_row].iter().map(|w| w.load(Ordering::Relaxed)).collect()
    }
}

/// What one thread reuses.
#[derive(Default)]
struct Scratch {
    solver: Solver,
    /// Candidate pieces of every level of the descent, one after the other.
    pieces: Vec<u32>,
    /// Candidate pieces of a pair of cells.
    leaf: Vec<u32>,
}

impl Scratch {
    fn new(fault: Option<Fault>) -> Self {
        let mut scratch = Self::default();
        scratch.solver.fault = fault;
        scratch
    }
}

/// A pair of nodes with the candidates of its parent.
struct Task {
    a: u32,
    b: u32,
    pieces: Vec<u32>,
}

/// Pairs of nodes handed to the threads before the descent goes on in each.
const TASKS: usize = 4096;

impl<'a> Job<'a> {
    fn new(
        player: &'a Player,
        cell_size: f64,
        solids: &Solids,
        cells: &'a Cells,
        options: BakeOptions,
    ) -> Self {
        let mut sight: Vec<_> = solids.pieces().iter().filter(|p| Mask::Sight.selects(p.blocks)).collect();
        // An order of the pieces themselves, not of the file: a change elsewhere must not reorder them.
        sight.sort_by(|p, q| {
            let key = |p: &crate::map::solids::Piece| {
                let v = p.outline.vertices()[0];
                [v.x, v.y, p.z.low, p.z.high]
            };
            let (p, q) = (key(p), key(q));
            p.iter()
                .zip(&q)
                .map(|(a, b)| a.total_cmp(b))
                .find(|o| o.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        let occluders = Occluders::new(sight);
        let (effort, node_effort) = match options.quality {
            BakeQuality::Full => (
                PairEffort {
                    symmetric_nodes: 32,
                    directed: Effort { nodes: 12, rounds: 2, total: 64 },
                    random: 24,
                },
                32,
            ),
            BakeQuality::Draft => (
                PairEffort {
                    symmetric_nodes: 16,
                    directed: Effort { nodes: 8, rounds: 0, total: 8 },
                    random: 4,
                },
                16,
            ),
        };
        let slice = cells.as_slice();
        Self {
            player,
            cells: slice,
            occluders,
            tree: Tree::build(slice, cell_size),
            effort,
            node_effort,
            fault: options.fault,
            seen: Bits::new(slice.len()),
            open: Bits::new(slice.len()),
        }
    }

    fn run(&self, progress: &dyn BakeProgress) -> Result<Pvs, Cancelled> {
        let total = (self.cells.len() as u64).pow(2);
        let done = AtomicU64::new(0);
        let stopped = AtomicBool::new(false);
        self.tasks().into_par_iter().for_each_init(
            || Scratch::new(self.fault),
            |scratch, task| {
                if stopped.load(Ordering::Relaxed) || progress.cancelled() {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                scratch.pieces.clear();
                scratch.pieces.extend_from_slice(&task.pieces);
                let from = 0..scratch.pieces.len();
                self.visit(scratch, task.a, task.b, from);
                let pairs = self.pairs(task.a, task.b);
                progress.advance(done.fetch_add(pairs, Ordering::Relaxed) + pairs, total);
            },
        );
        if stopped.into_inner() {
            return Err(Cancelled);
        }
        let mut builder = PvsBuilder::new(self.cells.len());
        for row in 0..self.cells.len() {
            let open = self.open.row(row);
            let revealed: Vec<u64> = self.seen.row(row).iter().zip(&open).map(|(s, o)| s | o).collect();
            builder.set_row(CellId(row as u32), &revealed, &open);
        }
        Ok(builder.finish())
    }

    /// Directed pairs between two nodes, the diagonal included.
    fn pairs(&self, a: u32, b: u32) -> u64 {
        let [a_cells, b_cells] = [a, b].map(|n| self.tree.nodes[n as usize].cells.len() as u64);
        if a == b { a_cells * a_cells } else { 2 * a_cells * b_cells }
    }

    /// Pairs of nodes that cover everything, split until there are enough for the threads.
    fn tasks(&self) -> Vec<Task> {
        let all: Vec<u32> = (0..self.occluders.len() as u32).collect();
        let mut tasks = vec![];
        if !self.tree.nodes.is_empty() {
            tasks.push(Task { a: 0, b: 0, pieces: all });
        }
        while tasks.len() < TASKS {
            let size = |t: &Task| self.pairs(t.a, t.b);
            let Some(largest) = tasks.iter().map(size).max().filter(|&pairs| pairs > 256) else { break };
            let (big, small): (Vec<Task>, Vec<Task>) = tasks.into_iter().partition(|t| size(t) * 4 > largest);
            tasks = small;
            for task in big {
                self.split(task.a, task.b, |a, b| tasks.push(Task { a, b, pieces: task.pieces.clone() }));
            }
        }
        tasks
    }

    /// The pairs of children that a pair of nodes stands for.
    fn split(&self, a: u32, b: u32, mut f: impl FnMut(u32, u32)) {
        let [x, y] = [a, b].map(|n| &self.tree.nodes[n as usize]);
        if a == b {
            if x.children.is_empty() {
                return;
            }
            for i in x.children.clone() {
                for j in i..x.children.end {
                    f(i, j);
                }
            }
            return;
        }
        let own = |n: u32| n..n + 1;
        let splits = |x: &tree::Node, y: &tree::Node| {
            !x.children.is_empty() && (y.children.is_empty() || x.split >= y.split)
        };
        let left = if splits(x, y) { x.children.clone() } else { own(a) };
        let right = if splits(y, x) { y.children.clone() } else { own(b) };
        for i in left {
            for j in right.clone() {
                f(i, j);
            }
        }
    }

    /// Decides all pairs between two nodes; `from` are the candidates of their parent.
    fn visit(&self, scratch: &mut Scratch, a: u32, b: u32, from: std::ops::Range<usize>) {
        let [x, y] = [a, b].map(|n| &self.tree.nodes[n as usize]);
        if a == b {
            self.split(a, b, |i, j| self.visit(scratch, i, j, from.clone()));
            return;
        }
        if x.children.is_empty() && y.children.is_empty() {
            let [i, j] = [x, y].map(|n| self.tree.order[n.cells.start as usize]);
            let (i, j) = (i.min(j), i.max(j));
            let Scratch { solver, pieces, leaf } = scratch;
            let outcome = self.leaf_pair(solver, leaf, [i, j], &pieces[from]);
            self.record(i, j, outcome[0].class);
            self.record(j, i, outcome[1].class);
            return;
        }
        let both = pair::both_volumes((&x.region, x.feet), (&y.region, y.feet), self.player);
        let shaft = both.shaft();
        let start = scratch.pieces.len();
        for k in from {
            let piece = scratch.pieces[k];
            if shaft.touches(&self.occluders, piece) {
                scratch.pieces.push(piece);
            }
        }
        let mine = start..scratch.pieces.len();
        if self.all_seen(x, y, &scratch.pieces[mine.clone()]) {
            self.fill(x, y);
        } else {
            let question = Question {
                eye: both.first,
                body: both.second,
                pieces: &scratch.pieces[mine.clone()],
                occluders: &self.occluders,
            };
            if !scratch.solver.hides(&question, both.back, self.node_effort) {
                self.split(a, b, |i, j| self.visit(scratch, i, j, mine.clone()));
            }
        }
        scratch.pieces.truncate(start);
    }

    /// Whether no piece reaches the rays between the highest eyes and the highest bodies.
    fn all_seen(&self, x: &tree::Node, y: &tree::Node, pieces: &[u32]) -> bool {
        let (eye, body) = (self.player.eye_range().high, self.player.body_range().high);
        let low = x.least_top.min(y.least_top) + eye.min(body);
        let high = x.feet.high.max(y.feet.high) + eye.max(body);
        pieces.iter().all(|&p| {
            let z = self.occluders.z(p);
            z.high <= low || z.low >= high
        })
    }

    fn fill(&self, x: &tree::Node, y: &tree::Node) {
        for i in x.cells.clone() {
            for j in y.cells.clone() {
                let (i, j) = (self.tree.order[i as usize], self.tree.order[j as usize]);
                self.seen.set(i, j);
                self.seen.set(j, i);
            }
        }
    }

    fn record(&self, a: u32, b: u32, class: PairClass) {
        match class {
            PairClass::Hidden => {}
            PairClass::Visible => self.seen.set(a, b),
            PairClass::Unresolved => self.open.set(a, b),
        }
    }

    /// Both directions of a pair of cells; `from` holds every piece that can matter, and others.
    fn leaf_pair(
        &self,
        solver: &mut Solver,
        pieces: &mut Vec<u32>,
        pair: [u32; 2],
        from: &[u32],
    ) -> [pair::Outcome; 2] {
        let cells = pair.map(|i| &self.cells[i as usize]);
        let [a, b] = cells.map(|c| (c.region.vertices(), c.feet));
        let shaft = pair::both_volumes(a, b, self.player).shaft();
        pieces.clear();
        pieces.extend(from.iter().copied().filter(|&p| shaft.touches(&self.occluders, p)));
        pair::both_ways(solver, &self.occluders, pieces, self.player, cells, self.effort)
    }
}
