//! What the fields of a class tell each level, and what could be learnt through them.
//!
//! Promises: a field that could betray a position that is told less of is an error, never a warning: a doubt
//! errs towards hidden.

use super::{Check, World};
use crate::rules::finding::{RulesError, RulesWarning};
use crate::rules::{Class, FieldRules};
use crate::text::TextError;
use crate::wire::{ClassSchema, Disclosure, Encoding, Field, HEADER_BYTES, Leave, Level, MAX_FIELDS};
use std::collections::HashSet;

/// Bits of a message's head, mask and end at most, beside its references and body.
const HEAD_BITS: usize = 3 + 10 + 3 + 24 + 64 + 3;
/// Rounding that a quotient of two steps may have.
const NESTING_SLACK: f64 = 1e-9;

/// Whose fields they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Entity,
    Event,
}

/// A field whose name says that it is the entity's own state: how it is encoded then.
pub(super) fn own_state(kind: Kind, name: &str) -> Option<&'static str> {
    match (kind, name) {
        (_, "pos") => Some("Position"),
        (Kind::Event, _) => None,
        (_, "vel") => Some("Velocity"),
        (_, "yaw" | "pitch") => Some("Angle"),
        (_, "stance") => Some("Enum([\"standing\", \"crouched\"])"),
        (_, "alive") => Some("Bool"),
        (_, "team") => Some("Int"),
        (_, "owner" | "parent") => Some("Reference"),
        _ => None,
    }
}

fn is_encoded_as(name: &str, encoding: &Encoding) -> bool {
    match name {
        "pos" => matches!(encoding, Encoding::Position { .. }),
        "vel" => matches!(encoding, Encoding::Velocity { .. }),
        "yaw" | "pitch" => matches!(encoding, Encoding::Angle { .. }),
        "stance" => matches!(encoding, Encoding::Enum(names) if names == &["standing", "crouched"]),
        "alive" => *encoding == Encoding::Bool,
        "team" => matches!(encoding, Encoding::Int { .. }),
        _ => *encoding == Encoding::Reference,
    }
}

/// Checks the fields of a class, each for itself and beside the others.
pub(super) fn check(check: &mut Check<'_>, fields: &[FieldRules], kind: Kind, world: &World) {
    if fields.len() > MAX_FIELDS {
        check.error("fields", TextError::TooMany { what: "fields of a class", limit: MAX_FIELDS }.into());
    }
    let mut names = HashSet::new();
    for (index, rules) in fields.iter().enumerate() {
        let field = &rules.field;
        let part = format!("fields[{index}]");
        super::called(check, &format!("{part}.name"), &field.name);
        if !names.insert(&field.name) {
            let problem = RulesError::Duplicate { what: "field", name: field.name.clone() };
            check.error(&format!("{part}.name"), problem);
        }
        if let Err(must) = field.encoding.check(world.extent_m) {
            let problem = RulesError::Encoding { field: field.name.clone(), must };
            check.error(&format!("{part}.encoding"), problem);
            continue;
        }
        if let Some(must) =
            own_state(kind, &field.name).filter(|_| !is_encoded_as(&field.name, &field.encoding))
        {
            let problem = RulesError::OwnState { field: field.name.clone(), must };
            check.error(&format!("{part}.encoding"), problem);
        }
        levels(check, &part, field, world.extent_m);
        bases(check, &part, rules, fields);
    }
}

/// A field's levels: each possible, none told less than a lower one, grids that nest.
fn levels(check: &mut Check<'_>, part: &str, field: &Field, extent_m: f64) {
    let name = || field.name.clone();
    if field.levels.iter().all(|told| *told == Disclosure::Withheld) {
        check.warn(&format!("{part}.name"), RulesWarning::NeverTold { field: name() });
    }
    for (level, told) in Level::TOLD.into_iter().zip(field.levels) {
        if let Err(must) = told.check(&field.encoding, extent_m) {
            let problem = RulesError::Disclosure { field: name(), level, must };
            return check.error(&format!("{part}.{}", level.name()), problem);
        }
    }
    for (lower, higher) in Level::TOLD.into_iter().zip(Level::TOLD.into_iter().skip(1)) {
        if step(field.at(higher)) > step(field.at(lower)) {
            let problem = RulesError::NotMonotone { field: name(), higher, lower };
            check.error(&format!("{part}.{}", higher.name()), problem);
        }
    }
    let grids = field.levels.iter().rev().filter_map(|told| match told {
        Disclosure::Grid(step) => Some(*step),
        _ => None,
    });
    nested(check, part, &format!("field {:?}", field.name), grids);
}

/// How coarse: nothing is coarser than all.
fn step(told: Disclosure) -> f64 {
    match told {
        Disclosure::Exact => 0.0,
        Disclosure::Grid(step) => step,
        Disclosure::Withheld => f64::INFINITY,
    }
}

