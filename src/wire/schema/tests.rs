//! Laws of codings, layouts and of a schema's bytes.

use super::*;
use crate::ids::NetRef;
use crate::wire::{Disclosure, Encoding};
use proptest::prelude::*;

type Told<'a> = Value<'a, NetRef>;

fn coding(encoding: &Encoding, disclosure: Disclosure) -> Coding {
    assert_eq!(encoding.check(512.0), Ok(()));
    assert_eq!(disclosure.check(encoding, 512.0), Ok(()));
    Coding::new(encoding, disclosure, 512.0).unwrap()
}

fn told(coding: &Coding, value: Told<'_>) -> Told<'static> {
    let mut record = vec![0; coding.bytes()];
    coding.quantise(&value, &mut record).unwrap();
    let mut again = vec![0xFF; coding.bytes()];
    let back: Told<'_> = coding.value(&record);
    coding.quantise(&back, &mut again).unwrap();
    assert_eq!(record, again, "what is told is a fixed point of {coding:?}");
    match back {
        Value::Bytes(bytes) => Value::Bytes(Box::leak(Box::from(bytes))),
        Value::Vector(v) => Value::Vector(v),
        Value::Float(v) => Value::Float(v),
        Value::Int(v) => Value::Int(v),
        Value::Bool(v) => Value::Bool(v),
        Value::Choice(v) => Value::Choice(v),
        Value::Reference(v) => Value::Reference(v),
    }
}

fn float(coding: &Coding, value: f64) -> f64 {
    let Value::Float(told) = told(coding, Value::Float(value)) else { panic!("a number comes back") };
    told
}

fn vector(coding: &Coding, value: [f64; 3]) -> [f64; 3] {
    let Value::Vector(told) = told(coding, Value::Vector(value)) else { panic!("a vector comes back") };
    told
}

proptest! {
    #[test]
    fn an_exact_value_is_told_to_half_a_step(
        x in -500.0..500.0_f64, step in 0.001..0.5_f64, degrees in -1e4..1e4_f64, bits in 1_u8..=24, n in -300_i64..300,
    ) {
        let position = coding(&Encoding::Position { step_m: step }, Disclosure::Exact);
        for (told, real) in vector(&position, [x, -x, 0.0]).into_iter().zip([x, -x, 0.0]) {
            prop_assert!((told - real).abs() <= step * 0.500_001, "{told} for {real}");
        }
        let number = coding(&Encoding::Float { min: -500.0, max: 500.0, step }, Disclosure::Exact);
        // The last of `min + k step` may be up to half a step short of the greatest.
        prop_assert!((float(&number, x) - x).abs() <= step * 0.500_001);
        let angle = float(&coding(&Encoding::Angle { bits }, Disclosure::Exact), degrees);
        let off = (angle - degrees).rem_euclid(360.0);
        prop_assert!(off.min(360.0 - off) <= 180.0 / f64::from(1_u32 << bits) + 1e-9);
        let whole = coding(&Encoding::Int { min: -100, max: 200 }, Disclosure::Exact);
        prop_assert_eq!(told(&whole, Value::Int(n)), Value::Int(n.clamp(-100, 200)));
    }

    #[test]
    fn a_coarse_value_tells_its_cell_and_no_more(
        x in -512.0..512.0_f64, y in -512.0..512.0_f64, step in prop_oneof![Just(0.5), Just(4.0), Just(7.3), 0.1..60.0_f64],
    ) {
        let grid = coding(&Encoding::Position { step_m: 0.01 }, Disclosure::Grid(step));
        let [told_x, told_y, _] = vector(&grid, [x, y, 0.0]);
        prop_assert!((told_x - x).abs() <= step && (told_y - y).abs() <= step);
        let is_same_cell = (x / step).floor() == (y / step).floor();
        prop_assert_eq!(is_same_cell && told_x != told_y, false);
        if told_x == told_y {
            prop_assert!((x - y).abs() <= step * 1.000_001);
        }
    }

    #[test]
    fn a_coarser_grid_that_is_a_multiple_tells_nothing_that_the_finer_did_not(
        x in -512.0..512.0_f64, within in 0.0..1.0_f64,
    ) {
        let encoding = Encoding::Position { step_m: 0.01 };
        let (fine, coarse) = (coding(&encoding, Disclosure::Grid(2.0)), coding(&encoding, Disclosure::Grid(8.0)));
        let low = (x / 2.0).floor() * 2.0;
        let other = low + within * 1.999;
        prop_assert_eq!(vector(&fine, [x; 3]), vector(&fine, [other; 3]));
        prop_assert_eq!(vector(&coarse, [x; 3]), vector(&coarse, [other; 3]));
    }

    #[test]
    fn bounds_hold_whatever_the_number(x in any::<f64>()) {
        for disclosure in [Disclosure::Exact, Disclosure::Grid(3.0)] {
            let number = coding(&Encoding::Float { min: 0.5, max: 9.7, step: 0.1 }, disclosure);
            let mut record = vec![0; number.bytes()];
            let outcome = number.quantise(&Told::Float(x), &mut record);
            prop_assert_eq!(outcome.is_ok(), x.is_finite());
            let Told::Float(back) = number.value(&record) else { panic!("a number") };
            prop_assert!((0.5..=9.7).contains(&back));
        }
    }

    #[test]
    fn any_bytes_are_a_schema_of_one_spelling_or_an_error(
        at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = schema().to_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(schema) = Schema::from_bytes(&bytes) {
            prop_assert_eq!(schema.to_bytes(), bytes.clone());
        }
        prop_assert!(Schema::from_bytes(&bytes[..cut.index(bytes.len())]).is_err());
    }
}

fn schema() -> Schema {
    use Disclosure::{Exact, Grid, Withheld};
    let field = |name: &str, encoding, seen| Field {
        name: name.into(),
        encoding,
        levels: [Withheld, Withheld, seen, Exact, Exact],
    };
    let fields = vec![
        field("pos", Encoding::Position { step_m: 0.01 }, Grid(4.0)),
        field("vel", Encoding::Velocity { step_mps: 0.1, limit_mps: 20.0 }, Withheld),
        field("yaw", Encoding::Angle { bits: 10 }, Exact),
        field("health", Encoding::Int { min: -1, max: 200 }, Grid(50.0)),
        field("charge", Encoding::Float { min: 0.0, max: 1.0, step: 0.1 }, Exact),
        field("scoped", Encoding::Bool, Exact),
        field("weapon", Encoding::Enum(vec!["a".into(), "b".into()]), Exact),
        field("tag", Encoding::Bytes { max: 9 }, Exact),
        field("held", Encoding::Reference, Exact),
    ];
    let class = |name: &str, leave| ClassSchema::new(name.into(), fields.clone(), leave, 512.0);
    Schema::new(SchemaParts {
        extent_m: 512.0,
        stale_ticks: 20,
        classes: vec![class("player", Leave::Removal), class("drop", Leave::Timeout { ticks: 9 })],
        sounds: vec![SoundSchema::new("step".into(), vec![1.0, 4.0], 512.0)],
        events: vec![class("kill", Leave::Never)],
    })
}

#[test]
fn a_schema_comes_back_from_its_bytes() {
    let schema = schema();
    assert_eq!(Schema::from_bytes(&schema.to_bytes()), Ok(schema.clone()));
    let mut other = schema.parts.clone();
    other.stale_ticks += 1;
    assert_ne!(Schema::new(other).mark(), schema.mark());
    assert_eq!(Schema::from_bytes(&[2]), Err(DecodeError::OtherMark));
}

#[test]
fn what_is_withheld_has_no_column_and_takes_no_byte() {
    let schema = schema();
    let [heard, .., seen, team, _] = Level::TOLD.map(|level| schema.classes()[0].layout(level).unwrap());
    assert_eq!((heard.columns().len(), heard.bytes(), heard.all()), (0, 0, ColumnSet(0)));
    assert_eq!((seen.columns().len(), team.columns().len()), (8, 9));
    assert_eq!(seen.column_of(1), None);
    assert_eq!(seen.reference_of(7), Some(0));
    assert_eq!(schema.classes()[0].layout(Level::Hidden), None);
}

#[test]
fn changed_columns_are_those_whose_told_value_differs() {
    let schema = schema();
    let seen = schema.classes()[0].layout(Level::Seen).unwrap();
    let mut before = vec![0; seen.bytes()];
    seen.quantise(0, &Told::Vector([1.0, 1.0, 1.0]), &mut before).unwrap();
    let mut after = before.clone();
    seen.quantise(0, &Told::Vector([3.9, 0.1, 2.0]), &mut after).unwrap();
    assert!(seen.changed(&before, &after).is_empty(), "hidden motion within a cell is no change");
    seen.quantise(0, &Told::Vector([4.1, 0.1, 2.0]), &mut after).unwrap();
    assert_eq!(seen.changed(&before, &after), ColumnSet(1));
}

#[test]
fn values_that_do_not_fit_are_refused_and_change_nothing() {
    let refused = |encoding: Encoding, value: Told<'_>, why| {
        let coding = coding(&encoding, Disclosure::Exact);
        let mut record = vec![7; coding.bytes()];
        assert_eq!(coding.quantise(&value, &mut record), Err(why));
        assert_eq!(record, vec![7; coding.bytes()]);
    };
    refused(Encoding::Bool, Value::Int(1), Unfit::Kind);
    refused(Encoding::Position { step_m: 0.1 }, Value::Vector([0.0, f64::NAN, 0.0]), Unfit::NotFinite);
    refused(Encoding::Angle { bits: 8 }, Value::Float(f64::INFINITY), Unfit::NotFinite);
    refused(Encoding::Enum(vec!["a".into(), "b".into()]), Value::Choice(2), Unfit::NoSuchChoice);
    refused(Encoding::Bytes { max: 2 }, Value::Bytes(&[1, 2, 3]), Unfit::TooLong);
}

