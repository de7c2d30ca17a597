//! The tree over cells that the bake descends: cubes of columns and heights, halved at each level.
//!
//! Owns the grouping of cells. Promises: a node depends on nothing but the cells in its cube, so that a change
//! elsewhere on the map leaves it as it was; every node of a level has the same size.
//! Must not know pieces.

use super::pair::End;
use crate::geom::{ConvexPolygon, Point2, ZRange};
use crate::map::cells::Cell;
use crate::map::model::Player;

/// Levels of the tree: a cube of level `LEVELS` holds every column of an i32 grid within ±10⁶.
const LEVELS: u32 = 22;

/// Added to grid coordinates so that they are not negative.
const SHIFT: i64 = 1 << (LEVELS - 1);

/// Height of a cube of the lowest levels, in cells' edges: storeys part here, slopes seldom do.
const FLAT_LEVELS: u32 = 2;

/// One node.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Its children in the tree's list; empty for a single cell.
    pub(crate) children: std::ops::Range<u32>,
    /// Level of the children's cubes; 0 for a single cell.
    pub(crate) split: u32,
    /// Its cells in the tree's order.
    pub(crate) cells: std::ops::Range<u32>,
    /// Hull of the cells' regions.
    pub(crate) region: Vec<Point2>,
    /// Hull of the heights of the cells' eyes.
    pub(crate) eye: ZRange,
    /// Hull of the heights of the cells' body points.
    pub(crate) body: ZRange,
    /// Least of the cells' highest eyes and body points: every cell has both at least this high.
    pub(crate) least_top: f64,
}

impl Node {
    /// The node as one end of sight lines.
    pub(crate) fn end(&self) -> End<'_> {
        End { region: &self.region, eye: self.eye, body: self.body }
    }
}

/// The node above another, in an earlier state of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parent {
    /// How many cells it had; 0 where that is not known.
    pub(crate) cells: usize,
    /// Level of its children's cubes.
    pub(crate) split: u32,
}

impl Parent {
    /// The root has none.
    const NONE: Self = Self { cells: usize::MAX, split: u32::MAX };
}

/// The tree; node 0 is the root.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    cell_size: f64,
    player: Player,
    /// All nodes; the children of one lie together behind it.
    pub(crate) nodes: Vec<Node>,
    /// Cells in the order of the leaves.
    pub(crate) order: Vec<u32>,
}

impl Tree {
    /// Builds the tree over all cells.
    pub(crate) fn build(cells: &[Cell], cell_size: f64, player: &Player) -> Self {
        let mut tree = Self { cell_size, player: *player, nodes: Vec::new(), order: Vec::new() };
        if cells.is_empty() {
            return tree;
        }
        let keys: Vec<[i64; 3]> = cells.iter().map(|cell| key(cell, cell_size)).collect();
        tree.order = (0..cells.len() as u32).collect();
        // Cells of one cube stay in their own order, which is canonical.
        tree.order.sort_by_key(|&i| (morton(keys[i as usize]), i));
        tree.push(cells, 0..cells.len() as u32);
        tree.grow(cells, &keys, 0, LEVELS);
        tree
    }

