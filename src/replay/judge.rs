//! Holds what each client showed against what was in sight, on the client's own timeline.
//!
//! The viewer of recorded tick u was on screen one way before, beside enemies of a round trip and the interpolation before
//! u: that pair is judged, by the states that the client held then. Promises: no pair is judged across a cut, a spawn or a
//! teleport, nor of an eye inside a solid. Must not know the rules of redaction.

use super::cast::Watcher;
use super::client::{Absence, Client};
use super::past::{Decided, Moment, Past, Seen};
use crate::audit::measure::{Cause, Decision, Instance, Measures};
use crate::audit::opinion::{Leads, Memory, Moves, Opinion, SAMPLES, Step};
use crate::recording::KindName;
use crate::rules::Lead;

/// What all judgements share.
pub(super) struct Judge<'a> {
    pub(super) opinion: &'a Opinion,
    pub(super) lead: &'a Lead,
    pub(super) tick_ms: f64,
    pub(super) interp_ms: f64,
    /// What positions of players are told in, metres.
    pub(super) step_m: f64,
    pub(super) memory: Memory,
}

/// Who is judged when.
struct Case<'p> {
    observer: u32,
    own: u32,
    past: &'p Past,
    now: &'p Moment,
    /// The moments that bracket what is on the screen.
    low: &'p Moment,
    high: &'p Moment,
    share: f64,
}

impl Case<'_> {
    /// Whether the observer was to be told exactly of an entity in a moment.
    fn is_told(&self, id: u32, moment: &Moment) -> bool {
        moment.decided.get(&(self.observer, id)).is_some_and(Decided::is_told)
    }
}

