//! Where a bot looks, in degrees, with the same bits on every machine.
//!
//! Promises: products, sums and roots only. Must not know whose heading it is.

use crate::geom::{Vector2, direction};

/// Degrees of a vector from +x, counter-clockwise, from -180 to 180; 0 for none.
pub(super) fn degrees_of(vector: Vector2) -> f64 {
    let length = vector.norm();
    if length.is_nan() || length <= 0.0 {
        return 0.0;
    }
    let unit = vector / length;
    let (x, y) = (unit.x.abs(), unit.y.abs());
    let ratio = x.min(y) / x.max(y);
    // A quadratic that is right to a quarter of a degree, then two steps of Newton with the exact direction.
    let octant = ratio * (45.0 + 15.64 * (1.0 - ratio));
    let quadrant = if y > x { 90.0 - octant } else { octant };
    let half = if unit.x < 0.0 { 180.0 - quadrant } else { quadrant };
    let guess = if unit.y < 0.0 { -half } else { half };
    let closer = |degrees: f64| degrees + direction(degrees).perp(&unit) * (180.0 / std::f64::consts::PI);
    closer(closer(guess))
}

/// `from` turned towards `to` by at most `most`, degrees, the short way round.
pub(super) fn turned(from: f64, to: f64, most: f64) -> f64 {
    let way = difference(from, to);
    wrapped(from + way.clamp(-most, most))
}

/// The short way from one heading to another, degrees.
pub(super) fn difference(from: f64, to: f64) -> f64 {
    wrapped(to - from)
}

fn wrapped(degrees: f64) -> f64 {
    (degrees + 180.0).rem_euclid(360.0) - 180.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_those_of_the_platform_to_a_millionth_of_a_degree() {
        for step in 0..3600 {
            let degrees = f64::from(step) * 0.1 - 179.95;
            let (sine, cosine) = degrees.to_radians().sin_cos();
            let found = degrees_of(Vector2::new(cosine, sine) * 3.0);
            assert!((found - degrees).abs() < 1e-6, "{degrees}: {found}");
        }
        assert_eq!(degrees_of(Vector2::zeros()), 0.0);
    }

    #[test]
    fn turning_takes_the_short_way() {
        assert_eq!(turned(170.0, -170.0, 5.0), 175.0);
        assert_eq!(turned(170.0, -170.0, 50.0), -170.0);
        assert_eq!(difference(-170.0, 170.0), -20.0);
    }
}
