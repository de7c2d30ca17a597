//! Where an element stands in a line of JSON.
//!
//! Promises: of a line that was parsed the column is that of the element, or of the nearest one around it that is there.
//! Must not know what elements mean.

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions};

/// A step into a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Key(&'static str),
    Item(usize),
}

/// What is wrong with an element of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// The way to it, from the whole line on.
    pub(crate) way: Vec<Step>,
    pub(crate) what: String,
}

impl Wrong {
    pub(crate) fn at(way: &[Step], what: impl Into<String>) -> Self {
        Self { way: way.to_vec(), what: what.into() }
    }

    /// The same about an element of a list.
    pub(crate) fn of(list: &'static str, item: usize, key: &'static str, what: impl Into<String>) -> Self {
        Self::at(&[Step::Key(list), Step::Item(item), Step::Key(key)], what)
    }
}

/// The column of an element, from 1, in bytes.
pub(crate) fn column(text: &[u8], way: &[Step]) -> usize {
    let text = std::str::from_utf8(text).unwrap_or_default();
    let options = (CollectOptions::default(), ParseOptions::default());
    let parsed = jsonc_parser::parse_to_ast(text, &options.0, &options.1);
    let Some(line) = parsed.ok().and_then(|parsed| parsed.value) else { return 1 };
    let mut at = &line;
    for step in way {
        let inner = match (at, step) {
            (Value::Object(object), Step::Key(key)) => object.get(key).map(|property| &property.value),
            (Value::Array(array), Step::Item(item)) => array.elements.get(*item),
            _ => None,
        };
        match inner {
            Some(inner) => at = inner,
            None => break,
        }
    }
    at.start() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_the_elements() {
        let text = br#" {"tick": 3, "entities":[{"id":1,"fields":{"a,]}\"":[1,2]}}, {"id" : 22}] }"#;
        let at = |way: &[Step]| {
            let rest = &text[column(text, way) - 1..];
            String::from_utf8_lossy(&rest[..rest.len().min(3)]).into_owned()
        };
        assert_eq!(at(&[]), "{\"t");
        assert_eq!(at(&[Step::Key("tick")]), "3, ");
        let second = [Step::Key("entities"), Step::Item(1), Step::Key("id")];
        assert_eq!(at(&second), "22}");
        assert_eq!(at(&second[..2]), "{\"i");
        assert_eq!(
            at(&[Step::Key("entities"), Step::Item(0), Step::Key("gone")]),
            "{\"i",
            "the nearest there is"
        );
        assert_eq!(at(&[Step::Key("entities"), Step::Item(2)]), "[{\"");
    }
}
