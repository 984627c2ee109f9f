//! Reads the texts of a script: between delimiters, and after `a`, `i` and `c`.
use super::{
    escape::{Escape, escape},
    parse::Parser,
};
use crate::{Error, Result};

impl Parser<'_, '_> {
    /// The two texts between three delimiters.
    pub(super) fn two_parts(&mut self, unterminated: &str, regex: bool) -> Result<(Vec<u8>, Vec<u8>)> {
        let delimiter = match self.reader.next() {
            Some(b'\n' | b'\\') | None => return Err(self.reader.error(unterminated)),
            Some(128..) => return Err(self.reader.error("delimiter character is not a single-byte character")),
            Some(delimiter) => delimiter,
        };
        let first = self.until(delimiter, regex).ok_or_else(|| self.reader.error(unterminated))?;
        let second = self.until(delimiter, false).ok_or_else(|| self.reader.error(unterminated))?;
        Ok((first, second))
    }

    /// The text up to `delimiter`, in which an escaped delimiter is plain and, in a regex, `\n` a newline. `None` when
    /// the line ends first.
    pub(super) fn until(&mut self, delimiter: u8, regex: bool) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            let byte = self.reader.next()?;
            match byte {
                b'\n' => {
                    self.reader.back();
                    return None;
                }
                byte if byte == delimiter => return Some(text),
                b'[' if regex => self.list(&mut text)?,
                b'\\' => match self.reader.next()? {
                    b'n' if regex => text.push(b'\n'),
                    b'\n' => text.push(b'\n'),
                    next if next == delimiter && (regex || next != b'&') => text.push(next),
                    next => text.extend([b'\\', next]),
                },
                byte => text.push(byte),
            }
        }
    }

    /// The rest of a bracket expression, in which the delimiter is plain and a backslash is one, but in `\n`. `None`
    /// when the line ends first.
    fn list(&mut self, text: &mut Vec<u8>) -> Option<()> {
        text.push(b'[');
        for first in [b'^', b']'] {
            if self.reader.peek() == Some(first) {
                self.reader.next();
                text.push(first);
            }
        }
        loop {
            let byte = self.reader.next()?;
            match (byte, self.reader.peek()) {
                (b'\n', _) => {
                    self.reader.back();
                    return None;
                }
                (b'\\', Some(b'n')) => {
                    self.reader.next();
                    text.push(b'\n');
                    continue;
                }
                (b'[', Some(kind @ (b'.' | b':' | b'='))) => {
                    let inner = self.reader.rest();
                    let end = inner[1..].windows(2).position(|pair| pair == [kind, b']'])?;
                    text.push(b'[');
                    for _ in 0..end + 3 {
                        text.extend(self.reader.next());
                    }
                    continue;
                }
                _ => text.push(byte),
            }
            if byte == b']' {
                return Some(());
            }
        }
    }

    /// The text of `a`, `i` and `c`, on the line of the command or after `\`.
    pub(super) fn text(&mut self) -> Result<Vec<u8>> {
        match self.reader.next_nonblank() {
            None | Some(b'\n') => return Err(self.reader.error("expected \\ after `a', `c' or `i'")),
            Some(b'\\') => {
                if self.reader.peek() == Some(b'\n') {
                    self.reader.next();
                } else if self.reader.peek().is_none() && !self.reader.next_source() {
                    return Ok(Vec::new());
                }
            }
            Some(_) => self.reader.back(),
        }
        let mut raw = Vec::new();
        loop {
            match self.reader.next() {
                None | Some(b'\n') => break,
                Some(b'\\') => match self.reader.next() {
                    Some(next) => raw.extend([b'\\', next]),
                    None if self.reader.next_source() => raw.push(b'\n'),
                    None => break,
                },
                Some(byte) => raw.push(byte),
            }
        }
        let mut text = self.unescape(&raw)?;
        text.push(b'\n');
        Ok(text)
    }

    /// Resolve the escapes of a text or of `y`; before anything else a backslash vanishes.
    pub(super) fn unescape(&self, raw: &[u8]) -> Result<Vec<u8>> {
        let mut text = Vec::with_capacity(raw.len());
        let mut at = 0;
        while let Some(&byte) = raw.get(at) {
            at += 1;
            if byte != b'\\' || at == raw.len() {
                text.push(byte);
                continue;
            }
            let (byte, length) = match escape(&raw[at..]) {
                Escape::Byte(byte, length) => (byte, length),
                Escape::Recursive => return Err(self.recursive()),
                Escape::No => (raw[at], 1),
            };
            text.push(byte);
            at += length;
        }
        Ok(text)
    }

    pub(super) fn recursive(&self) -> Error {
        self.reader.error("recursive escaping after \\c not allowed")
    }
}
