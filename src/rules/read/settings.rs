//! The settings that are about no class: from text to numbers.

use super::{Reader, Scope};
use crate::rules::{Lead, Sending, Settings, SmokeRules};

const NUMBER: &str = "a number";
const WHOLE: &str = "a whole number";

const LEAD: &[&str] = &[
    "rtt_min_ms",
    "rtt_max_ms",
    "jitter_ms",
    "input_delay_ms",
    "interp_ms",
    "extrapolation_ms",
    "loss_ticks",
];
const SMOKE: &[&str] = &["opaque_depth_m", "rim_m"];
const SENDING: &[&str] = &[
    "budget_bytes",
    "bytes_per_second",
    "burst_bytes",
    "enter_bytes",
    "mtu_bytes",
    "padding",
    "stale_ticks",
    "notice_ticks",
];

impl Reader<'_> {
    pub(super) fn settings(&mut self, scope: &Scope) -> Option<Settings> {
        let mode = self.leaf(scope, "mode", "Enforce, Shadow or Open");
        let team_vision = self.leaf(scope, "team_vision", "Off or Spotted");
        let lead = self.lead(scope);
        let hold_ms = self.leaf(scope, "hold_ms", NUMBER);
        let view_cone_deg = self.leaf(scope, "view_cone_deg", NUMBER);
        let smoke = self.smoke(scope);
        let solver_nodes = self.leaf(scope, "solver_nodes", WHOLE);
        let sending = self.sending(scope);
        Some(Settings {
            mode: mode?,
            team_vision: team_vision?,
            lead: lead?,
            hold_ms: hold_ms?,
            view_cone_deg: view_cone_deg?,
            smoke: smoke?,
            solver_nodes: solver_nodes?,
            sending: sending?,
        })
    }

    fn lead(&mut self, scope: &Scope) -> Option<Lead> {
        let scope = &self.inner(scope, "lead", LEAD)?;
        let rtt_min_ms = self.leaf(scope, "rtt_min_ms", NUMBER);
        let rtt_max_ms = self.leaf(scope, "rtt_max_ms", NUMBER);
        let jitter_ms = self.leaf(scope, "jitter_ms", NUMBER);
        let input_delay_ms = self.leaf(scope, "input_delay_ms", NUMBER);
        let interp_ms = self.optional(scope, "interp_ms", NUMBER);
        let extrapolation_ms = self.maybe(scope, "extrapolation_ms", NUMBER, 0.0);
        let loss_ticks = self.leaf(scope, "loss_ticks", WHOLE);
        Some(Lead {
            rtt_min_ms: rtt_min_ms?,
            rtt_max_ms: rtt_max_ms?,
            jitter_ms: jitter_ms?,
            input_delay_ms: input_delay_ms?,
            interp_ms: interp_ms?,
            extrapolation_ms: extrapolation_ms?,
            loss_ticks: loss_ticks?,
        })
    }

    fn smoke(&mut self, scope: &Scope) -> Option<SmokeRules> {
        let scope = &self.inner(scope, "smoke", SMOKE)?;
        let opaque_depth_m = self.leaf(scope, "opaque_depth_m", NUMBER);
        let rim_m = self.leaf(scope, "rim_m", NUMBER);
        Some(SmokeRules { opaque_depth_m: opaque_depth_m?, rim_m: rim_m? })
    }

    fn sending(&mut self, scope: &Scope) -> Option<Sending> {
        let scope = &self.inner(scope, "sending", SENDING)?;
        let budget_bytes: Option<u32> = self.leaf(scope, "budget_bytes", WHOLE);
        let bytes_per_second = self.leaf(scope, "bytes_per_second", WHOLE);
        let burst_bytes = self.leaf(scope, "burst_bytes", WHOLE);
        let enter_bytes = self.maybe(scope, "enter_bytes", WHOLE, budget_bytes.unwrap_or(u32::MAX));
        let mtu_bytes = self.leaf(scope, "mtu_bytes", WHOLE);
        let padding = self.leaf(scope, "padding", "None, Bucket(bytes) or Full");
        let stale_ticks = self.leaf(scope, "stale_ticks", WHOLE);
        let notice_ticks = self.leaf(scope, "notice_ticks", WHOLE);
        Some(Sending {
            budget_bytes: budget_bytes?,
            bytes_per_second: bytes_per_second?,
            burst_bytes: burst_bytes?,
            enter_bytes: enter_bytes?,
            mtu_bytes: mtu_bytes?,
            padding: padding?,
            stale_ticks: stale_ticks?,
            notice_ticks: notice_ticks?,
        })
    }
}
