//! What each source file names: paths of `use`, of expressions and types, and inside macros, made absolute.
//!
//! Owns the parsing (by `syn`) and the walk through re-exports to the module where a name lives.
//! Code under `cfg(test)` is left out: tests may reach anywhere.

use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};

/// A module's path from the crate's root.
pub(crate) type Module = Vec<String>;

/// A crate's source files by their path, `src/map/cells.rs`.
pub(crate) struct Tree {
    pub(crate) files: BTreeMap<String, File>,
    reexports: BTreeMap<(Module, String), Vec<String>>,
}

/// One file.
pub(crate) struct File {
    pub(crate) module: Module,
    pub(crate) syntax: syn::File,
    /// Paths as they are written, with the module they are written in.
    written: Vec<(Module, Vec<String>)>,
}

impl Tree {
    /// Parses the files; panics where one is no Rust.
    pub(crate) fn new(files: impl IntoIterator<Item = (String, String)>) -> Self {
        let files =
            files.into_iter().filter(|(path, _)| !path.ends_with("tests.rs") && !path.contains("/tests/"));
        let files: BTreeMap<_, _> =
            files.map(|(path, text)| (path.clone(), File::new(&path, &text))).collect();
        let mut tree = Self { files, reexports: BTreeMap::new() };
        let mut reexports = BTreeMap::new();
        for file in tree.files.values() {
            for item in &file.syntax.items {
                if let syn::Item::Use(item) = item {
                    for (path, name) in flatten(&item.tree) {
                        reexports.insert((file.module.clone(), name), path);
                    }
                }
            }
        }
        tree.reexports = reexports;
        tree
    }

    /// Absolute paths of everything that `file` names in this crate.
    pub(crate) fn uses(&self, file: &File) -> BTreeSet<Vec<String>> {
        file.written.iter().filter_map(|(module, path)| self.resolve(module, path, 0)).collect()
    }

    /// Crates and modules that `file` names at the head of a path.
    pub(crate) fn heads(file: &File) -> BTreeSet<&str> {
        file.written.iter().filter_map(|(_, path)| path.first()).map(String::as_str).collect()
    }

    fn is_module(&self, module: &[String]) -> bool {
        module.is_empty() || self.files.values().any(|file| file.module == module)
    }

    /// The absolute path of the item, through re-exports; `None` for names of other crates.
    fn resolve(&self, module: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
        let mut at = module.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                at.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {}
            first => {
                at.push(first.to_owned());
                let is_ours = self.is_module(&at);
                at.pop();
                if !is_ours {
                    return None;
                }
            }
        }
        while rest.first().is_some_and(|segment| segment == "super") {
            at.pop();
            rest = &rest[1..];
        }
        for (index, segment) in rest.iter().enumerate() {
            at.push(segment.clone());
            if self.is_module(&at) {
                continue;
            }
            at.pop();
            let target = self.reexports.get(&(at.clone(), segment.clone()));
            let through = target.filter(|_| depth < 8).and_then(|target| {
                let target: Vec<String> = target.iter().chain(&rest[index + 1..]).cloned().collect();
                self.resolve(&at, &target, depth + 1)
            });
            return through.or_else(|| {
                at.extend_from_slice(&rest[index..]);
                Some(at.clone())
            });
        }
        Some(at)
    }
}

impl File {
    fn new(path: &str, text: &str) -> Self {
        let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let module = module_of(path);
        let mut collector = Collector { module: module.clone(), written: Vec::new() };
        collector.visit_file(&syntax);
        Self { module, syntax, written: collector.written }
    }
}

/// `src/map/cells.rs` and `src/map/cells/mod.rs` are `map::cells`; `src/lib.rs` is the root.
fn module_of(path: &str) -> Module {
    let inner = path.trim_start_matches("src/").trim_end_matches(".rs");
    let mut module: Module = inner.split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|last| last == "mod") || module == ["lib"] {
        module.pop();
    }
    module
}

struct Collector {
    module: Module,
    written: Vec<(Module, Vec<String>)>,
}

impl Collector {
    fn add(&mut self, path: Vec<String>) {
        self.written.push((self.module.clone(), path));
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !is_for_tests(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.content.is_some() {
            self.module.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        for (path, _) in flatten(&item.tree) {
            self.add(path);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let text = mac.tokens.to_string();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        for chunk in text.replace(" :: ", "::").replace(":: ", "::").split(|c| !is_word(c) && c != ':') {
            let path: Vec<String> = chunk.split("::").filter(|s| !s.is_empty()).map(str::to_owned).collect();
            if path.len() > 1 {
                self.add(path);
            }
        }
        visit::visit_macro(self, mac);
    }
}

pub(crate) fn is_for_tests(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::ExternCrate(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

/// The paths of a `use` tree, each with the name that it brings in.
pub(crate) fn flatten(tree: &syn::UseTree) -> Vec<(Vec<String>, String)> {
    let mut out = Vec::new();
    let mut open = vec![(Vec::new(), tree)];
    while let Some((prefix, tree)) = open.pop() {
        let with = |segment: &syn::Ident| {
            let mut path: Vec<String> = prefix.clone();
            if segment != "self" || path.is_empty() {
                path.push(segment.to_string());
            }
            path
        };
        match tree {
            syn::UseTree::Path(path) => open.push((with(&path.ident), &*path.tree)),
            syn::UseTree::Name(name) => {
                let path = with(&name.ident);
                out.push((path.clone(), path[path.len() - 1].clone()));
            }
            syn::UseTree::Rename(rename) => out.push((with(&rename.ident), rename.rename.to_string())),
            syn::UseTree::Glob(_) => out.push((prefix.clone(), "*".to_owned())),
            syn::UseTree::Group(group) => open.extend(group.items.iter().map(|item| (prefix.clone(), item))),
        }
    }
    out
}
