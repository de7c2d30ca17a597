//! Independent judges of a bake: another segment kernel, broad phase and random generator than the product's.
//!
//! Owns the second opinion that the tests ask. Promises: what it reports is a real free segment, confirmed
//! with pieces grown by 2 µm and closed in height, between points inside the two cells' volumes.
//! Must not know how a bake works: it reads the map's data types and asks `may_see(a, b)`.
// Each test binary uses a part of this directory.
#![allow(dead_code)]

pub(crate) mod critical;
pub(crate) mod exact;
pub(crate) mod exact_line;
pub(crate) mod frontier;
pub(crate) mod heights;
pub(crate) mod kernel;
pub(crate) mod lines;
pub(crate) mod plane;
pub(crate) mod product;
pub(crate) mod random;
pub(crate) mod rays;
pub(crate) mod scene;
pub(crate) mod tightness;
pub(crate) mod toys;
pub(crate) mod upright;
pub(crate) mod witness;

/// Effort of a run: 1 in CI, more for long hunts; from `FOGWALL_EFFORT`.
pub(crate) fn effort() -> f64 {
    std::env::var("FOGWALL_EFFORT").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0)
}

/// A hidden pair caught in the act: a free segment from an eye of `a` to a body point of `b`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Violation {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) from: [f64; 3],
    pub(crate) to: [f64; 3],
}

/// What a hunt did and found; `violations` keeps the first few of `caught`.
#[derive(Default)]
pub(crate) struct Hunt {
    pub(crate) pairs: u64,
    pub(crate) lines: u64,
    pub(crate) caught: u64,
    pub(crate) violations: Vec<Violation>,
    pub(crate) seconds: f64,
}

impl Hunt {
    /// Adds what another part of the same hunt found.
    pub(crate) fn join(mut self, other: Self) -> Self {
        self.pairs += other.pairs;
        self.lines += other.lines;
        self.caught += other.caught;
        self.seconds += other.seconds;
        self.violations.extend(other.violations);
        self.violations.truncate(20);
        self
    }

    pub(crate) fn catch(&mut self, violation: Violation) {
        self.caught += 1;
        if self.violations.len() < 20 {
            self.violations.push(violation);
        }
    }

    /// One line of figures for the test's output.
    pub(crate) fn row(&self, map: &str, what: &str) -> String {
        format!(
            "{map:<24} {what:<14} {:>9} pairs {:>11} lines {:>7} violations {:>8.1} s",
            self.pairs, self.lines, self.caught, self.seconds
        )
    }
}
