//! `fogwall render`, as a map maker meets it.
#![cfg(feature = "cli")]

use assert_cmd::Command;
use resvg::{tiny_skia::Pixmap, usvg};
use std::collections::HashSet;
use std::path::PathBuf;

const TINY: &str = "src/cli/render/tiny.ron";

struct Drawn {
    folder: tempfile::TempDir,
}

impl Drawn {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Renders to a file of this name and gives its bytes.
    fn draw(&self, name: &str, map: &str, args: &[&str]) -> Vec<u8> {
        let path = self.path(name);
        let mut command = Command::cargo_bin("fogwall").unwrap();
        command.args(["render", map, "-o"]).arg(&path).args(args).assert().success();
        std::fs::read(path).unwrap()
    }

    fn svg(&self, map: &str, args: &[&str]) -> String {
        String::from_utf8(self.draw("plan.svg", map, args)).unwrap()
    }

    /// What `render` says on standard error when it fails.
    fn failure(&self, name: &str, args: &[&str]) -> String {
        let mut command = Command::cargo_bin("fogwall").unwrap();
        let assert = command.args(["render", TINY, "-o"]).arg(self.path(name)).args(args).assert().failure();
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    }
}

/// The texts of an SVG, a space between them.
fn words(svg: &str) -> String {
    let parts = svg.split('<').filter_map(|part| part.split_once('>'));
    parts.flat_map(|(_, text)| text.split_whitespace()).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_plan_of_a_tiny_map_is_this_svg() {
    insta::assert_snapshot!(Drawn::new().svg(TINY, &["--width", "900"]));
}

#[test]
fn a_plan_is_well_formed_and_names_what_it_shows() {
    let svg = Drawn::new().svg(TINY, &["--cells"]);
    let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap();
    assert_eq!(tree.size().width(), 1600.0);
    for part in ["legend", "scale-bar", "north", "grid", "base", "upper", "openings", "areas", "cells"] {
        assert!(svg.contains(&format!("id=\"{part}\"")), "no {part}");
    }
    let texts = words(&svg);
    let named =
        ["tiny &lt;yard&gt;", "Shed &amp; gate", "Loft", "spawn of red", "jumping eyes see over", "4 m"];
    for text in named {
        assert!(texts.contains(text), "no {text}");
    }
}

#[test]
fn the_same_map_gives_the_same_bytes() {
    let drawn = Drawn::new();
    for args in [&[][..], &["--from", "-4,-4,0"], &["--heat"]] {
        assert_eq!(drawn.draw("a.svg", TINY, args), drawn.draw("b.svg", TINY, args));
    }
    assert_eq!(drawn.draw("a.png", TINY, &[]), drawn.draw("b.png", TINY, &[]));
}

#[test]
fn a_png_has_the_width_asked_for_and_colours_and_text() {
    let png = Drawn::new().draw("plan.png", TINY, &["--width", "800"]);
    let pixels = Pixmap::decode_png(&png).unwrap();
    assert_eq!(pixels.width(), 800);
    let colours: HashSet<[u8; 3]> = pixels.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect();
    assert!(colours.len() > 50, "{} colours", colours.len());
    // The title's place: ink on paper only where the font of the crate was found.
    let ink = (10..45).flat_map(|y| (56..200).map(move |x| (x, y)));
    let dark = ink.filter(|&(x, y)| pixels.pixel(x, y).unwrap().red() < 100).count();
    assert!(dark > 200, "{dark} dark pixels in the title");
}

#[test]
fn the_scale_is_pixels_a_metre() {
    let drawn = Drawn::new();
    let width = |scale: &str| {
        let svg = drawn.svg(TINY, &["--scale", scale]);
        f64::from(usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap().size().width())
    };
    // 16 m of floor and 1.6 m around it.
    assert_eq!(width("50") - width("30"), 20.0 * 19.2);
}

#[test]
fn what_a_point_sees_is_drawn_with_its_eye() {
    let svg = Drawn::new().svg(TINY, &["--from", "0,-3,0"]);
    assert!(svg.contains("id=\"seen\"") && !svg.contains("id=\"pvs-row\""));
    let texts = words(&svg);
    assert!(texts.contains("From 0, -3, 0") && texts.contains("For the PVS row, draw from the baked file"));
}

#[test]
fn a_bake_on_the_spot_adds_the_row_of_the_pvs() {
    let svg = Drawn::new().svg(TINY, &["--from", "0,-3,0", "--bake"]);
    assert!(svg.contains("id=\"seen\"") && svg.contains("id=\"pvs-row\""));
    assert!(words(&svg).contains("may be seen by the PVS"));
}

#[test]
fn heat_says_how_it_was_found() {
    let drawn = Drawn::new();
    let by_rays = drawn.svg(TINY, &["--heat"]);
    assert!(by_rays.contains("id=\"heat\"") && words(&by_rays).contains("a lower bound"));
    let by_bake = drawn.svg(TINY, &["--heat", "--bake"]);
    assert!(words(&by_bake).contains("By the baked PVS"));
}

#[test]
fn a_plan_below_a_height_leaves_the_upper_storey_out() {
    let svg = Drawn::new().svg(TINY, &["--below", "2.5"]);
    assert!(!words(&svg).contains("upper storey") && words(&svg).contains("drawn below 2.5 m only"));
}

#[test]
fn a_point_off_the_map_or_between_storeys_is_an_error_that_says_where_floors_are() {
    let drawn = Drawn::new();
    let off = drawn.failure("x.svg", &["--from", "90,0,0"]);
    assert!(off.contains("no floor there") && off.contains("-8.0,-5.0 and 8.0,5.0"), "{off}");
    let between = drawn.failure("x.svg", &["--from", "5,3,2.2"]);
    assert!(between.contains("0.00, 3.00"), "{between}");
    let inside = drawn.failure("x.svg", &["--from", "4,-3,0"]);
    assert!(inside.contains("inside a solid"), "{inside}");
    assert!(!drawn.path("x.svg").exists());
}

#[test]
fn a_name_that_is_no_picture_and_a_point_that_is_none_are_errors() {
    let drawn = Drawn::new();
    assert!(drawn.failure("plan.jpg", &[]).contains("must end in .svg or .png"));
    assert!(drawn.failure("plan", &[]).contains("must end in .svg or .png"));
    assert!(drawn.failure("plan.svg", &["--from", "1,2"]).contains("x,y,z"));
    assert!(drawn.failure("plan.svg", &["--from", "1,2,inf"]).contains("finite"));
    assert!(drawn.failure("plan.svg", &["--scale", "900"]).contains("10000 px"));
}

/// The part of an SVG with this id, up to the next one.
fn part<'a>(svg: &'a str, id: &str) -> &'a str {
    let start = svg.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id}"));
    let rest = &svg[start + 4..];
    &rest[..rest.find(" id=\"").unwrap_or(rest.len())]
}

