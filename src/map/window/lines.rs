//! Convex polygons in a two-parameter space of lines.
//!
//! A line over the stretch of a frame is two numbers: its value where the stretch begins and where it ends.
//! The same space serves lines in the plan (values are offsets `w`) and rays in height (values are `z`).
//! Promises: fixed size, no allocation; a clip that would need too many vertices gives back more, never less.
//! Must not know pieces, cells or maps.

/// Most vertices of a polygon; a clip beyond it keeps the unclipped polygon (errs towards visible).
pub(crate) const MAX_VERTICES: usize = 12;

/// A linear function `(1 - at)·first + at·last - value`: how far a line passes above `value` at `at`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Above {
    /// Where on the stretch, 0 at its beginning and 1 at its end; may lie outside.
    pub(crate) at: f64,
    /// The value there.
    pub(crate) value: f64,
}

impl Above {
    /// The height of the line `(first, last)` over the value.
    #[inline]
    pub(crate) fn of(self, line: [f64; 2]) -> f64 {
        line[0] + self.at * (line[1] - line[0]) - self.value
    }
}

/// A convex polygon of lines; never empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    count: usize,
    vertices: [[f64; 2]; MAX_VERTICES],
}

impl Lines {
    /// All lines with `first` and `last` in the given ranges.
    pub(crate) fn rectangle(first: [f64; 2], last: [f64; 2]) -> Self {
        Self::quad([[first[0], last[0]], [first[1], last[0]], [first[1], last[1]], [first[0], last[1]]])
    }

    /// The polygon with four corners, in order.
    pub(crate) fn quad(corners: [[f64; 2]; 4]) -> Self {
        let mut vertices = [[0.0; 2]; MAX_VERTICES];
        vertices[..4].copy_from_slice(&corners);
        Self { count: 4, vertices }
    }

    /// The vertices in order.
    #[inline]
    pub(crate) fn vertices(&self) -> &[[f64; 2]] {
        &self.vertices[..self.count]
    }

    /// The centroid of the area, or the mean of the vertices where there is next to no area.
    pub(crate) fn centroid(&self) -> [f64; 2] {
        let o = self.vertices[0];
        let (mut sum, mut area) = ([0.0; 2], 0.0);
        for pair in self.vertices().windows(2).skip(1) {
            let a = [pair[0][0] - o[0], pair[0][1] - o[1]];
            let b = [pair[1][0] - o[0], pair[1][1] - o[1]];
            let twice = a[0] * b[1] - a[1] * b[0];
            area += twice;
            sum = [sum[0] + twice * (a[0] + b[0]), sum[1] + twice * (a[1] + b[1])];
        }
        if area.abs() > 1e-18 {
            return [o[0] + sum[0] / (3.0 * area), o[1] + sum[1] / (3.0 * area)];
        }
        let n = self.count as f64;
        let total = self.vertices().iter().fold([0.0; 2], |s, v| [s[0] + v[0], s[1] + v[1]]);
        [total[0] / n, total[1] / n]
    }

    /// Least and greatest of a function over the polygon.
    #[inline]
    pub(crate) fn range(&self, f: impl Fn([f64; 2]) -> f64) -> (f64, f64) {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &v in self.vertices() {
            let value = f(v);
            low = low.min(value);
            high = high.max(value);
        }
        (low, high)
    }

    /// Keeps the lines where the linear function `f` is at least 0; false where there are none, and then the
    /// polygon is left as it was.
    #[inline]
    pub(crate) fn keep(&mut self, f: impl Fn([f64; 2]) -> f64) -> bool {
        let mut values = [0.0; MAX_VERTICES];
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (value, &v) in values.iter_mut().zip(self.vertices()) {
            *value = f(v);
            low = low.min(*value);
            high = high.max(*value);
        }
        if low >= 0.0 {
            return true;
        }
        if high < 0.0 {
            return false;
        }
        self.cut(&values);
        true
    }

    /// The lines where the linear function `f` is at least 0, then those where it is at most 0; what there are.
    pub(crate) fn parts(&self, f: impl Fn([f64; 2]) -> f64) -> impl Iterator<Item = Self> {
        [1.0, -1.0].into_iter().filter_map(move |side| {
            let mut part = *self;
            part.keep(|l| side * f(l)).then_some(part)
        })
    }

