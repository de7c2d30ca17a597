//! What a standing eye sees: the region of the plan where some height of a standing body's axis is in free sight.
//!
//! Owns a sweep of rays around the eye. Promises: along each ray the answer is exact to a centimetre, for every
//! storey; rays pass both sides of every corner. For pictures only: it neither leans nor jumps, doors are open.

use super::floors::Floors;
use fogwall::{Cells, Map, Piece, Point2, Point3, Solids, Vector2, ZRange};

/// Rays that are cast in any case, besides those at corners.
const ROUND_RAYS: u32 = 1080;
/// Between two looks along a ray, m; the edges between are then bisected.
const STEP_M: f64 = 0.12;
/// How far beside a corner its two rays pass, radians.
const BESIDE_RAD: f64 = 1e-5;

/// A stretch of a ray, distances from the eye in m.
type Stretch = (f64, f64);

/// A sweep around one eye.
pub(super) struct Sweep<'a> {
    pub(super) map: &'a Map,
    pub(super) solids: &'a Solids,
    pub(super) cells: &'a Cells,
    pub(super) floors: &'a Floors,
    pub(super) eye: Point3,
}

/// Where a ray passes a piece.
struct Crossing {
    from: f64,
    to: f64,
    z: ZRange,
}

impl Sweep<'_> {
    /// The visible region as rings, each turning counter-clockwise.
    pub(super) fn region(&self) -> Vec<Vec<Point2>> {
        let reach = self.reach_m();
        let mut rays: Vec<(f64, Vec<Stretch>)> =
            self.angles().into_iter().map(|angle| (angle, self.look(angle, reach))).collect();
        // The last ray once more before the first: the sweep closes.
        if let Some((angle, stretches)) = rays.first().cloned() {
            rays.push((angle + std::f64::consts::TAU, stretches));
        }
        strips(&rays).into_iter().map(|strip| self.ring(&strip)).collect()
    }

    fn reach_m(&self) -> f64 {
        let corners = self.floors.triangles.iter().flat_map(|t| t.corners);
        corners.map(|p| (p.xy() - self.eye.xy()).norm()).fold(0.0, f64::max)
    }

    fn angles(&self) -> Vec<f64> {
        let mut angles: Vec<f64> = (0..ROUND_RAYS)
            .map(|k| (f64::from(k) / f64::from(ROUND_RAYS) - 0.5) * std::f64::consts::TAU)
            .collect();
        for piece in self.sight_pieces() {
            for corner in piece.outline.vertices() {
                let d = corner - self.eye.xy();
                if d.norm() > 1e-6 {
                    let angle = d.y.atan2(d.x);
                    angles.extend([angle - BESIDE_RAD, angle + BESIDE_RAD]);
                }
            }
        }
        angles.sort_by(f64::total_cmp);
        angles.dedup_by(|a, b| *a - *b < 1e-7);
        angles
    }

    fn sight_pieces(&self) -> impl Iterator<Item = &Piece> {
        self.solids.pieces().iter().filter(|p| p.blocks.sight)
    }

    /// The visible stretches along one ray.
    fn look(&self, angle: f64, reach: f64) -> Vec<Stretch> {
        let direction = Vector2::new(angle.cos(), angle.sin());
        let crossings = self.crossings(direction);
        let is_seen = |r: f64| self.is_seen(direction, r, &crossings);
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut start = None;
        let steps = (reach / STEP_M).ceil().min(20_000.0) as u32 + 1;
        for k in 1..=steps {
            let r = f64::from(k) * STEP_M;
            let seen = is_seen(r);
            match (start, seen) {
                (None, true) => start = Some(flip(&is_seen, r - STEP_M, r)),
                (Some(from), false) => {
                    stretches.push((from, flip(&is_seen, r - STEP_M, r)));
                    start = None;
                }
                _ => {}
            }
        }
        stretches.extend(start.map(|from| (from, f64::from(steps) * STEP_M)));
        stretches
    }

    /// What the ray in this direction passes, the nearest first.
    fn crossings(&self, direction: Vector2) -> Vec<Crossing> {
        let mut crossings: Vec<Crossing> = self
            .sight_pieces()
            .filter_map(|piece| crossing(piece, self.eye.xy(), direction))
            // An eye inside a solid sees: the solid around it hides nothing.
            .filter(|c| c.from > 0.0 || !c.z.contains(self.eye.z))
            .collect();
        crossings.sort_by(|a, b| a.from.total_cmp(&b.from));
        crossings
    }

    /// Whether a body standing at distance `r` shows some of its axis; none stands off the cells, which keep a
    /// body's radius off walls.
    fn is_seen(&self, direction: Vector2, r: f64, crossings: &[Crossing]) -> bool {
        let p = self.eye.xy() + direction * r;
        let stands = |z: f64| self.cells.cell_at(Point3::new(p.x, p.y, z)).is_some();
        let mut seen = false;
        self.floors.at(p, |z, _| {
            seen = seen || (!is_inside(z, r, crossings) && self.sees_axis(z, r, crossings) && stands(z));
        });
        seen
    }

    fn sees_axis(&self, feet: f64, r: f64, crossings: &[Crossing]) -> bool {
        let slope = |z: f64| (z - self.eye.z) / r;
        let (low, high) = (slope(feet), slope(feet + self.map.player.height));
        let mut blocked: Vec<(f64, f64)> = Vec::new();
        for crossing in crossings.iter().take_while(|c| c.from < r) {
            let (from, to) = (crossing.from.max(1e-9), crossing.to.min(r));
            let (down, up) = (crossing.z.low - self.eye.z, crossing.z.high - self.eye.z);
            let shade = ((down / from).min(down / to), (up / from).max(up / to));
            if shade.0 < high && low < shade.1 {
                blocked.push(shade);
            }
        }
        blocked.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut clear = low;
        for (from, to) in blocked {
            // Touching shades leave no slit that anybody could look through.
            if from > clear + 1e-9 {
                return true;
            }
            clear = clear.max(to);
        }
        clear < high
    }

    fn ring(&self, strip: &[(f64, Stretch)]) -> Vec<Point2> {
        let at = |angle: f64, r: f64| self.eye.xy() + Vector2::new(angle.cos(), angle.sin()) * r;
        let far = strip.iter().map(|&(angle, (_, to))| at(angle, to));
        let near = strip.iter().rev().map(|&(angle, (from, _))| at(angle, from));
        far.chain(near).collect()
    }
}

