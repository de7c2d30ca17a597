//! A bake that starts from an earlier one is the bake that starts from nothing, to the last bit.

mod common;

use common::sources::{corpus, data, load, real_map};
use fogwall::{
    BakeOptions, BakeQuality, Cells, Earlier, Footprint, Map, Pvs, Quiet, Solids, Vector2, bake, bake_from,
};

/// Random edits of each map; `FOGWALL_EFFORT` multiplies them.
const EDITS_PER_MAP: f64 = 3.0;

struct Bake {
    solids: Solids,
    cells: Cells,
    pvs: Pvs,
}

/// Bakes in full, and from an earlier bake too where there is one: both must be the same.
fn baked(map: &Map, earlier: Option<&Bake>, quality: BakeQuality) -> Bake {
    let solids = Solids::build(map);
    let cells = Cells::build(map, &solids).expect("few enough cells");
    let options = BakeOptions { quality, ..BakeOptions::default() };
    let pvs = bake(&map.player, map.cell_size, &solids, &cells, options, &Quiet).unwrap();
    if let Some(Bake { solids: s, cells: c, pvs: p }) = earlier {
        let earlier = Some(Earlier { solids: s, cells: c, pvs: p });
        let again = bake_from(&map.player, map.cell_size, &solids, &cells, options, earlier, &Quiet).unwrap();
        assert!(
            again == pvs,
            "{}: {} of {} pairs differ",
            map.name,
            differing(&again, &pvs),
            pvs.len().pow(2)
        );
    }
    Bake { solids, cells, pvs }
}

fn differing(a: &Pvs, b: &Pvs) -> usize {
    let cells = (0..a.len() as u32).map(fogwall::CellId);
    let pairs = cells.clone().flat_map(|x| cells.clone().map(move |y| (x, y)));
    pairs.filter(|&(x, y)| a.class(x, y) != b.class(x, y)).count()
}

/// The SplitMix64 generator (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % count.max(1) as u64) as usize
    }

    /// From -1 to 1 m, in steps of a centimetre or so; often no more than some.
    fn way(&mut self) -> f64 {
        let most = [0.03, 0.3, 1.0][self.below(3)];
        (self.below(201) as f64 - 100.0) * 0.01 * most
    }
}

fn shift(footprint: &mut Footprint, by: Vector2) {
    match footprint {
        Footprint::Polygon { outline, holes } => {
            outline.iter_mut().chain(holes.iter_mut().flatten()).for_each(|p| *p += by);
        }
        Footprint::Circle { center, .. } => *center += by,
    }
}

/// Moves, copies, takes away, raises a solid, or moves or raises a floor.
fn edit(map: &mut Map, random: &mut Random) {
    let by = Vector2::new(random.way(), random.way());
    let (solid, floor) = (random.below(map.solids.len()), random.below(map.floors.len()));
    match random.below(8) {
        0..=2 if !map.solids.is_empty() => shift(&mut map.solids[solid].footprint, by),
        3 if !map.solids.is_empty() => drop(map.solids.remove(solid)),
        4 if !map.solids.is_empty() => {
            let mut copy = map.solids[solid].clone();
            copy.id = format!("{} {}", copy.id, map.solids.len());
            shift(&mut copy.footprint, by * 3.0);
            map.solids.push(copy);
        }
        5 if !map.solids.is_empty() => map.solids[solid].z.high += by.x.abs(),
        6 if !map.floors.is_empty() => map.floors[floor].outline.iter_mut().for_each(|p| p.z += by.x * 0.3),
        _ if !map.floors.is_empty() => {
            let floor = &mut map.floors[floor];
            floor.outline.iter_mut().chain(floor.holes.iter_mut().flatten()).for_each(|p| {
                p.x += by.x;
                p.y += by.y;
            });
        }
        _ => {}
    }
}

#[test]
fn edits_of_the_corpus_one_after_the_other_bake_to_the_same_bits_with_and_without_the_earlier_bake() {
    let effort: f64 = std::env::var("FOGWALL_EFFORT").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let mut baked_pairs = 0;
    for (seed, path) in corpus().into_iter().enumerate() {
        let mut map = load(&path);
        if map.name.starts_with("arena") {
            continue;
        }
        let quality = if seed % 4 == 3 { BakeQuality::Draft } else { BakeQuality::Full };
        let mut random = Random(seed as u64);
        let mut earlier = baked(&map, None, quality);
        for _ in 0..(EDITS_PER_MAP * effort) as usize {
            edit(&mut map, &mut random);
            earlier = baked(&map, Some(&earlier), quality);
            baked_pairs += earlier.pvs.counts().revealed();
        }
    }
    assert!(baked_pairs > 100_000, "{baked_pairs}");
}

#[test]
fn a_moved_crate_of_a_real_map_bakes_to_the_same_bits_with_and_without_the_earlier_bake() {
    let Some(data) = data() else { return };
    let mut map = real_map(&data, "de_dust2");
    let earlier = baked(&map, None, BakeQuality::Draft);
    let moved = map.solids.iter_mut().find(|solid| solid.id == "occluder_42").expect("it is there");
    shift(&mut moved.footprint, Vector2::new(0.5, 0.0));
    let now = baked(&map, Some(&earlier), BakeQuality::Draft);
    assert!(now.pvs != earlier.pvs);
}