#[test]
fn senseless_encodings_and_grids_are_named() {
    for encoding in [
        Encoding::Position { step_m: 0.0 },
        Encoding::Position { step_m: f64::NAN },
        Encoding::Position { step_m: 1e-14 },
        Encoding::Velocity { step_mps: 1.0, limit_mps: f64::INFINITY },
        Encoding::Angle { bits: 25 },
        Encoding::Int { min: 5, max: 4 },
        Encoding::Int { min: i64::MIN, max: i64::MAX },
        Encoding::Float { min: 1e30, max: 2e30, step: 1e14 },
        Encoding::Float { min: 0.0, max: 1.0, step: -0.1 },
        Encoding::Enum(vec![]),
        Encoding::Bytes { max: 0 },
    ] {
        assert!(encoding.check(512.0).is_err(), "{encoding:?}");
    }
    let position = Encoding::Position { step_m: 0.5 };
    for (encoding, step) in [
        (&position, 0.1),
        (&position, f64::NAN),
        (&Encoding::Int { min: 0, max: 9 }, 2.5),
        (&Encoding::Angle { bits: 8 }, 0.1),
        (&Encoding::Angle { bits: 8 }, 70.0),
        (&Encoding::Bool, 1.0),
    ] {
        assert!(Disclosure::Grid(step).check(encoding, 512.0).is_err(), "{encoding:?} on {step}");
    }
}
