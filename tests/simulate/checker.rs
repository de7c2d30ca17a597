//! A second opinion on motions: from the map's own shapes and the recorded numbers alone.

use fogwall::{EntityLine, Floor, Footprint, Map, Point2, Point3, Solid, StanceName, TickLine, Vector2};
use std::collections::BTreeMap;

/// Recorded places are rounded to this, metres, with a little for sums.
const ROUNDED_M: f64 = 1.1e-3;
/// A floor may be this far off a rounded place, metres.
const FLOOR_M: f64 = 4e-3;

/// What carries a body.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Support {
    Floor,
    /// An edge within its radius.
    Ledge,
    Air,
}

struct Was {
    line: EntityLine,
    support: Support,
    stance_since: u32,
}

/// Checks a match line by line.
pub(crate) struct Checker<'a> {
    map: &'a Map,
    tick_s: f64,
    open: BTreeMap<String, bool>,
    was: BTreeMap<u32, Was>,
    pub(crate) faults: Vec<String>,
    pub(crate) checked: u64,
    pub(crate) airborne: u64,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(map: &'a Map, tick_hz: f64) -> Self {
        Self {
            map,
            tick_s: 1.0 / tick_hz,
            open: BTreeMap::new(),
            was: BTreeMap::new(),
            faults: Vec::new(),
            checked: 0,
            airborne: 0,
        }
    }

    pub(crate) fn take(&mut self, tick: &TickLine) {
        for door in &tick.doors {
            self.open.insert(door.id.clone(), door.open);
        }
        for line in tick.entities.iter().filter(|line| line.class == "player") {
            self.check(tick.tick, line);
        }
    }

    fn check(&mut self, tick: u32, line: &EntityLine) {
        let feet = Point3::from(line.pos);
        let support = self.support(feet);
        let before = self.was.remove(&line.id).filter(|_| !line.teleported);
        let mut faults = self.place_faults(line);
        faults.extend(self.speed_faults(line));
        let mut stance_since = tick;
        if let Some(was) = &before {
            faults.extend(self.motion_faults(was, line, support));
            if was.line.stance == line.stance {
                stance_since = was.stance_since;
            } else if was.line.stance == StanceName::Crouched
                && f64::from(tick - was.stance_since) * self.tick_s < self.map.player.crouch_time - 1e-9
            {
                faults.push("rises before it can have crouched".to_owned());
            }
        }
        let told = faults.into_iter().map(|fault| format!("tick {tick}, {}: {fault}: {line:?}", line.id));
        self.faults.extend(told);
        self.checked += 1;
        self.airborne += u64::from(support == Support::Air);
        self.was.insert(line.id, Was { line: line.clone(), support, stance_since });
    }

    fn speed_faults(&self, line: &EntityLine) -> Option<String> {
        let speed = Vector2::new(line.vel[0], line.vel[1]).norm();
        (speed > self.map.player.max_speed).then(|| format!("speed {speed}"))
    }

    /// Nothing that stops bodies holds the centre, nor comes nearer than the radius at the height of the body.
    fn place_faults(&self, line: &EntityLine) -> Vec<String> {
        let (p, z) = (Point2::new(line.pos[0], line.pos[1]), line.pos[2]);
        let player = &self.map.player;
        let closed = |door: &&Solid| !self.open.get(&door.id).copied().unwrap_or(false);
        let solids = self.map.solids.iter().chain(self.map.doors.iter().filter(closed));
        let mut faults = Vec::new();
        for solid in solids.filter(|solid| solid.blocks.movement) {
            let overlaps = |from: f64| solid.z.low < z + player.eye_crouched && solid.z.high > from;
            let distance = distance(&solid.footprint, p);
            if overlaps(z + 5e-3) && distance < 0.0 {
                faults.push(format!("its centre is {} m inside {}", -distance, solid.id));
            }
            // What can be stepped onto may be nearer.
            if overlaps(z + player.step + 5e-3) && distance < player.radius {
                faults.push(format!("it is {distance} m from {}", solid.id));
            }
        }
        faults
    }

    fn motion_faults(&self, was: &Was, line: &EntityLine, support: Support) -> Vec<String> {
        let player = &self.map.player;
        let mut faults = Vec::new();
        let change = Vector2::new(line.vel[0] - was.line.vel[0], line.vel[1] - was.line.vel[1]).norm();
        if change > player.max_accel * self.tick_s {
            faults.push(format!("velocity changed by {change}"));
        }
        let off = |axis: usize| line.pos[axis] - was.line.pos[axis] - was.line.vel[axis] * self.tick_s;
        if off(0).abs() > ROUNDED_M || off(1).abs() > ROUNDED_M {
            faults.push(format!("came {}, {} off its velocity", off(0), off(1)));
        }
        let stands = |support: Support| support != Support::Air;
        let steps = stands(was.support) && stands(support) && was.line.vel[2] == 0.0;
        if off(2).abs() > if steps { player.step + FLOOR_M } else { ROUNDED_M } {
            faults.push(format!("rose {} off its velocity", off(2)));
        }
        let is_off = support != Support::Floor;
        if (is_off || was.support != Support::Floor) && was.line.vel[2] > player.jump_speed {
            faults.push(format!("left the ground at {} m/s", was.line.vel[2]));
        }
        let hovers = |line: &EntityLine, support| support == Support::Ledge && line.vel[2] == 0.0;
        let is_free = is_off && was.support != Support::Floor && !hovers(line, support);
        // A tick that ends on the ground is shortened by it, and a fall begins in the middle of one.
        if is_free && !hovers(&was.line, was.support) && self.support(self.next(line)) != Support::Floor {
            let fell = line.vel[2] - was.line.vel[2] + player.gravity * self.tick_s;
            if fell.abs() > 2.1e-3 {
                faults.push(format!("no free fall: {fell} m/s too fast"));
            }
        }
        faults
    }

    /// Where its velocity leads.
    fn next(&self, line: &EntityLine) -> Point3 {
        let along = |axis: usize| line.pos[axis] + line.vel[axis] * self.tick_s;
        Point3::new(along(0), along(1), along(2))
    }

    fn support(&self, feet: Point3) -> Support {
        let player = &self.map.player;
        let height_off = |floor: &Floor, p: Point2| {
            let (low, high) = heights(floor, p);
            (low - feet.z).max(feet.z - high).max(0.0)
        };
        let holds = |floor: &&Floor| floor_distance(floor, feet.xy()).0 < 1e-3;
        if self.map.floors.iter().filter(holds).any(|floor| height_off(floor, feet.xy()) < FLOOR_M) {
            return Support::Floor;
        }
        let carries = |floor: &Floor| {
            let (distance, nearest) = floor_distance(floor, feet.xy());
            let (low, high) = heights(floor, nearest);
            (1e-3..player.radius + 0.01).contains(&distance)
                && low - FLOOR_M <= feet.z + player.step
                && feet.z <= high + 0.5 * player.step + FLOOR_M
        };
        if self.map.floors.iter().any(carries) { Support::Ledge } else { Support::Air }
    }
}

