//! The layers and walls of the crate, as data, and the checks that hold files to them.

use crate::scan::{File, Tree, flatten, is_for_tests};

/// Modules by layer, lowest first; a module uses its own layer's others only where `SIBLINGS` says so.
const LAYERS: &[&[&str]] = &[
    &["held", "ids", "tick", "geom", "text", "recording"],
    &["world", "rules", "wire"],
    &["map"],
    &["filter", "import"],
    &["send"],
    &["server", "replica"],
    &["audit"],
    &["replay", "simulate"],
];
/// Uses within a layer: (who, whom).
const SIBLINGS: &[(&str, &str)] = &[("rules", "wire"), ("world", "wire"), ("ids", "held")];
/// The map's own order: each uses the ones before it, and none of `MAP_TEXT`.
const MAP_ORDER: &[&str] = &["model", "solids", "pvs", "cells", "hearable", "bake", "file"];
/// The map's side of texts and findings.
const MAP_TEXT: &[&str] = &["finding", "source", "validate", "warning", "write"];
/// The only top modules that a module may use: the walls of the security argument.
const ONLY: &[(&str, &[&str])] = &[("replica", &["ids", "tick", "wire"])];
/// What a module must never use, and why.
const NEVER: &[(&str, &str, &str)] =
    &[("send", "world", "it packs what is disclosed"), ("wire", "world", "it encodes what is disclosed")];
/// Modules whose stages hand values along through their `mod.rs` only.
const STAGED: &[&str] = &["filter", "send"];
/// Files that hand values along beside a `mod.rs`; no stage may import them.
const CONDUCTORS: &[(&str, &str)] = &[("filter", "shared"), ("filter", "observer"), ("send", "fill")];
/// What the audit's second opinion may use: data, not the code it is to judge.
const SECOND_OPINION: &[&str] = &[
    "crate::map::model",
    "crate::map::solids::Piece",
    "crate::map::cells::Cell",
    "crate::ids",
    "crate::tick",
];
/// Crates that one module alone may name.
const DOORS: &[(&str, &str)] = &[("parry2d", "geom")];
/// Longest file, in lines.
const MOST_LINES: usize = 400;
/// Longest head of a file.
const MOST_HEAD_LINES: usize = 8;
/// What the oracles may import of the crate: the map's data, never its algorithms.
const ORACLE_NAMES: &[&str] = &[
    "Area",
    "Blocks",
    "Cell",
    "CellId",
    "Cells",
    "ConvexPolygon",
    "Floor",
    "Footprint",
    "Map",
    "PairClass",
    "Piece",
    "PieceId",
    "Player",
    "Point2",
    "Point3",
    "SIGHT_CLEARANCE_M",
    "Solid",
    "Solids",
    "Spawn",
    "Vector2",
    "ZRange",
];
/// Methods of those types that answer the very question that the oracles are to answer by themselves.
const ORACLE_METHODS: &[&str] = &["blocker", "for_each_touching", "may_see"];

/// Every breach of the rules about who uses whom.
pub(crate) fn breaches(tree: &Tree) -> Vec<String> {
    let mut out = Vec::new();
    for (path, file) in &tree.files {
        let Some(own) = file.module.first() else { continue };
        for used in tree.uses(file) {
            for why in [layer(own, &used), wall(file, &used), stage(file, &used), map_order(file, &used)] {
                out.extend(why.map(|why| format!("{path}: {} {why}", used.join("::"))));
            }
        }
        for (name, door) in DOORS {
            if own != door && Tree::heads(file).contains(name) {
                out.push(format!("{path}: only {door} may name {name}"));
            }
        }
    }
    out.extend(tree.files.get("src/lib.rs").into_iter().flat_map(logic_in_root));
    out
}

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

fn layer(own: &str, used: &[String]) -> Option<String> {
    let other = used.first()?;
    let (from, to) = (layer_of(own)?, layer_of(other)?);
    let is_allowed = own == other || to < from || SIBLINGS.contains(&(own, other.as_str()));
    (!is_allowed).then(|| format!("is not below {own}: imports go down only"))
}

