//! The player's measures: from text to numbers that make sense together.

use super::super::Player;
use super::super::finding::{MapError, Span};
use super::Reader;
use super::report::Element;
use super::scan;

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
        let mut measure = |name: &'static str| -> Option<Measure> {
            let optional = OPTIONAL.contains(&name);
            let span =
                if optional { fields.get(name) } else { self.decoder.required(&element, &fields, name) };
            let Some(span) = span else {
                return optional.then_some(Measure { name, value: None, span: element.span });
            };
            let value = self.decoder.number(&element, span, name)?;
            let (holds, must) =
                if POSITIVE.contains(&name) { (value > 0.0, "above 0") } else { (value >= 0.0, "0 or more") };
            self.decoder.require(&element, span, name, value, holds, must)?;
            self.decoder.require(&element, span, name, value, value <= GREATEST, "at most 10000")?;
            Some(Measure { name, value: Some(value), span })
        };
        // All are read before any is missed, so that every problem is found.
        let measures: Vec<Option<Measure>> = FIELDS.iter().map(|name| measure(name)).collect();
        let [
            radius,
            height,
            standing,
            crouched,
            jump,
            step,
            max_speed,
            max_accel,
            jump_speed,
            gravity,
            crouch_time,
            lean,
            sight_radius,
        ] = measures[..]
        else {
            return None;
        };
        let eyes = [self.at_most(&element, standing, height), self.at_most(&element, crouched, standing)];
        let falls = self.falls(&element, jump_speed, gravity);
        let whole = eyes == [Some(()); 2] && falls.is_some();
        let value = |m: Option<Measure>| m.and_then(|m| m.value);
        let radius = value(radius)?;
        let player = Player {
            radius,
            height: value(height)?,
            eye_standing: value(standing)?,
            eye_crouched: value(crouched)?,
            jump: value(jump)?,
            step: value(step)?,
            max_speed: value(max_speed)?,
            max_accel: value(max_accel)?,
            jump_speed: value(jump_speed)?,
            gravity: value(gravity)?,
            crouch_time: value(crouch_time)?,
            lean: lean?.value.unwrap_or(0.0),
            sight_radius: sight_radius?.value.unwrap_or(radius),
        };
        whole.then_some(player)
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
