//! What stands still and stops sight, bodies and sound: a map's solids as convex prisms, and the questions
//! asked of them.
//!
//! Owns the pieces, their order, and segment, point and box queries.
//! Promises: pieces cover nothing outside the solids but slits under 2 mm between them; the order depends on
//! the map alone; a query allocates nothing.
//! Must not know cells, the bake, or what moves (see `dynamic`).

mod dynamic;
mod grown;
mod merge;
mod parts;
mod weld;
mod within;

use super::{Blocks, Footprint, Map, Solid};
pub use dynamic::{DoorState, DynamicBlocker, DynamicSolids, Smoke};

use crate::geom::{
    CIRCLE_CORNERS, ConvexPolygon, PlanBvh, PlanGrid, Point2, Point3, Prisms, Segment, ZRange, compare_rings,
    signed_area,
};
use std::cmp::Ordering;

/// Index of a [`Piece`] in its [`Solids`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub u32);

/// A convex prism, part of one solid or merged from several.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its plan outline: at least three vertices, counter-clockwise.
    pub outline: ConvexPolygon,
    /// Heights it fills; either end may be infinite.
    pub z: ZRange,
    /// Index into [`Map::solids`] of the solid that names it: the lowest of those it was merged from.
    pub solid: u32,
    /// What it stops.
    pub blocks: Blocks,
}

impl Piece {
    /// The order of a map's pieces: by solid, heights, what is stopped, outline. No two are equal in it.
    pub(in crate::map) fn order(&self, other: &Self) -> Ordering {
        let heights = self.z.low.total_cmp(&other.z.low).then(self.z.high.total_cmp(&other.z.high));
        self.solid
            .cmp(&other.solid)
            .then(heights)
            .then(parts::stopped(self.blocks).cmp(&parts::stopped(other.blocks)))
            .then_with(|| compare_rings(self.outline.vertices(), other.outline.vertices()))
    }
}

/// More pieces than [`Solids::build`] makes of such solids.
///
/// A polygon falls into at most two parts a corner, a circle is one; between them are at most eight fillings a part, but
/// for those of the last two parts looked at.
pub(in crate::map) fn most_pieces(solids: &[Solid]) -> usize {
    let corners = |solid: &Solid| match &solid.footprint {
        Footprint::Polygon { outline, holes } => outline.len() + holes.iter().map(Vec::len).sum::<usize>(),
        Footprint::Circle { .. } => CIRCLE_CORNERS,
    };
    20 * solids.iter().map(corners).sum::<usize>()
}

/// Which solids a query asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mask {
    /// Those that stop sight.
    Sight,
    /// Those that stop bodies.
    Movement,
    /// Those that stop sound.
    Sound,
}

impl Mask {
    /// Whether what stops `blocks` counts for this question.
    pub fn selects(self, blocks: Blocks) -> bool {
        match self {
            Self::Sight => blocks.sight,
            Self::Movement => blocks.movement,
            Self::Sound => blocks.sound,
        }
    }

    fn kind(self) -> u8 {
        1 << self as u8
    }
}

/// A map's solids as convex prisms; doors are not among them.
///
/// Concave outlines and holes are split, pieces of equal heights merged, those inside another dropped, slits
/// under 2 mm filled; what stands on another solid reaches down to that one's foot.
pub struct Solids {
    pieces: Vec<Piece>,
    boxes: Vec<(Point2, Point2)>,
    tree: PlanBvh,
    grid: PlanGrid,
    prisms: Prisms,
}

impl Solids {
    /// Splits, welds and merges the map's solids.
    ///
    /// Pieces are ordered by their solid, then by outline and heights.
    pub fn build(map: &Map) -> Self {
        let mut all = parts::of_solids(&map.solids);
        merge::simplify(&mut all);
        within::drop_covered(&mut all);
        let fillings = weld::slits(&all);
        if !fillings.is_empty() {
            all.extend(fillings);
            merge::simplify(&mut all);
            within::drop_covered(&mut all);
        }
        grown::grow(&mut all);
        merge::simplify(&mut all);
        within::drop_covered(&mut all);
        // Leak: what is thinner than its coordinates can tell stops nothing.
        all.retain(|part| signed_area(&part.ring) > 0.0);
        let mut pieces: Vec<Piece> = all.into_iter().map(parts::Part::into_piece).collect();
        pieces.sort_by(Piece::order);
        Self::of_pieces(pieces)
    }

