//! Hidden pairs that border visible ones: where an error of the bake would show first.

use super::random::Random;
use super::scene::Scene;
use std::collections::HashMap;

/// Cells beside each cell: those in the same or the eight surrounding columns.
pub(crate) struct Frontier {
    beside: Vec<Vec<u32>>,
}

impl Frontier {
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut columns: HashMap<(i32, i32), Vec<u32>> = HashMap::new();
        for (id, place) in scene.places.iter().enumerate() {
            columns.entry(place.column).or_default().push(id as u32);
        }
        let beside = scene.places.iter().enumerate().map(|(id, place)| {
            let mut near = Vec::new();
            for dx in -1..=1 {
                for dy in -1..=1 {
                    near.extend(
                        columns.get(&(place.column.0 + dx, place.column.1 + dy)).into_iter().flatten(),
                    );
                }
            }
            near.retain(|&other| other as usize != id);
            near
        });
        Self { beside: beside.collect() }
    }

    pub(crate) fn beside(&self, cell: usize) -> &[u32] {
        &self.beside[cell]
    }

    /// Whether a neighbour of the pair (one cell moved to a cell beside it) has the other verdict.
    pub(crate) fn is_border(&self, a: usize, b: usize, may_see: &impl Fn(usize, usize) -> bool) -> bool {
        let verdict = may_see(a, b);
        self.beside[b].iter().any(|&c| c as usize != a && may_see(a, c as usize) != verdict)
            || self.beside[a].iter().any(|&c| c as usize != b && may_see(c as usize, b) != verdict)
    }

    /// A random hidden pair, beside a visible one if a few tries found such, or `None` where none was found.
    pub(crate) fn hidden_pair(
        &self,
        random: &mut Random,
        may_see: &impl Fn(usize, usize) -> bool,
    ) -> Option<(usize, usize)> {
        let count = self.beside.len();
        for _ in 0..64 {
            // From a visible pair, step one cell aside until the pair is hidden: always a border.
            let (mut a, mut b) = (random.below(count), random.below(count));
            if !may_see(a, b) {
                if self.is_border(a, b, may_see) && a != b {
                    return Some((a, b));
                }
                continue;
            }
            for _ in 0..40 {
                let moved = if random.below(2) == 0 { &mut a } else { &mut b };
                let near = &self.beside[*moved];
                if near.is_empty() {
                    break;
                }
                *moved = near[random.below(near.len())] as usize;
                if a != b && !may_see(a, b) {
                    return Some((a, b));
                }
            }
        }
        (0..64).find_map(|_| {
            let (a, b) = (random.below(count), random.below(count));
            (a != b && !may_see(a, b)).then_some((a, b))
        })
    }
}
