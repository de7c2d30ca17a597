//! The pairs of two blocks of 64 cells as a stream of bits: what is expected of each, and how it is spelt.
//!
//! Owns the order of bits within a tile and their contexts; one description writes and reads. Promises: no context
//! holds a bit that is read later. Must not know the order of tiles, nor what is unresolved.

use super::beside::{EAST, NORTH, SOUTH, WEST};
use super::moves::{FarMoves, Moves, TileMoves};
use super::planes::{Evenness, Plane, Span};
use super::range::{Chance, Coder};
use super::spots::{Chances, Word, few};
use crate::map::pvs::bits::Tile;

/// Whether the row's cell may see the column's.
pub(super) const AHEAD: usize = 0;
/// Whether exactly one of the two sees the other.
pub(super) const ONE_WAY: usize = 1;

/// Rows whose pairs may be all alike.
const OCTET: usize = 8;

/// What a strip knows beside its bits.
pub(super) struct Ground<'a> {
    /// Where the strip lies.
    pub(super) span: Span,
    /// The cells beside each cell.
    pub(super) moves: &'a Moves,
}

impl Ground<'_> {
    /// The rows of the two cells beside a row's cell; a row outside the strip is replaced by the one before.
    pub(super) fn above(&self, row: usize) -> Option<[usize; 2]> {
        let start = self.span.tiles.start * 64;
        let beside = |side| {
            let other = self.moves.beside(side, row);
            if (start..row).contains(&other) { other } else { row - 1 }
        };
        (row > start).then(|| [beside(WEST), beside(SOUTH)])
    }
}

/// The chances of everything in tiles.
pub(super) struct Model {
    octets: [Chance; 128],
    same: [Chance; 768],
    words: [Chances; 2],
}

impl Model {
    /// Nothing is known.
    pub(super) fn new() -> Self {
        let words = [Chances::new(), Chances::new()];
        Self { octets: [Chance::EVEN; 128], same: [Chance::EVEN; 768], words }
    }
}

/// A tile on its way.
pub(super) struct Mixed {
    row: usize,
    column: usize,
    /// Its two planes.
    pub(super) planes: [Tile; 2],
    /// By row: its word of [`AHEAD`] moved from each side, where `has_moved`.
    moved: [[u64; 4]; 64],
    has_moved: u64,
    pub(super) moves: TileMoves,
    /// By plane: what the moves take from tiles before.
    far: [FarMoves; 2],
    last_same: usize,
}

/// A row's word that is asked about.
struct Line {
    /// The row within the tile.
    index: usize,
    /// Bits that are asked about.
    inside: u64,
    /// The row's bits in other tiles, moved from the west and from the south.
    far: [u64; 2],
}

/// What is known of a row that is told by.
#[derive(Clone, Copy, Default)]
struct Above {
    planes: [u64; 2],
    moved: [u64; 4],
}

impl Mixed {
    /// None yet.
    pub(super) fn new() -> Self {
        Self {
            row: 0,
            column: 0,
            planes: [[0; 64]; 2],
            moved: [[0; 4]; 64],
            has_moved: 0,
            moves: TileMoves::new(),
            far: [FarMoves::new(), FarMoves::new()],
            last_same: 0,
        }
    }

    /// Writes the tile given, or reads one; `known` are the planes of all tiles before.
    pub(super) fn code<C: Coder>(
        &mut self,
        ground: &Ground,
        known: &[Plane; 2],
        [row, column]: [usize; 2],
        (coder, model): (&mut C, &mut Model),
        given: &[Tile; 2],
    ) {
        (self.row, self.column, self.has_moved) = (row, column, 0);
        self.moves.take(ground.moves, row, column);
        for (far, plane) in self.far.iter_mut().zip(known) {
            far.take(&self.moves, plane, row);
        }
        self.planes = [[0; 64]; 2];
        let rows = ground.span.rows(row);
        if row == column {
            // A cell sees itself; that is not written, but cells beside it are told.
            (0..rows.len()).for_each(|index| self.planes[AHEAD][index] = 1 << index);
        }
        let later = |row| ground.span.later(row, column);
        let mut before = 3;
        for start in rows.clone().step_by(OCTET) {
            let octet = start..(start + OCTET).min(rows.end);
            let even = if C::WRITES { evenness(given, octet.clone(), later) } else { Evenness::Mixed };
            let beside = ground.above(start).map_or([3; 2], |above| {
                above.map(|above| kind(self.words(known, above)[AHEAD], later(start)))
            });
            let context = (before * 16 + beside[0] * 4 + beside[1]) * 2;
            self.last_same = 0;
            before = code_evenness(coder, &mut model.octets[context..], even) as usize;
            for row in octet.clone() {
                let inside = later(row);
                match before {
                    0 => {}
                    1 => self.planes[AHEAD][row % 64] |= inside,
                    _ if inside == 0 => {}
                    _ => self.code_row(ground, known, row, inside, (coder, model), given),
                }
                if self.row == self.column && before > 0 {
                    self.mirror(row % 64);
                }
            }
            let read = || evenness(&self.planes, octet.clone(), later);
            // Where nothing can be told, all and none are the same, and none is written.
            coder.require(before != 1 || octet.clone().any(|row| later(row) != 0));
            coder.require(before < 2 || read() == Evenness::Mixed);
        }
        coder.require(row == column || evenness(&self.planes, rows, later) == Evenness::Mixed);
    }
}

