//! Doom levels, made here byte by byte, as maps.

mod level;

use fogwall::{Blocks, Footprint, ImportError, Imported, Map, Solid, ZRange, import_wad, wad_levels};
use level::{Level, rectangle, two_rooms, wad};
use proptest::prelude::*;

const BLOCKING: u16 = 1;

fn solid<'a>(solids: &'a [Solid], id: &str) -> &'a Solid {
    solids.iter().find(|s| s.id == id).unwrap_or_else(|| panic!("no {id} among {:?}", ids(solids)))
}

fn ids(solids: &[Solid]) -> Vec<&str> {
    solids.iter().map(|s| s.id.as_str()).collect()
}

fn area(footprint: &Footprint) -> f64 {
    let Footprint::Polygon { outline, holes } = footprint else { panic!("a circle from a WAD") };
    std::iter::once(outline)
        .chain(holes)
        .flat_map(|ring| (0..ring.len()).map(move |i| (ring[i], ring[(i + 1) % ring.len()])))
        .map(|(a, b)| 0.5 * (a.x * b.y - a.y * b.x))
        .sum()
}

#[test]
fn a_room_becomes_a_floor_a_ceiling_and_the_rock_around_it() {
    let mut level = Level::default();
    let room = level.sector(-32, 96);
    level.ring(&rectangle(0, 0, 256, 128), room, None);
    let Imported { map, notes } = level.import();
    assert_eq!(ids(&map.solids), ["sector_0_floor", "sector_0_ceiling", "rock_0"]);
    assert_eq!(map.solids[0].z, ZRange::new(f64::NEG_INFINITY, -1.0));
    assert_eq!(map.solids[1].z, ZRange::new(3.0, f64::INFINITY));
    assert_eq!(area(&map.solids[0].footprint), 8.0 * 4.0);
    assert_eq!(area(&map.solids[2].footprint), 10.0 * 6.0 - 8.0 * 4.0);
    assert!(map.floors[0].outline.iter().all(|p| p.z == -1.0));
    assert_eq!(notes, ["no deathmatch starts: 0 player starts are used"]);
}

#[test]
fn a_pillar_of_rock_and_an_island_of_another_sector_are_holes() {
    let mut level = Level::default();
    let (room, island) = (level.sector(0, 128), level.sector(24, 128));
    level.ring(&rectangle(0, 0, 512, 512), room, None);
    let mut pillar = rectangle(64, 64, 128, 128);
    pillar.reverse();
    level.ring(&pillar, room, None);
    level.ring(&rectangle(256, 256, 320, 320), island, Some(room));
    let map = level.import().map;
    let Footprint::Polygon { holes, .. } = &solid(&map.solids, "sector_0_floor").footprint else { panic!() };
    assert_eq!(holes.len(), 2);
    assert_eq!(area(&solid(&map.solids, "sector_0_floor").footprint), 256.0 - 8.0);
    assert_eq!(area(&solid(&map.solids, "sector_1_floor").footprint), 4.0);
    let rock: Vec<f64> = ["rock_0", "rock_1"].map(|id| area(&solid(&map.solids, id).footprint)).into();
    assert!(rock.contains(&4.0), "{rock:?}");
}

#[test]
fn one_sector_in_two_places_gives_two_prisms() {
    let mut level = Level::default();
    let room = level.sector(0, 128);
    level.ring(&rectangle(0, 0, 128, 128), room, None);
    level.ring(&rectangle(256, 0, 384, 128), room, None);
    let map = level.import().map;
    assert_eq!(
        ids(&map.solids)[..4],
        ["sector_0_floor", "sector_0_ceiling", "sector_0_1_floor", "sector_0_1_ceiling"]
    );
    assert_eq!(map.floors.len(), 2);
}

#[test]
fn a_line_with_the_same_sector_on_both_sides_changes_nothing() {
    let mut level = Level::default();
    let room = level.sector(0, 128);
    level.ring(&rectangle(0, 0, 128, 128), room, None);
    let plain = level.import().map;
    level.line((32, 32), (96, 96), room, Some(room));
    level.line((0, 0), (128, 128), room, Some(room));
    assert_eq!(level.import().map.solids, plain.solids);
}

