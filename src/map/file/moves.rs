//! Moving the bits of a row so that each lies on the cell whose neighbour it is about.
//!
//! Owns, per tile of 64 columns and per side, which words are turned how far. Promises: the same as looking up every
//! bit by itself, many at a time. Must not know what the bits mean.

use super::beside::{EAST, SOUTH, WEST};
use super::planes::Plane;

/// Bits of one word that go to other places of another, all as far.
#[derive(Clone, Copy)]
struct Move {
    /// Where they come from.
    tile: u32,
    rotate: u32,
    /// Where they arrive.
    mask: u64,
}

impl Move {
    #[inline]
    fn of(&self, word: u64) -> u64 {
        word.rotate_left(self.rotate) & self.mask
    }
}

/// The moves of a whole map.
pub(super) struct Moves {
    sides: [Vec<u32>; 4],
    moves: Vec<Move>,
    /// By tile: where the moves of each side begin, and the last ones end.
    spans: Vec<[u32; 5]>,
    /// By cell: the cells of its tile whose western, and whose southern, neighbour it is.
    followers: Vec<[u64; 2]>,
}

impl Moves {
    /// Of the cells beside each cell, by side.
    pub(super) fn new(sides: [Vec<u32>; 4]) -> Self {
        let size = sides[0].len();
        let mut all = Self { sides, moves: Vec::new(), spans: Vec::new(), followers: vec![[0; 2]; size] };
        for tile in 0..size.div_ceil(64) {
            let mut span = [0; 5];
            for (side, start) in span[..4].iter_mut().enumerate() {
                *start = all.moves.len() as u32;
                for cell in tile * 64..((tile + 1) * 64).min(size) {
                    all.add(*start as usize, side, cell);
                }
            }
            span[4] = all.moves.len() as u32;
            all.spans.push(span);
        }
        all
    }

    /// Adds a cell to the moves of its tile and side, which begin at `start`.
    fn add(&mut self, start: usize, side: usize, cell: usize) {
        let from = self.sides[side][cell];
        let (tile, rotate) = (from / 64, (cell as u32).wrapping_sub(from) % 64);
        let bit = 1 << (cell % 64);
        match self.moves[start..].iter_mut().find(|other| (other.tile, other.rotate) == (tile, rotate)) {
            Some(same) => same.mask |= bit,
            None => self.moves.push(Move { tile, rotate, mask: bit }),
        }
        if side < EAST && tile as usize == cell / 64 && from as usize != cell {
            self.followers[from as usize][side] |= bit;
        }
    }

    /// The western or southern neighbour of a cell.
    pub(super) fn beside(&self, side: usize, cell: usize) -> usize {
        self.sides[side][cell] as usize
    }
}

/// The moves of one tile of columns, for rows that are known from some tile on up to this one.
pub(super) struct TileMoves {
    near: Vec<(u32, u64)>,
    near_ends: [usize; 4],
    far: Vec<Move>,
    far_ends: [usize; 2],
    /// By cell of the tile: the cells that follow it on two sides.
    pub(super) followers: [[u64; 2]; 64],
    /// The cells whose western, and whose southern, neighbour lies in another tile that is known.
    pub(super) far_cells: [u64; 2],
    /// What is moved where a row's word is all ones.
    full: [u64; 4],
}

impl TileMoves {
    /// None yet.
    pub(super) fn new() -> Self {
        Self {
            near: Vec::new(),
            near_ends: [0; 4],
            far: Vec::new(),
            far_ends: [0; 2],
            followers: [[0; 2]; 64],
            far_cells: [0; 2],
            full: [0; 4],
        }
    }

    /// Takes those of tile `tile`, where tiles before `first` and after `tile` are not known: there a cell stands
    /// for its neighbour.
    pub(super) fn take(&mut self, all: &Moves, first: usize, tile: usize) {
        self.near.clear();
        self.far.clear();
        self.far_cells = [0; 2];
        for (to, from) in self.followers.iter_mut().zip(&all.followers[tile * 64..]) {
            *to = *from;
        }
        let span = &all.spans[tile];
        for side in 0..4 {
            let (mut own, mut full) = (0, 0);
            for step in &all.moves[span[side] as usize..span[side + 1] as usize] {
                let from = step.tile as usize;
                if from == tile {
                    self.near.push((step.rotate, step.mask));
                    full |= step.mask;
                } else if side <= SOUTH && (first..tile).contains(&from) {
                    self.far.push(*step);
                    self.far_cells[side] |= step.mask;
                } else {
                    own |= step.mask;
                }
            }
            if own != 0 {
                self.near.push((0, own));
            }
            self.full[side] = full | own;
            self.near_ends[side] = self.near.len();
            if side <= SOUTH {
                self.far_ends[side] = self.far.len();
            }
        }
    }

