//! The three answers about a pair of points.
//!
//! Owns what is asked of the map and of the bake. Promises: where the bake can't say, `may_see` is 1.
//! Must not know rows and columns.

use super::columns::Pair;
use crate::cli::{Failure, diagnostics};
use fogwall::{Baked, CellId, Cells, Mask, Pvs, Solids};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What is written behind the input's columns.
pub(super) const ADDED_COLUMNS: [&str; 3] = ["may_see", "sighted", "possible"];

/// What is asked: a map's solids, and its bake if there is one.
pub(super) struct Subject {
    solids: Solids,
    bake: Option<(Cells, Pvs)>,
}

impl Subject {
    /// Loads a baked file, or else a map source.
    pub(super) fn load(path: &Path) -> Result<Self, Failure> {
        let mut head = Vec::new();
        let opened = File::open(path).and_then(|file| file.take(8).read_to_end(&mut head));
        opened.map_err(|error| Failure::about(path, error))?;
        if Baked::recognizes(&head) {
            let baked = Baked::load(path).map_err(|error| Failure::about(path, error))?;
            let Baked { solids, cells, pvs, .. } = baked;
            Ok(Self { solids, bake: Some((cells, pvs)) })
        } else {
            let map = diagnostics::load(path)?;
            Ok(Self { solids: Solids::build(&map), bake: None })
        }
    }
}

/// What one thread reuses from pair to pair.
#[derive(Default)]
pub(super) struct Answers {
    eye_cells: Vec<CellId>,
    body_cells: Vec<CellId>,
}

impl Answers {
    /// The texts of [`ADDED_COLUMNS`] for a pair.
    pub(super) fn answer(&mut self, subject: &Subject, pair: &Pair) -> Result<[&'static str; 3], String> {
        let sighted = subject.solids.blocker(pair.eye, pair.target, Mask::Sight, None).is_none();
        let may_see = subject.bake.as_ref().map(|(cells, pvs)| {
            subject.solids.holds(pair.eye, Mask::Sight) || self.may_see(cells, pvs, pair)
        });
        Ok([may_see.map_or("", bit), bit(sighted), bit(possible(sighted, pair)?)])
    }

    /// Whether any cell that the eye can belong to may see any that the body can; if either has none, yes.
    fn may_see(&mut self, cells: &Cells, pvs: &Pvs, pair: &Pair) -> bool {
        self.eye_cells.clear();
        self.body_cells.clear();
        cells.for_each_eye_cell(pair.eye, |cell| self.eye_cells.push(cell));
        cells.for_each_body_cell(pair.target, |cell| self.body_cells.push(cell));
        let off_the_cells = self.eye_cells.is_empty() || self.body_cells.is_empty();
        off_the_cells
            || self.eye_cells.iter().any(|&eye| self.body_cells.iter().any(|&body| pvs.may_see(eye, body)))
    }
}

/// Whether some segment between the two reach disks is free; of two points, that is the segment itself.
fn possible(sighted: bool, pair: &Pair) -> Result<bool, String> {
    if pair.eye_reach_m == 0.0 && pair.target_reach_m == 0.0 {
        return Ok(sighted);
    }
    Err("er, tr: only 0 is understood so far".into())
}

fn bit(value: bool) -> &'static str {
    if value { "1" } else { "0" }
}
