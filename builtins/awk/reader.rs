//! Reads records from a stream, by whatever separates them.
use crate::{
    Call, Input, InputKind, Result,
    pattern::{Haystack, Pattern},
};
use std::{
    io::{BufRead, Write},
    rc::Rc,
};

/// What ends a record.
#[derive(Clone)]
pub(super) enum Separator {
    /// This byte.
    Byte(u8),
    /// Blank lines; newlines around the text do not count.
    BlankLines,
    /// A match.
    Regex(Rc<Pattern>),
}

/// A stream of records.
pub(super) struct Reader {
    input: Input,
    /// Bytes that are there to be taken without waiting.
    ready: usize,
    /// What has been read ahead, when a record's end can only be told from what follows.
    ahead: Vec<u8>,
    /// How much of that has been used.
    used: usize,
    accounted: usize,
    ended: bool,
    /// Stdout is not handed on: a command's output is to come before it.
    pub(super) holds_output: bool,
}

impl Reader {
    pub(super) fn new(input: Input) -> Reader {
        Reader { input, ready: 0, ahead: Vec::new(), used: 0, accounted: 0, ended: false, holds_output: false }
    }

    /// Append the next record to `record` and what ended it to `end` (`RT`); `false` at the end of the stream.
    pub(super) fn read(
        &mut self,
        call: &mut Call<'_>,
        separator: &Separator,
        record: &mut Vec<u8>,
        end: &mut Vec<u8>,
    ) -> Result<bool> {
        end.clear();
        match separator {
            Separator::Byte(byte) if self.ahead().is_empty() => self.read_to(call, *byte, record, end),
            Separator::Byte(byte) => {
                let byte = *byte;
                self.read_ahead(call, record, end, |text, _| Ok(memchr::memchr(byte, text).map(|at| (at, at + 1))))
            }
            Separator::BlankLines => self.read_paragraph(call, record, end),
            Separator::Regex(pattern) => self.read_ahead(call, record, end, |text, is_all| {
                let haystack = Haystack::new(text);
                let mut found = pattern.find_in(&haystack, 0)?;
                while let Some(empty) = found.as_ref().filter(|found| found.is_empty()) {
                    let next = empty.end + 1;
                    found = if next > text.len() { None } else { pattern.find_in(&haystack, next)? };
                }
                // A match at the end of what is there may go on in what is to come.
                Ok(found.filter(|found| is_all || found.end < text.len()).map(|found| (found.start, found.end)))
            }),
        }
    }

    /// Wait for bytes, stdout handed on first if that may wait for another command or a person.
    fn fill(&mut self, call: &mut Call<'_>) -> Result<&[u8]> {
        if self.ready == 0 && !self.holds_output && matches!(self.input.kind(), InputKind::Pipe | InputKind::Host) {
            call.stdout.flush()?;
        }
        let bytes = self.input.fill_buf()?;
        self.ready = bytes.len();
        Ok(bytes)
    }

    fn consume(&mut self, count: usize) {
        self.input.consume(count);
        self.ready -= count;
    }

    fn read_to(&mut self, call: &mut Call<'_>, byte: u8, record: &mut Vec<u8>, end: &mut Vec<u8>) -> Result<bool> {
        let mut any = false;
        let mut accounted = 0;
        loop {
            let bytes = self.fill(call)?;
            if bytes.is_empty() {
                call.memory.give(accounted);
                return Ok(any);
            }
            any = true;
            let found = memchr::memchr(byte, bytes);
            let count = found.map_or(bytes.len(), |at| at + 1);
            record.extend_from_slice(&bytes[..found.unwrap_or(count)]);
            self.consume(count);
            if found.is_some() {
                end.push(byte);
                call.memory.give(accounted);
                return Ok(true);
            }
            call.memory.take(count)?;
            accounted += count;
        }
    }

    fn ahead(&self) -> &[u8] {
        &self.ahead[self.used..]
    }

    /// Read ahead more, or learn that there is none.
    fn more(&mut self, call: &mut Call<'_>) -> Result<()> {
        self.ahead.drain(..self.used);
        self.used = 0;
        let bytes = self.fill(call)?.to_vec();
        self.ended = bytes.is_empty();
        self.ahead.extend_from_slice(&bytes);
        self.consume(bytes.len());
        if self.ahead.capacity() > self.accounted {
            call.memory.take(self.ahead.capacity() - self.accounted)?;
            self.accounted = self.ahead.capacity();
        }
        Ok(())
    }

    /// A record that `find` knows the end of, given what is there and whether that is all.
    fn read_ahead(
        &mut self,
        call: &mut Call<'_>,
        record: &mut Vec<u8>,
        end: &mut Vec<u8>,
        find: impl Fn(&[u8], bool) -> Result<Option<(usize, usize)>>,
    ) -> Result<bool> {
        loop {
            let is_all = self.ended;
            if !self.ahead().is_empty()
                && let Some((from, to)) = find(self.ahead(), is_all)?
            {
                record.extend_from_slice(&self.ahead()[..from]);
                end.extend_from_slice(&self.ahead()[from..to]);
                self.used += to;
                return Ok(true);
            }
            call.cancel.check()?;
            if is_all {
                let any = !self.ahead().is_empty();
                record.extend_from_slice(self.ahead());
                self.used = self.ahead.len();
                return Ok(any);
            }
            self.more(call)?;
        }
    }

    fn read_paragraph(&mut self, call: &mut Call<'_>, record: &mut Vec<u8>, end: &mut Vec<u8>) -> Result<bool> {
        loop {
            self.used += self.ahead().iter().take_while(|byte| **byte == b'\n').count();
            if !self.ahead().is_empty() {
                break;
            }
            if self.ended {
                return Ok(false);
            }
            self.more(call)?;
        }
        let found = self.read_ahead(call, record, end, |text, is_all| {
            let Some(from) = memchr::memmem::find(text, b"\n\n") else { return Ok(None) };
            let to = from + text[from..].iter().take_while(|byte| **byte == b'\n').count();
            Ok((is_all || to < text.len()).then_some((from, to)))
        })?;
        if end.is_empty() && record.last() == Some(&b'\n') {
            record.pop();
            end.push(b'\n');
        }
        Ok(found)
    }
}
