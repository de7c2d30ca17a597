//! Critical lines: lines through two vertices, a hair aside, between hidden pairs that border visible ones.
//!
//! A free set of lines is bounded by lines through two vertices (of blockers, or rims of the volumes), so a hair
//! beside one of those lies a free line, if there is one wider than the hair. Heights are solved exactly.

use super::frontier::Frontier;
use super::kernel::{Grid, Marks};
use super::lines::Line;
use super::plane::{P2, apart, bounds, edges, hull};
use super::random::Random;
use super::scene::{Scene, Volume};
use super::upright::{Local, Segment, Span, Stance, Wedge, free_segment};
use super::{Hunt, Violation};
use rayon::prelude::*;
use std::time::Instant;

/// How far beside its two features a critical line runs, metres.
const ASIDE: f64 = 30e-6;
/// Plan clearance of the hunt: above the 1 µm that a free line must keep.
const CLEARANCE: f64 = 2e-6;
/// Critical lines tried for a pair at most; beyond it, a random share of them.
const LINES_PER_PAIR: u64 = 6_000;

/// A vertex (radius 0) or the disc round a cell's corner, that critical lines are tangent to.
#[derive(Clone, Copy)]
struct Feature {
    at: P2,
    radius: f64,
}

/// One pair's volumes and what can lie between them.
pub(crate) struct Field<'a> {
    eyes: Volume<'a>,
    bodies: Volume<'a>,
    locals: Vec<Local<'a>>,
    features: Vec<Feature>,
    /// Index in `locals` of the blocker that stopped the line before.
    last: usize,
}

impl<'a> Field<'a> {
    pub(crate) fn new(scene: &'a Scene, grid: &Grid, (a, b): (usize, usize), marks: &mut Marks) -> Self {
        Self::between(scene, grid, (scene.eyes(a), scene.bodies(b)), marks)
    }

    /// Between any two volumes.
    pub(crate) fn between(
        scene: &'a Scene,
        grid: &Grid,
        (eyes, bodies): (Volume<'a>, Volume<'a>),
        marks: &mut Marks,
    ) -> Self {
        let mut outer = eyes.outer();
        outer.extend(bodies.outer());
        let between = hull(outer);
        let (low, high) = bounds(&between);
        let (least, most) = (eyes.low.min(bodies.low), eyes.high.max(bodies.high));
        let mut locals = Vec::new();
        for id in grid.in_box(low, high, marks, scene.blockers.len()) {
            let blocker = &scene.blockers[id as usize];
            let meets = blocker.low <= most && blocker.high >= least;
            if meets && !apart(&between, &blocker.outline, 1e-4) {
                locals.push(Local { outline: &blocker.outline, low: blocker.low, high: blocker.high });
            }
        }
        let features = features(&locals, &between, eyes, bodies);
        Self { eyes, bodies, locals, features, last: 0 }
    }

    /// Tries critical lines until `limit` of them reached both volumes; a free segment, and the lines tried.
    pub(crate) fn hunt(&mut self, random: &mut Random, limit: u64) -> (Option<Segment>, u64) {
        let n = self.features.len();
        let all = (n * n.saturating_sub(1) / 2) as u64;
        let mut lines = 0;
        // Few enough: all of them. Else random ones, as many.
        let everything = all * 4 <= limit * 8;
        let tries = if everything { all } else { limit * 2 };
        let (mut i, mut j) = (0, 0);
        for _ in 0..tries {
            if everything {
                j += 1;
                if j >= n {
                    i += 1;
                    j = i + 1;
                }
            } else {
                (i, j) = (random.below(n), random.below(n));
            }
            if i >= n || j >= n || i == j {
                continue;
            }
            let (f, g) = (self.features[i], self.features[j]);
            for (d1, d2) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                let line = Line::beside(f.at, d1 * aside(f), g.at, d2 * aside(g));
                let Some((reached, found)) = line.map(|line| self.try_line(&line)) else { continue };
                lines += u64::from(reached);
                if found.is_some() {
                    return (found, lines);
                }
            }
            if lines >= limit {
                break;
            }
        }
        (None, lines)
    }

    /// Whether the line reaches both volumes, and a free segment on it.
    fn try_line(&mut self, line: &Line) -> (bool, Option<Segment>) {
        let Some(a) = line.within(self.eyes.region, self.eyes.reach) else { return (false, None) };
        let Some(b) = line.within(self.bodies.region, self.bodies.reach) else { return (false, None) };
        // A micrometre inside, so that rounding never leaves the volume.
        let (a, b) = ((a.0 + 1e-6, a.1 - 1e-6), (b.0 + 1e-6, b.1 - 1e-6));
        if a.0 >= a.1 || b.0 >= b.1 {
            return (false, None);
        }
        let wedge = Wedge::new(self.eyes, a, self.bodies, b);
        if wedge.is_some_and(|wedge| self.shut(line, wedge)) {
            return (true, None);
        }
        let crossings: Vec<(&Local, Span)> = self
            .locals
            .iter()
            .filter_map(|local| Some((local, line.crossing(local.outline, CLEARANCE)?)))
            .collect();
        (true, free_segment(line, (self.eyes, a), (self.bodies, b), &crossings))
    }

    /// Whether one blocker stops all of the wedge; remembers it.
    fn shut(&mut self, line: &Line, wedge: Wedge) -> bool {
        // The last blocker first: neighbours of a line are mostly stopped by the same one.
        let order = std::iter::once(self.last).chain(0..self.locals.len());
        for index in order {
            let Some(local) = self.locals.get(index) else { continue };
            let Some(crossed) = line.crossing(local.outline, CLEARANCE) else { continue };
            if wedge.stance(local, crossed) == Stance::Stops {
                self.last = index;
                return true;
            }
        }
        false
    }
}