#[test]
fn a_manual_door_is_a_door_from_the_floor_to_four_under_the_lowest_ceiling_around() {
    let (mut level, _, entry) = two_rooms(0, 0);
    level.lines[entry][3] = 1;
    let map = level.import().map;
    assert_eq!(solid(&map.doors, "sector_1_door").z, ZRange::new(0.0, 124.0 * 0.03125));
    assert_eq!(solid(&map.solids, "sector_1_ceiling").z.low, 124.0 * 0.03125);
    assert_eq!(map.floors.len(), 3);
}

#[test]
fn a_closed_sector_without_a_special_is_solid_and_has_no_floor_to_walk_on() {
    let (level, ..) = two_rooms(0, 0);
    let map = level.import().map;
    assert!(map.doors.is_empty());
    assert_eq!(map.floors.len(), 2);
}

#[test]
fn a_tagged_lift_is_a_door_over_its_way_with_a_floor_at_both_ends() {
    let (mut level, middle, entry) = two_rooms(64, 256);
    level.sectors[usize::from(middle)].3 = 5;
    (level.lines[entry][3], level.lines[entry][4]) = (62, 5);
    let map = level.import().map;
    assert_eq!(solid(&map.doors, "sector_1_lift").z, ZRange::new(0.0, 2.0));
    assert_eq!(solid(&map.solids, "sector_1_floor").z.high, 0.0);
    let heights: Vec<f64> = map.floors.iter().map(|f| f.outline[0].z).collect();
    assert_eq!(heights, [0.0, 0.0, 2.0, 0.5]);
}

#[test]
fn a_crusher_takes_its_whole_room() {
    let (mut level, middle, entry) = two_rooms(8, 112);
    level.sectors[usize::from(middle)].3 = 9;
    (level.lines[entry][3], level.lines[entry][4]) = (25, 9);
    assert_eq!(solid(&level.import().map.doors, "sector_1_door").z, ZRange::new(0.25, 3.5));
}

#[test]
fn stairs_rise_from_sector_to_sector() {
    let mut level = Level::default();
    let steps: Vec<u16> = (0..3).map(|_| level.sector(0, 128)).collect();
    for (i, &step) in steps.iter().enumerate() {
        let x = 64 * i as i16;
        level.line((x, 64), (x + 64, 64), step, None);
        level.line((x + 64, 0), (x, 0), step, None);
        match steps.get(i + 1) {
            Some(next) => level.line((x + 64, 64), (x + 64, 0), step, Some(*next)),
            None => level.line((x + 64, 64), (x + 64, 0), step, None),
        };
    }
    let first = level.line((0, 0), (0, 64), steps[0], None);
    (level.lines[first][3], level.lines[first][4]) = (8, 3);
    level.sectors[0].3 = 3;
    let tops: Vec<f64> = level.import().map.doors.iter().map(|d| d.z.high).collect();
    assert_eq!(tops, [0.25, 0.5, 0.75]);
}

#[test]
fn an_unknown_special_takes_what_it_tags_for_moving() {
    let (mut level, middle, entry) = two_rooms(8, 112);
    level.sectors[usize::from(middle)].3 = 4;
    (level.lines[entry][3], level.lines[entry][4]) = (8000, 4);
    let Imported { map, notes } = level.import();
    assert_eq!(ids(&map.doors), ["sector_1_lift", "sector_1_door"]);
    assert!(notes.iter().any(|n| n.starts_with("1 line has an unknown special")), "{notes:?}");
}

#[test]
fn a_blocking_two_sided_line_stops_movement_alone() {
    let (mut level, _, entry) = two_rooms(0, 128);
    level.lines[entry][2] = BLOCKING;
    let map = level.import().map;
    let wall = solid(&map.solids, &format!("line_{entry}"));
    assert_eq!(wall.blocks, Blocks { sight: false, movement: true, sound: false });
    assert_eq!(wall.z, ZRange::new(0.0, 4.0));
    assert!((area(&wall.footprint) - 4.0 * 0.002).abs() < 1e-9);
}

