//! The figures of a report as rows for people, and as bars.
//!
//! Promises: the same words and units wherever they are shown. Must not measure anything.

use super::report::Report;
use super::totals::PACKET_STEP;
use serde_json::{Value as Json, json};

impl Report {
    /// Rows of the page's table: group, name, value, note, and whether it is as it should be.
    pub(super) fn summary_rows(&self) -> Json {
        let percent = |part: u64, all: u64| format!("{:.2} %", 100.0 * part as f64 / all.max(1) as f64);
        let row = |group: &str, name: &str, value: String, note: &str, good: Option<bool>| json!({"group": group, "name": name, "value": value, "note": note, "good": good});
        let of = |part: u64, all: u64| format!("{} of {}", grouped(part), grouped(all));
        let ideal = self.ideal_deep_exposed_pair_ticks;
        let none = || "not asked".to_owned();
        let ratio = self.deep_exposed_pair_ticks as f64 / ideal.unwrap_or(0).max(1) as f64;
        let (lead, bytes, tick) = (self.lead_ms, self.bytes_per_tick, self.tick_us);
        let mut rows = vec![
            row(
                "Pop-ins",
                "late transitions",
                of(self.late_transitions, self.transitions),
                "times that an enemy came into sight before its states were there",
                Some(self.late_transitions == 0),
            ),
            row(
                "Pop-ins",
                "late pair ticks",
                of(self.late_pair_ticks, self.visible_pair_ticks),
                "",
                Some(self.late_pair_ticks == 0),
            ),
            row(
                "Pop-ins",
                "outside limits",
                grouped(self.outside_limits),
                "late because a motion broke the movement limits",
                None,
            ),
            row(
                "Pop-ins",
                "beyond lead",
                grouped(self.late_beyond_lead),
                "late because a datagram took longer than the lead allows for",
                None,
            ),
            row(
                "Pop-ins",
                "by loss",
                grouped(self.late_by_loss),
                "late because more datagrams in a row were lost than the rules survive",
                None,
            ),
            row(
                "Exposure",
                "deep",
                percent(self.deep_exposed_pair_ticks, self.deep_hidden_pair_ticks),
                "of pair ticks out of sight for a quarter of a second on both sides",
                None,
            ),
            row(
                "Exposure",
                "the ideal filter's",
                ideal.map_or_else(none, |ideal| percent(ideal, self.deep_hidden_pair_ticks)),
                "brute force over the same reach and lead",
                None,
            ),
            row(
                "Exposure",
                "beside the ideal",
                ideal.map_or_else(none, |_| format!("{ratio:.2} times")),
                "1.15 is the aim",
                ideal.map(|_| ratio <= 1.15),
            ),
            row(
                "Exposure",
                "all",
                percent(self.exposed_pair_ticks, self.hidden_pair_ticks),
                "of pair ticks out of sight",
                None,
            ),
            row(
                "Exposure",
                "never seen",
                percent(self.never_visible_pair_ticks[1], self.never_visible_pair_ticks[0]),
                "of pair ticks of enemies that the observer never sees",
                None,
            ),
            row(
                "Lead",
                "at transitions",
                format!("{:.0} / {:.0} / {:.0} ms", lead.p1, lead.p50, lead.p99),
                "p1, p50, p99",
                None,
            ),
            row(
                "Lead",
                "asked",
                format!("{:.0} ms", self.asked_lead_ms),
                "round trip, interpolation and a tick",
                None,
            ),
            row(
                "Cost",
                "bytes",
                format!("{:.0} / {:.0}", bytes.mean, bytes.max),
                "an observer and tick: mean, most",
                None,
            ),
            row(
                "Cost",
                "tick",
                format!("{:.0} / {:.0} / {:.0} µs", tick.p50, tick.p99, tick.max),
                "p50, p99, most; packets included",
                None,
            ),
        ];
        let sight = format!("{:.0} ns", self.sight_ns_per_pair);
        rows.push(row("Cost", "sight", sight, "a tick and pair that geometry decides about", None));
        let hidden: u64 = self.hidden_by.values().sum();
        rows.extend(
            self.hidden_by.iter().map(|(by, count)| {
                row("Hidden by", by, percent(*count, hidden), "of hidden pair ticks", None)
            }),
        );
        Json::Array(rows)
    }

    /// Bars of the leads: edges, counts, and what the timeline asks for.
    pub(super) fn lead_bars(&self, step_ms: f64, bars: usize) -> Json {
        let mut counts = vec![0_u64; bars];
        for lead in &self.leads_ms {
            counts[((lead / step_ms) as usize).min(bars - 1)] += 1;
        }
        let edges: Vec<f64> = (0..=bars).map(|i| i as f64 * step_ms).collect();
        json!({"edges_ms": edges, "counts": counts, "asked_ms": self.asked_lead_ms.round()})
    }

    /// Bars of the datagrams' sizes: edges and counts.
    pub(super) fn packet_sizes(&self) -> (Vec<u32>, Vec<u64>) {
        let last = self.packets.keys().next_back().copied().unwrap_or(0) / PACKET_STEP;
        let edges = (0..=last + 1).map(|i| i * PACKET_STEP).collect();
        let count =
            |i: u32| self.packets.range(i * PACKET_STEP..(i + 1) * PACKET_STEP).map(|(_, count)| count).sum();
        (edges, (0..=last).map(count).collect())
    }
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
