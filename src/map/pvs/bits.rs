//! Square bit matrices with O(1) look-up: raw for maps of usual size, paged beyond.
//!
//! Owns how rows lie in memory. Promises: equal bits are equal values once sealed, bits past the last column
//! are 0, reading allocates nothing. Must not know what a bit means.

use crate::map::CellId;
use foldhash::fast::RandomState;
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::Range;

/// Words of a page: 128 bytes, two cache lines.
const PAGE_WORDS: usize = 16;
/// Columns that a page holds.
const PAGE_BITS: usize = PAGE_WORDS * 64;
/// Pages that exist once for all rows: no bit, every bit, every bit up to the last column.
const SHARED_PAGES: usize = 3;
const ZEROS: u32 = 0;
const ONES: u32 = 1;
const TAIL: u32 = 2;

type Page = [u64; PAGE_WORDS];

/// 64 rows of 64 bits.
pub(in crate::map) type Tile = [u64; 64];

/// How a matrix lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::map) enum Layout {
    /// Rows of words, one behind the other.
    Raw,
    /// Rows of page numbers; equal pages are kept once.
    Paged,
}

/// A square matrix of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::map) struct BitMatrix {
    size: usize,
    store: Store,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Store {
    Raw(Vec<u64>),
    Paged { directory: Vec<u32>, pages: Vec<Page> },
}

impl BitMatrix {
    /// A matrix of `size` × `size` bits that all have `value`.
    pub(in crate::map) fn new(size: usize, layout: Layout, value: bool) -> Self {
        let store = match layout {
            Layout::Raw => Store::Raw(vec![0; size * words_for(size)]),
            Layout::Paged => {
                Store::Paged { directory: vec![ZEROS; size * pages_for(size)], pages: shared_pages(size) }
            }
        };
        let mut matrix = Self { size, store };
        if value {
            matrix.fill(0..size, 0..size, true);
        }
        matrix
    }

    /// A matrix by bands of 64 rows, the last of perhaps fewer: `fill` is given a band's number and all its words, 0,
    /// and gives how many bits it set; the sum of that comes too.
    ///
    /// Bits past the last column must stay 0.
    pub(in crate::map) fn of_bands(
        size: usize,
        layout: Layout,
        fill: impl Fn(usize, &mut [u64]) -> u64 + Sync,
    ) -> (Self, u64) {
        let mut matrix = Self::new(size, layout, false);
        let width = words_for(size);
        let count = match &mut matrix.store {
            _ if size == 0 => 0,
            Store::Raw(words) => {
                words.par_chunks_mut(64 * width).enumerate().map(|(band, rows)| fill(band, rows)).sum()
            }
            Store::Paged { .. } => {
                let mut count = 0;
                for (band, start) in (0..size).step_by(64).enumerate() {
                    let mut rows = vec![0; width * (size - start).min(64)];
                    count += fill(band, &mut rows);
                    for (index, row) in rows.chunks_exact(width).enumerate() {
                        matrix.set_row(start + index, row);
                    }
                }
                count
            }
        };
        (matrix, count)
    }

    /// Gives every bit of `rows` × `columns` the `value`.
    pub(in crate::map) fn fill(&mut self, rows: Range<usize>, columns: Range<usize>, value: bool) {
        assert!(rows.end <= self.size && columns.end <= self.size, "block outside the matrix");
        if columns.is_empty() {
            return;
        }
        for row in rows {
            match &mut self.store {
                Store::Raw(words) => {
                    let width = words_for(self.size);
                    fill_words(&mut words[row * width..][..width], columns.clone(), value);
                }
                Store::Paged { directory, pages } => {
                    let width = pages_for(self.size);
                    let entries = &mut directory[row * width..][..width];
                    fill_pages(entries, pages, self.size, columns.clone(), value);
                }
            }
        }
    }

    /// Sets a whole row from its words; bits past the last column must be 0.
    pub(in crate::map) fn set_row(&mut self, row: usize, words: &[u64]) {
        match &mut self.store {
            Store::Raw(all) => {
                let width = words_for(self.size);
                all[row * width..][..width].copy_from_slice(words);
            }
            Store::Paged { directory, pages } => {
                let width = pages_for(self.size);
                let entries = &mut directory[row * width..][..width];
                for (entry, chunk) in entries.iter_mut().zip(words.chunks(PAGE_WORDS)) {
                    if chunk.iter().all(|&word| word == 0) {
                        *entry = ZEROS;
                        continue;
                    }
                    let page = own_page(entry, pages);
                    *page = [0; PAGE_WORDS];
                    page[..chunk.len()].copy_from_slice(chunk);
                }
            }
        }
    }

