//! A tick's counts for the `metrics` crate, where the feature of this name is on.
//!
//! Owns the names. Promises: every count of a report is recorded once a call, under a name that begins with `fogwall_`.
//! Must not know which recorder takes them.

use super::{StageTimes, TickReport};
use crate::filter::{FilterReport, HiddenBy};
use crate::send::{BadAcks, SendReport};
use metrics::{counter, gauge, histogram};

impl TickReport {
    /// Adds the counts of this tick to the recorder that the `metrics` crate has installed; call it once after each
    /// [`Server::tick`](crate::Server::tick), outside of the part of the frame that counts: recorders may allocate.
    ///
    /// Counters add up over ticks, gauges hold the last tick, and the histogram `fogwall_tick_bytes` has what every tick
    /// sent to all observers. No label names an observer or an entity.
    pub fn record(&self) {
        counter!("fogwall_ticks_total").increment(1);
        counter!("fogwall_out_of_order_ticks_total").increment(u64::from(self.is_out_of_order));
        counter!("fogwall_refused_entities_total").increment(self.refused_entities.len() as u64);
        counter!("fogwall_refused_observers_total").increment(self.refused_observers.len() as u64);
        counter!("fogwall_revoked_total").increment(self.revoked);
        gauge!("fogwall_observers").set(self.observers as f64);
        gauge!("fogwall_delayed_frames").set(self.delayed as f64);
        gauge!("fogwall_entered_per_second").set(self.entered_per_s);
        gauge!("fogwall_left_per_second").set(self.left_per_s);
        counter!("fogwall_whole_bits_total", "of" => "disclosed").increment(self.disclosed_bits);
        counter!("fogwall_whole_bits_total", "of" => "unfiltered").increment(self.unfiltered_bits);
        let StageTimes { world_ns, buckets_ns, lists_ns, filter_ns, send_ns, changes_ns } = self.times;
        for (part, ns) in [
            ("world", world_ns),
            ("buckets", buckets_ns),
            ("lists", lists_ns),
            ("filter", filter_ns),
            ("send", send_ns),
            ("changes", changes_ns),
        ] {
            counter!("fogwall_stage_nanoseconds_total", "part" => part).increment(ns);
        }
        counter!("fogwall_warnings_total").increment(self.warnings.len() as u64);
        record_filter(&self.filter);
        record_send(&self.send);
    }
}

fn record_filter(report: &FilterReport) {
    let FilterReport { pairs, granted, sighted, spotted, heard, shadowed, ref hidden, .. } = *report;
    counter!("fogwall_pairs_total").increment(pairs);
    gauge!("fogwall_relevant").set(report.relevant() as f64);
    for (verdict, count) in [
        ("granted", granted),
        ("sighted", sighted),
        ("spotted", spotted),
        ("heard", heard),
        ("shadowed", shadowed),
    ] {
        counter!("fogwall_told_total", "verdict" => verdict).increment(count);
    }
    for (by, &count) in HiddenBy::ALL.iter().zip(hidden) {
        counter!("fogwall_hidden_total", "by" => label(*by)).increment(count);
    }
    let FilterReport {
        candidates,
        passed_over,
        rays,
        windows,
        capped,
        outside_limits,
        out_of_extent,
        unfit,
        ..
    } = *report;
    counter!("fogwall_candidates_total").increment(candidates);
    counter!("fogwall_passed_over_pairs_total").increment(passed_over);
    counter!("fogwall_rays_total").increment(rays);
    counter!("fogwall_windows_total").increment(windows);
    counter!("fogwall_capped_pairs_total").increment(capped);
    counter!("fogwall_outside_limits_total").increment(outside_limits);
    counter!("fogwall_out_of_extent_total").increment(out_of_extent);
    counter!("fogwall_unfit_records_total").increment(unfit);
}

