//! What an import leaves out, and what it doubts, as notes.
//!
//! Owns the words of the notes. Promises: everything that is left out is counted, the first of each reason are
//! named; notes are bounded whatever the names. Must not know how things are read.

use super::drawing::KINDS;
use crate::import::counted;
use crate::text::similar;
use std::collections::BTreeMap;

/// Things that are named in one note, and notes about classes.
const NAMED: usize = 8;
/// Longest name in a note, characters.
const MOST_CHARS: usize = 120;

/// Why something is no part of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    NoKind,
    NoArea,
    NoPolygon,
    NoPlace,
    Text,
    Ignored,
    TilesNoKind,
    TilesIgnored,
}

impl Why {
    /// For one and for more.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::NoKind => ("object has no kind and is left out", "objects have no kind and are left out"),
            Self::NoArea => ("solid has no area and is left out", "solids have no area and are left out"),
            Self::NoPolygon => (
                "floor or area is no polygon and is left out",
                "floors and areas are no polygons and are left out",
            ),
            Self::NoPlace => ("spawn has no place and is left out", "spawns have no place and are left out"),
            Self::Text => ("text is left out", "texts are left out"),
            Self::Ignored => {
                ("object is ignored, as its kind says", "objects are ignored, as their kind says")
            }
            Self::TilesNoKind => ("tile has no kind and is left out", "tiles have no kind and are left out"),
            Self::TilesIgnored => {
                ("tile is ignored, as its kind says", "tiles are ignored, as their kind says")
            }
        }
    }
}

/// The notes so far.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    reasons: BTreeMap<Why, (usize, Vec<String>)>,
    /// Classes that look like a mistyped kind, and other ones.
    mistyped: Vec<String>,
    unknown: Vec<String>,
    /// How many were left out beyond those that `unknown` names.
    more: usize,
}

impl LeftOut {
    /// Counts so many things like the one with this name.
    pub(super) fn add(&mut self, why: Why, count: usize, name: &str) {
        let (total, names) = self.reasons.entry(why).or_default();
        *total += count;
        let name = short(name);
        if names.len() < NAMED && !names.contains(&name) {
            names.push(name);
        }
    }

    /// Counts so many things that have a class, which is no kind, and nothing else that says what they are.
    pub(super) fn add_class(&mut self, count: usize, name: &str, class: &str) {
        let what = format!("{} has class {:?}, which is no kind, and is left out", short(name), short(class));
        let what = if count > 1 { format!("{what}, {count} times") } else { what };
        match meant(class) {
            Some(kind) if self.mistyped.len() < NAMED => {
                self.mistyped.push(format!("{what}: did you mean {kind:?}?"));
            }
            _ if self.unknown.len() < NAMED => self.unknown.push(what),
            _ => self.more += count,
        }
    }

    /// Notes a class that is nearly a kind, on what is not left out for it: a layer, or what has a kind from one.
    pub(super) fn doubt_class(&mut self, name: &str, class: &str) {
        if let Some(kind) = meant(class)
            && self.mistyped.len() < NAMED
        {
            self.mistyped.push(format!(
                "{} has class {:?}, which is no kind: did you mean {kind:?}?",
                short(name),
                short(class)
            ));
        }
    }

    /// The notes: doubtful classes first.
    pub(super) fn notes(self) -> Vec<String> {
        let mut notes = self.mistyped;
        notes.extend(self.unknown);
        if self.more > 0 {
            notes.push(counted(
                self.more,
                "more has a class that is no kind, and is left out",
                "more have a class that is no kind, and are left out",
            ));
        }
        for (why, (count, names)) in self.reasons {
            let (one, more) = why.words();
            let unnamed = if names.len() < NAMED { "" } else { ", ..." };
            notes.push(format!("{}: {}{unnamed}", counted(count, one, more), names.join(", ")));
        }
        notes
    }
}

/// The kind that a mistyped class stands for.
fn meant(class: &str) -> Option<&'static str> {
    similar(&class.to_ascii_lowercase(), &KINDS)
}

fn short(text: &str) -> String {
    text.chars().take(MOST_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_bounded_and_count_what_they_do_not_name() {
        let mut left_out = LeftOut::default();
        for k in 0..1000 {
            left_out.add(Why::NoKind, 1, &format!("object {k}"));
            left_out.add_class(1, &format!("object {k}"), "torch");
            left_out.add_class(1, &format!("object {k}"), "flor");
        }
        left_out.add(Why::TilesNoKind, 1, &"x".repeat(100_000));
        let notes = left_out.notes();
        assert_eq!(notes.len(), 2 * NAMED + 3);
        assert!(notes[0].ends_with("did you mean \"floor\"?"), "{}", notes[0]);
        assert_eq!(notes[2 * NAMED], "1984 more have a class that is no kind, and are left out");
        assert!(notes[2 * NAMED + 1].starts_with("1000 objects have no kind and are left out: object 0, "));
        assert!(notes.iter().all(|note| note.len() < 300));
    }
}
