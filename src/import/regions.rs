//! From directed edges to regions: outlines with holes, exactly, in whole numbers.
//!
//! Owns the walk along edges that have their region on the left. Promises: total on any edges; every vertex of
//! a region is a vertex of an edge; outlines are counter-clockwise, holes clockwise, and no ring meets itself
//! or another at a vertex (a region that does is cut into triangles).
//! Must not know sectors or heights.

use super::level::Vertex;
use std::collections::{BTreeMap, HashSet};

/// A directed edge; its region is on its left.
pub(super) type Edge = (Vertex, Vertex);

/// A part of the plan.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Region {
    pub(super) outline: Vec<Vertex>,
    pub(super) holes: Vec<Vec<Vertex>>,
}

/// What a set of edges encloses.
#[derive(Debug, Default)]
pub(super) struct Traced {
    pub(super) regions: Vec<Region>,
    /// Edges that close no ring.
    pub(super) open: Vec<Edge>,
    /// Edges that run both ways, with the region on both sides.
    pub(super) inner: Vec<Edge>,
    /// Rings that enclose nothing, or are holes of nothing.
    pub(super) stray_rings: usize,
    /// Twice the area by which cutting into triangles missed its region.
    pub(super) missed_double_area: i64,
}

/// Finds the regions that `edges` enclose.
pub(super) fn trace(edges: &[Edge]) -> Traced {
    let mut traced = Traced::default();
    let edges = cancel(edges, &mut traced.inner);
    let rings = walk(&edges, &mut traced.open);
    let (mut outlines, mut holes) = (Vec::new(), Vec::new());
    for ring in rings {
        match double_area(&ring).signum() {
            1 => outlines.push((ring, Vec::new())),
            -1 => holes.push(ring),
            _ => traced.stray_rings += 1,
        }
    }
    let boxes: Vec<(Vertex, Vertex)> = outlines.iter().map(|(ring, _)| bounds(ring)).collect();
    for hole in holes {
        match owner(&hole, &outlines, &boxes) {
            Some(index) => outlines[index].1.push(hole),
            None => traced.stray_rings += 1,
        }
    }
    for (outline, holes) in outlines {
        let region = Region { outline, holes };
        if region.meets_itself() {
            let cut = triangles(&region);
            let sum: i64 = cut.iter().map(Region::double_area).sum();
            traced.missed_double_area += (sum - region.double_area()).abs();
            traced.regions.extend(cut);
        } else {
            traced.regions.push(region);
        }
    }
    traced
}

impl Region {
    /// Whether `p` is inside; a point on an edge may be either.
    pub(super) fn holds(&self, p: Vertex) -> bool {
        is_inside(p, &self.outline) && !self.holes.iter().any(|hole| is_inside(p, hole))
    }

    /// Whether `p` lies on an edge.
    pub(super) fn touches(&self, p: Vertex) -> bool {
        std::iter::once(&self.outline)
            .chain(&self.holes)
            .any(|ring| pairs(ring).any(|(a, b)| cross(a, b, p) == 0 && dot_at(p, a, b) <= 0))
    }

    /// Twice the area.
    fn double_area(&self) -> i64 {
        double_area(&self.outline) + self.holes.iter().map(|hole| double_area(hole)).sum::<i64>()
    }

    fn meets_itself(&self) -> bool {
        let mut seen = HashSet::new();
        std::iter::once(&self.outline).chain(&self.holes).flatten().any(|vertex| !seen.insert(*vertex))
    }
}

/// Drops doubled edges and pairs that run both ways; the latter go to `inner`, once each.
fn cancel(edges: &[Edge], inner: &mut Vec<Edge>) -> Vec<Edge> {
    let mut all: Vec<Edge> = edges.iter().copied().filter(|(a, b)| a != b).collect();
    all.sort_unstable();
    all.dedup();
    let is_both = |&(a, b): &Edge| all.binary_search(&(b, a)).is_ok();
    inner.extend(all.iter().copied().filter(|edge| edge.0 < edge.1 && is_both(edge)));
    all.iter().copied().filter(|edge| !is_both(edge)).collect()
}

