//! Where things are in a RON text: brackets, fields and list elements, without decoding any of them.
//!
//! Owns the lexical side of RON: space, comments, strings, nesting. Promises: linear time, no recursion, no
//! memory beyond the depth of nesting; after [`check`] has passed a text, no other function here can fail on
//! it lexically. Must not know the schema.

use super::Span;

/// Deepest nesting of brackets; the format itself needs 7.
pub(crate) const MAX_DEPTH: usize = 64;

/// A lexical fault: what is wrong, where, and the bracket it belongs to.
pub(crate) struct Fault {
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) related: Option<Span>,
}

/// A field or a list element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Item {
    /// The field's name.
    pub(crate) name: Option<Span>,
    /// The value, without space around it.
    pub(crate) value: Span,
}

/// A value in brackets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Group {
    /// The identifier before the bracket.
    pub(crate) tag: Option<Span>,
    /// The opening bracket.
    pub(crate) open: u8,
    /// What is between the brackets.
    pub(crate) inside: Span,
}

#[derive(Clone, Copy, PartialEq)]
enum Token {
    Open(u8),
    Close(u8),
    Comma,
    Colon,
    Other,
}

/// The part of `text` that holds the document: behind a byte order mark and `#![enable(...)]` attributes.
pub(crate) fn document(text: &str) -> Span {
    let bytes = text.as_bytes();
    let mut start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    loop {
        let at = skip_space(bytes, start).unwrap_or(start);
        if !bytes[at..].starts_with(b"#![") {
            return Span::new(start, bytes.len());
        }
        match bytes[at..].iter().position(|&b| b == b']') {
            Some(length) => start = at + length + 1,
            None => return Span::new(start, bytes.len()),
        }
    }
}

/// Checks that comments and strings end, and that brackets match and are not nested too deeply.
pub(crate) fn check(text: &str, part: Span) -> Result<(), Fault> {
    let bytes = &text.as_bytes()[..part.end];
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut at = part.start;
    while let Some((token, start, end)) = next(bytes, at)? {
        let fault = |message: String, related: Option<usize>| Fault {
            span: Span::new(start, end),
            message,
            related: related.map(|r| Span::new(r, r + 1)),
        };
        match token {
            Token::Open(_) if open.len() == MAX_DEPTH => {
                return Err(fault(format!("brackets are nested over {MAX_DEPTH} deep"), None));
            }
            Token::Open(bracket) => open.push((bracket, start)),
            Token::Close(bracket) => match open.pop() {
                Some((before, _)) if closing(before) == bracket => {}
                Some((before, place)) => {
                    let message =
                        format!("`{}` does not close `{}`", char::from(bracket), char::from(before));
                    return Err(fault(message, Some(place)));
                }
                None => return Err(fault(format!("`{}` closes nothing", char::from(bracket)), None)),
            },
            Token::Comma | Token::Colon | Token::Other => {}
        }
        at = end;
    }
    match open.pop() {
        Some((bracket, place)) => Err(Fault {
            span: Span::new(place, place + 1),
            message: format!("`{}` is never closed", char::from(bracket)),
            related: None,
        }),
        None => Ok(()),
    }
}

/// The one value of `part`, without the space around it; `None` where there is only space.
pub(crate) fn trim(text: &str, part: Span) -> Option<Span> {
    let bytes = &text.as_bytes()[..part.end];
    let (_, start, mut end) = next(bytes, part.start).ok()??;
    while let Ok(Some((_, _, after))) = next(bytes, end) {
        end = after;
    }
    Some(Span::new(start, end))
}

/// The bracketed value that `value` is, if it is one; `value` has no space around it.
///
/// Text between two groups of one value is not noticed here, but by [`items`].
pub(crate) fn group(text: &str, value: Span) -> Option<Group> {
    let bytes = &text.as_bytes()[..value.end];
    let (mut token, mut start, mut end) = next(bytes, value.start).ok()??;
    let mut tag = None;
    if token == Token::Other {
        tag = Some(Span::new(start, end));
        (token, start, end) = next(bytes, end).ok()??;
    }
    let Token::Open(open) = token else { return None };
    debug_assert!(start < end);
    let closed = value.end > end && bytes[value.end - 1] == closing(open);
    closed.then(|| Group { tag, open, inside: Span::new(end, value.end - 1) })
}

/// The items of a bracketed value, or where the text between the brackets is no list of items.
pub(crate) fn items(text: &str, inside: Span) -> Items<'_> {
    Items { bytes: &text.as_bytes()[..inside.end], at: inside.start }
}

/// Iterator over the items between two brackets; see [`items`].
pub(crate) struct Items<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Iterator for Items<'_> {
    type Item = Result<Item, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut name = None;
        let mut value: Option<Span> = None;
        let mut depth = 0_usize;
        let mut tokens = 0_usize;
        while let Ok(Some((token, start, end))) = next(self.bytes, self.at) {
            self.at = end;
            if depth == 0 && token == Token::Comma {
                return Some(finish(name, value, Span::new(start, end)));
            }
            if depth == 0 && token == Token::Colon && tokens == 1 && name.is_none() {
                name = value.take();
                continue;
            }
            match token {
                Token::Open(_) => depth += 1,
                Token::Close(_) if depth == 0 => return Some(Err(self.stray(start, end))),
                Token::Close(_) => depth -= 1,
                Token::Colon if depth == 0 => return Some(Err(self.stray(start, end))),
                Token::Comma | Token::Colon | Token::Other => {}
            }
            tokens += 1;
            value = Some(Span::new(value.map_or(start, |v| v.start), end));
        }
        let end = self.bytes.len();
        self.at = end;
        (name.is_some() || value.is_some()).then(|| finish(name, value, Span::new(end, end)))
    }
}

