//! `report.json`: the figures of a replay.
//!
//! Promises: names and units as documented; equal for equal input, but for times. Must not measure anything.

use super::run::ReplayOptions;
use super::totals::{FieldCost, Totals, quantile};
use crate::audit::measure::{Cause, Counts};
use crate::recording::RecordingHeader;
use serde::Serialize;
use std::collections::BTreeMap;

/// The figures of a replay.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The map that the recording names.
    pub map: String,
    /// What was used, as hashes (BLAKE3, the first 8 bytes) and the crate's version.
    pub hashes: BTreeMap<&'static str, String>,
    /// How it was replayed.
    pub options: ReplayOptions,
    /// Ticks that were played.
    pub ticks: u64,
    /// Gaps between them.
    pub cuts: u64,
    /// Lines that were left out.
    pub faulty_lines: u64,
    /// Values of the recording that did not fit their field, or that it did not tell.
    pub values_fitted: [u64; 2],
    /// How often the recording told fields that the rules don't list, by class and field: they are withheld.
    pub fields_unknown: BTreeMap<String, u64>,
    /// (Observer, enemy) pairs and ticks that were judged.
    pub pairs: u64,
    /// Viewers and ticks that were not judged, as the recording has their eye inside a solid.
    pub eyes_in_solids: u64,
    /// Times that an enemy came into sight.
    pub transitions: u64,
    /// Of these, without the client's holding the states that it shows then, and without excuse.
    pub late_transitions: u64,
    /// The same where at least a tenth of the body was in sight.
    pub late_area_transitions: u64,
    /// Pair ticks in sight without such states, and without excuse.
    pub late_pair_ticks: u64,
    /// Late transitions because a motion broke the movement limits.
    pub outside_limits: u64,
    /// Late transitions because a datagram took longer than the lead allows for.
    pub late_beyond_lead: u64,
    /// Late transitions because more datagrams in a row were lost than the rules survive.
    pub late_by_loss: u64,
    /// Pair ticks in sight.
    pub visible_pair_ticks: u64,
    /// Pair ticks out of sight.
    pub hidden_pair_ticks: u64,
    /// Of these, told exactly.
    pub exposed_pair_ticks: u64,
    /// Pair ticks out of sight for a quarter of a second on both sides.
    pub deep_hidden_pair_ticks: u64,
    /// Of these, told exactly.
    pub deep_exposed_pair_ticks: u64,
    /// Of these, told by the ideal filter too; of other filters it is not asked.
    pub ideal_deep_exposed_pair_ticks: Option<u64>,
    /// Pair ticks of enemies that an observer never sees, and of these told exactly.
    pub never_visible_pair_ticks: [u64; 2],
    /// Hidden pair ticks that the ideal filter was asked about though nobody was told, and those that it would have told.
    pub ideal_checked: [u64; 2],
    /// Before each transition, for how long it was told, milliseconds.
    pub lead_ms: LeadMs,
    /// Bytes to one observer in one tick.
    pub bytes_per_tick: Quantiles,
    /// Bytes of a datagram.
    pub packet_bytes: Quantiles,
    /// Datagrams that arrived, and that were lost.
    pub datagrams: [u64; 2],
    /// Microseconds of the server's tick, packets included.
    pub tick_us: Quantiles,
    /// Nanoseconds that the sight stages take per tick and pair that geometry decides about; 0 for other filters.
    pub sight_ns_per_pair: f64,
    /// Hidden pair ticks by what hid them, of all entities.
    pub hidden_by: BTreeMap<String, u64>,
    /// How often each verdict fell, of all entities.
    pub verdicts: BTreeMap<String, u64>,
    /// By class, level and field: how often it was told, and bits that this took.
    pub fields: Vec<FieldLine>,
    /// What the timeline asks a lead to be, milliseconds: the round trip, the interpolation and a tick.
    pub asked_lead_ms: f64,
    #[serde(skip)]
    pub(super) leads_ms: Vec<f64>,
    #[serde(skip)]
    pub(super) packets: BTreeMap<u32, u64>,
}

/// What a field cost at a level.
#[derive(Clone, Debug, Serialize)]
pub struct FieldLine {
    /// Of its class.
    pub class: String,
    /// At this level.
    pub level: &'static str,
    /// Its name.
    pub field: String,
    /// How often it was told.
    pub told: u64,
    /// Bits that this took at most.
    pub bits: u64,
}

/// Leads at transitions, milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LeadMs {
    /// One in a hundred is shorter.
    pub p1: f64,
    /// Half are shorter.
    pub p50: f64,
    /// One in a hundred is longer.
    pub p99: f64,
}

/// Quantiles of something.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Quantiles {
    /// Its mean.
    pub mean: f64,
    /// Half are less.
    pub p50: f64,
    /// One in a hundred is more.
    pub p99: f64,
    /// The most.
    pub max: f64,
}

