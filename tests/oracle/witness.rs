//! The check of a witness: does this segment really show a body of one cell to an eye of the other?

use super::kernel::{Grid, Marks, Touch};
use super::scene::Scene;

/// Rounding, in metres, that a witness's end points may have: far below the 1 µm of the clearance.
const SLACK: f64 = 1e-9;

/// Checks that the segment runs from an eye of `a` to a body point of `b` and keeps 1 µm from every blocker.
///
/// Errors: a sentence that says what is wrong.
pub(crate) fn check(
    scene: &Scene,
    grid: &Grid,
    (a, b): (usize, usize),
    (from, to): ([f64; 3], [f64; 3]),
    marks: &mut Marks,
) -> Result<(), String> {
    let pair = format!("witness of {a} -> {b} from {from:?} to {to:?}");
    if !from.iter().chain(&to).all(|v| v.is_finite()) {
        return Err(format!("{pair} is not finite"));
    }
    if !scene.eyes(a).holds(from, SLACK) {
        return Err(format!("{pair} does not start at an eye"));
    }
    if !scene.bodies(b).holds(to, SLACK) {
        return Err(format!("{pair} does not end at a body point"));
    }
    match grid.stopper(scene, (from, to), 1e-6 - SLACK, Touch::Passes, marks) {
        Some(id) => Err(format!("{pair} is stopped by {:?}", scene.blockers[id as usize])),
        None => Ok(()),
    }
}
