//! What really was visible in matches, against the PVS and against segments between the map's own solids.

use crate::oracle::kernel::{Grid, Marks};
use crate::oracle::product::Level;
use fogwall::{Mask, Point3, Pvs};
use std::io::Read;
use std::path::Path;

/// What the two positions of a line of truth are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Positions {
    /// Two eyes.
    Eyes,
    /// Feet of the viewer and of the target.
    Feet,
}

/// Two players, and whether the one saw the other.
pub(crate) struct Sighting {
    from: [f64; 3],
    to: [f64; 3],
    visible: bool,
}

/// Counts both ways of one file.
#[derive(Default, Debug)]
pub(crate) struct Counts {
    pub(crate) visible: u64,
    pub(crate) visible_hidden_by_pvs: u64,
    pub(crate) visible_hidden_by_segments: u64,
    pub(crate) hidden: u64,
    pub(crate) hidden_by_pvs: u64,
    pub(crate) hidden_by_segments: u64,
    /// Visible in truth and hidden by the PVS, though some segment of the dense set is free.
    pub(crate) wrong: Vec<String>,
}

impl Counts {
    pub(crate) fn row(&self, file: &str) -> String {
        format!(
            "{file:<34} visible {:>6}: hidden by PVS {:>4}, by segments {:>4} | hidden {:>6}: by PVS {:>6} ({:.1} %), \
             by segments {:>6} ({:.1} %)",
            self.visible,
            self.visible_hidden_by_pvs,
            self.visible_hidden_by_segments,
            self.hidden,
            self.hidden_by_pvs,
            100.0 * self.hidden_by_pvs as f64 / self.hidden.max(1) as f64,
            self.hidden_by_segments,
            100.0 * self.hidden_by_segments as f64 / self.hidden.max(1) as f64,
        )
    }
}

/// Reads a file of truth: six coordinates after `skip` columns, then `visible` (always, in clean kills).
pub(crate) fn read(path: &Path, kills: bool) -> Vec<Sighting> {
    let bytes = std::fs::read(path).expect("the file of truth is there");
    let mut text = String::new();
    if path.extension().is_some_and(|e| e == "gz") {
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("it is gzip of text");
    } else {
        text = String::from_utf8(bytes).expect("it is text");
    }
    let line = |line: &str| {
        let field: Vec<f64> = line.split(',').map(|f| f.parse().expect("fields are numbers")).collect();
        Sighting {
            from: [field[3], field[4], field[5]],
            to: [field[6], field[7], field[8]],
            visible: kills || field[9] != 0.0,
        }
    };
    text.lines().skip(1).map(line).collect()
}

/// Compares every sighting.
pub(crate) fn compare(level: &Level, pvs: &Pvs, positions: Positions, sightings: &[Sighting]) -> Counts {
    let grid = Grid::new(&level.scene);
    let (mut counts, mut marks) = (Counts::default(), Marks::default());
    for sighting in sightings {
        let (eyes, bodies) = ends(level, positions, sighting, Density::Samples);
        let hidden_by_pvs = !may_see(level, pvs, &eyes, &bodies);
        let blocked = |eyes: &[Point3], bodies: &[Point3], marks: &mut Marks| {
            !eyes.iter().any(|e| bodies.iter().any(|b| free(level, &grid, (e, b), marks)))
        };
        let hidden_by_segments = blocked(&eyes, &bodies, &mut marks);
        let (all, pvs_count, segment_count) = if sighting.visible {
            (&mut counts.visible, &mut counts.visible_hidden_by_pvs, &mut counts.visible_hidden_by_segments)
        } else {
            (&mut counts.hidden, &mut counts.hidden_by_pvs, &mut counts.hidden_by_segments)
        };
        *all += 1;
        *pvs_count += u64::from(hidden_by_pvs);
        *segment_count += u64::from(hidden_by_segments);
        if sighting.visible && hidden_by_pvs {
            let (eyes, bodies) = ends(level, positions, sighting, Density::Dense);
            if !blocked(&eyes, &bodies, &mut marks) {
                counts.wrong.push(format!("{:?} sees {:?}", sighting.from, sighting.to));
            }
        }
    }
    counts
}