fn record_send(report: &SendReport) {
    let SendReport { datagrams, bytes, initial_bits, steady_bits, entered, left, bad_acks, .. } = *report;
    counter!("fogwall_datagrams_total").increment(datagrams);
    counter!("fogwall_bytes_total").increment(bytes);
    histogram!("fogwall_tick_bytes").record(bytes as f64);
    counter!("fogwall_state_bits_total", "kind" => "initial").increment(initial_bits);
    counter!("fogwall_state_bits_total", "kind" => "steady").increment(steady_bits);
    counter!("fogwall_entered_total").increment(entered);
    counter!("fogwall_left_total").increment(left);
    gauge!("fogwall_queued_bundles").set(report.queued as f64);
    gauge!("fogwall_wait_ticks_p99").set(f64::from(report.ages.percentile(99)));
    let SendReport { deferred, split, misfits, orphans, capped, .. } = *report;
    counter!("fogwall_deferred_total").increment(deferred);
    counter!("fogwall_split_bundles_total").increment(split);
    counter!("fogwall_misfit_records_total").increment(misfits);
    counter!("fogwall_orphan_records_total").increment(orphans);
    counter!("fogwall_capped_entries_total").increment(capped);
    let BadAcks { malformed, outdated, never_sent, too_old, flooded } = bad_acks;
    for (why, count) in [
        ("malformed", malformed),
        ("outdated", outdated),
        ("never_sent", never_sent),
        ("too_old", too_old),
        ("flooded", flooded),
    ] {
        counter!("fogwall_bad_acks_total", "why" => why).increment(count);
    }
}

/// A stage's name as a label.
fn label(by: HiddenBy) -> &'static str {
    match by {
        HiddenBy::Refused => "refused",
        HiddenBy::Permission => "permission",
        HiddenBy::Interest => "interest",
        HiddenBy::Parent => "parent",
        HiddenBy::Radius => "radius",
        HiddenBy::Door => "door",
        HiddenBy::Pvs => "pvs",
        HiddenBy::Sight => "sight",
        HiddenBy::Smoke => "smoke",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::metrics::{
        Counter, CounterFn, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit,
        with_local_recorder,
    };
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};

    /// Counters by their name and labels.
    #[derive(Default)]
    struct Kept(Mutex<BTreeMap<String, Arc<Sum>>>);

    #[derive(Default)]
    struct Sum(Mutex<u64>);

    impl CounterFn for Sum {
        fn increment(&self, value: u64) {
            *self.0.lock().unwrap() += value;
        }

        fn absolute(&self, value: u64) {
            *self.0.lock().unwrap() = value;
        }
    }

    impl Recorder for Kept {
        fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
        fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
        fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

        fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
            let labels = key.labels().map(|label| format!(" {}={}", label.key(), label.value()));
            let name = [key.name().to_string()].into_iter().chain(labels).collect::<String>();
            Counter::from_arc(Arc::clone(self.0.lock().unwrap().entry(name).or_default()))
        }

        fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
            Gauge::noop()
        }

        fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
            Histogram::noop()
        }
    }

    #[test]
    fn counters_add_up_over_ticks_under_their_names() {
        let kept = Kept::default();
        let mut report = TickReport { revoked: 2, ..TickReport::default() };
        report.filter.pairs = 90;
        report.filter.hidden[HiddenBy::Pvs as usize] = 70;
        report.send.bytes = 1_200;
        report.send.bad_acks.never_sent = 1;
        with_local_recorder(&kept, || {
            report.record();
            report.record();
        });
        let kept = kept.0.into_inner().unwrap();
        let of = |name: &str| kept.get(name).map(|sum| *sum.0.lock().unwrap());
        assert_eq!(of("fogwall_ticks_total"), Some(2));
        assert_eq!(of("fogwall_pairs_total"), Some(180));
        assert_eq!(of("fogwall_hidden_total by=pvs"), Some(140));
        assert_eq!(of("fogwall_hidden_total by=smoke"), Some(0));
        assert_eq!(of("fogwall_bytes_total"), Some(2_400));
        assert_eq!(of("fogwall_bad_acks_total why=never_sent"), Some(2));
        assert_eq!(of("fogwall_revoked_total"), Some(4));
    }
}
