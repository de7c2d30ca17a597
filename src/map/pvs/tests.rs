//! Laws of the classes and of both layouts of rows.

use super::bits::{BitMatrix, Layout, words_for};
use super::*;
use proptest::prelude::*;

const CLASSES: [PairClass; 3] = [PairClass::Hidden, PairClass::Visible, PairClass::Unresolved];

#[test]
fn pairs_that_nobody_classified_are_unresolved_and_revealed() {
    let pvs = PvsBuilder::new(70).finish();
    assert_eq!(pvs.class(CellId(3), CellId(69)), PairClass::Unresolved);
    assert!(pvs.may_see(CellId(3), CellId(69)));
    assert_eq!(pvs.counts(), PairCounts { hidden: 0, visible: 0, unresolved: 70 * 69 });
}

#[test]
fn a_cell_sees_itself_even_where_it_was_set_hidden() {
    let mut builder = PvsBuilder::new(5);
    builder.fill_block(0..5, 0..5, PairClass::Hidden);
    let pvs = builder.finish();
    for cell in 0..5 {
        assert_eq!(pvs.class(CellId(cell), CellId(cell)), PairClass::Visible);
        assert_eq!(pvs.row(CellId(cell)).iter().collect::<Vec<_>>(), [CellId(cell)]);
    }
    assert_eq!(pvs.counts(), PairCounts { hidden: 20, visible: 0, unresolved: 0 });
}

#[test]
fn an_empty_set_is_no_trouble() {
    let pvs = PvsBuilder::new(0).finish();
    assert!(pvs.is_empty());
    assert_eq!(pvs.counts().pairs(), 0);
}

#[test]
#[should_panic(expected = "cell of another map")]
fn a_cell_past_the_last_does_not_read_the_next_row() {
    PvsBuilder::new(3).finish().may_see(CellId(0), CellId(3));
}

#[test]
fn the_largest_map_of_open_and_closed_stretches_stays_small_in_memory() {
    let cells = MAX_CELLS as u32;
    let mut builder = PvsBuilder::new(MAX_CELLS);
    builder.fill_block(0..cells, 0..cells, PairClass::Hidden);
    builder.fill_block(1_000..9_000, 2_500..40_000, PairClass::Visible);
    builder.set(CellId(65_535), CellId(65_534), PairClass::Unresolved);
    let pvs = builder.finish();
    assert_eq!(pvs.counts().unresolved, 1);
    assert_eq!(pvs.counts().visible, 8_000 * 37_500 - (9_000 - 2_500));
    assert!(pvs.may_see(CellId(8_999), CellId(39_999)) && !pvs.may_see(CellId(8_999), CellId(40_000)));
    assert!(pvs.may_see(CellId(65_535), CellId(65_534)));
    assert!(pvs.memory_bytes() < 64 << 20, "{} bytes", pvs.memory_bytes());
}

type Fill = (Range<usize>, Range<usize>, usize);

fn fills(size: usize) -> impl Strategy<Value = Vec<Fill>> {
    let span = move || (0..=size, 0..=size).prop_map(|(a, b)| a.min(b)..a.max(b));
    proptest::collection::vec((span(), span(), 0..3_usize), 0..8)
}

fn plain_classes(size: usize, fills: &[Fill]) -> Vec<PairClass> {
    let mut classes = vec![PairClass::Unresolved; size * size];
    for (rows, columns, class) in fills {
        for row in rows.clone() {
            classes[row * size..][columns.clone()].fill(CLASSES[*class]);
        }
    }
    for cell in 0..size {
        classes[cell * size + cell] = PairClass::Visible;
    }
    classes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn blocks_read_back_as_a_plain_array_does(
        (size, fills) in (1..200_usize).prop_flat_map(|size| (Just(size), fills(size))),
    ) {
        let mut builder = PvsBuilder::new(size);
        for (rows, columns, class) in &fills {
            let narrow = |range: &Range<usize>| range.start as u32..range.end as u32;
            builder.fill_block(narrow(rows), narrow(columns), CLASSES[*class]);
        }
        let pvs = builder.finish();
        let plain = plain_classes(size, &fills);
        let id = |index: usize| CellId(index as u32);
        for row in 0..size {
            for column in 0..size {
                prop_assert_eq!(pvs.class(id(row), id(column)), plain[row * size + column]);
            }
            let seen: Vec<_> = (0..size).filter(|&c| plain[row * size + c] != PairClass::Hidden).map(id).collect();
            prop_assert_eq!(pvs.row(id(row)).iter().collect::<Vec<_>>(), seen);
        }
        let count = |class| plain.iter().filter(|&&c| c == class).count() as u64;
        prop_assert_eq!(pvs.counts().hidden, count(PairClass::Hidden));
        prop_assert_eq!(pvs.counts().visible, count(PairClass::Visible) - size as u64);
        prop_assert_eq!(pvs.counts().unresolved, count(PairClass::Unresolved));
    }

    #[test]
    fn both_layouts_hold_the_same_bits_and_sealing_makes_equal_matrices_equal(
        (size, fills) in prop_oneof![1..70_usize, Just(1_024), 1_000..1_100_usize, 2_040..2_060_usize]
            .prop_flat_map(|size| (Just(size), fills(size))),
        start in any::<bool>(),
    ) {
        let mut raw = BitMatrix::new(size, Layout::Raw, start);
        let mut paged = BitMatrix::new(size, Layout::Paged, start);
        for (rows, columns, class) in &fills {
            raw.fill(rows.clone(), columns.clone(), *class == 0);
            paged.fill(rows.clone(), columns.clone(), *class == 0);
        }
        paged.seal();
        let mut copied = BitMatrix::new(size, Layout::Paged, !start);
        for row in 0..size {
            let words: Vec<u64> = raw.row(row).words().collect();
            prop_assert_eq!(words.len(), words_for(size));
            prop_assert_eq!(&words, &paged.row(row).words().collect::<Vec<_>>());
        }
        for row in 0..words_for(size) {
            for column in 0..words_for(size) {
                copied.set_tile(row, column, &raw.tile(row, column));
            }
        }
        copied.seal();
        prop_assert_eq!(&copied, &paged);
        for row in 0..size {
            copied.set_row(row, &raw.row(row).words().collect::<Vec<_>>());
        }
        copied.seal();
        prop_assert_eq!(copied, paged);
    }
}