    /// Pieces that were built before, in their order.
    pub(in crate::map) fn of_pieces(pieces: Vec<Piece>) -> Self {
        let boxes: Vec<_> = pieces.iter().map(|piece| piece.outline.bounds()).collect();
        let mut prisms = Prisms::default();
        for piece in &pieces {
            prisms.push(&piece.outline, piece.z, kinds(piece.blocks));
        }
        let tree = PlanBvh::new(boxes.iter().copied());
        let grid = PlanGrid::new(pieces.iter().map(|piece| (&piece.outline, piece.z)));
        Self { pieces, boxes, tree, grid, prisms }
    }

    /// All pieces, indexed by [`PieceId`].
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Calls `f` with every piece whose bounding box touches the box from `low` to `high`, in no particular
    /// order; boxes that only share a border touch.
    pub fn for_each_touching(&self, low: Point2, high: Point2, mut f: impl FnMut(PieceId, &Piece)) {
        self.tree.for_each_touching(low, high, |index| {
            let (min, max) = self.boxes[index];
            if min.x <= high.x && low.x <= max.x && min.y <= high.y && low.y <= max.y {
                f(PieceId(index as u32), &self.pieces[index]);
            }
        });
    }

    /// A piece that stops the segment, not necessarily the nearest; `None` where it is free.
    ///
    /// A segment is free of a piece if it keeps [`SIGHT_CLEARANCE_M`](crate::SIGHT_CLEARANCE_M) from it in
    /// plan wherever its height is strictly inside the piece's range; touching a top or bottom is free.
    /// A segment that begins (or ends) within the clearance of a piece's face, on either side of it, and goes
    /// away from (or comes towards) that face from outside is free of that piece; along the face it is not.
    /// **Inside a solid all is free**: where `from` is deeper than the clearance in a piece that `mask`
    /// selects, as [`holds`](Self::holds) tells, the answer is `None` whatever else lies on the way.
    /// A segment without length is free.
    ///
    /// `cached` is tried first: the answer is the same with and without but for which of several blockers is
    /// named. An id out of range is ignored. Points must be finite.
    #[inline]
    pub fn blocker(&self, from: Point3, to: Point3, mask: Mask, cached: Option<PieceId>) -> Option<PieceId> {
        if let Some(PieceId(index)) = cached
            && (index as usize) < self.pieces.len()
            && self.prisms.stops(index as usize, mask.kind(), &Segment::new(from, to))
        {
            return if self.holds(from, mask) { None } else { cached };
        }
        self.find_blocker(from, to, mask)
    }

    #[inline(never)]
    fn find_blocker(&self, from: Point3, to: Point3, mask: Mask) -> Option<PieceId> {
        if from == to || self.holds(from, mask) {
            return None;
        }
        let segment = Segment::new(from, to);
        let stops = |index: u32| self.prisms.stops(index as usize, mask.kind(), &segment);
        self.grid.find_along(from, to, stops).map(PieceId)
    }

    /// Whether the point is inside a piece that `mask` selects: deeper than the clearance from every face in
    /// plan and strictly between the heights.
    ///
    /// A point on a face, or within 1 µm of the seam of two pieces, is outside: what presses against a wall
    /// is not in it.
    #[inline]
    pub fn holds(&self, p: Point3, mask: Mask) -> bool {
        self.grid.any_at(p, |index| self.prisms.holds(index as usize, mask.kind(), p))
    }
}

/// The bits of what is stopped, as the kernel compares them.
fn kinds(blocks: Blocks) -> u8 {
    let bit = |mask: Mask| if mask.selects(blocks) { mask.kind() } else { 0 };
    bit(Mask::Sight) | bit(Mask::Movement) | bit(Mask::Sound)
}
