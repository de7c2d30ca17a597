//! Layers made of cells: their outlines, the row of a point in the PVS, the heat of the whole map.
//!
//! Owns what cells see of each other in a picture. Promises: a cell over another is drawn smaller, so that both
//! show; the same figures for any number of threads. Must not know sheets.

use super::palette;
use super::plan::{Hatch, Layer, Shape, Style};
use super::scene::Scene;
use fogwall::{Cell, CellId, Mask, PieceId, Point2, Point3};
use rayon::prelude::*;

/// How much of its size a cell over another keeps.
const UPPER_SIZE: f64 = 0.62;
/// Rays from one cell go to at most so many others.
const HEAT_TARGETS: usize = 4_000;

/// Opacity of cells that may be seen.
pub(super) const MAY_SEE_FILL: f64 = 0.34;

/// What a point may see by the bake, cell by cell.
pub(super) struct Row {
    pub(super) may_see: Vec<CellId>,
    pub(super) unresolved: Vec<CellId>,
}

impl Row {
    /// The union of the rows of all cells that an eye here belongs to; `None` without a bake or off the cells.
    pub(super) fn of(scene: &Scene, eye: Point3) -> Option<Self> {
        let pvs = scene.pvs.as_ref()?;
        let mut from = Vec::new();
        scene.cells.for_each_eye_cell(eye, |id| from.push(id));
        if from.is_empty() {
            return None;
        }
        let (mut may_see, mut unresolved) = (Vec::new(), Vec::new());
        for index in 0..scene.cells.len() {
            let id = CellId(index as u32);
            let seeing = || from.iter().filter(|&&a| a == id || pvs.may_see(a, id));
            if seeing().next().is_none() {
                continue;
            }
            // Unresolved only where no cell of the eye sees it for certain.
            let certain = seeing().any(|&a| a == id || !pvs.unresolved_row(a).contains(id));
            if certain { may_see.push(id) } else { unresolved.push(id) }
        }
        Some(Self { may_see, unresolved })
    }

    pub(super) fn layer(&self, scene: &Scene) -> Layer {
        let upper = upper_cells(scene);
        let mut shapes = Vec::new();
        for pass in [false, true] {
            let fill = if pass { 0.55 } else { MAY_SEE_FILL };
            let chosen = |ids: &[CellId], style: Style, shapes: &mut Vec<Shape>| {
                let picked = ids.iter().filter(|id| upper[id.0 as usize] == pass);
                shapes.extend(picked.map(|id| shape(scene.cells.get(*id), pass, style)));
            };
            chosen(&self.may_see, Style::filled(palette::MAY_SEE, fill), &mut shapes);
            chosen(&self.unresolved, Style::filled(palette::MAY_SEE, 0.12), &mut shapes);
            chosen(&self.unresolved, Style::hatched(Hatch::Unresolved), &mut shapes);
        }
        Layer { id: "pvs-row", shapes }
    }

    /// Whether any of its cells is drawn smaller.
    pub(super) fn has_upper_cells(&self, scene: &Scene) -> bool {
        let upper = upper_cells(scene);
        self.may_see.iter().chain(&self.unresolved).any(|id| upper[id.0 as usize])
    }
}

/// The share of all other cells that each cell sees, 0 to 1.
pub(super) fn heat(scene: &Scene) -> Vec<f64> {
    let n = scene.cells.len();
    let others = n.saturating_sub(1).max(1) as f64;
    match &scene.pvs {
        Some(pvs) => (0..n)
            .map(|i| {
                let id = CellId(i as u32);
                let own = usize::from(pvs.may_see(id, id));
                (pvs.row(id).count() - own) as f64 / others
            })
            .collect(),
        None => {
            let places: Vec<_> =
                scene.cells.as_slice().iter().map(|cell| standing_place(scene, cell)).collect();
            (0..n).into_par_iter().map(|i| heat_by_rays(scene, &places, i)).collect()
        }
    }
}

/// A lower bound: from a standing eye in the cell to chest and head in the other cells.
fn heat_by_rays(scene: &Scene, places: &[Option<Point3>], from: usize) -> f64 {
    let player = &scene.map.player;
    let Some(feet) = places[from] else { return 0.0 };
    let eye = raised(feet, player.eye_standing);
    let stride = places.len().div_ceil(HEAT_TARGETS);
    let (mut seen, mut asked) = (0_u32, 0_u32);
    let mut cached: Option<PieceId> = None;
    for (index, target) in places.iter().enumerate().step_by(stride) {
        let Some(target) = *target else { continue };
        if index == from {
            continue;
        }
        asked += 1;
        seen += u32::from([0.95, 0.7].iter().any(|part| {
            let point = raised(target, part * player.height);
            let blocker = scene.solids.blocker(eye, point, Mask::Sight, cached);
            cached = blocker.or(cached);
            blocker.is_none()
        }));
    }
    f64::from(seen) / f64::from(asked.max(1))
}

fn raised(feet: Point3, by: f64) -> Point3 {
    Point3::new(feet.x, feet.y, feet.z + by)
}

