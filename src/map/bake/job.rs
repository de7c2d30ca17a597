//! One bake: the descent over pairs of nodes, divided among threads.
//!
//! Owns the order of the questions and the bits they set. Promises: which questions are asked about a pair
//! depends on the cells in its cubes and the pieces between them alone.
//! Must not know files or the terminal.

use super::bits::{Bits, Moves};
use super::earlier::{Earlier, Known};
use super::pair::{self, PairEffort, Shared};
use super::pieces::{narrow, sight_pieces};
use super::replay::Wanted;
use super::tree::{Node, Tree};
use super::{BakeOptions, BakeProgress, BakeQuality, Cancelled};
use crate::geom::ZRange;
use crate::map::cells::{Cell, Cells};
use crate::map::model::Player;
use crate::map::pvs::{CellId, PairClass, Pvs, PvsBuilder};
use crate::map::solids::Solids;
use crate::map::window::{Answer, Effort, Fault, Occluders, Question, Solver, Volume};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// One bake: what all threads read, and the bits they set.
pub(super) struct Job<'a> {
    pub(super) player: &'a Player,
    pub(super) cells: &'a [Cell],
    pub(super) occluders: Occluders,
    pub(super) tree: Tree,
    effort: PairEffort,
    node_effort: u32,
    /// Whether nothing is asked to be hidden within a block: it is hidden as a whole, or revealed.
    is_coarse: bool,
    fault: Option<Fault>,
    /// Visible pairs, by the places of their cells in the tree's order.
    seen: Bits,
    /// Unresolved pairs, likewise.
    open: Bits,
    solids: &'a Solids,
    known: Option<Known<'a>>,
}

/// What one thread reuses.
#[derive(Default)]
pub(super) struct Scratch {
    solver: Solver,
    /// Free segments of the block at hand.
    shared: Shared,
    /// The pair whose witness is looked for, and what was found.
    pub(super) wanted: Option<Wanted>,
    /// Candidate pieces of every level of the descent, one after the other.
    pub(super) pieces: Vec<u32>,
    /// Likewise the pieces that an earlier bake did not have, or had and are gone.
    changed: Vec<u32>,
}

impl Scratch {
    fn new(fault: Option<Fault>) -> Self {
        let mut scratch = Self::default();
        scratch.solver.fault = fault;
        scratch
    }
}

/// Most cells of a node of a block: it is asked about with heights, and its pairs share what they find. So a block
/// is decided as a whole, or taken over as a whole from an earlier bake.
pub(super) const SMALL_CELLS: usize = 8;

/// Work for such a question.
const SMALL_EFFORT: Effort = Effort { nodes: 6, rounds: 0, total: 6 };

/// What a pair of nodes has from its parent: ranges of the lists in [`Scratch`].
#[derive(Clone)]
pub(super) struct From {
    pub(super) pieces: Range<usize>,
    pub(super) changed: Range<usize>,
    /// Whether the earlier bake can't have hidden the parent as a whole, there and back.
    pub(super) alive: [bool; 2],
    /// What is known to be hidden, there and back.
    pub(super) hidden: [bool; 2],
    /// Whether the pair is part of a block.
    pub(super) in_block: bool,
}

/// Nodes over cubes of more than 2 to this columns are split unseen, to have enough for all threads. It is a
/// property of the tree alone: which pairs are ever asked about must not depend on the rest of the map.
const TASK_LEVEL: u32 = 4;

/// Rows that are put in the order of the cells side by side.
const ROWS_AT_ONCE: usize = 1_024;

impl<'a> Job<'a> {
    /// Prepares a bake.
    pub(super) fn new(
        player: &'a Player,
        cell_size: f64,
        solids: &'a Solids,
        cells: &'a Cells,
        options: BakeOptions,
    ) -> Self {
        let occluders = Occluders::new(sight_pieces(solids));
        let (effort, node_effort) = PairEffort::of(options.quality);
        let slice = cells.as_slice();
        Self {
            player,
            cells: slice,
            occluders,
            tree: Tree::build(slice, cell_size, player),
            effort,
            node_effort,
            is_coarse: options.quality == BakeQuality::Draft,
            fault: options.fault,
            seen: Bits::new(slice.len()),
            open: Bits::new(slice.len()),
            solids,
            known: None,
        }
    }

