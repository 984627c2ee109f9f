//! A text of which only as much has been read as was looked at.
use crate::{FsError, Input, Purse, Result};
use std::io::BufRead;

/// One of the files, or what comes from a pipe.
pub(super) struct Text {
    /// What it is called; empty for a pipe.
    pub(super) name: String,
    /// The lines read so far, without their newlines.
    pub(super) lines: Vec<Vec<u8>>,
    /// Whether these are all.
    pub(super) ended: bool,
    /// Why it ended, when it could not be read to its end.
    pub(super) failure: Option<String>,
    input: Input,
}

impl Text {
    pub(super) fn new(name: &str, input: Input) -> Text {
        Text { name: name.to_string(), lines: Vec::new(), ended: false, failure: None, input }
    }

    /// Read on until there are `count` lines, or all. They are paid for with `memory`.
    pub(super) fn read(&mut self, count: usize, memory: &mut Purse) -> Result<()> {
        while !self.ended && self.lines.len() < count {
            let mut line = Vec::new();
            match self.input.read_until(b'\n', &mut line) {
                Ok(0) => self.end(),
                Ok(_) => {
                    memory.take(line.len() + size_of::<Vec<u8>>())?;
                    if line.last() == Some(&b'\n') {
                        line.pop();
                    }
                    self.lines.push(line);
                }
                Err(error) => {
                    let cause = FsError::within(error.into())?;
                    self.failure = Some(format!("{}: {cause}", self.name));
                    self.end();
                }
            }
        }
        Ok(())
    }

    /// Others may read from the same input again.
    fn end(&mut self) {
        self.ended = true;
        self.input.release();
    }
}
