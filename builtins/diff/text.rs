//! One file of a comparison: its bytes, its lines, and what of them counts.
use crate::{Input, Purse, Result};
use std::{io::BufRead, ops::Range};

/// A file that has been read.
pub(crate) struct Text {
    bytes: Vec<u8>,
    /// Where each line lies, its newline included.
    lines: Vec<Range<usize>>,
}

/// What makes no difference between two lines.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ignored {
    pub(crate) case: bool,
    pub(crate) space: Space,
    /// A carriage return before a newline.
    pub(crate) trailing_cr: bool,
    pub(crate) tab_size: usize,
}

/// Which blanks make no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Space {
    #[default]
    Counts,
    /// `-E`
    TabExpansion,
    /// `-Z`
    Trailing,
    /// `-E -Z`
    TabExpansionAndTrailing,
    /// `-b`
    Amount,
    /// `-w`
    All,
}

impl Space {
    /// Two of these at once.
    pub(crate) fn and(self, other: Space) -> Space {
        match (self, other) {
            (Space::Counts, other) | (other, Space::Counts) => other,
            (Space::All, _) | (_, Space::All) => Space::All,
            (Space::Amount, _) | (_, Space::Amount) => Space::Amount,
            (a, b) if a == b => a,
            _ => Space::TabExpansionAndTrailing,
        }
    }

    fn expands_tabs(self) -> bool {
        matches!(self, Space::TabExpansion | Space::TabExpansionAndTrailing)
    }

    fn ignores_trailing(self) -> bool {
        !matches!(self, Space::Counts | Space::TabExpansion)
    }
}

impl Text {
    /// Read all of `input`.
    pub(crate) fn read(mut input: Input, memory: &mut Purse) -> Result<Text> {
        let mut bytes = Vec::new();
        loop {
            let buffer = input.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            memory.take(buffer.len())?;
            bytes.extend_from_slice(buffer);
            let used = buffer.len();
            input.consume(used);
        }
        let mut text = Text { bytes, lines: Vec::new() };
        text.split(memory)?;
        Ok(text)
    }

    /// A file without a line.
    pub(crate) fn empty() -> Text {
        Text { bytes: Vec::new(), lines: Vec::new() }
    }

    fn split(&mut self, memory: &mut Purse) -> Result<()> {
        let mut start = 0;
        for at in memchr::memchr_iter(b'\n', &self.bytes) {
            self.lines.push(start..at + 1);
            start = at + 1;
        }
        if start < self.bytes.len() {
            self.lines.push(start..self.bytes.len());
        }
        memory.take(self.lines.len() * size_of::<Range<usize>>())
    }

    /// The same without the carriage returns before newlines.
    pub(crate) fn without_cr(self, memory: &mut Purse) -> Result<Text> {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        for line in &self.lines {
            let line = &self.bytes[line.clone()];
            match line.strip_suffix(b"\r\n") {
                Some(line) => {
                    bytes.extend_from_slice(line);
                    bytes.push(b'\n');
                }
                None => bytes.extend_from_slice(line),
            }
        }
        let mut text = Text { bytes, lines: Vec::new() };
        text.split(memory)?;
        Ok(text)
    }

    /// End the last line with a newline if it has none.
    pub(crate) fn close(&mut self) {
        if self.ends_open() {
            self.bytes.push(b'\n');
            if let Some(last) = self.lines.last_mut() {
                last.end += 1;
            }
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Line `number` from 0, with its newline if it has one.
    pub(crate) fn line(&self, number: usize) -> &[u8] {
        &self.bytes[self.lines[number].clone()]
    }

    /// Whether it is no text: a NUL near its beginning.
    pub(crate) fn is_binary(&self) -> bool {
        memchr::memchr(0, &self.bytes[..self.bytes.len().min(4096)]).is_some()
    }

    /// Whether its last line has no newline.
    pub(crate) fn ends_open(&self) -> bool {
        self.bytes.last().is_some_and(|byte| *byte != b'\n')
    }
}

impl Ignored {
    /// Whether lines are compared byte by byte.
    pub(crate) fn nothing(self) -> bool {
        !self.case && self.space == Space::Counts
    }

    /// The bytes of `line` that count; equal for lines that make no difference.
    pub(crate) fn canonical(self, line: &[u8]) -> Vec<u8> {
        let (text, end) = match line.strip_suffix(b"\n") {
            Some(text) => (text, &b"\n"[..]),
            None => (line, &b""[..]),
        };
        let space = |byte: &u8| matches!(byte, b' ' | 9..=13);
        let mut kept: Vec<u8> = Vec::with_capacity(line.len());
        match self.space {
            Space::All => kept.extend(text.iter().filter(|byte| !space(byte))),
            Space::Amount => {
                for byte in text {
                    match space(byte) {
                        true if kept.last() == Some(&b' ') => {}
                        true => kept.push(b' '),
                        false => kept.push(*byte),
                    }
                }
            }
            spaces if spaces.expands_tabs() => {
                let mut column = 0;
                for byte in text {
                    match byte {
                        b'\t' => {
                            let blanks = self.tab_size - column % self.tab_size;
                            kept.extend(std::iter::repeat_n(b' ', blanks));
                            column += blanks;
                        }
                        b'\x08' => {
                            kept.push(*byte);
                            column = column.saturating_sub(1);
                        }
                        b'\r' => {
                            kept.push(*byte);
                            column = 0;
                        }
                        byte => {
                            kept.push(*byte);
                            column += 1;
                        }
                    }
                }
            }
            _ => kept.extend_from_slice(text),
        }
        if self.space.ignores_trailing() {
            let blanks = kept.iter().rev().take_while(|byte| space(byte)).count();
            kept.truncate(kept.len() - blanks);
        } else {
            // An open last line differs from the same line with its newline.
            kept.extend_from_slice(end);
        }
        if self.case {
            kept.make_ascii_lowercase();
        }
        kept
    }
}
