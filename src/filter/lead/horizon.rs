//! How far ahead each viewer and each enemy is looked at, from the timeline of a client.
//!
//! State of tick s is on a screen one way and the interpolation later, and the viewer's own motion on that screen takes
//! the way back: its reach runs over the whole round trip. Promises: only the server's own measures count, one a
//! tick, and a burst of them nothing at all. Must not know where anybody is.

use crate::filter::Lent;
use crate::ids::ObserverId;
use crate::rules::Lead;
use crate::world::Observer;

/// Round trips that are remembered per observer, one a tick: 8 s at 128 Hz, of which lag has to last nine tenths
/// before it lengthens the lead.
const WINDOW: usize = 1024;

/// The tenth percentile.
const PART: usize = 10;

/// Horizons of one match's clients.
#[derive(Clone, Debug)]
pub(crate) struct Horizons {
    tick_ms: f64,
    windows: Vec<Option<Window>>,
}

/// The round trips of one observer.
#[derive(Clone, Debug)]
struct Window {
    generation: u32,
    /// In the order of their coming, then round again.
    ring: Vec<f64>,
    next: usize,
    sorted: Vec<f64>,
}

impl Window {
    fn new(generation: u32) -> Self {
        Self { generation, ring: Vec::with_capacity(WINDOW), next: 0, sorted: Vec::with_capacity(WINDOW) }
    }

    fn add(&mut self, rtt_ms: f64) {
        let place = |sorted: &[f64], of: f64| sorted.partition_point(|other| *other < of);
        if self.ring.len() < WINDOW {
            self.ring.push(rtt_ms);
            self.sorted.insert(place(&self.sorted, rtt_ms), rtt_ms);
            return;
        }
        let oldest = std::mem::replace(&mut self.ring[self.next], rtt_ms);
        self.next = if self.next + 1 < WINDOW { self.next + 1 } else { 0 };
        if oldest == rtt_ms {
            return;
        }
        // Only what lies between the two moves.
        let (from, to) = (place(&self.sorted, oldest), place(&self.sorted, rtt_ms));
        if from < to {
            self.sorted[from..to].rotate_left(1);
            self.sorted[to - 1] = rtt_ms;
        } else {
            self.sorted[to..=from].rotate_right(1);
            self.sorted[to] = rtt_ms;
        }
    }

    fn percentile(&self) -> Option<f64> {
        self.sorted.get(self.sorted.len().saturating_sub(1) / PART).copied()
    }
}

impl Horizons {
    /// Of a server that ticks and sends every `tick_ms`.
    pub(crate) fn new(tick_ms: f64) -> Self {
        Self { tick_ms, windows: Vec::new() }
    }

    /// Takes the round trips of a tick: of several of one observer the least.
    pub(crate) fn refresh(&mut self, lent: &Lent<'_>) {
        for (place, observer) in lent.world.observers.iter().enumerate() {
            if lent.observers.place(observer.id) != Ok(place) {
                continue;
            }
            let index = observer.id.index as usize;
            if self.windows.len() <= index {
                self.windows.resize(index + 1, None);
            }
            let window = &mut self.windows[index];
            let generation = observer.id.generation;
            if window.as_ref().is_none_or(|window| window.generation != generation) {
                *window = Some(Window::new(generation));
            }
            let sound = observer.rtt_ms.iter().copied().filter(|rtt| rtt.is_finite() && *rtt >= 0.0);
            if let (Some(window), Some(least)) = (window, sound.reduce(f64::min)) {
                window.add(least);
            }
        }
    }

    /// Seconds over which a viewer's own motion is not known yet.
    ///
    /// One that was never measured counts as the fastest: who keeps the server from measuring gains nothing.
    pub(crate) fn viewer_s(&self, lead: &Lead, observer: Option<&Observer<'_>>) -> f64 {
        let window = |id: ObserverId| self.windows.get(id.index as usize)?.as_ref();
        let measured = observer
            .and_then(|observer| {
                window(observer.id).filter(|window| window.generation == observer.id.generation)
            })
            .and_then(Window::percentile);
        let rtt_ms = measured.unwrap_or(0.0).max(lead.rtt_min_ms).min(lead.rtt_max_ms);
        let waits = observer.and_then(|observer| observer.input_delay_ms).filter(|ms| ms.is_finite());
        // What the game says a client waits is bounded as its lag is.
        let waits_ms =
            waits.unwrap_or(lead.input_delay_ms).clamp(0.0, lead.rtt_max_ms.max(lead.input_delay_ms));
        let interp_ms = lead.interp_ms.unwrap_or(self.tick_ms);
        (rtt_ms + interp_ms + lead.jitter_ms + waits_ms + self.tick_ms) / 1000.0
    }

    /// Seconds over which an enemy's motion is not told yet.
    pub(crate) fn enemy_s(&self, lead: &Lead) -> f64 {
        (self.tick_ms * f64::from(1 + lead.loss_ticks) + lead.extrapolation_ms) / 1000.0
    }

    /// Ticks over which an enemy's motion is not told yet, rounded up.
    pub(crate) fn enemy_ticks(&self, lead: &Lead) -> u32 {
        1 + lead.loss_ticks + (lead.extrapolation_ms / self.tick_ms).ceil() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(samples: impl IntoIterator<Item = f64>) -> f64 {
        let mut window = Window::new(0);
        samples.into_iter().for_each(|rtt| window.add(rtt));
        window.percentile().unwrap_or(0.0)
    }

    #[test]
    fn a_burst_of_lag_changes_nothing_and_steady_lag_counts() {
        let steady = |ms: f64| std::iter::repeat_n(ms, 4000);
        assert_eq!(window(steady(30.0)), 30.0);
        assert_eq!(window(steady(30.0).chain(std::iter::repeat_n(400.0, 900))), 30.0);
        assert_eq!(window(steady(30.0).chain(steady(400.0))), 400.0);
        assert_eq!(window([400.0, 30.0, 400.0]), 30.0, "few measures: the least");
    }

    #[test]
    fn what_comes_round_again_leaves_what_is_sorted_whole() {
        let mut window = Window::new(0);
        for step in 0..5000_u32 {
            window.add(f64::from(step.wrapping_mul(2_654_435_761) >> 20));
        }
        let mut ring = window.ring.clone();
        ring.sort_by(f64::total_cmp);
        assert_eq!(ring, window.sorted);
        assert_eq!(window.ring.len(), WINDOW);
    }
}
