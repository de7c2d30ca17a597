//! Whether rules make sense: numbers, names, and what one level could learn through another.
//!
//! Promises: all problems, for rules of a file and for those made by code alike.
//! Must not know how rules are read.

mod fields;

use super::finding::{RulesError, RulesWarning};
use super::read::Origins;
use super::{
    Band, BodyPoint, BodyVolume, Class, EventClass, Lead, LodStep, Motion, Naming, Padding, Precise,
    Priority, RulesSource, Sending, Settings, SightPolicy, SoundClass,
};
use crate::text::{Element, Report, Span, TextError};
use crate::wire::{
    Encoding, HEADER_BYTES, Leave, Level, MAX_AGE_TICKS, MAX_CLASSES, MAX_DATAGRAM_BYTES, is_extent, is_name,
};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Longer horizons or holds than any game has, milliseconds; it keeps products far from overflow.
const MOST_MS: f64 = 10_000.0;
/// More ticks than any of the counts makes sense with.
const MOST_TICKS: u32 = 100_000;
/// More metres, or metres per second, than any distance or speed has.
const MOST_M: f64 = 1e6;
/// Least room for messages in a datagram, bytes.
const LEAST_ROOM: u32 = 54;

/// What the parts are checked against.
#[derive(Clone, Copy)]
pub(super) struct World {
    pub(super) extent_m: f64,
    pub(super) mtu_bytes: u32,
    pub(super) stale_ticks: u32,
    pub(super) body: Option<BodyVolume>,
}

impl Default for World {
    /// What stands in for settings that are wrong: it finds no problem of its own.
    fn default() -> Self {
        Self { extent_m: 1000.0, mtu_bytes: MAX_DATAGRAM_BYTES as u32, stale_ticks: MOST_TICKS, body: None }
    }
}

/// Where findings about one element go.
pub(super) struct Check<'a> {
    pub(super) report: &'a mut Report<RulesError, RulesWarning>,
    pub(super) origins: &'a Origins,
    pub(super) element: Element,
    pub(super) path: String,
}

impl Check<'_> {
    /// Where the value at `part` of the element is; what holds it where that is not written.
    fn span(&self, part: &str) -> Span {
        let path = match (self.path.is_empty(), part.is_empty()) {
            (true, _) => part.to_owned(),
            (_, true) => self.path.clone(),
            _ => format!("{}.{part}", self.path),
        };
        let mut holder = path.as_str();
        loop {
            match (self.origins.get(holder), holder.rfind(['.', '['])) {
                (Some(&span), _) => return span,
                (None, Some(dot)) => holder = &holder[..dot],
                (None, None) => return self.element.span,
            }
        }
    }

    fn error(&mut self, part: &str, problem: RulesError) {
        let span = self.span(part);
        self.report.error(&self.element, span, problem);
    }

    fn warn(&mut self, part: &str, problem: RulesWarning) {
        let span = self.span(part);
        self.report.warn(&self.element, span, problem);
    }

    /// An error unless the number is in the range; the last segment of `what` is the part's name.
    fn number(&mut self, what: &'static str, value: f64, range: RangeInclusive<f64>, must: &'static str) {
        if value.is_nan() || (value.is_infinite() && range.end().is_finite()) {
            self.error(what, TextError::NotFinite(what).into());
        } else if !range.contains(&value) {
            self.error(what, TextError::OutOfRange { what, value, must }.into());
        }
    }

    fn ticks(&mut self, what: &'static str, value: u32, range: RangeInclusive<u32>, must: &'static str) {
        self.number(what, f64::from(value), f64::from(*range.start())..=f64::from(*range.end()), must);
    }

    /// An error for each number that is below the one before it.
    fn rising(&mut self, part: &str, what: &'static str, values: impl IntoIterator<Item = f64>) {
        let mut before = f64::NEG_INFINITY;
        for value in values {
            if value < before {
                self.error(part, RulesError::OutOfOrder { what, value, before });
            }
            before = value;
        }
    }
}

pub(super) fn extent(check: &mut Check<'_>, extent_m: f64) {
    if !is_extent(extent_m) {
        let must = "above 0 and at most 1000 km";
        check.error("extent_m", TextError::OutOfRange { what: "extent_m", value: extent_m, must }.into());
    }
}

