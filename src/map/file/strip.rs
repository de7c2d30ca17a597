//! A strip of rows as a stream of bits.
//!
//! Owns the order of tiles and what is told of a whole one; one description writes and reads. Promises: a strip needs
//! no other strip. Must not know the order of bits within a tile, nor the file.

use super::moves::Moves;
use super::open::{self, Open};
use super::planes::{Evenness, Plane, Span};
use super::range::{Chance, Coder};
use super::tile::{self, AHEAD, Ground, Mixed, ONE_WAY, code_evenness, evenness};
use crate::map::pvs::bits::Tile;

/// Four bits per pair of cells: rows are some cells, columns these and all later ones.
pub(super) struct Strip {
    /// Whether a row's cell may see a later cell; and whether one of the two may see the other, but not the other way.
    pub(super) seen: [Plane; 2],
    /// What of it is unresolved: a later cell from a row's cell, and the other way.
    pub(super) open: [Plane; 2],
}

/// Four tiles: two of what is seen, two of what is unresolved.
pub(super) struct Given {
    pub(super) seen: [Tile; 2],
    pub(super) open: [Tile; 2],
}

impl Given {
    /// No pair is seen.
    const NONE: Self = Self { seen: [[0; 64]; 2], open: [[0; 64]; 2] };
}

/// What is reused from tile to tile.
struct Desk {
    tiles: [Chance; 128],
    mixed: tile::Model,
    open: open::Model,
    work: Mixed,
}

impl Strip {
    /// Reads a strip from a stream, which is whole only if it is finished then; a broken one ends early.
    pub(super) fn read(span: Span, moves: &Moves, coder: &mut impl Coder) -> Self {
        Self::code(span, moves, coder, |_, _| Given::NONE)
    }

    /// Writes the tiles `given` by their row and column, or reads some.
    pub(super) fn code<C: Coder>(
        span: Span,
        moves: &Moves,
        coder: &mut C,
        mut given: impl FnMut(usize, usize) -> Given,
    ) -> Self {
        let ground = Ground { span: span.clone(), moves };
        let plane = || Plane::new(&span);
        let mut strip = Self { seen: [plane(), plane()], open: [plane(), plane()] };
        let mut desk = Desk {
            tiles: [Chance::EVEN; 128],
            mixed: tile::Model::new(),
            open: open::Model::new(),
            work: Mixed::new(),
        };
        for row in span.tiles.clone() {
            for column in row..span.across() {
                if coder.is_exhausted() {
                    return strip;
                }
                if C::WRITES {
                    strip.code_tile(&ground, coder, &mut desk, [row, column], &given(row, column));
                } else {
                    strip.code_tile(&ground, coder, &mut desk, [row, column], &Given::NONE);
                }
            }
        }
        strip
    }

    fn code_tile<C: Coder>(
        &mut self,
        ground: &Ground,
        coder: &mut C,
        desk: &mut Desk,
        at: [usize; 2],
        given: &Given,
    ) {
        let [row, column] = at;
        let later = |row| ground.span.later(row, column);
        let even =
            if C::WRITES { evenness(&given.seen, ground.span.rows(row), later) } else { Evenness::None };
        let before = |known: bool, row: usize, column: usize| {
            if known { self.seen[AHEAD].evenness(row, column) as usize } else { 3 }
        };
        let (left, up) = (column > row, row > ground.span.tiles.start);
        let context = before(left, row, column.wrapping_sub(1)) * 16
            + before(up, row.wrapping_sub(1), column) * 4
            + before(left && up, row.wrapping_sub(1), column.wrapping_sub(1));
        // A tile on the diagonal counts as mixed: a cell sees itself.
        let even =
            if left { code_evenness(coder, &mut desk.tiles[context * 2..], even) } else { Evenness::Mixed };
        match even {
            Evenness::None => return,
            Evenness::All => self.seen[AHEAD].fill(row, column),
            Evenness::Mixed => {
                desk.work.code(ground, &self.seen, at, (coder, &mut desk.mixed), &given.seen);
                self.seen[AHEAD].set(row, column, &desk.work.planes[AHEAD]);
                if desk.work.planes[ONE_WAY] != [0; 64] {
                    self.seen[ONE_WAY].set(row, column, &desk.work.planes[ONE_WAY]);
                }
            }
        }
        let above = up && self.open.iter().any(|plane| plane.evenness(row - 1, column) != Evenness::None);
        let some = given.open != [[0; 64]; 2];
        if desk.open.code_any(coder, even == Evenness::Mixed, above, some) {
            self.code_open(ground, coder, desk, at, &given.open);
        }
    }

    fn code_open<C: Coder>(
        &mut self,
        ground: &Ground,
        coder: &mut C,
        desk: &mut Desk,
        at: [usize; 2],
        given: &[Tile; 2],
    ) {
        let [row, column] = at;
        desk.work.moves.take(ground.moves, row, column);
        let mut open = Open {
            ground,
            known: &self.open,
            at,
            revealed: [AHEAD, ONE_WAY].map(|plane| self.seen[plane].tile(row, column)),
            moves: &desk.work.moves,
            tiles: [[0; 64]; 2],
        };
        open.code(coder, &mut desk.open, given);
        coder.require(open.tiles != [[0; 64]; 2]);
        for (plane, tile) in open.tiles.into_iter().enumerate() {
            if tile != [0; 64] {
                self.open[plane].set(row, column, &tile);
            }
        }
    }
}
