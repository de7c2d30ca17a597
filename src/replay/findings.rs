//! What is worth a look: each stretch of ticks in which a pair was late, or deeply exposed.
//!
//! Promises: a stretch is told once, when it has ended. Must not judge.

use crate::audit::measure::{Cause, Outcome};
use std::collections::BTreeMap;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// In sight, and the client held no state of it.
    Late(Cause),
    /// Told exactly, out of sight for a quarter of a second on both sides.
    DeepExposed,
}

/// A stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub(super) struct Finding {
    #[serde(flatten)]
    kind: KindLine,
    /// Its first tick, of the viewer's.
    pub(super) tick: u32,
    /// How many.
    pub(super) ticks: u32,
    pub(super) observer: u32,
    pub(super) entity: u32,
}

/// How a kind is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
struct KindLine {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<Cause>,
}

impl Finding {
    /// `late`, `outside`, `beyond`, `loss` or `exposed`.
    pub(super) fn name(&self) -> &'static str {
        match self.kind.cause {
            None => self.kind.kind,
            Some(Cause::Hidden | Cause::Deferred) => "late",
            Some(Cause::OutsideLimits) => "outside",
            Some(Cause::BeyondLead) => "beyond",
            Some(Cause::Lost) => "loss",
        }
    }
}

/// Stretches that go on.
#[derive(Default)]
pub(super) struct Findings {
    open: BTreeMap<(u32, u32, Kind), (u32, u32)>,
}

impl Findings {
    /// Takes what became of pairs; `found` gets each stretch that has ended.
    pub(super) fn take(&mut self, outcomes: &[Outcome], mut found: impl FnMut(Finding)) {
        for outcome in outcomes {
            let late = outcome.is_late.then_some(Kind::Late(outcome.cause));
            let kinds = [late, outcome.is_deep.then_some(Kind::DeepExposed)];
            let pair = (outcome.observer, outcome.enemy);
            let range = (pair.0, pair.1, Kind::Late(Cause::Hidden))..=(pair.0, pair.1, Kind::DeepExposed);
            let ended: Vec<_> = self
                .open
                .range(range)
                .filter(|((.., kind), (_, last))| {
                    !kinds.contains(&Some(*kind)) || last.wrapping_add(1) != outcome.tick
                })
                .map(|(key, span)| (*key, *span))
                .collect();
            for (key, span) in ended {
                self.open.remove(&key);
                found(finding(key, span));
            }
            for kind in kinds.into_iter().flatten() {
                let span = self.open.entry((pair.0, pair.1, kind)).or_insert((outcome.tick, outcome.tick));
                span.1 = outcome.tick;
            }
        }
    }

    /// Everything ends here.
    pub(super) fn finish(&mut self, mut found: impl FnMut(Finding)) {
        std::mem::take(&mut self.open).into_iter().for_each(|(key, span)| found(finding(key, span)));
    }
}

fn finding((observer, entity, kind): (u32, u32, Kind), (first, last): (u32, u32)) -> Finding {
    let kind = match kind {
        Kind::Late(cause) => KindLine { kind: "late", cause: Some(cause) },
        Kind::DeepExposed => KindLine { kind: "exposed", cause: None },
    };
    Finding { kind, tick: first, ticks: last - first + 1, observer, entity }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(tick: u32, is_late: bool, is_deep: bool) -> Outcome {
        let cause = Cause::Hidden;
        Outcome {
            tick,
            observer: 1,
            enemy: 2,
            is_visible: is_late,
            is_late,
            is_exposed: is_deep,
            is_deep,
            is_held: false,
            cause,
        }
    }

    #[test]
    fn ticks_in_a_row_are_one_finding() {
        let mut findings = Findings::default();
        let mut all = Vec::new();
        let ticks = [
            outcome(1, true, false),
            outcome(2, true, false),
            outcome(3, false, true),
            outcome(9, false, true),
        ];
        findings.take(&ticks, |finding| all.push((finding.name(), finding.tick, finding.ticks)));
        findings.finish(|finding| all.push((finding.name(), finding.tick, finding.ticks)));
        assert_eq!(all, [("late", 1, 2), ("exposed", 3, 1), ("exposed", 9, 1)]);
    }
}
