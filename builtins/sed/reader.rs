//! The characters of a script, and where they stand, for messages.
use crate::{Error, Status};

/// One `-e` or `-f`.
pub(super) struct Source {
    /// The script's number or file.
    pub(super) place: Place,
    /// Its text.
    pub(super) text: Vec<u8>,
}

/// Where a script was given.
pub(super) enum Place {
    /// The nth `-e`, or the first operand.
    Expression(usize),
    /// `-f FILE`.
    File(String),
}

/// Reads one source after another. A source ends like a line: only a text block that ends with a backslash goes on in
/// the next.
pub(super) struct Reader {
    sources: Vec<Source>,
    source: usize,
    at: usize,
}

impl Reader {
    pub(super) fn new(sources: Vec<Source>) -> Reader {
        Reader { sources, source: 0, at: 0 }
    }

    /// The next byte of this source.
    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// The next byte, not taken.
    pub(super) fn peek(&self) -> Option<u8> {
        self.sources.get(self.source)?.text.get(self.at).copied()
    }

    /// The next byte that is no blank (nor newline, after `skip_lines`).
    pub(super) fn next_nonblank(&mut self) -> Option<u8> {
        self.skip(|byte| byte == b' ' || byte == b'\t');
        self.next()
    }

    /// Pass over all bytes that `what` holds for.
    pub(super) fn skip(&mut self, what: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&what) {
            self.at += 1;
        }
    }

    /// Put the byte read last back.
    pub(super) fn back(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    /// The bytes up to the end of the line, the newline passed over.
    pub(super) fn rest_of_line(&mut self) -> Vec<u8> {
        let mut line = Vec::new();
        while let Some(byte) = self.next()
            && byte != b'\n'
        {
            line.push(byte);
        }
        line
    }

    /// What is still to come in this source.
    pub(super) fn rest(&self) -> &[u8] {
        self.sources.get(self.source).and_then(|source| source.text.get(self.at..)).unwrap_or_default()
    }

    /// Go on to the next source; `false` when there is none.
    pub(super) fn next_source(&mut self) -> bool {
        let more = self.source + 1 < self.sources.len();
        if more {
            self.source += 1;
            self.at = 0;
        }
        more
    }

    /// The place reached: the source, and the byte in it.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.source, self.at)
    }

    /// A mistake just before the place reached.
    pub(super) fn error(&self, message: impl AsRef<str>) -> Error {
        self.describe(self.place(), self.at, message.as_ref())
    }

    /// A mistake that shows only at the end, of what began at `place`: GNU gives its line, but no character.
    pub(super) fn error_after(&self, place: (usize, usize), message: impl AsRef<str>) -> Error {
        self.describe(place, 0, message.as_ref())
    }

    fn describe(&self, (source, at): (usize, usize), character: usize, message: &str) -> Error {
        let text = match self.sources.get(source) {
            Some(Source { place: Place::File(name), text }) => {
                let line = 1 + text[..at.saturating_sub(1)].iter().filter(|&&byte| byte == b'\n').count();
                format!("file {name} line {line}: {message}")
            }
            Some(Source { place: Place::Expression(n), .. }) => {
                format!("-e expression #{n}, char {character}: {message}")
            }
            None => message.to_string(),
        };
        Error::Failed(text, Status::FAILURE)
    }
}