    /// Rows and columns.
    pub(in crate::map) fn size(&self) -> usize {
        self.size
    }

    /// The tile of rows from 64 · `row` and columns from 64 · `column`; what is past the end is 0.
    pub(in crate::map) fn tile(&self, row: usize, column: usize) -> Tile {
        let mut tile = [0; 64];
        for (index, word) in (row * 64..self.size).zip(&mut tile) {
            *word = self.row(index).word(column);
        }
        tile
    }

    /// Overwrites a tile; bits past the end must be 0.
    pub(in crate::map) fn set_tile(&mut self, row: usize, column: usize, tile: &Tile) {
        for (index, &word) in (row * 64..self.size).zip(tile) {
            match &mut self.store {
                Store::Raw(words) => words[index * words_for(self.size) + column] = word,
                Store::Paged { directory, pages } => {
                    let entry = &mut directory[index * pages_for(self.size) + column / PAGE_WORDS];
                    if pages[*entry as usize][column % PAGE_WORDS] != word {
                        own_page(entry, pages)[column % PAGE_WORDS] = word;
                    }
                }
            }
        }
    }

    /// Whether every bit of `part` is a bit of this matrix too, of the same size.
    pub(in crate::map) fn contains(&self, part: &Self) -> bool {
        let rows = (0..self.size).map(|row| self.row(row).words().zip(part.row(row).words()));
        self.size == part.size && rows.flatten().all(|(all, part)| part & !all == 0)
    }

    /// How many bits are set.
    pub(in crate::map) fn count(&self) -> u64 {
        let ones = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        match &self.store {
            Store::Raw(words) => ones(words),
            Store::Paged { directory, pages } => {
                // Past the last column a page has no bit.
                let counts: Vec<u64> = pages.iter().map(|page| ones(page)).collect();
                directory.iter().map(|&entry| counts[entry as usize]).sum()
            }
        }
    }

    /// Keeps equal pages once, numbered by first use, so that equal matrices are equal values.
    pub(in crate::map) fn seal(&mut self) {
        let Store::Paged { directory, pages } = &mut self.store else { return };
        let mut kept = shared_pages(self.size);
        let mut number_of: HashMap<Page, u32, RandomState> = HashMap::default();
        for (number, page) in kept.iter().enumerate() {
            number_of.entry(*page).or_insert(number as u32);
        }
        for entry in directory.iter_mut().filter(|entry| **entry as usize >= SHARED_PAGES) {
            let page = pages[*entry as usize];
            *entry = *number_of.entry(page).or_insert_with(|| {
                kept.push(page);
                kept.len() as u32 - 1
            });
        }
        kept.shrink_to_fit();
        *pages = kept;
    }

    /// The bit at `row`, `column`.
    pub(in crate::map) fn get(&self, row: usize, column: usize) -> bool {
        // A column past the end would read the next row: an answer about another cell.
        assert!(column < self.size, "cell of another map");
        self.row(row).bit(column)
    }

    /// The row number `row`.
    pub(in crate::map) fn row(&self, row: usize) -> Row<'_> {
        let words = words_for(self.size);
        let store = match &self.store {
            Store::Raw(all) => RowStore::Raw(&all[row * words..][..words]),
            Store::Paged { directory, pages } => {
                let width = pages_for(self.size);
                RowStore::Paged { directory: &directory[row * width..][..width], pages }
            }
        };
        Row { words, store }
    }

    /// Bytes of memory that the bits take.
    pub(in crate::map) fn memory_bytes(&self) -> usize {
        match &self.store {
            Store::Raw(words) => size_of_val(words.as_slice()),
            Store::Paged { directory, pages } => {
                size_of_val(directory.as_slice()) + size_of_val(pages.as_slice())
            }
        }
    }
}

/// One row of a [`Pvs`](crate::Pvs): bit `c` of word `c / 64` stands for cell `c`.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    words: usize,
    store: RowStore<'a>,
}

#[derive(Clone, Copy, Debug)]
enum RowStore<'a> {
    Raw(&'a [u64]),
    Paged { directory: &'a [u32], pages: &'a [Page] },
}

