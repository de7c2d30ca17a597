//! Values come back with every bit, and nothing else than what is written is read.

use super::*;
use proptest::prelude::*;

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        (-100_000_000_i64..100_000_000).prop_map(|n| n as f64 / 1e4),
        (-4_000_i64..4_000).prop_map(|n| n as f64 / 32.0),
        (-4_000_i64..4_000).prop_map(|n| n as f64 * 0.0127),
        (0..4_i32).prop_map(f64::from),
        prop_oneof![Just(f64::INFINITY), Just(f64::NAN), Just(-0.0), Just(0.0), Just(0.1 + 0.2), Just(1e300)],
    ]
}

fn role(index: usize) -> Role {
    [Role::X, Role::Y, Role::Z, Role::Low, Role::High, Role::Other][index % ROLES]
}

fn guess(index: usize) -> Guess {
    if index.is_multiple_of(3) { Guess::NONE } else { Guess { near: 7.5, ..Guess::of([1.0, 2.0]) } }
}

fn write(numbers: &[f64]) -> Vec<u8> {
    let mut writer = Writer::new();
    for (index, &number) in numbers.iter().enumerate() {
        writer.number(role(index), guess(index), number).expect("any number is written");
    }
    writer.finish()
}

fn read(bytes: &[u8], count: usize) -> Result<Vec<u64>, Wrong> {
    let mut reader = Reader::new(bytes)?;
    let bits =
        (0..count).map(|index| Ok::<_, Wrong>(reader.number(role(index), guess(index), 0.0)?.to_bits()));
    let bits = bits.collect::<Result<_, _>>()?;
    reader.end()?;
    Ok(bits)
}

proptest! {
    #[test]
    fn numbers_come_back_with_every_bit(numbers in proptest::collection::vec(any_number(), 0..60)) {
        let bits: Vec<u64> = numbers.iter().map(|number| number.to_bits()).collect();
        prop_assert_eq!(read(&write(&numbers), numbers.len()), Ok(bits));
    }

    #[test]
    fn other_bytes_are_refused_or_what_their_numbers_give(
        numbers in proptest::collection::vec(any_number(), 1..40),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = write(&numbers);
        for (at, value) in edits {
            let index = at.index(bytes.len());
            bytes[index] = value;
        }
        if let Ok(read) = read(&bytes, numbers.len()) {
            let numbers: Vec<f64> = read.into_iter().map(f64::from_bits).collect();
            prop_assert_eq!(write(&numbers), bytes);
        }
    }

    #[test]
    fn integers_and_texts_come_back(ints in proptest::collection::vec(any::<i64>(), 0..20), text in ".{0,20}") {
        let mut writer = Writer::new();
        prop_assert_eq!(writer.text(&text), Ok(text.clone()));
        let ints: Vec<i64> = ints.into_iter().map(|int| int.max(-i64::MAX)).collect();
        for &int in &ints {
            prop_assert_eq!(writer.int(Kind::Index, int), Ok(int));
            prop_assert_eq!(writer.uint(Kind::Count, int.unsigned_abs()), int.unsigned_abs());
        }
        let bytes = writer.finish();
        let mut reader = Reader::new(&bytes).unwrap();
        prop_assert_eq!(reader.text(""), Ok(text));
        for &int in &ints {
            prop_assert_eq!(reader.int(Kind::Index, 0), Ok(int));
            prop_assert_eq!(reader.uint(Kind::Count, 0), int.unsigned_abs());
        }
        prop_assert_eq!(reader.end(), Ok(()));
    }
}

#[test]
fn numbers_on_a_grid_of_half_inches_take_little() {
    let numbers: Vec<f64> = (0..600_i64).map(|n| ((n * 7_919) % 501) as f64 * 1_270.0 / 1e5).collect();
    assert!(write(&numbers).len() < 600 * 11 / 8, "{}", write(&numbers).len());
}

#[test]
fn counts_beyond_the_bytes_at_hand_are_refused() {
    let mut writer = Writer::new();
    writer.count(Kind::Elements, 1_000_000).unwrap();
    let bytes = writer.finish();
    let mut reader = Reader::new(&bytes).unwrap();
    let read = reader.many(Kind::Elements, &[], |reader, _: Option<&u64>| Ok(reader.uint(Kind::Count, 0)));
    assert_eq!(read, Err("more bytes"));
    assert!(Reader::new(&u64::MAX.to_le_bytes()).is_err());
}

#[test]
fn a_section_has_a_bounded_number_of_elements() {
    let mut writer = Writer::new();
    writer.count(Kind::Elements, MOST_ELEMENTS + 1).unwrap();
    let bytes = writer.finish();
    assert_eq!(Reader::new(&bytes).unwrap().count(Kind::Elements, 0), Err("fewer elements"));
}
