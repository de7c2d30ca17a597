//! Rational plane geometry: hulls, sums and the crossing of a line with a convex outline, without rounding.

use super::plane::P2;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

/// A rational number.
pub(crate) type R = BigRational;
/// A point or vector in the plan.
pub(crate) type Q2 = [R; 2];

/// The rational that a finite f64 is.
pub(crate) fn rational(v: f64) -> R {
    R::from_float(v).expect("coordinates are finite")
}

pub(crate) fn exact(p: P2) -> Q2 {
    p.map(rational)
}

pub(crate) fn rounded(p: &Q2) -> P2 {
    [p[0].to_f64().unwrap_or(f64::NAN), p[1].to_f64().unwrap_or(f64::NAN)]
}

pub(crate) fn minus(a: &Q2, b: &Q2) -> Q2 {
    [&a[0] - &b[0], &a[1] - &b[1]]
}

pub(crate) fn plus(a: &Q2, b: &Q2) -> Q2 {
    [&a[0] + &b[0], &a[1] + &b[1]]
}

pub(crate) fn times(a: &Q2, by: &R) -> Q2 {
    [&a[0] * by, &a[1] * by]
}

pub(crate) fn inner(a: &Q2, b: &Q2) -> R {
    &a[0] * &b[0] + &a[1] * &b[1]
}

pub(crate) fn outer(a: &Q2, b: &Q2) -> R {
    &a[0] * &b[1] - &a[1] * &b[0]
}

/// Convex hull, counter-clockwise, without collinear vertices.
pub(crate) fn exact_hull(mut points: Vec<Q2>) -> Vec<Q2> {
    points.sort();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |order: &mut dyn Iterator<Item = &Q2>| {
        let mut chain: Vec<Q2> = Vec::new();
        for p in order {
            while chain.len() >= 2 {
                let (o, last) = (&chain[chain.len() - 2], &chain[chain.len() - 1]);
                if outer(&minus(last, o), &minus(p, o)).is_positive() {
                    break;
                }
                chain.pop();
            }
            chain.push(p.clone());
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter());
    hull.extend(half(&mut points.iter().rev()));
    hull
}

/// The sum of a convex outline and a convex ring of offsets.
pub(crate) fn exact_sum(outline: &[Q2], ring: &[Q2]) -> Vec<Q2> {
    exact_hull(outline.iter().flat_map(|v| ring.iter().map(move |o| plus(v, o))).collect())
}

/// A line through `through` along `along`.
pub(crate) struct ExactLine {
    pub(crate) through: Q2,
    pub(crate) along: Q2,
}

impl ExactLine {
    /// Positions (in units of the direction's length squared) where the line enters and leaves the outline.
    ///
    /// No vertex lies on the line.
    pub(crate) fn crossing(&self, outline: &[Q2]) -> Option<(R, R)> {
        let sides: Vec<R> = outline.iter().map(|v| outer(&self.along, &minus(v, &self.through))).collect();
        let mut span: Option<(R, R)> = None;
        for i in 0..outline.len() {
            let j = (i + 1) % outline.len();
            if sides[i].is_positive() == sides[j].is_positive() {
                continue;
            }
            let share = &sides[i] / (&sides[i] - &sides[j]);
            let point = plus(&outline[i], &times(&minus(&outline[j], &outline[i]), &share));
            let t = inner(&self.along, &minus(&point, &self.through));
            span = Some(match span {
                None => (t.clone(), t),
                Some((low, high)) => (low.min(t.clone()), high.max(t)),
            });
        }
        span
    }

    /// The point at a position.
    pub(crate) fn at(&self, t: &R) -> Q2 {
        plus(&self.through, &times(&self.along, &(t / inner(&self.along, &self.along))))
    }
}

/// Where two segments cross or touch, if they are not parallel.
pub(crate) fn meeting((a, b): (&Q2, &Q2), (c, d): (&Q2, &Q2)) -> Option<Q2> {
    let (u, v, w) = (minus(b, a), minus(d, c), minus(c, a));
    let turn = outer(&u, &v);
    if turn.is_zero() {
        return None;
    }
    let (s, t) = (outer(&w, &v) / &turn, outer(&w, &u) / &turn);
    let one = R::from_integer(1.into());
    let inside = |x: &R| !x.is_negative() && *x <= one;
    (inside(&s) && inside(&t)).then(|| plus(a, &times(&u, &s)))
}
