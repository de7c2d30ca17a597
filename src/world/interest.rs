//! Where and in what an observer is interested: regions, subscriptions, and the streams that groups take part in.
//!
//! Owns their types and the geometry of regions in the plan. Promises: a region with a number that is not a number holds
//! and meets nothing, which errs towards hidden. Must not know who may know what.

use crate::geom::{Point2, Vector2};

/// A part of the plan, edges included, in metres; it holds all heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    /// A box along the axes.
    Box {
        /// South-western corner.
        low: Point2,
        /// North-eastern corner; one below `low` makes a box that holds nothing.
        high: Point2,
    },
    /// A disc.
    Disc {
        /// Its middle.
        center: Point2,
        /// Metres; a negative one makes a disc that holds nothing.
        radius_m: f64,
    },
}

impl Region {
    /// Whether the point is in it.
    pub fn contains(&self, point: Point2) -> bool {
        match *self {
            Self::Box { low, high } => {
                low.x <= point.x && point.x <= high.x && low.y <= point.y && point.y <= high.y
            }
            Self::Disc { center, radius_m } => (point - center).norm() <= radius_m,
        }
    }

    /// Whether the two have a point in common; edges that touch do.
    pub fn meets(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Self::Box { low, high }, Self::Box { low: other_low, high: other_high }) => {
                let is_one = low.x <= high.x && low.y <= high.y;
                let is_other = other_low.x <= other_high.x && other_low.y <= other_high.y;
                let is_over = low.x <= other_high.x && low.y <= other_high.y;
                is_one && is_other && is_over && other_low.x <= high.x && other_low.y <= high.y
            }
            (Self::Box { low, high }, Self::Disc { center, radius_m })
            | (Self::Disc { center, radius_m }, Self::Box { low, high }) => {
                let is_one = low.x <= high.x && low.y <= high.y;
                is_one && (nearest(low, high, center) - center).norm() <= radius_m
            }
            (
                Self::Disc { center, radius_m },
                Self::Disc { center: other_center, radius_m: other_radius_m },
            ) => {
                let is_one = radius_m >= 0.0 && other_radius_m >= 0.0;
                is_one && (other_center - center).norm() <= radius_m + other_radius_m
            }
        }
    }

    /// The corners of the smallest box around it, south-western first: for a broad phase, which asks [`Region::meets`] then.
    pub fn bounds(&self) -> [Point2; 2] {
        match *self {
            Self::Box { low, high } => [low, high],
            Self::Disc { center, radius_m } => {
                let side = Vector2::new(radius_m, radius_m);
                [center - side, center + side]
            }
        }
    }
}

/// The point of a box that is nearest to another; not a number where the other is none.
fn nearest(low: Point2, high: Point2, to: Point2) -> Point2 {
    let within = |low: f64, high: f64, at: f64| {
        if at < low {
            low
        } else if at > high {
            high
        } else {
            at
        }
    };
    Point2::new(within(low.x, high.x, to.x), within(low.y, high.y, to.y))
}

/// Something that an observer asks for beyond the relevance radius: a scope, a drone, a camera, a window of a minimap.
///
/// It widens who is looked at, never what is told of them: what nobody has a right to is still for the class's sight
/// policy to decide, from the same eyes as before. Where that policy is `Always`, the region stands for the radius. The
/// game lends it, as it lends all else: what a client asks for is for the game to judge first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subscription {
    /// Where.
    pub region: Region,
    /// Categories, by bit: all of them must be among those of the entity; 0 asks for all entities.
    pub categories: u64,
}

/// Which streams a member of groups takes part in; without a group it says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Streams {
    /// An inclusive member: those of its groups, and the spatial ones as everybody else.
    #[default]
    All,
    /// An exclusive member: those of its groups alone. It neither sends into nor receives from the spatial ones, which are
    /// the entities of classes with the sight policy `Always`. What others can see of each other, and rights other than
    /// groups, stay as they are.
    GroupsOnly,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn square(at: f64, side: f64) -> Region {
        Region::Box { low: Point2::new(at, at), high: Point2::new(at + side, at + side) }
    }

    fn disc(x: f64, y: f64, radius_m: f64) -> Region {
        Region::Disc { center: Point2::new(x, y), radius_m }
    }

    #[test]
    fn edges_belong_to_a_region() {
        assert!(
            square(0.0, 2.0).contains(Point2::new(2.0, 0.0))
                && !square(0.0, 2.0).contains(Point2::new(2.1, 0.0))
        );
        assert!(disc(0.0, 0.0, 5.0).contains(Point2::new(3.0, 4.0)));
        assert!(square(0.0, 2.0).meets(&square(2.0, 1.0)) && !square(0.0, 2.0).meets(&square(2.1, 1.0)));
        assert!(
            disc(0.0, 0.0, 1.0).meets(&disc(3.0, 0.0, 2.0))
                && !disc(0.0, 0.0, 1.0).meets(&disc(3.1, 0.0, 2.0))
        );
        assert!(disc(5.0, 6.0, 5.0).meets(&square(0.0, 2.0)), "the corner is 5 m away");
        assert!(!disc(5.0, 6.0, 4.9).meets(&square(0.0, 2.0)));
    }

    #[test]
    fn what_is_no_region_holds_and_meets_nothing() {
        let all = Region::Box {
            low: Point2::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
            high: Point2::new(f64::INFINITY, f64::INFINITY),
        };
        let nan = f64::NAN;
        for nothing in [
            square(nan, 1.0),
            disc(nan, 0.0, 1.0),
            disc(0.0, 0.0, nan),
            disc(0.0, 0.0, -1.0),
            square(1.0, -1.0),
        ] {
            assert!(!nothing.contains(Point2::new(0.5, 0.5)) && !nothing.contains(Point2::new(nan, nan)));
            assert!(!nothing.meets(&all) && !all.meets(&nothing), "{nothing:?}");
            assert!(
                !nothing.meets(&disc(0.5, 0.5, 9.0)) && !disc(0.5, 0.5, 9.0).meets(&nothing),
                "{nothing:?}"
            );
        }
        assert!(all.contains(Point2::new(1e300, -1e300)) && all.meets(&disc(1e300, 0.0, 0.0)));
    }

    fn region() -> impl Strategy<Value = Region> {
        let number = || -10.0..10.0;
        prop_oneof![
            (number(), number(), 0.0..8.0, 0.0..8.0).prop_map(|(x, y, w, h)| Region::Box {
                low: Point2::new(x, y),
                high: Point2::new(x + w, y + h)
            }),
            (number(), number(), 0.0..6.0).prop_map(|(x, y, radius_m)| disc(x, y, radius_m)),
        ]
    }

    proptest! {
        #[test]
        fn two_meet_if_a_point_is_in_both_and_only_where_their_bounds_do(a in region(), b in region()) {
            prop_assert_eq!(a.meets(&b), b.meets(&a));
            let points = (0..=120).flat_map(|x| (0..=120).map(move |y| Point2::new(f64::from(x), f64::from(y)) * 0.25));
            let is_common = points.map(|p| p - Vector2::new(12.0, 12.0)).any(|p| a.contains(p) && b.contains(p));
            prop_assert!(a.meets(&b) || !is_common, "{:?} and {:?} share a point", a, b);
            let [low, high] = a.bounds();
            let [other_low, other_high] = b.bounds();
            let is_over = low.x <= other_high.x && low.y <= other_high.y && other_low.x <= high.x && other_low.y <= high.y;
            prop_assert!(is_over || !a.meets(&b));
        }
    }
}