pub(super) fn settings(check: &mut Check<'_>, settings: &Settings) {
    let Settings { lead: horizon, hold_ms, view_cone_deg, smoke, solver_nodes, sending: packing, .. } =
        settings;
    lead(check, horizon);
    check.number("hold_ms", *hold_ms, 0.0..=MOST_MS, "from 0 to 10000");
    check.number("view_cone_deg", *view_cone_deg, 0.0..=180.0, "from 0 to 180");
    check.number("smoke.opaque_depth_m", smoke.opaque_depth_m, 0.0..=MOST_M, "0 or more");
    check.number("smoke.rim_m", smoke.rim_m, 0.0..=MOST_M, "0 or more");
    check.ticks("solver_nodes", *solver_nodes, 1..=10_000_000, "from 1 to 10000000");
    sending(check, packing);
}

fn lead(check: &mut Check<'_>, lead: &Lead) {
    let ms = 0.0..=MOST_MS;
    let must = "from 0 to 10000";
    check.number("lead.rtt_min_ms", lead.rtt_min_ms, ms.clone(), must);
    check.number("lead.rtt_max_ms", lead.rtt_max_ms, ms.clone(), must);
    check.rising("lead.rtt_max_ms", "lead.rtt_max_ms", [lead.rtt_min_ms, lead.rtt_max_ms]);
    check.number("lead.jitter_ms", lead.jitter_ms, ms.clone(), must);
    check.number("lead.input_delay_ms", lead.input_delay_ms, ms.clone(), must);
    check.number("lead.interp_ms", lead.interp_ms.unwrap_or(0.0), ms.clone(), must);
    check.number("lead.extrapolation_ms", lead.extrapolation_ms, ms, must);
    check.ticks("lead.loss_ticks", lead.loss_ticks, 0..=64, "from 0 to 64");
}

fn sending(check: &mut Check<'_>, sending: &Sending) {
    let mtu = HEADER_BYTES as u32 + LEAST_ROOM..=MAX_DATAGRAM_BYTES as u32;
    check.ticks("sending.mtu_bytes", sending.mtu_bytes, mtu.clone(), "from 64 to 4096");
    check.ticks("sending.budget_bytes", sending.budget_bytes, *mtu.start()..=1 << 20, "from 64 to 1048576");
    check.ticks("sending.bytes_per_second", sending.bytes_per_second, 1_000..=1 << 30, "from 1000 to 2^30");
    let burst = sending.budget_bytes..=1 << 30;
    check.ticks("sending.burst_bytes", sending.burst_bytes, burst, "at least budget_bytes");
    check.ticks("sending.enter_bytes", sending.enter_bytes, 1..=1 << 20, "from 1 to 1048576");
    check.ticks("sending.stale_ticks", sending.stale_ticks, 2..=MOST_TICKS, "from 2 to 100000");
    let age = 0..=u32::from(MAX_AGE_TICKS);
    check.ticks("sending.notice_ticks", sending.notice_ticks, age, "from 0 to 63");
    if let Padding::Bucket(bytes) = sending.padding {
        check.ticks("sending.padding", bytes, 1..=sending.mtu_bytes, "a bucket of 1 to mtu_bytes");
    }
}

pub(super) fn class(check: &mut Check<'_>, class: &Class, world: &World) {
    fields::check(check, &class.fields, fields::Kind::Entity, world);
    fields::longest(check, &class.fields, world);
    if class.audible.is_none() {
        fields::never_heard(check, &class.fields);
    } else if class.motion == Motion::Player {
        check.error("audible", RulesError::AudiblePlayer);
    }
    check.number("relevance.enter_m", class.relevance.enter_m, 0.0..=f64::INFINITY, "0 or more");
    check.number("relevance.leave_m", class.relevance.leave_m, 0.0..=f64::INFINITY, "0 or more");
    let radii = [class.relevance.enter_m, class.relevance.leave_m];
    check.rising("relevance.leave_m", "relevance.leave_m", radii);
    if class.sight == SightPolicy::Always && class.relevance.leave_m.is_infinite() {
        check.error("relevance", RulesError::Unlimited);
    }
    if class.sight == SightPolicy::PvsAndRays && class.body.is_empty() {
        check.error("body", RulesError::NoBody);
    }
    if let Motion::Free { max_speed_mps, max_accel_mps2 } = class.motion {
        check.number("motion", max_speed_mps, 0.0..=MOST_M, "a speed of 0 or more");
        check.number("motion", max_accel_mps2, 0.0..=MOST_M, "an acceleration of 0 or more");
    }
    body(check, &class.body, world.body);
    priority(check, &class.priority);
    lod(check, &class.lod, world.stale_ticks);
    if let Leave::Timeout { ticks } = class.leave {
        // A keep-alive comes with its turn: a time-out below that would drop what is in sight.
        let least = class.lod.iter().map(|step| step.every_ticks).max().unwrap_or(1).saturating_add(1);
        check.ticks("leave", ticks, least..=MOST_TICKS, "more ticks than the slowest `lod` step");
    }
}

