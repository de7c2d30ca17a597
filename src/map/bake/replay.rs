//! A witness found again: the block of its pair is decided once more.
//!
//! Owns the way from a pair to its block. Promises: the segment is the one on which the bake called the pair visible.
//! Must not know how a pair is decided.

use super::job::{From, Job, Scratch};
use super::pair::{self, Segment};
use crate::map::pvs::CellId;
use crate::map::window::Question;

/// A pair of cells whose witness is looked for.
pub(super) struct Wanted {
    pub(super) pair: (u32, u32),
    pub(super) witness: Option<Segment>,
}

impl Job<'_> {
    /// The witness of a pair, as the bake found it: with all of its block.
    pub(super) fn witness(&self, scratch: &mut Scratch, a: CellId, b: CellId) -> Option<Segment> {
        let (x, y) = self.block_of(a, b)?;
        let all = 0..self.occluders.len() as u32;
        scratch.pieces.clear();
        scratch.pieces.extend(all.clone());
        scratch.wanted = Some(Wanted { pair: (a.0, b.0), witness: None });
        let pieces = 0..all.len();
        self.visit(
            scratch,
            x,
            y,
            &From { pieces, changed: 0..0, alive: [true; 2], hidden: [false; 2], in_block: false },
        );
        scratch.wanted.take().and_then(|wanted| wanted.witness)
    }

    /// The pair of nodes where the block of a pair of different cells begins.
    fn block_of(&self, a: CellId, b: CellId) -> Option<(u32, u32)> {
        let holds = |node: u32, cell: CellId| {
            let cells = self.tree.nodes[node as usize].cells.clone();
            self.tree.order[cells.start as usize..cells.end as usize].contains(&cell.0)
        };
        let (mut x, mut y) = (0, 0);
        while !self.is_block(x, y) {
            let mut next = None;
            self.split(x, y, |i, j| {
                if holds(i, a) && holds(j, b) || holds(i, b) && holds(j, a) {
                    next = Some((i, j));
                }
            });
            (x, y) = next?;
        }
        (a != b).then_some((x, y))
    }

    /// The segment that a filled block stands for.
    pub(super) fn high_witness(&self, a: u32, b: u32) -> Option<Segment> {
        let [eye, body] = [a, b].map(|i| &self.cells[i as usize]);
        let (eye, body) = (pair::eye_volume(eye, self.player), pair::body_volume(body, self.player));
        pair::easy_witness(&Question { eye, body, pieces: &[], occluders: &self.occluders })
    }
}
