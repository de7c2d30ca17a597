//! Runs of equal tiles as rectangles.
//!
//! Owns the merging. Promises: every tile is covered exactly once, in the same way for any order of tiles.
//! Must not know pixels or properties.

use std::collections::BTreeSet;

/// Columns and rows from `low` to before `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) low: (i32, i32),
    pub(super) high: (i32, i32),
}

/// Merges tiles to runs along rows, and equal runs of following rows to rectangles.
pub(super) fn merge(tiles: &BTreeSet<(i32, i32)>) -> Vec<Block> {
    let by_row: BTreeSet<(i32, i32)> = tiles.iter().map(|&(x, y)| (y, x)).collect();
    let mut done: Vec<Block> = Vec::new();
    let mut open: Vec<Block> = Vec::new();
    let mut runs: Vec<Block> = Vec::new();
    for (y, x) in by_row {
        match runs.last_mut() {
            Some(run) if run.low.1 == y && run.high.0 == x => run.high.0 = x.saturating_add(1),
            last => {
                if last.is_some_and(|run| run.low.1 != y) {
                    stack(&mut runs, &mut open, &mut done);
                }
                runs.push(Block { low: (x, y), high: (x.saturating_add(1), y.saturating_add(1)) });
            }
        }
    }
    stack(&mut runs, &mut open, &mut done);
    done.append(&mut open);
    done
}

/// Puts the runs of one row under the rectangles that are still open; both are in the order of columns.
fn stack(runs: &mut Vec<Block>, open: &mut Vec<Block>, done: &mut Vec<Block>) {
    let mut above = open.drain(..).peekable();
    let mut next = Vec::new();
    for run in runs.drain(..) {
        while let Some(block) = above.next_if(|block| block.low.0 < run.low.0) {
            done.push(block);
        }
        let fits = |b: &Block| b.low.0 == run.low.0 && b.high.0 == run.high.0 && b.high.1 == run.low.1;
        match above.next_if(fits) {
            Some(block) => next.push(Block { low: block.low, high: run.high }),
            None => next.push(run),
        }
    }
    done.extend(above);
    *open = next;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_full_square_is_one_rectangle_and_a_step_is_two() {
        let square: BTreeSet<_> = (0..4).flat_map(|x| (0..4).map(move |y| (x, y))).collect();
        assert_eq!(merge(&square), [Block { low: (0, 0), high: (4, 4) }]);
        assert_eq!(merge(&BTreeSet::from([(0, 0), (0, 1), (1, 1)])).len(), 2);
    }

    proptest! {
        #[test]
        fn every_tile_is_covered_exactly_once(tiles in prop::collection::btree_set((-5i32..5, -5i32..5), 0..60)) {
            let mut covered = Vec::new();
            for block in merge(&tiles) {
                for x in block.low.0..block.high.0 {
                    covered.extend((block.low.1..block.high.1).map(|y| (x, y)));
                }
            }
            covered.sort_unstable();
            prop_assert_eq!(covered, tiles.into_iter().collect::<Vec<_>>());
        }
    }
}
