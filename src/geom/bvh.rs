//! The broad phase in the plan: `parry2d`'s tree over outward-rounded boxes.
//!
//! Owns the conversion from f64 boxes to the tree's f32 ones.
//! Promises: a box query names every item whose box it touches, and may name more.
//! Must not know what the boxes hold; the f64 kernel decides.

use super::Point2;
use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy};

/// A tree over boxes in the plan.
pub(crate) struct PlanBvh {
    tree: Bvh,
}

impl PlanBvh {
    /// The tree over `boxes`, each (low corner, high corner), finite.
    pub(crate) fn new(boxes: impl Iterator<Item = (Point2, Point2)>) -> Self {
        let boxes: Vec<Aabb> =
            boxes.map(|(low, high)| Aabb::new(rounded_down(low), rounded_up(high))).collect();
        Self { tree: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes) }
    }

    /// Calls `f` with the index of every box that touches the box from `low` to `high`, in no particular order.
    pub(crate) fn for_each_touching(&self, low: Point2, high: Point2, f: impl FnMut(usize)) {
        self.touching(low, high).for_each(f);
    }

    /// The index of every box that touches the box from `low` to `high`, in no particular order.
    pub(crate) fn touching(&self, low: Point2, high: Point2) -> impl Iterator<Item = usize> + '_ {
        let (low, high) = (rounded_down(low), rounded_up(high));
        let touches = move |min: Vector, max: Vector| {
            min.x <= high.x && low.x <= max.x && min.y <= high.y && low.y <= max.y
        };
        self.tree.leaves(move |node| touches(node.mins(), node.maxs())).map(|leaf| leaf as usize)
    }
}

/// Coordinates beyond this don't fit the tree's f32 and are cut to it, on both sides of the comparison.
const FARTHEST: f64 = 1e30;

fn rounded_down(p: Point2) -> Vector {
    let round = |v: f64| {
        let near = v.clamp(-FARTHEST, FARTHEST) as f32;
        if f64::from(near) > v { near.next_down() } else { near }
    };
    Vector::new(round(p.x), round(p.y))
}

fn rounded_up(p: Point2) -> Vector {
    -rounded_down(-p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_query_finds_what_it_touches_at_f32_precision_limits() {
        let corner = Point2::new(100.1, 200.3);
        let boxes = [(corner, Point2::new(101.0, 201.0)), (Point2::new(0.0, 0.0), Point2::new(1.0, 1.0))];
        let tree = PlanBvh::new(boxes.into_iter());
        let mut found = Vec::new();
        tree.for_each_touching(Point2::new(100.0, 200.0), corner, |i| found.push(i));
        assert_eq!(found, [0]);
        tree.for_each_touching(Point2::new(-5.0, -5.0), Point2::new(0.0, 0.0), |i| found.push(i));
        assert_eq!(found, [0, 1]);
    }

    #[test]
    fn an_empty_tree_answers_nothing() {
        let tree = PlanBvh::new(std::iter::empty());
        tree.for_each_touching(Point2::new(-1.0, -1.0), Point2::new(1.0, 1.0), |_| {
            panic!("nothing is there")
        });
    }
}