/// Body points against the player of the bake, where that is known.
pub(super) fn body(check: &mut Check<'_>, points: &[BodyPoint], volume: Option<BodyVolume>) {
    for (index, point) in points.iter().enumerate() {
        let off_axis = point.placing.off_axis_m();
        let measures = [off_axis, point.up_m, point.crouched_up_m];
        if measures.iter().any(|value| !value.is_finite()) {
            check.error(&format!("body[{index}]"), TextError::NotFinite("a body point").into());
            continue;
        }
        // Below the feet is outside too, whatever the player.
        let limits = volume.unwrap_or(BodyVolume { sight_radius_m: MOST_M, height_m: MOST_M });
        let named =
            [("off its axis it", off_axis), ("up_m", point.up_m), ("crouched_up_m", point.crouched_up_m)];
        for ((what, value), limit) in
            named.into_iter().zip([limits.sight_radius_m, limits.height_m, limits.height_m])
        {
            if !(0.0..=limit).contains(&value) {
                let problem = RulesError::OutsideBody { point: point.name.clone(), what, value, limit };
                check.error(&format!("body[{index}]"), problem);
            }
        }
    }
}

fn priority(check: &mut Check<'_>, priority: &Priority) {
    let weight = 0.0..=MOST_M;
    // A base of 0 would let something starve that nothing else raises.
    check.number("priority.base", priority.base, 1e-6..=MOST_M, "above 0");
    check.number("priority.half_distance_m", priority.half_distance_m, 1e-6..=MOST_M, "above 0");
    check.number("priority.near", priority.near, weight.clone(), "0 or more");
    check.number("priority.size", priority.size, weight.clone(), "0 or more");
    check.number("priority.speed", priority.speed, weight.clone(), "0 or more");
    check.number("priority.interaction", priority.interaction, weight.clone(), "0 or more");
    check.number("priority.view_cone", priority.view_cone, weight, "0 or more");
}

fn lod(check: &mut Check<'_>, steps: &[LodStep], stale_ticks: u32) {
    for step in steps {
        check.number("lod", step.within_m, 0.0..=f64::INFINITY, "a distance of 0 or more");
        let must = "from 1 to below sending.stale_ticks";
        check.ticks("lod", step.every_ticks, 1..=stale_ticks.saturating_sub(1), must);
    }
    check.rising("lod", "lod.within_m", steps.iter().map(|step| step.within_m));
    check.rising("lod", "lod.every_ticks", steps.iter().map(|step| f64::from(step.every_ticks)));
}

pub(super) fn sound(check: &mut Check<'_>, sound: &SoundClass, world: &World) {
    check.number("radius_m", sound.radius_m, 0.0..=MOST_M, "0 or more");
    check.number("wall_factor", sound.wall_factor, 0.0..=1.0, "from 0 to 1");
    bands(check, sound, world.extent_m);
    if let Naming::From(Level::Hidden) = sound.emitter {
        let problem = RulesError::UnknownName {
            what: "level to name an emitter from:",
            name: "Hidden".into(),
            known: Level::TOLD.map(|level| format!("{level:?}")).to_vec(),
        };
        check.error("emitter", problem);
    }
}

fn bands(check: &mut Check<'_>, sound: &SoundClass, extent_m: f64) {
    let Band { step_m: finest, .. } = match sound.bands.first() {
        Some(&first) if sound.bands.len() < 256 => first,
        _ => {
            let value = sound.bands.len() as f64;
            let must = "a list of 1 to 255 bands";
            return check.error("bands", TextError::OutOfRange { what: "bands", value, must }.into());
        }
    };
    let precise = sound.precise.map(|Precise { step_m, .. }| step_m);
    for step in precise.into_iter().chain(sound.bands.iter().map(|band| band.step_m)) {
        let told = Encoding::Position { step_m: step };
        if told.check(extent_m).is_err() {
            let must = "above 0 and at most the extent";
            check.error("bands", TextError::OutOfRange { what: "step_m", value: step, must }.into());
            return;
        }
    }
    if sound.bands.iter().any(|band| band.within_m.is_nan()) {
        return check.error("bands", TextError::NotFinite("within_m").into());
    }
    check.rising("bands", "bands.within_m", sound.bands.iter().map(|band| band.within_m));
    check.rising("bands", "bands.step_m", sound.bands.iter().map(|band| band.step_m));
    let steps = precise.into_iter().chain(sound.bands.iter().map(|band| band.step_m));
    fields::nested(check, "bands", "the sound", steps);
    if precise.is_some_and(|step| step > finest) {
        let problem =
            RulesError::OutOfOrder { what: "bands.step_m", value: finest, before: precise.unwrap_or(0.0) };
        check.error("precise", problem);
    }
}

