//! Pairs of boxes that touch, found by a sweep.
//!
//! Owns the bound on work of every check of "each against each". Promises: `O(n log n + work)`, and stops
//! when the budget is spent, so that no file can make a check quadratic.
//! Must not know what the boxes hold.

use crate::geom::Point2;

/// An axis-aligned box in the plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Box2 {
    pub(super) low: Point2,
    pub(super) high: Point2,
}

impl Box2 {
    /// The box of some points; inverted, so touching nothing, where there are none.
    pub(super) fn of(points: impl IntoIterator<Item = Point2>) -> Self {
        let none = Self {
            low: Point2::new(f64::INFINITY, f64::INFINITY),
            high: Point2::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
        };
        points.into_iter().fold(none, |b, p| Self { low: b.low.inf(&p), high: b.high.sup(&p) })
    }

    /// The box grown by `margin` on every side.
    pub(super) fn grown(self, margin: f64) -> Self {
        let m = crate::geom::Vector2::new(margin, margin);
        Self { low: self.low - m, high: self.high + m }
    }

    /// Whether the closed boxes share a point.
    pub(super) fn touches(&self, other: &Self) -> bool {
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.y <= other.high.y
            && other.low.y <= self.high.y
    }

    /// Whether `other` lies in this box, edges included.
    pub(super) fn contains(&self, other: &Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }
}

/// What a test of two segments costs, in steps of the sweep.
pub(super) const SEGMENT_STEPS: usize = 20;

/// Steps of work that are left; one is about 2 ns.
pub(in crate::map) struct Budget(u64);

/// The budget is spent.
#[derive(Debug)]
pub(in crate::map) struct Spent;

impl Budget {
    pub(in crate::map) const fn new(steps: u64) -> Self {
        Self(steps)
    }

    /// Takes `steps` from the budget.
    pub(super) fn take(&mut self, steps: usize) -> Result<(), Spent> {
        match self.0.checked_sub(steps as u64) {
            Some(rest) => self.0 = rest,
            None => {
                self.0 = 0;
                return Err(Spent);
            }
        }
        Ok(())
    }
}

/// Calls `found` once for each pair `i < j` of touching boxes, in an order that depends on the boxes only.
///
/// Sweeps along the axis over which the boxes are the smaller part of the whole.
pub(super) fn touching_pairs(
    boxes: &[Box2],
    budget: &mut Budget,
    mut found: impl FnMut(usize, usize, &mut Budget) -> Result<(), Spent>,
) -> Result<(), Spent> {
    let axis = best_axis(boxes);
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|&a, &b| boxes[a].low[axis].total_cmp(&boxes[b].low[axis]).then(a.cmp(&b)));
    let mut active: Vec<usize> = Vec::new();
    for &new in &order {
        budget.take(active.len() + 1)?;
        active.retain(|&old| boxes[old].high[axis] >= boxes[new].low[axis]);
        for &old in &active {
            if boxes[old].touches(&boxes[new]) {
                found(old.min(new), old.max(new), budget)?;
            }
        }
        active.push(new);
    }
    Ok(())
}

fn best_axis(boxes: &[Box2]) -> usize {
    let share = |axis: usize| {
        let low = boxes.iter().map(|b| b.low[axis]).fold(f64::INFINITY, f64::min);
        let high = boxes.iter().map(|b| b.high[axis]).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = boxes.iter().map(|b| b.high[axis] - b.low[axis]).sum();
        sum / (high - low).max(f64::MIN_POSITIVE)
    };
    usize::from(share(1) < share(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64) -> Box2 {
        Box2 { low: Point2::new(x, y), high: Point2::new(x + 1.0, y + 1.0) }
    }

    #[test]
    fn the_sweep_finds_the_pairs_that_a_test_of_all_finds() {
        let boxes: Vec<Box2> =
            (0..60).map(|i| square(f64::from(i * 37 % 11) * 0.9, f64::from(i * 53 % 13) * 0.9)).collect();
        let mut swept = Vec::new();
        touching_pairs(&boxes, &mut Budget::new(1_000_000), |i, j, _| {
            swept.push((i, j));
            Ok(())
        })
        .unwrap();
        swept.sort_unstable();
        let all: Vec<(usize, usize)> = (0..60)
            .flat_map(|i| (i + 1..60).map(move |j| (i, j)))
            .filter(|&(i, j)| boxes[i].touches(&boxes[j]))
            .collect();
        assert_eq!(swept, all);
    }

    #[test]
    fn a_spent_budget_stops_the_sweep() {
        let boxes = vec![square(0.0, 0.0); 1_000];
        assert!(touching_pairs(&boxes, &mut Budget::new(1_000), |_, _, _| Ok(())).is_err());
    }
}