/// The heights that a floor may have at a point: one, if it is planar.
fn heights(floor: &Floor, p: Point2) -> (f64, f64) {
    let a = floor.outline[0];
    let n = floor.outline.len();
    let widest = (1..n - 1)
        .max_by(|i, j| {
            let area = |i: usize| (floor.outline[i] - a).xy().perp(&(floor.outline[i + 1] - a).xy()).abs();
            area(*i).total_cmp(&area(*j))
        })
        .unwrap();
    let (d, e) = (floor.outline[widest] - a, floor.outline[widest + 1] - a);
    let twice = d.xy().perp(&e.xy());
    let slope = Vector2::new(d.z * e.y - e.z * d.y, e.z * d.x - d.z * e.x) / twice;
    let plane = |q: Point2| a.z + slope.dot(&(q - a.xy()));
    let corners = || floor.outline.iter().chain(floor.holes.iter().flatten());
    if corners().all(|c| (plane(c.xy()) - c.z).abs() < 1e-3) {
        return (plane(p), plane(p));
    }
    let all = corners().map(|c| c.z);
    (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max))
}

/// Distance of a point to a floor in the plan, and its nearest point.
fn floor_distance(floor: &Floor, p: Point2) -> (f64, Point2) {
    let plan = |ring: &[Point3]| ring.iter().map(|c| c.xy()).collect::<Vec<_>>();
    let rings: Vec<Vec<Point2>> =
        std::iter::once(plan(&floor.outline)).chain(floor.holes.iter().map(|hole| plan(hole))).collect();
    let inside = holds(&rings[0], p) && !rings[1..].iter().any(|hole| holds(hole, p));
    if inside {
        return (0.0, p);
    }
    let nearest = rings.iter().map(|ring| nearest_on(ring, p));
    let nearest = nearest.min_by(|a, b| (a - p).norm().total_cmp(&(b - p).norm())).unwrap();
    ((nearest - p).norm(), nearest)
}