    /// The parts on both sides of `center`, across the direction in which the polygon is longest.
    pub(crate) fn halves(&self, center: [f64; 2]) -> impl Iterator<Item = Self> {
        let measures: [fn([f64; 2]) -> f64; 4] =
            [|l| l[0], |l| l[1], |l| (l[1] - l[0]) * 0.7, |l| (l[0] + l[1]) * 0.7];
        let spread = |f: fn([f64; 2]) -> f64| {
            let (low, high) = self.range(f);
            high - low
        };
        let longer = |a: &fn([f64; 2]) -> f64, b: &fn([f64; 2]) -> f64| spread(*a).total_cmp(&spread(*b));
        let longest = measures.into_iter().max_by(longer).unwrap_or(measures[0]);
        self.parts(move |l| longest(l) - longest(center))
    }

    /// Replaces the one run of vertices with negative values by the two points where its ends are crossed.
    ///
    /// More than one run can only come from rounding: the polygon is kept whole then (errs towards visible).
    fn cut(&mut self, values: &[f64; MAX_VERTICES]) {
        let n = self.count;
        let next = |i: usize| if i + 1 == n { 0 } else { i + 1 };
        let (mut last_kept, mut last_lost, mut runs) = (0, 0, 0);
        for i in 0..n {
            match (values[i] >= 0.0, values[next(i)] >= 0.0) {
                (true, false) => (last_kept, runs) = (i, runs + 1),
                (false, true) => last_lost = i,
                _ => {}
            }
        }
        if runs != 1 {
            return;
        }
        let point = |i: usize| {
            let j = next(i);
            let (p, q, t) = (self.vertices[i], self.vertices[j], values[i] / (values[i] - values[j]));
            [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]
        };
        let (leaving, entering) = (point(last_kept), point(last_lost));
        let first_kept = next(last_lost);
        let (add_leaving, add_entering) = (values[last_kept] > 0.0, values[first_kept] > 0.0);
        let kept =
            if first_kept <= last_kept { last_kept - first_kept + 1 } else { n - first_kept + last_kept + 1 };
        if kept + usize::from(add_leaving) + usize::from(add_entering) > MAX_VERTICES {
            return;
        }
        if first_kept <= last_kept {
            self.vertices.copy_within(first_kept..=last_kept, 0);
            self.count = kept;
            if add_leaving {
                self.push(leaving);
            }
            if add_entering {
                self.push(entering);
            }
        } else {
            let new = usize::from(add_leaving) + usize::from(add_entering);
            self.vertices.copy_within(first_kept..n, last_kept + 1 + new);
            self.count = last_kept + 1;
            if add_leaving {
                self.push(leaving);
            }
            if add_entering {
                self.push(entering);
            }
            self.count = kept + new;
        }
    }

    fn push(&mut self, v: [f64; 2]) {
        self.vertices[self.count] = v;
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(lines: &Lines) -> f64 {
        let v = lines.vertices();
        (0..v.len())
            .map(|i| (v[i], v[(i + 1) % v.len()]))
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum::<f64>()
            / 2.0
    }

    #[test]
    fn clips_by_every_side_leave_the_areas_they_should() {
        let square = Lines::rectangle([0.0, 2.0], [0.0, 2.0]);
        for (f, left) in [
            (&(|l: [f64; 2]| l[0] - 0.5) as &dyn Fn([f64; 2]) -> f64, 3.0),
            (&|l: [f64; 2]| 0.5 - l[0], 1.0),
            (&|l: [f64; 2]| l[1] - 0.5, 3.0),
            (&|l: [f64; 2]| 0.5 - l[1], 1.0),
            (&|l: [f64; 2]| l[0] + l[1] - 1.0, 3.5),
            (&|l: [f64; 2]| 1.0 - l[0] - l[1], 0.5),
            (&|l: [f64; 2]| 1.0 + l[0] - l[1], 3.5),
            (&|l: [f64; 2]| l[1] - l[0], 2.0),
            (&|l: [f64; 2]| l[0] + 1.0, 4.0),
        ] {
            let mut part = square;
            assert!(part.keep(f));
            assert!((area(&part) - left).abs() < 1e-12, "{part:?}");
        }
        let mut gone = square;
        assert!(!gone.keep(|l| l[0] - 3.0));
    }

    #[test]
    fn a_polygon_with_no_room_left_is_kept_whole() {
        let mut lines = Lines::rectangle([-1.0, 1.0], [-1.0, 1.0]);
        for i in 0..200 {
            let angle = f64::from(i) * 0.7;
            let (s, c) = angle.sin_cos();
            assert!(lines.keep(|l| 1.0 - s * l[0] - c * l[1]));
            assert!(lines.vertices().len() <= MAX_VERTICES && area(&lines) >= std::f64::consts::PI - 1e-9);
        }
    }
}
