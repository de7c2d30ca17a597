//! Which revealed pairs of a tile are unresolved, as a stream of bits.
//!
//! Owns the order of these bits and their contexts; one description writes and reads. Promises: only revealed pairs
//! are asked about. Must not know how those are spelt.

use super::beside::{SOUTH, WEST};
use super::moves::TileMoves;
use super::planes::Plane;
use super::range::{Chance, Coder};
use super::spots::few;
use super::tile::Ground;
use crate::map::pvs::bits::Tile;

/// The chances of unresolved pairs.
pub(super) struct Model {
    tiles: [Chance; 16],
    rows: [Chance; 32],
    ways: [Way; 2],
    last_tiles: usize,
}

/// The chances of one way.
struct Way {
    sure: [Chance; 32],
    bytes: [Chance; 16],
    bits: [Chance; 64],
    last: usize,
}

impl Model {
    /// Nothing is known.
    pub(super) fn new() -> Self {
        let way =
            || Way { sure: [Chance::EVEN; 32], bytes: [Chance::EVEN; 16], bits: [Chance::EVEN; 64], last: 0 };
        Self { tiles: [Chance::EVEN; 16], rows: [Chance::EVEN; 32], ways: [way(), way()], last_tiles: 0 }
    }

    /// Whether any pair of a tile is unresolved; `mixed` where not all are revealed, `above` where some are
    /// unresolved in the tile above.
    pub(super) fn code_any(&mut self, coder: &mut impl Coder, mixed: bool, above: bool, any: bool) -> bool {
        let context = self.last_tiles | usize::from(above) << 2 | usize::from(!mixed) << 3;
        let any = coder.bit(&mut self.tiles[context], any);
        self.last_tiles = (self.last_tiles << 1 | usize::from(any)) & 3;
        any
    }
}

/// A tile on its way.
pub(super) struct Open<'a> {
    pub(super) ground: &'a Ground<'a>,
    /// The unresolved pairs of all tiles before: ahead and back.
    pub(super) known: &'a [Plane; 2],
    /// The tile's row and column.
    pub(super) at: [usize; 2],
    /// The tile's revealed pairs, and which of them are so one way only.
    pub(super) revealed: [&'a Tile; 2],
    pub(super) moves: &'a TileMoves,
    /// The tile's unresolved pairs: ahead and back.
    pub(super) tiles: [Tile; 2],
}

impl Open<'_> {
    /// Writes the tile given, or reads one.
    pub(super) fn code<C: Coder>(&mut self, coder: &mut C, model: &mut Model, given: &[Tile; 2]) {
        let mut last = 0;
        model.ways.iter_mut().for_each(|way| way.last = 0);
        for row in self.ground.span.rows(self.at[0]) {
            let index = row % 64;
            let later = self.ground.span.later(row, self.at[1]);
            let [ahead, one_way] = self.revealed.map(|plane| plane[index] & later);
            let inside = [ahead, ahead ^ one_way];
            if inside == [0; 2] {
                continue;
            }
            let above = self.ground.above(row);
            let words = [WEST, SOUTH].map(|side| above.map_or([0; 2], |above| self.words(above[side])));
            let near = [0, 1].map(|way| (words[0][way] | words[1][way]) & inside[way]);
            let target = [0, 1].map(|way| given[way][index] & inside[way]);
            let any = coder.bit(&mut model.rows[last * 8 + few(near[0] | near[1])], target != [0; 2]);
            last = (last << 1 | usize::from(any)) & 3;
            for way in 0..2 {
                if any && inside[way] != 0 {
                    let twin = if way == 1 { self.tiles[0][index] } else { 0 };
                    let of = [words[0][way], words[1][way], one_way, twin];
                    let chances = &mut model.ways[way];
                    self.tiles[way][index] = self.code_word(coder, chances, inside[way], of, target[way]);
                }
            }
            coder.require(any == self.tiles.iter().any(|tile| tile[index] != 0));
        }
    }

    /// One way of a row; `of` are the words of the rows above, and what else tells.
    fn code_word<C: Coder>(
        &self,
        coder: &mut C,
        chances: &mut Way,
        inside: u64,
        of: [u64; 4],
        target: u64,
    ) -> u64 {
        let doubt = (of[0] | of[1] | of[3]) & inside;
        let sure = inside & !doubt;
        let mut open = doubt;
        let context = chances.last * 8 + few(doubt);
        let everywhere = sure != 0 && coder.bit(&mut chances.sure[context], target & sure != 0);
        chances.last = (chances.last << 1 | usize::from(everywhere)) & 3;
        let mut before = 0;
        for (whole, byte) in bytes(if everywhere { sure } else { 0 }) {
            let context = before * 8 + few(doubt & whole);
            let some = coder.bit(&mut chances.bytes[context], target & byte != 0);
            before = usize::from(some);
            open |= if some { byte } else { 0 };
        }
        coder.require(everywhere == (open != doubt));
        let asked = open;
        let (mut word, mut led) = (0, [0_u64; 2]);
        while open != 0 {
            let at = open.trailing_zeros() as usize % 64;
            open &= open - 1;
            let one = |bits: u64| (bits >> at) as usize & 1;
            let context = [of[0], of[1], led[0], led[1], of[2], of[3]];
            let context = context.iter().rev().fold(0, |context, bits| context << 1 | one(*bits));
            if coder.bit(&mut chances.bits[context], one(target) == 1) {
                word |= 1_u64 << at;
                let followers = self.moves.followers[at];
                led = [led[0] | followers[0], led[1] | followers[1]];
            }
        }
        coder.require(bytes(asked & sure).all(|(_, byte)| word & byte != 0));
        word
    }

    fn words(&self, row: usize) -> [u64; 2] {
        if row / 64 == self.at[0] {
            self.tiles.each_ref().map(|tile| tile[row % 64])
        } else {
            self.known.each_ref().map(|plane| plane.word(row, self.at[1]))
        }
    }
}

/// The bytes that have any of the bits: all of the byte, and these bits.
fn bytes(bits: u64) -> impl Iterator<Item = (u64, u64)> {
    let bytes = (0..64).step_by(8).map(|shift| 0xFF << shift);
    bytes.map(move |whole| (whole, bits & whole)).filter(|&(_, byte)| byte != 0)
}
