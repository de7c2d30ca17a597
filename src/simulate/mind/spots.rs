//! Places that matter to somebody who is watched: corners, low cover, walls to look over in a jump.
//!
//! Owns the search by sight lines. Promises: what is found was walked to and looked at, as things are now.
//! Must not know what is done there.

use crate::geom::{Point3, Vector2, Vector3};
use crate::simulate::dice::Dice;
use crate::simulate::nav::Way;
use crate::simulate::scene::Scene;
use crate::simulate::space::Near;

/// How far corners and cover are looked for, metres.
const REACH_M: f64 = 5.0;
/// How far low cover, walls and ledges are, metres.
const FAR_REACH_M: f64 = 9.0;

/// A corner: hidden here, seen there, straight ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// Where the run begins.
    pub(super) start: Point3,
    /// Where one is seen.
    pub(super) out: Point3,
}

/// What a place shows to an eye.
struct Looked {
    at: Point3,
    id: u32,
    exposed: bool,
}

fn around(scene: &Scene<'_>, feet: Point3, reach_m: f64) -> Vec<u32> {
    let mut close = scene.nav.near(feet.xy(), reach_m);
    close.retain(|id| (scene.nav.places[*id as usize].z - feet.z).abs() < 1.0);
    let distance = |id: &u32| (scene.nav.places[*id as usize] - feet).norm();
    close.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
    close
}

fn look_around(scene: &Scene<'_>, feet: Point3, eye: Point3) -> Vec<Looked> {
    let close = around(scene, feet, REACH_M);
    let look = |id: u32| {
        let at = scene.nav.places[id as usize];
        Looked { at, id, exposed: scene.is_exposed(at, eye) }
    };
    close.into_iter().map(look).collect()
}

/// A corner close by, round which the eye looks.
pub(super) fn corner(
    scene: &Scene<'_>,
    near: &mut Near,
    feet: Point3,
    eye: Point3,
    dice: &mut Dice,
) -> Option<Corner> {
    /// Hidden places that are tried.
    const TRIES: usize = 20;
    let looked = look_around(scene, feet, eye);
    let exposed: Vec<&Looked> = looked.iter().filter(|place| place.exposed).collect();
    if exposed.is_empty() {
        return None;
    }
    let height = scene.space.player.height;
    let mut touch = scene.space.touch(near, scene.open);
    for hidden in looked.iter().filter(|place| !place.exposed).take(TRIES) {
        let in_reach = |place: &&&Looked| (0.6..2.4).contains(&(place.at - hidden.at).xy().norm());
        let outs: Vec<&&Looked> = exposed.iter().filter(in_reach).collect();
        if outs.is_empty() {
            continue;
        }
        let out = outs[dice.below(outs.len())].at;
        if !touch.reaches(hidden.at, out, height) {
            continue;
        }
        // A run-up, as long as there is room that is hidden.
        let back = (hidden.at - out).xy().normalize();
        for run_m in [1.2, 0.8, 0.4] {
            let p = hidden.at.xy() + back * run_m;
            let Some((z, _)) = touch.floor_under(p, hidden.at.z + scene.space.player.step) else { continue };
            let start = Point3::new(p.x, p.y, z);
            if touch.reaches(start, hidden.at, height)
                && touch.reaches(start, out, height)
                && touch.is_free(start, height)
                && !scene.is_exposed(start, eye)
            {
                return Some(Corner { start, out });
            }
        }
        return Some(Corner { start: hidden.at, out });
    }
    None
}

/// A place close by that the eye does not see.
pub(super) fn cover(scene: &Scene<'_>, feet: Point3, eye: Point3) -> Option<u32> {
    look_around(scene, feet, eye).into_iter().find(|place| !place.exposed).map(|place| place.id)
}

/// A place in reach where a head shows standing and not crouched.
pub(super) fn low_cover(scene: &Scene<'_>, near: &mut Near, feet: Point3, eye: Point3) -> Option<Point3> {
    let player = &scene.space.player;
    in_reach(scene, near, feet, |at| {
        scene.eyes.sees(eye, up(at, player.eye_standing))
            && !scene.eyes.sees(eye, up(at, player.eye_crouched))
    })
}

/// A place in reach where a head shows in a jump and not on the ground.
pub(super) fn jump_spot(scene: &Scene<'_>, near: &mut Near, feet: Point3, eye: Point3) -> Option<Point3> {
    let player = &scene.space.player;
    in_reach(scene, near, feet, |at| {
        let head = up(at, player.eye_standing);
        !scene.eyes.sees(eye, head) && scene.eyes.sees(eye, up(head, 0.9 * player.jump))
    })
}

/// The nearest place that passes and can be walked to straight.
fn in_reach(
    scene: &Scene<'_>,
    near: &mut Near,
    feet: Point3,
    passes: impl Fn(Point3) -> bool,
) -> Option<Point3> {
    let mut touch = scene.space.touch(near, scene.open);
    let mut places = around(scene, feet, FAR_REACH_M).into_iter().map(|id| scene.nav.places[id as usize]);
    places.find(|at| passes(*at) && touch.reaches(feet, *at, scene.space.player.height))
}

/// Places that a leap from somewhere around leads to.
pub(super) fn leaps(scene: &Scene<'_>, feet: Point3) -> Vec<u32> {
    let close = scene.nav.near(feet.xy(), FAR_REACH_M).into_iter();
    let links = close.flat_map(|place| &scene.nav.links[place as usize]);
    links.filter(|link| link.way != Way::Walk).map(|link| link.to).collect()
}

fn up(p: Point3, by: f64) -> Point3 {
    p + Vector3::new(0.0, 0.0, by)
}

/// Across the line from one point to another, in the plan.
pub(super) fn across(from: Point3, to: Point3) -> Vector2 {
    let way = (to - from).xy();
    way.try_normalize(1e-6).map_or(Vector2::x(), |unit| Vector2::new(-unit.y, unit.x))
}
