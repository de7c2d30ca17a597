//! The potentially hearable set: how far apart places are for a walking body.
//!
//! Owns clusters of cells and, per pair within the radius, a lower bound of the walk between them.
//! Promises: never longer than a walk over floors, through doors, with steps, jumps and falls, either way;
//! the same bytes for any number of threads.
//! Must not know sounds or rules.

mod clusters;
mod hops;
mod links;

use crate::map::{CellId, Cells, Map, Solids};
use links::Links;
use rayon::prelude::*;

/// The largest audible radius unless told otherwise, metres: footsteps and reloads of shooters carry 25 to
/// 30 m, doors and grenades up to 50.
pub const DEFAULT_HEARABLE_RADIUS_M: f64 = 50.0;

/// Value of a pair that no walk within the radius joins.
const FAR: u8 = u8::MAX;

/// Steps that a stored bound has within the radius.
const STEPS: f64 = 254.0;

/// Resolution of the search, metres; distances are rounded down to it, which lets more be heard.
const UNIT_M: f64 = 0.005;

/// Lower bounds of walking distances between the cells of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Hearable {
    parts: HearableParts,
}

/// What a [`Hearable`] is stored as.
#[derive(Clone, Debug, PartialEq)]
pub struct HearableParts {
    /// Walks longer than this are not told apart, metres.
    pub radius_m: f64,
    /// Number of clusters.
    pub clusters: u32,
    /// Cluster of each cell, below `clusters`.
    pub cluster_of: Vec<u16>,
    /// For clusters `i >= j`, at `i * (i + 1) / 2 + j`: the bound in 254ths of the radius, rounded down; 255
    /// where no walk within the radius joins them.
    pub bounds: Vec<u8>,
}

/// A length in [`UNIT_M`], rounded down.
fn units(length_m: f64) -> usize {
    (length_m / UNIT_M) as usize
}

impl Hearable {
    /// Finds the walks of `map` up to `radius_m` long.
    pub fn build(map: &Map, solids: &Solids, cells: &Cells, radius_m: f64) -> Self {
        let radius_m =
            if radius_m.is_finite() { radius_m.clamp(1.0, 1000.0) } else { DEFAULT_HEARABLE_RADIUS_M };
        let links = links::links(cells, solids, &map.player, map.cell_size);
        let (cluster_of, clusters) = clusters::clusters(cells, &links.beside, map.cell_size);
        // The last piece of a walk costs nothing: a walk of the radius may take a move more.
        let limit = units(radius_m + links.piece_m);
        let search = || Search::new(limit, cells.len());
        let rows: Vec<Vec<u8>> = (0..clusters as u16)
            .into_par_iter()
            .map_init(search, |search, cluster| {
                let mut row = row(search, &links, &cluster_of, cluster, clusters, radius_m);
                row.truncate(usize::from(cluster) + 1);
                row
            })
            .collect();
        Self { parts: HearableParts { radius_m, clusters, cluster_of, bounds: rows.concat() } }
    }

    /// The set from its parts; `None` where they do not fit together.
    pub fn from_parts(parts: HearableParts) -> Option<Self> {
        let n = parts.clusters as usize;
        let fits = n <= clusters::MAX_CLUSTERS
            && parts.bounds.len() == n * (n + 1) / 2
            && parts.cluster_of.iter().all(|c| usize::from(*c) < n)
            && parts.radius_m.is_finite()
            && parts.radius_m > 0.0;
        fits.then_some(Self { parts })
    }

    /// The parts, to be stored.
    pub fn as_parts(&self) -> &HearableParts {
        &self.parts
    }

    /// Walks longer than this are not told apart, metres.
    pub fn radius_m(&self) -> f64 {
        self.parts.radius_m
    }

    /// The least that a body walks between any points of the two cells, metres; errs to less.
    ///
    /// `None` where no walk within the radius joins them. O(1), without allocation.
    ///
    /// # Panics
    /// Where a cell is not of the map.
    pub fn walk_lower_bound_m(&self, a: CellId, b: CellId) -> Option<f64> {
        let cluster = |cell: CellId| usize::from(self.parts.cluster_of[cell.0 as usize]);
        let (i, j) = (cluster(a).max(cluster(b)), cluster(a).min(cluster(b)));
        match self.parts.bounds[i * (i + 1) / 2 + j] {
            FAR => None,
            steps => Some(f64::from(steps) * self.parts.radius_m / STEPS),
        }
    }
}

/// Bounds from one cluster to all, by Dijkstra over cells with a queue of buckets.
fn row(
    search: &mut Search,
    links: &Links,
    cluster_of: &[u16],
    source: u16,
    clusters: u32,
    radius_m: f64,
) -> Vec<u8> {
    search.restart();
    let mut row = vec![FAR; clusters as usize];
    row[usize::from(source)] = 0;
    let sources = (0..cluster_of.len()).filter(|c| cluster_of[*c] == source);
    sources.for_each(|cell| search.reach(cell as u32, 0));
    for at in 0..search.buckets.len() {
        while let Some(cell) = search.take(at) {
            let least = (at as f64 * UNIT_M - links.piece_m).max(0.0);
            let best = &mut row[usize::from(cluster_of[cell as usize])];
            *best = (*best).min((least / radius_m * STEPS) as u8);
            for (other, length) in &links.moves[cell as usize] {
                search.reach(*other, at + *length as usize);
            }
        }
    }
    row
}

/// The queue of a search: cells by their distance in units; used again for one search after the other.
struct Search {
    buckets: Vec<Vec<u32>>,
    reached: Vec<u32>,
    done: Vec<bool>,
}

impl Search {
    fn new(limit: usize, cells: usize) -> Self {
        Self {
            buckets: vec![Vec::new(); limit + 1],
            reached: vec![u32::MAX; cells],
            done: vec![false; cells],
        }
    }

    /// Forgets the search before, which left no cell in the queue.
    fn restart(&mut self) {
        self.reached.fill(u32::MAX);
        self.done.fill(false);
    }

    fn reach(&mut self, cell: u32, at: usize) {
        if at < self.buckets.len() && (at as u32) < self.reached[cell as usize] {
            self.reached[cell as usize] = at as u32;
            self.buckets[at].push(cell);
        }
    }

    /// A cell at this distance that was not taken before.
    fn take(&mut self, at: usize) -> Option<u32> {
        while let Some(cell) = self.buckets[at].pop() {
            if !std::mem::replace(&mut self.done[cell as usize], true) {
                return Some(cell);
            }
        }
        None
    }
}
