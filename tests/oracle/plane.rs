//! Plane geometry of the judges: distances, hulls and separation, on plain arrays.

/// A point or vector in the plan, metres.
pub(crate) type P2 = [f64; 2];

pub(crate) fn sub(a: P2, b: P2) -> P2 {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn dot(a: P2, b: P2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(crate) fn cross(a: P2, b: P2) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(crate) fn length(a: P2) -> f64 {
    dot(a, a).sqrt()
}

/// The point a share `t` of the way from `a` to `b`.
pub(crate) fn along(a: P2, b: P2, t: f64) -> P2 {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

/// The edges of a closed outline.
pub(crate) fn edges(outline: &[P2]) -> impl Iterator<Item = (P2, P2)> + '_ {
    (0..outline.len()).map(|i| (outline[i], outline[(i + 1) % outline.len()]))
}

fn point_to_segment(p: P2, a: P2, b: P2) -> f64 {
    let d = sub(b, a);
    let squared = dot(d, d);
    let t = if squared > 0.0 { (dot(sub(p, a), d) / squared).clamp(0.0, 1.0) } else { 0.0 };
    length(sub(along(a, b, t), p))
}

fn segments_cross(a: P2, b: P2, c: P2, d: P2) -> bool {
    let side = |o: P2, p: P2, q: P2| cross(sub(p, o), sub(q, o));
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

/// Whether `p` lies in the convex counter-clockwise outline, its border included.
pub(crate) fn holds(outline: &[P2], p: P2) -> bool {
    outline.len() >= 3 && edges(outline).all(|(a, b)| cross(sub(b, a), sub(p, a)) >= 0.0)
}

/// Distance from a point to a convex outline; 0 inside.
pub(crate) fn distance(outline: &[P2], p: P2) -> f64 {
    if holds(outline, p) {
        return 0.0;
    }
    edges(outline).map(|(a, b)| point_to_segment(p, a, b)).fold(f64::INFINITY, f64::min)
}

/// Distance from the segment `p`–`q` to a convex outline; 0 where they meet.
pub(crate) fn segment_distance(outline: &[P2], p: P2, q: P2) -> f64 {
    if holds(outline, p) || holds(outline, q) {
        return 0.0;
    }
    let mut least = f64::INFINITY;
    for (a, b) in edges(outline) {
        if segments_cross(a, b, p, q) {
            return 0.0;
        }
        least = least
            .min(point_to_segment(a, p, q))
            .min(point_to_segment(p, a, b))
            .min(point_to_segment(q, a, b));
    }
    least
}

/// Convex hull, counter-clockwise, by gift wrapping sorted points.
pub(crate) fn hull(mut points: Vec<P2>) -> Vec<P2> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |order: &mut dyn Iterator<Item = P2>| {
        let mut chain: Vec<P2> = Vec::new();
        for p in order {
            while chain.len() >= 2
                && cross(sub(chain[chain.len() - 1], chain[chain.len() - 2]), sub(p, chain[chain.len() - 2]))
                    <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter().copied());
    lower.extend(half(&mut points.iter().rev().copied()));
    lower
}

/// Whether some edge of `outline` has all of `other` more than `margin` outside.
fn edge_separates(outline: &[P2], other: &[P2], margin: f64) -> bool {
    edges(outline).any(|(a, b)| {
        let d = sub(b, a);
        let reach = margin * length(d);
        other.iter().all(|&p| cross(d, sub(p, a)) < -reach)
    })
}

/// Whether two convex outlines are apart by more than `margin` along an edge normal of either.
pub(crate) fn apart(a: &[P2], b: &[P2], margin: f64) -> bool {
    edge_separates(a, b, margin) || edge_separates(b, a, margin)
}

/// The bounding box as (least, greatest) corner.
pub(crate) fn bounds(points: &[P2]) -> (P2, P2) {
    points.iter().fold(([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]), |(low, high), p| {
        ([low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])])
    })
}
