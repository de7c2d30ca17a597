//! Measures of a replay: what came late and what was told too much, judged by the second opinion.
//!
//! Owns the counts, and a pair's last moments: whether an exposure is deep is known only a while later. Promises: each
//! pair and tick is counted once, in the order of ticks. Must not know how anything was decided or sent.

use super::opinion::{Ball, Leads, Opinion, Pose, Reaches, Scenery};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Time without true sight on both sides that makes an exposure deep, seconds.
pub(crate) const DEEP_S: f64 = 0.25;

/// Why a client held no state of what was in sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cause {
    /// The filter hid it, and nothing excuses that.
    Hidden,
    /// It was told, and what told it was not sent in time.
    Deferred,
    /// A motion broke the movement limits.
    OutsideLimits,
    /// A datagram took longer than the lead allows for.
    BeyondLead,
    /// More datagrams in a row were lost than the rules survive.
    Lost,
}

/// What stood in the way at a tick, besides the map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    pub(crate) smokes: Vec<Ball>,
    pub(crate) shut: Vec<bool>,
}

impl Surroundings {
    pub(crate) fn scenery(&self) -> Scenery<'_> {
        Scenery { smokes: &self.smokes, shut: &self.shut }
    }
}

/// Both bodies as they were when the server decided.
#[derive(Clone)]
pub(crate) struct Decision {
    pub(crate) viewer: Pose,
    pub(crate) enemy: Pose,
    pub(crate) leads: Leads,
    pub(crate) around: Rc<Surroundings>,
}

/// One pair at one tick of the viewer's.
#[derive(Clone)]
pub(crate) struct Instance {
    pub(crate) tick: u32,
    pub(crate) observer: u32,
    pub(crate) enemy: u32,
    /// Whether any sample of the body is in sight.
    pub(crate) is_visible: bool,
    /// Whether a tenth of the samples are.
    pub(crate) is_area_visible: bool,
    /// Whether the client holds the states that it shows.
    pub(crate) is_held: bool,
    /// Whether exact data of it was told and arrived.
    pub(crate) is_told: bool,
    /// If it is in sight and not held.
    pub(crate) cause: Cause,
    /// For how long it was told before, milliseconds; nothing if it was not.
    pub(crate) lead_ms: Option<f64>,
    pub(crate) decision: Decision,
}

/// What became of an instance, once it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) tick: u32,
    pub(crate) observer: u32,
    pub(crate) enemy: u32,
    pub(crate) is_visible: bool,
    pub(crate) is_late: bool,
    pub(crate) is_exposed: bool,
    pub(crate) is_deep: bool,
    pub(crate) is_held: bool,
    pub(crate) cause: Cause,
}

/// All counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) pairs: u64,
    /// Viewers and ticks that were not judged, as their eye was inside a solid.
    pub(crate) eyes_in_solids: u64,
    pub(crate) transitions: u64,
    /// By cause.
    pub(crate) late_transitions: BTreeMap<Cause, u64>,
    pub(crate) late_area_transitions: u64,
    /// By cause.
    pub(crate) late_pair_ticks: BTreeMap<Cause, u64>,
    pub(crate) late_area_pair_ticks: u64,
    pub(crate) visible_pair_ticks: u64,
    pub(crate) hidden_pair_ticks: u64,
    pub(crate) exposed_pair_ticks: u64,
    pub(crate) deep_hidden_pair_ticks: u64,
    pub(crate) deep_exposed_pair_ticks: u64,
    pub(crate) ideal_deep_exposed_pair_ticks: u64,
    /// Of deep hidden ones that nobody was told of, how many were looked at by the ideal filter, and what it said.
    pub(crate) checked: u64,
    pub(crate) checked_and_missed: u64,
    /// Milliseconds told before each transition.
    pub(crate) leads_ms: Vec<f64>,
    /// Pair ticks and exposed ones of each pair that never is in sight.
    pub(crate) never_visible: [u64; 2],
}

/// Every so many hidden pairs that nobody was told of, the ideal filter is asked too.
const CHECKED_EVERY: u64 = 997;

#[derive(Default)]
struct Pair {
    recent: VecDeque<Instance>,
    /// Of those at the front, how many were counted already.
    counted: usize,
    reaches: Reaches,
    /// The last tick in which the ideal filter told of it because it had to.
    ideal_tick: Option<u32>,
    ticks: u64,
    exposed: u64,
    was_visible: bool,
}

/// Whether the ideal filter is asked what it would tell: the costly part of a judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ideal {
    /// By trying so many lines a pair.
    Asked {
        lines: u32,
    },
    LeftOut,
}

/// How a pair is counted.
#[derive(Clone, Copy)]
struct Manner {
    deep_ticks: u32,
    ideal: Ideal,
}

/// The measures of a replay.
pub(crate) struct Measures {
    pairs: BTreeMap<(u32, u32), Pair>,
    manner: Manner,
    pub(crate) counts: Counts,
    pub(crate) outcomes: Vec<Outcome>,
}