/// Nobody stands inside a solid.
fn is_inside(feet: f64, r: f64, crossings: &[Crossing]) -> bool {
    let knee = feet + 0.5;
    crossings.iter().any(|c| c.from < r && r < c.to && c.z.low < knee && knee < c.z.high)
}

/// Where between two distances the answer changes, to a few millimetres.
fn flip(is_seen: &impl Fn(f64) -> bool, mut a: f64, mut b: f64) -> f64 {
    let after = is_seen(b);
    for _ in 0..5 {
        let middle = 0.5 * (a + b);
        if is_seen(middle) == after { b = middle } else { a = middle }
    }
    0.5 * (a + b)
}

fn crossing(piece: &Piece, eye: Point2, direction: Vector2) -> Option<Crossing> {
    let (mut from, mut to) = (0.0_f64, f64::INFINITY);
    for (a, b) in piece.outline.edges() {
        let outward = Vector2::new(b.y - a.y, a.x - b.x);
        let (distance, speed) = (outward.dot(&(a - eye)), outward.dot(&direction));
        if speed < 0.0 {
            from = from.max(distance / speed);
        } else if speed > 0.0 {
            to = to.min(distance / speed);
        } else if distance < 0.0 {
            return None;
        }
    }
    (to - from > 1e-9).then_some(Crossing { from, to, z: piece.z })
}

/// Joins the stretches of neighbouring rays into strips: runs of rays with like stretches become smooth edges,
/// and where they change, both sides end half-way between the two rays.
fn strips(rays: &[(f64, Vec<Stretch>)]) -> Vec<Vec<(f64, Stretch)>> {
    let mut done = Vec::new();
    let mut open: Vec<Vec<(f64, Stretch)>> = Vec::new();
    let mut before: Option<&(f64, Vec<Stretch>)> = None;
    for ray in rays {
        let (angle, stretches) = ray;
        let joins = before.is_some_and(|(_, last)| are_alike(last, stretches));
        if joins {
            for (strip, stretch) in open.iter_mut().zip(stretches) {
                strip.push((*angle, *stretch));
            }
        } else {
            let middle = before.map_or(*angle, |(last, _)| 0.5 * (last + angle));
            close(&mut open, middle, &mut done);
            open = stretches.iter().map(|s| vec![(middle, *s), (*angle, *s)]).collect();
        }
        before = Some(ray);
    }
    done.append(&mut open);
    done
}

fn close(open: &mut Vec<Vec<(f64, Stretch)>>, angle: f64, done: &mut Vec<Vec<(f64, Stretch)>>) {
    for mut strip in open.drain(..) {
        if let Some(&(_, stretch)) = strip.last() {
            strip.push((angle, stretch));
        }
        done.push(strip);
    }
}

