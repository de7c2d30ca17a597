//! Is a convex outline covered by others together?
//!
//! Owns the subtraction of one after the other. Promises: "covered" only where nothing of the outline is left
//! uncovered but cracks of a width that the caller allows; a cap on the work ends in "not covered".
//! Must not know what the outlines stand for.

use super::{ConvexPolygon, Point2, Vector2};

/// Rests of an outline that are looked at.
const MAX_RESTS: usize = 64;

/// Whether convex `covers`, each grown by `crack_m` metres at its edges, together hold the convex `outline`.
pub(crate) fn is_covered(outline: &ConvexPolygon, covers: &[&[Point2]], crack_m: f64) -> bool {
    let mut rests = vec![(outline.clone(), 0)];
    let mut left = MAX_RESTS;
    while let Some((rest, from)) = rests.pop() {
        if left == 0 || from == covers.len() {
            return false;
        }
        left -= 1;
        let mut inside = Some(rest);
        for (normal, offset) in outward_edges(covers[from]) {
            let Some(part) = inside else { break };
            if let Some(outside) = part.clip(-normal, -(offset + crack_m)) {
                rests.push((outside, from + 1));
            }
            inside = part.clip(normal, offset + crack_m);
        }
    }
    true
}

/// The edges of a counter-clockwise ring as half-planes: inside where `normal · p <= offset`.
fn outward_edges(ring: &[Point2]) -> impl Iterator<Item = (Vector2, f64)> + '_ {
    (0..ring.len()).filter_map(|i| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        let normal = Vector2::new(b.y - a.y, a.x - b.x).try_normalize(0.0)?;
        Some((normal, normal.dot(&a.coords)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, size: f64) -> ConvexPolygon {
        ConvexPolygon::rectangle(Point2::new(x, y), Point2::new(x + size, y + size))
    }

    #[test]
    fn four_quarters_cover_a_square_and_three_or_four_with_a_crack_do_not() {
        let whole = square(0.0, 0.0, 2.0);
        let quarters = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(x, y)| square(x, y, 1.0));
        let rings: Vec<&[Point2]> = quarters.iter().map(ConvexPolygon::vertices).collect();
        assert!(is_covered(&whole, &rings, 1e-9));
        assert!(!is_covered(&whole, &rings[..3], 1e-9));
        assert!(!is_covered(&square(-1e-6, 0.0, 2.0), &rings, 1e-9));
        assert!(is_covered(&square(-1e-6, 0.0, 2.0), &rings, 1e-5));
        assert!(!is_covered(&whole, &[], 1e-9));
    }

    #[test]
    fn more_covers_than_the_cap_allows_cover_nothing() {
        let slats: Vec<ConvexPolygon> = (0..200)
            .map(|i| {
                let x = f64::from(i) * 0.01;
                ConvexPolygon::rectangle(Point2::new(x, 0.0), Point2::new(x + 0.01, 2.0))
            })
            .collect();
        let rings: Vec<&[Point2]> = slats.iter().map(ConvexPolygon::vertices).collect();
        assert!(!is_covered(&square(0.0, 0.0, 2.0), &rings, 1e-9));
    }
}
