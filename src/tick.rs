//! Server time in ticks, which wraps.
//!
//! Promises: no `Ord`, as "later" is no total order on a circle: a comparison names the two ticks that it takes
//! to be less than half a circle apart. Must not know how long a tick is.

use std::fmt;

/// A tick of the server, modulo 2³².
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tick(pub u32);

impl Tick {
    /// The tick `ticks` later.
    pub const fn after(self, ticks: u32) -> Self {
        Self(self.0.wrapping_add(ticks))
    }

    /// The tick `ticks` earlier.
    pub const fn before(self, ticks: u32) -> Self {
        Self(self.0.wrapping_sub(ticks))
    }

    /// Ticks from `earlier` to this one, negative where `earlier` is the later; from −2³¹ to 2³¹ − 1.
    pub const fn since(self, earlier: Self) -> i32 {
        self.0.wrapping_sub(earlier.0) as i32
    }

    /// Whether this is later than `other`.
    pub const fn is_after(self, other: Self) -> bool {
        self.since(other) > 0
    }

    /// Whether this is earlier than `other`.
    pub const fn is_before(self, other: Self) -> bool {
        self.since(other) < 0
    }
}

impl fmt::Display for Tick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on_over_the_wrap() {
        let last = Tick(u32::MAX);
        assert_eq!(last.after(3), Tick(2));
        assert_eq!(last.after(3).since(last), 3);
        assert_eq!(last.since(last.after(3)), -3);
        assert!(last.after(1).is_after(last) && last.is_before(last.after(1)));
        assert!(!last.is_after(last) && !last.is_before(last));
        assert_eq!(Tick(2).before(3), last);
    }

    #[test]
    fn half_a_circle_away_counts_as_before() {
        assert_eq!(Tick(1 << 31).since(Tick(0)), i32::MIN);
        assert!(Tick(1 << 31).is_before(Tick(0)));
    }
}
