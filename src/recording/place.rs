//! Where an element stands in a line of JSON.
//!
//! Promises: of a line that was parsed the column is that of the element, or of the nearest one around it that is there.
//! Must not know what elements mean.

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
    let mut at = skip_space(text, 0);
    for step in way {
        match enter(text, at, *step) {
            Some(inner) => at = inner,
            None => break,
        }
    }
    at + 1
}

/// Where a part of the value at `at` begins.
fn enter(text: &[u8], at: usize, step: Step) -> Option<usize> {
    let (open, close) = match step {
        Step::Key(_) => (b'{', b'}'),
        Step::Item(_) => (b'[', b']'),
    };
    let mut at = (text.get(at) == Some(&open)).then_some(at + 1)?;
    for number in 0.. {
        at = skip_space(text, at);
        if text.get(at).is_none_or(|byte| *byte == close) {
            return None;
        }
        let is_it = match step {
            Step::Item(item) => number == item,
            Step::Key(key) => {
                let end = skip_value(text, at);
                let is_it = text.get(at + 1..end.saturating_sub(1)) == Some(key.as_bytes());
                // Behind the colon is the value.
                at = skip_space(text, skip_space(text, end) + 1);
                is_it
            }
        };
        if is_it {
            return Some(at);
        }
        at = skip_space(text, skip_value(text, at));
        if text.get(at) != Some(&b',') {
            return None;
        }
        at += 1;
    }
    None
}

fn skip_space(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The end of the value that begins there.
fn skip_value(text: &[u8], from: usize) -> usize {
    let (mut at, mut depth, mut is_text) = (from, 0_u32, false);
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' if is_text => at += 1,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' | b':' if depth == 0 => return at,
            b'}' | b']' => depth -= 1,
            byte if byte.is_ascii_whitespace() && depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    at.min(text.len())
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
