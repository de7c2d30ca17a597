//! Cells gathered into clusters: blocks of columns, apart by storeys and walls.
//!
//! Owns how coarse the hearable set is.
//! Promises: at most [`MAX_CLUSTERS`]; numbered in the order of their first cells.
//! Must not know distances.

use crate::map::Cells;
use std::collections::HashMap;

/// The most clusters: 2 MiB of bounds.
pub(super) const MAX_CLUSTERS: usize = 2_048;

/// Edge of a block, metres, at least; and in cells, at least.
const BLOCK_M: f64 = 8.0;
const BLOCK_CELLS: i32 = 4;

/// The cluster of each cell, and how many there are.
pub(super) fn clusters(cells: &Cells, beside: &[Vec<u32>], size: f64) -> (Vec<u16>, u32) {
    let mut side = ((BLOCK_M / size).ceil().min(1e6) as i32).max(BLOCK_CELLS);
    loop {
        let joined = join(cells, beside, side);
        if let Some(found) = number(&joined) {
            return found;
        }
        if side > 1 << 20 {
            break;
        }
        side *= 2;
    }
    // More separate parts than can be numbered: one cluster, so that everything may be heard everywhere.
    (vec![0; cells.len()], 1)
}

/// The first cell of each cell's cluster.
fn join(cells: &Cells, beside: &[Vec<u32>], side: i32) -> Vec<u32> {
    let block = |cell: u32| {
        let column = cells.as_slice()[cell as usize].column;
        (column.0.div_euclid(side), column.1.div_euclid(side))
    };
    let mut leader: Vec<u32> = (0..cells.len() as u32).collect();
    for (a, others) in beside.iter().enumerate() {
        for b in others.iter().filter(|b| block(**b) == block(a as u32)) {
            let (a, b) = (root(&mut leader, a as u32), root(&mut leader, *b));
            leader[a.max(b) as usize] = a.min(b);
        }
    }
    (0..cells.len() as u32).map(|cell| root(&mut leader, cell)).collect()
}

fn root(leader: &mut [u32], mut cell: u32) -> u32 {
    while leader[cell as usize] != cell {
        leader[cell as usize] = leader[leader[cell as usize] as usize];
        cell = leader[cell as usize];
    }
    cell
}

/// Numbers for the leaders in the order of cells; `None` where there are too many.
fn number(joined: &[u32]) -> Option<(Vec<u16>, u32)> {
    let mut numbers: HashMap<u32, u16> = HashMap::new();
    let mut cluster_of = Vec::with_capacity(joined.len());
    for leader in joined {
        let next = numbers.len();
        let number = *numbers.entry(*leader).or_insert(next.min(usize::from(u16::MAX)) as u16);
        cluster_of.push(number);
    }
    (numbers.len() <= MAX_CLUSTERS).then_some((cluster_of, numbers.len() as u32))
}