fn wall(file: &File, used: &[String]) -> Option<String> {
    let (own, other) = (file.module.first()?.as_str(), used.first()?.as_str());
    if let Some((_, only)) = ONLY.iter().find(|(module, _)| *module == own)
        && own != other
        && !only.contains(&other)
    {
        return Some(format!("is out of {own}'s reach, which uses {} only", only.join(", ")));
    }
    if let Some((.., why)) = NEVER.iter().find(|(from, to, _)| *from == own && *to == other) {
        return Some(format!("is hidden from {own}: {why}"));
    }
    if own == "send" && other == "filter" && used.last().is_none_or(|name| name != "Disclosed") {
        return Some("is not Disclosed, all that send takes from filter".to_owned());
    }
    let is_opinion = own == "audit" && file.module.iter().any(|segment| segment.contains("opinion"));
    let name = format!("crate::{}", used.join("::"));
    let is_data = |allowed: &&str| name == **allowed || name.starts_with(&format!("{allowed}::"));
    if is_opinion && other != "audit" && !SECOND_OPINION.iter().any(is_data) {
        return Some("is code that the second opinion judges".to_owned());
    }
    None
}

fn stage(file: &File, used: &[String]) -> Option<String> {
    let [top, stage, ..] = file.module.as_slice() else { return None };
    let [other_top, other_stage, _, ..] = used else { return None };
    let conducts = CONDUCTORS.contains(&(top.as_str(), stage.as_str()));
    let is_stage = STAGED.contains(&top.as_str()) && top == other_top && stage != other_stage && !conducts;
    is_stage.then(|| format!("is another stage of {top}: its mod.rs hands values along"))
}

fn map_order(file: &File, used: &[String]) -> Option<String> {
    let ([top, own, ..], [other_top, other, ..]) = (file.module.as_slice(), used) else { return None };
    if top != "map" || other_top != "map" || own == other {
        return None;
    }
    let rank = |module: &str| MAP_ORDER.iter().position(|m| *m == module);
    let from = rank(own)?;
    if MAP_TEXT.contains(&other.as_str()) {
        return Some(format!("is on the side of texts: {own} works on validated maps"));
    }
    rank(other).is_some_and(|to| to > from).then(|| format!("comes after {own} in the map's order"))
}

/// Items of `lib.rs` that are neither a module nor a re-export, nor a module of re-exports.
fn logic_in_root(file: &File) -> Vec<String> {
    fn is_logic(item: &syn::Item) -> bool {
        match item {
            syn::Item::Use(item) => !matches!(item.vis, syn::Visibility::Public(_)),
            syn::Item::Mod(item) => item.content.iter().flat_map(|(_, items)| items).any(is_logic),
            _ => true,
        }
    }
    let count = file.syntax.items.iter().filter(|item| is_logic(item) && !is_for_tests(item)).count();
    (count > 0)
        .then(|| format!("src/lib.rs: {count} items that are neither `mod` nor `pub use`"))
        .into_iter()
        .collect()
}

/// What is wrong with the size or the head of a file.
pub(crate) fn form(path: &str, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let lines = text.lines().count();
    if lines > MOST_LINES {
        out.push(format!("{path}: {lines} lines, over {MOST_LINES}"));
    }
    let head = text.lines().take_while(|line| line.starts_with("//!")).count();
    if head == 0 || (head > MOST_HEAD_LINES && path != "src/lib.rs") {
        out.push(format!("{path}: its head has {head} lines; 1 to {MOST_HEAD_LINES} are wanted"));
    }
    out
}

/// What an oracle's file takes from the crate beyond the map's data.
pub(crate) fn oracle(path: &str, text: &str) -> Vec<String> {
    let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut names = Names::default();
    syn::visit::Visit::visit_file(&mut names, &syntax);
    let foreign = |name: &&String| !ORACLE_NAMES.contains(&name.as_str());
    let asked = |name: &&String| ORACLE_METHODS.contains(&name.as_str());
    let imports =
        names.imports.iter().filter(foreign).map(|name| format!("{path}: fogwall::{name} is no map data"));
    let methods =
        names.methods.iter().filter(asked).map(|name| format!("{path}: asks .{name}() instead of itself"));
    imports.chain(methods).collect()
}

#[derive(Default)]
struct Names {
    imports: Vec<String>,
    methods: Vec<String>,
}

impl<'ast> syn::visit::Visit<'ast> for Names {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let of_crate = |(path, _): &(Vec<String>, String)| path[0] == "fogwall";
        let paths = flatten(&item.tree).into_iter().filter(of_crate);
        self.imports.extend(paths.map(|(path, _)| path.get(1).cloned().unwrap_or_else(|| "*".to_owned())));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let mut segments = path.segments.iter().map(|segment| segment.ident.to_string());
        if segments.next().is_some_and(|first| first == "fogwall") {
            self.imports.extend(segments.next());
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.methods.push(call.method.to_string());
        syn::visit::visit_expr_method_call(self, call);
    }
}
