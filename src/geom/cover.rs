//! Convex polygons clipped by and subtracted from each other: is one covered by others together?
//!
//! Owns clipping to boxes and polygons, and the subtraction of one after the other.
//! Promises: "covered" only where nothing is left but parts thinner than the caller allows; a cap on the work
//! ends in "not covered". Must not know what the polygons stand for.

use super::{ConvexPolygon, Point2, Vector2};

/// Most parts a subtraction may leave; more count as "something is left".
const MAX_PARTS: usize = 64;

/// Edges up to this length, metres, point anywhere: their ends are rounded by 10⁻¹⁴ m at 100 m.
const LEAST_EDGE_M: f64 = 1e-7;

/// Whether `covers` together hold `polygon`, but for parts thinner than `thin_m`.
pub(crate) fn is_covered<'a>(
    polygon: ConvexPolygon,
    covers: impl Iterator<Item = &'a ConvexPolygon>,
    thin_m: f64,
) -> bool {
    subtract(polygon, covers, thin_m).is_some_and(|left| left.is_empty())
}

/// Parts of `polygon` that none of `holes` covers; parts thinner than `thin` are left out.
///
/// `None` where the parts became too many to follow: the caller must then take it that something is left.
fn subtract<'a>(
    polygon: ConvexPolygon,
    holes: impl Iterator<Item = &'a ConvexPolygon>,
    thin: f64,
) -> Option<Vec<ConvexPolygon>> {
    let mut parts = vec![polygon];
    for hole in holes {
        let mut left = Vec::with_capacity(parts.len());
        for part in parts {
            subtract_one(part, hole, thin, &mut left);
        }
        if left.len() > MAX_PARTS {
            return None;
        }
        parts = left;
        if parts.is_empty() {
            break;
        }
    }
    Some(parts)
}

fn subtract_one(part: ConvexPolygon, hole: &ConvexPolygon, thin: f64, out: &mut Vec<ConvexPolygon>) {
    let ((low, high), (from, to)) = (part.bounds(), hole.bounds());
    let apart = from.x > high.x || from.y > high.y || to.x < low.x || to.y < low.y;
    if apart || clip_near(&part, hole, 0.0).is_none() {
        out.push(part);
        return;
    }
    let mut rest = part;
    for (a, b) in hole.edges() {
        let Some(normal) = outward(a, b) else { continue };
        let offset = normal.dot(&a.coords);
        if let Some(outer) = rest.clip(-normal, -offset).filter(|p| width(p) > thin) {
            out.push(outer);
        }
        match rest.clip(normal, offset) {
            Some(inner) => rest = inner,
            None => return,
        }
    }
}

/// The part of `polygon` in the box from `low` to `high`; its vertices never leave the box by rounding.
pub(crate) fn clip_to_box(polygon: &ConvexPolygon, low: Point2, high: Point2) -> Option<ConvexPolygon> {
    let (min, max) = polygon.bounds();
    if min.x >= low.x && min.y >= low.y && max.x <= high.x && max.y <= high.y {
        return Some(polygon.clone());
    }
    let x = Vector2::new(1.0, 0.0);
    let y = Vector2::new(0.0, 1.0);
    let mut clipped = polygon.clone();
    for (cuts, normal, offset) in [
        (min.x < low.x, -x, -low.x),
        (max.x > high.x, x, high.x),
        (min.y < low.y, -y, -low.y),
        (max.y > high.y, y, high.y),
    ] {
        if cuts {
            clipped = clipped.clip(normal, offset)?;
        }
    }
    let inside: Vec<Point2> = clipped
        .vertices()
        .iter()
        .map(|p| Point2::new(p.x.clamp(low.x, high.x), p.y.clamp(low.y, high.y)))
        .collect();
    ConvexPolygon::hull(&inside)
}

/// The part of `polygon` within about `margin` of `other`: its edges pushed out, corners left sharp.
pub(crate) fn clip_near(
    polygon: &ConvexPolygon,
    other: &ConvexPolygon,
    margin: f64,
) -> Option<ConvexPolygon> {
    let (low, high) = other.bounds();
    let grow = Vector2::new(margin, margin);
    let mut part = clip_to_box(polygon, low - grow, high + grow)?;
    for (a, b) in other.edges() {
        if let Some(normal) = outward(a, b) {
            part = part.clip(normal, normal.dot(&a.coords) + margin)?;
        }
    }
    Some(part)
}

