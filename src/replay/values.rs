//! Values of a recording's fields, made to fit the rules' encodings.
//!
//! Promises: what does not fit is cut to the nearest that does, and counted; what is not told is the least, and counted.
//! Must not know who is told.

use crate::ids::EntityId;
use crate::recording::FieldMap;
use crate::rules::{ClassLinks, FieldRules, FieldSource};
use crate::wire::{Encoding, Value};
use std::collections::BTreeMap;

/// Names that are listed at most.
const MOST_UNKNOWN: usize = 100;

/// A value that borrows nothing.
#[derive(Clone, Debug)]
pub(super) enum Owned {
    Plain(Value<'static, EntityId>),
    Bytes(Vec<u8>),
    /// A recording's id.
    Reference(Option<u32>),
}

/// What was made to fit the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fitted {
    /// Values beyond what their field holds; the nearest was taken.
    pub(super) values_cut: u64,
    /// Values that a recording did not tell; the least was taken.
    pub(super) values_missing: u64,
    /// Values of fields that the rules don't list, and so withhold: by class and field.
    pub(super) unknown: BTreeMap<String, u64>,
}

/// The values that the rules list for a class, in their order.
pub(super) fn values(
    (class, fields): (&str, &FieldMap),
    rules: &[FieldRules],
    links: &ClassLinks,
    fitted: &mut Fitted,
) -> Vec<Owned> {
    let lent = || {
        let all = rules.iter().zip(&links.sources);
        all.filter(|(_, source)| matches!(source, FieldSource::Value(_)))
    };
    let is_known = |name: &String| lent().any(|(rules, _)| rules.field.name == *name);
    for name in fields.keys().filter(|name| !is_known(name)) {
        let key = format!("{class}.{name}");
        // A hostile recording must not fill the memory with names.
        if fitted.unknown.len() < MOST_UNKNOWN || fitted.unknown.contains_key(&key) {
            *fitted.unknown.entry(key).or_default() += 1;
        }
    }
    lent().map(|(rules, _)| value(fields.get(&rules.field.name), &rules.field.encoding, fitted)).collect()
}

/// What a value has to be, if it is not; one that is `null` is not told.
pub(super) fn mistyped(told: &serde_json::Value, encoding: &Encoding) -> Option<String> {
    let is_number = |value: &serde_json::Value| value.is_number();
    let (is_right, wanted) = match encoding {
        Encoding::Bool => (told.is_boolean(), "true or false".to_owned()),
        Encoding::Int { .. } | Encoding::Float { .. } | Encoding::Angle { .. } => {
            (is_number(told), "a number".to_owned())
        }
        Encoding::Position { .. } | Encoding::Velocity { .. } => {
            let is_vector = told.as_array().is_some_and(|list| list.len() == 3 && list.iter().all(is_number));
            (is_vector, "three numbers".to_owned())
        }
        Encoding::Enum(names) => {
            let is_one = told.as_str().is_some_and(|name| names.iter().any(|other| other == name));
            (is_one, format!("one of {}", names.join(", ")))
        }
        Encoding::Bytes { .. } => (told.is_string(), "a text".to_owned()),
        Encoding::Reference => {
            let is_id = told.as_u64().is_some_and(|id| u32::try_from(id).is_ok());
            (is_id, "an entity's id".to_owned())
        }
    };
    (!is_right && !told.is_null()).then(|| format!("{told} is not {wanted}"))
}

fn value(told: Option<&serde_json::Value>, encoding: &Encoding, fitted: &mut Fitted) -> Owned {
    let number = told.and_then(serde_json::Value::as_f64);
    let mut fit = |value: Option<f64>, min: f64, max: f64| {
        let value = value.unwrap_or_else(|| {
            fitted.values_missing += 1;
            min.max(0.0_f64.min(max))
        });
        fitted.values_cut += u64::from(value < min || value > max);
        value.clamp(min, max)
    };
    let plain = match encoding {
        Encoding::Bool => Value::Bool(told.and_then(serde_json::Value::as_bool).unwrap_or(false)),
        Encoding::Int { min, max } => Value::Int(fit(number, *min as f64, *max as f64).round() as i64),
        Encoding::Float { min, max, .. } => Value::Float(fit(number, *min, *max)),
        Encoding::Angle { .. } => Value::Float(fit(number, -1e9, 1e9)),
        Encoding::Position { .. } | Encoding::Velocity { .. } => {
            let list = told.and_then(serde_json::Value::as_array);
            let at = |i: usize| list.and_then(|list| list.get(i)?.as_f64()).unwrap_or(0.0);
            Value::Vector([at(0), at(1), at(2)])
        }
        Encoding::Enum(names) => {
            let name = told.and_then(serde_json::Value::as_str);
            let place = name.and_then(|name| names.iter().position(|other| other == name));
            fitted.values_missing += u64::from(place.is_none());
            Value::Choice(place.unwrap_or(0) as u16)
        }
        Encoding::Bytes { max } => {
            let text = told.and_then(serde_json::Value::as_str).unwrap_or("");
            fitted.values_cut += u64::from(text.len() > usize::from(*max));
            return Owned::Bytes(text.bytes().take(usize::from(*max)).collect());
        }
        Encoding::Reference => {
            let id = told.and_then(serde_json::Value::as_u64).and_then(|id| u32::try_from(id).ok());
            return Owned::Reference(id);
        }
    };
    Owned::Plain(plain)
}
