//! Random play: bodies wander over the cells, and whoever the product's own rays show must be in the PVS.
//!
//! This judge uses the product's rays and look-ups on purpose: the two answers must agree with each other.

use crate::oracle::plane::P2;
use crate::oracle::product::Level;
use crate::oracle::random::Random;
use crate::oracle::{Hunt, Violation};
use fogwall::{CellId, Mask, Point3, Pvs};
use rayon::prelude::*;
use std::time::Instant;

/// Bodies of one match, and ticks it lasts.
const BODIES: usize = 10;
const TICKS: usize = 40;

/// A wandering body: feet in the plan, height of the floor, and of a jump over it.
struct Body {
    at: P2,
    floor: f64,
    jump: f64,
    heading: f64,
}

/// Plays until about `rays` rays were cast.
pub(crate) fn hunt(level: &Level, pvs: &Pvs, rays: u64, seed: u64) -> Hunt {
    let start = Instant::now();
    let per_match = (BODIES * (BODIES - 1) * TICKS) as u64;
    let matches = (0..rays.div_ceil(per_match)).into_par_iter().map(|part| {
        let mut random = Random::new(seed, part);
        let mut found = Hunt::default();
        let mut bodies: Vec<Body> = (0..BODIES).map(|_| born(level, &mut random)).collect();
        for _ in 0..TICKS {
            for body in &mut bodies {
                step(level, body, &mut random);
            }
            look(level, pvs, &bodies, &mut random, &mut found);
        }
        found
    });
    let mut total = matches.reduce(Hunt::default, Hunt::join);
    total.seconds = start.elapsed().as_secs_f64();
    total
}

fn born(level: &Level, random: &mut Random) -> Body {
    let place = &level.scene.places[random.below(level.scene.places.len())];
    let corner = place.region[random.below(place.region.len())];
    let heading = random.between(0.0, std::f64::consts::TAU);
    Body { at: corner, floor: place.feet.0, jump: 0.0, heading }
}

/// Half a metre on along the heading, if there is a cell; else another heading.
fn step(level: &Level, body: &mut Body, random: &mut Random) {
    body.heading += random.between(-0.4, 0.4);
    let to = [body.at[0] + 0.5 * body.heading.cos(), body.at[1] + 0.5 * body.heading.sin()];
    match level.cells.cell_at(Point3::new(to[0], to[1], body.floor + level.map.player.step)) {
        None => body.heading = random.between(0.0, std::f64::consts::TAU),
        Some(id) => {
            let feet = level.cells.get(id).feet;
            (body.at, body.floor) = (to, random.between(feet.low, feet.high));
        }
    }
    body.jump = if random.below(3) == 0 { random.between(0.0, level.map.player.jump) } else { 0.0 };
}

/// One ray from each body to each other, over the reach of eyes and bodies.
fn look(level: &Level, pvs: &Pvs, bodies: &[Body], random: &mut Random, found: &mut Hunt) {
    let player = level.map.player;
    let (crouched, standing) =
        (player.eye_crouched.min(player.eye_standing), player.eye_standing.max(player.eye_crouched));
    let mut point = |body: &Body, reach: f64, low: f64, high: f64| {
        let (angle, far) = (random.between(0.0, std::f64::consts::TAU), reach * random.unit());
        let z = body.floor + body.jump + random.between(low, high);
        Point3::new(body.at[0] + far * angle.cos(), body.at[1] + far * angle.sin(), z)
    };
    for (i, viewer) in bodies.iter().enumerate() {
        for target in bodies.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, body)| body) {
            let from = point(viewer, player.lean, crouched, standing);
            let to = point(target, player.sight_radius, 0.0, player.height);
            found.lines += 1;
            // An eye inside a solid sees everything by rule; the PVS says nothing of it.
            let inside = level.solids.holds(from, Mask::Sight) || level.solids.holds(to, Mask::Sight);
            if inside || level.solids.blocker(from, to, Mask::Sight, None).is_some() {
                continue;
            }
            found.pairs += 1;
            level.cells.for_each_eye_cell(from, |a| {
                level.cells.for_each_body_cell(to, |b| note(pvs, (a, b), (from, to), found));
            });
        }
    }
}

fn note(pvs: &Pvs, (a, b): (CellId, CellId), (from, to): (Point3, Point3), found: &mut Hunt) {
    if !pvs.may_see(a, b) {
        let plain = |p: Point3| [p.x, p.y, p.z];
        found.catch(Violation { a: a.0 as usize, b: b.0 as usize, from: plain(from), to: plain(to) });
    }
}