/// Each step is a whole multiple of the one before it: else cells overlap, and two of them tell more than each.
pub(super) fn nested(check: &mut Check<'_>, part: &str, what: &str, steps: impl Iterator<Item = f64>) {
    let mut finer: Option<f64> = None;
    for coarse in steps {
        if let Some(fine) = finer.filter(|&fine| {
            let times = coarse / fine;
            coarse > fine && (times - times.round()).abs() > NESTING_SLACK * times
        }) {
            check.error(part, RulesError::NotNested { what: what.to_owned(), fine, coarse });
        }
        finer = Some(coarse);
    }
}

/// What a field is derived from, by its rules or by its nature, and whether it betrays that.
fn bases(check: &mut Check<'_>, part: &str, rules: &FieldRules, fields: &[FieldRules]) {
    let field = &rules.field;
    let find = |name: &str| fields.iter().map(|f| &f.field).find(|f| f.name == name);
    if let Some(base) = &rules.derived_from {
        match find(base) {
            Some(base) => betrays(check, part, field, base),
            None => {
                let known = fields.iter().map(|f| f.field.name.clone()).collect();
                let problem = RulesError::UnknownName { what: "field", name: base.clone(), known };
                check.error(&format!("{part}.derived_from"), problem);
            }
        }
    }
    // Summed up, a velocity is a path; a second place of the same body is nearly the first.
    let is_place = matches!(field.encoding, Encoding::Velocity { .. } | Encoding::Position { .. });
    if let Some(pos) = find("pos").filter(|_| is_place && field.name != "pos")
        && rules.derived_from.as_deref() != Some("pos")
    {
        betrays(check, part, field, pos);
    }
}

fn betrays(check: &mut Check<'_>, part: &str, field: &Field, base: &Field) {
    for level in Level::TOLD {
        let (told, of_base) = (field.at(level), base.at(level));
        let is_comparable = matches!(
            (&field.encoding, &base.encoding),
            (Encoding::Velocity { .. } | Encoding::Position { .. }, Encoding::Position { .. })
        ) || std::mem::discriminant(&field.encoding)
            == std::mem::discriminant(&base.encoding);
        let is_safe = match (told, of_base) {
            (Disclosure::Withheld, _) | (_, Disclosure::Exact) => true,
            (Disclosure::Grid(step), Disclosure::Grid(of_base)) => is_comparable && step >= of_base,
            _ => false,
        };
        if !is_safe {
            let problem = RulesError::Betrays { field: field.name.clone(), base: base.name.clone(), level };
            check.error(&format!("{part}.{}", level.name()), problem);
        }
    }
}

/// Whether what is carried tells a place more finely than its carrier does.
pub(super) fn carried(check: &mut Check<'_>, class: &Class, carrier: &Class, extent_m: f64) {
    let pos = |class: &Class| class.fields.iter().position(|f| f.field.name == "pos");
    let Some(own) = pos(class) else { return };
    for level in Level::TOLD {
        let of = |class: &Class, index: usize| class.fields[index].field.at(level);
        let told = of(class, own);
        let theirs = pos(carrier).map_or(Disclosure::Withheld, |index| of(carrier, index));
        let is_nested = match (told, theirs) {
            (Disclosure::Grid(coarse), Disclosure::Grid(fine)) => (coarse / fine).fract() < NESTING_SLACK,
            _ => true,
        };
        if extent_m > 0.0 && (step(told) < step(theirs) || !is_nested) {
            let problem = RulesError::CarriedBetrays { carrier: carrier.name.clone(), level };
            check.error(&format!("fields[{own}].{}", level.name()), problem);
        }
    }
}

/// Whether the longest message of the class goes into a datagram.
pub(super) fn longest(check: &mut Check<'_>, fields: &[FieldRules], world: &World) {
    let is_sound = |f: &&FieldRules| {
        f.field.encoding.check(world.extent_m).is_ok()
            && f.field.levels.iter().all(|told| told.check(&f.field.encoding, world.extent_m).is_ok())
    };
    let fields = fields.iter().filter(is_sound).take(MAX_FIELDS).map(|f| f.field.clone()).collect();
    let schema = ClassSchema::new(String::new(), fields, Leave::Removal, world.extent_m);
    let layouts = Level::TOLD.into_iter().filter_map(|level| schema.layout(level));
    let most = layouts.map(|layout| layout.most_bits()).max().unwrap_or(0);
    let bytes = (HEAD_BITS + most).div_ceil(8);
    let room = (world.mtu_bytes as usize).saturating_sub(HEADER_BYTES);
    if bytes > room {
        check.error("fields", RulesError::TooLong { bytes, room });
    }
}

/// Warns of what `heard` would be told of a class that nothing makes heard.
pub(super) fn never_heard(check: &mut Check<'_>, fields: &[FieldRules]) {
    for (index, rules) in fields.iter().enumerate() {
        if rules.field.at(Level::Heard) != Disclosure::Withheld {
            let problem = RulesWarning::NeverHeard { field: rules.field.name.clone() };
            check.warn(&format!("fields[{index}].heard"), problem);
        }
    }
}