impl Report {
    pub(super) fn new(
        header: &RecordingHeader,
        options: ReplayOptions,
        totals: &Totals,
        counts: &Counts,
    ) -> Self {
        let late = |of: &BTreeMap<Cause, u64>, cause| of.get(&cause).copied().unwrap_or(0);
        let unexcused = |of: &BTreeMap<Cause, u64>| late(of, Cause::Hidden) + late(of, Cause::Deferred);
        let transitions = &counts.late_transitions;
        let is_own = options.filter == super::Baseline::Fogwall;
        let field = |((class, level, field), cost): (&(String, &'static str, String), &FieldCost)| {
            FieldLine { class: class.clone(), level, field: field.clone(), told: cost.told, bits: cost.bits }
        };
        Self {
            map: header.map.clone(),
            hashes: totals.hashes.clone(),
            options,
            ticks: totals.ticks,
            cuts: totals.cuts,
            faulty_lines: totals.faulty_lines,
            values_fitted: [totals.fitted.values_cut, totals.fitted.values_missing],
            fields_unknown: totals.fitted.unknown.clone(),
            pairs: counts.pairs,
            eyes_in_solids: counts.eyes_in_solids,
            transitions: counts.transitions,
            late_transitions: unexcused(transitions),
            late_area_transitions: counts.late_area_transitions,
            late_pair_ticks: unexcused(&counts.late_pair_ticks),
            outside_limits: late(transitions, Cause::OutsideLimits),
            late_beyond_lead: late(transitions, Cause::BeyondLead),
            late_by_loss: late(transitions, Cause::Lost),
            visible_pair_ticks: counts.visible_pair_ticks,
            hidden_pair_ticks: counts.hidden_pair_ticks,
            exposed_pair_ticks: counts.exposed_pair_ticks,
            deep_hidden_pair_ticks: counts.deep_hidden_pair_ticks,
            deep_exposed_pair_ticks: counts.deep_exposed_pair_ticks,
            ideal_deep_exposed_pair_ticks: is_own.then_some(counts.ideal_deep_exposed_pair_ticks),
            never_visible_pair_ticks: counts.never_visible,
            ideal_checked: [counts.checked, counts.checked_and_missed],
            lead_ms: leads(&counts.leads_ms),
            bytes_per_tick: of_counts(&totals.bytes_per_tick),
            packet_bytes: of_counts(&totals.packets),
            datagrams: [totals.arrived, totals.lost],
            tick_us: of_list(&totals.tick_us),
            sight_ns_per_pair: totals.sight.as_nanos() as f64 / totals.contested.max(1) as f64,
            hidden_by: totals.hidden_by(),
            verdicts: totals.verdicts(),
            fields: totals.fields.iter().map(field).collect(),
            asked_lead_ms: asked_lead_ms(header, options),
            leads_ms: counts.leads_ms.clone(),
            packets: totals.packets.clone(),
        }
    }

    /// Deep exposed pair ticks as a share of deep hidden ones.
    pub fn deep_share(&self) -> f64 {
        self.deep_exposed_pair_ticks as f64 / self.deep_hidden_pair_ticks.max(1) as f64
    }
}

fn asked_lead_ms(header: &RecordingHeader, options: ReplayOptions) -> f64 {
    let tick_ms = 1000.0 / header.tick_hz;
    let told = header.observers.iter().filter_map(|observer| observer.rtt_ms).reduce(f64::max);
    let rtt_ms = options.rtt_ms.or(told).unwrap_or(super::run::RTT_MS);
    rtt_ms + header.interp_ms.unwrap_or(tick_ms) + tick_ms
}

fn leads(all: &[f64]) -> LeadMs {
    let mut sorted = all.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = (share * sorted.len().saturating_sub(1) as f64).round() as usize;
        sorted.get(place).copied().unwrap_or(0.0)
    };
    LeadMs { p1: at(0.01), p50: at(0.5), p99: at(0.99) }
}

fn of_list(all: &[f32]) -> Quantiles {
    let mut sorted: Vec<f32> = all.to_vec();
    sorted.sort_by(f32::total_cmp);
    let at = |share: f64| {
        let place = (share * sorted.len().saturating_sub(1) as f64).round() as usize;
        sorted.get(place).copied().map_or(0.0, f64::from)
    };
    let mean = all.iter().copied().map(f64::from).sum::<f64>() / all.len().max(1) as f64;
    Quantiles { mean, p50: at(0.5), p99: at(0.99), max: at(1.0) }
}

fn of_counts(counts: &BTreeMap<u32, u64>) -> Quantiles {
    let all: u64 = counts.values().sum();
    let sum: f64 = counts.iter().map(|(value, count)| f64::from(*value) * *count as f64).sum();
    let at = |share| f64::from(quantile(counts, share));
    Quantiles { mean: sum / all.max(1) as f64, p50: at(0.5), p99: at(0.99), max: at(1.0) }
}
