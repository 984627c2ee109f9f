//! What is written, and in which column of the page it stands.
use super::{layout::Numbers, options::Tab};
use crate::{Output, Result};
use std::io::Write;

/// Writes a line. Where blanks become tabs they are held back until something follows them.
pub(super) struct Pen<'o> {
    out: &'o mut Output,
    /// What blanks become.
    tab: Option<Tab>,
    stops: Tab,
    /// Columns behind the page's edge.
    pub(super) at: i64,
    /// Blanks that are held back.
    pub(super) blanks: i64,
    /// Separators that are due before the next text.
    pub(super) separators: usize,
}

impl<'o> Pen<'o> {
    pub(super) fn new(out: &'o mut Output, stops: Tab, unexpand: bool) -> Pen<'o> {
        Pen { out, tab: unexpand.then_some(stops), stops, at: 0, blanks: 0, separators: 0 }
    }

    /// Go to the page's edge.
    pub(super) fn begin_line(&mut self) {
        (self.at, self.blanks, self.separators) = (0, 0, 0);
    }

    /// Write what has no place in a line.
    pub(super) fn raw(&mut self, bytes: &[u8]) -> Result<()> {
        Ok(self.out.write_all(bytes)?)
    }

    /// `count` times `byte`.
    pub(super) fn repeat(&mut self, byte: u8, count: i64) -> Result<()> {
        let run = [byte; 1024];
        let mut left = count.max(0) as u64;
        while left > 0 {
            let part = left.min(run.len() as u64);
            self.out.write_all(&run[..part as usize])?;
            left -= part;
        }
        Ok(())
    }

    /// Write a byte of text.
    pub(super) fn put(&mut self, byte: u8) -> Result<()> {
        if self.tab.is_some() {
            if byte == b' ' {
                self.blanks += 1;
                return Ok(());
            }
            self.settle()?;
            match byte {
                b' '..=b'~' => self.at += 1,
                b'\x08' => self.at -= 1,
                _ => {}
            }
        }
        self.raw(&[byte])
    }

    /// `count` blanks of text.
    pub(super) fn put_blanks(&mut self, count: i64) -> Result<()> {
        match self.tab {
            Some(_) => self.blanks += count,
            None => self.repeat(b' ', count)?,
        }
        Ok(())
    }

    /// The number of a line and what separates it, in a page of one column only.
    pub(super) fn put_number(&mut self, number: &[u8], numbers: Numbers) -> Result<()> {
        number.iter().try_for_each(|byte| self.put(*byte))?;
        self.put(numbers.separator)?;
        if numbers.separator == b'\t' {
            self.at += self.stops.from(self.at);
        }
        Ok(())
    }

    /// Blanks up to `column`.
    pub(super) fn pad_to(&mut self, column: i64) -> Result<()> {
        if self.tab.is_some() {
            self.blanks = column - self.at;
        } else {
            self.repeat(b' ', column - self.at)?;
            self.at = column;
        }
        Ok(())
    }

    /// Write the blanks that are held back.
    pub(super) fn settle(&mut self) -> Result<()> {
        if self.blanks <= 0 {
            return Ok(());
        }
        let goal = self.at + self.blanks;
        if let Some(tab) = self.tab {
            while goal - self.at > 1 && self.at + tab.from(self.at) <= goal {
                self.at += tab.from(self.at);
                self.raw(&[tab.byte])?;
            }
        }
        self.repeat(b' ', goal - self.at)?;
        (self.at, self.blanks) = (goal, 0);
        Ok(())
    }

    /// Write the separators that are due, each `text`.
    pub(super) fn separate(&mut self, text: &[u8]) -> Result<()> {
        if self.separators == 0 {
            return self.settle();
        }
        // As the original has it, only the first of them is seen.
        self.separators = 0;
        for byte in text {
            if *byte == b' ' {
                self.blanks += 1;
            } else {
                self.settle()?;
                self.raw(&[*byte])?;
                self.at += 1;
            }
        }
        self.settle()
    }
}