    /// A row's word, moved from the side given, as far as the bits come from the word itself.
    #[inline]
    pub(super) fn near(&self, side: usize, word: u64) -> u64 {
        match word {
            0 => 0,
            u64::MAX => self.full[side],
            _ => {
                let start = if side == 0 { 0 } else { self.near_ends[side - 1] };
                let moves = &self.near[start..self.near_ends[side]];
                moves.iter().fold(0, |moved, (rotate, mask)| moved | word.rotate_left(*rotate) & mask)
            }
        }
    }

    /// As [`Self::near`], from the west or the south, as far as the bits come from other words, by tile.
    #[inline]
    pub(super) fn far(&self, side: usize, word: impl Fn(usize) -> u64) -> u64 {
        self.far_moves(side).iter().fold(0, |moved, step| moved | step.of(word(step.tile as usize)))
    }

    fn far_moves(&self, side: usize) -> &[Move] {
        let start = if side == 0 { 0 } else { self.far_ends[0] };
        &self.far[start..self.far_ends[side]]
    }
}

/// The far moves of one plane in one row of tiles: tiles without a bit move nothing.
pub(super) struct FarMoves {
    /// Which of the plane's own tiles, how far, and where its bits arrive.
    moves: Vec<(u32, u32, u64)>,
    ends: [usize; 2],
}

impl FarMoves {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { moves: Vec::new(), ends: [0; 2] }
    }

    /// Takes those of `all` for a plane and a row of tiles.
    pub(super) fn take(&mut self, all: &TileMoves, plane: &Plane, row: usize) {
        self.moves.clear();
        for side in [WEST, SOUTH] {
            for step in all.far_moves(side) {
                if let Some(number) = plane.number(row, step.tile as usize) {
                    self.moves.push((number, step.rotate, step.mask));
                }
            }
            self.ends[side] = self.moves.len();
        }
    }

    /// The bits of a row within the tiles that arrive from a side; the plane is that of [`Self::take`].
    #[inline]
    pub(super) fn moved(&self, side: usize, plane: &Plane, index: usize) -> u64 {
        let start = if side == WEST { 0 } else { self.ends[WEST] };
        let moves = &self.moves[start..self.ends[side]];
        moves.iter().fold(0, |moved, &(number, rotate, mask)| {
            moved | plane.numbered(number)[index % 64].rotate_left(rotate) & mask
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn moved_words_are_what_each_cell_finds_beside_it(
            targets in proptest::collection::vec(any::<[prop::sample::Index; 4]>(), 1..300),
            row in proptest::collection::vec(any::<u64>(), 5),
            first in 0..5_usize, tile in 0..5_usize,
        ) {
            let size = targets.len();
            let tile = tile % size.div_ceil(64);
            let first = first.min(tile);
            let sides: [Vec<u32>; 4] =
                std::array::from_fn(|side| targets.iter().map(|t| t[side].index(size) as u32).collect());
            let all = Moves::new(sides.clone());
            let mut moves = TileMoves::new();
            moves.take(&all, first, tile);
            let bit = |cell: usize| row[cell / 64] >> (cell % 64) & 1;
            for (side, beside) in sides.iter().enumerate() {
                let far = if side <= SOUTH { moves.far(side, |tile| row[tile]) } else { 0 };
                let moved = moves.near(side, row[tile]) | far;
                for (cell, &from) in beside.iter().enumerate().take((tile + 1) * 64).skip(tile * 64) {
                    let from = from as usize;
                    let known = from / 64 == tile || side <= SOUTH && (first..tile).contains(&(from / 64));
                    prop_assert_eq!(moved >> (cell % 64) & 1, bit(if known { from } else { cell }));
                }
            }
        }
    }
}
