//! A baked file comes back whole, and anything else is refused.

use super::*;
use crate::geom::{ConvexPolygon, Point2};
use crate::map::{Area, CellId, Footprint, PairClass, PvsBuilder, Spawn};
use proptest::prelude::*;

/// A small room with a wall, a tank, a door and a sloping floor; classes that a bake need not agree with.
pub(super) fn small_bake() -> Baked {
    let source = r#"(
        version: 1, name: "room", cell_size: 1.0,
        player: (radius: 0.3, height: 1.8, eye_standing: 1.6, eye_crouched: 1.1, jump: 1.2, step: 0.4,
            max_speed: 6.0, max_accel: 50.0, jump_speed: 6.9, gravity: 20.0, crouch_time: 0.1),
        solids: [
            Wall(id: "wall", from: (0.0, 1.7), to: (2.0, 1.8), thickness: 0.2, z: (-inf, 3.0)),
            Cylinder(id: "tank", center: (3.0, 3.0), radius: 0.4, z: (0.0, 1.1), blocks: [Movement, Sound]),
        ],
        doors: [Prism(id: "door", outline: [(2.0, 1.7), (3.0, 1.7), (3.0, 1.9)], z: (0.0, 2.0))],
        floors: [(outline: [(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (4.0, 4.0, 0.3333333333), (0.0, 4.0, 0.3333333333)])],
        spawns: [(team: "red", at: (1.0, 1.0, 0.1))],
    )"#;
    let mut map = Map::parse(source, "room.ron").expect("a sound source").map;
    map.areas.push(Area {
        name: "Östlich".into(),
        outline: map.floors[0].outline.iter().map(|p| p.xy()).collect(),
    });
    let solids = Solids::build(&map);
    let cells = Cells::build(&map, &solids).expect("few cells");
    let mut pvs = PvsBuilder::new(cells.len());
    for a in 0..cells.len() as u32 {
        for b in 0..cells.len() as u32 {
            let class =
                [PairClass::Hidden, PairClass::Visible, PairClass::Unresolved][(a * 7 + b * 3) as usize % 3];
            pvs.set(CellId(a), CellId(b), class);
        }
    }
    let unresolved_by_solid = vec![3, 400];
    let hearable = Hearable::build(&map, &solids, &cells, 20.0);
    Baked { map, solids, cells, pvs: pvs.finish(), hearable, draft: false, unresolved_by_solid }
}

fn refused(bytes: &[u8]) -> BakeFileError {
    Baked::from_bytes(bytes).err().expect("refused")
}

#[test]
fn a_bake_comes_back_equal_and_saves_to_equal_bytes() {
    let baked = small_bake();
    let bytes = baked.to_bytes();
    let read = Baked::from_bytes(&bytes).expect("its own bytes");
    assert_eq!(read.map, baked.map);
    assert_eq!(read.solids.pieces(), baked.solids.pieces());
    assert_eq!(read.cells.as_slice(), baked.cells.as_slice());
    assert_eq!(read.pvs, baked.pvs);
    assert_eq!(read.hearable, baked.hearable);
    assert_eq!(read.unresolved_by_solid, baked.unresolved_by_solid);
    assert_eq!(read.settings_hash(), baked.settings_hash());
    assert!(read.to_bytes() == bytes);
}