    /// For each node, whether all its cells are `kept` and none of the cells that are `gone` lay in its cube.
    pub(crate) fn clean<'a>(
        &self,
        cells: &[Cell],
        kept: impl Fn(u32) -> bool,
        gone: impl Iterator<Item = &'a Cell>,
    ) -> Vec<bool> {
        let members = |node: &Node| node.cells.start as usize..node.cells.end as usize;
        let mut clean: Vec<bool> =
            self.nodes.iter().map(|node| self.order[members(node)].iter().all(|&i| kept(i))).collect();
        for cell in gone {
            let lost = key(cell, self.cell_size);
            let mut at = vec![0u32];
            while let Some(node) = at.pop() {
                let Some(here) = self.nodes.get(node as usize) else { continue };
                clean[node as usize] = false;
                at.extend(here.children.clone().filter(|&child| {
                    let first = self.order[self.nodes[child as usize].cells.start as usize];
                    let cube = cube_at(key(&cells[first as usize], self.cell_size), here.split);
                    cube == cube_at(lost, here.split)
                }));
            }
        }
        clean
    }

    /// For each node, how many cells its parent's cube held before, and the level of that one's children: as many as
    /// `kept` says of those that are there, and those that are `gone`.
    pub(crate) fn parents_before<'a>(
        &self,
        cells: &[Cell],
        kept: impl Fn(u32) -> bool,
        gone: impl Iterator<Item = &'a Cell>,
    ) -> Vec<Parent> {
        let members = |node: &Node| node.cells.start as usize..node.cells.end as usize;
        let kept = |node: &Node| self.order[members(node)].iter().filter(|&&i| kept(i)).count();
        let mut counts: Vec<usize> = self.nodes.iter().map(kept).collect();
        for cell in gone {
            let lost = key(cell, self.cell_size);
            let mut at = vec![0u32];
            while let Some(node) = at.pop() {
                let Some(here) = self.nodes.get(node as usize).filter(|here| !here.children.is_empty())
                else {
                    continue;
                };
                let first = self.order[here.cells.start as usize];
                let own = key(&cells[first as usize], self.cell_size);
                if cube_at(own, here.split + 1) == cube_at(lost, here.split + 1) {
                    counts[node as usize] += 1;
                    at.extend(here.children.clone());
                }
            }
        }
        let mut parents = vec![Parent::NONE; self.nodes.len()];
        for (node, &cells) in self.nodes.iter().zip(&counts) {
            for child in node.children.clone() {
                // Where the cube held no more than the child, the parent was another one.
                let is_it = cells > self.nodes[child as usize].cells.len();
                parents[child as usize] = Parent { cells: if is_it { cells } else { 0 }, split: node.split };
            }
        }
        parents
    }

    /// Adds a node; that of several cells gets its region once their nodes have theirs.
    fn push(&mut self, cells: &[Cell], range: std::ops::Range<u32>) {
        let members = &self.order[range.start as usize..range.end as usize];
        let region = match members {
            [only] => cells[*only as usize].region.vertices().to_vec(),
            _ => Vec::new(),
        };
        let heights = |i: u32| {
            let cell = &cells[i as usize];
            (cell.eye_heights(&self.player), cell.body_heights(&self.player))
        };
        let (mut eye, mut body) = heights(members[0]);
        let mut least_top = eye.high.min(body.high);
        for &i in members {
            let (eyes, bodies) = heights(i);
            (eye, body) = (eye.hull(eyes), body.hull(bodies));
            least_top = least_top.min(eyes.high).min(bodies.high);
        }
        self.nodes.push(Node { children: 0..0, split: 0, cells: range, region, eye, body, least_top });
    }

    /// Splits a node's cells by the cubes of the level below; one that holds them all is passed through.
    fn grow(&mut self, cells: &[Cell], keys: &[[i64; 3]], node: usize, level: u32) {
        let range = self.nodes[node].cells.clone();
        if range.len() == 1 {
            return;
        }
        let mut parts: Vec<std::ops::Range<u32>> = Vec::new();
        let mut below = level;
        while parts.len() < 2 {
            parts.clear();
            if below == 0 {
                parts.extend(range.clone().map(|i| i..i + 1));
                break;
            }
            below -= 1;
            let cube = |i: u32| cube_at(keys[self.order[i as usize] as usize], below);
            let mut start = range.start;
            for i in range.start + 1..=range.end {
                if i == range.end || cube(i) != cube(start) {
                    parts.push(start..i);
                    start = i;
                }
            }
        }
        let first = self.nodes.len() as u32;
        let count = parts.len() as u32;
        for part in parts {
            self.push(cells, part);
        }
        self.nodes[node].children = first..first + count;
        self.nodes[node].split = below;
        let mut corners = Vec::new();
        for child in first as usize..(first + count) as usize {
            self.grow(cells, keys, child, below);
            corners.extend_from_slice(&self.nodes[child].region);
        }
        self.nodes[node].region =
            ConvexPolygon::hull(&corners).map_or(corners, |hull| hull.vertices().to_vec());
    }
}

/// Grid coordinates of a cell: column and storey.
fn key(cell: &Cell, cell_size: f64) -> [i64; 3] {
    let storey = (cell.feet.low / (cell_size * f64::from(1 << FLAT_LEVELS))).floor();
    let storey = storey.clamp(-1e5, 1e5) as i64;
    [i64::from(cell.column.0) + SHIFT, i64::from(cell.column.1) + SHIFT, storey + SHIFT]
}

fn cube_at(key: [i64; 3], level: u32) -> [i64; 3] {
    [key[0] >> level, key[1] >> level, key[2] >> level.saturating_sub(FLAT_LEVELS)]
}

/// Orders keys so that every cube's cells are consecutive at every level.
fn morton(key: [i64; 3]) -> u128 {
    let mut code = 0u128;
    for level in (0..LEVELS).rev() {
        let cube = cube_at(key, level);
        let storey = if level >= FLAT_LEVELS { cube[2] & 1 } else { 0 };
        code = code << 3 | ((storey as u128) << 2) | (((cube[1] & 1) as u128) << 1) | (cube[0] & 1) as u128;
    }
    code
}