pub(super) fn event(check: &mut Check<'_>, event: &EventClass, world: &World) {
    fields::check(check, &event.fields, fields::Kind::Event, world);
    fields::longest(check, &event.fields, world);
    check.number("radius_m", event.radius_m, 0.0..=f64::INFINITY, "0 or more");
    if event.sight == SightPolicy::Always && event.radius_m.is_infinite() {
        check.error("radius_m", RulesError::Unlimited);
    }
}

/// What needs more than one element; the parts are checked before.
pub(super) fn whole(
    source: &RulesSource,
    world: &World,
    origins: &Origins,
    report: &mut Report<RulesError, RulesWarning>,
) {
    let mut check = Check { report, origins, element: Element::default(), path: String::new() };
    unique(&mut check, "topic", "topics", &source.topics);
    let names = |classes: &[Class]| classes.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    let (classes, topics) = (names(&source.classes), &source.topics);
    let sounds: Vec<String> = source.sounds.iter().map(|s| s.name.clone()).collect();
    let events: Vec<String> = source.events.iter().map(|e| e.name.clone()).collect();
    unique(&mut check, "class", "classes", &classes);
    unique(&mut check, "sound class", "sounds", &sounds);
    unique(&mut check, "event class", "events", &events);
    for (index, class) in source.classes.iter().enumerate() {
        at(&mut check, "classes", index, &class.name);
        known(&mut check, "topic", "topic", class.topic.as_ref(), topics);
        known(&mut check, "audible", "sound class", class.audible.as_ref(), &sounds);
        for carrier in &class.carried_by {
            known(&mut check, "carried_by", "class", Some(carrier), &classes);
            if let Some(carrier) = source.classes.iter().find(|c| c.name == *carrier) {
                fields::carried(&mut check, class, carrier, world.extent_m);
            }
        }
    }
    for (index, sound) in source.sounds.iter().enumerate() {
        at(&mut check, "sounds", index, &sound.name);
        known(&mut check, "topic", "topic", sound.topic.as_ref(), topics);
    }
    for (index, event) in source.events.iter().enumerate() {
        at(&mut check, "events", index, &event.name);
        known(&mut check, "topic", "topic", event.topic.as_ref(), topics);
    }
}

/// Goes on with another element.
pub(super) fn at(check: &mut Check<'_>, list: &'static str, index: usize, name: &str) {
    check.path = format!("{list}[{index}]");
    let span = check.origins.get(&check.path).copied().unwrap_or_default();
    check.element = Element { list, index: Some(index), name: Some(name.to_owned()), span };
}

fn unique(check: &mut Check<'_>, what: &'static str, list: &'static str, names: &[String]) {
    let mut seen = HashSet::new();
    for (index, name) in names.iter().enumerate() {
        at(check, list, index, name);
        called(check, "name", name);
        if !seen.insert(name) {
            check.error("name", RulesError::Duplicate { what, name: name.clone() });
        }
    }
    if names.len() > MAX_CLASSES {
        check.element = Element { list, ..Element::default() };
        check.path.clear();
        check.error(list, TextError::TooMany { what: list, limit: MAX_CLASSES }.into());
    }
}

/// An error unless something may be called so.
fn called(check: &mut Check<'_>, part: &str, name: &str) {
    if !is_name(name) {
        let (what, value, must) = ("a name's length", name.len() as f64, "1 to 255 bytes");
        check.error(part, TextError::OutOfRange { what, value, must }.into());
    }
}

fn known(check: &mut Check<'_>, part: &str, what: &'static str, name: Option<&String>, known: &[String]) {
    if let Some(name) = name.filter(|name| !known.contains(name)) {
        check.error(part, RulesError::UnknownName { what, name: name.clone(), known: known.to_vec() });
    }
}
