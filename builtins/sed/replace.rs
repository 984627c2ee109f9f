//! The right side of `s`: text, groups, and changes of case.
use super::escape::{Escape, escape};

/// A replacement, taken apart.
#[derive(Default)]
pub(super) struct Replacement {
    parts: Vec<Part>,
    /// The highest group named.
    pub(super) groups: usize,
}

enum Part {
    Text(Vec<u8>),
    Group(usize),
    Case(Case),
}

#[derive(Clone, Copy)]
enum Case {
    /// `\U`
    Upper,
    /// `\L`
    Lower,
    /// `\E`
    Same,
    /// `\u`
    NextUpper,
    /// `\l`
    NextLower,
}

/// `\c\x`.
pub(super) struct Recursive;

impl Replacement {
    /// Read the text between the delimiters, whose escaped delimiters are plain already.
    pub(super) fn parse(text: &[u8]) -> Result<Replacement, Recursive> {
        let mut replacement = Replacement::default();
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            at += 1;
            match byte {
                b'&' => replacement.group(0),
                b'\\' => at += replacement.backslash(&text[at..])?,
                byte => replacement.byte(byte),
            }
        }
        Ok(replacement)
    }

    /// Read what follows a backslash, and say how long it is.
    fn backslash(&mut self, rest: &[u8]) -> Result<usize, Recursive> {
        let case = match rest.first() {
            None => {
                self.byte(b'\\');
                return Ok(0);
            }
            Some(digit @ b'0'..=b'9') => {
                self.group(usize::from(digit - b'0'));
                return Ok(1);
            }
            Some(b'U') => Case::Upper,
            Some(b'L') => Case::Lower,
            Some(b'E') => Case::Same,
            Some(b'u') => Case::NextUpper,
            Some(b'l') => Case::NextLower,
            Some(&other) => {
                let (byte, length) = match escape(rest) {
                    Escape::Byte(byte, length) => (byte, length),
                    Escape::Recursive => return Err(Recursive),
                    Escape::No => (other, 1),
                };
                self.byte(byte);
                return Ok(length);
            }
        };
        self.parts.push(Part::Case(case));
        Ok(1)
    }

    fn byte(&mut self, byte: u8) {
        match self.parts.last_mut() {
            Some(Part::Text(text)) => text.push(byte),
            _ => self.parts.push(Part::Text(vec![byte])),
        }
    }

    fn group(&mut self, group: usize) {
        self.groups = self.groups.max(group);
        self.parts.push(Part::Group(group));
    }

    /// The bytes of the replacement of one match; where case changes they may be a few more.
    pub(super) fn length<'a>(&self, group: impl Fn(usize) -> &'a [u8]) -> usize {
        let lengths = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.len(),
            Part::Group(number) => group(*number).len(),
            Part::Case(_) => 0,
        });
        lengths.sum()
    }

    /// Write the replacement of one match; `group(n)` is the text of group `n`.
    pub(super) fn write<'a>(&self, out: &mut Vec<u8>, group: impl Fn(usize) -> &'a [u8]) {
        let mut case = Casing::default();
        for part in &self.parts {
            match part {
                Part::Text(text) => case.write(text, out),
                Part::Group(n) => case.write(group(*n), out),
                Part::Case(Case::NextUpper) => case.next = Some(Letters::Upper),
                Part::Case(Case::NextLower) => case.next = Some(Letters::Lower),
                Part::Case(all) => {
                    case.all = match all {
                        Case::Upper => Some(Letters::Upper),
                        Case::Lower => Some(Letters::Lower),
                        _ => None,
                    }
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Letters {
    Upper,
    Lower,
}

/// The case in force: of the next character, and of all that follow.
#[derive(Default)]
struct Casing {
    next: Option<Letters>,
    all: Option<Letters>,
}

impl Casing {
    fn write(&mut self, text: &[u8], out: &mut Vec<u8>) {
        if self.next.is_none() && self.all.is_none() {
            return out.extend_from_slice(text);
        }
        for chunk in text.utf8_chunks() {
            for c in chunk.valid().chars() {
                let mut bytes = [0; 4];
                let c = match self.next.take().or(self.all) {
                    Some(Letters::Upper) => single(c, c.to_uppercase()),
                    Some(Letters::Lower) => single(c, c.to_lowercase()),
                    None => c,
                };
                out.extend_from_slice(c.encode_utf8(&mut bytes).as_bytes());
            }
            out.extend_from_slice(chunk.invalid());
        }
    }
}

/// C's `towupper` knows one character for one: `ß` stays.
fn single(c: char, mut mapped: impl Iterator<Item = char>) -> char {
    match (mapped.next(), mapped.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}