/// Follows the edges to closed rings; the edges of dead ends go to `open`.
fn walk(edges: &[Edge], open: &mut Vec<Edge>) -> Vec<Vec<Vertex>> {
    let mut leaving: BTreeMap<Vertex, Vec<usize>> = BTreeMap::new();
    for (index, edge) in edges.iter().enumerate() {
        leaving.entry(edge.0).or_default().push(index);
    }
    let mut is_used = vec![false; edges.len()];
    prune_dead_ends(edges, &leaving, &mut is_used);
    open.extend(edges.iter().zip(&is_used).filter(|(_, used)| **used).map(|(edge, _)| *edge));
    let mut rings = Vec::new();
    for start in 0..edges.len() {
        if is_used[start] {
            continue;
        }
        let mut path = vec![start];
        is_used[start] = true;
        let closed = loop {
            let (from, at) = edges[path[path.len() - 1]];
            let choices = leaving.get(&at).map_or(&[][..], Vec::as_slice).iter().copied();
            let next = choices
                .filter(|&c| c == start || !is_used[c])
                .min_by(|&a, &b| by_clockwise_angle(at, from, edges[a].1, edges[b].1));
            match next {
                Some(next) if next == start => break true,
                Some(next) => {
                    is_used[next] = true;
                    path.push(next);
                }
                None => break false,
            }
        };
        if closed {
            rings.push(path.iter().map(|&index| edges[index].0).collect());
        } else {
            open.extend(path.iter().map(|&index| edges[index]));
        }
    }
    rings
}

/// Marks the edges that no ring can use because nothing enters their start or leaves their end.
fn prune_dead_ends(edges: &[Edge], leaving: &BTreeMap<Vertex, Vec<usize>>, is_used: &mut [bool]) {
    let mut entering: BTreeMap<Vertex, Vec<usize>> = BTreeMap::new();
    for (index, edge) in edges.iter().enumerate() {
        entering.entry(edge.1).or_default().push(index);
    }
    let count = |map: &BTreeMap<Vertex, Vec<usize>>, vertex| map.get(&vertex).map_or(0, Vec::len);
    let mut degree: BTreeMap<Vertex, (usize, usize)> = BTreeMap::new();
    for vertex in leaving.keys().chain(entering.keys()) {
        degree.insert(*vertex, (count(&entering, *vertex), count(leaving, *vertex)));
    }
    let is_dead = |&(entering, leaving): &(usize, usize)| (entering == 0) != (leaving == 0);
    let mut queue: Vec<Vertex> = degree.iter().filter(|(_, d)| is_dead(d)).map(|(v, _)| *v).collect();
    while let Some(vertex) = queue.pop() {
        let of = |map: &BTreeMap<Vertex, Vec<usize>>| map.get(&vertex).cloned().unwrap_or_default();
        for index in of(leaving).into_iter().chain(of(&entering)) {
            if std::mem::replace(&mut is_used[index], true) {
                continue;
            }
            let (from, to) = edges[index];
            if let Some(d) = degree.get_mut(&from) {
                d.1 -= 1;
            }
            if let Some(d) = degree.get_mut(&to) {
                d.0 -= 1;
            }
            queue.extend([from, to].into_iter().filter(|v| degree.get(v).is_some_and(is_dead)));
        }
    }
}

/// Which of `a` and `b` comes first when turning clockwise, around `at`, from the direction of `from`.
///
/// The region is on the left of the edge that came in, so the first edge in that turn is the one that bounds
/// the same corner of it: regions that only touch at a vertex stay apart.
fn by_clockwise_angle(at: Vertex, from: Vertex, a: Vertex, b: Vertex) -> std::cmp::Ordering {
    let sector = |p: Vertex| match (cross(at, from, p).signum(), dot_at(at, from, p).signum()) {
        (-1, _) => 0,
        (0, -1) => 1,
        (1, _) => 2,
        _ => 3,
    };
    sector(a).cmp(&sector(b)).then_with(|| cross(at, a, b).cmp(&0)).then_with(|| a.cmp(&b))
}