impl<'a> Row<'a> {
    /// How many words the row has.
    pub fn word_count(&self) -> usize {
        self.words
    }

    /// Word number `index`; panics at or past [`Row::word_count`].
    pub fn word(&self, index: usize) -> u64 {
        self.chunk(index / PAGE_WORDS)[index % PAGE_WORDS]
    }

    /// Whether the bit of `cell` is set; panics for a cell past the row's last word.
    pub fn contains(&self, cell: CellId) -> bool {
        self.bit(cell.0 as usize)
    }

    /// The row's words in order, as slices that lie together in memory.
    pub fn chunks(&self) -> impl Iterator<Item = &'a [u64]> + use<'a> {
        let row = *self;
        (0..row.words.div_ceil(PAGE_WORDS)).map(move |index| row.chunk(index))
    }

    /// The row's words in order.
    pub fn words(&self) -> impl Iterator<Item = u64> + use<'a> {
        self.chunks().flatten().copied()
    }

    /// The cells whose bit is set, ascending.
    pub fn iter(&self) -> impl Iterator<Item = CellId> + use<'a> {
        self.words().enumerate().flat_map(|(index, word)| {
            let rest = std::iter::successors(Some(word), |&w| Some(w & w.wrapping_sub(1)));
            rest.take_while(|&w| w != 0).map(move |w| CellId(index as u32 * 64 + w.trailing_zeros()))
        })
    }

    /// How many bits are set.
    pub fn count(&self) -> usize {
        self.words().map(|word| word.count_ones() as usize).sum()
    }

    fn bit(&self, column: usize) -> bool {
        self.word(column / 64) >> (column % 64) & 1 == 1
    }

    fn chunk(&self, index: usize) -> &'a [u64] {
        let start = index * PAGE_WORDS;
        let length = (self.words - start).min(PAGE_WORDS);
        match self.store {
            RowStore::Raw(words) => &words[start..][..length],
            RowStore::Paged { directory, pages } => &pages[directory[index] as usize][..length],
        }
    }
}

/// Words of a row of `size` bits.
pub(in crate::map) fn words_for(size: usize) -> usize {
    size.div_ceil(64)
}

fn pages_for(size: usize) -> usize {
    size.div_ceil(PAGE_BITS)
}

fn shared_pages(size: usize) -> Vec<Page> {
    let mut tail = [0; PAGE_WORDS];
    let tail_bits = size - size.saturating_sub(1) / PAGE_BITS * PAGE_BITS;
    fill_words(&mut tail, 0..tail_bits, true);
    let pages = vec![[0; PAGE_WORDS], [u64::MAX; PAGE_WORDS], tail];
    debug_assert_eq!(pages.len(), SHARED_PAGES);
    pages
}

fn fill_words(words: &mut [u64], columns: Range<usize>, value: bool) {
    if columns.is_empty() {
        return;
    }
    let (first, last) = (columns.start / 64, (columns.end - 1) / 64);
    for (index, word) in words.iter_mut().enumerate().take(last + 1).skip(first) {
        let from = columns.start.saturating_sub(index * 64);
        let to = (columns.end - index * 64).min(64);
        let mask = (u64::MAX >> (64 - (to - from))) << from;
        if value {
            *word |= mask;
        } else {
            *word &= !mask;
        }
    }
}

fn fill_pages(entries: &mut [u32], pages: &mut Vec<Page>, size: usize, columns: Range<usize>, value: bool) {
    let (first, last) = (columns.start / PAGE_BITS, (columns.end - 1) / PAGE_BITS);
    for (index, entry) in entries.iter_mut().enumerate().take(last + 1).skip(first) {
        let start = index * PAGE_BITS;
        let end = (start + PAGE_BITS).min(size);
        let inside = columns.start.max(start)..columns.end.min(end);
        if inside == (start..end) {
            *entry = match (value, end - start < PAGE_BITS) {
                (false, _) => ZEROS,
                (true, false) => ONES,
                (true, true) => TAIL,
            };
        } else {
            fill_words(own_page(entry, pages), inside.start - start..inside.end - start, value);
        }
    }
}

/// The page of `entry`, copied first if other rows share it.
fn own_page<'a>(entry: &mut u32, pages: &'a mut Vec<Page>) -> &'a mut Page {
    if (*entry as usize) < SHARED_PAGES {
        pages.push(pages[*entry as usize]);
        *entry = pages.len() as u32 - 1;
    }
    &mut pages[*entry as usize]
}