impl Judge<'_> {
    /// Ticks by which what is on an observer's screen is behind.
    fn behind_ticks(&self, client: &Client) -> f64 {
        (2.0 * client.one_way_ms + self.interp_ms) / self.tick_ms
    }

    /// Seconds over which the rules look ahead for a viewer with this link.
    pub(super) fn leads(&self, client: &Client, input_delay_ms: Option<f64>) -> Leads {
        let lead = self.lead;
        let rtt_ms = (2.0 * client.one_way_ms).max(lead.rtt_min_ms).min(lead.rtt_max_ms);
        let waits_ms = input_delay_ms.unwrap_or(lead.input_delay_ms);
        let interp_ms = lead.interp_ms.unwrap_or(self.tick_ms);
        let viewer_ms = rtt_ms + interp_ms + lead.jitter_ms + waits_ms + self.tick_ms;
        let enemy_ms = self.tick_ms * f64::from(1 + lead.loss_ticks) + lead.extrapolation_ms;
        Leads { viewer_s: viewer_ms / 1e3, enemy_s: enemy_ms / 1e3 }
    }

    /// Judges all that one observer had on the screen when its present motion was made.
    pub(super) fn judge(&mut self, watcher: &Watcher, client: &Client, past: &Past, measures: &mut Measures) {
        let is_player = watcher.line.kind.unwrap_or_default() == KindName::Player;
        let (Some(own), Some(now)) = (watcher.line.entity.filter(|_| is_player), past.last()) else { return };
        let behind = self.behind_ticks(client);
        // A whole number of ticks is one state, not two.
        let back = (behind - 1e-9).ceil();
        let Some(low) = now.tick.checked_sub(back as u32).and_then(|tick| past.at(tick)) else { return };
        let share = back - behind;
        let high = if share > 1e-9 { past.at(low.tick + 1) } else { Some(low) };
        let Some(high) = high else { return };
        let case = Case { observer: watcher.line.id, own, past, now, low, high, share };
        let Some(viewer) = now.actors.get(&own).filter(|own| own.is_alive && own.since <= low.tick) else {
            return;
        };
        if self.opinion.is_inside(&viewer.pose) {
            measures.counts.eyes_in_solids += 1;
            return;
        }
        for (id, enemy) in &low.actors {
            let is_foe = *id != own && enemy.is_player && enemy.is_alive && enemy.since <= low.tick;
            let is_other = enemy.team.is_none() || enemy.team != watcher.team;
            let later = high.actors.get(id).filter(|later| later.is_alive && later.since == enemy.since);
            if let Some(later) = later.filter(|_| is_foe && is_other)
                && let Some(instance) = self.instance(&case, (*id, viewer, enemy, later), watcher, client)
            {
                measures.take(self.opinion, instance);
            }
        }
    }

    fn instance(
        &mut self,
        case: &Case<'_>,
        (id, viewer, enemy, later): (u32, &Seen, &Seen, &Seen),
        watcher: &Watcher,
        client: &Client,
    ) -> Option<Instance> {
        let key = (case.observer, id);
        let decided = case.high.decided.get(&key)?;
        if decided.is_by_right() {
            return None;
        }
        let states = [(case.low, enemy), (case.high, later)];
        let absent = states.into_iter().find_map(|(moment, seen)| {
            let is_held = client.holds(id, moment.tick, (seen.pose.at, self.step_m));
            if is_held { None } else { self.absence(case, (id, moment, seen), client) }
        });
        let shown = enemy.pose.between(later.pose, case.share);
        let scenery = case.low.around.scenery();
        let mut count =
            |enough| self.opinion.count_in_sight(&viewer.pose, &shown, &scenery, enough, &mut self.memory);
        let is_visible = count(1) > 0;
        let is_area_visible =
            is_visible && absent.is_some() && count(SAMPLES.div_ceil(10)) >= SAMPLES.div_ceil(10);
        let cause = match absent {
            Some((moment, absence)) if is_visible => {
                self.cause(case, (moment, absence), moment.decided.get(&key), watcher, client)
            }
            _ => Cause::Hidden,
        };
        let high_state = client.state_at(id, case.high.tick);
        let lead_ms = |since: u32| f64::from(case.now.tick - since) * self.tick_ms;
        let decision = Decision {
            viewer: case.high.actors.get(&case.own)?.pose,
            enemy: later.pose,
            leads: self.leads(client, watcher.line.input_delay_ms),
            around: std::rc::Rc::clone(&case.high.around),
        };
        Some(Instance {
            tick: case.now.tick,
            observer: case.observer,
            enemy: id,
            is_visible,
            is_area_visible,
            is_held: absent.is_none(),
            is_told: decided.is_told()
                && high_state.is_some_and(|state| state.level >= crate::wire::Level::Seen),
            cause,
            lead_ms: decided.told_since.map(lead_ms),
            decision,
        })
    }

    /// The moment that told a state which is not there, and why it is not; nothing if it may be lost.
    fn absence<'p>(
        &self,
        case: &Case<'p>,
        (id, moment, seen): (u32, &'p Moment, &Seen),
        client: &Client,
    ) -> Option<(&'p Moment, Absence)> {
        let mut told = moment;
        let mut absence = client.absence(told.tick);
        // Who stands still is not told again: it is the first telling that was wanted.
        while absence == Absence::Untold && case.is_told(id, told) {
            let before = told.tick.checked_sub(1).and_then(|tick| case.past.at(tick));
            let stood = |before: &&Moment| {
                let at =
                    before.actors.get(&id).filter(|then| then.since == seen.since).map(|then| then.pose.at);
                let is_near = |at: [f64; 3]| (0..3).all(|i| (at[i] - seen.pose.at[i]).abs() <= self.step_m);
                case.is_told(id, before) && at.is_some_and(is_near)
            };
            let Some(before) = before.filter(stood) else { break };
            told = before;
            absence = client.absence(told.tick);
        }
        let spare_ticks = match absence {
            Absence::Untold => return Some((moment, absence)),
            Absence::Lost => self.lead.loss_ticks,
            // The allowance for jitter comes on top: what it lets come late is told that much before.
            Absence::Late => self.lead.loss_ticks + (self.lead.jitter_ms / self.tick_ms).ceil() as u32,
        };
        let ticks = told.tick.saturating_sub(spare_ticks)..=told.tick.saturating_add(spare_ticks);
        let is_held = |moment: &Moment| {
            let then = moment.actors.get(&id).filter(|then| then.since == seen.since);
            then.is_some_and(|then| client.holds(id, moment.tick, (then.pose.at, self.step_m)))
        };
        let is_spared = ticks.filter_map(|tick| case.past.at(tick)).any(is_held);
        (!is_spared).then_some((told, absence))
    }

    /// Why a state that was wanted is not there.
    fn cause(
        &self,
        case: &Case<'_>,
        (moment, absence): (&Moment, Absence),
        decided: Option<&Decided>,
        watcher: &Watcher,
        client: &Client,
    ) -> Cause {
        if decided.is_some_and(Decided::is_told) {
            let row = client.missing_in_a_row(moment.tick, self.tick_ms, self.lead.jitter_ms);
            return match (absence, row) {
                (Absence::Untold, _) => Cause::Deferred,
                (_, (count, true)) if count > self.lead.loss_ticks => Cause::Lost,
                (_, (count, false)) if count > self.lead.loss_ticks => Cause::BeyondLead,
                // The one after it would do, and jitter holds it up.
                _ if client.absence(moment.tick + 1) == Absence::Late => Cause::BeyondLead,
                (Absence::Late, _) => Cause::BeyondLead,
                (Absence::Lost, _) => Cause::Deferred,
            };
        }
        let time_s = f64::from(case.now.tick - moment.tick) * self.tick_ms / 1e3;
        if time_s > self.leads(client, watcher.line.input_delay_ms).viewer_s + 1e-9 {
            return Cause::BeyondLead;
        }
        let ends = moment.actors.get(&case.own).zip(case.now.actors.get(&case.own));
        // Each way there has to be within the limits, by what was known at each tick of it.
        let broke = ends.is_some_and(|(from, to)| {
            let step = Step { from: from.pose, to: to.pose, time_s };
            self.opinion.judge_motion(&step) != Moves::Within
        });
        if broke { Cause::OutsideLimits } else { Cause::Hidden }
    }
}