/// The index of the smallest outline that `hole` lies in.
fn owner(
    hole: &[Vertex],
    outlines: &[(Vec<Vertex>, Vec<Vec<Vertex>>)],
    boxes: &[(Vertex, Vertex)],
) -> Option<usize> {
    let (low, high) = bounds(hole);
    let lies_in = |index: usize| {
        let (outer_low, outer_high) = boxes[index];
        if low.0 < outer_low.0 || low.1 < outer_low.1 || high.0 > outer_high.0 || high.1 > outer_high.1 {
            return false;
        }
        let outline = &outlines[index].0;
        let on_it: HashSet<Vertex> = outline.iter().copied().collect();
        hole.iter().find(|vertex| !on_it.contains(*vertex)).is_some_and(|vertex| is_inside(*vertex, outline))
    };
    (0..outlines.len()).filter(|&index| lies_in(index)).min_by_key(|&index| double_area(&outlines[index].0))
}

/// Cuts a region whose rings meet at vertices into triangles over the same vertices.
fn triangles(region: &Region) -> Vec<Region> {
    let rings = || std::iter::once(&region.outline).chain(&region.holes);
    let vertices: Vec<Vertex> = rings().flatten().copied().collect();
    let mut starts: Vec<u32> =
        rings().scan(0, |n, ring| Some(std::mem::replace(n, *n + ring.len() as u32))).collect();
    starts.remove(0);
    let mut corners: Vec<u32> = Vec::new();
    let data = vertices.iter().map(|v| [f64::from(v.0), f64::from(v.1)]);
    earcut::Earcut::new().earcut(data, &starts, &mut corners);
    let mut out = Vec::new();
    for corner in corners.chunks_exact(3) {
        let mut outline: Vec<Vertex> = corner.iter().map(|&index| vertices[index as usize]).collect();
        match double_area(&outline).signum() {
            0 => continue,
            -1 => outline.reverse(),
            _ => {}
        }
        out.push(Region { outline, holes: Vec::new() });
    }
    out
}

fn pairs(ring: &[Vertex]) -> impl Iterator<Item = Edge> + '_ {
    (0..ring.len()).map(move |i| (ring[i], ring[(i + 1) % ring.len()]))
}

/// Twice the signed area; positive counter-clockwise. Coordinates of 17 bits can't overflow it.
fn double_area(ring: &[Vertex]) -> i64 {
    pairs(ring).map(|(a, b)| i64::from(a.0) * i64::from(b.1) - i64::from(a.1) * i64::from(b.0)).sum()
}

/// Twice the signed area of the triangle.
fn cross(o: Vertex, a: Vertex, b: Vertex) -> i64 {
    i64::from(a.0 - o.0) * i64::from(b.1 - o.1) - i64::from(a.1 - o.1) * i64::from(b.0 - o.0)
}

fn dot_at(o: Vertex, a: Vertex, b: Vertex) -> i64 {
    i64::from(a.0 - o.0) * i64::from(b.0 - o.0) + i64::from(a.1 - o.1) * i64::from(b.1 - o.1)
}

fn bounds(ring: &[Vertex]) -> (Vertex, Vertex) {
    ring.iter().fold(((i32::MAX, i32::MAX), (i32::MIN, i32::MIN)), |(low, high), v| {
        ((low.0.min(v.0), low.1.min(v.1)), (high.0.max(v.0), high.1.max(v.1)))
    })
}