#[test]
fn lines_back_to_back_bound_no_rock_but_still_stop_sight() {
    let mut level = Level::default();
    let room = level.sector(0, 128);
    level.ring(&rectangle(0, 0, 256, 256), room, None);
    level.line((64, 128), (192, 128), room, None);
    level.line((192, 128), (64, 128), room, None);
    let Imported { map, notes } = level.import();
    assert_eq!(ids(&map.solids)[3..], ["line_4", "line_5"]);
    assert_eq!(map.solids[3].blocks, Blocks::ALL);
    assert!(notes[0].contains("2 one-sided lines"), "{notes:?}");
}

#[test]
fn a_sector_that_does_not_close_is_noted_and_its_lines_still_stop_sight() {
    let mut level = Level::default();
    let (room, broken) = (level.sector(0, 128), level.sector(0, 128));
    level.ring(&rectangle(0, 0, 256, 256), room, None);
    level.line((512, 0), (512, 256), broken, None);
    level.line((512, 256), (768, 256), broken, None);
    let Imported { map, notes } = level.import();
    assert!(map.solids.iter().any(|s| s.id == "line_4") && map.solids.iter().any(|s| s.id == "line_5"));
    assert!(notes.iter().any(|n| n.starts_with("sector 1 encloses no area")), "{notes:?}");
    assert!(notes.iter().any(|n| n.starts_with("sector 1 is not closed near")), "{notes:?}");
}

#[test]
fn deathmatch_starts_are_spawns_on_their_sectors_floor_and_others_are_not() {
    let (mut level, ..) = two_rooms(0, 128);
    level.things = vec![(32, 32, 11), (448, 64, 11), (32, 64, 1), (32, 96, 3004), (9000, 0, 11)];
    let Imported { map, notes } = level.import();
    let at: Vec<_> = map.spawns.iter().map(|s| (s.team.as_str(), s.at.x, s.at.y, s.at.z)).collect();
    assert_eq!(at, [("ffa", 1.0, 1.0, 0.0), ("ffa", 14.0, 2.0, 0.5)]);
    assert!(notes[0].starts_with("1 start lies in no sector"), "{notes:?}");
    level.things.retain(|t| t.2 != 11);
    assert_eq!(level.import().map.spawns.len(), 1);
}

#[test]
fn levels_of_either_naming_are_listed_and_found_in_any_case() {
    let (level, ..) = two_rooms(0, 128);
    let bytes = wad("E1M1", &level.lumps());
    assert_eq!(wad_levels(&bytes).unwrap(), ["E1M1"]);
    assert!(import_wad(&bytes, "e1m1", "x").is_ok());
    let error = import_wad(&bytes, "MAP01", "x").unwrap_err();
    assert_eq!(error.to_string(), "no level \"MAP01\" in this file; it has E1M1");
}

#[test]
fn formats_of_other_engines_are_named() {
    let (level, ..) = two_rooms(0, 128);
    let mut lumps = level.lumps();
    lumps.push(("BEHAVIOR", vec![0; 16]));
    let error = import_wad(&wad("MAP01", &lumps), "MAP01", "x").unwrap_err();
    assert!(error.to_string().contains("Hexen"), "{error}");
    let udmf = wad("MAP01", &[("TEXTMAP", b"namespace = \"doom\";".to_vec()), ("ENDMAP", Vec::new())]);
    assert!(import_wad(&udmf, "MAP01", "x").unwrap_err().to_string().contains("UDMF"));
}

#[test]
fn a_damaged_lump_is_named_with_its_record() {
    let (level, ..) = two_rooms(0, 128);
    let import = |lumps: &[(&str, Vec<u8>)]| import_wad(&wad("MAP01", lumps), "MAP01", "x").unwrap_err();
    let mut lumps = level.lumps();
    lumps[2].1.pop();
    assert!(matches!(import(&lumps), ImportError::LumpSize { lump: "SIDEDEFS", record_bytes: 30, .. }));
    lumps.remove(2);
    assert!(matches!(import(&lumps), ImportError::NoLump { lump: "SIDEDEFS", .. }));
    let mut broken = level.clone();
    broken.lines[3][1] = 999;
    let error = import(&broken.lumps());
    assert_eq!(error.to_string(), "lump LINEDEFS, record 3: to 999 does not exist, there are 12");
    let mut broken = level.clone();
    broken.sides[2] = 7;
    assert_eq!(
        import(&broken.lumps()).to_string(),
        "lump SIDEDEFS, record 2: sector 7 does not exist, there are 3"
    );
}