/// The unit normal of a counter-clockwise edge that points out of the polygon; `None` for an edge of no length.
pub(crate) fn outward(a: Point2, b: Point2) -> Option<Vector2> {
    let d = b - a;
    let length = d.norm();
    (length > 0.0).then(|| Vector2::new(d.y, -d.x) / length)
}

/// The least extent of `polygon` over the normals of its edges; 0 for points and segments.
///
/// Edges of next to no length, which clips at a corner leave, have no direction to speak of: they are left out,
/// and where there are no others the polygon counts as wide as its box.
pub(crate) fn width(polygon: &ConvexPolygon) -> f64 {
    if polygon.vertices().len() < 3 {
        return 0.0;
    }
    let extent = |normal: Vector2, from: Point2| {
        polygon.vertices().iter().map(|p| -normal.dot(&(p - from))).fold(0.0, f64::max)
    };
    let (low, high) = polygon.bounds();
    polygon
        .edges()
        .filter(|(a, b)| (b - a).norm() > LEAST_EDGE_M)
        .filter_map(|(a, b)| outward(a, b).map(|normal| extent(normal, a)))
        .fold((high - low).max(), f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, size: f64) -> ConvexPolygon {
        ConvexPolygon::rectangle(Point2::new(x, y), Point2::new(x + size, y + size))
    }

    #[test]
    fn a_square_less_its_middle_leaves_four_parts_and_less_itself_nothing() {
        let parts = subtract(square(0.0, 0.0, 3.0), [square(1.0, 1.0, 1.0)].iter(), 1e-6).unwrap();
        let area: f64 = parts.iter().map(ConvexPolygon::area).sum();
        assert!((area - 8.0).abs() < 1e-9);
        assert!(subtract(square(0.0, 0.0, 1.0), [square(0.0, 0.0, 1.0)].iter(), 1e-6).unwrap().is_empty());
    }

    #[test]
    fn what_only_touches_a_corner_covers_nothing() {
        let ring = |points: &[(f64, f64)]| {
            ConvexPolygon::from_ccw(points.iter().map(|&(x, y)| Point2::new(x, y)).collect())
        };
        let part = ring(&[(6.0, 4.0), (7.0, 14.5), (7.0, 15.0), (6.0, 15.5)]);
        let touching = [
            ring(&[(6.0, -6.0), (7.5, -8.0), (7.5, -1.0), (6.0, 4.0)]),
            ring(&[(6.0, 4.0), (7.5, -1.0), (8.0, -1.0), (8.0, 4.0)]),
        ];
        let left = subtract(part.clone(), touching.iter(), 1e-9).unwrap();
        let area: f64 = left.iter().map(ConvexPolygon::area).sum();
        assert!((area - part.area()).abs() < 1e-9, "{left:?}");
    }

    #[test]
    fn the_width_of_a_sliver_is_its_short_side() {
        let sliver = ConvexPolygon::rectangle(Point2::new(0.0, 0.0), Point2::new(1.0, 0.001));
        assert!((width(&sliver) - 0.001).abs() < 1e-12);
    }

    #[test]
    fn four_quarters_cover_a_square_and_three_or_four_with_a_crack_do_not() {
        let quarters = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(x, y)| square(x, y, 1.0));
        assert!(is_covered(square(0.0, 0.0, 2.0), quarters.iter(), 1e-9));
        assert!(!is_covered(square(0.0, 0.0, 2.0), quarters[..3].iter(), 1e-9));
        assert!(!is_covered(square(-1e-6, 0.0, 2.0), quarters.iter(), 1e-9));
        assert!(is_covered(square(-1e-6, 0.0, 2.0), quarters.iter(), 1e-5));
        assert!(!is_covered(square(0.0, 0.0, 2.0), [].iter(), 1e-9));
    }

    #[test]
    fn what_falls_into_more_parts_than_are_followed_is_not_covered() {
        let slats = |width: f64| {
            let at = move |i: u32| f64::from(i) * 0.01;
            let slat =
                move |i| ConvexPolygon::rectangle(Point2::new(at(i), 0.0), Point2::new(at(i) + width, 2.0));
            (0..200).map(slat).collect::<Vec<_>>()
        };
        let whole = square(0.0, 0.0, 2.0);
        assert!(is_covered(whole.clone(), slats(0.01).iter(), 1e-9), "one after the other leaves one part");
        let all = [slats(0.005), slats(0.01)].concat();
        assert!(!is_covered(whole, all.iter(), 1e-9), "gaps first leave 200 parts");
    }
}
