//! Directions from degrees, with the same bits on every machine.
//!
//! Owns the sine and cosine of whoever decides or encodes by them.
//! Promises: only products and sums, an error under 10⁻¹⁵; an angle that is not finite looks along +x.
//! Must not know whose angle it is.

use super::Vector2;

/// The unit vector at `degrees` from +x, counter-clockwise.
pub(crate) fn direction(degrees: f64) -> Vector2 {
    if !degrees.is_finite() {
        return Vector2::x();
    }
    let turn = if (0.0..360.0).contains(&degrees) { degrees } else { degrees.rem_euclid(360.0) };
    // To the nearest, half-way cases up, without a call.
    let (quarters, whole) = (turn / 90.0, (turn / 90.0) as u32);
    let quarter = f64::from(whole + u32::from(quarters - f64::from(whole) >= 0.5));
    let (sine, cosine) = sine_cosine((turn - quarter * 90.0) * (std::f64::consts::PI / 180.0));
    match quarter as u32 % 4 {
        0 => Vector2::new(cosine, sine),
        1 => Vector2::new(-sine, cosine),
        2 => Vector2::new(-cosine, -sine),
        _ => Vector2::new(sine, -cosine),
    }
}

/// Sine and cosine of at most an eighth of a turn, in radians, by Taylor's series.
fn sine_cosine(x: f64) -> (f64, f64) {
    let square = x * x;
    let series = |first: u32| {
        // From the smallest term: 1 - x²/(n(n+1))·(1 - ...).
        (0..9).rev().fold(1.0, |rest, term| {
            let n = f64::from(first + 2 * term);
            1.0 - square / (n * (n + 1.0)) * rest
        })
    };
    (x * series(2), series(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_those_of_the_platform_to_the_last_bits() {
        for step in -2000..2000 {
            let degrees = f64::from(step) * 0.731;
            let (sine, cosine) = degrees.to_radians().sin_cos();
            assert!((direction(degrees) - Vector2::new(cosine, sine)).norm() < 1e-14, "{degrees}");
        }
        assert_eq!(direction(90.0), Vector2::new(0.0, 1.0));
        assert_eq!(direction(f64::NAN), Vector2::new(1.0, 0.0));
    }
}