impl Mixed {
    /// One row's word of both planes.
    fn code_row<C: Coder>(
        &mut self,
        ground: &Ground,
        known: &[Plane; 2],
        row: usize,
        inside: u64,
        (coder, model): (&mut C, &mut Model),
        given: &[Tile; 2],
    ) {
        let index = row % 64;
        let target = given.each_ref().map(|plane| plane[index] & inside);
        let above = ground.above(row);
        let mut told = above.map_or([Above::default(); 2], |above| {
            above.map(|above| Above { planes: self.words(known, above), ..Above::default() })
        });
        if above.is_some() {
            let same = target == told[0].planes.map(|word| word & inside);
            if self.code_same(coder, model, &told, inside, same) {
                for (plane, word) in self.planes.iter_mut().zip(told[0].planes) {
                    plane[index] |= word & inside;
                }
                return;
            }
        }
        for (told, above) in told.iter_mut().zip(above.into_iter().flatten()) {
            told.moved = self.moved(known, above, told.planes[AHEAD]);
        }
        let line = |plane: usize| {
            let far = |side| self.far[plane].moved(side, &known[plane], index);
            Line { index, inside, far: [far(WEST), far(SOUTH)] }
        };
        let (ahead, one_way) = (line(AHEAD), line(ONE_WAY));
        let differing = self.code_ahead(coder, &mut model.words[AHEAD], &told, &ahead, target[AHEAD]);
        let word = self.planes[AHEAD][index] & !inside | (told[0].planes[AHEAD] ^ differing) & inside;
        self.planes[AHEAD][index] = word;
        let near: [u64; 4] = std::array::from_fn(|side| self.moves.near(side, word));
        let [west, south] = ahead.far;
        let moved = [near[WEST] | west, near[SOUTH] | south, near[EAST], near[NORTH]];
        // On the diagonal the word grows with later rows.
        if self.row != self.column {
            self.moved[index] = moved;
            self.has_moved |= 1 << index;
        }
        let words = &mut model.words[ONE_WAY];
        let odd = self.code_one_way(coder, words, &told, moved, &one_way, target[ONE_WAY]);
        self.planes[ONE_WAY][index] |= odd;
        let as_above = differing == 0 && (odd ^ told[0].planes[ONE_WAY]) & inside == 0;
        coder.require(above.is_none() || !as_above);
    }

    /// Whether both planes are as in the row above.
    fn code_same<C: Coder>(
        &mut self,
        coder: &mut C,
        model: &mut Model,
        [p, q]: &[Above; 2],
        inside: u64,
        same: bool,
    ) -> bool {
        let ahead = few((p.planes[AHEAD] ^ q.planes[AHEAD]) & inside);
        let one_way = few((p.planes[ONE_WAY] | q.planes[ONE_WAY]) & inside);
        let context = (kind(p.planes[AHEAD], inside) * 4 + self.last_same) * 64 + ahead * 8 + one_way;
        let same = coder.bit(&mut model.same[context], same);
        self.last_same = (self.last_same << 1 | usize::from(same)) & 3;
        same
    }

    /// Where a row's word of [`AHEAD`] differs from that of the row above.
    fn code_ahead<C: Coder>(
        &self,
        coder: &mut C,
        chances: &mut Chances,
        [p, q]: &[Above; 2],
        &Line { index, inside, far }: &Line,
        target: u64,
    ) -> u64 {
        let (word, other) = (p.planes[AHEAD], q.planes[AHEAD]);
        let far_cells = self.moves.far_cells;
        // The row's own bits beside each, as far as they are not the row's above.
        let own: [u64; 2] = if self.row == self.column {
            let sofar = word & inside | self.planes[AHEAD][index] & !inside;
            [WEST, SOUTH].map(|side| self.moves.near(side, sofar) | far[side])
        } else {
            [WEST, SOUTH].map(|side| far[side] | p.moved[side] & !far_cells[side])
        };
        let news = [WEST, SOUTH].map(|side| (far[side] ^ p.moved[side]) & far_cells[side]);
        let edges = (word ^ p.moved[EAST]) | (word ^ p.moved[NORTH]);
        let other_edges = (other ^ q.moved[EAST]) | (other ^ q.moved[NORTH]);
        let doubt = ((word ^ other) | edges | other_edges | news[0] | news[1]) & inside;
        let of = [
            other,
            p.moved[WEST],
            p.moved[EAST],
            p.moved[NORTH],
            q.moved[SOUTH],
            q.moved[NORTH],
            own[0],
            own[1],
        ];
        let contexts = of.map(|beside| beside ^ word);
        let guess = Word { inside, doubt, contexts, followers: &self.moves.followers };
        let target = (target ^ word) & inside;
        let sure = inside & !doubt;
        let kind = kind(word, inside);
        let everywhere = if doubt == 0 {
            let differs = coder.bit(&mut chances.words[kind * 4 + chances.last], target != 0);
            chances.note(differs);
            if !differs {
                return 0;
            }
            true
        } else if sure != 0 {
            let differs = chances.code_sure(coder, &guess, kind, target & sure != 0);
            chances.note(differs);
            differs
        } else {
            false
        };
        chances.code_differing(coder, &guess, everywhere, target)
    }