/// Where somebody can stand in the cell: its middle, or towards a corner where the middle is in a solid, which a
/// region that errs to too large allows.
fn standing_place(scene: &Scene, cell: &Cell) -> Option<Point3> {
    let center = cell.region.center();
    let corners = cell.region.vertices().iter().map(|corner| center + (corner - center) * 0.8);
    std::iter::once(center).chain(corners).find_map(|p| {
        let feet = Point3::new(p.x, p.y, cell.feet.high);
        let is_free = |by: f64| !scene.solids.holds(raised(feet, by), Mask::Movement);
        let player = &scene.map.player;
        (is_free(player.step + 0.01) && is_free(player.eye_standing)).then_some(feet)
    })
}

/// Cells coloured by their heat, the greatest of which is the end of the scale: those of the lowest storey, and
/// those over others.
pub(super) fn heat_layers(scene: &Scene, heat: &[f64], greatest: f64) -> [Layer; 2] {
    let upper = upper_cells(scene);
    [("heat", false), ("heat-upper", true)].map(|(id, is_upper)| {
        let cells = scene.cells.as_slice().iter().enumerate().filter(|(i, _)| upper[*i] == is_upper);
        let shapes = cells.map(|(index, cell)| {
            let colour = palette::heat(heat[index] / greatest.max(f64::MIN_POSITIVE));
            let edge = if is_upper { palette::PAPER } else { colour };
            shape(cell, is_upper, Style::filled(colour, 1.0).line(edge, 0.5))
        });
        Layer { id, shapes: shapes.collect() }
    })
}

/// The outlines of all cells.
pub(super) fn outlines(scene: &Scene) -> Layer {
    let upper = upper_cells(scene);
    let style = Style::default().line(palette::QUIET_INK, 0.35);
    let cells = scene.cells.as_slice().iter().enumerate();
    Layer { id: "cells", shapes: cells.map(|(i, cell)| shape(cell, upper[i], style)).collect() }
}

/// Whether each cell lies over another of its column, a body's height or more.
fn upper_cells(scene: &Scene) -> Vec<bool> {
    let cells = scene.cells.as_slice();
    let mut lowest = std::collections::HashMap::new();
    for cell in cells {
        let low = lowest.entry(cell.column).or_insert(f64::INFINITY);
        *low = cell.feet.high.min(*low);
    }
    cells.iter().map(|c| c.feet.high - lowest[&c.column] >= scene.map.player.height).collect()
}

/// Whether any cell is drawn smaller.
pub(super) fn has_upper_cells(scene: &Scene) -> bool {
    upper_cells(scene).contains(&true)
}

fn shape(cell: &Cell, is_upper: bool, style: Style) -> Shape {
    let center = cell.region.center();
    let size = if is_upper { UPPER_SIZE } else { 1.0 };
    let ring: Vec<Point2> = cell.region.vertices().iter().map(|p| center + (p - center) * size).collect();
    Shape { rings: vec![ring], style }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::render::tests::tiny_map;
    use fogwall::{BakeOptions, Cells, Quiet, Solids, bake};

    fn scene() -> Scene {
        let map = tiny_map();
        let solids = Solids::build(&map);
        let cells = Cells::build(&map, &solids).unwrap();
        Scene { map, solids, cells, pvs: None }
    }

    fn baked() -> Scene {
        let mut scene = scene();
        let (map, options) = (&scene.map, BakeOptions::default());
        let pvs = bake(&map.player, map.cell_size, &scene.solids, &scene.cells, options, &Quiet);
        scene.pvs = pvs.ok();
        scene
    }

    #[test]
    fn the_row_of_a_point_is_what_its_cells_may_see() {
        let scene = baked();
        let eye = Point3::new(0.1, -3.2, scene.map.player.eye_standing);
        let row = Row::of(&scene, eye).unwrap();
        let own = scene.cells.cell_at(Point3::new(0.1, -3.2, 0.0)).unwrap();
        let pvs = scene.pvs.as_ref().unwrap();
        assert!(row.may_see.contains(&own));
        let shown = |id: CellId| row.may_see.contains(&id) || row.unresolved.contains(&id);
        for id in (0..scene.cells.len() as u32).map(CellId) {
            assert!(shown(id) || !pvs.may_see(own, id), "{id:?} is in the row and not shown");
        }
        assert!(row.may_see.iter().all(|id| !row.unresolved.contains(id)));
    }

    #[test]
    fn off_the_cells_and_without_a_bake_there_is_no_row() {
        assert!(Row::of(&baked(), Point3::new(50.0, 0.0, 1.6)).is_none());
        assert!(Row::of(&scene(), Point3::new(0.0, -3.0, 1.6)).is_none());
    }

    #[test]
    fn heat_by_rays_is_at_most_what_the_bake_reveals() {
        let (by_rays, by_bake) = (heat(&scene()), heat(&baked()));
        assert_eq!(by_rays.len(), by_bake.len());
        assert!(by_rays.iter().any(|h| *h > 0.5));
        for (rays, bake) in by_rays.iter().zip(&by_bake) {
            assert!(rays <= &(bake + 1e-9), "{rays} by rays, {bake} by the bake");
        }
    }
}
