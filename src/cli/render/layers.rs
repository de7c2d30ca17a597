//! The layers of a map's plan: floors, solids, storeys, doors, areas, spawns.
//!
//! Owns what of a map is painted, in which order and style. Promises: from the lowest to the highest; what hides
//! another thing that one can walk to is translucent. Must not know sheets or files.

use super::floors::{Floors, Triangle};
use super::palette::{self, Ground, Rgb};
use super::plan::{Fill, Hatch, Label, Layer, Marker, Shape, Style, Symbol, flatten};
use super::storeys::{Place, Rise, SolidView, Storeys, Top, is_thin, ring};
use super::styles::{
    area_style, cross_style, door_style, lintel_style, rise_style, roof_style, see_through, solid_style,
    upper_style,
};
use fogwall::{Floor, Footprint, Map, Point2, Point3, Solid};

/// A map made ready for drawing.
pub(super) struct Drawing<'a> {
    pub(super) map: &'a Map,
    pub(super) floors: Floors,
    pub(super) storeys: Storeys,
    pub(super) ground: Ground,
    heights: (f64, f64),
    /// Between contours, m.
    pub(super) band_m: f64,
}

/// Whether what stands beneath an upper storey is drawn again over its floor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beneath {
    Shown,
    Left,
}

/// A painted thing and the height it is painted at.
struct Painted {
    z: f64,
    shape: Shape,
}

