//! Tiled maps, written here, as maps.

use fogwall::{Blocks, Footprint, Imported, Map, Point2, TiledError, ZRange, import_tiled};
use proptest::prelude::*;
use std::path::PathBuf;
use tempfile::TempDir;

/// Four by three tiles of 16 pixels; a solid bar, a glass tile, and one tile without meaning.
const TILESET: &str = r#"
  <tile id="0"><properties><property name="solid" type="bool" value="true"/></properties></tile>
  <tile id="1"><properties>
    <property name="fogwall:kind" value="solid"/>
    <property name="z_high" type="float" value="2.4"/>
    <property name="blocks" value="Movement, Sound"/>
  </properties></tile>"#;
const CSV: &str = "1,1,1,0,\n0,2,3,0,\n0,0,0,1";
/// The same tiles: base64 of the numbers, plain and zlib.
const BASE64: &str = "AQAAAAEAAAABAAAAAAAAAAAAAAACAAAAAwAAAAAAAAAAAAAAAAAAAAAAAAABAAAA";

fn tmx(inside: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" renderorder="right-down" width="4" height="3" tilewidth="16" tileheight="16" infinite="0">
{inside}
</map>"#
    )
}

fn embedded() -> String {
    format!(
        r#"<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="4" columns="2">{TILESET}</tileset>"#
    )
}