impl Measures {
    pub(crate) fn new(tick_s: f64, ideal: Ideal) -> Self {
        let manner = Manner { deep_ticks: (DEEP_S / tick_s).round() as u32, ideal };
        Self { pairs: BTreeMap::new(), manner, counts: Counts::default(), outcomes: Vec::new() }
    }

    /// Takes a pair at a tick; ticks of a pair come in order.
    pub(crate) fn take(&mut self, opinion: &Opinion, instance: Instance) {
        let Self { pairs, manner, counts, outcomes } = self;
        let pair = pairs.entry((instance.observer, instance.enemy)).or_default();
        if pair.recent.back().is_some_and(|last| last.tick.wrapping_add(1) != instance.tick) {
            pair.settle(opinion, None, *manner, counts, outcomes);
            pair.recent.clear();
            pair.counted = 0;
        }
        counts.pairs += 1;
        pair.ticks += 1;
        if let Some(before) = pair.recent.back()
            && !before.is_visible
            && instance.is_visible
        {
            counts.transitions += 1;
            if instance.is_held {
                counts.leads_ms.extend(instance.lead_ms);
            } else {
                *counts.late_transitions.entry(instance.cause).or_default() += 1;
                counts.late_area_transitions += u64::from(instance.is_area_visible);
            }
        }
        let now = instance.tick;
        pair.recent.push_back(instance);
        pair.settle(opinion, Some(now), *manner, counts, outcomes);
    }

    /// Everything ends here: what was waited for does not come.
    pub(crate) fn finish(&mut self, opinion: &Opinion) {
        let Self { pairs, manner, counts, outcomes } = self;
        for pair in pairs.values_mut() {
            pair.settle(opinion, None, *manner, counts, outcomes);
            pair.recent.clear();
            pair.counted = 0;
            if !pair.was_visible {
                counts.never_visible[0] += pair.ticks;
                counts.never_visible[1] += pair.exposed;
            }
        }
    }
}

impl Pair {
    /// Counts what can be counted now: what lies so far back that all that makes it deep is known.
    fn settle(
        &mut self,
        opinion: &Opinion,
        now: Option<u32>,
        manner: Manner,
        counts: &mut Counts,
        outcomes: &mut Vec<Outcome>,
    ) {
        let deep_ticks = manner.deep_ticks;
        while let Some(instance) = self.recent.get(self.counted) {
            if now.is_some_and(|now| now.wrapping_sub(instance.tick) < deep_ticks) {
                break;
            }
            let tick = instance.tick;
            let is_near = |other: &Instance| other.tick.abs_diff(tick) <= deep_ticks;
            let is_deep = !self.recent.iter().filter(|other| is_near(other)).any(|other| other.is_visible);
            let instance = instance.clone();
            self.count(opinion, &instance, (is_deep, manner.ideal), counts);
            let is_exposed = instance.is_told && !instance.is_visible;
            outcomes.push(Outcome {
                tick,
                observer: instance.observer,
                enemy: instance.enemy,
                is_visible: instance.is_visible,
                is_late: instance.is_visible && !instance.is_held,
                is_exposed,
                is_deep: is_deep && is_exposed,
                is_held: instance.is_held,
                cause: instance.cause,
            });
            self.counted += 1;
            while self.recent.front().is_some_and(|old| tick.wrapping_sub(old.tick) > deep_ticks) {
                self.recent.pop_front();
                self.counted -= 1;
            }
        }
    }

    fn count(
        &mut self,
        opinion: &Opinion,
        instance: &Instance,
        (is_deep, ideal): (bool, Ideal),
        counts: &mut Counts,
    ) {
        if instance.is_visible {
            self.was_visible = true;
            counts.visible_pair_ticks += 1;
            if !instance.is_held {
                *counts.late_pair_ticks.entry(instance.cause).or_default() += 1;
                counts.late_area_pair_ticks += u64::from(instance.is_area_visible);
            }
            return;
        }
        counts.hidden_pair_ticks += 1;
        counts.exposed_pair_ticks += u64::from(instance.is_told);
        self.exposed += u64::from(instance.is_told);
        if !is_deep {
            return;
        }
        counts.deep_hidden_pair_ticks += 1;
        let Ideal::Asked { lines } = ideal else {
            counts.deep_exposed_pair_ticks += u64::from(instance.is_told);
            return;
        };
        let is_checked = !instance.is_told && counts.deep_hidden_pair_ticks.is_multiple_of(CHECKED_EVERY);
        if !instance.is_told && !is_checked {
            return;
        }
        let Decision { viewer, enemy, leads, around } = &instance.decision;
        let would_tell =
            opinion.may_come_into_sight((viewer, enemy), *leads, &around.scenery(), lines, &mut self.reaches);
        // Beside it stands the tick after the last: a client shows what lies between two states.
        let is_last = self.ideal_tick.is_some_and(|last| last.wrapping_add(1) == instance.tick);
        if would_tell {
            self.ideal_tick = Some(instance.tick);
        }
        let would_tell = would_tell || is_last;
        if is_checked {
            counts.checked += 1;
            counts.checked_and_missed += u64::from(would_tell);
        } else {
            counts.deep_exposed_pair_ticks += 1;
            counts.ideal_deep_exposed_pair_ticks += u64::from(would_tell);
        }
    }
}
