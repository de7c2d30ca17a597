//! The answers about a pair of points.
//!
//! Owns what is asked of the map and of the bake. Promises: where the bake can't say, `may_see` is 1.
//! Must not know rows and columns.

use super::columns::Pair;
use crate::cli::kind::MapFile;
use crate::cli::{Failure, diagnostics};
use fogwall::{
    BakeOptions, BakeQuality, Baked, CellId, Cells, Mask, PairClass, Point3, Pvs, Reach, Solids, WindowTest,
    Witnesses,
};
use std::path::Path;

/// Pairs of cells whose witness is searched for, for one row.
const MOST_SEARCHED: usize = 16;

/// What is asked: a map's solids, and its bake if there is one.
pub(super) enum Subject {
    /// A map source: its solids.
    Source(Box<Solids>),
    /// A baked file.
    Bake(Box<Baked>),
}

impl Subject {
    /// Loads a baked file, or else a map source.
    pub(super) fn load(path: &Path) -> Result<Self, Failure> {
        if MapFile::at(path)? == MapFile::Bake {
            let baked = Baked::load(path).map_err(|error| Failure::about(path, error))?;
            Ok(Self::Bake(Box::new(baked)))
        } else {
            Ok(Self::Source(Box::new(Solids::build(&diagnostics::load(path)?))))
        }
    }

    /// What finds the bake's witnesses again; none of a map source.
    pub(super) fn witnesses(&self) -> Option<Witnesses<'_>> {
        let Self::Bake(baked) = self else { return None };
        let quality = if baked.draft { BakeQuality::Draft } else { BakeQuality::Full };
        let options = BakeOptions { quality, ..BakeOptions::default() };
        Some(Witnesses::new(&baked.map.player, baked.map.cell_size, &baked.solids, &baked.cells, options))
    }

    fn solids(&self) -> &Solids {
        match self {
            Self::Source(solids) => solids,
            Self::Bake(baked) => &baked.solids,
        }
    }
}

/// What is said of a pair.
pub(super) struct Answer {
    /// The baked answer over all cells that the points can belong to; none of a map source.
    pub(super) may_see: Option<bool>,
    /// Whether the segment is free.
    pub(super) sighted: bool,
    /// Whether some segment between the two reach disks is free.
    pub(super) possible: bool,
    /// A free segment between two of the cells, if it was asked for and there is one.
    pub(super) witness: Option<(Point3, Point3)>,
}

/// What one thread reuses from pair to pair.
pub(super) struct Answers<'a> {
    subject: &'a Subject,
    witnesses: Option<&'a Witnesses<'a>>,
    window: Option<WindowTest>,
    eye_cells: Vec<CellId>,
    body_cells: Vec<CellId>,
}

impl<'a> Answers<'a> {
    /// Answers about `subject`; with witnesses if there are `witnesses`.
    pub(super) fn new(subject: &'a Subject, witnesses: Option<&'a Witnesses<'a>>) -> Self {
        Self { subject, witnesses, window: None, eye_cells: Vec::new(), body_cells: Vec::new() }
    }

    /// The answer about a pair.
    pub(super) fn answer(&mut self, pair: &Pair) -> Answer {
        let solids = self.subject.solids();
        let sighted = solids.blocker(pair.eye, pair.target, Mask::Sight, None).is_none();
        let possible = sighted || self.possible(pair);
        let Subject::Bake(baked) = self.subject else {
            return Answer { may_see: None, sighted, possible, witness: None };
        };
        self.find_cells(&baked.cells, pair);
        let unknown =
            self.eye_cells.is_empty() || self.body_cells.is_empty() || solids.holds(pair.eye, Mask::Sight);
        let may_see = unknown || self.pairs().any(|(eye, body)| baked.pvs.may_see(eye, body));
        Answer { may_see: Some(may_see), sighted, possible, witness: self.witness(&baked.pvs) }
    }

    /// Whether some segment between the two disks is free, where the one between their centres is not.
    fn possible(&mut self, pair: &Pair) -> bool {
        if pair.eye_reach_m == 0.0 && pair.target_reach_m == 0.0 {
            return false;
        }
        let solids = self.subject.solids();
        let window = self.window.get_or_insert_with(|| WindowTest::new(solids));
        let eye = Reach::around(pair.eye, pair.eye_reach_m);
        window.may_see(solids, &eye, &Reach::around(pair.target, pair.target_reach_m))
    }

    fn find_cells(&mut self, cells: &Cells, pair: &Pair) {
        self.eye_cells.clear();
        self.body_cells.clear();
        cells.for_each_eye_cell(pair.eye, |cell| self.eye_cells.push(cell));
        cells.for_each_body_cell(pair.target, |cell| self.body_cells.push(cell));
    }

    /// All pairs of a cell that the eye can belong to and one that the body can.
    fn pairs(&self) -> impl Iterator<Item = (CellId, CellId)> {
        self.eye_cells.iter().flat_map(|&eye| self.body_cells.iter().map(move |&body| (eye, body)))
    }

    /// The witness of a pair of cells that has one.
    fn witness(&self, pvs: &Pvs) -> Option<(Point3, Point3)> {
        let witnesses = self.witnesses?;
        let visible = self.pairs().filter(|&(eye, body)| pvs.class(eye, body) == PairClass::Visible);
        first(visible, |(eye, body)| witnesses.find(eye, body))
    }
}

/// What is found of the first few; a bake's first has a witness, and a forged one may claim a million that have none.
fn first<P, W>(pairs: impl Iterator<Item = P>, find: impl FnMut(P) -> Option<W>) -> Option<W> {
    pairs.take(MOST_SEARCHED).find_map(find)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_million_pairs_without_a_witness_few_are_searched() {
        let mut searched = 0;
        let mut none = |_: u32| {
            searched += 1;
            None::<()>
        };
        assert_eq!(first(0..1_000_000, &mut none), None);
        assert_eq!(searched, MOST_SEARCHED);
        assert_eq!(first(0..9, |pair| (pair == 2).then_some(pair)), Some(2));
    }
}
