//! JSON: what is left after a cut is the source's own text, numbers, order and white space included.
use super::{Entry, Part, Value};
use crate::tree::access::Visitor;
use std::{borrow::Cow, iter, ops::Range};

type Spanned<'s> = Part<'s, Range<usize>>;

/// `source` without what `visitor` may not see; `None` when that is nothing.
pub(super) fn cut(source: &str, visitor: &Visitor) -> Result<Option<String>, String> {
    // The reader below trusts its text, and its depth.
    serde_json::from_str::<serde::de::IgnoredAny>(source).map_err(|error| format!("is not JSON: {error}"))?;
    let mut root = Reader { source, at: 0 }.value();
    if root.is_forbidden(visitor) {
        return Ok(Some("{}\n".to_string()));
    }
    if !root.hide(visitor) {
        return Ok(None);
    }
    let mut left = source[..root.at.start].to_string();
    write(&root, source, &mut left);
    left.push_str(&source[root.at.end..]);
    Ok(Some(left))
}

/// Whether anything in it is hidden.
fn is_cut(part: &Spanned<'_>) -> bool {
    match &part.value {
        Value::Map(entries) => entries.iter().any(|entry| entry.part.is_hidden || is_cut(&entry.part)),
        Value::List(parts) => parts.iter().any(|part| part.is_hidden || is_cut(part)),
        Value::Text(_) | Value::Other => false,
    }
}

/// The part without what is hidden in it. Between two values that stay, the text before the second one stays too.
fn write(part: &Spanned<'_>, source: &str, left: &mut String) {
    let Range { start, end } = part.at;
    let children: Vec<(usize, &Spanned<'_>)> = match &part.value {
        Value::Map(entries) if is_cut(part) => entries.iter().map(|entry| (entry.start, &entry.part)).collect(),
        Value::List(parts) if is_cut(part) => parts.iter().map(|part| (part.at.start, part)).collect(),
        _ => Vec::new(),
    };
    let (Some(&(first, _)), Some((_, last))) = (children.first(), children.last()) else {
        left.push_str(&source[start..end]);
        return;
    };
    if children.iter().all(|(_, child)| child.is_hidden) {
        left.push_str(&source[start..=start]);
        left.push_str(&source[end - 1..end]);
        return;
    }
    left.push_str(&source[start..first]);
    let before = iter::once(first).chain(children.iter().map(|(_, child)| child.at.end));
    let mut is_first = true;
    for (before, &(start, child)) in before.zip(&children).filter(|(_, (_, child))| !child.is_hidden) {
        if !is_first {
            left.push_str(&source[before..start]);
        }
        is_first = false;
        left.push_str(&source[start..child.at.start]);
        write(child, source, left);
    }
    left.push_str(&source[last.at.end..end]);
}

/// Reads text that is known to be JSON.
struct Reader<'a> {
    source: &'a str,
    at: usize,
}

impl<'s> Reader<'s> {
    fn value(&mut self) -> Spanned<'s> {
        let start = self.skip();
        let value = match self.byte() {
            b'{' => self.map(),
            b'[' => self.list(),
            b'"' => Value::Text(self.text()),
            _ => {
                let rest = &self.source[self.at..];
                let is_end = |c: char| matches!(c, ',' | ']' | '}') || c.is_ascii_whitespace();
                self.at += rest.find(is_end).unwrap_or(rest.len());
                Value::Other
            }
        };
        Part::new(start..self.at, value)
    }

    fn map(&mut self) -> Value<'s, Range<usize>> {
        let mut entries = Vec::new();
        self.at += 1;
        while self.skips_to(b'}') {
            let start = self.at;
            let key = self.text();
            self.skip();
            self.at += 1;
            entries.push(Entry { key, start, part: self.value() });
        }
        Value::Map(entries)
    }

    fn list(&mut self) -> Value<'s, Range<usize>> {
        let mut parts = Vec::new();
        self.at += 1;
        while self.skips_to(b']') {
            parts.push(self.value());
        }
        Value::List(parts)
    }

    /// Go to the next member; `false` past the closing bracket.
    fn skips_to(&mut self, close: u8) -> bool {
        self.skip();
        if self.byte() == b',' {
            self.at += 1;
            self.skip();
        }
        let is_end = self.byte() == close || self.at >= self.source.len();
        self.at += usize::from(is_end);
        !is_end
    }

    fn text(&mut self) -> Cow<'s, str> {
        let start = self.at;
        let bytes = self.source.as_bytes();
        self.at += 1;
        let mut is_plain = true;
        while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[self.at.min(bytes.len())..]) {
            self.at += found;
            if bytes[self.at] == b'"' {
                break;
            }
            is_plain = false;
            self.at += 2;
        }
        self.at = (self.at + 1).min(bytes.len());
        match is_plain {
            true => Cow::Borrowed(&self.source[start + 1..self.at - 1]),
            false => Cow::Owned(serde_json::from_str(&self.source[start..self.at]).unwrap_or_default()),
        }
    }

    fn skip(&mut self) -> usize {
        while self.byte().is_ascii_whitespace() {
            self.at += 1;
        }
        self.at
    }

    fn byte(&self) -> u8 {
        self.source.as_bytes().get(self.at).copied().unwrap_or(0)
    }
}