#[test]
fn a_bridge_with_ramps_at_both_ends_has_a_way_beneath() {
    let svg = Drawn::new().svg("maps/bridge_and_tunnel.ron", &[]);
    assert!(part(&svg, "overhead").contains("url(#hatch-beneath)"));
    assert!(words(&svg).contains("a way beneath"));
}

#[test]
fn an_upper_storey_has_the_colour_in_the_legend_that_it_is_drawn_in() {
    let drawn = Drawn::new();
    for map in ["maps/bridge_and_tunnel.ron", TINY] {
        let svg = drawn.svg(map, &[]);
        let (upper, legend) = (part(&svg, "upper"), part(&svg, "legend"));
        let fill = |text: &str| {
            let end = text.find("\" fill-opacity=\"0.62\"")?;
            Some(text[end - 7..end].to_owned())
        };
        assert!(fill(upper).is_some_and(|colour| colour.starts_with('#')), "{map}");
        assert_eq!(fill(upper), fill(legend), "{map}");
    }
}

#[test]
fn crossed_crates_are_explained_where_there_are_some() {
    let drawn = Drawn::new();
    assert!(words(&drawn.svg("maps/crate_to_stand_on.ron", &[])).contains("crossed: a crate"));
    assert!(!words(&drawn.svg("maps/ramp.ron", &[])).contains("crossed"));
}

#[test]
fn heights_in_the_legend_have_one_precision() {
    let svg = Drawn::new().svg(TINY, &["--from", "0,-3,0"]);
    let texts = words(part(&svg, "legend"));
    let texts: Vec<&str> = texts.split(' ').collect();
    let heights = texts.windows(2).filter(|pair| pair[1].trim_end_matches([':', ',']) == "m");
    let heights: Vec<&str> = heights.map(|pair| pair[0]).collect();
    assert!(heights.len() >= 4, "{heights:?}");
    let is_centimetres = |h: &&str| h.split_once('.').is_some_and(|(_, digits)| digits.len() == 2);
    assert!(heights.iter().all(is_centimetres), "{heights:?}");
}

#[test]
fn what_stands_is_drawn_over_the_heat_of_cells_that_reach_into_it() {
    let svg = Drawn::new().svg(TINY, &["--heat"]);
    let at = |id: &str| svg.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id}"));
    assert!(at("heat") < at("standing") && at("standing") < at("heat-upper"));
    assert!(at("heat-upper") < at("standing-upper"));
    // The pillar, whose round edge is no cell's, and of the crate the edge alone.
    assert!(part(&svg, "standing").contains("fill=\"#8391a7\""));
    assert!(part(&svg, "standing").contains("fill=\"none\""));
}

#[test]
fn small_squares_and_what_is_seen_over_the_row_are_explained() {
    let svg = Drawn::new().svg(TINY, &["--from", "0,-3,0", "--bake"]);
    assert!(words(&svg).contains("Small squares: cells of an upper storey"));
    let legend = part(&svg, "legend");
    let may_see = legend.find("#3f7fbf").unwrap();
    assert!(legend.find("#f0a81c").is_some_and(|seen| may_see < seen), "seen lies over what may be seen");
}

#[test]
fn a_narrow_picture_has_its_legend_beneath_the_map() {
    let drawn = Drawn::new();
    let size = |args: &[&str]| {
        usvg::Tree::from_str(&drawn.svg(TINY, args), &usvg::Options::default()).unwrap().size()
    };
    let (narrow, wide) = (size(&["--width", "500"]), size(&["--width", "800"]));
    assert_eq!(narrow.width(), 500.0);
    assert!(narrow.height() > wide.height());
    let pixels = Pixmap::decode_png(&drawn.draw("a.png", TINY, &["--width", "480"])).unwrap();
    assert_eq!(pixels.width(), 480);
}

#[test]
fn the_three_arenas_are_drawn_with_their_sites() {
    let drawn = Drawn::new();
    for arena in ["foundry", "terraces", "harbour"] {
        let svg = drawn.svg(&format!("maps/arena_{arena}.ron"), &[]);
        for name in ["A site", "B site", "Red spawn", "Blue spawn", "spawn of blue"] {
            assert!(words(&svg).contains(name), "{arena}: no {name}");
        }
    }
}
