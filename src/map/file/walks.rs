//! The potentially hearable set as a section of a baked file.
//!
//! Owns how walks are foretold by those of neighbouring clusters. Promises: the set comes back equal; reading is
//! total, canonical and bounded. Must not know how walks are found.

use super::geometry::length;
use super::range::{Chance, Coder};
use super::wire::{Kind, Reader, Values, Writer, Wrong};
use crate::map::{Hearable, HearableParts};
use std::ops::Range;

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

/// Bounds that may all be far.
const GROUP: usize = 8;
/// Bits of the largest step of a bound from what is foretold.
const STEP_BITS: usize = 8;

/// The chances of bounds.
struct Bounds {
    groups: [Chance; 12],
    far: [Chance; 24],
    steps: [Step; 32],
    /// The bits below a step's highest: the first two, by how many there are.
    low: [[Chance; 4]; STEP_BITS],
    /// Whether the last two groups were far.
    last: usize,
}

/// The chances of a step's size and sign.
#[derive(Clone, Copy)]
struct Step {
    none: Chance,
    down: Chance,
    longer: [Chance; STEP_BITS],
}

fn code_bounds<C: Coder>(
    values: &mut Values<C>,
    clusters: usize,
    given: Option<&[u8]>,
) -> Result<Vec<u8>, Wrong> {
    let step = Step { none: Chance::EVEN, down: Chance::EVEN, longer: [Chance::EVEN; STEP_BITS] };
    let mut chances = Bounds {
        groups: [Chance::EVEN; 12],
        far: [Chance::EVEN; 24],
        steps: [step; 32],
        low: [[Chance::EVEN; 4]; STEP_BITS],
        last: 0,
    };
    // The last two rows; a bound is not far before there is any.
    let mut rows = [vec![0_u8; clusters], vec![0_u8; clusters]];
    let mut bounds = Vec::new();
    for i in 0..clusters {
        let [row, before] = &mut rows;
        std::mem::swap(row, before);
        let given = given.map(|given| &given[bounds.len()..][..=i]);
        chances.last = 0;
        for start in (0..=i).step_by(GROUP) {
            let group = start..(start + GROUP).min(i + 1);
            chances.code_group(&mut values.coder, row, before, group, given)?;
        }
        bounds.extend_from_slice(&row[..=i]);
        if values.coder.is_exhausted() {
            return Err("more bytes");
        }
    }
    Ok(bounds)
}

impl Bounds {
    /// Some bounds of a row, given the row before and those to the left.
    fn code_group<C: Coder>(
        &mut self,
        coder: &mut C,
        row: &mut [u8],
        before: &[u8],
        group: Range<usize>,
        given: Option<&[u8]>,
    ) -> Result<(), Wrong> {
        let up = group.clone().filter(|&j| before[j] == FAR).count();
        let kind = usize::from(up > 0) + usize::from(up == group.len());
        let far = given.is_some_and(|given| given[group.clone()].iter().all(|&bound| bound == FAR));
        let far = coder.bit(&mut self.groups[self.last * 3 + kind], far);
        self.last = (self.last << 1 | usize::from(far)) & 3;
        if far {
            row[group].fill(FAR);
            return Ok(());
        }
        let mut all_far = true;
        for j in group {
            let left = if j == 0 { before[0] } else { row[j - 1] };
            let corner = if j == 0 { before[0] } else { before[j - 1] };
            row[j] = self.code(coder, [left, before[j], corner], given.map_or(0, |given| given[j]))?;
            all_far &= row[j] == FAR;
        }
        coder.require(!all_far);
        Ok(())
    }

    fn code<C: Coder>(&mut self, coder: &mut C, beside: [u8; 3], bound: u8) -> Result<u8, Wrong> {
        let [left, up, corner] = beside.map(i32::from);
        let far = beside.map(|bound| usize::from(bound == FAR));
        let reach = usize::from(left.min(up) > 200) + usize::from(left.min(up) > 240);
        if coder.bit(&mut self.far[far[0] | far[1] << 1 | far[2] << 2 | reach << 3], bound == FAR) {
            return Ok(FAR);
        }
        // A value that is far foretells nothing: then the nearest other one stands for it.
        let foretold = match far {
            [0, 0, 0] => (left + up - corner).clamp(left.min(up), left.max(up)),
            [1, 0, _] => up,
            [1, 1, _] => 254,
            _ => left,
        };
        let spread = (left - corner).abs().max((up - corner).abs());
        let context = (spread.unsigned_abs() + 1).ilog2() as usize * 3 + far[0] + far[1];
        let bound = foretold + self.code_step(coder, context, i32::from(bound) - foretold);
        u8::try_from(bound).ok().filter(|&bound| bound != FAR).ok_or("a bound of a walk")
    }

    /// An integer of at most [`STEP_BITS`] bits and a sign.
    fn code_step<C: Coder>(&mut self, coder: &mut C, context: usize, step: i32) -> i32 {
        let chances = &mut self.steps[context];
        if coder.bit(&mut chances.none, step == 0) {
            return 0;
        }
        let down = coder.bit(&mut chances.down, step < 0);
        let size = step.unsigned_abs();
        let mut length = 0;
        while length < STEP_BITS - 1 && coder.bit(&mut chances.longer[length], size >> (length + 1) != 0) {
            length += 1;
        }
        let mut read = 1;
        for at in (0..length).rev() {
            let bit = size >> at & 1 == 1;
            let bit = match read {
                1..4 => coder.bit(&mut self.low[length][read], bit),
                _ => coder.even(bit),
            };
            read = read << 1 | usize::from(bit);
        }
        if down { -(read as i32) } else { read as i32 }
    }
}