#[test]
fn every_truncation_is_refused_and_named() {
    let bytes = small_bake().to_bytes();
    for length in 0..bytes.len() {
        match refused(&bytes[..length]) {
            BakeFileError::NotABake => assert_eq!(length, 0),
            BakeFileError::Truncated { found, .. } => assert_eq!(found, length as u64),
            other => panic!("{length} bytes: {other}"),
        }
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    let mut bytes = small_bake().to_bytes();
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let error = refused(&bytes);
        match bit / 64 {
            0 => assert!(matches!(error, BakeFileError::NotABake), "bit {bit}: {error}"),
            1 if bit < 96 => {
                assert!(matches!(error, BakeFileError::OtherFormat { .. }), "bit {bit}: {error}")
            }
            2 => assert!(
                matches!(error, BakeFileError::Truncated { .. } | BakeFileError::Trailing { .. }),
                "bit {bit}: {error}"
            ),
            _ => assert!(matches!(error, BakeFileError::Damaged), "bit {bit}: {error}"),
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn bytes_after_the_end_are_refused() {
    let mut bytes = small_bake().to_bytes();
    bytes.push(0);
    assert!(matches!(refused(&bytes), BakeFileError::Trailing { extra: 1 }));
}

#[test]
fn a_bake_of_another_method_is_refused_as_such() {
    let mut bytes = small_bake().to_bytes();
    bytes[12..16].copy_from_slice(&(METHOD_VERSION + 1).to_le_bytes());
    reseal(&mut bytes);
    assert!(
        matches!(refused(&bytes), BakeFileError::OtherMethod { found, .. } if found == METHOD_VERSION + 1)
    );
}

#[test]
fn a_bake_knows_its_source_from_a_changed_one() {
    let baked = small_bake();
    let mut map = baked.map.clone();
    assert!(baked.check_source(&map).is_ok());
    map.source_hash[5] ^= 1;
    assert!(matches!(baked.check_source(&map), Err(BakeFileError::OtherSource { .. })));
    map.player.jump += 0.5;
    let error = baked.check_source(&map).expect_err("another player");
    assert_eq!(error.to_string(), "stale: baked with player.jump 1.2, the source has 1.7: bake again");
}

#[test]
fn a_draft_has_other_settings() {
    let mut baked = small_bake();
    let finished = baked.settings_hash();
    baked.draft = true;
    assert_ne!(baked.settings_hash(), finished);
    assert!(Baked::from_bytes(&baked.to_bytes()).expect("a draft").draft);
}

#[test]
fn a_small_file_that_declares_the_largest_map_takes_no_large_memory() {
    let mut bytes = small_bake().to_bytes();
    bytes[24..28].copy_from_slice(&65_536_u32.to_le_bytes());
    reseal(&mut bytes);
    assert!(matches!(refused(&bytes), BakeFileError::Malformed { .. }));
    let raw_length = 96..104;
    bytes[raw_length].copy_from_slice(&u64::MAX.to_le_bytes());
    reseal(&mut bytes);
    assert!(matches!(refused(&bytes), BakeFileError::Malformed { section: "map", .. }));
}

/// Why a bake that `forge` changed is refused.
fn refused_map(forge: impl FnOnce(&mut Baked)) -> &'static str {
    let mut baked = small_bake();
    forge(&mut baked);
    match refused(&baked.to_bytes()) {
        BakeFileError::Malformed { section: "map", expected } => expected,
        other => panic!("{other}"),
    }
}

/// The small bake's pieces, changed.
fn refused_pieces(forge: impl FnOnce(&mut Vec<crate::map::Piece>)) -> &'static str {
    refused_map(|baked| {
        let mut pieces = baked.solids.pieces().to_vec();
        forge(&mut pieces);
        baked.solids = Solids::of_pieces(pieces);
    })
}

#[test]
fn pieces_without_an_area_are_refused() {
    let point = |x: f64, y: f64| Point2::new(x, y);
    let rings = [
        vec![point(1.0, 1.0); 3],
        vec![point(1.0, 1.0), point(9.0, 9.0), point(1.0, 1.0)],
        vec![point(0.0, 0.0), point(0.0, 1.0), point(1.0, 0.0)],
        vec![point(0.0, 0.0)],
    ];
    for ring in rings {
        let expected = refused_pieces(|pieces| pieces[0].outline = ConvexPolygon::from_ccw(ring));
        assert_eq!(expected, "a piece with an area");
    }
}

#[test]
fn pieces_out_of_order_or_twice_are_refused() {
    let ordered = "pieces in their order, each once";
    assert_eq!(refused_pieces(|pieces| pieces.insert(0, pieces[0].clone())), ordered);
    assert_eq!(refused_pieces(|pieces| pieces.reverse()), ordered);
}

#[test]
fn more_pieces_than_the_solids_can_give_are_refused() {
    let lifted = |count: u32| {
        move |pieces: &mut Vec<crate::map::Piece>| {
            let first = pieces[0].clone();
            let lift = |step: u32| {
                let mut piece = first.clone();
                (piece.z.low, piece.z.high) = (f64::from(step), f64::from(step) + 1.0);
                piece
            };
            *pieces = (0..count).map(lift).collect();
        }
    };
    // A wall of four corners and a tank: 20 times 28.
    assert_eq!(refused_pieces(lifted(561)), "fewer elements");
    let mut baked = small_bake();
    let mut pieces = baked.solids.pieces().to_vec();
    lifted(560)(&mut pieces);
    baked.solids = Solids::of_pieces(pieces);
    assert!(Baked::from_bytes(&baked.to_bytes()).is_ok());
}

#[test]
fn a_solid_thinner_than_coordinates_can_tell_is_no_piece() {
    let mut baked = small_bake();
    let before = baked.solids.pieces().to_vec();
    let footprint = Footprint::Circle { center: Point2::new(3.5, 3.5), radius: 1e-20 };
    baked.map.solids.push(crate::map::Solid {
        id: "needle".into(),
        footprint,
        ..baked.map.solids[0].clone()
    });
    baked.unresolved_by_solid.push(0);
    baked.solids = Solids::build(&baked.map);
    assert_eq!(baked.solids.pieces(), before);
    assert!(Baked::from_bytes(&baked.to_bytes()).is_ok());
}

#[test]
fn outlines_without_an_area_are_refused() {
    let line = [0.0, 1.0, 3.0].map(|x| Point2::new(x, 2.0 * x));
    for corners in 0..=3 {
        let refused = refused_map(|baked| baked.map.areas[0].outline = line[..corners].to_vec());
        assert_eq!(refused, "an outline with an area");
        let footprint = Footprint::Polygon { outline: line[..corners].to_vec(), holes: Vec::new() };
        assert_eq!(refused_map(|baked| baked.map.doors[0].footprint = footprint), "an outline with an area");
    }
    let refused = refused_map(|baked| {
        let floor = &mut baked.map.floors[0];
        floor.holes.push(vec![
            floor.outline[0],
            floor.outline[1],
            nalgebra::center(&floor.outline[0], &floor.outline[1]),
        ]);
    });
    assert_eq!(refused, "an outline with an area");
}

#[test]
fn outlines_that_come_back_to_a_corner_are_refused() {
    let bow = [(0.0, 0.0), (4.0, 0.0), (2.0, 2.0), (4.0, 4.0), (0.0, 4.0), (2.0, 2.0)];
    let bow = bow.map(|(x, y)| Point2::new(x, y)).to_vec();
    assert_eq!(refused_map(|baked| baked.map.areas[0].outline = bow), "each corner once");
}

#[test]
fn names_that_are_long_or_would_move_a_cursor_are_refused() {
    let long = "x".repeat(257);
    for name in ["\u{1b}[2J", "two\nlines", "\u{85}", &long] {
        let expected = "a name of at most 256 bytes without control characters";
        assert_eq!(refused_map(|baked| baked.map.name = name.into()), expected);
        assert_eq!(refused_map(|baked| baked.map.solids[1].id = name.into()), expected);
        assert_eq!(refused_map(|baked| baked.map.doors[0].id = name.into()), expected);
        assert_eq!(refused_map(|baked| baked.map.areas[0].name = name.into()), expected);
        assert_eq!(refused_map(|baked| baked.map.spawns[0].team = name.into()), expected);
    }
    let mut baked = small_bake();
    baked.map.name = "é".repeat(128);
    assert!(Baked::from_bytes(&baked.to_bytes()).is_ok());
}

#[test]
fn lists_longer_than_a_source_may_have_are_refused() {
    let spawn = Spawn { team: String::new(), at: crate::geom::Point3::origin() };
    let refused = refused_map(|baked| baked.map.spawns = vec![spawn; 500_001]);
    assert_eq!(refused, "fewer elements");
}

/// Makes the checksum fit again, as a hostile author would.
fn reseal(bytes: &mut [u8]) {
    let (body, checksum) = bytes.split_at_mut(bytes.len() - 32);
    checksum.copy_from_slice(blake3::hash(body).as_bytes());
}

fn sections_of(bytes: &[u8]) -> (container::Header, [Vec<u8>; container::SECTIONS]) {
    let packed = container::unpack(bytes).expect("a sound file");
    (packed.header, Section::ALL.map(|section| packed.section(section).expect("a sound section")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn hostile_files_with_a_fitting_checksum_are_refused_or_canonical(
        edits in proptest::collection::vec((0..container::SECTIONS, any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let (header, mut sections) = sections_of(&small_bake().to_bytes());
        for (section, at, value) in edits {
            if !sections[section].is_empty() {
                let index = at.index(sections[section].len());
                sections[section][index] = value;
            }
        }
        let bytes = container::pack(&header, &sections);
        if let Ok(read) = Baked::from_bytes(&bytes) {
            prop_assert!(read.to_bytes() == bytes);
        }
    }

    #[test]
    fn any_edit_behind_a_fitting_checksum_ends_without_a_panic(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = small_bake().to_bytes();
        for (at, value) in edits {
            let index = at.index(bytes.len());
            bytes[index] = value;
        }
        reseal(&mut bytes);
        if let Ok(read) = Baked::from_bytes(&bytes) {
            prop_assert_eq!(read.pvs.len(), read.cells.len());
        }
    }
}