    /// A row's word of [`ONE_WAY`]; `moved` is its word of [`AHEAD`] from all sides.
    fn code_one_way<C: Coder>(
        &self,
        coder: &mut C,
        chances: &mut Chances,
        [p, q]: &[Above; 2],
        moved: [u64; 4],
        &Line { index, inside, far }: &Line,
        target: u64,
    ) -> u64 {
        let word = self.planes[AHEAD][index];
        let edges =
            [p.planes[AHEAD], q.planes[AHEAD], moved[0], moved[1], moved[2], moved[3]].map(|m| m ^ word);
        let (_, twice) = edges.iter().fold((0, 0), |(once, twice), edge| (once | edge, twice | once & edge));
        let (above, other) = (p.planes[ONE_WAY], q.planes[ONE_WAY]);
        let doubt = (twice | above | other) & inside;
        let own = if self.row == self.column {
            [WEST, SOUTH].map(|side| far[side] | self.moves.near(side, self.planes[ONE_WAY][index]))
        } else {
            far
        };
        let [beside_p, beside_q, west, south, east, north] = edges;
        let contexts = [above, other, beside_p, beside_q, west | south, east | north, own[0], own[1]];
        let guess = Word { inside, doubt, contexts, followers: &self.moves.followers };
        let differs = coder.bit(&mut chances.words[chances.last * 8 + few(doubt)], target != 0);
        chances.note(differs);
        if !differs {
            return 0;
        }
        let sure = inside & !doubt;
        let everywhere = doubt == 0 || sure != 0 && chances.code_sure(coder, &guess, 0, target & sure != 0);
        let odd = chances.code_differing(coder, &guess, everywhere, target);
        coder.require(odd != 0);
        odd
    }

    /// A row's word of both planes.
    fn words(&self, known: &[Plane; 2], row: usize) -> [u64; 2] {
        if row / 64 == self.row {
            self.planes.each_ref().map(|plane| plane[row % 64])
        } else {
            known.each_ref().map(|plane| plane.word(row, self.column))
        }
    }

    /// A row's word of [`AHEAD`] from all sides.
    fn moved(&mut self, known: &[Plane; 2], row: usize, word: u64) -> [u64; 4] {
        let (here, index) = (row / 64 == self.row, row % 64);
        if here && self.has_moved >> index & 1 == 1 {
            return self.moved[index];
        }
        let mut moved: [u64; 4] = std::array::from_fn(|side| self.moves.near(side, word));
        for side in [WEST, SOUTH] {
            moved[side] |= self.moves.far(side, |tile| known[AHEAD].word(row, tile));
        }
        if here && self.row != self.column {
            self.moved[index] = moved;
            self.has_moved |= 1 << index;
        }
        moved
    }

    /// In a tile on the diagonal a finished row tells a column of the rows after it.
    fn mirror(&mut self, index: usize) {
        let [ahead, one_way] = self.planes.each_ref().map(|plane| plane[index]);
        let back = ahead ^ one_way;
        for row in index + 1..64 {
            self.planes[AHEAD][row] |= (back >> row & 1) << index;
            self.planes[ONE_WAY][row] |= (one_way >> row & 1) << index;
        }
    }
}

/// Whether all pairs of some rows are alike, given both planes.
pub(super) fn evenness(
    [ahead, one_way]: &[Tile; 2],
    rows: std::ops::Range<usize>,
    inside: impl Fn(usize) -> u64,
) -> Evenness {
    let (mut none, mut all) = (true, true);
    for row in rows {
        let inside = inside(row);
        let (ahead, one_way) = (ahead[row % 64] & inside, one_way[row % 64] & inside);
        none &= ahead | one_way == 0;
        all &= ahead == inside && one_way == 0;
    }
    match (none, all) {
        (true, _) => Evenness::None,
        (_, true) => Evenness::All,
        _ => Evenness::Mixed,
    }
}

/// Writes whether pairs are all alike, or reads it, by two chances.
pub(super) fn code_evenness(coder: &mut impl Coder, chances: &mut [Chance], even: Evenness) -> Evenness {
    if coder.bit(&mut chances[0], even == Evenness::Mixed) {
        Evenness::Mixed
    } else if coder.bit(&mut chances[1], even == Evenness::All) {
        Evenness::All
    } else {
        Evenness::None
    }
}

/// No bit, every bit, or a mixture.
fn kind(bits: u64, inside: u64) -> usize {
    match bits & inside {
        0 => 0,
        all if all == inside => 1,
        _ => 2,
    }
}