/// Even-odd rule, exact.
fn is_inside(p: Vertex, ring: &[Vertex]) -> bool {
    let crosses = |(a, b): Edge| {
        if (a.1 > p.1) == (b.1 > p.1) {
            return false;
        }
        let side = cross(a, b, p);
        if b.1 > a.1 { side > 0 } else { side < 0 }
    };
    pairs(ring).filter(|edge| crosses(*edge)).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(vertices: &[Vertex]) -> Vec<Edge> {
        pairs(vertices).collect()
    }

    const SQUARE: [Vertex; 4] = [(0, 0), (10, 0), (10, 10), (0, 10)];

    #[test]
    fn a_square_with_an_island_is_an_outline_with_a_hole() {
        let mut edges = ring(&SQUARE);
        edges.extend(ring(&[(2, 2), (2, 4), (4, 4), (4, 2)]));
        let traced = trace(&edges);
        assert_eq!(traced.regions.len(), 1);
        assert_eq!(traced.regions[0].holes.len(), 1);
        assert_eq!(traced.regions[0].double_area(), 192);
        assert!(traced.open.is_empty() && traced.inner.is_empty());
    }

    #[test]
    fn two_squares_that_touch_at_a_corner_stay_two() {
        let mut edges = ring(&SQUARE);
        edges.extend(ring(&[(10, 10), (20, 10), (20, 20), (10, 20)]));
        let traced = trace(&edges);
        assert_eq!(traced.regions.len(), 2);
        assert!(traced.regions.iter().all(|r| r.double_area() == 200 && r.outline.len() == 4));
    }

    #[test]
    fn a_hole_that_touches_its_outline_at_a_vertex_is_cut_into_triangles_of_the_same_area() {
        let mut edges = ring(&SQUARE);
        edges.extend(ring(&[(0, 0), (2, 6), (6, 2)]));
        let traced = trace(&edges);
        assert!(traced.regions.iter().all(|r| r.outline.len() == 3 && r.double_area() > 0));
        assert_eq!(traced.regions.iter().map(Region::double_area).sum::<i64>(), 200 - 32);
    }

    #[test]
    fn two_holes_that_touch_are_cut_into_triangles_of_the_same_area() {
        let mut edges = ring(&SQUARE);
        edges.extend(ring(&[(2, 2), (2, 4), (4, 4), (4, 2)]));
        edges.extend(ring(&[(4, 4), (4, 6), (6, 6), (6, 4)]));
        let traced = trace(&edges);
        assert_eq!(traced.regions.iter().map(Region::double_area).sum::<i64>(), 200 - 16);
    }

    #[test]
    fn a_ring_that_lacks_an_edge_is_open_and_leaves_the_others_alone() {
        let mut edges = ring(&SQUARE);
        edges.extend(&ring(&[(20, 0), (30, 0), (30, 10), (20, 10)])[..3]);
        let traced = trace(&edges);
        assert_eq!(traced.regions.len(), 1);
        assert_eq!(traced.open.len(), 3);
    }

    #[test]
    fn a_spur_and_an_edge_with_the_region_on_both_sides_change_nothing() {
        let mut edges = ring(&SQUARE);
        edges.extend([((3, 3), (5, 5)), ((5, 5), (3, 3)), ((10, 10), (12, 12))]);
        let traced = trace(&edges);
        assert_eq!(traced.regions, vec![Region { outline: SQUARE.to_vec(), holes: Vec::new() }]);
        assert_eq!((traced.inner.len(), traced.open.len()), (1, 1));
    }

    #[test]
    fn a_point_is_in_the_region_but_not_in_its_hole() {
        let mut edges = ring(&SQUARE);
        edges.extend(ring(&[(2, 2), (2, 6), (6, 6), (6, 2)]));
        let region = &trace(&edges).regions[0];
        assert!(region.holds((1, 5)) && !region.holds((4, 4)) && !region.holds((11, 5)));
        assert!(region.touches((10, 3)) && !region.touches((9, 3)));
    }
}
