//! All lines of the input: kept once, put in order by [`Sorting`], and written.
use super::{
    key::Rules,
    order::{Entry, Sorting},
};
use crate::{
    Cancel, Input, Output, Purse, Result,
    in_order::{self, Kept, THREADS, in_order},
};
use std::{
    cmp::Ordering,
    io::{BufRead, Write},
    ops::{ControlFlow, Range},
};

/// The lines, in one buffer.
pub(super) struct Lines {
    end: u8,
    /// Each line with its end.
    text: Vec<u8>,
    /// Where the line that is being read begins.
    open: usize,
    order: Vec<Entry>,
}

/// Lines for which a second thread pays.
const MANY: usize = 1 << 14;
/// Bytes that are gathered before they are written, where lines are of like lengths.
const PIECE: usize = 256 << 10;

impl Lines {
    /// Lines that end with the byte `end`.
    pub(super) fn new(end: u8) -> Lines {
        Lines { end, text: Vec::new(), open: 0, order: Vec::new() }
    }

    /// Add all lines of `input`.
    pub(super) fn read(&mut self, input: &mut Input, memory: &mut Purse) -> Result<()> {
        loop {
            let bytes = input.fill_buf()?;
            if bytes.is_empty() {
                // A last line without its end is a line.
                if self.open < self.text.len() {
                    self.add(&[self.end]);
                }
                return Ok(());
            }
            memory.take(bytes.len())?;
            let before = self.order.len();
            self.add(bytes);
            let used = bytes.len();
            input.consume(used);
            // Of short lines, where they lie takes more than what they hold.
            memory.take((self.order.len() - before) * size_of::<Entry>())?;
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        let before = self.text.len();
        self.text.extend_from_slice(bytes);
        for at in memchr::memchr_iter(self.end, bytes) {
            self.order.push(Entry::new(self.open));
            self.open = before + at + 1;
        }
    }

    /// Put the lines in order, with so many threads; `None` leaves their number to that of the lines.
    pub(super) fn sort(&mut self, threads: Option<usize>, rules: &Rules, cancel: &Cancel) -> Result<()> {
        let threads = match threads {
            Some(threads) => threads.min(THREADS),
            None if self.order.len() < MANY => 1,
            None => in_order::threads(),
        };
        let sorting = Sorting { text: &self.text, end: self.end, rules, cancel };
        Ok(sorting.sort(&mut self.order, threads)?)
    }

    /// Write them, of equal ones only the first where that was asked for. Where they lie all over the memory, several
    /// threads gather them.
    pub(super) fn write(&self, rules: &Rules, cancel: &Cancel, out: &mut Output) -> Result<()> {
        let (count, bytes) = (self.order.len(), self.text.len());
        let lines = (PIECE * count / bytes.max(1)).max(1);
        let mut pieces = (0..count).step_by(lines).map(|first| {
            cancel.check()?;
            let piece = first..count.min(first + lines);
            let weight = bytes * piece.len() / count;
            Ok((piece, weight))
        });
        let gather = |piece: Range<usize>| {
            let mut gathered = Kept::default();
            let fits = self.put(piece.clone(), rules, &mut gathered).is_ok();
            (piece, fits.then(|| gathered.into_bytes()))
        };
        in_order(&mut pieces, &gather, &mut |(piece, gathered)| {
            match gathered {
                Some(gathered) => out.write_all(&gathered)?,
                None => self.put(piece, rules, out)?,
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Write the lines at the places `piece` of the order.
    fn put(&self, piece: Range<usize>, rules: &Rules, out: &mut dyn Write) -> Result<()> {
        for at in piece {
            let line = self.line(at);
            if !rules.unique || at == 0 || rules.compare(self.line(at - 1), line) != Ordering::Equal {
                rules.write(line, self.end, out)?;
            }
        }
        Ok(())
    }

    /// The line at place `at` of the order.
    fn line(&self, at: usize) -> &[u8] {
        self.order[at].line(&self.text, self.end)
    }
}
