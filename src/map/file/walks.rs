//! The potentially hearable set as a section of a baked file.
//!
//! Owns how walks are foretold by those of neighbouring clusters. Promises: the set comes back equal; reading is
//! total, canonical and bounded. Must not know how walks are found.

use super::geometry::length;
use super::models::Int;
use super::range::{Coder, Odds};
use super::wire::{Kind, Reader, Values, Writer, Wrong};
use crate::map::{Hearable, HearableParts};

/// The value of a bound that is farther than the radius.
const FAR: u8 = u8::MAX;
/// Clusters that a set may have, at most; bounds what is read.
const MOST_CLUSTERS: u16 = 2_048;

/// The hearable set's section.
pub(super) fn write_hearable(parts: &HearableParts) -> Vec<u8> {
    let mut values = Writer::new();
    let written = code_parts(&mut values, parts.cluster_of.len(), Some(parts));
    debug_assert!(written.is_ok(), "{:?}", written.err());
    values.finish()
}

/// Reads [`write_hearable`]'s bytes for a number of cells.
pub(super) fn read_hearable(bytes: &[u8], cells: usize) -> Result<Hearable, Wrong> {
    let mut values = Reader::new(bytes)?;
    let parts = code_parts(&mut values, cells, None)?;
    values.end()?;
    Hearable::from_parts(parts).ok_or("clusters and bounds that fit")
}

fn code_parts<C: Coder>(
    values: &mut Values<C>,
    cells: usize,
    parts: Option<&HearableParts>,
) -> Result<HearableParts, Wrong> {
    let radius_m = length(values, parts.map_or(0.0, |parts| parts.radius_m))?;
    let clusters = values.uint(Kind::Elements, parts.map_or(0, |parts| u64::from(parts.clusters)));
    let clusters = u16::try_from(clusters).ok().filter(|&count| count <= MOST_CLUSTERS);
    let clusters = clusters.ok_or("a number of clusters")?;
    let mut last = 0;
    let mut cluster = |cell: usize| -> Result<u16, Wrong> {
        let step = parts.map_or(0, |parts| i64::from(parts.cluster_of[cell]) - last);
        last = last.checked_add(values.int(Kind::Index, step)?).ok_or("a cluster")?;
        u16::try_from(last).map_err(|_| "a cluster")
    };
    let cluster_of = (0..cells).map(&mut cluster).collect::<Result<_, _>>()?;
    let bounds = code_bounds(values, usize::from(clusters), parts.map(|parts| &parts.bounds[..]))?;
    Ok(HearableParts { radius_m, clusters: u32::from(clusters), cluster_of, bounds })
}

/// The chances of bounds, by what lies beside them.
struct Bounds {
    far: [Odds; 32],
    above: [Int; 32],
}

fn code_bounds<C: Coder>(
    values: &mut Values<C>,
    clusters: usize,
    given: Option<&[u8]>,
) -> Result<Vec<u8>, Wrong> {
    let mut chances = Bounds { far: [Odds::EVEN; 32], above: [const { Int::new() }; 32] };
    // The last two rows; a bound is not far before there is any.
    let mut rows = [vec![0_u8; clusters + 1], vec![0_u8; clusters + 1]];
    let mut bounds = Vec::new();
    for i in 0..clusters {
        let [row, before] = &mut rows;
        std::mem::swap(row, before);
        for j in 0..=i {
            let (left, up, corner) = if j == 0 {
                (before[0], before[0], before[0])
            } else {
                (row[j - 1], before[j], before[j - 1])
            };
            let up = if j == i { left } else { up };
            let bound = given.map_or(0, |given| given[bounds.len()]);
            row[j] = chances.code(values, [left, up, corner], bound)?;
            bounds.push(row[j]);
        }
        if values.coder.is_exhausted() {
            return Err("more bytes");
        }
    }
    Ok(bounds)
}

impl Bounds {
    fn code<C: Coder>(&mut self, values: &mut Values<C>, beside: [u8; 3], bound: u8) -> Result<u8, Wrong> {
        let [left, up, corner] = beside.map(i64::from);
        let spread = (left - corner).abs().max((up - corner).abs());
        let far = beside.map(|bound| usize::from(bound == FAR));
        let reach = usize::from(left.min(up) > 200) + usize::from(left.min(up) > 240);
        if values.coder.odd(&mut self.far[far[0] | far[1] << 1 | far[2] << 2 | reach << 3], bound == FAR) {
            return Ok(FAR);
        }
        // A value that is far foretells nothing: then the nearest other one stands for it.
        let foretold = match (left == i64::from(FAR), up == i64::from(FAR)) {
            (false, false) if far[2] == 0 => (left + up - corner).clamp(left.min(up), left.max(up)),
            (true, false) => up,
            (true, true) => 254,
            _ => left,
        };
        let context = (spread.min(255) as u64 + 1).ilog2() as usize * 3 + far[0] + far[1];
        let step = self.above[context].code(&mut values.coder, i64::from(bound) - foretold);
        let bound = step.and_then(|step| step.checked_add(foretold));
        bound
            .and_then(|bound| u8::try_from(bound).ok())
            .filter(|&bound| bound != FAR)
            .ok_or("a bound of a walk")
    }
}
