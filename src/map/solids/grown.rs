//! Parts that reach as far up and down as the solids they stand on or carry.
//!
//! Owns the growth in height: a crate on a plinth blocks from the plinth's foot to the crate's top, and only one
//! part that holds all these heights can show that nothing sees past the two.
//! Promises: the union of the parts stays what it was; the result depends on the set of parts alone.
//! Must not know maps.

use super::parts::{Part, bounds, stops_all_of};
use crate::geom::{ConvexPolygon, PlanBvh, Point2, compare, is_covered};

/// Parts near one that are looked at. More could only let it grow further: nothing is hidden or seen by it.
const LOOKED_AT: usize = 256;

/// Depths that are tried for one part, the deepest first.
const MAX_DEPTHS: usize = 8;

/// Cracks between supports up to this wide count as covered, metres: a thousandth of the sight clearance, so
/// that no sight line passes through one (it covers at most this much outside: pop-in).
const CRACK_M: f64 = 1e-9;

/// Which way a part grows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Down,
    Up,
}

/// Grows each part down to the foot of what it wholly stands on, then up to the top of what it wholly carries.
pub(super) fn grow(parts: &mut [Part]) {
    let boxes: Vec<(Point2, Point2)> = parts.iter().map(|part| bounds(&part.ring)).collect();
    let tree = PlanBvh::new(boxes.iter().copied());
    for way in [Way::Down, Way::Up] {
        let mut order: Vec<usize> = (0..parts.len()).collect();
        // Supports grow before what they support.
        match way {
            Way::Down => order.sort_by(|&a, &b| compare(parts[a].z.low, parts[b].z.low)),
            Way::Up => order.sort_by(|&a, &b| compare(parts[b].z.high, parts[a].z.high)),
        }
        let before: Vec<_> = parts.iter().map(|part| part.z).collect();
        for index in order {
            let (part, z) = (&parts[index], before[index]);
            let supports = |&other: &usize| {
                let (far, near) = (before[other], parts[other].z);
                let beyond = match way {
                    Way::Down => far.low < z.low && near.high >= z.low,
                    Way::Up => far.high > z.high && near.low <= z.high,
                };
                beyond && stops_all_of(parts[other].blocks, part.blocks)
            };
            let near = tree.touching(boxes[index].0, boxes[index].1).take(LOOKED_AT);
            let near: Vec<usize> = near.filter(supports).collect();
            if let Some(reached) = reached(parts, part, &near, way) {
                match way {
                    Way::Down => parts[index].z.low = reached,
                    Way::Up => parts[index].z.high = reached,
                }
            }
        }
    }
}

/// The farthest height to which all of a part's outline is solid.
fn reached(parts: &[Part], part: &Part, supports: &[usize], way: Way) -> Option<f64> {
    let end = |&i: &usize| match way {
        Way::Down => parts[i].z.low,
        Way::Up => -parts[i].z.high,
    };
    let mut depths: Vec<f64> = supports.iter().map(end).collect();
    depths.sort_by(f64::total_cmp);
    depths.dedup();
    depths.truncate(MAX_DEPTHS);
    let outline = ConvexPolygon::from_ccw(part.ring.clone());
    let deepest = depths.into_iter().find(|&depth| {
        let deep = supports.iter().filter(|i| end(i) <= depth);
        let deep: Vec<_> = deep.map(|&i| ConvexPolygon::from_ccw(parts[i].ring.clone())).collect();
        is_covered(outline.clone(), deep.iter(), CRACK_M)
    });
    deepest.map(|depth| if way == Way::Down { depth } else { -depth })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::ZRange;
    use crate::map::Blocks;

    fn block(x: (f64, f64), y: (f64, f64), z: (f64, f64)) -> Part {
        let corners = [(x.0, y.0), (x.1, y.0), (x.1, y.1), (x.0, y.1)];
        let ring = corners.map(|(x, y)| Point2::new(x, y)).to_vec();
        Part { ring, z: ZRange::new(z.0, z.1), blocks: Blocks::ALL, solid: 0 }
    }

    fn heights(mut parts: Vec<Part>) -> Vec<(f64, f64)> {
        grow(&mut parts);
        parts.iter().map(|part| (part.z.low, part.z.high)).collect()
    }

    #[test]
    fn a_crate_over_the_seam_of_two_plinths_grows_to_their_higher_foot() {
        let plinths = |gap: f64| {
            vec![
                block((0.0, 2.0), (0.0, 4.0), (-1.0, 1.0)),
                block((2.0 + gap, 4.0), (0.0, 4.0), (0.0, 1.0)),
                block((1.0, 3.0), (1.0, 3.0), (1.0, 2.0)),
            ]
        };
        assert_eq!(heights(plinths(0.0)), [(-1.0, 1.0), (0.0, 1.0), (0.0, 2.0)]);
        assert_eq!(heights(plinths(1e-3))[2], (1.0, 2.0));
    }

    #[test]
    fn a_crate_that_hangs_over_its_plinth_or_above_it_does_not_grow() {
        let plinth = block((0.0, 2.0), (0.0, 2.0), (0.0, 1.0));
        let over = block((1.0, 2.1), (0.5, 1.5), (1.0, 2.0));
        let above = block((0.5, 1.5), (0.5, 1.5), (1.001, 2.0));
        assert_eq!(heights(vec![plinth.clone(), over])[1], (1.0, 2.0));
        assert_eq!(heights(vec![plinth, above])[1], (1.001, 2.0));
    }

    #[test]
    fn a_tower_of_three_grows_both_ways_where_each_lies_within_the_next() {
        let tower = vec![
            block((1.0, 2.0), (1.0, 2.0), (2.0, 3.0)),
            block((0.5, 2.5), (0.5, 2.5), (1.0, 2.0)),
            block((0.0, 3.0), (0.0, 3.0), (0.0, 1.0)),
            block((0.0, 3.0), (0.0, 3.0), (3.0, 4.0)),
        ];
        assert_eq!(heights(tower), [(0.0, 4.0), (0.0, 2.0), (0.0, 1.0), (3.0, 4.0)]);
    }

    #[test]
    fn what_stops_sight_does_not_grow_through_what_does_not() {
        let mut glass = block((0.0, 2.0), (0.0, 2.0), (0.0, 1.0));
        glass.blocks.sight = false;
        let above = block((0.5, 1.5), (0.5, 1.5), (1.0, 2.0));
        assert_eq!(heights(vec![glass, above])[1], (1.0, 2.0));
    }
}