impl<'a> Drawing<'a> {
    pub(super) fn new(map: &'a Map, ground: Ground) -> Self {
        let floors = Floors::new(map);
        let storeys = Storeys::read(map, &floors);
        let (low, high) = floors.heights();
        let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
        let band_m = [0.25, 0.5, 1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .find(|step| (high - low) / step <= 20.0)
            .unwrap_or((high - low) / 20.0);
        Self { map, floors, storeys, ground, heights: (low, high), band_m }
    }

    /// The tint of a floor at height `z`.
    pub(super) fn tint(&self, z: f64) -> Rgb {
        let (low, high) = self.heights;
        palette::floor(self.ground, if high > low { (z - low) / (high - low) } else { 0.5 })
    }

    /// The lowest and the highest floor, m.
    pub(super) fn heights(&self) -> (f64, f64) {
        self.heights
    }

    /// What stands on the lowest storeys, and their floors.
    pub(super) fn base(&self) -> Layer {
        self.storey("base", Place::Base)
    }

    /// Upper storeys over the lower ones.
    pub(super) fn upper(&self) -> Layer {
        self.storey("upper", Place::Upper)
    }

    fn storey(&self, id: &'static str, place: Place) -> Layer {
        let mut painted = Vec::new();
        for (index, solid) in self.map.solids.iter().enumerate() {
            let view = self.storeys.solids[index];
            if view.place == place {
                self.paint_solid(solid, view, &mut painted);
            }
        }
        for triangle in &self.floors.triangles {
            if self.shows(triangle.floor, place) && !is_flat(&self.map.floors[triangle.floor]) {
                self.paint_triangle(triangle, place, &mut painted);
            }
        }
        for (index, floor) in self.map.floors.iter().enumerate() {
            if self.shows(index, place) && is_flat(floor) {
                let z = floor.outline[0].z;
                painted.push(Painted {
                    z: z + 0.01,
                    shape: Shape { rings: rings_of(floor), style: self.floor_style(z, place) },
                });
            }
        }
        if place == Place::Upper {
            self.outline_floors(place, &mut painted);
        }
        painted.sort_by(|a, b| a.z.total_cmp(&b.z));
        Layer { id, shapes: painted.into_iter().map(|p| p.shape).collect() }
    }

    /// What stands in the way of a walk, once more over the cells, whose regions reach into it; of crates the
    /// lines only, so that what is seen from their tops stays.
    pub(super) fn standing(&self, place: Place, beneath: Beneath) -> Layer {
        let mut painted = Vec::new();
        for (solid, &view) in self.map.solids.iter().zip(&self.storeys.solids) {
            let stands = view.place == place && view.height_m > self.map.player.step;
            let shows = beneath == Beneath::Shown || !self.storeys.is_roofed(solid, &self.floors);
            if !stands || !shows || !solid.blocks.sight {
                continue;
            }
            match view.top {
                Top::Bare => self.paint_solid(solid, view, &mut painted),
                Top::Crate => {
                    let edge = Style { fill: Fill::None, ..rise_style(view.rise, 1.0) };
                    let z = solid.z.high;
                    painted.push(Painted { z, shape: shape_of(&solid.footprint, edge) });
                    painted.extend(crosses(&solid.footprint).map(|shape| Painted { z, shape }));
                }
                Top::Platform => {}
            }
        }
        painted.sort_by(|a, b| a.z.total_cmp(&b.z));
        let id = if place == Place::Upper { "standing-upper" } else { "standing" };
        Layer { id, shapes: painted.into_iter().map(|p| p.shape).collect() }
    }

    /// Heights of the floor beneath the largest upper storey, and of that storey.
    pub(super) fn storey_heights(&self) -> Option<(f64, f64)> {
        let uppers = (0..self.floors.areas.len()).filter(|&i| self.shows(i, Place::Upper));
        let largest = uppers.max_by(|&a, &b| self.floors.areas[a].total_cmp(&self.floors.areas[b]))?;
        let samples = self.floors.triangles.iter().filter(|t| t.floor == largest).flat_map(Triangle::samples);
        let mut heights = samples.filter_map(|p| {
            let mut under = f64::NEG_INFINITY;
            let top = p.z - self.map.player.height;
            self.floors.at(p.xy(), |z, _| under = if z < top { under.max(z) } else { under });
            under.is_finite().then_some((under, p.z))
        });
        heights.next()
    }

    fn shows(&self, floor: usize, place: Place) -> bool {
        self.storeys.floors[floor] == place && !self.storeys.crate_tops[floor]
    }

    fn floor_style(&self, z: f64, place: Place) -> Style {
        let colour = self.tint(z);
        if place == Place::Upper {
            return upper_style(colour);
        }
        // The seam between neighbours of one tint would show the paper through its soft edge.
        Style::filled(colour, 1.0).line(colour, 0.6)
    }

    fn paint_solid(&self, solid: &Solid, view: SolidView, out: &mut Vec<Painted>) {
        if !solid.blocks.sight {
            return;
        }
        let opacity = if view.place == Place::Upper { 0.82 } else { 1.0 };
        let z = solid.z.high;
        if view.top == Top::Platform {
            // Over the floor that it carries, so that its edge shows.
            let style = Style::default().line(palette::CONTOUR, 0.9);
            out.push(Painted { z: z + 0.02, shape: shape_of(&solid.footprint, style) });
            return;
        }
        let style = solid_style(solid, view.rise, opacity);
        out.push(Painted { z, shape: shape_of(&solid.footprint, style) });
        if view.rise <= Rise::Standing {
            let hatch = Style::hatched(Hatch::Low);
            out.push(Painted { z, shape: shape_of(&solid.footprint, hatch) });
        }
        if view.top == Top::Crate {
            out.extend(crosses(&solid.footprint).map(|shape| Painted { z, shape }));
        }
    }

    /// Cuts a triangle in bands of height, each in the tint of its middle.
    fn paint_triangle(&self, triangle: &Triangle, place: Place, out: &mut Vec<Painted>) {
        let zs = triangle.corners.map(|p| p.z);
        let low = zs.iter().copied().fold(f64::INFINITY, f64::min);
        let high = zs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (first, last) = ((low / self.band_m).floor(), (high / self.band_m).ceil());
        let mut band = first;
        while band < last {
            let (from, to) = (band * self.band_m, (band + 1.0) * self.band_m);
            let ring = clip_heights(&triangle.corners, from, to);
            if ring.len() >= 3 {
                let style = self.floor_style(0.5 * (from + to), place);
                let shape = Shape { rings: vec![flatten(&ring)], style };
                out.push(Painted { z: to.min(high) + 0.01, shape });
            }
            band += 1.0;
        }
    }

    fn outline_floors(&self, place: Place, out: &mut Vec<Painted>) {
        for (index, floor) in self.map.floors.iter().enumerate() {
            if self.shows(index, place) {
                let z = floor.outline.iter().map(|p| p.z).fold(f64::NEG_INFINITY, f64::max) + 0.03;
                let style = Style::default().line(palette::CONTOUR, 1.2);
                out.push(Painted { z, shape: Shape { rings: rings_of(floor), style } });
            }
        }
    }

    /// What one walks beneath: dashed, with a light hatch where it carries a floor.
    pub(super) fn overhead(&self) -> Layer {
        let mut shapes = Vec::new();
        for (solid, view) in self.map.solids.iter().zip(&self.storeys.solids) {
            if view.place != Place::Overhead || !solid.blocks.sight {
                continue;
            }
            if view.top == Top::Platform {
                shapes.push(shape_of(&solid.footprint, Style::hatched(Hatch::Beneath)));
            }
            let style = if is_thin(&solid.footprint) {
                // Dashes on a lintel would run together.
                lintel_style()
            } else {
                roof_style()
            };
            shapes.push(shape_of(&solid.footprint, style));
        }
        Layer { id: "overhead", shapes }
    }

    /// Glass and the like, and doors, over everything.
    pub(super) fn openings(&self) -> Layer {
        let mut shapes = Vec::new();
        for solid in self.map.solids.iter().filter(|s| !s.blocks.sight) {
            shapes.push(shape_of(&solid.footprint, see_through(solid)));
        }
        for door in &self.map.doors {
            shapes.push(shape_of(&door.footprint, door_style()));
        }
        Layer { id: "openings", shapes }
    }

    /// The outlines of named places.
    pub(super) fn areas(&self) -> Layer {
        let style = area_style();
        let rings = self.map.areas.iter().map(|a| vec![a.outline.clone()]);
        Layer { id: "areas", shapes: rings.map(|rings| Shape { rings, style }).collect() }
    }

    /// The names of places.
    pub(super) fn area_labels(&self) -> Vec<Label> {
        let label = |a: &fogwall::Area| Label { text: a.name.clone(), at: middle(&a.outline) };
        self.map.areas.iter().map(label).collect()
    }

    /// The spawns, marked by team.
    pub(super) fn spawns(&self) -> Vec<Marker> {
        let teams = self.teams();
        let mark = |s: &fogwall::Spawn| {
            let index = teams.iter().position(|t| *t == s.team).unwrap_or(0);
            Marker { at: s.at.xy(), symbol: Symbol::Spawn(index, palette::team(&s.team, index)) }
        };
        self.map.spawns.iter().map(mark).collect()
    }

    /// The teams' names, sorted.
    pub(super) fn teams(&self) -> Vec<&str> {
        let mut teams: Vec<&str> = self.map.spawns.iter().map(|s| s.team.as_str()).collect();
        teams.sort_unstable();
        teams.dedup();
        teams
    }
}

fn shape_of(footprint: &Footprint, style: Style) -> Shape {
    let mut rings = vec![ring(footprint)];
    if let Footprint::Polygon { holes, .. } = footprint {
        rings.extend(holes.iter().cloned());
    }
    Shape { rings, style }
}

fn rings_of(floor: &Floor) -> Vec<Vec<Point2>> {
    std::iter::once(&floor.outline).chain(&floor.holes).map(|ring| flatten(ring)).collect()
}

fn is_flat(floor: &Floor) -> bool {
    let z = floor.outline[0].z;
    floor.outline.iter().chain(floor.holes.iter().flatten()).all(|p| (p.z - z).abs() < 1e-3)
}

/// The draughtsman's cross over a crate; nothing where it would leave the crate.
fn crosses(footprint: &Footprint) -> impl Iterator<Item = Shape> {
    let ring = ring(footprint);
    let n = ring.len();
    let pairs =
        if n < 4 { Vec::new() } else { vec![(n / 8, n / 8 + n / 2), (n / 8 + n / 4, n / 8 + 3 * n / 4)] };
    let style = cross_style();
    pairs.into_iter().filter_map(move |(a, b)| {
        let (a, b) = (ring[a], ring[b % n]);
        let is_within = |t: f64| super::storeys::is_inside(&ring, a + (b - a) * t);
        let is_chord = [0.1, 0.3, 0.5, 0.7, 0.9].into_iter().all(is_within);
        is_chord.then(|| Shape { rings: vec![vec![a, b]], style })
    })
}

/// The part of a convex ring between two heights.
fn clip_heights(ring: &[Point3], from: f64, to: f64) -> Vec<Point3> {
    let half = |ring: &[Point3], side: &dyn Fn(&Point3) -> f64| {
        let mut out = Vec::with_capacity(ring.len() + 1);
        for (i, a) in ring.iter().enumerate() {
            let b = &ring[(i + 1) % ring.len()];
            let (sa, sb) = (side(a), side(b));
            if sa >= 0.0 {
                out.push(*a);
            }
            if (sa > 0.0 && sb < 0.0) || (sa < 0.0 && sb > 0.0) {
                out.push(a + (b - a) * (sa / (sa - sb)));
            }
        }
        out
    };
    half(&half(ring, &|p| p.z - from), &|p| to - p.z)
}

/// A place inside a ring for its name: of a grid's points the one farthest from the edge.
fn middle(ring: &[Point2]) -> Point2 {
    const GRID: u32 = 24;
    let (low, high) = super::bounds_of(ring.iter().copied());
    let mut best = (f64::NEG_INFINITY, low + (high - low) * 0.5);
    for i in 0..=GRID {
        for j in 0..=GRID {
            let step = |k: u32| f64::from(k) / f64::from(GRID);
            let size = high - low;
            let p = Point2::new(low.x + size.x * step(i), low.y + size.y * step(j));
            if super::storeys::is_inside(ring, p) {
                let centred = (p - (low + size * 0.5)).norm();
                let room = edge_distance(ring, p) - 0.05 * centred;
                if room > best.0 + 1e-9 {
                    best = (room, p);
                }
            }
        }
    }
    best.1
}

fn edge_distance(ring: &[Point2], p: Point2) -> f64 {
    (0..ring.len())
        .map(|i| {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            let d = b - a;
            let t = ((p - a).dot(&d) / d.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            (a + d * t - p).norm()
        })
        .fold(f64::INFINITY, f64::min)
}