impl Items<'_> {
    /// A token that can't be here: most likely a comma is missing before it. Goes on behind the next comma.
    fn stray(&mut self, start: usize, end: usize) -> Fault {
        let mut depth = 0_usize;
        while let Ok(Some((token, _, end))) = next(self.bytes, self.at) {
            self.at = end;
            match token {
                Token::Open(_) => depth += 1,
                Token::Close(_) => depth = depth.saturating_sub(1),
                Token::Comma if depth == 0 => break,
                Token::Comma | Token::Colon | Token::Other => {}
            }
        }
        let token = String::from_utf8_lossy(&self.bytes[start..end]).into_owned();
        Fault {
            span: Span::new(start, end),
            message: format!("`{token}` can't stand here; is a comma missing before?"),
            related: None,
        }
    }
}

fn finish(name: Option<Span>, value: Option<Span>, end: Span) -> Result<Item, Fault> {
    match value {
        Some(value) => Ok(Item { name, value }),
        None => {
            Err(Fault { span: name.unwrap_or(end), message: "a value is missing here".into(), related: None })
        }
    }
}

fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

/// The next token at or after `at`: what it is, its start and its end.
fn next(bytes: &[u8], at: usize) -> Result<Option<(Token, usize, usize)>, Fault> {
    let start = skip_space(bytes, at)?;
    let Some(&first) = bytes.get(start) else { return Ok(None) };
    let token = match first {
        b'(' | b'[' | b'{' => Token::Open(first),
        b')' | b']' | b'}' => Token::Close(first),
        b',' => Token::Comma,
        b':' => Token::Colon,
        _ => return literal_or_word(bytes, start).map(|end| Some((Token::Other, start, end))),
    };
    Ok(Some((token, start, start + 1)))
}

fn literal_or_word(bytes: &[u8], start: usize) -> Result<usize, Fault> {
    let unclosed = |what: &str| Fault {
        span: Span::new(start, start + 1),
        message: format!("this {what} never ends"),
        related: None,
    };
    let rest = &bytes[start..];
    let prefix = rest.iter().take_while(|b| matches!(b, b'b' | b'r')).count();
    let raw = prefix > 0 && prefix <= 2 && rest[prefix - 1] == b'r';
    let hashes = if raw { rest[prefix..].iter().take_while(|&&b| b == b'#').count() } else { 0 };
    match rest.get(prefix + hashes) {
        Some(b'"') if raw => raw_string(rest, prefix + hashes + 1, hashes),
        Some(b'"') if prefix == 0 || (prefix == 1 && rest[0] == b'b') => quoted(rest, prefix + 1, b'"'),
        Some(b'\'') if prefix == 0 || (prefix == 1 && rest[0] == b'b') => {
            return quoted(rest, prefix + 1, b'\'').map(|n| start + n).ok_or_else(|| unclosed("character"));
        }
        _ => Some(word(rest)),
    }
    .map(|length| start + length)
    .ok_or_else(|| unclosed("string"))
}

/// Length up to and with the closing quote.
fn quoted(rest: &[u8], mut at: usize, quote: u8) -> Option<usize> {
    loop {
        match rest.get(at)? {
            b'\\' => at += 2,
            b if *b == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// Length up to and with the closing quote and its hashes.
fn raw_string(rest: &[u8], mut at: usize, hashes: usize) -> Option<usize> {
    loop {
        at += rest.get(at..)?.iter().position(|&b| b == b'"')? + 1;
        let after = rest[at..].iter().take(hashes).take_while(|&&b| b == b'#').count();
        if after == hashes {
            return Some(at + hashes);
        }
        at += after;
    }
}

/// Length of a run without space, quotes and punctuation; at least 1.
fn word(rest: &[u8]) -> usize {
    let ends = |i: usize| {
        matches!(rest[i], b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b':' | b'"' | b'\'' | b'/')
            || space(&rest[i..]) > 0
    };
    (1..rest.len()).find(|&i| ends(i)).unwrap_or(rest.len())
}

/// Length in bytes of the space character at the start of `rest`, 0 where there is none.
fn space(rest: &[u8]) -> usize {
    match rest {
        [b' ' | b'\t'..=b'\r', ..] => 1,
        [0xc2, 0x85, ..] => 2,
        [0xe2, 0x80, 0x8e | 0x8f | 0xa8 | 0xa9, ..] => 3,
        _ => 0,
    }
}

/// Passes space and comments; a comment that never ends is a fault.
fn skip_space(bytes: &[u8], mut at: usize) -> Result<usize, Fault> {
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = space(rest);
        if length > 0 {
            at += length;
        } else if rest.starts_with(b"//") {
            at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            at = block_comment(bytes, at)?;
        } else {
            return Ok(at);
        }
    }
}

/// The end of the block comment that starts at `at`; such comments nest.
fn block_comment(bytes: &[u8], start: usize) -> Result<usize, Fault> {
    let mut depth = 0_usize;
    let mut at = start;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Ok(at);
            }
        } else {
            at += 1;
        }
    }
    let span = Span::new(start, (start + 2).min(bytes.len()));
    Err(Fault { span, message: "this comment never ends".into(), related: None })
}