    /// Takes over what an earlier bake decided, where the change between the two can't matter.
    pub(super) fn with_earlier(mut self, earlier: Option<Earlier<'a>>) -> Self {
        if let Some(earlier) = earlier {
            let known = Known::new(earlier, self.cells, self.solids, &self.tree);
            known.put(&self.tree, &self.seen, &self.open);
            self.known = Some(known);
        }
        self
    }

    /// Whether the pairs between two nodes are decided as one block.
    pub(super) fn is_block(&self, a: u32, b: u32) -> bool {
        [a, b].iter().all(|&n| self.tree.nodes[n as usize].cells.len() <= SMALL_CELLS)
    }

    /// Decides every pair.
    pub(super) fn run(&self, progress: &dyn BakeProgress) -> Result<Pvs, Cancelled> {
        let total = (self.cells.len() as u64).pow(2);
        let done = AtomicU64::new(0);
        let stopped = AtomicBool::new(false);
        let all: Vec<u32> = (0..self.occluders.len() as u32).collect();
        let changed: Vec<u32> = (0..self.known.as_ref().map_or(0, |k| k.changed.len() as u32)).collect();
        self.tasks().into_par_iter().for_each_init(
            || Scratch::new(self.fault),
            |scratch, (a, b)| {
                if stopped.load(Ordering::Relaxed) || progress.cancelled() {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                scratch.pieces.clone_from(&all);
                scratch.changed.clone_from(&changed);
                let from = From {
                    pieces: 0..all.len(),
                    changed: 0..changed.len(),
                    alive: [true; 2],
                    hidden: [false; 2],
                    in_block: false,
                };
                self.visit(scratch, a, b, &from);
                let pairs = self.pairs(a, b);
                progress.advance(done.fetch_add(pairs, Ordering::Relaxed) + pairs, total);
            },
        );
        if stopped.into_inner() {
            return Err(Cancelled);
        }
        let mut builder = PvsBuilder::new(self.cells.len());
        let mut place_of = vec![None; self.cells.len()];
        self.tree
            .order
            .iter()
            .enumerate()
            .for_each(|(place, &cell)| place_of[cell as usize] = Some(place as u32));
        let moves = Moves::new(place_of.into_iter(), self.cells.len());
        for (chunk, cells) in self.tree.order.chunks(ROWS_AT_ONCE).enumerate() {
            let rows = cells.par_iter().enumerate().map(|(index, _)| {
                let [seen, open] = [&self.seen, &self.open].map(|bits| {
                    let row = bits.row(chunk * ROWS_AT_ONCE + index);
                    let count = row.len();
                    moves.moved(row, count)
                });
                (seen.iter().zip(&open).map(|(s, o)| s | o).collect(), open)
            });
            for (&cell, (revealed, open)) in cells.iter().zip(rows.collect::<Vec<(Vec<u64>, Vec<u64>)>>()) {
                builder.set_row(CellId(cell), &revealed, &open);
            }
        }
        Ok(builder.finish())
    }

    /// Directed pairs between two nodes, the diagonal included.
    fn pairs(&self, a: u32, b: u32) -> u64 {
        let [a_cells, b_cells] = [a, b].map(|n| self.tree.nodes[n as usize].cells.len() as u64);
        if a == b { a_cells * a_cells } else { 2 * a_cells * b_cells }
    }

    /// Pairs of nodes of the task level that cover everything.
    fn tasks(&self) -> Vec<(u32, u32)> {
        let mut tasks = vec![];
        let mut open = vec![];
        if !self.tree.nodes.is_empty() {
            open.push((0, 0));
        }
        while let Some((a, b)) = open.pop() {
            let coarse = |n: u32| self.tree.nodes[n as usize].split >= TASK_LEVEL;
            if coarse(a) || coarse(b) {
                self.split(a, b, |a, b| open.push((a, b)));
            } else {
                tasks.push((a, b));
            }
        }
        tasks
    }

    /// The pairs of children that a pair of nodes stands for.
    pub(super) fn split(&self, a: u32, b: u32, mut f: impl FnMut(u32, u32)) {
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
        let splits =
            |x: &Node, y: &Node| !x.children.is_empty() && (y.children.is_empty() || x.split >= y.split);
        let left = if splits(x, y) { x.children.clone() } else { own(a) };
        let right = if splits(y, x) { y.children.clone() } else { own(b) };
        for i in left {
            for j in right.clone() {
                f(i, j);
            }
        }
    }

    /// Decides all pairs between two nodes.
    pub(super) fn visit(&self, scratch: &mut Scratch, a: u32, b: u32, from: &From) {
        let [x, y] = [a, b].map(|n| &self.tree.nodes[n as usize]);
        let both = pair::both_volumes(x.end(), y.end(), self.player);
        let shaft = both.shaft();
        let (start, start_changed) = (scratch.pieces.len(), scratch.changed.len());
        let in_block = self.is_block(a, b);
        let mut mine = From { pieces: 0..0, changed: 0..0, alive: [true; 2], hidden: from.hidden, in_block };
        if let Some(known) = &self.known {
            mine.changed = narrow(&mut scratch.changed, &from.changed, |p| shaft.touches(&known.changed, p));
            let alive = |way: usize| self.some_revealed([x, y][way], [x, y][1 - way]);
            let is_clean = mine.changed.is_empty() && known.clean(a) && known.clean(b);
            let cells = [x, y].map(|node| node.cells.len());
            let untouched = !from.in_block && is_clean && !known.was_in_block([a, b], cells);
            if untouched && (0..2).all(|way| from.alive[way] || alive(way)) {
                // Nothing that decides this block has changed, and no block around it was hidden as a whole: its bits
                // are those of the earlier bake already.
                scratch.changed.truncate(start_changed);
                return;
            }
            // Within a block nothing is taken over.
            mine.alive = if in_block { [true; 2] } else { [alive(0), alive(1)] };
        }
        mine.pieces = narrow(&mut scratch.pieces, &from.pieces, |p| shaft.touches(&self.occluders, p));
        if in_block && !from.in_block {
            scratch.shared.clear();
        }
        if a == b {
            self.split(a, b, |i, j| self.visit(scratch, i, j, &mine));
        } else if x.children.is_empty() && y.children.is_empty() {
            self.decide(scratch, [x, y], &mine);
        } else if self.all_seen(x, y, &scratch.pieces[mine.pieces.clone()]) {
            self.fill(scratch, x, y);
        } else if self.is_coarse && from.in_block {
            self.split(a, b, |i, j| self.visit(scratch, i, j, &mine));
        } else {
            let Scratch { solver, shared, pieces, .. } = &mut *scratch;
            let pieces = &pieces[mine.pieces.clone()];
            let question =
                Question { eye: both.first, body: both.second, pieces, occluders: &self.occluders };
            let is_hidden = solver.hides(&question, both.back, self.node_effort);
            if !is_hidden && in_block {
                self.hide_ways(solver, shared, &question, both.back, &mut mine.hidden);
            }
            if is_hidden || mine.hidden == [true; 2] {
                self.put_all(x, y, PairClass::Hidden);
            } else {
                self.split(a, b, |i, j| self.visit(scratch, i, j, &mine));
            }
        }
        scratch.pieces.truncate(start);
        scratch.changed.truncate(start_changed);
    }

    /// Asks about each way of a block's nodes alone, heights included.
    fn hide_ways(
        &self,
        solver: &mut Solver,
        shared: &mut Shared,
        both: &Question<'_>,
        back: [ZRange; 2],
        hidden: &mut [bool; 2],
    ) {
        let Player { lean, sight_radius, .. } = *self.player;
        let there = Question {
            eye: Volume { radius: lean, ..both.eye },
            body: Volume { radius: sight_radius, ..both.body },
            ..*both
        };
        let again = Question {
            eye: Volume { radius: lean, z: back[1], ..both.body },
            body: Volume { radius: sight_radius, z: back[0], ..both.eye },
            ..*both
        };
        for (way, question) in [there, again].into_iter().enumerate() {
            if hidden[way] || shared.find(way, &question).is_some() {
                continue;
            }
            if let Some(segment) = pair::easy_witness(&question) {
                shared.keep(way, segment);
                continue;
            }
            match solver.answer(&question, SMALL_EFFORT) {
                Answer::Hidden => hidden[way] = true,
                Answer::Seen(from, to) => shared.keep(way, pair::centred(&question, (from, to))),
                Answer::Open => {}
            }
        }
    }

    /// Whether no piece reaches the rays between the highest eyes and the highest bodies.
    fn all_seen(&self, x: &Node, y: &Node, pieces: &[u32]) -> bool {
        let low = x.least_top.min(y.least_top);
        let top = |node: &Node| node.eye.high.max(node.body.high);
        let high = top(x).max(top(y));
        pieces.iter().all(|&p| {
            let z = self.occluders.z(p);
            z.high <= low || z.low >= high
        })
    }

    fn fill(&self, scratch: &mut Scratch, x: &Node, y: &Node) {
        self.put_all(x, y, PairClass::Visible);
        let cell = |place: u32| self.tree.order[place as usize];
        let Some(wanted) = &mut scratch.wanted else { return };
        for (i, j) in x.cells.clone().flat_map(|i| y.cells.clone().map(move |j| (i, j))) {
            for (a, b) in [(cell(i), cell(j)), (cell(j), cell(i))] {
                if wanted.pair == (a, b) {
                    wanted.witness = self.high_witness(a, b);
                }
            }
        }
    }

    /// Whether a pair from one node to the other is revealed, as far as it is known yet.
    fn some_revealed(&self, from: &Node, to: &Node) -> bool {
        [&self.seen, &self.open].iter().any(|bits| bits.any(from.cells.clone(), to.cells.clone()))
    }

    /// Gives all pairs between two nodes one class, both ways.
    fn put_all(&self, x: &Node, y: &Node, class: PairClass) {
        for [from, to] in [[x, y], [y, x]] {
            let block = || (from.cells.clone(), to.cells.clone());
            let ((rows, columns), (open_rows, open_columns)) = (block(), block());
            self.seen.put_all(rows, columns, class == PairClass::Visible);
            self.open.put_all(open_rows, open_columns, class == PairClass::Unresolved);
        }
    }

    /// Decides one pair of cells, both ways.
    fn decide(&self, scratch: &mut Scratch, leaves: [&Node; 2], mine: &From) {
        let places = leaves.map(|leaf| leaf.cells.start);
        let pair = places.map(|place| self.tree.order[place as usize]);
        let cells = pair.map(|i| &self.cells[i as usize]);
        let Scratch { solver, shared, pieces, wanted, .. } = scratch;
        let between = (&self.occluders, &pieces[mine.pieces.clone()]);
        let outcomes = pair::both_ways(solver, shared, between, self.player, cells, mine.hidden, self.effort);
        for (way, outcome) in outcomes.into_iter().enumerate() {
            let (row, column) = (places[way], places[1 - way]);
            self.seen.put(row, column, outcome.class == PairClass::Visible);
            self.open.put(row, column, outcome.class == PairClass::Unresolved);
            if let Some(wanted) = wanted.as_mut().filter(|wanted| wanted.pair == (pair[way], pair[1 - way])) {
                wanted.witness = outcome.witness;
            }
        }
    }
}