#[derive(Clone, Copy, PartialEq)]
enum Density {
    /// Two eye heights times centre and leans; 24 body samples.
    Samples,
    /// Many more of both.
    Dense,
}

/// Points round a centre: `rings` rings up to `radius`, `spokes` directions, and the centre itself.
fn around(center: [f64; 3], radius: f64, rings: u32, spokes: u32) -> Vec<Point3> {
    let mut points = vec![Point3::new(center[0], center[1], center[2])];
    for ring in 1..=rings {
        let far = radius * f64::from(ring) / f64::from(rings);
        // A hair inside the disc, so that rounding leaves the point a part of the cells that it belongs to.
        let far = (far - 1e-9).max(0.0);
        points.extend((0..spokes).map(|spoke| {
            let angle = std::f64::consts::TAU * f64::from(spoke) / f64::from(spokes);
            Point3::new(center[0] + far * angle.cos(), center[1] + far * angle.sin(), center[2])
        }));
    }
    points
}

/// The points that the viewer may look from and those of the target that may be seen.
fn ends(
    level: &Level,
    positions: Positions,
    sighting: &Sighting,
    density: Density,
) -> (Vec<Point3>, Vec<Point3>) {
    let player = level.map.player;
    let at = |p: [f64; 3], up: f64| [p[0], p[1], p[2] + up];
    let (rings, spokes) = if density == Density::Dense { (3, 12) } else { (1, 8) };
    // Feet of a target of whom the eye is known: standing.
    let feet = if positions == Positions::Eyes { at(sighting.to, -player.eye_standing) } else { sighting.to };
    let heights = match positions {
        Positions::Eyes => vec![0.0],
        Positions::Feet => vec![player.eye_standing, player.eye_crouched],
    };
    let eye_rings = if player.lean > 0.0 { rings } else { 0 };
    let eyes = heights
        .iter()
        .flat_map(|&up| around(at(sighting.from, up), player.lean, eye_rings, spokes / 2))
        .collect();
    let levels: &[f64] =
        if density == Density::Dense { &[0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0] } else { &[0.05, 0.5, 0.97] };
    let bodies = levels.iter().flat_map(|&share| {
        let ring = around(at(feet, share * player.height), player.sight_radius, rings, spokes);
        // Without the centre: eight at each of three heights.
        ring.into_iter().skip(usize::from(density == Density::Samples)).collect::<Vec<_>>()
    });
    let mut bodies: Vec<Point3> = bodies.collect();
    if positions == Positions::Eyes {
        bodies.push(Point3::new(sighting.to[0], sighting.to[1], sighting.to[2]));
    }
    (eyes, bodies)
}

/// Free by the judges' kernel at the clearance, or from inside a solid, where the rule is that all is seen.
fn free(level: &Level, grid: &Grid, (from, to): (&Point3, &Point3), marks: &mut Marks) -> bool {
    let segment = ([from.x, from.y, from.z], [to.x, to.y, to.z]);
    let touch = crate::oracle::kernel::Touch::Passes;
    level.solids.holds(*from, Mask::Sight)
        || grid.stopper(&level.scene, segment, 1e-6, touch, marks).is_none()
}

/// The PVS over all cells that the points can belong to; a point off the cells may see and be seen.
fn may_see(level: &Level, pvs: &Pvs, eyes: &[Point3], bodies: &[Point3]) -> bool {
    let (mut viewers, mut targets) = (Vec::new(), Vec::new());
    for &eye in eyes {
        let before = viewers.len();
        level.cells.for_each_eye_cell(eye, |id| viewers.push(id));
        if viewers.len() == before || level.solids.holds(eye, Mask::Sight) {
            return true;
        }
    }
    for &body in bodies {
        let before = targets.len();
        level.cells.for_each_body_cell(body, |id| targets.push(id));
        if targets.len() == before {
            return true;
        }
    }
    viewers.sort();
    viewers.dedup();
    targets.sort();
    targets.dedup();
    viewers.iter().any(|&a| targets.iter().any(|&b| pvs.may_see(a, b)))
}
