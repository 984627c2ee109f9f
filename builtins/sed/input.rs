//! The lines of all operands, one after the other, with an eye on whether more will come.
use crate::{Call, Error, FsError, Input, InputKind, Result, Status};
use std::{
    collections::VecDeque,
    io::{BufRead, Write},
};

/// The input of a script.
pub(super) struct Lines {
    operands: VecDeque<String>,
    open: Option<Open>,
    delimiter: u8,
    /// Each file has its own line numbers and its own last line.
    separate: bool,
    /// The number of the line read last.
    pub(super) number: u64,
    /// How often a new file was begun: ranges do not reach from one separate file into the next.
    pub(super) file: u64,
    /// Whether an operand could not be read.
    pub(super) failed: bool,
    /// The file read or looked into last, as `F` prints it.
    pub(super) name: String,
}

struct Open {
    name: String,
    input: Input,
    /// Bytes that are there to be taken without waiting.
    ready: usize,
}

/// Read on, flushing stdout first when that may wait for another command or a person.
fn fill<'i>(open: &'i mut Open, call: &mut Call<'_>) -> Result<&'i [u8]> {
    if open.ready == 0 && matches!(open.input.kind(), InputKind::Pipe | InputKind::Host) {
        call.stdout.flush()?;
    }
    match open.input.fill_buf() {
        Ok(bytes) => {
            open.ready = bytes.len();
            Ok(bytes)
        }
        Err(error) => {
            let cause = FsError::within(Error::Io(error))?;
            Err(Error::Failed(format!("read error on {}: {cause}", open.name), Status(4)))
        }
    }
}

impl Lines {
    pub(super) fn new(operands: Vec<String>, delimiter: u8, separate: bool) -> Lines {
        let operands = if operands.is_empty() { vec!["-".to_string()] } else { operands };
        Lines {
            operands: operands.into(),
            open: None,
            delimiter,
            separate,
            number: 0,
            file: 0,
            failed: false,
            name: "-".to_string(),
        }
    }

    /// Append the next line to `line`, without its delimiter. `Some(false)` when the delimiter was missing, `None` at
    /// the end of all input.
    pub(super) fn read(&mut self, call: &mut Call<'_>, line: &mut Vec<u8>) -> Result<Option<bool>> {
        loop {
            if self.open.is_none() && !self.next_file(call)? {
                return Ok(None);
            }
            let Some(open) = &mut self.open else { return Ok(None) };
            let mut any = false;
            let mut accounted = 0;
            loop {
                let bytes = fill(open, call)?;
                if bytes.is_empty() {
                    break;
                }
                any = true;
                let end = memchr::memchr(self.delimiter, bytes);
                let take = end.map_or(bytes.len(), |end| end + 1);
                line.extend_from_slice(&bytes[..end.unwrap_or(take)]);
                open.input.consume(take);
                open.ready -= take;
                if end.is_some() {
                    call.memory.give(accounted);
                    self.number += 1;
                    return Ok(Some(true));
                }
                // A line without end must not grow unseen; the caller accounts for what it keeps of it.
                call.memory.take(take)?;
                accounted += take;
            }
            call.memory.give(accounted);
            self.open = None;
            if any {
                self.number += 1;
                return Ok(Some(false));
            }
        }
    }

    /// Whether the line read last is the last one (of its file, when files are separate).
    pub(super) fn is_last(&mut self, call: &mut Call<'_>) -> Result<bool> {
        if let Some(open) = &mut self.open
            && !fill(open, call)?.is_empty()
        {
            return Ok(false);
        }
        if self.separate {
            return Ok(true);
        }
        // The next file is looked into but not begun. `F` names it from now on, as GNU's does.
        while let Some(operand) = self.operands.front().cloned() {
            self.name.clone_from(&operand);
            match open(call, &operand) {
                Ok(mut opened) => match opened.input.fill_buf() {
                    Ok([]) => drop(self.operands.pop_front()),
                    // An error is told when its turn comes.
                    Ok(_) | Err(_) => return Ok(false),
                },
                Err(error) => {
                    // A folder looked into is an empty file, as to GNU's `getc`; only one read from is a mistake.
                    if !matches!(error.kind, crate::ErrorKind::IsADirectory) {
                        self.complain(call, &operand, error)?;
                    }
                    self.operands.pop_front();
                }
            }
        }
        Ok(true)
    }

    fn next_file(&mut self, call: &mut Call<'_>) -> Result<bool> {
        while let Some(operand) = self.operands.pop_front() {
            match open(call, &operand) {
                Ok(opened) => {
                    if self.separate {
                        self.number = 0;
                        self.file += 1;
                    }
                    self.name = operand;
                    self.open = Some(opened);
                    return Ok(true);
                }
                Err(error) => self.complain(call, &operand, error)?,
            }
        }
        Ok(false)
    }

    fn complain(&mut self, call: &mut Call<'_>, operand: &str, error: FsError) -> Result<()> {
        let message = match error.kind {
            crate::ErrorKind::Stopped(stop) => return Err(stop.into()),
            crate::ErrorKind::IsADirectory => {
                return Err(Error::Failed(format!("read error on {operand}: {error}"), Status(4)));
            }
            kind => format!("can't read {operand}: {kind}"),
        };
        self.failed = true;
        call.warn_apart(message);
        Ok(())
    }
}

fn open(call: &Call<'_>, operand: &str) -> Result<Open, FsError> {
    let input = if operand == "-" { call.stdin.clone() } else { call.open(operand)? };
    Ok(Open { name: operand.to_string(), input, ready: 0 })
}
