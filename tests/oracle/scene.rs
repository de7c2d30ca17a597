//! What the judges see of a map: convex pieces that block sight, cells, and the body's measures.

use super::plane::{P2, bounds, distance, hull};
use super::random::Random;
use fogwall::Player;

/// A convex sight blocker: counter-clockwise outline, from `low` to `high`.
#[derive(Clone, Debug)]
pub(crate) struct Blocker {
    pub(crate) outline: Vec<P2>,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A cell: reachable centres in the plan, heights of standing feet, grid column.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) region: Vec<P2>,
    pub(crate) feet: (f64, f64),
    pub(crate) ceiling: f64,
    pub(crate) column: (i32, i32),
}

/// Where a point of one kind (an eye, a body point) can be: within `reach` of `region`, `low` to `high`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Volume<'a> {
    pub(crate) region: &'a [P2],
    pub(crate) reach: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Volume<'_> {
    /// Whether the point lies in the volume, give or take `slack` metres.
    pub(crate) fn holds(&self, p: [f64; 3], slack: f64) -> bool {
        distance(self.region, [p[0], p[1]]) <= self.reach + slack
            && p[2] >= self.low - slack
            && p[2] <= self.high + slack
    }

    /// A random point of the volume; one in four is pushed towards its rim.
    pub(crate) fn sample(&self, random: &mut Random) -> [f64; 3] {
        let z = match random.below(8) {
            0 => self.low,
            1 => self.high,
            _ => random.between(self.low, self.high),
        };
        let (low, high) = bounds(self.region);
        for _ in 0..32 {
            let p = [
                random.between(low[0] - self.reach, high[0] + self.reach),
                random.between(low[1] - self.reach, high[1] + self.reach),
            ];
            if distance(self.region, p) <= self.reach {
                return [p[0], p[1], z];
            }
        }
        let corner = self.region[random.below(self.region.len())];
        [corner[0], corner[1], z]
    }

    /// A convex outline in the plan that holds the whole volume.
    pub(crate) fn outer(&self) -> Vec<P2> {
        // Corners of the circumscribed octagon: what is culled with it cannot be touched.
        let r = self.reach * 1.083;
        let ring = (0..8).map(|i| {
            let angle = std::f64::consts::FRAC_PI_4 * (f64::from(i) + 0.5);
            [r * angle.cos(), r * angle.sin()]
        });
        let ring: Vec<P2> = ring.collect();
        hull(self.region.iter().flat_map(|v| ring.iter().map(|o| [v[0] + o[0], v[1] + o[1]])).collect())
    }
}

/// A map as the judges see it.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) blockers: Vec<Blocker>,
    pub(crate) places: Vec<Place>,
    pub(crate) player: Player,
}

impl Scene {
    /// Where the eye of a body in the cell can be.
    pub(crate) fn eyes(&self, cell: usize) -> Volume<'_> {
        let (place, player) = (&self.places[cell], &self.player);
        Volume {
            region: &place.region,
            reach: player.lean,
            low: place.feet.0 + player.eye_crouched.min(player.eye_standing),
            high: (place.feet.1 + player.jump + player.eye_standing.max(player.eye_crouched))
                .min(place.ceiling),
        }
    }

    /// Where a visible point of a body in the cell can be.
    pub(crate) fn bodies(&self, cell: usize) -> Volume<'_> {
        let (place, player) = (&self.places[cell], &self.player);
        Volume {
            region: &place.region,
            reach: player.sight_radius,
            low: place.feet.0,
            high: (place.feet.1 + player.jump + player.height).min(place.ceiling),
        }
    }

    /// The same scene with every blocker grown by `by` metres in the plan: a planted clearance error.
    pub(crate) fn grown(&self, by: f64) -> Self {
        let mut scene = self.clone();
        for blocker in &mut scene.blockers {
            let corners = [[by, by], [by, -by], [-by, by], [-by, -by]];
            blocker.outline = hull(
                blocker
                    .outline
                    .iter()
                    .flat_map(|v| corners.iter().map(move |c| [v[0] + c[0], v[1] + c[1]]))
                    .collect(),
            );
        }
        scene
    }
}
