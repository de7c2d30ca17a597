//! Sums over a replay: bytes, times, verdicts.

use super::client::Arrival;
use super::run::verdict_name;
use super::values::Fitted;
use crate::filter::{Relevancy, Verdict};
use crate::rules::Rules;
use crate::server::TickReport;
use crate::wire::Level;
use std::collections::BTreeMap;
use std::time::Duration;

/// What a field cost.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub(super) struct FieldCost {
    /// How often it was told.
    pub(super) told: u64,
    /// Bits that this took at most.
    pub(super) bits: u64,
}

/// Sums of one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub(super) hashes: BTreeMap<&'static str, String>,
    pub(super) ticks: u64,
    pub(super) cuts: u64,
    pub(super) faulty_lines: u64,
    pub(super) fitted: Fitted,
    pub(super) teams: Vec<String>,
    pub(super) lost: u64,
    /// What the sight stages took, and the pairs that geometry decided about.
    pub(super) sight: Duration,
    pub(super) contested: u64,
    pub(super) arrived: u64,
    pub(super) arrived_bytes: u64,
    /// Bytes that were sent to one observer in one tick, by their number.
    pub(super) bytes_per_tick: BTreeMap<u32, u64>,
    /// Datagrams by their size.
    pub(super) packets: BTreeMap<u32, u64>,
    /// Microseconds of each tick.
    pub(super) tick_us: Vec<f32>,
    /// How often each verdict fell.
    fell: Vec<(Verdict, u64)>,
    /// By class, level and field.
    pub(super) fields: BTreeMap<(String, &'static str, String), FieldCost>,
    pub(super) candidates: u64,
    pub(super) rays: u64,
    pub(super) windows: u64,
    pub(super) capped: u64,
    pub(super) outside_limits: u64,
    pub(super) unfit: u64,
}

/// Width of a bar of datagrams' sizes, bytes.
pub(super) const PACKET_STEP: u32 = 32;

impl Totals {
    pub(super) fn add_tick(&mut self, took: Duration, report: &TickReport) {
        self.tick_us.push(took.as_secs_f32() * 1e6);
        let filter = &report.filter;
        self.candidates += filter.candidates;
        self.rays += filter.rays;
        self.windows += filter.windows;
        self.capped += filter.capped;
        self.outside_limits += filter.outside_limits;
        self.unfit += filter.unfit;
    }

    pub(super) fn count(&mut self, verdict: Verdict) {
        let is_contested = match verdict.relevancy {
            Relevancy::Granted(_) => false,
            Relevancy::Sighted => true,
            Relevancy::Hidden(by) => by.is_geometry(),
        };
        self.contested += u64::from(is_contested);
        match self.fell.iter_mut().find(|(other, _)| *other == verdict) {
            Some((_, count)) => *count += 1,
            None => self.fell.push((verdict, 1)),
        }
    }

    /// How often each verdict fell, by its name.
    pub(super) fn verdicts(&self) -> BTreeMap<String, u64> {
        let mut verdicts = BTreeMap::new();
        for (verdict, count) in &self.fell {
            *verdicts.entry(verdict_name(*verdict)).or_default() += count;
        }
        verdicts
    }

    pub(super) fn add_sent(&mut self, bytes: u32) {
        *self.bytes_per_tick.entry(bytes).or_default() += 1;
    }

    pub(super) fn add_arrival(&mut self, rules: &Rules, arrival: &Arrival<'_>) {
        let bytes = arrival.bytes.len() as u32;
        self.arrived += 1;
        self.arrived_bytes += u64::from(bytes);
        *self.packets.entry(bytes).or_default() += 1;
        let schema = rules.schema();
        let created = arrival.changes.created.iter().map(|net| (net, None));
        let updated = arrival.changes.updated.iter().map(|(net, columns)| (net, Some(*columns)));
        for (net, columns) in created.chain(updated) {
            let Some(entity) = arrival.replica.get(*net) else { continue };
            let Some(class) = schema.class(entity.class()) else { continue };
            let Some(layout) = class.layout(entity.level()) else { continue };
            for (index, column) in layout.columns().iter().enumerate() {
                if columns.is_none_or(|columns| columns.has(index)) {
                    let field = class.fields[column.field].name.clone();
                    let cost =
                        self.fields.entry((class.name.clone(), entity.level().name(), field)).or_default();
                    cost.told += 1;
                    cost.bits += column.coding.most_bits() as u64;
                }
            }
        }
    }

    /// Of the pairs that were hidden, by whom.
    pub(super) fn hidden_by(&self) -> BTreeMap<String, u64> {
        let mut hidden = BTreeMap::new();
        for (verdict, count) in &self.fell {
            if let (Relevancy::Hidden(by), Level::Hidden) = (verdict.relevancy, verdict.level) {
                *hidden.entry(format!("{by:?}")).or_default() += count;
            }
        }
        hidden
    }
}

/// A quantile of numbers, each so often.
pub(super) fn quantile(counts: &BTreeMap<u32, u64>, share: f64) -> u32 {
    let all: u64 = counts.values().sum();
    let wanted = (all as f64 * share).ceil().max(1.0) as u64;
    let mut sum = 0;
    let found = counts.iter().find(|(_, count)| {
        sum += **count;
        sum >= wanted
    });
    found.map_or(0, |(value, _)| *value)
}
