//! Convex polygons in a two-parameter space of lines.
//!
//! A line over the stretch of a frame is two numbers: its value where the stretch begins and where it ends.
//! The same space serves lines in the plan (values are offsets `w`) and rays in height (values are `z`).
//! Promises: fixed size, no allocation; a clip that would need too many vertices gives back more, never less.
//! Must not know pieces, cells or maps.

/// Most vertices of a polygon; a clip beyond it keeps the unclipped polygon (errs towards visible).
pub(crate) const MAX_VERTICES: usize = 16;

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

/// What a clip leaves.
#[allow(clippy::large_enum_variant, reason = "on the stack of the hot path, never stored")]
#[derive(Clone, Copy, Debug)]
pub(crate) enum Clipped {
    /// Nothing.
    Empty,
    /// All of it.
    Whole,
    /// A part.
    Part(Lines),
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

    /// The lines where the linear function `f` is at least 0.
    #[inline]
    pub(crate) fn clip(&self, f: impl Fn([f64; 2]) -> f64) -> Clipped {
        let mut values = [0.0; MAX_VERTICES];
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (value, &v) in values.iter_mut().zip(self.vertices()) {
            *value = f(v);
            low = low.min(*value);
            high = high.max(*value);
        }
        if low >= 0.0 {
            return Clipped::Whole;
        }
        if high < 0.0 {
            return Clipped::Empty;
        }
        self.cut(&values)
    }

    fn cut(&self, values: &[f64; MAX_VERTICES]) -> Clipped {
        let mut out = Self { count: 0, vertices: [[0.0; 2]; MAX_VERTICES] };
        for i in 0..self.count {
            let j = if i + 1 == self.count { 0 } else { i + 1 };
            let (a, b) = (values[i], values[j]);
            if a >= 0.0 && !out.push(self.vertices[i]) {
                return Clipped::Whole;
            }
            if (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0) {
                let t = a / (a - b);
                let (p, q) = (self.vertices[i], self.vertices[j]);
                if !out.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]) {
                    return Clipped::Whole;
                }
            }
        }
        Clipped::Part(out)
    }

    /// Appends a vertex unless it repeats the last one; false where there is no room.
    fn push(&mut self, v: [f64; 2]) -> bool {
        if self.count > 0 && self.vertices[self.count - 1] == v {
            return true;
        }
        if self.count == MAX_VERTICES {
            return false;
        }
        self.vertices[self.count] = v;
        self.count += 1;
        true
    }

    /// Clips in place; false where nothing is left.
    #[inline]
    pub(crate) fn keep(&mut self, f: impl Fn([f64; 2]) -> f64) -> bool {
        match self.clip(f) {
            Clipped::Empty => false,
            Clipped::Whole => true,
            Clipped::Part(part) => {
                *self = part;
                true
            }
        }
    }
}