/// Distance to a footprint; below 0 inside.
fn distance(footprint: &Footprint, p: Point2) -> f64 {
    match footprint {
        Footprint::Circle { center, radius } => (p - center).norm() - radius,
        Footprint::Polygon { outline, holes } => {
            let rings = std::iter::once(outline).chain(holes);
            let off = rings.map(|ring| (nearest_on(ring, p) - p).norm()).fold(f64::INFINITY, f64::min);
            let inside = holds(outline, p) && !holes.iter().any(|hole| holds(hole, p));
            if inside { -off } else { off }
        }
    }
}

fn nearest_on(ring: &[Point2], p: Point2) -> Point2 {
    let on_edge = |i: usize| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        let way = b - a;
        a + way * ((p - a).dot(&way) / way.norm_squared().max(1e-18)).clamp(0.0, 1.0)
    };
    let points = (0..ring.len()).map(on_edge);
    points.min_by(|a, b| (a - p).norm().total_cmp(&(b - p).norm())).unwrap()
}

/// Whether an odd number of edges lies right of the point.
fn holds(ring: &[Point2], p: Point2) -> bool {
    let crossed = (0..ring.len()).filter(|&i| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y)
    });
    crossed.count() % 2 == 1
}

#[test]
fn the_checker_finds_what_breaks_limits() {
    let map = Map::load(crate::map_path("door")).unwrap().map;
    let player = |pos: [f64; 3], vel: [f64; 3]| EntityLine {
        class: "player".to_owned(),
        pos,
        vel,
        alive: true,
        ..EntityLine::default()
    };
    let faults = |lines: &[EntityLine]| {
        let mut checker = Checker::new(&map, 100.0);
        for (tick, line) in lines.iter().enumerate() {
            let entities = vec![line.clone()];
            checker.take(&TickLine { tick: tick as u32, entities, ..TickLine::default() });
        }
        checker.faults
    };
    let found = |lines: &[EntityLine], what: &str| {
        let faults = faults(lines);
        assert!(faults.iter().any(|fault| fault.contains(what)), "no {what} in {faults:?}");
    };
    let rest = player([2.0, 6.0, 0.0], [0.0; 3]);
    assert_eq!(faults(&[rest.clone(), rest.clone()]), Vec::<String>::new());
    found(&[player([2.0, 6.0, 0.0], [8.31, 0.0, 0.0])], "speed");
    found(&[rest.clone(), player([2.0, 6.0, 0.0], [0.6, 0.0, 0.0])], "velocity changed");
    found(&[rest.clone(), player([2.01, 6.0, 0.0], [0.0; 3])], "off its velocity");
    found(&[player([2.0, 6.0, 1.0], [0.0; 3]), player([2.0, 6.0, 1.0], [0.0; 3])], "no free fall");
    found(
        &[player([2.0, 6.0, 0.0], [0.0, 0.0, 8.0]), player([2.0, 6.0, 0.08], [0.0, 0.0, 7.8])],
        "left the ground",
    );
    found(&[player([6.0, 2.0, 0.0], [0.0; 3])], "inside south");
    found(&[player([5.6, 6.0, 0.0], [0.0; 3])], "m from door");
    found(&[rest, player([2.0, 6.0, 0.3], [0.0; 3])], "rose");
}