#[test]
fn every_truncation_of_a_wad_is_an_error() {
    let (level, ..) = two_rooms(0, 128);
    let bytes = wad("MAP01", &level.lumps());
    for length in 0..bytes.len() {
        assert!(import_wad(&bytes[..length], "MAP01", "x").is_err(), "at {length} bytes");
    }
}

#[test]
fn an_empty_level_is_an_error() {
    let error = import_wad(&wad("MAP01", &Level::default().lumps()), "MAP01", "x").unwrap_err();
    assert_eq!(error, ImportError::Empty { level: "MAP01".to_owned() });
}

fn total_area(map: &Map, suffix: &str) -> f64 {
    map.solids.iter().filter(|s| s.id.ends_with(suffix)).map(|s| area(&s.footprint)).sum()
}

proptest! {
    #[test]
    fn damaged_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..24)) {
        let (level, ..) = two_rooms(0, 128);
        let mut bytes = wad("MAP01", &level.lumps());
        for (index, value) in changes {
            let at = index.index(bytes.len());
            bytes[at] = value;
        }
        if let Ok(imported) = import_wad(&bytes, "MAP01", "x") {
            prop_assert!(imported.map.solids.iter().all(|s| s.z.low <= s.z.high));
        }
    }

    #[test]
    fn tangled_lines_never_panic_and_rings_stay_simple(
        vertices in prop::collection::vec((-4i16..4, -4i16..4), 3..12),
        lines in prop::collection::vec((0usize..12, 0usize..12, 0u16..3, prop::option::of(0u16..3)), 1..40),
    ) {
        let mut level = Level::default();
        for _ in 0..3 {
            level.sector(0, 128);
        }
        for (a, b, front, back) in lines {
            level.line(vertices[a % vertices.len()], vertices[b % vertices.len()], front, back);
        }
        if let Ok(imported) = import_wad(&wad("MAP01", &level.lumps()), "MAP01", "x") {
            for solid in imported.map.solids.iter().filter(|s| s.id.starts_with("sector")) {
                let Footprint::Polygon { outline, holes } = &solid.footprint else { unreachable!() };
                let mut all: Vec<_> = outline.iter().chain(holes.iter().flatten()).map(|p| (p.x as i64, p.y as i64, p.x.to_bits(), p.y.to_bits())).collect();
                let count = all.len();
                all.sort_unstable();
                all.dedup();
                prop_assert_eq!(all.len(), count, "a vertex is used twice in {}", solid.id);
            }
        }
    }

    #[test]
    fn the_plan_is_covered_once(cuts in prop::collection::btree_set(1i16..16, 0..6)) {
        let mut level = Level::default();
        let edges: Vec<i16> = [0].into_iter().chain(cuts).chain([16]).map(|x| x * 32).collect();
        let sectors: Vec<u16> = (1..edges.len()).map(|i| level.sector(i as i16, 128)).collect();
        level.line((0, 0), (0, 64), sectors[0], None);
        for (i, pair) in edges.windows(2).enumerate() {
            level.line((pair[0], 64), (pair[1], 64), sectors[i], None);
            level.line((pair[1], 0), (pair[0], 0), sectors[i], None);
            level.line((pair[1], 64), (pair[1], 0), sectors[i], sectors.get(i + 1).copied());
        }
        let map = level.import().map;
        prop_assert_eq!(total_area(&map, "_floor"), 16.0 * 2.0);
        prop_assert_eq!(area(&solid(&map.solids, "rock_0").footprint), 18.0 * 4.0 - 16.0 * 2.0);
    }
}