fn layer(attributes: &str, data: &str) -> String {
    format!(r#"<layer id="1" name="walls" width="4" height="3"><data {attributes}>{data}</data></layer>"#)
}

/// Writes the files to a folder and imports the first.
fn import(files: &[(&str, &str)]) -> Result<Imported, TiledError> {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    import_tiled(folder.path().join(files[0].0))
}

fn map(files: &[(&str, &str)]) -> Map {
    let imported = import(files).unwrap_or_else(|error| panic!("{error}"));
    let loaded = Map::parse(imported.map.to_source(), "written").unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(loaded.map.solids.len(), imported.map.solids.len());
    imported.map
}

fn objects(properties: &str, objects: &str) -> String {
    tmx(&format!(
        r#"<objectgroup id="2" name="things"><properties>{properties}</properties>{objects}</objectgroup>"#
    ))
}

fn outline(map: &Map, index: usize) -> Vec<(f64, f64)> {
    let Footprint::Polygon { outline, .. } = &map.solids[index].footprint else { panic!("a circle") };
    outline.iter().map(|p| (p.x, p.y)).collect()
}

fn check_tiles(map: &Map) {
    let mut found: Vec<_> =
        (0..map.solids.len()).map(|i| (outline(map, i), map.solids[i].z, map.solids[i].blocks)).collect();
    found.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
    let rectangle = |w: f64, s: f64, e: f64, n: f64| vec![(w, s), (e, s), (e, n), (w, n)];
    let full = ZRange::new(f64::NEG_INFINITY, f64::INFINITY);
    let glass = Blocks { sight: false, movement: true, sound: true };
    assert_eq!(
        found,
        [
            (rectangle(0.0, 2.0, 3.0, 3.0), full, Blocks::ALL),
            (rectangle(1.0, 1.0, 2.0, 2.0), ZRange::new(f64::NEG_INFINITY, 2.4), glass),
            (rectangle(3.0, 0.0, 4.0, 1.0), full, Blocks::ALL),
        ]
    );
}

#[test]
fn runs_of_solid_tiles_become_rectangles_with_north_up() {
    let text = tmx(&(embedded() + &layer(r#"encoding="csv""#, CSV)));
    check_tiles(&map(&[("yard.tmx", &text)]));
    let Imported { map, notes } = import(&[("yard.tmx", &text)]).unwrap();
    assert_eq!((map.name.as_str(), map.cell_size), ("yard", 1.0));
    assert_eq!(notes, [r#"1 tile has no kind and is left out: layer "walls""#]);
}

#[test]
fn packed_layers_give_the_same_as_listed_ones() {
    let plain = layer(r#"encoding="base64""#, BASE64);
    check_tiles(&map(&[("a.tmx", &tmx(&(embedded() + &plain)))]));
    let zlib = layer(r#"encoding="base64" compression="zlib""#, ZLIB);
    check_tiles(&map(&[("a.tmx", &tmx(&(embedded() + &zlib)))]));
}

/// The numbers of `BASE64`, packed by zlib.
const ZLIB: &str = "eNpjZGBgYIRiGGACYmYGTABSAwABOAAK";

#[test]
fn a_tileset_in_its_own_file_is_read_with_either_kind_of_map() {
    let external = r#"<tileset firstgid="1" source="t.tsx"/>"#.to_owned() + &layer(r#"encoding="csv""#, CSV);
    let tsx = format!(
        r#"<tileset name="t" tilewidth="16" tileheight="16" tilecount="4" columns="2">{TILESET}</tileset>"#
    );
    check_tiles(&map(&[("a.tmx", &tmx(&external)), ("t.tsx", &tsx)]));
    check_tiles(&map(&[
        ("a.tmj", &tmj(r#"{"firstgid": 1, "source": "t.tsx"}"#, &tmj_layer(CSV_JSON, ""))),
        ("t.tsx", &tsx),
    ]));
    let tsj = format!(r#"{{"name": "t", "tiles": {TILES_JSON}}}"#);
    check_tiles(&map(&[
        ("a.tmj", &tmj(r#"{"firstgid": 1, "source": "t.tsj"}"#, &tmj_layer(CSV_JSON, ""))),
        ("t.tsj", &tsj),
    ]));
    let error = import(&[("a.tmx", &tmx(&external))]).unwrap_err();
    assert!(matches!(&error, TiledError::File { path, .. } if path.ends_with("t.tsx")), "{error}");
}

const TILES_JSON: &str = r#"[
    {"id": 0, "properties": [{"name": "solid", "type": "bool", "value": true}]},
    {"id": 1, "type": "Solid", "properties": [
        {"name": "z_high", "type": "float", "value": 2.4},
        {"name": "fogwall:blocks", "type": "string", "value": "Movement, Sound"}]}]"#;
const CSV_JSON: &str = "[1,1,1,0, 0,2,3,0, 0,0,0,1]";

fn tmj(tileset: &str, layers: &str) -> String {
    format!(
        r#"{{"orientation": "orthogonal", "width": 4, "height": 3, "tilewidth": 16, "tileheight": 16,
        "infinite": false, "tilesets": [{tileset}], "layers": [{layers}]}}"#
    )
}

fn tmj_layer(data: &str, more: &str) -> String {
    format!(r#"{{"type": "tilelayer", "name": "walls", "width": 4, "height": 3, "data": {data}{more}}}"#)
}

fn embedded_json() -> String {
    format!(r#"{{"firstgid": 1, "name": "t", "tiles": {TILES_JSON}}}"#)
}

#[test]
fn json_maps_give_the_same_as_xml_ones() {
    check_tiles(&map(&[("a.tmj", &tmj(&embedded_json(), &tmj_layer(CSV_JSON, "")))]));
    let packed = tmj_layer(&format!("{ZLIB:?}"), r#", "encoding": "base64", "compression": "zlib""#);
    check_tiles(&map(&[("a.tmj", &tmj(&embedded_json(), &packed))]));
    let chunks = r#"{"type": "tilelayer", "name": "walls", "chunks": [
        {"x": 0, "y": 0, "width": 4, "height": 2, "data": [1,1,1,0, 0,2,3,0]},
        {"x": 0, "y": 2, "width": 4, "height": 1, "data": [0,0,0,1]}]}"#;
    check_tiles(&map(&[("a.tmj", &tmj(&embedded_json(), chunks))]));
}

#[test]
fn infinite_maps_are_read_by_chunks() {
    let chunk =
        |y: i32, h: i32, data: &str| format!(r#"<chunk x="0" y="{y}" width="4" height="{h}">{data}</chunk>"#);
    let data = chunk(0, 2, "1,1,1,0,0,2,3,0") + &chunk(2, 1, "0,0,0,1");
    let text =
        tmx(&(embedded() + &layer(r#"encoding="csv""#, &data))).replace(r#"infinite="0""#, r#"infinite="1""#);
    check_tiles(&map(&[("a.tmx", &text)]));
}

#[test]
fn turned_tiles_are_the_tiles_they_are() {
    let turned = CSV.replacen("1,1,1", "2147483649,1073741825,3758096385", 1);
    check_tiles(&map(&[("a.tmx", &tmx(&(embedded() + &layer(r#"encoding="csv""#, &turned))))]));
}

#[test]
fn objects_become_what_their_kind_says() {
    let map = map(&[(
        "a.tmx",
        &objects(
            "",
            r#"<object id="1" name="crate" type="solid" x="16" y="16" width="16" height="8"/>
            <object id="2" name="gate" x="0" y="0" width="8" height="16"><properties>
                <property name="kind" value="door"/><property name="z_low" type="int" value="0"/>
                <property name="z_high" type="float" value="2.2"/></properties></object>
            <object id="3" name="tank" class="solid" x="32" y="16" width="16" height="16"><ellipse/></object>
            <object id="4" name="A site" type="area" x="0" y="48"><polygon points="0,0 32,0 32,-16"/></object>
            <object id="5" type="floor" x="0" y="0" width="64" height="48"><properties>
                <property name="z" type="float" value="0.3"/></properties></object>
            <object id="6" type="spawn" x="8" y="40"><properties>
                <property name="team" value="red"/></properties><point/></object>
            <object id="7" name="label" x="0" y="0" width="5" height="5"><text>hello</text></object>"#,
        ),
    )]);
    assert_eq!(map.solids.iter().map(|s| s.id.as_str()).collect::<Vec<_>>(), ["crate", "tank"]);
    assert_eq!(outline(&map, 0), [(1.0, 1.5), (2.0, 1.5), (2.0, 2.0), (1.0, 2.0)]);
    assert_eq!(map.solids[1].footprint, Footprint::Circle { center: Point2::new(2.5, 1.5), radius: 0.5 });
    assert_eq!((map.doors[0].id.as_str(), map.doors[0].z), ("gate", ZRange::new(0.0, 2.2)));
    assert_eq!(map.areas[0].name, "A site");
    assert_eq!(map.areas[0].outline, [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0)].map(|(x, y)| Point2::new(x, y)));
    assert!(map.floors[0].outline.iter().all(|p| p.z == 0.3));
    assert_eq!((map.spawns[0].team.as_str(), map.spawns[0].at.x, map.spawns[0].at.y), ("red", 0.5, 0.5));
}

#[test]
fn what_is_left_out_is_named_and_a_mistyped_class_gets_the_kind_that_it_means() {
    let square = r#"x="0" y="0" width="16" height="16""#;
    let text = objects(
        "",
        &format!(
            r#"<object id="1" name="crate" type="sollid" {square}/>
            <object id="2" name="fire" class="torch" {square}/>
            <object id="3" name="" {square}/>
            <object id="4" name="mark" {square}/>
            <object id="5" name="label" {square}><text>hello</text></object>
            <object id="6" name="old" class="ignore" {square}/>
            <object id="7" name="line" type="area" x="0" y="0"><polyline points="0,0 9,0"/></object>
            <object id="8" name="gate" class="dor" {square}><properties>
                <property name="kind" value="door"/></properties></object>"#
        ),
    );
    assert_eq!(
        import(&[("a.tmx", &text)]).unwrap().notes,
        [
            r#"object 1 "crate" of layer "things" has class "sollid", which is no kind, and is left out: did you mean "solid"?"#,
            r#"object 2 "fire" of layer "things" has class "torch", which is no kind, and is left out"#,
            r#"2 objects have no kind and are left out: object 3 "" of layer "things", object 4 "mark" of layer "things""#,
            r#"1 floor or area is no polygon and is left out: object 7 "line" of layer "things""#,
            r#"1 text is left out: object 5 "label" of layer "things""#,
            r#"1 object is ignored, as its kind says: object 6 "old" of layer "things""#,
        ]
    );
}

#[test]
fn a_mistyped_class_is_noted_where_the_layer_says_the_kind_and_on_the_layer_itself() {
    let object = r#"<object id="1" name="gate" class="Dor" x="0" y="0" width="16" height="16"/>"#;
    let solids = objects(r#"<property name="kind" value="solid"/>"#, object);
    let Imported { map, notes } = import(&[("a.tmx", &solids)]).unwrap();
    assert_eq!(map.solids.len(), 1);
    let doubt =
        r#"object 1 "gate" of layer "things" has class "Dor", which is no kind: did you mean "door"?"#;
    assert_eq!(notes, [doubt]);
    let layer = r#"{"type": "objectgroup", "name": "walls", "class": "sollid", "objects": [
        {"id": 1, "x": 0, "y": 0, "width": 16, "height": 16}]}"#;
    let notes = import(&[("a.tmj", &tmj("", layer))]).unwrap().notes;
    assert_eq!(notes[0], r#"layer "walls" has class "sollid", which is no kind: did you mean "solid"?"#);
    assert!(notes[1].starts_with("1 object has no kind"), "{notes:?}");
}

#[test]
fn tiles_of_a_class_that_is_no_kind_are_named_and_do_not_keep_solid_ones_apart() {
    let tiles = TILESET.replace(r#"<tile id="0">"#, r#"<tile id="0" class="brick">"#)
        + r#"<tile id="2" class="flor"/>"#;
    let tileset = embedded().replace(TILESET, &tiles);
    let text = tmx(&(tileset + &layer(r#"encoding="csv""#, CSV)));
    check_tiles(&map(&[("a.tmx", &text)]));
    let note = r#"a tile of layer "walls" has class "flor", which is no kind, and is left out: did you mean "floor"?"#;
    assert_eq!(import(&[("a.tmx", &text)]).unwrap().notes, [note]);
}

#[test]
fn properties_of_groups_and_layers_are_defaults() {
    let text = tmx(r#"<group id="1" name="g" offsetx="16"><properties><property name="kind" value="solid"/>
            <property name="z_high" type="float" value="1"/></properties>
          <objectgroup id="2" name="low" offsety="-16">
            <object id="1" x="0" y="32" width="16" height="16"/>
            <object id="2" x="16" y="32" width="16" height="16"><properties>
                <property name="z_high" value="inf"/></properties></object>
          </objectgroup></group>"#);
    let map = map(&[("a.tmx", &text)]);
    assert_eq!(map.solids.iter().map(|s| s.z.high).collect::<Vec<_>>(), [1.0, f64::INFINITY]);
    assert_eq!(outline(&map, 0)[0], (1.0, 1.0));
}

#[test]
fn objects_turn_clockwise_around_their_corner() {
    let map = map(&[(
        "a.tmx",
        &objects("", r#"<object id="1" type="solid" x="16" y="16" width="16" height="8" rotation="90"/>"#),
    )]);
    let mut corners = outline(&map, 0);
    corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(corners, [(0.5, 1.0), (0.5, 2.0), (1.0, 1.0), (1.0, 2.0)]);
}

#[test]
fn a_polyline_is_a_chain_of_walls_without_notches() {
    let text = objects(
        r#"<property name="thickness" type="float" value="0.2"/>"#,
        r#"<object id="1" name="fence" type="solid" x="0" y="48"><polyline points="0,0 32,0 32,-32"/></object>"#,
    );
    let map = map(&[("a.tmx", &text)]);
    assert_eq!(map.solids.len(), 2);
    assert_eq!(outline(&map, 0), [(0.0, -0.1), (2.1, -0.1), (2.1, 0.1), (0.0, 0.1)]);
    assert_eq!(outline(&map, 1), [(2.1, -0.1), (2.1, 2.0), (1.9, 2.0), (1.9, -0.1)]);
}

#[test]
fn the_map_sets_scale_cell_and_player() {
    let text = tmx(r#"<properties><property name="fogwall:cell_size" type="float" value="0.5"/>
          <property name="pixels_per_metre" type="int" value="32"/>
          <property name="radius" type="float" value="0.3"/></properties>
          <objectgroup id="1" name="o"><object id="1" type="solid" x="0" y="16" width="64" height="32"/></objectgroup>"#);
    let map = map(&[("a.tmx", &text)]);
    assert_eq!((map.cell_size, map.player.radius), (0.5, 0.3));
    assert_eq!(outline(&map, 0)[2], (2.0, 1.0));
}

#[test]
fn names_that_repeat_get_a_number() {
    let object = |id: i32| {
        format!(r#"<object id="{id}" name="crate" type="solid" x="{id}" y="0" width="0.5" height="8"/>"#)
    };
    let map = map(&[("a.tmx", &objects("", &(object(1) + &object(2) + &object(3))))]);
    let ids: std::collections::BTreeSet<_> = map.solids.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(ids.len(), 3);
}

#[test]
fn a_value_without_meaning_is_an_error_that_names_the_object() {
    let with = |name: &str, value: &str| {
        let property = format!(r#"<property name="{name}" value="{value}"/>"#);
        let text =
            objects(&property, r#"<object id="7" name="x" class="solid" x="0" y="0" width="8" height="8"/>"#);
        import(&[("a.tmx", &text)]).unwrap_err().to_string()
    };
    assert_eq!(with("z_high", "tall"), r#"object 7 "x" of layer "things": z_high is tall, not a number"#);
    assert!(with("blocks", "Light").contains("not a list of Sight, Movement, Sound"));
    assert!(with("z_low", "inf").contains("z_high is inf, not above z_low"));
    let unknown = objects(
        r#"<property name="kind" value="wall"/>"#,
        r#"<object id="7" x="0" y="0" width="8" height="8"/>"#,
    );
    assert!(import(&[("a.tmx", &unknown)]).unwrap_err().to_string().contains("not one of solid, door"));
}

#[test]
fn maps_that_are_no_plan_or_too_large_are_errors() {
    let isometric = tmx("").replace("orthogonal", "isometric");
    assert!(matches!(import(&[("a.tmx", &isometric)]), Err(TiledError::Orientation(_))));
    let isometric = tmj("", "").replace("orthogonal", "hexagonal");
    assert!(matches!(import(&[("a.tmj", &isometric)]), Err(TiledError::Orientation(_))));
    let deep = tmx(&format!("{}{}", "<group>".repeat(5000), "</group>".repeat(5000)));
    assert!(import(&[("a.tmx", &deep)]).unwrap_err().to_string().contains("levels of nesting"));
    let deep = format!("{}{}", r#"{"type": "group", "layers": ["#.repeat(5000), "]}".repeat(5000));
    assert!(import(&[("a.tmj", &tmj("", &deep))]).is_err());
    let short = tmx(&(embedded() + &layer(r#"encoding="csv""#, "1,1,1")));
    assert!(import(&[("a.tmx", &short)]).unwrap_err().to_string().contains("3 tiles"));
    let none = tmx(&(embedded() + &layer(r#"encoding="csv""#, "")));
    assert!(import(&[("a.tmx", &none)]).is_err());
    let huge = layer(r#"encoding="csv""#, "1").replace(r#"width="4""#, r#"width="4000000000""#);
    assert!(import(&[("a.tmx", &tmx(&huge))]).unwrap_err().to_string().contains("tiles: at most"));
    let huge = tmj("", &tmj_layer(CSV_JSON, "").replace("\"width\": 4", "\"width\": 4000000000"));
    assert!(import(&[("a.tmj", &huge)]).unwrap_err().to_string().contains("tiles: at most"));
}

#[test]
fn a_template_that_names_itself_is_an_error() {
    let template = r#"<template><object template="t.tx" type="solid" width="8" height="8"/></template>"#;
    let text = objects("", r#"<object id="1" template="t.tx" x="0" y="0"/>"#);
    assert!(import(&[("a.tmx", &text), ("t.tx", template)]).is_err());
}

#[test]
fn a_template_gives_its_objects_their_shape_and_kind() {
    let template = r#"<template><object type="solid" width="8" height="8"/></template>"#;
    let text = objects("", r#"<object id="1" template="t.tx" x="0" y="0"/>"#);
    assert_eq!(map(&[("a.tmx", &text), ("t.tx", template)]).solids.len(), 1);
}

#[test]
fn what_is_no_plain_file_is_not_opened() {
    let folder = TempDir::new().unwrap();
    let path: PathBuf = folder.path().join("folder.tmx");
    std::fs::create_dir(&path).unwrap();
    assert!(import_tiled(&path).unwrap_err().to_string().contains("not a plain file"));
    assert!(matches!(import_tiled(folder.path().join("none.tmj")), Err(TiledError::File { .. })));
}

proptest! {
    #[test]
    fn damaged_files_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), "[-0-9<>/\"=,a-z{}]"), 1..6),
        is_json in any::<bool>(),
    ) {
        let data = layer(r#"encoding="csv""#, CSV);
        let things = objects("", r#"<object id="1" type="solid" x="16" y="16" width="16" height="8" rotation="9"/>"#);
        let text = if is_json { tmj(&embedded_json(), &tmj_layer(CSV_JSON, "")) } else { things.replace("</map>", &(embedded() + &data + "</map>")) };
        let mut bytes = text.into_bytes();
        for (index, letter) in changes {
            let at = index.index(bytes.len());
            bytes[at] = letter.as_bytes()[0];
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(imported) = import(&[(if is_json { "a.tmj" } else { "a.tmx" }, &text)]) {
            prop_assert!(imported.map.solids.iter().all(|s| s.z.low < s.z.high));
        }
    }
}