/// Distance of a critical line from a feature: beside a vertex, inside a disc's rim.
fn aside(feature: Feature) -> f64 {
    if feature.radius > ASIDE { feature.radius - ASIDE } else { ASIDE }
}

fn features(locals: &[Local], between: &[P2], eyes: Volume, bodies: Volume) -> Vec<Feature> {
    let mut vertices: Vec<P2> = locals.iter().flat_map(|local| local.outline.iter().copied()).collect();
    for volume in [eyes, bodies] {
        for local in locals {
            // Where a wall leaves the volume, the ends of segments come free of it.
            vertices.extend(edges(local.outline).flat_map(|edge| rim_crossings(edge, volume)).flatten());
        }
    }
    vertices.retain(|&v| !apart(between, &[v], 1e-3));
    vertices.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    vertices.dedup();
    let vertices = vertices.into_iter().map(|at| Feature { at, radius: 0.0 });
    let rims = |volume: Volume| {
        let radius = volume.reach;
        volume.region.iter().map(move |&at| Feature { at, radius }).collect::<Vec<_>>()
    };
    vertices.chain(rims(eyes)).chain(rims(bodies)).collect()
}

/// Where an edge crosses the rim of a volume.
fn rim_crossings((p, q): (P2, P2), volume: Volume) -> [Option<P2>; 2] {
    let Some(line) = Line::beside(p, 0.0, q, 0.0) else { return [None; 2] };
    let Some((enter, leave)) = line.within(volume.region, volume.reach) else { return [None; 2] };
    let (from, to) = (line.place(p), line.place(q));
    [enter, leave].map(|t| (t > from.min(to) && t < from.max(to)).then(|| line.at(t)))
}

/// Hunts with about `lines` critical lines over random border pairs of the scene.
pub(crate) fn hunt(
    scene: &Scene,
    lines: u64,
    seed: u64,
    may_see: &(impl Fn(usize, usize) -> bool + Sync),
) -> Hunt {
    let start = Instant::now();
    let (grid, frontier) = (Grid::new(scene), Frontier::new(scene));
    let mut total = Hunt::default();
    let mut part = 0;
    // Rounds of a fixed number of pairs, so that what is tested does not depend on the threads.
    while total.lines < lines && part < 1_000_000 {
        let before = total.pairs;
        let round = (part..part + 256).into_par_iter().map(|index| {
            let mut random = Random::new(seed, index);
            let mut found = Hunt::default();
            let Some((a, b)) = frontier.hidden_pair(&mut random, may_see) else { return found };
            let mut marks = Marks::default();
            let (segment, lines) =
                Field::new(scene, &grid, (a, b), &mut marks).hunt(&mut random, LINES_PER_PAIR);
            (found.pairs, found.lines) = (1, lines);
            if let Some((from, to)) = segment
                && grid.surely_free(scene, (from, to), &mut marks)
            {
                found.catch(Violation { a, b, from, to });
            }
            found
        });
        total = total.join(round.reduce(Hunt::default, Hunt::join));
        part += 256;
        if total.pairs == before {
            break;
        }
    }
    total.seconds = start.elapsed().as_secs_f64();
    total
}
