//! The pieces that a bake looks at: those that block sight, and those of them that matter to a block.
//!
//! Owns their order. Promises: it is theirs alone, whatever the order of the file. Must not know cells.

use crate::geom::compare;
use crate::map::solids::{Mask, Piece, Solids};
use std::ops::Range;

/// Appends those of a stretch of a list that pass a test; gives where they are.
pub(super) fn narrow(list: &mut Vec<u32>, from: &Range<usize>, test: impl Fn(u32) -> bool) -> Range<usize> {
    let start = list.len();
    for k in from.clone() {
        let item = list[k];
        if test(item) {
            list.push(item);
        }
    }
    start..list.len()
}

/// The pieces that block sight, in an order of their own and not of the file: a change elsewhere on the map
/// must not reorder them.
pub(super) fn sight_pieces(solids: &Solids) -> Vec<&Piece> {
    let mut sight: Vec<_> = solids.pieces().iter().filter(|p| Mask::Sight.selects(p.blocks)).collect();
    let numbers = |p: &Piece| {
        let corners = p.outline.vertices().to_vec();
        corners.into_iter().flat_map(|v| [v.x, v.y]).chain([p.z.low, p.z.high])
    };
    sight.sort_by(|p, q| {
        let mut pairs = numbers(p).zip(numbers(q)).map(|(a, b)| compare(a, b));
        pairs.find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    });
    sight
}