fn are_alike(a: &[Stretch], b: &[Stretch]) -> bool {
    let close = |x: f64, y: f64| (x - y).abs() < 0.25 + 0.02 * x.min(y);
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a.0, b.0) && close(a.1, b.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::render::cellwise::Row;
    use crate::cli::render::scene::Scene;
    use crate::cli::render::storeys::is_inside as in_ring;
    use crate::cli::render::tests::tiny_map;

    fn region(map: &Map, eye: Point3) -> Vec<Vec<Point2>> {
        let (solids, floors) = (Solids::build(map), Floors::new(map));
        let cells = Cells::build(map, &solids).unwrap();
        Sweep { map, solids: &solids, cells: &cells, floors: &floors, eye }.region()
    }

    fn sees(eye: Point3, places: &[(f64, f64)]) -> Vec<bool> {
        let map = tiny_map();
        let region = region(&map, eye);
        let within = |&(x, y): &(f64, f64)| region.iter().any(|ring| in_ring(ring, Point2::new(x, y)));
        places.iter().map(within).collect()
    }

    #[test]
    fn a_pillar_hides_what_is_behind_it_and_a_low_wall_does_not() {
        let eye = Point3::new(0.0, -3.0, 1.6);
        assert_eq!(
            sees(eye, &[(2.0, -3.0), (6.0, -3.0), (6.0, -1.0), (-7.0, -2.8)]),
            [true, false, true, true]
        );
    }

    #[test]
    fn glass_and_open_doors_are_seen_through_and_the_shed_has_no_other_walls() {
        assert_eq!(sees(Point3::new(-2.0, -1.0, 1.6), &[(-2.0, 3.5), (0.0, 3.0)]), [true, true]);
    }

    #[test]
    fn an_eye_close_under_the_slab_sees_no_floor_above_but_the_yard_around() {
        let eye = Point3::new(5.0, 2.5, 1.6);
        assert_eq!(sees(eye, &[(5.0, 3.0), (0.0, -4.0), (20.0, 2.5)]), [true, true, false]);
    }

    #[test]
    fn the_region_agrees_with_the_segment_query_at_many_points() {
        let map = tiny_map();
        let (solids, floors) = (Solids::build(&map), Floors::new(&map));
        let cells = Cells::build(&map, &solids).unwrap();
        let eye = Point3::new(-4.5, -0.7, 1.6);
        let region = region(&map, eye);
        let mut differing = 0;
        for k in 0..400_u32 {
            let p =
                Point2::new(-7.9 + 15.8 * f64::from(k % 20) / 20.0, -4.9 + 9.8 * f64::from(k / 20) / 20.0);
            let mut free = false;
            floors.at(p, |z, _| {
                let stands = !solids.holds(Point3::new(p.x, p.y, z + 0.5), fogwall::Mask::Sight)
                    && cells.cell_at(Point3::new(p.x, p.y, z)).is_some();
                free |= stands
                    && (0..=18).any(|i| {
                        let target = Point3::new(p.x, p.y, z + 0.1 * f64::from(i));
                        solids.blocker(eye, target, fogwall::Mask::Sight, None).is_none()
                    });
            });
            differing += u32::from(free != region.iter().any(|ring| in_ring(ring, p)));
        }
        assert!(differing <= 4, "{differing} of 400 points differ");
    }

    #[test]
    fn what_is_seen_lies_on_cells_of_the_row() {
        let map = tiny_map();
        let solids = Solids::build(&map);
        let cells = Cells::build(&map, &solids).unwrap();
        let options = fogwall::BakeOptions::default();
        let pvs = fogwall::bake(&map.player, map.cell_size, &solids, &cells, options, &fogwall::Quiet).ok();
        let scene = Scene { map, solids, cells, pvs };
        let mut seen = 0;
        for eye in [Point3::new(-4.5, -0.7, 1.6), Point3::new(0.0, -3.0, 1.6), Point3::new(5.0, 2.5, 4.6)] {
            let row = Row::of(&scene, eye).unwrap();
            let floors = Floors::new(&scene.map);
            let sweep =
                Sweep { map: &scene.map, solids: &scene.solids, cells: &scene.cells, floors: &floors, eye };
            for k in 0..1600_u32 {
                let to = Point2::new(-7.9 + 0.395 * f64::from(k % 40), -4.9 + 0.245 * f64::from(k / 40))
                    - eye.xy();
                let (direction, r) = (to / to.norm(), to.norm());
                let crossings = sweep.crossings(direction);
                floors.at(eye.xy() + to, |z, _| {
                    let p = eye.xy() + to;
                    if let Some(cell) = scene.cells.cell_at(Point3::new(p.x, p.y, z))
                        && !is_inside(z, r, &crossings)
                        && sweep.sees_axis(z, r, &crossings)
                    {
                        seen += 1;
                        let is_in = row.may_see.contains(&cell) || row.unresolved.contains(&cell);
                        assert!(is_in, "{eye} sees {p} on {z}, which is not in its row");
                    }
                });
            }
        }
        assert!(seen > 1000, "{seen}");
    }
}
