//! The records of a stream: lines, or whatever another byte ends.
//!
//! [`Records`] reads them one by one and accounts for a record that grows long; [`Recent`] keeps the last of them.
use crate::{Input, Purse, Result};
use std::{collections::VecDeque, io::BufRead};

/// Reads a stream record by record.
#[derive(Debug)]
pub(crate) struct Records {
    end: u8,
    buffer: Vec<u8>,
    taken: usize,
}

/// A record shorter than this is not worth accounting for.
const SMALL: usize = 64 * 1024;

impl Records {
    /// Records that end with the byte `end`.
    pub(crate) fn new(end: u8) -> Records {
        Records { end, buffer: Vec::new(), taken: SMALL }
    }

    /// Lines, or with `zero` records that end with a NUL, as `-z` asks.
    pub(crate) fn lines(zero: bool) -> Records {
        Records::new(if zero { 0 } else { b'\n' })
    }

    /// The next record, its end included where it has one; only the last may lack it. `None` at the end of the stream.
    pub(crate) fn next(&mut self, input: &mut Input, memory: &mut Purse) -> Result<Option<&[u8]>> {
        self.buffer.clear();
        self.append(input, memory)?;
        Ok((!self.buffer.is_empty()).then_some(&self.buffer[..]))
    }

    /// The next record without its end.
    pub(crate) fn next_bare(&mut self, input: &mut Input, memory: &mut Purse) -> Result<Option<&[u8]>> {
        let end = self.end;
        Ok(self.next(input, memory)?.map(|record| record.strip_suffix(&[end]).unwrap_or(record)))
    }

    fn append(&mut self, input: &mut Input, memory: &mut Purse) -> Result<()> {
        loop {
            let bytes = input.fill_buf()?;
            let (used, ended) = match memchr::memchr(self.end, bytes) {
                Some(at) => (at + 1, true),
                None => (bytes.len(), bytes.is_empty()),
            };
            self.buffer.extend_from_slice(&bytes[..used]);
            input.consume(used);
            if self.buffer.len() > self.taken {
                memory.take(self.buffer.len() - self.taken)?;
                self.taken = self.buffer.len();
            }
            if ended {
                return Ok(());
            }
        }
    }
}

/// The last records of a stream, in one buffer.
#[derive(Debug)]
pub(crate) struct Recent {
    limit: u64,
    lengths: VecDeque<usize>,
    bytes: Vec<u8>,
    start: usize,
    taken: usize,
}

impl Recent {
    /// Keep at most `limit` records.
    pub(crate) fn new(limit: u64) -> Recent {
        Recent { limit, lengths: VecDeque::new(), bytes: Vec::new(), start: 0, taken: SMALL }
    }

    /// Add a record; gives the one that had to leave for it.
    pub(crate) fn push(&mut self, record: &[u8], memory: &mut Purse) -> Result<Option<&[u8]>> {
        if self.start > SMALL && self.start > self.bytes.len() / 2 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        self.bytes.extend_from_slice(record);
        self.lengths.push_back(record.len());
        let used = self.bytes.len() + self.lengths.len() * size_of::<usize>();
        if used > self.taken {
            memory.take(used - self.taken)?;
            self.taken = used;
        }
        if self.lengths.len() as u64 <= self.limit {
            return Ok(None);
        }
        let length = self.lengths.pop_front().unwrap_or_default();
        let gone = self.start..self.start + length;
        self.start = gone.end;
        Ok(Some(&self.bytes[gone]))
    }

    /// What is kept, in order.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    #[test]
    fn a_record_keeps_its_end_and_only_the_last_may_lack_it() {
        let mut memory = Memory::new(1 << 20).purse();
        let mut input = Input::bytes("a\n\nb");
        let mut records = Records::lines(false);
        assert_eq!(records.next(&mut input, &mut memory).unwrap(), Some(&b"a\n"[..]));
        assert_eq!(records.next(&mut input, &mut memory).unwrap(), Some(&b"\n"[..]));
        assert_eq!(records.next(&mut input, &mut memory).unwrap(), Some(&b"b"[..]));
        assert_eq!(records.next(&mut input, &mut memory).unwrap(), None);
    }

    #[test]
    fn a_record_without_end_meets_the_limit() {
        let mut memory = Memory::new(1 << 20).purse();
        let mut input = Input::bytes(vec![b'x'; 2 << 20]);
        let error = Records::lines(false).next(&mut input, &mut memory).unwrap_err();
        assert_eq!(error.to_string(), "memory limit of 1 MiB reached");
    }

    #[test]
    fn the_last_records_stay() {
        let mut memory = Memory::new(1 << 20).purse();
        let mut recent = Recent::new(2);
        assert_eq!(recent.push(b"a\n", &mut memory).unwrap(), None);
        assert_eq!(recent.push(b"b\n", &mut memory).unwrap(), None);
        assert_eq!(recent.push(b"c", &mut memory).unwrap(), Some(&b"a\n"[..]));
        assert_eq!(recent.bytes(), b"b\nc");
    }
}
