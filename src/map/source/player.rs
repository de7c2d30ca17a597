//! The player's measures: from text to numbers that make sense together.

use super::super::Player;
use super::super::finding::MapError;
use super::Reader;
use crate::text::{Element, Fields, Span, scan};

const FIELDS: &[&str] = &[
    "radius",
    "height",
    "eye_standing",
    "eye_crouched",
    "jump",
    "step",
    "max_speed",
    "max_accel",
    "jump_speed",
    "gravity",
    "crouch_time",
    "lean",
    "sight_radius",
];

/// Those that may be left out.
const OPTIONAL: &[&str] = &["lean", "sight_radius"];

/// Those that must be above 0.
const POSITIVE: &[&str] = &["radius", "height", "eye_standing", "eye_crouched"];

/// More than any body or motion has; it keeps products of measures far from overflow.
const GREATEST: f64 = 10_000.0;
/// Measures of how wide a body is in the plan: what they reach is looked through again and again.
const WIDTHS: &[&str] = &["radius", "lean", "sight_radius"];
/// More than any body has, and few enough cells.
const GREATEST_WIDTH: f64 = 20.0;

impl Reader<'_> {
    /// The player at `value`, or `None` where some measure is wrong.
    pub(super) fn player(&mut self, value: Span) -> Option<Player> {
        let element = Element { list: "player", span: self.decoder.head(value), ..Element::default() };
        let Some(group) = scan::group(self.decoder.text, value).filter(|g| g.open == b'(' && g.tag.is_none())
        else {
            self.decoder.wrong_type(&element, value, "player: (...)", String::new());
            return None;
        };
        let fields = self.decoder.fields(&element, group.inside, FIELDS);
        // All are read before any is missed, so that every problem is found.
        let measures: Vec<Option<Measure>> =
            FIELDS.iter().map(|name| self.measure(&element, &fields, name)).collect();
        let of = |name| measures.iter().flatten().find(|measure| measure.name == name).copied();
        let eyes = [
            self.at_most(&element, of("eye_standing"), of("height")),
            self.at_most(&element, of("eye_crouched"), of("eye_standing")),
        ];
        let falls = self.falls(&element, of("jump_speed"), of("gravity"));
        let whole = eyes == [Some(()); 2] && falls.is_some() && measures.iter().all(Option::is_some);
        let value = |name| of(name).and_then(|measure| measure.value);
        let radius = value("radius")?;
        let player = Player {
            radius,
            height: value("height")?,
            eye_standing: value("eye_standing")?,
            eye_crouched: value("eye_crouched")?,
            jump: value("jump")?,
            step: value("step")?,
            max_speed: value("max_speed")?,
            max_accel: value("max_accel")?,
            jump_speed: value("jump_speed")?,
            gravity: value("gravity")?,
            crouch_time: value("crouch_time")?,
            lean: value("lean").unwrap_or(0.0),
            sight_radius: value("sight_radius").unwrap_or(radius),
        };
        whole.then_some(player)
    }

    /// The measure `name`: without a value where it may be left out and is, `None` where it is wrong.
    fn measure(&mut self, element: &Element, fields: &Fields, name: &'static str) -> Option<Measure> {
        let optional = OPTIONAL.contains(&name);
        let span = if optional { fields.get(name) } else { self.decoder.required(element, fields, name) };
        let Some(span) = span else {
            return optional.then_some(Measure { name, value: None, span: element.span });
        };
        let value = self.decoder.number(element, span, name)?;
        let (holds, must) =
            if POSITIVE.contains(&name) { (value > 0.0, "above 0") } else { (value >= 0.0, "0 or more") };
        self.decoder.require(element, span, name, value, holds, must)?;
        let (greatest, most) =
            if WIDTHS.contains(&name) { (GREATEST_WIDTH, "at most 20") } else { (GREATEST, "at most 10000") };
        self.decoder.require(element, span, name, value, value <= greatest, most)?;
        Some(Measure { name, value: Some(value), span })
    }

    /// An error if `over` is above `limit`; `None` then, or where one of them is not known.
    fn at_most(&mut self, element: &Element, over: Option<Measure>, limit: Option<Measure>) -> Option<()> {
        let (over, limit) = (over?, limit?);
        let (value, most) = (over.value?, limit.value?);
        if value > most {
            let problem =
                MapError::PlayerContradiction { over: over.name, value, limit_name: limit.name, limit: most };
            let related = Some((limit.span, "must be the greater"));
            self.decoder.report.error_with(element, over.span, problem, related);
            return None;
        }
        Some(())
    }

    /// Whether a jump comes down again.
    fn falls(
        &mut self,
        element: &Element,
        jump_speed: Option<Measure>,
        gravity: Option<Measure>,
    ) -> Option<()> {
        let (speed, pull) = (jump_speed?.value?, gravity?);
        let holds = speed == 0.0 || pull.value? > 0.0;
        self.decoder.require(
            element,
            pull.span,
            "gravity",
            pull.value?,
            holds,
            "above 0 where jump_speed is",
        )?;
        Some(())
    }
}

/// A measure and where it is written.
#[derive(Clone, Copy)]
struct Measure {
    name: &'static str,
    value: Option<f64>,
    span: Span,
}
